"""Handing shards to a new process: which events are ours while two processes are connected with the same shard."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.background import cancel, run_to_end
from bot.discord_app.open_answers import AnsweringClient
from bot.errors import UserError

if TYPE_CHECKING:
    from bot.store.owners import ShardLocks

EVENTS = "INTERACTION_CREATE", "MESSAGE_CREATE"
"""The events of Discord that are answered, each by one process."""
LONGEST_CLAIM = 1.5
"""Seconds for which an event waits for the database to give it to this process."""


class HandingOver:
    """Answers each event of a shard once while it changes hands, as its `locks` in the database tell."""

    def __init__(self, client: AnsweringClient, locks: "ShardLocks") -> None:
        self._client, self._locks = client, locks
        self._taking: list[asyncio.Task[None]] = []
        self._claims: set[asyncio.Task[None]] = set()
        locks.hang_up = self._hang_up
        client.has_equals = locks.takes_over

    def listen(self, parsers: dict[str, Any]) -> None:
        """Put itself before what discord.py does with the events."""
        for event in EVENTS:
            parsers[event] = partial(self._hear, parsers[event])

    def note_ready(self, shard: int) -> None:
        """Take over a shard that is ready from the process that has it, if there is one."""
        if self._locks.ignores(shard):
            self._taking.append(asyncio.create_task(self._locks.take_over(shard)))

    async def close(self) -> None:
        """Stop taking over."""
        await cancel(*self._taking)

    def _hear(self, parse: Callable[[Any], object], event: Any) -> None:
        """Pass an event on unless it is the other process's."""
        try:
            number, shard = int(event["id"]), self._locks.shard_of(int(event.get("guild_id") or 0))
        except (KeyError, TypeError, ValueError):
            parse(event)  # which says what is wrong with it
            return
        if self._locks.shares(shard):
            claim = asyncio.create_task(self._hear_if_ours(parse, event, number))
            self._claims.add(claim)
            claim.add_done_callback(self._claims.discard)
        elif not self._locks.ignores(shard):
            parse(event)

    async def _hear_if_ours(self, parse: Callable[[Any], object], event: Any, number: int) -> None:
        try:
            # Not broken off: whatever it waits for, it is best left to end by itself.
            claim = run_to_end(self._client.services.store.claim_once(number))
            ours = await asyncio.wait_for(claim, LONGEST_CLAIM)
        except (UserError, TimeoutError):
            ours = True  # Without the database nobody can tell, and odds are still answered.
        if ours:
            parse(event)

    async def _hang_up(self, shard: int) -> None:
        """Close the connections of a shard that another process has taken over; with number 0 of all, all of them."""
        self._client.has_equals = True  # whose presses the newer process may have
        shards = self._client.services.settings.own_shards
        await asyncio.gather(*(self._client.leave_shard(one) for one in ([shard] if shards else self._client.shards)))
        # What it has heard by now is still answered. After the last shard this process ends, and would refuse it.
        while self._claims:
            await asyncio.wait(self._claims)
        await asyncio.sleep(0)  # so that discord.py begins the tasks
        if set(self._client.shard_states.values()) == {"handed over"}:
            await self._client.wait_for_answers()
