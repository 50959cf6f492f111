"""Editions other than 1942 for the slow twins: their table of units, and who may hit whom at sea."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bot.editions import editions
from solver.axis.units import Rules
from tests.helpers.solver import axis_brute, axis_rules
from tests.helpers.solver.axis_rules import Sea, Unit

DICE = {"revised": 200, "aa-classic": 300, "aa50": 100, "1940": 100}
"""How heavy bombers roll: see `axis_rules.MORE_DICE`."""


@contextmanager
def twins_play(key: str) -> Iterator[Rules]:
    """Let the slow twins play an edition; yields its rules for the fast ways."""
    rules = editions()[key].rules
    kinds = {name: "gun" if unit.antiaircraft else unit.kind for name, unit in rules.table.items()}
    table = {name: Unit(one.attack, one.defence, int(one.cost), kinds[name]) for name, one in rules.table.items()}
    usual = axis_rules.UNITS, axis_rules.SEA, axis_rules.MORE_DICE
    shots = axis_rules.TWO_HITS, axis_rules.SHOTS, axis_rules.FACES, axis_rules.LONE_GUNS_FIRE
    axis_rules.UNITS, axis_rules.SEA = table | {"spare_hit": usual[0]["spare_hit"]}, _sea(rules)
    axis_rules.MORE_DICE = {"heavy_bomber": DICE.get(rules.edition, 0)}
    own = [rules.table[name] for name in rules.own[0]]
    axis_rules.TWO_HITS = ("battleship", *(unit.name for unit in own if unit.hits > 1))
    axis_rules.SHOTS = {"aa_gun": 3, **{unit.name: unit.antiaircraft for unit in own if unit.antiaircraft}}
    axis_rules.FACES, axis_rules.LONE_GUNS_FIRE = rules.faces, rules.lone_guns_fire
    _forget()
    try:
        yield rules
    finally:
        axis_rules.UNITS, axis_rules.SEA, axis_rules.MORE_DICE = usual
        axis_rules.TWO_HITS, axis_rules.SHOTS, axis_rules.FACES, axis_rules.LONE_GUNS_FIRE = shots
        _forget()


def _sea(rules: Rules) -> Sea:
    sub = rules.table["submarine"]
    fights = not rules.table["transport"].defenceless
    return Sea(sub.hunted, not sub.surprise_defence, fights, rules.submerge_after)


def _forget() -> None:
    axis_brute._shot.cache_clear()
    axis_brute.hits.cache_clear()


def in_edition(battle: dict[str, Any], key: str) -> dict[str, Any]:
    """A battle's document in an edition: without the units that it does not have."""
    known, waves = editions()[key].rules.table, []
    for wave in battle["waves"]:
        sides = {}
        for name in ("attacker", "defender"):
            units = {unit: count for unit, count in wave[name]["units"].items() if unit in known}
            order = [unit for unit in wave[name]["loss_order"] if unit in known]
            sides[name] = wave[name] | {"units": units, "loss_order": order}
        waves.append(wave | sides)
    given = battle.get("worth", {}).items()
    worth = {name: {unit: of[unit] for unit in of if unit in known} if name != "measure" else of for name, of in given}
    return battle | {"worth": worth, "game": f"axis{key}", "waves": waves}
