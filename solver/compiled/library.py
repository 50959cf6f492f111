"""Loads the compiled code of the C files beside it when a battle needs it, and calls its functions.

Installing the package compiles it where there is a compiler (build_hook.py). Without it, or if the environment says
`SOLVER_KERNEL=numpy`, battles are solved with numpy alone.
"""

import ctypes
import os
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.errors import TooLargeError
from solver.progress import Meter

SETTING = "SOLVER_KERNEL"
FOLDER = Path(__file__).parent
OUT_OF_MEMORY, TOO_MUCH_WORK, TOO_LARGE = 1, 2, 3
Numbers = npt.NDArray[Any]
KEPT = 2**24
"""How many bytes of freed memory the C library keeps for the next battle: to get them again takes a tenth of the time
of large fleets."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
TYPES = np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.bool_)


def library() -> ctypes.CDLL | None:
    """Return the compiled code; None if it is not there, or not wanted."""
    return None if os.environ.get(SETTING) == "numpy" else _load()


def library_names() -> tuple[str, str]:
    """Return the names of the library for every processor and of that for processors with AVX2.

    They name the source, so that code compiled from another version is never loaded.
    """
    sources = sorted([*FOLDER.glob("*.c"), *FOLDER.glob("*.h")])
    version = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    return f"kernel-{version}.lib", f"kernel-{version}-avx2.lib"


@cache
def _load() -> ctypes.CDLL | None:
    """The library that is best for this processor."""
    with suppress(OSError, TypeError, AttributeError):  # not every C library can
        for setting in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
            ctypes.CDLL(None).mallopt(setting, KEPT)
    try:
        usual, fast = (FOLDER / name for name in library_names())
        loaded = ctypes.CDLL(str(usual))
        return ctypes.CDLL(str(fast)) if loaded.has_avx2() and fast.exists() else loaded
    except OSError:
        return None


def address(array: Numbers | None) -> int | None:
    """Return where the numbers of an array are.

    Args:
        array: An array of floats, whole numbers or flags without gaps; None for a null pointer.
    """
    if array is None:
        return None
    assert array.flags.c_contiguous, "the compiled code reads it from beginning to end"
    assert array.dtype in TYPES, "the compiled code knows no other numbers"
    return int(array.__array_interface__["data"][0])


def run_metered(name: str, meter: Meter, described: Any, *arguments: Any) -> None:
    """Call a function of the compiled code that fights, and count its work.

    Args:
        name: Its name.
        meter: Counts the work.
        described: The layout of the battle.
        arguments: Its further arguments.

    Raises:
        TooLargeError: If it is more work than is allowed.
        MemoryError: If there is too little memory.
    """
    described.most_work = meter.limit - meter.done
    run(name, described, *arguments)
    meter.add(described.work)


def run(name: str, *arguments: Any) -> None:
    """Call a function of the compiled code.

    Args:
        name: Its name.
        arguments: Its arguments: structures, arrays, whole numbers, or places of single numbers.

    Raises:
        TooLargeError: If it is more work than is allowed.
        MemoryError: If there is too little memory.
    """
    loaded = library()
    assert loaded is not None, "it is there"
    check(getattr(loaded, name)(*map(_as_argument, arguments)))


def check(failed: int) -> None:
    """Raise the error of a function of the compiled code, if it has failed.

    Args:
        failed: Its result.

    Raises:
        TooLargeError: If it is more work than is allowed.
        MemoryError: If there is too little memory.
    """
    if failed == TOO_MUCH_WORK:
        raise TooLargeError("units", "this battle takes more work than is allowed")
    if failed == OUT_OF_MEMORY:
        raise MemoryError


def _as_argument(value: Any) -> Any:
    """Return a value in the form that ctypes takes."""
    if value is None or isinstance(value, int):
        return value if value is None else ctypes.c_int64(value)
    if isinstance(value, ctypes.Structure | ctypes.c_double):
        return ctypes.byref(value)
    return ctypes.c_void_p(address(value))
