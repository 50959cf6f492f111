"""Servers of our own for tests: PostgreSQL and Redis on free loopback ports, gone at the end; or why there are none."""

import asyncio
import fcntl
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]

from tests.helpers.children import mortal
from tests.helpers.memory import started
from tests.helpers.program import LONGEST, running

PROGRAMS = "/usr/lib/postgresql/15/bin"
FOLDERS = "sandtable-"
PORTS = count()


@dataclass
class Postgres:
    """A PostgreSQL server: its folder, its port, and as whom its programs run, since they refuse to as root."""

    folder: Path
    port: int
    owner: tuple[int, int] | None
    process: subprocess.Popen[bytes] | None = None

    def address(self, database: str = "postgres") -> str:
        """Where one of its databases is."""
        return f"postgresql://sandtable:not-needed@127.0.0.1:{self.port}/{database}"

    def fresh(self, like: str = "template1") -> str:
        """The address of a new database, with what one of this name has; usually nothing."""
        name = f"test{time.monotonic_ns()}"
        # To copy the files takes a third of the work of writing each page into the log too.
        make = self.execute(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY file_copy")
        with ThreadPoolExecutor(1) as thread:  # there may be a loop here
            thread.submit(asyncio.run, make).result()
        return self.address(name)

    async def execute(self, statements: str) -> None:
        """Execute statements over a connection of their own, which takes a third of the work of one of the bot's."""
        connection = await asyncpg.connect(self.address(), ssl=False)
        try:
            await connection.execute(statements)
        finally:
            await connection.close()

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs to its end."""
        started = self._started(program, *arguments)
        if started.wait():
            raise AssertionError(f"{program} failed:\n{(self.folder / 'log').read_text()}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        places = "-D", str(self.folder / "data"), "-p", str(self.port), "-k", str(self.folder)
        process = self._started("postgres", *places, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off")
        self.process = process
        _until(lambda: self._is_ready(process.pid), process)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop it, with all its connections: at once, or with SIGINT in order, or with SIGKILL as a crash does."""
        if self.process:
            serving = started(self.process.pid)
            self.process.send_signal(how)
            self.process.wait()
            # After a crash these end by themselves, and no new server starts before.
            _until_ended(serving)
        self.process = None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop it at once during the block."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    def _is_ready(self, process: int) -> bool:
        """Whether this process says in the server's file that it takes connections."""
        try:
            lines = (self.folder / "data" / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and (lines[0], lines[7].strip()) == (str(process), "ready")

    def _started(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        # At this signal a server of PostgreSQL ends at once, with all the processes it has started.
        command = mortal([_found(program) or program, *arguments], signal.SIGQUIT, self.owner)
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)


@dataclass
class Redis:
    """A Redis server: its folder and its port."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it is."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it with nothing in it, and wait until it listens."""
        options = "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"
        with (self.folder / "log").open("ab") as log:
            command = mortal([_found("redis-server") or "redis-server", *options])
            process = self.process = subprocess.Popen(command, cwd=self.folder, stdout=log)
        _until(lambda: _listens(self.port), process)

    def stop(self) -> None:
        """Kill it."""
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal: with SIGSTOP it hangs, with SIGCONT it goes on."""
        assert self.process, "it runs"
        self.process.send_signal(number)


def no_postgres() -> str:
    """Why no PostgreSQL can be started here; empty where one can."""
    if not (_found("initdb") and _found("postgres")):
        return f"PostgreSQL's programs are neither in {PROGRAMS} nor on the path"
    return "" if os.getuid() or _somebody() else "PostgreSQL does not run as root, and there is nobody else here"


def no_redis() -> str:
    """Why no Redis can be started here; empty where one can."""
    return "" if shutil.which("redis-server") else "there is no redis-server on the path"


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A fresh server, as long as the block lasts."""
    with _folder() as folder:
        server = Postgres(folder, free_port(), None if os.getuid() else _somebody())
        if server.owner:
            os.chown(folder, *server.owner)
        places = "-D", str(folder / "data"), "-U", "sandtable", "--auth=trust", "--no-sync", "--encoding=UTF8"
        # Letters in another order than SQLite's, so that no answer depends on it.
        server.run("initdb", *places, "--locale-provider=icu", "--icu-locale=en-US", "--no-instructions")
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def redis() -> Iterator[Redis]:
    """A fresh server, as long as the block lasts."""
    with _folder() as folder:
        server = Redis(folder, free_port())
        try:
            server.start()
            yield server
        finally:
            server.stop()


def free_port() -> int:
    """A port nobody listens on, which the system hands out to nobody: those that it picks begin at 32,768.

    Else a server of another process might get it before it is opened here.
    """
    while True:
        port = 12_000 + os.getpid() % 200 * 100 + next(PORTS) % 100
        with socket.socket() as free, suppress(OSError):
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", port))
            return port


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder that other users may enter, unlike pytest's; those of tests that were killed are removed before."""
    for left in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*/lock"):
        with suppress(OSError), left.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # who lives holds it
            shutil.rmtree(left.parent, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=FOLDERS, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        with (folder / "lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def _found(program: str) -> str | None:
    return shutil.which(program, path=f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', '')}")


def _somebody() -> tuple[int, int] | None:
    """A user without rights, and his group."""
    users = {entry.pw_name: (entry.pw_uid, entry.pw_gid) for entry in pwd.getpwall()}
    return next((users[name] for name in ("postgres", "nobody") if name in users), None)


def _listens(port: int) -> bool:
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0


def _until(true: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait for something in a server that starts, which can only be asked again and again."""
    end = time.monotonic() + LONGEST
    while not true():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"a server for tests did not start: {process.args!r}")
        time.sleep(0.02)


def _until_ended(processes: list[int]) -> None:
    """Wait for the end of processes that are not ours to fetch."""
    end = time.monotonic() + LONGEST
    while any(map(running, processes)):
        assert time.monotonic() < end, f"a server for tests did not end: {processes}"
        time.sleep(0.02)
