"""Pools of dice that are compared: the dice of one side, and the exact law of the losses in one round.

Classic Risk, Star Wars Risk and their relatives are one game here. Each side rolls a *pool*, and the dice are compared
rank by rank, highest with highest. The laws are exact: whole numbers over one denominator, as fractions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from solver.errors import BattleError, CountLimit, check_count, check_flag, check_limits

if TYPE_CHECKING:  # who only reads and writes dice computes no law
    from solver.chain import RoundLaw

Ties = Literal["defender", "attacker", "both", "neither"]
"""The winner of two equal dice; with "both" each side loses a unit, with "neither" nobody does."""
DIE_BY_DIE = "die"
"""The kind of late defender who rolls one die before choosing whether to roll another."""

ValueLaw = Mapping[tuple[int, ...], int]
"""Values to compare, highest first, with whole-number weights."""

MOST_DICE = 8
MOST_SIDES = 100
MOST_ROLLS = 50_000
MOST_EXPLOSIONS = 5
MOST_WEIGHT = 2**53
"""Up to this number floats count every whole number."""
MOST_COMPARISONS = 4_000_000
MOST_AT_ONCE = 100_000
"""The number of rolls that are compared at once, roughly."""


class DiceKept(NamedTuple):
    """Dice, and which of them are compared: see `Pool`."""

    dice: tuple[int, ...]
    keep: int | None = None
    worst: bool = False


RARE = "keep", "worst", "once", "explosions", "leader"
"""The fields of a side's dice that documents have only where they differ from the usual."""


THROW_LIMITS = (
    CountLimit("rerolls", 0, MOST_DICE, "the number of rerolls must be {least} to {most}, not {value}"),
    CountLimit("explosions", 0, MOST_EXPLOSIONS, "a die can explode {least} to {most} times, not {value}"),
    CountLimit("leader", -MOST_SIDES, MOST_SIDES, "a bonus must be {least} to {most}, not {value}"),
)


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of one side and their modifiers.

    A side with n units rolls the first n dice. The first `rerolls` of the 1s, largest dice first, are rolled again
    until they are no longer 1. A die may explode: where it shows its highest number, it is rolled on, and all its
    throws add up; of these only the first is rolled again if it is a 1. The first die is the leader's, and has a bonus
    of its own. Then the dice are sorted; the highest gets the first bonus, the next the second. At last every die is
    moved into the limits `clamp`, and they are sorted again.

    If it keeps fewer dice than it has, the others are spare: any number of units rolls them besides its own, and
    compares as many of the dice as there are units.

    Attributes:
        dice: The number of sides of each die, 2 to 100; at most eight dice, sorted with the largest first.
        rerolls: The number of 1s that are rolled again.
        bonus: The bonus of the highest die, of the second highest, and so on.
        clamp: The lowest and the highest value of a die; None for no limits.
        keep: The most dice that are compared; None for all.
        worst: Whether the lowest dice are kept, not the highest.
        once: Whether a 1 is rolled again only once, so that it may stay a 1.
        explosions: How often a die is rolled on at most, each time because its last throw shows its highest number.
        leader: The bonus of the first die, whichever rank it has.

    Raises:
        BattleError: The dice break a limit.

    Example:
        >>> Pool((6, 8)).values_of([2, 5])
        (5, 2)
    """

    dice: tuple[int, ...]
    rerolls: int = 0
    bonus: tuple[int, ...] = ()
    clamp: tuple[int, int] | None = None
    keep: int | None = None
    worst: bool = False
    once: bool = False
    explosions: int = 0
    leader: int = 0

    def __post_init__(self) -> None:
        """Sort the dice and check the fields."""
        dice = len(self.dice)
        check_count("dice", dice, 1, MOST_DICE, "a side can roll {least} to {most} dice, not {value}")
        for sides in self.dice:
            check_count("dice", sides, 2, MOST_SIDES, "a die must have {least} to {most} sides, not {value}")
        self._check_throws()
        throws = self.explosions + 1 + bool(self.rerolls)
        if self.rolls > MOST_ROLLS or prod(sides**throws for sides in self.dice) > MOST_WEIGHT:
            raise BattleError("dice", "these dice can fall in too many ways; use fewer or smaller dice")
        if self.keep is not None:
            check_count("keep", self.keep, 1, dice, "{least} to {most} of these dice can be kept, not {value}")
        check_flag("worst", self.worst)
        self._check_values()
        last = max((rank for rank, bonus in enumerate(self.bonus) if bonus), default=-1)
        object.__setattr__(self, "dice", tuple(sorted(self.dice, reverse=True)))
        object.__setattr__(self, "rerolls", min(self.rerolls, dice))
        object.__setattr__(self, "bonus", tuple(self.bonus[: last + 1]))
        if self.keep == dice:
            object.__setattr__(self, "keep", None)
        object.__setattr__(self, "worst", self.worst and self.keep is not None)
        object.__setattr__(self, "once", self.once and bool(self.rerolls))

    def _check_throws(self) -> None:
        """Check the fields about what a die shows before the dice are sorted."""
        check_limits(self, THROW_LIMITS)
        check_flag("once", self.once)

    def _check_values(self) -> None:
        """Check the fields that change the dice once they are sorted."""
        check_count(
            "bonus",
            len(self.bonus),
            0,
            self.units,
            "each die can have one bonus: give {least} to {most} here, not {value}",
        )
        for bonus in self.bonus:
            check_count("bonus", bonus, -MOST_SIDES, MOST_SIDES, "a bonus must be {least} to {most}, not {value}")
        for end in self.clamp or ():
            check_count(
                "clamp", end, -MOST_SIDES, 2 * MOST_SIDES, "the limits of a die must be {least} to {most}, not {value}"
            )
        if self.clamp is not None and self.clamp[0] > self.clamp[1]:
            raise BattleError("clamp", "the smaller number must come first")

    @property
    def units(self) -> int:
        """The most units that roll: each has one of the dice that are compared."""
        return len(self.dice) if self.keep is None else self.keep

    @property
    def kept(self) -> DiceKept:
        """The dice, and which of them are compared."""
        return DiceKept(self.dice, self.keep, self.worst)

    @property
    def spare(self) -> int:
        """The number of dice that are rolled and not compared."""
        return len(self.dice) - self.units

    @property
    def rolls(self) -> int:
        """An upper bound on the number of ways the dice can fall, in any order."""
        dice, faces = len(self.dice), self.most_faces
        if not self.leader:
            return comb(dice + faces - 1, dice)
        return min(comb(dice + faces + abs(self.leader) - 1, dice), faces * comb(dice + faces - 2, dice - 1))

    @property
    def most_faces(self) -> int:
        """The most numbers that a die can show in all its throws together, no two of them alike."""
        return (self.explosions + 1) * (max(self.dice) - 1) + 1

    @property
    def work(self) -> int:
        """The approximate time to compute the law of its values, in the unit of `DiceChain.work`."""
        dice, faces = len(self.dice), self.most_faces
        return 250 * self.rolls * (self.rerolls + 1) * faces * dice // (dice + faces - 1)

    def for_units(self, units: int) -> Self:
        """Return the pool that some units roll.

        Args:
            units: Their number, at least 1.
        """
        if units >= self.units:
            return self
        keep = None if self.keep is None else units
        return replace(self, dice=self.dice[: units + self.spare], bonus=self.bonus[:units], keep=keep)

    def values_of(self, faces: Iterable[int]) -> tuple[int, ...]:
        """Return the values to compare, highest first, with bonuses and limits.

        Args:
            faces: The face of each die after re-rolls, the sum of its throws if it explodes; the leader's die first.
        """
        own, *others = faces
        return self.rank_values((own + self.leader, *others))

    def rank_values(self, shown: Iterable[int]) -> tuple[int, ...]:
        """Return the values to compare, highest first, with bonuses and limits.

        Args:
            shown: The face of each die, in any order, with the leader's bonus.
        """
        values = sorted(shown, reverse=True)
        values = values[len(values) - self.units :] if self.worst else values[: self.units]
        for rank, bonus in enumerate(self.bonus):
            values[rank] += bonus
        if self.clamp is not None:
            low, high = self.clamp
            values = [min(max(value, low), high) for value in values]
        return tuple(sorted(values, reverse=True))

    def to_dict(self) -> dict[str, Any]:
        """Return the pool as part of a JSON document."""
        clamp = None if self.clamp is None else list(self.clamp)
        document = {"dice": list(self.dice), "rerolls": self.rerolls, "bonus": list(self.bonus), "clamp": clamp}
        rare = {name: getattr(self, name) for name in RARE}
        return document | {name: value for name, value in rare.items() if value}


def losses(attack: tuple[int, ...], defence: tuple[int, ...], ties: Ties, totals: bool = False) -> tuple[int, int]:
    """Compare two rolls pair by pair, or their totals.

    Args:
        attack: The attacker's values, highest first.
        defence: The defender's values, highest first.
        ties: The winner of equal values.
        totals: Whether one comparison of the totals decides about all units that roll.

    Returns:
        The units that the attacker and the defender lose.

    Example:
        >>> losses((6, 3, 2), (5, 3), "defender")
        (1, 1)
    """
    if totals:
        lost = losses((sum(attack),), (sum(defence),), ties)
        return lost[0] * len(attack), lost[1] * len(defence)
    pairs = list(zip(attack, defence, strict=False))
    wins, defeats = sum(a > d for a, d in pairs), sum(a < d for a, d in pairs)
    return _pair_losses(wins, defeats, len(pairs) - wins - defeats, ties)


def _pair_losses(wins: int, defeats: int, tied: int, ties: Ties) -> tuple[int, int]:
    """Return the units that both sides lose by the pairs that the attacker won and lost, and those of equal values."""
    return defeats + tied * (ties in ("defender", "both")), wins + tied * (ties in ("attacker", "both"))


def loss_laws(attack: Pool, defence: Pool, ties: Ties, totals: bool = False) -> "list[list[RoundLaw]]":
    """Return the exact laws of the losses in one round between two pools: see `Battle`.

    Returns:
        `[i][j]` is the law for i + 1 attackers against j + 1 defenders, up to the units that roll in each pool.
    """
    attacks, defences = value_laws(attack, totals), value_laws(defence, totals)
    laws = [[compare_laws(ours, theirs, ties) for theirs in defences] for ours in attacks]
    return [[_all_lost(law, i, j) for j, law in enumerate(row, 1)] for i, row in enumerate(laws, 1)] if totals else laws


def _all_lost(law: "RoundLaw", attackers: int, defenders: int) -> "RoundLaw":
    """Return the law of a round in which a side that loses a unit loses all of these."""
    return {(lost * attackers, killed * defenders): chance for (lost, killed), chance in law.items()}


def value_laws(pool: Pool, totals: bool = False) -> list[ValueLaw]:
    """Return the laws of the values that 1, 2, ... units roll.

    Dice are added one at a time, largest first, with the re-rolls that are left.

    Args:
        pool: The dice of the units.
        totals: Whether only the totals of their values count.

    Returns:
        For each number of units the weights of their values, highest first, or of the totals.
    """
    # If all dice count as they fall, only their sum so far matters.
    sums = totals and not pool.spare and pool.clamp is None
    falls = Counter[tuple[tuple[int, ...], int]]({((), pool.rerolls): 1})
    laws: list[ValueLaw] = []
    plus = pool.leader
    for units, sides in enumerate(pool.dice, start=1 - pool.spare):
        after = Counter[tuple[tuple[int, ...], int]]()
        next_falls = [[*falls_of_die(sides, pool, rerolls)] for rerolls in range(pool.rerolls + 1)]
        for (faces, rerolls), weight in falls.items():
            for face, left, share in next_falls[rerolls]:
                fallen = (sum(faces) + face + plus,) if sums else tuple(sorted((*faces, face + plus)))
                after[fallen, left] += weight * share
        falls, plus = after, 0
        if units < 1:
            continue
        law, rolled = Counter[tuple[int, ...]](), pool.for_units(units)
        for (faces, _), weight in falls.items():
            values = (*faces, *rolled.bonus) if sums else rolled.rank_values(faces)
            law[(sum(values),) if totals else values] += weight
        laws.append(law)
    return laws


def falls_of_die(sides: int, pool: Pool, rerolls: int) -> Iterator[tuple[int, int, int]]:
    """Yield what a die of a pool may show, the re-rolls that are left after it, and the weight of that.

    A die of s sides that explodes up to n times has the weight of its n + 1 throws. If 1s are rolled again, that is
    multiplied by s - 1, so that a 1 spreads over what the other s - 1 faces can become; by s if it is rolled again only
    once.

    Args:
        sides: The sides of the die.
        pool: The dice that it belongs to.
        rerolls: The re-rolls that are left before it.
    """
    again = sides - 1 + pool.once if pool.rerolls else 1
    for face, share in _shares(sides, pool.explosions).items():
        if face > 1 or not rerolls:
            yield face, rerolls, share * again
        if rerolls and (face > 1 or pool.once):
            yield face, rerolls - 1, share


def _shares(sides: int, explosions: int) -> dict[int, int]:
    """Return the weight of each number that a die can show before rerolls."""
    shares = dict[int, int]()
    for thrown in range(explosions + 1):
        faces = range(1, sides + (thrown == explosions))
        shares |= {thrown * sides + face: sides ** (explosions - thrown) for face in faces}
    return shares


def compare_laws(attack: ValueLaw, defence: ValueLaw, ties: Ties) -> "RoundLaw":
    """Return the law of the losses when two laws of values meet.

    Args:
        attack: The law of the attacker's values.
        defence: The law of the defender's values.
        ties: The winner of equal values.
    """
    import numpy as np

    pairs = min(len(next(iter(attack))), len(next(iter(defence))))
    sides = _leading_ranks(attack, pairs), _leading_ranks(defence, pairs)
    ours, theirs = (np.array(list(side)) for side in sides)
    weigh, faced = (list(side.values()) for side in sides)
    # Whole numbers up to 2^53 are exact as floats; MOST_WEIGHT keeps the weights of one side below that.
    weights, size = np.array(faced, dtype=np.float64), (pairs + 1) ** 2
    totals = np.zeros(size, dtype=object)
    at_once = max(MOST_AT_ONCE // len(theirs), 1)
    for start in range(0, len(ours), at_once):
        some = ours[start : start + at_once]
        codes = np.repeat(size * np.arange(len(some))[:, None], len(theirs), axis=1)
        for rank in range(pairs):
            mine, other = some[:, rank, None], theirs[:, rank]
            codes += (pairs + 1) * (mine > other) + (mine < other)
        counts = np.bincount(codes.reshape(-1), np.tile(weights, len(some)), size * len(some)).astype(np.int64)
        totals += np.array(weigh[start : start + at_once], dtype=object) @ counts.reshape(len(some), size)
    law = Counter[tuple[int, int]]()
    for code in np.flatnonzero(totals).tolist():
        won, lost = divmod(code, pairs + 1)
        law[_pair_losses(won, lost, pairs - won - lost, ties)] += totals[code]
    return {lost: Fraction(weight, sum(weigh) * sum(faced)) for lost, weight in law.items()}


def _leading_ranks(law: ValueLaw, ranks: int) -> ValueLaw:
    shorter = Counter[tuple[int, ...]]()
    for values, weight in law.items():
        shorter[values[:ranks]] += weight
    return shorter
