"""Battles of Axis & Allies as JSON documents: what is said of all waves of a battle, and what of each."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from solver.documents import check_fields, check_nulls, list_from, within
from solver.errors import BattleError, shown
from solver.sides import RETREATS, SIDES, Retreat, Side
from solver.worth import Worth

SHARED = ("theatre", "dice", "deadzone", "territory_value", "decline_allowed", "aa_already_fired", "worth", "waves")
"""What the document of a battle says of all its waves."""


def shared_fields(document: Mapping[str, Any], more: Sequence[str] = ()) -> tuple[dict[str, Any], list[Any]]:
    """What the document of a battle says of all its waves, and the documents of these; `more` may stand there too."""
    check_nulls(document)
    check_fields(document, {"game", *SHARED, *more})
    waves = list_from(document, "waves") if "waves" in document else []
    given: dict[str, Any] = {"theatre": "land"}
    given |= {name: document[name] for name in ("theatre", "dice", "territory_value") if name in document}
    for name in ("deadzone", "decline_allowed", "aa_already_fired", *more):
        if name in document:
            given[name] = _truth(document, name)
    if "worth" in document:
        given["worth"] = within("worth", partial(Worth.from_dict, document["worth"]))
    return given, waves


def wave_fields(wave: Any) -> dict[str, Any]:
    """What the document of a wave says of a battle; `hold` is who defends: see `Waves`."""
    given: dict[str, Any] = {}
    if not isinstance(wave, Mapping):
        raise BattleError("", "this must be an object, not {value}", value=shown(wave))
    flags = ("submerge", "keep_last_destroyer")
    crashes = ("crash_stranded_fighters", "crash_attacking_fighters")
    known = ("attacker", "defender", "round_limit", "retreat", *flags, *crashes, "retreat_ev_override")
    holds = {"previous_attackers_defend": "last", "earlier_captors_defend": "any"}
    check_fields(wave, {*known, *holds})
    if "earlier_captors_defend" in wave and not wave.get("previous_attackers_defend"):
        raise BattleError("earlier_captors_defend", "this works only with `previous_attackers_defend`")
    given["hold"] = next((holds[name] for name in reversed(holds) if name in wave and _truth(wave, name)), "")
    for name in SIDES:
        given[name] = within(name, partial(_side, wave.get(name, {}), name))
    given["retreat"] = within("retreat", partial(_retreat, wave.get("retreat", {})))
    for name in flags:
        given[name] = within(name, partial(_pair, wave.get(name, {})))
    given |= {name: _truth(wave, name) for name in crashes if name in wave}
    given |= within("retreat_ev_override", partial(_planned, wave.get("retreat_ev_override", {})))
    return given | {"round_limit": wave.get("round_limit")}


def _planned(document: Any) -> dict[str, Any]:
    check_fields(_object(document), {"deadzone", "territory_value"})
    deadzone = None if document.get("deadzone") is None else _truth(document, "deadzone")
    return {"planned_deadzone": deadzone, "planned_value": document.get("territory_value")}


def _side(document: Any, name: str) -> Side:
    more = {"keep_land"} if name == "attacker" else {"keep_land", "aa_second_last"}
    check_fields(_object(document), {"units", "loss_order", *more})
    units = within("units", partial(_object, document.get("units", {})))
    order = list_from(document, "loss_order") if "loss_order" in document else []
    if not all(isinstance(one, str) for one in order):
        raise BattleError("loss_order", "this must be a list of names")
    last = _truth(document, "aa_second_last") if "aa_second_last" in document else False
    return Side(tuple(units.items()), tuple(order), document.get("keep_land", 0), last)


def _retreat(document: Any) -> Retreat:
    check_fields(_object(document), {*RETREATS, "win_means"})
    return Retreat(**document)


def _pair(document: Any) -> tuple[bool, bool]:
    check_fields(_object(document), SIDES)
    ours, theirs = (_truth(document, name) if name in document else False for name in SIDES)
    return ours, theirs


def _truth(document: Mapping[str, Any], name: str) -> bool:
    if type(document[name]) is not bool:
        raise BattleError(name, "this must be true or false, not {value}", value=shown(document[name]))
    return bool(document[name])


def _object(document: Any) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise BattleError("", "this must be an object, not {value}", value=shown(document))
    return document
