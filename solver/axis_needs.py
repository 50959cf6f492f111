"""Which part of an army to bring: the cheapest with a chance, or the one with the best profit, out of all parts.

The answers are the best there are: every part has been swept (solver/axis_parts.py), cheapest first, and a target is
met once nothing cheaper can be missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

import numpy as np

from solver.axis import AxisBattle
from solver.axis_parts import growing
from solver.chain import Mask
from solver.errors import BattleError, TooLargeError, check_count, shown
from solver.forces import Nodes
from solver.parts import PartsOdds, Values, Wanted
from solver.sides import MOST_UNITS
from solver.units import Role

MOST_ARMIES = 100
"""So many armies may be asked for."""
ROUNDING = 1e-12
"""Where a chance is the one asked for, only rounding makes it less."""
HOPELESS = 1e-9
"""Less chances are as good as none, and as good as each other."""
SAME, SEEN = 1e-9, 0.05
"""Gains that differ by less are as good as each other; and those that are not told apart where people read them."""


class Army(NamedTuple):
    """A part of an army: how many units of each kind, what they cost, and what is known of the battle with them.

    `odds`, by name: the chance that some of it `survives`, in the fight or gone from it; that it `wins`, takes the
    territory, or at sea is left alone, and of a defender that the attacker does not; the `profit` it makes on average,
    the other side's losses less its own.
    """

    units: tuple[tuple[str, int], ...]
    cost: float
    odds: dict[Wanted, float]


@dataclass(frozen=True)
class Armies:
    """The best armies, best first. Where none is good enough, `closest` has those that come closest instead.

    There the highest chance comes first; where no army has more than a HOPELESS one, the cheapest.
    """

    best: tuple[Army, ...]
    closest: tuple[Army, ...] = ()


@dataclass(frozen=True)
class Goal:
    """What is asked for: of whose army, and the least that must come of each kind.

    `of` "survives" or "wins": the cheapest parts with a chance of `target` that somebody is left, or that the side wins
    (of a defender: that the attacker does not). "profit": those that gain most on average.
    """

    role: Role
    of: Wanted
    target: float = 0.8
    how_many: int = 3
    minimum: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be asked."""
        check_count(
            "how_many", self.how_many, 1, MOST_ARMIES, "the number of armies must be {least} to {most}, not {value}"
        )
        if type(self.target) not in (int, float) or not 0 < self.target <= 1:
            raise BattleError(
                "target", "the chance must be above 0 and at most 1, not {value}", value=shown(self.target)
            )
        for name, count in self.minimum:
            check_count(
                f"minimum.{shown(name)[1:-1]}",
                count,
                0,
                MOST_UNITS,
                "the number of units must be {least} to {most}, not {value}",
            )


def best_armies(battle: AxisBattle, goal: Goal, most: float = inf) -> Armies:
    """The parts of an army that are best for a goal, of all there are; TooLargeError for more work than `most`.

    Of those that cost the same the likeliest comes first, of those that gain the same the cheapest.
    """
    _check(battle, goal)
    wanted: Sequence[Wanted] = ("survives", "wins", "profit") if goal.of == "profit" else ("survives", "wins")
    for odds in growing(battle, goal.role, wanted, most):
        if goal.of != "profit" and len(_good(odds, goal)) >= goal.how_many:
            break
    return _best(odds, goal)


@dataclass(frozen=True)
class Survey:
    """All that there is to say about the parts of an army: the `cheapest` for a chance, and the `profitable`.

    `frontier` has the highest chance there is for so much money or less: rows of money and chance, both rising.
    `profitable` is None where the army is too large to try all of it: then the frontier ends early. Of armies whose
    gains people do not tell apart (SEEN) it has the cheapest first.
    """

    cheapest: Armies
    profitable: Armies | None
    frontier: tuple[tuple[int, float], ...]


def survey(battle: AxisBattle, goal: Goal, most: float = inf) -> Survey:
    """Answer for a chance, and what else the sweep tells; TooLargeError where not even the first can be had."""
    _check(battle, goal)
    odds = None
    try:
        for more in growing(battle, goal.role, (goal.of, "profit"), most):
            odds = more
    except TooLargeError:
        if odds is None or not len(_good(odds, goal)):
            raise
    assert odds is not None, "there is a part"
    profitable = _best(odds, replace(goal, of="profit"), SEEN) if odds.sure == inf else None
    return Survey(_best(odds, goal), profitable, _frontier(odds, goal))


def _frontier(odds: PartsOdds, goal: Goal) -> tuple[tuple[int, float], ...]:
    chance = _own(odds, goal.role, goal.of)
    some = np.flatnonzero(_allowed(odds, goal) & (odds.cost < odds.sure))
    some = some[np.lexsort((-chance[some], odds.cost[some]))]
    highest = np.maximum.accumulate(chance[some])
    rises = np.flatnonzero(np.diff(highest, prepend=-1.0) > ROUNDING)
    return tuple(zip(odds.cost[some[rises]].tolist(), highest[rises].tolist(), strict=True))


def _good(odds: PartsOdds, goal: Goal) -> Nodes:
    """The parts with the chance, of those cheaper than what is not known yet."""
    good = _allowed(odds, goal) & (_own(odds, goal.role, goal.of) >= goal.target - ROUNDING)
    return np.flatnonzero(good & (odds.cost < odds.sure))


def _best(odds: PartsOdds, goal: Goal, same: float = SAME) -> Armies:
    """The best parts for a goal; of those that gain the same, and chances that are as good as none, the cheapest."""
    chance = _own(odds, goal.role, goal.of)
    allowed = np.flatnonzero(_allowed(odds, goal))
    if goal.of == "profit":
        less = (chance[allowed].max(initial=-inf) - chance[allowed]) // same
        return Armies(_told(odds, goal, allowed[np.lexsort((odds.cost[allowed], less))]))
    good = _good(odds, goal)
    if len(good):
        return Armies(_told(odds, goal, good[np.lexsort((-chance[good], odds.cost[good]))]))
    likely = chance[allowed].round(12) * (chance[allowed] >= HOPELESS)
    closest = allowed[np.lexsort((odds.cost[allowed], -likely))]
    return Armies((), _told(odds, goal, closest))


def _own(odds: PartsOdds, role: Role, name: Wanted) -> Values:
    """The chances or the profit of each part as its own side sees them."""
    values = odds.values[name]
    if role == "attack" or name == "survives":
        return values
    return 1 - values if name == "wins" else -values


def _allowed(odds: PartsOdds, goal: Goal) -> Mask:
    """Which parts may be answers: there is somebody, and the minimum of each kind."""
    allowed = odds.units.any(axis=1)
    for name, count in goal.minimum:
        if count:
            allowed = allowed & (odds.units[:, odds.names.index(name)] >= count)
    return np.asarray(allowed)


def _told(odds: PartsOdds, goal: Goal, ranked: Nodes) -> tuple[Army, ...]:
    """The first of these parts with what is known of them."""
    armies = []
    for part in ranked[: goal.how_many].tolist():
        units = tuple((name, count) for name, count in zip(odds.names, odds.units[part].tolist(), strict=True) if count)
        known = {name: float(_own(odds, goal.role, name)[part]) for name in odds.values}
        armies.append(Army(units, float(odds.cost[part]), known))
    return tuple(armies)


def _check(battle: AxisBattle, goal: Goal) -> None:
    """Refuse a goal that this army cannot have."""
    side = battle.attacker if goal.role == "attack" else battle.defender
    if not side.units:
        raise BattleError("units", "there are no units to choose from")
    for name, count in goal.minimum:
        if not side.count(name):
            raise BattleError(f"minimum.{shown(name)[1:-1]}", "you have no such unit to choose from")
        check_count(
            f"minimum.{name}", count, 0, side.count(name), "you can bring {least} to {most} of these units, not {value}"
        )
