"""Whose question is worked on next: turns that are fair by server and by person, however much anybody asks."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, NamedTuple, TypeVar

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

    Everybody has a clock, each person and each place, that goes on by the cost of what was done for them. The job whose
    clocks show least comes first: of a person's clock and that of the place the later one counts. So ten people of one
    server share that server's turn, and one person in ten servers is still one person. Who comes back after a
    rest starts where the others are, and has saved nothing up.
    """

    def __init__(self) -> None:
        self._waiting: dict[Asker, list[Waiting[Job]]] = {}
        self._clocks: dict[str, float] = {}
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
        """Put the clocks of a person and a place on; back where a job took less than was expected."""
        self._clocks = {name: at for name, at in self._clocks.items() if at > self._now}
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
    """What the clocks of a person and a place are called; in direct messages, too, they are two."""
    return f"person {asker.person}", f"place {asker.place}"


def greediest(every: list[Waiting[Job]]) -> Waiting[Job]:
    """The newest job of who has most waiting: of the place with the most, and there of the person with the most."""
    place = _most([one.asker.place for one in every])
    there = [one for one in every if one.asker.place == place]
    person = _most([one.asker.person for one in there])
    return [one for one in there if one.asker.person == person][-1]


def _most(names: list[str]) -> str:
    """The name that is there most often; of those that are so equally often, the one that came last."""
    often = Counter(reversed(names))
    return max(often, key=often.__getitem__)
