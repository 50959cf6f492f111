"""Tasks in the background: they end when they are told to."""

import asyncio
import gc
import logging
from contextlib import suppress

import pytest

from bot.background import cancel, run_to_end
from bot.errors import UserError
from tests.helpers.program import LONGEST


async def test_a_task_ends_though_its_cancellation_is_lost_again_and_again() -> None:
    lost = 0

    async def deaf() -> None:
        nonlocal lost
        while lost < 3:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            lost += 1
        await asyncio.Event().wait()

    task = asyncio.create_task(deaf())
    await asyncio.sleep(0)
    async with asyncio.timeout(LONGEST):
        await cancel(task, every=0.01)
    assert (task.cancelled(), lost) == (True, 3)


async def test_ending_failed_and_finished_tasks_raises_nothing() -> None:
    async def stumble() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError("it stumbled over its end")

    failing, done = asyncio.create_task(stumble()), asyncio.create_task(asyncio.sleep(0, "done"))
    await asyncio.sleep(0)
    async with asyncio.timeout(LONGEST):
        await cancel(failing, done)
        await cancel()
    assert isinstance(failing.exception(), OSError)
    assert done.cancelled() or done.result() == "done"


@pytest.mark.parametrize("error", [UserError("the database is away"), ValueError("a fault of ours")])
async def test_abandoned_work_logs_only_its_faults(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    goes_on, ended = asyncio.Event(), asyncio.Event()

    async def fail() -> None:
        await goes_on.wait()
        ended.set()
        raise error

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(run_to_end(fail()), 0)
    goes_on.set()
    await ended.wait()
    await asyncio.sleep(0)
    gc.collect()
    told = [(record.name, record.levelno) for record in caplog.records]
    assert told == ([] if isinstance(error, UserError) else [("bot.background", logging.ERROR)])
