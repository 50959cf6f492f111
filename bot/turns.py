"""Turns: which question is worked on next, fairly by server and by person, however much anybody asks."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache

from bot.buckets import MOST_KNOWN

Job = TypeVar("Job")


class Asker(NamedTuple):
    """A person, and the place where they ask: "guild:1", or their own, "user:2"."""

    person: str
    place: str


_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)


@contextmanager
def asking(person: str, place: str) -> Iterator[None]:
    """Name the person who asks for all work that is started inside, and the place where they do."""
    before = _asker.set(Asker(person, place))
    try:
        yield
    finally:
        _asker.reset(before)


def asker() -> Asker | None:
    """Who asks at this moment; None where nobody has to share, such as at the terminal."""
    return _asker.get()


@dataclass(eq=False)
class Waiting(Generic[Job]):
    """A job that waits for its turn, the seconds it is expected to take, and who wants it."""

    job: Job
    cost: float
    asker: Asker
    number: int = field(default_factory=count().__next__)


class Turns(Generic[Job]):
    """The jobs that wait, and the order in which they are done.

    Each person and each place has a clock, which goes on by the cost of the work done for them. The later of a person's
    clock and the place's clock counts, and the job with the earliest comes first. So ten people of one server share
    that server's turn, and one person in ten servers is still one person. Somebody who comes back after a rest starts
    where the others are, and has saved nothing up.
    """

    def __init__(self) -> None:
        self._waiting: dict[Asker, list[Waiting[Job]]] = {}
        # Whoever has not come for long is forgotten, and then starts where the others are.
        self._clocks: LRUCache[str, float] = LRUCache(MOST_KNOWN)
        self._now = 0.0

    def __len__(self) -> int:
        """How many jobs wait."""
        return sum(map(len, self._waiting.values()))

    def add(self, waiting: Waiting[Job]) -> None:
        """Let a job wait for its turn."""
        self._waiting.setdefault(waiting.asker, []).append(waiting)

    def next(self) -> Waiting[Job]:
        """Take the job whose turn it is; IndexError where none waits."""
        if not self._waiting:
            raise IndexError("nobody waits")
        asker = min(self._waiting, key=self._key)
        self._now = self._key(asker)[0]
        first = self._waiting[asker][0]
        self.remove(first)
        self.charge(asker, first.cost)
        return first

    def remove(self, waiting: Waiting[Job]) -> None:
        """Let a job wait no longer, if it does."""
        jobs = self._waiting.get(waiting.asker, [])
        if waiting in jobs:
            jobs.remove(waiting)
        if not jobs:
            self._waiting.pop(waiting.asker, None)

    def charge(self, asker: Asker, seconds: float) -> None:
        """Put the clocks of a person and a place forward, or back where a job took less than expected."""
        for name in _names(asker):
            self._clocks[name] = self._clock(name) + seconds

    def waiting_for(self, person: str) -> int:
        """How many jobs of a person wait."""
        return sum(len(jobs) for asker, jobs in self._waiting.items() if asker.person == person)

    def every(self) -> list[Waiting[Job]]:
        """All that wait, the oldest first."""
        return sorted((one for jobs in self._waiting.values() for one in jobs), key=lambda one: one.number)

    def _key(self, asker: Asker) -> tuple[float, float, int]:
        person, place = (self._clock(name) for name in _names(asker))
        return max(person, place), person, self._waiting[asker][0].number

    def _clock(self, name: str) -> float:
        return max(self._clocks.get(name, 0.0), self._now)


def _names(asker: Asker) -> tuple[str, str]:
    """The names of a person's clock and a place's; they are two in direct messages too."""
    return f"person {asker.person}", f"place {asker.place}"


def greediest(every: list[Waiting[Job]]) -> Waiting[Job]:
    """The newest job of the person with most waiting, in the place with most waiting."""
    place = _most([one.asker.place for one in every])
    there = [one for one in every if one.asker.place == place]
    person = _most([one.asker.person for one in there])
    return [one for one in there if one.asker.person == person][-1]


def _most(names: list[str]) -> str:
    """The most frequent name; of several, the one that came last."""
    often = Counter(reversed(names))
    return max(often, key=often.__getitem__)
