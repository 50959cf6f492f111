"""Battles of Axis & Allies 1942 for the tests: the rules of the pack, and short ways to write a battle's document."""

import tomllib
from pathlib import Path
from typing import Any

from solver.axis.battle import AxisBattle
from solver.axis.packs import rules_of_pack
from solver.axis.sides import Army
from solver.axis.units import ORDERS, Theatre

CONFIG = Path(__file__).parents[3] / "config" / "games" / "axis1942.toml"
PACK: dict[str, Any] = tomllib.loads(CONFIG.read_text())["1942"]
"""The pack as it is written."""

NUMBERS: dict[str, Any] = {name: PACK[name] for name in (*ORDERS, "land_rounds") if name in PACK} | {
    "units": {name: {field: unit[field] for field in unit if field != "words"} for name, unit in PACK["units"].items()}
}
"""The part of it that is not words."""

RULES = rules_of_pack("axis1942", NUMBERS)

LANDED = ["amphibious_infantry", "infantry", "amphibious_artillery", "artillery", "amphibious_tank", "tank"]
LAST = ["damaged_battleship", "battleship", "transport"]
ATTACK = {
    "land": [*LANDED, "fighter", "bomber"],
    "sea": ["submarine", "destroyer", "fighter", "carrier", "cruiser", "bomber", *LAST],
}
DEFENCE = {
    "land": ["aa_gun", "infantry", "artillery", "tank", "bomber", "fighter"],
    "sea": ["submarine", "destroyer", "carrier", "cruiser", "fighter", "bomber", *LAST],
}
DESTROYERS_FIRST = ("destroyer", "submarine", "carrier", "cruiser", "fighter", "bomber", "battleship")


def document(
    attackers: dict[str, int], defenders: dict[str, int], *, theatre: str = "land", **rules: Any
) -> dict[str, Any]:
    """A battle's document; `rules` are fields of a wave, of a side, or of the battle."""
    ours: dict[str, Any] = {"units": attackers, "loss_order": rules.pop("attack_order", ATTACK[theatre])}
    theirs: dict[str, Any] = {"units": defenders, "loss_order": rules.pop("defence_order", DEFENCE[theatre])}
    if "keep_land" in rules:
        ours["keep_land"] = rules.pop("keep_land")
    keep, guns_last = rules.pop("keep_defenders", 0), rules.pop("aa_second_last", None)
    if keep:
        theirs["keep_land"] = keep
    elif guns_last is not None:
        theirs["aa_second_last"] = guns_last
    of_battle = ("dice", "deadzone", "territory_value", "decline_allowed", "aa_already_fired", "worth")
    battle = {name: rules.pop(name) for name in of_battle if name in rules}
    return {
        "game": "axis1942",
        "theatre": theatre,
        **battle,
        "waves": [{"attacker": ours, "defender": theirs, **rules}],
    }


def units(text: str, *order: str, **more: Any) -> Army:
    """A side from "3 infantry, 1 tank"."""
    pairs = (part.split() for part in text.split(", ")) if text else ()
    return Army.of({name: int(count) for count, name in pairs}, *order, **more)


def battle(theatre: Theatre, ours: str | Army, theirs: str | Army, **rules: Any) -> AxisBattle:
    attacker, defender = (units(side) if isinstance(side, str) else side for side in (ours, theirs))
    return AxisBattle(RULES, theatre, attacker, defender, **rules)


def fleets(many: int) -> AxisBattle:
    """A battle at sea with so many units of each kind on both sides."""
    theirs = ", ".join(f"{many} {name}" for name in ATTACK["sea"] if name not in ("bomber", "damaged_battleship"))
    return battle("sea", f"{theirs}, {many} bomber", theirs, keep_last_destroyer=(True, True))
