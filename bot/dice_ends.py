"""All ends of battles with dice: how many each side loses and has left, with what chance; of a path who comes how far."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bot.languages import _, _p
from bot.replies import aligned
from bot.wording import percent
from solver.odds import Chances, Counts, Odds
from solver.paths import PathOdds

MOST_ROWS = 20
"""How many rows for a side stand in the chat; where it has more ends, these are put together."""
MOST_LISTED = 5_000
"""How many rows for a side stand in a file, the likeliest."""
TAIL = 0.0005
"""What may stand in one row at either end, where ends are put together."""
STEPS = tuple(digit * 10**power for power in range(6) for digit in (1, 2, 5))


class Row(NamedTuple):
    """Ends that stand in one row: from `least` to `most` left, their chance, and that of them and better ones.

    `others` and `worse` are the chances of all that is not in these two.
    """

    least: int
    most: int
    chance: float
    reached: float
    others: float
    worse: float


def side_rows(left: Counts, odds: Odds, groups: int = 0) -> list[Row]:
    """The chances of all numbers of one side that may be left, most first; put together into so many rows or fewer."""
    counts, place = np.unique(left[odds.chances > 0], return_inverse=True)
    chances = np.bincount(place, odds.chances[odds.chances > 0], len(counts))
    counts, chances = counts[::-1], chances[::-1]
    starts = _starts(counts, chances, groups) if 0 < groups < len(counts) else np.arange(len(counts))
    return list(_rows(counts, chances, starts, odds.never))


def _rows(counts: Counts, chances: Chances, starts: Counts, never: float) -> Iterator[Row]:
    """The rows that begin at these places."""
    if not len(counts):
        return
    sums = np.add.reduceat(chances, starts)
    after, before = np.append(np.cumsum(sums[::-1])[::-1], 0.0), np.append(0.0, np.cumsum(sums))
    ends = np.append(starts[1:], len(counts)) - 1
    for row, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        worse = float(after[row + 1]) + never
        yield Row(
            int(counts[end]),
            int(counts[start]),
            float(sums[row]),
            float(before[row + 1]),
            float(before[row]) + worse,
            worse,
        )


def _starts(counts: Counts, chances: Chances, groups: int) -> Counts:
    """Where rows begin: a tail at either end, nobody left, and between them numbers in steps of one width."""
    likely = np.flatnonzero((np.cumsum(chances) > TAIL) & (np.cumsum(chances[::-1])[::-1] > TAIL))
    high, low = (int(counts[place]) for place in (likely[0], likely[-1]))
    low = max(low, 1)
    width = next(step for step in STEPS if (high - low) // step + 2 <= groups - 3 or step == STEPS[-1])
    keys = np.where(counts > high, -1, np.where(counts < low, 10**8, (high // width) - counts // width))
    keys = np.where(counts == 0, 10**9, keys)
    return np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))


def side_table(name: str, whole: int, rows: Sequence[Row], odds: Odds) -> tuple[str, ...]:
    """A side's table below its name: lost, left, the chance of that, and of so many left or more."""
    cells = [[_p("ends", "lost"), _p("ends", "left"), _("chance"), _("at least")]]
    cells += [
        [
            _range(whole - row.most, whole - row.least),
            _range(row.least, row.most),
            percent(row.chance, odds, row.others),
            percent(row.reached, odds, row.worse),
        ]
        for row in rows
    ]
    return (name, *aligned(cells, right=True))


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


def tables(odds: Odds, groups: int = 0) -> tuple[str, ...]:
    """The tables of both sides; with `groups` in so many rows each at the most, else all that are likely enough."""
    told: list[str] = []
    for name, whole, left in (
        (_("attacker"), odds.attackers, odds.attackers_end),
        (_("defender"), odds.defenders, odds.defenders_end),
    ):
        rows = side_rows(left, odds, groups)
        likely = sorted(sorted(rows, key=lambda row: -row.chance)[:MOST_LISTED], key=lambda row: -row.most)
        told += ["", *side_table(name, whole, likely, odds)]
    return tuple(told[1:])


def is_long(odds: Odds) -> bool:
    """Whether a side has more ends than the chat has rows for."""
    chances = odds.chances > 0
    return any(len(np.unique(left[chances])) > MOST_ROWS for left in (odds.attackers_end, odds.defenders_end))


def path_table(odds: PathOdds, most: int = MOST_LISTED) -> tuple[tuple[str, ...], int]:
    """The ends of a march, the best first, in so many rows at the most, the likeliest; and how many are left out."""
    there = np.flatnonzero(odds.chances > 0)
    order = there[np.lexsort((odds.defenders_end[there], -odds.attackers_end[there], -odds.taken[there]))]
    chances = odds.chances[order]
    reached, total = np.cumsum(chances), float(chances.sum())
    worse = np.append(np.cumsum(chances[::-1])[::-1][1:], 0.0) + odds.never
    cells = [[_p("territories", "taken"), _("attackers"), _("defenders"), _("chance"), _("at least")]]
    for row in np.sort(np.argsort(-chances, kind="stable")[:most]).tolist():
        others = float(len(order) > 1) * (total - float(chances[row])) + odds.never
        end = order[row]
        counts = [str(of[end]) for of in (odds.taken, odds.attackers_end, odds.defenders_end)]
        chance = percent(float(chances[row]), odds, others)
        cells.append([*counts, chance, percent(float(reached[row]), odds, float(worse[row]))])
    return aligned(cells, right=True), max(len(order) - most, 0)
