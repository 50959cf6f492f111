"""Tidying up: deletes the data of servers that removed the bot long ago, and battles that the host no longer keeps."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import discord

from bot.background import wait_until_set
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_unsent
from bot.errors import UserError
from bot.pace import at_pace
from bot.store.cleaning import Departure
from bot.upkeep import PAUSE, delete_old_battles

log = logging.getLogger(__name__)

EVERY = at_pace(600.0)
"""Seconds between two searches for what is to be deleted."""
NOT_OURS = 10004, 50001
"""Discord's codes for a server that the bot is not in: unknown server, and no access to it."""


class TidyingUp:
    """Notes which servers removed the bot, and deletes what is due when the bot is ready, and then every ten minutes.

    A removal is an event of Discord that says so. An outage, a server that is not in the list or a request that fails
    is none. Before anything is deleted, Discord is asked once more.
    """

    def __init__(self, client: AnsweringClient) -> None:
        self._client = client
        self._removals: dict[str, datetime] = {}
        self._news = asyncio.Event()

    def note_removal(self, guild: discord.Guild) -> None:
        """Note that a server removed the bot just now."""
        self._removals[_place_of(guild)] = datetime.now(UTC)
        self._news.set()

    def note_return(self, guild: discord.Guild) -> None:
        """Note that a server has added the bot, perhaps again."""
        self._removals.pop(_place_of(guild), None)
        self._news.set()

    async def run(self) -> None:
        """Tidy up again and again until the task is cancelled."""
        await self._client.wait_until_ready()  # Before that, servers are missing in the list.
        while True:
            self._news.clear()
            try:
                await self.tidy_up()
            except Exception as error:
                # Of a trouble with the database the log has a line already.
                if not isinstance(error, UserError):
                    log.exception("what is to be deleted is left for later")
            await wait_until_set(self._news, EVERY)

    async def tidy_up(self) -> None:
        """Note the servers that have removed the bot, delete what is due, and wipe the traces of deleted data."""
        try:
            await self._delete_due()
        finally:
            await self._client.services.store.cleaning.wipe()

    async def _delete_due(self) -> None:
        store, settings = self._client.services.store, self._client.services.settings
        for place, left_at in list(self._removals.items()):
            await store.cleaning.note_departure(Departure(place, left_at))
            if self._removals.get(place) == left_at:
                del self._removals[place]
        due = datetime.now(UTC) - timedelta(days=settings.keep_after_leaving)
        for departure in await store.cleaning.list_departures():
            if not self._client.serves(departure.place):
                continue
            if self._is_here(departure.place):
                await store.cleaning.note_return(departure.place)
            elif departure.left_at <= due:
                await self._delete(departure)
        if settings.history_days and (deleted := await delete_old_battles(store, settings.history_days)):
            log.info("deleted battles that nobody touched for %d days: %d", settings.history_days, deleted)

    async def _delete(self, departure: Departure) -> None:
        """Delete all data of a server if Discord confirms that the bot is not in it."""
        cleaning = self._client.services.store.cleaning
        is_gone = await self._is_confirmed(departure.place)
        if is_gone is False:
            await cleaning.note_return(departure.place)
        if not is_gone:
            return
        while not self._is_here(departure.place):
            if await cleaning.delete_departed(departure):
                self._client.services.forget_known_settings(departure.place)
                log.info("deleted the data of a server that removed the bot, as none came back in time")
                return
            await asyncio.sleep(PAUSE)

    async def _is_confirmed(self, place: str) -> bool | None:
        """Ask Discord whether the bot is no longer in a server; None if the answer says neither."""
        try:
            await self._client.fetch_guild(_number_of(place), with_counts=False)
        except Exception as error:
            if not is_unsent(error):
                raise
            if isinstance(error, discord.HTTPException) and error.status in (403, 404) and error.code in NOT_OURS:
                return True
            log.info("nothing of a server that left is deleted yet, as Discord does not confirm it: %s", error)
            return None
        return False

    def _is_here(self, place: str) -> bool:
        return self._client.get_guild(_number_of(place)) is not None


def _place_of(guild: discord.Guild) -> str:
    return f"guild:{guild.id}"


def _number_of(place: str) -> int:
    return int(place.partition(":")[2])
