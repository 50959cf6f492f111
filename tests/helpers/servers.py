"""Servers of our own for tests: PostgreSQL and Redis on free loopback ports, gone at the end; or why there are none."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PROGRAMS = "/usr/lib/postgresql/15/bin"
LONGEST_START = 20


class Postgres(NamedTuple):
    """A PostgreSQL server: its folder, its port, and as whom its programs run, since they refuse to as root."""

    folder: Path
    port: int
    user: str | None

    def address(self, database: str = "postgres") -> str:
        """Where one of its databases is."""
        return f"postgresql://sandtable:not-needed@127.0.0.1:{self.port}/{database}"

    def fresh(self) -> str:
        """The address of a new and empty database."""
        name = f"test{time.monotonic_ns()}"
        self.run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "sandtable", name)
        return self.address(name)

    def run(self, program: str, *arguments: str) -> None:
        """One of PostgreSQL's programs."""
        command = [_found(program) or program, *arguments]
        given = {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []} if self.user else {}
        with (self.folder / "log").open("ab") as log:
            subprocess.run(command, check=True, cwd=self.folder, stdout=log, stderr=log, **given)  # type: ignore[call-overload]

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.run("pg_ctl", "start", "-w", "-D", str(self.folder / "data"), "-o", options)

    def stop(self) -> None:
        """Stop it at once, with all its connections."""
        self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self.folder / "data"))


class Redis(NamedTuple):
    """A Redis server."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def address(self) -> str:
        """Where it is."""
        return f"redis://127.0.0.1:{self.port}/0"


def no_postgres() -> str:
    """Why no PostgreSQL can be started here; empty where one can."""
    if not (_found("initdb") and _found("pg_ctl")):
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
        if server.user:
            shutil.chown(folder, server.user)
        places = "-D", str(folder / "data"), "-U", "sandtable", "--auth=trust", "--no-sync", "--encoding=UTF8"
        # Letters in another order than SQLite's, so that no answer depends on it.
        server.run("initdb", *places, "--locale-provider=icu", "--icu-locale=en-US", "--no-instructions")
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def redis() -> Iterator[Redis]:
    """A fresh server, as long as the block lasts."""
    with _folder() as folder:
        port = free_port()
        options = "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(["redis-server", *options], cwd=folder, stdout=log)
        try:
            _until(lambda: _listens(port))
            yield Redis(process, port)
        finally:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder that other users may enter, unlike pytest's."""
    with tempfile.TemporaryDirectory(prefix="sandtable-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def _found(program: str) -> str | None:
    return shutil.which(program, path=f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', '')}")


def _somebody() -> str | None:
    """A user without rights."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


def _listens(port: int) -> bool:
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0


def _until(true: Callable[[], bool]) -> None:
    """Wait for something in another process, which can only be asked again and again."""
    end = time.monotonic() + LONGEST_START
    while not true():
        if time.monotonic() > end:
            sys.exit("a server for tests did not start")
        time.sleep(0.02)
