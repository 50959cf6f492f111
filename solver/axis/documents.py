"""Reading battles of Axis & Allies from JSON documents: the fields of the whole battle and those of each wave."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from solver.axis.sides import RETREATS, SIDES, Army, Retreat
from solver.axis.worth import Worth
from solver.documents import check_fields, check_nulls, read_list, read_object, read_part
from solver.errors import BattleError, quoted

SHARED = ("theatre", "dice", "deadzone", "territory_value", "decline_allowed", "aa_already_fired", "worth", "waves")
"""The fields of a battle that hold for all its waves."""


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
    check_fields(document, {"game", *SHARED, *more})
    waves = read_list(document, "waves") if "waves" in document else []
    given: dict[str, Any] = {"theatre": "land"}
    given |= {name: document[name] for name in ("theatre", "dice", "territory_value") if name in document}
    for name in ("deadzone", "decline_allowed", "aa_already_fired", *more):
        if name in document:
            given[name] = _read_bool(document, name)
    if "worth" in document:
        given["worth"] = read_part("worth", partial(Worth.from_dict, document["worth"]))
    return given, waves


def read_wave_fields(wave: Any) -> dict[str, Any]:
    """Read the fields of one wave.

    Args:
        wave: The document of the wave.

    Returns:
        The arguments of `AxisBattle` that the fields give, and "hold": who defends, see `Waves`.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    given: dict[str, Any] = {}
    read_object(wave)
    flags = ("submerge", "keep_last_destroyer")
    crashes = ("crash_stranded_fighters", "crash_attacking_fighters")
    known = ("attacker", "defender", "round_limit", "retreat", *flags, *crashes, "kamikaze", "retreat_ev_override")
    holds = {"previous_attackers_defend": "last", "earlier_captors_defend": "any"}
    check_fields(wave, {*known, *holds})
    if "earlier_captors_defend" in wave and not wave.get("previous_attackers_defend"):
        raise BattleError("earlier_captors_defend", "this works only with `previous_attackers_defend`")
    given["hold"] = next((holds[name] for name in reversed(holds) if name in wave and _read_bool(wave, name)), "")
    for name in SIDES:
        given[name] = read_part(name, partial(_read_army, wave.get(name, {}), name))
    given["retreat"] = read_part("retreat", partial(_read_retreat, wave.get("retreat", {})))
    for name in flags:
        given[name] = read_part(name, partial(_read_pair, wave.get(name, {})))
    given |= {name: _read_bool(wave, name) for name in crashes if name in wave}
    if "kamikaze" in wave:
        given["kamikaze"] = tuple(read_part("kamikaze", partial(read_object, wave["kamikaze"])).items())
    given |= read_part("retreat_ev_override", partial(_read_override, wave.get("retreat_ev_override", {})))
    return given | {"round_limit": wave.get("round_limit")}


def _read_override(document: Any) -> dict[str, Any]:
    check_fields(read_object(document), {"deadzone", "territory_value"})
    deadzone = None if document.get("deadzone") is None else _read_bool(document, "deadzone")
    return {"planned_deadzone": deadzone, "planned_value": document.get("territory_value")}


def _read_army(document: Any, name: str) -> Army:
    more = {"keep_land"} if name == "attacker" else {"keep_land", "aa_second_last"}
    check_fields(read_object(document), {"units", "loss_order", *more})
    units = read_part("units", partial(read_object, document.get("units", {})))
    order = read_list(document, "loss_order") if "loss_order" in document else []
    if not all(isinstance(one, str) for one in order):
        raise BattleError("loss_order", "this must be a list of names")
    last = _read_bool(document, "aa_second_last") if "aa_second_last" in document else False
    return Army(tuple(units.items()), tuple(order), document.get("keep_land", 0), last)


def _read_retreat(document: Any) -> Retreat:
    check_fields(read_object(document), {*RETREATS, "win_means"})
    return Retreat(**document)


def _read_pair(document: Any) -> tuple[bool, bool]:
    check_fields(read_object(document), SIDES)
    ours, theirs = (_read_bool(document, name) if name in document else False for name in SIDES)
    return ours, theirs


def _read_bool(document: Mapping[str, Any], name: str) -> bool:
    if type(document[name]) is not bool:
        raise BattleError(name, "this must be true or false, not {value}", value=quoted(document[name]))
    return bool(document[name])
