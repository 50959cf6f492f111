"""Our odds of Axis & Allies battles compared with brute force, with tables from outside, and one by one."""

import json
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import with_order
from solver.axis.best.order_sweep import sweep_orders
from solver.axis.best.part_odds import parts_odds
from solver.axis.best.parts import PartsOdds, with_units
from solver.axis.odds import AxisOdds
from solver.axis.sides import Units
from solver.axis.solve import solve_axis
from solver.axis.units import Role
from solver.axis.waves.odds import WavesOdds
from tests.helpers.solver import axis_brute, axis_waves_brute
from tests.helpers.solver.any_axis_battle import Document
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_rules import End
from tests.helpers.solver.kernels import each_kernel

NUMBERS = ("attacker_survives", "defender_survives", "takes", "attacker_loss", "defender_loss", "rounds")


def ends_of(odds: AxisOdds) -> dict[End, float]:
    """The joint law of what becomes of both sides."""
    law: dict[End, float] = {}
    for row, column, chance in zip(odds.rows.tolist(), odds.columns.tolist(), odds.chances.tolist(), strict=True):
        ours, theirs = odds.attackers[row], odds.defenders[column]
        end = End(ours.left, ours.gone, ours.lost, theirs.left, theirs.gone, theirs.lost)
        law[end] = law.get(end, 0.0) + chance
    return law


def agree(battle: Document) -> AxisOdds:
    """Compare everything that is said of a battle; returns its odds."""
    odds = solve_axis(AxisBattle.from_dict(battle, RULES), 0)
    compare(odds, axis_brute.solve(battle))
    return odds


def agree_with_each_kernel(battle: Document) -> None:
    """The same with each kernel, while the slow twin works it out once."""
    answer = axis_brute.solve(battle)
    for _kernel in each_kernel():
        compare(solve_axis(AxisBattle.from_dict(battle, RULES), 0), answer)


def compare(odds: AxisOdds, answer: axis_brute.Answer) -> None:
    """Compare everything that is said of a battle with the slow twin's answer."""
    given, wanted = ends_of(odds), {end: float(chance) for end, chance in answer.ends.items()}
    assert given == pytest.approx({end: wanted.get(end, 0.0) for end in given.keys() | wanted.keys()}, rel=0, abs=1e-9)
    for name in ("takes", "attacker_survives", "defender_survives", "attacker_loss", "defender_loss", "rounds"):
        assert getattr(odds, name) == pytest.approx(float(getattr(answer, name)), rel=0, abs=1e-9), name
    profits: dict[float, float] = {}
    for amount, chance in answer.profit.items():
        rounded = round(float(amount), 6) + 0.0
        profits[rounded] = profits.get(rounded, 0.0) + float(chance)
    amounts, chances = odds.profit
    assert dict(zip(amounts.round(6).tolist(), chances.tolist(), strict=True)) == pytest.approx(
        profits, rel=0, abs=1e-9
    )


def table(rows: Iterable[list[Any]]) -> dict[str, float]:
    """A table of an answer: what it says of each, and its chance; rows that say the same are put together."""
    chances: dict[str, float] = {}
    for *said, chance in rows:
        key = json.dumps([round(one, 4) + 0.0 if isinstance(one, int | float) else one for one in said], sort_keys=True)
        chances[key] = chances.get(key, 0.0) + chance
    return chances


def furthest(given: Iterable[list[Any]], wanted: Iterable[list[Any]]) -> float:
    """The most that a chance in one table is off that in another; who is missing has none."""
    ours, theirs = table(given), table(wanted)
    return max((abs(ours.get(key, 0.0) - theirs.get(key, 0.0)) for key in ours.keys() | theirs.keys()), default=0.0)


def _odds_alone(battle: AxisBattle, role: Role, odds: PartsOdds, part: int) -> dict[str, float]:
    """The odds of one of the parts, solved by itself."""
    units = tuple(zip(odds.names, odds.units[part].tolist(), strict=True))
    one = solve_axis(with_units(battle, role, units), 0)
    survives = one.attacker_survives if role == "attack" else one.defender_survives
    return {"survives": survives, "wins": one.wins, "profit": one.defender_loss - one.attacker_loss}


def agree_on_parts(battle: AxisBattle, role: Role, every: int = 1) -> PartsOdds:
    """Compare parts with themselves solved one by one."""
    odds = parts_odds(battle, role)
    side = battle.attacker if role == "attack" else battle.defender
    known = battle.rules.table
    counts = [count for name, count in side.units if not known[name].captured]
    assert len(odds.units) == len(np.unique(odds.units, axis=0)) == np.prod([count + 1 for count in counts])
    for part in range(0, len(odds.units), every):
        expected = _odds_alone(battle, role, odds, part)
        given = {name: float(value[part]) for name, value in odds.values.items()}
        assert given == pytest.approx(expected, rel=0, abs=1e-9), odds.units[part]
        prices = (battle.worth.of(known[name], role) * (not known[name].captured) for name in odds.names)
        cost = sum(count * price for count, price in zip(odds.units[part], prices, strict=True))
        assert odds.cost[part] == pytest.approx(cost, rel=1e-12)
    return odds


def check_sweep(battle: AxisBattle, role: Role) -> None:
    """Compare the sweep of all orders of a side with each, or a hundred of them, solved by itself."""
    names = battle.order_of_loss(role)
    changed = [with_order(battle, role, order) for order in permutations(names)]
    found = sweep_orders(battle, role, [one.segments(role) for one in changed])
    step = 1 + len(changed) // 100
    odds = [solve_axis(one, 0) for one in changed[::step]]
    alone = np.array([(one.wins, one.defender_loss - one.attacker_loss) for one in odds])
    assert found[::step] == pytest.approx(alone, rel=1e-9, abs=1e-11)


def compare_waves(odds: WavesOdds, twin: axis_waves_brute.Answer) -> None:
    """Compare everything that is said of waves with the slow twin's answer."""
    for number, (ours, told) in enumerate(zip(odds.waves, twin.waves, strict=True)):
        assert ours.fought == pytest.approx(float(told.fought), abs=1e-11), number
        answer = ours.to_dict()
        for name in NUMBERS:
            assert answer[name] == pytest.approx(float(getattr(told, name)), rel=1e-10, abs=1e-10), (number, name)
        assert furthest(answer["profit"], [[float(money), float(of)] for money, of in told.profit.items()]) < 1e-10
        for name in ("attackers", "defenders"):
            rows = [[*map(dict, row), float(of)] for row, of in getattr(told, name).items()]
            assert furthest(answer[name], rows) < 1e-10, (number, name)
    _check_together(odds, twin.joint)
    _check_fleets(odds, twin.fleets)
    check_profit(odds, twin.profit)


def check_profit(odds: WavesOdds, law: dict[Fraction, Fraction]) -> None:
    assert odds.joint is not None
    ours = [list(pair) for pair in zip(*(part.tolist() for part in odds.joint.profit), strict=True)]
    assert furthest(ours, [[float(money), float(of)] for money, of in law.items()]) < 1e-10


def _check_together(odds: WavesOdds, joint: axis_waves_brute.Joint) -> None:
    every = odds.joint
    assert every is not None
    found: dict[Any, float] = {}
    for end, chance in enumerate(every.chances.tolist()):
        field = every.fields[every.at[end]]
        lost = (every.losses[side][every.lost[side, end]] for side in (0, 1))
        key = (*lost, None if field.holder is None else "AD"[field.holder], field.units)
        found[key] = found.get(key, 0.0) + chance
    assert found.keys() == {key for key, chance in joint.items() if chance}
    for key, chance in found.items():
        assert chance == pytest.approx(float(joint[key]), rel=1e-9, abs=1e-13), key


def _check_fleets(odds: WavesOdds, fleets: dict[tuple[str, Units, Units], Fraction]) -> None:
    every = odds.joint
    assert every is not None
    found = {
        ("AD"[field.holder or 0], field.units, field.against): chance
        for field, chance in zip(every.fields, every.left.tolist(), strict=True)
        if field.against
    }
    assert found == pytest.approx({key: float(chance) for key, chance in fleets.items()}, rel=1e-9, abs=1e-13)
    for side in (0, 1, None):
        assert odds.held[side] == pytest.approx(every.hold_chance(side), rel=1e-9, abs=1e-13)
