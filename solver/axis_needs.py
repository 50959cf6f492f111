"""Which part of an army to bring: the cheapest with a chance, or the one with the best profit, out of all parts.

The answers are the best there are: every part has been swept (solver/axis_parts.py), cheapest first, and a target is
met once nothing cheaper can be missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Literal, NamedTuple

import numpy as np

from solver.axis import AxisBattle
from solver.axis_odds import solve_axis
from solver.axis_parts import growing
from solver.chain import Mask
from solver.errors import BattleError, check_count
from solver.forces import Nodes
from solver.parts import PartsOdds, Values, Wanted
from solver.units import Role

MOST_ARMIES = 100
"""So many armies may be asked for."""
ROUNDING = 1e-12
"""Where a chance is the one asked for, only rounding makes it less."""

Chance = Literal["survives", "wins"]


class Army(NamedTuple):
    """A part of an army: how many units of each kind, and what they cost.

    `survives`: the chance that some of it is left, in the fight or gone from it. `wins`: that the attacker takes the
    territory, or at sea is left alone; of a defender, that this does not happen. `profit` is what its side gains on
    average: the other's losses less its own.
    """

    units: tuple[tuple[str, int], ...]
    cost: float
    survives: float
    wins: float
    profit: float


@dataclass(frozen=True)
class Armies:
    """The best armies, best first. Where none is good enough, `closest` has those that come closest instead."""

    best: tuple[Army, ...]
    closest: tuple[Army, ...] = ()


def cheapest(
    battle: AxisBattle,
    role: Role,
    target: float,
    how_many: int = 3,
    minimum: Mapping[str, int] | None = None,
    of: Chance = "survives",
    most: float = inf,
) -> Armies:
    """The cheapest parts of a side's army whose chance is `target`; of those that cost the same the likeliest first.

    Each has the `minimum` of each kind. BattleError where that is more work than `most`.
    """
    _check(battle, role, how_many, minimum)
    if not 0 < target <= 1:
        raise BattleError("target", f"a chance above 0 and up to 1 is wanted, not {target:g}")
    for odds in growing(battle, role, (of,), most):
        chance = chances(odds, role, of)
        allowed = _allowed(odds, minimum)
        good = np.flatnonzero(allowed & (chance >= target - ROUNDING) & (odds.cost < odds.sure))
        if len(good) >= how_many:
            break
    ranked = good[np.lexsort((-chance[good], odds.cost[good]))][:how_many]
    if len(good):
        return Armies(_told(battle, role, odds, ranked))
    others = np.flatnonzero(allowed)
    ranked = others[np.lexsort((odds.cost[others], -chance[others].round(12)))][:how_many]
    return Armies((), _told(battle, role, odds, ranked))


def most_profitable(
    battle: AxisBattle,
    role: Role,
    how_many: int = 3,
    minimum: Mapping[str, int] | None = None,
    most: float = inf,
) -> Armies:
    """The parts of a side's army that gain most on average; of those that gain the same the cheapest first."""
    _check(battle, role, how_many, minimum)
    *_, odds = growing(battle, role, ("profit",), most)
    profit = odds.values["profit"] if role == "attack" else -odds.values["profit"]
    others = np.flatnonzero(_allowed(odds, minimum))
    ranked = others[np.lexsort((odds.cost[others], -profit[others].round(9)))][:how_many]
    return Armies(_told(battle, role, odds, ranked))


def chances(odds: PartsOdds, role: Role, of: Wanted) -> Values:
    """The chances of each part as its own side sees them."""
    return 1 - odds.values[of] if role == "defence" and of == "wins" else odds.values[of]


def with_part(battle: AxisBattle, role: Role, units: tuple[tuple[str, int], ...]) -> AxisBattle:
    """The battle with these units in place of one side's army."""
    if role == "attack":
        return replace(battle, attacker=replace(battle.attacker, units=units))
    return replace(battle, defender=replace(battle.defender, units=units))


def _allowed(odds: PartsOdds, minimum: Mapping[str, int] | None) -> Mask:
    """Which parts may be answers: there is somebody, and the minimum of each kind."""
    allowed = odds.units.any(axis=1)
    for name, count in (minimum or {}).items():
        if count:
            allowed = allowed & (odds.units[:, odds.names.index(name)] >= count)
    return np.asarray(allowed)


def _told(battle: AxisBattle, role: Role, odds: PartsOdds, which: Nodes) -> tuple[Army, ...]:
    """These parts with all that is said of them."""
    armies = []
    for part in which.tolist():
        units = tuple((name, count) for name, count in zip(odds.names, odds.units[part].tolist(), strict=True) if count)
        alone = solve_axis(with_part(battle, role, units), 0)
        profit = alone.defender_loss - alone.attacker_loss
        ours = role == "attack"
        survives = alone.attacker_survives if ours else alone.defender_survives
        wins = alone.wins if ours else 1 - alone.wins
        armies.append(Army(units, float(odds.cost[part]), survives, wins, profit if ours else -profit))
    return tuple(armies)


def _check(battle: AxisBattle, role: Role, how_many: int, minimum: Mapping[str, int] | None) -> None:
    """Refuse what cannot be asked."""
    check_count("how_many", how_many, 1, MOST_ARMIES, "the number of armies is")
    side = battle.attacker if role == "attack" else battle.defender
    if not side.units:
        raise BattleError("units", "nobody is there to choose from")
    for name, count in (minimum or {}).items():
        check_count(f"minimum.{name}", count, 0, side.count(name), f"of {name} the army has")
