"""A battle of Axis & Allies as one value: two sides with their orders of loss, the dice, and the attacker's plans."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

from solver.documents import check_fields, list_from, within
from solver.errors import BattleError, check_count, shown
from solver.forces import Segment
from solver.hits import Dice
from solver.units import AMPHIBIOUS, DAMAGED, Role, Rules, Theatre, Unit

MOST_UNITS = 10_000
MOST_ROUNDS = 1_000
MOST_MONEY = 1_000_000
Means = Literal["take", "destroy"]

Units = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One side: how many units of each kind, and its order of loss, first lost first; empty means the usual one.

    `keep_land` land units are lost last of all, after the planes. `aa_second_last`: a defender's guns are the last to
    be lost but one unit.
    """

    units: Units
    loss_order: tuple[str, ...] = ()
    keep_land: int = 0
    aa_second_last: bool = False

    @classmethod
    def of(cls, units: Mapping[str, int], *loss_order: str, keep_land: int = 0, aa_second_last: bool = False) -> "Side":
        """The side with these units, in whatever order they are named."""
        return cls(tuple(units.items()), loss_order, keep_land, aa_second_last)

    def count(self, name: str) -> int:
        """How many units of a kind."""
        return dict(self.units).get(name, 0)


@dataclass(frozen=True, slots=True)
class Retreat:
    """When the attacker retreats: as soon as any of these is so; None is never.

    At most `units_at_most` units are left; the expected profit from here is below `profit_below`; the chance to win
    is below `win_chance_below` (`win_means`: to take the territory, which never happens at sea, or to destroy all
    defenders); the chance to clear the territory in the next round is above `clear_chance_above`; that to lose a plane
    in it above `air_loss_chance_above`.
    """

    units_at_most: int | None = None
    profit_below: float | None = None
    win_chance_below: float | None = None
    win_means: Means | None = None
    clear_chance_above: float | None = None
    air_loss_chance_above: float | None = None

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return any(getattr(self, name) is not None for name in RETREATS)

    @property
    def plans(self) -> bool:
        """Whether a rule plans to the end of the battle."""
        return self.profit_below is not None or self.win_chance_below is not None


RETREATS = ("units_at_most", "profit_below", "win_chance_below", "clear_chance_above", "air_loss_chance_above")


@dataclass(frozen=True, slots=True)
class AxisBattle:
    """A battle on land or at sea under the `rules` of an edition, as it is known before the first roll.

    `round_limit` is how many rounds are fought at the most. `submerge`: whether the attacker's and the defender's
    submarines leave the fight as soon as no enemy destroyer is there. `keep_last_destroyer`, of both sides.
    `crash_stranded_fighters`: the defender's planes without room on a carrier are lost at the end. In the money of
    both sides a taken territory counts `territory_value` for the attacker, and in a `deadzone` the land units in it as
    good as lost; `planned_deadzone` and `planned_value` take the place of these in what the attacker plans by. Without
    `decline_allowed` the attacker fights one round at least. `aa_already_fired`: the battle is already under way.
    """

    rules: Rules
    theatre: Theatre
    attacker: Side
    defender: Side
    dice: Dice = "standard"
    round_limit: int | None = None
    retreat: Retreat = Retreat()
    submerge: tuple[bool, bool] = (False, False)
    keep_last_destroyer: tuple[bool, bool] = (False, False)
    crash_stranded_fighters: bool = False
    deadzone: bool = False
    territory_value: float = 0
    planned_deadzone: bool | None = None
    planned_value: float | None = None
    decline_allowed: bool = True
    aa_already_fired: bool = False

    def __post_init__(self) -> None:
        """Bring it to one form and refuse what is no battle."""
        for name, values in (("theatre", Theatre), ("dice", Dice)):
            if getattr(self, name) not in get_args(values):
                among = ", ".join(get_args(values))
                raise BattleError(name, f"the {name} is one of {among}, not {shown(getattr(self, name))}")
        object.__setattr__(self, "attacker", within("attacker", partial(self._checked, self.attacker, "attack")))
        object.__setattr__(self, "defender", within("defender", partial(self._checked, self.defender, "defence")))
        if self.round_limit is not None:
            check_count("round_limit", self.round_limit, 1, MOST_ROUNDS, "the number of rounds is")
        if self.theatre == "land" and self.rules.land_rounds is not None:
            most = self.rules.land_rounds
            object.__setattr__(self, "round_limit", most if self.round_limit is None else min(self.round_limit, most))
        within("retreat", self._check_retreat)
        means = self.win_means if self.retreat.win_chance_below is not None else None
        object.__setattr__(self, "retreat", replace(self.retreat, win_means=means))
        for name in ("territory_value", "planned_value"):
            value = getattr(self, name)
            if value is not None:
                _check_number(name, value, -MOST_MONEY, MOST_MONEY, "the worth of the territory is")

    def _checked(self, side: Side, role: Role) -> Side:
        """A side in one form: its units in the order of the rules, none of them 0."""
        table = self.rules.table
        counts = dict(side.units)
        for name, count in counts.items():
            if name not in table:
                raise BattleError(f"units.{shown(name)[1:-1]}", f"there is no such unit; there are {', '.join(table)}")
            check_count(f"units.{name}", count, 0, MOST_UNITS, "the number of units is")
            if count:
                self._check_place(table[name], role)
        check_count("keep_land", side.keep_land, 0, MOST_UNITS, "the number of units to keep is")
        if (side.keep_land and role == "defence") or (side.aa_second_last and role == "attack"):
            name = "keep_land" if side.keep_land else "aa_second_last"
            raise BattleError(name, f"this is not for the {'attacker' if role == 'attack' else 'defender'}")
        for name in side.loss_order:
            if name not in table:
                raise BattleError("loss_order", f"there is no unit {shown(name)}")
        units = tuple((name, counts[name]) for name in table if counts.get(name))
        given = side.loss_order
        side = replace(side, units=units, loss_order=given or usual_order(self.rules, self.theatre, role))
        missing = [name for name, _ in units if not self._listed(name, side, role)]
        if missing and given:
            raise BattleError("loss_order", f"{missing[0]} is not in the order of loss")
        if missing:
            reason = (
                f"{missing[0]} does not {role.replace('ence', 'end')} here: it is in no order of loss of these rules"
            )
            raise BattleError(f"units.{missing[0]}", reason)
        return replace(side, loss_order=self._one_order(side, role))

    def _one_order(self, side: Side, role: Role) -> tuple[str, ...]:
        """One form for all orders that come to the same for these units: the usual one where that is one of them."""
        names = {name for name, _ in side.units if not self._by_itself(name, role)}
        usual = usual_order(self.rules, self.theatre, role)
        given = [name for name in dict.fromkeys(reversed(side.loss_order)) if name in names][::-1]
        return usual if given == [name for name in usual if name in names] else tuple(given)

    def _check_place(self, unit: Unit, role: Role) -> None:
        bombards = self.theatre == "land" and role == "attack" and unit.bombards
        if unit.kind not in ("air", self.theatre) and not bombards:
            what = "takes no part in a battle on land" if self.theatre == "land" else "takes no part in a battle at sea"
            raise BattleError(f"units.{unit.name}", f"{unit.name} {what}")
        if unit.amphibious and role == "defence":
            raise BattleError(f"units.{unit.name}", "only attackers are landed from the sea")

    def _listed(self, name: str, side: Side, role: Role) -> bool:
        return self._by_itself(name, role) or name in side.loss_order

    def _by_itself(self, name: str, role: Role) -> bool:
        """Whether a unit needs no place in the order of loss: it is lost last of all, or in no danger."""
        unit = self.rules.table[name]
        return unit.defenceless if self.theatre == "sea" else role == "attack" and unit.kind == "sea"

    def _check_retreat(self) -> None:
        plan = self.retreat
        if plan.units_at_most is not None:
            check_count("units_at_most", plan.units_at_most, 1, MOST_UNITS, "the number of units is")
        if plan.win_means not in (None, *get_args(Means)):
            raise BattleError("win_means", f"to win means one of take, destroy, not {shown(plan.win_means)}")
        for name in ("win_chance_below", "clear_chance_above", "air_loss_chance_above"):
            if getattr(plan, name) is not None:
                _check_number(name, getattr(plan, name), 0, 1, "a chance is")
        if plan.profit_below is not None:
            _check_number("profit_below", plan.profit_below, -MOST_MONEY, MOST_MONEY, "a profit is")
        for name in ("clear_chance_above", "air_loss_chance_above"):
            if getattr(plan, name) is not None and self.theatre == "sea":
                raise BattleError(name, "this is for battles on land")

    @property
    def win_means(self) -> Means:
        """What the attacker plans to do: where nothing is said, to take the territory, or at sea to destroy all."""
        return self.retreat.win_means or ("take" if self.theatre == "land" else "destroy")

    @property
    def ends_early(self) -> bool:
        """Whether the battle can be over while both sides have units that fight."""
        return bool(self.retreat) or self.round_limit is not None

    # Orders of loss --------------------------------------------------------------------------------------

    def segments(self, role: Role) -> tuple[Segment, ...]:
        """The order of loss of a side, first lost first, as the rules settle it; ships that bombard are not in it."""
        side = self.attacker if role == "attack" else self.defender
        units = [self.rules.table[name] for name in self._row(side)]
        # Of ships with two hits a damaged carrier has less room: its first hit is the last of these to be taken.
        kinds = {unit.name: unit for unit in units}.values()
        doubled = sorted((unit for unit in kinds if unit.takes(role) > 1), key=lambda unit: (unit.carries, unit.name))
        spare = [Segment(unit, sum(one is unit for one in units), spare=True) for unit in doubled]
        segments: list[Segment] = []
        for unit in units:
            if segments and segments[-1].unit is unit:
                segments[-1] = segments[-1]._replace(units=segments[-1].units + 1)
            else:
                segments.append(Segment(unit, 1))
        return (*spare, *segments)

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
        kept = [place for place, name in enumerate(row) if table[name].kind == "land"][: side.keep_land]
        row = [row[place] for place in kept] + [name for place, name in enumerate(row) if place not in set(kept)]
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

    def swapped(self) -> "AxisBattle":
        """The battle with the parts exchanged; the old attacker's plans go, and so do units that cannot change theirs.

        BattleError where nobody is left on a side.
        """
        if not self._in_role(self.defender, "attack").units:
            raise BattleError("defender", "nobody of the defender's can attack")
        if not self._in_role(self.attacker, "defence").units:
            raise BattleError("attacker", "nobody of the attacker's can defend")
        return AxisBattle(
            self.rules,
            self.theatre,
            self._in_role(self.defender, "attack"),
            self._in_role(self.attacker, "defence"),
            self.dice,
            round_limit=self.round_limit,
            submerge=self.submerge[::-1],
            keep_last_destroyer=self.keep_last_destroyer[::-1],
            crash_stranded_fighters=self.crash_stranded_fighters,
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
        known = ("theatre", "dice", "deadzone", "territory_value", "decline_allowed", "aa_already_fired", "waves")
        check_fields(document, {"game", *known})
        waves = list_from(document, "waves") if "waves" in document else []
        if len(waves) != 1:
            raise BattleError("waves", "a battle has one wave here: a list of one object")
        given: dict[str, Any] = {"theatre": "land"}
        given |= {name: document[name] for name in ("theatre", "dice", "territory_value") if name in document}
        for name in ("deadzone", "decline_allowed", "aa_already_fired"):
            if name in document:
                given[name] = _truth(document, name)
        given |= within("waves.0", partial(_wave, waves[0]))
        try:
            return cls(rules, **given)
        except BattleError as error:
            if error.field == "planned_value":
                raise BattleError("waves.0.retreat_ev_override.territory_value", error.reason) from None
            raise (error if error.field in known else error.inside("waves.0")) from None

    def to_dict(self) -> dict[str, Any]:
        """The battle as a JSON document, with every field."""
        ours, theirs = self.attacker, self.defender
        override = {"deadzone": self.planned_deadzone, "territory_value": self.planned_value}
        wave = {
            "attacker": {
                "units": dict(ours.units),
                "loss_order": list(ours.loss_order),
                "keep_land": ours.keep_land,
            },
            "defender": {
                "units": dict(theirs.units),
                "loss_order": list(theirs.loss_order),
                "aa_second_last": theirs.aa_second_last,
            },
            "round_limit": self.round_limit,
            "retreat": {name: getattr(self.retreat, name) for name in (*RETREATS, "win_means")},
            "submerge": dict(zip(SIDES, self.submerge, strict=True)),
            "keep_last_destroyer": dict(zip(SIDES, self.keep_last_destroyer, strict=True)),
            "crash_stranded_fighters": self.crash_stranded_fighters,
            "retreat_ev_override": override,
        }
        return {
            "game": f"axis{self.rules.key}",
            "theatre": self.theatre,
            "dice": self.dice,
            "deadzone": self.deadzone,
            "territory_value": self.territory_value,
            "decline_allowed": self.decline_allowed,
            "aa_already_fired": self.aa_already_fired,
            "waves": [wave],
        }


SIDES = ("attacker", "defender")


def usual_order(rules: Rules, theatre: Theatre, role: Role) -> tuple[str, ...]:
    """The usual order of loss: those landed from the sea before their like, who can retreat; damaged ships first."""
    order: list[str] = []
    for name in rules.order(theatre, role):
        special = (f"{AMPHIBIOUS}{name}",) if role == "attack" else ()
        order += [one for one in (f"{DAMAGED}{name}", *special) if one in rules.table]
        order.append(name)
    return tuple(order)


def _wave(wave: Any) -> dict[str, Any]:
    """What the document of a wave says of a battle."""
    given: dict[str, Any] = {}
    if not isinstance(wave, Mapping):
        raise BattleError("", f"an object is wanted here, not {shown(wave)}")
    flags = ("submerge", "keep_last_destroyer")
    known = ("attacker", "defender", "round_limit", "retreat", *flags, "crash_stranded_fighters", "retreat_ev_override")
    if wave.get("previous_attackers_defend", False) is not False:
        raise BattleError("previous_attackers_defend", "there is no wave before this one")
    check_fields(wave, {*known, "previous_attackers_defend"})
    for name in SIDES:
        given[name] = within(name, partial(_side, wave.get(name, {}), name))
    given["retreat"] = within("retreat", partial(_retreat, wave.get("retreat", {})))
    for name in flags:
        given[name] = within(name, partial(_pair, wave.get(name, {})))
    if "crash_stranded_fighters" in wave:
        given["crash_stranded_fighters"] = _truth(wave, "crash_stranded_fighters")
    given |= within("retreat_ev_override", partial(_planned, wave.get("retreat_ev_override", {})))
    return given | {"round_limit": wave.get("round_limit")}


def _planned(document: Any) -> dict[str, Any]:
    check_fields(_object(document), {"deadzone", "territory_value"})
    deadzone = None if document.get("deadzone") is None else _truth(document, "deadzone")
    return {"planned_deadzone": deadzone, "planned_value": document.get("territory_value")}


def _side(document: Any, name: str) -> Side:
    check_fields(_object(document), {"units", "loss_order", "keep_land" if name == "attacker" else "aa_second_last"})
    units = within("units", partial(_object, document.get("units", {})))
    order = list_from(document, "loss_order") if "loss_order" in document else []
    if not all(isinstance(one, str) for one in order):
        raise BattleError("loss_order", "a list of names is wanted")
    last = _truth(document, "aa_second_last") if "aa_second_last" in document else False
    return Side(tuple(units.items()), tuple(order), document.get("keep_land", 0), last)


def _retreat(document: Any) -> Retreat:
    check_fields(_object(document), {*RETREATS, "win_means"})
    return Retreat(**document)


def _pair(document: Any) -> tuple[bool, bool]:
    check_fields(_object(document), SIDES)
    ours, theirs = (_truth(document, name) if name in document else False for name in SIDES)
    return ours, theirs


def _truth(document: Mapping[str, Any], name: str) -> bool:
    if type(document[name]) is not bool:
        raise BattleError(name, f"true or false is wanted here, not {shown(document[name])}")
    return bool(document[name])


def _object(document: Any) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise BattleError("", f"an object is wanted here, not {shown(document)}")
    return document


def _check_number(field: str, value: Any, least: float, most: float, what: str) -> None:
    if type(value) not in (int, float) or not least <= value <= most:
        raise BattleError(field, f"{what} {least} to {most}, not {shown(value)}")
