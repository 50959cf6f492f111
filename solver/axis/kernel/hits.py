"""The probability law of the hits of a volley, for standard dice, biased dice and low luck.

A unit of strength v hits with probability v/6; one that rolls two dice, of which the better counts, misses only with
both. Biased dice show the faces 1 to 6 with probability 0.1, 0.2, 0.3, 0.2, 0.1 and 0.1. With low luck the strengths of
a group are added up: every 6 of the sum is a hit, and the rest r hits with probability r/6. Dice of 12 faces are the
same with 12 in place of 6.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from solver.axis.sides import LOW_LUCK, Dice

Laws = npt.NDArray[np.float64]
UnitCounts = npt.NDArray[np.int64]

MOST_AT_ONCE = 100_000
"""Several laws are made at once from a matrix of up to so many numbers."""
MOST_KEPT, MOST_SHARED = 2_000, 60
"""The most units of a law that is kept in memory: of units of one strength, and of several."""

_CHANCES: dict[str, tuple[float, ...]] = {
    "standard": tuple(strength / 6 for strength in range(7)),
    "biased": (0.0, 0.1, 0.3, 0.6, 0.8, 0.9, 1.0),
    "d12": tuple(strength / 12 for strength in range(13)),
}
CHANCES = {dice: (*one, *(1 - (1 - chance) ** 2 for chance in one[1:])) for dice, one in _CHANCES.items()}
"""The chance to hit of each column: strength 0 to 6 with one die, then 1 to 6 with the better of two."""


def hit_laws(powers: UnitCounts, dice: Dice) -> Laws:
    """Return the laws of the hits of several volleys.

    Args:
        powers: How many units of each strength fire in each volley: [volley, strength 0 to 6], perhaps with the further
            columns of `CHANCES`.
        dice: The kind of dice.

    Returns:
        The probability of each number of hits: [volley, hits].

    Example:
        >>> hit_laws(np.array([[0, 2, 0, 1, 0, 0, 0]]), "low_luck").round(4).tolist()
        [[0.1667, 0.8333, 0.0, 0.0]]
    """
    maximum = int(powers[:, 1:].sum(axis=1).max(initial=0))
    laws = np.zeros((len(powers), maximum + 1))
    if faces := LOW_LUCK.get(dice):
        sure, over = np.divmod(powers @ np.arange(powers.shape[1]), faces)
        rows = np.arange(len(powers))
        laws[rows, sure] = 1 - over / faces
        some = over > 0
        laws[rows[some], sure[some] + 1] = over[some] / faces
        return laws
    # The weaker and the stronger half of a volley are often the same as in others.
    (weak, which), (strong, also) = (
        _partial_laws(powers[:, some], some, dice) for some in (slice(1, 3), slice(3, None))
    )
    longest = max(map(len, strong), default=0)
    if longest * (maximum + 1) > MOST_AT_ONCE:
        for law, first_part, second_part in zip(laws, which.tolist(), also.tolist(), strict=True):
            both = np.convolve(weak[first_part], strong[second_part])
            law[: len(both)] = both
        return laws
    padded = np.zeros((len(strong), longest))
    for row, law in zip(padded, strong, strict=True):
        row[: len(law)] = law
    shift = np.arange(maximum + 1) - np.arange(longest)[:, None]
    order = np.argsort(which, kind="stable")
    bounds = np.searchsorted(which[order], np.arange(len(weak) + 1)).tolist()
    for law, first, after in zip(weak, bounds, bounds[1:], strict=False):
        rows = order[first:after]
        inside = (shift >= 0) & (shift < len(law))
        laws[rows] = padded[also[rows]] @ np.where(inside, law[np.where(inside, shift, 0)], 0.0)
    return laws


def tails(law: Laws) -> Laws:
    """Return the probabilities of at least so many hits: [volley, hits].

    Args:
        law: Laws as `hit_laws` returns them: [volley, hits].
    """
    return law[:, ::-1].cumsum(axis=1)[:, ::-1]


def _partial_laws(powers: UnitCounts, strengths: slice, dice: Dice) -> tuple[list[Laws], UnitCounts]:
    """The laws of the different volleys of units of these strengths, and the place of each volley's law among them."""
    codes = np.zeros(len(powers), np.int64)
    for column in powers.T:
        codes = codes * (int(column.max(initial=0)) + 1) + column
    numbers: dict[int, int] = {}
    which = [numbers.setdefault(code, len(numbers)) for code in codes.tolist()]
    first = {number: row for row, number in reversed([*enumerate(which)])}
    chances = CHANCES[dice][strengths]
    volleys = map(tuple, powers[[first[number] for number in range(len(numbers))]].tolist())
    made = [(_product if sum(volley) <= MOST_SHARED else _product.__wrapped__)(volley, chances) for volley in volleys]
    return made, np.array(which, np.int64)


@lru_cache(1_000)
def _product(volley: tuple[int, ...], chances: tuple[float, ...]) -> Laws:
    """The law of the hits of so many units with each of these chances."""
    product: Laws = np.ones(1)
    for count, chance in zip(volley, chances, strict=False):  # without the strengths that nobody has
        product = np.convolve(product, _binomial(count, chance)) if count else product
    return product


def _binomial(count: int, chance: float) -> Laws:
    """The law of the hits of so many units, grown unit by unit so that no small chance is lost."""
    laws = _BINOMIALS.setdefault(chance, [np.ones(1)])
    while len(laws) <= count:
        laws.append(np.convolve(laws[-1], (1 - chance, chance)))
    law = laws[count]
    del laws[MOST_KEPT:]
    return law


_BINOMIALS: dict[float, list[Laws]] = {}
"""For each chance the laws of 0, 1, 2, ... units that were needed so far."""


def add_hits(first: Laws, second: Laws, limit: int, capped: bool) -> Laws:
    """Return the law of the sum of the hits of two volleys: [volley, hits].

    Args:
        first: The laws of the first volley: [volley, hits].
        second: The laws of the second: [volley, hits].
        limit: The first volley makes no more hits than this.
        capped: Whether more hits of the first count as `limit`; otherwise they are left out.
    """
    sums: Laws = np.zeros((len(first), min(limit, first.shape[1] - 1) + second.shape[1]))
    for hits in range(min(limit + 1, first.shape[1])):
        chance = first[:, hits:].sum(axis=1) if capped and hits == limit else first[:, hits]
        sums[:, hits : hits + second.shape[1]] += chance[:, None] * second
    return sums
