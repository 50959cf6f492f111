"""Where to place new armies before a turn: the best ways to share them among the starts, by best play of the turn."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from solver.conquest.board import Board, too_large
from solver.conquest.conquest import MOST_FREE, Conquest
from solver.conquest.odds import MOST_WORK, SLOWEST, conquest_seconds, worths_within
from solver.conquest.phase import State, first_state
from solver.errors import check_count
from solver.progress import takes

MOST_SHARES = 2_000
"""The most ways to share armies that are tried."""
BEST = 10
"""The ways that an answer has at most."""


@dataclass(frozen=True, slots=True)
class Reinforced:
    """A way to share new armies.

    Attributes:
        armies: The new armies at each start that can attack, by its name.
        worth: The result of best play with them: see `ConquestOdds.worth`.
    """

    armies: dict[str, int]
    worth: float


@dataclass(frozen=True, slots=True)
class Reinforcements:
    """The best ways to share new armies among the starts of a conquest.

    Attributes:
        conquest: The conquest before them.
        armies: Their number.
        without: The result of best play without them.
        worst: The result with the worst way.
        best: The best ways, the best first.
    """

    conquest: Conquest
    armies: int
    without: float
    worst: float
    best: tuple[Reinforced, ...]

    @property
    def reinforced(self) -> Conquest:
        """The conquest with the best of them."""
        return _reinforce(self.conquest, self.best[0].armies)

    @property
    def nbytes(self) -> int:
        """About the memory that it takes."""
        return 1_000 + 300 * len(self.best)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as a JSON document."""
        return {
            "without": self.without,
            "worst": self.worst,
            "best": [{"armies": one.armies, "worth": one.worth} for one in self.best],
        }


def _seconds(conquest: Conquest, armies: int, *_limit: float) -> float:
    return min(2 * conquest_seconds(_reinforce(conquest, dict.fromkeys(dict(conquest.starts), armies))), SLOWEST)


@takes(_seconds)
def reinforce(conquest: Conquest, armies: int, most_work: float = MOST_WORK) -> Reinforcements:
    """Return the best ways to share new armies among the starts that have a target next to them.

    Args:
        conquest: The conquest before them.
        armies: Their number.
        most_work: The most work, about in multiplications.

    Raises:
        BattleError: There are too many of them for one territory.
        TooLargeError: There are too many ways or too many states.

    Example:
        >>> conquest = Conquest.of({"a": ["b"], "c": ["d"]}, {"a": 5, "c": 5}, {"b": 2, "d": 4})
        >>> reinforce(conquest, 3).best[0].armies
        {'a': 0, 'c': 3}
    """
    most = MOST_FREE - max(own for _, own in conquest.starts)
    check_placed(armies, max(most, 1))
    board = Board(_reinforce(conquest, dict.fromkeys(dict(conquest.starts), armies)))
    places = [place for place in board.starts if board.adjacent[place]] or list(board.starts)
    if comb(armies + len(places) - 1, armies) > MOST_SHARES:
        raise too_large()
    worths, full = worths_within(board, most_work), first_state(board)

    def worth(shares: tuple[int, ...]) -> float:
        added = dict(zip(places, shares, strict=True))
        free = (own - armies * (place in board.starts) + added.get(place, 0) for place, own in enumerate(full.free))
        return worths.worth(State(tuple(free), full.garrisons))

    tried = {shares: worth(shares) for shares in _shares(armies, len(places))}
    best = sorted(tried, key=lambda shares: (-tried[shares], shares))[:BEST]
    ways = (Reinforced({board.names[p]: n for p, n in zip(places, way, strict=True)}, tried[way]) for way in best)
    return Reinforcements(conquest, armies, worth((0,) * len(places)), min(tried.values()), tuple(ways))


def check_placed(armies: int, most: int = MOST_FREE) -> None:
    """Raise BattleError if so many new armies cannot be placed.

    Args:
        armies: Their number.
        most: The most that can be.
    """
    check_count("place", armies, 1, most, "the number of armies to place must be {least} to {most}, not {value}")


def _reinforce(conquest: Conquest, armies: dict[str, int]) -> Conquest:
    """Return the conquest with new armies."""
    starts = ((name, min(own + armies.get(name, 0), MOST_FREE)) for name, own in conquest.starts)
    return replace(conquest, starts=tuple(starts))


def _shares(armies: int, places: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to share armies among so many places."""
    if places == 1:
        yield (armies,)
        return
    for first in range(armies + 1):
        for others in _shares(armies - first, places - 1):
            yield (first, *others)
