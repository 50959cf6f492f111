"""The slow twin: dice battles by listing every roll and following every path, in fractions. Nothing here is clever."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from solver import Pool, Ties

Left = tuple[int, int]
LawOf = Callable[[int, int], dict[Left, Fraction]]
"""The law of (attackers lost, defenders lost) in a round of so many against so many."""


@cache
def rolls(pool: Pool, units: int) -> dict[tuple[int, ...], Fraction]:
    """The law of the values compared, highest first, when this many units roll."""
    whole, law = _parts(pool, units)
    return {values: Fraction(part, whole) for values, part in law.items()}


@cache
def _parts(pool: Pool, units: int) -> tuple[int, dict[tuple[int, ...], int]]:
    """The law of the values as numbers of equal parts of a whole: fractions would take most of the time."""
    spare = 0 if pool.keep is None else len(pool.dice) - pool.keep
    dice = pool.dice[: units + spare]
    law: Counter[tuple[int, ...]] = Counter()
    for ended, parts in _fallen(dice, pool, pool.rerolls):
        ended = (ended[0] + pool.leader, *ended[1:])
        ranked = sorted(ended, reverse=True)
        ranked = ranked[spare:] if pool.worst else ranked[: len(dice) - spare]
        raised = [face + (pool.bonus[rank] if rank < len(pool.bonus) else 0) for rank, face in enumerate(ranked)]
        if pool.clamp:
            raised = [max(pool.clamp[0], min(pool.clamp[1], value)) for value in raised]
        law[tuple(sorted(raised, reverse=True))] += parts
    return law.total(), dict(law)


def _thrown(sides: int, throws: int) -> Counter[int]:
    """How many rows of throws add up to what, of which only those count that come before one below its highest."""
    sums: Counter[int] = Counter()
    for row in product(range(1, sides + 1), repeat=throws):
        counted = next((number for number, face in enumerate(row, 1) if face < sides), throws)
        sums[sum(row[:counted])] += 1
    return sums


def _fallen(dice: tuple[int, ...], pool: Pool, rerolls: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every row of what these dice show, with the number of its equal parts."""
    if not dice:
        yield (), 1
        return
    for (shown, left), parts in die_law(dice[0], pool, rerolls).items():
        for rest, others in _fallen(dice[1:], pool, left):
            yield (shown, *rest), parts * others


@cache
def die_law(sides: int, pool: Pool, rerolls: int) -> Counter[tuple[int, int]]:
    """What a die shows and the rerolls that are left then, as numbers of equal parts.

    A 1 becomes in turn what any other row of throws adds up to; rolled again only `once`, any row at all. Every die
    has such a second row of throws, which counts for nothing where the first one stays: so all parts are equal.
    """
    thrown = _thrown(sides, pool.explosions + 1)
    again = Counter({face: rows for face, rows in thrown.items() if face > 1 or pool.once})
    law: Counter[tuple[int, int]] = Counter()
    for face, rows in thrown.items():
        rerolled = face == 1 and rerolls > 0
        for shown, parts in (again if rerolled else {face: again.total()}).items():
            law[shown, rerolls - rerolled] += rows * parts
    return law


def law_of_totals(attack: Pool, defence: Pool, attackers: int, defenders: int, ties: Ties) -> dict[Left, Fraction]:
    """The law of the losses in one round in which the side with the lower total loses all that rolled."""
    law: Counter[Left] = Counter()
    for ours, chance in rolls(attack, min(attackers, attack.units)).items():
        for theirs, other in rolls(defence, min(defenders, defence.units)).items():
            more, tied = sum(ours) > sum(theirs), sum(ours) == sum(theirs)
            lost = len(ours) if (ties in ("defender", "both") if tied else not more) else 0
            killed = len(theirs) if (ties in ("attacker", "both") if tied else more) else 0
            law[lost, killed] += chance * other  # type: ignore[assignment]  # fractions count as well
    return dict(law)  # type: ignore[arg-type]


@cache
def round_law(attack: Pool, defence: Pool, attackers: int, defenders: int, ties: Ties) -> dict[Left, Fraction]:
    """The law of (attackers lost, defenders lost) in one round."""
    our_whole, all_ours = _parts(attack, attackers)
    their_whole, all_theirs = _parts(defence, defenders)
    ours_fall, theirs_fall = ties in ("defender", "both"), ties in ("attacker", "both")
    lost = np.zeros((2, len(all_ours), len(all_theirs)), np.int64)
    for a, d in zip(np.array(list(all_ours)).T, np.array(list(all_theirs)).T, strict=False):
        a = a[:, None]
        lost[0] += (a < d) | ((a == d) & ours_fall)
        lost[1] += (a > d) | ((a == d) & theirs_fall)
    # Whole numbers of Python's, which never overflow.
    chances, others = (np.array(list(side.values()), dtype=object) for side in (all_ours, all_theirs))
    law = {}
    for ours, theirs in sorted(set(zip(*lost.reshape(2, -1).tolist(), strict=True))):
        part = chances @ (((lost[0] == ours) & (lost[1] == theirs)) @ others)
        law[ours, theirs] = Fraction(part, our_whole * their_whole)
    return law


def ends(
    attack: Pool, defence: Pool, ties: Ties, start: Left, stop: int = 0, rounds: int | None = None, totals: bool = False
) -> dict[Left, Fraction]:
    """The law of what is left at the end of a battle of compared dice."""
    law = law_of_totals if totals else round_law
    return follow(lambda a, d: law(attack, defence, a, d, ties), start, stop, rounds)


def follow(law_of: LawOf, start: Left, stop: int = 0, rounds: int | None = None) -> dict[Left, Fraction]:
    """The law of what is left at the end; mass in places that are never left is missing."""

    @cache
    def after(attackers: int, defenders: int, still: int | None) -> dict[Left, Fraction]:
        if defenders == 0 or attackers <= stop or still == 0:
            return {(attackers, defenders): Fraction(1)}
        law = law_of(attackers, defenders)
        stay = law.get((0, 0), Fraction(0)) if still is None else Fraction(0)
        if stay == 1:
            return {}
        total: dict[Left, Fraction] = {}
        for (lost, killed), chance in law.items():
            if still is None and not lost and not killed:
                continue
            following = after(attackers - lost, defenders - killed, None if still is None else still - 1)
            for end, share in following.items():
                total[end] = total.get(end, Fraction(0)) + chance * share / (1 - stay)
        return total

    return after(*start, rounds)


def rounds_fought(law_of: LawOf, start: Left, stop: int = 0) -> Fraction:
    """The expected number of rounds of a battle that always comes to an end."""

    @cache
    def still(attackers: int, defenders: int) -> Fraction:
        if defenders == 0 or attackers <= stop:
            return Fraction(0)
        law = law_of(attackers, defenders)
        stay = law.get((0, 0), Fraction(0))
        later = (chance * still(attackers - i, defenders - j) for (i, j), chance in law.items() if i or j)
        return (1 + sum(later, Fraction(0))) / (1 - stay)

    return still(*start)
