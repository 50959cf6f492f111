"""The size of tests: small in the usual run, full in a whole run, `pytest --whole`; and that of property tests."""

from collections.abc import Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

Value = TypeVar("Value")
_whole = _few = False


def read_option(config: pytest.Config) -> None:
    """Remember which run this is, before any test is collected."""
    global _whole, _few
    _whole, _few = config.getoption("whole"), config.getoption("few")


def pick(short: Value, whole: Value) -> Value:
    """Return the first value in the usual run, the second in a whole run."""
    return whole if _whole else short


def cases_to_run(cases: Iterable[Value]) -> list[Value]:
    """Return the cases of a test; in a run of every test with few of its cases, the last alone."""
    every = list(cases)
    return every[-1:] if _few else every


def register_profiles() -> None:
    """Tell hypothesis the profiles of property tests; `large` is the one with many examples, each time others."""
    # Machines are shared: how long an example takes says nothing.
    settings.register_profile("few", deadline=None, max_examples=5, derandomize=True)
    settings.register_profile("small", deadline=None, max_examples=8, derandomize=True)
    settings.register_profile("large", deadline=None, max_examples=100, print_blob=True)
    settings.load_profile("small")


def examples(percent: int, **more: Any) -> settings:
    """Return settings with a percentage of the usual number of examples, for tests with dear or cheap ones."""
    usual = settings.get_profile(settings.get_current_profile_name()).max_examples
    return settings(max_examples=max(1, usual * percent // 100), **more)
