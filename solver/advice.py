"""Advice before the roll: whether a side does better with fewer dice than it could roll, and by how much."""

from typing import NamedTuple

from solver.battle import Battle
from solver.chain import Grid, backward
from solver.choices import Best, early_table
from solver.dice_chain import DiceChain


class Advice(NamedTuple):
    """For one side: how many dice to roll now, of how many, and the attacker's chance with and without that freedom.

    `best` is the attacker's chance to win where the side rolls the best number of dice in every round, `usual` where
    it always rolls all it can; the other side always does.
    """

    dice: int
    most: int
    best: float
    usual: float

    @property
    def gain(self) -> float:
        """By how much the choice moves the attacker's chance."""
        return abs(self.best - self.usual)


def advice(battle: Battle) -> tuple[Advice | None, Advice | None]:
    """What to roll, for the attacker and for the defender; None where there is nothing to choose."""
    chain = battle.chain()
    if not chain.line or chain.reshape or chain.acting <= chain.floor or not chain.defenders:
        return None, None
    usual = backward(chain.kernel(), chain.won(), chain.floor)
    return _advice(chain, "most", usual), _advice(chain, "least", usual)


def _advice(chain: DiceChain, side: Best, usual: Grid) -> Advice | None:
    """For the attacker, who wants the `most`, or the defender, who wants the `least`."""
    table = early_table(chain.attack, chain.defence, chain.ties, side)
    if table is None:
        return None
    cell = chain.acting, chain.defenders
    most = min(cell[side == "least"], table.caps[side == "least"])
    chance = float(usual[cell])
    if not table.betters(usual, chain.floor):
        return Advice(most, most, chance, chance)
    best = backward(table, chain.won(), chain.floor)
    (option,) = table.chosen(best, cell).values()
    return Advice(most - option, most, float(best[cell]), chance)
