"""The bot as a host starts it: a process of its own, on the stand-in for Discord."""

import asyncio
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.fake_discord import FakeDiscord
from tests.helpers import forked
from tests.helpers.children import mortal
from tests.helpers.extent import pick
from tests.helpers.forked import Forked
from tests.helpers.memory import started

LONGEST = pick(60.0, 240.0)
"""Seconds after which whatever a test waits for is taken for something that never comes, on a busy machine too."""


Program = Process | Forked
PATIENT_WITH_DISCORD = {"bot.discord_app.open_answers.LONGEST_FIRST": LONGEST}
"""The stand-in takes first answers ten times slower on a busy machine."""
AS_THEY_ARE: Mapping[str, float] = {}
"""No other values for any of the bot's constants."""


@asynccontextmanager
async def program(
    token: str | None,
    data: Path,
    discord: FakeDiscord,
    constants: Mapping[str, float] = AS_THEY_ARE,
    mode: str = "discord",
    /,
    **more: str,
) -> AsyncIterator[Program]:
    """`sandtable discord` with this token, data folder and environment; killed at the end if it still runs.

    It is a fork of a process that has imported everything, where there are forks: at the pace of the tests, and with
    these constants.
    """
    if not forked.POSSIBLE:
        async with started_program(token, data, discord, mode, **more) as started:
            yield started
        return
    environment = environment_of(token, data, discord) | more
    process = await Forked.start(
        "bot", *mode.split(), environment=environment, constants={**PATIENT_WITH_DISCORD, **constants}
    )
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


def say(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command; return its exit status, its output and its errors."""
    status = main(arguments)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def write_config(folder: Path, kind: str, name: str, text: str | bytes) -> Path:
    """Write a file of a host's own settings, such as config/maps/club.toml; return its path."""
    file = folder / "config" / kind / f"{name}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file
