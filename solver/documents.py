"""Reading JSON documents: the parts of a battle's document, each refused with the name of the field that is wrong."""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from solver.dice import Pool
from solver.errors import BattleError, shown
from solver.icons import Faces
from solver.reshape import Reshape
from solver.ships import SHIPS, Ships
from solver.sides import RETREATS

Made = TypeVar("Made")


def told_chance(of: float) -> float:
    """A chance as documents show it: a sum that rounding has put just below 0 or above 1 is 0 or 1."""
    return min(max(0.0, of), 1.0)


def told_chances(of: Iterable[float]) -> list[float]:
    """Several chances as documents show them."""
    return [told_chance(float(chance)) for chance in of]


def check_fields(document: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse a field that there is not."""
    for name in document:
        if name not in known:
            raise BattleError(
                str(name), "there is no such field; the fields are {known}", known=", ".join(sorted(known))
            )


NULLABLE: set[tuple[str, ...]] = {
    *((name,) for name in ("rounds", "value", "reshape", "clamp")),
    *(("legs", name) for name in ("rounds", "value", "reshape")),
    *((side, "clamp") for side in ("attack", "defence")),
    ("waves", "round_limit"),
    *(("retreat", name) for name in (*RETREATS, "win_means")),
    ("retreat_ev_override", "deadzone"),
    ("retreat_ev_override", "territory_value"),
    ("recommend", "minimum"),
}
"""The fields in which null stands for none, each with the field it stands in."""


def check_nulls(document: Any) -> None:
    """Refuse null wherever it stands, but in the fields in which it stands for none."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), document)]
    while waiting:
        place, value = waiting.pop()
        names = tuple(part for part in place if not part.isdigit())
        if value is None and (place[-1:] != names[-1:] or names[-2:] not in NULLABLE):
            raise BattleError(".".join(place), "this needs a value, not null")
        inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
        waiting += reversed([((*place, str(name)), part) for name, part in inside])


def within(field: str, read: Callable[[], Made]) -> Made:
    """What is read from inside a field; an error there names the field too."""
    try:
        return read()
    except BattleError as error:
        raise error.inside(field) from None


def pool_from(document: Any, usual: Pool) -> Pool:
    """The dice of one side of classic Risk and its relatives."""
    check_fields(object_from(document), {"dice", "rerolls", "bonus", "clamp"})
    clamp = document.get("clamp")
    if clamp is not None:
        ends = list_from(document, "clamp")
        if len(ends) != 2:
            raise BattleError("clamp", "give two numbers, the lowest and the highest value")
        clamp = (ends[0], ends[1])
    dice = tuple(list_from(document, "dice")) if "dice" in document else usual.dice
    bonus = tuple(list_from(document, "bonus")) if "bonus" in document else ()
    return Pool(dice, document.get("rerolls", 0), bonus, clamp)


def fleet_from(document: Any, usual: Pool) -> tuple[Pool, Ships]:
    """The dice and the ships of one side of Star Wars Risk."""
    check_fields(object_from(document), {*SHIPS, "dice"})
    pool = Pool(tuple(list_from(document, "dice")) if "dice" in document else usual.dice)
    if set(pool.dice) != {6}:
        raise BattleError("dice", "in Star Wars Risk only capital ships change the sides of a die")
    return pool, Ships(**{kind: document[kind] for kind in SHIPS if kind in document})


def faces_from(document: Mapping[str, Any]) -> tuple[Faces, Faces]:
    """The icon dice of both sides: the same "faces" for both, or those of "attack" and of "defence"."""
    shared = Faces.of(list_from(document, "faces")) if "faces" in document else None
    dice = []
    for side in ("attack", "defence"):
        given = document.get(side, {})
        own = within(side, partial(_own_faces, given))
        if own:
            dice.append(own)
        elif shared or dice:
            dice.append(shared or dice[0])
        else:
            raise BattleError("faces", 'give the faces of the dice, such as ["AAD", "A", "D", ""]')
    return dice[0], dice[1]


def _own_faces(document: Any) -> Faces | None:
    check_fields(object_from(document), {"faces"})
    return Faces.of(list_from(document, "faces")) if "faces" in document else None


def reshape_from(document: Any) -> Reshape:
    """A reshaping of the odds."""
    check_fields(object_from(document), {"certain", "win_power", "cut", "end_power"})
    return Reshape(**document)


def quotient(chance: Fraction) -> str:
    """A fraction as documents write it, "p/q" also where it is whole."""
    return f"{chance.numerator}/{chance.denominator}"


def list_from(document: Mapping[str, Any], name: str) -> list[Any]:
    """A field that holds a list."""
    value = document[name]
    if not isinstance(value, list):
        raise BattleError(name, "this must be a list, not {value}", value=shown(value))
    return value


def object_from(document: Any) -> Mapping[str, Any]:
    """A document that holds fields."""
    if not isinstance(document, Mapping):
        raise BattleError("", "this must be an object, not {value}", value=shown(document))
    return document
