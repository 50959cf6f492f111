"""The kernels one after the other, for tests that solve the same battle with each."""

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from solver.compiled import library
from tests.helpers.extent import pick

KERNELS = ("compiled", "numpy") if library.library() else ("numpy",)
"""Those that are there."""
needs_library = pytest.mark.skipif(not library.library(), reason="there is no compiled kernel here")


def cases_of(kernel: str, number: int) -> range:
    """Which of so many cases a kernel solves: all, but in the usual run the second kernel only every ninth."""
    return range(0, number, 1 if kernel == KERNELS[0] else pick(9, 1))


def each_kernel() -> Iterator[str]:
    """The name of each kernel while battles are solved with it."""
    for name in KERNELS:
        with patch.dict(os.environ, {library.SETTING: name}):
            yield name
