"""The slow twin of choices in several waves: every hit and every choice in turn, in fractions, wave after wave."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.helpers.solver import axis_rules as rules
from tests.helpers.solver.axis_rules import State, Wave
from tests.helpers.solver.axis_waves_brute import BEFORE, Chain, Past, Place, passed
from tests.helpers.solver.casualties_brute import Chosen


class ChosenWave(Chosen):
    """One wave, whose ends are worth to its attacker what follows them."""

    def __init__(self, wave: Wave, chooses: tuple[bool, bool], plans: bool, end: Callable[[State], Fraction]) -> None:
        self.wave, self.free, self.plans, self._end_worth, self._known = wave, chooses, plans, end, {}

    def value(self) -> Fraction:
        """The worth before the first shot; nobody declines a battle against nobody."""
        total = sum((share * max(map(self._begin, states)) for share, states in self._shots()), Fraction(0))
        if self.plans and self.wave.may_decline and self.wave.defenders:
            return max(total, self._end(rules.declined(self.wave)))
        return total

    def _end(self, state: State) -> Fraction:
        return self._end_worth(state)


class ChosenChain:
    """The worth of several waves to the first attacker's side if casualties are chosen in the best way."""

    def __init__(self, battle: dict[str, Any], chooses: Sequence[tuple[bool, bool]], aim: str) -> None:
        self.chain, self.chooses, self.aim = Chain(battle), chooses, aim
        self._known: dict[tuple[int, Place], Fraction] = {}
        for wave, free in zip(self.chain.waves, chooses, strict=True):
            for side, choosing in zip(("attacker", "defender"), free, strict=True):
                if choosing:
                    wave[side] |= {"keep_land": 0, "aa_second_last": False}

    def worth(self, number: int = 0, place: Place = BEFORE) -> Fraction:
        """What the battle is worth before a wave that is fought."""
        if (number, place) not in self._known:
            wave = self.chain._read(number, place)
            sign = 1 if self.chain.side(number) == "A" else -1

            def end(state: State) -> Fraction:
                return sign * self._after(number, place, wave, state)

            if not any(self.chooses[number]):
                law = self.chain.fight(number, place)[1]
                self._known[number, place] = sum(
                    (share * sign * end(state) for state, share in law.items()), Fraction(0)
                )
                return self._known[number, place]
            plans = any((self.chain.waves[number].get("retreat") or {}).values())
            self._known[number, place] = sign * ChosenWave(wave, self.chooses[number], plans, end).value()
        return self._known[number, place]

    def _after(self, number: int, before: Place, wave: Wave, state: State) -> Fraction:
        """What an end of a wave is worth, with the losses in it."""
        place, money = self.chain.after(number, before, state), Fraction(0)
        if self.aim == "profit":
            ours, theirs = rules.losses(replace(wave, value=Fraction(0), deadzone=False), state)
            money = (theirs - ours) * (1 if self.chain.side(number) == "A" else -1)
        for later in range(number + 1, len(self.chain.waves)):
            if self.chain.is_fought(later, place):
                return money + self.worth(later, place)
            place = passed(place)
        if self.aim == "profit":
            return money + self.chain.gain(Past(place, (), (), ((), ())))
        return Fraction(place.owner == "A" and bool(self.chain.land or place.units))
