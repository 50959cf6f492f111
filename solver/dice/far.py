"""The chance to win of armies far from the end of their battle, found without following it to the end.

While both sides roll all their dice, every round is the same trial. If it always costs both sides together the same
number of units, many rounds are a power of its law, and all they leave open is how a small battle goes on, which is the
same one for every larger battle. A side that runs short of dice before that has a handful of units against more than
the small battle has: it is as good as beaten. The chance that it is not is worked out and is part of the error.
"""

from math import ceil, sqrt
from sys import float_info
from typing import NamedTuple

import numpy as np

from solver.chain import Chances, Grid, backward
from solver.dice.compared import LossTable, Moves
from solver.dice.compiled import CompiledTable

SMALLEST, LARGEST = 64, 1024
"""The least and the most defenders of the small battle."""
HOPELESS = 1e-27
"""A side short of dice is as good as beaten if its chance to win is no more than this."""
DEVIATIONS = 12
"""Losses so many standard deviations from their mean are too unlikely to be followed."""


class Endgame(NamedTuple):
    """The small battle that ends every larger one with the same dice and floor.

    Attributes:
        table: A round of the game.
        floor: The battle is over once no more attackers than this are left.
        loss: The units that a round with all dice costs both sides together.
        level: The units of both sides together in the small battle.
        lines: The attacker's chances to win with 0, 1, ... defenders left, for this level and `loss` - 1 lower ones.
        hope: The most that a side that is short of dice can hope for on a higher level.
    """

    table: CompiledTable
    floor: int
    loss: int
    level: int
    lines: tuple[Chances, ...]
    hope: float

    def win_chance(self, attackers: int, defenders: int, drop: float) -> tuple[float, float] | None:
        """Return the attacker's chance to win and an upper bound on its error; None for a battle that is too small.

        Args:
            attackers: The attackers.
            defenders: The defenders.
            drop: Losses less likely than this are not followed.
        """
        level = attackers + defenders
        short = attackers <= max(self.table.caps[0] - 1, self.floor) or defenders < self.table.caps[1]
        if short or level <= self.level:
            return None
        trial = self.table.moves[-1][-1]
        to_endgame = ceil((level - self.level) / self.loss)
        until_beaten, fought = _rounds_until_beaten(trial, attackers - self.floor, defenders)
        rounds = min(to_endgame, until_beaten)
        level -= rounds * self.loss
        lost, law, missing = self.table.power(rounds, drop)
        # The law begins with so many defenders left and rises; below 1 they are beaten.
        left = defenders - rounds * self.loss + lost
        beaten, others = np.split(law, [max(1 - left, 0)])
        fewest = max(left, 1)
        chance = float(beaten.sum())
        if rounds == to_endgame:
            line = self.lines[self.level - level][fewest:]
            both = min(len(line), len(others))
            chance += float(others[:both] @ line[:both])
        else:
            missing += float(others[: max(level - self.floor - fewest, 0)].sum())
        return chance, missing + self.hope + 4 * float_info.epsilon * min(rounds, fought)


def find_endgame(table: CompiledTable, floor: int) -> Endgame | None:
    """Return the small battle that ends all larger ones; None if these dice or this floor have none.

    Args:
        table: A round of the game.
        floor: The battle is over once no more attackers than this are left.
    """
    loss = table.steady_loss
    if (
        not isinstance(table, CompiledTable)
        or not loss
        or any(moves.leave == 0 for row in table.moves for moves in row)
    ):
        return None
    size = SMALLEST
    while size <= LARGEST:
        level = floor + size
        won, lost = np.zeros((2, level + 1, size + 1))
        won[1:, 0], lost[: floor + 1, 1:] = 1, 1  # the final cells of the attacker's victory, and of the defender's
        for worth in (won, lost):
            backward(table, worth, floor)
        lines = tuple(_line(won, level - down) for down in range(loss))
        hope = max(_hope(table, floor, won, lost, level - down) for down in range(loss - 1 + sum(table.most_lost)))
        if hope <= HOPELESS:
            return Endgame(table, floor, loss, level, lines, hope)
        size *= 2
    return None


def _line(worth: Grid, level: int) -> Chances:
    """Return the worth of the cells of a level with 0, 1, ... defenders, as far as the grid holds them."""
    defenders = np.arange(max(level - len(worth) + 1, 0), min(level, worth.shape[1] - 1) + 1)
    return np.asarray(worth[level - defenders, defenders])


def _hope(table: LossTable, floor: int, won: Grid, lost: Grid, level: int) -> float:
    """Return the best chance to win on a level of a side that is short of dice."""
    attackers, defenders = range(floor + 1, table.caps[0]), range(1, table.caps[1])
    theirs = [lost.item(level - few, few) for few in defenders]
    return max([won.item(few, level - few) for few in attackers] + theirs, default=0.0)


def mean_rounds(table: LossTable, attackers: int, defenders: int) -> float:
    """Return about how many rounds with all dice it takes on average until one side is beaten; 0 if none ever is.

    Args:
        table: A round of the game.
        attackers: The attackers that can be lost.
        defenders: The defenders.
    """
    return min((fought for fought, _ in _rounds_of_sides(table.moves[-1][-1], attackers, defenders)), default=0.0)


def _rounds_until_beaten(trial: Moves, attackers: int, defenders: int) -> tuple[int, float]:
    """Return after how many rounds with all dice one side is as good as certainly beaten, and on average."""
    sides = _rounds_of_sides(trial, attackers, defenders)
    # Twice as many rounds as on average also cover how much the rounds added swing.
    until = min(fought + DEVIATIONS * swing * sqrt(2 * fought) + DEVIATIONS**2 for fought, swing in sides)
    return ceil(until), min(fought for fought, _ in sides)


def _rounds_of_sides(trial: Moves, attackers: int, defenders: int) -> list[tuple[float, float]]:
    """Return for each side that can lose units the rounds until it has lost all, and the swing of one, in rounds."""
    rounds = []
    for units, lost in (attackers, 0), (defenders, 1):
        if mean := sum(outcome[lost] * outcome.chance for outcome in trial.outcomes):
            square = sum(outcome[lost] ** 2 * outcome.chance for outcome in trial.outcomes)
            rounds.append((units / mean, sqrt(max(square - mean**2, 0)) / mean))
    return rounds
