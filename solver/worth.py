"""What units count in all money of a battle: what they cost, one each, what they hit with, or somebody's own prices."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from solver.documents import check_fields, object_from
from solver.errors import BattleError, check_number, shown
from solver.units import AMPHIBIOUS, DAMAGED, MOST_COST, ROLES, Role, Rules, Unit

Measure = Literal["ipc", "units", "power"]


@dataclass(frozen=True, slots=True)
class Worth:
    """How units are counted: by a `measure`, but those in `units` by their own prices, in hundredths at the finest.

    The measures: "ipc", what they cost; "units", one each; "power", what they hit with in their part, without support.
    Units landed from the sea and damaged ships count as their plain kind does, where they have no price of their own.
    """

    measure: Measure = "ipc"
    units: tuple[tuple[str, float], ...] = ()

    def of(self, unit: Unit, role: Role) -> float:
        """What a unit is worth on a side."""
        prices = dict(self.units)
        for name in (unit.name, _plain(unit.name)):
            if name in prices:
                return prices[name]
        return {"ipc": unit.cost, "units": 1, "power": unit.strength(role)}[self.measure]

    def priced(self, unit: Unit, role: Role) -> Unit:
        """The unit of a side at what it is worth."""
        price = self.of(unit, role)
        return unit if price == unit.cost else replace(unit, cost=price)

    def settled(self, rules: Rules) -> "Worth":
        """The same in one form: without prices that change nothing. BattleError where this is no way to count."""
        if self.measure not in get_args(Measure):
            among = ", ".join(get_args(Measure))
            raise BattleError(
                "measure", "units are counted by one of {known}, not {value}", known=among, value=shown(self.measure)
            )
        given = dict(self.units)
        for name, price in given.items():
            if name not in rules.table:
                among = ", ".join(rules.table)
                raise BattleError(f"units.{shown(name)[1:-1]}", "there is no such unit; there are {known}", known=among)
            check_number(f"units.{name}", price, 0, MOST_COST, "a unit is worth {least} to {most}, not {value}")
            if round(price, 2) != price:
                raise BattleError(
                    f"units.{name}", "a unit is worth hundredths at the finest, not {value}", value=shown(price)
                )
        kept = Worth(self.measure)
        for name, unit in rules.table.items():  # plain kinds come before those that follow them
            if name in given and any(kept.of(unit, role) != given[name] for role in ROLES):
                kept = Worth(self.measure, (*kept.units, (name, _short(given[name]))))
        return kept

    @classmethod
    def from_dict(cls, document: Any) -> "Worth":
        """The worth that a JSON document gives."""
        check_fields(object_from(document), {"measure", "units"})
        prices = document.get("units", {})
        if not isinstance(prices, Mapping):
            raise BattleError("units", "an object is wanted here, not {value}", value=shown(prices))
        return cls(document.get("measure", "ipc"), tuple(prices.items()))

    def to_dict(self) -> dict[str, Any]:
        """The same as a JSON document."""
        return {"measure": self.measure, "units": dict(self.units)}


IPC = Worth()
"""What units cost."""


def _plain(name: str) -> str:
    return name.removeprefix(AMPHIBIOUS).removeprefix(DAMAGED)


def _short(price: float) -> float:
    return int(price) if price == int(price) else price
