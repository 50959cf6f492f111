"""Background tasks: work that goes on to its end even if nobody waits for it, the end of other tasks, and waiting."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from bot.errors import UserError

log = logging.getLogger(__name__)

Result = TypeVar("Result")

CANCEL_EVERY = 0.5
"""Seconds after which a task that has not ended is cancelled again."""

_running: set[asyncio.Task[Any]] = set()
"""asyncio itself keeps only weak references to tasks, so one that nobody holds may vanish before its end."""


def run_to_end(work: Coroutine[Any, Any, Result]) -> "asyncio.Future[Result]":
    """Start work and return a future with its result; cancelling the future does not stop the work."""
    task = asyncio.create_task(work)
    waiting = asyncio.shield(task)

    def end(done: "asyncio.Task[Result]") -> None:
        _running.discard(done)
        if not waiting.cancelled() or done.cancelled():
            return
        error = done.exception()
        if error and not isinstance(error, UserError):  # A mistake or trouble is nothing to those who have gone.
            log.error("work that nobody waits for any more has failed", exc_info=error)

    _running.add(task)
    task.add_done_callback(end)
    return waiting


async def cancel(*tasks: asyncio.Task[Any], every: float = CANCEL_EVERY) -> None:
    """Cancel tasks and wait until they have ended, whether with an error or not.

    A task is cancelled until it ends: a single cancellation may get lost, for example in `asyncio.wait_for` of
    Python 3.11 if what it waits for is done at the same moment.
    """
    while running := {task for task in tasks if not task.done()}:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=every)
    await asyncio.gather(*tasks, return_exceptions=True)  # so that asyncio does not complain of errors nobody asks for


async def wait_until_set(event: asyncio.Event, seconds: float) -> bool:
    """Wait until an event is set, at most `seconds`; return whether it was."""
    # In Python 3.11, `asyncio.wait_for` would ignore a cancellation at the moment in which the event is set.
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False
