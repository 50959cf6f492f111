"""Advice before the roll: whether a side does better with fewer dice than it could roll, where, and by how much."""

from typing import NamedTuple

import numpy as np

from solver.battle import Battle
from solver.chain import Cell, Grid, Mask, backward, certain, forward
from solver.choices import Best, ChoiceTable, early_table
from solver.dice_chain import DiceChain


class Later(NamedTuple):
    """Where fewer dice are better later on, in a battle in which they are not yet.

    Attributes:
        sizes: (attackers, defenders), those in reserve among the attackers: the first sizes at which fewer dice are
            better and that can be met, most attackers first; none has more of both sides than another.
        dice: how many dice to roll at these; 0 where that differs from one to another.
        most: how many could be rolled there.

    At some of the smaller sizes all dice may be better again.
    """

    sizes: tuple[Cell, ...]
    dice: int
    most: int


class Advice(NamedTuple):
    """For one side: how many dice to roll now, of how many, and the attacker's chance with and without that freedom.

    `best` is the attacker's chance to win where the side rolls the best number of dice in every round, `usual` where
    it always rolls all it can; the other side always does. `later` says where fewer dice are better if they are not
    yet; None where they never are, or are now.
    """

    dice: int
    most: int
    best: float
    usual: float
    later: Later | None = None

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
    followed = ChoiceTable(table.options, side)
    followed.settle(chain.won(), chain.floor)
    best = followed.worth
    (option,) = followed.chosen(best, cell).values()
    later = None if option else _later(chain, followed, side)
    return Advice(most - option, most, float(best[cell]), chance, later)


def _later(chain: DiceChain, table: ChoiceTable, side: Best) -> Later | None:
    """Return where fewer dice are better; `table` knows the best choices and follows them."""
    met = certain((chain.acting, chain.defenders))
    forward(table, met, chain.floor)
    options = table.choices(table.worth, chain.floor)
    met[: chain.floor + 1], met[:, 0] = 0, 0
    cells = _first((met > 0) & (options > 0))
    caps = [min(cell[side == "least"], table.caps[side == "least"]) for cell in cells]
    rolled = {(most - int(options[cell]), most) for cell, most in zip(cells, caps, strict=True)}
    dice, most = rolled.pop() if len(rolled) == 1 else (0, 0)
    sizes = tuple((attackers + chain.reserve, defenders) for attackers, defenders in cells)
    return Later(sizes, dice, most) if sizes else None


def _first(pays: Mask) -> list[Cell]:
    """Return the cells marked that no other marked one exceeds in attackers and in defenders, most attackers first."""
    found: list[Cell] = []
    for attackers in range(pays.shape[0] - 1, 0, -1):
        defenders = int(np.flatnonzero(pays[attackers])[-1]) if pays[attackers].any() else 0
        if defenders > (found[-1][1] if found else 0):
            found.append((attackers, defenders))
    return found
