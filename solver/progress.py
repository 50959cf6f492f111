"""Progress: how long work should take, reports of how far it is, and a meter that stops it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple, TypeVar

from solver.errors import TooLargeError

Work = TypeVar("Work", bound=Callable[..., Any])

Estimate = Callable[..., float]
"""Gives about how many seconds of a processor a call of a function takes, from its arguments."""
ESTIMATES: dict[Callable[..., Any], Estimate] = {}
"""The estimates of all functions that are marked with `takes`."""


def takes(estimate: Estimate) -> Callable[[Work], Work]:
    """Mark a function with its estimate.

    Args:
        estimate: The estimate.
    """

    def mark(work: Work) -> Work:
        ESTIMATES[work] = estimate
        return work

    return mark


class Progress(NamedTuple):
    """How far some work is.

    Attributes:
        share: The share that is done, of 1: of the battles to simulate, or of the most work that may be done.
        battles: The number of battles simulated so far; 0 if nothing is simulated.
        chance: The share of these that the attacker has won.
        error: How far that may be off; 0 if it is not known yet.
    """

    share: float
    battles: int = 0
    chance: float = 0.0
    error: float = 0.0


Listener = Callable[[Progress], None]

_listener = ContextVar[Listener | None]("listener", default=None)


def tell(progress: Progress) -> None:
    """Tell whoever listens how far the work is.

    Args:
        progress: How far it is.
    """
    listener = current_listener()
    if listener:
        listener(progress)


def current_listener() -> Listener | None:
    """Return who listens here; None if nobody does."""
    return _listener.get()


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Let somebody listen to the work inside.

    Args:
        listener: It is called often, and must be quick; None for nobody.
    """
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


@dataclass
class Meter:
    """The work done for a computation, about in multiplications.

    Attributes:
        limit: The most work that may be done.
        done: The work done so far.
    """

    limit: float = inf
    done: float = 0.0

    def add(self, work: float) -> None:
        """Count some work before it is done.

        Args:
            work: How much.

        Raises:
            TooLargeError: If that is more than `limit` in all.
        """
        self.done += work
        if self.done > self.limit:
            raise TooLargeError("units", "this battle takes more work than is allowed")
        if self.limit < inf:
            tell(Progress(self.done / self.limit))
