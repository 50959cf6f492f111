"""The worths of the states of a turn that takes all targets to hold them: compiled (hold.c), or in plain Python."""

from ctypes import Structure, byref, c_double, c_int64, c_void_p
from typing import NamedTuple

import numpy as np

from solver.chain import Chances, Grid
from solver.compiled import library
from solver.conquest.board import Board, too_large
from solver.conquest.holding import Holding
from solver.conquest.phase import (
    MOST_PLAIN_UNITS,
    TAKEN,
    State,
    armies_of_both,
    best_throw,
    laws_of_throws,
    outcomes,
    throws,
    worth_of_throw,
)
from solver.conquest.stands import Stands
from solver.conquest.worths import CompiledTurn
from solver.dice.compared import LossTable
from solver.dice.compiled import FlatLaws

MOST_HELD_STATES, MOST_PLAIN_HELD = 1_000_000, 20_000
"""The most states that are worked out, by compiled code and by plain Python."""
WORK_OF_HELD = 100
"""The most look-ups for each state that may be worked out: where that is 1,000 states, 100,000 look-ups."""
MOST_NUMBERS = 64
"""The most places and targets together, as in hold.c."""
MOST_UNITS = 600
"""The most armies on both sides together: so deep is the recursion."""


class Course(NamedTuple):
    """Where best play leads.

    Attributes:
        falls: The chance of each target to fall.
        everything: The chance that all fall.
        left: The chance that all fall and so many armies are free then, after the last move: [place, armies].
    """

    falls: Chances
    everything: float
    left: Grid


class PlainHeld:
    """The worths in plain Python: see `Worths`. They are chances to take all targets and to hold them.

    Args:
        board: The map.
        stands: Whether it stands.
        most_states: The most states to work out.

    Raises:
        TooLargeError: There are too many armies.
    """

    def __init__(self, board: Board, stands: Stands, most_states: int) -> None:
        if armies_of_both(board) > MOST_PLAIN_UNITS:
            raise too_large()
        self.board, self.stands = board, stands
        self.step = 1  # after a capture any number may move in
        self.table = LossTable(laws_of_throws(board))
        self._most = min(most_states, MOST_PLAIN_HELD)
        self._known: dict[State, float] = {}

    def worth(self, state: State) -> float:
        """See `Worths`."""
        left = state.left
        sides = zip(state.free, self.board.adjacent, self.stands.useful, strict=True)
        state = State(tuple(own if near & left else min(own, useful) for own, near, useful in sides), state.garrisons)
        if state not in self._known:
            if len(self._known) >= self._most:
                raise too_large()
            if left:
                possible = throws(self.board, state)
                worth = max((worth_of_throw(self, state, throw) for throw in possible), default=0.0)
            else:
                worth = self.stands.best_end(state.free)[0]
            self._known[state] = worth
        return self._known[state]

    def course(self, state: State) -> Course:
        """Return where best play leads from a state.

        Args:
            state: The state.
        """
        falls, left, everything = np.zeros(self.board.targets), np.zeros(self._shape), 0.0
        mass = {state: 1.0}
        while mass:  # each throw and each capture makes the sum of all numbers smaller
            here = max(mass, key=lambda one: sum(map(sum, one)))
            chance = mass.pop(here)
            if set(here.garrisons) <= {TAKEN}:
                everything += chance
                free, move = list(here.free), self.stands.best_end(here.free)[1]
                if move:
                    free[move.place] -= move.armies
                    free[move.target] += move.armies
                left[range(len(free)), free] += chance
            elif throw := best_throw(self, here):
                for share, after in outcomes(self, here, throw):
                    falls[throw.target] += chance * share * (after.garrisons[throw.target] == TAKEN)
                    mass[after] = mass.get(after, 0.0) + chance * share
        return Course(falls, everything, left)

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.board.names), self.stands.most + 1


class _Map(Structure):
    """`hold_map` of hold.c."""

    _fields_ = (
        *((name, c_int64) for name in ("targets", "places", "most_dice", "groups")),
        *((name, c_int64) for name in ("most_states", "most_work")),
        *((name, c_void_p) for name in ("adjacent", "onward", "useful", "group", "stride", "first", "stands")),
    )


class CompiledHeld:
    """The worths in compiled code: see `PlainHeld`."""

    def __init__(self, board: Board, stands: Stands, most_states: int) -> None:
        if len(board.names) + board.targets > MOST_NUMBERS or armies_of_both(board) > MOST_UNITS:
            raise too_large()
        self.board, self.stands = board, stands
        self.step = 1  # see `PlainHeld`
        laws = laws_of_throws(board)
        self.table = LossTable(laws)
        conquest = board.conquest
        group, stride = np.full(board.targets, -1), np.zeros(board.targets, np.int64)
        for number, (targets, table) in enumerate(stands.groups):
            group[list(targets)] = number
            stride[list(targets)] = [step // table.itemsize for step in table.strides]
        sizes = [table.size for _targets, table in stands.groups]
        arrays = (
            np.array(board.adjacent, np.int64),
            np.array(stands.onward, np.int64),
            np.array(stands.useful, np.int64),
            group,
            stride,
            np.cumsum([0, *sizes]),
            np.concatenate([table.ravel() for _targets, table in stands.groups]),
        )
        numbers = board.targets, len(board.names), conquest.most_dice, len(sizes)
        limits = most_states, most_states * WORK_OF_HELD
        described = _Map(*numbers, *limits, *map(library.address, arrays))
        self._turn = CompiledTurn("hold", described, FlatLaws(laws, 0), arrays)

    def worth(self, state: State) -> float:
        """See `Worths`."""
        worth = c_double()
        self._turn.ask("worth", state, byref(worth))
        return worth.value

    def course(self, state: State) -> Course:
        """See `PlainHeld`."""
        falls, everything = np.zeros(self.board.targets), c_double()
        left = np.zeros((len(self.board.names), self.stands.most + 1))
        places = (c_void_p(library.address(array)) for array in (falls, left))
        self._turn.ask("follow", state, c_int64(self.stands.most), *places, byref(everything))
        return Course(falls, everything.value, left)


def held_worths(holding: Holding, most_states: int) -> PlainHeld | CompiledHeld:
    """Return the worths of the states of a turn, of which none is worked out yet.

    Args:
        holding: The question.
        most_states: The most states to work out.

    Raises:
        TooLargeError: It is too large.
    """
    board = Board(holding.conquest)
    kind = PlainHeld if library.library() is None else CompiledHeld
    return kind(board, Stands(holding, board), most_states)
