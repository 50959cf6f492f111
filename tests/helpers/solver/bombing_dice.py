"""The slow twin of bombing raids: every shot and every die in turn, in fractions. Nothing here is clever."""

from fractions import Fraction
from functools import cache
from itertools import count, product
from math import comb
from typing import NamedTuple

STANDARD = [Fraction(1, 6)] * 6
BIASED = [Fraction(tenths, 10) for tenths in (1, 2, 3, 2, 1, 1)]
LOW_LUCK = [Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(0)]
FACES = {"standard": STANDARD, "biased": BIASED, "low_luck": LOW_LUCK}

Law = dict[tuple[int, int], Fraction]
"""How likely it is that so many bombers fall and the factory takes so many points."""


class Asked(NamedTuple):
    """A raid: bombers, points, dice, whether the flak is done, what is added to a die, what a bomber costs.

    `price` is what a bomber counts, where that is not what it costs.
    """

    bombers: int
    points: int
    dice: str
    fired: bool = False
    more: int = 0
    cost: int = 12
    price: Fraction | None = None

    @property
    def counted(self) -> Fraction:
        """What a bomber counts."""
        return Fraction(self.cost) if self.price is None else self.price


def raid(asked: Asked) -> Law:
    """The law of how a raid ends."""
    law: Law = {}
    for fallen, chance in flak(asked).items():
        faces = [(face + asked.more, share) for face, share in enumerate(FACES[asked.dice], 1) if share]
        for dice in product(faces, repeat=asked.bombers - fallen):
            share, damage = chance, 0
            for face, of in dice:
                share, damage = share * of, damage + face
            key = fallen, min(damage, asked.points)
            law[key] = law.get(key, Fraction(0)) + share
    return law


def raid_of_many(asked: Asked) -> Law:
    """The same law of how a raid ends, with the dice of equal sum taken together: for raids of more bombers."""
    law: Law = {}
    for (lost, damage), share in _unlimited(asked._replace(points=0)).items():
        key = lost, min(damage, asked.points)
        law[key] = law.get(key, Fraction(0)) + share
    return law


@cache
def _unlimited(asked: Asked) -> Law:
    """The law of a raid on a factory that takes any damage, whatever points it is said to have."""
    faces = [(face + asked.more, share) for face, share in enumerate(FACES[asked.dice], 1) if share]
    damages: list[dict[int, Fraction]] = [{0: Fraction(1)}]
    for _ in range(asked.bombers):
        sums: dict[int, Fraction] = {}
        for (damage, share), (face, of) in product(damages[-1].items(), faces):
            sums[damage + face] = sums.get(damage + face, Fraction(0)) + share * of
        damages.append(sums)
    fallen = flak(asked) if asked.fired or asked.dice == "low_luck" else shots_of_many(asked)
    return {
        (lost, damage): chance * share
        for lost, chance in fallen.items()
        for damage, share in damages[asked.bombers - lost].items()
    }


def shots_of_many(asked: Asked) -> dict[int, Fraction]:
    """How likely so many fall, each to a die of its own."""
    hit, most = FACES[asked.dice][0], asked.bombers
    return {lost: comb(most, lost) * hit**lost * (1 - hit) ** (most - lost) for lost in range(most + 1)}


def flak(asked: Asked) -> dict[int, Fraction]:
    """How likely so many fall: each shot is a die, but with low luck all are one sum."""
    if asked.fired:
        return {0: Fraction(1)}
    if asked.dice == "low_luck":
        sixes, over = divmod(asked.bombers, 6)
        return {sixes: Fraction(6 - over, 6)} | ({sixes + 1: Fraction(over, 6)} if over else {})
    hit = FACES[asked.dice][0]
    law: dict[int, Fraction] = {}
    for shots in product((0, 1), repeat=asked.bombers):
        share = Fraction(1)
        for shot in shots:
            share *= hit if shot else 1 - hit
        law[sum(shots)] = law.get(sum(shots), Fraction(0)) + share
    return law


def profit(asked: Asked, law: Law) -> dict[float, Fraction]:
    """The law of the damage less what the bombers lost cost."""
    profits: dict[float, Fraction] = {}
    for (fallen, damage), share in law.items():
        money = float(damage - asked.counted * fallen)
        profits[money] = profits.get(money, Fraction(0)) + share
    return dict(sorted(profits.items()))


def mean(law: dict[float, Fraction]) -> Fraction:
    """What it comes to on average."""
    return sum((Fraction(amount) * share for amount, share in law.items()), Fraction(0))


def share_of(law: dict[float, Fraction], share: Fraction) -> float:
    """The least amount that so large a share of all does not exceed."""
    reached = Fraction(0)
    for amount in sorted(law):
        reached += law[amount]
        if reached >= share:
            return amount
    raise AssertionError("all of a law is 1")


def pays_from(asked: Asked) -> int | None:
    """The least points against which the raid pays for itself: tried one by one."""
    for points in count(1):
        tried = asked._replace(points=points)
        if mean(profit(tried, raid(tried))) >= 0:
            return points
        if points > asked.bombers * (6 + asked.more):
            return None
    raise AssertionError("this counts for ever")
