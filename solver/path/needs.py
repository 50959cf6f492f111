"""The attackers that take all territories of a path with a chance: one sweep gives the chances of all numbers."""

from dataclasses import replace

from solver.dice.sizes import MOST_NEEDED, Need
from solver.errors import TooLargeError
from solver.path.odds import march_seconds, takes_all_chances
from solver.path.path import Path
from solver.progress import takes

ROUNDING = 1e-12
"""Rounding may put a chance below the goal by this much."""
CERTAIN = 0.999
"""Chances are listed up to this one, or up to the goal."""


def with_attackers(path: Path, attackers: int) -> Path:
    """Return the path of an army of another size.

    Args:
        path: The path.
        attackers: The size.
    """
    return Path.of((replace(path.legs[0], attackers=attackers), *path.legs[1:]), path.leave)


def _need_seconds(path: Path, _goal: float, _limit: float) -> float:
    return 4 * march_seconds(with_attackers(path, _first_size(path)))


def _first_size(path: Path) -> int:
    """A number of attackers that is mostly enough."""
    return min(8 + 2 * sum(leg.defenders for leg in path.legs) + sum(path.leave), MOST_NEEDED)


@takes(_need_seconds)
def path_need(path: Path, goal: float, limit: float) -> Need:
    """Return how many attackers take all territories with a chance.

    Args:
        path: The path; its attackers do not matter.
        goal: The chance, above 0 and below 1.
        limit: The most work to do, in the unit of `DiceChain.work`.

    Raises:
        TooLargeError: If not even the first sweep is allowed.
    """
    size, chances = _first_size(path), list[float]()
    while True:
        places = [(0, attackers, path.legs[0].defenders) for attackers in range(size, 0, -1)]
        found = takes_all_chances(with_attackers(path, size), places, limit)
        known = [chance for chance in reversed(found) if chance is not None]
        if not known:
            break
        chances = known
        if chances[-1] >= max(goal, CERTAIN) or size == MOST_NEEDED:
            break
        size = min(2 * size, MOST_NEEDED)
    if not chances:
        raise TooLargeError("path", "this path is too large for me. Try a part of it")
    answer = next((count for count, chance in enumerate(chances, 1) if chance >= goal - ROUNDING), None)
    last = next((count for count, chance in enumerate(chances, 1) if chance >= max(goal, CERTAIN)), len(chances))
    return Need("attackers", goal, tuple(range(1, last + 1)), tuple(chances[:last]), answer)
