"""A rush: two hundred live battles, one press on each at the same moment; how long until all are answered.

    .venv/bin/pytest tests/benchmarks/test_rush.py --benchmark-enable -s

The bot is a process of its own with two workers, and its database is on the disk of the temporary folder. The stand-in
for Discord runs on the same cores, so what it works is told too.
"""

import asyncio
import os
import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.test_capacity import processor
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.program import program

BATTLES, TOGETHER, ROUNDS = 200, 20, 3
LINES = "12 9", "8 8", "20 17", "5 6", "12 9 bombers:2", "30 25"
LONGEST = 3.0
"""Seconds in which all must be answered on two quiet cores."""


async def begin(discord: FakeDiscord) -> list[tuple[Person, Shown]]:
    """Battles of one server, a person for each, none of which was pressed yet."""
    begun: list[tuple[Person, Shown]] = []
    for first in range(0, BATTLES, TOGETHER):
        people = [discord.member(f"P{first + number}") for number in range(TOGETHER)]
        asked = [person.begins("roll", matchup=LINES[n % len(LINES)]) for n, person in enumerate(people)]
        shown = await asyncio.gather(*(question.answered(within=60) for question in asked))
        begun += zip(people, shown, strict=True)
    return begun


async def rush(folder: Path) -> float:
    """Seconds until the last press of the slowest of a few rounds was answered."""
    slowest = 0.0
    async with (
        FakeDiscord(openapi=False) as discord,
        program(discord.token, folder, discord, SANDTABLE_LOG="WARNING", SANDTABLE_WORKERS="2") as process,
    ):
        await discord.ready(within=60)
        begun = await begin(discord)
        for _ in range(ROUNDS):
            await asyncio.sleep(2)  # so that messages may change again, and nothing of before is still at work
            began, bot, ours = time.monotonic(), processor(process), time.process_time()
            asked = [person.begins_pressing(discord.messages[shown.id], "Roll") for person, shown in begun]
            answers = await asyncio.gather(*(press.answered(within=120) for press in asked))
            took = time.monotonic() - began
            refused = [answer.content for answer in answers if answer.private]
            pictures = sum(bool(answer.files) for answer in answers)
            each = 1000 / BATTLES
            print(
                f"\n{BATTLES} presses in {took:.2f} s, {len(refused)} refused, {pictures} with pictures; a press took "
                f"{each * (processor(process) - bot):.1f} ms of the bot and its workers and "
                f"{each * (time.process_time() - ours):.1f} ms of the stand-in; load {os.getloadavg()[0]:.1f}"
            )
            assert refused == []
            slowest = max(slowest, took)
    return slowest


def test_a_rush_of_presses(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    if benchmark.disabled:
        pytest.skip("it is measured on demand only; tests/bot/test_rush.py has the rush without the clock")
    took: float = benchmark.pedantic(lambda: asyncio.run(rush(tmp_path)), rounds=1)  # type: ignore[no-untyped-call]
    assert took < LONGEST
