"""Quotas: limit how much each person or server uses in a minute, all at once or bit by bit.

Each process decides at once, by what it knows. Where there is Redis, processes tell each other what they have counted,
so that a moment later they all know the same, and several processes are one limit.
"""

import time
from functools import partial
from typing import TYPE_CHECKING

from cachetools import TTLCache

if TYPE_CHECKING:  # only a bot that has it loads it
    from bot.work.shared_cache import SharedCache

MINUTE = 60.0
MOST_KNOWN = 10_000
"""The most keys in memory; beyond that the oldest are dropped."""


class Quota:
    """How much each key has used: a leaky bucket for each holds one minute's use and drains evenly."""

    def __init__(self, most: float, name: str = "", shared: "SharedCache | None" = None) -> None:
        """Allow each key to use `most` in a minute, in all processes that have a bucket of this name in `shared`."""
        self._most, self._name, self._shared = most, name, shared
        # The time at which the bucket of each key is empty again; empty buckets are left out.
        self._empty: TTLCache[str, float] = TTLCache(MOST_KNOWN, ttl=MINUTE, timer=_now)

    def wait(self, key: str, cost: float) -> float:
        """Return the seconds until the bucket of `key` has room for `cost`; 0 if it has room now.

        A cost larger than the bucket fits into an empty bucket.
        """
        wait = self._empty.get(key, 0.0) + min(cost, self._most) * MINUTE / self._most - MINUTE - _now()
        return wait if wait > 1e-6 else 0.0

    def count(self, key: str, cost: float) -> None:
        """Put `cost` into the bucket of `key`; a negative cost takes it out again."""
        seconds = cost * MINUTE / self._most
        self._empty[key] = max(self._empty.get(key, 0.0), _now()) + seconds
        if self._shared:
            self._shared.add_use(f"{self._name} {key}", seconds, partial(self._learn, key))

    def _learn(self, key: str, seconds: float) -> None:
        """Note that the bucket of `key` is not empty for so many seconds, as others have filled it too."""
        self._empty[key] = max(self._empty.get(key, 0.0), _now() + seconds)

    def __len__(self) -> int:
        """Return the number of buckets that are not empty."""
        return len(self._empty)


class Quotas:
    """Limits how much each person uses in a minute, and all people of a server together."""

    def __init__(self, person: float, server: float, name: str, shared: "SharedCache | None" = None) -> None:
        """Allow so much to each; `name` tells these limits from others that are shared too."""
        self._people = Quota(person, f"{name} person", shared)
        self._servers = Quota(server, f"{name} server", shared)

    def wait(self, person: str, place: str, cost: float) -> tuple[float, bool]:
        """Return the seconds until `cost` is allowed (0: now), and whether the person's own limit is the reason."""
        return max((quota.wait(key, cost), quota is self._people) for quota, key in self._both(person, place))

    def count(self, person: str, place: str, cost: float) -> None:
        """Count `cost` as used by the person and the server; a negative cost gives it back."""
        for quota, key in self._both(person, place):
            quota.count(key, cost)

    def __len__(self) -> int:
        """Return the number of buckets that are not empty."""
        return len(self._people) + len(self._servers)

    def _both(self, person: str, place: str) -> list[tuple[Quota, str]]:
        """Return the quotas of the person and the server with their keys; outside servers only the person's."""
        server = [(self._servers, place)] if place.startswith("guild:") else []
        return [(self._people, person), *server]


def _now() -> float:
    return time.monotonic()
