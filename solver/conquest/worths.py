"""The worths of the states of a turn on a map: in compiled code (solver/compiled/phase.c), or in plain Python."""

import weakref
from collections import Counter
from ctypes import Structure, byref, c_double, c_int64, c_void_p
from functools import reduce
from math import factorial, prod
from operator import or_
from typing import Any

import numpy as np

from solver.chain import Chances, RoundLaw
from solver.compiled import library
from solver.conquest.board import Board, too_large
from solver.conquest.phase import (
    MOST_PLAIN_STATES,
    MOST_STATES,
    SLOWER,
    FollowedWorths,
    PlainWorths,
    State,
    armies_of_both,
    laws_of_throws,
)
from solver.dice.compared import LossTable
from solver.dice.compiled import FlatLaws

MOST_UNITS = 3_000
"""The most armies on both sides together: so deep is the recursion."""
MOST_TARGETS = 54
"""The most targets: their sets stand in one number, with the armies of a front."""
FIRST_STATES = 2
"""Before a target falls there may be so many times the most states, as some are alike; a larger turn is not tried."""
WORK_OF_STATE = 3
"""The most rows that are read for each state, on average."""


class _Map(Structure):
    """`phase_map` of phase.h."""

    _fields_ = (
        *((name, c_int64) for name in ("targets", "places", "most_dice", "adds", "pooled", "step")),
        *((name, c_int64) for name in ("most_states", "most_work", "states", "work")),
        *((name, c_void_p) for name in ("adjacent", "leave", "garrison", "worth")),
    )


class CompiledTurn:
    """A turn in compiled code, which is freed with this object.

    Args:
        family: The first word of its functions there, such as "phase".
        described: The structure that describes the turn.
        laws: The laws of throws.
        arrays: The arrays that the structure points at; they live as long as this object.

    Raises:
        MemoryError: There is too little memory.
    """

    def __init__(
        self, family: str, described: Structure, laws: FlatLaws, arrays: tuple[np.ndarray[Any, Any], ...]
    ) -> None:
        loaded = library.library()
        assert loaded is not None, "it is there"
        begin = getattr(loaded, f"{family}_begin")
        begin.restype = c_void_p
        self._place = begin(byref(described), byref(laws.struct))
        if not self._place:
            raise MemoryError
        self._library, self._family, self._alive = loaded, family, (laws, arrays)
        weakref.finalize(self, getattr(loaded, f"{family}_end"), c_void_p(self._place))

    def ask(self, function: str, state: State, *results: Any) -> None:
        """Have a function of the turn write its results about a state.

        Args:
            function: The name of the function, without that of the family.
            state: The state.
            results: The further arguments of the function.

        Raises:
            TooLargeError: It is too much work.
            MemoryError: There is too little memory.
        """
        numbers = [(c_int64 * len(part))(*part) for part in state]
        failed = getattr(self._library, f"{self._family}_{function}")(c_void_p(self._place), *numbers, *results)
        if failed == library.TOO_MUCH_WORK:
            raise too_large()
        library.check(failed)


class CompiledWorths:
    """The worths of the states of one turn, in compiled code: see `Worths`.

    Args:
        board: The map.
        laws: The laws of throws.
        most_states: The most states to work out.
        step: Of the armies left after a capture the fewest, all, and multiples of this are tried to move in.
        pooled: Whether the armies are a pool: see solver/conquest/whole_fights.py.

    Attributes:
        states: The states that are worked out.

    Raises:
        TooLargeError: There are too many targets.
    """

    def __init__(
        self,
        board: Board,
        laws: list[list[RoundLaw]],
        most_states: int = MOST_STATES,
        step: int = 1,
        pooled: bool = False,
    ) -> None:
        if (
            board.targets > MOST_TARGETS
            or armies_of_both(board) > MOST_UNITS
            or (step == 1 and not pooled and _first_states(board) > FIRST_STATES * most_states)
        ):
            raise too_large()
        self.board, self.table, self.states, self.step = board, LossTable(laws), 0, step
        conquest = board.conquest
        arrays = (
            np.array(board.adjacent, np.int64),
            np.array([target.leave for target in conquest.targets]),
            np.array([target.garrison for target in conquest.targets]),
            np.array([float(target.worth) for target in conquest.targets]),
        )
        dice = 1 if pooled else conquest.most_dice
        sizes = board.targets, len(board.names), dice, conquest.aim != "all", pooled, step
        limits = most_states, most_states * WORK_OF_STATE, 0, 0
        described = _Map(*sizes, *limits, *map(library.address, arrays))
        self._turn = CompiledTurn("phase", described, FlatLaws(laws, 0), arrays)

    def worth(self, state: State) -> float:
        """See `Worths`."""
        worth, done = c_double(), (c_int64 * 2)()
        self._turn.ask("worth", state, byref(worth), done)
        self.states, self.work = done
        return worth.value

    def follow(self, state: State) -> tuple[Chances, float]:
        """See `FollowedWorths`."""
        falls, everything = np.zeros(self.board.targets), c_double()
        self._turn.ask("follow", state, c_void_p(library.address(falls)), byref(everything))
        return falls, everything.value


def _first_states(board: Board) -> float:
    """Return about how many states there are before a target falls; starts next to the same targets are alike."""
    starts = board.acting
    alike = Counter(board.adjacent[start] for start in starts)
    near = reduce(or_, alike, 0)
    garrisons = [target.garrison + 1 for number, target in enumerate(board.conquest.targets) if near >> number & 1]
    return prod(garrisons) * prod(board.armies(start) + 1 for start in starts) / prod(map(factorial, alike.values()))


def worths_of(board: Board, most_states: int | None = None) -> FollowedWorths:
    """Return the worths of the states of a turn, of which none is worked out yet.

    Args:
        board: The map.
        most_states: The most states to work out; None for as many as the code that is there can do.

    Raises:
        TooLargeError: It is too large.
    """
    laws = laws_of_throws(board)
    if library.library() is None:
        return PlainWorths(board, laws, min((most_states or MOST_STATES) // SLOWER, MOST_PLAIN_STATES))
    return CompiledWorths(board, laws, most_states or MOST_STATES)
