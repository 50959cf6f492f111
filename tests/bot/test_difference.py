"""What two plans are compared by, against their odds; and the difference in words, whichever way it points."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from bot.commands.comparing.descriptions import describe_plans
from bot.commands.comparing.difference import (
    alternative,
    certainty,
    headlines,
    neither_name,
    rows,
    verdict,
)
from bot.games.axis.money import money_lost
from bot.games.base import AnyBattle
from bot.rooms import ROOMS
from bot.words.compared_plan import HOLDS, NEITHER, WINS, ComparedPlan
from solver import Battle, solve
from solver.axis.odds import AxisOdds
from solver.axis.simulation.sample import sample_axis
from solver.axis.solve import solve_axis
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves
from solver.game import GameOdds
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.bot.any_line import any_battle, paths
from tests.helpers.bot.lines import parse, parse_plans, write, write_plans
from tests.helpers.cases import each
from tests.helpers.extent import examples


def outlook(battle: AnyBattle, odds: GameOdds) -> ComparedPlan:
    comparison = ROOMS.of(battle).comparison
    assert comparison is not None
    return comparison.compare(battle, odds, write(battle))


def odds_of(line: str) -> tuple[AnyBattle, GameOdds]:
    battle = parse(line).battle
    if isinstance(battle, Waves):
        return battle, solve_axis(battle.only, 0) if battle.only else solve_waves(battle, 0)
    return battle, march(battle) if isinstance(battle, Path) else solve(battle)


def seen(line: str) -> ComparedPlan:
    return outlook(*odds_of(line))


def plan(
    wins: float, gain: float | None = -5.0, measure: str = "armies", error: float = 0.0, gain_error: float = 0.0
) -> ComparedPlan:
    """A plan with this chance and gain; `line` tells any two apart."""
    return ComparedPlan(
        line=f"{wins} {gain} {error}",
        description="12 against 9",
        game="classic Risk",
        attacker_result="wins",
        odds=solve(Battle(12, 9)),
        chances=(wins, 1 - wins, 0.0),
        ends={"defender holds": 1 - wins},
        law=(np.array([-1.0, 1.0]), np.array([[0, wins], [1 - wins, 0], [0, 0]])),
        measure=measure,
        gain=gain,
        error=error,
        gain_error=gain_error,
    )


# What is compared ---------------------------------------------------------------------------------------


def check(found: ComparedPlan) -> None:
    """Laws and chances of a plan belong together."""
    assert found.law is not None
    places, chances = found.law
    assert (np.diff(places) > 0).all()
    assert chances.sum(axis=1) == pytest.approx(
        [found.chances[WINS], found.chances[HOLDS], found.chances[NEITHER] - never(found)], abs=1e-9
    )
    assert sum(found.chances) == pytest.approx(1, abs=1e-9)
    assert sum(fate.amount for fate in found.fates) == pytest.approx(1 - found.chances[WINS], abs=1e-9)
    assert len({fate.name for fate in found.fates}) == len(found.fates)


def never(found: ComparedPlan) -> float:
    """Battles without an end are in no law of ends."""
    return sum(fate.amount for fate in found.fates if fate.name == "never ends")


@given(any_battle)
@examples(60)
def test_the_outlook_of_a_battle_agrees_with_its_odds(battle: Battle) -> None:
    odds = solve(battle)
    found = outlook(battle, odds)
    check(found)
    assert found.chances[:2] == (odds.attacker_wins, odds.beaten)
    if odds.never:
        assert found.gain is None
        return
    assert found.gain == pytest.approx(odds.attackers_left - odds.attackers)
    assert found.law is not None
    places, chances = found.law
    assert (places[chances[WINS] > 0] > 0).all()
    assert chances[WINS] @ places == pytest.approx(
        float((odds.attackers_end * (odds.defenders_end == 0)) @ odds.chances), abs=1e-9
    )


@given(paths())
@examples(60)
def test_the_outlook_of_a_path_counts_survivors_of_both_sides(path: Path) -> None:
    odds = march(path)
    found = outlook(path, odds)
    check(found)
    assert found.chances[WINS] == odds.takes_all
    assert found.law is not None
    expected: dict[float, float] = {}
    ends = zip(odds.taken, odds.attackers_end, odds.defenders_end, odds.chances, strict=True)
    for taken, attackers, defenders, chance in ends:
        whole = taken == len(path.legs)
        left = attackers if whole else -(defenders + sum(leg.defenders for leg in path.legs[taken + 1 :]))
        expected[float(left)] = expected.get(float(left), 0.0) + chance
    places, chances = found.law
    assert dict(zip(places.tolist(), chances.sum(axis=0).tolist(), strict=True)) == pytest.approx(expected)
    assert found.gain == (None if odds.lost is None else -odds.lost)


@each(
    [
        "3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa",
        "3 inf 2 arm vs 4 inf retreat:profit<0 value:4 deadzone",
        "2 sub 1 des 2 fig vs 2 sub submerge 1 fig",
        "4 fig vs 3 inf",
        "1 inf vs 8 inf retreat:win<40%",
    ]
)
def test_the_outlook_of_armies_is_their_swing(line: str) -> None:
    battle, odds = odds_of(line)
    assert isinstance(odds, AxisOdds)
    found = outlook(battle, odds)
    check(found)
    amounts, chances = odds.profit
    assert found.law is not None
    assert found.law[0].tolist() == amounts.tolist()
    assert found.law[1].sum(axis=0) == pytest.approx(chances, abs=1e-12)
    assert found.gain == pytest.approx(float(amounts @ chances), abs=1e-9)
    figures = {figure.name: figure.amount for figure in found.figures}
    assert (figures["attacker loses"], figures["defender loses"]) == money_lost(battle, odds)
    assert figures["TUV swing"] == found.gain
    assert any("No attack: a retreat rule applies" in caveat for caveat in found.caveats) is (odds.declined > 0)


@pytest.mark.whole
def test_the_outlook_of_a_simulation_has_a_margin() -> None:
    """In nearly all samples the truth is nearer than that, and in some it is farther than half of it."""
    battle, exact = odds_of("6 inf 3 arm vs 7 inf")
    truth = outlook(battle, exact)
    samples = [outlook(battle, sample_axis(battle.only, 2_000, seed)) for seed in range(50)]
    assert truth.gain is not None
    assert truth.gain_error == 0
    off = [abs((sample.gain or 0) - truth.gain) / sample.gain_error for sample in samples]
    assert sum(one < 1 for one in off) >= 43
    assert sum(one > 0.5 for one in off) >= 8
    assert all(sample.certainty.startswith("simulated: 2000 battles") for sample in samples)


# The difference -----------------------------------------------------------------------------------------


@each(
    [
        (
            plan(0.786, -5.1),
            plan(0.812, -3.8),
            "B is better for the attacker: 81.2% instead of 78.6% (+2.6 points), and loses 1.3 fewer armies on average",
            "B: +2.6 points to win, 1.3 fewer armies lost",
        ),
        (
            plan(0.812, -3.8),
            plan(0.786, -5.1),
            "A is better for the attacker: 81.2% instead of 78.6% (+2.6 points), and loses 1.3 fewer armies on average",
            "A: +2.6 points to win, 1.3 fewer armies lost",
        ),
        (
            plan(0.786),
            plan(0.812),
            "B is better for the attacker: 81.2% instead of 78.6% (+2.6 points)",
            "B: +2.6 points to win",
        ),
        (
            plan(0.786, -3.8),
            plan(0.812, -5.1),
            "B wins more often: 81.2% instead of 78.6% (+2.6 points), but loses 1.3 more armies on average",
            "B: +2.6 points to win, but 1.3 more armies lost",
        ),
        (
            plan(0.812, -12.0, "IPC"),
            plan(0.786, 1.5, "IPC"),
            "A wins more often: 81.2% instead of 78.6% (+2.6 points), but brings 13.5 IPC less on average",
            "A: +2.6 points to win, but 13.5 IPC less",
        ),
        (
            plan(0.5, -2.0, "IPC"),
            plan(0.6, 1.5, "IPC"),
            "B is better for the attacker: 60.0% instead of 50.0% (+10.0 points), and brings 3.5 IPC more on average",
            "B: +10.0 points to win, 3.5 IPC more",
        ),
        (
            plan(0.5, -5.0),
            plan(0.5, -4.0),
            "B loses 1.0 fewer armies on average, at the same chance: attacker wins 50.0%",
            "B is better: 1.0 fewer armies lost",
        ),
        (
            plan(0.5, 2.0, "IPC"),
            plan(0.5001, 1.0, "IPC"),
            "A brings 1.0 IPC more on average, at nearly the same chance: attacker wins 50.0%",
            "A is better: 1.0 IPC more",
        ),
        (plan(0.5, -5.0), plan(0.5, -5.001), "Both plans come to the same: attacker wins 50.0%", "No difference"),
        (plan(0.5004), plan(0.5008), "Hardly any difference: attacker wins 50.0% or 50.1%", "Hardly any difference"),
        (
            plan(0.9996),
            plan(0.999),
            "A is better for the attacker: >99.9% instead of 99.9% (+0.06 points)",
            "A: +0.06 points to win",
        ),
        (
            plan(0.79051),
            plan(0.78982),
            "A is better for the attacker: 79.1% instead of 79.0% (+0.07 points)",
            "A: +0.07 points to win",
        ),
        (
            plan(0.79041),
            plan(0.78952),
            "A is better for the attacker: 79.04% instead of 78.95% (+0.09 points)",
            "A: +0.09 points to win",
        ),
        # Counted in different things, or in nothing.
        (
            plan(0.5, -5.0),
            plan(0.6, 7.0, "IPC"),
            "B is better for the attacker: 60.0% instead of 50.0% (+10.0 points)",
            "B: +10.0 points to win",
        ),
        (plan(0.5, -5.0), plan(0.5, None), "Both plans come to the same: attacker wins 50.0%", "No difference"),
        # Simulated.
        (
            plan(0.5, 2.0, "IPC", 0.003, 9.0),
            plan(0.504, 1.0, "IPC", 0.004, 9.0),
            "Too close to tell: attacker wins 50.0% or 50.4%, ± 0.5 points",
            "Too close to tell",
        ),
        (
            plan(0.5, 2.0, "IPC", 0.003, 0.3),
            plan(0.504, 1.0, "IPC", 0.004, 0.4),
            "A brings 1.0 IPC more on average, and the chance is too close to tell: attacker wins 50.0% or 50.4%,"
            " ± 0.5 points",
            "A is better: 1.0 IPC more",
        ),
        (
            plan(0.5, 2.0, "IPC", 0.003, 9.0),
            plan(0.506, 1.0, "IPC", 0.004, 9.0),
            "B is better for the attacker: 50.6% instead of 50.0% (+0.6 points, ± 0.5)",
            "B: +0.6 points to win",
        ),
    ]
)
def test_the_headline_of_two_plans(first: ComparedPlan, second: ComparedPlan, told: str, short: str) -> None:
    assert verdict((first, second)) == told
    assert headlines((first, second))[0] == short


@each([(wins, gain) for wins in [0.0, 0.3, 0.5, 0.7] for gain in [None, -6.0, -5.0, -4.0]])
def test_the_headline_is_the_same_if_the_plans_change_places(wins: float, gain: float | None) -> None:
    one, other = plan(0.5, -5.0), plan(wins, gain)
    if one.line == other.line:
        return
    names = str.maketrans("AB", "BA")
    straight, crossed = verdict((one, other)), verdict((other, one))
    assert crossed.startswith(straight[0].translate(names) if straight[1] == " " else straight[:4])
    assert crossed[1:].replace("Both", "") == straight[1:].replace("Both", "")


def test_the_headline_names_two_equal_plans() -> None:
    one = seen("12 9")
    assert verdict((one, seen("12v9"))) == "A and B are the same plan: attacker wins 79.0%"


def test_both_plans_are_described_by_what_they_differ_in() -> None:
    def told(line: str) -> tuple[str, str]:
        plans = parse_plans(line)
        first, second = (seen(part) for part in write_plans(plans).split(" || "))
        return describe_plans((ROOMS.of(plans.first.battle), ROOMS.of(plans.second.battle)), (first, second))

    assert told("12 9 bombers:2 || bombers:1") == ("12 with 2 bombers against 9", "12 with 1 bomber against 9")
    assert told("3 inf vs 2 inf || retreat:profit<0") == ("3 inf against 2 inf", "the same with `retreat:profit<0`")
    assert told("3 inf vs 2 inf rounds:2 || rounds:all") == (
        "3 inf against 2 inf with `rounds:2`",
        "the same without",
    )
    assert told("3 inf 1 arm vs 2 inf lowluck || loss:arm,inf rounds:1") == (
        "3 inf 1 arm against 2 inf",
        "the same with `loss:arm,inf rounds:1`",
    )
    assert told("2 sub submerge vs 2 sub || submerge:no vs submerge") == (
        "2 sub against 2 sub with `submerge`",
        "the same with `dsubmerge`",
    )
    assert told("12 9 ties:both || ties:attacker") == ("12 against 9 with `ties:both`", "the same with `ties:attacker`")
    assert told("12 9 || 12 9") == ("12 against 9", "the same")
    waves = "2 sub against 2 des, then 1 sub 1 des"
    assert told("2 sub vs 2 des then 1 sub 1 des || 2 sub vs 2 des then 1 sub 1 des submerge") == (
        waves,
        "the same with `submerge` in wave 2",
    )
    assert told("2 sub vs 2 des then 1 sub 1 des choose || 2 sub vs 2 des then 1 sub 1 des vs choose") == (
        f"{waves} with `choose` in wave 2",
        "the same with `dchoose` in wave 2",
    )
    assert told(
        "2 sub vs 2 des choose then 1 sub 1 des || 2 sub choose vs 2 des lowluck then 1 sub 1 des rounds:1"
    ) == (
        f"{waves} with `dchoose` in wave 1",
        "the same with `lowluck`, `choose` in wave 1, `rounds:1` in wave 2",
    )


def test_a_plan_that_differs_in_what_no_label_says_is_written_out() -> None:
    """A description of great armies says only how many units there are, and one of a path no place of an option."""
    armies = "2 inf 2 art 2 arm 2 fig 1 bom vs 2 inf 2 art 2 arm 2 fig then {} inf {} art 1 arm 1 fig then 1 inf{}"
    for first, second, label in (
        (armies.format(1, 2, ""), armies.format(2, 1, ""), ""),
        (armies.format(1, 2, ""), armies.format(2, 1, " choose"), ""),
        (armies.format(1, 2, ""), armies.format(1, 2, " choose"), "the same with `choose` in wave 3"),
        ("12 > 9 ties:both > 5 leave:1", "12 > 9 > 5 ties:both leave:1", ""),
    ):
        ours, theirs = seen(first), seen(second)
        assert describe_plans((ROOMS.of(parse(first).battle), ROOMS.of(parse(second).battle)), (ours, theirs)) == (
            ours.description,
            label or f"`{write(parse(second).battle)}`",
        )


def test_the_table_has_a_row_for_every_number_of_either_plan() -> None:
    table = [row.split() for row in rows((seen("12 9"), seen("12 9 stop:4")))]
    assert table[0] == ["A", "B"]
    assert table[1] == ["attacker", "wins", "79.0%", "56.1%", "−22.9"]
    assert table[2] == ["defender", "holds", "21.0%", "–", "−21.0"]
    assert table[3] == ["attack", "called", "off", "–", "43.9%", "+43.9"]
    assert table[4] == ["attackers", "lost", "7.1", "6.2", "−0.9"]
    assert table[5][:3] == ["rounds", "8.2", "7.0"]
    mixed = rows((seen("12 9 ties:both"), seen("20 > 5 > 4")))
    assert [row[:17].rstrip() for row in mixed] == [
        "",
        "attacker succeeds",
        "defender holds",
        "draw",
        "is stopped",
        "attackers lost",
        "rounds",
        "territories taken",
    ]
    assert mixed[4].split()[2:] == ["–", "1.8%", "+1.8"]


@each(
    [
        ("12 9", "neither"),
        ("12 9 stop:4", "attack called off"),
        ("12 9 rounds:3", "attack called off"),
        ("12 9 value:6", "attack called off"),
        ("12 9 ties:both", "draw"),
        ("12 9 ties:both stop:1 rounds:9", "neither"),
        ("3 inf vs 2 inf", "both wiped out"),
    ]
)
def test_ends_without_a_winner_have_their_name(line: str, name: str) -> None:
    assert neither_name(seen(line)) == name
    assert neither_name(replace(seen(line), chances=(0.5, 0.5, 0.0))) == "neither"


def test_the_certainty_names_which_plan_is_simulated() -> None:
    exact, rough = plan(0.5), replace(plan(0.6), certainty="simulated: 7 battles, ±3 points")
    assert certainty((exact, plan(0.6))) == "exact"
    assert certainty((exact, rough)) == "A exact, B simulated: 7 battles, ±3 points"


def test_the_words_of_the_picture_of_two_plans() -> None:
    assert alternative((plan(0.5), plan(0.6))) == (
        "B is better for the attacker: 60.0% instead of 50.0% (+10.0 points). "
        "A: attacker wins 50.0%, defender holds 50.0%. B: attacker wins 60.0%, defender holds 40.0%. "
        "Bars show how many are left of each side, A above B."
    )
    assert "Bars" not in alternative((plan(0.5), plan(0.6, 2.0, "IPC")))
    assert "Bars show the TUV swing" in alternative((plan(0.5, 2.0, "IPC"), plan(0.6, 2.0, "IPC")))
