"""The desk: the bot's own process handles only so many questions at a time, and of one person only a few.

So each answer is quick once its turn has come, and a flood of questions from one person floods nobody else. Workers
have turns of their own, see bot/turns.py; a question that waits for a worker leaves the desk meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from weakref import WeakValueDictionary

SEATS, SEATS_EACH = 16, 2
"""How many questions are handled at the same moment, and how many of one person."""


class _Seat:
    """A place at the desk for one question, which can be left for a while."""

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
        """Give the seat to somebody else; False where it was left before."""
        left, self._is_taken = self._is_taken, False
        if left:
            self._free.release()
            self._own.release()
        return left


_seat: ContextVar[_Seat | None] = ContextVar("seat", default=None)


class Desk:
    """The seats that are free."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(SEATS)
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def is_full(self, person: str) -> bool:
        """Whether so many questions of a person are being handled that others have to wait."""
        own = self._own.get(person)
        return own is not None and own.locked()

    @asynccontextmanager
    async def seat(self, person: str) -> AsyncIterator[None]:
        """Around what is done for a question of a person: it begins when there is a seat."""
        seat = _Seat(self._own.setdefault(person, asyncio.Semaphore(SEATS_EACH)), self._free)
        await seat.take()
        before = _seat.set(seat)
        try:
            yield
        finally:
            _seat.reset(before)
            seat.leave()


@asynccontextmanager
async def away() -> AsyncIterator[None]:
    """Around a wait for something that others do: the seat is free for another question meanwhile."""
    seat = _seat.get()
    left = seat is not None and seat.leave()
    try:
        yield
    finally:
        if left and seat:
            await seat.take()
