"""A process that has imported all of the bot and becomes a program as often as it is asked to; see `forked`.

Each program is a fork, so it starts within milliseconds. From there on it is what `python -m` makes of it: it has its
own environment, folder, streams, signals and workers. There is one such process for all that run the same tests, and
a fork of it for each of these; everything ends with the tests that asked for it.
"""

import atexit
import ctypes
import gc
import importlib
import json
import os
import runpy
import select
import selectors
import signal
import socket
import sys
import threading
from contextlib import suppress
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

IMPORTED = (
    "alembic.command",
    "bot.console",
    "bot.discord_app",
    "bot.work.shared_cache",
    "bot.store.owners",
    "bot.upkeep",
)
READ_ONCE = {
    "bot.packs": "load",
    "bot.editions": "editions",
    "bot.maps.reading": "load_maps",
    "bot.openings": "openings",
}
"""What reads files of the folder in which a program starts."""
PR_SET_PDEATHSIG = 1


def _end_with_parent(number: int) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def accept(listening: socket.socket) -> socket.socket | None:
    """Fork for each process that comes to ask; returns the way to it there, and here, at the end of our input, None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with listening:
        while sys.stdin not in select.select([sys.stdin, listening], [], [])[0]:
            asking, _ = listening.accept()
            if not os.fork():
                asking.send(b"ask")
                return asking
            asking.close()
    return None


def serve(control: socket.socket) -> dict[str, Any] | None:
    """Fork when asked; returns in each new process what it is to be, and here, with the last test, None."""
    ours, theirs = socket.socketpair()
    for one in (ours, theirs):
        one.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    programs: dict[int, socket.socket] = {}
    with ours, theirs, selectors.DefaultSelector() as selector:
        for one in (control, ours):
            selector.register(one, selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in selector.select()]
            if ours in ready:
                ours.recv(4096)
                _tell_ends(programs)
            if control in ready:
                text, handles, _, _ = socket.recv_fds(control, 2**20, 4)
                if not text:
                    for program in programs:
                        os.kill(program, signal.SIGKILL)
                    return None
                told = socket.socket(fileno=handles[0])
                if program := os.fork():
                    programs[program] = told
                    told.send(str(program).encode())
                    for handle in handles[1:]:
                        os.close(handle)
                else:
                    _end_with_parent(signal.SIGKILL)
                    signal.set_wakeup_fd(-1)
                    for one in (control, told, *programs.values()):
                        one.close()
                    wanted = dict(json.loads(text))
                    _take(handles[1:], wanted["environment"].get("PYTHONIOENCODING", "utf-8"))
                    return wanted


def _tell_ends(programs: dict[int, socket.socket]) -> None:
    """Tell who started them which programs have ended, and how."""
    while programs:
        program, status = os.waitpid(-1, os.WNOHANG)
        if not program:
            return
        with programs.pop(program) as told, suppress(OSError):
            told.send(str(os.waitstatus_to_exitcode(status)).encode())


def _take(handles: list[int], encoding: str) -> None:
    """Make these the standard streams, with this encoding."""
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin = TextIOWrapper(BufferedReader(FileIO(0, "r", closefd=False)), encoding)
    sys.stdout = TextIOWrapper(BufferedWriter(FileIO(1, "w", closefd=False)), encoding)
    sys.stderr = TextIOWrapper(BufferedWriter(FileIO(2, "w", closefd=False)), encoding, line_buffering=True)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def become(wanted: dict[str, Any]) -> None:
    """Be `python -m` with these arguments, until the end of this process."""
    os.environ.clear()
    os.environ.update(wanted["environment"])
    if Path(wanted["folder"]) != Path.cwd():
        os.chdir(wanted["folder"])
        for name, once in READ_ONCE.items():
            getattr(importlib.import_module(name), once).cache_clear()
    for name, value in wanted["constants"].items():
        module, _, constant = name.rpartition(".")
        assert hasattr(importlib.import_module(module), constant), name
        setattr(importlib.import_module(module), constant, value)
    module, *arguments = wanted["arguments"]
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, int):
            _exit(end.code)
        raise


def _exit(status: int) -> NoReturn:
    """End as processes of multiprocessing do: to take everything apart it would first have to be copied."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def main() -> None:
    """Import everything, at the pace of the tests, and read all files that the bot reads at its start, then serve."""
    importlib.import_module("bot.pace").PACE = float(sys.argv[2])  # type: ignore[attr-defined]
    for name in IMPORTED:
        importlib.import_module(name)
    importlib.import_module("bot.commands.table")
    importlib.import_module("solver.late").load_all()
    importlib.import_module("bot.languages").load_languages()
    importlib.import_module("bot.phrases.vocabulary").vocabularies()
    for name, once in READ_ONCE.items():
        getattr(importlib.import_module(name), once)()
    importlib.import_module("bot.work.pool").prepare(importlib.import_module("bot.rooms").ROOMS)
    gc.collect()
    gc.freeze()
    if (control := accept(socket.socket(fileno=int(sys.argv[1])))) and (wanted := serve(control)):
        become(wanted)
    else:
        os._exit(0)  # to take everything apart takes nearly half a second


if __name__ == "__main__":
    main()
