"""Battles of several waves of Axis & Allies: attacks on one territory, and counter-attacks on its captors.

The survivors of a wave meet the next attackers, with the reinforcements of that wave. In a wave that is a *hold* the
captors of the territory defend it against a counter-attack; from then on the sides have exchanged their roles.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Literal

from solver.axis.battle import WAVE_ROWS, AxisBattle
from solver.axis.checks import check_attacks
from solver.axis.documents import read_shared_fields, read_wave_fields
from solver.axis.sides import MOST_UNITS, SIDES, Aim, Army, Chooses, Ruling, Units
from solver.axis.units import AMPHIBIOUS, ROLES, Role, Rules
from solver.axis.waves.units import add_units, captors, repair_units, whole_defender, with_radar
from solver.documents import read_part
from solver.errors import BattleError, check_count, quoted

MOST_WAVES = 20

Hold = Literal["", "last", "any"]
"""The defender of a wave.

With "" it is the defender of the wave before. With "last" it is the captor of the wave before. With "any" it may also
be an earlier captor that is an enemy of this wave's attackers and was not attacked since, or held out.
"""


@dataclass(frozen=True, slots=True)
class Waves:
    """A battle as its waves, one or more.

    Attributes:
        battles: The battle of each wave. Its defender has every unit that can stand there: the most that an earlier
            wave can leave, and the reinforcements.
        fresh: The reinforcements of each wave's defender.
        holds: The defender of each wave; see `Hold`.
        look_ahead: Whether a rule for retreating by profit counts later waves, in the money of `JointOdds`.

    Example:
        >>> from solver.axis.units import Unit
        >>> units = (Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6))
        >>> rules = Rules("mini", units, (("infantry", "tank"),) * 4)
        >>> wave = {"attacker": {"units": {"tank": 2}}, "defender": {"units": {"infantry": 2}}}
        >>> battle = battle_from_dict({"game": "mini", "theatre": "land", "waves": [wave, wave]}, rules)
        >>> dict(battle.battles[1].defender.units)
        {'infantry': 4}
    """

    battles: tuple[AxisBattle, ...]
    fresh: tuple[Units, ...]
    holds: tuple[Hold, ...]
    look_ahead: bool = False

    @classmethod
    def one(cls, battle: AxisBattle) -> "Waves":
        """Return a battle of one wave.

        Args:
            battle: The battle of that wave.
        """
        return cls((battle,), (battle.defender.units,), ("",))

    @classmethod
    def of(cls, rules: Rules, values: Sequence[Mapping[str, Any]], look_ahead: bool = False) -> "Waves":
        """Return the battle with these waves.

        Args:
            rules: The edition.
            values: For each wave the fields of `AxisBattle`, and `hold`. The defender is only the reinforcements.
            look_ahead: See `Waves`.

        Raises:
            BattleError: There are no or too many waves, or a field is wrong; the error names it.
        """
        if not 1 <= len(values) <= MOST_WAVES:
            raise BattleError("waves", "there can be up to {most} waves, not {n}", most=MOST_WAVES, n=len(values))
        holds = [_read_hold(number, wave) for number, wave in enumerate(values)]
        plain = [{name: value for name, value in wave.items() if name != "hold"} for wave in values]
        if len(values) == 1:
            return cls.one(AxisBattle.of_wave(rules, plain[0], "waves.0"))
        battles: list[AxisBattle] = []
        fresh: list[Units] = []
        for number, wave in enumerate(plain):
            battle, there = _read_wave(rules, wave, battles, holds[: number + 1])
            battles.append(battle)
            fresh.append(there)
        # Without such a rule there is nobody to look ahead; those who choose always do.
        planned = [battle.retreat.profit_below is not None and not any(battle.chooses) for battle in battles]
        waves = cls(tuple(battles), tuple(fresh), tuple(holds), look_ahead and any(planned))
        _check_kamikaze(waves)
        _check_choices(waves, planned)
        return waves

    @property
    def only(self) -> AxisBattle | None:
        """The battle of the only wave; None if there are several."""
        return self.battles[0] if len(self.battles) == 1 else None

    @property
    def in_order(self) -> "Waves":
        """The battle if both sides follow their orders of loss in all waves."""
        return replace(self, battles=tuple(battle.in_order for battle in self.battles))

    @property
    def free(self) -> "Waves":
        """The battle in which the sides that choose need not keep any unit to the last."""
        return replace(self, battles=tuple(battle.free for battle in self.battles))

    @property
    def has_choices(self) -> bool:
        """Whether a side chooses its casualties in any wave."""
        return any(any(battle.chooses) for battle in self.battles)

    @property
    def aim(self) -> Aim:
        """The aim of all who choose their casualties: see `AxisBattle.aim`. In several waves it counts in the end."""
        return "profit" if any(battle.aim == "profit" for battle in self.battles) else "takes"

    def with_choices(self, chooses: Sequence[Chooses], aim: Aim) -> "Waves":
        """Return the battle in which these sides choose their casualties.

        Args:
            chooses: For each wave whether its attacker and its defender choose.
            aim: Their aim.

        Raises:
            BattleError: If a plan looks ahead to a wave with choices.
        """
        values = [self._values(number) | {"chooses": pair, "aim": aim} for number, pair in enumerate(chooses)]
        return Waves.of(self.battles[0].rules, values, self.look_ahead)

    def side(self, wave: int) -> int:
        """Return the side that attacks in a wave: 0 for the first attacker's, 1 for the first defender's.

        Args:
            wave: The number of the wave, from 0.
        """
        return sum(map(bool, self.holds[: wave + 1])) % 2

    def most_lost(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the most units of each kind that both sides can lose in all waves, the first attacker's side first."""
        limits: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for number, battle in enumerate(self.battles):
            side = self.side(number)
            for whose, units in ((side, battle.attacker.units), (1 - side, self.fresh[number])):
                for name, count in repair_units(units, battle.rules).items():
                    if battle.rules.table[name].captured:
                        continue
                    plain = name.removeprefix(AMPHIBIOUS)
                    limits[whose][plain] = limits[whose].get(plain, 0) + count
        return limits

    def next_wave(self, wave: int, captor: int, captured: bool) -> int | None:
        """Return the wave in which the holders of the field are attacked next; None if they are not.

        Args:
            wave: The wave that has just ended, from 0.
            captor: The wave in which its defenders captured the field; -1 for the first defenders.
            captured: Whether the attackers of this wave have captured it.
        """
        after = range(wave + 1, len(self.battles))
        if after and bool(self.holds[wave + 1]) == captured:
            return wave + 1
        captor = wave if captured else captor
        later = (next_ for next_ in after if self.holds[next_] == "any" and self.side(next_) != self.side(captor))
        return next(later, None) if captor >= 0 else None

    def battle_against(self, wave: int, before: Mapping[str, int]) -> AxisBattle:
        """Return the battle of a wave against these units and the reinforcements.

        Args:
            wave: The number of the wave, from 0.
            before: The most units of each kind that are left from earlier waves, with guns that cannot be hit.
        """
        battle = self.battles[wave]
        if self.look_ahead and self.next_wave(wave, wave, captured=True) is not None:
            # The deadzone stands for a counter-attack; this one is among the waves, and is counted there.
            battle = replace(battle, planned_deadzone=False)
        units = add_units(before, dict(self.fresh[wave]))
        if battle.ruling < Ruling.FLEETS_STAY:
            # Guns of a wave that was not fought defended too.
            units |= dict(battle.captured_guns)
        same = units == dict(battle.defender.units)
        return battle if same else replace(battle, defender=replace(battle.defender, units=tuple(units.items())))

    def with_more(self, unit: str, more: int, wave: int = 0, role: Role = "attack") -> "Waves":
        """Return the battle with more units of a kind in one wave.

        Args:
            unit: The kind.
            more: The number of additional units; negative for fewer.
            wave: The number of the wave, from 0.
            role: The side in that wave that changes; the defender has reinforcements there.

        Raises:
            BattleError: If that is impossible.
        """
        units = dict(self.battles[wave].attacker.units if role == "attack" else self.fresh[wave])
        return self.with_army(units | {unit: units.get(unit, 0) + more}, wave, role)

    def with_army(self, units: Mapping[str, int], wave: int = 0, role: Role = "attack") -> "Waves":
        """Return the battle with other units of a side in one wave.

        Args:
            units: The number of units of each kind; for a defender the reinforcements.
            wave: The number of the wave, from 0.
            role: The side in that wave.

        Raises:
            BattleError: If that is impossible.
        """
        values = [self._values(number) for number in range(len(self.battles))]
        side = SIDES[ROLES.index(role)]
        values[wave][side] = replace(values[wave][side], units=tuple(units.items()))
        return Waves.of(self.battles[0].rules, values, self.look_ahead)

    def _values(self, wave: int) -> dict[str, Any]:
        """The values of a wave as `of` takes them."""
        battle = self.battles[wave]
        values = {field.name: getattr(battle, field.name) for field in fields(AxisBattle) if field.name != "rules"}
        defender = replace(battle.defender, units=self.fresh[wave])
        return values | {"defender": defender, "worth": self.battles[0].worth, "hold": self.holds[wave]}

    # Documents -------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the battle as a JSON document with every field, with choices as the question for the best ones."""
        if self.only:
            return self.only.to_dict()
        asked = {"question": "casualties", "aim": self.aim} if self.has_choices else {}
        shared = self.battles[0].in_order.to_dict()
        document: dict[str, Any] = {**asked, **shared, "look_ahead": self.look_ahead, "waves": []}
        for battle, fresh, hold in zip(self.battles, self.fresh, self.holds, strict=True):
            wave = battle.wave_to_dict() | {"previous_attackers_defend": bool(hold)}
            wave["defender"]["units"] = dict(fresh)
            wave |= {name: value for name, value in battle.to_dict().items() if name == "chooses"}
            document["waves"].append(wave | ({"earlier_captors_defend": True} if hold == "any" else {}))
        return document


def battle_from_dict(document: Mapping[str, Any], rules: Rules, others: Collection[str] = ()) -> Waves:
    """Read a battle of one or more waves from a JSON document.

    Args:
        document: The fields of the battle, as docs/api.md lists them.
        rules: The edition.
        others: Further fields that the document might have had: an error about an unknown one names them.

    Raises:
        BattleError: A field is missing, unknown or wrong; the error names it.
    """
    shared, waves = read_shared_fields(document, ("look_ahead", *others))
    look_ahead = shared.pop("look_ahead", False)
    if look_ahead and len(waves) == 1:
        raise BattleError("look_ahead", "there is only one wave, so there is nothing to look ahead to")
    fired = shared.pop("aa_already_fired", False)
    every = [
        shared | read_part(f"waves.{number}", partial(read_wave_fields, wave, WAVE_ROWS))
        for number, wave in enumerate(waves)
    ]
    every[0]["aa_already_fired"] = fired  # guns fire at the planes of each wave anew
    return Waves.of(rules, every, look_ahead)


def as_waves(battle: AxisBattle | Waves) -> Waves:
    """Return a battle as its waves.

    Args:
        battle: A battle, perhaps the battle of its only wave.
    """
    return Waves.one(battle) if isinstance(battle, AxisBattle) else battle


def _read_hold(number: int, values: Mapping[str, Any]) -> Hold:
    """The hold of a wave, from the values that `Waves.of` takes."""
    hold: Hold = values.get("hold", "")
    if hold and not number:
        raise BattleError("waves.0.previous_attackers_defend", "there is no earlier wave")
    return "any" if hold and number == 1 else hold  # the first wave is the only earlier one


def _read_wave(
    rules: Rules, values: Mapping[str, Any], battles: Sequence[AxisBattle], holds: Sequence[Hold]
) -> tuple[AxisBattle, Units]:
    """The battle of the next wave after these, the last of these holds being its own; and its reinforcements."""
    number, hold = len(battles), holds[-1]
    side: Army = values["defender"]
    for name, count in side.units:
        field = f"waves.{number}.defender.units.{quoted(name)[1:-1]}"
        check_count(field, count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")
    before = _most_left_before(battles, holds)
    side = side if hold else with_radar(side, before, rules)
    values = {**values, "defender": whole_defender(side, before, rules, values["theatre"])}
    if sum(map(bool, holds)) % 2 and "worth" in values:
        values["worth"] = values["worth"].swap_sides()
    battle = AxisBattle.of_wave(rules, values, f"waves.{number}")
    if hold and battle.worth.measure == "power":
        raise BattleError(
            "worth.measure",
            "in a hold the units change sides, so their hitting power changes; count units or give prices instead",
        )
    return battle, tuple((name, count) for name in rules.table if (count := side.count(name)))


def _most_left_before(battles: Sequence[AxisBattle], holds: Sequence[Hold]) -> dict[str, int]:
    """Return the most of each kind that earlier waves can leave for the wave that has the last of these holds."""
    if not battles:
        return {}
    if not holds[-1]:
        return repair_units(battles[-1].defender.units, battles[-1].rules)
    limits = captors(battles[-1]) | dict(battles[-1].captured_guns)  # guns go with the territory
    if battles[-1].theatre == "sea" and battles[-1].ruling >= Ruling.FLEETS_STAY:
        # All attackers of one side can have stayed; with each hold the other side attacks.
        for number, battle in enumerate(battles[:-1], start=1):
            if sum(map(bool, holds[number : len(battles)])) % 2 == 0:
                limits = add_units(limits, captors(battle))
    for number, battle in enumerate(battles if holds[-1] == "any" else ()):
        # Captors that have held out may have been reinforced.
        stood = repair_units(battle.defender.units, battle.rules) if any(holds[: number + 1]) else {}
        for units in (captors(battle), stood):
            limits |= {name: max(limits.get(name, 0), count) for name, count in units.items()}
    return limits


def _check_kamikaze(waves: Waves) -> None:
    """Refuse more kamikaze attacks than a side has for all waves; old logs may have them."""
    attacks = [0, 0]
    for number, battle in enumerate(waves.battles):
        side = waves.side(number)
        attacks[side] += sum(count for _, count in battle.kamikaze)
        if battle.ruling >= Ruling.FLEETS_STAY:
            read_part(f"waves.{number}.kamikaze", partial(check_attacks, attacks[side], battle.rules))


def _check_choices(waves: Waves, planned: Sequence[bool]) -> None:
    """Refuse choices for different aims, and plans that look ahead to choices."""
    choosing = [number for number, battle in enumerate(waves.battles) if any(battle.chooses)]
    if len({waves.battles[number].aim for number in choosing}) > 1:
        raise BattleError("aim", "all who choose casualties need the same aim")
    if waves.look_ahead and choosing and planned.index(True) < choosing[-1]:
        raise BattleError("look_ahead", "a plan can't look ahead to a wave in which casualties are chosen")
