"""Catching up: updates the messages of live battles that do not show the newest frame yet."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import discord

from bot.background import wait_until_set
from bot.commands.live import render_frame
from bot.discord_app.delivery import edit_as_member, find_settings_channel
from bot.discord_app.frames import MessageState
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_refused
from bot.errors import UserError
from bot.languages import ENGLISH, speaking
from bot.pace import at_pace
from bot.replies import Reply
from bot.store.records import StoredBattle
from bot.work.jobs import asking

log = logging.getLogger(__name__)

EVERY = at_pace(60.0)
"""Seconds between two searches for outdated messages."""
QUIET = timedelta(seconds=10)
"""The time after a change from which a message counts as outdated; until then the press may still update it.

Changes from before the start of a process that is alone in its places count at once: no press can still be under way.
"""
CAUGHT_UP = timedelta(days=1)
"""The greatest age of a change that is still shown."""
CATCHING_UP = 10
"""How many battles are updated at a time, so that a slow one does not delay the others."""
LONGEST = 60.0
"""Seconds after which an update is given up until the next search."""
TRIES = 3
"""How often a frame is tried that cannot be rendered, for example because the log is damaged."""


class CatchingUp:
    """Updates the messages of live battles when the bot is ready, and then every minute.

    `usual_language` returns the language of a place without a chosen one. `caught_up` is set after the first search
    that reached the database and tried all outdated messages.
    """

    def __init__(self, client: AnsweringClient, usual_language: Callable[[str], Awaitable[str]]) -> None:
        self._client, self._usual_language = client, usual_language
        self.caught_up = asyncio.Event()
        self._failures: Counter[tuple[str, int]] = Counter()
        self._away = False
        self._began = datetime.now(UTC)

    async def run(self) -> None:
        """Catch up every minute until the task is cancelled."""
        await self._client.wait_until_ready()  # Before that the languages of the servers are unknown.
        while True:
            if await self.catch_up():
                self.caught_up.set()
            await wait_until_set(self._client.behind, EVERY)
            self._client.behind.clear()

    async def catch_up(self) -> bool:
        """Update all outdated messages once; return False if the database does not answer."""
        now = datetime.now(UTC)
        quiet_since = now - QUIET if self._client.has_equals else max(now - QUIET, self._began)
        try:
            if not await self._client.catches_up():
                return True
            at_once = frozenset(self._client.pressed_elsewhere)
            behind = await self._client.services.store.battles.list_outdated(now - CAUGHT_UP, quiet_since, at_once)
        except Exception as error:
            if not self._away:
                ours = not isinstance(error, UserError)
                log.warning("battles cannot be caught up for the moment: %s", error, exc_info=ours)
            self._away = True
            return False
        self._away = False
        self._client.pressed_elsewhere -= at_once
        known = {(fought.id, fought.frame) for fought in behind}
        self._failures = Counter({which: count for which, count in self._failures.items() if which in known})
        some = asyncio.Semaphore(CATCHING_UP)
        await asyncio.gather(*(self._show(fought, some) for fought in behind if self._client.serves(fought.place)))
        return True

    async def _show(self, fought: StoredBattle, some: asyncio.Semaphore) -> None:
        """Update the message of a battle, unless a press is about to."""
        which = fought.id, fought.frame
        async with some:
            state = self._client.frames.message_state(int(fought.shown_in or 0))
            if self._client.leaving or state.expects(fought.frame) or self._failures[which] >= TRIES:
                return
            with asking("", ""), self._client.answering("a battle of before", state.message):
                try:
                    async with asyncio.timeout(LONGEST):
                        await self._update_message(fought, state)
                except Exception as error:
                    self._failures[which] += 1
                    ours = not isinstance(error, UserError)
                    log.warning("battle %s could not be caught up: %s", fought.id, error, exc_info=ours)

    async def _update_message(self, fought: StoredBattle, state: MessageState) -> None:
        """Show the newest frame in a message; forget the message if Discord refuses the change."""
        change = edit_as_member(self._client, int(fought.channel or 0), state.message)
        refused = False

        async def way(frame: Reply) -> None:
            nonlocal refused
            try:
                await change(frame)
            except discord.HTTPException as error:
                refused = is_refused(error)
                raise

        with speaking(await self._usual_language(fought.place)):
            frame = await render_frame(fought.id, self._client.services, await self._settings_channel(fought))
        if frame is None or state.expects(fought.frame):
            return
        # A frame that does not arrive now is tried again with the next search.
        arrived = await self._client.frames.show(frame, state, lambda: [way], moves=False, waits=())
        if refused and not arrived:
            log.info("battle %s is not shown in message %d any more", fought.id, state.message)
            await self._client.services.store.battles.forget_message(fought.id, str(state.message))

    async def render_newest(self, battle: str) -> Reply | None:
        """Return the newest frame of a battle, in the language of its place."""
        record = await self._client.services.store.battles.find(battle)
        channel = await self._settings_channel(record.battle) if record else ""
        with speaking(await self._usual_language(record.battle.place) if record else ENGLISH):
            return await render_frame(battle, self._client.services, channel)

    async def _settings_channel(self, fought: StoredBattle) -> str:
        """Return the channel whose own settings count where a battle is shown; "" outside of servers."""
        kind, _colon, number = fought.place.partition(":")
        if kind != "guild" or not fought.channel:
            return ""
        return await find_settings_channel(self._client, int(number), int(fought.channel))
