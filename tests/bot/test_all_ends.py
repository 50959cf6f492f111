"""The lists of all ends add up to the odds they are made of, whatever the battle."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from bot.games.axis.all_ends import MOST_SHOWN, chat_lines, file_text
from bot.games.axis.ends import Ends, ends_of, ends_of_raid, rows, totals
from bot.games.dice.ends import MOST_ROWS, path_table, side_rows, tables
from bot.notation.dice_options import ENDS
from bot.words.ends import chance_text, fine_percent
from solver import Battle, Odds, solve
from solver.axis.solve import solve_axis
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves
from solver.path.odds import march
from solver.path.path import Path
from solver.raid.solve import solve_raid
from tests.helpers.bot.any_line import any_battle, paths
from tests.helpers.bot.lines import parse, read_raid, wave_of
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick


def check_side(left: np.ndarray, odds: Odds, groups: int) -> None:
    """The rows of a side are all its numbers, with the chances that the odds have of them."""
    found = side_rows(left, odds, groups)
    if groups:
        assert len(found) <= groups
    for row in found:
        inside = odds.chances[(left >= row.least) & (left <= row.most)].sum()
        assert row.chance == pytest.approx(inside, abs=1e-12)
        assert row.reached == pytest.approx(odds.chances[left >= row.least].sum(), abs=1e-12)
        assert row.reached + row.worse == pytest.approx(1, abs=1e-9)
        assert row.chance + row.others == pytest.approx(1, abs=1e-9)
    assert all(row.least > after.most for row, after in pairwise(found)), "most first, each number once"
    assert sum(row.chance for row in found) + odds.never == pytest.approx(1, abs=1e-9)


@given(any_battle)
@examples(100)
def test_rows_of_both_sides_add_up(battle: Battle) -> None:
    odds = solve(battle)
    for groups in (0, *MOST_ROWS):
        for left in (odds.attackers_end, odds.defenders_end):
            check_side(left, odds, groups)


@each([(100, 90), (300, 300), (1000, 999), (400, 2), (2, 400), (5000, 1)])
def test_large_sides_fit_into_a_few_rows(attackers: int, defenders: int) -> None:
    odds = solve(Battle(attackers, defenders))
    for groups in MOST_ROWS:
        for left in (odds.attackers_end, odds.defenders_end):
            check_side(left, odds, groups)


def test_rows_agree_with_who_wins() -> None:
    odds = solve(Battle(12, 9))
    *_, last = side_rows(odds.defenders_end, odds)
    assert last.least == 0
    assert last.chance == pytest.approx(odds.attacker_wins)
    assert tables(odds)[1] == tables(odds, MOST_ROWS[0])[1]


@given(paths())
@examples(50)
def test_rows_of_a_path_add_up(path: Path) -> None:
    odds = march(path)
    lines, missing = path_table(odds)
    assert not missing
    assert len(lines) == 1 + int((odds.chances > 0).sum())
    if len(lines) > 1 and not odds.never and odds.true_zeros:
        assert lines[-1].endswith("100%")


def check(ends: Ends, wins: float, mean: float) -> None:
    """Chances add up, to the attacker's victory and to the mean profit; each order has every end once."""
    whole = float(ends.chances.sum())
    assert whole == pytest.approx(1, abs=1e-8)
    assert totals(ends)[ends.winners[0]] == pytest.approx(wins, abs=1e-9)
    assert float(ends.chances @ ends.profits) == pytest.approx(mean, abs=1e-6)
    every = np.arange(len(ends))

    def told(chance: float, rest: float) -> str:
        assert 0 < chance <= 1 + 1e-9
        assert chance + rest == pytest.approx(whole, abs=1e-9)
        return repr(chance)

    for order in ENDS:
        found = list(rows(ends, order, every, told))
        assert sorted(row.end for row in found) == every.tolist()
        sums = [float(row.total) for row in found]
        assert all(one <= other + 1e-12 for one, other in pairwise(sums))
        assert sums[-1] == pytest.approx(whole)
        if order == "chance":
            assert all(float(one.chance) >= float(other.chance) for one, other in pairwise(found))
        if order == "money":
            for row in found:
                as_good = ends.chances[ends.profits >= ends.profits[row.end]].sum()
                assert float(row.total) == pytest.approx(as_good, abs=1e-9)


LINES = (
    "3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa",
    "3 inf 1 fig vs 3 inf value:4 deadzone",
    "2 ainf 1 arm 1 bat vs 3 inf rounds:2",
    "5 inf 2 fig vs 4 inf retreat:units<=3",
    "5 inf 2 fig vs 4 inf retreat:win<40% decline:no",
    "2 sub 2 des 1 bat vs 1 sub 1 dbat 1 cru 1 fig",
    "2 sub submerge vs 2 sub",
    "2 fig vs 2 inf",
    "1 dbat 2 des vs 2 cru 1 acc 2 fig crash",
    "3 inf 1 arm vs 3 inf lowluck worth:units,inf=2.5",
    "1 bat vs 2 inf",
    "2 inf 2 fig vs 2 inf 1 fig aworth:fig=7.25 dworth:inf=1",
    "1 acc 3 fig vs 2 des acrash rounds:2",
)


@each(LINES)
def test_ends_add_up_to_the_odds(line: str) -> None:
    battle = wave_of(line)
    odds = solve_axis(battle)
    ends = ends_of(Waves.one(battle), odds)
    check(ends, odds.wins, odds.defender_loss - odds.attacker_loss)
    shares = list(totals(ends).values())[1:]
    assert sum(shares) == pytest.approx(sum(odds.end_chances.values()))
    ours, theirs = ends.more
    for column, mean in ((ours, odds.attacker_loss + odds.territory), (theirs, odds.defender_loss)):
        lost = np.array([float(column.word(int(code))) for code in column.codes])
        assert float(lost @ ends.chances) == pytest.approx(mean, abs=0.01), "hundredths are told"


@each(
    [
        "6 inf vs 4 inf then hold 5 inf 1 fig",
        "6 inf vs 2 inf value:4 deadzone then hold 1 arm",
        "2 sub vs 2 des then 1 fig 1 des vs 1 sub",
        "3 inf vs 3 inf then 2 arm then 1 fig",
    ]
)
def test_ends_of_waves_add_up_to_the_odds(line: str) -> None:
    waves = parse(line).battle
    assert isinstance(waves, Waves)
    odds = solve_waves(waves)
    assert odds.joint
    amounts, chances = odds.joint.profit
    check(ends_of(waves, odds.joint), odds.hold_chance(0), float(amounts @ chances))


OWN_PRICES = ("5 bom vs 20 worth:bom=12.5", "3 bom vs 9 worth:bom=0", "4 bom vs 20 worth:units")
RAIDS = ("5 bom vs 20", "2 bom vs 12 lowluck", "3 bom vs 5 aafired biased", pick("20 bom vs 60", "100 bom vs 300"))


@each([*RAIDS, *OWN_PRICES])
def test_ends_of_raids_add_up_to_the_odds(line: str) -> None:
    odds = solve_raid(read_raid(line))
    ends = ends_of_raid(odds)
    check(ends, odds.balance[1], odds.expected.profit)
    if len(ends) < 100:
        best = max(ends.profits)
        assert best == odds.raid.profits[1]


def test_a_message_lists_the_likeliest_ends_that_fit() -> None:
    battle = wave_of("12 inf 6 art 5 arm 4 fig vs 10 inf 4 art 3 arm 2 fig 1 aa")
    odds = solve_axis(battle)
    ends = ends_of(Waves.one(battle), odds)
    for room in (0, 60, 200, 700, 1500, 5000):
        before = -1
        for order in ENDS:
            lines, shown = chat_lines(ends, order, chance_text(odds), room)
            assert sum(len(line) + 1 for line in lines) <= room
            assert shown <= MOST_SHOWN
            assert before < 0 or order == "winner" or abs(shown - before) <= 2
            before = shown
    text = file_text(ends, "chance", chance_text(odds, fine=True), ["head"])
    assert text.startswith("head\n\n")
    assert text.splitlines()[3].endswith("–"), "the likeliest end has one side wiped out"


def test_a_file_of_too_many_ends_has_the_likeliest_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.games.axis.all_ends.MOST_LISTED", 4)
    battle = wave_of("3 inf vs 3 inf")
    odds = solve_axis(battle)
    ends = ends_of(Waves.one(battle), odds)
    text = file_text(ends, "money", chance_text(odds, fine=True), ["head"])
    assert f"and {len(ends) - 4} more endings, " in text.splitlines()[-1]
    assert len(text.splitlines()) == 2 + 1 + 4 + 1


def test_fine_chances_round_to_no_false_0_or_100() -> None:
    assert [fine_percent(chance) for chance in (1e-9, 0.0000006, 0.12345678, 0.9999999999)] == [
        "<0.0001%",
        "0.0001%",
        "12.3457%",
        ">99.9999%",
    ]
    odds = solve(Battle(3, 2))
    told = chance_text(odds, fine=True)
    assert (told(1.0, 0.0), told(0.5, 0.5)) == ("100%", "50.0000%")
