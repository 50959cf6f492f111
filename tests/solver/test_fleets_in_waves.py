"""Fleets that stay in a sea zone between waves, against the slow twin and in live battles."""

import tracemalloc
from dataclasses import replace

import pytest

from solver.axis import solve
from solver.axis.waves.ahead import Holder, WaveFuture
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.joint import FinalField
from solver.axis.waves.odds import WavesOdds, solve_waves
from solver.axis.waves.steps import waves_worth
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.errors import TooLargeError
from solver.progress import Meter
from tests.helpers.bot.lines import waves_of
from tests.helpers.extent import pick
from tests.helpers.solver import axis_waves_brute as brute
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_compare import compare_waves
from tests.helpers.solver.axis_fought import check_that_chances_are_means
from tests.helpers.solver.dice_rolled import script


def solved_as_by_twin(line: str) -> WavesOdds:
    waves = waves_of(line)
    odds = solve_waves(waves, 0)
    compare_waves(odds, brute.solve(waves.to_dict()))
    assert waves_worth(waves, Meter()).holds == pytest.approx(odds.hold_chance(0), abs=1e-12)
    return odds


def as_before(waves: Waves) -> Waves:
    return replace(waves, battles=tuple(replace(battle, ruling=4) for battle in waves.battles))


def test_the_winners_of_an_earlier_wave_defend_in_a_hold() -> None:
    odds = solved_as_by_twin("3 bat vs 1 des then 1 des then hold 2 cru")
    assert 0.99999 < odds.hold_chance(0) < 1
    assert odds.waves[1].fought < 1e-9
    old = solve_waves(as_before(waves_of("3 bat vs 1 des then 1 des then hold 2 cru")), 0)
    assert old.hold_chance(0) == pytest.approx(0.025, abs=5e-4), "as old logs have it"


def test_planes_join_the_ships_of_an_earlier_wave() -> None:
    odds = solved_as_by_twin("3 bat vs 1 des then 2 fig")
    assert odds.hold_chance(0) > 0.999
    assert odds.joint is not None
    joined = FinalField(0, (("battleship", 3), ("fighter", 2)))
    assert odds.joint.left[odds.joint.fields.index(joined)] > 0.99


def test_a_lone_submerged_submarine_defends_in_a_hold() -> None:
    odds = solved_as_by_twin("1 sub 1 des submerge vs 1 fig then hold 1 des")
    assert odds.waves[1].fought == pytest.approx(0.42857, abs=1e-5)
    later = solved_as_by_twin("1 sub submerge vs 1 fig then 1 des then hold 1 des")
    assert [odds.hold_chance(side) for side in (0, 1, None)] == pytest.approx(
        [later.hold_chance(side) for side in (0, 1, None)]
    )
    old = solve_waves(as_before(waves_of("1 sub 1 des submerge vs 1 fig then hold 1 des")), 0)
    assert old.waves[1].fought == pytest.approx(1 / 7), "as old logs have it"


def test_planes_of_a_wave_without_enemies_do_not_crash() -> None:
    second = solved_as_by_twin("3 des vs 1 sub then 2 fig acrash").waves[1]
    assert second.attacker_loss == pytest.approx(20 * second.fought, abs=1e-12)
    old = solve_waves(as_before(waves_of("3 des vs 1 sub then 2 fig acrash")), 0)
    assert old.waves[1].attacker_loss == pytest.approx(20), "as old logs have it"


def test_a_wave_is_fought_only_if_enemies_are_left() -> None:
    odds = solved_as_by_twin("3 des vs 2 des then 2 sub")
    wave, both = odds.waves[1], odds.waves[0].own.end_chances["nobody"]
    assert 1 - wave.fought == pytest.approx(odds.waves[0].own.wins + both)
    assert odds.waves[0].wins == pytest.approx(0.817, abs=5e-4)
    assert wave.own.chances.sum() == pytest.approx(1), "the attackers are there"
    assert odds.hold_chance(0) == pytest.approx(1 - wave.fought + wave.wins)
    assert wave.wins + sum(wave.own.end_chances.values()) == pytest.approx(wave.fought)
    assert wave.to_dict()["wins"] == wave.wins


def test_a_fleet_stays_beside_submerged_enemies() -> None:
    odds = solved_as_by_twin("1 cru vs 1 sub dsubmerge then 1 bom")
    assert odds.joint is not None
    assert odds.joint.fields == (FinalField(1, (("submarine", 1),), against=(("bomber", 1), ("cruiser", 1))),)
    assert odds.joint.to_dict()["left"] == [
        [{"holder": "defender", "units": {"submarine": 1}, "against": {"bomber": 1, "cruiser": 1}}, 1.0]
    ]


LIVE = [
    "1 des vs 1 sub then 1 fig vs 1 sub then hold 1 des",
    "1 sub submerge vs 1 cru then 1 fig vs 1 tra then hold 1 sub",
    "1 sub vs 1 fig then 1 cru then hold 1 des",
    "1 cru 1 sub submerge vs 1 bat retreat:units<=2 then 1 bat",
    "1 des vs 1 sub then 1 fig acrash then hold 1 sub",
    "1 sub 1 des submerge vs 1 fig then hold 1 des",
]
"""Reinforcements, submarines under water, a stand-off, an attack that is declined, and planes without a carrier."""


@pytest.mark.parametrize("line", LIVE)
def test_chances_after_a_throw_of_fleets_average_to_the_chance_before(line: str) -> None:
    odds = solved_as_by_twin(line)
    check_that_chances_are_means(waves_of(line), odds.hold_chance(0))


def test_a_hold_adds_missing_kinds_to_its_casualty_order() -> None:
    document = waves_of("3 bat vs 1 des then 1 des then hold 2 cru").to_dict()
    document["waves"][2]["defender"]["loss_order"] = ["destroyer"]
    waves = battle_from_dict(document, RULES)
    assert isinstance(waves, Waves)
    assert waves.battles[2].order_of_loss("defence") == ("destroyer", "battleship")


def test_lookahead_counts_the_fleet_of_earlier_waves() -> None:
    for line in (
        "1 des vs 1 sub dsubmerge then 1 cru vs 1 des retreat:profit<0 lookahead then hold 1 cru",
        "1 des 1 cru vs 1 sub then 1 cru vs 1 des retreat:profit<2 lookahead then hold 1 bat",
        "1 des vs 1 sub then 1 tra vs 1 des retreat:profit<0 lookahead then 1 bat then hold 1 cru",
        "1 des vs 1 sub retreat:profit<1 lookahead then 1 fig acrash then hold 1 cru",
    ):
        waves = waves_of(line)
        assert waves.look_ahead
        odds = solved_as_by_twin(line)
        assert odds.joint is not None
        (planned,) = WaveFuture(waves, Meter()).worths_against(0, Holder(-1, ()), [()])
        assert planned == pytest.approx(float(odds.joint.profits @ odds.joint.chances), abs=1e-9)


def test_a_live_battle_skips_waves_without_enemies() -> None:
    waves = waves_of("1 des vs 1 des then 1 fig then hold 1 cru")
    after = WavesFight.begin(waves).throw(script(2, 6))[1]
    assert (after.wave, after.fight.left) == (2, ({"cruiser": 1}, {"destroyer": 1, "fighter": 1}))
    old = WavesFight.begin(as_before(waves)).throw(script(2, 6))[1]
    assert old.ended == "nobody", "as old logs have it"


def test_chances_of_fleets_are_the_same_without_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    waves = waves_of("2 des 1 cru vs 2 sub 1 des then 1 fig 1 des vs 1 sub then hold 2 sub 1 des")
    usual = solve_waves(waves, 0)
    monkeypatch.setattr("solver.axis.waves.odds.MOST_WORK", 10.0)
    short = solve_waves(waves, 0)
    assert (usual.joint is None, short.joint is None) == (False, True)
    assert [short.hold_chance(side) for side in (0, 1, None)] == pytest.approx(
        [usual.hold_chance(side) for side in (0, 1, None)], abs=1e-12
    )


def test_waves_solved_separately_have_the_same_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in (
        "2 des 1 cru vs 2 sub 1 des then 1 fig 1 des vs 1 sub then hold 2 sub 1 des",
        "2 des vs 2 des rounds:2 retreat:profit<0 lookahead then 1 cru vs 1 des rounds:1 then hold 1 des",
    ):
        waves = waves_of(line)
        usual, worth = solve_waves(waves, 0), waves_worth(waves, Meter())
        with monkeypatch.context() as patch:
            patch.setattr(solve, "MOST_TOGETHER", 1)
            alone = solve_waves(waves, 0)
            assert waves_worth(waves, Meter()) == pytest.approx(worth, abs=1e-12)
        assert usual.joint is not None
        assert alone.joint is not None
        assert alone.joint.fields == usual.joint.fields
        assert alone.joint.left.tolist() == pytest.approx(usual.joint.left.tolist(), abs=1e-12)
        assert alone.rounds == pytest.approx(usual.rounds, abs=1e-12)


def test_waves_against_hundreds_of_fleets_take_little_memory() -> None:
    fleet = "3 sub 2 des 1 cru 2 fig 1 acc"
    waves = waves_of(f"{fleet} vs {fleet} then {fleet} vs {fleet} then {fleet} vs {fleet} then hold {fleet}")
    tracemalloc.start()
    try:
        with pytest.raises(TooLargeError):
            waves_worth(waves, Meter(pick(20e6, 60e6)))
        assert tracemalloc.get_traced_memory()[1] < 30e6
    finally:
        tracemalloc.stop()
