"""A typical turn on a map under best play: which front fights which target, and until when."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from solver.conquest.phase import ENTER, SAME, State, Throw, Worths, best_move, best_throw, worth_of_throw
from solver.documents import clamp_chance

UNLIKELY = 1e-9
"""Ends of a fight that are so much rarer than the likeliest one are not listed."""

Key = TypeVar("Key")


class Cell(NamedTuple):
    """A moment of a fight.

    Attributes:
        left: The attackers left.
        holds: The garrison left.
    """

    left: int
    holds: int


@dataclass(frozen=True, slots=True)
class Fight:
    """Throws from one territory against one target, one after the other, as long as no other throw is better.

    Attributes:
        origin: The name of the territory that attacks.
        to: The name of the target.
        armies: The free armies there at the beginning.
        garrison: The garrison at the beginning.
        takes: The chance that this fight takes the target.
        moves: For each number of attackers that may well be left after the capture, the armies that move in.
        breaks: Where the fight is broken off before: the armies and the garrison that are left, for all that may well
            happen. None of the armies left is one of them.
        left: The attackers left in the typical turn.
        holds: The garrison left in the typical turn; 0 if it is beaten.
        moving: The armies that move in then; 0 if the target is not taken.
    """

    origin: str
    to: str
    armies: int
    garrison: int
    takes: float
    moves: tuple[tuple[int, int], ...]
    breaks: tuple[tuple[int, int], ...]
    left: int
    holds: int
    moving: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fight as a part of a JSON document."""
        return {
            "from": self.origin,
            "to": self.to,
            "armies": self.armies,
            "garrison": self.garrison,
            "takes": clamp_chance(self.takes),
            "moves": [list(move) for move in self.moves],
            "breaks": [list(cell) for cell in self.breaks],
            "left": self.left,
            "holds": self.holds,
            "moving": self.moving,
        }


def typical_turn(worths: Worths, state: State) -> tuple[Fight, ...]:
    """Return the fights of a typical turn, in their order.

    A fight takes its target with the median number of attackers left, unless it is likelier that it is broken off and
    the turn goes on elsewhere; then it ends as it does most often.

    Args:
        worths: The worths of the turn's states.
        state: The state at its beginning.
    """
    fights: list[Fight] = []
    throw = best_throw(worths, state)
    while throw:
        fight, state = follow_fight(worths, state, throw)
        fights.append(fight)
        throw = best_throw(worths, state)
    return tuple(fights)


def follow_fight(worths: Worths, state: State, throw: Throw) -> tuple[Fight, State]:
    """Return a fight that begins with this throw, and the state after it in a typical turn.

    Args:
        worths: The worths of the turn's states.
        state: The state before.
        throw: The throw.
    """
    taken, broken = _ends(worths, state, throw)
    after = {left: best_move(worths, _at(state, throw, Cell(left, 0)), throw) for left in _likely(taken)}
    moves = {left: left - captured.free[throw.place] for left, captured in after.items()}
    going_on = {cell: chance for cell, chance in broken.items() if worths.worth(_at(state, throw, cell)) > 0}
    takes = sum(taken.values())
    names = worths.board.names
    sizes = state.free[throw.place], state.garrisons[throw.target]
    breaks = tuple(sorted(_likely(broken), reverse=True))
    fight = Fight(names[throw.place], names[throw.target], *sizes, takes, tuple(moves.items()), breaks, 0, 0, 0)
    if takes >= sum(going_on.values()) and taken:
        left = _median({left: taken[left] for left in after})
        return replace(fight, left=left, moving=moves[left]), after[left]
    end = max(going_on or broken, key=lambda cell: broken[cell])
    return replace(fight, left=end.left, holds=end.holds), _at(state, throw, end)


def _ends(worths: Worths, state: State, throw: Throw) -> tuple[dict[int, float], dict[Cell, float]]:
    """Return the chances of the attackers left after a capture, and of the cells where the fight is broken off."""
    taken: defaultdict[int, float] = defaultdict(float)
    broken: defaultdict[Cell, float] = defaultdict(float)
    first = Cell(state.free[throw.place], state.garrisons[throw.target])
    waiting = {first: 1.0}
    while waiting:
        cell = max(waiting, key=sum)
        chance = waiting.pop(cell)
        if cell != first and not _goes_on(worths, _at(state, throw, cell), throw):
            broken[cell] += chance
            continue
        moves = worths.table.moves_at(*cell) if cell.holds else ENTER
        for lost, beaten, share in moves.outcomes:
            left, holds = cell.left - lost, cell.holds - beaten
            mass = chance * share / moves.leave
            if left and not holds:
                taken[left] += mass
            else:
                waiting[Cell(left, holds)] = waiting.get(Cell(left, holds), 0.0) + mass
    return taken, broken


def _at(state: State, throw: Throw, cell: Cell) -> State:
    """Return a state with other numbers in the fight."""
    free, garrisons = list(state.free), list(state.garrisons)
    free[throw.place], garrisons[throw.target] = cell
    return State(tuple(free), tuple(garrisons))


def _goes_on(worths: Worths, state: State, throw: Throw) -> bool:
    """Whether no other throw is better."""
    if not state.free[throw.place]:
        return False
    best = worths.worth(state)
    return best > 0 and worth_of_throw(worths, state, throw) >= best * (1 - SAME)


def _likely(chances: Mapping[Key, float]) -> list[Key]:
    """Return what may well happen, in ascending order."""
    least = max(chances.values(), default=0.0) * UNLIKELY
    return sorted(key for key, chance in chances.items() if chance > least)  # type: ignore[type-var]


def _median(chances: Mapping[int, float]) -> int:
    half, total = sum(chances.values()) / 2, 0.0
    for number in sorted(chances):
        total += chances[number]
        if total >= half:
            return number
    raise AssertionError("something happens")
