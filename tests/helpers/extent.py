"""How much a test does: little in the usual run, all of it in a whole run, `pytest --whole`."""

from typing import TypeVar

import pytest

Value = TypeVar("Value")
_whole = False


def read_option(config: pytest.Config) -> None:
    """Remember which run this is, before any test is collected."""
    global _whole
    _whole = config.getoption("whole")


def pick(short: Value, whole: Value) -> Value:
    """Return the first value in the usual run, the second in a whole run."""
    return whole if _whole else short
