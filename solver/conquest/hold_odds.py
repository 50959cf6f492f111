"""The odds of taking all targets in a turn and holding them after it: `hold` finds best play for both together.

`armies_to_hold` finds the armies for a chance.
"""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

from solver.conquest.board import Board
from solver.conquest.conquest import MOST_FREE
from solver.conquest.held import MOST_HELD_STATES, CompiledHeld, PlainHeld, held_worths
from solver.conquest.holding import Holding
from solver.conquest.odds import (
    FIRST_TRIED,
    LEAST,
    MOST_WORK,
    SLOWEST,
    STATE_WORK,
    ConquestNeed,
    ConquestOdds,
    conquer,
    conquest_seconds,
    exactly_needed,
    with_armies_at,
)
from solver.conquest.phase import TAKEN, first_state
from solver.conquest.stands import LastMove
from solver.conquest.turn import typical_course
from solver.documents import clamp_chance
from solver.errors import TooLargeError, explain_too_large
from solver.game import GameOdds
from solver.progress import takes

TOO_LARGE = TooLargeError("targets", "this turn is too large to tell whether you can hold what you take")
SIZES = tuple(FIRST_TRIED * 2**doubled for doubled in range(5))
"""Up to so many armies are tried, one size after the other."""
SLOWER_HELD = 20
"""So many times longer a turn takes in which the armies that are left count."""


@dataclass(frozen=True, eq=False)
class HoldOdds(GameOdds):
    """How a turn may end under best play for taking all targets and holding them.

    Attributes:
        holding: The question.
        holds: The chance to take all targets and to hold them.
        turn: How the turn ends when it is played for that. The player stops once nothing can be held any more.
        takes_at_best: The chance to take all targets when the turn is played for that alone; None if that is unknown.
        left: For each place, the chance that all targets fall and so many armies are free there, after fortifying.
        last_move: How the typical turn is fortified at its end; None if that helps nothing.
    """

    holding: Holding
    holds: float
    turn: ConquestOdds
    takes_at_best: float | None
    left: dict[str, tuple[float, ...]]
    last_move: tuple[str, str, int] | None

    @property
    def success(self) -> float:
        """See `GameOdds`."""
        return self.holds

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """See `GameOdds`: all is held, taken but not held, or not taken."""
        not_held = max(self.turn.takes_all - self.holds, 0.0)
        return self.holds, max(not_held, LEAST) if self.holding.counters else not_held, self.turn.fate_chances[1]

    @property
    def true_zeros(self) -> bool:
        """See `GameOdds`."""
        return self.turn.true_zeros

    @property
    def stands(self) -> float:
        """The chance that all stands, once all targets are taken; 0 if they never are."""
        return self.holds / self.turn.takes_all if self.turn.takes_all else 0.0

    def mean_left(self, name: str) -> float:
        """Return how many armies are free in a territory on average, once all targets are taken.

        Args:
            name: The territory.
        """
        law = self.left[name]
        return sum(armies * chance for armies, chance in enumerate(law)) / (sum(law) or 1.0)

    @property
    def nbytes(self) -> int:
        """See `GameOdds`."""
        return self.turn.nbytes + 40 * sum(map(len, self.left.values()))

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        turn = self.turn.to_dict()
        move = dict(zip(("from", "to", "armies"), self.last_move, strict=True)) if self.last_move else None
        return {
            "holds": clamp_chance(self.holds),
            "stands": clamp_chance(self.stands),
            "takes_at_best": self.takes_at_best,
            **{name: turn[name] for name in ("takes_all", "fall", "plan")},
            "fortify": move,
            "left": {name: [clamp_chance(chance) for chance in law] for name, law in self.left.items()},
        }


def hold_seconds(holding: Holding, *_others: object) -> float:
    """Estimate the seconds that a turn takes: see `Estimate`."""
    return min(SLOWER_HELD * conquest_seconds(holding.conquest), SLOWEST)


@takes(hold_seconds)
def hold(holding: Holding, most_work: float = MOST_WORK) -> HoldOdds:
    """Return how likely all targets are taken and held, if the turn is played for that.

    Args:
        holding: The question.
        most_work: The most work, about in multiplications.

    Raises:
        TooLargeError: It is more work.

    Example:
        >>> from solver.conquest.conquest import Conquest
        >>> near = {"a": ["b"], "b": ["c"]}
        >>> question = Holding.of(Conquest.of(near, {"a": 9}, {"b": 3}), near, counters={"c": 5})
        >>> round(hold(question).holds, 3)
        0.644
    """
    with explain_too_large(TOO_LARGE):
        return _solve(holding, most_work)


def _solve(holding: Holding, most_work: float) -> HoldOdds:
    worths = _worths_within(holding, most_work)
    state, board = first_state(worths.board), worths.board
    holds = worths.worth(state)
    falls, everything, left = worths.course(state)
    fights, end = typical_course(worths, state)
    best = conquer(holding.conquest, most_work)
    move = worths.stands.best_end(end.free)[1] if set(end.garrisons) == {TAKEN} else None
    turn = ConquestOdds(
        holding.conquest,
        worth=everything,
        bound=everything,
        exact=True,
        takes_all=everything,
        falls=tuple(falls.tolist()),
        fights=fights,
    )
    return HoldOdds(
        holding,
        holds,
        turn,
        takes_at_best=best.worth if best.exact else None,
        left={name: _without_zeros(law.tolist()) for name, law in zip(board.names, left, strict=True)},
        last_move=_name_move(board.names, move) if move else None,
    )


def _name_move(names: tuple[str, ...], move: LastMove) -> tuple[str, str, int]:
    return names[move.place], names[move.target], move.armies


def _without_zeros(law: list[float]) -> tuple[float, ...]:
    """Return a law up to the largest number that may be."""
    last = max((number for number, chance in enumerate(law) if chance), default=0)
    return tuple(law[: last + 1])


def _worths_within(holding: Holding, most_work: float) -> PlainHeld | CompiledHeld:
    return held_worths(holding, int(min(max(most_work / STATE_WORK, 1), MOST_HELD_STATES)))


@takes(lambda holding, start, *_others: hold_seconds(_with_armies(holding, start, FIRST_TRIED)))
def armies_to_hold(holding: Holding, start: str, goal: float, most_work: float = MOST_WORK) -> ConquestNeed:
    """Return how many free armies a start needs to take all targets and to hold them.

    Args:
        holding: The question; the armies of that start do not count.
        start: The name of the start.
        goal: The chance to reach, above 0 and below 1.
        most_work: The most work for each size, about in multiplications.

    Raises:
        BattleError: There is no such start.
        TooLargeError: It is more work.

    Example:
        >>> from solver.conquest.conquest import Conquest
        >>> near = {"a": ["b"], "b": ["c"]}
        >>> question = Holding.of(Conquest.of(near, {"a": 1}, {"b": 3}), near, counters={"c": 5})
        >>> armies_to_hold(question, "a", 0.8).answer
        12
    """
    board = Board(holding.conquest)
    everything = (1 << board.targets) - 1
    if reduce(or_, (board.reach(place, everything) for place in board.starts)) != everything:
        return ConquestNeed(start, goal, (0.0,) * (MOST_FREE + 1), limited=False, exact=True, helps={})

    def begin(smaller: Board) -> PlainHeld | CompiledHeld:
        one_more = dict(smaller.conquest.starts)[start] + 1  # it is asked where one army more helps most
        return _worths_within(_with_armies(holding, start, one_more), most_work)

    need = exactly_needed(begin, holding.conquest, start, goal, SIZES)
    if need.most < 1:
        raise TOO_LARGE
    if not max(need.chances):
        raise TooLargeError(
            "starts", "up to {most} armies can't take and hold it, and more are too many to work out", most=need.most
        )
    return need


def _with_armies(holding: Holding, start: str, armies: int) -> Holding:
    """Return the question with so many armies at a start."""
    return replace(holding, conquest=with_armies_at(holding.conquest, start, armies))
