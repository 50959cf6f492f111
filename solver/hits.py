"""The law of how often so many dice hit: of standard dice, biased ones, and with low luck.

A unit of strength v hits with v of 6. Biased dice show their faces 1 to 6 with 0.1, 0.2, 0.3, 0.2, 0.1, 0.1. With low
luck the strengths of a group are added up: every whole six is a hit, what is left over hits with so many of 6.
"""

from collections.abc import Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt

Dice = Literal["standard", "low_luck", "biased"]
Laws = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

MOST_KEPT = 2_000
"""Laws of more units are not kept."""

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
    known: dict[tuple[int, ...], Laws] = {}
    for law, profile in zip(laws, map(tuple, powers[:, 1:].tolist()), strict=True):
        if profile not in known:
            known[profile] = _law(profile, CHANCES[dice], known)
        law[: len(known[profile])] = known[profile]
    return laws


def tails(law: Laws) -> Laws:
    """The chances of so many hits or more, of laws as in `hit_laws`."""
    return law[:, ::-1].cumsum(axis=1)[:, ::-1]


def _law(profile: tuple[int, ...], chances: tuple[float, ...], known: dict[tuple[int, ...], Laws]) -> Laws:
    """The law of so many units of strength 1, 2, ...; the weaker and the stronger half are kept apart for the next."""
    weak, strong = profile[:2] + (0,) * (len(profile) - 2), (0, 0, *profile[2:])
    for half in (weak, strong):
        if half not in known:
            known[half] = _product(_binomial(count, chances[v]) for v, count in enumerate(half, 1) if count)
    return np.asarray(np.convolve(known[weak], known[strong]))


def _product(laws: Iterable[Laws]) -> Laws:
    product: Laws = np.ones(1)
    for law in laws:
        product = np.convolve(product, law)
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
