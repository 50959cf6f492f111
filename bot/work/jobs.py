"""Jobs for workers: who asks for each, the time and memory that it should take, and the queue, which chooses fairly.

Estimates of seconds are rough, within a factor of about 5: they decide who waits for whom and how much somebody may
still ask. A wrong one loses nothing: work that only seemed cheap is broken off, and the time it really took is
remembered.
"""

import logging
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache

from solver.progress import ESTIMATES

if TYPE_CHECKING:
    from asyncio import Future

    from bot.work.workers import Worker

log = logging.getLogger(__name__)

CHEAP = 0.05
"""Seconds up to which work is cheap."""
USUAL = 0.01
"""Seconds for work that never takes long."""
MOST_TIMES, MOST_CLOCKS = 1_000, 10_000
"""The most pieces of work whose time is remembered, and the most clocks of people and places."""
SMALL = 60
"""About how many bytes a number or the frame of a small object takes."""


class Forecast(NamedTuple):
    """The asker's own knowledge of a piece of work before it begins.

    Attributes:
        seconds: About how many seconds of a processor it takes.
        key: The key under which its real time is remembered; None if it is not.
        is_press: Whether somebody rolls a live battle on, which they always may.
    """

    seconds: float
    key: Hashable = None
    is_press: bool = False


class Costs:
    """The time that work should take: as long as the same work took before, else by its size."""

    def __init__(self) -> None:
        self._known: LRUCache[Hashable, float] = LRUCache(MOST_TIMES)

    def expect(self, work: Callable[..., Any], arguments: tuple[Any, ...], forecast: Forecast | None = None) -> float:
        """Return the seconds that this work should take: as remembered, else as forecast, else by its size."""
        try:
            known = self._known.get(self._key(work, arguments, forecast))
            if known is not None:
                return known
            if forecast:
                return forecast.seconds
            by_size = ESTIMATES.get(work)
            return by_size(*arguments) if by_size else USUAL
        except Exception:  # Nobody goes without an answer because nobody knows what it costs.
            log.exception("no estimate for %s", work)
            return CHEAP

    def learn(
        self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float, forecast: Forecast | None = None
    ) -> None:
        """Remember the time some work took. Earlier times fade slowly, as a worker that kept its tables is quicker."""
        if (key := self._key(work, arguments, forecast)) is not None:
            self._known[key] = max(seconds, 0.9 * self._known.get(key, 0.0))

    def _key(self, work: Callable[..., Any], arguments: tuple[Any, ...], forecast: Forecast | None) -> Hashable:
        """Return what the time of some work is remembered by: its battle. None where the battle does not decide."""
        if forecast:
            return None if forecast.key is None else (work, forecast.key)
        return (work, arguments[0]) if work in ESTIMATES else None


@dataclass(slots=True, unsafe_hash=True)
class Asker:
    """The asker of jobs, and the place; nobody has to share where no person is named, such as in the terminal.

    Attributes:
        person: The person.
        place: A server, "guild:1", or their direct messages, "user:2".
        begun: Whether the first job of their answer has begun.
    """

    person: str = ""
    place: str = ""
    begun: bool = field(default=False, compare=False)


_arrivals = count()
current_asker: ContextVar[Asker] = ContextVar("asker")
"""The asker of this task; unset if nobody has to share."""


@contextmanager
def asking(person: str, place: str) -> Iterator[None]:
    """Name the asker of all jobs that start inside the block, which are those of one answer."""
    before = current_asker.set(Asker(person, place))
    try:
        yield
    finally:
        current_asker.reset(before)


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
        self._clocks: LRUCache[str, float] = LRUCache(MOST_CLOCKS)
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


def size_of(answer: object) -> int:
    """Return about how many bytes an answer takes with its key; odds with what people will have asked of them."""
    if isinstance(answer, bytes | str):
        return 1_000 + len(answer)
    nbytes = getattr(answer, "nbytes", None)
    return 1_000 + _estimate(answer) if nbytes is None else 3_500 + int(nbytes)


def _estimate(value: object) -> int:
    """Add up the sizes of the parts of a value; of a long row of numbers only the length counts."""
    if isinstance(value, bytes | str):
        return SMALL + len(value)
    if isinstance(value, Mapping):
        return SMALL + sum(_estimate(name) + _estimate(part) for name, part in value.items())
    if isinstance(value, tuple | list | set | frozenset):
        if value and isinstance(next(iter(value)), int | float | None | Fraction):
            return SMALL + SMALL * len(value)
        return SMALL + sum(map(_estimate, value))
    if is_dataclass(value):
        return SMALL + sum(_estimate(getattr(value, field.name)) for field in fields(value))
    return SMALL + int(getattr(value, "nbytes", 0))
