"""The luck of simulated battles, and the hits that it brings: each battle for itself meets real dice."""

import numpy as np
import pytest

from solver.axis.kernel.hits import hit_laws
from solver.axis.sides import Dice
from solver.axis.simulation.even_luck import THROWS, EvenLuck, sobol_points
from solver.axis.simulation.lucky_hits import LuckyHits
from solver.axis.simulation.sample import chance_error, mean_error
from tests.helpers.cases import each

DICE: tuple[Dice, ...] = ("standard", "biased", "low_luck")
VOLLEYS = np.array(
    [[0, 0, 0, 0, 0, 0, 0], [3, 2, 0, 0, 0, 0, 0], [0, 4, 7, 3, 9, 0, 1], [0, 0, 0, 1, 0, 0, 0], [0, 1, 1, 1, 1, 1, 1]]
)
FINE = 60_000


def luck_of(seed: int, battles: int) -> EvenLuck:
    return EvenLuck(battles, np.random.SeedSequence(seed))


def test_points_of_even_luck_are_evenly_spread_over_throws() -> None:
    points = sobol_points(256)
    for throw in range(THROWS):
        assert sorted(points[throw] >> np.uint32(24)) == list(range(256)), throw
        assert (points[throw] & np.uint32(2**24 - 1) == 0).all()
    # The first two are those of dice on land: one in each of 16 x 16 squares.
    assert len(set(zip(points[0] >> np.uint32(28), points[1] >> np.uint32(28), strict=True))) == 256


def test_neighbouring_battles_share_out_even_luck() -> None:
    here, ahead = np.arange(64), np.tile([3.0, -1.0, 2.0, 0.5], 16)
    single = []
    for seed in range(400):
        luck = luck_of(seed, 64)
        luck.begin((1, 0), here, ahead)
        for throw in range(THROWS):
            numbers = luck.numbers((1, 0), throw, here)
            for group in (-1.0, 0.5, 2.0, 3.0):
                assert sorted((16 * numbers[ahead == group]).astype(int)) == list(range(16))
        single.append(luck.numbers((1, 0), 0, np.array([17]))[0])
    # Kolmogorov's distance is below this in 999 of 1000 cases.
    assert np.abs(np.sort(single) - (np.arange(400) + 0.5) / 400).max() < 1.95 / np.sqrt(400)


def test_battles_equally_far_ahead_change_places_at_each_throw() -> None:
    luck, here = luck_of(1, 64), np.arange(64)
    places = []
    for moment in ((0, 0, 0), (1, 0), (1, 1)):
        luck.begin(moment, here, np.repeat([1.0, 0.0], 32))
        order = np.argsort(luck._places[moment])
        assert sorted(order[:32]) == list(range(32, 64)), "those behind stay behind"
        places.append(order.tolist())
    assert places[0] != places[1] != places[2] != places[0]


def test_a_second_plan_gets_equal_luck_in_each_battle() -> None:
    luck, here = luck_of(1, 50), np.arange(50)
    luck.begin((1, 0), here, np.linspace(1, -1, 50))
    before = luck.numbers((1, 0), 3, here)
    luck.begin((1, 0), here[::2], np.zeros(25))
    assert (luck.numbers((1, 0), 3, here[::2]) == before[::2]).all()
    other = luck_of(2, 50)
    other.begin((1, 0), here, np.linspace(1, -1, 50))
    assert (other.numbers((1, 0), 3, here) != before).all()


def hits_of(volley: np.ndarray, dice: Dice, luck: np.ndarray, tilt: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    powers = np.repeat(volley[None], len(luck), axis=0)
    return LuckyHits(dice, tilt).hits(powers, luck, np.random.default_rng(1))


@each([(dice, tilt) for dice in DICE for tilt in [0.0, 0.7, -1.3]])
def test_even_luck_with_weights_has_the_law_of_hits(dice: Dice, tilt: float) -> None:
    grid = (np.arange(FINE) + 0.5) / FINE
    for volley in VOLLEYS:
        law = hit_laws(volley[None], dice)[0]
        hits, weights = hits_of(volley, dice, grid, tilt)
        assert (np.diff(hits) >= 0).all(), "more luck never brings fewer hits"
        found = np.bincount(hits, np.exp(weights), len(law)) / FINE
        assert found == pytest.approx(law, abs=np.exp(weights).max() * 1.5 / FINE)
        if not tilt:
            assert (weights == 0).all()
        elif 0 < law[0] < 1:
            assert (hits.mean() > law @ np.arange(len(law))) == (tilt > 0)


@each(DICE)
def test_further_dice_never_reduce_hits(dice: Dice) -> None:
    luck = np.random.default_rng(1).random(2_000)
    for strength in range(1, 7):
        more = VOLLEYS + np.eye(7, dtype=int)[strength]
        for one, other in zip(VOLLEYS, more, strict=True):
            assert (hits_of(one, dice, luck)[0] <= hits_of(other, dice, luck)[0]).all()


def test_different_volleys_are_looked_up_together() -> None:
    generator = np.random.default_rng(1)
    which, luck = generator.integers(len(VOLLEYS), size=500), generator.random(500)
    for dice in DICE:
        together, _ = LuckyHits(dice).hits(VOLLEYS[which], luck, generator)
        for place, volley in enumerate(VOLLEYS):
            assert (together[which == place] == hits_of(volley, dice, luck[which == place])[0]).all()


@each([0.0, 0.4])
def test_thousands_of_dice_are_rolled_without_a_table(tilt: float) -> None:
    volley = np.array([0, 3_000, 0, 2_000, 0, 0, 10])
    hits, weights = hits_of(volley, "standard", np.full(20_000, 0.5), tilt / 20)
    shares = np.exp(weights)
    mean, variance = 500 + 1_000 + 10, 3_000 * 5 / 36 + 500
    assert shares.mean() == pytest.approx(1, abs=5 * shares.std() / np.sqrt(20_000) + 1e-12)
    spread = (shares * (hits - mean)).std()
    assert (shares * hits).mean() - mean * shares.mean() == pytest.approx(0, abs=5 * spread / np.sqrt(20_000))
    if not tilt:
        assert hits.var() == pytest.approx(variance, rel=0.05)


def test_the_error_follows_the_t_distribution() -> None:
    """Of sixteen parts it is 2.131 standard errors; of eight, whatever they are, the truth is within it as often."""
    sums, sizes = np.array([1.0, 3.0] * 8), np.full(16, 10)
    assert mean_error(sums, sizes) == pytest.approx(2.13145 * np.std(sums, ddof=1) / 4 / 10, rel=1e-4)
    assert mean_error(sums[:1], sizes[:1]) == float("inf")
    assert chance_error(sums[:1], sizes[:1]) == 1
    assert chance_error(np.zeros(16), sizes) == 4 / 160
    found = np.random.default_rng(1).normal(size=(4_000, 8))
    right = sum(abs(part.sum() / 80) <= mean_error(part, np.full(8, 10)) for part in found)
    assert right == pytest.approx(3_800, abs=50)
