"""Jobs, who asks for them, and the queue, which chooses the next one fairly, by server and by person."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from bot.work.costs import Forecast
from bot.work.quota import MOST_KNOWN

if TYPE_CHECKING:
    from asyncio import Future

    from bot.work.workers import Worker


@dataclass(slots=True, unsafe_hash=True)
class Asker:
    """Who asks for jobs, and where; nobody has to share where no person is named, such as in the terminal.

    Attributes:
        person: The person.
        place: A server, "guild:1", or their direct messages, "user:2".
        begun: Whether the first job of their answer has begun.
    """

    person: str = ""
    place: str = ""
    begun: bool = field(default=False, compare=False)


_arrivals = count()
_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)


@contextmanager
def asking(person: str, place: str) -> Iterator[None]:
    """Name the asker of all jobs that start inside the block, which are those of one answer."""
    before = _asker.set(Asker(person, place))
    try:
        yield
    finally:
        _asker.reset(before)


def current_asker() -> Asker:
    """Return the asker of this task; a new one if nobody has to share."""
    return _asker.get() or Asker()


@dataclass(eq=False)
class Job:
    """A piece of work: its asker, the processor seconds that it should take, and the function to run.

    Attributes:
        asker: Who asks for it.
        cost: The seconds of a processor that it is expected to take.
        work: The function.
        arguments: Its arguments.
        forecast: The caller's estimate.
        counts: Whether its seconds count against the asker's quota for large questions.
        worker: The worker that runs it, as soon as its turn comes.
        number: Its place in order of arrival.
    """

    asker: Asker
    cost: float
    work: Any
    arguments: tuple[Any, ...] = ()
    forecast: Forecast | None = None
    counts: bool = False
    worker: "Future[Worker] | None" = None
    number: int = 0


class Queue:
    """The waiting jobs, and the order in which they run.

    Each person and each place has a clock, which advances by the cost of their jobs. A job's time is the later of the
    person's clock and the place's clock; the job with the earliest time is next. So ten people of one server share that
    server's turn, and one person in ten servers is still one person. Somebody who comes back after a rest starts at the
    time of the others: a rest saves nothing up.
    """

    def __init__(self) -> None:
        self.jobs: dict[Asker, list[Job]] = {}
        # Clocks that were not used for long are dropped; their owners then start at the time of the others.
        self._clocks: LRUCache[str, float] = LRUCache(MOST_KNOWN)
        self._now = 0.0

    def __len__(self) -> int:
        """Return how many jobs wait."""
        return sum(map(len, self.jobs.values()))

    def add(self, job: Job) -> None:
        """Add a job to those that wait."""
        job.number = next(_arrivals)
        self.jobs.setdefault(job.asker, []).append(job)

    def next(self) -> Job:
        """Remove and return the next job; IndexError if none waits."""
        if not self.jobs:
            raise IndexError("nobody waits")
        first = self.jobs[min(self.jobs, key=self._key)][0]
        self.remove(first)
        self.begin(first)
        return first

    def begin(self, job: Job) -> None:
        """Note that a job begins: it moves the time on, and the clocks of its asker."""
        self._now = max(self._times(job.asker).values())
        self.charge(job.asker, job.cost)

    def remove(self, job: Job) -> None:
        """Remove a job if it still waits."""
        jobs = self.jobs.get(job.asker, [])
        if job in jobs:
            jobs.remove(job)
        if not jobs:
            self.jobs.pop(job.asker, None)

    def charge(self, asker: Asker, seconds: float) -> None:
        """Advance the clocks of a person and their place; negative seconds set them back."""
        for name, time in self._times(asker).items():
            self._clocks[name] = time + seconds

    def all_waiting(self) -> list[Job]:
        """Return all waiting jobs, the oldest first."""
        return sorted((job for jobs in self.jobs.values() for job in jobs), key=attrgetter("number"))

    def _key(self, asker: Asker) -> tuple[float, float, int]:
        person, place = self._times(asker).values()
        return max(person, place), person, self.jobs[asker][0].number

    def _times(self, asker: Asker) -> dict[str, float]:
        """Return the times of the person's and the place's clock; in direct messages these are two as well."""
        names = f"person {asker.person}", f"place {asker.place}"
        return {name: max(self._clocks.get(name, 0.0), self._now) for name in names}


def next_to_refuse(jobs: Sequence[Job]) -> Job:
    """Return the newest job of the person with most waiting jobs, in the place with most waiting jobs."""
    place = _most_frequent([job.asker.place for job in jobs])
    there = [job for job in jobs if job.asker.place == place]
    person = _most_frequent([job.asker.person for job in there])
    return [job for job in there if job.asker.person == person][-1]


def _most_frequent(names: list[str]) -> str:
    """Return the most frequent name; if several are, the one that came last."""
    often = Counter(reversed(names))
    return max(often, key=often.__getitem__)
