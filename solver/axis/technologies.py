"""Technologies of a rule pack: the units that they make of others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from solver.documents import read_part
from solver.errors import BattleError, quoted

if TYPE_CHECKING:
    from solver.axis.units import Unit

_IN_RAIDS = "raid", "only_bases", "air_attack", "air_defence"
"""Fields that do not go over to a form."""


def read_forms(units: Mapping[str, Any], technologies: Any, read: Callable[[str, Any], "Unit"]) -> list["Unit"]:
    """Return the units that technologies make of others: these but for what the tables say, and without raids.

    Args:
        units: The tables of all units.
        technologies: For each technology a table of the units that it changes.
        read: Returns a unit from its name and its table.

    Raises:
        BattleError: If something is missing or wrong; it names the field.
    """
    found: list[Unit] = []
    if not isinstance(technologies, Mapping):
        raise BattleError("technologies", "give a table of technologies")
    for key, table in technologies.items():
        if not isinstance(table, Mapping) or not table:
            raise BattleError(f"technologies.{key}", "give a table for each unit that it changes")
        for base, changes in table.items():
            place = f"technologies.{key}.{base}"
            if base not in units:
                raise BattleError(place, "there is no unit {value}", value=quoted(base))
            if not isinstance(changes, Mapping) or not isinstance(changes.get("name"), str):
                raise BattleError(place, "give the name of the unit that it becomes, and what changes")
            if any(form.form_of == base for form in found):
                raise BattleError(place, "another technology changes this unit already")
            plain = {field: value for field, value in units[base].items() if field not in _IN_RAIDS}
            fields_of = plain | {field: value for field, value in changes.items() if field != "name"}
            form = read_part(place, partial(read, changes["name"], fields_of))
            found.append(replace(form, form_of=base, technology=key))
    return found


def with_forms(
    units: Sequence["Unit"], forms: Sequence["Unit"], orders: Sequence[tuple[str, ...]]
) -> tuple[tuple["Unit", ...], tuple[tuple[str, ...], ...]]:
    """Return the units, each with its forms behind it, and the same in the orders of loss.

    Forms support the same kinds as the units do.

    Args:
        units: The units.
        forms: The units that technologies make of them.
        orders: The orders of loss.

    Raises:
        BattleError: If two units have the same name.
    """
    if len({unit.name for unit in (*units, *forms)}) < len(units) + len(forms):
        raise BattleError("technologies", "every unit and every form of one needs a name of its own")

    def beside(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for name in names for one in (name, *(form.name for form in forms if form.form_of == name)))

    known = {unit.name: replace(unit, by=beside(unit.by)) for unit in (*units, *forms)}
    every = beside(tuple(unit.name for unit in units))
    return tuple(known[name] for name in every), tuple(map(beside, orders))
