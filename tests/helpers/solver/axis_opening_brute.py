"""The slow twin of battles on land with an opening: guns, planes against planes, ships; every hit, in fractions.

Nothing here is clever, and nothing is shared with the solver. A unit is a name; a side is a row of names, the next
casualty first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

BIASED = {0: Fraction(0), 1: Fraction(1, 10), 2: Fraction(3, 10), 3: Fraction(6, 10), 4: Fraction(8, 10)}
Side = tuple[str, ...]
Law = dict[tuple[Side, Side], Fraction]
"""How likely it is that both sides have these left."""


class Row(NamedTuple):
    """A kind of unit: its strengths, its price, its strength with support, and its strength with planes above it."""

    attack: int
    defence: int
    cost: int
    supported: int = 0
    supreme: int = 0


@dataclass(frozen=True)
class Edition:
    """The values of an edition, and its rules: see `ends`."""

    units: dict[str, Row]
    order: tuple[Side, Side]
    air: int = 0
    ships_first: bool = False
    rounds: int | None = None

    def __hash__(self) -> int:
        return id(self)


OF_1914 = Edition(
    {
        "infantry": Row(2, 3, 3, supported=3),
        "artillery": Row(3, 3, 4, supreme=4),
        "tank": Row(2, 1, 6, supported=3),
        "fighter": Row(2, 2, 6),
        "battleship": Row(4, 4, 12),
        "spare": Row(0, 0, 0),
    },
    (("infantry", "artillery", "tank", "fighter"), ("infantry", "artillery", "tank", "fighter")),
    air=2,
    rounds=1,
)
OF_1942 = Edition(
    {
        "infantry": Row(1, 2, 3, supported=2),
        "artillery": Row(2, 2, 4),
        "tank": Row(3, 3, 6),
        "aa_gun": Row(0, 0, 5),
        "fighter": Row(3, 4, 10),
        "bomber": Row(4, 1, 12),
        "cruiser": Row(3, 3, 12),
        "battleship": Row(4, 4, 20),
    },
    (
        ("infantry", "artillery", "tank", "fighter", "bomber"),
        ("aa_gun", "infantry", "artillery", "tank", "bomber", "fighter"),
    ),
    ships_first=True,
)
PLANES, SHIPS = ("fighter", "bomber"), ("cruiser", "battleship")


def line_up(edition: Edition, role: int, counts: dict[str, int]) -> Side:
    """A side in its usual order. In 1914 an attacking tank takes a hit for nothing, before anybody is lost."""
    side = tuple(name for name in edition.order[role] for _ in range(counts.get(name, 0)))
    spare = counts.get("tank", 0) if edition is OF_1914 and role == 0 else 0
    return ("spare",) * spare + side


@cache
def hits(strengths: tuple[int, ...], dice: str) -> dict[int, Fraction]:
    """The law of the hits of dice that roll together, die by die."""
    if dice == "low_luck":
        sure, rest = divmod(sum(strengths), 6)
        return {sure: Fraction(6 - rest, 6)} | ({sure + 1: Fraction(rest, 6)} if rest else {})
    law = {0: Fraction(1)}
    for strength in strengths:
        chance = BIASED[strength] if dice == "biased" else Fraction(strength, 6)
        more: dict[int, Fraction] = {}
        for count, share in law.items():
            for hit, likely in ((0, 1 - chance), (1, chance)):
                more[count + hit] = more.get(count + hit, Fraction(0)) + share * likely
        law = {count: share for count, share in more.items() if share}
    return law


def strengths(edition: Edition, role: int, side: Side) -> tuple[int, ...]:
    """What each unit hits with."""
    guns, flies = side.count("artillery") if role == 0 else 0, any(name in PLANES for name in side)
    found = []
    for name in sorted(side, key=lambda name: edition.units[name][role] - edition.units[name].supported):
        row = edition.units[name]
        if row.supported and guns:
            found.append(row.supported)
            guns -= 1
        else:
            found.append(row.supreme if row.supreme and flies else row[role])
    return tuple(found)


def without(side: Side, count: int, planes: bool = False) -> Side:
    """What so many hits leave: the next casualties, or the next planes, are lost."""
    left = list(side)
    for _ in range(count):
        place = next((place for place, name in enumerate(left) if not planes or name in PLANES), None)
        if place is not None:
            del left[place]
    return tuple(left)


def after_opening(edition: Edition, ours: Side, theirs: Side, ships: Side, dice: str) -> Law:
    """What both sides may have left before the first round."""
    flying, guns = sum(name in PLANES for name in ours), theirs.count("aa_gun")
    shots = min(flying, 3 * guns) if guns < len(theirs) else 0
    law: Law = {}
    for count, share in hits((1,) * shots, dice).items():
        for (left, there), chance in duel(edition, without(ours, count, planes=True), theirs, dice).items():
            fleet = tuple(edition.units[ship].attack for ship in ships) if edition.ships_first else ()
            for hit, likely in hits(fleet, dice).items():
                _add(law, left, without(there, hit), share * chance * likely)
    return law


def duel(edition: Edition, ours: Side, theirs: Side, dice: str) -> Law:
    """Planes against planes until a side has none."""
    mine, yours = ([name for name in side if name in PLANES] for side in (ours, theirs))
    if not edition.air or not mine or not yours:
        return {(ours, theirs): Fraction(1)}
    law: Law = {}
    fire, back = hits((edition.air,) * len(mine), dice), hits((edition.air,) * len(yours), dice)
    again = fire.get(0, Fraction(0)) * back.get(0, Fraction(0))
    for (hit, share), (lost, chance) in product(fire.items(), back.items()):
        if hit or lost:
            after = duel(edition, without(ours, lost, planes=True), without(theirs, hit, planes=True), dice)
            for (left, there), likely in after.items():
                _add(law, left, there, share * chance * likely / (1 - again))
    return law


def ends(edition: Edition, ours: dict[str, int], theirs: dict[str, int], dice: str = "standard") -> Law:
    """What both sides have left in the end; helpless guns are destroyed."""
    sides = line_up(edition, 0, ours), line_up(edition, 1, theirs)
    ships = tuple(name for name in SHIPS for _ in range(ours.get(name, 0)))
    law: Law = {}
    alone = not sides[0] and bool(ships) and helpless(sides[1])
    for (left, there), share in after_opening(edition, *sides, ships, dice).items():
        beside = () if edition.ships_first else ships
        for (last, end), chance in _fought(edition, left, () if alone else there, beside, edition.rounds, dice):
            _add(law, last, end, share * chance)
    return law


def _fought(
    edition: Edition, ours: Side, theirs: Side, ships: Side, rounds: int | None, dice: str
) -> Iterator[tuple[tuple[Side, Side], Fraction]]:
    """The ends of the rounds, in the first of which ships may fire."""
    if helpless(theirs) and ours:
        theirs = ()
    if not theirs or not (ours or ships) or helpless(theirs) or rounds == 0:
        yield (ours, theirs), Fraction(1)
        return
    fleet = tuple(edition.units[ship].attack for ship in ships)
    fire, back = hits(strengths(edition, 0, ours) + fleet, dice), hits(strengths(edition, 1, theirs), dice)
    again = fire.get(0, Fraction(0)) * back.get(0, Fraction(0)) if rounds is None and not ships else Fraction(0)
    for (hit, share), (lost, chance) in product(fire.items(), back.items()):
        if hit or lost or rounds is not None or ships:
            left, there = without(ours, lost), without(theirs, hit)
            for end, likely in _fought(edition, left, there, (), None if rounds is None else rounds - 1, dice):
                yield end, share * chance * likely / (1 - again)


def chosen(edition: Edition, ours: dict[str, int], theirs: dict[str, int], free: tuple[bool, bool]) -> Fraction:
    """The chance to take the territory in a battle of 1914, one round, if sides choose what is best for them.

    In the air only planes are hit, of which there is one kind.
    """
    sides = line_up(edition, 0, ours), line_up(edition, 1, theirs)
    ships = tuple(edition.units[name].attack for name in SHIPS for _ in range(ours.get(name, 0)))
    total = Fraction(0)
    for (left, there), share in after_opening(edition, *sides, (), "standard").items():
        if not there or not (left or ships):
            total += share * (not there and _holds(left))
            continue
        fire, back = (
            hits(strengths(edition, 0, left) + ships, "standard"),
            hits(strengths(edition, 1, there), "standard"),
        )
        for hit, likely in fire.items():
            ends = ways(there, hit) if free[1] else {without(there, hit)}
            total += share * likely * min(_worth(left, end, back, free[0]) for end in ends)
    return total


def _worth(ours: Side, theirs: Side, back: dict[int, Fraction], free: bool) -> Fraction:
    """The chance to take the territory once the defender's losses are known."""
    return sum(
        (
            chance
            * max(int(not theirs and _holds(left)) for left in (ways(ours, lost) if free else {without(ours, lost)}))
            for lost, chance in back.items()
        ),
        Fraction(0),
    )


def _holds(side: Side) -> bool:
    """Whether there is a land unit."""
    return any(name not in (*PLANES, "spare") for name in side)


def ways(side: Side, count: int) -> set[Side]:
    """Everything that hits may leave: a tank is lost only once the hit that it takes for nothing is used up."""
    found = {side}
    for _ in range(count):
        after: set[Side] = set()
        for before in found:
            kinds = set(before) - ({"tank"} if before.count("tank") == before.count("spare") else set())
            for name in kinds:
                left = list(before)
                left.remove(name)
                after.add(tuple(left))
            after |= set() if kinds else {before}
        found = after
    return found


def helpless(side: Side) -> bool:
    """Whether there is nobody but guns."""
    return bool(side) and set(side) == {"aa_gun"}


def price(edition: Edition, side: Side) -> int:
    """The price of a side."""
    return sum(edition.units[name].cost for name in side)


def _add(law: Law, ours: Side, theirs: Side, share: Fraction) -> None:
    law[ours, theirs] = law.get((ours, theirs), Fraction(0)) + share
