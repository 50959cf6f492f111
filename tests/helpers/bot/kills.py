"""A bot that is killed at a point of a round: it stops there, and what was on the disk is all that is left."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.discord_app import answers
from bot.discord_app.frames import Frames
from bot.live import work
from bot.store import battles
from bot.store.battles import Battles
from bot.work.engine import Engine

POINTS: dict[str, tuple[Any, str, bool]] = {
    "before the press is handled": (answers, "run", False),
    "when the dice have fallen": (work, "roll_on", True),
    "amid what is written": (battles, "_count_faces", True),
    "when it is written": (Battles, "append", True),
    "before the picture": (Engine, "draw", False),
    "before the frame is sent": (Frames, "show", False),
    "when the frame was sent": (Battles, "mark_seen", False),
    "when it is noted as shown": (Battles, "mark_seen", True),
}
"""Where it ends: at which function, and whether when that has been called or when it has returned."""


@contextmanager
def killed(point: str, data: Path, rest: Path) -> Iterator[asyncio.Event]:
    """At this point everything stops, and what was on the disk is all that `rest` will have."""
    (owner, name, after), stopped, stuck = POINTS[point], asyncio.Event(), []
    real = getattr(owner, name)

    async def stop(*given: Any, **named: Any) -> None:
        if after:
            await real(*given, **named)
        # Shared memory ends with the process, and `alive` is written anew meanwhile.
        shutil.copytree(data, rest, ignore=shutil.ignore_patterns("*-shm", "alive*"))
        stuck.append(asyncio.current_task())
        stopped.set()
        await asyncio.Event().wait()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, stop)
        yield stopped
    for task in stuck:
        if task:
            task.cancel()
