"""Numbers along an axis: round ticks, and places that keep a distance from each other."""

from collections.abc import Iterator, Sequence
from itertools import count


def round_ticks(low: int, high: int, most: int) -> list[int]:
    """Return at most so many round numbers from `low` to `high`, evenly spaced.

    There is at least one if `most` is three or more.
    """
    step = next(step for step in round_steps() if high // step - (low - 1) // step <= most)
    return list(range(-(-low // step) * step, high + 1, step))


def round_steps() -> Iterator[int]:
    """Yield all round numbers, the least first: 1, 2, 5, 10, 20, ..."""
    return (unit * 10**power for power in count() for unit in (1, 2, 5))


def space_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return increasing places at least a gap apart, as near as possible to the increasing places wanted.

    They stay between `low` and `high` if there is room.
    """
    groups: list[tuple[float, int]] = []
    for index, place in enumerate(wanted):
        middle, size = place - index * gap, 1
        while groups and groups[-1][0] > middle:
            other, number = groups.pop()
            middle, size = (middle * size + other * number) / (size + number), size + number
        groups.append((middle, size))
    starts = [min(max(middle, low), high - (len(wanted) - 1) * gap) for middle, size in groups for _ in range(size)]
    return [start + index * gap for index, start in enumerate(starts)]
