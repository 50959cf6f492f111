"""Describes the battles of Axis & Allies to the compiled code: the layouts that the C files name."""

import ctypes
from typing import TYPE_CHECKING, Any

from solver.compiled.library import Numbers, address

if TYPE_CHECKING:
    from solver.axis.kernel.ground import Choice

MOST_LAYERS, MOST_LIMITS, MOST_STAGES = 4, 2, 3
TRIFLE = 1e-6
"""Pairs of outcomes to which no more than this part of `eps` would come are left out: compiled code looks at each."""

_whole, _real, _pointer = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p


def _members(kind: Any, names: str) -> list[tuple[str, Any]]:
    """The fields of a structure of one kind of numbers."""
    return [(name, kind) for name in names.split()]


class FireStruct(ctypes.Structure):
    """The fire of one side: `fire` in rounds.c."""

    _fields_ = (
        ("chances", _pointer),
        *_members(_whole, "width shooters"),
        *_members(_pointer, "row first place"),
        ("factor", _pointer * 2),
        *_members(_pointer, "first_outcome outcome after known"),
    )


class ListStruct(ctypes.Structure):
    """A list that grows: `list` in ways.c."""

    _fields_ = (("at", _pointer), ("count", _whole), ("room", _whole))


class AimStruct(ctypes.Structure):
    """The shooters, their targets, and the ways that are found: `aim` in ways.c."""

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
    """The phases of a round where two kinds meet: `meeting` in rounds.c."""

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
