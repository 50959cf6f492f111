"""Rate limits: refuses questions of a person or server that asks too often."""

import math
from typing import TYPE_CHECKING

from cachetools import TTLCache

from bot.languages import _n
from bot.replies import Reply
from bot.settings import Settings
from bot.work import quota
from bot.work.quota import MINUTE, Quotas

if TYPE_CHECKING:
    from bot.work.shared_cache import SharedCache

SUGGESTION = 0.1
"""The cost of a suggestion, of which there is one for every key press; a question costs 1."""
LETTERS = 500
"""The letters of a text that cost as much again: while it is read, everybody else waits."""


class Rates:
    """The questions of people and servers in the last minute."""

    def __init__(self, settings: Settings, shared: "SharedCache | None" = None) -> None:
        self._questions = Quotas(settings.most_per_minute_user, settings.most_per_minute_server, "questions", shared)
        self._warned: TTLCache[str, bool] = TTLCache(quota.MOST_KNOWN, ttl=MINUTE, timer=quota._now)

    def refusal(self, user: str, place: str, cost: float = 1.0, letters: int = 0) -> Reply | None:
        """Count a question of a person in a place, with so many typed letters; return the refusal if it is too much."""
        cost *= 1 + letters // LETTERS
        wait, alone = self._questions.wait(user, place, cost)
        if wait:
            return Reply(_refusal(alone, math.ceil(wait)), private=True, failed=True)
        self._questions.count(user, place, cost)
        return None

    def was_warned(self, user: str) -> bool:
        """Whether this person was warned in the last minute; the call itself counts as a warning."""
        warned = user in self._warned
        self._warned.setdefault(user, True)
        return warned


def _refusal(alone: bool, seconds: int) -> str:
    """Return the refusal: to a person `alone`, or to a server as a whole."""
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
