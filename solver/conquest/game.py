"""The entry of conquests in the registry of games: best choices of live ones, the worth of stages, and the question.

Armies in some territories of a map take others, and split up on the way.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf, prod
from typing import Any

import numpy as np

from solver.chain import Grid, backward
from solver.conquest.board import members
from solver.conquest.conquest import Conquest
from solver.conquest.fight import Assault, ConquestFight, board_of
from solver.conquest.fronts import Fronts, target_laws
from solver.conquest.odds import ConquestOdds, conquer, conquest_seconds
from solver.conquest.plan import ArmedFront
from solver.conquest.shares import share_targets
from solver.errors import BattleError, TooLargeError, quoted
from solver.game import Choices, Game, Question, QuestionKind, SideName
from solver.progress import takes

UNIT = 25
"""The multiplications that count as one unit of `DiceChain.work`: those of conquests are quick ones."""


@takes(lambda fights, *_limit: conquest_seconds(fights[0].conquest))
def conquest_chances(fights: Sequence[ConquestFight], limit: float = inf) -> list[float | None]:
    """Return what the best plan reaches from each stage: see `Game`.

    For the aim "all" that is the chance to take every target. For the others it is the average share of their number or
    value.
    """
    try:
        worths = _Worths(_fronts_of(fights[0].conquest, UNIT * limit))
        return [_worth_of_end(stage) if stage.ended else worths.worth(stage) for stage in fights]
    except TooLargeError:
        return [_worth_of_end(stage) if stage.ended else None for stage in fights]


@takes(lambda fight, *_others: conquest_seconds(fight.conquest))
def best_choice(fight: ConquestFight, number: int | None = None, limit: float = inf) -> dict[str, Any]:
    """Return the best choice of a conquest in which one is due.

    Args:
        fight: The conquest.
        number: The armies that move in after a capture; None for the best number.
        limit: The most work, in the unit of `DiceChain.work`.

    Raises:
        TooLargeError: It is more work.
    """
    fronts = _fronts_of(fight.conquest, UNIT * limit)
    if fight.decision == "shares":
        return _best_shares(fight, fronts)
    if fight.decision == "attack":
        return _best_attack(fight, fronts)
    assert fight.assault, "a territory has just been captured"
    target, left = fight.assault.target, fight.assault.fight.attackers
    after = fight.fronts[0].place, target, fight.rest
    if number is None:
        _worths, onward, moving = fronts.after(*after)
        return {"move": int(moving[left]), "onward": fight.names(int(onward[left]))}
    return {"move": number, "onward": fight.names(fronts.best_onward(*after, left, number))}


def _is_choice_due(fight: ConquestFight) -> bool:
    return fight.decision is not None


def _choosers(fight: ConquestFight) -> tuple[SideName, ...]:
    return ("attacker",) if _is_choice_due(fight) else ()


def _side(_fight: ConquestFight, _choice: Any) -> SideName:
    return "attacker"


def _chooser(fight: ConquestFight) -> SideName | None:
    """Return the attacker while the number of armies that move in is to be chosen: see `Choices`."""
    return "attacker" if fight.numbers is not None else None


CHOICES = Choices(
    due=_is_choice_due,
    choosers=_choosers,
    side=_side,
    chooser=_chooser,
    best=best_choice,
    choose=ConquestFight.choose,
)


@lru_cache(maxsize=2)
def _fronts_of(conquest: Conquest, most_work: float) -> Fronts:
    """Return the worth of all fronts of a conquest, which stays in memory for the next press: see `Fronts`."""
    return Fronts(board_of(conquest), target_laws(conquest), most_work)


class _Worths:
    """The worth of the stages of one conquest; a battle's chances are worked out once for all its stages."""

    def __init__(self, fronts: Fronts) -> None:
        self._fronts = fronts
        self._whole = float(fronts.worths.sum())
        self._grids: dict[tuple[ArmedFront, int], Grid] = {}

    def worth(self, stage: ConquestFight) -> float:
        """Return the worth of a stage that is not the end."""
        if stage.sharing:
            return self._share(share_targets(self._fronts)[0], stage)
        first, *others = stage.fronts
        worths = [self._worth_of_first(stage, first), *(self._fronts.worth_of(*front) for front in others)]
        return self._share(sum(worths), stage) if self._fronts.adds else prod(worths)

    def _share(self, ahead: float, stage: ConquestFight) -> float:
        """Return the share of the whole worth, if that is the aim, from what is still ahead."""
        if not self._fronts.adds:
            return ahead
        return (float(self._fronts.worths[list(stage.taken)].sum()) + ahead) / self._whole if self._whole else 0.0

    def _worth_of_first(self, stage: ConquestFight, front: ArmedFront) -> float:
        """Return the worth of the front that acts."""
        if stage.assault is None:
            return self._fronts.worth_of(*front)
        grid = self._grids.get((front, stage.assault.target))
        if grid is None:
            grid = self._grids[front, stage.assault.target] = self._grid(stage.assault, front, stage.rest)
        return float(grid[stage.assault.fight.attackers, stage.assault.fight.defenders])

    def _grid(self, assault: Assault, front: ArmedFront, rest: int) -> Grid:
        """Return what a front is worth, by the attackers and defenders left; without defenders its target is taken.

        The worth of the target itself counts until then.
        """
        battle = assault.fight.battle
        after, _onward, _moving = self._fronts.after(front.place, assault.target, rest)
        gain = float(self._fronts.worths[assault.target]) if self._fronts.adds else 0.0
        worth: Grid = np.zeros((battle.attackers + 1, battle.defenders + 1))
        worth[1:, 0] = after[1 : battle.attackers + 1] + gain
        if battle.defenders:
            backward(battle.chain().kernel(), worth)
        worth[1:, 0] -= gain
        return worth


def _worth_of_end(stage: ConquestFight) -> float:
    if stage.conquest.aim == "all":
        return float(stage.ended == "won")
    worths = [target.worth for target in stage.conquest.targets]
    return sum(worths[target] for target in stage.taken) / (sum(worths) or 1.0)


def _best_shares(fight: ConquestFight, fronts: Fronts) -> dict[str, Any]:
    shares = {front.place: front.targets for front in share_targets(fronts)[1]}
    if not shares:  # Nothing can be reached whatever is done; so each start takes what is left.
        left = (1 << fight.board.targets) - 1
        for front in fight.fronts:
            shares[front.place] = fight.board.reach(front.place, left)
            left &= ~shares[front.place]
    names = fight.board.names
    return {"shares": {names[front.place]: sorted(fight.names(shares.get(front.place, 0))) for front in fight.fronts}}


def _best_attack(fight: ConquestFight, fronts: Fronts) -> dict[str, Any]:
    front = fight.fronts[0]
    target = int(fronts.decide(front.place, front.targets).attacks[front.armies])
    if target < 0:
        if fronts.adds:
            return {"stop": True}
        # No target is worth more than another where nothing can be reached any more.
        target = next(members(fight.board.adjacent[front.place] & front.targets))
    return {"attack": fight.board.names[target]}


def read_conquest_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Any]) -> Question | None:
    """Read the question "conquer", how to take territories on a map: see `Game`."""
    if kind != "conquer":
        return None
    game = document.get("game")
    if isinstance(game, str) and game in rules:
        raise BattleError("game", "a conquest needs a game with dice, such as risk, not {value}", value=quoted(game))
    return Question(CONQUER, Conquest.from_dict(document))


def _find_within(conquest: Conquest, limit: int) -> ConquestOdds:
    return conquer(conquest, UNIT * limit)


def _odds_to_dict(_conquest: Conquest, odds: ConquestOdds) -> dict[str, Any]:
    return odds.to_dict()


CONQUER = QuestionKind("conquer", conquer, _odds_to_dict, _find_within)
CONQUEST = Game(
    "conquest",
    Conquest,
    ask=read_conquest_question,
    begin=ConquestFight.begin,
    chances=conquest_chances,
    choices=CHOICES,
)
