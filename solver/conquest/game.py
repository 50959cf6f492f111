"""The entries of conquests in the registry of games: live ones, by today's rules and by older ones, and the questions.

Armies in some territories of a map take others, and split up on the way.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from solver.conquest.conquest import Conquest
from solver.conquest.fight import ConquestFight
from solver.conquest.hold_odds import HoldOdds, hold
from solver.conquest.holding import HOLDING_FIELDS, Holding
from solver.conquest.live_turn import LiveTurn
from solver.conquest.odds import ConquestOdds, conquer, conquest_seconds
from solver.conquest.phase import MapThrow
from solver.conquest.planned import UNIT, best_of_plan, plan_chances
from solver.conquest.play import best_turn_choice, is_outdated, turn_chances
from solver.conquest.reinforcements import Reinforcements, check_placed, reinforce
from solver.errors import BattleError
from solver.game import Choices, Game, Question, QuestionKind, SideName
from solver.progress import takes

AnyFight = ConquestFight | LiveTurn


def begin_conquest(conquest: Conquest) -> AnyFight:
    """Return a live conquest before its first choice: see `Game`.

    Args:
        conquest: The conquest.
    """
    to_the_end = conquest.to_the_end or conquest.rules.late
    return ConquestFight.begin(conquest) if to_the_end else LiveTurn.begin(conquest)


@takes(lambda fights, *_limit: conquest_seconds(fights[0].conquest))
def conquest_chances(fights: Sequence[AnyFight], limit: float = inf) -> list[float | None]:
    """Return what best play, or the best plan of an older log, reaches from each stage: see `Game`.

    For the aim "all" that is the chance to take every target. For the others it is the average share of their number or
    value.
    """
    turns = [stage for stage in fights if isinstance(stage, LiveTurn)]
    plans = [stage for stage in fights if isinstance(stage, ConquestFight)]
    return turn_chances(turns, limit) if turns else plan_chances(plans, limit)


@takes(lambda fight, *_others: conquest_seconds(fight.conquest))
def best_choice(fight: AnyFight, wish: int | MapThrow | None = None, limit: float = inf) -> dict[str, Any]:
    """Return the best choice of a conquest in which one is due: see `Choices`.

    Args:
        fight: The conquest.
        wish: The armies that move in after a capture, or the next throw; None for the best.
        limit: The most work, in the unit of `DiceChain.work`.

    Raises:
        TooLargeError: It is more work.
    """
    if isinstance(fight, LiveTurn):
        return best_turn_choice(fight, wish, limit)
    assert not isinstance(wish, MapThrow), "the plan chooses where to attack"
    return best_of_plan(fight, wish, limit)


def _is_choice_due(fight: AnyFight) -> bool:
    return fight.decision is not None


def _choosers(fight: AnyFight) -> tuple[SideName, ...]:
    """Return the attacker, who may choose another throw before each throw: see `Choices`."""
    may_choose = not fight.ended if isinstance(fight, LiveTurn) else _is_choice_due(fight)
    return ("attacker",) if may_choose else ()


def _side(_fight: AnyFight, _choice: Any) -> SideName:
    return "attacker"


def _is_outdated(fight: AnyFight, limit: float) -> bool:
    """Tell whether best play chooses another throw: see `Choices`."""
    return isinstance(fight, LiveTurn) and is_outdated(fight, limit)


def _choose(fight: AnyFight, choice: Any) -> AnyFight:
    return fight.choose(choice)


def _chooser(fight: AnyFight) -> SideName | None:
    """Return the attacker while the number of armies that move in is to be chosen: see `Choices`."""
    return "attacker" if fight.numbers is not None else None


CHOICES = Choices(
    due=_is_choice_due,
    choosers=_choosers,
    side=_side,
    chooser=_chooser,
    best=best_choice,
    choose=_choose,
    is_outdated=_is_outdated,
)


def read_conquest_question(document: dict[str, Any], kind: Any, _rules: Mapping[str, Any]) -> Question | None:
    """Read the question "conquer", how to take territories on a map: see `Game`."""
    if kind != "conquer":
        return None
    if any(field in document for field in HOLDING_FIELDS):
        if "place" in document:
            raise BattleError("place", "ask about `hold` and `place` one after the other")
        return Question(HOLD, Holding.from_dict(document))
    if "place" in document:
        check_placed(document["place"])
        rest = {name: value for name, value in document.items() if name != "place"}
        return Question(REINFORCE, Conquest.from_dict(rest), document["place"])
    return Question(CONQUER, Conquest.from_dict(document))


def _find_within(conquest: Conquest, limit: int) -> ConquestOdds:
    return conquer(conquest, UNIT * limit)


def _hold_within(holding: Holding, limit: int) -> HoldOdds:
    return hold(holding, UNIT * limit)


def _reinforce_within(conquest: Conquest, armies: int, limit: int) -> Reinforcements:
    return reinforce(conquest, armies, UNIT * limit)


def _reinforcements_to_dict(_conquest: Conquest, _armies: int, answer: Reinforcements) -> dict[str, Any]:
    return answer.to_dict()


def _odds_to_dict(_battle: Conquest | Holding, odds: ConquestOdds | HoldOdds) -> dict[str, Any]:
    return odds.to_dict()


CONQUER = QuestionKind("conquer", conquer, _odds_to_dict, _find_within)
HOLD = QuestionKind("hold", hold, _odds_to_dict, _hold_within)
REINFORCE = QuestionKind("reinforce", reinforce, _reinforcements_to_dict, _reinforce_within)
CONQUEST = Game(
    "conquest",
    Conquest,
    ask=read_conquest_question,
    begin=begin_conquest,
    chances=conquest_chances,
    choices=CHOICES,
)
HOLDING = Game("conquest", Holding)
