"""Whatever is asked, by whichever command: an answer that fits, pings nobody, and can be gone on from."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot import engine
from bot.commands import COMMANDS, run
from bot.commands.request import Request, Services
from bot.commands.suggest import LONGEST_SUGGESTION, MOST_SUGGESTIONS, suggest
from bot.commands.suggest_places import suggest_places
from bot.discord_app.answers import FORMS, message_parts
from bot.discord_app.client import Client
from bot.engine import Engine
from bot.matchup import LONGEST_LINE, parse, write
from bot.matchup.placing import is_placing, parse_placing, write_placing
from bot.replies import Form, Reply, line_of, whole
from bot.settings import load
from bot.store import open_store
from solver import Battle
from solver.paths import Path as March
from tests.bot.any_line import any_battle, army_lines, paths, placing_lines, sensible, wild
from tests.fake_discord import FakeDiscord

ASKED = ("battle", "roll", "need", "table", "dice", "find", "swap", "more", "fewer")
OF_PLACES = ("place", "place all", "place most", "place value", *(f"place odds {one + 1}" for one in range(8)))
DRAWN = ("need", "table", "dice")
SETUPS = {"ukraine": "12 9 bombers:2 stop:4", "march": "20 > 5 dbonus:1 > 4 > 2 leave:1,3"}

Ask = Callable[[str, str], Reply | Form]


def request(command: str, line: str, private: bool = False) -> Request:
    return Request(command, "user", "User", "place", {"matchup": line, "text": line, "topic": line}, private=private)


@asynccontextmanager
async def open_services(folder: Path) -> AsyncIterator[Services]:
    async with open_store(folder / "sandtable.db") as store, Engine(load(data=folder), processes=False) as engine:
        services = Services(load(data=folder), engine, store)
        for name, line in SETUPS.items():
            await run(Request("preset save", "user", "User", "place", {"name": name, "matchup": line}), services)
        yield services


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Services]]:
    """Services for all examples: what was worked out for one of them is kept for the next."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        yield runner, runner.run(stack.enter_async_context(open_services(tmp_path_factory.mktemp("data"))))
        runner.run(stack.aclose())


@pytest.fixture(scope="module")
def ask(table: tuple[asyncio.Runner, Services]) -> Ask:
    runner, services = table
    return lambda command, line: runner.run(run(request(command, line), services))


def checked(reply: Reply | Form) -> Reply:
    """An answer that can be shown, and if it is about a battle, gone on from."""
    assert isinstance(reply, Reply)
    assert "Something went wrong here" not in reply.text, reply.text
    parts = message_parts(reply)
    assert 0 < len(parts["content"]) <= 2000
    assert reply.text.strip()
    for file in parts["files"]:
        file.close()
    if reply.failed:
        assert (reply.private, reply.picture, reply.buttons) == (True, None, ())
        return reply
    line = line_of(parts["content"])
    if line is None:
        assert not reply.buttons, "what dice show is no battle"
        return reply
    assert line == line_of(whole(reply))
    if is_placing(line):
        assert write_placing(parse_placing(line)) == line
    else:
        assert write(parse(line).battle) == line
    if reply.picture:
        assert reply.picture.png.startswith(b"\x89PNG")
        assert 0 < len(reply.picture.alternative) <= 1024
        assert "*" not in reply.picture.alternative
        assert "`" not in reply.picture.alternative
        assert reply.picture.name.endswith(".png")
    return reply


@given(st.sampled_from(ASKED), sensible)
@settings(max_examples=300)
@example("table", "0 5")
@example("table", "1000000 0")
@example("need", "0")
@example("dice", "0 0")
@example("battle", "20 bombers:2 > 5 dice:1v1 > 4")
@example("roll", "40 > 40 late > 40 ties:both leave:0")
def test_every_line_has_an_answer(ask: Ask, command: str, line: str) -> None:
    reply = checked(ask(command, line))
    if reply.failed:
        return
    below = line_of(whole(reply)) or ""
    if command in ("battle", "roll"):
        assert parse(below).battle == parse(line, SETUPS, takes=("exact",)).battle
    assert command not in DRAWN or reply.picture
    for button in reply.buttons:
        if button.enabled and button.command not in FORMS:
            after = checked(ask(button.command, below))
            asks_on = button.command in ("battle", "need", "table")
            assert not asks_on or (not after.failed and line_of(whole(after)) == below)


@given(st.sampled_from([*ASKED, "edit"]), army_lines)
@settings(max_examples=150)
def test_every_line_of_units_has_an_answer(ask: Ask, command: str, line: str) -> None:
    if command == "edit":
        assert isinstance(ask(command, line), Form)
        return
    reply = checked(ask(command, line))
    below = line_of(whole(reply)) or ""
    for button in reply.buttons:
        if button.enabled and button.command not in FORMS:
            after = checked(ask(button.command, below))
            assert not after.failed
            assert button.command not in ("battle", "table") or line_of(whole(after)) == below


@given(st.sampled_from(OF_PLACES[:4]), placing_lines)
@settings(max_examples=100)
def test_every_line_about_several_territories_has_an_answer(ask: Ask, command: str, line: str) -> None:
    reply = checked(ask(command, line))
    below = line_of(whole(reply)) or ""
    for button in reply.buttons:
        if button.enabled and button.command not in FORMS:
            after = checked(ask(button.command, below))
            assert not after.failed
    if not reply.failed:
        assert reply.picture
        assert line_of(whole(checked(ask("place", below)))) == below
        assert line_of(whole(checked(ask("find", whole(reply))))) == below


@given(st.sampled_from([*ASKED, *OF_PLACES]), wild)
@settings(max_examples=150)
def test_whatever_is_typed_has_an_answer(ask: Ask, command: str, line: str) -> None:
    checked(ask(command, line[:LONGEST_LINE]))


@given(st.sampled_from([name for name in ASKED if name != "roll"]), any_battle | paths())
@settings(max_examples=80)
def test_every_battle_has_an_answer(ask: Ask, command: str, battle: Battle | March) -> None:
    line = write(battle)
    reply = checked(ask(command, line))
    if command == "battle" and len(line) <= LONGEST_LINE:
        assert not reply.failed
        assert line_of(whole(reply)) == line


@given(st.sampled_from(sorted(FORMS)), any_battle | paths())
@settings(max_examples=50)
def test_every_form_holds_the_line(ask: Ask, command: str, battle: Battle | March) -> None:
    form = ask(command, write(battle))
    assert isinstance(form, Form)
    assert form.fields[-1].value == write(battle)


@given(st.text(max_size=30) | st.sampled_from(["packs", "2210", "variant:wall", "battle"]))
@settings(max_examples=50)
def test_every_topic_has_an_answer(ask: Ask, topic: str) -> None:
    reply = ask("help", topic)
    assert isinstance(reply, Reply)
    assert reply.private
    assert len(message_parts(reply)["content"]) <= 2000


@given(wild)
@settings(max_examples=150)
@example("20 > 5 > 4 > ")
@example("12 9 v")
@example("march leave:")
def test_whatever_is_typed_has_suggestions_that_fit(table: tuple[asyncio.Runner, Services], typed: str) -> None:
    runner, services = table
    for label, line in runner.run(suggest(request("suggest", typed[:LONGEST_LINE]), services)):
        assert 0 < len(label) <= LONGEST_SUGGESTION
        assert 0 < len(line) <= LONGEST_SUGGESTION
    assert len(runner.run(suggest(request("suggest", typed), services))) <= MOST_SUGGESTIONS + 1
    for label, line in runner.run(suggest_places(request("suggest", typed), services)):
        assert 0 < len(label) <= LONGEST_SUGGESTION
        assert 0 < len(line) <= LONGEST_SUGGESTION


def test_every_command_is_tried_here() -> None:
    rest = {"help", "edit", "save", "preset save", "preset list", "preset show", "preset delete"}
    assert {*ASKED, *OF_PLACES, "edit placing"} | rest == set(COMMANDS)


@pytest.mark.parametrize("command", ["battle", "roll", "need", "table", "dice", "place"])
@pytest.mark.parametrize("line", ["@everyone > 5", "<@1> 9 80%", "icons @here,D 3 4", "3 4 variant:<@&1>", "```9``` >"])
async def test_nothing_that_is_typed_pings(discord: FakeDiscord, bot: Client, command: str, line: str) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends(command, matchup=line)
    assert shown.private
    assert not shown.pings
    said = await alice.says(f"@bot {command} {line}")
    assert not said.pings
    assert "Something went wrong here" not in shown.content + said.content


async def test_a_fault_of_ours_is_told_calmly_by_the_new_commands_too(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engine, "draw", lambda *_: 1 / 0)
    for command, line in (("need", "9"), ("table", "3 2"), ("dice", "3"), ("battle", "5 > 3")):
        reply = await run(request(command, line), services)
        assert isinstance(reply, Reply)
        assert reply.text.startswith("Something went wrong here, not with what you typed. It was noted as `")
        assert (reply.private, reply.failed) == (True, True)
    assert caplog.text.count("ZeroDivisionError") == 4
