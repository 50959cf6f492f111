"""Three processes without shards behind a balancer: 300 interactions a second, and one process is killed meanwhile.

    DOOR_RATE=300 .venv/bin/pytest tests/benchmarks/test_doors.py --benchmark-enable -s

Seven in ten are suggestions, a quarter presses of live battles, the rest answers that are kept; no picture is new. The
stand-in for Discord, its balancer, PostgreSQL and Redis run on the same cores, so all figures hold their delays too;
what each side worked is told beside them. In an ordinary test run it is skipped: tests/bot/test_http_equals.py has
the same without the clock.
"""

import asyncio
import os
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from itertools import count, cycle
from pathlib import Path
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.test_capacity import processor
from tests.fake_discord import FakeDiscord, Interaction, Person, Shown
from tests.helpers import servers
from tests.helpers.bot.http_bots import http_program, register
from tests.helpers.program import Program, until

RATE = float(os.environ.get("DOOR_RATE", "300"))
"""Interactions a second."""
SECONDS = float(os.environ.get("DOOR_SECONDS", "30"))
PROCESSES, GUILDS, BATTLES, TOGETHER = 3, 20, 240, 10
KINDS = {"suggestions": 70, "presses": 25, "kept answers": 5}
TYPED = "12", "12 9", "12 9 b", "12 9 bombers", "20 17 st", "8 8", "5 6 reserve", "30 25"
KEPT = "12 9", "8 8", "20 17", "5 6", "30 25 stop:4"


class Load:
    """People who type, press and ask, and what became of it."""

    def __init__(self, discord: FakeDiscord) -> None:
        self.discord = discord
        self.chance = Random(22)
        self.people: list[Person] = []
        self.battles: list[tuple[Person, Shown]] = []
        self.asked: list[tuple[str, Interaction]] = []

    async def prepare(self) -> None:
        """Servers that show words alone, a few kept answers, and battles that nobody has pressed in yet."""
        for number in range(GUILDS):
            guild = self.discord.world.add_guild(f"Table {number}")
            mona = self.discord.member(f"Mona {number}", guild=guild, manage_guild=True)
            await mona.sends("settings", show="words")
            self.people += [self.discord.member(f"P{number}-{n}", guild=guild) for n in range(TOGETHER)]
        for person, line in zip(self.people, KEPT * PROCESSES, strict=False):
            await person.sends("battle", matchup=line)
        for first in range(0, BATTLES, TOGETHER):
            some = [self.people[(first + n) * 7 % len(self.people)] for n in range(TOGETHER)]
            begun = await asyncio.gather(*(person.sends("roll", matchup="60 55") for person in some))
            self.battles += zip(some, begun, strict=True)

    async def last(self, seconds: float, rate: float) -> float:
        """Begin so many interactions a second, however long the answers take; the rate that it came to."""
        battles, began = cycle(self.battles), time.monotonic()
        kinds = self.chance.choices(list(KINDS), list(KINDS.values()), k=int(seconds * rate))
        for number, kind in zip(count(), kinds):
            await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
            person = self.chance.choice(self.people)
            if kind == "suggestions":
                asked = person.begins_typing("battle", matchup=self.chance.choice(TYPED))
            elif kind == "kept answers":
                asked = person.begins("battle", matchup=self.chance.choice(KEPT))
            else:
                who, shown = next(battles)
                asked = who.begins_pressing(self.discord.messages[shown.id], "Roll")
            self.asked.append((kind, asked))
        return len(kinds) / (time.monotonic() - began)

    async def lost(self) -> list[Interaction]:
        """The interactions that nobody answers, also when messages are caught up."""
        with suppress(AssertionError):
            await until(lambda: not self._open())
        return self._open()

    def _open(self) -> list[Interaction]:
        return [asked for _, asked in self.asked if not (asked.is_seen or asked.followups)]


async def rush(folder: Path, database: str, redis: str) -> None:
    """Let the load last, kill a process in the middle, and tell what came of it."""
    more = {"SANDTABLE_DATABASE": database, "SANDTABLE_REDIS": redis, "SANDTABLE_LOG": "WARNING"}
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(FakeDiscord(openapi=False))
        await register(discord, folder, **more)
        opened = [
            (await stack.enter_async_context(http_program(folder / str(number), discord, **more)))[0]
            for number in range(PROCESSES)
        ]
        load = Load(discord)
        await load.prepare()
        await asyncio.sleep(3)  # so that messages may change again, and nothing of before is still at work
        for what, dying in (("all three", None), ("one killed halfway", opened[-1])):
            await tell(load, what, opened, dying)
        for violation in list(discord.violations):
            assert "40060" in str(violation)  # what the dead process had answered when the balancer sent it again
            discord.violations.remove(violation)


async def tell(load: Load, what: str, opened: list[Program], dying: Program | None) -> None:
    """Print how long the answers of one load took, and what each side worked for it."""
    living = [process for process in opened if process is not dying]
    load.asked.clear()
    before, ours = sum(map(processor, living)), time.process_time()
    if dying:
        asyncio.get_running_loop().call_later(SECONDS / 2, dying.kill)
    rate = await load.last(SECONDS, RATE)
    worked, stand_in = sum(map(processor, living)) - before, time.process_time() - ours
    lost = await load.lost()
    print(f"\n{what}: {len(load.asked)} interactions, {rate:.0f} a second, lost {len(lost)} {lost[:3] or ''}")
    for kind in ("all", *KINDS):
        ms = sorted(1000 * (one.answered_after or 0.0) for name, one in load.asked if kind in ("all", name))
        at = [ms[min(len(ms) - 1, int(part * len(ms)))] for part in (0.5, 0.95, 0.99, 1)]
        print(f"{kind:14} {len(ms):6}  ms: {' '.join(f'{value:8.1f}' for value in at)}  (median, 95%, 99%, most)")
    each = 1000 / len(load.asked)
    shares = dict(Counter({address[-5:]: n for address, n in load.discord.doors.sent.items()}))
    print(
        f"worked for each: {each * worked:.2f} ms by the living processes and their workers, "
        f"{each * stand_in:.2f} ms by the stand-in; load {os.getloadavg()[0]:.1f}; answered by {shares}"
    )
    assert lost == []


def test_three_processes_without_shards(
    benchmark: BenchmarkFixture, tmp_path: Path, postgres: servers.Postgres, redis: servers.Redis
) -> None:
    if benchmark.disabled:
        pytest.skip("it is measured on demand only; tests/bot/test_http_equals.py has it without the clock")
    address = postgres.fresh()
    benchmark.pedantic(lambda: asyncio.run(rush(tmp_path, address, redis.address)), rounds=1)  # type: ignore[no-untyped-call]
