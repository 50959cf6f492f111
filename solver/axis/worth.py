"""The worth of units, in which a battle counts its money: prices, one each, strengths, or prices of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

from solver.axis.units import AMPHIBIOUS, DAMAGED, MOST_COST, ROLES, Role, Rules, Unit
from solver.documents import check_fields, read_object
from solver.errors import BattleError, check_choice, check_number, quoted

Measure = Literal["ipc", "units", "power"]
Prices = tuple[tuple[str, float], ...]
_PRICES = "units", "attacker", "defender"
"""The fields that hold prices."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of each unit.

    A unit landed from the sea, a damaged ship and the form that a technology makes of a unit are worth what their plain
    kind is, unless they have a price of their
    own. A price has two decimals at most.

    Attributes:
        measure: "ipc" for the price of a unit, "units" for 1 each, "power" for its strength in its role, without
            support.
        units: Prices of single kinds, instead of the measure.
        attacker: Prices on the attacker's side, instead of those in `units`.
        defender: Prices on the defender's side, instead of those in `units`.
    """

    measure: Measure = "ipc"
    units: Prices = ()
    attacker: Prices = ()
    defender: Prices = ()

    def of(self, unit: Unit, role: Role) -> float:
        """Return what a unit is worth in a `role`: see `Worth`."""
        if self.has_prices:
            prices = dict(self.units) | dict(self.attacker if role == "attack" else self.defender)
            for name in (unit.name, _plain_name(unit.name), unit.form_of):
                if name in prices:
                    return prices[name]
        return unit.cost if self.measure == "ipc" else 1 if self.measure == "units" else unit.strength(role)

    @property
    def has_prices(self) -> bool:
        """Whether some units have prices of their own."""
        return bool(self.units or self.attacker or self.defender)

    def swap_sides(self) -> "Worth":
        """Return the worth after the sides have changed their roles: prices of one side stay with it."""
        return replace(self, attacker=self.defender, defender=self.attacker)

    def at_worth(self, unit: Unit, role: Role) -> Unit:
        """Return the unit with its worth in a `role` in place of its cost: see `Worth`."""
        price = self.of(unit, role)
        return unit if price == unit.cost else replace(unit, cost=price)

    def canonical(self, rules: Rules) -> "Worth":
        """Return one form for every worth with the same effect: without prices that change nothing.

        Args:
            rules: The rules of the edition.

        Raises:
            BattleError: If the measure or a unit is unknown, or if a price is out of range.
        """
        check_choice("measure", self.measure, get_args(Measure), "the measure must be one of {known}, not {value}")
        if not self.has_prices:
            return self
        for field in _PRICES:
            for name, price in getattr(self, field):
                _check_price(f"{field}.", name, price, rules)
        shortest = Worth(self.measure)
        for name, unit in rules.table.items():  # plain kinds come before those that follow them
            ours, theirs = (self.of(unit, role) for role in ROLES)
            changes = ours != shortest.of(unit, "attack"), theirs != shortest.of(unit, "defence")
            if ours == theirs and any(changes):
                shortest = replace(shortest, units=(*shortest.units, (name, plain_number(ours))))
            elif any(changes):
                attacker = (*shortest.attacker, (name, plain_number(ours))) if changes[0] else shortest.attacker
                defender = (*shortest.defender, (name, plain_number(theirs))) if changes[1] else shortest.defender
                shortest = replace(shortest, attacker=attacker, defender=defender)
        return shortest

    @classmethod
    def from_dict(cls, document: Any) -> "Worth":
        """Return the worth of a JSON document.

        Args:
            document: An object with `measure`, `units`, `attacker` and `defender`, each of which may be missing.

        Raises:
            BattleError: If a field is unknown or has the wrong type.
        """
        check_fields(read_object(document), {"measure", *_PRICES})
        prices = {field: document.get(field, {}) for field in _PRICES}
        for field, values in prices.items():
            if not isinstance(values, Mapping):
                raise BattleError(field, "this must be an object, not {value}", value=quoted(values))
        return cls(document.get("measure", "ipc"), **{field: tuple(values.items()) for field, values in prices.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return the worth as a JSON document."""
        sides = {"attacker": dict(self.attacker), "defender": dict(self.defender)}
        prices = {"units": dict(self.units)} | {side: prices for side, prices in sides.items() if prices}
        return {"measure": self.measure, **prices}


IPC = Worth()
"""Units are worth what they cost."""


def _check_price(field: str, name: str, price: float, rules: Rules) -> None:
    """Refuse the price of an unknown unit, and a price out of range."""
    if name not in rules.table:
        among = ", ".join(rules.table)
        raise BattleError(f"{field}{quoted(name)[1:-1]}", "there is no such unit; the units are {known}", known=among)
    check_number(f"{field}{name}", price, 0, MOST_COST, "a unit's worth must be {least} to {most}, not {value}")
    if round(price, 2) != price:
        raise BattleError(
            f"{field}{name}", "a unit's worth can have at most two decimals, not {value}", value=quoted(price)
        )


def _plain_name(name: str) -> str:
    """The name of the plain kind of a unit landed from the sea or damaged."""
    return name.removeprefix(AMPHIBIOUS).removeprefix(DAMAGED)


@lru_cache(200)
def units_at_worth(rules: Rules, worth: Worth, role: Role, supremacy: bool, all_stop: bool) -> dict[str, Unit]:
    """Return every kind of unit by name with its worth in a role. Do not change it.

    Args:
        rules: The rules of the edition.
        worth: How money is counted.
        role: The role.
        supremacy: Whether planes that are alone may be stronger.
        all_stop: Whether units that landed from the sea stop with all others.
    """
    units = {name: worth.at_worth(unit, role) for name, unit in rules.table.items()}
    if not supremacy:
        units = {name: replace(unit, supremacy=None) for name, unit in units.items()}
    return {name: replace(unit, amphibious=False) for name, unit in units.items()} if all_stop else units


def plain_number(price: float) -> float:
    """Return a number as an int if it is whole.

    Args:
        price: Any number.
    """
    return int(price) if price == int(price) else price
