"""Shards that two processes are connected with, as when one hands them to the other: which of their events are ours."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import discord

from bot.background import cancel, run_to_end
from bot.discord_app.open_answers import AnsweringClient
from bot.errors import UserError

if TYPE_CHECKING:
    from bot.store.owners import ShardLocks

log = logging.getLogger(__name__)

FORGET_AFTER = 120.0
"""Seconds after which a claim is deleted, as no event comes as late; and between two of these deletions."""
LONGEST_CLAIM = 1.0
"""Seconds for which an event waits for the database to give it to this process."""


class HandingOver:
    """Answers each event of a shard once while it may be another process's too, as its `locks` in the database tell.

    `when_done` is called when all shards that this process wants are its own.
    """

    def __init__(self, client: AnsweringClient, locks: "ShardLocks", when_done: Callable[[], Awaitable[None]]) -> None:
        self._client, self._locks, self._when_done = client, locks, when_done
        self._taking: list[asyncio.Task[None]] = []
        self._claims: set[asyncio.Task[None]] = set()
        locks.hang_up = self._hang_up
        client.has_equals = locks.wants_shards

    def listen(self, parsers: dict[str, Any]) -> None:
        """Wrap discord.py's parsers of the events that are answered, so that this decides first."""
        parsers["INTERACTION_CREATE"] = partial(self._hear, parsers["INTERACTION_CREATE"], lambda _interaction: True)
        parsers["MESSAGE_CREATE"] = partial(self._hear, parsers["MESSAGE_CREATE"], self._is_for_us)

    def note_ready(self, shard: int) -> None:
        """Take over a shard that is ready from the process that has it, if there is one."""
        if self._locks.ignores(shard):
            self._taking.append(asyncio.create_task(self._take(shard)))

    async def close(self) -> None:
        """Stop taking over."""
        await cancel(*self._taking)

    async def _take(self, shard: int) -> None:
        await self._locks.take_over(shard)
        if self._locks.wants_shards or any(task is not asyncio.current_task() for task in self._open()):
            return
        await self._when_done()

    async def forget_claims(self) -> None:
        """Delete old claims again and again until the task is cancelled."""
        while True:
            await asyncio.sleep(FORGET_AFTER)
            oldest = discord.utils.utcnow() - timedelta(seconds=FORGET_AFTER)
            with suppress(UserError):
                await self._client.services.store.forget_claims(discord.utils.time_snowflake(oldest))

    def _open(self) -> list[asyncio.Task[None]]:
        return [task for task in self._taking if not task.done()]

    def _hear(self, parse: Callable[[Any], object], is_claimed: Callable[[Any], bool], event: Any) -> None:
        """Pass an event on unless it is the other process's."""
        try:
            guild = event.get("guild_id")
            number, shard = int(event["id"]), self._locks.shard_of(f"guild:{guild}" if guild else "user:0")
            is_shared = self._locks.shares(shard) and is_claimed(event)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            parse(event)  # which says what is wrong with it
            return
        if is_shared:
            claim = asyncio.create_task(self._hear_if_ours(parse, event, number, shard))
            self._claims.add(claim)
            claim.add_done_callback(self._claims.discard)
        elif not (self._locks.ignores(shard) or self._locks.is_coming(shard)):
            parse(event)

    def _is_for_us(self, message: Any) -> bool:
        """Whether a message may be answered: it mentions the bot, or is a direct one."""
        us = str(self._client.user.id) if self._client.user else ""
        return not message.get("guild_id") or any(user["id"] == us for user in message.get("mentions", ()))

    async def _hear_if_ours(self, parse: Callable[[Any], object], event: Any, number: int, shard: int) -> None:
        try:
            # Not broken off: whatever it waits for, it is best left to end by itself.
            claim = run_to_end(self._client.services.store.claim_once(number))
            ours = await asyncio.wait_for(claim, LONGEST_CLAIM)
        except Exception as error:
            # Without the database nobody can tell. The old process answers, as it has done so far.
            log.info("an event cannot be claimed: %s", str(error) or "the database is busy")
            ours = not self._locks.is_coming(shard)
        if ours:
            parse(event)

    async def _hang_up(self, shard: int) -> None:
        """Close the connections of a shard that another process has taken over; with number 0 of all, all of them."""
        shards = self._client.services.settings.own_shards
        for shard_id in [shard] if shards else list(self._client.shard_states):
            await self._client.leave_shard(shard_id)
        # What it has heard by now is still answered. After the last shard this process ends, and would refuse it.
        if claims := set(self._claims):
            await asyncio.wait(claims)
        await asyncio.sleep(0)  # so that discord.py begins the tasks
        if set(self._client.shard_states.values()) == {"handed over"}:
            await self._client.wait_for_answers()
