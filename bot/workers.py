"""Workers: processes that do one thing at a time each, and come back to life where one is lost or stuck.

The standard library's pool of processes hangs for ever where a worker is killed while it sends its answer. Here
each worker has a pipe to itself, so that its end is always noticed.
"""

import asyncio
import multiprocessing
import signal
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Protocol

LONGEST_JOB = 30.0
"""Seconds after which a worker is taken for stuck; the largest job takes a few."""


class LostWorkerError(Exception):
    """The worker ended, or was ended, before it had an answer."""


class Worker(Protocol):
    """Somebody who can be given work, one job at a time."""

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of the work; what goes wrong in it is raised here."""

    def stop(self) -> None:
        """Give up what is being worked on; `close` follows."""

    def close(self) -> None:
        """Wait until nothing of it is left."""


class WorkerThread:
    """A thread as a worker: quicker to start, for a program that asks once."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """See `Worker`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def stop(self) -> None:
        """Nothing: a thread always finishes what it has begun."""

    def close(self) -> None:
        """See `Worker`."""
        self._thread.shutdown()


class WorkerProcess:
    """A process as a worker. `work` must be a plain function, and its arguments and answer what can be sent."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)  # talks to the process, as that means waiting
        self._stopped = False
        self._start()

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """See `Worker`; LostWorkerError where the process ended or was stuck, after which there is a new one."""
        talk = asyncio.get_running_loop().run_in_executor(self._thread, self._ask, work, arguments)
        if not (await asyncio.wait({talk}, timeout=LONGEST_JOB))[0]:
            self._process.kill()
        answer, fault = await talk
        if fault:
            raise RuntimeError(f"this went wrong in a worker:\n{fault}")
        return answer

    def stop(self) -> None:
        """See `Worker`."""
        self._stopped = True
        self._process.kill()

    def close(self) -> None:
        """See `Worker`."""
        self.stop()
        self._thread.shutdown()
        self._process.kill()  # again: the thread may just have been starting another
        self._process.join()
        self._pipe.close()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        # Now only the process holds its end of the pipe, which breaks when it ends.
        theirs.close()

    def _ask(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, str]:
        try:
            self._pipe.send((work, arguments))
            answer: tuple[Any, str] = self._pipe.recv()
        except (EOFError, OSError):
            self._pipe.close()
            self._process.kill()
            self._process.join()
            if not self._stopped:
                self._start()
            raise LostWorkerError from None
        return answer


def _serve(pipe: Connection) -> None:
    """What the process does: jobs, until the program that started it is gone or does not want it any more.

    Ctrl-C in a terminal reaches every process, but only the program decides what to do about it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            work, arguments = pipe.recv()
        except EOFError:
            return
        try:
            answer = work(*arguments), ""
        except Exception:
            answer = None, traceback.format_exc()
        try:
            pipe.send(answer)
        except OSError:
            return
