"""JSON documents of battles of Axis & Allies: a row for each field of the whole battle, and of a wave."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from functools import partial
from typing import Any, NamedTuple, get_args

from solver.axis.sides import EVERYBODY, RETREATS, SIDES, Army, DefenderRetreat, Retreat
from solver.axis.units import Theatre
from solver.axis.worth import Worth
from solver.documents import check_fields, check_nulls, read_list, read_object, read_part
from solver.errors import BattleError, check_choice, check_flag


class Field(NamedTuple):
    """A field of a document and of the battle: its name, how its value is read, and how it is written.

    Where it is `optional`, it is not written if it is empty.
    """

    name: str
    read: Callable[[Any], Any] = lambda value: value
    write: Callable[[Any], Any] = lambda value: value
    optional: bool = False


def read_shared_fields(document: Mapping[str, Any], more: Sequence[str] = ()) -> tuple[dict[str, Any], list[Any]]:
    """Read the fields of a battle that hold for all its waves.

    Args:
        document: The fields of the battle.
        more: The names of further fields, which must be true or false.

    Returns:
        The arguments of `AxisBattle` that the fields give, and the documents of the waves, not yet read.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    check_nulls(document)
    check_fields(document, _KNOWN.union(more) if more else _KNOWN)
    waves = read_list(document, "waves") if "waves" in document else []
    values = _read_fields(document, SHARED_FIELDS)
    values |= _read_fields(document, [Field(name, _read_bool) for name in more])
    if not waves:
        raise BattleError("waves", "give one wave or more")
    values = {"theatre": "land"} | values
    check_choice("theatre", values["theatre"], get_args(Theatre), "the {name} must be one of {known}, not {value}")
    return values, waves


class Rows(tuple[Field, ...]):
    """The rows of a wave: those that all games of this kind have, and one for each other field that is true or false.

    Attributes:
        names: The names of all fields that the document of a wave may have.
    """

    names: frozenset[str]


def rows_of_wave(battle_type: type) -> Rows:
    """Return the rows of a wave: one more for each field of its battle that is true or false and has none.

    Args:
        battle_type: The dataclass of the battle.
    """
    flags = [field.name for field in fields(battle_type) if field.type is bool]
    named = {row.name for row in (*SHARED_FIELDS, *WAVE_FIELDS)}
    rows = Rows((*WAVE_FIELDS, *(Field(name, _read_bool) for name in flags if name not in named)))
    rows.names = frozenset({*(row.name for row in rows), "retreat_ev_override", *HOLDS})
    return rows


def read_wave_fields(wave: Any, rows: Rows) -> dict[str, Any]:
    """Read the fields of one wave.

    Args:
        wave: The document of the wave.
        rows: The rows of its fields.

    Returns:
        The arguments of `AxisBattle` that the fields give, and "hold": who defends, see `Waves`.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    check_fields(read_object(wave), rows.names)
    if "earlier_captors_defend" in wave and not wave.get("previous_attackers_defend"):
        raise BattleError("earlier_captors_defend", "this works only with `previous_attackers_defend`")
    held = _read_fields(wave, _HOLD_ROWS)
    values = {"hold": next((HOLDS[name] for name in held if held[name]), ""), **{name: Army(()) for name in SIDES}}
    values |= _read_fields(wave, rows)
    override = wave.get("retreat_ev_override")
    if override is None and "retreat_ev_override" not in wave:
        return values
    return values | read_part("retreat_ev_override", partial(_read_override, override))


def write_fields(battle: Any, rows: Sequence[Field]) -> dict[str, Any]:
    """Return the fields of a document.

    Args:
        battle: The battle.
        rows: The rows of the fields.
    """
    values = [(row, getattr(battle, row.name)) for row in rows]
    return {row.name: row.write(value) for row, value in values if value or not row.optional}


def _read_fields(document: Mapping[str, Any], rows: Sequence[Field]) -> dict[str, Any]:
    """Return the values of those fields that a document has."""
    values, name = {}, ""
    try:
        for name, read, *_ in rows:
            if name in document:
                values[name] = read(document[name])
    except BattleError as error:
        raise error.with_prefix(name) from None
    return values


def _read_override(document: Any) -> dict[str, Any]:
    check_fields(read_object(document), {"deadzone", "territory_value"})
    present = {name: value for name, value in document.items() if value is not None}
    return {
        "planned_deadzone": _read_fields(present, [Field("deadzone", _read_bool)]).get("deadzone"),
        "planned_value": document.get("territory_value"),
    }


def _read_army(document: Any, name: str) -> Army:
    check_fields(read_object(document), _ARMY_FIELDS[name])
    units = document.get("units", {})
    units = units if type(units) is dict else read_part("units", partial(read_object, units))
    order = read_list(document, "loss_order") if "loss_order" in document else []
    if not all(isinstance(name, str) for name in order):
        raise BattleError("loss_order", "this must be a list of names")
    last = _read_fields(document, _LAST_ROWS)
    return Army(tuple(units.items()), tuple(order), document.get("keep_land", 0), **last)


def _write_attacker(army: Army) -> dict[str, Any]:
    return {"units": dict(army.units), "loss_order": list(army.loss_order), "keep_land": army.keep_land}


def _write_defender(army: Army) -> dict[str, Any]:
    document = {"units": dict(army.units), "loss_order": list(army.loss_order), "aa_second_last": army.aa_second_last}
    return document | ({"keep_land": army.keep_land} if army.keep_land else {})


def _read_retreat(document: Any) -> Retreat:
    check_fields(read_object(document), {*RETREATS, "win_means", "transports_alone"})
    return Retreat(**document)


def _write_retreat(retreat: Retreat) -> dict[str, Any]:
    alone = {"transports_alone": True} if retreat.transports_alone else {}
    return {name: getattr(retreat, name) for name in (*RETREATS, "win_means")} | alone


def _read_defender_retreat(document: Any) -> DefenderRetreat:
    check_fields(read_object(document), {"rounds", "units_at_most"})
    return DefenderRetreat(**document)


def _write_defender_retreat(plan: DefenderRetreat) -> dict[str, int]:
    return {name: limit for name, limit in asdict(plan).items() if limit is not None}


def _read_pair(document: Any) -> tuple[bool, bool]:
    check_fields(read_object(document), SIDES)
    values = dict.fromkeys(SIDES, False) | _read_fields(document, [Field(name, _read_bool) for name in SIDES])
    return values["attacker"], values["defender"]


def _read_numbers(document: Any) -> tuple[int, int]:
    check_fields(read_object(document), SIDES)
    return document.get("attacker", False), document.get("defender", False)


def _write_numbers(pair: tuple[int, int]) -> dict[str, int]:
    return {name: number if 0 < number < EVERYBODY else bool(number) for name, number in zip(SIDES, pair, strict=True)}


def _write_pair(pair: tuple[bool, bool]) -> dict[str, bool]:
    return dict(zip(SIDES, pair, strict=True))


def _read_bool(value: Any) -> bool:
    check_flag("", value)
    return bool(value)


HOLDS = {"previous_attackers_defend": "last", "earlier_captors_defend": "any"}
"""The fields that say who defends in a wave, and what they mean: see `Waves`."""
_HOLD_ROWS = [Field(name, _read_bool) for name in reversed(HOLDS)]
_LAST_ROWS = [Field("aa_second_last", _read_bool)]
_ARMY_FIELDS = {
    "attacker": {"units", "loss_order", "keep_land"},
    "defender": {"units", "loss_order", "keep_land", "aa_second_last"},
}
SHARED_FIELDS = (
    Field("theatre"),
    Field("dice"),
    Field("deadzone", _read_bool),
    Field("territory_value"),
    Field("decline_allowed", _read_bool),
    Field("aa_already_fired", _read_bool),
    Field("worth", Worth.from_dict, Worth.to_dict),
)
"""The fields of a battle that hold for all its waves."""
WAVE_FIELDS = (
    Field("attacker", partial(_read_army, name="attacker"), _write_attacker),
    Field("defender", partial(_read_army, name="defender"), _write_defender),
    Field("round_limit"),
    Field("retreat", _read_retreat, _write_retreat),
    Field("defender_retreat", _read_defender_retreat, _write_defender_retreat, optional=True),
    Field("submerge", _read_numbers, _write_numbers),
    Field("keep_last_destroyer", _read_pair, _write_pair),
    Field("kamikaze", lambda document: tuple(read_object(document).items()), dict, optional=True),
)
"""The fields of a wave that are fields of its battle, but for those that are only true or false."""
SHARED = *(field.name for field in SHARED_FIELDS), "waves"
"""The names of the fields that hold for all waves."""
_KNOWN = frozenset({"game", *SHARED})
