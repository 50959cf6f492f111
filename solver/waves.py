"""Several waves of Axis & Allies as one value: attack after attack on a territory, and counter-attacks on who took it.

The survivors of a wave meet the next attackers, with the reinforcements of that wave. In a wave that is a *hold* those
who have captured the territory defend it against a counter-attack, so that with it the sides exchange their parts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from solver.axis import AxisBattle, usual_order
from solver.axis_documents import shared_fields, wave_fields
from solver.documents import within
from solver.errors import BattleError, check_count, shown
from solver.sides import MOST_UNITS, Side, Units
from solver.units import AMPHIBIOUS, Rules, Theatre

MOST_WAVES = 20

Hold = Literal["", "last", "any"]
"""Who defends: "" the defenders of the wave before; "last" whoever captured in the wave before; "any" the same, or who
captured in an earlier wave, was not attacked since or held out, and is an enemy of this wave's attackers."""


@dataclass(frozen=True, slots=True)
class Waves:
    """Two waves or more. The defender of `battles[k]` is all that can stand there: the last to defend and `fresh[k]`.

    `holds[k]` says who that is (see `Hold`). With `look_ahead` the rule for retreating by profit counts what the waves
    to come are worth, in the money of `waves_together.Together`: what the territory brings in the end, to whom.
    """

    battles: tuple[AxisBattle, ...]
    fresh: tuple[Units, ...]
    holds: tuple[Hold, ...]
    look_ahead: bool = False

    @classmethod
    def of(cls, rules: Rules, given: Sequence[Mapping[str, Any]], look_ahead: bool = False) -> "Waves":
        """The waves with these fields of `AxisBattle` each, and `hold`; the defender of each is who is fresh in it."""
        if not 2 <= len(given) <= MOST_WAVES:
            raise BattleError("waves", "there can be up to {most} waves, not {n}", most=MOST_WAVES, n=len(given))
        battles: list[AxisBattle] = []
        fresh: list[Units] = []
        holds: list[Hold] = []
        for number, fields in enumerate(given):
            rest = dict(fields)
            hold: Hold = rest.pop("hold", "")
            if number == 1 and hold:
                hold = "any"  # nobody can have captured any earlier
            if hold and not number:
                raise BattleError("waves.0.previous_attackers_defend", "there is no earlier wave")
            side: Side = rest["defender"]
            for name, count in side.units:
                field = f"waves.{number}.defender.units.{shown(name)[1:-1]}"
                check_count(field, count, 0, MOST_UNITS, "the number of units must be {least} to {most}, not {value}")
            rest["defender"] = _all_of(side, _before(battles, [*holds, hold]), rules, rest["theatre"])
            swapped = sum(map(bool, [*holds, hold])) % 2
            if swapped and "worth" in rest:
                rest["worth"] = rest["worth"].swapped()
            battles.append(AxisBattle.of_wave(rules, rest, f"waves.{number}"))
            fresh.append(tuple((name, count) for name in rules.table if (count := side.count(name))))
            holds.append(hold)
            if hold and battles[-1].worth.measure == "power":
                raise BattleError(
                    "worth.measure",
                    "in a hold the units change sides, and so their hitting power; count units or give prices instead",
                )
        # Without such a rule there is nobody to look ahead.
        look_ahead &= any(battle.retreat.profit_below is not None for battle in battles)
        return cls(tuple(battles), tuple(fresh), tuple(holds), look_ahead)

    def side(self, wave: int) -> int:
        """Whose attack a wave is: 0 is the first attacker's, 1 the first defender's."""
        return sum(map(bool, self.holds[: wave + 1])) % 2

    def most_lost(self) -> tuple[dict[str, int], dict[str, int]]:
        """The most units of each kind that both sides can lose in all waves, the first attacker's side first."""
        most: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for number, battle in enumerate(self.battles):
            side = self.side(number)
            for whose, units in ((side, battle.attacker.units), (1 - side, self.fresh[number])):
                for name, count in repaired(units, battle.rules).items():
                    plain = name.removeprefix(AMPHIBIOUS)
                    most[whose][plain] = most[whose].get(plain, 0) + count
        return most

    def follows(self, wave: int, captor: int, captured: bool) -> int | None:
        """In which wave those are attacked who hold the field after a wave, and have captured it in the wave `captor`.

        That is -1 for the first defenders. `captured` says that this wave has captured it from them; None is never.
        """
        after = range(wave + 1, len(self.battles))
        if after and bool(self.holds[wave + 1]) == captured:
            return wave + 1
        captor = wave if captured else captor
        later = (next_ for next_ in after if self.holds[next_] == "any" and self.side(next_) != self.side(captor))
        return next(later, None) if captor >= 0 else None

    def against(self, wave: int, before: Mapping[str, int]) -> AxisBattle:
        """The battle of a wave against these units, as they were at their most, and who is fresh."""
        battle = self.battles[wave]
        if self.look_ahead and self.follows(wave, wave, captured=True) is not None:
            # The deadzone stands for a counter-attack; this one is among the waves, and is counted there.
            battle = replace(battle, planned_deadzone=False)
        units = tuple(added(before, dict(self.fresh[wave])).items())
        return replace(battle, defender=replace(battle.defender, units=units))

    def with_more(self, unit: str, more: int) -> "Waves":
        """The same with so many more units of a kind in the first attack."""
        document = self.to_dict()
        units = document["waves"][0]["attacker"]["units"]
        units[unit] = units.get(unit, 0) + more
        changed = battle_from(document, self.battles[0].rules)
        assert isinstance(changed, Waves), "there are as many waves as before"
        return changed

    # Documents -------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The waves as a JSON document, with every field."""
        document = self.battles[0].to_dict() | {"look_ahead": self.look_ahead, "waves": []}
        for battle, fresh, hold in zip(self.battles, self.fresh, self.holds, strict=True):
            wave = battle.wave_dict() | {"previous_attackers_defend": bool(hold)}
            wave["defender"]["units"] = dict(fresh)
            document["waves"].append(wave | ({"earlier_captors_defend": True} if hold == "any" else {}))
        return document


def battle_from(document: Mapping[str, Any], rules: Rules) -> AxisBattle | Waves:
    """The battle of a JSON document, of one wave or several; BattleError names the field that is wrong."""
    given, waves = shared_fields(document, ("look_ahead",))
    look_ahead = given.pop("look_ahead", False)
    if len(waves) < 2:
        if look_ahead:
            raise BattleError("look_ahead", "there is only one wave, so there is nothing to look ahead to")
        return AxisBattle.from_dict({name: document[name] for name in document if name != "look_ahead"}, rules)
    fired = given.pop("aa_already_fired", False)
    every = [given | within(f"waves.{number}", partial(wave_fields, wave)) for number, wave in enumerate(waves)]
    every[0]["aa_already_fired"] = fired  # guns fire at the planes of each wave anew
    return Waves.of(rules, every, look_ahead)


def waves_of(battle: AxisBattle | Waves) -> tuple[AxisBattle, ...]:
    """The battles of all waves; of one battle that one."""
    return (battle,) if isinstance(battle, AxisBattle) else battle.battles


def added(units: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """Units of both together."""
    return dict(units) | {name: units.get(name, 0) + count for name, count in more.items()}


def captors(battle: AxisBattle) -> dict[str, int]:
    """The attackers of a battle that can hold what they capture: land units, no longer landed ones; at sea all."""
    found: dict[str, int] = {}
    table = battle.rules.table
    for name, count in battle.attacker.units:
        if battle.theatre == "sea" or table[name].kind == "land":
            plain = table[name].repaired or name.removeprefix(AMPHIBIOUS)
            found = added(found, {plain: count})
    return found


def repaired(units: Units, rules: Rules) -> dict[str, int]:
    """Units as they are after a battle: damaged ships are whole again."""
    found: dict[str, int] = {}
    for name, count in units:
        found = added(found, {rules.table[name].repaired or name: count})
    return found


def _before(battles: Sequence[AxisBattle], holds: Sequence[Hold]) -> dict[str, int]:
    """The most of each kind that can be left from the waves before, for the wave that the last of `holds` is of."""
    if not battles:
        return {}
    if not holds[-1]:
        return repaired(battles[-1].defender.units, battles[-1].rules)
    most = captors(battles[-1])
    for number, battle in enumerate(battles if holds[-1] == "any" else ()):
        # Captors who have held out may have been reinforced.
        stood = repaired(battle.defender.units, battle.rules) if any(holds[: number + 1]) else {}
        for units in (captors(battle), stood):
            most |= {name: max(most.get(name, 0), count) for name, count in units.items()}
    return most


def _all_of(side: Side, before: Mapping[str, int], rules: Rules, theatre: Theatre) -> Side:
    """A defender with those left from before; where no order of loss is given, one that has them all."""
    units = added(before, dict(side.units))
    order = side.loss_order or _with_others(usual_order(rules, theatre, "defence"), units, rules)
    there = tuple(name for name in order if name in units)
    # Where no guns can be, none are lost late.
    guns = any(name in rules.table and rules.table[name].antiaircraft for name, count in units.items() if count)
    late = side.aa_second_last and guns
    return replace(side, units=tuple(units.items()), loss_order=there or (order if units else ()), aa_second_last=late)


def _with_others(order: tuple[str, ...], names: Mapping[str, int], rules: Rules) -> tuple[str, ...]:
    """An order of loss with these units too, each before the first that costs more."""
    placed = list(order)
    for name in names:
        if name in rules.table and name not in placed and not rules.table[name].defenceless:
            cost = rules.table[name].cost
            dearer = (place for place, other in enumerate(placed) if rules.table[other].cost > cost)
            placed.insert(next(dearer, len(placed)), name)
    return tuple(placed)
