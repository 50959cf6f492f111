"""The armies that a start needs to take all targets with a given chance."""

from dataclasses import dataclass, replace

from solver.conquest.board import Board
from solver.conquest.conquest import MOST_FREE, Conquest
from solver.conquest.fronts import Fronts, target_laws
from solver.conquest.odds import MOST_WORK
from solver.conquest.shares import worths_by_armies
from solver.errors import BattleError, TooLargeError

FIRST_TRIED = 24


@dataclass(frozen=True, slots=True)
class ConquestNeed:
    """The chances to take all targets, by the armies of one start.

    Attributes:
        start: The name of the start.
        goal: The chance to reach.
        chances: The chance with 0, 1, 2, ... free armies there.
        limited: Whether more armies would be too much work to try.
    """

    start: str
    goal: float
    chances: tuple[float, ...]
    limited: bool

    @property
    def answer(self) -> int | None:
        """The fewest armies that reach the goal; None if none of the numbers does."""
        return self.least(self.goal)

    def least(self, chance: float) -> int | None:
        """Return the fewest armies with a chance; None if none of the numbers has it.

        Args:
            chance: The chance.
        """
        return next((count for count, own in enumerate(self.chances) if own >= chance), None)


def armies_needed(conquest: Conquest, start: str, goal: float, most_work: float = MOST_WORK) -> ConquestNeed:
    """Return how many free armies a start needs.

    Args:
        conquest: The conquest; the aim is to take all targets, and the armies of that start do not count.
        start: The name of the start.
        goal: The chance to reach, above 0 and below 1.
        most_work: The most work for one number of armies, about in multiplications.

    Raises:
        BattleError: There is no such start.
        TooLargeError: There are too many targets to find the best plan.

    Example:
        >>> conquest = Conquest.of({"a": ["b"]}, {"a": 0}, {"b": 2})
        >>> armies_needed(conquest, "a", 0.8).answer
        5
    """
    if start not in dict(conquest.starts):
        raise BattleError("starts", "the map has no such territory")
    known: tuple[float, ...] = ()
    armies = FIRST_TRIED
    while True:
        try:
            known = _chances(conquest, start, armies, most_work)
        except TooLargeError:
            if not known:
                raise
            return ConquestNeed(start, goal, known, limited=True)
        if max(known) >= max(goal, 0.95) or armies == MOST_FREE:
            return ConquestNeed(start, goal, known, limited=False)
        armies = min(2 * armies, MOST_FREE)


def _chances(conquest: Conquest, start: str, limit: int, most_work: float) -> tuple[float, ...]:
    """Return the chance to take all targets with 0 up to `limit` armies at a start."""
    starts = tuple((name, limit if name == start else armies) for name, armies in conquest.starts)
    whole = replace(conquest, starts=starts, aim="all")
    board = Board(whole)
    fronts = Fronts(board, target_laws(whole), most_work)
    return tuple(worths_by_armies(fronts, board.names.index(start))[: limit + 1].tolist())
