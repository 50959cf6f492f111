"""What units count in all money of a battle: what they cost, one each, what they hit with, or somebody's own prices."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from solver.documents import check_fields, object_from
from solver.errors import BattleError, check_number, shown
from solver.units import AMPHIBIOUS, DAMAGED, MOST_COST, ROLES, Role, Rules, Unit

Measure = Literal["ipc", "units", "power"]
Prices = tuple[tuple[str, float], ...]
_PRICES = "units", "attacker", "defender"
"""The fields that hold prices."""


@dataclass(frozen=True, slots=True)
class Worth:
    """How units are counted: by a `measure`, but those in `units` by their own prices, in hundredths at the finest.

    The measures: "ipc", what they cost; "units", one each; "power", what they hit with in their part, without support.
    Units landed from the sea and damaged ships count as their plain kind does, where they have no price of their own.
    `attacker` and `defender` are prices of one side; they go before those of both.
    """

    measure: Measure = "ipc"
    units: Prices = ()
    attacker: Prices = ()
    defender: Prices = ()

    def of(self, unit: Unit, role: Role) -> float:
        """What a unit is worth on a side."""
        prices = dict(self.units) | dict(self.attacker if role == "attack" else self.defender)
        for name in (unit.name, _plain(unit.name)):
            if name in prices:
                return prices[name]
        return {"ipc": unit.cost, "units": 1, "power": unit.strength(role)}[self.measure]

    @property
    def has_prices(self) -> bool:
        """Whether some units have prices of their own."""
        return bool(self.units or self.attacker or self.defender)

    def swapped(self) -> "Worth":
        """The same where the sides have exchanged their parts: prices of one side stay with it."""
        return replace(self, attacker=self.defender, defender=self.attacker)

    def priced(self, unit: Unit, role: Role) -> Unit:
        """The unit of a side at what it is worth."""
        price = self.of(unit, role)
        return unit if price == unit.cost else replace(unit, cost=price)

    def settled(self, rules: Rules) -> "Worth":
        """The same in one form: without prices that change nothing. BattleError where this is no way to count."""
        if self.measure not in get_args(Measure):
            among = ", ".join(get_args(Measure))
            raise BattleError(
                "measure", "the measure must be one of {known}, not {value}", known=among, value=shown(self.measure)
            )
        for field in _PRICES:
            for name, price in getattr(self, field):
                _check(f"{field}.", name, price, rules)
        kept = Worth(self.measure)
        for name, unit in rules.table.items():  # plain kinds come before those that follow them
            ours, theirs = (self.of(unit, role) for role in ROLES)
            changes = ours != kept.of(unit, "attack"), theirs != kept.of(unit, "defence")
            if ours == theirs and any(changes):
                kept = replace(kept, units=(*kept.units, (name, plain_number(ours))))
            elif any(changes):
                attacker = (*kept.attacker, (name, plain_number(ours))) if changes[0] else kept.attacker
                defender = (*kept.defender, (name, plain_number(theirs))) if changes[1] else kept.defender
                kept = replace(kept, attacker=attacker, defender=defender)
        return kept

    @classmethod
    def from_dict(cls, document: Any) -> "Worth":
        """The worth that a JSON document gives."""
        check_fields(object_from(document), {"measure", *_PRICES})
        prices = {field: document.get(field, {}) for field in _PRICES}
        for field, given in prices.items():
            if not isinstance(given, Mapping):
                raise BattleError(field, "this must be an object, not {value}", value=shown(given))
        return cls(document.get("measure", "ipc"), **{field: tuple(given.items()) for field, given in prices.items()})

    def to_dict(self) -> dict[str, Any]:
        """The same as a JSON document."""
        sides = {"attacker": dict(self.attacker), "defender": dict(self.defender)}
        prices = {"units": dict(self.units)} | {side: prices for side, prices in sides.items() if prices}
        return {"measure": self.measure, **prices}


IPC = Worth()
"""What units cost."""


def _check(field: str, name: str, price: float, rules: Rules) -> None:
    if name not in rules.table:
        among = ", ".join(rules.table)
        raise BattleError(f"{field}{shown(name)[1:-1]}", "there is no such unit; the units are {known}", known=among)
    check_number(f"{field}{name}", price, 0, MOST_COST, "a unit's worth must be {least} to {most}, not {value}")
    if round(price, 2) != price:
        raise BattleError(
            f"{field}{name}", "a unit's worth can have at most two decimals, not {value}", value=shown(price)
        )


def _plain(name: str) -> str:
    return name.removeprefix(AMPHIBIOUS).removeprefix(DAMAGED)


def plain_number(price: float) -> float:
    """A number that is whole as an int."""
    return int(price) if price == int(price) else price
