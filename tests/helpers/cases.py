"""One test for many small cases that need no set-up; it names every case that fails."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.helpers.extent import cases_to_run


def check_each(cases: Iterable[Any], check: Callable[..., None]) -> None:
    """Check every case and name those that fail; a case that is a plain tuple is several arguments."""
    every, failed = cases_to_run(cases), []
    assert every, "there is no case to check"
    for case in every:
        try:
            check(*(case if type(case) is tuple else (case,)))
        except (Exception, pytest.fail.Exception) as error:
            failed.append(f"{case!r}: {error!r}")
    assert not failed, "\n".join(failed)


def each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test of a check and its cases."""
    every = list(cases)  # an iterator would have none left when the test runs again

    def join(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            check_each(every, check)

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return join
