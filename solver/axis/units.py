"""Units of Axis & Allies as data: their values, and the usual order in which a side loses them.

The rule packs in config/games hold the values; this room knows what they mean. The rulebooks of the editions are the
source of the rules. Where a rulebook leaves a question open, a docstring gives the answer that is used here.
"""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, get_args

from solver.errors import BattleError, check_choice, check_count, check_flag, check_number, quoted

Kind = Literal["land", "air", "sea"]
Theatre = Literal["land", "sea"]
Role = Literal["attack", "defence"]
ROLES: tuple[Role, Role] = ("attack", "defence")

AMPHIBIOUS, DAMAGED = "amphibious_", "damaged_"
ORDERS = ("land_attack", "land_defence", "sea_attack", "sea_defence")
MOST_STRENGTH, MOST_COST, MOST_SHOTS = 12, 1_000, 1_000
EVERY_PLANE = 99
"""So many shots of a gun mean one at every plane."""
_RANGE = "must be {least} to {most}, not {value}"
_UNIT_RANGES = {
    "attack": (0, MOST_STRENGTH, "the attack of a unit"),
    "defence": (0, MOST_STRENGTH, "the defence of a unit"),
    "hits": (1, 2, "the hits of a unit"),
    "attack_hits": (1, 2, "the hits of an attacking unit"),
    "antiaircraft": (0, MOST_SHOTS, "`antiaircraft` of a unit"),
    "antiaircraft_hits": (1, MOST_STRENGTH, "`antiaircraft_hits` of a unit"),
    "carries": (0, 20, "`carries` of a unit"),
    "carries_damaged": (0, 20, "`carries_damaged` of a unit"),
    "raid": (0, 20, "the bonus on a raid die"),
    "air_attack": (0, MOST_STRENGTH, "the strength of a unit before a raid"),
    "air_defence": (0, MOST_STRENGTH, "the strength of a unit before a raid"),
    "supports": (1, 20, "`supports` of a unit"),
    "attack_dice": (1, 6, "`attack_dice` of a unit"),
}
"""The smallest and the largest number of some fields of a unit, and what the number is."""
_STRENGTHS = {name: (least, what) for name, (least, most, what) in _UNIT_RANGES.items() if most == MOST_STRENGTH} | {
    "boost": (0, "the supported attack of a unit"),
    "supremacy": (0, "the strength of a unit with planes above it"),
}
"""The fields that are compared with a die, so that no number is larger than its faces: the smallest, and what it is."""
_RULE_RANGES = {
    "land_rounds": (1, 99, "the number of rounds"),
    "base_points": (1, 500, "this"),
    "air_battle": (1, MOST_STRENGTH, "this"),
    "kamikaze": (0, 99, "this"),
}
"""The same for some rules of an edition."""
_OPTIONAL = {"attack_hits", "raid", "air_defence", "land_rounds", "base_points", "air_battle"}
"""The numbers of which there may be none."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of unit. It hits with a roll of its strength or less on a die, which has 6 faces or 12: see `Rules`.

    Attributes:
        name: The name in the rule pack.
        kind: "land", "air" or "sea".
        attack: The strength as an attacker, 0 to 12.
        defence: The strength as a defender, 0 to 12.
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
        air_attack: The strength in the air battle before a raid as an attacker, 0 to 12.
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
                "attack_dice", "a unit can have only one of these: several dice, the better of two, or support"
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
        """Return its strength in a `role` without support, 0 to 12: see `Unit.attack`."""
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
        antiaircraft_at_random: Whether each of their hits takes a plane that is drawn from all that are left.
        base_points: The most damage that an air base or a naval base can have; None if there are no bases to bomb.
        air_battle: The strength with which the planes of both sides fight each other before a battle on land; None if
            they do not.
        bombardment_first: Whether ships bombard before the first round, so that what they hit does not fire.
        kamikaze: The most kamikaze attacks that a defender at sea may make before a battle.
        raids_cost_money: Whether raids take money from the owner and leave a factory as it was.
        damage_stays: Whether ships stay damaged after a battle. They are repaired in a port, not between waves.
        faces: How many faces a die has, 6 or 12.
        all_ships_bombard: Whether more ships may bombard than units land. It does not change a battle.
        lone_guns_fire: Whether anti-aircraft guns without other units fire before they are destroyed.
        submerge_after: Whether submarines submerge only after a round, unless nobody can hit anybody in the first.
        transports_leave: Whether attackers at sea retreat once nobody is left who can hit, but transports.

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
    antiaircraft_at_random: bool = False
    base_points: int | None = None
    air_battle: int | None = None
    bombardment_first: bool = False
    kamikaze: int = 0
    damage_stays: bool = False
    raids_cost_money: bool = False
    faces: int = 6
    all_ships_bombard: bool = False
    lone_guns_fire: bool = False
    submerge_after: bool = False
    transports_leave: bool = False

    def __hash__(self) -> int:
        """The hash of the key: few rules share one, and battles are looked up all the time."""
        return hash(self.key)

    def __post_init__(self) -> None:
        """Refuse rules that name an unknown unit, or that do not go together."""
        if type(self.faces) is not int or self.faces not in (6, MOST_STRENGTH):
            raise BattleError("faces", "a die must have 6 or 12 faces, not {value}", value=quoted(self.faces))
        self._check_units()
        for name, order in zip(ORDERS, self.orders, strict=True):
            check_names(name, order, self.table)
        for name, (minimum, maximum, what) in _RULE_RANGES.items():
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                most = min(maximum, self.faces) if maximum == MOST_STRENGTH else maximum
                check_count(name, value, minimum, most, f"{what} {_RANGE}")
        check_flags({rule.name: getattr(self, rule.name) for rule in fields(self) if rule.type is bool})
        self._check_guns()

    def _check_guns(self) -> None:
        """Refuse rules by which guns hit planes that do not go together."""
        tough = any(unit.kind == "air" and unit.hit_points("attack") > 1 for unit in self.units)
        for name in ("antiaircraft_by_kind", "antiaircraft_at_random"):
            if getattr(self, name) and (self.air_battle or tough):
                raise BattleError(name, "this needs planes that one hit destroys, and rules without `air_battle`")
        if self.antiaircraft_by_kind and self.antiaircraft_at_random:
            raise BattleError("antiaircraft_at_random", "guns hit planes by kind or at random, not both")

    def _check_units(self) -> None:
        """Refuse units that other units or the rules do not fit."""
        for unit in self.units:
            place = f"technologies.{unit.technology}.{unit.form_of}" if unit.form_of else f"units.{unit.name}"
            for name, (least, what) in _STRENGTHS.items():
                value = getattr(unit, name)
                for strength in value if name == "supremacy" and value else (value,):
                    if strength is not None:
                        check_count(f"{place}.{name}", strength, least, self.faces, f"{what} {_RANGE}")
            if unit.supremacy and self.air_battle is None:
                raise BattleError(f"units.{unit.name}.supremacy", "this needs an edition with an `air_battle`")
            check_names(f"units.{unit.name}.boost", unit.by, [other.name for other in self.units])
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
                damaged = replace(unit, name=name_of_damaged(unit.name), hits=1, repaired=unit.name)
                table[damaged.name] = replace(damaged, carries=unit.carries_damaged)
        return table


EDITION_RULES = tuple(field.name for field in fields(Rules) if field.default is not MISSING)
"""The rules of an edition that a rule pack may leave out."""


def name_of_damaged(name: str) -> str:
    """Return the name of a damaged unit, also of one that has landed: see `Rules.table`.

    Args:
        name: The name of the whole unit.
    """
    return f"{DAMAGED}{name.removeprefix(AMPHIBIOUS)}"


def check_flags(values: Mapping[str, Any]) -> None:
    """Refuse values that are neither true nor false.

    Args:
        values: The values by their fields.

    Raises:
        BattleError: If one is wrong; it names the field.
    """
    for name, value in values.items():
        check_flag(name, value)


def check_names(field: str, names: Iterable[str], known: Container[str]) -> None:
    """Refuse names of unknown units.

    Args:
        field: The field that holds them.
        names: The names.
        known: The names of all units.

    Raises:
        BattleError: If one is unknown.
    """
    for name in names:
        if name not in known:
            raise BattleError(field, "there is no unit {value}", value=quoted(name))
