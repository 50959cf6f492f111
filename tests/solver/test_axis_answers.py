"""Battles of any size within a limit of work: solved, or rolled, or told without their plan."""

import pickle
from dataclasses import replace

import pytest

from solver.axis.at_once import solve_at_once
from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.limits import EXACT_CELLS, TIMES, odds_within, sensitivity_within
from solver.axis.sides import Army, Retreat
from solver.axis.simulation import sample
from solver.axis.solve import DROPPED, solve_axis, solve_chain
from solver.axis.waves.waves import Waves
from solver.errors import TooLargeError
from solver.progress import Meter
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import RULES

LAND = AxisBattle(RULES, "land", Army.of({"infantry": 12, "tank": 4}), Army.of({"infantry": 14}))
PLENTY, SCANTY = 10**9, 10**3


@pytest.fixture(autouse=True)
def _few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roll fewer battles in the usual run, and in few parts: a part takes its time however few they are."""
    monkeypatch.setattr(sample, "MOST_WORK", pick(5_000, sample.MOST_WORK))
    monkeypatch.setattr(sample, "PARTS", pick(2, sample.PARTS))


def test_small_battles_are_exact_and_larger_ones_have_an_error() -> None:
    assert odds_within(LAND, DROPPED, PLENTY).error == 0
    large = replace(LAND, attacker=Army.of({"infantry": 90}), defender=Army.of({"infantry": 90}))
    assert EXACT_CELLS < 91**2
    odds = odds_within(large, DROPPED, PLENTY)
    assert 0 < odds.error <= DROPPED
    assert odds_within(large, 0.0, PLENTY).error == 0
    assert odds.takes == pytest.approx(solve_axis(large, 0).takes, abs=odds.error)


def test_a_battle_of_too_much_work_is_simulated() -> None:
    odds = odds_within(LAND, DROPPED, SCANTY)
    assert odds.sampled > 0
    assert odds.takes == pytest.approx(solve_axis(LAND).takes, abs=2 * odds.error)


def test_a_battle_of_too_much_work_for_its_plan_has_no_plan() -> None:
    planned = replace(LAND, retreat=Retreat(profit_below=0, units_at_most=2), decline_allowed=False)
    meter = Meter()
    if not solve_at_once(planned, 0.0, meter):
        chain = AxisChain(planned)
        solve_chain(chain, 0.0)
        meter = chain.meter
    enough, too_little = meter.done / TIMES * 1.01, meter.done / TIMES * 0.7
    assert not odds_within(planned, DROPPED, int(enough)).unplanned
    odds = odds_within(planned, DROPPED, int(too_little))
    assert odds.unplanned
    assert odds.to_dict()["waves"][0]["unplanned"]
    plain = replace(planned, retreat=Retreat(units_at_most=2))
    assert odds.takes == pytest.approx(solve_axis(plain, 0).takes)
    rolled = odds_within(planned, DROPPED, SCANTY)
    assert rolled.unplanned
    assert rolled.sampled


def test_sensitivity_solves_a_battle_for_each_changed_unit() -> None:
    wins, changes = sensitivity_within(Waves.one(LAND), PLENTY)
    assert wins == pytest.approx(solve_axis(LAND).wins)
    more = next(one for one in changes if (one.role, one.unit, one.more) == ("attack", "tank", 1))
    assert more.wins == pytest.approx(
        solve_axis(replace(LAND, attacker=Army.of({"infantry": 12, "tank": 5}))).wins, abs=1e-7
    )
    with pytest.raises(TooLargeError, match="too large to try"):
        sensitivity_within(Waves.one(LAND), SCANTY)


@pytest.mark.parametrize("size", [900, 10_000])
def test_a_fleet_with_too_many_forces_is_refused(size: int) -> None:
    fleet = Army.of({"fighter": size, "submarine": size, "destroyer": size})
    with pytest.raises(TooLargeError, match="too many ways"):
        AxisChain(AxisBattle(RULES, "sea", fleet, fleet))


def test_a_too_large_error_keeps_its_type_through_prefix_and_pickle() -> None:
    error = TooLargeError("units", "more than {most} is too much work", most=3).with_prefix("waves.0")
    sent = pickle.loads(pickle.dumps(error))
    assert (type(sent), sent.field, sent.reason) == (
        TooLargeError,
        "waves.0.units",
        "more than 3 is too much work",
    )
