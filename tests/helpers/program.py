"""The bot as a host starts it: a process of its own, on the stand-in for Discord."""

import asyncio
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fake_discord import FakeDiscord
from tests.helpers.children import mortal

LONGEST = 60.0
"""Seconds after which whatever a test waits for is taken for something that never comes, on a busy machine too."""


@asynccontextmanager
async def program(token: str | None, data: Path, discord: FakeDiscord, **more: str) -> AsyncIterator[Process]:
    """`sandtable discord` with this token, data folder and environment; killed at the end if it still runs."""
    given = {"SANDTABLE_DATA": str(data), "SANDTABLE_API": discord.api, "SANDTABLE_WORKERS": "1"}
    endless = ("PER_MINUTE_USER", "PER_MINUTE_SERVER", "WAITING_USER", "SECONDS_USER", "SECONDS_SERVER")
    given |= {f"SANDTABLE_MOST_{name}": "1000000" for name in endless}
    given["SANDTABLE_GATEWAY"] = discord.api.replace("http", "ws").removesuffix("/api/v10") + "/gateway"
    if token is not None:
        given["SANDTABLE_TOKEN"] = token
    process = await asyncio.create_subprocess_exec(
        *mortal([sys.executable, "-m", "bot", "discord"]),
        env={**os.environ, **given, **more},
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def until(true: Callable[[], bool]) -> None:
    """Wait for a fact that can only be looked at again and again, such as one of another process."""
    end = time.monotonic() + LONGEST
    while not true():
        assert time.monotonic() < end, f"that did not become true within {LONGEST:.0f} s"
        await asyncio.sleep(0.02)


def children(process: int) -> list[int]:
    """The workers it has started."""
    started = [
        int(child) for path in Path(f"/proc/{process}/task").glob("*/children") for child in path.read_text().split()
    ]
    return [child for child in started if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]


def running(process: int) -> bool:
    """Whether it still runs; one that ended and was not fetched yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
