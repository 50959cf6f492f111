"""The walk of one request is short: from the slash command to the worker, and from its result to the reply."""

import asyncio
import re
import sys
from collections.abc import Coroutine
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from bot import request
from bot.background import cancel
from bot.discord_app import left_waiting
from bot.discord_app.client import Client
from bot.work.workers import WorkerThread
from tests.fake_discord.stand_in import FakeDiscord
from tests.helpers.program import LONGEST

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "contributing.md").read_text()
MOST_BEFORE, MOST_AFTER = 18, 15


class Walk:
    """The functions that wait while a worker finds the odds, and those they call once it is done."""

    def __init__(self) -> None:
        self.others = asyncio.all_tasks()
        self.before: dict[CodeType, str] = {}
        self.after: dict[CodeType, str] = {}

    def note_waiting(self) -> None:
        """Note every function of ours that waits for the first worker, in the tasks of this request."""
        for task in asyncio.all_tasks() - self.others:
            waiting: Any = task.get_coro()
            while isinstance(waiting, Coroutine):
                if (code := getattr(waiting, "cr_code", None)) and _is_ours(code):
                    self.before[code] = _name(code)
                waiting = getattr(waiting, "cr_await", None)

    def note_call(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call of a function of ours by one of those that waited; the pool's accounts are not the request's."""
        code, caller = frame.f_code, frame.f_back
        if event != "call" or not _is_ours(code) or code in self.before or caller is None:
            return
        if caller.f_code in self.before and not caller.f_code.co_qualname.startswith("Pool."):
            self.after[code] = _name(code)


async def test_the_walk_of_a_request_is_short_and_documented(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of `/battle 12 9`, whose odds and whose picture a worker makes."""
    # A slow answer is noted in the database, and that note would be deleted during the walk.
    monkeypatch.setattr(left_waiting, "AFTER", LONGEST)
    # Settings that are read for too long would still be read while the worker works.
    monkeypatch.setattr(request, "DECIDING", LONGEST)
    # What the bot does beside would read the database at the same time.
    await cancel(*bot._tasks)
    alice, run = discord.member("Alice"), WorkerThread.run
    await alice.sends("battle", matchup="11 9")  # what is read only once is read now
    walk = Walk()

    async def watched(worker: WorkerThread, *work: Any) -> Any:
        first = not walk.before
        if first:
            walk.note_waiting()
        try:
            return await run(worker, *work)
        finally:
            if first:
                walk.after.clear()

    monkeypatch.setattr(WorkerThread, "run", watched)
    sys.setprofile(walk.note_call)
    try:
        await alice.sends("battle", matchup="12 9")
    finally:
        sys.setprofile(None)
    assert set(walk.before.values()) == set(_documented("before the worker"))
    assert set(walk.after.values()) == set(_documented("after the worker"))
    assert len(walk.before) <= MOST_BEFORE
    assert len(walk.after) <= MOST_AFTER


def _documented(part: str) -> list[str]:
    """Return the functions that the page lists under a heading."""
    found = re.search(rf"^\*\*.*{part}\.\*\*(?:.+\n)+\n((?:\d+\. .*\n(?: +.*\n)*)+)", DOCS, re.MULTILINE)
    assert found, part
    return re.findall(r"^\d+\. `([\w.]+)`", found[1], re.MULTILINE)


def _is_ours(code: CodeType) -> bool:
    return Path(code.co_filename).is_relative_to(ROOT / "bot") and not code.co_name.startswith("<")


def _name(code: CodeType) -> str:
    path = Path(code.co_filename).relative_to(ROOT / "bot").with_suffix("")
    return f"{'.'.join(path.parts)}.{code.co_qualname.replace('<locals>.', '')}"
