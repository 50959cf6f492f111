"""The end: what has not begun is called off at once, and the time goes to what is being worked on."""

import asyncio
import logging
import threading
from typing import NamedTuple

import pytest

from bot import charts
from bot.charts import Chart
from bot.discord_app import answers, open_answers
from bot.discord_app.client import Client
from bot.request import Services
from bot.work.jobs import asking
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.http_bots import http_bot
from tests.helpers.program import until


class Held(NamedTuple):
    """Pictures that are held back: whether one is being drawn, and whether it may go on."""

    drawing: threading.Event
    go: threading.Event


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """A worker that draws nothing until it may; the bot is patient meanwhile."""
    drawing, go = threading.Event(), threading.Event()
    draw = charts.draw

    def wait_and_draw(kind: Chart, *parts: object) -> bytes:
        drawing.set()
        assert go.wait(60)
        return draw(kind, *parts)

    monkeypatch.setattr(charts, "draw", wait_and_draw)
    monkeypatch.setattr(answers, "PATIENCE", 0)
    monkeypatch.setattr(open_answers, "PATIENCE_AT_END", 60.0)
    return Held(drawing, go)


async def test_stopping_answers_begun_questions_and_refuses_waiting_ones(
    discord: FakeDiscord, bot: Client, held: Held, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    alice = discord.member("Alice")
    running = alice.begins("battle", matchup="12 9")
    await until(held.drawing.is_set)
    waiting = [alice.begins("battle", matchup=f"{number} 9") for number in (14, 15, 16)]
    for one in waiting:
        await one.acknowledged()
    leaving = asyncio.create_task(bot.finish_answers())
    for one in waiting:
        assert "I'm restarting" in (await one.answered()).content
    assert not leaving.done()
    assert running.result is None
    held.go.set()
    assert line_of(await running.answered()) == "12 9"
    await leaving
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


async def test_a_process_without_a_gateway_answers_each_question_taken(
    discord: FakeDiscord, services: Services, held: Held
) -> None:
    async with http_bot(discord, services) as client:
        alice = discord.member("Alice")
        asked = [alice.begins("battle", matchup="12 9")]
        await until(held.drawing.is_set)
        asked += [alice.begins("battle", matchup=f"{number} 9") for number in (14, 15, 16)]
        for one in asked:
            await one.acknowledged()
        leaving = asyncio.create_task(client.finish_answers())
        await until(lambda: client.leaving)
        held.go.set()
        assert [line_of(await one.answered()) for one in asked] == ["12 9", "14 9", "15 9", "16 9"]
        await leaving


async def test_a_begun_answer_gets_its_remaining_computations(bot: Client) -> None:
    ours = bot.services.engine
    gate, inside = threading.Event(), threading.Event()

    def first() -> str:
        inside.set()
        assert gate.wait(60)
        return "first"

    def second() -> str:
        return "second"

    async def answer() -> tuple[str, str]:
        with asking("alice", "guild:1"):
            return await ours.compute(first), await ours.compute(second)

    asked = asyncio.create_task(answer())
    await until(inside.is_set)
    ours.pool.call_off_waiting()
    gate.set()
    assert await asked == ("first", "second")
