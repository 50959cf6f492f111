"""Our odds of Axis & Allies battles compared with brute force and with tables from outside."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds
from solver.axis.solve import solve_axis
from tests.helpers.solver import axis_brute
from tests.helpers.solver.any_axis_battle import Document
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_rules import End
from tests.helpers.solver.kernels import each_kernel


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
