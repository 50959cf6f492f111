"""Progress: long work tells whoever listens how far it is, and a meter stops it once it is too much."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from solver.errors import TooLargeError


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
