"""The chances to win of every size of one army against one size of the other, with a few levels in memory.

They stand at the edge of a table of all sizes, which may be too large to keep: see `solver/dice/lines.py`.
"""

from collections.abc import Iterator

import numpy as np

from solver.chain import Cell, Chances
from solver.dice.compared import LossTable
from solver.dice.lines import Line


def edge_chances(table: LossTable, most: Cell, floor: int, side: int, guarded: bool = False) -> Chances:
    """Return the attacker's chances to win at the edge of a table of all sizes.

    Args:
        table: A round of the game.
        most: The most attackers and defenders.
        floor: The battle is over once no more attackers than this are left.
        side: 0 for 0, 1, ... attackers against the most defenders; 1 for the most attackers against 0, 1, ...
            defenders.
        guarded: Whether attackers who never roll win if nobody else is left.
    """
    other = most[1 - side]
    chances = np.zeros(most[side] + 1)
    for level, line in enumerate(_lines(table, most, floor, guarded)):
        if level >= other:
            chances[level - other] = line[level - other if side == 0 else other]
    return chances


def _lines(table: LossTable, most: Cell, floor: int, guarded: bool) -> Iterator[Line]:
    """Yield the chances to win on the levels 0, 1, ..., by attackers."""
    lines = np.zeros((sum(table.most_lost) + 1, most[0] + 1))
    inner = table.moves[-1][-1]
    for level in range(sum(most) + 1):
        line = lines[level % len(lines)]
        low, high = max(level - most[1], 0), min(level, most[0])
        line[low : high + 1] = 0
        if level == high and (level or guarded):
            line[level] = 1
        low, high = max(low, floor + 1), min(high, level - 1)
        first, last = max(low, table.caps[0]), min(high, level - table.caps[1])
        if first > last:
            first, last = high + 1, high
        elif inner.leave:
            for i, j, chance in inner.outcomes:
                line[first : last + 1] += chance * lines[(level - i - j) % len(lines)][first - i : last + 1 - i]
            line[first : last + 1] /= inner.leave
        for a in (*range(low, first), *range(last + 1, high + 1)):
            moves = table.moves_at(a, level - a)
            if moves.leave:
                after = (chance * lines.item((level - i - j) % len(lines), a - i) for i, j, chance in moves.outcomes)
                line[a] = sum(after) / moves.leave
        yield line
