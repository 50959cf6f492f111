"""Programs that start within milliseconds, as forks of a process that has imported the bot: see `fork_server`."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import IO, Any, Self

from bot import pace

ROOT = Path(__file__).parents[2]
POSSIBLE = sys.platform == "linux"
NAME = f"\0sandtable-forks-{os.environ.get('PYTEST_XDIST_TESTRUNUID') or os.getpid()}"
"""Where all processes that run the same tests find the server: an address that is no file."""

_server: "subprocess.Popen[bytes] | None" = None
_way: socket.socket | None = None


def _asking() -> socket.socket:
    """The way to the server, which is started where there is none yet."""
    global _way
    while _way is None:
        ours = _start_server()
        way = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            way.connect(NAME)
            greeted = bool(way.recv(100))
        except OSError:
            greeted = False
        if greeted:
            _way = way
        else:
            # That of another process is not there yet, or no more.
            way.close()
            assert not ours, "the server for programs did not start"
    return _way


def _start_server() -> bool:
    """Start the server, which lives as long as this process, unless another process has started one."""
    global _server
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        try:
            listening.bind(NAME)
        except OSError:
            return False
        listening.listen()
        # With no threads of its own it can be forked.
        command = [sys.executable, "-m", "tests.helpers.fork_server", str(listening.fileno()), str(pace.PACE)]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        handles = [listening.fileno()]
        _server = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=handles, cwd=ROOT, env=environment)
    return True


def end() -> None:
    """End all programs that were started here, and the server, if that was too."""
    global _server, _way
    if _way:
        _way.close()
        _way = None
    if _server:
        _server.communicate()
        _server = None


class Forked:
    """A program that runs; to be used as `asyncio.subprocess.Process`."""

    def __init__(self, told: socket.socket, output: IO[bytes], errors: IO[bytes]) -> None:
        self.pid = 0
        self.returncode: int | None = None
        self._told, self._output, self._errors = told, output, errors
        self._ended = asyncio.Event()

    @classmethod
    async def start(
        cls,
        *arguments: str,
        given: bytes = b"",
        environment: Mapping[str, str] | None = None,
        folder: Path = ROOT,
        constants: Mapping[str, Any] | None = None,
    ) -> Self:
        """Start `python -m` with these arguments, and with other values for some constants, such as "bot.x.Y"."""
        wanted = {
            "arguments": arguments,
            "environment": dict(os.environ if environment is None else environment),
            "folder": str(folder),
            "constants": dict(constants or {}),
        }
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        made = cls(ours, tempfile.TemporaryFile(), tempfile.TemporaryFile())  # noqa: SIM115  # closed by `close`
        with theirs, tempfile.TemporaryFile() as text:
            text.write(given)
            text.seek(0)
            streams = [one.fileno() for one in (theirs, text, made._output, made._errors)]
            socket.send_fds(_asking(), [json.dumps(wanted).encode()], streams)
        loop = asyncio.get_running_loop()
        made.pid = int(await loop.sock_recv(ours, 100))
        loop.add_reader(ours, made._end)
        return made

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._told)
        self.returncode = int(self._told.recv(100))
        self._told.close()
        self._ended.set()

    async def wait(self) -> int | None:
        """Its exit status, when it has ended."""
        await self._ended.wait()
        return self.returncode

    async def communicate(self) -> tuple[bytes, bytes]:
        """All that it has printed, when it has ended."""
        await self.wait()
        return _all(self._output), _all(self._errors)

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it without warning."""
        self.send_signal(SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(SIGTERM)

    def close(self) -> None:
        """Let go of what it has printed."""
        self._output.close()
        self._errors.close()


def _all(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


async def run_async(*arguments: str, **how: Any) -> "subprocess.CompletedProcess[bytes]":
    """Run `python -m` with these arguments to its end; where nothing can be forked it starts as ever."""
    if not POSSIBLE:
        return await asyncio.to_thread(_start_and_wait, *arguments, **how)
    program = await Forked.start(*arguments, **how)
    try:
        printed, errors = await program.communicate()
    finally:
        program.kill()
        program.close()
    assert program.returncode is not None
    return subprocess.CompletedProcess(arguments, program.returncode, printed, errors)


def run(*arguments: str, **how: Any) -> "subprocess.CompletedProcess[bytes]":
    """The same, for tests without a loop."""
    return asyncio.run(run_async(*arguments, **how))


def _start_and_wait(
    *arguments: str, given: bytes = b"", environment: Mapping[str, str] | None = None, folder: Path = ROOT
) -> "subprocess.CompletedProcess[bytes]":
    environment = {**(os.environ if environment is None else environment), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, input=given, env=environment, cwd=folder, capture_output=True)
