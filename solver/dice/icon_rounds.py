"""Battles with icon dice and a limit of rounds.

The law of one round in a cell is expensive to compute for icon dice. So every cell is visited once for many rounds,
with its probability before each of them: the law is computed once and serves them all.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.chain import Chances, Grid
from solver.dice.icons import IconTable

MOST_NUMBERS = 500_000
"""The most numbers that are held for the rounds fought at once."""
CELLS_AT_ONCE = 16
"""So many neighbouring cells of a row are pushed by one product of matrices."""


def fight_icon_rounds(table: IconTable, law: Grid, limit: int, floor: int = 0) -> float:
    """Fight a limited number of rounds.

    Args:
        table: A round of the game.
        law: The probability of each cell, changed in place to the law after the rounds.
        limit: The most rounds that are fought.
        floor: A cell with no more attackers than this is final.

    Returns:
        The expected number of rounds.
    """
    expected, at_once = 0.0, max(MOST_NUMBERS // law.size, 1)
    while limit > 0 and law[floor + 1 :, 1:].any():
        rounds = min(limit, at_once)
        by_round = np.zeros((rounds + 1, *law.shape))
        by_round[0] = law
        expected += sum(_fight_shell(table, by_round, step, floor) for step in table.steps(law.shape, floor))
        by_round.sum(axis=0, out=law)
        limit -= rounds
    return expected


def worth_by_icon_rounds(table: IconTable, worth: Grid, rounds: int, floor: int = 0) -> Iterator[Grid]:
    """Yield the worth of every cell with 0, 1, ..., `rounds` rounds left to fight.

    Args:
        table: A round of the game.
        worth: The payoff in each cell once no rounds are left, of shape (attackers + 1, defenders + 1).
        rounds: The most rounds that are left.
        floor: A cell with no more attackers than this is final.
    """
    yield worth
    at_once = max(MOST_NUMBERS // worth.size, 1)
    for begun in range(0, rounds, at_once):
        by_round = np.repeat(worth[np.newaxis], min(rounds - begun, at_once) + 1, axis=0)
        for step in reversed(table.steps(worth.shape, floor)):
            laws, turned = table.shell_laws(step, worth.shape[1] - 1, worth.shape[0] - 1)
            first = max(step, floor + 1)
            _value_row(by_round.transpose(0, 2, 1), step, first, turned[first - step :])
            if step > floor:
                _value_row(by_round, step, step + 1, laws[1:])
        yield from by_round[1:]
        worth = by_round[-1]


def _fight_shell(table: IconTable, by_round: Grid, step: int, floor: int) -> float:
    """Fight all rounds in the cells of a shell: see `IconTable`.

    `by_round` holds the probability of each cell before each round, and of the final cells what ends there in it.
    """
    arms = [np.flatnonzero(arm.any(axis=0)) for arm in (by_round[:-1, step, step:], by_round[:-1, step:, step])]
    expected = 0.0
    if any(map(len, arms)):
        row, column = (int(arm[-1]) if len(arm) else 0 for arm in arms)
        laws, turned = table.shell_laws(step, step + row, step + column)
        if step > floor:
            expected += _fight_row(by_round, step, step + 1, laws[1:])
        # The corner of the shell, which both its arms feed, is the column's last cell.
        first = max(step, floor + 1)
        expected += _fight_row(by_round.transpose(0, 2, 1), step, first, turned[first - step :])
    if step == 1:
        table.forget_laws()
    return expected


def _fight_row(by_round: Grid, n: int, first: int, laws: list[Any]) -> float:
    """Fight all rounds in the cells of row n from `first` defenders on, which have these laws, the last first."""
    laws, expected = laws[: max(by_round.shape[2] - first, 0)], 0.0
    for end in range(len(laws), 0, -CELLS_AT_ONCE):
        start = max(end - CELLS_AT_ONCE, 0)
        expected += _fight_cells(by_round, n, first + start, laws[start:end])
    return expected


def _fight_cells(by_round: Grid, n: int, first: int, laws: list[Any]) -> float:
    """Fight all rounds in a few neighbouring cells of a row."""
    last, ways = first + len(laws) - 1, _ways(n, first, laws)
    row = by_round[:, n, : last + 1].T.copy()
    visits = np.empty((len(laws), len(by_round)))
    for m in range(last, first - 1, -1):
        chances = ways[m - first, n]
        visits[m - first] = _stay(row[m], chances.item(m))
        row[:m, 1:] += chances[:m, np.newaxis] * row[m, :-1]
        row[m, :-1] = 0  # Only what the last round leaves here is still here.
    by_round[:, n, : last + 1] = row.T
    fought = visits[:, :-1]
    lower = fought.T @ ways[:, :n].reshape(len(laws), -1)
    by_round[1:, :n, : last + 1] += lower.reshape(-1, n, last + 1)
    return float(fought.sum())


def _value_row(by_round: Grid, n: int, first: int, laws: list[Any]) -> None:
    """Find the worth of the cells of row n from `first` defenders on with 1, 2, ... rounds left, the first first."""
    laws = laws[: max(by_round.shape[2] - first, 0)]
    for start in range(0, len(laws), CELLS_AT_ONCE):
        _value_cells(by_round, n, first + start, laws[start : start + CELLS_AT_ONCE])


def _value_cells(by_round: Grid, n: int, first: int, laws: list[Any]) -> None:
    """Find the worth of a few neighbouring cells of a row with 1, 2, ... rounds left."""
    last, ways = first + len(laws) - 1, _ways(n, first, laws)
    after = by_round[:-1, :n, : last + 1].reshape(len(by_round) - 1, -1)
    lower = ways[:, :n].reshape(len(laws), -1) @ after.T
    row = by_round[:, n, : last + 1].T.copy()
    for m in range(first, last + 1):
        chances = ways[m - first, n]
        row[m, 1:] = lower[m - first] + chances[:m] @ row[:m, :-1]
        _stay(row[m], chances.item(m))
    by_round[:, n, : last + 1] = row.T


def _ways(n: int, first: int, laws: list[Any]) -> Grid:
    """Return the chances from neighbouring cells of row n to what is left, [cell, attackers, defenders]."""
    ways = np.zeros((len(laws), n + 1, first + len(laws)))
    for m, law in enumerate(laws, start=first):
        ways[m - first, :, : m + 1] = law.T[:, ::-1]
    return ways


def _stay(arrivals: Chances, stay: float) -> Chances:
    """Turn the chances to arrive in a cell before each round, in place, into those to be there.

    `stay` is the chance that a round leaves all units. With the shift S by a round, the sum of all its powers is the
    product of 1 + stay S, 1 + (stay S)^2, 1 + (stay S)^4 and so on.
    """
    shift = 1
    while stay and shift < len(arrivals):
        arrivals[shift:] += stay * arrivals[:-shift]
        stay, shift = stay * stay, 2 * shift
    return arrivals
