"""Workers: processes that do one thing at a time each, and come back to life where one is lost or stuck.

The standard library's pool of processes hangs for ever where a worker is killed while it sends its answer. Here
each worker has a pipe to itself, so that its end is always noticed.
"""

import asyncio
import logging
import multiprocessing
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Protocol

from bot.errors import UserError
from solver import BattleError

log = logging.getLogger(__name__)


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

    def __init__(self, longest: float) -> None:
        """With a job that takes more than `longest` seconds the process is taken for stuck, and ended."""
        self._longest = longest
        self._thread = ThreadPoolExecutor(1)  # talks to the process, as that means waiting
        self._lock = threading.Lock()  # for the process may be stopped while it is being started
        self._stopped = False
        self._running: tuple[SpawnProcess, Connection] | None = None

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """See `Worker`; LostWorkerError where the process ended, was stuck or could not be started.

        A BattleError or UserError comes back as such, what else goes wrong as a RuntimeError with its traceback.
        """
        # What is logged there is about the same interaction as here.
        ask = partial(copy_context().run, self._ask, work, arguments)
        talk = asyncio.get_running_loop().run_in_executor(self._thread, ask)
        if not (await asyncio.wait({talk}, timeout=self._longest))[0]:
            self._kill()
        answer, fault = await talk
        if isinstance(fault, BattleError | UserError):
            raise fault
        if fault:
            raise RuntimeError(f"this went wrong in a worker:\n{fault}")
        return answer

    def stop(self) -> None:
        """See `Worker`."""
        self._stopped = True
        self._kill()

    def close(self) -> None:
        """See `Worker`."""
        self.stop()
        self._thread.shutdown()
        self._forget()

    def _ask(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, str | BattleError | UserError]:
        pipe = self._pipe()
        try:
            pipe.send((work, arguments))
            answer: tuple[Any, str | BattleError | UserError] = pipe.recv()
        except (EOFError, OSError):
            self._forget()
            raise LostWorkerError from None
        return answer

    def _pipe(self) -> Connection:
        """The way to the process, which is started where there is none."""
        with self._lock:
            if self._stopped:
                raise LostWorkerError
            if self._running is None:
                try:
                    self._running = _start()
                except OSError as error:
                    log.warning("no worker can be started: %s", error)
                    raise LostWorkerError from None
            return self._running[1]

    def _kill(self) -> None:
        with self._lock:
            if self._running:
                self._running[0].kill()

    def _forget(self) -> None:
        """Leave nothing of the process."""
        with self._lock:
            if self._running:
                process, pipe = self._running
                process.kill()
                process.join()
                pipe.close()
                self._running = None


def _start() -> tuple[SpawnProcess, Connection]:
    """A new process and the pipe to it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    try:
        process.start()
    except OSError:
        ours.close()
        raise
    finally:
        # Only the process may hold its end of the pipe, so that this breaks when it ends.
        theirs.close()
    return process, ours


def _serve(pipe: Connection) -> None:
    """What the process does: jobs, until the program that started it is gone or does not want it any more.

    Ctrl-C in a terminal reaches every process, but only the program decides what to do about it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            work, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer: tuple[Any, str | BattleError | UserError] = work(*arguments), ""
        except BattleError as error:
            answer = None, error
        except UserError as error:
            answer = None, UserError(error.text)  # those of a kind of their own cannot all be sent
        except Exception:
            answer = None, traceback.format_exc()
        try:
            pipe.send(answer)
        except OSError:
            return
        except Exception:  # an answer that cannot be sent
            pipe.send((None, traceback.format_exc()))
