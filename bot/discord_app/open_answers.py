"""A Discord client that counts its open answers and finishes them before it ends."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import aiohttp
from cachetools import LRUCache

from bot.background import wait_until_set
from bot.discord_app.frames import Frames
from bot.discord_app.gateway.shards import ShardedClient
from bot.discord_app.refusals import is_gone, is_unsent
from bot.logs import set_interaction
from bot.request import Services
from bot.work.limits import Rates, Slots

if TYPE_CHECKING:
    from bot.discord_app.left_waiting import LeftWaiting
    from bot.discord_app.metrics import Metrics
    from bot.store.identify_turns import IdentifyTurns

log = logging.getLogger(__name__)

MOST_LOCALES = 10_000
"""The number of people whose last known app language is in memory: messages do not name it."""
# The longest steps of `finish_answers`; together with closing the connection and the workers they take less than ten
# seconds.
PATIENCE_AT_END, LAST_WORDS, HANGING_UP = 5.0, 1.5, 0.4
LONGEST_RUSH = 0.5
"""Seconds for which work waits for the deferrals of other answers; one of them may not get through."""
LONGEST_FIRST, LONGEST_EDIT = 1.5, 5.0
"""Seconds in which Discord must take a first answer, of the three that it gives us, and a change of a message.

Both may be sent again.
"""


class Rush:
    """The deferrals that are on their way to Discord, which waits only 3 seconds.

    When many questions come at once, all answers are deferred before the work begins.
    """

    def __init__(self) -> None:
        self._deferrals: set[asyncio.Future[None]] = set()

    @contextmanager
    def deferral(self) -> Iterator[None]:
        """Count a deferral as on its way during the block."""
        deferral = asyncio.get_running_loop().create_future()
        self._deferrals.add(deferral)
        try:
            yield
        finally:
            self._deferrals.remove(deferral)
            deferral.cancel()

    async def wait_for_deferrals(self) -> None:
        """Wait for the deferrals that are on their way now, but not for long."""
        if self._deferrals:
            await asyncio.wait(set(self._deferrals), timeout=LONGEST_RUSH)


class AnsweringClient(ShardedClient):
    """A client with the services that answers need, and a count of the open answers."""

    left_waiting: "LeftWaiting"
    hears_to_the_end = True
    """Whether new questions arrive until the connection ends, so that waiting for all of them could take any time."""

    def __init__(self, services: Services, turns: "IdentifyTurns | None" = None, **options: Any) -> None:
        super().__init__(turns, **options)
        self.services = services
        self.frames = Frames(services.store)
        self.rates = Rates(services.settings, services.engine.shared)
        self._metrics: Metrics | None = None
        self.rush = Rush()
        self.slots = Slots()
        self.locales: LRUCache[int, str] = LRUCache(MOST_LOCALES)
        self.typed: LRUCache[str, int] = LRUCache(MOST_LOCALES)
        """The newest key press of each person, by the id of its interaction: suggestions for older ones are moot."""
        self.behind = asyncio.Event()
        """Set when a battle's message becomes outdated without a press in it, so that it is updated at once."""
        self.pressed_elsewhere: set[str] = set()
        """The battles that went on by a press in another message than their own."""
        self.leaving = False
        self.has_equals = False
        """Whether other processes answer in the same places, as with `sandtable http`, or while shards change hands."""
        self.open_answers = self._open_earlier = 0
        self._all_answered, self._earlier_answered = asyncio.Event(), asyncio.Event()
        self._all_answered.set()
        self._earlier_answered.set()

    @property
    def metrics(self) -> "Metrics":
        """The counts of answers since their first use, which loads their library; only the setting needs them."""
        if self._metrics is None:
            from bot.discord_app.metrics import Metrics

            self._metrics = Metrics(self)
        return self._metrics

    async def login(self, token: str) -> None:
        """Log in, and give up answers that hang: who sends them tries again."""
        await super().login(token)
        session: Any = self.http._HTTPClient__session  # type: ignore[attr-defined]
        session._middlewares = (limit_waiting,)

    def serves(self, place: str) -> bool:
        """Whether the shard of a place is this process's, and not handed over."""
        own = self.services.settings.own_shards
        return own is None or (own.hears(place) and self.shard_states.get(own.shard_of(place)) != "handed over")

    async def wait_for_answers(self) -> None:
        """Wait until no answer is open, but not for long."""
        await wait_until_set(self._all_answered, PATIENCE_AT_END)

    async def catches_up(self) -> bool:
        """Whether this process updates the messages that its places or its equals left outdated."""
        return True

    @contextmanager
    def answering(self, what: str, interaction: int) -> Iterator[None]:
        """Count an answer as open during the block, and log how it ended.

        Each answer is a task of its own; its log lines name the interaction (or message) by its id.
        """
        set_interaction(interaction, what)
        began, outcome, earlier = time.monotonic(), "failed", not self.leaving
        self.open_answers += 1
        self._all_answered.clear()
        if earlier:
            self._open_earlier += 1
            self._earlier_answered.clear()
        try:
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
                # While the connection ends, an answer may or may not arrive.
                level = logging.INFO if self.leaving else logging.ERROR
                log.log(level, "the answer to %s could not be sent: %s", what, error)
        finally:
            if self._metrics:
                self._metrics.count_answer(what, outcome, time.monotonic() - began)
            self.open_answers -= 1
            if not self.open_answers:
                self._all_answered.set()
            self._open_earlier -= earlier
            if not self._open_earlier:
                self._earlier_answered.set()

    async def finish_answers(self) -> None:
        """Refuse new questions and give the others some seconds to finish.

        If new ones arrive to the end, those whose work has not begun are refused too.
        """
        self.leaving = True
        self.frames.stop_retrying()
        if self.hears_to_the_end:
            self.services.engine.pool.call_off_waiting()
        # New questions get a short refusal and are not waited for here: there may always be more of them.
        if not await wait_until_set(self._earlier_answered, PATIENCE_AT_END):
            log.warning("%d answers are not there yet; they are called off", self._open_earlier)
            self.services.engine.pool.give_up()
            await wait_until_set(self._earlier_answered, LAST_WORDS)
        # Questions that arrived before the connection ended get their refusal too.
        with suppress(TimeoutError):
            hanging_up = [shard.disconnect() for shard in self.shards.values()]
            await asyncio.wait_for(asyncio.gather(*hanging_up, return_exceptions=True), HANGING_UP)
        await wait_until_set(self._all_answered, HANGING_UP)


async def limit_waiting(
    request: aiohttp.ClientRequest, send: Callable[[aiohttp.ClientRequest], Awaitable[aiohttp.ClientResponse]]
) -> aiohttp.ClientResponse:
    """Send a request to Discord; give up an answer after LONGEST_FIRST or LONGEST_EDIT seconds, so it is sent again.

    Waits between two attempts do not count. A first answer with files has the longer time: they may take long to send,
    and there is no time to send them twice.
    """
    is_first = request.url.path.endswith("/callback")
    is_small = not request.headers.get("Content-Type", "").startswith("multipart/")
    limit = LONGEST_EDIT if is_first or request.method == "PATCH" else None
    if is_first and is_small:
        limit = LONGEST_FIRST
    async with asyncio.timeout(limit):
        return await send(request)
