"""Errands: group the jobs of one answer, and remember whether the first of them has begun."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Errand:
    """The jobs of one answer; `begun` is true as soon as the first of them runs."""

    begun = False


_errand = ContextVar[Errand]("errand")


@contextmanager
def errand() -> Iterator[None]:
    """Group all jobs that start inside the block."""
    before = _errand.set(Errand())
    try:
        yield
    finally:
        _errand.reset(before)


def current_errand() -> Errand:
    """Return the errand of this task; outside any errand, a new one for this job alone."""
    return _errand.get(Errand())
