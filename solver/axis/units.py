"""Units of Axis & Allies as data: their values, and the usual order in which a side loses them.

The rule packs in config/games hold the values; this room knows what they mean. The rulebooks of the editions are the
source of the rules. Where a rulebook leaves a question open, a docstring gives the answer that is used here.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, Literal, get_args

from solver.documents import check_fields, read_part
from solver.errors import BattleError, check_choice, check_count, check_flag, check_number, quoted

Kind = Literal["land", "air", "sea"]
Theatre = Literal["land", "sea"]
Role = Literal["attack", "defence"]
ROLES: tuple[Role, Role] = ("attack", "defence")

AMPHIBIOUS, DAMAGED = "amphibious_", "damaged_"
ORDERS = ("land_attack", "land_defence", "sea_attack", "sea_defence")
MOST_STRENGTH, MOST_COST, MOST_SHOTS = 6, 1_000, 1_000
_RANGE = "must be {least} to {most}, not {value}"
_UNIT_RANGES = {
    "attack": (0, MOST_STRENGTH, "the attack of a unit"),
    "defence": (0, MOST_STRENGTH, "the defence of a unit"),
    "hits": (1, 2, "the hits of a unit"),
    "attack_hits": (1, 2, "the hits of an attacking unit"),
    "antiaircraft": (0, MOST_SHOTS, "`antiaircraft` of a unit"),
    "antiaircraft_hits": (1, 6, "`antiaircraft_hits` of a unit"),
    "carries": (0, 20, "`carries` of a unit"),
    "carries_damaged": (0, 20, "`carries_damaged` of a unit"),
    "raid": (0, 20, "the bonus on a raid die"),
    "air_attack": (0, MOST_STRENGTH, "the strength of a unit before a raid"),
    "air_defence": (0, MOST_STRENGTH, "the strength of a unit before a raid"),
    "supports": (1, 20, "`supports` of a unit"),
    "attack_dice": (1, 6, "`attack_dice` of a unit"),
}
"""The smallest and the largest number of some fields of a unit, and what the number is."""
_RULE_RANGES = {
    "land_rounds": (1, 99, "the number of rounds"),
    "base_points": (1, 500, "this"),
    "air_battle": (1, MOST_STRENGTH, "this"),
    "kamikaze": (0, 99, "this"),
}
"""The same for some rules of an edition."""
_OPTIONAL = {"attack_hits", "raid", "air_defence", "land_rounds", "base_points", "air_battle"}
"""The numbers of which there may be none."""
_IN_RAIDS = "raid", "only_bases", "air_attack", "air_defence"
"""The fields that matter only in raids. They do not go over to the form that a technology makes of a unit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of unit. It hits with a roll of its strength or less on a die of 6 faces.

    Attributes:
        name: The name in the rule pack.
        kind: "land", "air" or "sea".
        attack: The strength as an attacker, 0 to 6.
        defence: The strength as a defender, 0 to 6.
        cost: The price in IPC.
        hits: How many hits destroy it.
        attack_hits: The same for an attacker, if it differs.
        boost: The strength as an attacker with the support of a unit in `by`; one supporter for each.
        by: The kinds that support it.
        antiaircraft: The shots of a gun at planes before the battle, at most one for each plane.
        antiaircraft_hits: The highest face with which such a shot hits.
        captured: Whether it is a gun that cannot be hit and goes to the side that takes the territory. It is never
            lost, stands in no order of loss, and counts for nothing.
        bombards: Whether it fires once from the sea at a battle on land.
        surprise: Whether it is a submarine.
        hunted: Whether it is a submarine that planes can hit without a destroyer.
        surprise_defence: Whether a submarine strikes first as a defender, too.
        screens: Whether it is a destroyer: enemy submarines lose their surprise, and planes of its side can hit them.
        land_based: Whether it is a plane that never lands on carriers; as an attacker it needs none.
        carries, carries_damaged: The number of planes that a whole and a damaged carrier has room for.
        defenceless: Whether it is a transport, which is lost last.
        amphibious: Whether it was landed from the sea, so that it cannot retreat.
        repaired: The kind that a damaged ship is after the battle; empty for all others.
        raid: The bonus on its die in a bombing raid; None if it cannot bomb.
        only_bases: Whether it can bomb air bases and naval bases, but no factories.
        air_attack: The strength in the air battle before a raid as an attacker, 0 to 6.
        air_defence: The strength there as an interceptor; None if it cannot intercept.
        supremacy: The strength as an attacker and as a defender while its side alone has planes; None for the usual.
        supports: How many other units it raises at once.
        attack_dice: The dice that it rolls as an attacker; each of them may hit.
        better_of_two: Whether it rolls two dice as an attacker, of which the better one counts.
        form_of: The unit that a technology makes this one of; empty for all others.
        technology: The name of that technology.
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
    antiaircraft_hits: int = 1
    captured: bool = False
    bombards: bool = False
    surprise: bool = False
    hunted: bool = False
    surprise_defence: bool = True
    screens: bool = False
    land_based: bool = False
    carries: int = 0
    carries_damaged: int = 0
    defenceless: bool = False
    amphibious: bool = False
    repaired: str = ""
    raid: int | None = None
    only_bases: bool = False
    air_attack: int = 0
    air_defence: int | None = None
    supremacy: tuple[int, int] | None = None
    supports: int = 1
    attack_dice: int = 1
    better_of_two: bool = False
    form_of: str = ""
    technology: str = ""

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        check_choice("kind", self.kind, get_args(Kind), "a unit must belong to {known}, not {value}")
        check_number("cost", self.cost, 0, MOST_COST, f"the cost of a unit {_RANGE}")
        for name, (minimum, maximum, what) in _UNIT_RANGES.items():
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                check_count(name, value, minimum, maximum, f"{what} {_RANGE}")
        if (self.better_of_two and self.attack_dice > 1) or (self.boost is not None and self.rolls_more("attack")):
            raise BattleError(
                "attack_dice", "a unit has several dice, the better of two, or support: only one of these"
            )
        if self.supremacy and (self.boost is not None or self.rolls_more("attack")):
            raise BattleError("supremacy", "a unit has this or a `boost`, `attack_dice` or `better_of_two`, not both")
        for strength in self.supremacy or ():
            check_count(
                "supremacy", strength, 0, MOST_STRENGTH, f"the strength of a unit with planes above it {_RANGE}"
            )
        if self.boost is not None:
            check_count("boost", self.boost, self.attack, MOST_STRENGTH, f"the supported attack of a unit {_RANGE}")

    @property
    def bare(self) -> "Unit":
        """The unit with nothing but what counts in a battle: without its price and without what it does in raids."""
        plain = replace(self, cost=0, repaired="", form_of="", technology="")
        return replace(plain, raid=None, only_bases=False, air_attack=0, air_defence=None)

    @property
    def can_be_kept(self) -> bool:
        """Whether it may be kept to the last: land units that fight may."""
        return self.kind == "land" and not self.antiaircraft

    @property
    def idle(self) -> bool:
        """Whether it is a gun that does nothing but shoot at planes before the battle."""
        return self.antiaircraft > 0 and not self.defence

    @property
    def is_warship(self) -> bool:
        """Whether kamikaze attacks can be aimed at it: it is a ship that fights on the surface."""
        return self.kind == "sea" and not self.surprise and not self.defenceless

    def hit_points(self, role: Role) -> int:
        """Return how many hits destroy it in a `role`: see `Unit.attack_hits`."""
        return self.hits if role == "defence" or self.attack_hits is None else self.attack_hits

    @property
    def never_attacks(self) -> "Unit":
        """The unit as a defender sees it: without its name, and without anything that counts only in an attack."""
        plain = replace(self.bare, name="", attack=0, attack_hits=None, boost=None, by=(), bombards=False)
        return replace(plain, supports=1, attack_dice=1, better_of_two=False)

    def rolls_more(self, role: Role) -> bool:
        """Return whether it rolls more than one die in a `role`: see `Unit.attack_dice`."""
        return role == "attack" and (self.attack_dice > 1 or self.better_of_two)

    def strikes(self, role: Role) -> bool:
        """Return whether it strikes first in a `role` where the enemy has no destroyer: see `Unit.surprise_defence`."""
        return self.surprise and (role == "attack" or self.surprise_defence)

    def strength(self, role: Role) -> int:
        """Return its strength in a `role` without support, 0 to 6: see `Unit.attack`."""
        return self.attack if role == "attack" else self.defence


@dataclass(frozen=True)
class Rules:
    """The rules of an edition: its units, and the usual orders of loss.

    Attributes:
        key: The name of the edition, such as "1942".
        units: All kinds of units.
        orders: One order of loss for each name in `ORDERS`, first lost first.
        land_rounds: How many rounds a battle on land has at most; None for no limit.
        air_attack_first: Whether interceptors that are hit before a raid do not fire back.
        antiaircraft_by_kind: Whether anti-aircraft guns fire at each kind of plane apart, one shot at each plane, so
            that nobody chooses which kind is lost.
        base_points: The most damage that an air base or a naval base can have; None if there are no bases to bomb.
        air_battle: The strength with which the planes of both sides fight each other before a battle on land; None if
            they do not.
        bombardment_first: Whether ships bombard before the first round, so that what they hit does not fire.
        kamikaze: The most kamikaze attacks that a defender at sea may make before a battle.
        raids_cost_money: Whether raids take money from the owner and leave a factory as it was.
        damage_stays: Whether ships stay damaged after a battle. They are repaired in a port, not between waves.

    Example:
        >>> infantry, tank = Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6)
        >>> rules = Rules("1942", (infantry, tank), (("infantry", "tank"),) * 4)
        >>> rules.table["amphibious_tank"].strength("attack")
        3
    """

    key: str
    units: tuple[Unit, ...]
    orders: tuple[tuple[str, ...], ...]
    land_rounds: int | None = None
    air_attack_first: bool = False
    antiaircraft_by_kind: bool = False
    base_points: int | None = None
    air_battle: int | None = None
    bombardment_first: bool = False
    kamikaze: int = 0
    damage_stays: bool = False
    raids_cost_money: bool = False

    def __hash__(self) -> int:
        """The hash of the key: few rules share one, and battles are looked up all the time."""
        return hash(self.key)

    def __post_init__(self) -> None:
        """Refuse rules that name an unknown unit, or that do not go together."""
        self._check_units()
        for name, order in zip(ORDERS, self.orders, strict=True):
            _check_names(name, order, self.table)
        for name, (minimum, maximum, what) in _RULE_RANGES.items():
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                check_count(name, value, minimum, maximum, f"{what} {_RANGE}")
        _check_flags({rule.name: getattr(self, rule.name) for rule in fields(self) if rule.type is bool})
        tough = any(unit.kind == "air" and unit.hit_points("attack") > 1 for unit in self.units)
        if self.antiaircraft_by_kind and (self.air_battle or tough):
            raise BattleError(
                "antiaircraft_by_kind", "this needs planes that one hit destroys, and rules without `air_battle`"
            )

    def _check_units(self) -> None:
        """Refuse units that other units or the rules do not fit."""
        for unit in self.units:
            if unit.supremacy and self.air_battle is None:
                raise BattleError(f"units.{unit.name}.supremacy", "this needs an edition with an `air_battle`")
            _check_names(f"units.{unit.name}.boost", unit.by, [other.name for other in self.units])
        if len({(unit.hunted, unit.surprise_defence) for unit in self.units if unit.surprise}) > 1:
            raise BattleError("units", "all submarines must have the same `hunted` and `surprise_defence`")

    @property
    def edition(self) -> str:
        """The name of the edition, without the own units and rules of a table that follow it in the key."""
        return self.key.partition(" ")[0]

    @property
    def own(self) -> tuple[dict[str, str], list[str]]:
        """The texts of a table's own units by their names, and the words of its rules: see `own_units.py`."""
        return dict(re.findall(r" ([a-z_]+)=(\S+)", self.key)), re.findall(r" \+(\S+)", self.key)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a JSON document that name the rules."""
        own = zip(("own_units", "own_rules"), self.own, strict=True)
        return {"game": f"axis{self.edition}", **{name: value for name, value in own if value}}

    @cached_property
    def table(self) -> Mapping[str, Unit]:
        """Every kind of unit by name, including the amphibious and the damaged form of each."""
        table = {unit.name: unit for unit in self.units}
        for unit in self.units:
            if unit.kind == "land" and not unit.antiaircraft:
                table[AMPHIBIOUS + unit.name] = replace(unit, name=AMPHIBIOUS + unit.name, amphibious=True)
            if unit.hits > 1:
                damaged = replace(unit, name=DAMAGED + unit.name, hits=1, repaired=unit.name)
                table[damaged.name] = replace(damaged, carries=unit.carries_damaged)
        return table

    @classmethod
    def from_dict(cls, key: str, document: Mapping[str, Any]) -> "Rules":
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
        return cls(key, *_with_forms(units, forms, orders), **more)


EDITION_RULES = tuple(field.name for field in fields(Rules) if field.default is not MISSING)
"""The rules of an edition that a rule pack may leave out."""
_FLAGS = {field.name for field in fields(Unit) if field.type is bool}
_FIELDS = {field.name for field in fields(Unit)} - {"name", "amphibious", "repaired", "by", "form_of", "technology"}
"""The fields of a unit in a rule pack."""


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
    _check_flags({field: value for field, value in values.items() if field in _FLAGS})
    return Unit(name, **values)


def _check_flags(values: Mapping[str, Any]) -> None:
    """Refuse values that are neither true nor false."""
    for name, value in values.items():
        check_flag(name, value)


def _check_names(field: str, names: Iterable[str], known: Container[str]) -> None:
    """Refuse names of unknown units."""
    for name in names:
        if name not in known:
            raise BattleError(field, "there is no unit {value}", value=quoted(name))


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
            _check_names(place, [base], units)
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
