"""Allowances: the seconds of the workers that large questions may take in a minute, by person and by server."""

import math

from bot.buckets import Shares
from bot.errors import TurnedAwayError
from bot.languages import _n
from bot.settings import Settings
from bot.turns import Asker


class Allowances:
    """The seconds of large questions that people and servers have used up. Small questions never count."""

    def __init__(self, settings: Settings) -> None:
        self._shares = Shares(settings.most_seconds_user, settings.most_seconds_server)

    def check(self, asker: Asker, seconds: float) -> None:
        """TurnedAwayError says when to come back if there is no room for so many seconds."""
        wait, alone = self._shares.wait(asker.person, asker.place, seconds)
        if wait:
            raise TurnedAwayError(_refusal(alone, math.ceil(wait)))

    def charge(self, asker: Asker, seconds: float) -> None:
        """Count so many seconds; a negative number gives back what a question did not take."""
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
