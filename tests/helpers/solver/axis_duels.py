"""Two waves of Axis & Allies 1942 with units of one kind a side: what the best plan gains, by all policies.

It shares nothing with the slow twin of several waves but the table of units.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

from tests.helpers.solver.axis_battles import document
from tests.helpers.solver.axis_chains import chain
from tests.helpers.solver.axis_rules import UNITS

Document = dict[str, Any]


@dataclass(frozen=True)
class Duel:
    """Two waves on land; whoever attacks leaves where going on gains less than nothing, and looks ahead."""

    attackers: tuple[tuple[str, int], tuple[str, int]]
    """Of both waves."""
    defenders: tuple[str, int]
    reinforcements: int = 0
    """Of the kind that defends in the second wave."""
    hold: bool = False
    value: int = 0
    deadzone: bool = False
    may_decline: bool = True

    def document(self) -> Document:
        (one, many), (kind, count) = self.attackers
        defender, size = self.defenders
        profit: Document = {"retreat": {"profit_below": 0}}
        return chain(
            document({one: many}, {defender: size}, **profit),
            document(
                {kind: count},
                {one if self.hold else defender: self.reinforcements},
                previous_attackers_defend=self.hold,
                **profit,
            ),
            territory_value=self.value,
            deadzone=self.deadzone,
            decline_allowed=self.may_decline,
            look_ahead=True,
        )

    def kinds(self, wave: int) -> tuple[str, str]:
        """Who attacks and who defends."""
        return self.attackers[wave][0], self.attackers[0][0] if wave and self.hold else self.defenders[0]


Point = tuple[int, int | None, int]
"""Where there is a choice: the wave, how many attack and defend; before the first shot no number attacks."""
Policy = Mapping[Point, bool]
"""Whether to leave there."""


class Plan:
    """What a duel is worth under a policy; without one, the better of both at every point."""

    def __init__(self, duel: Duel, policy: Policy | None = None) -> None:
        self.duel = duel
        self.policy = policy
        self.start = cache(self._start)
        self.point = cache(self._point)

    def _start(self, wave: int, defend: int) -> Fraction:
        """To the side whose wave it is."""
        attack = self.duel.attackers[wave][1]
        if not attack or not defend:
            return self.end(wave, attack, defend)
        first = sum((share * value for _, share, value in self.round(wave, attack, defend)), Fraction(0))
        if not self.duel.may_decline:
            return first
        return self.better((wave, None, defend), first, self.end(wave, 0, defend))

    def _point(self, wave: int, attack: int, defend: int) -> Fraction:
        """After a round."""
        if not attack or not defend:
            return self.end(wave, attack, defend)
        on, leaving = Fraction(0), Fraction(0)
        for changed, share, value in self.round(wave, attack, defend, stays=True):
            if changed:
                on, leaving = on + share * value, leaving + share
        return self.better((wave, attack, defend), on / leaving, self.end(wave, 0, defend))

    def better(self, point: Point, on: Fraction, off: Fraction) -> Fraction:
        if self.policy is None:
            return max(on, off)
        return off if self.policy[point] else on

    def round(
        self, wave: int, attack: int, defend: int, stays: bool = False
    ) -> Iterator[tuple[bool, Fraction, Fraction]]:
        """Whether anything changed, how likely it is, and the money from there on."""
        ours, theirs = self.duel.kinds(wave)
        for hit, back in product(range(attack + 1), range(defend + 1)):
            share = binomial(attack, hit, UNITS[ours].attack) * binomial(defend, back, UNITS[theirs].defence)
            killed, lost = min(hit, defend), min(back, attack)
            if killed or lost or not stays:
                money = killed * UNITS[theirs].cost - lost * UNITS[ours].cost
                yield bool(killed or lost), share, money + self.point(wave, attack - lost, defend - killed)

    def end(self, wave: int, attack: int, defend: int) -> Fraction:
        """What the territory is worth if it is taken, and what follows; who is left but did not take it goes home.

        Who is attacked in turn is not as good as lost before that.
        """
        ours = UNITS[self.duel.kinds(wave)[0]]
        taken = attack > 0 and not defend
        counter = self.duel.hold and wave == 1
        total = Fraction(0)
        if taken:
            total += self.duel.value
        if taken and (counter or not self.duel.hold):
            total -= self.duel.deadzone * attack * (ours.cost - Fraction(ours.defence, 2))
        if wave == 0 and taken == self.duel.hold:
            following = self.start(1, (attack if self.duel.hold else defend) + self.duel.reinforcements)
            total += -following if self.duel.hold else following
        return total


@cache
def binomial(dice: int, hits: int, strength: int) -> Fraction:
    return comb(dice, hits) * Fraction(strength, 6) ** hits * Fraction(6 - strength, 6) ** (dice - hits)


def policies(duel: Duel, wave: int) -> Iterator[dict[Point, bool]]:
    """Every way to leave or not at every point of a wave."""
    many = duel.attackers[wave][1]
    most = duel.defenders[1] if wave == 0 else duel.attackers[0][1] if duel.hold else duel.defenders[1]
    defend = range(1, most + 1 + (duel.reinforcements if wave else 0))
    points: list[Point] = [(wave, attack, left) for attack in range(1, many + 1) for left in defend]
    if duel.may_decline:
        points += [(wave, None, left) for left in (defend if wave else defend[-1:])]
    for leaves in product([False, True], repeat=len(points)):
        yield dict(zip(points, leaves, strict=True))


def best_policy(duel: Duel) -> Fraction:
    """The most that side A can make sure of, over all policies; the second wave chooses against it in a hold."""
    answers = list(policies(duel, 1))
    choose = min if duel.hold else max
    start = duel.defenders[1]
    return max(
        choose(Plan(duel, {**first, **second}).start(0, start) for second in answers) for first in policies(duel, 0)
    )


def best_of_both(duel: Duel) -> Fraction:
    """What side A gains if at every point the better is done: the same in one go, for larger battles."""
    return Plan(duel).start(0, duel.defenders[1])
