"""Allowances: how many seconds of worker time the large questions of a person or a server may take in a minute."""

import math
from typing import TYPE_CHECKING

from bot.errors import TurnedAwayError
from bot.languages import _n
from bot.settings import Settings
from bot.work.buckets import Shares
from bot.work.turns import Asker

if TYPE_CHECKING:
    from bot.work.shared_cache import SharedCache


class Allowances:
    """The worker seconds that people and servers have used for large questions. Small questions do not count."""

    def __init__(self, settings: Settings, shared: "SharedCache | None" = None) -> None:
        self._shares = Shares(settings.most_seconds_user, settings.most_seconds_server, "seconds", shared)

    def check(self, asker: Asker, seconds: float) -> None:
        """Raise TurnedAwayError, with the time to wait, if the asker has fewer than `seconds` left."""
        wait, alone = self._shares.wait(asker.person, asker.place, seconds)
        if wait:
            raise TurnedAwayError(_refusal(alone, math.ceil(wait)))

    def charge(self, asker: Asker, seconds: float) -> None:
        """Count `seconds` as used; a negative number gives unused seconds back."""
        self._shares.count(asker.person, asker.place, seconds)


def _refusal(alone: bool, seconds: int) -> str:
    if alone:
        return _n(
            "You have used up your time for large battles. Try again in a second; small battles still work.",
            "You have used up your time for large battles. Try again in {n} seconds; small battles still work.",
            seconds,
        )
    return _n(
        "This server has used up its time for large battles. Try again in a second; small battles still work.",
        "This server has used up its time for large battles. Try again in {n} seconds; small battles still work.",
        seconds,
    )
