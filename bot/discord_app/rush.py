"""A rush: Discord waits three seconds for a first word on each question, so all get theirs before the work begins."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LONGEST = 0.5
"""Seconds for which work waits for the first words on other questions; there may always be new ones."""


class Rush:
    """The first words that are on their way to Discord."""

    def __init__(self) -> None:
        self._on_their_way = 0
        self._all_there = asyncio.Event()

    @contextmanager
    def word(self) -> Iterator[None]:
        """Around the sending of a first word."""
        self._on_their_way += 1
        self._all_there.clear()
        try:
            yield
        finally:
            self._on_their_way -= 1
            if not self._on_their_way:
                self._all_there.set()

    async def all_there(self) -> None:
        """Wait until no first word is on its way, but not for long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_there.wait(), LONGEST)
