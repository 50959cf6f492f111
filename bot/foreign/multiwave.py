"""Reads the question of another calculator, aacalc2: its MultiwaveInput becomes a document of a battle of ours."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from solver.axis.sides import MOST_UNITS
from solver.documents import check_fields, read_list, read_object, read_part
from solver.errors import BattleError, check_choice, check_count, check_flag, check_number

GAME = "axis1942"
UNITS = {
    "aa": "aa_gun",
    "inf": "infantry",
    "art": "artillery",
    "arm": "tank",
    "fig": "fighter",
    "bom": "bomber",
    "sub": "submarine",
    "tra": "transport",
    "des": "destroyer",
    "cru": "cruiser",
    "acc": "carrier",
    "bat": "battleship",
    "dbat": "damaged_battleship",
    "inf_a": "amphibious_infantry",
    "art_a": "amphibious_artillery",
    "arm_a": "amphibious_tank",
    "bat1": "battleship",
}
"""Our units by the calculator's names for them, the usual one of two names first."""
SIDES = {"attack": "attacker", "defense": "defender"}
_ARMY = {"units": "units", "ool": "loss_order", "takes": "keep_land", "aaLast": "aa_second_last"}
_WAVE = {
    "att_submerge": "submerge.attacker",
    "def_submerge": "submerge.defender",
    "att_dest_last": "keep_last_destroyer.attacker",
    "def_dest_last": "keep_last_destroyer.defender",
    "is_crash_fighters": "crash_stranded_fighters",
    "rounds": "round_limit",
    "retreat_threshold": "retreat.units_at_most",
    "retreat_expected_ipc_profit_threshold": "retreat.profit_below",
    "retreat_pwin_threshold": "retreat.win_chance_below",
    "pwinMode": "retreat.win_means",
    "retreat_strafe_threshold": "retreat.clear_chance_above",
    "retreat_lose_air_probability": "retreat.air_loss_chance_above",
    "use_attackers_from_previous_wave": "previous_attackers_defend",
    "ev_deadzone": "retreat_ev_override.deadzone",
    "ev_territory_value": "retreat_ev_override.territory_value",
}
_BATTLE = {
    "wave_info": "waves",
    "is_deadzone": "deadzone",
    "territory_value": "territory_value",
    "retreat_round_zero": "decline_allowed",
    "in_progress": "aa_already_fired",
    "ev_future_wave": "look_ahead",
}
"""Our fields by the calculator's names for them; a dot stands before a part of a field."""
_NOTHING = {"rounds": (100, 0, -1), "retreat_threshold": (0,), "retreat_lose_air_probability": (1,)}
"""The values with which a field of a wave asks for nothing."""
DICE = {"standard": "standard", "lowluck": "low_luck", "biased": "biased"}
_WINS = {"takes": "take", "destroys": "destroy"}
_WITHOUT_EFFECT: dict[str, Any] = {
    "debug": False,
    "num_runs": 1,
    "verbose_level": 0,
    "sortMode": None,
    "do_roundless_eval": True,
    "report_complexity_only": False,
    "experimentalConvolution": False,
    "multiwave_enforce_naval_fighters_carriers": False,
}
"""The fields that change nothing here, and the value with which each asks for nothing."""
_THRESHOLDS = "prune_threshold", "report_prune_threshold"
_ARMIES = "attackerList", "defenderList"
"""The fields of a MultiEvalInput, which asks about many battles at once."""
_KNOWN = {"is_naval", "diceMode", *_BATTLE, *_WITHOUT_EFFECT, *_THRESHOLDS}


class Multiwave(NamedTuple):
    """The question of a MultiwaveInput.

    Attributes:
        battle: The document of the battle as ours.
        remark: A sentence that names the fields without effect; empty if there are none.
        least: The smallest chance of a row of a table in an answer like the calculator's.
    """

    battle: dict[str, Any]
    remark: str
    least: float


def read_multiwave(document: Mapping[str, Any]) -> Multiwave:
    """Read a MultiwaveInput.

    Raises:
        BattleError: A field is wrong; the error has the calculator's name for it. `with_their_names` gives the errors
            of the battle such names, too.
    """
    if armies := next(filter(document.__contains__, _ARMIES), ""):
        raise BattleError(armies, "lists of armies are not read; ask about each battle on a line of its own")
    check_fields(document, _KNOWN)
    given = {name: value for name, value in document.items() if value is not None or name == "wave_info"}
    idle = [name for name, usual in _WITHOUT_EFFECT.items() if given.get(name, usual) != usual]
    for name in _THRESHOLDS:
        check_number(name, given.get(name, 0), 0, 1, "a chance must be {least} to {most}, not {value}")
    naval = given.get("is_naval", False)
    check_flag("is_naval", naval)
    waves = [wave for wave in read_list(given, "wave_info") if wave is not None]
    if len(waves) < 2:
        given.pop("ev_future_wave", None)  # No wave follows.
    battle: dict[str, Any] = {"game": GAME, "theatre": "sea" if naval else "land", "decline_allowed": True}
    battle["dice"] = choice("diceMode", given.get("diceMode", "standard"), DICE)
    battle |= {place: given[name] for name, place in _BATTLE.items() if name in given}
    battle["waves"] = [
        read_part(f"wave_info.{number}", partial(_read_wave, wave, naval, f"wave_info.{number}", idle))
        for number, wave in enumerate(waves)
    ]
    return Multiwave(battle, remark_of(idle), given.get("report_prune_threshold", 0))


def _read_wave(wave: Any, naval: bool, place: str, idle: list[str]) -> dict[str, Any]:
    """Return a wave as ours, and add its fields without effect to `idle`."""
    check_fields(read_object(wave), {*SIDES, *_WAVE})
    values: dict[str, Any] = {
        ours: read_part(side, partial(_read_army, wave[side]))
        for side, ours in SIDES.items()
        if wave.get(side) is not None
    }
    for side, name in (("attack", "aaLast"), ("defense", "takes")):
        if values.get(SIDES[side], {}).pop(_ARMY[name], None):
            idle.append(f"{place}.{side}.{name}")
    asked = {name: wave[name] for name in _WAVE if name in wave and wave[name] not in (None, *_NOTHING.get(name, ()))}
    if "pwinMode" in asked:
        mode = choice("pwinMode", asked.pop("pwinMode"), _WINS)
        if naval and mode == "take":
            idle.append(f"{place}.pwinMode")  # Nothing is taken at sea, so the attacker would always retreat.
        elif "retreat_pwin_threshold" in asked:
            asked["pwinMode"] = mode
    for name, value in asked.items():
        field, _dot, part = _WAVE[name].partition(".")
        if field == "submerge":
            check_flag(name, value)
        if part:
            values.setdefault(field, {})[part] = value
        else:
            values[field] = value
    return values


def _read_army(army: Any) -> dict[str, Any]:
    """Return an army as ours: two names of one unit are added up, and units of which there are none are left out."""
    check_fields(read_object(army), _ARMY)
    values = {_ARMY[name]: value for name, value in army.items() if value is not None}
    units: dict[str, int] = {}
    for name, count in read_part("units", partial(read_object, values.get("units", {}))).items():
        ours = choice("units", name, UNITS)
        # The calculator takes a negative number for none, and does not say so.
        check_count(f"units.{name}", count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")
        if count:
            units[ours] = units.get(ours, 0) + count
    values["units"] = units
    if "loss_order" in values:
        order = [choice("ool", name, UNITS) for name in read_list(army, "ool")]
        values["loss_order"] = list(dict.fromkeys(order))
    return values


def remark_of(idle: Sequence[str]) -> str:
    """Return the sentence that names fields without effect; empty if there are none."""
    return f"These fields have no effect here: {', '.join(idle)}." if idle else ""


def choice(name: str, value: Any, choices: Mapping[str, str]) -> str:
    """Return our word for a value of the calculator's; BattleError names the field and the values that it takes."""
    check_choice(name, value, tuple(choices), "the {name} must be one of {known}, not {value}")
    return choices[value]


def with_their_names(error: BattleError) -> BattleError:
    """Return an error about the document of the battle with the calculator's name for its field."""
    first, *parts = error.field.split(".")
    named = [_their_name(first, _BATTLE), *parts[:1]]
    if parts[1:2] and parts[1] in SIDES.values():
        named += [_their_name(part, names) for part, names in zip(parts[1:], (SIDES, _ARMY, UNITS), strict=False)]
    elif parts[1:]:
        named.append(_their_name(".".join(parts[1:]), _WAVE))
    return type(error)(".".join(named), error.text, **error.values)


def _their_name(ours: str, names: Mapping[str, str]) -> str:
    return next((name for name, place in names.items() if place == ours), ours)
