"""Background tasks: work that goes on to its end even if nobody waits for it any more."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

_running: set[asyncio.Task[Any]] = set()
"""asyncio itself keeps only weak references to tasks, so one that nobody holds may vanish before its end."""


def run_to_end(work: Coroutine[Any, Any, Result]) -> "asyncio.Future[Result]":
    """Start work and return a future with its result; cancelling the future does not stop the work."""
    task = asyncio.create_task(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    return asyncio.shield(task)
