"""Estimates of the processor time that a piece of work takes, in seconds, before it begins.

Estimates are rough, within a factor of about 5: they decide who waits for whom and how much somebody may still ask. A
wrong one loses nothing: work that only seemed cheap is broken off, and the time it really took is remembered.
"""

import logging
from collections.abc import Callable, Hashable, Mapping
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
