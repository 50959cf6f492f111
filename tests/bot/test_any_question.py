"""Whatever is asked, by whichever command: an answer that fits, pings nobody, and can be gone on from."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot import charts
from bot.autocomplete import LONGEST_SUGGESTION, MOST_SUGGESTIONS
from bot.commands.run import run
from bot.commands.settings import PAGES
from bot.commands.suggest import suggest, suggest_plans
from bot.commands.table import COMMANDS
from bot.commands.typed import command_in
from bot.discord_app.client import Client
from bot.discord_app.delivery import message_parts
from bot.games.placing.completion import suggest_places
from bot.games.placing.notation import is_placing, parse_placing, write_placing
from bot.games.raid.notation import asked_ends, write_raid
from bot.games.raid.suggestions import suggest_raids
from bot.notation.lexer import LONGEST_LINE
from bot.notation.mistakes import MatchupError
from bot.notation.plans import BETWEEN, LONGEST_PLANS
from bot.replies import ASK_ALL, HELP, Form, Reply, full_text, line_of
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.store import battles
from bot.store.database import open_store
from bot.work import engine
from bot.work.engine import Engine
from solver import Battle
from solver.path.path import Path as March
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.any_line import (
    ARMY_WORDS,
    CHANGES,
    any_battle,
    army_lines,
    paths,
    placing_lines,
    raid_lines,
    sensible,
    wild,
)
from tests.helpers.bot.lines import parse, parse_plans, pasted_raid, read_raid, write, write_plans
from tests.helpers.extent import examples, pick

FORMS = {name for name, command in COMMANDS.items() if command.asks_form}
BEST = ("best attack", "best defence")
TABLES = ("table rounds", "table stop")
ENDS = ("ends", "ends money", "ends winner")
MOVES = ("swap", "rulebook", "as typed", "more", "fewer")
ASKED = ("battle", "roll", "need", "table", "dice", "order", "find", *MOVES, *BEST, *ENDS, *TABLES)
RAIDED = ("bombing", "bombing more", "bombing fewer", "bombing edit", "battle", "find", *ENDS)
OF_PLANS = ("compare", "swap plans", *(f"plan {name}" for name in "abcde"), "edit plans")
OF_PLACES = ("place", "place all", "place most", "place value", *(f"place odds {one + 1}" for one in range(8)))
OF_MAPS = ("conquer", "conquer all", "conquer most", "battle", "need")
DRAWN = ("need", "table", "dice")
SETUPS = {"ukraine": "12 9 bombers:2 stop:4", "march": "20 > 5 dbonus:1 > 4 > 2 leave:1,3"}

PRESSES = {name for name, command in COMMANDS.items() if command.live}
LIVE = PRESSES | {"advise", "ask choice", "ask number", "ask dice", "ask mistyped"}

MANY = 1_000_000
"""Examples begin many battles, and end none of them."""
Ask = Callable[..., Reply | Form]
"""Asks with a command and a line, and with the argument of a button."""


def request(command: str, line: str, argument: str = "", private: bool = False) -> Request:
    options = {"matchup": line, "text": line, "topic": line}
    return Request(command, "user", "User", "place", options, private=private, argument=argument)


@asynccontextmanager
async def open_services(folder: Path) -> AsyncIterator[Services]:
    settings = replace(load(data=folder), most_battles=MANY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(battles, "MOST_OF_ONE", MANY)
        async with open_store(folder / "sandtable.db") as store, Engine(settings, ROOMS, processes=False) as engine:
            services = Services(settings, engine, lambda: store, ROOMS)
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
    return lambda *asked: runner.run(run(request(*asked), services))


def checked(reply: Reply | Form) -> Reply:
    """An answer that can be shown, and if it is about a battle, gone on from."""
    assert isinstance(reply, Reply)
    assert "Something went wrong" not in reply.text, reply.text
    parts = message_parts(reply)
    assert 0 < len(parts["content"]) <= 2000
    assert reply.text.strip()
    for file in parts["files"]:
        file.close()
    if reply.failed:
        assert (reply.private, reply.picture) == (True, None)
        assert [button.command for button in reply.buttons] in ([], [HELP], [ASK_ALL, HELP], [ASK_ALL])
        return reply
    line = line_of(parts["content"])
    if line is None:
        assert not reply.buttons, "what dice show is no battle"
        return reply
    assert line == line_of(full_text(reply))
    if is_placing(line):
        again = write_placing(parse_placing(line))
    elif BETWEEN in line:
        again = write_plans(parse_plans(line))
    else:
        again = write_raid(read_raid(line)) if pasted_raid(line) else write(parse(line).battle)
    assert again == line
    if reply.picture:
        assert reply.picture.png.startswith(b"\x89PNG")
        assert 0 < len(reply.picture.alternative) <= 1024
        assert "*" not in reply.picture.alternative
        assert "`" not in reply.picture.alternative
        assert reply.picture.name.endswith(".png")
    return reply


def check_teaching(ask: Ask, wrong: Reply) -> None:
    """What a mistake offers to tap has no such mistake."""
    for button in wrong.buttons:
        if button.command == ASK_ALL:
            command, options = command_in(button.argument)
            assert "^\n```" not in checked(ask(command, options["matchup"])).text


@given(st.sampled_from(ASKED), sensible)
@examples(30)
@example("table", "0 5")
@example("table", "1000000 0")
@example("need", "0")
@example("dice", "0 0")
@example("battle", "20 bombers:2 > 5 dice:1v1 > 4")
@example("roll", "40 > 40 late > 40 ties:both leave:0")
def test_every_line_has_an_answer(ask: Ask, command: str, line: str) -> None:
    reply = checked(ask(command, line))
    if reply.failed:
        check_teaching(ask, reply)
        return
    below = line_of(full_text(reply)) or ""
    if command in ("battle", "roll"):
        assert parse(below).battle == parse(line, SETUPS, takes=("exact", "all")).battle
    assert command not in DRAWN or reply.picture
    for button in reply.buttons:
        if button.enabled and button.command not in FORMS:
            after = checked(ask(button.command, below, button.argument))
            asks_on = button.command in ("battle", "need", "table")
            assert not asks_on or (not after.failed and line_of(full_text(after)) == below)


@given(st.sampled_from([*ASKED, "edit"]), army_lines)
@examples(30)
def test_every_line_of_units_has_an_answer(ask: Ask, command: str, line: str) -> None:
    if command == "edit":
        assert isinstance(ask(command, line), Form)
        return
    reply = checked(ask(command, line))
    if reply.failed:
        check_teaching(ask, reply)
        return
    below = line_of(full_text(reply)) or ""
    for button in reply.buttons:
        if button.enabled and button.command not in FORMS:
            after = checked(ask(button.command, below, button.argument))
            assert not after.failed
            assert button.command not in ("battle", "table", "order") or line_of(full_text(after)) == below


@given(st.sampled_from(RAIDED), raid_lines)
@examples(25)
@example("bombing more", "500 bom vs 20")
@example("bombing fewer", "1 bom vs 20")
@example("find", "Shall we?\n5 bom vs 20 biased")
def test_every_raid_has_an_answer(ask: Ask, command: str, line: str) -> None:
    if command == "bombing edit":
        form = ask(command, line)
        assert isinstance(form, Form)
        assert (form.command, form.fields[-1].value) == ("bombing", line)
        return
    reply = checked(ask(command, line))
    if reply.failed or (command in ("battle", "find", *ENDS) and not pasted_raid(line)):
        return
    below = line_of(full_text(reply)) or ""
    assert reply.picture or command in ENDS or asked_ends(line)
    if command == "bombing":
        try:
            raid = read_raid(line, takes=("all",))
        except MatchupError:  # a mistyped line is read freely
            assert "Read as `" in full_text(reply)
        else:
            assert read_raid(below) == raid
    for button in reply.buttons:
        if button.enabled:
            after = ask(button.command, below, button.argument)
            assert isinstance(after, Form) or not checked(after).failed


@given(st.sampled_from(["bombing", "bombing more", "bombing fewer"]), wild)
@examples(30)
def test_any_text_about_a_raid_has_an_answer(ask: Ask, command: str, line: str) -> None:
    checked(ask(command, line[:LONGEST_LINE]))


changes = st.lists(st.sampled_from([*CHANGES, *ARMY_WORDS, "13", "4 arm", "vs 5 inf"]), max_size=2).map(" ".join)


@given(sensible | army_lines, sensible | army_lines | changes)
@examples(25)
@example("12 9 bombers:2", "bombers:1")
@example("3 inf 2 arm vs 4 inf", "retreat:profit<0")
@example("20 > 5 > 4", "leave:3")
@example("12 9", "3 inf vs 2 inf")
@example("ukraine", "march")
def test_every_two_plans_have_an_answer(ask: Ask, first: str, second: str) -> None:
    reply = checked(ask("compare", f"{first} || {second}"))
    if reply.failed:
        check_teaching(ask, reply)
        return
    below = line_of(full_text(reply)) or ""
    swapped = checked(ask("swap plans", below))
    battles = [plan.battle for plan in parse_plans(below)]
    back = line_of(full_text(swapped)) or ""
    assert [plan.battle for plan in parse_plans(back)] == battles[::-1]
    assert line_of(full_text(checked(ask("swap plans", back)))) == below
    for command, battle in zip(("plan a", "plan b"), battles, strict=True):
        assert line_of(full_text(checked(ask(command, below)))) == write(battle)
    form = ask("edit plans", below)
    assert isinstance(form, Form)
    assert (form.command, form.fields[0].value) == ("compare", below)


@given(st.sampled_from(["compare", "battle", "find"]), wild, wild, st.sampled_from([" || ", " or ", "|", "\n", ""]))
@examples(30)
def test_any_text_for_two_plans_has_an_answer(ask: Ask, command: str, first: str, second: str, sign: str) -> None:
    checked(ask(command, f"{first}{sign}{second}"[:LONGEST_PLANS]))


@given(st.sampled_from(OF_PLACES[:4]), placing_lines)
@examples(30)
def test_every_line_about_several_territories_has_an_answer(ask: Ask, command: str, line: str) -> None:
    reply = checked(ask(command, line))
    if reply.failed:
        check_teaching(ask, reply)
        return
    below = line_of(full_text(reply)) or ""
    for button in reply.buttons:
        if button.enabled and button.command not in FORMS:
            after = checked(ask(button.command, below, button.argument))
            assert not after.failed
    if not reply.failed:
        assert reply.picture
        assert line_of(full_text(checked(ask("place", below)))) == below
        assert line_of(full_text(checked(ask("find", full_text(reply))))) == below


@given(st.sampled_from([*ASKED, *OF_PLACES, *OF_MAPS]), wild)
@examples(30)
def test_any_text_has_an_answer(ask: Ask, command: str, line: str) -> None:
    checked(ask(command, line[:LONGEST_LINE]))


@given(st.sampled_from(ASKED), any_battle | paths())
@examples(30)
def test_every_battle_has_an_answer(ask: Ask, command: str, battle: Battle | March) -> None:
    line = write(battle)
    reply = checked(ask(command, line))
    if command == "battle" and len(line) <= LONGEST_LINE:
        assert not reply.failed
        assert line_of(full_text(reply)) == line


@given(st.sampled_from(sorted(FORMS - {"ask on", "edit plans", *LIVE, *PAGES})), any_battle | paths())
@examples(30)
def test_every_form_holds_the_line(ask: Ask, command: str, battle: Battle | March) -> None:
    form = ask(command, write(battle))
    assert isinstance(form, Form)
    assert form.fields[-1].value == write(battle)


@given(st.text(max_size=30) | st.sampled_from(["packs", "2210", "variant:wall", "battle"]))
@examples(30)
def test_every_topic_has_an_answer(ask: Ask, topic: str) -> None:
    reply = ask("help", topic)
    assert isinstance(reply, Reply)
    assert reply.private
    assert len(message_parts(reply)["content"]) <= 2000


@given(wild | raid_lines)
@examples(30)
@example("20 > 5 > 4 > ")
@example("12 9 v")
@example("march leave:")
def test_any_text_has_suggestions_that_fit_discord(table: tuple[asyncio.Runner, Services], typed: str) -> None:
    runner, services = table
    for find in (suggest, suggest_raids):
        for label, line in runner.run(find(request("suggest", typed[:LONGEST_LINE]), services)):
            assert 0 < len(label) <= LONGEST_SUGGESTION
            assert 0 < len(line) <= LONGEST_SUGGESTION
        assert len(runner.run(find(request("suggest", typed), services))) <= MOST_SUGGESTIONS + 1


@example(f"{'0' * 95}AB  AB", "")  # one letter more than a suggestion may have, until the blanks are one
@example("5 5 2", " o")  # said like a path, which is one plan
@given(wild, st.sampled_from(["", "||", " || stop", " || retr", " or 3 ", "| 1", " o", " || 1 || 2"]))
@examples(30)
def test_any_text_has_suggestions_of_two_plans(table: tuple[asyncio.Runner, Services], typed: str, more: str) -> None:
    runner, services = table
    found = runner.run(suggest_plans(request("suggest", typed[: LONGEST_PLANS - 20] + more), services))
    assert len(found) <= MOST_SUGGESTIONS + 1
    for label, line in found:
        assert 0 < len(label) <= LONGEST_SUGGESTION
        assert 0 < len(line) <= LONGEST_SUGGESTION
        assert label.startswith(line)
    assert len(runner.run(suggest(request("suggest", typed), services))) <= MOST_SUGGESTIONS + 1
    for label, line in runner.run(suggest_places(request("suggest", typed), services)):
        assert 0 < len(label) <= LONGEST_SUGGESTION
        assert 0 < len(line) <= LONGEST_SUGGESTION


def test_every_command_has_a_test_of_any_question() -> None:
    rest = {
        "help",
        "map",
        "privacy",
        "turn to",
        "edit",
        "ask on",
        "save",
        "import setups",
        "luck",
        "settings",
        "verify",
    }
    rest |= {name for name in COMMANDS if name.startswith(("history ", "preset ", "settings "))}
    assert {*LIVE, *ASKED, *RAIDED, *OF_PLANS, *OF_PLACES, *OF_MAPS, "edit placing"} | rest == set(COMMANDS)


async def test_no_typed_line_pings_anybody(discord: FakeDiscord, bot: Client) -> None:
    commands = ["battle", "compare", "roll", "need", "table", "dice", "order", "place", "conquer"]
    for number, line in enumerate(
        ["@everyone > 5", "<@1> 9 80%", "icons @here,D 3 4", "3 4 variant:<@&1>", "```9``` >"]
    ):
        for command in pick(commands[number::5], commands):
            alice = discord.member("Alice")
            shown = await alice.sends(command, matchup=line)
            assert shown.private or "@" not in shown.content
            assert not shown.pings
            said = await alice.says(f"@bot {command} {line}")
            assert not said.pings
            assert "Something went wrong" not in shown.content + said.content


async def test_a_fault_in_drawing_is_one_calm_sentence(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for room in (engine, charts):
        monkeypatch.setattr(room, "draw", lambda *_: 1 / 0)
    for command, line in (("need", "9"), ("table", "3 2"), ("dice", "3"), ("battle", "5 > 3"), ("compare", "3 2 or 4")):
        reply = await run(request(command, line), services)
        assert isinstance(reply, Reply)
        assert reply.text.startswith("Something went wrong on my side, not with what you typed. Tell the host: fault `")
        assert (reply.private, reply.failed) == (True, True)
    assert caplog.text.count("ZeroDivisionError") == 5
