"""The settings of a place for plain numbers, in a chat: its usual game and edition, and `behind`."""

import re
from typing import Any

import pytest

from bot.commands.error_help import examples_of
from bot.commands.run import run
from bot.commands.screens import screens
from bot.commands.table import COMMANDS
from bot.discord_app.client import Client
from bot.place_settings import PlaceSettings
from bot.replies import Reply, full_text
from bot.replies import line_of as under_answer
from bot.request import Request, Services
from bot.rooms import ROOMS
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, rows, small_print
from tests.helpers.bot.lines import explicit
from tests.helpers.bot.live_battles import types_dice
from tests.helpers.bot.setups import entry, file_of
from tests.helpers.extent import pick


async def test_a_server_chooses_its_usual_game(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", game="2210")
    answer = await alice.sends("battle", matchup="12 9")
    assert "2210, commanders 1 v 1" in answer.content
    assert line_of(answer) == "12 9 variant:2210"
    classic = await alice.sends("battle", matchup="12 9 variant:classic")
    assert "79.0%" in classic.content
    assert line_of(classic) == "12 9 variant:classic", "or it would be another game where it is pasted"
    assert line_of(await alice.sends("battle", matchup=line_of(classic))) == line_of(classic)
    assert line_of(await alice.presses(classic, "+1 attacker")) == "13 9 variant:classic"
    assert "Star Wars Risk" in (await alice.sends("battle", matchup="12 9 bombers:2")).content
    await boss.sends("settings", edition="1940")
    usual = await alice.sends("battle", matchup="3 inf 2 arm vs 4 inf variant:1942")
    assert line_of(usual) == "3 inf 2 arm vs 4 inf variant:1942"
    assert line_of(await alice.presses(usual, "+1 attacker")) == "4 inf 2 arm vs 4 inf variant:1942"
    assert (await discord.stranger("Carl").says("12 9")).content.startswith("**Attacker wins 79.0%")


OTHERS: list[dict[str, Any]] = [
    {"edition": "1941"},
    *pick([], [{"edition": "1914"}]),
    {"game": "battle-dice", "behind": True},
]


async def test_lines_of_the_help_work_where_another_game_is_usual(discord: FakeDiscord, bot: Client) -> None:
    for number, chosen in enumerate(OTHERS):
        boss = discord.member("Boss", manage_guild=True)
        await boss.sends("settings", **chosen)
        topics = [*screens(ROOMS)]
        for topic in pick(topics[number :: 4 * len(OTHERS)], topics):
            screen = await boss.sends("help", topic=topic) if topic else await boss.sends("help")
            for button in screen.buttons:
                if button.custom_id.startswith("b2:ask:"):
                    assert "^^" not in (await boss.presses(screen, button.label)).content


async def test_corrected_lines_work_where_another_game_is_usual(discord: FakeDiscord, bot: Client) -> None:
    for number, line in enumerate(
        pick(["xyzzy", "icons AA 3 4"], ["xyzzy", "infantry", "bombers:2", "icons AA 3 4", "fig"])
    ):
        for chosen in pick([OTHERS[number % len(OTHERS)]], OTHERS):
            boss = discord.member("Boss", manage_guild=True)
            await boss.sends("settings", **chosen)
            for command in (name for name in COMMANDS if examples_of(ROOMS, name)):
                wrong = await boss.sends(command, matchup=line)
                if "^^" in wrong.content:
                    for right in wrong.labels[:-1]:
                        assert "^^" not in (await boss.presses(wrong, right)).content
                    for example in re.findall(r"For example `([^`]+)`", wrong.content):
                        assert "^^" not in (await boss.sends(command, matchup=example)).content


async def test_units_outside_the_usual_edition_name_their_edition(discord: FakeDiscord, bot: Client) -> None:
    boss = discord.member("Boss", manage_guild=True)
    await boss.sends("settings", edition="1941")
    assert "; the default is 1941" in (await boss.sends("help", topic="axis")).content
    wrong = await boss.sends("battle", matchup="3 inf 2 art vs 4 inf")
    assert "A&A 1941 has no unit `art`. It is a unit with `variant:1942`. Do you mean " in wrong.content
    assert wrong.labels == ["3 inf 2 art vs 4 inf variant:1942 · 72.6% attacker", "Help"]
    assert line_of(await boss.presses(wrong, wrong.labels[0])) == "3 inf 2 art vs 4 inf variant:1942"
    told = await boss.sends("battle", matchup="3 mech vs 4 inf variant:1942")
    assert told.labels == ["3 mech vs 4 inf variant:1940", "Help"]
    ordered = await boss.sends("battle", matchup="3 inf vs 4 inf loss:art,inf")
    assert "A&A 1941 has no unit `art`, but `variant:1942` does." in ordered.content
    placed = await boss.sends("place", matchup="8 inf 1 aa || 4 inf 2 arm vs 1 inf || 6 inf")
    assert placed.labels == ["/place 8 inf 1 aa variant:1942 || 4 inf 2 arm vs 1 inf || 6 inf", "Help"]
    assert "^^" not in (await boss.presses(placed, placed.labels[0])).content
    await boss.sends("settings", edition="1914")
    raid = await boss.sends("bombing", matchup="3 bom vs 12")
    assert raid.labels == ["/bombing 3 bom vs 12 variant:1942", "Help"]


async def test_the_setting_behind_subtracts_the_army_left_behind(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", behind=True)
    answer = await alice.sends("battle", matchup="12 9")
    assert "11 against 9" in answer.content
    assert small_print(answer)[0] == "1 of the 12 stays behind."
    assert line_of(answer) == "11 9 behind:0"
    assert line_of(await alice.sends("battle", matchup="11 9 behind:0")) == "11 9 behind:0"
    path = await alice.sends("battle", matchup="20 > 5 > 4")
    assert "19 > 5 > 4" in path.content
    assert small_print(path)[0] == "1 of the 20 stays behind."
    assert line_of(path) == "19 > 5 > 4 leave:1 behind:0"
    needed = await alice.sends("need", matchup="9")
    assert "**You need 14 attackers to beat 9**" in needed.content
    assert small_print(needed)[0] == "The attackers include the 1 that stays behind."
    assert line_of(needed) == "13 9 behind:0"
    assert small_print(await alice.sends("need", matchup="12 vs"))[0] == "1 of the 12 stays behind."
    table = await alice.sends("table", matchup="12 9")
    assert (small_print(table)[0], line_of(table)) == ("1 of the 12 stays behind.", "11 9 behind:0")
    assert line_of(await alice.sends("table", matchup="12")) == "11 20 behind:0"
    assert "3 against 2" in (await alice.sends("dice", matchup="3 2")).content, "these are dice"
    plans = await alice.sends("compare", matchup="12 9 || 14")
    assert line_of(plans) == "11 9 behind:0 || 13 9 behind:0"
    assert small_print(plans)[:2] == ["A: 1 of the 12 stays behind.", "B: 1 of the 14 stays behind."]
    assert "An army of 0 can't leave 1 behind." in (await alice.sends("battle", matchup="0 9")).content
    for command in ("battle", "need", "table"):
        icons = await alice.sends(command, matchup="icons AA,D,- 3 4")
        assert "behind" not in icons.content, "icon dice have nobody who stays behind"
    assert line_of(await alice.sends("battle", matchup="3 inf vs 2 inf")) == "3 inf vs 2 inf"


async def test_the_setting_behind_counts_alike_in_every_answer(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", behind=True)
    needed = await alice.sends("need", matchup="10")
    headline, marks = needed.content.splitlines()[:2]
    assert headline == "**You need 15 attackers to beat 10** (83.5% to win, target 80%)"
    assert marks == "50%: 11 · 80%: 15 · 95%: 19"
    assert (needed.files[0].description or "").startswith(
        "You need 15 attackers to beat 10 (83.5% to win, target 80%)."
    )
    assert "**Attacker wins 83.5%**" in (await alice.sends("battle", matchup="15 10")).content
    table = await alice.sends("table", matchup="10 10")
    assert "up to 15 against 15" in table.content
    assert small_print(table)[0] == "1 of the 10 stays behind."
    assert line_of(table) == "9 10 behind:0"
    assert ["10", "11", "15", "more"] in rows(table)
    assert ["9", "10", "14", "18"] in rows(await alice.sends("table", matchup="20 20"))
    assert rows(await alice.presses(needed, "Table")) == rows(await alice.sends("table", matchup="15 10"))
    held = await alice.sends("need", matchup="12 vs")
    assert " defenders to hold against 12** (" in held.content
    for line, size in [("", "20 against 20"), ("12", "12 against 20")]:
        options: dict[str, Any] = {"matchup": line} if line else {}
        shown = await alice.sends("table", **options)
        assert f"up to {size}" in shown.content
        assert small_print(shown)[0] == "The attackers include the 1 that stays behind."


async def test_a_live_battle_subtracts_armies_left_behind_once(
    discord: FakeDiscord, bot: Client, quick_frames: None
) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", behind=True, game="2210")
    path = await alice.sends("roll", matchup="20 > 5 > 4")
    assert small_print(path)[0] == "1 of the 20 stays behind."
    shown = await alice.sends("roll", matchup="4 2 variant:classic")
    assert small_print(shown)[0] == "1 of the 4 stays behind."
    assert line_of(shown) == "3 2 variant:classic behind:0"
    shown = await types_dice(alice, shown, "6 6 6 vs 1 1")
    assert line_of(shown) == "3 2 variant:classic behind:0"
    again = await alice.presses(shown, "Roll again")
    assert line_of(again) == "3 2 variant:classic behind:0"
    export = (await alice.sends("history export")).files[0].data.decode()
    assert '"line": "3 2"' in export, "who checks it has no such habits"
    assert "3 2 variant:classic behind:0" in (await alice.sends("history list")).content
    assert "no problems found" in (await alice.sends("verify")).content


async def test_presets_keep_their_meaning_under_changed_settings(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await alice.sends("preset save", name="alamo", matchup="12 9")
    await boss.sends("settings", game="2210", behind=True)
    assert line_of(await alice.sends("battle", matchup="alamo")) == "12 9 variant:classic behind:0"
    assert line_of(await alice.sends("battle", matchup="alamo 14")) == "13 9 variant:classic behind:0"
    assert line_of(await alice.sends("preset show", name="alamo")) == "12 9 variant:classic behind:0"
    assert "alamo  12 9 variant:classic behind:0" in (await alice.sends("preset list")).content
    saved = await alice.sends("preset save", name="rorke", matchup="12 9")
    assert "Saved `rorke`: `11 9 variant:2210 behind:0`." in saved.content
    [alamo, rorke] = await services.store.setups(f"guild:{discord.guild.id}")
    assert (alamo.line, rorke.line) == ("12 9", "11 9 variant:2210"), "what is kept goes everywhere as it is"
    form = await alice.opens(await alice.sends("battle", matchup="7 3 variant:classic"), "Save")
    assert form.field("matchup").value == "6 3 variant:classic behind:0"
    assert "`6 3 variant:classic behind:0`" in (await alice.submits(form, {"Name": "third"})).content
    changed = await alice.sends("preset change", name="alamo", matchup="alamo stop:2")
    assert changed.content == (
        "Changed `alamo` to `12 9 variant:classic stop:2 behind:0` (it was `12 9 variant:classic behind:0`).".replace(
            "variant:classic stop:2 behind", "stop:2 variant:classic behind"
        )
    )
    assert "It was `6 3 variant:classic behind:0`" in (await alice.sends("preset delete", name="third")).content


async def test_a_file_of_presets_means_the_same_in_every_place(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    boss = discord.member("Boss", manage_guild=True)
    await boss.sends("settings", behind=True)
    shown = await boss.sends("preset import", file=file_of(entry("alamo", "12 9"), entry("rorke", "12 9 behind:1")))
    assert "new  alamo  12 9 behind:0\nnew  rorke  11 9 behind:0" in shown.content
    assert "Imported" in (await boss.presses(shown, "Import")).content
    assert [setup.line for setup in await services.store.setups(f"guild:{discord.guild.id}")] == ["12 9", "11 9"]
    assert "behind" not in (await boss.sends("preset export")).files[0].data.decode()


async def test_quoted_lines_do_not_take_the_settings_of_a_place(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    copied = await alice.says("do you mean `12 9`?", reply=False)
    typed = await alice.says("12 9", reply=False)
    await boss.sends("settings", behind=True)
    assert line_of(await boss.uses("Battle odds", copied)) == "12 9 behind:0"
    assert line_of(await boss.uses("Battle odds", typed)) == "11 9 behind:0"


async def test_suggestions_follow_the_settings_of_their_place(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await alice.sends("preset save", name="alamo", matchup="12 9")
    await boss.sends("settings", game="2210", behind=True, edition="1940")
    first = (await alice.types("battle", matchup="12 9"))[0]
    assert first.value == "12 9"
    assert first.name.endswith("11 9 variant:2210 behind:0")
    for command, begun in (("battle", "al"), ("compare", "12 9"), ("need", "12 9")):
        for choice in (await alice.types(command, matchup=begun))[:3]:
            answer = await alice.sends(command, matchup=str(choice.value))
            assert not answer.private, answer.content
            written = choice.name.rpartition(" · ")[2]
            if written.endswith("behind:0") and "||" not in written:
                assert line_of(answer) == written
    raids = await alice.types("bombing", matchup="5 bom vs 20")
    assert raids[0].value == "5 bom vs 20 variant:1940"
    places = await alice.types("place", matchup="8 inf || 4 inf || 6 inf")
    assert {
        line_of(await alice.sends("place", matchup=str(choice.value))).count("variant:1940") for choice in places
    } == {1}


EVERYTHING = {"game": "2210", "edition": "1940", "behind": "yes"}
QUESTIONS = [
    *(("battle", line) for line in ("12 9", "12 9 bombers:2", "20 > 5 > 4 variant:d8", "3 4 icons:AA,D,-")),
    *(("battle", line) for line in ("3 inf 2 arm vs 4 inf", "3 inf vs 2 inf then 2 arm", "12 9 || stop:4")),
    *(("need", line) for line in ("9", "12 vs", "12 9 90%", "6 inf 4 art vs 5 inf")),
    *(("table", line) for line in ("", "12", "12 9", "3 inf 2 arm vs 4 inf")),
    *(("dice", line) for line in ("3 2", "3 2 variant:classic")),
    *(("order", "3 inf 2 arm vs 4 inf 1 aa"), ("bombing", "5 bom vs 20"), ("place", "8 inf || 4 inf || 3 arm")),
    *(
        ("compare", "12 9 bombers:2 || bombers:1"),
        ("roll", "12 9"),
        ("roll", "3 inf vs 2 inf"),
        ("roll", "5 bom vs 20"),
    ),
]


@pytest.mark.parametrize("usual", [{name: EVERYTHING[name]} for name in EVERYTHING] + [EVERYTHING])
async def test_the_line_of_every_answer_asks_for_the_same_answer(services: Services, usual: dict[str, str]) -> None:
    """Pasted there, and where nothing is usual."""
    await services.store.set_settings("guild:1", usual)
    part = QUESTIONS[::2] if len(usual) > 1 else QUESTIONS[[*EVERYTHING].index(min(usual)) :: 6]
    for command, line in pick(part, QUESTIONS):
        shown = await line_under(services, command, line, "guild:1")
        again = {"roll": "roll", "place": "place"}.get(command, "battle")
        assert await line_under(services, again, shown, "guild:1") == shown, f"/{command} {line}"
        elsewhere = await line_under(services, again, shown, "guild:2")
        assert explicit(elsewhere, PlaceSettings.of(usual).line_defaults) == shown
        assert await line_under(services, again, elsewhere, "guild:1", typed=False) == shown


async def test_a_corrected_line_follows_the_settings_of_its_place(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", game="2210", behind=True)
    told = await alice.sends("battle", matchup="12 9 stp:4")
    assert line_of(await alice.presses(told, "12 9 stop:4")) == "11 9 variant:2210 stop:4 behind:0"
    told = await alice.sends("battle", matchup="12 9 80%")
    assert line_of(await alice.presses(told, "/need 12 9 80%")) == "11 9 variant:2210 behind:0"
    await boss.sends("settings", edition="1914")
    told = await alice.sends("battle", matchup="3 inf 2 artt vs 4 inf")
    assert line_of(told) == "3 inf 2 art vs 4 inf variant:1914"


async def test_a_line_the_usual_game_forbids_is_offered_in_classic_risk(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", game="battle-dice")
    told = await alice.sends("battle", matchup="12 9 ties:attacker")
    assert "add `variant:classic` after the first number to change that." in told.content
    shown = await alice.presses(told, "12 9 ties:attacker variant:classic")
    assert "12 against 9, house rules · Risk" in shown.content


async def test_a_corrected_private_question_has_a_private_answer(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", private=True)
    told = await alice.sends("battle", matchup="12 9 stp:4")
    assert (await alice.presses(told, "12 9 stop:4")).private
    told = await alice.sends("battle", matchup="12 9 stp:4", private=False)
    assert not (await alice.presses(told, "12 9 stop:4")).private


async def line_under(services: Services, command: str, line: str, place: str, typed: bool = True) -> str:
    """The line under an answer."""
    request = Request(command, "7", "Alice", place, {"matchup": line}, typed=typed)
    reply = await run(request, services)
    assert isinstance(reply, Reply)
    assert not reply.failed, reply.text
    found = under_answer(full_text(reply))
    assert found is not None
    return found
