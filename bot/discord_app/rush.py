"""A rush: Discord waits three seconds for a first word on each question, so all get theirs before the work begins."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress

LONGEST = 0.5
"""Seconds for which work waits for the first words on other questions; there may always be new ones."""


class Rush:
    """The first words that are on their way to Discord."""

    def __init__(self) -> None:
        self._on_their_way = 0
        self._all_there = asyncio.Event()

    async def announce(self, word: Awaitable[None]) -> None:
        """Send a first word, and wait until the others are there too."""
        self._on_their_way += 1
        self._all_there.clear()
        try:
            await word
        finally:
            self._on_their_way -= 1
            if not self._on_their_way:
                self._all_there.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_there.wait(), LONGEST)
