"""How pytest runs the tests: what it imports and when it looks for garbage. The fixtures are in `fixtures`."""

import ctypes
import gc
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bot import pace
from tests.helpers import extent

gc.disable()  # until all tests are collected, as all that is imported stays
extent.register_profiles()
# Even where Python is told to write no bytecode: dozens of programs are started, and each would compile the bot anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer a whole run, and a run of every test with its last case alone."""
    parser.addoption("--whole", action="store_true", help="run all tests at their full size and at the bot's own pace")
    parser.addoption("--few", action="store_true", help="of a test with several cases, run the last alone")


def pytest_configure(config: pytest.Config) -> None:
    """Import the bot and the fixtures, but not where tests are only handed out to others, which read options too."""
    extent.read_option(config)
    _limit_arenas()
    if not hasattr(config, "workerinput"):
        # Whoever changes words or texts need not install the package before each run.
        importlib.import_module("bot.catalogues.build").build()
    config.pluginmanager.import_plugin("tests.helpers.remains")
    if config.getoption("dist", "no") == "no":
        pace.PACE = 1.0 if config.getoption("benchmark_enable") else extent.pick(0.1, 1.0)
        config.pluginmanager.import_plugin("tests.fixtures")
        # These are options of this run, and not of one that a test starts.
        os.environ.pop("PYTEST_ADDOPTS", None)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Keep thousands of tests out of each search for garbage, while they are collected and after: they all stay.

    The tests themselves are searched more rarely than usual too, as that took a tenth of their time.
    """
    try:
        if worker := getattr(session.config, "workerinput", None):
            _import_first(session.config.args, int(worker["workerid"].removeprefix("gw")), worker["workercount"])
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 10, 10)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a whole run has; keep the last case of each test, if so asked."""
    if not config.getoption("whole"):
        _keep(config, items, [item for item in items if not item.get_closest_marker("whole")])
    if config.getoption("few"):
        last = {item.nodeid.partition("[")[0]: item for item in items}
        _keep(config, items, [item for item in items if last[item.nodeid.partition("[")[0]] is item])


def _import_first(places: list[str], worker: int, workers: int) -> None:
    """Import all tests, each worker beginning with a part of its own.

    Where they are new, pytest has to rewrite their assertions, which takes longer than all else of a start: so no two
    workers rewrite the same ones.
    """
    root = Path(__file__).parents[1]
    files = sorted({file for place in places for file in (root / place.partition("::")[0]).rglob("test_*.py")})
    mine = len(files) * worker // workers
    for file in files[mine:] + files[:mine]:
        # Whatever fails here fails again when it is collected, and is told then.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


def _limit_arenas() -> None:
    """Have all threads share two pools of free memory, where the C library is glibc; each test starts new threads."""
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).mallopt(-8, 2)  # M_ARENA_MAX


def _keep(config: pytest.Config, items: list[pytest.Item], chosen: list[pytest.Item]) -> None:
    """Leave only the chosen tests."""
    wanted = set(map(id, chosen))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in wanted])
    items[:] = chosen
