"""Units over several territories, as a chat: where to put them, what that gains, the buttons, and what goes wrong."""

import io
import json

import pytest

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.games.placing.completion import suggest_places
from bot.games.placing.notation import parse_placing
from bot.request import Request
from bot.settings import Settings
from solver.axis.limits import TIMES
from solver.axis.solve import solve_axis
from solver.placing import game
from solver.placing.placements import place
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows
from tests.helpers.bot.lines import wave_of
from tests.helpers.extent import pick

LINE = "8 inf 2 art 1 fig || 4 inf 2 arm vs 1 inf value:3 || 6 inf 1 fig || 2 arm 1 bom vs 2 inf"


async def test_place_says_where_to_put_the_units(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("place", matchup=LINE)
    assert shown.content == (
        "**Hold all 3: 14.7%** · 1st 5 inf · 2nd 3 inf 1 art 1 fig · 3rd 1 art\n"
        "Split evenly: 6.8% · all in the 2nd: <0.1% · with no reinforcements: 0%\n"
        "Held: all 14.7% · 2 39.5% · 1 35.3% · none 10.5%\n"
        "-# inf and art do the same here, so you can swap them\n"
        "```\n"
        "      held  without\n"
        "  against\n"
        "1st  52.4%    <0.1%\n"
        "  4 inf 2 arm, 1 inf there\n"
        "2nd  56.3%       0%\n"
        "  6 inf 1 fig\n"
        "3rd  49.7%    20.1%\n"
        "  2 arm 1 bom, 2 inf there\n"
        "\n"
        "next best  1st          2nd          3rd\n"
        "14.1%      3 inf 1 fig  5 inf 1 art  1 art\n"
        "13.2%      5 inf        3 inf 2 art  1 fig\n"
        "```\n"
        f'-# exact · "Held" = the attacker doesn\'t take it · A&A 1942 · `place {LINE}`'
    )
    assert picture(shown).startswith(
        "Hold all 3: 14.7%. Bars show each territory's chance to hold. 1st 5 inf: 52.4%, <0.1% without them; "
    )
    assert shown.labels == ["At least 2", "Most value", "Edit", "Odds 1st", "Odds 2nd", "Odds 3rd", "Ask on"]
    assert not shown.private


async def test_place_shows_the_chances_of_battles_with_the_placed_units(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("place", matchup="3 inf 1 fig || 4 inf 1 arm vs 1 inf || 3 inf")
    assert shown.content.startswith("**Hold both: ")
    chances = {row[0]: row[1].rstrip("%") for row in rows(shown) if row and row[0] in ("1st", "2nd")}
    placed = dict(share.split(" ", 1) for share in shown.content.splitlines()[0].split("** · ")[1].split(" · "))
    product = 1.0
    for ordinal, attack, stands in (("1st", "4 inf 1 arm", "1 inf"), ("2nd", "3 inf", "")):
        there, chance = placed[ordinal].replace("nobody", ""), chances[ordinal]
        battle = wave_of(f"{attack} vs {there} {stands.replace('inf', 'infantry')}")
        held = 1 - solve_axis(battle).takes
        assert float(chance) == pytest.approx(100 * held, abs=0.05)
        product *= held
    assert f"**Hold both: {100 * product:.1f}%**" in shown.content


async def test_the_buttons_of_place_change_the_goal(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("place", matchup=LINE)
    two = await alice.presses(shown, "At least 2")
    assert two.id == shown.id
    assert two.content.startswith("**Hold at least 2 of 3: ")
    assert line_of(two) == f"place {LINE.replace(' ||', ' hold:2 ||', 1)}"
    assert two.labels[:3] == ["Hold all", "Most value", "Edit"]
    value = await alice.presses(two, "Most value")
    assert value.content.startswith("**Value held on average: ")
    assert " of 5** · 1st " in value.content
    assert rows(value)[0] == ["held", "without", "worth"]
    assert len(value.files) == 1
    again = await alice.presses(value, "Hold all")
    assert line_of(again) == f"place {LINE}"
    form = await alice.opens(again, "Edit")
    changed = await alice.submits(form, {"Your units || attack vs units there || …": "2 inf | 3 inf | 2 inf"})
    assert changed.id == shown.id
    assert line_of(changed) == "place 2 inf || 3 inf || 2 inf"


async def test_the_odds_button_of_a_territory_counts_its_placed_units(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("place", matchup="3 inf hold:1 || 4 inf 2 arm || 2 inf")
    assert shown.content.startswith("**Hold at least 1 of 2: 96.2%** · 1st nobody · 2nd 3 inf")
    assert shown.button("Odds 1st").disabled
    odds = await alice.presses(shown, "Odds 2nd")
    assert odds.id == shown.id
    assert line_of(odds) == "2 inf vs 3 inf"
    assert "**Attacker takes it: 3.8%, " in odds.content


async def test_place_says_if_the_goal_is_out_of_reach(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("place", matchup="2 inf || 1 arm || 2 arm || 1 inf 1 fig")
    head = shown.content.splitlines()[0]
    assert head.startswith("**Hold all 3: out of reach; at least 2 of 3: 23.1% at best**")
    assert head.count("1 inf") == 2
    assert "\nSplit evenly: " in shown.content


async def test_place_keeps_back_units_that_help_nowhere(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("place", matchup="2 inf 1 aa || 2 fig")
    assert shown.content.startswith("**Hold it: 100%** · nobody\n")
    assert "-# Kept back, because they help nowhere: 2 inf 1 aa\n" in shown.content
    assert shown.labels == ["Edit", "Odds 1st", "Ask on"]


async def test_other_options_of_a_large_placing_are_shown_as_differences(discord: FakeDiscord, bot: Client) -> None:
    line = "9 inf 1 fig hold:value" + "".join(f" || {2 + one} inf vs 1 inf value:{1 + one % 3}" for one in range(6))
    shown = await discord.member("Alice").sends("place", matchup=line)
    told = rows(shown)
    assert ["next", "best", "with"] in told
    last = told[-1]
    assert any(word.endswith(("st", "nd", "rd", "th")) for word in last)
    assert sum(word.endswith(("st", "nd", "rd", "th")) for word in last) < 6
    assert shown.labels[-7:-1] == [f"Odds {ordinal}" for ordinal in ("1st", "2nd", "3rd", "4th", "5th", "6th")]


async def test_place_takes_presets_as_attacks(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="ukraine", matchup="4 inf 2 arm vs 1 inf")
    shown = await alice.sends("place", matchup="5 inf || ukraine || 2 inf", private=True)
    assert shown.private
    assert line_of(shown) == "place 5 inf || 4 inf 2 arm vs 1 inf || 2 inf"


async def test_place_works_by_mention_menu_and_other_commands(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = await alice.sends("place", matchup="5 inf || 4 inf || 2 inf")
    said = await alice.says(f"@bot {line_of(asked)}")
    assert said.content == asked.content
    found = await alice.uses("Battle odds", on=said)
    assert found.content == asked.content


async def test_place_refuses_wrong_lines_in_a_sentence(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "TIMES", pick(0.05, TIMES))
    for line, expected in [
        ("8 inf", "Type your units, then the attack on each territory, with `||` between them"),
        ("12 9 || 13 9", "Your units: I can't read this"),
        ("8 inf || 4 inf || 3 inf 1 zep", "Territory 2: A&A 1942 has no unit `zep`"),
        (
            "200 inf 100 arm 90 fig || 200 inf 90 fig || 100 inf",
            "Your units: These units can be split in too many ways",
        ),
        (
            "90 inf 30 arm 30 fig || 200 inf 90 fig || 100 inf",
            "There are too many placements to try them all; use up to 25 units against 20",
        ),
    ]:
        shown = await discord.member("Alice").sends("place", matchup=line)
        assert shown.private
        assert expected in shown.content


async def test_place_suggests_how_a_line_goes_on(bot: Client) -> None:
    async def offered(typed: str) -> list[str]:
        request = Request("suggest", "1", "Alice", "user:1", {"matchup": typed})
        return [line for _, line in await suggest_places(request, bot.services)]

    assert len(await offered("")) == 3
    assert "8 inf || 4 inf 2 arm" in await offered("8 inf")
    assert "8 inf || 4 inf 2 arm" in await offered("8 inf ||")
    assert "8 inf || 4 arm" in await offered("8 inf || 4")
    assert (await offered("8 inf || 4 inf || 2 inf"))[:2] == [
        "8 inf || 4 inf || 2 inf",
        "8 inf hold:1 || 4 inf || 2 inf",
    ]
    (wrong,) = await suggest_places(Request("suggest", "1", "A", "user:1", {"matchup": "8 inf || 4 zep"}), bot.services)
    assert "A&A 1942 has no unit `zep`" in wrong.label
    assert await offered("8 inf || " + "4 inf 2 arm " * 20) == []


async def test_json_answers_placings(settings: Settings) -> None:
    line = "place 3 inf 1 fig hold:value || 4 inf 1 arm vs 1 inf value:3 || 3 inf"
    document = {
        "game": "axis1942",
        "question": "place",
        "units": {"infantry": 3, "fighter": 1},
        "goal": "value",
        "territories": [
            {
                "waves": [{"attacker": {"units": {"infantry": 4, "tank": 1}}, "defender": {"units": {"infantry": 1}}}],
                "territory_value": 3,
                "value": 3,
            },
            {"waves": [{"attacker": {"units": {"infantry": 3}}}]},
        ],
    }
    out = io.StringIO()
    wrong = document | {"goal": "some"}
    large = document | {"units": {"infantry": 150, "tank": 150, "fighter": 150}}
    questions = ({"text": line}, document, wrong, large)
    assert await solve_lines(settings, [json.dumps(one) for one in questions], out) == 1
    first, second, third, fourth = map(json.loads, out.getvalue().splitlines())
    assert first == second
    known = place(parse_placing(line))
    assert first["best"][0]["worth"] == known.best[0].worth
    assert third["error"].startswith('goal: the goal must be one of all, at_least, value, not "some"')
    assert "too many" in fourth["error"]


async def test_gunslast_without_guns_changes_no_placing(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    plain, same = [await alice.sends("place", matchup=f"1 sub || 1 sub vs {word}") for word in ("", "gunslast")]
    assert rows(same) == rows(plain)
    assert plain.content.startswith("**Hold it: 37.5%**")
