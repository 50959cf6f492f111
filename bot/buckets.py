"""Buckets: what each person or server may still use up in a minute, all at once or bit by bit."""

import time

from cachetools import TTLCache

MINUTE = 60.0
MOST_KNOWN = 10_000
"""The most keys that are remembered; beyond that the oldest are forgotten."""


class Buckets:
    """One bucket for each key, which holds as much as may come in a minute and drains evenly."""

    def __init__(self, most: float) -> None:
        """`most` may come in a minute."""
        self._most = most
        # When the bucket of each key will be empty again; an empty one needs no place here.
        self._empty: TTLCache[str, float] = TTLCache(MOST_KNOWN, ttl=MINUTE, timer=_now)

    def wait(self, key: str, cost: float) -> float:
        """The seconds after which there is room for so much; 0 where there is.

        More than a whole bucket holds fits into an empty one.
        """
        wait = self._empty.get(key, 0.0) + min(cost, self._most) * MINUTE / self._most - MINUTE - _now()
        return wait if wait > 1e-6 else 0.0

    def count(self, key: str, cost: float) -> None:
        """Put so much into the bucket, or take it out again where it is less than 0."""
        self._empty[key] = max(self._empty.get(key, 0.0), _now()) + cost * MINUTE / self._most

    def __len__(self) -> int:
        """How many are not empty."""
        return len(self._empty)


def _now() -> float:
    return time.monotonic()
