"""Turns: choose the next job fairly, by server and by person, however much anybody asks."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache

from bot.work.buckets import MOST_KNOWN

Job = TypeVar("Job")


class Asker(NamedTuple):
    """A person, and the place where they ask: a server, "guild:1", or their direct messages, "user:2"."""

    person: str
    place: str


_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)


@contextmanager
def asking(person: str, place: str) -> Iterator[None]:
    """Name the asker of all jobs that start inside the block."""
    before = _asker.set(Asker(person, place))
    try:
        yield
    finally:
        _asker.reset(before)


def current_asker() -> Asker | None:
    """Return the asker of this task; None if nobody has to share, such as in the terminal."""
    return _asker.get()


@dataclass(eq=False)
class Waiting(Generic[Job]):
    """A waiting job: `cost` is the seconds that it is expected to take, `number` its place in order of arrival."""

    job: Job
    cost: float
    asker: Asker
    number: int = field(default_factory=count().__next__)


class Turns(Generic[Job]):
    """The waiting jobs, and the order in which they run.

    Each person and each place has a clock, which advances by the cost of their jobs. A job's time is the later of the
    person's clock and the place's clock; the job with the earliest time is next. So ten people of one server share that
    server's turn, and one person in ten servers is still one person. Somebody who comes back after a rest starts at the
    time of the others: a rest saves nothing up.
    """

    def __init__(self) -> None:
        self._waiting: dict[Asker, list[Waiting[Job]]] = {}
        # Clocks that were not used for long are dropped; their owners then start at the time of the others.
        self._clocks: LRUCache[str, float] = LRUCache(MOST_KNOWN)
        self._now = 0.0

    def __len__(self) -> int:
        """Return the number of waiting jobs."""
        return sum(map(len, self._waiting.values()))

    def add(self, waiting: Waiting[Job]) -> None:
        """Add a job to those that wait."""
        self._waiting.setdefault(waiting.asker, []).append(waiting)

    def next(self) -> Waiting[Job]:
        """Remove and return the next job; IndexError if none waits."""
        if not self._waiting:
            raise IndexError("nobody waits")
        asker = min(self._waiting, key=self._key)
        self._now = self._key(asker)[0]
        first = self._waiting[asker][0]
        self.remove(first)
        self.charge(asker, first.cost)
        return first

    def remove(self, waiting: Waiting[Job]) -> None:
        """Remove a job if it still waits."""
        jobs = self._waiting.get(waiting.asker, [])
        if waiting in jobs:
            jobs.remove(waiting)
        if not jobs:
            self._waiting.pop(waiting.asker, None)

    def charge(self, asker: Asker, seconds: float) -> None:
        """Advance the clocks of a person and their place; negative seconds set them back."""
        for name in _names(asker):
            self._clocks[name] = self._clock(name) + seconds

    def waiting_for(self, person: str) -> int:
        """Return the number of a person's waiting jobs."""
        return sum(len(jobs) for asker, jobs in self._waiting.items() if asker.person == person)

    def all_waiting(self) -> list[Waiting[Job]]:
        """Return all waiting jobs, the oldest first."""
        return sorted((one for jobs in self._waiting.values() for one in jobs), key=lambda one: one.number)

    def _key(self, asker: Asker) -> tuple[float, float, int]:
        person, place = (self._clock(name) for name in _names(asker))
        return max(person, place), person, self._waiting[asker][0].number

    def _clock(self, name: str) -> float:
        return max(self._clocks.get(name, 0.0), self._now)


def _names(asker: Asker) -> tuple[str, str]:
    """Return the names of the person's and the place's clock; in direct messages these are two as well."""
    return f"person {asker.person}", f"place {asker.place}"


def next_to_refuse(every: list[Waiting[Job]]) -> Waiting[Job]:
    """Return the newest job of the person with most waiting jobs, in the place with most waiting jobs."""
    place = _most([one.asker.place for one in every])
    there = [one for one in every if one.asker.place == place]
    person = _most([one.asker.person for one in there])
    return [one for one in there if one.asker.person == person][-1]


def _most(names: list[str]) -> str:
    """Return the most frequent name; if several are, the one that came last."""
    often = Counter(reversed(names))
    return max(often, key=often.__getitem__)
