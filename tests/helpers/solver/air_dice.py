"""The slow twin of raids with an air battle: every die of every plane in turn, in fractions. Nothing here is clever."""

from fractions import Fraction
from itertools import product
from typing import NamedTuple

from tests.helpers.solver import bombing_dice
from tests.helpers.solver.bombing_dice import Asked


class Flown(NamedTuple):
    """A raid and its air battle: the strengths are those of bombers, escorts and interceptors."""

    raid: Asked
    escorts: int
    interceptors: int
    strengths: tuple[int, int, int] = (1, 1, 2)
    price: Fraction = Fraction(10)
    their_price: Fraction = Fraction(10)
    first: bool = False
    """Whether interceptors that are hit do not fire back."""


class End(NamedTuple):
    """An end of a raid: the planes lost, and the damage."""

    bombers: int
    escorts: int
    interceptors: int
    damage: int


def ends(flown: Flown) -> dict[End, Fraction]:
    """The law of how a raid ends."""
    raid, law = flown.raid, dict[End, Fraction]()
    attack = [flown.strengths[0]] * raid.bombers + [flown.strengths[1]] * flown.escorts
    for (ours, share), (theirs, other) in both_sides(flown, attack):
        escorts, bombers = flown.escorts, raid.bombers
        for _ in range(theirs):
            if escorts:
                escorts -= 1
            elif bombers:
                bombers -= 1
        for (fallen, damage), chance in bombing_dice.raid(raid._replace(bombers=bombers)).items():
            lost = raid.bombers - bombers + fallen
            end = End(lost, flown.escorts - escorts, min(ours, flown.interceptors), damage)
            law[end] = law.get(end, Fraction(0)) + share * other * chance
    return law


def both_sides(flown: Flown, attack: list[int]) -> list[tuple[tuple[int, Fraction], tuple[int, Fraction]]]:
    """The hits of both sides and how likely they are."""
    if not flown.interceptors:
        return [((0, Fraction(1)), (0, Fraction(1)))]
    found = []
    for ours, share in hits(attack, flown.raid.dice).items():
        firing = max(flown.interceptors - ours, 0) if flown.first else flown.interceptors
        found += [((ours, share), back) for back in hits([flown.strengths[2]] * firing, flown.raid.dice).items()]
    return found


def hits(strengths: list[int], dice: str) -> dict[int, Fraction]:
    """How likely so many hit: each by a die of its own, but with low luck all strengths are one sum."""
    if dice == "low_luck":
        sure, rest = divmod(sum(strengths), 6)
        return {sure: Fraction(6 - rest, 6)} | ({sure + 1: Fraction(rest, 6)} if rest else {})
    law: dict[int, Fraction] = {}
    for faces in product(enumerate(bombing_dice.FACES[dice], 1), repeat=len(strengths)):
        share = Fraction(1)
        for _face, chance in faces:
            share *= chance
        count = sum(face <= strength for (face, _), strength in zip(faces, strengths, strict=True))
        law[count] = law.get(count, Fraction(0)) + share
    return law


def money(flown: Flown, end: End) -> Fraction:
    """What an end brings."""
    lost = flown.raid.counted * end.bombers + flown.price * end.escorts
    return end.damage + flown.their_price * end.interceptors - lost


def mean(flown: Flown) -> Fraction:
    """What a raid brings on average; nothing if no bomber flies."""
    if not flown.raid.bombers:
        return Fraction(0)
    return sum((money(flown, end) * share for end, share in ends(flown).items()), Fraction(0))
