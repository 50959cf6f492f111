"""Interactions as Discord never sends them: something is missing, or another kind of value stands there."""

from random import Random
from typing import Any

from tests.fake_discord import FakeDiscord, Person
from tests.fake_discord.wire import Json
from tests.helpers.bot.any_payload import LINES, NAMES, broken, forged, send


class Forge:
    """Makes events of all kinds, and breaks them before the bot hears of them."""

    def __init__(self, discord: FakeDiscord, seed: int) -> None:
        self._discord, self._chance = discord, Random(seed)
        self._people = [discord.member(name, manage_guild=not seat) for seat, name in enumerate(NAMES)]
        self._people.append(discord.member("Alice"))
        discord.role("Strategists")

    def event(self) -> Json:
        """A whole event, of which the bot does not hear."""
        events: list[Json] = []
        dispatch = self._discord.desk._dispatch

        def caught(_event: str, data: Json, **_where: Any) -> None:
            events.append(data)

        self._discord.desk._dispatch = caught  # type: ignore[assignment]
        try:
            who: Person = self._chance.choice(self._people)
            one = forged(self._chance, self._discord, self._people)
            asked = send(self._discord, who, one, f"said\n{self._chance.choice(LINES)}")
        finally:
            self._discord.desk._dispatch = dispatch
        asked.excused = True
        return events[0]

    def broken(self) -> Json:
        """The same with something wrong in one place to three."""
        return broken(self._chance, self.event())

    def send(self, event: Any) -> None:
        """Let the bot hear of an event."""
        self._discord.desk._dispatch("INTERACTION_CREATE", event, guild=self._discord.guild)
