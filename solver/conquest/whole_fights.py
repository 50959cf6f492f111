"""Turns that are too large for every throw: what can be reached if each fight is fought to its end, and what cannot.

In a *whole fight* one front attacks one target until it falls or nobody is left there. Then any front may begin the
next, also against what is left of a garrison. That is a part of what the rules allow, so best play is worth no less.

In a *pool* all armies stand together next to every target of their part of the map. An attack rolls as many dice as the
player likes, and after a capture one army stays behind, whatever moved in. That is more than the rules allow, so best
play is worth no more. Parts that no border connects have pools of their own, and routes.py knows what borders forbid
inside a part. The lower bound counts.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

from solver.chain import RoundLaw
from solver.conquest.board import Board, too_large
from solver.conquest.conquest import MOST_FREE, Conquest
from solver.conquest.phase import SAME, conquest_at, first_state, largest, laws_of_throws, parts
from solver.conquest.routes import route_bound
from solver.conquest.worths import WORK_OF_STATE, CompiledWorths
from solver.dice.compared import LossTable, has_library
from solver.errors import TooLargeError

LEAST = 1e-15
"""Ends of a fight that are rarer are left out."""
ROUND_NUMBERS = 1_000, 10
"""Besides the fewest and all, multiples of these numbers move in: the more are tried, the better and the slower."""
LARGE, PART = 2_000_000, 1_000_000
"""The most states of whole fights, and of a part or its pool."""
MOST_ENDS, MOST_READ = 400_000, 30_000_000
"""The most ends of all fights together, which take memory, and the most of them that are read for all states."""
ROUNDING = 1e-12


class Bounds(NamedTuple):
    """The known facts of a turn that is too large.

    Attributes:
        worths: The worths of its states if every fight is a whole one; None if that is too much too.
        least: Best play is worth at least this.
        most: It is worth at most this.
    """

    worths: CompiledWorths | None
    least: float
    most: float


def find_bounds(board: Board, most_states: int = LARGE) -> Bounds:
    """Return what is known of a turn that is too large for every throw.

    Args:
        board: The map.
        most_states: The most states of whole fights, and of each part.
    """
    parts = list(_parts(board))
    several = sum(any(count for _name, count in part.starts) for part in parts) > 1
    bounds = [_bound_part(part, several, min(most_states, PART)) for part in parts]
    most = prod(bounds) if board.conquest.aim == "all" else sum(bounds)
    return Bounds(*_best_whole_fights(board, most, min(most_states, LARGE)), most)


def _best_whole_fights(board: Board, most: float, most_states: int) -> tuple[CompiledWorths | None, float]:
    """Return the worths if every fight is a whole one, with as many numbers to move in as can be tried.

    No more are tried where what nobody exceeds is reached.
    """
    best, least, state = None, 0.0, first_state(board)
    try:
        laws = fight_laws(board)
        lengths = [len(law) for row in laws for law in row]
        left = min(most_states, MOST_READ * len(lengths) // sum(lengths))
        for step in ROUND_NUMBERS if has_library() else ():
            if least * (1 + SAME) >= most:
                break
            worths = CompiledWorths(board, laws, left, step)
            worth = worths.worth(state)
            left -= max(worths.states, worths.work // WORK_OF_STATE)
            if best is None or worth > least:
                best, least = worths, worth
    except TooLargeError:
        pass
    return best, least


def fight_laws(board: Board) -> list[list[RoundLaw]]:
    """Return the laws of the losses in whole fights, in floats, for each number of units: see `LossTable`.

    Args:
        board: The map.

    Raises:
        TooLargeError: The law of a throw is unknown, see `laws_of_throws`, or there are too many ends.
    """
    table, (most, highest) = LossTable(laws_of_throws(board)), largest(board)
    ends: dict[tuple[int, int], dict[tuple[int, int], Any]] = {}
    known = 0
    for own in range(most + 1):
        if known > MOST_ENDS:
            raise too_large()
        for holds in range(highest + 1):
            law: defaultdict[tuple[int, int], Any] = defaultdict(float)
            if not own or not holds:
                law[0, 0] = 1.0
            else:
                moves = table.moves_at(own, holds)
                for lost, beaten, chance in moves.outcomes:
                    for (more, further), after in ends[own - lost, holds - beaten].items():
                        law[lost + more, beaten + further] += chance / moves.leave * after
            ends[own, holds] = {losses: chance for losses, chance in law.items() if chance > LEAST}
            known += len(ends[own, holds])
    return [[ends[own, holds] for holds in range(1, highest + 1)] for own in range(1, most + 1)]


def _parts(board: Board) -> Iterator[Conquest]:
    """Yield each part of the map as a turn of its own; those that no army can reach are worth nothing."""
    return (conquest_at(board, part) for part in parts(board, first_state(board)))


def _bound_part(part: Conquest, several: bool, most_states: int) -> float:
    """Return what a part is worth at most: exactly, if it is one of several and that is not too much work."""
    whole = 1.0 if part.aim == "all" else sum(float(target.worth) for target in part.targets)
    if not any(count for _name, count in part.starts):
        return 0.0
    bounds = [_worth] * (several and has_library()) + [route_bound] * (part.aim == "all") + [pool_worth] * has_library()
    for bound in bounds:
        try:
            whole = min(bound(part, most_states) * (1 + ROUNDING), whole)
        except TooLargeError:
            continue
        if bound is _worth:
            break
    return whole


def pool_worth(part: Conquest, most_states: int = PART) -> float:
    """Return what a part of the map is worth if its armies are a pool.

    Args:
        part: The part. Its pool has an army more for each target in which nobody has to stay.
        most_states: The most states.

    Raises:
        TooLargeError: That is too much work.
    """
    armies = sum(count for _name, count in part.starts)
    if armies:
        armies += sum(not target.leave for target in part.targets)
    if armies > MOST_FREE or part.rules.faces:
        raise too_large()
    borders = tuple(("", target.name) for target in part.targets)
    return _worth(replace(part, borders=borders, starts=(("", armies),)), most_states, pooled=True)


def _worth(turn: Conquest, most_states: int, pooled: bool = False) -> float:
    board = Board(turn)
    return CompiledWorths(board, laws_of_throws(board), most_states, pooled=pooled).worth(first_state(board))
