"""How often somebody may ask: a bucket for each person and each server, which takes so many a minute."""

import math
import time

from cachetools import TTLCache

from bot.languages import _n
from bot.replies import Reply
from bot.settings import Settings

MINUTE = 60.0
MOST_KNOWN = 10_000
"""Of how many people, and of how many servers, it is known how much they asked; then the oldest are forgotten."""
SUGGESTION = 0.1
"""What a suggestion counts, as there is one for every key that is pressed."""


class Rates:
    """What people and servers have asked in the last minute."""

    def __init__(self, settings: Settings) -> None:
        self._people = _Buckets(settings.most_per_minute_user)
        self._servers = _Buckets(settings.most_per_minute_server)
        self._told: TTLCache[str, bool] = TTLCache(MOST_KNOWN, ttl=MINUTE, timer=_now)

    def refusal(self, user: str, place: str, cost: float = 1.0) -> Reply | None:
        """None where the question may be asked, which then counts; else what to say in its place.

        `place` is that of a request: a server, or a person, who is counted anyway.
        """
        buckets = [(self._people, user), *([(self._servers, place)] if place.startswith("guild:") else [])]
        wait, key = max((bucket.wait(key, cost), key) for bucket, key in buckets)
        if wait:
            return Reply(_too_fast(key == user, math.ceil(wait)), private=True, failed=True)
        for bucket, key in buckets:
            bucket.count(key, cost)
        return None

    def is_told(self, user: str) -> bool:
        """Whether this person was told within a minute; from here on that is so."""
        told = user in self._told
        self._told.setdefault(user, True)
        return told


class _Buckets:
    """Buckets that hold what may come in a minute, and lose it evenly, so that it may come at once or bit by bit."""

    def __init__(self, most: int) -> None:
        self._seconds = MINUTE / most
        # By key, when the bucket will be empty again; one that is needs no place here.
        self._empty: TTLCache[str, float] = TTLCache(MOST_KNOWN, ttl=MINUTE, timer=_now)

    def wait(self, key: str, cost: float) -> float:
        """The seconds after which there is room for so much; 0 where there is."""
        wait = self._empty.get(key, 0.0) + cost * self._seconds - MINUTE - _now()
        return wait if wait > 1e-6 else 0.0

    def count(self, key: str, cost: float) -> None:
        """Put so much into the bucket."""
        self._empty[key] = max(self._empty.get(key, 0.0), _now()) + cost * self._seconds


def _too_fast(alone: bool, seconds: int) -> str:
    """What is said to who asks too much, or to all who do so together."""
    if alone:
        return _n(
            "You ask faster than I can keep up. Come back in a second.",
            "You ask faster than I can keep up. Come back in {n} seconds.",
            seconds,
        )
    return _n(
        "All of you here together ask faster than I can keep up. Come back in a second.",
        "All of you here together ask faster than I can keep up. Come back in {n} seconds.",
        seconds,
    )


def _now() -> float:
    return time.monotonic()
