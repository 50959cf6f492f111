"""How pytest runs the tests: what it imports and when it looks for garbage. The fixtures are in `fixtures`."""

import gc
import os
import sys
from collections.abc import Iterator

import pytest

from tests.helpers import examples

examples.register()
# Even where Python is told to write no bytecode: dozens of programs are started, and each would compile the bot anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure(config: pytest.Config) -> None:
    """Import the bot and the fixtures, but not where tests are only handed out to other processes."""
    config.pluginmanager.import_plugin("tests.helpers.remains")
    if config.getoption("dist", "no") == "no":
        config.pluginmanager.import_plugin("tests.fixtures")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep thousands of tests out of each search for garbage, while they are collected and after: they all stay.

    The tests themselves are searched more rarely than usual too, as that took a tenth of their time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        gc.enable()
