"""Makes the rules, the technologies and the orders of loss of an edition from a map file of TripleA."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.foreign.triplea import MapFile, Options, number
from bot.foreign.triplea_units import Units, as_strength, count_of, is_set, known_tables

_TECHNOLOGIES = {
    "jetPower": "jets",
    "superSub": "supersubs",
    "heavyBomber": "heavy",
    "aARadar": "radar",
    "improvedArtillerySupport": "artillery",
}
"""Our names for technologies of TripleA, where they differ from its own."""
_BONUSES = {"attackBonus": "attack", "defenseBonus": "defence", "radarBonus": "antiaircraft_hits"}
"""The fields of a unit to which an option of a technology adds."""
_ROLLS = "attackRollsBonus"
_USUAL_FACES = 6
_ARTILLERY = "improvedArtillerySupport"
_DRAWN = "Random AA Casualties"
_READ = {
    _DRAWN,
    "Air Attack Sub Restricted",
    "Defending Subs Sneak Attack",
    "WW2V2",
    "Transport Casualties Restricted",
    "Raids May Be Preceeded By Air Battles",
    "Naval Bombard Casualties Return Fire",
    "Shore Bombard Per Ground Unit Restricted",
    "Two HitPoint Units Require Repair Facilities",
    "Damage From Bombing Done To Units Instead Of Territories",
    "SBR Affects Unit Production",
    "Land Battle Rounds",
    "LHTR Heavy Bombers",
}
"""The properties of a game that are read."""


def read_rules(game: MapFile, units: Units) -> dict[str, Any]:
    """Return the rules of an edition and its orders of loss."""
    tables = units.tables
    rules: dict[str, Any] = {"faces": game.faces} if game.faces > _USUAL_FACES else {}
    if any(unit.get("bombards") for unit in tables.values()):
        if game.has_set("Shore Bombard Per Ground Unit Restricted"):
            rules["bombardment"] = "TripleA's map file"
        if not game.has_set("Naval Bombard Casualties Return Fire"):
            rules["bombardment_first"] = True
    if game.has_set("Two HitPoint Units Require Repair Facilities"):
        rules["damage_stays"] = True
    if 0 < (rounds := _property(game, "Land Battle Rounds")) < 100:
        rules["land_rounds"] = rounds
    if any("raid" in unit for unit in tables.values()):
        rules |= _rules_of_raids(game, units)
    return rules | _rules_of_guns(game, tables) | _orders(tables)


def _rules_of_guns(game: MapFile, units: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return whether hits of guns take planes at random, which no plane may survive here."""
    tough = any(unit["kind"] == "air" and unit.get("hits", 1) > 1 for unit in units.values())
    is_drawn = game.has_set(_DRAWN) and not game.has_set("Roll AA Individually")
    return {"antiaircraft_at_random": True} if is_drawn and not tough else {}


def _rules_of_raids(game: MapFile, units: Units) -> dict[str, Any]:
    """Return the rules for raids of bombers, and note if they are left out."""
    rules: dict[str, Any] = {}
    damages = game.has_set("Damage From Bombing Done To Units Instead Of Territories")
    if not damages and not game.has_set("SBR Affects Unit Production"):
        rules["raids_cost_money"] = True
    bases = [count_of(game.options_of("Unit", name), "maxDamage") for name in _bases(game)]
    if any(unit.get("only_bases") for unit in units.tables.values()) and any(bases):
        rules["base_points"] = max(bases)
    if game.faces > _USUAL_FACES:
        units.left_out.append(f"raids of bombers, as they are rolled with dice of {_USUAL_FACES} faces here")
    return rules


def _bases(game: MapFile) -> Iterator[str]:
    """Yield the buildings that bombers name as their targets, factories aside."""
    for name in game.units:
        for targets in game.options_of("Unit", name).get("bombingTargets", ()):
            yield from (one for one in targets.split(":") if not is_set(game.options_of("Unit", one), "isFactory"))


def _property(game: MapFile, name: str) -> int:
    text = game.properties.get(name, "")
    return number(text) if text else 0


def _orders(units: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the orders of loss: guns first, then the cheapest, on land planes after all others, at sea transports."""
    orders: dict[str, list[str]] = {}
    for theatre in ("land", "sea"):
        for role in ("attack", "defence"):
            there = [name for name, unit in units.items() if _is_lost(unit, theatre, role)]
            there.sort(key=lambda name: _place_in_order(units[name], theatre, role))
            orders[f"{theatre}_{role}"] = there
    return orders


def _is_lost(unit: Mapping[str, Any], theatre: str, role: str) -> bool:
    if unit["kind"] == "air":
        return theatre == "land" or role == "attack" or not unit.get("land_based")
    return bool(unit["kind"] == theatre) and not (role == "attack" and "antiaircraft" in unit and not unit["attack"])


def _place_in_order(unit: Mapping[str, Any], theatre: str, role: str) -> tuple[Any, ...]:
    late = unit["kind"] == "air" if theatre == "land" else unit.get("defenceless", False)
    worth = (unit[role], unit["cost"]) if late and theatre == "land" else (unit["cost"], unit[role])
    return "antiaircraft" not in unit, late, *worth


def read_technologies(game: MapFile, units: Units) -> dict[str, Any]:
    """Return the technologies that change what a unit does in a battle; others are left out."""
    technologies: dict[str, Any] = {}
    idle: list[str] = []
    changed: set[str] = set()
    for technology in game.technologies:
        key = _TECHNOLOGIES.get(technology, "".join(filter(str.isascii, technology.casefold())))
        key = "".join(filter(str.isalpha, key))[:20]
        changes = dict(_changes(game, units, technology))
        fresh = {name: change for name, change in changes.items() if name not in changed}
        if len(fresh) < len(changes):
            units.left_out.append(f"{technology}: its units that another technology changes already")
        if not fresh or key in technologies:
            idle.append(technology)
            continue
        changed |= fresh.keys()
        known = known_tables()["technologies"].get(key, {})
        technologies[key] = {"words": known.get("words", [key])}
        for name, change in fresh.items():
            form = f"{key[:9]}_{name}"[:18].strip("_")
            like = known.get(name, {"name": form, "words": [form]})
            technologies[key][name] = {"name": like["name"], "words": like["words"], **change}
    if idle:
        units.left_out.append(f"technologies without a known effect on a battle: {', '.join(idle)}")
    return technologies


def _changes(game: MapFile, units: Units, technology: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield our name for each unit that a technology changes, and its fields that change."""
    options: Options = game.options_of("TechAbility", technology)
    changes: dict[str, dict[str, Any]] = {}
    for option, values in options.items():
        for value in values:
            amount, _colon, name = value.partition(":")
            unit = units.names.get(name)
            if unit and option in _BONUSES:
                field = _BONUSES[option]
                strength = units.tables[unit].get(field, 1) + number(amount)
                changes.setdefault(unit, {})[field] = max(as_strength(game, strength), 0)
            elif unit and option == _ROLLS and "boost" not in units.tables[unit]:
                best = game.has_set("LHTR Heavy Bombers")
                dice = {"better_of_two": True} if best else {"attack_dice": number(amount) + 1}
                changes.setdefault(unit, {}).update(dice)
            else:
                units.left_out.append(f"{technology}: {option} {value}")
    if technology == _ARTILLERY:
        for unit in units.improvable:
            changes.setdefault(unit, {})["supports"] = 2
    yield from changes.items()


def unread_properties(game: MapFile) -> list[str]:
    """Return the properties of a game that ask for something, and that are not read."""
    return [
        name
        for name, value in game.properties.items()
        if name not in _READ and not name.endswith(" bid") and value.casefold() not in ("", "false", "0")
    ]
