"""Catching up: shows in its message what is in the log of a live battle and not shown yet."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import discord

from bot.commands.live import look
from bot.discord_app.delivery import way_through
from bot.discord_app.frames import Look
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_refused
from bot.errors import UserError
from bot.languages import speaking
from bot.replies import Reply
from bot.store import Fought

log = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two looks at what is behind."""
QUIET = timedelta(seconds=10)
"""How long after a change a message counts as behind, as until then the press behind the change is at work.

What changed before this process began is behind at once: nobody is at work on that.
"""
CAUGHT_UP = timedelta(days=1)
"""How old a change may be that is still shown."""
CATCHING_UP = 10
"""How many battles are shown at a time, so that one that does not arrive keeps no others waiting."""
LONGEST = 60.0
"""Seconds after which a message that cannot be changed waits for the next look, and keeps no others waiting."""
TRIES = 3
"""How often a frame is tried that cannot be made, for example because the log is damaged."""


class CatchingUp:
    """Brings the messages of live battles up to date: when the bot is ready, then every minute.

    `usual` says what is spoken in a place where nothing was chosen. `caught_up` is set once a look found the database
    and has tried all that was behind.
    """

    def __init__(self, client: AnsweringClient, usual: Callable[[str], str]) -> None:
        self._client, self._usual = client, usual
        self.caught_up = asyncio.Event()
        self._failures: Counter[tuple[str, int]] = Counter()
        self._away = False
        self._began = datetime.now(UTC)

    async def go_on(self) -> None:
        """Catch up as long as the bot lives."""
        await self._client.wait_until_ready()  # Before that nobody knows what is spoken where.
        while True:
            if await self.once():
                self.caught_up.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._client.behind.wait(), EVERY)
            self._client.behind.clear()

    async def once(self) -> bool:
        """Show what is behind; False where the database does not say what is."""
        now, shards = datetime.now(UTC), self._client.services.settings.own_shards
        try:
            behind = await self._client.services.store.battles.unshown(now - CAUGHT_UP, max(now - QUIET, self._began))
        except Exception as error:
            if not self._away:
                ours = not isinstance(error, UserError)
                log.warning("battles cannot be caught up for the moment: %s", error, exc_info=ours)
            self._away = True
            return False
        self._away = False
        known = {(fought.id, fought.frame) for fought in behind}
        self._failures = Counter({which: count for which, count in self._failures.items() if which in known})
        some = asyncio.Semaphore(CATCHING_UP)
        await asyncio.gather(
            *(self._show(fought, some) for fought in behind if shards is None or shards.hear(fought.place))
        )
        return True

    async def _show(self, fought: Fought, some: asyncio.Semaphore) -> None:
        """Show a battle in its message, unless somebody is about to."""
        which = fought.id, fought.frame
        async with some:
            there = self._client.frames.look(int(fought.shown_in or 0))
            if self._client.leaving or there.expects(fought.frame) or self._failures[which] >= TRIES:
                return
            with self._client.answering("a battle of before", there.message):
                try:
                    async with asyncio.timeout(LONGEST):
                        await self._bring(fought, there)
                except Exception as error:
                    self._failures[which] += 1
                    ours = not isinstance(error, UserError)
                    log.warning("battle %s could not be caught up: %s", fought.id, error, exc_info=ours)

    async def _bring(self, fought: Fought, there: Look) -> None:
        """Bring a message up to date; one that Discord no longer lets us change is given up."""
        change = way_through(self._client, int(fought.channel or 0), there.message)
        refused = False

        async def way(frame: Reply) -> None:
            nonlocal refused
            try:
                await change(frame)
            except discord.HTTPException as error:
                refused = is_refused(error)
                raise

        with speaking(self._usual(fought.place)):
            frame = await look(fought.id, self._client.services)
        if frame is None or there.expects(fought.frame):
            return
        # What does not arrive now is tried again with the next look.
        arrived = await self._client.frames.show(frame, there, lambda: [way], moves=False, waits=())
        if refused and not arrived:
            log.info("battle %s is not shown in message %d any more", fought.id, there.message)
            await self._client.services.store.battles.give_up(fought.id, str(there.message))
