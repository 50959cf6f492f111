"""Best play of a turn on a map: the worth of every state, where each throw may come from any front.

A *state* is the free armies on each territory of the player and the garrison of each target. A throw goes from a front
with free armies against a target next to it; after a capture some armies move in; the player may stop at any moment.

Compiled code works out the worths (worths.py). Without it plain Python does, for much smaller turns.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from math import prod
from operator import or_
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from solver.chain import Chances, RoundLaw
from solver.conquest.board import Board, members, too_large
from solver.conquest.conquest import Conquest
from solver.dice.compared import LossTable, Moves, Outcome
from solver.dice.kill_rates import icon_table
from solver.dice.pools import loss_laws

Kind = TypeVar("Kind")
TAKEN = -1
"""The garrison of a target that is taken."""
MOST_STATES, MOST_PLAIN_STATES = 5_000_000, 60_000
"""The most states that are worked out, by compiled code and by plain Python."""
SLOWER = 50
"""So many times fewer states are worked out by plain Python, if their number is limited."""
MOST_PLAIN_UNITS = 120
"""The most armies on both sides together in plain Python: so deep is the recursion."""
MOST_CELLS = 2_000
"""The most pairs of armies with icon dice, whose laws are one apiece."""
SAME = 1e-10
"""Worths that are nearer to each other, as a share, count as equal where each is a sum of its own."""
TIE = 1e-12
"""Choices whose worths are nearer to each other, as a share, are equally good, and the first counts; so it is in C."""


class State(NamedTuple):
    """A moment of a turn.

    Attributes:
        free: The free armies at each place of the board.
        garrisons: The garrison of each target; `TAKEN` if it is taken.
    """

    free: tuple[int, ...]
    garrisons: tuple[int, ...]

    @property
    def left(self) -> int:
        """The set of targets that are not taken."""
        return sum(1 << target for target, garrison in enumerate(self.garrisons) if garrison != TAKEN)

    def after_capture(self, place: int, target: int, moving: int, leave: int) -> "State":
        """Return the state after armies have moved into a target without a garrison.

        Args:
            place: Where they come from.
            target: The target.
            moving: Their number.
            leave: The armies that stay there.
        """
        free = list(self.free)
        free[place] -= moving
        free[target] = max(moving - leave, 0)
        return State(tuple(free), _with(self.garrisons, target, TAKEN))


class MapThrow(NamedTuple):
    """A throw of a front against a target, both places of the board."""

    place: int
    target: int


def first_state(board: Board) -> State:
    """Return the state at the beginning of a turn.

    Args:
        board: The map.
    """
    free = (*(0 for _ in range(board.targets)), *map(board.armies, board.starts))
    return State(free, tuple(target.garrison for target in board.conquest.targets))


def conquest_at(board: Board, state: State) -> Conquest:
    """Return the conquest that is left in a state: where armies are free, and the targets that are not taken.

    Args:
        board: The map.
        state: The state.
    """
    pairs = zip(board.conquest.targets, state.garrisons, strict=True)
    targets = tuple(replace(target, garrison=garrison) for target, garrison in pairs if garrison != TAKEN)
    starts = tuple((board.names[place], free) for place, free in enumerate(state.free) if free)
    return replace(board.conquest, starts=starts or (("nobody", 0),), targets=targets)


def throws(board: Board, state: State) -> Iterator[MapThrow]:
    """Yield the throws that are possible in a state.

    Args:
        board: The map.
        state: The state.
    """
    for place, free in enumerate(state.free):
        if free:
            for target in members(board.adjacent[place]):
                if state.garrisons[target] != TAKEN:
                    yield MapThrow(place, target)


def laws_of_throws(board: Board) -> list[list[RoundLaw]]:
    """Return the law of a throw for each number of units: see `LossTable`.

    Args:
        board: The map.

    Raises:
        TooLargeError: There are too many, or the defender chooses how many dice to roll.
    """
    rules, (most, highest) = board.conquest.rules, largest(board)
    if rules.late or (rules.faces and most * highest > MOST_CELLS):
        raise too_large()
    if rules.faces:
        table = icon_table(*rules.faces, rules.luck, exact=True)
        return [[table.law(own, theirs) for theirs in range(1, highest + 1)] for own in range(1, most + 1)]
    chain = replace(rules, attackers=most, defenders=highest).chain()
    return loss_laws(chain.attack, chain.defence, chain.ties, chain.totals)


def largest(board: Board) -> tuple[int, int]:
    """Return the most free armies and the largest garrison at the beginning, at least 1.

    Args:
        board: The map.
    """
    armies = max(count for _name, count in board.conquest.starts)
    return max(armies, 1), max(1, *(target.garrison for target in board.conquest.targets))


class Worths(Protocol):
    """The worths of the states of one turn.

    Attributes:
        board: The map.
        table: The laws of throws.
        step: Of the armies left after a capture the fewest, all, and multiples of this may move in.
    """

    board: Board
    table: LossTable
    step: int

    def worth(self, state: State) -> float:
        """Return the chance to take all targets that are left, or what is gained of them on average.

        Args:
            state: The state.
        """


class FollowedWorths(Worths, Protocol):
    """Worths whose play can be followed to its ends."""

    def follow(self, state: State) -> tuple[Chances, float]:
        """Return the chance of each target to fall under best play, and the chance that all that are left fall.

        Args:
            state: The state.
        """


class PlainWorths:
    """The worths of the states of one turn, in plain Python: see `CompiledWorths`."""

    def __init__(self, board: Board, laws: list[list[RoundLaw]], most_states: int = MOST_PLAIN_STATES) -> None:
        if armies_of_both(board) > MOST_PLAIN_UNITS:
            raise too_large()
        self.board, self.table, self.states, self.step = board, LossTable(laws), 0, 1
        self._most = most_states
        self._known: dict[State, float] = {}

    def worth(self, state: State) -> float:
        """See `Worths`."""
        worths = map(self._worth_of_part, parts(self.board, state))
        return sum(worths) if self.board.conquest.aim != "all" else prod(worths)

    def _worth_of_part(self, part: State) -> float:
        if part not in self._known:
            self.states += 1
            if self.states > self._most:
                raise too_large()
            possible = throws(self.board, part)
            self._known[part] = max((worth_of_throw(self, part, throw) for throw in possible), default=0.0)
        return self._known[part]

    def follow(self, state: State) -> tuple[Chances, float]:
        """See `FollowedWorths`."""
        falls, every = np.zeros(self.board.targets), dict[State, float]()
        everything = self._list(state, every)
        mass = dict.fromkeys(every, 0.0)
        for part in parts(self.board, state):
            mass[part] = 1.0
        for here in reversed(every):
            throw = best_throw(self, here)
            if throw is None:
                continue
            for chance, after in outcomes(self, here, throw):
                falls[throw.target] += mass[here] * chance * (after.garrisons[throw.target] == TAKEN)
                for part in parts(self.board, after):
                    mass[part] += mass[here] * chance
        return falls, everything

    def _list(self, state: State, every: dict[State, float]) -> float:
        """Return the chance that all fall, and list that of the parts that follow, each after all that follow it."""
        chance = 1.0
        for part in parts(self.board, state):
            if part not in every:
                throw = best_throw(self, part)
                ways = outcomes(self, part, throw) if throw else ()
                every[part] = sum(share * self._list(after, every) for share, after in ways)
            chance *= every[part]
        return chance


def parts(board: Board, state: State) -> Iterator[State]:
    """Yield the parts of a state that no front connects, each as a state in which the other targets are taken.

    Args:
        board: The map.
        state: The state.
    """
    left = state.left
    fronts = [board.adjacent[place] & left if free else 0 for place, free in enumerate(state.free)]
    while left:
        inside, new = 0, left & -left
        while new:
            inside |= new
            near = [board.adjacent[target] for target in members(new)] + [front for front in fronts if front & new]
            new = reduce(or_, near) & left & ~inside
        left &= ~inside
        free = tuple(count if front & inside else 0 for count, front in zip(state.free, fronts, strict=True))
        garrisons = (count if inside >> target & 1 else TAKEN for target, count in enumerate(state.garrisons))
        yield State(free, tuple(garrisons))


def outcomes(worths: Worths, state: State, throw: MapThrow) -> Iterator[tuple[float, State]]:
    """Yield the outcomes of a throw that change something: their chances, and the states after the best move.

    Args:
        worths: The worths.
        state: The state.
        throw: The throw. Against no garrison the target is entered without dice.
    """
    own, garrison = state.free[throw.place], state.garrisons[throw.target]
    moves = worths.table.moves_at(own, garrison) if garrison else ENTER
    for lost, beaten, chance in moves.outcomes:
        free = _with(state.free, throw.place, own - lost)
        after = State(free, _with(state.garrisons, throw.target, garrison - beaten))
        if own > lost and beaten == garrison:
            after = best_move(worths, after, throw)
        yield chance / moves.leave, after


def best_move(worths: Worths, state: State, throw: MapThrow) -> State:
    """Return the state after the best number of armies has moved into a target whose garrison is gone.

    Args:
        worths: The worths.
        state: The state before.
        throw: The throw.
    """
    left, leave = state.free[throw.place], worths.board.conquest.targets[throw.target].leave
    fewest = min(left, worths.board.conquest.most_dice)
    numbers = (number for number in range(fewest, left + 1) if number in (fewest, left) or number % worths.step == 0)
    after = [state.after_capture(throw.place, throw.target, moving, leave) for moving in numbers]
    return _highest(after, [worths.worth(each) for each in after])


def worth_of_throw(worths: Worths, state: State, throw: MapThrow) -> float:
    """Return the worth of a state in which this throw is next.

    Args:
        worths: The worths.
        state: The state.
        throw: The throw.
    """
    conquest = worths.board.conquest
    gain = conquest.targets[throw.target].worth if conquest.aim != "all" else 0
    total = 0.0
    for chance, after in outcomes(worths, state, throw):
        total += chance * (worths.worth(after) + gain * (after.garrisons[throw.target] == TAKEN))
    return total


def best_throw(worths: Worths, state: State, last: MapThrow | None = None) -> MapThrow | None:
    """Return the best throw in a state; None if the player stops.

    Args:
        worths: The worths.
        state: The state.
        last: The throw before, which goes on if no other is better.
    """
    possible = sorted(throws(worths.board, state), key=lambda throw: throw != last)
    if not possible:
        return None
    values = [worth_of_throw(worths, state, throw) for throw in possible]
    return _highest(possible, values) if max(values) > 0 else None


ENTER = Moves((Outcome(0, 0, 1.0),), 1.0, 0.0)


def _highest(kinds: list[Kind], worths: list[float]) -> Kind:
    """Return the first whose worth no other exceeds."""
    highest = max(worths)
    return next(kind for kind, worth in zip(kinds, worths, strict=True) if worth >= highest * (1 - TIE))


def _with(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])


def armies_of_both(board: Board) -> int:
    """Return how many armies there are on both sides.

    Args:
        board: The map.
    """
    return sum(map(sum, first_state(board)))
