"""Workers are forked off a prepared parent: they share its memory and nothing else, and each loss is made good."""

import asyncio
import os
import resource
import signal
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.work.forks import prepared_parent
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.figures import figures
from tests.helpers.memory import share, started
from tests.helpers.program import LONGEST, Program, children, program, running, started_program, until
from tests.helpers.servers import free_port

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds processes in /proc, which Linux has"
)


class Bot(NamedTuple):
    """The program, the parent of its workers, and its only worker so far."""

    program: Program
    parent: int
    worker: int


@pytest.fixture
async def bot(discord: FakeDiscord, tmp_path: Path) -> AsyncIterator[Bot]:
    async with program(discord.token, tmp_path, discord) as process:
        await discord.ready()
        (parent,) = started(process.pid)
        (worker,) = children(process.pid)
        yield Bot(process, parent, worker)


def opened(process: int) -> dict[int, str]:
    """What a process has open, by the numbers of its descriptors."""
    found = {}
    for path in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            found[int(path.name)] = str(path.readlink())
    return found


async def test_a_worker_is_a_fork_that_answers(discord: FakeDiscord, bot: Bot) -> None:
    assert started(bot.parent) == [bot.worker]
    assert "79.0%" in (await discord.member("Alice").sends("battle", matchup="12 9")).content
    assert children(bot.program.pid) == [bot.worker]


async def test_a_worker_has_nothing_open_but_its_pipe(discord: FakeDiscord, bot: Bot, tmp_path: Path) -> None:
    await discord.member("Alice").sends("roll", matchup="12 9")
    ours = opened(bot.program.pid)
    assert str(tmp_path / "sandtable.db") in ours.values()
    for process in (bot.parent, bot.worker):
        more = {name for number, name in opened(process).items() if number > 2}
        assert len(more) == 1
        assert not more & set(ours.values())


async def test_a_killed_worker_is_replaced_by_another_fork(discord: FakeDiscord, bot: Bot) -> None:
    os.kill(bot.worker, signal.SIGKILL)
    assert "79.0%" in (await discord.member("Alice").sends("battle", matchup="12 9")).content
    (worker,) = children(bot.program.pid)
    assert worker != bot.worker
    assert started(bot.parent) == [worker]


async def test_metrics_show_memory_and_replacements_of_workers(discord: FakeDiscord, tmp_path: Path) -> None:
    address, alice = f"127.0.0.1:{free_port()}", discord.member("Alice")
    async with program(discord.token, tmp_path, discord, SANDTABLE_METRICS=address) as process:
        await discord.ready()
        (worker,) = children(process.pid)
        told = await figures(address)
        assert told['worker_memory_bytes{worker="0"}'] / 1e6 == pytest.approx(share(worker), rel=0.5)
        assert 'worker_memory_bytes{worker="1"}' not in told, "it starts with the first large question"
        assert told["worker_restarts_total"] == 0
        os.kill(worker, signal.SIGKILL)
        await alice.sends("battle", matchup="12 9")
        told = await figures(address)
        assert told["worker_restarts_total"] == 1
        assert told['worker_memory_bytes{worker="0"}'] > 1e6


async def test_workers_start_after_their_parent_is_killed(discord: FakeDiscord, bot: Bot) -> None:
    os.kill(bot.parent, signal.SIGKILL)
    await until(lambda: not running(bot.parent))
    assert "79.0%" in (await discord.member("Alice").sends("battle", matchup="12 9")).content
    os.kill(bot.worker, signal.SIGKILL)
    assert "65.0%" in (await discord.member("Alice").sends("battle", matchup="10 9")).content
    bot.program.send_signal(signal.SIGTERM)
    _, errors = await asyncio.wait_for(bot.program.communicate(), LONGEST)
    assert (bot.program.returncode, errors.decode().count("was lost; they will need more memory")) == (0, 1)


async def test_a_worker_out_of_memory_says_so_and_goes_on(discord: FakeDiscord, bot: Bot) -> None:
    size = int(Path(f"/proc/{bot.parent}/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
    resource.prlimit(bot.parent, resource.RLIMIT_AS, (size + 10_000_000, resource.RLIM_INFINITY))
    alice = discord.member("Alice")
    assert "too large for me" in (await alice.sends("battle", matchup="1200 1200 value:50")).content
    (dear,) = set(children(bot.program.pid)) - {bot.worker}
    resource.prlimit(dear, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert "too large" not in (await alice.sends("battle", matchup="1200 1200 value:50")).content
    assert set(children(bot.program.pid)) == {bot.worker, dear}


async def test_workers_and_their_parent_end_with_the_program(bot: Bot) -> None:
    bot.program.send_signal(signal.SIGTERM)
    await asyncio.wait_for(bot.program.communicate(), LONGEST)
    assert bot.program.returncode == 0
    await until(lambda: not running(bot.parent) and not running(bot.worker))


@pytest.mark.whole
async def test_workers_share_the_memory_of_their_parent(discord: FakeDiscord, tmp_path: Path) -> None:
    async with started_program(discord.token, tmp_path, discord, SANDTABLE_WORKERS="2") as process:
        await discord.ready()
        first, second = children(process.pid)
        resident = int(Path(f"/proc/{first}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
        assert max(share(first), share(second)) < resident / 2


def test_a_program_with_threads_is_not_forked() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        with prepared_parent(lambda: None) as parent:
            assert parent is None
    finally:
        done.set()
        thread.join()
