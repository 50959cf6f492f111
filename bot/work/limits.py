"""Limits: how much each person and server may ask in a minute, and how many questions are handled at a time.

Each process decides at once, by what it knows. Where there is Redis, processes tell each other what they have counted,
so that a moment later they all know the same, and several processes are one limit.
"""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from cachetools import TTLCache

from bot.languages import _n
from bot.replies import Reply
from bot.settings import Settings

if TYPE_CHECKING:  # only a bot that has it loads it
    from bot.work.shared_cache import SharedCache

MINUTE = 60.0
MOST_KNOWN = 10_000
"""The most people, and servers, in memory; beyond that the oldest are dropped."""
SUGGESTION = 0.1
"""The cost of a suggestion, of which there is one for every key press; a question costs 1."""
LETTERS = 500
"""The letters of a text that cost as much again: while it is read, everybody else waits."""
SLOTS, SLOTS_EACH = 16, 2
"""How many questions are handled at a time, in all and of one person."""


class Quotas:
    """Limits how much each person uses in a minute, and all people of a server together, all at once or bit by bit.

    A leaky bucket for each holds one minute's use and drains evenly.
    """

    def __init__(self, person: float, server: float, name: str, shared: "SharedCache | None" = None) -> None:
        """Allow so much to each, in all processes whose limits in `shared` have this name."""
        self._maxima = {"person": person, "server": server}
        self._name, self._shared = name, shared
        # The time at which each bucket is empty again; empty buckets are left out.
        self._empty: dict[str, TTLCache[str, float]] = {
            kind: TTLCache(MOST_KNOWN, ttl=MINUTE, timer=monotonic) for kind in self._maxima
        }

    def wait(self, person: str, place: str, cost: float) -> tuple[float, bool]:
        """Return the seconds until `cost` is allowed (0: now), and whether the person's own limit is the reason.

        A cost larger than a bucket fits into an empty bucket.
        """
        waits = [(0.0, True)]
        for kind, key in _bucket_keys(person, place):
            seconds = min(cost / self._maxima[kind], 1) * MINUTE
            wait = self._empty[kind].get(key, 0.0) + seconds - MINUTE - monotonic()
            if wait > 1e-6:
                waits.append((wait, kind == "person"))
        return max(waits)

    def count(self, person: str, place: str, cost: float) -> None:
        """Count `cost` as used by the person and the server; a negative cost gives it back."""
        for kind, key in _bucket_keys(person, place):
            seconds = cost * MINUTE / self._maxima[kind]
            self._empty[kind][key] = max(self._empty[kind].get(key, 0.0), monotonic()) + seconds
            if self._shared:
                self._shared.add_use(f"{self._name} {kind} {key}", seconds, partial(self._learn, kind, key))

    def _learn(self, kind: str, key: str, seconds: float) -> None:
        """Note that a bucket is not empty for so many seconds, as others have filled it too."""
        self._empty[kind][key] = max(self._empty[kind].get(key, 0.0), monotonic() + seconds)

    def __len__(self) -> int:
        """Return the number of buckets that are not empty."""
        return sum(map(len, self._empty.values()))


def _bucket_keys(person: str, place: str) -> list[tuple[str, str]]:
    """Return the kind of each limit that counts, with its key; outside servers only the person's does."""
    return [("person", person), *([("server", place)] if place.startswith("guild:") else [])]


class Rates:
    """The questions of people and servers in the last minute."""

    def __init__(self, settings: Settings, shared: "SharedCache | None" = None) -> None:
        self._questions = Quotas(settings.most_per_minute_user, settings.most_per_minute_server, "questions", shared)
        self._warned: TTLCache[str, bool] = TTLCache(MOST_KNOWN, ttl=MINUTE, timer=monotonic)

    def refusal(self, user: str, place: str, cost: float = 1.0, letters: int = 0) -> Reply | None:
        """Count a question of a person in a place, with so many typed letters; return the refusal if it is too much."""
        cost *= 1 + letters // LETTERS
        wait, alone = self._questions.wait(user, place, cost)
        if not wait:
            self._questions.count(user, place, cost)
            return None
        if alone:
            text = _n(
                "You are sending too many requests. Try again in a second.",
                "You are sending too many requests. Try again in {n} seconds.",
                math.ceil(wait),
            )
        else:
            text = _n(
                "This server is sending too many requests. Try again in a second.",
                "This server is sending too many requests. Try again in {n} seconds.",
                math.ceil(wait),
            )
        return Reply(text, private=True, failed=True)

    def was_warned(self, user: str) -> bool:
        """Whether this person was warned in the last minute; the call itself counts as a warning."""
        warned = user in self._warned
        self._warned.setdefault(user, True)
        return warned


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
    """The free slots, in all and of each person.

    So each answer is quick when its turn comes, and a flood of questions from one person delays nobody else. A question
    that waits for a worker (see bot/work/pool.py) leaves its slot meanwhile.
    """

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
