"""Time and order: a clock that tests may push forward, rising ids, and a bell for those who wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

DISCORD_EPOCH_MS = 1_420_070_400_000
PATIENCE = 60.0
"""Real seconds after which whatever a test waits for is taken for something that never comes."""
BUSY = 10.0
"""The `slack` of all tests but benchmarks: a bot is not late because other programs keep its machine busy."""

T = TypeVar("T")


class Clock:
    """Real monotonic time plus what tests added.

    The 3 seconds and the 15 minutes end by `deadlines()`, for which real time passes `slack` times slower, and what
    tests add at its full length.
    """

    def __init__(self, slack: float = 1.0) -> None:
        self._slack = slack
        self._ahead = 0.0

    def now(self) -> float:
        return time.monotonic() + self._ahead

    def deadlines(self) -> float:
        """The time by which an interaction or its token grows old."""
        return time.monotonic() / self._slack + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += seconds


class Snowflakes:
    """Unique, rising ids which carry the real time as Discord's do (not pushed forward: the bot's own
    wall clock is not pushed either).
    """

    def __init__(self) -> None:
        self._last = 0
        self._late = 0

    def next(self, late: float = 0.0) -> int:
        """A new id; with `late` it says it was made that many seconds ago."""
        if late:
            self._late += 1
            return self._at(time.time() - late) | (self._late & 0xFFF)
        self._last = max(self._at(time.time()), self._last + 1)
        return self._last

    @staticmethod
    def _at(moment: float) -> int:
        return (int(moment * 1000) - DISCORD_EPOCH_MS) << 22


class Bell:
    """Wakes whoever waits for something to change."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def until(self, check: Callable[[], T | None], *, within: float, otherwise: Callable[[], str]) -> T:
        """The first result of `check` which is not None or False; an AssertionError saying `otherwise`."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within
        while (found := check()) is None or found is False:
            future = loop.create_future()
            self._waiting.add(future)
            try:
                async with asyncio.timeout_at(end):
                    await future
            except TimeoutError:
                # The last ring and the end of the time may come in the same moment: the fact decides.
                if (found := check()) is None or found is False:
                    raise AssertionError(otherwise()) from None
            finally:
                self._waiting.discard(future)
        return found


def timestamp() -> str:
    """This moment in the form Discord writes it."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
