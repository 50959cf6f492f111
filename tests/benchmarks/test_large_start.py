"""The start of a large bot: eight processes with eight shards each, which identify in turn, ten times as fast as real.

    .venv/bin/pytest tests/benchmarks/test_large_start.py --benchmark-enable -s

The stand-in counts the identifies and refuses those that come too soon. In an ordinary test run it is skipped:
tests/bot/test_identify_turns.py has the same with six shards.
"""

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.fake_discord import BUSY, FakeDiscord
from tests.helpers import servers
from tests.helpers.program import program

SHARDS, EACH = 64, 8
EVERY, TURN = 0.5, 0.525
"""Seconds from one identify to the next: a tenth of what Discord wants, and of what we leave."""
LONGEST = 300.0
"""Seconds after which the start counts as failed."""


async def start(folder: Path, database: str) -> None:
    """Start all processes at once, and tell how long it takes until the last shard is ready."""
    constants = {"bot.store.identify_turns.TURN": TURN}
    async with FakeDiscord(shards=SHARDS, slack=BUSY) as discord, AsyncExitStack() as stack:
        discord.gateway.starts.every = EVERY
        began = time.monotonic()
        for first in range(0, SHARDS, EACH):
            given = {"SANDTABLE_DATABASE": database, "SANDTABLE_SHARDS": f"{first}-{first + EACH - 1}/{SHARDS}"}
            process = program(discord.token, folder / str(first), discord, constants, "discord", **given)
            await stack.enter_async_context(process)
        async with asyncio.timeout(LONGEST):
            while not discord.gateway.is_ready:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        starts = discord.gateway.starts
        print(
            f"\n{SHARDS} shards in {SHARDS // EACH} processes: {discord.gateway.identified} identifies, "
            f"{starts.refused} refused, {time.monotonic() - began:.1f} s (with {EVERY} s between two)"
        )
        assert (discord.gateway.identified, starts.refused) == (SHARDS, 0)


def test_sixty_four_shards_in_eight_processes(
    benchmark: BenchmarkFixture, tmp_path: Path, postgres: servers.Postgres
) -> None:
    if benchmark.disabled:
        pytest.skip("it is measured on demand only; tests/bot/test_identify_turns.py has it with six shards")
    address = postgres.fresh()
    benchmark.pedantic(lambda: asyncio.run(start(tmp_path, address)), rounds=1)  # type: ignore[no-untyped-call]
