"""A typical turn on a map: fights with rules that are easy to follow, which give up next to nothing of best play."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeVar

import numpy as np

from solver.chain import Grid
from solver.conquest.fronts import Numbers
from solver.conquest.phase import SAME, MapThrow, State, Worths, best_move, throws, worth_of_throw
from solver.dice.compared import LossTable
from solver.documents import clamp_chance

SLACK = 0.001
"""The share of the worth that a fight may give up, so that its rule is simple."""
UNLIKELY = 1e-9
"""Ends of a fight that are so much rarer than the likeliest one are not listed."""
LIMIT_COST = 0.2
"""The share of its throws that a fight must take more, so that a rule with two limits is better than one with one."""
MOST_TRIED = 2
"""The most throws with which a fight is tried to begin."""
MOST_LIMITS, FEW_LIMITS, MANY_CELLS = 24, 12, 5_000
"""The most limits of each kind that are tried; the smaller number counts in fights with more cells."""

ONE_THROW = np.array([0.0, 1.0]).reshape(2, 1, 1)

Key = TypeVar("Key")


class Cell(NamedTuple):
    """A moment of a fight.

    Attributes:
        left: The attackers left.
        garrison: The garrison left.
    """

    left: int
    garrison: int


class Rule(NamedTuple):
    """How long a fight goes on: while so many armies are left there, and the garrison is still so large."""

    armies: int
    garrison: int

    def goes_on(self, cell: Cell) -> bool:
        """Whether it goes on.

        Args:
            cell: The armies and the garrison left.
        """
        return cell.left >= self.armies and cell.garrison >= self.garrison


TO_THE_END = Rule(1, 1)


@dataclass(frozen=True, slots=True)
class MapFight:
    """Throws from one territory against one target, one after the other, until a rule ends them.

    Attributes:
        origin: The name of the territory that attacks.
        to: The name of the target.
        armies: The free armies there at the beginning.
        garrison: The garrison at the beginning.
        rule: How long it goes on.
        gives_up: The average loss, in the unit of the worth, if this rule is followed and then best play.
        takes: The chance that this fight takes the target.
        moves: For each number of attackers that may well be left after the capture, the armies that move in.
        otherwise: Where the next throw comes from and goes if the target is not taken, as names; None if that depends
            on what is left, or if there is nothing left to gain.
        left: The attackers left in the typical turn.
        garrison_left: The garrison left in the typical turn; 0 if it is beaten.
        moving: The armies that move in then; 0 if the target is not taken.
    """

    origin: str
    to: str
    armies: int
    garrison: int
    rule: Rule
    gives_up: float
    takes: float
    moves: tuple[tuple[int, int], ...]
    otherwise: tuple[str, str] | None
    left: int
    garrison_left: int
    moving: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fight as a part of a JSON document."""
        return {
            "from": self.origin,
            "to": self.to,
            "armies": self.armies,
            "garrison": self.garrison,
            "while": self.rule._asdict(),
            "gives_up": self.gives_up,
            "takes": clamp_chance(self.takes),
            "moves": [list(move) for move in self.moves],
            "otherwise": dict(zip(("from", "to"), self.otherwise, strict=True)) if self.otherwise else None,
            "left": self.left,
            "holds": self.garrison_left,
            "moving": self.moving,
        }


def typical_turn(worths: Worths, state: State) -> tuple[MapFight, ...]:
    """Return the fights of a typical turn, in their order.

    A fight takes its target with the median number of attackers left, unless it is likelier that it is broken off and
    the turn goes on elsewhere; then it ends as it does most often.

    Args:
        worths: The worths of the turn's states.
        state: The state at its beginning.
    """
    return typical_course(worths, state)[0]


def typical_course(worths: Worths, state: State) -> tuple[tuple[MapFight, ...], State]:
    """Return the fights of a typical turn, and the state after them: see `typical_turn`.

    Args:
        worths: The worths of the turn's states.
        state: The state at its beginning.
    """
    fights: list[MapFight] = []
    while chosen := choose_fight(worths, state):
        fight, state = _follow(worths, state, chosen)
        fights.append(fight)
    return tuple(fights), state


class PlannedFight(NamedTuple):
    """A fight that is to be fought.

    Attributes:
        throw: Its throws.
        rule: How long it goes on.
        gives_up: The average loss if the rule is followed, and then best play.
        score: How long it goes on, on average: the longest of the cheap fights is chosen.
    """

    throw: MapThrow
    rule: Rule
    gives_up: float
    score: float


def choose_fight(worths: Worths, state: State) -> PlannedFight | None:
    """Return a fight that gives up next to nothing: to the end, or else as long as possible with a simple rule.

    Where every rule gives up more, it is the best of them.

    Args:
        worths: The worths of the turn's states.
        state: The state.

    Returns:
        The fight; None if there is nothing left to gain.
    """
    best = worths.worth(state)
    values = {throw: worth_of_throw(worths, state, throw) for throw in throws(worths.board, state)}
    if not best or not values:
        return None
    good = dict[tuple[int, int, int], MapThrow]()
    for throw in sorted(values, key=lambda throw: -values[throw]):
        if values[throw] >= best * (1 - SLACK):
            alike = worths.board.adjacent[throw.place], state.free[throw.place], throw.target
            good.setdefault(alike, throw)
    plans, cheap = list[PlannedFight](), list[PlannedFight]()
    for plan_of in (_fight_to_the_end, _choose_rule):
        plans = [plan_of(worths, state, throw, best) for throw in list(good.values())[:MOST_TRIED]]
        cheap = [plan for plan in plans if plan.gives_up <= SLACK * best]
        if cheap:
            break
    else:
        return min(plans, key=lambda plan: plan.gives_up)
    longest = max(plan.score for plan in cheap) * (1 - SAME)
    return min((plan for plan in cheap if plan.score >= longest), key=lambda plan: plan.gives_up)


def _fight_to_the_end(worths: Worths, state: State, throw: MapThrow, best: float) -> PlannedFight:
    """Return the fight of a throw that goes on to its end."""
    taken, lost = _ends(worths, state, throw, TO_THE_END)
    gain = _gain(worths, throw)
    worth = sum(chance * worths.worth(_at(state, throw, cell)) for cell, chance in lost.items())
    for left, chance in taken.items():
        worth += chance * (gain + worths.worth(best_move(worths, _at(state, throw, Cell(left, 0)), throw)))
    remain = sum(chance * sum(cell) for cell, chance in lost.items()) + sum(a * b for a, b in taken.items())
    gives_up = best - worth if best - worth > SAME * best else 0.0
    return PlannedFight(throw, TO_THE_END, gives_up, state.free[throw.place] + state.garrisons[throw.target] - remain)


def _gain(worths: Worths, throw: MapThrow) -> float:
    """Return what a capture counts at once."""
    conquest = worths.board.conquest
    return conquest.targets[throw.target].worth if conquest.aim != "all" else 0.0


def _choose_rule(worths: Worths, state: State, throw: MapThrow, best: float) -> PlannedFight:
    """Return the fight of a throw with the best rule; one with two limits has to be longer than one with one."""
    first = Cell(state.free[throw.place], state.garrisons[throw.target])
    most = MOST_LIMITS if first.left * first.garrison <= MANY_CELLS else FEW_LIMITS
    armies, garrisons = _limits(first.left, most)[:, None], _limits(first.garrison, most)
    worth, length = _try_rules(worths, state, throw, armies, garrisons)
    losses = np.where(best - worth > SAME * best, best - worth, 0.0)
    score = length * (1 - LIMIT_COST * ((armies > 1) & (garrisons > 1)))
    cheap = np.where(losses <= SLACK * best, score, -losses)
    row, column = np.unravel_index(cheap.argmax(), cheap.shape)
    rule = Rule(int(armies[row, 0]), int(garrisons[column]))
    return PlannedFight(throw, rule, float(losses[row, column]), float(score[row, column]))


def _limits(highest: int, most: int) -> Numbers:
    """Return the limits that are tried, from 1 up to the number at the beginning: most of them are small."""
    if highest <= most:
        return np.arange(1, max(highest, 1) + 1)
    return np.unique(np.geomspace(1, highest, most).astype(int))


def _try_rules(worths: Worths, state: State, throw: MapThrow, armies: Numbers, garrisons: Numbers) -> tuple[Grid, Grid]:
    """Return what a fight is worth by its rule, with best play after it, and how many throws it takes."""
    gain = _gain(worths, throw)
    first = Cell(state.free[throw.place], state.garrisons[throw.target])
    known: dict[Cell, Grid] = {}
    for cell, ways in reversed(_course(worths.table, first).items()):
        here = _at(state, throw, cell)
        if cell.left and not cell.garrison:
            worth = gain + worths.worth(best_move(worths, here, throw))
        else:
            worth = worths.worth(here)
        known[cell] = np.array([worth, 0.0]).reshape(2, 1, 1)
        if ways:
            going = sum(chance * known[after] for chance, after in ways) + ONE_THROW
            known[cell] = np.where((cell.left >= armies) & (cell.garrison >= garrisons), going, known[cell])
    worth, length = np.broadcast_to(known[first], (2, *np.broadcast_shapes(armies.shape, garrisons.shape)))
    return worth, length


@lru_cache(maxsize=8)
def _course(table: LossTable, first: Cell) -> dict[Cell, list[tuple[float, Cell]]]:
    """Return every cell that a fight may meet, each before those that follow it, with the chances of the next ones."""
    course: dict[Cell, list[tuple[float, Cell]]] = {}
    seen, waiting = {first}, [(-sum(first), first)]
    while waiting:
        _sum, cell = heappop(waiting)
        course[cell] = []
        if not cell.left or not cell.garrison:
            continue
        moves = table.moves_at(*cell)
        for lost, beaten, chance in moves.outcomes:
            after = Cell(cell.left - lost, cell.garrison - beaten)
            course[cell].append((chance / moves.leave, after))
            if after not in seen:
                seen.add(after)
                heappush(waiting, (-sum(after), after))
    return course


def _follow(worths: Worths, state: State, plan: PlannedFight) -> tuple[MapFight, State]:
    """Return a fight, and the state after it in a typical turn."""
    throw = plan.throw
    taken, broken = _ends(worths, state, throw, plan.rule)
    after = {left: best_move(worths, _at(state, throw, Cell(left, 0)), throw) for left in _likely(taken)}
    moves = {left: left - captured.free[throw.place] for left, captured in after.items()}
    going_on = {cell: chance for cell, chance in broken.items() if worths.worth(_at(state, throw, cell)) > 0}
    takes = sum(taken.values(), 0.0)
    names = worths.board.names
    fight = MapFight(
        origin=names[throw.place],
        to=names[throw.target],
        armies=state.free[throw.place],
        garrison=state.garrisons[throw.target],
        rule=plan.rule,
        gives_up=plan.gives_up,
        takes=takes,
        moves=tuple(moves.items()),
        otherwise=_otherwise(worths, state, throw, going_on),
        left=0,
        garrison_left=0,
        moving=0,
    )
    if takes >= sum(going_on.values()) and taken:
        left = _median({left: taken[left] for left in after})
        return replace(fight, left=left, moving=moves[left]), after[left]
    end = max(going_on or broken, key=lambda cell: broken[cell])
    return replace(fight, left=end.left, garrison_left=end.garrison), _at(state, throw, end)


def _otherwise(worths: Worths, state: State, throw: MapThrow, ends: Mapping[Cell, float]) -> tuple[str, str] | None:
    """Return the next throw if a fight is broken off, if it is one that is good enough whatever is left."""
    if not ends:
        return None
    likeliest = max(ends, key=lambda cell: ends[cell])
    chosen = choose_fight(worths, _at(state, throw, likeliest))
    assert chosen, "there is something to gain"
    slack = SLACK * worths.worth(state)
    place, target = chosen.throw
    loss = 0.0
    for cell, chance in ends.items():
        here = _at(state, throw, cell)
        value = worth_of_throw(worths, here, chosen.throw) if here.free[place] else 0.0
        loss += chance * (worths.worth(here) - value)
    names = worths.board.names
    return (names[place], names[target]) if loss <= slack * sum(ends.values()) else None


def _ends(worths: Worths, state: State, throw: MapThrow, rule: Rule) -> tuple[dict[int, float], dict[Cell, float]]:
    """Return the chances of the attackers left after a capture, and of the cells where the fight is broken off."""
    taken: defaultdict[int, float] = defaultdict(float)
    broken: defaultdict[Cell, float] = defaultdict(float)
    first = Cell(state.free[throw.place], state.garrisons[throw.target])
    mass = defaultdict(float, {first: 1.0})
    for cell, ways in _course(worths.table, first).items():
        chance = mass.pop(cell, 0.0)
        if not cell.garrison and cell.left:
            taken[cell.left] += chance
        elif not rule.goes_on(cell):
            broken[cell] += chance
        else:
            for share, after in ways:
                mass[after] += chance * share
    return {left: chance for left, chance in taken.items() if chance}, {c: p for c, p in broken.items() if p}


def _at(state: State, throw: MapThrow, cell: Cell) -> State:
    """Return a state with other numbers in the fight."""
    free, garrisons = list(state.free), list(state.garrisons)
    free[throw.place], garrisons[throw.target] = cell
    return State(tuple(free), tuple(garrisons))


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
