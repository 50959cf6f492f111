"""Orders of loss in Axis & Allies: which unit of a side is lost first, and which last, as segments and as forces."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from solver.axis.sides import Army
from solver.axis.units import AMPHIBIOUS, DAMAGED, ORDERS, Role, Rules, Theatre, Unit

Places = tuple[int, ...]
"""The number of units of each segment."""


class Segment(NamedTuple):
    """Some units of a kind that stand next to each other in the order of loss.

    Attributes:
        unit: The kind of unit.
        units: How many.
        spare: Whether these are only the first hits of units that take two.
    """

    unit: Unit
    units: int
    spare: bool = False


class Force(NamedTuple):
    """The units of a side, counted by segment.

    Attributes:
        active: The units left in the fight.
        gone: The units that have left the fight alive.
    """

    active: Places
    gone: Places


@lru_cache(200)
def usual_order(rules: Rules, theatre: Theatre, role: Role) -> tuple[str, ...]:
    """Return the usual order of loss of a side: all kinds that have a place in it, first lost first.

    A unit landed from the sea is lost before one of its kind that can retreat, and a damaged ship before a whole one.

    Args:
        rules: The rules of the edition.
        theatre: "land" or "sea".
        role: "attack" or "defence".
    """
    order: list[str] = []
    for name in rules.orders[ORDERS.index(f"{theatre}_{role}")]:
        special = (f"{AMPHIBIOUS}{name}",) if role == "attack" else ()
        order += [*(form for form in (f"{DAMAGED}{name}", *special) if form in rules.table), name]
    return tuple(order)


def has_fixed_place(unit: Unit, theatre: Theatre, role: Role) -> bool:
    """Return whether the rules alone give a kind its place: transports are lost last, ships that bombard never.

    Args:
        unit: The kind of unit.
        theatre: "land" or "sea".
        role: The role of its side.
    """
    return unit.defenceless if theatre == "sea" else role == "attack" and unit.kind == "sea"


def canonical_order(army: Army, rules: Rules, theatre: Theatre, role: Role) -> tuple[str, ...]:
    """Return one form for all orders of loss with the same effect; the usual order if it is one of them.

    Kinds that the army lacks keep their places, because some questions are about one unit more. None is about a form
    that the army lacks.

    Args:
        army: The units and their order of loss.
        rules: The rules of the edition.
        theatre: "land" or "sea".
        role: The role of the army.
    """
    return _canonical_order(army.loss_order, frozenset([name for name, _ in army.units]), rules, theatre, role)


@lru_cache(1_000)
def _canonical_order(
    order: tuple[str, ...], present: frozenset[str], rules: Rules, theatre: Theatre, role: Role
) -> tuple[str, ...]:
    """Return the result of `canonical_order`, from the kinds of units that the army has."""
    usual = usual_order(rules, theatre, role)
    fixed = frozenset(name for name, unit in rules.table.items() if has_fixed_place(unit, theatre, role))
    transports = present & fixed if theatre == "sea" else frozenset()

    def of_the_side(names: Sequence[str]) -> list[str]:
        """The names whose place an order decides; that of transports only among several kinds of them."""
        free = [name for name in names if name not in fixed]
        return free + [name for name in names if name in transports] * (len(transports) > 1)

    last = of_the_side(list(dict.fromkeys(reversed(order)))[::-1])
    known = [name for name in last if name in present or (name in usual and not rules.table[name].form_of)]
    return usual if known == [name for name in of_the_side(usual) if name in known] else tuple(known)


@lru_cache(1_000)
def loss_row(army: Army, rules: Rules, theatre: Theatre) -> tuple[str, ...]:
    """Return the name of every single unit of an army that can be lost, first lost first.

    Damaged ships that the order does not name are lost before whole ones of their kind. Ships that bombard a battle on
    land cannot be lost.

    Args:
        army: The units, their order of loss, and which of them are kept to the last.
        rules: The rules of the edition.
        theatre: "land" or "sea".
    """
    table, counts = rules.table, dict(army.units)
    row = [name for name in _protected_order(army, rules, theatre) for _ in range(counts[name])]
    if army.aa_second_last:
        guns = [name for name in row if table[name].antiaircraft]
        others = [name for name in row if not table[name].antiaircraft]
        row = [*others[:1], *guns, *others[1:]]
    if army.keep_land:
        land = [place for place, name in enumerate(row) if table[name].can_be_kept]
        last = dict.fromkeys(land[: army.keep_land])
        row = [row[place] for place in last] + [name for place, name in enumerate(row) if place not in last]
    return tuple(row[::-1])


def _protected_order(army: Army, rules: Rules, theatre: Theatre) -> list[str]:
    """The kinds of an army that can be lost, the most protected first."""
    table, counts = rules.table, dict(army.units)
    order = list(dict.fromkeys(reversed(army.loss_order)))  # a name's last place counts
    for name in counts:
        if name not in order and table[name].repaired in order:
            order.insert(order.index(table[name].repaired) + 1, name)
    if theatre == "sea":
        transports = [name for name in [*table, *order] if table[name].defenceless]
        last = list(dict.fromkeys(transports[::-1]))[::-1]  # those in the order behind all others, as it has them
        order = [*last, *(name for name in order if name not in last)]
    here = [name for name in order if counts.get(name) and table[name].kind in ("air", theatre)]
    return [name for name in here if not table[name].captured]


def army_in_role(army: Army, rules: Rules, theatre: Theatre, role: Role) -> Army:
    """Return the units of an army that can take a role, with the usual order of loss.

    Args:
        army: The army, perhaps of the other role.
        rules: The rules of the edition.
        theatre: "land" or "sea".
        role: The role.
    """
    counts: dict[str, int] = {}
    for name, count in army.units:
        unit, plain = rules.table[name], name.removeprefix(AMPHIBIOUS)
        fits = unit.kind in ("air", theatre) and not (role == "attack" and unit.antiaircraft)
        if fits and (unit.defenceless or plain in usual_order(rules, theatre, role)):
            counts[plain] = counts.get(plain, 0) + count
    return Army.of(counts)


def plain_force(segments: Sequence[Segment], counts: Mapping[str, int]) -> Force:
    """Return the force of some units, if each kind has one segment, and one for spare hits.

    Args:
        segments: The order of loss.
        counts: How many units of each kind there are.
    """
    return Force(tuple([counts.get(segment.unit.name, 0) for segment in segments]), (0,) * len(segments))


def split_force(early: Sequence[Segment], late: Sequence[Segment], counts: Mapping[str, int], limit: int) -> Force:
    """Return the force of some units, the last of which stand in the segments that are lost late.

    Args:
        early: The segments that are lost first.
        late: The segments that are lost late.
        counts: How many units of each kind there are.
        limit: How many stand in the late segments.
    """
    left, last = limit, {}
    for segment in reversed(late):
        last[segment.unit.name] = min(left, counts.get(segment.unit.name, 0))
        left -= last[segment.unit.name]
    first = plain_force(early, {name: count - last.get(name, 0) for name, count in counts.items()})
    then = plain_force(late, last)
    return Force(first.active + then.active, first.gone + then.gone)
