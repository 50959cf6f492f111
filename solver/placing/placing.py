"""The question where to place units: the units at hand, and the territories with the attacks that threaten them.

A territory is held unless the attacker takes it; at sea, unless only attackers are left.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any, Literal, get_args

from solver.axis.battle import AxisBattle
from solver.axis.loss_order import usual_order
from solver.axis.sides import MOST_MONEY, MOST_UNITS, Units
from solver.axis.units import Rules
from solver.documents import check_fields, check_nulls, read_list, read_object, read_part
from solver.errors import BattleError, check_choice, check_count, check_number, quoted

MOST_TERRITORIES = 8
MOST_PLACEMENTS = 20
"""The most placements that can be requested."""
MOST_AT_HAND, MOST_IN_ALL = 500, 1_000
"""The most units at hand, and the most units on both sides in one territory together with them."""

Aim = Literal["all", "at_least", "value"]


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory that is attacked.

    Attributes:
        attack: The attack on the units that stand there already.
        value: The value of holding it.
        loss_order: The order of loss of all units that may stand there; empty for the usual one.

    Raises:
        BattleError: The value is out of range.
    """

    attack: AxisBattle
    value: float = 1
    loss_order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the value."""
        check_number("value", self.value, 0, MOST_MONEY, "a territory's value must be 0 to {most}, not {value}")

    def accepts(self, name: str) -> bool:
        """Return whether units of a kind can be placed here: not guns that cannot be hit, which belong to a territory.

        Args:
            name: The kind.
        """
        unit, battle = self.attack.rules.table[name], self.attack
        usual = usual_order(battle.rules, battle.theatre, "defence")
        listed = unit.defenceless or name in usual or self.order != usual
        return unit.kind in ("air", battle.theatre) and not unit.amphibious and not unit.captured and listed

    @property
    def order(self) -> tuple[str, ...]:
        """The order of loss of its defenders."""
        return self.loss_order or self.attack.defender.loss_order

    def with_units(self, units: Mapping[str, int]) -> AxisBattle:
        """Return the attack on this territory with more units in it.

        Args:
            units: The number of each kind to add.

        Raises:
            BattleError: Such a battle breaks a rule or a limit.
        """
        counts = dict(self.attack.defender.units)
        for name, count in units.items():
            counts[name] = counts.get(name, 0) + count
        side = replace(self.attack.defender, units=tuple(counts.items()), loss_order=self.order)
        return read_part("waves.0", lambda: replace(self.attack, defender=side))


@dataclass(frozen=True, slots=True)
class Placing:
    """The question where to place units.

    Attributes:
        units: The units at hand.
        territories: The territories, 1 to 8.
        aim: Hold all territories, at least some number of them, or as much value as possible.
        at_least: That number; None for the other aims.
        how_many: The number of placements to return, 1 to 20.

    Raises:
        BattleError: The values break a rule or a limit, or do not fit together.
        TooLargeError: The units can be split in too many ways.

    Example:
        >>> from solver.axis.units import Unit
        >>> units = (Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6))
        >>> rules = Rules("mini", units, (("infantry", "tank"),) * 4)
        >>> attack = {"theatre": "land", "waves": [{"attacker": {"units": {"tank": 1}}, "defender": {}}]}
        >>> Placing.from_dict({"units": {"infantry": 2}, "territories": [attack, attack]}, rules).wanted
        2
    """

    units: Units
    territories: tuple[Territory, ...]
    aim: Aim = "all"
    at_least: int | None = None
    how_many: int = 3

    def __post_init__(self) -> None:
        """Check the fields and bring them to one form."""
        places = len(self.territories)
        if not 1 <= places <= MOST_TERRITORIES:
            raise BattleError(
                "territories", "the number of territories must be 1 to {most}, not {n}", most=MOST_TERRITORIES, n=places
            )
        check_choice("goal", self.aim, get_args(Aim), "the goal must be one of {known}, not {value}")
        if self.aim == "at_least":
            hold = self.at_least
            check_count(
                "at_least", hold, 1, places, "the number of territories to hold must be {least} to {most}, not {value}"
            )
        elif self.at_least is not None:
            raise BattleError("at_least", 'this works only with the goal "at_least"')
        number = self.how_many
        check_count(
            "how_many", number, 1, MOST_PLACEMENTS, "the number of placements must be {least} to {most}, not {value}"
        )
        self._check_units()
        canonical = (
            read_part(f"territories.{place}", partial(self._canonical_territory, place)) for place in range(places)
        )
        object.__setattr__(self, "territories", tuple(canonical))
        # Both say the same, and only one of them is kept.
        if self.at_least == places:
            object.__setattr__(self, "aim", "all")
            object.__setattr__(self, "at_least", None)

    def _canonical_territory(self, place: int) -> Territory:
        """Return a territory in one form for all orders of loss that are equal for the units that may stand there."""
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
        # Kinds whose place the rules give, such as transports, may be missing in it.
        order = () if order == tuple(name for name in usual if name in order) else order
        attack = replace(territory.attack, defender=replace(territory.attack.defender, loss_order=order))
        return replace(territory, attack=attack, loss_order=order)

    def _check_units(self) -> None:
        from solver.axis.best.parts import MOST_PARTS  # who only asks whether a line is a placing has no use for them
        from solver.placing.shares import too_many_shares

        table, counts = self.rules.table, dict(self.units)
        for name, count in counts.items():
            field = f"units.{quoted(name)[1:-1]}"
            if name not in table:
                raise BattleError(field, "there is no such unit; the units are {known}", known=", ".join(table))
            check_count(field, count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")
            if count and table[name].captured:
                raise BattleError(
                    field,
                    "{unit} can't be placed: in these rules it can't be hit and stays with its territory",
                    unit=name,
                )
            if count and not any(territory.accepts(name) for territory in self.territories):
                raise BattleError(field, "{unit} can't defend in any of these territories", unit=name)
        units = tuple((name, counts[name]) for name in table if counts.get(name))
        if not units:
            raise BattleError("units", "there are no units to place")
        if (count := sum(counts.values())) > MOST_AT_HAND:
            raise BattleError("units", "you can place 1 to {most} units in all, not {n}", most=MOST_AT_HAND, n=count)
        if prod(count + 1 for _, count in units) > MOST_PARTS:
            raise too_many_shares()
        object.__setattr__(self, "units", units)

    @property
    def rules(self) -> Rules:
        """The edition of all battles."""
        return self.territories[0].attack.rules

    @property
    def wanted(self) -> int:
        """The number of territories to hold, for an aim that counts them."""
        return self.at_least or len(self.territories)

    def placeable(self, place: int) -> dict[str, int]:
        """Return the units at hand that can be placed in a territory.

        Args:
            place: The number of the territory, from 0.
        """
        return {name: count for name, count in self.units if self.territories[place].accepts(name)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rules: Rules) -> "Placing":
        """Read the question from a JSON document.

        Args:
            document: The fields of the question, as docs/api.md lists them.
            rules: The edition.

        Raises:
            BattleError: A field is missing, unknown or wrong; the error names it.
        """
        check_nulls(document)
        check_fields(document, {"game", "units", "territories", "goal", "at_least", "how_many"})
        units = read_part("units", partial(read_object, document.get("units", {})))
        parts = read_list(document, "territories") if "territories" in document else []
        territories = [
            read_part(f"territories.{place}", partial(_territory, part, document.get("game"), rules))
            for place, part in enumerate(parts)
        ]
        own = {name: document[name] for name in ("at_least", "how_many") if name in document}
        return cls(tuple(units.items()), tuple(territories), document.get("goal", "all"), **own)


def _territory(document: Any, game: Any, rules: Rules) -> Territory:
    if read_object(document).get("game", game) != game:
        raise BattleError("game", "all territories must use the same edition, {value}", value=quoted(game))
    rest = {name: value for name, value in document.items() if name != "value"}
    attack = AxisBattle.from_dict(rest, rules)
    order = tuple(document["waves"][0].get("defender", {}).get("loss_order", ()))
    return Territory(attack, document.get("value", 1), order)
