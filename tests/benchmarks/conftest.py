"""Benchmarks have no limit, as some of them take minutes."""

import faulthandler

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Call off the limit that pyproject.toml gives to each test."""
    faulthandler.cancel_dump_traceback_later()
