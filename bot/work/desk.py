"""The desk: limits how many questions the bot's own process handles at a time, in all and of one person.

So each answer is quick when its turn comes, and a flood of questions from one person delays nobody else. A question
that waits for a worker (see bot/work/turns.py) leaves its seat meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from weakref import WeakValueDictionary

SEATS, SEATS_EACH = 16, 2
"""How many questions are handled at a time, in all and of one person."""


class _Seat:
    """The seat of one question; the question can leave it for a while."""

    def __init__(self, own: asyncio.Semaphore, free: asyncio.Semaphore) -> None:
        self._own, self._free = own, free
        self._is_taken = False

    async def take(self) -> None:
        await self._own.acquire()
        try:
            await self._free.acquire()
        except BaseException:
            self._own.release()
            raise
        self._is_taken = True

    def leave(self) -> bool:
        """Free the seat; return whether it was taken."""
        left, self._is_taken = self._is_taken, False
        if left:
            self._free.release()
            self._own.release()
        return left


_seat: ContextVar[_Seat | None] = ContextVar("seat", default=None)


class Desk:
    """The free seats, in all and of each person."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(SEATS)
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def is_full(self, person: str) -> bool:
        """Whether a further question of this person would have to wait for the person's others."""
        own = self._own.get(person)
        return own is not None and own.locked()

    @asynccontextmanager
    async def seat(self, person: str) -> AsyncIterator[None]:
        """Wait for a seat and hold it during the block, which handles a question of this person."""
        seat = _Seat(self._own.setdefault(person, asyncio.Semaphore(SEATS_EACH)), self._free)
        await seat.take()
        before = _seat.set(seat)
        try:
            yield
        finally:
            _seat.reset(before)
            seat.leave()


@asynccontextmanager
async def leave_seat() -> AsyncIterator[None]:
    """Free this question's seat for others during the block, then wait for a seat again."""
    seat = _seat.get()
    left = seat is not None and seat.leave()
    try:
        yield
    finally:
        if left and seat:
            await seat.take()
