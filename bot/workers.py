"""Workers: processes that do one thing at a time each, and come back to life where one is lost or stuck.

The standard library's pool of processes hangs for ever where a worker is killed while it sends its answer. Here
each worker has a pipe to itself, so that its end is always noticed.
"""

import asyncio
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from bot.errors import UserError
from bot.languages import _
from solver import BattleError

log = logging.getLogger(__name__)

START: SpawnContext | ForkServerContext = multiprocessing.get_context("spawn")
"""How the standard library starts a worker: this program has threads, so that a fork of it could hang."""


class LostWorkerError(Exception):
    """The worker ended, or was ended, before it had an answer."""


class TookLongerError(Exception):
    """The work took longer than it may, and was broken off."""


Fault = str | BattleError | UserError | TookLongerError
"""What went wrong in a worker: an error that is raised here as it was there, or a traceback; empty: nothing."""


class Worker(Protocol):
    """Somebody who can be given work, one job at a time. `spent` are the seconds that the last one took."""

    spent: float

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
        self.spent = 0.0

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """See `Worker`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._do, work, *arguments)

    def _do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        began = time.thread_time()
        try:
            return work(*arguments)
        except MemoryError:
            forget_tables()
            raise _too_large() from None
        finally:
            self.spent = time.thread_time() - began

    def stop(self) -> None:
        """Nothing: a thread always finishes what it has begun."""

    def close(self) -> None:
        """See `Worker`."""
        self._thread.shutdown()


class WorkerProcess:
    """A process as a worker. `work` must be a plain function, and its arguments and answer what can be sent."""

    def __init__(self, longest: float, nice: int = 0) -> None:
        """With a job that takes more than `longest` seconds the process is taken for stuck, and ended.

        With a higher `nice` others on the machine go first.
        """
        self._longest, self._nice = longest, nice
        self.spent = 0.0
        self._thread = ThreadPoolExecutor(1)  # talks to the process, as that means waiting
        self._lock = threading.Lock()  # for the process may be stopped while it is being started
        self._stopped = False
        self._running: tuple[BaseProcess, Connection] | None = None

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """See `Worker`; LostWorkerError where the process ended, was stuck or could not be started.

        BattleError, UserError and TookLongerError come back as such, what else goes wrong as a RuntimeError with its
        traceback.
        """
        # What is logged there is about the same interaction as here.
        ask = partial(copy_context().run, self._ask, work, arguments)
        talk = asyncio.get_running_loop().run_in_executor(self._thread, ask)
        if not (await asyncio.wait({talk}, timeout=self._longest))[0]:
            self._kill()
        answer, fault = await talk
        if isinstance(fault, BattleError | UserError | TookLongerError):
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

    def _ask(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Fault]:
        self.spent = 0.0
        pipe, began = self._pipe(), time.monotonic()
        try:
            # With `send`, the traceback of a broken pipe holds a view of a buffer that cannot be collected as garbage.
            pipe.send_bytes(pickle.dumps((work, arguments)))
            answer, fault, self.spent = pipe.recv()
        except (EOFError, OSError):
            self.spent = time.monotonic() - began
            self._forget()
            raise LostWorkerError from None
        except MemoryError:  # here, for want of room for the answer, the rest of which is still in the pipe
            self._forget()
            return None, _too_large()
        return answer, fault

    def _pipe(self) -> Connection:
        """The way to the process, which is started where there is none."""
        with self._lock:
            if self._stopped:
                raise LostWorkerError
            if self._running is None:
                try:
                    self._running = _start(self._nice)
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


def _start(nice: int) -> tuple[BaseProcess, Connection]:
    """A new process and the pipe to it."""
    ours, theirs = START.Pipe()
    process = START.Process(target=_serve, args=(theirs, nice), daemon=True)
    try:
        process.start()
    except OSError:
        ours.close()
        raise
    finally:
        # Only the process may hold its end of the pipe, so that this breaks when it ends.
        theirs.close()
    return process, ours


def _serve(pipe: Connection, nice: int) -> None:
    """What the process does: jobs, until the program that started it is gone or does not want it any more.

    Ctrl-C in a terminal reaches every process, but only the program decides what to do about it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(nice)
    while True:
        try:
            work, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        began = time.process_time()
        answer, fault = _done(work, arguments)
        spent = time.process_time() - began
        try:
            pipe.send((answer, fault, spent))
        except OSError:
            return
        except MemoryError:
            pipe.send((None, _too_large(), spent))
        except Exception:  # an answer that cannot be sent
            pipe.send((None, traceback.format_exc(), spent))


def _done(work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Fault]:
    """The answer of the work, or what went wrong."""
    try:
        return work(*arguments), ""
    except (BattleError, TookLongerError) as error:
        return None, error
    except UserError as error:
        return None, UserError(error.text)  # those of a kind of their own cannot all be sent
    except MemoryError:
        forget_tables()
        return None, _too_large()
    except Exception:
        return None, traceback.format_exc()


def run_for(seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
    """The answer of the work; TookLongerError if it takes more seconds of the processor. For the main thread only."""
    armed = True

    def ring(*_: object) -> None:
        if armed:
            raise TookLongerError

    signal.signal(signal.SIGPROF, ring)
    try:
        # The timer repeats, because Python drops an error that is raised in a finalizer.
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
        return work(*arguments)
    except TookLongerError:
        armed = False
        forget_tables()
        raise
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_PROF, 0)


def forget_tables() -> None:
    """Empty all caches of the solver: broken-off work may have left half an entry, or hold the memory."""
    for name, module in list(sys.modules.items()):
        if name.startswith("solver."):
            for kept in vars(module).values():
                if clear := getattr(kept, "cache_clear", None):
                    clear()


def name_of(work: Callable[..., Any]) -> str:
    """What a plain function is called."""
    return getattr(work, "__name__", str(work))


def _too_large() -> UserError:
    return UserError(_("That is too large for me. Try something smaller."))
