"""Errands: all the pieces of work that one answer takes, and whether the first has begun."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Errand:
    """All the work for one answer; `begun` from its first piece on."""

    begun = False


_errand = ContextVar[Errand]("errand")


@contextmanager
def errand() -> Iterator[None]:
    """Around one answer: all work that is asked for inside belongs together."""
    before = _errand.set(Errand())
    try:
        yield
    finally:
        _errand.reset(before)


def current() -> Errand:
    """The errand of this moment; outside of any, each piece of work is one of its own."""
    return _errand.get(Errand())
