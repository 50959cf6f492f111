"""About how much memory an answer takes that is kept."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction

SMALL = 60
"""About how many bytes a number or the frame of a small object takes."""


def size_of(answer: object) -> int:
    """Return about how many bytes an answer takes with its key; odds with what people will have asked of them."""
    if isinstance(answer, bytes | str):
        return 1_000 + len(answer)
    nbytes = getattr(answer, "nbytes", None)
    return 1_000 + _estimate(answer) if nbytes is None else 3_500 + int(nbytes)


def _estimate(value: object) -> int:
    """Add up the sizes of the parts of a value; of a long row of numbers only the length counts."""
    if isinstance(value, bytes | str):
        return SMALL + len(value)
    if isinstance(value, Mapping):
        return SMALL + sum(_estimate(name) + _estimate(part) for name, part in value.items())
    if isinstance(value, tuple | list | set | frozenset):
        if value and isinstance(next(iter(value)), int | float | None | Fraction):
            return SMALL + SMALL * len(value)
        return SMALL + sum(map(_estimate, value))
    if is_dataclass(value):
        return SMALL + sum(_estimate(getattr(value, field.name)) for field in fields(value))
    return SMALL + int(getattr(value, "nbytes", 0))
