"""About how many seconds of a processor a piece of work takes, known before it is begun.

Estimates are rough, within a factor of about 5: they decide who waits for whom and how much somebody may still ask. A
wrong one loses nothing: work that only seemed cheap is broken off, and the time it really took is remembered.
"""

import logging
from collections.abc import Callable, Hashable, Mapping
from math import factorial, prod
from typing import Any

from cachetools import LRUCache

from bot.jobs import draw, in_fractions, tabulate
from bot.replay import Rolled, check
from bot.rolling import advance
from solver import Battle, DiceChain, solve
from solver.advice import advice
from solver.axis import AxisBattle
from solver.axis_answers import (
    armies_within,
    matters_within,
    odds_within,
    placements_within,
    survey_within,
    waves_within,
)
from solver.axis_needs import Goal
from solver.axis_odds import DROPPED
from solver.axis_orders import best_orders
from solver.bombing import Raid, solve_raid
from solver.paths import Path, march
from solver.placing import Placing
from solver.sides import Side as Army
from solver.tables import Side, need, need_of_many, sized, tries_of_many, worth_going_on
from solver.waves import Waves

log = logging.getLogger(__name__)

CHEAP = 0.05
"""Seconds up to which work is cheap."""
USUAL = 0.01
"""Seconds for work that never takes long."""
STEP = 7e-9
"""Seconds of a step, the unit of `DiceChain.work`; on a slow day."""
PICTURE = 0.03
MOST = 3.0
"""What the largest battle of Axis & Allies takes: there the solver counts its work and stops."""
MOST_KNOWN = 1_000
"""The most pieces of work whose time is remembered."""


class Costs:
    """The time that work should take: as long as the same work took before, else by its size."""

    def __init__(self) -> None:
        self._known: LRUCache[Hashable, float] = LRUCache(MOST_KNOWN)

    def expect(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
        """The seconds that this work should take."""
        try:
            known = self._known.get(_key(work, arguments))
            return estimate(work, arguments) if known is None else known
        except Exception:  # Nobody goes without an answer because nobody knows what it costs.
            log.exception("no estimate for %s", work)
            return CHEAP

    def learn(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> None:
        """Remember the time some work took. Earlier times fade slowly, as a worker that kept its tables is quicker."""
        if (key := _key(work, arguments)) is not None:
            self._known[key] = max(seconds, 0.9 * self._known.get(key, 0.0))


def estimate(work: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """The seconds that the sizes in its arguments suggest for some work."""
    by_size = _ESTIMATES.get(work)
    return by_size(*arguments) if by_size else USUAL


def _key(work: Callable[..., Any], arguments: tuple[Any, ...]) -> Hashable:
    """The key under which the time of some work is remembered: its battle. None where the battle does not decide."""
    known = work in _ESTIMATES and work not in (draw, check)
    return (work, arguments[0]) if known else None


# Dice ---------------------------------------------------------------------------------------------------


def _solve(chain: DiceChain) -> float:
    return STEP * chain.work


def _grid(battle: Battle | Path, *_: object) -> float:
    legs = battle.legs if isinstance(battle, Path) else (battle,)
    return STEP * sum(leg.chain().grid_work for leg in legs)


def _need(battle: Battle, side: Side, _goal: float, most: int, shown: int) -> float:
    theirs = battle.defenders if side == "attackers" else battle.attackers
    return _grid(sized(battle, side, min(max(4 * theirs, shown, 8), most)))


def _need_of_many(battle: Battle, side: Side, *_: object) -> float:
    return STEP * tries_of_many(battle, side)


# Axis & Allies ------------------------------------------------------------------------------------------


def _forces(army: Army, land: bool, battle: AxisBattle) -> int:
    """About how many forces a side can be reduced to."""
    if land:
        return 1 + sum(count for _, count in army.units)
    kinds = dict.fromkeys(("sub", "air", "ship"), 1)
    for name, count in army.units:
        unit = battle.rules.table[name]
        kinds["sub" if unit.surprise else "air" if unit.kind == "air" else "ship"] += count
    return prod(kinds.values())


def _axis(battle: AxisBattle, dropped: float = DROPPED, *_: object) -> float:
    land = battle.theatre == "land"
    cells = prod(_forces(side, land, battle) for side in (battle.attacker, battle.defender))
    seconds = 0.004 + 1.2e-6 * cells if land else 0.008 + 1.7e-4 * cells**0.45
    if battle.retreat.plans:
        seconds *= 2 if land else 7
    return min(seconds * (1 if dropped else 3), MOST)


def _waves(waves: Waves, *_: object) -> float:
    return min(2 * sum(map(_axis, waves.battles)), MOST)


def _matters(battle: AxisBattle, *_: object) -> float:
    return min(30 * _axis(battle), MOST)


def _orders(battle: AxisBattle, *_: object) -> float:
    orders = sum(min(factorial(len(side.units)), 200) for side in (battle.attacker, battle.defender))
    return min(orders * _axis(battle), MOST)


def _parts(battle: AxisBattle, goal: Goal, *_: object) -> float:
    own, other = battle.attacker, battle.defender
    if goal.role == "defence":
        own, other = other, own
    land = battle.theatre == "land"
    cells = prod(count + 1 for _, count in own.units) * _forces(other, land, battle)
    return min(0.004 + 1.2e-6 * cells, MOST)


def _placements(placing: Placing, *_: object) -> float:
    shares = prod(count + 1 for _, count in placing.units)
    attacks = [territory.attack for territory in placing.territories]
    cells = sum(_forces(attack.attacker, attack.theatre == "land", attack) for attack in attacks)
    return min(0.01 * len(attacks) + 2e-6 * shares * cells, 2 * MOST)


# Live battles, and the rest -----------------------------------------------------------------------------


def _advance(battle: Rolled, entries: list[Any], *_: object) -> float:
    rolls = USUAL + 1e-4 * len(entries)
    if isinstance(battle, Raid):
        return rolls
    if isinstance(battle, Waves):
        return rolls + _waves(battle)
    if isinstance(battle, AxisBattle):
        rounds = battle.round_limit or 1
        return rolls + min(rounds * _axis(battle), MOST)
    return rolls + _grid(battle)


def _check(document: Mapping[str, Any], *_: object) -> float:
    rolls = document.get("rolls")
    return USUAL + 5e-4 * len(rolls) if isinstance(rolls, list) else USUAL


_ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    solve: _solve,
    march: _grid,
    need: _need,
    need_of_many: _need_of_many,
    tabulate: lambda *asked: PICTURE / 2 + _grid(asked[0]),
    worth_going_on: _grid,
    advice: lambda battle: 4 * _grid(battle),
    in_fractions: lambda battle: 10 * _grid(battle),
    odds_within: _axis,
    waves_within: _waves,
    matters_within: _matters,
    best_orders: _orders,
    armies_within: _parts,
    survey_within: _parts,
    placements_within: _placements,
    solve_raid: lambda raid: 0.001 + 2e-7 * raid.bombers**2,
    advance: _advance,
    check: _check,
    draw: lambda *_: PICTURE,
}
