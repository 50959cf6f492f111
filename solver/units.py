"""Units of Axis & Allies as data: what each can do, and the usual order in which a side loses them.

Which values they have is for a rule pack to say (config/games); this room only knows what the values mean. Sources of
the rules are the rulebooks of the editions; where these leave a question open, docstrings say how it is read here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, Literal, get_args

from solver.documents import within
from solver.errors import BattleError, check_count, check_number, shown

Kind = Literal["land", "air", "sea"]
Theatre = Literal["land", "sea"]
Role = Literal["attack", "defence"]
ROLES: tuple[Role, Role] = ("attack", "defence")

AMPHIBIOUS, DAMAGED = "amphibious_", "damaged_"
ORDERS = ("land_attack", "land_defence", "sea_attack", "sea_defence")
MOST_STRENGTH = 6
MOST_COST = 1_000


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of unit: it hits with `attack` or `defence` of 6, costs so much, and falls at the last of its `hits`.

    As an attacker it takes `attack_hits` where that is not the same. `boost` is its attack where one of the units in
    `by` supports it, one each. `antiaircraft`: so many shots a gun at planes before the battle, one a plane at most.
    `bombards`: fires once from the sea at a battle on land. `surprise`: a submarine. `screens`: a destroyer, which
    takes the surprise from submarines and lets planes hit them. `carries`: planes that a carrier has room for,
    `carries_damaged` those of a damaged one. `defenceless`: a transport, lost last. `amphibious`: landed from the sea,
    so that it cannot retreat. `repaired`: what a damaged ship is once the battle is over. `raid`: it bombs factories,
    and so much is added to its die; None where it does not.
    """

    name: str
    kind: Kind
    attack: int
    defence: int
    cost: float
    hits: int = 1
    attack_hits: int | None = None
    boost: int | None = None
    by: tuple[str, ...] = ()
    antiaircraft: int = 0
    bombards: bool = False
    surprise: bool = False
    screens: bool = False
    carries: int = 0
    carries_damaged: int = 0
    defenceless: bool = False
    amphibious: bool = False
    repaired: str = ""
    raid: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no unit."""
        if self.kind not in get_args(Kind):
            raise BattleError(
                "kind",
                "a unit must belong to {known}, not {value}",
                known=", ".join(get_args(Kind)),
                value=shown(self.kind),
            )
        check_number("cost", self.cost, 0, MOST_COST, "the cost of a unit must be {least} to {most}, not {value}")
        check_count(
            "attack", self.attack, 0, MOST_STRENGTH, "the attack of a unit must be {least} to {most}, not {value}"
        )
        check_count(
            "defence", self.defence, 0, MOST_STRENGTH, "the defence of a unit must be {least} to {most}, not {value}"
        )
        check_count("hits", self.hits, 1, 2, "the hits of a unit must be {least} to {most}, not {value}")
        if self.attack_hits is not None:
            check_count(
                "attack_hits",
                self.attack_hits,
                1,
                2,
                "the hits of an attacking unit must be {least} to {most}, not {value}",
            )
        check_count(
            "antiaircraft", self.antiaircraft, 0, 20, "`antiaircraft` of a unit must be {least} to {most}, not {value}"
        )
        check_count("carries", self.carries, 0, 20, "`carries` of a unit must be {least} to {most}, not {value}")
        check_count(
            "carries_damaged",
            self.carries_damaged,
            0,
            20,
            "`carries_damaged` of a unit must be {least} to {most}, not {value}",
        )
        if self.raid is not None:
            check_count("raid", self.raid, 0, 20, "the bonus on a raid die must be {least} to {most}, not {value}")
        if self.boost is not None:
            check_count(
                "boost",
                self.boost,
                self.attack,
                MOST_STRENGTH,
                "the supported attack of a unit must be {least} to {most}, not {value}",
            )

    @property
    def can_be_kept(self) -> bool:
        """Whether it is a land unit that fights: one that may be kept to the last."""
        return self.kind == "land" and not self.antiaircraft

    def takes(self, role: Role) -> int:
        """How many hits it takes until it falls."""
        return self.hits if role == "defence" or self.attack_hits is None else self.attack_hits

    def strength(self, role: Role) -> int:
        """What it hits with, without support."""
        return self.attack if role == "attack" else self.defence


@dataclass(frozen=True)
class Rules:
    """The units of an edition by name, and for each of `ORDERS` the usual order of loss, first lost first.

    `land_rounds` is how many rounds a battle on land has; None where it is fought to the end.
    """

    key: str
    units: tuple[Unit, ...]
    orders: tuple[tuple[str, ...], ...]
    land_rounds: int | None = None

    def __hash__(self) -> int:
        """Few rules have one key, and battles under them are looked up all the time."""
        return hash(self.key)

    def __post_init__(self) -> None:
        """Refuse rules in which names do not fit."""
        names = [unit.name for unit in self.units]
        for unit in self.units:
            for other in unit.by:
                if other not in names:
                    raise BattleError(f"units.{unit.name}.boost", "there is no unit {value}", value=shown(other))
        for name, order in zip(ORDERS, self.orders, strict=True):
            for one in order:
                if one not in self.table:
                    raise BattleError(name, "there is no unit {value}", value=shown(one))
        if self.land_rounds is not None:
            check_count(
                "land_rounds", self.land_rounds, 1, 99, "the number of rounds must be {least} to {most}, not {value}"
            )

    @cached_property
    def table(self) -> Mapping[str, Unit]:
        """Every unit there can be by name: also those landed from the sea, and those with two hits that took one."""
        table = {unit.name: unit for unit in self.units}
        for unit in self.units:
            if unit.kind == "land" and not unit.antiaircraft:
                table[AMPHIBIOUS + unit.name] = replace(unit, name=AMPHIBIOUS + unit.name, amphibious=True)
            if unit.hits > 1:
                damaged = replace(unit, name=DAMAGED + unit.name, hits=1, repaired=unit.name)
                table[damaged.name] = replace(damaged, carries=unit.carries_damaged)
        return table

    def order(self, theatre: Theatre, role: Role) -> tuple[str, ...]:
        """The usual order of loss of a side."""
        return self.orders[ORDERS.index(f"{theatre}_{role}")]

    @classmethod
    def from_dict(cls, key: str, document: Mapping[str, Any]) -> "Rules":
        """The rules of a pack: a table `units`, the orders of loss, and `land_rounds`."""
        tables = document.get("units")
        if not isinstance(tables, Mapping) or not tables:
            raise BattleError("units", "give a table of units")
        units = []
        for name, table in tables.items():
            units.append(within(f"units.{name}", partial(_unit, name, table)))
        orders = []
        for name in ORDERS:
            order = document.get(name)
            if not isinstance(order, list) or not all(isinstance(one, str) for one in order):
                raise BattleError(name, "give a list of units, first casualty first")
            orders.append(tuple(order))
        return cls(key, tuple(units), tuple(orders), document.get("land_rounds"))


_GIVEN = {field.name for field in fields(Unit)} - {"name", "amphibious", "repaired", "by"}


def _unit(name: str, table: Any) -> Unit:
    if not isinstance(table, Mapping):
        raise BattleError("", "this must be a table, not {value}", value=shown(table))
    for field in table:
        if field not in _GIVEN:
            raise BattleError(
                str(field), "there is no such field; the fields are {known}", known=", ".join(sorted(_GIVEN))
            )
    for field in ("kind", "attack", "defence", "cost"):
        if field not in table:
            raise BattleError(field, "it is missing")
    values = dict(table)
    boost = values.pop("boost", None)
    if boost is not None:
        known = isinstance(boost, Mapping) and boost.keys() == {"attack", "by"} and boost["attack"] is not None
        if not known or not isinstance(boost["by"], list):
            raise BattleError("boost", 'write it as {attack = 2, by = ["artillery"]}')
        values |= {"boost": boost["attack"], "by": tuple(boost["by"])}
    for field, value in values.items():
        if field in ("bombards", "surprise", "screens", "defenceless") and type(value) is not bool:
            raise BattleError(field, "this must be true or false, not {value}", value=shown(value))
    return Unit(name, **values)
