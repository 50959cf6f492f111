"""The law of how often so many dice hit: of standard dice, biased ones, and with low luck.

A unit of strength v hits with v of 6. Biased dice show their faces 1 to 6 with 0.1, 0.2, 0.3, 0.2, 0.1, 0.1. With low
luck the strengths of a group are added up: every whole six is a hit, what is left over hits with so many of 6.
"""

from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

Dice = Literal["standard", "low_luck", "biased"]
Laws = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

MOST_AT_ONCE = 100_000
"""Laws are made many at once from a matrix of up to so many numbers."""
MOST_KEPT, MOST_SHARED = 2_000, 60
"""Laws of more units are not kept: of units of one strength, and of several."""

CHANCES: dict[str, tuple[float, ...]] = {
    "standard": tuple(strength / 6 for strength in range(7)),
    "biased": (0.0, 0.1, 0.3, 0.6, 0.8, 0.9, 1.0),
}


def hit_laws(powers: Counts, dice: Dice) -> Laws:
    """The laws of several volleys: `powers[i, v]` units of strength v fire in volley i; answer [volley, hits]."""
    most = int(powers[:, 1:].sum(axis=1).max(initial=0))
    laws = np.zeros((len(powers), most + 1))
    if dice == "low_luck":
        sixes, over = np.divmod(powers @ np.arange(powers.shape[1]), 6)
        rows = np.arange(len(powers))
        laws[rows, sixes] = 1 - over / 6
        some = over > 0
        laws[rows[some], sixes[some] + 1] = over[some] / 6
        return laws
    # The weaker and the stronger half of a volley are often the same as in others.
    (weak, which), (strong, also) = (_halves(powers[:, some], some, dice) for some in (slice(1, 3), slice(3, None)))
    longest = max(map(len, strong), default=0)
    if longest * (most + 1) > MOST_AT_ONCE:
        for law, one, other in zip(laws, which.tolist(), also.tolist(), strict=True):
            both = np.convolve(weak[one], strong[other])
            law[: len(both)] = both
        return laws
    padded = np.zeros((len(strong), longest))
    for row, law in zip(padded, strong, strict=True):
        row[: len(law)] = law
    shift = np.arange(most + 1) - np.arange(longest)[:, None]
    order = np.argsort(which, kind="stable")
    bounds = np.searchsorted(which[order], np.arange(len(weak) + 1)).tolist()
    for law, first, after in zip(weak, bounds, bounds[1:], strict=False):
        rows = order[first:after]
        inside = (shift >= 0) & (shift < len(law))
        laws[rows] = padded[also[rows]] @ np.where(inside, law[np.where(inside, shift, 0)], 0.0)
    return laws


def tails(law: Laws) -> Laws:
    """The chances of so many hits or more, of laws as in `hit_laws`."""
    return law[:, ::-1].cumsum(axis=1)[:, ::-1]


def _halves(powers: Counts, strengths: slice, dice: Dice) -> tuple[list[Laws], Counts]:
    """The laws of the different volleys of units of these strengths, and which of them each volley is."""
    codes = np.zeros(len(powers), np.int64)
    for column in powers.T:
        codes = codes * (int(column.max(initial=0)) + 1) + column
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    chances, volleys = CHANCES[dice][strengths], map(tuple, powers[first].tolist())
    made = [(_product if sum(volley) <= MOST_SHARED else _product.__wrapped__)(volley, chances) for volley in volleys]
    return made, which.reshape(-1)


@lru_cache(1_000)
def _product(volley: tuple[int, ...], chances: tuple[float, ...]) -> Laws:
    """The law of the hits of so many units with each of these chances."""
    product: Laws = np.ones(1)
    for count, chance in zip(volley, chances, strict=False):  # without the strengths that nobody has
        product = np.convolve(product, _binomial(count, chance)) if count else product
    return product


def _binomial(count: int, chance: float) -> Laws:
    """How many of so many hit, each with this chance: grown one by one, so that no small chance is lost."""
    laws = _BINOMIALS.setdefault(chance, [np.ones(1)])
    while len(laws) <= count:
        laws.append(np.convolve(laws[-1], (1 - chance, chance)))
    law = laws[count]
    del laws[MOST_KEPT:]
    return law


_BINOMIALS: dict[float, list[Laws]] = {}
"""For each chance the laws of 0, 1, 2, ... units, as far as they have been asked for."""


def mixed(first: Laws, second: Laws, most: int, capped: bool) -> Laws:
    """The law of the hits of two volleys together, for first hits up to `most`; `capped`: more count as that many."""
    sums: Laws = np.zeros((len(first), min(most, first.shape[1] - 1) + second.shape[1]))
    for hits in range(min(most + 1, first.shape[1])):
        chance = first[:, hits:].sum(axis=1) if capped and hits == most else first[:, hits]
        sums[:, hits : hits + second.shape[1]] += chance[:, None] * second
    return sums
