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
        """How many buckets are not empty."""
        return len(self._empty)


class Shares:
    """What each person may use up in a minute, and what all people of a server may together."""

    def __init__(self, person: float, server: float) -> None:
        self._people, self._servers = Buckets(person), Buckets(server)

    def wait(self, person: str, place: str, cost: float) -> tuple[float, bool]:
        """The seconds after which there is room for so much, 0 where there is; True where the person alone is why."""
        return max((bucket.wait(key, cost), bucket is self._people) for bucket, key in self._both(person, place))

    def count(self, person: str, place: str, cost: float) -> None:
        """Use up so much, or give it back where it is less than 0."""
        for bucket, key in self._both(person, place):
            bucket.count(key, cost)

    def __len__(self) -> int:
        """How many buckets are not empty."""
        return len(self._people) + len(self._servers)

    def _both(self, person: str, place: str) -> list[tuple[Buckets, str]]:
        """The buckets of a person and of a server; outside servers nobody has to share."""
        server = [(self._servers, place)] if place.startswith("guild:") else []
        return [(self._people, person), *server]


def _now() -> float:
    return time.monotonic()
