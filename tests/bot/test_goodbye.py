"""The end: what has not begun is called off at once, and the time goes to what is being worked on."""

import asyncio
import logging
import threading

import pytest

from bot.discord_app import answers, open_answers
from bot.discord_app.client import Client
from bot.work import engine, jobs
from bot.work.errands import errand
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.program import until


async def test_what_has_begun_is_answered_and_what_waits_is_called_off_at_once(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    drawing, go = threading.Event(), threading.Event()
    draw = jobs.draw

    def held(kind: str, *parts: object) -> bytes:
        drawing.set()
        assert go.wait(60)
        return draw(kind, *parts)

    monkeypatch.setattr(engine, "draw", held)
    monkeypatch.setattr(answers, "PATIENCE", 0)
    monkeypatch.setattr(open_answers, "PATIENCE_AT_END", 60.0)
    alice = discord.member("Alice")
    running = alice.begins("battle", matchup="12 9")
    await until(drawing.is_set)
    waiting = [alice.begins("battle", matchup=f"{number} 9") for number in (14, 15, 16)]
    for one in waiting:
        await one.acknowledged()
    leaving = asyncio.create_task(bot.finish_answers())
    for one in waiting:
        assert "I'm restarting" in (await one.answered()).content
    assert not leaving.done()
    assert running.result is None
    go.set()
    assert line_of(await running.answered()) == "12 9"
    await leaving
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


async def test_a_piece_of_an_answer_that_has_begun_is_not_called_off(bot: Client) -> None:
    ours = bot.services.engine
    gate, inside = threading.Event(), threading.Event()

    def first() -> str:
        inside.set()
        assert gate.wait(60)
        return "first"

    def second() -> str:
        return "second"

    async def answer() -> tuple[str, str]:
        with errand():
            return await ours.compute(first), await ours.compute(second)

    asked = asyncio.create_task(answer())
    await until(inside.is_set)
    ours.call_off_waiting()
    gate.set()
    assert await asked == ("first", "second")
