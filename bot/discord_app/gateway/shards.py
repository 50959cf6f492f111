"""A client that knows the state of each of its shards, and lets them identify in turn with those of other processes."""

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import aiohttp
import discord
from discord.gateway import KeepAliveHandler
from yarl import URL

from bot.pace import at_pace

if TYPE_CHECKING:
    from bot.store.identify_turns import IdentifyTurns

log = logging.getLogger(__name__)

State = Literal["waiting", "connecting", "ready", "resumed", "closed", "handed over"]
"""The state of a shard: it waits for its turn, connects, has connected or resumed its session, or is not connected.

One that is handed over is another process's now.
"""

EVERY = at_pace(5.0)
"""Seconds from one identify to the next of the same line that Discord wants."""
LONGEST_IN_LINE = 40.0
"""Seconds for which an open connection waits for its turn: discord.py and Discord give it up after a minute."""
AGAIN_AFTER = at_pace(1.0)
"""Seconds after a reset of Discord's, or after the database did not answer, until it is asked again."""


class ShardedClient(discord.AutoShardedClient):
    """A client whose shards identify one after the other: those of all processes if there are `turns`, else its own."""

    def __init__(self, turns: "IdentifyTurns | None", **options: Any) -> None:
        super().__init__(**options)
        self._turns = turns
        self._states: dict[int, State] = {}
        self._progressed = time.monotonic()
        self._is_in_line = False
        self._lines = self._left = 1
        self._asked = -float("inf")

    # The state of each shard

    @property
    def shard_states(self) -> dict[int, State]:
        """The state of each shard of this process; empty until Discord has said how many there are."""
        closed = {number for number, shard in self.shards.items() if shard.is_closed()}
        up = "ready", "resumed"
        return {n: "closed" if n in closed and state in up else state for n, state in sorted(self._states.items())}

    @property
    def seconds_without_progress(self) -> float:
        """The seconds since a shard changed its state; none while a shard waits for its turn."""
        return 0.0 if self._is_in_line else time.monotonic() - self._progressed

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that Discord has told a shard about its servers."""
        self._note(shard_id, "ready")

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a shard goes on with its session."""
        self._note(shard_id, "resumed")
        if self._states[shard_id] == "handed over":  # it was about to reconnect
            await self.leave_shard(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a shard has lost its connection."""
        self._note(shard_id, "closed")

    async def leave_shard(self, shard: int) -> None:
        """Close the connection of a shard, which is another process's from now on."""
        self._note(shard, "handed over")
        if shard in self.shards:
            await self.shards[shard]._parent.close()  # also while it waits to connect again

    def _note(self, shard: int, state: State) -> None:
        if self._states.get(shard) != "handed over":
            self._states[shard] = state
        self._progressed = time.monotonic()

    @contextmanager
    def _standing_in_line(self, *shards: int) -> Iterator[None]:
        """Note that shards wait during the block."""
        for shard in shards:
            self._note(shard, "waiting")
        self._is_in_line = True
        try:
            yield
        finally:
            self._is_in_line = False
            self._progressed = time.monotonic()

    # Their turns

    async def launch_shards(self) -> None:
        """Connect all shards, one after the other, as soon as Discord allows so many identifies."""
        with self._standing_in_line(*(self.shard_ids or ())):
            while wait := await self._seconds_to_reset():  # noqa: ASYNC110 - only Discord knows
                await asyncio.sleep(wait)
        await super().launch_shards()

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard when it is its turn: a connection that is opened before may be too old by then."""
        if self._states.get(shard_id) == "handed over":
            return
        with self._standing_in_line(shard_id):
            await self._take_turn(shard_id)
        self._note(shard_id, "connecting")
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the turn of a shard; discord.py calls this before each identify.

        Raises:
            TimeoutError: If other processes have been first for LONGEST_IN_LINE. discord.py connects again then.
        """
        shard = shard_id or 0
        try:
            with self._standing_in_line(shard):
                if not await self._use_turn(shard):
                    await super().before_identify_hook(shard_id, initial=initial)
        except BaseException:
            await self._hang_up(shard)
            raise
        if self._states.get(shard) == "handed over":
            await self._hang_up(shard)
            raise asyncio.CancelledError  # after which discord.py does not connect again
        self._note(shard, "connecting")

    async def _hang_up(self, shard: int) -> None:
        """Close the connection of a shard that does not identify: discord.py would leave it and its heartbeats."""
        for thread in threading.enumerate():
            if not isinstance(thread, KeepAliveHandler) or thread.shard_id != shard:
                continue
            if thread.ws._connection is self._connection:
                await thread.ws.close()

    async def close(self) -> None:
        """Give back the turn that is held, and close the connection."""
        if self._turns:
            await self._turns.give_back()
        await super().close()

    async def _use_turn(self, shard: int) -> bool:
        """Wait until this shard may identify; return False if no database gives out turns."""
        if not self._turns:
            return False
        try:
            async with asyncio.timeout(LONGEST_IN_LINE):
                while not (await self._take_turn(shard) and await self._turns.use(shard % self._lines)):  # noqa: ASYNC110
                    await asyncio.sleep(AGAIN_AFTER)
        except TimeoutError:
            if not self._turns.is_away:
                raise
            log.warning("shard %d identifies without a turn, as the database does not answer", shard)
            return False
        return True

    async def _take_turn(self, shard: int) -> bool:
        """Wait for the turn of a shard, and for Discord to allow an identify; return whether the turn is held."""
        line = shard % self._lines
        if not self._turns or self._turns.holds(line):
            return self._turns is not None
        while await self._turns.take(line):
            if not (wait := await self._seconds_to_next()):
                return True
            await self._turns.give_back()
            await asyncio.sleep(wait)
        return False

    async def _seconds_to_reset(self) -> float:
        """Return 0 if Discord allows this process an identify for each shard, else the seconds until it does."""
        count, _, limits = await self.http.get_bot_gateway()
        shards = self.shard_ids or range(self.shard_count or count)
        self._lines = limits["max_concurrency"]
        for shard in shards:
            self._states.setdefault(shard, "waiting")
        return self._wait_after(limits["remaining"], min(len(shards), limits["total"]), limits["reset_after"])

    async def _seconds_to_next(self) -> float:
        """Return 0 if Discord allows an identify, else the seconds until it does.

        Discord is asked only if the processes, each in its turn, can have used up what it said last.
        """
        used = ((time.monotonic() - self._asked) / EVERY + 1) * self._lines
        if self._left - used >= 1:
            return 0
        try:
            limits = await self.fetch_session_start_limits()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.debug("Discord does not say how many identifies it allows: %s", error)
            return 0
        return self._wait_after(limits.remaining, 1, limits.reset_after)

    def _wait_after(self, left: int, needed: int, reset_after: int) -> float:
        """Note the number of identifies that are left; return the seconds to wait if these are too few, and say so."""
        self._left, self._asked = left, time.monotonic()
        if left >= needed:
            return 0
        seconds = reset_after / 1000 + AGAIN_AFTER
        log.warning(
            "Discord allows %d identifies until its reset and %d are needed: they wait %.0f s", left, needed, seconds
        )
        return seconds
