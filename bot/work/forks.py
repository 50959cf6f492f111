"""The prepared parent: a process that loads once what all workers need, and is forked for each worker.

A worker starts within milliseconds and shares the parent's memory, but for what it changes. The parent itself is forked
off the program while this is small: a process with one thread, no sockets and no database. So a worker has none either.
"""

import ctypes
import gc
import logging
import os
import pickle
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

log = logging.getLogger(__name__)

LONGEST_REQUEST = 10_000
"""The most bytes of a message between the program and the parent."""
PATIENCE = 30.0
"""Seconds that the parent may take to load everything and to fork; after that it counts as lost."""


GARBAGE = 2_000, 10, 10
"""When a program that is loaded looks for garbage, as newer versions of Python do."""


class Fork:
    """A forked process, held by a descriptor: unlike a number, that never comes to mean another process."""

    def __init__(self, descriptor: int, pid: int) -> None:
        self._descriptor = descriptor
        self.pid = pid
        """Its number, for the figures alone."""

    def kill(self) -> None:
        """Kill the process, if it still runs."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def join(self) -> None:
        """Wait until the process has ended, and let go of it."""
        ending = select.poll()
        ending.register(self._descriptor, select.POLLIN)
        ending.poll()
        os.close(self._descriptor)


class Parent:
    """The program's end of the way to the prepared parent."""

    def __init__(self, prepare: Callable[[], None]) -> None:
        """Fork the parent, which calls `prepare` while the program goes on."""
        self._lock = threading.Lock()
        self._lost = False
        self._way, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        _keep_shared()
        self._process = os.fork()
        if not self._process:
            self._way.close()
            _run_or_exit(_serve, theirs, prepare)
        theirs.close()
        self._way.settimeout(PATIENCE)

    def fork(self, pipe: Connection, target: Callable[..., None], *arguments: Any) -> Fork | None:
        """Start a process that calls `target` with its own copy of the pipe and the arguments.

        Returns:
            The process; None if the parent is lost.

        Raises:
            OSError: If the system has no room for another process.
        """
        with self._lock:
            answer, descriptors = self._ask(pickle.dumps((target, arguments)), pipe.fileno())
        if descriptors:
            return Fork(descriptors[0], int(answer))
        if answer:
            raise OSError(answer.decode())
        return None

    def _ask(self, request: bytes, descriptor: int) -> tuple[bytes, list[int]]:
        """Return the answer to a request; nothing from now on if there is none."""
        answer, descriptors = b"", list[int]()
        if not self._lost:
            with suppress(OSError):
                socket.send_fds(self._way, [request], [descriptor])
                answer, descriptors = _receive(self._way)
            if not answer:
                self._lost = True
                log.warning("the process that workers are forked from was lost; they will need more memory")
        return answer, descriptors

    def stop(self) -> None:
        """Fork no more, and wait for no fork."""
        self._lost = True
        with suppress(OSError):
            self._way.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End the parent. Workers end with their pipes."""
        self._way.close()
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)


@contextmanager
def prepared_parent(prepare: Callable[[], None]) -> Iterator[Parent | None]:
    """Hold a prepared parent during the block; None where processes cannot be forked safely or held by a descriptor."""
    if not _may_fork():
        yield None
        return
    parent = Parent(prepare)
    try:
        yield parent
    finally:
        parent.close()


def _may_fork() -> bool:
    """Whether this is Linux with descriptors of processes, and we have a single thread: a fork of several can hang."""
    if sys.platform != "linux" or len(list(Path("/proc/self/task").iterdir())) > 1:
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


def _serve(way: socket.socket, prepare: Callable[[], None]) -> None:
    """Be the parent: prepare, then fork for each request, until the program closes its end or is gone.

    Ctrl-C reaches every process, but only the program acts on it. Nobody asks how a worker ended.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    prepare()
    end_loading()
    while True:
        request, descriptors = _receive(way)
        if not request:
            return
        try:
            process = os.fork()
        except OSError as error:
            os.close(descriptors[0])
            way.send(str(error).encode())
            continue
        if not process:
            way.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            target, arguments = pickle.loads(request)
            _run_or_exit(target, Connection(descriptors[0]), *arguments)
        os.close(descriptors[0])
        _hand_over(way, process)


def end_loading() -> None:
    """Look for garbage as usual, but never in what is loaded: it stays, and workers share its pages."""
    _keep_shared()
    gc.set_threshold(*GARBAGE)
    return_free_memory()


def _keep_shared() -> None:
    """Take all objects of now out of the garbage collector: it would write to their pages, which are then copied.

    It does not look for garbage first: that takes a tenth of a second, and modules leave hardly any.
    """
    gc.freeze()


def _hand_over(way: socket.socket, process: int) -> None:
    """Send the program the number and the descriptor of a new process."""
    try:
        descriptor = os.pidfd_open(process)
    except OSError as error:  # it has ended already
        way.send(str(error).encode())
        return
    socket.send_fds(way, [str(process).encode()], [descriptor])
    os.close(descriptor)


def _receive(way: socket.socket) -> tuple[bytes, list[int]]:
    """Return the next message with its descriptors; an empty message if the other end is closed."""
    message, descriptors, _flags, _address = socket.recv_fds(way, LONGEST_REQUEST, 1, socket.MSG_CMSG_CLOEXEC)
    return message, descriptors


def _run_or_exit(target: Callable[..., None], *arguments: Any) -> NoReturn:
    """Call a function in a forked process and end it, without the program's own clearing up."""
    try:
        target(*arguments)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def return_free_memory() -> None:
    """Give the system back what the C library keeps of freed memory, where it can."""
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
