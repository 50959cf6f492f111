"""The slow twins of battles with a limit of rounds: the whole grid of cells, one round after the other."""

import numpy as np

from solver.chain import Cell, Grid, forward_rounds, point_law
from solver.dice.compared import LossTable
from solver.dice.icons import IconTable
from solver.dice.lines import SurvivorLaw


def on_a_grid(table: LossTable, start: Cell, most: int, floor: int) -> SurvivorLaw:
    """The law after at most so many rounds of compared dice."""
    law = point_law(start)
    rounds = forward_rounds(table, law, most, floor)
    attackers, defenders = np.nonzero(law)
    return SurvivorLaw(attackers, defenders, law[attackers, defenders], rounds)


def fight_icons(table: IconTable, law: Grid, most: int, floor: int) -> float:
    """Fight with icon dice, with the laws of all cells made anew in each round; return the expected rounds."""
    expected = 0.0
    for _ in range(most):
        fighting = law[floor + 1 :, 1:].copy()
        expected += float(fighting.sum())
        law[floor + 1 :, 1:] = 0
        for n, m, ways in table._cells((floor + 1, 1), law.shape):
            law[: n + 1, m::-1] += fighting[n - floor - 1, m - 1] * ways.T
    return expected
