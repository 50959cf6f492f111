"""A battle of Axis & Allies as one value: two armies, the rules of the edition, the dice, and the attacker's plans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, Self, get_args

from solver.axis import checks
from solver.axis.documents import (
    SHARED,
    SHARED_FIELDS,
    read_shared_fields,
    read_wave_fields,
    rows_of_wave,
    write_fields,
)
from solver.axis.loss_order import Force, Segment, army_in_role, loss_row, plain_force, split_force, usual_order
from solver.axis.sides import (
    CHOOSERS,
    LATEST_RULING,
    NEVER,
    SIDES,
    STAYS,
    Aim,
    Army,
    Chooses,
    DefenderRetreat,
    Dice,
    Luck,
    Means,
    Retreat,
    Ruling,
    Units,
    dice_of,
)
from solver.axis.units import ROLES, Role, Rules, Theatre, Unit
from solver.axis.worth import IPC, Worth, units_at_worth
from solver.documents import read_part
from solver.errors import BattleError, check_choice

_CHOICES = ("theatre", get_args(Theatre)), ("dice", get_args(Luck)), ("aim", get_args(Aim))
"""The fields that have one of some names, and these."""


@dataclass(frozen=True, slots=True)
class AxisBattle:
    """A battle on land or at sea before the first roll.

    Where a side chooses, `casualties/` answers, of several waves `solve_waves`; all others follow the orders of loss.

    Attributes:
        rules: The rules of the edition.
        theatre: "land" or "sea".
        attacker: The attacker's army.
        defender: The defender's army.
        dice: Whose dice fall how.
        round_limit: The highest number of rounds; None for no limit.
        retreat: When the attacker retreats.
        defender_retreat: When the defender leaves after a round, with all units that are left but guns.
        submerge: How many submarines of each side leave the fight once no enemy destroyer is there; True for all.
        keep_last_destroyer: Whether the attacker and the defender keep their last destroyer while they can.
        crash_stranded_fighters: Whether the defender's planes without room on a carrier are lost at the end, at sea.
        crash_attacking_fighters: The same for the attacker's planes; those last in the order of loss find room first.
        deadzone: Whether land units in a captured territory count as good as lost.
        territory_value: The worth of a captured territory to the attacker, in money.
        planned_deadzone: The value of `deadzone` in the attacker's plan; None for the same.
        planned_value: The value of `territory_value` in the attacker's plan; None for the same.
        decline_allowed: Whether the attacker may decline the battle; otherwise they fight one round at least.
        aa_already_fired: Whether the battle is under way, so that anti-aircraft guns do not fire again.
        kamikaze: The attacker's ships at which kamikaze attacks are aimed before the battle, and with how many.
        worth: How money is counted.
        chooses: Whether the attacker and the defender choose their casualties round by round. Then an attacker with a
            plan may stop before any round but the first, and submarines may submerge where they otherwise would.
        aim: The number that the attacker wants large and the defender small: "takes" for the chance to take the
            territory, at sea to win; "profit" for the TUV swing, in money. Without choices it is "takes".
        ruling: The rules that it follows; a battle of an old log follows those of its time. See `Ruling`.

    Raises:
        BattleError: If a value is impossible; it names the field.

    Example:
        >>> from solver.axis.units import Unit
        >>> infantry, tank = Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6)
        >>> rules = Rules("1942", (infantry, tank), (("infantry", "tank"),) * 4)
        >>> battle = AxisBattle(rules, "land", Army.of({"tank": 2, "infantry": 3}), Army.of({"infantry": 4}))
        >>> battle.order_of_loss("attack")
        ('infantry', 'tank')
    """

    rules: Rules
    theatre: Theatre
    attacker: Army
    defender: Army
    dice: Luck = "standard"
    round_limit: int | None = None
    retreat: Retreat = NEVER
    defender_retreat: DefenderRetreat = STAYS
    submerge: tuple[int, int] = (0, 0)
    keep_last_destroyer: tuple[bool, bool] = (False, False)
    crash_stranded_fighters: bool = False
    crash_attacking_fighters: bool = False
    deadzone: bool = False
    territory_value: float = 0
    planned_deadzone: bool | None = None
    planned_value: float | None = None
    decline_allowed: bool = True
    aa_already_fired: bool = False
    kamikaze: Units = ()
    worth: Worth = IPC
    chooses: Chooses = (False, False)
    aim: Aim = "takes"
    ruling: int = LATEST_RULING

    def __post_init__(self) -> None:
        """Bring the fields to one form, and refuse impossible ones."""
        for name, known in _CHOICES:
            check_choice(name, getattr(self, name), known, "the {name} must be one of {known}, not {value}")
        if not any(self.chooses):
            object.__setattr__(self, "aim", "takes")
        for name, role in zip(SIDES, ROLES, strict=True):
            army = partial(checks.canonical_army, getattr(self, name), self.rules, self.theatre, role)
            object.__setattr__(self, name, read_part(name, army))
        if self.ruling >= Ruling.SUBMERGED_LATE:
            read_part("defender", partial(checks.check_guns, self.defender, self.rules))
        attackers = [self.rules.table[name] for name, _ in self.attacker.units]
        checks.check_dice(self.dice, self.rules, attackers)
        self._limit_rounds(any(unit.amphibious for unit in attackers))
        object.__setattr__(self, "submerge", read_part("submerge", partial(checks.canonical_submerge, self)))
        self._complete_retreat(unarmed=not all(unit.attack for unit in attackers))
        if self.defender_retreat != STAYS:
            read_part("defender_retreat", partial(checks.check_defender_retreat, self))
        if self.kamikaze:
            aims = partial(checks.canonical_kamikaze, self.kamikaze, self.attacker, self.rules, self.theatre)
            object.__setattr__(self, "kamikaze", read_part("kamikaze", aims))
        if self.worth != IPC:
            object.__setattr__(self, "worth", read_part("worth", partial(self.worth.canonical, self.rules)))
        for name in ("territory_value", "planned_value"):
            checks.check_territory_value(name, getattr(self, name))

    def _complete_retreat(self, unarmed: bool) -> None:
        """Check the attacker's plan, and add what follows from the battle; `unarmed`: some can't attack."""
        if self.rules.transports_leave:
            leave = self.theatre == "sea" and unarmed
            object.__setattr__(self, "retreat", replace(self.retreat, transports_alone=leave))
        if self.retreat != NEVER:
            read_part("retreat", partial(checks.check_retreat, self.retreat, self.theatre))
        means = self.win_means if self.retreat.win_chance_below is not None else None
        if means != self.retreat.win_means:
            object.__setattr__(self, "retreat", replace(self.retreat, win_means=means))

    def _limit_rounds(self, lands: bool) -> None:
        """Check the limit of rounds, which on land is that of a turn at most; `lands` is whether units have landed."""
        checks.check_rounds("round_limit", self.round_limit)
        limit = self.rules.land_rounds
        if self.theatre == "land" and limit is not None:
            object.__setattr__(self, "round_limit", min(self.round_limit or limit, limit))
            if limit > 1 and self._all_stop and lands:
                raise BattleError("units", "units can land from the sea only where a turn has one round, or any number")

    @property
    def win_means(self) -> Means:
        """The meaning of a win in the attacker's plan; by default to take the territory, or at sea to destroy all
        defenders.
        """
        return self.retreat.win_means or ("take" if self.theatre == "land" else "destroy")

    @property
    def unit_dice(self) -> Dice:
        """The kind of dice of all but anti-aircraft guns."""
        return dice_of(self.dice, self.rules.faces)

    @property
    def damage_stays(self) -> bool:
        """Whether ships stay damaged after the battle."""
        return self.rules.damage_stays and self.ruling >= Ruling.WHOLE_EDITIONS

    @property
    def ends_early(self) -> bool:
        """Whether the battle can end while both sides have units that fight."""
        return bool(self.retreat) or self.round_limit is not None or bool(self.defender_retreat)

    @property
    def _all_stop(self) -> bool:
        """Whether units landed from the sea stop with all others: the edition has one round on land."""
        one_round = self.theatre == "land" and self.rules.land_rounds is not None
        return one_round and self.ruling >= Ruling.FLEETS_STAY

    def army(self, role: Role) -> Army:
        """Return the army of a side: see `Role`."""
        return self.attacker if role == "attack" else self.defender

    def with_army(self, role: Role, army: Army) -> Self:
        """Return the battle with another army in a role: see `Role`. BattleError if that is impossible."""
        return replace(self, attacker=army) if role == "attack" else replace(self, defender=army)

    # Orders of loss --------------------------------------------------------------------------------------

    @property
    def in_order(self) -> "AxisBattle":
        """The battle if both sides follow their orders of loss."""
        return replace(self, chooses=(False, False))

    @property
    def free(self) -> "AxisBattle":
        """The battle in which the sides that choose need not keep any unit to the last."""
        if not any(self.chooses):
            return self
        armies = [
            replace(army, keep_land=0, aa_second_last=False) if chooses else army
            for army, chooses in zip((self.attacker, self.defender), self.chooses, strict=True)
        ]
        ours, theirs = (keep and not free for keep, free in zip(self.keep_last_destroyer, self.chooses, strict=True))
        return replace(self, attacker=armies[0], defender=armies[1], keep_last_destroyer=(ours, theirs))

    def segments(self, role: Role, army: Army | None = None) -> tuple[Segment, ...]:
        """Return the order of loss of a side, first lost first, with all special rules applied.

        Ships that bombard are not in it. The cost of each unit is its worth in this battle.

        Args:
            role: The role of the side.
            army: The same units with another order of loss; None for the army of the battle.
        """
        row = loss_row(army or self.army(role), self.rules, self.theatre)
        units = units_at_worth(self.rules, self.worth, role, self.ruling >= Ruling.WHOLE_EDITIONS, self._all_stop)
        kinds = dict.fromkeys(row)
        # A damaged carrier has less room, so its first hit is taken after those of other ships with two hits.
        doubled = [units[name] for name in kinds if units[name].hit_points(role) > 1]
        doubled.sort(key=lambda unit: (unit.carries, unit.name))
        spare = [Segment(unit, row.count(unit.name), spare=True) for unit in doubled]
        return (*spare, *(Segment(units[name], len(list(same))) for name, same in groupby(row)))

    def line_up(self, sides: Sequence[Units]) -> tuple[tuple[Segment, ...], list[Force]]:
        """Return one order of loss for several sets of the defender's units, and each set as a force in it.

        Args:
            sides: Each set: the names of the units and how many. Damaged ships may be among them that the defender of
                the battle does not have.
        """
        whole = dict(self.defender.units)
        for units in sides:
            whole |= {name: max(whole.get(name, 0), count) for name, count in units}
        army = replace(self.defender, units=tuple(whole.items()))
        segments, keep = self.segments("defence", army), army.keep_land
        guns_late = army.aa_second_last and any(segment.unit.antiaircraft for segment in segments)
        if not (guns_late or keep) or list(sides) == [self.defender.units]:
            return segments, [plain_force(segments, dict(units)) for units in sides]
        limit, (early, late) = keep or 1, self._early_and_late(army, guns_late)
        return (*early, *late), [split_force(early, late, dict(units), limit) for units in sides]

    def _early_and_late(self, army: Army, guns_late: bool) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
        """An order of loss with a late place for every kind, as each set may have other kinds among the last units."""
        usual = self.segments("defence", replace(army, aa_second_last=False, keep_land=0))
        guns = tuple(segment for segment in usual if guns_late and segment.unit.antiaircraft)
        others = tuple(segment for segment in usual if segment not in guns)
        late = (segment for segment in others if guns_late or segment.unit.can_be_kept)
        limit = army.keep_land or 1
        return (*others, *guns), tuple(segment._replace(units=min(segment.units, limit)) for segment in late)

    def order_of_loss(self, role: Role) -> tuple[str, ...]:
        """Return the kinds of units of a side, first lost first, with all special rules applied: see `Role`."""
        return tuple(dict.fromkeys(loss_row(self.army(role), self.rules, self.theatre)))

    @property
    def captured_guns(self) -> Units:
        """The defender's guns that cannot be hit."""
        return tuple((name, count) for name, count in self.defender.units if self.rules.table[name].captured)

    @property
    def guns_can_fire(self) -> bool:
        """Whether there is a time for anti-aircraft guns to fire: before a battle on land that has not begun."""
        return self.theatre == "land" and not self.aa_already_fired

    @property
    def air_battle(self) -> int:
        """The strength of planes in the battle in the air before this one; 0 if there is none."""
        fights = self.theatre == "land" and self.ruling >= Ruling.WHOLE_EDITIONS
        return (self.rules.air_battle or 0) if fights else 0

    @property
    def ships(self) -> tuple[tuple[Unit, int], ...]:
        """The ships that bombard beside the attackers in the first round."""
        return () if self.rules.bombardment_first else self.fleet

    @property
    def opening_ships(self) -> tuple[tuple[Unit, int], ...]:
        """The ships that bombard before the first round."""
        return self.fleet if self.rules.bombardment_first else ()

    @property
    def fleet(self) -> tuple[tuple[Unit, int], ...]:
        """The attacker's ships that bombard a battle on land."""
        if self.theatre == "sea":
            return ()
        table = self.rules.table
        return tuple((table[name], count) for name, count in self.attacker.units if table[name].kind == "sea")

    @property
    def without_crashes(self) -> "AxisBattle":
        """The battle without planes that crash: nobody attacks, or they have crashed already."""
        return replace(self, crash_stranded_fighters=False, crash_attacking_fighters=False)

    def swap_sides(self) -> "AxisBattle":
        """Return the battle with the roles exchanged, without plans and units that cannot take the other role.

        BattleError if no unit is left on a side.
        """
        attacker = army_in_role(self.defender, self.rules, self.theatre, "attack")
        defender = army_in_role(self.attacker, self.rules, self.theatre, "defence")
        if not attacker.units:
            raise BattleError("defender", "none of the defender's units can attack")
        if not defender.units:
            raise BattleError("attacker", "none of the attacker's units can defend")
        return replace(
            self._without_plans,
            attacker=attacker,
            defender=defender,
            submerge=self.submerge[::-1],
            keep_last_destroyer=self.keep_last_destroyer[::-1],
            crash_stranded_fighters=self.crash_attacking_fighters,
            crash_attacking_fighters=self.crash_stranded_fighters,
            worth=self.worth.swap_sides(),
            chooses=self.chooses[::-1],
        )

    @property
    def has_plans(self) -> bool:
        """Whether it has plans or orders of loss of its own, which do not change sides."""
        orders = any(self.army(role).loss_order != usual_order(self.rules, self.theatre, role) for role in ROLES)
        last, plain = self.attacker.keep_land or self.defender.aa_second_last, self._without_plans
        return orders or bool(last) or replace(self, ruling=plain.ruling) != plain

    @property
    def _without_plans(self) -> "AxisBattle":
        """The battle without plans and without the worth of the territory."""
        return AxisBattle(**{name: getattr(self, name) for name in _NO_PLANS})

    # Documents -------------------------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rules: Rules) -> "AxisBattle":
        """Return the battle of a JSON document.

        Args:
            document: The document, with one wave.
            rules: The rules of the edition.

        Raises:
            BattleError: If a field is wrong; it names the field.
        """
        values, waves = read_shared_fields(document)
        if len(waves) > 1:
            raise BattleError("waves", "a battle has one wave here: give a list of one object")
        values |= read_part("waves.0", partial(read_wave_fields, waves[0], WAVE_ROWS))
        if values.pop("hold"):
            raise BattleError("waves.0.previous_attackers_defend", "there is no earlier wave")
        return cls.of_wave(rules, values, "waves.0")

    @classmethod
    def of_wave(cls, rules: Rules, values: Mapping[str, Any], place: str) -> "AxisBattle":
        """Return the battle of one wave of a JSON document.

        Args:
            rules: The rules of the edition.
            values: The fields of the battle.
            place: The place of the wave in the document, such as "waves.0".

        Raises:
            BattleError: If a field is wrong; it names the place in the document.
        """
        try:
            return cls(rules, **values)
        except BattleError as error:
            if error.field == "planned_value":
                raise BattleError(f"{place}.retreat_ev_override.territory_value", error.text, **error.values) from None
            raise (error if error.field.partition(".")[0] in SHARED else error.with_prefix(place)) from None

    def to_dict(self) -> dict[str, Any]:
        """Return the battle as a JSON document with every field, with choices as the question for the best ones."""
        chooses = next((name for name, pair in CHOOSERS.items() if pair == self.chooses), None)
        asked = {"question": "casualties", "chooses": chooses, "aim": self.aim} if chooses else {}
        shared = write_fields(self, SHARED_FIELDS)
        return {**asked, **self.rules.to_dict(), **shared, "waves": [self.wave_to_dict()]}

    def wave_to_dict(self) -> dict[str, Any]:
        """Return the part of the JSON document that describes the wave."""
        return {
            **write_fields(self, WAVE_ROWS),
            "retreat_ev_override": {"deadzone": self.planned_deadzone, "territory_value": self.planned_value},
        }


WAVE_ROWS = rows_of_wave(AxisBattle)
"""The rows of the fields of a wave in a JSON document."""
_NO_PLANS = (
    *("rules", "theatre", *SIDES, "dice", "round_limit", "submerge", "keep_last_destroyer", "worth"),
    *("crash_stranded_fighters", "crash_attacking_fighters", "chooses", "aim"),
)
"""The fields that are no plan of the attacker."""
