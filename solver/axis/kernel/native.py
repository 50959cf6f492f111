"""Loads the compiled code of the C files beside it when a battle needs it, and describes its arguments.

Installing the package compiles it where there is a compiler (build_hook.py). Without it, or if the environment says
`SOLVER_KERNEL=numpy`, battles are solved with numpy alone.
"""

import ctypes
import os
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from solver.errors import TooLargeError
from solver.progress import Meter

if TYPE_CHECKING:
    from solver.axis.kernel.ground import Choice

SETTING = "SOLVER_KERNEL"
FOLDER = Path(__file__).parent
OUT_OF_MEMORY, TOO_MUCH_WORK = 1, 2
MOST_LAYERS, MOST_LIMITS, MOST_STAGES = 4, 2, 3
TRIFLE = 1e-6
"""Pairs of outcomes to which no more than this part of `eps` would come are left out: compiled code looks at each."""
Numbers = npt.NDArray[Any]
TYPES = np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.bool_)

_whole, _real, _pointer = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p


def _members(kind: Any, names: str) -> list[tuple[str, Any]]:
    """The fields of a structure of one kind of numbers."""
    return [(name, kind) for name in names.split()]


class FireStruct(ctypes.Structure):
    """The fire of one side: `fire` in rounds.c."""

    _fields_ = (
        *(("chances", _pointer), ("width", _whole)),
        *_members(_pointer, "row first place"),
        ("factor", _pointer * 2),
        *_members(_pointer, "first_outcome outcome after"),
        ("most", _whole),
    )


class ListStruct(ctypes.Structure):
    """A list that grows: `list` in ways.c."""

    _fields_ = (("at", _pointer), ("count", _whole), ("room", _whole))


class AimStruct(ctypes.Structure):
    """Who fires at whom, and the ways that are found: `aim` in ways.c."""

    _fields_ = (
        *_members(_whole, "stages shooters targets nodes"),
        *_members(_pointer, "shooter target"),
        *(("laws", _pointer * MOST_STAGES), ("widths", _whole * MOST_STAGES), ("taken", _pointer * MOST_STAGES)),
        ("hits", _whole),
        *_members(_real, "least work most_work"),
        *_members(_whole, "places ways outcomes"),
        *(("chances", _pointer), ("place", ListStruct), ("factor", ListStruct * 2)),
        *_members(ListStruct, "outcome after"),
        *_members(_pointer, "first first_outcome"),
    )


class PairStruct(ctypes.Structure):
    """The fire of both sides: `fire_pair` in rounds.c."""

    _fields_ = (("at_columns", _pointer), ("at_rows", _pointer))


class MeetingStruct(ctypes.Structure):
    """What happens where two kinds meet: `meeting` in rounds.c."""

    _fields_ = (
        *(("strikes", _whole), ("strike", PairStruct), ("layer", _whole)),
        *(("salvo_there", _whole * MOST_LAYERS), ("salvo", PairStruct * MOST_LAYERS)),
        *(("quiet", _whole), ("quiet_rows", _pointer), ("quiet_columns", _pointer)),
    )


class FieldStruct(ctypes.Structure):
    """The cells of a battle: `field` in rounds.c."""

    _fields_ = (
        *_members(_whole, "rows columns layers row_kinds kinds"),
        *_members(_pointer, "row_kind kind_first kind_columns meetings fights stops moves_to"),
        *_members(_real, "eps least work most_work"),
    )


class FrontStruct(ctypes.Structure):
    """The lines of a side: `front` in levels.c."""

    _fields_ = (*_members(_whole, "lines ranks hits"), *_members(_pointer, "laws tails nodes fewest most"))


class LevelsStruct(ctypes.Structure):
    """A battle on lines: `levels` in levels.c."""

    _fields_ = (
        *_members(FrontStruct, "ours theirs"),
        *_members(_pointer, "kills shares"),
        *_members(_real, "eps least work most_work"),
    )


class ChoiceStruct(ctypes.Structure):
    """The attacker's choice: `choice` in kernel.h."""

    _fields_ = (
        *_members(_whole, "rows columns"),
        *_members(_pointer, "pays stays rules allowed"),
        *(("limits", _whole), ("payoff", _whole * MOST_LIMITS)),
        *(("limit", _real * MOST_LIMITS), ("gained", _whole * MOST_LIMITS), ("stops", _pointer)),
    )


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


def describe_aim(
    shooters: Numbers, targets: Numbers, laws: list[Numbers], taken: list[Numbers], trifle: float
) -> AimStruct:
    """Return the layout of the fire of some forces at others. All arrays must live as long as the result.

    Args:
        shooters: The nodes that fire.
        targets: The nodes under fire, in ascending order.
        laws: The hits of each stage: [node, hits].
        taken: The node that each number of hits leaves of each node, for each stage: [node, hits].
        trifle: Smaller chances are left out.
    """
    aim = AimStruct(len(laws), len(shooters), len(targets), len(taken[0]), address(shooters), address(targets))
    stages = slice(len(laws))
    aim.laws[stages], aim.taken[stages] = list(map(address, laws)), list(map(address, taken))
    aim.widths[stages] = [law.shape[1] for law in laws]
    aim.hits, aim.least = taken[0].shape[1], trifle
    return aim


def describe_choice(choice: "Choice | None") -> ChoiceStruct | None:
    """Return the layout of the attacker's choice.

    Args:
        choice: The choice. It must live as long as the result.
    """
    if not choice:
        return None
    payoffs, leasts, gained = zip(*choice.limits, strict=True) if choice.limits else ((), (), ())
    arrays = map(address, (choice.pays, choice.stays, choice.rules, choice.allowed))
    described = ChoiceStruct(*choice.stops.shape, *arrays, len(payoffs))
    described.payoff[: len(payoffs)], described.limit[: len(payoffs)] = payoffs, leasts
    described.gained[: len(payoffs)] = gained
    described.stops = address(choice.stops)
    return described


def run_metered(name: str, meter: Meter, described: Any, *arguments: Any) -> None:
    """Call a function of the compiled code that fights, and count its work.

    Args:
        name: Its name.
        meter: Counts the work.
        described: The layout of the battle.
        arguments: What else it is given.

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
        arguments: What it is given: structures, arrays, whole numbers, or places of single numbers.

    Raises:
        TooLargeError: If it is more work than is allowed.
        MemoryError: If there is too little memory.
    """
    loaded = library()
    assert loaded is not None, "it is there"
    failed = getattr(loaded, name)(*map(_as_argument, arguments))
    if failed == TOO_MUCH_WORK:
        raise TooLargeError("units", "this battle takes more work than is allowed")
    if failed == OUT_OF_MEMORY:
        raise MemoryError


def _as_argument(value: Any) -> Any:
    """Return a value in the form that ctypes takes."""
    if value is None or isinstance(value, int):
        return value if value is None else _whole(value)
    if isinstance(value, ctypes.Structure | _real):
        return ctypes.byref(value)
    return _pointer(address(value))
