"""Worker processes: they answer, what goes wrong in them is told, and whatever happens to them is noticed."""

import asyncio
import gc
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
from multiprocessing.popen_spawn_posix import Popen
from random import Random

import pytest

from bot.errors import UserError
from bot.work.workers import LostWorkerError, TookLongerError, WorkerProcess, run_for
from tests.helpers.bot.forked_workers import fork_workers
from tests.helpers.bot.lines import parse
from tests.helpers.program import LONGEST


@pytest.fixture
async def worker() -> AsyncIterator[WorkerProcess]:
    worker = WorkerProcess(longest=LONGEST)
    yield worker
    await asyncio.to_thread(worker.close)


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    fork_workers(monkeypatch)


async def test_a_worker_answers_from_a_process_of_its_own(worker: WorkerProcess) -> None:
    process = await worker.run(os.getpid)
    assert process != os.getpid()
    assert await asyncio.gather(*(worker.run(pow, 2, number) for number in range(20))) == [2**n for n in range(20)]
    assert await worker.run(os.getpid) == process


@pytest.mark.usefixtures("forked")
async def test_a_fault_in_a_worker_has_its_traceback(worker: WorkerProcess) -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError: "):
        await worker.run(divmod, 1, 0)
    assert await worker.run(divmod, 7, 2) == (3, 1)


@pytest.mark.usefixtures("forked")
async def test_a_user_error_of_a_worker_reaches_the_person(worker: WorkerProcess) -> None:
    with pytest.raises(UserError, match="How many attack"):
        await worker.run(parse, "bombers:2")


@pytest.mark.usefixtures("forked")
async def test_a_worker_that_ends_is_replaced(worker: WorkerProcess) -> None:
    for _ in range(2):
        with pytest.raises(LostWorkerError):
            await worker.run(os._exit, 1)
        assert await worker.run(pow, 2, 3) == 8
    assert worker.restarts == 2


@pytest.mark.usefixtures("forked")
async def test_a_worker_killed_while_it_sends_its_answer_is_noticed(worker: WorkerProcess) -> None:
    """At whatever moment: a job either has its answer, or is known to be lost."""
    size, chance = 30_000_000, Random(7)
    lost = 0
    for _ in range(12):
        process = await worker.run(os.getpid)
        asked = asyncio.create_task(worker.run(bytes, size))
        await asyncio.sleep(chance.uniform(0, 0.04))
        os.kill(process, signal.SIGKILL)
        async with asyncio.timeout(LONGEST):
            try:
                assert len(await asked) == size
            except LostWorkerError:
                lost += 1
            else:
                with pytest.raises(LostWorkerError):
                    await worker.run(os.getpid)
    assert lost > 0


@pytest.mark.whole
@pytest.mark.usefixtures("forked")
async def test_a_worker_killed_while_asked_leaves_no_broken_garbage(
    worker: WorkerProcess,
) -> None:
    """Pytest fails where the garbage collector meets an error."""
    process = await worker.run(os.getpid)
    os.kill(process, signal.SIGSTOP)
    with pytest.raises(LostWorkerError):  # whether it has begun to be sent by then or not
        await asyncio.gather(worker.run(len, "x" * 5_000_000), asyncio.to_thread(os.kill, process, signal.SIGKILL))
    gc.collect()


@pytest.mark.usefixtures("forked")
async def test_a_stuck_worker_is_replaced(worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    process = await worker.run(os.getpid)
    monkeypatch.setattr(worker, "_longest", 0.2)
    with pytest.raises(LostWorkerError):
        await worker.run(time.sleep, 10 * LONGEST)
    monkeypatch.setattr(worker, "_longest", LONGEST)
    os.kill(await worker.run(os.getpid), signal.SIGSTOP)
    monkeypatch.setattr(worker, "_longest", 0.2)
    with pytest.raises(LostWorkerError):
        await worker.run(os.getpid)
    monkeypatch.setattr(worker, "_longest", LONGEST)
    assert await worker.run(os.getpid) != process


async def test_a_worker_that_failed_to_start_is_tried_again(
    worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BlockingIOError("no more processes")

    with pytest.raises(LostWorkerError):
        await worker.run(os._exit, 1)
    with monkeypatch.context() as patched:
        patched.setattr(Popen, "_launch", refuse)
        with pytest.raises(LostWorkerError):
            await worker.run(pow, 2, 3)
        worker._kill()
    assert await worker.run(pow, 2, 3) == 8


@pytest.mark.usefixtures("forked")
async def test_an_answer_that_cannot_be_pickled_is_a_fault_of_the_job(worker: WorkerProcess) -> None:
    process = await worker.run(os.getpid)
    with pytest.raises(RuntimeError, match="cannot pickle"):
        await worker.run(threading.Lock)
    assert await worker.run(os.getpid) == process


@pytest.mark.usefixtures("forked")
async def test_a_stopped_worker_gives_up_at_once_and_starts_no_other() -> None:
    worker = WorkerProcess(longest=LONGEST)
    await worker.run(os.getpid)
    asked = asyncio.create_task(worker.run(time.sleep, 10 * LONGEST))
    await asyncio.sleep(0.1)
    worker.stop()
    async with asyncio.timeout(LONGEST):
        with pytest.raises(LostWorkerError):
            await asked
        with pytest.raises(LostWorkerError):
            await worker.run(os.getpid)
        await asyncio.to_thread(worker.close)


class Slow:
    """Something that takes longer to clear away than work may take."""

    def __del__(self) -> None:
        spin(0.3)


def spin(seconds: float) -> None:
    """Keep the processor busy."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def clear_away_and_spin() -> None:
    """Take the processor at first where Python drops all errors, and then for too long."""
    slow = Slow()
    del slow
    spin(60)


@pytest.mark.usefixtures("forked")
async def test_work_that_takes_too_long_is_interrupted_at_any_point(worker: WorkerProcess) -> None:
    async with asyncio.timeout(LONGEST):
        with pytest.raises(TookLongerError):
            await worker.run(run_for, 0.1, clear_away_and_spin)
    assert await worker.run(run_for, 10.0, pow, 2, 3) == 8
