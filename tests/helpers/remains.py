"""What a failed test leaves open goes with it; a plugin of pytest by itself, so that it can be tried alone."""

import gc
import sys
from collections.abc import Iterator

import pytest


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
