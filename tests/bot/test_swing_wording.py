"""TUV swings as pictures of Axis & Allies show them: who wins with which, what most come to, and titles."""

import pytest

from bot.games.axis.matchup import titles
from bot.games.axis.swing import (
    battle_swings,
    other_ends,
    raid_summaries,
    swing_summaries,
    swing_unit,
)
from bot.rooms import ROOMS
from solver.axis.battle import AxisBattle
from solver.axis.solve import solve_axis
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves
from solver.raid.solve import solve_raid
from tests.helpers.bot.lines import parse, read_raid, wave_of
from tests.helpers.cases import each


def battle(line: str) -> AxisBattle:
    return wave_of(line)


def waves(line: str) -> Waves:
    found = parse(line).battle
    assert isinstance(found, Waves)
    return found


@each(
    [
        "3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa",
        "2 sub 1 des submerge vs 3 sub",
        "3 inf vs 2 inf rounds:1",
        "1 fig vs 1 inf worth:units",
    ]
)
def test_swings_are_split_by_winner(line: str) -> None:
    odds = solve_axis(battle(line))
    swings = battle_swings(odds)
    attacker, defender, neither = (sum(swing[part] for swing in swings) for part in (1, 2, 3))
    assert attacker == pytest.approx(odds.wins)
    assert defender == pytest.approx(odds.end_chances["holds"])
    assert attacker + defender + neither == pytest.approx(1)
    amounts, chances = odds.profit
    assert [swing[0] for swing in swings] == pytest.approx(amounts.tolist())
    assert [sum(swing[1:]) for swing in swings] == pytest.approx(chances.tolist())


def test_the_swing_of_1_infantry_against_1_is_3_ipc() -> None:
    ((least, *held), (even, *both), (most, *taken)) = battle_swings(solve_axis(battle("1 inf vs 1 inf")))
    assert (least, even, most) == (-3, 0, 3)
    assert held == pytest.approx([0, 0.625, 0])
    assert both == pytest.approx([0, 0, 0.125]), "both are wiped out"
    assert taken == pytest.approx([0.25, 0, 0])


def test_swings_of_waves_are_split_by_who_holds_in_the_end() -> None:
    odds = solve_waves(waves("3 inf 2 arm vs 3 inf then 2 arm 2 fig then hold 4 inf"))
    assert odds.joint is not None
    swings = battle_swings(odds.joint)
    for part, side in ((1, 0), (2, 1), (3, None)):
        assert sum(swing[part] for swing in swings) == pytest.approx(odds.hold_chance(side)), side


def test_the_footer_says_the_swing_of_8_battles_in_10() -> None:
    assert swing_summaries(solve_axis(battle("3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa"))) == (
        "8 battles in 10: TUV swing −40 to +19, average −18.3",
        "8 battles in 10: −40 to +19, average −18.3",
        "8 battles in 10: TUV swing −40 to +19",
    )
    assert swing_summaries(solve_axis(battle("2 sub vs 1 fig"))) == ("TUV swing: always 0",)
    assert raid_summaries(solve_raid(read_raid("5 bom vs 20"))) == (
        "8 raids in 10: −14 to +20 IPC, average +4.3",
        "8 raids in 10: −14 to +20 IPC",
    )
    assert raid_summaries(solve_raid(read_raid("6 bom vs 3 lowluck"))) == ("always −9 IPC",)


@each([("", "IPC"), (" worth:units", "units"), (" worth:power", ""), (" worth:fig=14", "")])
def test_the_axis_says_what_the_swing_is_counted_in(worth: str, unit: str) -> None:
    assert swing_unit(battle(f"3 inf 1 fig vs 2 inf{worth}")) == unit


def test_titles_replace_units_only_by_their_number() -> None:
    large = waves("12 inf 4 art 6 arm vs 15 inf 3 art")
    assert titles(large) == (
        "12 inf 4 art 6 arm against 15 inf 3 art",
        "12 inf 4 art 6 arm against\n15 inf 3 art",
        "12 inf 4 art 6 arm against 18 units",
        "22 units against 15 inf 3 art",
        "22 units against 18 units",
    )
    words = ROOMS.of(large).words
    assert words
    assert words.titles(large) == titles(large), "a live battle is called the same"
    assert titles(waves("3 inf vs 2 inf then 2 arm then hold 4 inf")) == (
        "3 inf against 2 inf, then 2 arm, then hold 4 inf",
        "3 inf against 2 inf,\nthen 2 arm, then hold 4 inf",
        "3 units against 2 units, then 2 units, then hold 4 units",
        "3 units against 2 units,\nthen 2 units, then hold 4 units",
        "3 waves, the first 3 units against 2 units",
    )


def test_ends_without_a_winner_are_listed_as_room_allows() -> None:
    assert other_ends([("attacker clears it", "20.9%"), ("both wiped out", "2.5%")]) == (
        "attacker clears it 20.9%, both wiped out 2.5%",
        "attacker clears it 20.9%",
    )
