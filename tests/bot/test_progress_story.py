"""An answer that takes long says how far it is, on Discord and in a terminal, until it comes."""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any, TypeAlias
from unittest.mock import Mock

import pytest
from aiohttp import ClientOSError, ClientRequest, ClientResponse
from yarl import URL

from bot import console
from bot.discord_app import answers, delivery, open_answers
from bot.discord_app.client import Client
from bot.discord_app.delivery import Delivery
from bot.languages import speaking
from bot.replies import Form, Reply
from bot.words.numbers import progress_text
from bot.work import workers
from bot.work.pool import Pool
from bot.work.workers import WorkerProcess, WorkerThread
from solver.axis.simulation.sample import sample_axis
from solver.progress import Meter, Progress, current_listener, listening, tell
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.forked_workers import fork_workers
from tests.helpers.bot.lines import wave_of
from tests.helpers.program import LONGEST, until

Send: TypeAlias = Callable[[ClientRequest], Awaitable[ClientResponse]]
SIMULATED = Progress(0.3, 300_000, 0.45, 0.002)
TEXT = "Simulating: 300,000 battles so far, the attacker wins 45.0%, ± 0.2 points"
SHOWN = f"⏳ {TEXT}"


class Held:
    """Work of the engine that has told how far it is, and waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = asyncio.Event()
        monkeypatch.setattr(answers, "PATIENCE", 0)
        monkeypatch.setattr(answers, "TELL_EVERY", 0.01)
        run = Pool.run

        async def held(crew: Pool, *work: Any, **forecast: Any) -> Any:
            tell(SIMULATED)
            await self.open.wait()
            return await run(crew, *work, **forecast)

        monkeypatch.setattr(Pool, "run", held)


@pytest.mark.parametrize("private", [False, True])
async def test_progress_is_shown_and_replaced_by_the_answer(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, private: bool
) -> None:
    held, alice = Held(monkeypatch), discord.member("Alice")
    asked = alice.begins("battle", matchup="12 9", private=private)
    await until(lambda: [message.content for message in alice.sees] == [SHOWN])
    before = alice.sees[0]
    held.open.set()
    await until(lambda: alice.sees[0].content != SHOWN)
    assert [(message.id, message.private) for message in alice.sees] == [(before.id, private)]
    assert line_of(alice.sees[0]) == "12 9"
    assert asked.followups == []


@pytest.mark.parametrize("arrives", [False, True])
async def test_an_answer_whose_connection_breaks_is_sent_again(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    monkeypatch.setattr(delivery, "AGAIN_AFTER", (0.0, 0.0))
    held, alice = Held(monkeypatch), discord.member("Alice")
    asked = alice.begins("battle", matchup="12 9")
    await until(lambda: [message.content for message in alice.sees] == [SHOWN])
    broken = breaks(bot, "PATCH", 2, arrives)
    held.open.set()
    await until(lambda: alice.sees[0].content != SHOWN and not bot.open_answers)
    assert [line_of(message) for message in alice.sees] == ["12 9"]
    assert (asked.followups, broken) == ([], [])


@pytest.mark.parametrize("arrives", [False, True])
async def test_a_first_answer_over_a_broken_connection_appears_once(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    monkeypatch.setattr(delivery, "AGAIN_AFTER", (0.0, 0.0))
    broken, sent, send = breaks(bot, "POST", 1, arrives), list[Delivery](), Delivery.send

    async def note_and_send(one: Delivery, reply: Reply | Form) -> int | None:
        sent.append(one)
        return await send(one, reply)

    monkeypatch.setattr(Delivery, "send", note_and_send)
    alice = discord.member("Alice")
    with discord.violations.expected("40060") if arrives else nullcontext():
        alice.begins("battle", matchup="12 9")
        await until(lambda: len(alice.sees) > 0 and not bot.open_answers)
    assert [line_of(message) for message in alice.sees] == ["12 9"]
    assert broken == []
    assert [one.has_begun for one in sent] == [True]


@pytest.mark.parametrize("method", ["POST", "PATCH"])
@pytest.mark.parametrize("arrives", [False, True])
async def test_a_broken_connection_mentions_an_opponent_once(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, arrives: bool, method: str
) -> None:
    """It breaks at the first answer, or at what takes the place of "thinking..."."""
    monkeypatch.setattr(delivery, "AGAIN_AFTER", (0.0, 0.0))
    monkeypatch.setattr(answers, "PATIENCE", LONGEST if method == "POST" else 0)
    broken, alice = breaks(bot, method, 1, arrives), discord.member("Alice")
    with discord.violations.expected("40060") if arrives and method == "POST" else nullcontext():
        alice.begins("roll", matchup="12 9", opponent=discord.member("Bob"))
        await until(lambda: not broken and len(alice.sees) > 0 and not bot.open_answers)
    assert [name for message in alice.sees for name in message.pings] == ["Bob"]


@pytest.mark.parametrize("arrives", [False, True])
async def test_an_answer_comes_after_a_broken_deferral(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    monkeypatch.setattr(delivery, "AGAIN_AFTER", (0.0, 0.0))
    held, broken, alice = Held(monkeypatch), breaks(bot, "POST", 1, arrives), discord.member("Alice")
    with discord.violations.expected("40060") if arrives else nullcontext():
        alice.begins("battle", matchup="12 9")
        await until(lambda: [message.content for message in alice.sees] == [SHOWN])
        held.open.set()
        await until(lambda: alice.sees[0].content != SHOWN and not bot.open_answers)
    assert [line_of(message) for message in alice.sees] == ["12 9"]
    assert broken == []


@pytest.mark.parametrize(("method", "limit"), [("POST", "LONGEST_FIRST"), ("PATCH", "LONGEST_EDIT")])
async def test_a_hanging_answer_is_given_up_and_sent_again(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, method: str, limit: str
) -> None:
    monkeypatch.setattr(delivery, "AGAIN_AFTER", (0.0, 0.0))
    held, alice = Held(monkeypatch), discord.member("Alice")
    hung = asyncio.Event()

    async def hang(request: ClientRequest, send: Send) -> ClientResponse:
        if request.method == method and not hung.is_set():
            hung.set()
            await asyncio.Event().wait()
        return await send(request)

    monkeypatch.setattr(open_answers, limit, 0.1)
    session_of(bot)._middlewares += (hang,)
    alice.begins("battle", matchup="12 9")
    await asyncio.wait_for(hung.wait(), LONGEST)
    monkeypatch.setattr(open_answers, limit, LONGEST)
    held.open.set()
    await until(lambda: bool(alice.sees) and "79.0%" in alice.sees[0].content)
    assert [line_of(message) for message in alice.sees] == ["12 9"]


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=1"])
async def test_only_a_first_answer_without_files_is_sent_again_soon(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(open_answers, "LONGEST_FIRST", 0)
    monkeypatch.setattr(open_answers, "LONGEST_EDIT", LONGEST)
    request = Mock(url=URL("/interactions/1/2/callback"), method="POST", headers={"Content-Type": kind})
    with nullcontext() if kind.startswith("multipart") else pytest.raises(TimeoutError):
        await open_answers.limit_waiting(request, lambda _: asyncio.sleep(0.01, Mock()))


def session_of(bot: Client) -> Any:
    """The connections of a bot to Discord."""
    return bot.http._HTTPClient__session  # type: ignore[attr-defined]


def breaks(bot: Client, method: str, times: int, arrives: bool) -> list[int]:
    """Reset the connection of the next requests, before or after Discord has got them; return what is left of them."""
    left = [*range(times)]

    async def reset(request: ClientRequest, send: Send) -> ClientResponse:
        if request.method != method or not left:
            return await send(request)
        left.pop()
        if arrives:
            (await send(request)).close()
        raise ClientOSError(104, "Connection reset by peer")

    session_of(bot)._middlewares += (reset,)
    return left


async def test_an_error_after_public_progress_is_private(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, alice, bob = Held(monkeypatch), discord.member("Alice"), discord.member("Bob")
    monkeypatch.setattr(bot.services.engine.pool, "_leaving", True)
    alice.begins("battle", matchup="12 9")
    await until(lambda: [message.content for message in bob.sees] == [SHOWN])
    held.open.set()
    await until(lambda: bob.sees == [])
    await until(lambda: [message.private for message in alice.sees] == [True])


async def test_a_pressed_message_stays_until_its_answer_comes(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    held = Held(monkeypatch)
    asked = alice.begins_pressing(shown, "+1 attacker")
    await asked.acknowledged()
    assert line_of(alice.sees[0]) == "12 9"
    held.open.set()
    assert line_of(await asked.answered()) == "13 9"
    assert alice.sees[0].edited == 1


def long_work() -> str:
    tell(Progress(0.25))
    sample_axis(wave_of("3 inf vs 2 inf"), 100, 1)
    return "done"


@pytest.mark.parametrize("process", [False, True])
async def test_progress_is_reported_by_worker_processes(monkeypatch: pytest.MonkeyPatch, process: bool) -> None:
    """It is not the answer, and who asks next hears only their own."""
    fork_workers(monkeypatch)
    worker = WorkerProcess(longest=LONGEST) if process else WorkerThread()
    heard: list[Progress] = []
    with listening(heard.append):
        assert await worker.run(teller_without_limit if process else long_work) == "done"
    assert heard[0] == Progress(0.25)
    assert heard[-1].battles == 100
    assert await worker.run(long_work) == "done"
    assert len(heard) == 1 + len({one.battles for one in heard[1:]})
    await asyncio.to_thread(worker.close)


def teller_without_limit() -> str:
    """The long work, in a process that tells at once."""
    listener = current_listener()
    assert listener
    workers.TELL = 0.0
    return long_work()


def test_meters_and_simulations_report_progress() -> None:
    heard: list[Progress] = []
    with listening(heard.append):
        meter = Meter(200)
        meter.add(50)
        meter.add(100)
        Meter().add(1)
        assert heard == [Progress(0.25), Progress(0.75)]
        sample_axis(wave_of("3 inf vs 2 inf"), 48, 1)
    assert [one.battles for one in heard[2:]] == list(range(3, 49, 3))
    assert heard[-1].share == 1
    tell(Progress(1))
    assert current_listener() is None


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (SIMULATED, TEXT),
        (Progress(0.301, 12_345), "Simulating: 12,345 battles so far, 30.1% of all"),
        (Progress(0.5), "Working: 50.0% of my limit for one answer"),
        (Progress(1.2), "Working: >99.9% of my limit for one answer"),
    ],
)
def test_progress_is_written_in_every_language(progress: Progress, text: str) -> None:
    assert progress_text(progress) == text
    with speaking("de"):
        assert progress_text(progress) != text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_progress_and_erases_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "TELL_EVERY", 0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with console.progress_line():
        tell(SIMULATED)
    assert terminal.getvalue() == f"\r{TEXT}\033[K\r\033[K"
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    with console.progress_line():
        tell(SIMULATED)
    assert file.getvalue() == ""
