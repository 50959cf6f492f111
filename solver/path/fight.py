"""Live battles along a path, and the questions about paths in documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from solver.dice.fight import DiceFight, Round
from solver.dice.questions import need_to_dict
from solver.dice.sizes import check_goal
from solver.documents import quotient, take_flag
from solver.ends import ends_to_dict, take_ranges
from solver.errors import BattleError
from solver.game import DiceToRoll, Ending, Fight, OddsDetails, Question, QuestionKind, Source
from solver.path.needs import path_need
from solver.path.odds import PathOdds, march, takes_all, takes_all_chances
from solver.path.path import Path


@dataclass(frozen=True, slots=True)
class PathFight(Fight):
    """A live battle along a path.

    Attributes:
        path: The path.
        leg: The number of the territory that is fought for, from 0.
        fight: The battle for it.
    """

    path: Path
    leg: int
    fight: DiceFight

    @classmethod
    def begin(cls, path: Path) -> "PathFight":
        """Return a path before its first throw: see `Game`."""
        first = path.legs[0]
        return cls(path, 0, DiceFight(first, first.attackers, first.defenders))._move_in()

    @property
    def ended(self) -> Ending | None:
        """See `Fight`: "won" means that all territories are taken."""
        return self.fight.ended

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`."""
        return self.fight.next_dice()

    def throw(self, source: Source) -> tuple[Round, "PathFight"]:
        """See `Fight`."""
        fought, after = self.fight.throw(source)
        return fought, replace(self, fight=after)._move_in()

    def retreat(self) -> "PathFight":
        """See `Fight`."""
        return replace(self, fight=self.fight.retreat())

    def _move_in(self) -> "PathFight":
        """Return the path after the attackers have moved on from every territory that is taken, up to the last."""
        here = self
        while here.fight.ended == "won" and here.leg < len(self.path.legs) - 1:
            left = max(here.fight.attackers - self.path.leave[here.leg], 0)
            leg = self.path.legs[here.leg + 1]
            here = PathFight(self.path, here.leg + 1, DiceFight(leg, left, leg.defenders))
        return here


def begin_path(path: Path) -> PathFight:
    """Return a path before its first throw: see `Game`."""
    return PathFight.begin(path)


def path_chances(fights: Sequence[PathFight], limit: float = inf) -> list[float | None]:
    """Return the chance to take all territories at each stage: see `Game`."""
    places = [(stage.leg, stage.fight.attackers, stage.fight.defenders) for stage in fights if stage.ended is None]
    known = iter(takes_all_chances(fights[0].path, places, limit) if places else ())
    return [next(known) if stage.ended is None else float(stage.ended == "won") for stage in fights]


def path_percentile(odds: PathOdds, fight: PathFight) -> float | None:
    """Return where the end of a path stands among all: see `Game`."""
    here = fight.fight
    return odds.percentile(fight.leg + (fight.ended == "won"), here.attackers, here.defenders)


def read_path_question(document: dict[str, Any], kind: Any, _rules: Mapping[str, Any]) -> Question | None:
    """Read a question for the odds of a path, or for the attackers that take all of it: see `Game`."""
    if kind not in ("odds", "need") or "path" not in document:
        return None
    if "defenders" in document:
        raise BattleError("defenders", "put the defenders of a path in `path`")
    if kind == "need":
        goal = document.pop("chance", 0.8)
        check_goal(goal)
        return Question(NEED, Path.from_dict({"attackers": 1, **document}), goal)
    details = OddsDetails(take_flag(document, "exact"), take_ranges(document))
    return Question(ODDS, Path.from_dict(document), details)


def _odds_to_dict(path: Path, details: OddsDetails) -> dict[str, Any]:
    odds = march(path)
    answer = odds.to_dict() | ends_to_dict(details.ends, odds.count, odds.chances)
    return answer | ({"takes_all_exact": quotient(takes_all(path))} if details.exact else {})


def _need_to_dict(path: Path, goal: float) -> dict[str, Any]:
    return need_to_dict(path_need(path, goal, inf))


ODDS = QuestionKind("odds", _odds_to_dict)
NEED = QuestionKind("need", _need_to_dict)
