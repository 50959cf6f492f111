"""The versions of Sandtable before and after this one: that before the newest migration, and one with two more."""

import asyncio
import io
import shutil
import subprocess
import sys
import tarfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from bot import pace
from bot.store import unopened, upgrade
from bot.store.unopened import MIGRATIONS
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.http_bots import HOST, is_open
from tests.helpers.children import mortal
from tests.helpers.program import LONGEST, environment_of
from tests.helpers.servers import free_port

ROOT = Path(__file__).parents[3]
VERSIONS = "bot/store/migrations/versions"
PATIENT = {
    "bot.discord_app.open_answers.PATIENCE_AT_END": LONGEST,
    "bot.discord_app.open_answers.LONGEST_FIRST": LONGEST,
    "bot.discord_app.http.server.LONGEST_END": LONGEST,
}
"""What a process waits for when it ends and nobody is to be refused, on a busy machine too."""
COLUMNS = '''"""What the next version may add: columns that this version does not know, and a table."""

import sqlalchemy as sa
from alembic import op

revision = "9000"
down_revision = "{before}"
{marker}


def upgrade() -> None:
    """Add them."""
    for table in ("battles", "rolls", "players", "setups", "settings"):
        op.add_column(table, sa.Column("more", sa.String, nullable=False, server_default=""))
    op.create_table("more", sa.Column("name", sa.String, primary_key=True))
'''
INDEX = '''"""What the next version may add: an index."""

from bot.store.upgrade import create_index

revision = "9001"
down_revision = "9000"


def upgrade() -> None:
    """Make it."""
    create_index("rolls_more", "rolls", ["more"])
'''


def unpack_version_before(folder: Path) -> Path:
    """Unpack the last commit without the newest migration, and return the folder; skip the test where git cannot."""
    newest = max(path.name for path in (ROOT / VERSIONS).glob("[0-9]*.py"))
    added = ("--first-parent", "-m", "--diff-filter=A", "--format=%H^1")
    # A migration that is in no commit yet comes after all of them.
    commit = (_git("log", *added, "--", f"{VERSIONS}/{newest}").decode().split() or ["HEAD"])[-1]
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit, "bot", "solver", "config"))) as archive:
        archive.extractall(folder, filter="data")
    assert not (folder / VERSIONS / newest).exists()
    return folder


def copy_as_next_version(folder: Path) -> Path:
    """Copy this version, add migrations to it, and return the folder; it has the pace of the tests, and PATIENT's."""
    for name in ("bot", "solver", "config"):
        shutil.copytree(ROOT / name, folder / name)
    for name, seconds in (PATIENT | {"bot.pace.PACE": pace.PACE}).items():
        module, _, constant = name.rpartition(".")
        with (folder / f"{module.replace('.', '/')}.py").open("a") as file:
            file.write(f"\n{constant} = {seconds}\n")
    _add_migrations(folder / VERSIONS)
    return folder


@contextmanager
def next_version(folder: Path, marker: str = "") -> Iterator[None]:
    """During the block this process is of the next version, whose first new migration has this line too."""
    migrations = shutil.copytree(MIGRATIONS, folder / f"migrations{time.monotonic_ns()}")
    _add_migrations(migrations / "versions", marker)
    with patch.object(unopened, "MIGRATIONS", migrations), patch.object(upgrade, "MIGRATIONS", migrations):
        yield


def _add_migrations(versions: Path, marker: str = "") -> None:
    (versions / "9000_columns.py").write_text(COLUMNS.format(before=newest_revision(ROOT), marker=marker))
    (versions / "9001_index.py").write_text(INDEX)


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no git, which has the version of before")
    if done.returncode:
        pytest.skip(f"git does not have the version of before: {done.stderr.decode().strip()}")
    return done.stdout


def newest_revision(tree: Path) -> str:
    """The newest revision that the version in a folder knows."""
    return max(path.name for path in (tree / VERSIONS).glob("[0-9]*.py"))[:4]


@asynccontextmanager
async def started_in(tree: Path, mode: str, log: Path, environment: dict[str, str]) -> AsyncIterator[Process]:
    """`python -m bot` with the code in a folder, as a host starts it; its words go to a file."""
    # Before the folders of what is installed, in the workers too.
    environment = environment | {"PYTHONPATH": str(tree)}
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *mortal([sys.executable, "-m", "bot", mode]), cwd=tree, env=environment, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def http_in(
    tree: Path, data: Path, discord: FakeDiscord, **more: str
) -> AsyncIterator[tuple[Process, str, Path]]:
    """`sandtable http` with the code in a folder: the process, its address and the file with its log."""
    port, log = free_port(), data.with_suffix(".log")
    environment = environment_of(discord.token, data, discord) | {"SANDTABLE_HTTP_PORT": str(port)} | more
    async with started_in(tree, "http", log, environment) as process:
        address = f"http://{HOST}:{port}"
        await is_open(address, process)
        discord.doors.addresses.append(address)
        try:
            yield process, address, log
        finally:
            discord.doors.addresses.remove(address)
