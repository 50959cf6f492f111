"""Advice before the roll: whether a side does better with fewer dice than it could roll, and by how much."""

from typing import NamedTuple

from solver.battle import Battle
from solver.chain import backward
from solver.choices import Best, early_table


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


def advice(battle: Battle, side: Best) -> Advice | None:
    """What to roll for the attacker (who wants the `most`) or the defender (the `least`); None where none is needed."""
    chain = battle.chain()
    if not chain.line or chain.reshape or chain.acting <= chain.floor or not chain.defenders:
        return None
    table = early_table(chain.attack, chain.defence, chain.ties, side)
    if table is None:
        return None
    table.settle(chain.won(), chain.floor)
    cell = chain.acting, chain.defenders
    usual: float = backward(chain.kernel(), chain.won(), chain.floor)[cell]
    most = min(cell[side == "least"], table.caps[side == "least"])
    (option,) = table.chosen(cell).values()
    return Advice(most - option, most, float(table.worth[cell]), float(usual))
