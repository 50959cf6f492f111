"""Reads the rule packs of Axis & Allies: the units, technologies and rules of an edition in a file of config/games."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

from solver.axis.units import EDITION_RULES, ORDERS, ROLES, Rules, Unit, check_flags, check_names
from solver.documents import check_fields, read_part
from solver.errors import BattleError, quoted

_FLAGS = {field.name for field in fields(Unit) if field.type is bool}
_FIELDS = {field.name for field in fields(Unit)} - {"name", "amphibious", "repaired", "by", "form_of", "technology"}
"""The fields of a unit in a rule pack."""
_IN_RAIDS = "raid", "only_bases", "air_attack", "air_defence"
"""The fields that matter only in raids. They do not go over to the form that a technology makes of a unit."""


def rules_of_pack(key: str, document: Mapping[str, Any]) -> Rules:
    """Return the rules of a rule pack.

    Args:
        key: The name of the edition.
        document: The pack: a table `units`, a table `technologies`, the orders of loss by the names in `ORDERS`,
            and the names in `EDITION_RULES`.

    Raises:
        BattleError: If something is missing or wrong; it names the field.
    """
    tables = document.get("units")
    if not isinstance(tables, Mapping) or not tables:
        raise BattleError("units", "give a table of units")
    units = [read_part(f"units.{name}", partial(_unit, name, table)) for name, table in tables.items()]
    orders = []
    for name in ORDERS:
        order = document.get(name)
        if not isinstance(order, list) or not all(isinstance(unit, str) for unit in order):
            raise BattleError(name, "give a list of units, first casualty first")
        orders.append(tuple(order))
    more = {name: document[name] for name in EDITION_RULES if name in document}
    forms = _read_forms(tables, document.get("technologies", {}))
    return Rules(key, *_with_forms(units, forms, orders), **more)


def _unit(name: str, table: Any) -> Unit:
    """The unit of a table in a rule pack."""
    if not isinstance(table, Mapping):
        raise BattleError("", "this must be a table, not {value}", value=quoted(table))
    check_fields(table, _FIELDS)
    for field in ("kind", "attack", "defence", "cost"):
        if field not in table:
            raise BattleError(field, "it is missing")
    values = dict(table)
    boost, supremacy = values.pop("boost", None), values.pop("supremacy", None)
    if boost is not None:
        known = isinstance(boost, Mapping) and boost.keys() == {"attack", "by"} and boost["attack"] is not None
        if not known or not isinstance(boost["by"], list):
            raise BattleError("boost", 'write it as {attack = 2, by = ["artillery"]}')
        values |= {"boost": boost["attack"], "by": tuple(boost["by"])}
    if supremacy is not None:
        if not isinstance(supremacy, Mapping) or supremacy.keys() != set(ROLES):
            raise BattleError("supremacy", "write it as {attack = 4, defence = 4}")
        values["supremacy"] = supremacy["attack"], supremacy["defence"]
    check_flags({field: value for field, value in values.items() if field in _FLAGS})
    return Unit(name, **values)


def _read_forms(units: Mapping[str, Any], technologies: Any) -> list[Unit]:
    """The units that technologies make of others: these but for what the tables say, and without raids.

    `units` has the tables of all units, `technologies` for each technology a table of the units that it changes.
    """
    forms: list[Unit] = []
    if not isinstance(technologies, Mapping):
        raise BattleError("technologies", "give a table of technologies")
    for key, table in technologies.items():
        if not isinstance(table, Mapping) or not table:
            raise BattleError(f"technologies.{key}", "give a table for each unit that it changes")
        for base, changes in table.items():
            place = f"technologies.{key}.{base}"
            check_names(place, [base], units)
            if not isinstance(changes, Mapping) or not isinstance(changes.get("name"), str):
                raise BattleError(place, "give the name of the unit that it becomes, and what changes")
            if any(form.form_of == base for form in forms):
                raise BattleError(place, "another technology changes this unit already")
            plain = {field: value for field, value in units[base].items() if field not in _IN_RAIDS}
            changed = plain | {field: value for field, value in changes.items() if field != "name"}
            form = read_part(place, partial(_unit, changes["name"], changed))
            forms.append(replace(form, form_of=base, technology=key))
    return forms


def _with_forms(
    units: Sequence[Unit], forms: Sequence[Unit], orders: Sequence[tuple[str, ...]]
) -> tuple[tuple[Unit, ...], tuple[tuple[str, ...], ...]]:
    """The units, each with the forms that technologies make of it behind it, and the same in the orders of loss.

    Forms support the same kinds as the units do.
    """
    if len({unit.name for unit in (*units, *forms)}) < len(units) + len(forms):
        raise BattleError("technologies", "every unit and every form of one needs a name of its own")

    def beside(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(kind for name in names for kind in (name, *(form.name for form in forms if form.form_of == name)))

    known = {unit.name: replace(unit, by=beside(unit.by)) for unit in (*units, *forms)}
    every = beside(tuple(unit.name for unit in units))
    return tuple(known[name] for name in every), tuple(map(beside, orders))
