"""Units of Axis & Allies as data: their values, and the usual order in which a side loses them.

The rule packs in config/games hold the values; this room knows what they mean. The rulebooks of the editions are the
source of the rules. Where a rulebook leaves a question open, a docstring gives the answer that is used here.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, Literal, get_args

from solver.axis.technologies import read_forms, with_forms
from solver.documents import read_part
from solver.errors import BattleError, check_choice, check_count, check_number, quoted

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
            "antiaircraft",
            self.antiaircraft,
            0,
            1_000,
            "`antiaircraft` of a unit must be {least} to {most}, not {value}",
        )
        check_count(
            "antiaircraft_hits",
            self.antiaircraft_hits,
            1,
            6,
            "`antiaircraft_hits` of a unit must be {least} to {most}, not {value}",
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
        for name, strength in (("air_attack", self.air_attack), ("air_defence", self.air_defence)):
            if strength is not None:
                check_count(
                    name,
                    strength,
                    0,
                    MOST_STRENGTH,
                    "the strength of a unit before a raid must be {least} to {most}, not {value}",
                )
        check_count("supports", self.supports, 1, 20, "`supports` of a unit must be {least} to {most}, not {value}")
        check_count(
            "attack_dice", self.attack_dice, 1, 6, "`attack_dice` of a unit must be {least} to {most}, not {value}"
        )
        if (self.better_of_two and self.attack_dice > 1) or (self.boost is not None and self.rolls_more("attack")):
            raise BattleError(
                "attack_dice", "a unit has several dice, the better of two, or support: only one of these"
            )
        if self.supremacy and (self.boost is not None or self.rolls_more("attack")):
            raise BattleError("supremacy", "a unit has this or a `boost`, `attack_dice` or `better_of_two`, not both")
        for strength in self.supremacy or ():
            check_count(
                "supremacy",
                strength,
                0,
                MOST_STRENGTH,
                "the strength of a unit with planes above it must be {least} to {most}, not {value}",
            )
        if self.boost is not None:
            check_count(
                "boost",
                self.boost,
                self.attack,
                MOST_STRENGTH,
                "the supported attack of a unit must be {least} to {most}, not {value}",
            )

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
    def is_warship(self) -> bool:
        """Whether kamikaze attacks can be aimed at it: it is a ship that fights on the surface."""
        return self.kind == "sea" and not self.surprise and not self.defenceless

    def hit_points(self, role: Role) -> int:
        """Return how many hits destroy it.

        Args:
            role: The role of its side.
        """
        return self.hits if role == "defence" or self.attack_hits is None else self.attack_hits

    @property
    def never_attacks(self) -> "Unit":
        """The unit as a defender sees it: without its name, and without anything that counts only in an attack."""
        plain = replace(self.bare, name="", attack=0, attack_hits=None, boost=None, by=(), bombards=False)
        return replace(plain, supports=1, attack_dice=1, better_of_two=False)

    def rolls_more(self, role: Role) -> bool:
        """Return whether it rolls more than one die.

        Args:
            role: The role of its side.
        """
        return role == "attack" and (self.attack_dice > 1 or self.better_of_two)

    def strikes(self, role: Role) -> bool:
        """Return whether it is a submarine that strikes first where the enemy has no destroyer.

        Args:
            role: The role of its side.
        """
        return self.surprise and (role == "attack" or self.surprise_defence)

    def strength(self, role: Role) -> int:
        """Return its strength without support, 0 to 6.

        Args:
            role: The role of its side.
        """
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
        """Refuse rules that name an unknown unit."""
        names = [unit.name for unit in self.units]
        for unit in self.units:
            if unit.supremacy and self.air_battle is None:
                raise BattleError(f"units.{unit.name}.supremacy", "this needs an edition with an `air_battle`")
            for other in unit.by:
                if other not in names:
                    raise BattleError(f"units.{unit.name}.boost", "there is no unit {value}", value=quoted(other))
        if len({(unit.hunted, unit.surprise_defence) for unit in self.units if unit.surprise}) > 1:
            raise BattleError("units", "all submarines must have the same `hunted` and `surprise_defence`")
        for name, order in zip(ORDERS, self.orders, strict=True):
            for one in order:
                if one not in self.table:
                    raise BattleError(name, "there is no unit {value}", value=quoted(one))
        if self.land_rounds is not None:
            check_count(
                "land_rounds", self.land_rounds, 1, 99, "the number of rounds must be {least} to {most}, not {value}"
            )
        if self.base_points is not None:
            check_count("base_points", self.base_points, 1, 500, "this must be {least} to {most}, not {value}")
        if self.air_battle is not None:
            check_count("air_battle", self.air_battle, 1, MOST_STRENGTH, "this must be {least} to {most}, not {value}")
        check_count("kamikaze", self.kamikaze, 0, 99, "this must be {least} to {most}, not {value}")
        for rule in fields(self):
            value = getattr(self, rule.name)
            if rule.type is bool and type(value) is not bool:
                raise BattleError(rule.name, "this must be true or false, not {value}", value=quoted(value))
        tough = any(unit.kind == "air" and unit.hit_points("attack") > 1 for unit in self.units)
        if self.antiaircraft_by_kind and (self.air_battle or tough):
            raise BattleError(
                "antiaircraft_by_kind", "this needs planes that one hit destroys, and rules without `air_battle`"
            )

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

    def order(self, theatre: Theatre, role: Role) -> tuple[str, ...]:
        """Return the usual order of loss of a side, first lost first.

        Args:
            theatre: "land" or "sea".
            role: The role of the side.
        """
        return self.orders[ORDERS.index(f"{theatre}_{role}")]

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
        units = []
        for name, table in tables.items():
            units.append(read_part(f"units.{name}", partial(_unit, name, table)))
        orders = []
        for name in ORDERS:
            order = document.get(name)
            if not isinstance(order, list) or not all(isinstance(one, str) for one in order):
                raise BattleError(name, "give a list of units, first casualty first")
            orders.append(tuple(order))
        more = {name: document[name] for name in EDITION_RULES if name in document}
        forms = read_forms(tables, document.get("technologies", {}), _unit)
        return cls(key, *with_forms(units, forms, orders), **more)


EDITION_RULES = tuple(field.name for field in fields(Rules) if field.default is not MISSING)
"""The rules of an edition that a rule pack may leave out."""
_FLAGS = {field.name for field in fields(Unit) if field.type is bool}
_GIVEN = {field.name for field in fields(Unit)} - {"name", "amphibious", "repaired", "by", "form_of", "technology"}


def _unit(name: str, table: Any) -> Unit:
    """The unit of a table in a rule pack."""
    if not isinstance(table, Mapping):
        raise BattleError("", "this must be a table, not {value}", value=quoted(table))
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
    supremacy = values.pop("supremacy", None)
    if supremacy is not None:
        if not isinstance(supremacy, Mapping) or supremacy.keys() != set(ROLES):
            raise BattleError("supremacy", "write it as {attack = 4, defence = 4}")
        values["supremacy"] = supremacy["attack"], supremacy["defence"]
    for field, value in values.items():
        if field in _FLAGS and type(value) is not bool:
            raise BattleError(field, "this must be true or false, not {value}", value=quoted(value))
    return Unit(name, **values)
