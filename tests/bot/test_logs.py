"""The log: each line names the interaction it is about, and none holds what should stay with people."""

import asyncio
import json
import logging
import signal
from collections.abc import Iterator
from io import StringIO
from multiprocessing.popen_spawn_posix import Popen
from pathlib import Path
from typing import Any

import pytest

from bot import charts, logs
from bot.commands.command import Command
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.replies import Reply
from bot.request import Request, Services
from bot.work.workers import LostWorkerError, WorkerProcess
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.live_battles import types_dice
from tests.helpers.program import LONGEST, program, until


class Written:
    """What is in the log, as lines of JSON or as text."""

    def __init__(self, form: logging.Formatter) -> None:
        self.stream = StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(form)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    async def about(self, interaction: int, number: int = 1) -> list[dict[str, Any]]:
        """The lines about one interaction, once there are so many: the last comes after the answer."""

        def found() -> list[dict[str, Any]]:
            return [line for line in self.lines if line.get("interaction") == str(interaction)]

        await until(lambda: len(found()) >= number)
        return found()


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture) -> Iterator[Written]:
    """The log of our own part in JSON, from DEBUG on."""
    caplog.set_level(logging.DEBUG, "bot")
    written = Written(logs.Json())
    logging.getLogger("bot").addHandler(written.handler)
    yield written
    logging.getLogger("bot").removeHandler(written.handler)


async def test_every_answer_is_a_line_with_its_interaction_and_command(
    discord: FakeDiscord, bot: Client, written: Written
) -> None:
    alice = discord.member("Alice")
    asked = alice.begins("battle", matchup="12 9")
    shown = await asked.answered()
    pressed = alice.begins_pressing(shown, "+1 attacker")
    await pressed.answered()
    typed = alice.begins_typing("battle", matchup="12")
    await typed.offered()
    mentioned = await alice.says("@bot 12 9", reply=False)
    for interaction, command in (
        (asked.id, "battle"), (pressed.id, "more"), (typed.id, "suggestions"), (mentioned.id, "a message")
    ):  # fmt: skip
        (line,) = await written.about(interaction)
        assert line["command"] == command
        assert line["message"].startswith(("answered after 0.", "found after 0."))
        assert (line["level"], line["logger"].split(".")[0]) == ("DEBUG" if command == "suggestions" else "INFO", "bot")
        assert line["time"].endswith("+00:00")


async def test_answers_at_the_same_time_do_not_mix_their_lines(
    discord: FakeDiscord, bot: Client, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(kind: str, battle: Any, *_: object) -> bytes:
        raise RuntimeError(f"no ink for {battle.attackers}")

    monkeypatch.setattr(charts, "draw", broken)
    people = [discord.member(f"P{number}") for number in range(8)]
    asked = {number: people[number].begins("battle", matchup=f"{number + 3} 9") for number in range(8)}
    await asyncio.gather(*(question.answered() for question in asked.values()))
    for number, question in asked.items():
        fault, answered = await written.about(question.id, 2)
        assert "fault" in fault["message"]
        assert f"RuntimeError: no ink for {number + 3}" in fault["traceback"]
        assert fault["command"] == answered["command"] == "battle"


async def test_the_log_names_the_interaction_of_a_lost_worker(
    discord: FakeDiscord, bot: Client, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    (worker,) = bot.services.engine.pool.workers
    work = worker.run

    async def lost(*_: Any) -> None:
        monkeypatch.setattr(worker, "run", work)
        raise LostWorkerError

    monkeypatch.setattr(worker, "run", lost)
    asked = discord.member("Alice").begins("battle", matchup="12 9")
    await asked.answered()
    warned, _ = await written.about(asked.id, 2)
    assert (warned["level"], warned["message"]) == ("WARNING", "a worker was lost at solve_and_draw")


async def test_lines_from_a_workers_thread_name_its_interaction(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(Popen, "_launch", refuse)
    worker = WorkerProcess(longest=30)
    logs.set_interaction(77, "battle")
    with pytest.raises(LostWorkerError):
        await worker.run(pow, 2, 3)
    await asyncio.to_thread(worker.close)
    assert [line["message"] for line in await written.about(77)] == ["no worker can be started: no more processes"]


async def test_a_logged_fault_has_the_typed_line_and_no_names(
    services: Services, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> Reply:
        raise RuntimeError

    monkeypatch.setattr("bot.commands.run.COMMANDS", {"roll": Command("roll", broken)})
    options = {"matchup": "12 9", "opponent": "4711", "opponent_name": "Bob", "text": "hello Bob"}
    await run(Request("roll", "1234", "Alice", "guild:5678", options), services)
    assert "12 9" in written.text
    for kept_out in ("4711", "Bob", "1234", "Alice", "5678"):
        assert kept_out not in written.text


def test_lines_for_people_end_with_the_interaction() -> None:
    written = Written(logs.Text())
    record = logging.LogRecord("bot.work.engine", logging.WARNING, "", 0, "a worker was lost at %s", ("solve",), None)
    written.handler.handle(record)
    assert written.text.endswith(" WARNING bot.work.engine: a worker was lost at solve\n")


async def test_lines_about_an_interaction_name_it_in_text_and_json() -> None:
    written = Written(logs.Text())
    logs.set_interaction(77, "roll on")
    record = logging.LogRecord("bot.work.engine", logging.WARNING, "", 0, "a worker was lost at %s", ("solve",), None)
    written.handler.handle(record)
    assert written.text.endswith(" WARNING bot.work.engine: a worker was lost at solve [77 roll on]\n")


async def test_a_debug_log_is_json_without_tokens_names_or_lines(discord: FakeDiscord, tmp_path: Path) -> None:
    async with program(discord.token, tmp_path, discord, SANDTABLE_LOG="DEBUG", SANDTABLE_LOG_FORMAT="json") as process:
        await discord.ready()
        alice = discord.member("Alexandra")
        asked = alice.begins("battle", matchup="17 13 bombers:2")
        await asked.answered()
        await alice.types("battle", matchup="18 13")
        await alice.says("@bot 19 13")
        await types_dice(alice, await alice.sends("roll", matchup="3 2"), "6 4 1 vs 5 3")
        assert "Saved" in (await alice.sends("preset save", name="alamo", matchup="12 9")).content
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    text = errors.decode()
    lines = [json.loads(line) for line in text.splitlines()]
    assert {line["level"] for line in lines} == {"DEBUG", "INFO"}
    assert [line["message"] for line in lines if line.get("interaction") == str(asked.id)]
    for secret in (discord.token, asked.token, alice.name, str(alice.user.id), "bombers", "19 13", "alamo", "6 4 1"):
        assert secret not in text
