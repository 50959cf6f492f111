"""How fast Axis & Allies battles are solved, beside the times that aacalc2 2.0.25 takes for the same battles.

    .venv/bin/pytest tests/benchmarks/test_axis_speed.py --benchmark-enable --benchmark-columns=min,median,max,rounds -s

Its times are in milliseconds, of whole answers with all their tables, at its library's usual pruning, on Node 20 with
one thread, on a machine where the plain loop of tests/helpers/speed.py takes 240 ms for 1000 x 1000. Here that
loop is timed in the same run, and the ratio is scaled by it. Ours drop at most 1e-10 of the probability; its largest
error of a chance at these sizes is between 2e-11 (land) and 2e-5 (sea without destroyers).
"""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.axis.odds import AxisOdds
from solver.axis.simulation.sample import sample_axis
from solver.axis.solve import solve_axis
from solver.axis.waves.odds import WavesOdds, solve_waves
from solver.axis.waves.waves import Waves
from solver.compiled import library
from solver.raid import laws
from solver.raid.odds import RaidOdds
from solver.raid.raid import Raid
from solver.raid.solve import solve_raid
from tests.helpers.bot.lines import parse, wave_of
from tests.helpers.solver.axis_battles import RULES, fleets
from tests.helpers.speed import LOOP, by_a_plain_loop, fastest

SLOW = 150.0
"""Milliseconds of theirs from which a battle is only measured on demand."""

LAND = {
    30: "15 inf 6 art 4 arm 3 fig 2 bom vs 19 inf 3 art 4 arm 1 aa 3 fig",
    60: "30 inf 12 art 9 arm 6 fig 3 bom vs 38 inf 6 art 8 arm 2 aa 6 fig",
    100: "50 inf 20 art 15 arm 10 fig 5 bom vs 64 inf 10 art 13 arm 3 aa 10 fig",
}
ORDER = "loss:acc,sub,des,fig,cru,bom,bat"
SEA = {
    20: f"5 fig 1 bom 6 sub 3 des 2 cru 2 acc 1 bat {ORDER} vs 5 fig 5 sub 3 des 3 cru 3 acc 1 bat",
    40: f"10 fig 2 bom 12 sub 6 des 4 cru 4 acc 2 bat {ORDER} vs 10 fig 10 sub 6 des 6 cru 6 acc 2 bat",
    60: f"15 fig 3 bom 18 sub 9 des 6 cru 6 acc 3 bat {ORDER} vs 15 fig 15 sub 9 des 9 cru 9 acc 3 bat",
}
BATTLES = [
    *((f"{n} inf vs {n} inf", theirs) for n, theirs in ((10, 0.15), (50, 5.65), (100, 50.0), (200, 453.3))),
    *((LAND[size], theirs) for size, theirs in ((30, 4.51), (60, 51.4), (100, 310.8))),
    *((f"{LAND[size]} rounds:3", theirs) for size, theirs in ((30, 16.1), (60, 118.5), (100, 507.2))),
    *((f"{LAND[size]} retreat:profit<0", theirs) for size, theirs in ((30, 15.5), (60, 167.4), (100, 1085.0))),
    *((f"{LAND[size]} retreat:win<30.03%", theirs) for size, theirs in ((30, 15.9), (60, 175.7), (100, 1175.0))),
    (f"{LAND[60]} retreat:clear>10.03%", 80.0),
    *((SEA[size], theirs) for size, theirs in ((20, 11.4), (40, 114.1), (60, 367.8))),
    *((f"{SEA[size]} rounds:3", theirs) for size, theirs in ((20, 20.1), (40, 137.0))),
    *((f"{SEA[size]} retreat:profit<0", theirs) for size, theirs in ((20, 162.6), (40, 35_479.0))),
    ("5 fig 1 bom 6 sub 2 cru 2 acc 1 bat loss:acc,sub,fig,cru,bom,bat vs 5 fig 5 sub 3 cru 3 acc 1 bat", 85.4),
    ("10 fig 2 bom 12 sub 4 cru 4 acc 2 bat loss:acc,sub,fig,cru,bom,bat vs 10 fig 10 sub 6 cru 6 acc 2 bat", 7_424.0),
    ("15 fig 3 bom 18 sub 6 cru 6 acc 3 bat loss:acc,sub,fig,cru,bom,bat vs 15 fig 15 sub 9 cru 9 acc 3 bat", 60_505.0),
    ("50 sub 50 des vs 50 sub 50 des", 1_411.0),
    (f"50 fig 1 bom 60 sub 10 des 1 cru 5 acc 2 bat {ORDER} vs 30 fig 40 sub 5 tra 5 des 1 cru 15 acc 1 bat", 7_459.0),
]
BOTH = [LAND[30], LAND[60], LAND[100], SEA[20], SEA[40], f"{SEA[20]} rounds:3", f"{SEA[20]} retreat:profit<0"]
"""Battles that both kernels solve, the compiled one and numpy."""
THREE = [
    "30 inf 5 art 5 arm 5 fig{0} vs 30 inf 5 arm 3 aa 5 fig gunslast",
    "6 inf 2 art 2 fig 1 bom{0} vs gunslast",
    "4 inf 2 art 2 fig{0} vs gunslast",
]
AT_SEA = [
    "5 fig 1 bom 6 sub 2 cru 2 acc 1 bat loss:acc,sub,fig,cru,bom,bat vs 5 fig 5 sub 3 des 3 cru 3 acc",
    "3 fig 3 sub 2 des loss:sub,des,fig",
    "2 fig 2 cru loss:fig,cru",
]
WAVES = [
    (" then ".join(THREE).format(""), 36.4),
    (" then ".join(THREE).format(" retreat:profit<0"), 937.2),
    (" then ".join([LAND[100], LAND[60].partition(" vs")[0], LAND[30].partition(" vs")[0]]), 460.1),
    (" then ".join(AT_SEA), 180.9),
    ("15 inf 6 art 4 arm 3 fig 2 bom vs 12 inf 2 art 1 aa 2 fig then hold 12 inf 4 art 3 arm 3 fig", 3.9),
]

RAIDS = [(10, 0.05), (50, 0.6)]
"""Bombers against a factory that takes 20, and their time."""


@pytest.fixture(scope="module")
def scale() -> float:
    """How many times slower this machine is than the one on which the other times were taken."""
    return fastest(lambda: by_a_plain_loop(1000, 1000), 3)[0] / LOOP


@pytest.mark.parametrize(("line", "theirs"), BATTLES, ids=[line for line, _ in BATTLES])
def test_a_battle_of_axis_and_allies(
    benchmark: BenchmarkFixture, line: str, theirs: float, request: pytest.FixtureRequest
) -> None:
    if benchmark.disabled and theirs > SLOW:
        pytest.skip("large battles are measured on demand")
    battle = wave_of(f"{line} decline:no")

    def work() -> AxisOdds:
        odds = solve_axis(battle)
        odds.to_dict()
        return odds

    rounds = 1 if benchmark.disabled else 5
    ours, odds = fastest(work, rounds)
    assert odds.error <= 1e-10
    assert abs(float(odds.chances.sum()) - 1) <= odds.error + 1e-12
    if not benchmark.disabled:
        ratio = theirs / 1000 / ours * request.getfixturevalue("scale")
        benchmark.extra_info["times as fast"] = ratio
        print(f"\n{line}: {1000 * ours:.1f} ms, {ratio:.2f} times as fast, error {odds.error:.0e}")
    benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(("line", "theirs"), WAVES, ids=[line for line, _ in WAVES])
def test_several_waves_beside_other_calculators(
    benchmark: BenchmarkFixture, line: str, theirs: float, request: pytest.FixtureRequest
) -> None:
    """Theirs multiply the costs of waves as if these had nothing to do with each other; ours are the joint law."""
    waves = parse(f"{line} decline:no").battle
    assert isinstance(waves, Waves)

    def work() -> WavesOdds:
        odds = solve_waves(waves)
        odds.to_dict()
        return odds

    rounds = 1 if benchmark.disabled else 5
    ours, odds = fastest(work, rounds)
    assert odds.error <= 2e-10
    if not benchmark.disabled:
        ratio = theirs / 1000 / ours * request.getfixturevalue("scale")
        benchmark.extra_info["times as fast"] = ratio
        print(f"\n{line}: {1000 * ours:.1f} ms, {ratio:.2f} times as fast, error {odds.error:.0e}")
    benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call]


def time_first_raid(work: Callable[[], RaidOdds]) -> float:
    """The seconds that a raid takes when no laws are kept of raids before it."""
    laws._flak.cache_clear()
    laws._damage.cache_clear()
    return fastest(work, 1)[0]


@pytest.mark.parametrize(("bombers", "theirs"), RAIDS)
def test_a_bombing_raid(
    benchmark: BenchmarkFixture, bombers: int, theirs: float, request: pytest.FixtureRequest
) -> None:
    raid = Raid(RULES, bombers, 20)

    def work() -> RaidOdds:
        odds = solve_raid(raid)
        odds.to_dict()
        return odds

    ours, odds = fastest(work, 1 if benchmark.disabled else 2_000)
    assert float(odds.chances.sum()) == pytest.approx(1)
    if not benchmark.disabled:
        ratio = theirs / 1000 / ours * request.getfixturevalue("scale")
        benchmark.extra_info["times as fast"] = ratio
        first = min(time_first_raid(work) for _ in range(200))
        print(f"\n{bombers} bombers: {1000 * ours:.3f} ms, {ratio:.2f} times as fast; the first: {1000 * first:.3f} ms")
    benchmark.pedantic(work, rounds=1)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("line", BOTH)
def test_the_compiled_kernel_beside_the_numpy_kernel(
    benchmark: BenchmarkFixture, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not library.library():
        pytest.skip("there is no compiled kernel here")
    battle = wave_of(f"{line} decline:no")

    def work() -> AxisOdds:
        return solve_axis(battle)

    rounds = 1 if benchmark.disabled else 5
    compiled, odds = fastest(work, rounds)
    monkeypatch.setenv(library.SETTING, "numpy")
    plain, same = fastest(work, rounds)
    assert odds.takes == pytest.approx(same.takes, rel=0, abs=odds.error + same.error + 1e-12)
    assert benchmark.disabled or compiled < plain
    benchmark.extra_info["times as fast as numpy"] = plain / compiled
    print(f"\n{line}: {1000 * compiled:.1f} ms, {plain / compiled:.2f} times as fast as numpy")
    benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call]


def test_simulating_takes_no_longer_for_a_large_battle(benchmark: BenchmarkFixture) -> None:
    small, _ = fastest(lambda: sample_axis(fleets(10), seed=1), 1)
    large, _ = fastest(lambda: sample_axis(fleets(10_000), seed=1), 1)
    assert benchmark.disabled or large < 5 * small
    benchmark.extra_info["times as long"] = large / small
    benchmark.pedantic(lambda: sample_axis(fleets(10_000), seed=1), rounds=1)  # type: ignore[no-untyped-call]
