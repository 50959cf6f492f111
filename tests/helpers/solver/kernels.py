"""The kernels of Axis & Allies one after the other, for tests that solve the same battle with each."""

import os
from collections.abc import Iterator
from unittest.mock import patch

from solver.axis.kernel import native

KERNELS = ("compiled", "numpy") if native.library() else ("numpy",)
"""Those that are there."""


def each_kernel() -> Iterator[str]:
    """The name of each kernel while battles are solved with it."""
    for name in KERNELS:
        with patch.dict(os.environ, {native.SETTING: name}):
            yield name
