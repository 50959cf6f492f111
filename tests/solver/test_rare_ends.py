"""Rare ends of simulated battles: their chances against those of battles that can be solved."""

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest

from solver.axis.sides import Retreat
from solver.axis.simulation import rare, sample
from solver.axis.simulation.rare import LEAST_TOLD, RARE, find_rare_end, with_rare_end
from solver.axis.simulation.sample import sample_axis
from solver.axis.solve import solve_axis
from tests.helpers.bot.lines import wave_of
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import battle
from tests.helpers.solver.sampled_battles import rare_ends

FLEET = "4 submarine, 4 destroyer, 2 carrier, 4 fighter, 2 battleship"
BATTLES = {
    "land": battle("land", "20 infantry, 5 tank", "30 infantry, 3 tank"),
    "one in a billion": battle("land", "20 infantry, 5 tank", "32 infantry, 8 tank"),
    "guns": battle("land", "9 infantry, 9 fighter", "17 infantry, 2 tank, 2 aa_gun"),
    "fleets": battle("sea", FLEET, "6 submarine, 5 destroyer, 2 carrier, 5 fighter, 4 battleship"),
    "low luck": battle("land", "12 infantry, 6 tank", "16 infantry, 2 tank", dice="low_luck"),
    "biased dice": battle("land", "20 infantry, 3 tank", "27 infantry, 3 tank", dice="biased"),
    "a limit": battle("land", "20 infantry, 5 tank", "29 infantry, 3 tank", round_limit=7),
    "a retreat": battle(
        "land", "20 infantry, 9 tank", "33 infantry, 5 tank", retreat=Retreat(units_at_most=6), decline_allowed=False
    ),
}


@pytest.fixture(autouse=True)
def _fewer_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roll a sixteenth of the usual battles: a part takes its time however few they are."""
    for name, value in pick({"PARTS": 4, "AT_ONCE": 1_024}, {}).items():
        monkeypatch.setattr(rare, name, value)
    monkeypatch.setattr(sample, "PARTS", pick(2, sample.PARTS))


@each(pick(["guns", "fleets", "biased dice", "a retreat"], BATTLES))
def test_a_rare_victory_has_an_interval_around_its_chance(name: str) -> None:
    truth = solve_axis(BATTLES[name], 0).wins
    found = find_rare_end(BATTLES[name], "wins", 1)
    assert 0 < truth < 0.06
    assert found
    assert found.least < found.chance < found.most
    assert found.least <= truth <= found.most
    assert found.most < 3 * found.least


@pytest.mark.whole
def test_estimates_of_rare_ends_average_to_the_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rare, "PARTS", 16)
    monkeypatch.setattr(rare, "AT_ONCE", 64)
    monkeypatch.setattr(rare, "TRIED", 64)
    monkeypatch.setattr(rare, "LARGEST_FACTOR", 1e9)
    fought, seeds = battle("land", "6 infantry, 1 tank", "9 infantry, 1 tank"), 40
    told = [find_rare_end(fought, "wins", seed) for seed in range(seeds)]
    estimates = np.array([one.chance for one in told if one])
    assert len(estimates) == seeds
    truth = solve_axis(fought, 0).wins
    assert estimates.mean() == pytest.approx(truth, abs=4 * estimates.std() / sqrt(seeds))
    assert estimates.std() / sqrt(seeds) < 0.05 * truth


@pytest.mark.whole
def test_intervals_of_rare_ends_are_right_in_nearly_all_battles() -> None:
    """The chances of these random battles are from one in a thousand to one in 100 billion."""
    told = list(rare_ends(range(5_000, 5_060)))
    wrong = [(found, truth) for found, truth in told if not found.least <= truth <= found.most]
    assert len(told) >= 8
    assert len(wrong) <= 1
    off = [abs(log(found.chance / truth)) for found, truth in told]
    assert sorted(off)[len(off) // 2] < 0.1, "most of them are much nearer than an order of magnitude"


def test_impossible_ends_have_no_estimate() -> None:
    for fought in (
        battle("land", "3 infantry", "30 infantry", round_limit=1),
        battle("land", "3 infantry", "9 infantry", dice="low_luck", round_limit=2),
        battle("land", "6 fighter", "1 infantry"),
    ):
        assert find_rare_end(fought, "wins", 1) is None
    hopeless = battle("land", "10 infantry", "60 infantry")
    assert 0 < solve_axis(hopeless, 0).wins < LEAST_TOLD
    assert find_rare_end(hopeless, "wins", 1) is None


@pytest.mark.parametrize("seed", pick([1], range(8)))
def test_rare_ends_after_long_battles_in_the_air_have_an_estimate(seed: int) -> None:
    """The first battle can be solved; the chance of the other was measured with many tilts that agree."""
    small = wave_of("5 bat 8 art 5 fig vs 9 art 1 arm 7 fig 8 inf variant:1914")
    large = wave_of("28 art 34 fig 24 bat 14 inf vs 15 inf 39 arm 37 fig variant:1914")
    truth = solve_axis(small, 0).end_chances["holds"]
    for fought, chance in pick([(large, 2.93e-8)], [(small, truth), (large, 2.93e-8)]):
        found = find_rare_end(fought, "holds", seed)
        assert found
        assert found.least <= chance <= found.most
        assert found.most < 3 * found.least


def test_too_long_battles_have_no_estimate_of_a_rare_end(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs, limit = pick(
        ("5 infantry, 5 tank", "100 aa_gun, 1 infantry", 6),
        ("20 infantry, 20 tank", "9000 aa_gun, 1 infantry", rare.MOST_ROUNDS),
    )
    monkeypatch.setattr(rare, "MOST_ROUNDS", limit)
    long = battle("land", ours, theirs)
    assert find_rare_end(long, "wins", 1) is None
    odds = sample_axis(long, 200, seed=1)
    assert odds.rounds > limit
    assert with_rare_end(long, odds) is odds
    # Now no tilt has a good share of battles with the end, and the search goes on to its last trial.
    monkeypatch.setattr(rare, "LEAST_SHARE", rare.MOST_SHARE)
    monkeypatch.setattr(rare, "TRIALS", pick(2, rare.TRIALS))
    assert find_rare_end(long, "wins", 1) is None


def test_only_simulated_odds_get_an_estimate_of_a_rare_end() -> None:
    for fought, name in (
        (BATTLES["fleets"], "wins"),
        (battle("sea", FLEET, "3 submarine, 2 destroyer, 1 carrier, 2 fighter, 1 battleship"), "holds"),
    ):
        odds = with_rare_end(fought, sample_axis(fought, 2_000, seed=1), seed=1)
        assert odds.rare
        assert odds.rare.name == name
        assert odds.rare.chance < RARE
        assert odds.to_dict()["rare"] == odds.rare._asdict()
        solved = solve_axis(fought)
        assert with_rare_end(fought, solved) is solved
        assert "rare" not in solved.to_dict()
    even = sample_axis(battle("land", "5 infantry", "4 infantry"), 2_000, seed=1)
    assert with_rare_end(battle("land", "5 infantry", "4 infantry"), even) is even
    assert replace(even, rare=None).to_dict() == even.to_dict()
