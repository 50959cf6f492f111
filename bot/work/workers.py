"""Workers: processes that run one function at a time each; a lost or stuck process is replaced by a new one.

The standard library's pool of processes hangs for ever if a worker is killed while it sends its answer. Here each
worker has its own pipe, so its end is always noticed.
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
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from bot.errors import UserError
from bot.languages import _
from bot.work.forks import Fork, Parent, return_free_memory
from solver import BattleError
from solver.progress import Listener, Progress, listening, tell

log = logging.getLogger(__name__)

START: SpawnContext | ForkServerContext = multiprocessing.get_context("spawn")
"""How a worker starts that is not forked off a parent: this program has threads, so a fork of it could hang."""


LONG = 0.05
"""Seconds of work after which a worker gives free memory back; after each picture that would take a tenth as long."""
TELL = 0.5
"""Processor seconds of work after which a worker process tells how far it is."""
IDLE = 1.0
"""Seconds without a job after which it does so too."""


class LostWorkerError(Exception):
    """The worker ended or was killed before it had an answer."""


class TookLongerError(Exception):
    """The work took too long and was broken off."""


Fault = str | BattleError | UserError | TookLongerError
"""The fault of a job in a worker: an error to raise again here, or the traceback of any other; empty: no fault."""


class Worker(Protocol):
    """A worker: runs one function at a time; `spent` is the seconds that the last one took."""

    spent: float

    @property
    def restarts(self) -> int:
        """How often its process was replaced by a new one."""

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function and return its answer; an error in it is raised here."""

    def stop(self) -> None:
        """Give up the current function; `close` follows."""

    def close(self) -> None:
        """Wait until the worker has ended."""

    def memory(self) -> int | None:
        """Return the bytes that its process takes, with its part of what it shares; None if that is not known."""


class WorkerThread:
    """A thread as a worker: it starts faster than a process, for a program that asks once."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self.spent = 0.0
        self.restarts = 0

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """See `Worker`."""
        # The thread then knows who listens to the progress here.
        do = partial(copy_context().run, self._do, work, *arguments)
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    def _do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        began = time.thread_time()
        try:
            return work(*arguments)
        except MemoryError:
            clear_solver_caches()
            raise _too_large() from None
        finally:
            self.spent = time.thread_time() - began

    def stop(self) -> None:
        """Do nothing: a thread cannot be stopped in the middle of a function."""

    def close(self) -> None:
        """See `Worker`."""
        self._thread.shutdown()

    def memory(self) -> None:
        """Return None: a thread has no memory of its own."""


class WorkerProcess:
    """A process as a worker. `work` must be a plain function; its arguments and answer must be picklable."""

    def __init__(self, longest: float, nice: int = 0, parent: Parent | None = None) -> None:
        """Make a worker that starts its process with its first job.

        Args:
            longest: The seconds after which a job counts as stuck and its process is killed.
            nice: The nice value of the process; with a higher one others on the machine go first.
            parent: The prepared parent to fork the process off.
        """
        self._longest, self._nice, self._parent = longest, nice, parent
        self.spent = 0.0
        self._starts = 0
        self._thread = ThreadPoolExecutor(1)  # talks to the process, as that means waiting
        self._lock = threading.Lock()  # for the process may be stopped while it is being started
        self._stopped = False
        self._running: tuple[BaseProcess | Fork, Connection] | None = None

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """See `Worker`.

        Raises:
            LostWorkerError: If the process ended, was stuck or could not be started.
            BattleError, UserError, TookLongerError: If the work raises it.
            RuntimeError: If the work raises any other error; it holds the traceback.
        """
        # Log lines of the talk with the process then name the same interaction as those here.
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
        self._end_process()

    @property
    def restarts(self) -> int:
        """See `Worker`."""
        return max(0, self._starts - 1)

    def memory(self) -> int | None:
        """See `Worker`."""
        running = self._running  # without the lock, which is held while a process starts
        return _memory_of(running[0].pid) if running and running[0].pid else None

    def _ask(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Fault]:
        self.spent = 0.0
        pipe, began = self._pipe(), time.monotonic()
        try:
            # With `send`, the traceback of a broken pipe holds a view of a buffer that cannot be collected as garbage.
            pipe.send_bytes(pickle.dumps((work, arguments)))
            while isinstance(received := pipe.recv(), Progress):
                tell(received)
            answer, fault, self.spent = received
        except (EOFError, OSError):
            self.spent = time.monotonic() - began
            self._end_process()
            raise LostWorkerError from None
        except MemoryError:  # in this process, for lack of room for the answer; the rest of it is still in the pipe
            self._end_process()
            return None, _too_large()
        return answer, fault

    def _pipe(self) -> Connection:
        """Return the pipe to the process; start the process if there is none."""
        with self._lock:
            if self._stopped:
                raise LostWorkerError
            if self._running is None:
                try:
                    self._running = _start_process(self._nice, self._parent)
                except OSError as error:
                    log.warning("no worker can be started: %s", error)
                    raise LostWorkerError from None
                self._starts += 1
            return self._running[1]

    def _kill(self) -> None:
        with self._lock:
            if self._running:
                self._running[0].kill()

    def _end_process(self) -> None:
        """End the process and close its pipe."""
        with self._lock:
            if self._running:
                process, pipe = self._running
                process.kill()
                process.join()
                pipe.close()
                self._running = None


def _memory_of(process: int) -> int | None:
    """Return the bytes that a process takes, with its part of what it shares; None where the system does not say."""
    try:
        rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return next((int(row.split()[1]) * 1024 for row in rows if row.startswith("Pss:")), None)


def _start_process(nice: int, parent: Parent | None) -> tuple[BaseProcess | Fork, Connection]:
    """Start a process, off the parent if there is one, and return it with the pipe to it."""
    ours, theirs = START.Pipe()
    try:
        process: BaseProcess | Fork | None = parent.fork(theirs, _serve, nice) if parent else None
        if process is None:
            process = START.Process(target=_serve, args=(theirs, nice), daemon=True)
            process.start()
    except OSError:
        ours.close()
        raise
    finally:
        # Only the process may hold its end of the pipe, so that the pipe breaks when the process ends.
        theirs.close()
    return process, ours


def _serve(pipe: Connection, nice: int) -> None:
    """Run jobs from the pipe until the program that started this process closes it or is gone.

    Ctrl-C in a terminal reaches every process, but only the main program acts on it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(nice)
    while (spent := _run_next(pipe)) is not None:
        if spent > LONG or not pipe.poll(IDLE):
            return_free_memory()


def _run_next(pipe: Connection) -> float | None:
    """Run the next job and return the seconds it took; None at the end of the pipe."""
    try:
        work, arguments = pipe.recv()
    except (EOFError, OSError):
        return None
    began = time.process_time()
    with listening(_teller(pipe, began)):
        answer, fault = _run_or_fault(work, arguments)
    spent = time.process_time() - began
    try:
        pipe.send((answer, fault, spent))
    except OSError:
        return None
    except MemoryError:
        pipe.send((None, _too_large(), spent))
    except Exception:  # an answer that cannot be sent
        pipe.send((None, traceback.format_exc(), spent))
    return spent


def _teller(pipe: Connection, began: float) -> Listener:
    """Return a listener that sends progress through the pipe, at most once in `TELL` processor seconds.

    Work in a lane with a limit is broken off before that, so nothing that is sent is broken off.
    """
    last = began

    def tell_main(progress: Progress) -> None:
        nonlocal last
        now = time.process_time()
        if now - last >= TELL:
            last = now
            with suppress(OSError):  # the main program is gone, which the answer will notice
                pipe.send(progress)

    return tell_main


def _run_or_fault(work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Fault]:
    """Return the answer of the work and no fault, or no answer and its fault."""
    try:
        return work(*arguments), ""
    except (BattleError, TookLongerError) as error:
        return None, error
    except UserError as error:
        return None, UserError(error.text)  # not every subclass can be pickled
    except MemoryError:
        clear_solver_caches()
        return None, _too_large()
    except Exception:
        return None, traceback.format_exc()


def run_for(seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
    """Return the answer of the work; TookLongerError after so many processor seconds. For the main thread only."""
    armed = True

    def ring(*_signal: object) -> None:
        if armed:
            raise TookLongerError

    signal.signal(signal.SIGPROF, ring)
    try:
        # The timer repeats, because Python drops an error that is raised in a finalizer.
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
        return work(*arguments)
    except TookLongerError:
        armed = False
        clear_solver_caches()
        raise
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_PROF, 0)


def clear_solver_caches() -> None:
    """Empty all caches of the solver: broken-off work may have left half an entry, or the caches fill the memory."""
    for name, module in list(sys.modules.items()):
        if name.startswith("solver."):
            for value in vars(module).values():
                if clear := getattr(type(value), "cache_clear", None):  # a late thing would be loaded
                    clear(value)


def function_name(work: Callable[..., Any]) -> str:
    """Return the name of a plain function."""
    return getattr(work, "__name__", str(work))


def _too_large() -> UserError:
    return UserError(_("That is too large for me. Try something smaller."))
