"""Estimates of the processor time that a piece of work takes, before it begins, and of the memory of its answer.

Those of seconds are rough, within a factor of about 5: they decide who waits for whom and how much somebody may still
ask. A wrong one loses nothing: work that only seemed cheap is broken off, and the time it really took is remembered.
"""

import logging
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from cachetools import LRUCache

log = logging.getLogger(__name__)

CHEAP = 0.05
"""Seconds up to which work is cheap."""
USUAL = 0.01
"""Seconds for work that never takes long."""
PICTURE = 0.03
MOST_KNOWN = 1_000
"""The most pieces of work whose time is remembered."""
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

    def __init__(self, estimates: Mapping[Callable[..., Any], Callable[..., float]]) -> None:
        """`estimates` gives for work the function that estimates its seconds from its arguments."""
        self._estimates = estimates
        self._known: LRUCache[Hashable, float] = LRUCache(MOST_KNOWN)

    def expect(self, work: Callable[..., Any], arguments: tuple[Any, ...], forecast: Forecast | None = None) -> float:
        """Return the seconds that this work should take: as remembered, else as forecast, else by its size."""
        try:
            known = self._known.get(self._key(work, arguments, forecast))
            if known is not None:
                return known
            return forecast.seconds if forecast else self.estimate(work, arguments)
        except Exception:  # Nobody goes without an answer because nobody knows what it costs.
            log.exception("no estimate for %s", work)
            return CHEAP

    def estimate(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
        """Return the seconds that the sizes in its arguments suggest for some work."""
        by_size = self._estimates.get(work)
        return by_size(*arguments) if by_size else USUAL

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
        return (work, arguments[0]) if work in self._estimates else None


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
