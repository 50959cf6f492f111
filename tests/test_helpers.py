"""What tests stand on: servers and programs end with them, and a failed test leaves nothing to the next."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import servers
from tests.helpers.cases import each
from tests.helpers.program import running, until

PROGRAM = """
import subprocess, sys
from tests.helpers.children import mortal
child = subprocess.Popen(mortal([sys.executable, "-c", "import time; time.sleep(3600)"]))
print(child.pid, flush=True)
sys.stdin.read()
"""
BOT = """
import asyncio, sys
from pathlib import Path
from tests.fake_discord import FakeDiscord
from tests.helpers.program import program, started_program
async def main():
    async with FakeDiscord(openapi=False) as discord, {start}(discord.token, Path(sys.argv[1]), discord) as process:
        await discord.ready()
        print(process.pid, flush=True)
        await asyncio.to_thread(sys.stdin.read)
asyncio.run(main())
"""
SERVER = """
import sys
from tests.helpers import servers
from tests.helpers.cases import each
with servers.{kind}() as server:
    print(server.process.pid, server.folder, flush=True)
    sys.stdin.read()
"""
FAILING = """
import gc
import socket

def test_that_fails():
    cycle = [socket.socket()]
    cycle.append(cycle)
    assert not cycle

def test_that_finds_what_is_left():
    gc.collect()
"""


def says_before_it_is_killed(program: str, *arguments: str) -> list[str]:
    """The first words of a program, which is killed when it has said them."""
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        words = parent.stdout.readline().split()
        parent.kill()
    return words


@pytest.mark.whole
async def test_a_program_ends_with_the_tests_that_started_it() -> None:
    (child,) = says_before_it_is_killed(PROGRAM)
    await until(lambda: not running(int(child)))


@pytest.mark.whole
@pytest.mark.parametrize("start", ["program", "started_program"])
async def test_the_bot_ends_with_the_tests_that_started_it(start: str, tmp_path: Path) -> None:
    (bot,) = says_before_it_is_killed(BOT.format(start=start), str(tmp_path))
    await until(lambda: not running(int(bot)))


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["postgres", "redis"])
async def test_a_test_server_ends_with_killed_tests(kind: str) -> None:
    if reason := getattr(servers, f"no_{kind}")():
        pytest.skip(reason)
    process, folder = says_before_it_is_killed(SERVER.format(kind=kind))
    assert Path(folder).exists()
    await until(lambda: not running(int(process)))
    with servers._folder():
        assert not Path(folder).exists()


@pytest.mark.whole
def test_remains_of_a_failed_test_fail_no_other_test(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(FAILING)
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(root / "pyproject.toml"), "--rootdir", str(root)]
    done = subprocess.run(
        [*command, "-p", "tests.helpers.remains", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout


def test_each_checks_its_cases_every_time_and_needs_a_case() -> None:
    checked: list[int] = []

    @each(number for number in (1, 2))
    def check(number: int) -> None:
        checked.append(number)

    check()
    check()
    assert checked[-1] == 2
    assert checked[: len(checked) // 2] == checked[len(checked) // 2 :]
    with pytest.raises(AssertionError, match="no case"):
        each([])(checked.append)()
