"""How unlucky was that, as a chat: ends that somebody tells, against the law of all ends; several in a row; JSON."""

import io
import json
from typing import Any

import numpy as np
import pytest

from bot.charts import swings_of
from bot.charts.bars import HUNDREDTHS, swing_bars
from bot.commands.fought import MOST_BATTLES
from bot.console import answer_lines, solve_lines
from bot.discord_app.client import Client
from bot.settings import Settings
from solver import Battle, Odds, solve
from solver.axis.odds import AxisOdds
from solver.axis.solve import solve_axis
from solver.path.odds import march
from solver.path.path import Path
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import parse

LOST_4 = """\
**Worse than in 915 of 1,000 such battles** · 12 against 9 · attacker lost, 4 defenders left
Exactly that 3.3% · that or worse 8.4% · that or better 94.8%
Luck from 0 to 100: attacker 6.8, defender 93.2 · The dice helped the defender: +79.0 points of win chance
-# Luck = share of worse ends, with half of those as good · exact · `12 9`"""


async def luck(settings: Settings, text: Any) -> dict[str, Any]:
    """The answer to the JSON question."""
    out = io.StringIO()
    await solve_lines(settings, [json.dumps({"question": "luck", "text": text})], out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def standing(law: dict[Any, float], worth: dict[Any, float], told: list[Any]) -> dict[str, Any]:
    """Where some ends stand among all, by adding up the chances of each."""
    least, most = min(worth[end] for end in told), max(worth[end] for end in told)
    worse = sum(chance for end, chance in law.items() if worth[end] < least)
    better = sum(chance for end, chance in law.items() if worth[end] > most)
    rank = 100 * (worse + (1 - worse - better) / 2)
    return {
        "exactly": pytest.approx(sum(law[end] for end in told), abs=1e-9),
        "or_worse": pytest.approx(1 - better, abs=1e-9),
        "or_better": pytest.approx(1 - worse, abs=1e-9),
        "luck": {"attacker": pytest.approx(rank, abs=1e-7), "defender": pytest.approx(100 - rank, abs=1e-7)},
    }


async def test_luck_refuses_a_turn_with_several_territories_or_what_holds(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for turn in ("12 siam > 3 india, 2 china won", "12 siam > 3 india hold:3 won"):
        assert "`/luck` is about single battles" in (await alice.sends("luck", fought=turn)).content
    assert "12 against 9" in (await alice.sends("luck", fought="12 siam > 9 india lost 4")).content


async def test_how_unlucky_a_battle_was_is_a_picture_and_its_chances(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("luck", fought="12 9 lost 4")
    assert shown.content == LOST_4
    (picture,) = shown.files
    assert picture.data.startswith(b"\x89PNG")
    assert picture.description is not None
    assert picture.description.startswith("Worse than in 915 of 1,000 such battles. Exactly that 3.3%")
    for said in ("@bot luck 12 9 lost 4", "@bot /luck 12 9, lost with 4 left", "@bot /luck 12 9 LOSE: 4"):
        assert (await alice.says(said)).content == LOST_4
    odds = await alice.presses(shown, "Odds")
    assert odds.content.startswith("**Attacker wins 79.0%** · 12 against 9")
    for said in ("@bot /luck 12 9 and we lost all, he kept 4", "@bot /luck 12 gegen 9 verloren, er hatte noch 4"):
        content = (await alice.says(said)).content
        assert "-# Read as `/luck 12 9 lost 4`." in content
        assert LOST_4.splitlines()[2] in content
    lucky = await alice.sends("luck", fought="3 9 won 3")
    assert "**Better than in 987 of 1,000" in lucky.content
    assert "The dice helped the attacker" in lucky.content
    sure = await alice.sends("luck", fought="3 20 lost")
    assert sure.content.startswith("**Nothing unusual: 999 of 1,000 such battles end like that**")
    rare = await alice.sends("luck", fought="20 3 lost 3")
    assert rare.content.startswith("**Worse than in 999,99")
    assert "that or worse <0.1%" in rare.content


async def test_several_battles_in_a_row_are_an_evening(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("luck", fought="12 9 lost; 8 3 lost 2; 5 2 won 4")
    starts = [solve(Battle(*sizes)).attacker_wins for sizes in ((12, 9), (8, 3), (5, 2))]
    assert "1 of 3 battles won, 2.63 expected" in shown.content
    gone = 100 * (sum(starts) - 1)
    assert f"The dice helped the defender: +{gone:.1f} points of win chance" in shown.content
    none = np.prod([1 - start for start in starts])
    one = sum(none * start / (1 - start) for start in starts)
    assert f"Exactly that many wins {100 * one:.1f}% · that many or fewer {100 * (none + one):.1f}%" in shown.content
    assert "8 against 3: attacker lost, 2 defenders" in shown.content
    assert shown.files


def armies_law(odds: Odds) -> dict[tuple[int, int], float]:
    pairs = zip(odds.attackers_end.tolist(), odds.defenders_end.tolist(), strict=True)
    return dict(zip(pairs, odds.chances.tolist(), strict=True))


async def test_each_end_of_a_battle_stands_where_its_law_says(settings: Settings) -> None:
    law = armies_law(solve(Battle(6, 4)))
    worth = {(ours, theirs): float(ours - theirs) for ours, theirs in law}
    for ours, theirs in law:
        text = f"6 4 won {ours}" if ours else f"6 4 lost {theirs}"
        answer = await luck(settings, text)
        (row,) = answer["battles"]
        told = {name: row[name] for name in ("exactly", "or_worse", "or_better", "luck")}
        assert told == standing(law, worth, [(ours, theirs)]), text
        assert (row["line"], row["won"]) == ("6 4", ours > 0)
    whole = (await luck(settings, "6 4 lost"))["battles"][0]
    lost = [end for end in law if not end[0]]
    assert {name: whole[name] for name in ("exactly", "luck")}.items() <= standing(law, worth, lost).items()


async def test_an_end_of_a_path_counts_the_territories_taken_first(settings: Settings) -> None:
    odds = march(Path.of([Battle(9, 2), Battle(0, 6)], leave=[1]))
    rows = zip(odds.taken.tolist(), odds.attackers_end.tolist(), odds.defenders_end.tolist(), strict=True)
    law = dict(zip(rows, odds.chances.tolist(), strict=True))
    worth = {end: 1000.0 * end[0] + end[1] - end[2] for end in law}
    (row,) = (await luck(settings, "9 > 2 > 6 lost 5"))["battles"]
    told = [end for end in law if end[0] < 2 and end[2] == 5]
    assert {name: row[name] for name in ("exactly", "or_worse", "or_better", "luck")} == standing(law, worth, told)


SHORT = {"infantry": "inf", "tank": "arm", "fighter": "fig", "aa_gun": "aa", "submarine": "sub", "cruiser": "cru"}
UnitsEnd = tuple[int, tuple[tuple[str, int], ...], float]
"""Who wins, as in `AxisOdds.winners`, the units left of the winner without guns, and the attacker's profit."""


def units_law(odds: AxisOdds) -> dict[UnitsEnd, float]:
    """The chance of each end."""
    law: dict[UnitsEnd, float] = {}
    for end, chance in enumerate(odds.chances.tolist()):
        winner = int(odds.winners[end])
        fate = odds.defenders[odds.columns[end]] if winner else odds.attackers[odds.rows[end]]
        left = tuple(pair for pair in (*fate.left, *fate.gone) if pair[0] != "aa_gun")
        key = winner, left, round(float(odds.profits[end]), 6)
        law[key] = law.get(key, 0.0) + chance
    return law


@pytest.mark.parametrize(("line", "differs"), [("1 inf 2 fig vs 2 inf 1 aa", True), ("2 cru vs 2 sub submerge", False)])
async def test_units_left_stand_by_winner_and_by_money(settings: Settings, line: str, differs: bool) -> None:
    """A lost battle can bring more than a won one, where planes alone are left."""
    law = units_law(solve_axis(parse(line).battle.only))
    by_winner = {end: 1000.0 * (2, 0, 1)[end[0]] + end[2] for end in law}
    by_money = {end: end[2] for end in law}
    names, differing = ("exactly", "or_worse", "or_better", "luck"), 0
    for won, left in {(not end[0], end[1]) for end in law if end[1]}:
        text = f"{line} {'won' if won else 'lost'} {' '.join(f'{count} {SHORT[name]}' for name, count in left)}"
        told = [end for end in law if (not end[0], end[1]) == (won, left)]
        (row,) = (await luck(settings, text))["battles"]
        assert {name: row[name] for name in names} == standing(law, by_winner, told), text
        assert row["by_money"] == standing(law, by_money, told), text
        differing += row["by_money"]["or_worse"] != pytest.approx(row["or_worse"])
    assert bool(differing) is differs


def test_the_end_told_is_among_the_bars_of_the_picture() -> None:
    """Also where it is too rare for a picture of the odds, as losing 20 against 3 is, or to win 3 against 20."""
    for battle, told in ((Battle(20, 3), 3), (Battle(3, 20), -3), (Battle(12, 9), 4)):
        odds = solve(battle)
        winners = np.where(odds.attackers_end > 0, 0, 1)
        swings = swings_of(-odds.worth, winners, odds.chances)
        bars, _step, _shared = swing_bars(swings, marked=[float(told)])
        places = [bar.low // HUNDREDTHS for bar in bars]
        assert told in places
        assert places == list(filter(None, range(places[0], places[-1] + 1))), "and all between"
        usual = {bar.low // HUNDREDTHS for bar in swing_bars(swings)[0]}
        assert usual <= set(places)
        assert (told in usual) is (battle == Battle(12, 9))


async def test_ends_that_cannot_be_are_refused_in_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shape = "Type battles with how they ended, `;` between them: `12 9 lost 4; 20 3 won 5`."
    armies = "After `won` or `lost`, type how many armies the winner had left: `12 9 lost 4`."
    units = "After `won` or `lost`, type which units the winner had left: `lost 3 inf`."
    for text, refusal in {
        "12 9": shape,
        "; ;": shape,
        "12 9 lost; 8 3": shape,
        "12 9 lost 10": "12 against 9 can't end like that: attacker lost, 10 defenders left.",
        "12 9 won 0": "12 against 9 can't end like that: attacker won, 0 attackers left.",
        "12 9 lost badly": armies,
        "3 inf vs 2 inf lost many": units,
        "3 inf vs 2 inf lost 1 dragon": "A&A 1942 has no unit `dragon`.",
        "12 nine lost": "I don't know `nine`.",
        "we lost all of it to them": "Type battles with how they ended",
        "; ".join(["12 9 lost"] * (MOST_BATTLES + 1)): f"I take up to {MOST_BATTLES} battles in a row.",
        "300000 300000 ties:both lost": "300000 against 300000 is too large for me.",
        "900000 900000 lost": "Too rare for me: attacker lost.",
    }.items():
        shown = await alice.sends("luck", fought=text)
        assert shown.private, text
        assert refusal in shown.content, text
    other = await alice.sends("luck", fought="12 9 lost", everybody=True)
    assert other.content == "`fought` is about battles that you tell me, so leave out the other options."


async def test_luck_of_told_battles_works_in_the_terminal(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await answer_lines(settings, ["/luck 12 9 lost 4", "luck 5 inf 2 arm vs 4 inf lost 3 inf"]) == 0
    said = capsys.readouterr().out
    assert "Worse than in 915 of 1,000 such battles · 12 against 9" in said
    assert "5 inf 2 arm against 4 inf · attacker lost, 3 inf left" in said
    assert "By money" in said
    together = (await luck(settings, "12 9 lost; 8 3 lost 2; 5 2 won 4"))["together"]
    assert together["or_worse"] == pytest.approx(0.038, abs=1e-3)
    assert "Luck is that of a text" in (await luck(settings, 5))["error"]
