"""Live conquests of older logs by the best plan: what a stage is worth, and the best choice.

A plan shares the targets among the fronts, and each front fights its attacks to their ends.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from solver.chain import Grid, backward
from solver.conquest.board import members
from solver.conquest.conquest import Conquest
from solver.conquest.fight import Assault, ConquestFight, board_of
from solver.conquest.fronts import Fronts, target_laws
from solver.conquest.live_turn import LiveTurn
from solver.conquest.plan import ArmedFront
from solver.conquest.shares import share_targets
from solver.errors import TooLargeError

UNIT = 25
"""The multiplications that count as one unit of `DiceChain.work`: those of conquests are quick ones."""


def plan_chances(fights: Sequence[ConquestFight], limit: float) -> list[float | None]:
    """Return what the best plan reaches from each stage: see `Game`.

    Args:
        fights: The stages of one conquest, the earliest first.
        limit: The most work, in the unit of `DiceChain.work`.
    """
    try:
        worths = _Worths(_fronts_of(fights[0].conquest, UNIT * limit))
        return [chance_of_end(stage) if stage.ended else worths.worth(stage) for stage in fights]
    except TooLargeError:
        return [chance_of_end(stage) if stage.ended else None for stage in fights]


def best_of_plan(fight: ConquestFight, number: int | None, limit: float) -> dict[str, Any]:
    """Return the choice of the best plan.

    Args:
        fight: The conquest, in which a choice is due.
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


def chance_of_end(stage: LiveTurn | ConquestFight) -> float:
    """Return what an ended turn has reached: 1 or 0, or the share of the targets or of their value.

    Args:
        stage: The turn.
    """
    return float(stage.ended == "won") if stage.conquest.aim == "all" else share_reached(stage, 0.0)


def share_reached(stage: LiveTurn | ConquestFight, ahead: float) -> float:
    """Return the share of the whole worth, if that is the aim, from what is still ahead.

    Args:
        stage: The turn.
        ahead: The worth of what best play or a plan reaches from there.
    """
    if stage.conquest.aim == "all":
        return ahead
    worths = [float(target.worth) for target in stage.conquest.targets]
    return sum((worths[target] for target in stage.taken), ahead) / (sum(worths) or 1.0)


@lru_cache(maxsize=2)
def _fronts_of(conquest: Conquest, most_work: float) -> Fronts:
    """Return the worth of all fronts of a conquest, which stays in memory for the next press: see `Fronts`."""
    return Fronts(board_of(conquest), target_laws(conquest), most_work)


class _Worths:
    """The worth of the stages of one conquest; a battle's chances are worked out once for all its stages."""

    def __init__(self, fronts: Fronts) -> None:
        self._fronts = fronts
        self._grids: dict[tuple[ArmedFront, int], Grid] = {}

    def worth(self, stage: ConquestFight) -> float:
        """Return the worth of a stage that is not the end."""
        if stage.sharing:
            return share_reached(stage, share_targets(self._fronts)[0])
        first, *others = stage.fronts
        worths = [self._worth_of_first(stage, first), *(self._fronts.worth_of(*front) for front in others)]
        return share_reached(stage, sum(worths)) if self._fronts.adds else prod(worths)

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
