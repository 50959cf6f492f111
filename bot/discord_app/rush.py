"""A rush: Discord waits three seconds for a first word on each question, so all get theirs before the work begins."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 0.5
"""Seconds for which work waits for the first words on other questions, one of which may not get through."""


class Rush:
    """The first words that are on their way to Discord."""

    def __init__(self) -> None:
        self._words: set[asyncio.Future[None]] = set()

    @contextmanager
    def word(self) -> Iterator[None]:
        """Around the sending of a first word."""
        word = asyncio.get_running_loop().create_future()
        self._words.add(word)
        try:
            yield
        finally:
            self._words.remove(word)
            word.cancel()

    async def all_there(self) -> None:
        """Wait for the words that are on their way now, but not for long."""
        if self._words:
            await asyncio.wait(set(self._words), timeout=LONGEST)
