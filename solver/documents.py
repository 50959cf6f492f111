"""Reading and writing JSON documents: the checks that all games share, which name the field that is wrong."""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from solver.errors import BattleError, check_flag, quoted

Made = TypeVar("Made")
PLAIN = {str, int, float, bool}
"""The types of values with nothing inside."""
DEEPEST = 8
"""How deep a document is looked into in the quick way."""
MOST_LISTED = 5_000
"""How many endings a list of all endings has, the likeliest."""

NULLABLE: set[tuple[str, ...]] = {
    ("rounds",),
    ("value",),
    ("reshape",),
    ("clamp",),
    ("legs", "rounds"),
    ("legs", "value"),
    ("legs", "reshape"),
    ("attack", "clamp"),
    ("defence", "clamp"),
    ("waves", "round_limit"),
    ("retreat", "units_at_most"),
    ("retreat", "profit_below"),
    ("retreat", "win_chance_below"),
    ("retreat", "clear_chance_above"),
    ("retreat", "air_loss_chance_above"),
    ("retreat", "win_means"),
    ("retreat_ev_override", "deadzone"),
    ("retreat_ev_override", "territory_value"),
    ("recommend", "minimum"),
}
"""The fields that may be null, each after the field that it is part of."""


def clamp_chance(chance: float) -> float:
    """Return a probability for a document: between 0 and 1, though rounding may have left a sum just outside.

    Args:
        chance: The probability.
    """
    return min(max(0.0, chance), 1.0)


def clamp_chances(chances: Iterable[float]) -> list[float]:
    """Return probabilities for a document: see `clamp_chance`.

    Args:
        chances: The probabilities.
    """
    import numpy as np  # Callers with chances have loaded it; reading documents alone does not need it.

    if isinstance(chances, np.ndarray):
        clamped: list[float] = np.minimum(np.maximum(chances, 0.0), 1.0).tolist()
        return clamped
    return [clamp_chance(float(chance)) for chance in chances]


def quotient(chance: Fraction) -> str:
    """Return a fraction for a document: "p/q", even if it is whole.

    Args:
        chance: The fraction.
    """
    return f"{chance.numerator}/{chance.denominator}"


def check_fields(document: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse unknown fields.

    Args:
        document: The fields of a document.
        known: The names of all fields that it may have.

    Raises:
        BattleError: A field is unknown.
    """
    for name in document:
        if name not in known:
            raise BattleError(
                str(name), "there is no such field; the fields are {known}", known=", ".join(sorted(known))
            )


def check_nulls(document: Any) -> None:
    """Refuse null anywhere in a document except in the fields `NULLABLE`.

    Args:
        document: Any JSON value.

    Raises:
        BattleError: Another field is null.
    """
    if type(document) is dict and _has_no_odd_null(document, (), 0):
        return
    waiting: list[tuple[tuple[str, ...], Any]] = [((), document)]
    while waiting:
        place, value = waiting.pop()
        if value is None:
            names = tuple(part for part in place if not part.isdigit())
            if place[-1:] != names[-1:] or names[-2:] not in NULLABLE:
                raise BattleError(".".join(place), "this needs a value, not null")
        inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
        waiting += reversed([((*place, str(name)), part) for name, part in inside])


def _has_no_odd_null(part: Any, place: tuple[str, ...], depth: int) -> bool:
    """Whether a quick look at a part of a document finds no null but in `NULLABLE`, and nothing that lies too deep.

    `place` is the field of the part.
    """
    if type(part) not in (list, dict) or depth > DEEPEST:
        return type(part) in PLAIN
    named = part.items() if type(part) is dict else ((None, value) for value in part)
    for name, value in named:
        if type(value) in PLAIN:
            continue
        here = place if name is None else (*place[-1:], name)
        fine = here in NULLABLE and name is not None if value is None else _has_no_odd_null(value, here, depth + 1)
        if not fine:
            return False
    return True


def read_part(field: str, read: Callable[[], Made]) -> Made:
    """Read a part of a document, and name its field in every error.

    Args:
        field: The field that holds the part.
        read: Reads the part.

    Raises:
        BattleError: `read` raised it; its field begins with `field` now.
    """
    try:
        return read()
    except BattleError as error:
        raise error.with_prefix(field) from None


def read_list(document: Mapping[str, Any], name: str) -> list[Any]:
    """Return a field that must be a list.

    Args:
        document: The fields of a document.
        name: The name of the field, which must be there.

    Raises:
        BattleError: It is something else.
    """
    value = document[name]
    if not isinstance(value, list):
        raise BattleError(name, "this must be a list, not {value}", value=quoted(value))
    return value


def read_object(document: Any) -> Mapping[str, Any]:
    """Return a value that must be a JSON object.

    Args:
        document: Any JSON value.

    Raises:
        BattleError: It is something else.
    """
    if not isinstance(document, Mapping):
        raise BattleError("", "this must be an object, not {value}", value=quoted(document))
    return document


def take_flag(document: dict[str, Any], name: str) -> bool:
    """Take a field about the question, such as "exact", out of a document, and return whether it is true.

    Args:
        document: The fields of a question; the field is removed.
        name: The field.

    Raises:
        BattleError: The field is neither true nor false.
    """
    value: bool = document.pop(name, False)
    check_flag(name, value)
    return value
