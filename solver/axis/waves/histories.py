"""The histories of waves: which losses came before which defenders, and how to solve the fights that follow."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from solver.axis.fates import Fate
from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.odds import AxisOdds
from solver.axis.units import AMPHIBIOUS
from solver.axis.waves.joint import LossLaw, TooManyEndsError, unique_pairs
from solver.chain import Grid

MOST_ENDS = 3_000_000
"""The most endings of a wave that are followed, each with its history."""


def select_ends(odds: AxisOdds, ends: Nodes) -> AxisOdds:
    """Return the part of the odds of a wave in some of its endings.

    Args:
        odds: The odds.
        ends: The places of these endings.
    """
    (ours, rows), (theirs, columns) = unique_inverse(odds.rows[ends]), unique_inverse(odds.columns[ends])
    return replace(
        odds,
        attackers=[odds.attackers[place] for place in ours.tolist()],
        defenders=[odds.defenders[place] for place in theirs.tolist()],
        rows=rows,
        columns=columns,
        chances=odds.chances[ends],
        attacker_loss_at=odds.attacker_loss_at[ends],
        defender_loss_at=odds.defender_loss_at[ends],
        taken=odds.taken[ends],
        attacker_stands=odds.attacker_stands[ends],
        defender_stands=odds.defender_stands[ends],
        declined_at=None if odds.declined_at is None else odds.declined_at[ends],
        standoff=None if odds.standoff is None else odds.standoff[ends],
        defender_left=None if odds.defender_left is None else odds.defender_left[ends],
    )


def loss_codes(fates: Sequence[Fate], ends: Nodes, places: Mapping[str, int]) -> Nodes:
    """Return the losses in each ending as one number.

    Args:
        fates: The fates of the units of one side.
        ends: The number of the fate in each ending.
        places: The weight of each kind, as in `Codes`. It also counts units landed from the sea; other kinds count 0.
    """
    worth = dict(places) | {f"{AMPHIBIOUS}{name}": place for name, place in places.items()}
    numbers, which = unique_inverse(ends)
    lost = [fates[place].lost for place in numbers.tolist()]
    return np.array([sum([worth.get(name, 0) * count for name, count in units]) for units in lost], np.int64)[which]


def law_after(side: int, histories: Nodes, weights: Grid, shares: Grid, ends: tuple[Nodes, Nodes, Nodes]) -> LossLaw:
    """Return the law of the losses and the defenders after a wave.

    Args:
        side: The side of the attackers, 0 or 1.
        histories: The losses before the wave, [side, history].
        weights: The share of each history in each fight, [history, fight].
        shares: The chance of each ending in each fight, [fight, ending].
        ends: For each ending the attackers' losses, the defenders' losses, and the units on the field, all as numbers.

    Raises:
        TooManyEndsError: There are too many endings to keep apart.
    """
    lost, beaten, places = ends
    moves = np.zeros((2, 1, 1), np.int64)
    if all((numbers == numbers[0]).all() for numbers in ends):
        more = moves[:, 0].copy()
        moves[side], more[1 - side] = lost[0], beaten[0]
        return LossLaw(histories + moves[:, 0], more, places[:1], weights @ shares.sum(axis=1, keepdims=True))
    steps, step = unique_inverse(lost)
    # The defenders' losses and the holder of the field depend on each other, so there are few pairs.
    columns, column = unique_pairs(np.array([beaten, places]))
    joint = np.zeros((len(shares), len(steps) * columns.shape[1]))
    for share, row in zip(shares, joint, strict=True):
        row += np.bincount(step * columns.shape[1] + column, share, len(row))
    moves = np.zeros((2, 1, len(steps)), np.int64)
    moves[side] = steps
    if histories.shape[1] == 1:
        pairs, which = histories + moves[:, 0], np.arange(len(steps))[None]
    else:
        pairs, which = unique_pairs(histories[:, :, None] + moves)
    if pairs.shape[1] * columns.shape[1] > MOST_ENDS:
        raise TooManyEndsError
    chances = np.zeros((pairs.shape[1], columns.shape[1]))
    if len(which) < len(steps):
        for rows, weight in zip(which, weights, strict=True):
            chances[rows] += (weight @ joint).reshape(len(steps), -1)
    else:
        joint = joint.reshape(len(shares), len(steps), -1)
        for number, rows in enumerate(which.T):
            chances[rows] += weights @ joint[:, number]
    more = np.zeros_like(columns)
    more[1 - side] = columns[0]
    return LossLaw(pairs, more, columns[1], chances)


def group_histories(laws: Sequence[LossLaw]) -> tuple[Nodes, Nodes, Grid]:
    """Add up laws by history and by defenders.

    These are the histories, [side, history]; the numbers of the defenders; and the chance of each pair, [history,
    defenders]. TooManyEndsError if there are too many pairs to keep apart.

    Args:
        laws: Laws that lead to the same wave against the same holder.
    """
    if len(laws) == 1 and len(laws[0].units) == 1:
        (law,) = laws
        return law.lost + law.more, law.units, law.chances
    places, which = unique_inverse(np.concatenate([law.units for law in laws]))
    steps = [unique_pairs(law.more) for law in laws]
    losses = [(more[:, :, None] + law.lost[:, None]).reshape(2, -1) for law, (more, _) in zip(laws, steps, strict=True)]
    histories, past = unique_pairs(np.concatenate(losses, axis=1))
    if histories.shape[1] * len(places) > MOST_ENDS:
        raise TooManyEndsError
    meets = np.zeros(histories.shape[1] * len(places))
    for law, lost, (_, step) in zip(laws, losses, steps, strict=True):
        rows, past = past[: lost.shape[1]], past[lost.shape[1] :]
        columns, which = which[: len(law.units)], which[len(law.units) :]
        # Each column adds its own losses to those of the row.
        cells = rows.reshape(-1, len(law.chances))[step].T * len(places) + columns
        np.add.at(meets, cells.reshape(-1), law.chances.reshape(-1))
    meets = meets.reshape(-1, len(places))
    some = meets.any(axis=1)
    return histories[:, some], places, meets[some]


def stack_groups(parts: Sequence[tuple[Nodes, Grid]]) -> tuple[Nodes, Grid]:
    """Return several groups of histories as one: the numbers of all defenders, and the chances of all groups.

    Args:
        parts: For each group the numbers of the defenders, and the chance of each pair, [history, defenders].
    """
    if len(parts) == 1:
        return parts[0]
    every, which = unique_inverse(np.concatenate([places for places, _ in parts]))
    rows, first = [], 0
    for places, meets in parts:
        row = np.zeros((len(meets), len(every)))
        row[:, which[first : first + len(places)]] = meets
        first += len(places)
        rows.append(row)
    return every, np.concatenate(rows)


def covering_fights(meets: Grid, dropped: float) -> tuple[Grid, Grid, float]:
    """Return a few fights that together meet every likely set of defenders with its own histories.

    Each fight is one history with all its sets, or one set with all its histories, whichever covers most of what is
    left. It has the share of each history, [history, fight], and the chance of each set, [fight, defenders]. The last
    result is how much may be missing.

    Args:
        meets: The chance of each pair, [history, defenders].
        dropped: The most probability that may be left out if there are several histories.
    """
    likely, missing = meets > dropped / meets.size, 0.0
    if len(meets) > 1 and likely.any():
        meets, missing = np.where(likely, meets, 0.0), dropped
    left = meets > 0
    by_history, by_set = left.sum(axis=1), left.sum(axis=0)
    weights, chances = [], []
    while by_history.any():
        weight, chance = np.zeros(len(by_history)), np.zeros(len(by_set))
        if by_history.max() >= by_set.max():
            largest = int(by_history.argmax())
            weight[largest], chance[left[largest]] = 1.0, meets[largest, left[largest]]
            by_set -= left[largest]
            left[largest] = by_history[largest] = 0
        else:
            largest = int(by_set.argmax())
            chance[largest] = meets[left[:, largest], largest].sum()
            weight[left[:, largest]] = meets[left[:, largest], largest] / chance[largest]
            by_history -= left[:, largest]
            left[:, largest] = by_set[largest] = 0
        weights.append(weight)
        chances.append(chance)
    return np.array(weights).T, np.array(chances), missing
