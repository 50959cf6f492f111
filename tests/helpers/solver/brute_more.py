"""More slow twins: icon dice, choices, best stops, paths and reshaped odds, each done as its rule is told."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor
from typing import NamedTuple

from solver import Pool, Ties
from tests.helpers.solver.brute import LawOf, Left, die_law, follow, rolls, round_law

Words = tuple[str, ...]
"""The faces of an icon die, as they are written."""


@cache
def icons_of(faces: Words, units: int) -> dict[tuple[int, int], Fraction]:
    """The law of all attack and all defence icons that this many dice show: every roll, one after the other."""
    falls: Counter[tuple[int, int]] = Counter()
    for roll in product(faces, repeat=units):
        shown = "".join(roll)
        falls[shown.count("A"), shown.count("D")] += 1
    return {icons: Fraction(count, len(faces) ** units) for icons, count in falls.items()}


@cache
def icon_round(ours: Words, theirs: Words, attackers: int, defenders: int, luck: int = 100) -> dict[Left, Fraction]:
    """The law of (attackers lost, defenders lost) in one round of icon dice."""
    law: dict[Left, Fraction] = {}
    mean, mean_back = (_average(*side) for side in ((ours, attackers), (theirs, defenders)))
    for (hits, blocks), chance in icons_of(ours, attackers).items():
        hits = _nearest(mean, hits, luck)
        for (hits_back, blocks_back), other in icons_of(theirs, defenders).items():
            hits_back = _nearest(mean_back, hits_back, luck)
            lost = min(attackers, max(0, hits_back - blocks)), min(defenders, max(0, hits - blocks_back))
            law[lost] = law.get(lost, Fraction(0)) + chance * other
    return law


def _average(faces: Words, units: int) -> Fraction:
    return Fraction("".join(faces).count("A") * units, len(faces))


def _nearest(mean: Fraction, shown: int, luck: int) -> int:
    """The whole number next to the average of the mean and of what dice show, which counts for so much percent."""
    return floor(mean + (shown - mean) * Fraction(luck, 100) + Fraction(1, 2))


def icons(ours: Words, theirs: Words, *, luck: int = 100) -> LawOf:
    """The rounds of these dice."""
    return lambda attackers, defenders: icon_round(ours, theirs, attackers, defenders, luck)


def wins_of_icons(ours: Words, theirs: Words, start: Left) -> Fraction:
    """The attacker's chance with these dice."""
    ends = follow(icons(ours, theirs), start)
    return sum((chance for (a, d), chance in ends.items() if a and not d), Fraction(0))


class Decided(NamedTuple):
    """What perfect choices are worth to the attacker, and the law of the ends they lead to."""

    worth: Fraction
    ends: dict[Left, Fraction]


def late(
    attack: Pool,
    defence: Pool,
    ties: Ties,
    start: Left,
    floor: int = 0,
    standing_by: bool = False,
    by_die: bool = False,
) -> Decided:
    """The defender sees the roll and then takes the number of dice that is worst for the attacker; most among equals.

    The worth is the attacker's chance to win; with others `standing_by` nobody is needed among those who fight. If
    `by_die`, the defender has at most two dice and rolls the first of them before choosing.
    """

    @cache
    def decided(attackers: int, defenders: int) -> Decided:
        if defenders == 0 or attackers <= floor:
            won = defenders == 0 and (attackers > 0 or standing_by)
            return Decided(Fraction(won), {(attackers, defenders): Fraction(1)})
        parts = []
        for values, chance in rolls(attack, attackers).items():
            if by_die and min(defenders, len(defence.dice)) == 2:
                first = die_law(defence.dice[0], defence, defence.rerolls)
                after = [
                    (Fraction(ways, first.total()), second(values, *seen, attackers, defenders))
                    for seen, ways in first.items()
                ]
                parts.append((chance, _mixed(after)))
                continue
            options = [answered(values, dice, attackers, defenders) for dice in _most_first(defence, defenders)]
            parts.append((chance, min(options, key=lambda option: option.worth)))
        return _mixed(parts)

    def second(values: tuple[int, ...], one: int, rerolls: int, attackers: int, defenders: int) -> Decided:
        def end(theirs: tuple[int, ...]) -> Decided:
            lost, killed = _compared(values, theirs, ties)
            return decided(attackers - lost, defenders - killed)

        law = die_law(defence.dice[1], defence, rerolls)
        rolled = [
            (Fraction(ways, law.total()), end(defence.values_of((one, other)))) for (other, _left), ways in law.items()
        ]
        alone = end(defence.for_units(1).values_of((one,)))
        return min(_mixed(rolled), alone, key=lambda option: option.worth)

    def answered(values: tuple[int, ...], dice: int, attackers: int, defenders: int) -> Decided:
        parts = []
        for theirs, chance in rolls(defence, dice).items():
            lost, killed = _compared(values, theirs, ties)
            parts.append((chance, decided(attackers - lost, defenders - killed)))
        return _mixed(parts)

    return decided(*start)


def early(attack: Pool, defence: Pool, ties: Ties, side: str, start: Left, floor: int = 0) -> tuple[Fraction, int]:
    """The attacker's chance where one side rolls the best number of dice, and that number now; most among equals."""

    @cache
    def decided(attackers: int, defenders: int) -> tuple[Fraction, int]:
        if defenders == 0 or attackers <= floor:
            return Fraction(defenders == 0 and attackers > 0), 0
        options = []
        for dice in _most_first(attack, attackers) if side == "most" else _most_first(defence, defenders):
            rolling = (dice, defenders) if side == "most" else (attackers, dice)
            law = round_law(attack, defence, *rolling, ties)
            worth = sum(
                (chance * decided(attackers - i, defenders - j)[0] for (i, j), chance in _leaving(law)), NOTHING
            )
            options.append((worth / (1 - law.get((0, 0), NOTHING)), dice))
        return (max if side == "most" else min)(options, key=lambda option: option[0])

    return decided(*start)


def best_stops(law_of: LawOf, value: int, start: Left, floor: int = 0) -> dict[Left, tuple[Fraction, bool]]:
    """For every cell: what a battle from there pays in armies who stops where that is best, and whether that is now.

    Whoever ends with attackers and no defender has the attackers and so many armies' worth of territory.
    """

    @cache
    def paid(attackers: int, defenders: int) -> tuple[Fraction, bool]:
        now = Fraction(attackers + value * (defenders == 0 and attackers > 0))
        if defenders == 0 or attackers <= floor:
            return now, True
        law = law_of(attackers, defenders)
        if law.get((0, 0)) == 1:
            return now, True
        later = sum((chance * paid(attackers - i, defenders - j)[0] for (i, j), chance in _leaving(law)), NOTHING)
        later /= 1 - law.get((0, 0), NOTHING)
        return max(now, later), later <= now

    return {cell: paid(*cell) for cell in product(range(start[0] + 1), range(start[1] + 1))}


def marched(
    laws: Sequence[LawOf], defenders: Sequence[int], leave: Sequence[int], attackers: int, stops: Sequence[int]
) -> dict[tuple[int, int, int], Fraction]:
    """The law of (territories taken, attackers, defenders) where a march ends, leg after leg."""
    ends: dict[tuple[int, int, int], Fraction] = {}
    coming = {attackers: Fraction(1)}
    for number, (law_of, there, stop) in enumerate(zip(laws, defenders, stops, strict=True)):
        going_on: dict[int, Fraction] = {}
        for come, chance in coming.items():
            for (left, others), share in follow(law_of, (come, there), stop).items():
                if left == 0 or others > 0:
                    end = number, left, others
                    ends[end] = ends.get(end, NOTHING) + chance * share
                elif number + 1 == len(laws):
                    end = number + 1, left, 0
                    ends[end] = ends.get(end, NOTHING) + chance * share
                else:
                    on = max(left - leave[number], 0)
                    going_on[on] = going_on.get(on, NOTHING) + chance * share
        coming = going_on
    return ends


def blitz(
    ends: Mapping[Left, float], certain: float = 0.05, power: float = 1.3, cut: float = 0.1, end_power: float = 1.8
) -> dict[Left, float]:
    """Balanced Blitz on the list of ends, a step of the recipe after the other."""
    ours = sorted((end for end in ends if end[1] == 0), key=lambda end: -end[0])
    theirs = sorted((end for end in ends if end[1] > 0), key=lambda end: (-end[0], end[1]))
    line = [(end, ends[end]) for end in ours + theirs]
    chance, other = (sum(ends[end] for end in side) for side in (ours, theirs))
    win, lose = (0.0 if side <= certain else side for side in (chance, other))
    win, lose = win**power / (win**power + lose**power), lose**power / (win**power + lose**power)
    line = [(end, share * win / chance if end in ours else share * lose / other) for end, share in line]
    line = [part for part in line if part[1] > 0]
    for _ in "from the front", "from the back":
        left = cut
        while left > 0:
            end, share = line.pop(0)
            if share > left:
                line.insert(0, (end, share - left))
            left -= share
        line.reverse()
    whole = sum(share for _, share in line)
    shares = [sum(share for end, share in line if end in side) / whole for side in (ours, theirs)]
    bent = {end: share**end_power for end, share in line}
    for side, wanted in zip((ours, theirs), shares, strict=True):
        total = sum(bent[end] for end in side if end in bent)
        bent |= {end: bent[end] * wanted / total for end in side if end in bent}
    return bent


NOTHING = Fraction(0)


def _compared(ours: tuple[int, ...], theirs: tuple[int, ...], ties: Ties) -> Left:
    """What both lose when these values meet, highest with highest."""
    pairs = list(zip(ours, theirs, strict=False))
    lost = sum(a < d or (a == d and ties in ("defender", "both")) for a, d in pairs)
    return lost, sum(a > d or (a == d and ties in ("attacker", "both")) for a, d in pairs)


def _most_first(pool: Pool, units: int) -> range:
    """The numbers of dice that so many units may roll."""
    return range(min(units, len(pool.dice)), 0, -1)


def _leaving(law: Mapping[Left, Fraction]) -> list[tuple[Left, Fraction]]:
    return [(lost, chance) for lost, chance in law.items() if any(lost)]


def _mixed(parts: Sequence[tuple[Fraction, Decided]]) -> Decided:
    """The mean of what may come."""
    ends: dict[Left, Fraction] = {}
    for chance, part in parts:
        for end, share in part.ends.items():
            ends[end] = ends.get(end, NOTHING) + chance * share
    return Decided(sum((chance * part.worth for chance, part in parts), NOTHING), ends)
