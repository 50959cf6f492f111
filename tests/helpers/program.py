"""The bot as a host starts it: a process of its own, on the stand-in for Discord."""

import asyncio
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fake_discord import FakeDiscord
from tests.helpers import forked
from tests.helpers.children import mortal
from tests.helpers.forked import Forked
from tests.helpers.memory import started

LONGEST = 60.0
"""Seconds after which whatever a test waits for is taken for something that never comes, on a busy machine too."""


Program = Process | Forked
HURRIED = {
    "bot.discord_app.client.READY_AFTER": 0.2,
    "bot.discord_app.open_answers.PATIENCE_AT_END": 1.0,
    "bot.discord_app.catching_up.EVERY": 1.0,
    "bot.discord_app.frames.GAP": 0.2,
    "bot.store.identify_turns.TURN": 0.8,
    "bot.store.owners.EVERY": 0.5,
    "bot.store.owners.LEASE": 0.8,
}
"""What a program waits for in most tests: less than at Discord."""


@asynccontextmanager
async def program(
    token: str | None,
    data: Path,
    discord: FakeDiscord,
    constants: Mapping[str, float] = HURRIED,
    mode: str = "discord",
    /,
    **more: str,
) -> AsyncIterator[Program]:
    """`sandtable discord` with this token, data folder and environment; killed at the end if it still runs.

    It is a fork of a process that has imported everything, where there are forks, and with these constants it waits
    less than at Discord.
    """
    if not forked.POSSIBLE:
        async with started_program(token, data, discord, mode, **more) as started:
            yield started
        return
    environment = environment_of(token, data, discord) | more
    process = await Forked.start("bot", *mode.split(), environment=environment, constants=constants)
    try:
        yield process
    finally:
        process.kill()
        await process.wait()
        process.close()


@asynccontextmanager
async def started_program(
    token: str | None, data: Path, discord: FakeDiscord, mode: str = "discord", /, **more: str
) -> AsyncIterator[Process]:
    """The same, started in every way as a host does it."""
    environment = environment_of(token, data, discord) | more
    process = await asyncio.create_subprocess_exec(
        *mortal([sys.executable, "-m", "bot", *mode.split()]), env=environment, stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def environment_of(token: str | None, data: Path, discord: FakeDiscord) -> dict[str, str]:
    given = {"SANDTABLE_DATA": str(data), "SANDTABLE_API": discord.api, "SANDTABLE_WORKERS": "1"}
    endless = ("PER_MINUTE_USER", "PER_MINUTE_SERVER", "WAITING_USER", "SECONDS_USER", "SECONDS_SERVER")
    given |= {f"SANDTABLE_MOST_{name}": "1000000" for name in endless}
    given["SANDTABLE_GATEWAY"] = discord.api.replace("http", "ws").removesuffix("/api/v10") + "/gateway"
    if token is not None:
        given["SANDTABLE_TOKEN"] = token
    return {**os.environ, **given}


async def until(true: Callable[[], bool]) -> None:
    """Wait for a fact that can only be looked at again and again, such as one of another process."""
    end = time.monotonic() + LONGEST
    while not true():
        assert time.monotonic() < end, f"that did not become true within {LONGEST:.0f} s"
        await asyncio.sleep(0.02)


def children(process: int) -> list[int]:
    """The workers of a program: what its prepared parent has forked, and what it has started without one."""
    spawned = [child for child in started(process) if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]
    return spawned + [worker for child in started(process) for worker in started(child)]


def running(process: int) -> bool:
    """Whether it still runs; one that ended and was not fetched yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
