"""Units over several territories: the attack that threatens each, who is at hand, and the best way to place them.

A territory is held where the attacker has not taken it; at sea, where not only attackers are left. Given who stands
where, battles are independent. Every unit at hand may be placed or kept back: more defenders are not better against
every plan of an attacker, so that is tried, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, prod
from typing import Any, Literal, get_args

import numpy as np

from solver.axis import AxisBattle, usual_order
from solver.axis_parts import parts_odds
from solver.chain import Grid
from solver.documents import check_fields, check_nulls, list_from, within
from solver.errors import BattleError, check_count, shown
from solver.forces import Nodes
from solver.parts import MOST_PARTS
from solver.shares import MOST_SHARES, SAME, Shared, at_least, best_shares, too_many, total
from solver.sides import MOST_MONEY, MOST_UNITS, Units
from solver.units import Rules

MOST_TERRITORIES = 8
MOST_PLACEMENTS = 20
"""So many placements may be asked for."""
FEW_SHARES = MOST_SHARES // 10
"""About so many shares tell which kinds of units are not the same."""
MOST_AT_HAND, MOST_IN_ALL = 500, 1_000
"""So many units may be at hand, and so many on both sides in a territory together with them."""

Aim = Literal["all", "at_least", "value"]


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory: the attack that threatens it, on those who stand there already, and what it is worth to hold it.

    `loss_order` is that of all who may come to stand there, where it is not the usual one.
    """

    attack: AxisBattle
    value: float = 1
    loss_order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a worth that nobody would defend."""
        if type(self.value) not in (int, float) or not 0 <= self.value <= MOST_MONEY:
            raise BattleError(
                "value",
                "a territory's value must be 0 to {most}, not {value}",
                most=MOST_MONEY,
                value=shown(self.value),
            )

    def takes(self, name: str) -> bool:
        """Whether units of this kind can be placed here."""
        unit, battle = self.attack.rules.table[name], self.attack
        usual = usual_order(battle.rules, battle.theatre, "defence")
        listed = unit.defenceless or name in usual or self.order != usual
        return unit.kind in ("air", battle.theatre) and not unit.amphibious and listed

    @property
    def order(self) -> tuple[str, ...]:
        """In which order its defenders are lost."""
        return self.loss_order or self.attack.defender.loss_order

    def with_units(self, units: Mapping[str, int]) -> AxisBattle:
        """The battle with these units beside those who stand there."""
        counts = dict(self.attack.defender.units)
        for name, count in units.items():
            counts[name] = counts.get(name, 0) + count
        side = replace(self.attack.defender, units=tuple(counts.items()), loss_order=self.order)
        return within("waves.0", lambda: replace(self.attack, defender=side))


@dataclass(frozen=True, slots=True)
class Placing:
    """Who is at hand, for which territories, and what for: to hold `all`, `at_least` so many, or as much `value`."""

    units: Units
    territories: tuple[Territory, ...]
    aim: Aim = "all"
    at_least: int | None = None
    how_many: int = 3

    def __post_init__(self) -> None:
        """Bring it to one form and refuse what cannot be asked."""
        places = len(self.territories)
        if not 1 <= places <= MOST_TERRITORIES:
            raise BattleError(
                "territories", "the number of territories must be 1 to {most}, not {n}", most=MOST_TERRITORIES, n=places
            )
        if self.aim not in get_args(Aim):
            raise BattleError(
                "goal",
                "the goal must be one of {known}, not {value}",
                known=", ".join(get_args(Aim)),
                value=shown(self.aim),
            )
        if self.aim == "at_least":
            check_count(
                "at_least",
                self.at_least,
                1,
                places,
                "the number of territories to hold must be {least} to {most}, not {value}",
            )
        elif self.at_least is not None:
            raise BattleError("at_least", 'this works only with the goal "at_least"')
        check_count(
            "how_many",
            self.how_many,
            1,
            MOST_PLACEMENTS,
            "the number of placements must be {least} to {most}, not {value}",
        )
        self._check_units()
        settled = (within(f"territories.{place}", partial(self._settled, place)) for place in range(places))
        object.__setattr__(self, "territories", tuple(settled))
        # Both say the same, and only one of them is kept.
        if self.at_least == places:
            object.__setattr__(self, "aim", "all")
            object.__setattr__(self, "at_least", None)

    def _settled(self, place: int) -> Territory:
        """A territory with one form for all orders of loss that come to the same for those who may stand there."""
        territory = self.territories[place]
        battle = territory.with_units(self.placeable(place))
        everybody = sum(count for side in (battle.attacker, battle.defender) for _, count in side.units)
        if everybody > MOST_IN_ALL:
            raise BattleError(
                "waves.0.attacker",
                "with all your units there can be up to {most} on both sides, not {n}",
                most=MOST_IN_ALL,
                n=everybody,
            )
        there = dict(battle.defender.units)
        order = tuple(name for name in battle.defender.loss_order if name in there)
        usual = usual_order(self.rules, territory.attack.theatre, "defence")
        order = () if order == tuple(name for name in usual if name in there) else order
        attack = replace(territory.attack, defender=replace(territory.attack.defender, loss_order=order))
        return replace(territory, attack=attack, loss_order=order)

    def _check_units(self) -> None:
        table, counts = self.rules.table, dict(self.units)
        for name, count in counts.items():
            field = f"units.{shown(name)[1:-1]}"
            if name not in table:
                raise BattleError(field, "there is no such unit; the units are {known}", known=", ".join(table))
            check_count(field, count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")
            if count and not any(territory.takes(name) for territory in self.territories):
                raise BattleError(field, "{unit} can't defend in any of these territories", unit=name)
        units = tuple((name, counts[name]) for name in table if counts.get(name))
        if not units:
            raise BattleError("units", "there are no units to place")
        if (everybody := sum(counts.values())) > MOST_AT_HAND:
            raise BattleError(
                "units", "you can place 1 to {most} units in all, not {n}", most=MOST_AT_HAND, n=everybody
            )
        if prod(count + 1 for _, count in units) > MOST_PARTS:
            raise too_many()
        object.__setattr__(self, "units", units)

    @property
    def rules(self) -> Rules:
        """The edition all battles are fought by."""
        return self.territories[0].attack.rules

    @property
    def wanted(self) -> int:
        """How many territories are to be held, where that is what counts."""
        return self.at_least or len(self.territories)

    def placeable(self, place: int) -> dict[str, int]:
        """Who of those at hand can be placed in a territory."""
        return {name: count for name, count in self.units if self.territories[place].takes(name)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rules: Rules) -> "Placing":
        """The question of a JSON document under these rules; BattleError names the field that is wrong."""
        check_nulls(document)
        check_fields(document, {"game", "units", "territories", "goal", "at_least", "how_many"})
        units = document.get("units", {})
        if not isinstance(units, Mapping):
            raise BattleError("units", "this must be an object, not {value}", value=shown(units))
        territories = list_from(document, "territories") if "territories" in document else []
        read = [
            within(f"territories.{place}", partial(_territory, one, document.get("game"), rules))
            for place, one in enumerate(territories)
        ]
        given = {name: document[name] for name in ("at_least", "how_many") if name in document}
        return cls(tuple(units.items()), tuple(read), document.get("goal", "all"), **given)


def _territory(document: Any, game: Any, rules: Rules) -> Territory:
    if not isinstance(document, Mapping):
        raise BattleError("", "this must be an object, not {value}", value=shown(document))
    if document.get("game", game) != game:
        raise BattleError("game", "all territories must use the same edition, {value}", value=shown(game))
    rest = {name: value for name, value in document.items() if name != "value"}
    attack = AxisBattle.from_dict(rest, rules)
    order = tuple(document["waves"][0].get("defender", {}).get("loss_order", ()))
    return Territory(attack, document.get("value", 1), order)


@dataclass(frozen=True)
class Placement:
    """One way to place the units: who goes to each territory, who is `kept` back, and what comes of it.

    `chances` are those of each territory to be held, `law` those that exactly 0, 1, ... are, and `worth` is what was
    asked for: a chance, or the expected value held.
    """

    shares: tuple[Units, ...]
    kept: Units
    chances: tuple[float, ...]
    law: tuple[float, ...]
    worth: float


@dataclass(frozen=True)
class Placements:
    """The best placements, best first, each worth something else, and what comes of simpler ones.

    `without` anybody placed, with all kinds spread as evenly as can be, and with all `together` in the territory where
    that is best. `alike` are groups of kinds that do the same here, so that they may change places. Where `wanted`
    territories cannot all be held, the best are best at holding `held` of them, as many as can be.
    """

    best: tuple[Placement, ...]
    without: Placement
    even: Placement
    together: Placement
    alike: tuple[tuple[str, ...], ...]
    held: int


def place(placing: Placing, most: float = inf) -> Placements:
    """The best ways to place the units; TooLargeError where finding them is more work than `most`."""
    _check_shares(placing, most)
    tables = hold_chances(placing, most)
    kinds, merged = _merged([(name,) for name, _ in placing.units], tables)
    held = placing.wanted
    shares = _best(placing, merged, held, most)
    while placing.aim != "value" and shares[0].worth <= SAME and held > 1:
        held -= 1
        shares = _best(placing, merged, held, most)
    by_kind = dict(placing.units)
    told = partial(_told, placing, tables)
    together = [told(_all_in(placing, one)) for one in range(len(placing.territories))]
    return Placements(
        tuple(told(_parted(one.shares, kinds, by_kind)) for one in shares),
        told(np.zeros((len(tables), len(by_kind)), np.int64)),
        told(_evenly(placing)),
        max(together, key=lambda one: one.worth),
        tuple(names for names in kinds if len(names) > 1),
        held,
    )


def _best(placing: Placing, tables: Sequence[Grid], held: int, most: float) -> list[Shared]:
    places = len(tables)
    goal = at_least(held, places)
    if placing.aim == "value":
        goal = total([territory.value for territory in placing.territories])
    return best_shares(tables, goal, placing.how_many, most)


def _check_shares(placing: Placing, most: float) -> None:
    """Refuse at once where a few units of each kind show that all can be shared out in too many ways.

    Kinds that are not the same among those few are not the same among all.
    """
    units = placing.units
    if prod(count + 1 for _, count in units) <= MOST_SHARES:
        return
    each = max(int(FEW_SHARES ** (1 / len(units))) - 1, 1)
    few = replace(placing, units=tuple((name, min(count, each)) for name, count in units))
    kinds, _ = _merged([(name,) for name, _ in units], hold_chances(few, most))
    counts = dict(units)
    if prod(1 + sum(counts[name] for name in names) for names in kinds) > MOST_SHARES:
        raise too_many()


# Chances ------------------------------------------------------------------------------------------------


def hold_chances(placing: Placing, most: float = inf) -> list[Grid]:
    """The chance of each territory to be held with every share of the units: an array with an axis for each kind.

    It is -1 where units cannot be placed.
    """
    shape = [count + 1 for _, count in placing.units]
    tables: list[Grid] = []
    for place, territory in enumerate(placing.territories):
        first = next(one for one, other in enumerate(placing.territories) if other.attack == territory.attack
                     and other.order == territory.order)  # fmt: skip
        if first < place:
            tables.append(tables[first])
            continue
        battle = territory.with_units(placing.placeable(place))
        odds = within(
            f"territories.{place}", partial(parts_odds, battle, "defence", ("wins",), most / len(placing.territories))
        )
        at_hand = [name for name, _ in placing.units]
        placed = odds.units - np.array([territory.attack.defender.count(name) for name in odds.names], np.int64)
        known = (placed >= 0).all(axis=1)
        others = [one for one, name in enumerate(odds.names) if name not in at_hand]
        known &= (placed[:, others] == 0).all(axis=1)
        codes = np.zeros((len(placed), len(shape)), np.int64)
        for one, name in enumerate(odds.names):
            if name in at_hand:
                codes[:, at_hand.index(name)] = placed[:, one]
        table = np.full(shape, -1.0)
        table[tuple(codes[known].T)] = np.clip(1 - odds.values["wins"][known], 0, 1)
        tables.append(table)
    return tables


def _merged(kinds: list[tuple[str, ...]], tables: list[Grid]) -> tuple[list[tuple[str, ...]], list[Grid]]:
    """The same with kinds as one that do the same in every territory."""
    for one in range(len(kinds)):
        for other in range(one + 1, len(kinds)):
            pairs = [np.moveaxis(table, (one, other), (0, 1)) for table in tables]
            if all(np.abs(pair[1:, :-1] - pair[:-1, 1:]).max() < SAME for pair in pairs):
                # First all of the one kind, then the other's beside them.
                joined = [np.concatenate([pair[:, 0], pair[-1, 1:]]) for pair in pairs]
                rest = [names for place, names in enumerate(kinds) if place not in (one, other)]
                tables = [np.moveaxis(table, 0, one) for table in joined]
                return _merged([*rest[:one], kinds[one] + kinds[other], *rest[one:]], tables)
    return kinds, tables


# Placements ---------------------------------------------------------------------------------------------


def _parted(shares: Nodes, kinds: Sequence[tuple[str, ...]], counts: Mapping[str, int]) -> Nodes:
    """Shares of kinds that do the same as shares of each: [territory, kind]."""
    names = list(counts)
    parted = np.zeros((len(shares), len(names)), np.int64)
    for share, alike in zip(shares.T, kinds, strict=True):
        ends = np.cumsum(share)
        start = 0
        for name in alike:
            taken = np.clip(ends, start, start + counts[name])
            parted[:, names.index(name)] = np.diff(taken, prepend=start)
            start += counts[name]
    return parted


def _evenly(placing: Placing) -> Nodes:
    """All units spread as evenly as can be: who does not come out even goes on where the last kind stopped."""
    shares = np.zeros((len(placing.territories), len(placing.units)), np.int64)
    turn = 0
    for kind, (name, count) in enumerate(placing.units):
        able = [place for place, territory in enumerate(placing.territories) if territory.takes(name)]
        for one in range(count):
            shares[able[(turn + one) % len(able)], kind] += 1
        turn += count
    return shares


def _all_in(placing: Placing, place: int) -> Nodes:
    """All units in one territory that can be there."""
    shares = np.zeros((len(placing.territories), len(placing.units)), np.int64)
    able = placing.placeable(place)
    shares[place] = [able.get(name, 0) for name, _ in placing.units]
    return shares


def _told(placing: Placing, tables: Sequence[Grid], shares: Nodes) -> Placement:
    """What comes of a placement."""
    chances = [float(table[tuple(share)]) for table, share in zip(tables, shares.tolist(), strict=True)]
    law = np.ones(1)
    for chance in chances:
        law = np.convolve(law, [1 - chance, chance])
    if placing.aim == "value":
        worth = sum(one.value * chance for one, chance in zip(placing.territories, chances, strict=True))
    else:
        worth = float(law[placing.wanted :].sum())
    names = [name for name, _ in placing.units]
    kept = np.array([count for _, count in placing.units]) - shares.sum(axis=0)
    return Placement(
        tuple(_units(names, share) for share in shares),
        _units(names, kept),
        tuple(chances),
        tuple(law.tolist()),
        worth,
    )


def _units(names: Sequence[str], counts: Nodes) -> Units:
    return tuple((name, count) for name, count in zip(names, counts.tolist(), strict=True) if count)
