"""A Discord client that knows which of its answers are open: it does not leave before they are out."""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import discord
from cachetools import LRUCache

from bot.commands.request import Services
from bot.desk import Desk
from bot.discord_app.frames import Frames
from bot.discord_app.metrics import Metrics
from bot.discord_app.rates import Rates
from bot.discord_app.refusals import is_gone, is_unsent
from bot.discord_app.rush import Rush
from bot.errands import errand
from bot.logs import note

log = logging.getLogger(__name__)

MOST_LOCALES = 10_000
"""Of how many people the language of their app is known, as it was last: messages do not say it."""
# The parts of the longest goodbye; with what the connection and the workers' last pieces of work take, they stay
# below ten seconds.
PATIENCE_AT_END, LAST_WORDS, HANGING_UP = 5.0, 1.5, 0.4


class AnsweringClient(discord.AutoShardedClient):
    """A client with the services that answers need, and a count of the answers that are open."""

    def __init__(self, services: Services, **options: Any) -> None:
        super().__init__(**options)
        self.services = services
        self.frames = Frames(services.store)
        self.rates = Rates(services.settings)
        self.metrics = Metrics()
        self.rush = Rush()
        self.desk = Desk()
        self.locales: LRUCache[int, str] = LRUCache(MOST_LOCALES)
        self.behind = asyncio.Event()
        """Set when a battle's message falls behind without a press, so that it is caught up at once."""
        self.leaving = False
        self.open_answers = self._open_earlier = 0
        self._all_answered, self._earlier_answered = asyncio.Event(), asyncio.Event()
        self._all_answered.set()
        self._earlier_answered.set()

    @contextmanager
    def answering(self, what: str, interaction: int) -> Iterator[None]:
        """Around every answer: the client does not go while one is open, and the log knows of those nobody got.

        Each is a task of its own, to whose end the log names the interaction (or message) by its id.
        """
        note(interaction, what)
        began, outcome, earlier = time.monotonic(), "failed", not self.leaving
        self.open_answers += 1
        self._all_answered.clear()
        if earlier:
            self._open_earlier += 1
            self._earlier_answered.clear()
        try:
            with errand():
                yield
            outcome = "answered"
            log.info("answered after %.3f s", time.monotonic() - began)
        except Exception as error:
            if not is_unsent(error):
                raise
            if is_gone(error):
                outcome = "gone"
                log.info("nobody waits for the answer to %s any more: %s", what, error)
            else:
                # Whoever is told something while the connection ends may or may not hear it.
                level = logging.INFO if self.leaving else logging.ERROR
                log.log(level, "the answer to %s could not be sent: %s", what, error)
        finally:
            self.metrics.answered(what, outcome, time.monotonic() - began)
            self.open_answers -= 1
            if not self.open_answers:
                self._all_answered.set()
            self._open_earlier -= earlier
            if not self._open_earlier:
                self._earlier_answered.set()

    async def goodbye(self) -> None:
        """Take no more questions and call off at once what has not begun; what is being worked on has some seconds."""
        self.leaving = True
        self.frames.leave()
        self.services.engine.call_off_waiting()
        # Questions that come now get a short answer, and there may always be some more of them.
        if not await _wait(self._earlier_answered, PATIENCE_AT_END):
            log.warning("%d answers are not there yet; they are called off", self._open_earlier)
            self.services.engine.give_up()
            await _wait(self._earlier_answered, LAST_WORDS)
        # Who was heard until we hung up is told too.
        with suppress(TimeoutError):
            hanging_up = [shard.disconnect() for shard in self.shards.values()]
            await asyncio.wait_for(asyncio.gather(*hanging_up, return_exceptions=True), HANGING_UP)
        await _wait(self._all_answered, HANGING_UP)


async def _wait(event: asyncio.Event, seconds: float) -> bool:
    """Wait so long, at most, until an event is set, and say whether it was."""
    with suppress(TimeoutError):
        return await asyncio.wait_for(event.wait(), seconds)
    return False
