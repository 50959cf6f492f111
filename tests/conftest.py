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
    if config.getoption("dist", "no") == "no":
        config.pluginmanager.import_plugin("tests.fixtures")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep thousands of tests out of each search for garbage, while they are collected and after: they all stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let what a failed test left open go with it, or some later test would fail when it is found.

    What stays open after a test that passed is that test's own failure.
    """
    failed = item.session.testsfailed
    result = yield
    if item.session.testsfailed > failed:
        sys.last_value = sys.last_traceback = None
        sys.last_exc = None  # type: ignore[attr-defined]  # from Python 3.12 on; it keeps the frames of the test alive
        quiet, sys.unraisablehook = sys.unraisablehook, lambda _: None
        try:
            for _ in range(3):  # what the first round closes may be in the way of something else
                gc.collect()
        finally:
            sys.unraisablehook = quiet
    return result
