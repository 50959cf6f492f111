"""A battle of Axis & Allies as one value: two sides with their orders of loss, the dice, and the attacker's plans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, get_args

from solver.axis_documents import SHARED, shared_fields, wave_fields
from solver.documents import within
from solver.errors import BattleError, check_count, check_number, shown
from solver.forces import Force, Segment
from solver.hits import Dice
from solver.sides import MOST_MONEY, MOST_ROUNDS, MOST_UNITS, NEVER, RETREATS, SIDES, Means, Retreat, Side, Units
from solver.units import AMPHIBIOUS, DAMAGED, ROLES, Role, Rules, Theatre, Unit
from solver.worth import IPC, Worth


@dataclass(frozen=True, slots=True)
class AxisBattle:
    """A battle on land or at sea under the `rules` of an edition, as it is known before the first roll.

    `round_limit` is how many rounds are fought at the most. `submerge`: whether the attacker's and the defender's
    submarines leave the fight as soon as no enemy destroyer is there. `keep_last_destroyer`, of both sides.
    `crash_stranded_fighters`: the defender's planes without room on a carrier are lost at the end of a battle at sea;
    `crash_attacking_fighters`: so are the attacker's, which keeps those first that would be lost last. In the money of
    both sides a taken territory counts `territory_value` for the attacker, and in a `deadzone` the land units in it as
    good as lost; `planned_deadzone` and `planned_value` take the place of these in what the attacker plans by. Without
    `decline_allowed` the attacker fights one round at least. `aa_already_fired`: the battle is already under way.
    `worth` says what units count in all of this money.

    `ruling` 1 is how battles were counted until November 2026: logs of that time are followed by it. All others have 2.
    """

    rules: Rules
    theatre: Theatre
    attacker: Side
    defender: Side
    dice: Dice = "standard"
    round_limit: int | None = None
    retreat: Retreat = NEVER
    submerge: tuple[bool, bool] = (False, False)
    keep_last_destroyer: tuple[bool, bool] = (False, False)
    crash_stranded_fighters: bool = False
    crash_attacking_fighters: bool = False
    deadzone: bool = False
    territory_value: float = 0
    planned_deadzone: bool | None = None
    planned_value: float | None = None
    decline_allowed: bool = True
    aa_already_fired: bool = False
    worth: Worth = IPC
    ruling: int = 2

    def __post_init__(self) -> None:
        """Bring it to one form and refuse what is no battle."""
        for name, values in (("theatre", Theatre), ("dice", Dice)):
            if getattr(self, name) not in get_args(values):
                among = ", ".join(get_args(values))
                raise BattleError(
                    name,
                    "the {name} must be one of {known}, not {value}",
                    name=name,
                    known=among,
                    value=shown(getattr(self, name)),
                )
        object.__setattr__(self, "attacker", within("attacker", partial(self._checked, self.attacker, "attack")))
        object.__setattr__(self, "defender", within("defender", partial(self._checked, self.defender, "defence")))
        if self.round_limit is not None:
            check_count(
                "round_limit",
                self.round_limit,
                1,
                MOST_ROUNDS,
                "the number of rounds must be {least} to {most}, not {value}",
            )
        if self.theatre == "land" and self.rules.land_rounds is not None:
            most = self.rules.land_rounds
            object.__setattr__(self, "round_limit", most if self.round_limit is None else min(self.round_limit, most))
        within("retreat", self._check_retreat)
        object.__setattr__(self, "worth", within("worth", partial(self.worth.settled, self.rules)))
        means = self.win_means if self.retreat.win_chance_below is not None else None
        object.__setattr__(self, "retreat", replace(self.retreat, win_means=means))
        for name in ("territory_value", "planned_value"):
            value = getattr(self, name)
            if value is not None:
                check_number(
                    name,
                    value,
                    -MOST_MONEY,
                    MOST_MONEY,
                    "the value of the territory must be {least} to {most}, not {value}",
                )

    def _checked(self, side: Side, role: Role) -> Side:
        """A side in one form: its units in the order of the rules, none of them 0."""
        table = self.rules.table
        counts = dict(side.units)
        for name, count in counts.items():
            if name not in table:
                raise BattleError(
                    f"units.{shown(name)[1:-1]}", "there is no such unit; the units are {known}", known=", ".join(table)
                )
            check_count(
                f"units.{name}", count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}"
            )
            if count:
                self._check_place(table[name], role)
        check_count(
            "keep_land",
            side.keep_land,
            0,
            MOST_UNITS,
            "the number of units to keep must be {least} to {most}, not {value}",
        )
        if side.keep_land and side.aa_second_last:
            raise BattleError("keep_land", "you can't keep land units and also lose the guns last but one")
        if side.aa_second_last and role == "attack":
            raise BattleError("aa_second_last", "the attacker can't have this")
        for name in side.loss_order:
            if name not in table:
                raise BattleError("loss_order", "there is no unit {value}", value=shown(name))
        units = tuple((name, counts[name]) for name in table if counts.get(name))
        given = side.loss_order
        side = replace(side, units=units, loss_order=given or usual_order(self.rules, self.theatre, role))
        missing = [name for name, _ in units if not self._listed(name, side, role)]
        if missing and given:
            raise BattleError("loss_order", "{unit} is not in the casualty order", unit=missing[0])
        if missing:
            raise _unordered(missing[0], role)
        return replace(side, loss_order=self._one_order(side, role))

    def _one_order(self, side: Side, role: Role) -> tuple[str, ...]:
        """One form for all orders that come to the same, the usual one where that is one of them.

        Kinds that are not there keep their places: some questions are about one unit more.
        """
        usual, there = usual_order(self.rules, self.theatre, role), {name for name, _ in side.units}
        last = [name for name in dict.fromkeys(reversed(side.loss_order)) if not self.by_itself(name, role)][::-1]
        known = [name for name in last if name in there or name in usual]
        return usual if known == [name for name in usual if name in known] else tuple(known)

    def _check_place(self, unit: Unit, role: Role) -> None:
        bombards = self.theatre == "land" and role == "attack" and unit.bombards
        if unit.kind not in ("air", self.theatre) and not bombards:
            if self.theatre == "land":
                raise BattleError(f"units.{unit.name}", "{unit} can't fight on land", unit=unit.name)
            raise BattleError(f"units.{unit.name}", "{unit} can't fight at sea", unit=unit.name)
        if unit.amphibious and role == "defence":
            raise BattleError(f"units.{unit.name}", "only attackers can land from the sea")

    def by_itself(self, name: str, role: Role) -> bool:
        """Whether a kind has no place to be given in an order: transports are lost last, ships that bombard never."""
        unit = self.rules.table[name]
        return unit.defenceless if self.theatre == "sea" else role == "attack" and unit.kind == "sea"

    def _listed(self, name: str, side: Side, role: Role) -> bool:
        return name in side.loss_order or self.by_itself(name, role)

    def _check_retreat(self) -> None:
        plan = self.retreat
        if plan.units_at_most is not None:
            check_count(
                "units_at_most",
                plan.units_at_most,
                1,
                MOST_UNITS,
                "the number of units must be {least} to {most}, not {value}",
            )
        if plan.win_means not in (None, *get_args(Means)):
            raise BattleError("win_means", "it must be take or destroy, not {value}", value=shown(plan.win_means))
        for name in ("win_chance_below", "clear_chance_above", "air_loss_chance_above"):
            if getattr(plan, name) is not None:
                check_number(name, getattr(plan, name), 0, 1, "a chance must be {least} to {most}, not {value}")
        if plan.profit_below is not None:
            check_number(
                "profit_below",
                plan.profit_below,
                -MOST_MONEY,
                MOST_MONEY,
                "a profit must be {least} to {most}, not {value}",
            )
        for name in ("clear_chance_above", "air_loss_chance_above"):
            if getattr(plan, name) is not None and self.theatre == "sea":
                raise BattleError(name, "this works only for battles on land")

    @property
    def win_means(self) -> Means:
        """What the attacker plans to do: where nothing is said, to take the territory, or at sea to destroy all."""
        return self.retreat.win_means or ("take" if self.theatre == "land" else "destroy")

    @property
    def ends_early(self) -> bool:
        """Whether the battle can be over while both sides have units that fight."""
        return bool(self.retreat) or self.round_limit is not None

    # Orders of loss --------------------------------------------------------------------------------------

    def segments(self, role: Role, side: Side | None = None) -> tuple[Segment, ...]:
        """The order of loss of a side, first lost first, as the rules settle it; ships that bombard are not in it.

        The cost of its units is what they are worth in this battle. `side` is the same with another order.
        """
        row = self._row(side or (self.attacker if role == "attack" else self.defender))
        priced = {name: self.worth.priced(self.rules.table[name], role) for name in dict.fromkeys(row)}
        # Of ships with two hits a damaged carrier has less room: its first hit is the last of these to be taken.
        doubled = [unit for unit in priced.values() if unit.takes(role) > 1]
        doubled.sort(key=lambda unit: (unit.carries, unit.name))
        spare = [Segment(unit, row.count(unit.name), spare=True) for unit in doubled]
        return (*spare, *(Segment(priced[name], len(list(units))) for name, units in groupby(row)))

    def line_up(self, sides: Sequence[Units]) -> tuple[tuple[Segment, ...], list[Force]]:
        """One order of loss for several sets of the defender's units, and each of these as a force in it."""
        segments, guns_late, keep = self.segments("defence"), self.defender.aa_second_last, self.defender.keep_land
        if not (guns_late or keep) or list(sides) == [self.defender.units]:
            return segments, [_standing(segments, dict(units)) for units in sides]
        # Those who are lost last are of other kinds in every set, so each kind may stand there.
        usual = replace(self, defender=replace(self.defender, aa_second_last=False, keep_land=0)).segments("defence")
        guns = tuple(segment for segment in usual if guns_late and segment.unit.antiaircraft)
        others = tuple(segment for segment in usual if segment not in guns)
        last = tuple(
            one._replace(units=min(one.units, keep or 1)) for one in others if guns_late or one.unit.can_be_kept
        )
        forces = []
        for units in sides:
            counts, left, kept = dict(units), keep or 1, {}
            for segment in reversed(last):
                kept[segment.unit.name] = min(left, counts.get(segment.unit.name, 0))
                left -= kept[segment.unit.name]
            ordinary = {name: count - kept.get(name, 0) for name, count in counts.items()}
            early, late = _standing((*others, *guns), ordinary), _standing(last, kept)
            forces.append(Force(early.active + late.active, early.gone + late.gone))
        return (*others, *guns, *last), forces

    def _row(self, side: Side) -> list[str]:
        """Every unit that can be lost, first lost first."""
        table = self.rules.table
        order = list(dict.fromkeys(reversed(side.loss_order)))  # most protected first; a name's last place counts
        if self.theatre == "sea":
            last = [name for name in table if table[name].defenceless]
            order = [*last, *(name for name in order if name not in last)]
        row = [name for name in order for _ in range(side.count(name)) if table[name].kind in ("air", self.theatre)]
        if side.aa_second_last:
            guns = [name for name in row if table[name].antiaircraft]
            others = [name for name in row if not table[name].antiaircraft]
            row = [*others[:1], *guns, *others[1:]]
        land = [place for place, name in enumerate(row) if table[name].can_be_kept]
        kept = dict.fromkeys(land[: side.keep_land])
        row = [row[place] for place in kept] + [name for place, name in enumerate(row) if place not in kept]
        return row[::-1]

    def order_of_loss(self, role: Role) -> tuple[str, ...]:
        """The kinds of units of a side in the order in which they are lost, as the rules settle it."""
        return tuple(dict.fromkeys(segment.unit.name for segment in self.segments(role) if not segment.spare))

    @property
    def ships(self) -> tuple[tuple[Unit, int], ...]:
        """The attacker's ships that bombard a battle on land."""
        if self.theatre == "sea":
            return ()
        table = self.rules.table
        return tuple((table[name], count) for name, count in self.attacker.units if table[name].kind == "sea")

    @property
    def calm(self) -> "AxisBattle":
        """The battle in which no planes crash: nobody attacks, or they have crashed already."""
        return replace(self, crash_stranded_fighters=False, crash_attacking_fighters=False)

    def swapped(self) -> "AxisBattle":
        """The battle with the parts exchanged, without plans; units that cannot change their part go too.

        BattleError where nobody is left on a side.
        """
        if not self._in_role(self.defender, "attack").units:
            raise BattleError("defender", "none of the defender's units can attack")
        if not self._in_role(self.attacker, "defence").units:
            raise BattleError("attacker", "none of the attacker's units can defend")
        return replace(
            self._unplanned,
            attacker=self._in_role(self.defender, "attack"),
            defender=self._in_role(self.attacker, "defence"),
            submerge=self.submerge[::-1],
            keep_last_destroyer=self.keep_last_destroyer[::-1],
            crash_stranded_fighters=self.crash_attacking_fighters,
            crash_attacking_fighters=self.crash_stranded_fighters,
            worth=self.worth.swapped(),
        )

    @property
    def planned(self) -> bool:
        """Whether it has plans, or orders of loss of its own: these go with the part of a side."""
        usual = (
            side.loss_order == usual_order(self.rules, self.theatre, role)
            for role, side in zip(ROLES, (self.attacker, self.defender), strict=True)
        )
        kept = self.attacker.keep_land or self.defender.aa_second_last
        plain = self._unplanned
        return not all(usual) or bool(kept) or replace(self, ruling=plain.ruling) != plain

    @property
    def _unplanned(self) -> "AxisBattle":
        """The battle without plans and without the worth of the territory."""
        return AxisBattle(
            self.rules,
            self.theatre,
            self.attacker,
            self.defender,
            self.dice,
            self.round_limit,
            submerge=self.submerge,
            keep_last_destroyer=self.keep_last_destroyer,
            crash_stranded_fighters=self.crash_stranded_fighters,
            crash_attacking_fighters=self.crash_attacking_fighters,
            worth=self.worth,
        )

    def _in_role(self, side: Side, role: Role) -> Side:
        counts: dict[str, int] = {}
        for name, count in side.units:
            unit = self.rules.table[name]
            plain = name.removeprefix(AMPHIBIOUS)
            fits = unit.kind in ("air", self.theatre) and not (role == "attack" and unit.antiaircraft)
            if fits and (unit.defenceless or plain in usual_order(self.rules, self.theatre, role)):
                counts[plain] = counts.get(plain, 0) + count
        return Side.of(counts)

    # Documents -------------------------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rules: Rules) -> "AxisBattle":
        """The battle of a JSON document under these rules; BattleError names the field that is wrong."""
        given, waves = shared_fields(document)
        if len(waves) != 1:
            raise BattleError("waves", "a battle has one wave here: give a list of one object")
        given |= within("waves.0", partial(wave_fields, waves[0]))
        if given.pop("hold"):
            raise BattleError("waves.0.previous_attackers_defend", "there is no earlier wave")
        return cls.of_wave(rules, given, "waves.0")

    @classmethod
    def of_wave(cls, rules: Rules, given: Mapping[str, Any], place: str) -> "AxisBattle":
        """The battle with these fields, which stand at this place of a document."""
        try:
            return cls(rules, **given)
        except BattleError as error:
            if error.field == "planned_value":
                raise BattleError(f"{place}.retreat_ev_override.territory_value", error.told, **error.values) from None
            raise (error if error.field.partition(".")[0] in SHARED else error.inside(place)) from None

    def to_dict(self) -> dict[str, Any]:
        """The battle as a JSON document, with every field."""
        return {
            "game": f"axis{self.rules.key}",
            "theatre": self.theatre,
            "dice": self.dice,
            "deadzone": self.deadzone,
            "territory_value": self.territory_value,
            "decline_allowed": self.decline_allowed,
            "aa_already_fired": self.aa_already_fired,
            "worth": self.worth.to_dict(),
            "waves": [self.wave_dict()],
        }

    def wave_dict(self) -> dict[str, Any]:
        """What the document of a battle says of its wave."""
        ours, theirs = self.attacker, self.defender
        return {
            "attacker": {
                "units": dict(ours.units),
                "loss_order": list(ours.loss_order),
                "keep_land": ours.keep_land,
            },
            "defender": {
                "units": dict(theirs.units),
                "loss_order": list(theirs.loss_order),
                "aa_second_last": theirs.aa_second_last,
                **({"keep_land": theirs.keep_land} if theirs.keep_land else {}),
            },
            "round_limit": self.round_limit,
            "retreat": {name: getattr(self.retreat, name) for name in (*RETREATS, "win_means")},
            "submerge": dict(zip(SIDES, self.submerge, strict=True)),
            "keep_last_destroyer": dict(zip(SIDES, self.keep_last_destroyer, strict=True)),
            "crash_stranded_fighters": self.crash_stranded_fighters,
            "crash_attacking_fighters": self.crash_attacking_fighters,
            "retreat_ev_override": {"deadzone": self.planned_deadzone, "territory_value": self.planned_value},
        }


def _standing(segments: Sequence[Segment], counts: Mapping[str, int]) -> Force:
    """The force of so many units of each kind, where each kind has one segment (and one for spare hits)."""
    return Force(tuple(counts.get(segment.unit.name, 0) for segment in segments), (0,) * len(segments))


def usual_order(rules: Rules, theatre: Theatre, role: Role) -> tuple[str, ...]:
    """The usual order of loss: those landed from the sea before their like, who can retreat; damaged ships first."""
    order: list[str] = []
    for name in rules.order(theatre, role):
        special = (f"{AMPHIBIOUS}{name}",) if role == "attack" else ()
        order += [one for one in (f"{DAMAGED}{name}", *special) if one in rules.table]
        order.append(name)
    return tuple(order)


def _unordered(unit: str, role: Role) -> BattleError:
    if role == "attack":
        return BattleError(
            f"units.{unit}", "{unit} can't attack here: it is in no casualty order of these rules", unit=unit
        )
    return BattleError(
        f"units.{unit}", "{unit} can't defend here: it is in no casualty order of these rules", unit=unit
    )
