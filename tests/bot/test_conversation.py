"""A conversation in the terminal: lines, buttons, forms and suggestions."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from bot.commands.run import run
from bot.console import open_services, request_from
from bot.games.dice import work as dice_work
from bot.prompt import Suggestions, converse
from bot.request import Services
from bot.settings import Settings
from solver import DiceChain, Odds, solve
from tests.helpers.bot.answers import check_in_order
from tests.helpers.program import LONGEST


@pytest.fixture
def keys(settings: Settings, unpainted: None) -> Iterator[PipeInput]:
    """The keyboard of a terminal without a screen."""
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        yield keyboard


async def check_conversation(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str], lines: Mapping[str, str]
) -> None:
    """Type lines until the conversation ends; each is answered with a text, in this order."""
    keys.send_text("".join(f"{line}\r" for line in lines) + "\x04")
    assert await converse(settings) == 0
    check_in_order(capsys.readouterr().out, lines.values())


async def test_a_conversation_answers_lines_and_buttons(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {
        "12 9 bombers:2": "12 with 2 bombers against 9",
        "swap": "9 against 12 with 2 bombers",
        "+1": "10 against 12 with 2 bombers",
        "save": "\n",
        "alamo": "\n",
        "": 'Saved "alamo": "10 12 dbombers:2"',
        "alamo stop:3": "10 against 12 with 2 bombers, stop at 3",
        "nonsense": 'I don\'t know "nonsense"',
        "Roll it": "10 against 12 with 2 bombers",
        "-1": "9 against 12 with 2 bombers, stop at 3",
        "/compare 12 9 or stop:4": "12 9 || 12 9 stop:4",
        "swap a and b": "12 9 stop:4 || 12 9",
        "odds of a": "12 against 9, stop at 4",
        "and with 3 more?": "12 → 15 attackers: 56.1% → 78.5%",
    }
    await check_conversation(settings, keys, capsys, lines)
    assert "12 9 bombers:2" in (settings.data / "history").read_text()


async def test_a_battle_is_rolled_in_a_conversation(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {
        "12 9": "Attacker wins 79.0% · 12 against 9",
        "roll it": "Roll · Roll to the end · Retreat · Real dice",
        "real dice": "\n",
        "6 4 1 vs 5 3": "1*  6 4 1   5 3      12 v 7  89.6%",
        "Real dice": "\n",
        "6 4": "Next roll: attacker 3; defender 2. You typed 2 dice.",
        "roll": "against",
        "roll to the end": "Roll again · Verify",
        "verify": "no problems found",
        "roll again": "Attacker wins 79.0% · 12 against 9",
        "retreat": "Attack called off after 0 rounds, 12 against 9 left",
        "swap": "9 against 12",
    }
    await check_conversation(settings, keys, capsys, lines)
    async with open_services(settings) as services:
        now = datetime.now(UTC)
        behind = await services.store.battles.list_outdated(now - timedelta(days=1), now)
        assert behind == [], "the terminal shows every frame"


async def test_losses_are_chosen_in_a_conversation(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = "\x15"
    lines = {
        "/roll 2 inf 2 arm 1 fig loss:arm,inf,fig vs 3 inf 1 arm": "Roll · Roll to the end · Retreat · Real dice",
        "real dice\r3 6 6 6 6 vs 3 6 6 2": "Real dice · What should I lose?",
        "what should i lose?": "2 inf             *57.4%   +31.1",
        f"attacker: other losses\r{empty}1 sub": "By the rules 2 hits can't be taken like that.",
        f"attacker: other losses\r{empty}1 arm 1 fig": "attacker loses 1 arm 1 fig",
        "advise": "2 inf",
        "Attacker loses 2 inf": "attacker loses 2 inf",
    }
    await check_conversation(settings, keys, capsys, lines)


async def test_an_import_in_a_conversation_asks_first(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "setups.json"
    file.write_text('{"sandtable": "setups", "version": 1, "setups": [{"name": "alamo", "line": "3v2"}]}')
    lines = {
        f"/preset import {file}": "This file has: 1 new.",
        "/preset list": "There are no presets here yet.",
        "import": "Imported: 1 new.",
        "import ": "There is nothing to import.",
        "/preset export": str(settings.data / "files" / "setups.json"),
        "/preset list ": "alamo  3 2",
    }
    await check_conversation(settings, keys, capsys, lines)


async def test_settings_are_chosen_in_a_conversation(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = "\x15"
    lines = {
        "/settings": "Games · Answers · Records",
        f"games\r{empty}2210\r\r{empty}yes": 'Plain numbers like "12 9" mean 2210, commanders 1 v 1.',
        "12 9": "11 9 variant:2210 behind:0",
        "+1": "12 9 variant:2210 behind:0",
        "/settings behind:no game:classic show:words": "Answers are text only, without a picture.",
        "12 9 ": "exact · about 8 rounds · 12 9",
    }
    await check_conversation(settings, keys, capsys, lines)


async def test_a_conversation_ends_with_quit_and_survives_ctrl_c(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str]
) -> None:
    keys.send_text("\x03/quit\r")
    assert await converse(settings) == 0
    keys.send_text("12 9\redit\r\x03\x04")
    assert await converse(settings) == 0
    assert "12 against 9" in capsys.readouterr().out


async def test_ctrl_c_ends_a_slow_question_and_not_the_conversation(
    settings: Settings, keys: PipeInput, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, enough = threading.Event(), threading.Event()

    def slowly(chain: DiceChain) -> Odds:
        if chain.acting == 99:
            begun.set()
            enough.wait(LONGEST)
        return solve(chain)

    monkeypatch.setattr(dice_work, "solve", slowly)
    keys.send_text("99 99\r")
    conversation = asyncio.create_task(converse(settings))
    await asyncio.to_thread(begun.wait, LONGEST)
    os.kill(os.getpid(), signal.SIGINT)
    keys.send_text("12 9\r\x04")
    enough.set()
    assert await conversation == 0
    told = capsys.readouterr().out
    assert "12 against 9" in told
    assert "99 against 99" not in told


async def test_a_conversation_suggests_lines(services: Services) -> None:
    async def suggested(typed: str) -> list[str]:
        document = Document(typed)
        found = Suggestions(services).get_completions_async(document, CompleteEvent())
        return [typed[: len(typed) + one.start_position] + one.text async for one in found]

    assert "12 9 bombers:2" in await suggested("12 9 bo")
    assert "/roll 12 9 bombers:2" in await suggested("/roll 12 9 bo")
    assert all(line.startswith("/battle 12 ") for line in await suggested("/battle 12 "))
    assert "/battle 12 9" in await suggested("/battle 12 ")
    assert await suggested("/preset d") == ["/preset delete "]
    await run(request_from("/preset save ukraine 12 9"), services)
    assert await suggested("/preset show uk") == ["/preset show ukraine"]
    assert await suggested("/preset rename uk") == ["/preset rename ukraine"]
    assert await suggested("/preset rename ukraine ki") == []
    assert "/preset change ukraine ukraine" in await suggested("/preset change ukraine uk")
    assert await suggested("/preset note ukraine uk") == []
    assert "/battle ukraine" in await suggested("/battle uk")
    assert "/compare 12 9 || stop:4" in await suggested("/compare 12 9 || stop:4")
    assert "12 9 || stop:4" in await suggested("12 9 || st")
    assert await suggested("/map indo") == ["/map indonesia"]
    assert await suggested("/zzz") == []
