"""Makes the units of an edition of those in a map file of TripleA, and lists what they have that is not known here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bot.editions import RESERVED, TWICE
from bot.errors import UserError
from bot.foreign.triplea import MapFile, Options, number
from bot.host_files import read_tables
from bot.notation.dice_options import OPTIONS
from bot.packs import FOLDER
from solver.axis.units import MOST_SHOTS

MOST_UNITS = 100
_NAMES = {"armour": "tank", "armor": "tank"}
"""Our names for units of TripleA, where they differ from its own."""
_FLAGS = {"isSub": "surprise", "isDestroyer": "screens", "canBombard": "bombards", "chooseBestRoll": "better_of_two"}
"""The fields of a unit that are true if an option is."""
_UNDERSTOOD = {
    *_FLAGS,
    *("attack", "defense", "isAir", "isSea", "hitPoints", "carrierCapacity", "carrierCost", "artillery"),
    *("artillerySupportable", "isAA", "isAAforCombatOnly", "maxAAattacks", "attackAA", "isStrategicBomber"),
    *("bombingBonus", "bombingTargets", "airAttack", "airDefense", "canIntercept", "canEscort", "attackRolls"),
    *("isFactory", "isInfrastructure", "isConstruction", "transportCapacity", "whenCombatDamaged"),
}
_OUTSIDE_BATTLES = {
    *("movement", "transportCost", "canBlitz", "isInfantry", "isLandTransport", "isLandTransportable"),
    *("isLandTransportation", "isAirTransport", "isAirTransportable", "canBeGivenByTerritoryTo", "isRocket"),
    *("canBeCapturedOnEnteringBy", "receivesAbilityWhenWith", "blockade", "canNotMoveDuringCombatMove"),
    *("canScramble", "maxScrambleDistance", "isMechanized", "requiresUnits", "tuv", "createsUnitsList"),
}
"""The options of a unit that are read, and those that change nothing in a battle."""
_DICE = "bombingMaxDieSides", "attackAAmaxDieSides"
"""The options that ask for nothing if they have the faces of the usual die."""


@dataclass
class Units:
    """The units of an edition.

    `tables` are those of its pack, by our names; `names` these by the names in the file; `left_out` what could not be
    taken over; `improvable` our names for the units that support more others with a technology.
    """

    tables: dict[str, dict[str, Any]]
    names: dict[str, str]
    left_out: list[str] = field(default_factory=list)
    improvable: set[str] = field(default_factory=set)


def read_units(game: MapFile) -> Units:
    """Make the units that fight; UserError if there are none, or too many."""
    fighting = [name for name in game.units if _fights(game.options_of("Unit", name))]
    if not 1 <= len(fighting) <= MOST_UNITS:
        raise UserError(f"An edition has 1 to {MOST_UNITS} kinds of units that fight; this game has {len(fighting)}.")
    units = Units({}, _names(fighting))
    if others := [name for name in game.units if name not in fighting]:
        units.left_out.append(f"units that do not fight: {', '.join(others)}")
    for name in fighting:
        units.tables[units.names[name]] = _unit(game, name, units)
    _add_supports(game, units)
    return units


def _fights(options: Options) -> bool:
    return any(count_of(options, name) for name in ("attack", "defense", "transportCapacity", "carrierCapacity")) or (
        is_set(options, "isAAforCombatOnly") or is_set(options, "isAA")
    )


def _names(units: Sequence[str]) -> dict[str, str]:
    """Return our name for each unit of the file: letters and underscores, each name once."""
    names: dict[str, str] = {}
    for unit in units:
        name = re.sub(r"[^a-z]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", unit).casefold()).strip("_")[:16] or "unit"
        name = _NAMES.get(name, name)
        while len(name) < 2 or name in {*names.values(), *RESERVED, *OPTIONS} - (TWICE - {*names.values()}):
            name += "x"
        names[unit] = name
    return names


def _unit(game: MapFile, name: str, units: Units) -> dict[str, Any]:
    """Return the table of a unit."""
    options = game.options_of("Unit", name)
    kind = "air" if is_set(options, "isAir") else "sea" if is_set(options, "isSea") else "land"
    ours = units.names[name]
    unit: dict[str, Any] = {
        "words": known_tables()["units"].get(ours, {}).get("words", [ours]),
        "kind": kind,
        "attack": strength_of(game, options, "attack"),
        "defence": strength_of(game, options, "defense"),
        "cost": _cost(game, name, units),
    }
    unit |= {ours: True for theirs, ours in _FLAGS.items() if is_set(options, theirs)}
    if count_of(options, "hitPoints") > 1:
        unit["hits"] = 2
    if count_of(options, "attackRolls") > 1 and "better_of_two" not in unit:
        unit["attack_dice"] = count_of(options, "attackRolls")
    unit |= _at_sea(game, options, kind) | _in_the_air(game, options, kind) | _gun(game, options, kind)
    known = _UNDERSTOOD | _OUTSIDE_BATTLES
    missing = [option for option in options if option not in known and _asks(game, options, option)]
    missing += ["hitPoints above 2"] * (count_of(options, "hitPoints") > 2)
    missing += ["shots of a ship or a plane"] * (kind != "land" and bool(_gun(game, options, "land")))
    if missing:
        units.left_out.append(f"{name}: {', '.join(missing)}")
    return unit


def _cost(game: MapFile, name: str, units: Units) -> float:
    """Return the first price of a unit, 0 if it has none; with another number of prices than one, note that."""
    prices = game.prices.get(name, [])
    if len(prices) != 1:
        units.left_out.append(f"{name}: its other prices" if prices else f"{name}: no price in the file")
    price = prices[0] if prices else 0
    return int(price) if price == int(price) else round(price, 2)


def _at_sea(game: MapFile, options: Options, kind: str) -> dict[str, Any]:
    """Return the fields that only ships have."""
    unit: dict[str, Any] = {}
    if kind != "sea":
        return unit
    if carries := count_of(options, "carrierCapacity"):
        damaged = "unitsMayNotLandOnCarrier" in options.get("whenCombatDamaged", ())
        unit |= {"carries": carries, "carries_damaged": 0 if damaged or count_of(options, "hitPoints") < 2 else carries}
    if is_set(options, "isSub"):
        strikes = game.has_set("Defending Subs Sneak Attack") or game.has_set("WW2V2")
        unit |= {"hunted": True} if not game.has_set("Air Attack Sub Restricted") else {}
        unit |= {} if strikes else {"surprise_defence": False}
    harmless = not count_of(options, "attack") and not count_of(options, "defense")
    if harmless and count_of(options, "transportCapacity") and game.has_set("Transport Casualties Restricted"):
        unit["defenceless"] = True
    return unit


def _in_the_air(game: MapFile, options: Options, kind: str) -> dict[str, Any]:
    """Return the fields that only planes have."""
    unit: dict[str, Any] = {}
    if kind != "air":
        return unit
    if count_of(options, "carrierCost") < 1:
        unit["land_based"] = True
    if is_set(options, "isStrategicBomber"):
        unit["raid"] = count_of(options, "bombingBonus")
        targets = [target for text in options.get("bombingTargets", ()) for target in text.split(":")]
        if targets and not any(is_set(game.options_of("Unit", target), "isFactory") for target in targets):
            unit["only_bases"] = True
    if game.has_set("Raids May Be Preceeded By Air Battles"):
        if is_set(options, "canEscort") or "raid" in unit:
            unit["air_attack"] = strength_of(game, options, "airAttack")
        if is_set(options, "canIntercept"):
            unit["air_defence"] = strength_of(game, options, "airDefense")
    return unit


def _gun(game: MapFile, options: Options, kind: str) -> dict[str, Any]:
    """Return the fields that only AA guns have."""
    if kind != "land" or not (is_set(options, "isAAforCombatOnly") or is_set(options, "isAA")):
        return {}
    shots = count_of(options, "maxAAattacks")
    gun: dict[str, Any] = {"antiaircraft": shots if shots > 0 else MOST_SHOTS}
    if count_of(options, "attackAA") > 1:
        gun["antiaircraft_hits"] = strength_of(game, options, "attackAA")
    # Guns of the old kind cannot be hit, as buildings.
    captured = is_set(options, "isAA") or is_set(options, "isInfrastructure")
    return gun | ({"captured": True} if captured else {})


def _add_supports(game: MapFile, units: Units) -> None:
    """Add to units what others do for their attack."""
    for name in units.names:
        options = game.options_of("Unit", name)
        if is_set(options, "artillery"):
            supported = [one for one in units.names if is_set(game.options_of("Unit", one), "artillerySupportable")]
            _add_support(game, units, name, supported, 1, 1)
            units.improvable.add(units.names[name])
    for attachment in game.supports:
        if attachment.to not in units.names:
            continue
        options = attachment.options
        supported = [one for text in options.get("unitType", ()) for one in text.split(":") if one in units.names]
        simple = [options.get(name, [""])[-1] for name in ("side", "dice", "faction")]
        if simple == ["offence", "strength", "allied"] and count_of(options, "bonus") > 0:
            bonus, most = (count_of(options, name) for name in ("bonus", "number"))
            _add_support(game, units, attachment.to, supported, bonus, most)
            units.improvable |= {units.names[attachment.to]} if is_set(options, "impArtTech") else set()
        else:
            units.left_out.append(f"{attachment.to}: its support {' '.join(simple)} for {', '.join(supported)}")


def _add_support(
    game: MapFile, units: Units, supporter: str, supported: Sequence[str], bonus: int, number_of: int
) -> None:
    table, name = units.tables[units.names[supporter]], units.names[supporter]
    if number_of > 1:
        table["supports"] = number_of
    for one in supported:
        unit = units.tables[units.names[one]]
        attack = as_strength(game, unit["attack"] + bonus)
        boost = unit.setdefault("boost", {"attack": attack, "by": []})
        if boost["attack"] == attack:
            boost["by"] += [name] * (name not in boost["by"])
        else:
            units.left_out.append(f"{one}: the support of {supporter}, as another unit supports it with another bonus")


@lru_cache(1)
def known_tables() -> dict[str, Any]:
    """Return the tables of 1940, whose words units and technologies of the same names take over."""
    known: dict[str, Any] = read_tables(FOLDER / "axis1940.toml")["1940"]
    return known


def is_set(options: Options, name: str) -> bool:
    """Return whether an option is true."""
    return any(value.casefold() == "true" for value in options.get(name, ()))


def _asks(game: MapFile, options: Options, name: str) -> bool:
    nothing = ("", "false", "0", *([str(game.faces)] if name in _DICE else []))
    return any(value.casefold() not in nothing for value in options[name])


def count_of(options: Options, name: str) -> int:
    """Return the last number that an option has; 0 if it has none."""
    return number(options[name][-1]) if name in options else 0


def strength_of(game: MapFile, options: Options, name: str) -> int:
    """Return the last number that an option has as a strength; 0 if it has none."""
    return as_strength(game, count_of(options, name))


def as_strength(game: MapFile, value: int) -> int:
    """Return the strength that hits as often as this number: no die has more faces than the game's."""
    return min(value, game.faces)
