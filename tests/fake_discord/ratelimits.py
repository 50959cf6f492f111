"""Rate limits as Discord tells of them, and limits and failures that a test orders."""

from __future__ import annotations

import time
from dataclasses import dataclass
from hashlib import md5

from .timing import Clock

GENEROUS = (1000, 1.0)
"""So many requests in so many seconds, where a test says nothing."""


@dataclass(frozen=True)
class Fault:
    """An answer without doing the work: 429 with `retry_after`, or another status with `code`."""

    status: int
    retry_after: float = 0.0
    everywhere: bool = False
    code: int = 0


class Faults:
    """Faults waiting for a request of their route."""

    def __init__(self) -> None:
        self._waiting: list[tuple[str, Fault]] = []

    def order(self, route_key: str, fault: Fault, times: int) -> None:
        self._waiting += [(route_key, fault)] * times

    def take(self, route_key: str) -> Fault | None:
        """The next fault of that route, which is then used up."""
        for index, (key, fault) in enumerate(self._waiting):
            if key == route_key:
                del self._waiting[index]
                return fault
        return None

    def take_back(self, route_key: str) -> None:
        """Order no faults of that route any more."""
        self._waiting = [(key, fault) for key, fault in self._waiting if key != route_key]

    def check(self) -> None:
        """Raise if a fault was ordered and never met: such a test shows nothing."""
        if self._waiting:
            raise AssertionError(f"faults ordered but never met: {self._waiting}")


@dataclass
class Window:
    """How much of a bucket is used up, and when it is empty again."""

    used: int
    ends: float


class Buckets:
    """Counts the requests of each route and major parameter, and writes Discord's headers."""

    def __init__(self, clock: Clock) -> None:
        self.limits: dict[str, tuple[int, float]] = {}
        self._clock = clock
        self._windows: dict[str, Window] = {}

    def hit(self, route_key: str, bucket: str, headers: dict[str, str]) -> float | None:
        """Count a request; the seconds to wait if it is one too many."""
        limit, per = self.limits.get(route_key, GENEROUS)
        now = self._clock.now()
        window = self._windows.get(bucket)
        if window is None or window.ends <= now:
            window = self._windows[bucket] = Window(0, now + per)
        left = max(window.ends - now, 0.001)
        too_many = window.used >= limit
        window.used += not too_many
        headers["X-RateLimit-Bucket"] = md5(route_key.encode(), usedforsecurity=False).hexdigest()
        headers["X-RateLimit-Limit"] = str(limit)
        headers["X-RateLimit-Remaining"] = str(limit - window.used)
        headers["X-RateLimit-Reset"] = f"{time.time() + left:.3f}"
        headers["X-RateLimit-Reset-After"] = f"{left:.3f}"
        return round(left, 3) if too_many else None
