"""Running a real client beside a test, and putting it away cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import discord

from .timing import PATIENCE


@asynccontextmanager
async def run(client: discord.Client, token: str, ready: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Start a client; go on when it is ready, or raise at once what it died of."""
    life = asyncio.create_task(client.start(token))
    waiting = asyncio.ensure_future(ready())
    try:
        await asyncio.wait({life, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if life.done():
            life.result()
        await waiting
        yield
    finally:
        waiting.cancel()
        closing = asyncio.create_task(client.close())
        _, hanging = await asyncio.wait({life, waiting, closing}, timeout=PATIENCE)
        for task in hanging:
            task.cancel()
    if hanging:
        raise AssertionError(f"the client did not stop within {PATIENCE:.0f} s of being closed")
    closing.result()
    life.result()
