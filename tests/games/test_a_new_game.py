"""A game that only tests know, the duel of coins, does all that a game can do, with no line about it in the bot."""

import io
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.commands.run import run
from bot.commands.suggest import suggest
from bot.console import open_services, request_from, solve_lines, verify
from bot.discord_app.client import Client
from bot.games.base import Rooms
from bot.live.rolling import Press
from bot.live.work import check_log, roll_on
from bot.phrases.reader import understand
from bot.replies import Reply
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.work.engine import Engine
from solver import BattleError
from solver.games import GAMES
from solver.questions import read_question
from tests.fake_discord import FakeDiscord
from tests.games.coins import CHART, COINS, COINS_GAME, MOST, Coins, solve_coins
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.forked_workers import fork_workers
from tests.helpers.bot.live_battles import LIVE, OVER, fought, log_of, types_dice, under
from tests.helpers.cases import each

pytestmark = pytest.mark.usefixtures("quick_frames")

WITH_COINS = Rooms((COINS, *ROOMS))
GAMES_WITH_COINS = (COINS_GAME, *GAMES)
LACKS = "This doesn't work for that game."


@pytest.fixture(scope="module")
def commands() -> list[dict[str, Any]]:
    """The commands that a bot with this game tells Discord: `/help` has a topic more."""
    return []


@pytest.fixture
async def services(settings: Settings, patient: None, unpainted: None, solved_once: None) -> AsyncIterator[Services]:
    """The services of the bot, which know the duel of coins too."""
    async with open_store(settings.store) as store, Engine(settings, WITH_COINS, processes=False) as engine:
        yield Services(settings, engine, lambda: store, WITH_COINS)


# The game itself -----------------------------------------------------------------------------------------


@lru_cache
def brute(attackers: int, defenders: int) -> dict[tuple[int, int], Fraction]:
    """Return the chance of each end, from every way in which all coins of a round can fall."""
    if not attackers or not defenders:
        return {(attackers, defenders): Fraction(1)}
    found: dict[tuple[int, int], Fraction] = {}
    falls = [*product((True, False), repeat=attackers + defenders)]
    changes = [fall for fall in falls if any(fall)]
    for fall in changes:
        kills, losses = sum(fall[:attackers]), sum(fall[attackers:])
        for end, chance in brute(max(attackers - losses, 0), max(defenders - kills, 0)).items():
            found[end] = found.get(end, Fraction()) + chance / len(changes)
    return found


@each([(1, 1), (2, 1), (1, 3), (3, 3), (5, 4), (2, 6)])
def test_the_odds_of_a_duel_are_exact(attackers: int, defenders: int) -> None:
    odds, ends = solve_coins(Coins(attackers, defenders)), brute(attackers, defenders)
    assert sum(ends.values()) == 1
    for (ours, theirs), chance in ends.items():
        assert odds.law[ours, theirs] == pytest.approx(float(chance), rel=1e-12)
    assert sum(odds.fate_chances) == pytest.approx(1, rel=1e-12)
    assert float(sum(chance for (ours, _), chance in ends.items() if ours)) == pytest.approx(odds.success, rel=1e-12)


def test_a_game_outside_the_registry_is_unknown() -> None:
    document = Coins(5, 4).to_dict()
    assert read_question(document, games=GAMES_WITH_COINS).work() == solve_coins(Coins(5, 4)).to_dict()
    with pytest.raises(BattleError, match="game"):
        read_question(document)


# Questions in the chat -----------------------------------------------------------------------------------


async def test_a_duel_is_answered_with_a_picture_and_buttons(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="coins 5 4")
    chance = f"{100 * solve_coins(Coins(5, 4)).success:.1f}%"
    assert shown.content.startswith(f"**Attacker wins: {chance}** · 5 coins against 4 · duel of coins")
    (picture,) = shown.files
    assert picture.data.startswith(b"\x89PNG")
    assert chance in (picture.description or "")
    assert (shown.labels, line_of(shown)) == (["Roll it", "+1 attacker", "Edit", "Save", "Ask on"], "coins 5 4")
    more = await alice.presses(shown, "+1 attacker")
    assert (more.id, line_of(more)) == (shown.id, "coins 6 4")
    form = await alice.opens(more, "Edit")
    equal = await alice.submits(form, {"Attackers and defenders": "coins 3 vs 3"})
    assert line_of(equal) == "coins 3 3"
    assert "-# Both sides have the same chance." in equal.content
    rolled = await alice.presses(equal, "Roll it")
    assert rolled.labels == LIVE
    said = await alice.says("@bot coins 5 4", reply=True)
    assert line_of(said) == "coins 5 4"


async def test_a_new_game_leaves_other_games_unchanged(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, told in (
        ("12 9", "79.0%"),
        ("20 > 5 > 4", "territories"),
        ("3 inf 2 arm vs 4 inf", "A&A 1942"),
        ("5 bom vs 20", "damage"),
    ):
        assert told in (await alice.sends("battle", matchup=line)).content, line


async def test_the_usual_game_of_a_place_leaves_duels_unchanged(discord: FakeDiscord, bot: Client) -> None:
    root = discord.member("Root", manage_guild=True)
    await root.sends("settings", game="2210", behind=True)
    shown = await root.sends("battle", matchup="coins 5 4")
    assert line_of(shown) == "coins 5 4"
    assert "variant:" in (await root.sends("compare", matchup="coins 5 4 || 12 9")).content
    assert await root.types("battle", matchup="coins 5 4")


async def test_duels_are_suggested_with_their_odds(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    chance = f"{100 * solve_coins(Coins(5, 4)).success:.1f}%"
    assert f"coins 5 4 → {chance} attacker" in [choice.name for choice in await alice.types("battle", matchup="coi")]
    assert [choice.value for choice in await alice.types("battle", matchup="coins 7")][:1] == ["coins 7 7"]
    assert [choice.value for choice in await alice.types("roll", matchup="coins 5 v 4")] == [
        "coins 5 v 4",
        "coins 5 vs 4",
    ]
    both = [choice.name for choice in await alice.types("compare", matchup="coins 5 4 || 12 9")]
    assert both == [f"coins 5 4 || 12 9 → A {chance}, B 79.0%"]
    assert await alice.types("need", matchup="coins 5 4") == []


async def test_a_duel_is_compared_with_other_battles(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line in ("12 9 || coins 5 4", "coins 5 4 || coins 6 4"):
        shown = await alice.sends("compare", matchup=line)
        assert line_of(shown) == line
        assert "5 coins against 4" in shown.content
        assert shown.files[0].data.startswith(b"\x89PNG")
        assert shown.labels == ["Odds of A", "Odds of B", "Swap A and B", "Edit", "Ask on"]
    shown = await alice.sends("compare", matchup="coins 5 4 || 12 9")
    assert "12 against 9" in shown.content
    assert line_of(await alice.presses(shown, "Swap A and B")) == "12 9 || coins 5 4"
    assert line_of(await alice.presses(shown, "Odds of B")) == "coins 5 4"
    wrong = await alice.sends("compare", matchup="coins 5 4 || coins 6")
    assert "Plan B: A duel of coins has two numbers" in wrong.content


async def test_the_help_has_a_screen_about_the_game(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("help", topic="coins")
    assert shown.content.startswith("**Duel of coins**")
    assert line_of(await alice.presses(shown, "coins 5 4")) == "coins 5 4"
    home = await alice.sends("help")
    assert (await alice.presses(home, "Coins")).content == shown.content
    by_word = await run(Request("help", "1", "Alice", "guild:1", {"topic": "duel"}), services)
    assert isinstance(by_word, Reply)
    assert by_word.text == shown.content


async def test_a_mistake_in_a_duel_has_a_caret_and_a_correction(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    wrong = await alice.sends("battle", matchup="coins 5 v 4")
    assert wrong.content == "```\ncoins 5 v 4\n        ^\n```\nI don't know `v` in a duel of coins."
    assert (wrong.private, wrong.labels) == (True, ["coins 5 vs 4", "Help"])
    assert line_of(await alice.presses(wrong, "coins 5 vs 4")) == "coins 5 4"
    assert (await alice.presses(wrong, "Help")).content.startswith("**Duel of coins**")
    wrong = await alice.sends("battle", matchup="coins 5 vs 4 sixpence")
    assert (wrong.content.count("^"), wrong.labels) == (len("sixpence"), ["coins 5 vs 4", "Help"])
    wrong = await alice.sends("battle", matchup="coins 5")
    assert wrong.content.endswith("A duel of coins has two numbers: `coins 5 4`.")
    assert wrong.labels == ["coins 5 4", "Help"]


async def test_a_mistyped_duel_is_never_a_battle_of_another_game(services: Services) -> None:
    """Its first word means nothing in what people say, where "totals 5 999" is a battle of Risk."""

    def renamed(text: str) -> str:
        return text.replace("totals", "coins", 1)

    notation = replace(
        COINS.notation,
        claims=lambda text, saved: COINS.notation.claims(renamed(text), saved),  # type: ignore[misc]
        read=lambda text, saved, takes, lone: COINS.notation.read(renamed(text), saved, takes, lone),
    )
    rooms = Rooms((*ROOMS, replace(COINS, notation=notation)))
    assert understand(ROOMS, "totals 5 999").line == "5 999"
    async with Engine(services.settings, rooms, processes=False) as engine:
        there = replace(services, engine=engine, rooms=rooms)
        for command in ("battle", "roll", "need", "preset save"):
            options = {"matchup": "totals 5 999", "name": "mine"}
            reply = await run(Request(command, "1", "Alice", "guild:1", options), there)
            assert isinstance(reply, Reply)
            assert reply.text.endswith(f"Each side has 1 to {MOST} coins, not 999."), command
        found = await run(Request("find", "1", "Alice", "guild:1", {"text": "totals 5 999"}), there)
        assert isinstance(found, Reply)
        assert found.text.startswith("I found no battle")
        typed = Request("battle", "1", "Alice", "guild:1", {"matchup": "totals 5 999"})
        assert [one.line for one in await suggest(typed, there)] == ["totals 5 999"]
    assert "mine" not in await services.saved_lines("guild:1")


async def test_phrases_about_duels_are_read(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="I have 5 coins against 4")
    assert line_of(shown) == "coins 5 4"
    assert "Read as `coins 5 4`." in shown.content
    assert (await alice.sends("battle", matchup="5 coins against 4 hats")).private, "an error"


async def test_too_many_coins_are_refused(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice = discord.member("Alice")
    wrong = await alice.sends("battle", matchup="coins 5 999")
    assert wrong.content.splitlines()[1:3] == ["coins 5 999", "        ^^^"]
    assert wrong.content.endswith(f"Each side has 1 to {MOST} coins, not 999.")
    assert wrong.labels == ["Help"]
    async with Engine(replace(services.settings, most_work=1), WITH_COINS, processes=False) as engine:
        small_host = replace(services, engine=engine)
        refused = await run(Request("battle", "1", "Alice", "guild:1", {"matchup": "coins 60 60"}), small_host)
        assert isinstance(refused, Reply)
        assert (refused.failed, refused.text) == (True, "That duel has too many coins.")
    asked = await run(Request("more", "1", "Alice", "guild:1", {"matchup": "coins 60 4"}), services)
    assert isinstance(asked, Reply)
    assert (asked.failed, "61" in asked.text) == (True, True)


async def test_commands_without_duels_are_refused_in_a_sentence(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    for command, told in (
        ("need", LACKS),
        ("table", "A duel of coins has no table."),
        ("dice", LACKS),
        ("order", "Casualty orders are for Axis & Allies:"),
    ):
        shown = await alice.sends(command, matchup="coins 5 4")
        assert shown.content.startswith(told), command
        assert (len(shown.content.splitlines()), shown.private) == (1, True)
    for command in ("swap", "fewer", "ends", "best attack"):
        reply = await run(Request(command, "1", "Alice", "guild:1", {"matchup": "coins 5 4"}), services)
        assert isinstance(reply, Reply)
        assert (reply.failed, len(reply.text.splitlines())) == (True, 1), command
    for command in ("bombing", "place"):
        shown = await alice.sends(command, matchup="coins 5 4")
        assert (shown.private, shown.files) == (True, ())
        assert "Something went wrong" not in shown.content
    fields = {**Coins(5, 4).to_dict(), "question": "need"}
    with pytest.raises(BattleError, match="only asked for its odds"):
        read_question(fields, games=GAMES_WITH_COINS)


# Live battles --------------------------------------------------------------------------------------------


async def test_a_duel_is_rolled_to_its_end_and_verified(
    discord: FakeDiscord, bot: Client, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alice = discord.member("Alice")
    first = await alice.sends("roll", matchup="coins 8 8")
    chance = f"{100 * solve_coins(Coins(8, 8)).success:.1f}%"
    assert first.content.startswith(f"⚔️ **Attacker wins {chance}** · 8 coins against 8")
    assert (first.labels, line_of(first)) == (LIVE, "coins 8 8")
    once = await alice.presses(first, "Roll")
    assert once.files[0].data.startswith(b"\x89PNG")
    over = await alice.presses(once, "Roll to the end") if once.labels == LIVE else once
    assert over.labels == OVER
    assert re.search(r" (100|0)%\n", over.content), "the end is certain"
    assert "The dice helped" in over.content or "of all battles" in over.content
    checked = await alice.presses(over, "Verify")
    assert under(checked, "seed")
    log = log_of(checked)
    assert (log["line"], log["rolls"][0]["dice"]) == ("coins 8 8", ["8d2", "8d2"])
    assert await check_log(bot.services.engine, WITH_COINS, log) == []
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(log))
    assert verify(settings, str(file), WITH_COINS) == 0
    log["rolls"][0]["attack"][0] = 3 - log["rolls"][0]["attack"][0]
    assert await check_log(bot.services.engine, WITH_COINS, log)
    listed = await alice.sends("history list")
    assert "coins 8 8" in listed.content
    capsys.readouterr()


async def test_real_coins_can_be_typed(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    first = await alice.sends("roll", matchup="coins 2 2")
    wrong = await types_dice(alice, first, "1 1 vs 2")
    assert "You typed 2 and 1 dice." in wrong.content
    after = await types_dice(alice, first, "1 2 vs 2 2")
    assert "2 coins against 1" in after.content
    called_off = await alice.presses(after, "Retreat")
    assert "Duel called off, 2 against 1 left" in called_off.content


async def test_duels_count_for_luck(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await fought(alice, "coins 5 4")
    await fought(alice, "12 9")
    shown = await alice.sends("luck")
    assert "in 2 battles" in shown.content
    assert f"{100 * solve_coins(Coins(5, 4)).success:.1f}%" in shown.content
    assert shown.files[0].data.startswith(b"\x89PNG")
    assert "dice of 2 sides" in (await alice.sends("history faces")).content


# Presets -------------------------------------------------------------------------------------------------


async def test_a_duel_is_saved_under_a_name(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    saved = await alice.sends("preset save", name="duel", matchup="coins 5 vs 4")
    assert saved.content == "Saved `duel`: `coins 5 4`."
    assert line_of(await alice.sends("battle", matchup="duel")) == "coins 5 4"
    assert (await alice.sends("roll", matchup="duel")).labels == LIVE
    assert line_of(await alice.sends("compare", matchup="duel || 12 9")) == "coins 5 4 || 12 9"
    assert "duel" in [choice.value for choice in await alice.types("battle", matchup="due")]
    assert "are taken" in (await alice.sends("preset save", name="coins", matchup="12 9")).content
    form = await alice.opens(await alice.sends("battle", matchup="coins 3 2"), "Save")
    assert (await alice.submits(form, {"Name": "small"})).content == "Saved `small`: `coins 3 2`."
    listed = await alice.sends("preset list")
    assert "coins 5 4" in listed.content
    assert "coins 3 2" in listed.content


# JSON lines and worker processes -------------------------------------------------------------------------


async def test_json_lines_ask_about_duels(settings: Settings) -> None:
    out = io.StringIO()
    documents: list[dict[str, Any]] = [
        Coins(5, 4).to_dict(),
        {"text": "coins 5 4"},
        {"game": "coins", "attackers": 5},
        {"game": "coins", "attackers": 5, "defenders": 999},
        {"game": "risk", "attackers": 3, "defenders": 2},
    ]
    lines = map(json.dumps, documents)
    assert await solve_lines(settings, lines, out, WITH_COINS, GAMES_WITH_COINS) == 1
    first, text, absent, many, risk = map(json.loads, out.getvalue().splitlines())
    assert first == text == solve_coins(Coins(5, 4)).to_dict()
    assert absent == {"error": "defenders: this is missing"}
    assert many == {"error": f"defenders: each side has 1 to {MOST} coins, not 999"}
    assert risk["attacker_wins"] == pytest.approx(0.656, abs=5e-4)


async def test_the_terminal_answers_about_duels(settings: Settings) -> None:
    async with open_services(settings, WITH_COINS) as services:
        reply = await run(request_from("coins 5 4"), services)
    assert isinstance(reply, Reply)
    assert (reply.note, reply.line) == ("exact", "coins 5 4")


async def test_worker_processes_solve_the_new_game(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    fork_workers(monkeypatch)
    async with Engine(replace(settings, workers=1), WITH_COINS) as engine:
        duel = Coins(5, 4)
        odds = await engine.odds(duel)
        assert odds.law.tolist() == solve_coins(duel).law.tolist()
        png = await engine.draw(CHART, duel, "Duel", odds.fate_chances, ("a", "b", "c"))
        assert png.startswith(b"\x89PNG")
        document = await engine.document(read_question(duel.to_dict(), games=GAMES_WITH_COINS))
        assert document == odds.to_dict()
        press = Press("coins 5 4", "5eed" * 16, "battle", "1", "2", "1")
        added = await roll_on(engine, COINS, duel, [], "end", press)
        assert added[-1].ended
        problems = await check_log(engine, WITH_COINS, {"line": "coins 5 4", "rolls": []})
        assert problems
        assert not any("replayed" in problem for problem in problems), "the worker reads the line"
