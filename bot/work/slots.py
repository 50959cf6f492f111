"""Slots: limit how many questions the bot's own process handles at a time, in all and of one person.

So each answer is quick when its turn comes, and a flood of questions from one person delays nobody else. A question
that waits for a worker (see bot/work/pool.py) leaves its slot meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from weakref import WeakValueDictionary

SLOTS, SLOTS_EACH = 16, 2
"""How many questions are handled at a time, in all and of one person."""


@dataclass
class _Slot:
    """The slot of one question, one of a person's own and one of all; the question can leave it for a while."""

    own: asyncio.Semaphore
    free: asyncio.Semaphore
    is_taken: bool = False

    async def take(self) -> None:
        await self.own.acquire()
        try:
            await self.free.acquire()
        except BaseException:
            self.own.release()
            raise
        self.is_taken = True

    def leave(self) -> bool:
        """Free the slot; return whether it was taken."""
        left, self.is_taken = self.is_taken, False
        if left:
            self.free.release()
            self.own.release()
        return left


_slot: ContextVar[_Slot | None] = ContextVar("slot", default=None)


class Slots:
    """The free slots, in all and of each person."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(SLOTS)
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def is_full(self, person: str) -> bool:
        """Whether a further question of this person would have to wait for the person's others."""
        own = self._own.get(person)
        return own is not None and own.locked()

    @asynccontextmanager
    async def slot(self, person: str) -> AsyncIterator[None]:
        """Wait for a slot and hold it during the block, which handles a question of this person."""
        slot = _Slot(self._own.setdefault(person, asyncio.Semaphore(SLOTS_EACH)), self._free)
        await slot.take()
        before = _slot.set(slot)
        try:
            yield
        finally:
            _slot.reset(before)
            slot.leave()


@asynccontextmanager
async def leave_slot() -> AsyncIterator[None]:
    """Free this question's slot for others during the block, then wait for a slot again."""
    slot = _slot.get()
    left = slot is not None and slot.leave()
    try:
        yield
    finally:
        if left and slot:
            await slot.take()
