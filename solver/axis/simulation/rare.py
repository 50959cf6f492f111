"""Rare ends of simulated battles: chances far below 1 in the number of battles, with their order of magnitude.

Dice are tilted until the rare end is not rare any more. Each battle counts with its weight: how much likelier its dice
are in truth. This is importance sampling, and its mean is the chance, whatever the tilt.
"""

from dataclasses import replace
from math import exp, log
from typing import Literal, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.ends import AxisEnds
from solver.axis.odds import AxisOdds, RareEnd
from solver.axis.simulation.even_luck import EvenLuck
from solver.axis.simulation.fights import Endings, Simulator, gather_ends
from solver.axis.simulation.sample import mean_error
from solver.chain import Chances

RARE = 0.0005
"""Chances below this look like none where chances have one decimal."""
PARTS, AT_ONCE, TRIED = 16, 4_096, 512
"""The number of parts, the battles of each, and the battles that try a tilt."""
MOST_ROUNDS = 100
"""The rare ends of battles that may last longer are not told: that would take too much time."""
LEAST_SHARE, MOST_SHARE = 0.03, 0.1
"""With a good tilt the share of battles with the rare end is between these. With more, single weights become large."""
FIRST_TILT, MOST_TILT, TRIALS = 0.1, 8.0, 12
SKEW = 1.5
"""The interval is so many times as wide as that of evenly spread parts: a few large weights may be missing."""
LARGEST_FACTOR, LEAST_TOLD = 10.0, 1e-12
"""A chance that may be more than so many times as large or as small is not told, and no smaller one."""

RareName = Literal["wins", "holds"]


class _Tilted(NamedTuple):
    """The results of battles with tilted dice, for one end.

    `share` is the share of battles that have it, `sums` the sum of their weights in each part, `rounds` the number of
    rounds of the longest.
    """

    share: float
    sums: Chances
    rounds: int


def with_rare_end(battle: AxisBattle, odds: AxisOdds, seed: int | None = None) -> AxisOdds:
    """Return simulated odds with the chance of a rare end, if one side hardly ever wins.

    Args:
        battle: The battle.
        odds: Its odds.
        seed: The seed of the random generator; None for a random one.
    """
    if not odds.sampled or odds.rounds > MOST_ROUNDS:
        return odds
    chances: dict[RareName, float] = {"wins": odds.wins, "holds": odds.end_chances["holds"]}
    for name, chance in chances.items():
        if chance < RARE:
            rare = find_rare_end(battle, name, seed)
            if rare:
                return replace(odds, rare=rare)
    return odds


def find_rare_end(battle: AxisBattle, name: RareName, seed: int | None = None) -> RareEnd | None:
    """Return the chance of a rare end; None if it does not happen, or is too rare to tell how rare.

    Args:
        battle: The battle, which the attacker does not decline.
        name: "wins" for the attacker's victory, "holds" if only defenders are left.
        seed: The seed of the random generator; None for a random one.
    """
    root = np.random.SeedSequence(seed)
    tilt = _find_tilt(battle, name, root)
    if tilt is None:
        return None
    sums = _roll_tilted(battle, name, tilt, root, PARTS, AT_ONCE).sums
    mean, error = sums.sum() / (PARTS * AT_ONCE), mean_error(sums, np.full(PARTS, AT_ONCE))
    if mean < LEAST_TOLD or SKEW * error > mean * log(LARGEST_FACTOR):
        return None
    factor = exp(SKEW * error / mean)
    return RareEnd(name, float(mean), float(mean / factor), float(mean * factor))


def _find_tilt(battle: AxisBattle, name: RareName, root: np.random.SeedSequence) -> float | None:
    """A tilt with which the end is not rare; None if there is none."""
    low, high, tilt = 0.0, MOST_TILT, FIRST_TILT
    longest: int | None = None
    for trial in range(TRIALS):
        seed = np.random.SeedSequence(root.entropy, spawn_key=(1, trial))
        share, _, rounds = _roll_tilted(battle, name, tilt, seed, 1, TRIED)
        if LEAST_SHARE <= share <= MOST_SHARE:
            return tilt if rounds <= MOST_ROUNDS else None
        if share < LEAST_SHARE:
            low = tilt
        else:
            high, longest = tilt, rounds
        tilt = min(2 * tilt, MOST_TILT) if longest is None else (low + high) / 2
    return high if longest is not None and longest <= MOST_ROUNDS else None


def _roll_tilted(
    battle: AxisBattle, name: RareName, tilt: float, root: np.random.SeedSequence, parts: int, size: int
) -> _Tilted:
    """Roll battles with tilted dice, for the attacker or against them as the end asks for it."""
    simulator = Simulator(battle, tilt if name == "wins" else -tilt)
    endings_of_parts: list[Endings] = []
    longest = 0
    for part in range(parts):
        seed = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, part, 0))
        luck = EvenLuck(size, seed)
        endings_of_parts.append(simulator.roll(luck, size))
        longest = max(longest, luck.moments)
    gathered, place = gather_ends(simulator.rows, endings_of_parts)
    ends = AxisEnds(battle, *gathered)
    reached = ends.wins if name == "wins" else ends.defender_stands & ~ends.attacker_stands
    happened = np.asarray(reached, float)[place]
    weights = np.exp(np.concatenate([endings.weights for endings in endings_of_parts]))
    return _Tilted(float(happened.mean()), (weights * happened).reshape(parts, size).sum(axis=1), longest)
