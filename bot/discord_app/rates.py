"""How often somebody may ask: a bucket for each person and each server, which takes so many a minute."""

import math

from cachetools import TTLCache

from bot import buckets
from bot.buckets import MINUTE, Shares
from bot.languages import _n
from bot.replies import Reply
from bot.settings import Settings

SUGGESTION = 0.1
"""What a suggestion counts, as there is one for every key that is pressed."""


class Rates:
    """What people and servers have asked in the last minute."""

    def __init__(self, settings: Settings) -> None:
        self._shares = Shares(settings.most_per_minute_user, settings.most_per_minute_server)
        self._told: TTLCache[str, bool] = TTLCache(buckets.MOST_KNOWN, ttl=MINUTE, timer=buckets._now)

    def refusal(self, user: str, place: str, cost: float = 1.0) -> Reply | None:
        """None where the question may be asked, which then counts; else what to say in its place.

        `place` is that of a request: a server, or a person, who is counted anyway.
        """
        wait, alone = self._shares.wait(user, place, cost)
        if wait:
            return Reply(_too_fast(alone, math.ceil(wait)), private=True, failed=True)
        self._shares.count(user, place, cost)
        return None

    def is_told(self, user: str) -> bool:
        """Whether this person was told within a minute; from here on that is so."""
        told = user in self._told
        self._told.setdefault(user, True)
        return told


def _too_fast(alone: bool, seconds: int) -> str:
    """What is said to who asks too much, or to all who do so together."""
    if alone:
        return _n(
            "You are sending too many requests. Try again in a second.",
            "You are sending too many requests. Try again in {n} seconds.",
            seconds,
        )
    return _n(
        "This server is sending too many requests. Try again in a second.",
        "This server is sending too many requests. Try again in {n} seconds.",
        seconds,
    )
