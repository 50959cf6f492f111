"""Reading the parts of a dice battle's JSON document: dice, ships, icon faces and reshaped odds."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from solver.dice.faces import Faces
from solver.dice.pools import RARE, Pool
from solver.dice.reshape import Reshape
from solver.dice.ships import SHIPS, Ships
from solver.documents import check_fields, read_list, read_object, read_part
from solver.errors import BattleError


def read_pool(document: Any, usual: Pool) -> Pool:
    """Read the dice of one side of classic Risk and its relatives.

    Args:
        document: The fields of the side.
        usual: The dice of a side that gives none.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    check_fields(read_object(document), {"dice", "rerolls", "bonus", "clamp", *RARE})
    clamp = None if document.get("clamp") is None else tuple(read_list(document, "clamp"))
    if clamp is not None and len(clamp) != 2:
        raise BattleError("clamp", "give two numbers, the lowest and the highest value")
    dice = tuple(read_list(document, "dice")) if "dice" in document else usual.dice
    bonus = tuple(read_list(document, "bonus")) if "bonus" in document else ()
    rare = {name: document[name] for name in RARE if name in document}
    return Pool(dice, document.get("rerolls", 0), bonus, clamp, **rare)


def read_fleet(document: Any, usual: Pool) -> tuple[Pool, Ships]:
    """Read the dice and the ships of one side of Star Wars Risk.

    Args:
        document: The fields of the side.
        usual: The dice of a side that gives none.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    check_fields(read_object(document), {*SHIPS, "dice"})
    pool = Pool(tuple(read_list(document, "dice")) if "dice" in document else usual.dice)
    if set(pool.dice) != {6}:
        raise BattleError("dice", "in Star Wars Risk only capital ships change the sides of a die")
    return pool, Ships(**{kind: document[kind] for kind in SHIPS if kind in document})


def read_faces(document: Mapping[str, Any]) -> tuple[Faces, Faces]:
    """Read the icon dice of both sides: "faces" for both, or those in "attack" and "defence".

    Args:
        document: The fields of a battle.

    Returns:
        The attacker's dice and the defender's.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    shared = _faces_of(document)
    dice: list[Faces] = []
    for side in ("attack", "defence"):
        own = read_part(side, partial(_own_faces, document.get(side, {}))) or shared or (dice[0] if dice else None)
        if own is None:
            raise BattleError("faces", 'give the faces of the dice, such as ["AAD", "A", "D", ""]')
        dice.append(own)
    return dice[0], dice[1]


def _own_faces(document: Any) -> Faces | None:
    check_fields(read_object(document), {"faces"})
    return _faces_of(document)


def _faces_of(document: Mapping[str, Any]) -> Faces | None:
    return Faces.of(read_list(document, "faces")) if "faces" in document else None


def read_reshape(document: Any) -> Reshape:
    """Read a reshaping of the odds.

    Args:
        document: The fields of the reshaping.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    check_fields(read_object(document), {"certain", "win_power", "cut", "end_power"})
    return Reshape(**document)
