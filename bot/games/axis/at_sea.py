"""Remarks about several waves at sea, after their odds: which of them are fought, against whom, and who stays there."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from bot.games.axis.outcomes import LEAST_NEITHER
from bot.languages import _, _n
from bot.words.numbers import percent
from solver.axis.odds import AxisOdds
from solver.axis.sides import Units
from solver.axis.waves.ahead import Holder, WaveEnds
from solver.axis.waves.odds import WaveOdds, WavesOdds
from solver.axis.waves.waves import Waves


class Staying(NamedTuple):
    """The chances that attackers leave after a wave, that they stay alone, and that they stay beside an enemy."""

    leave: float
    alone: float
    beside: float


def remarks_at_sea(waves: Waves, odds: AxisOdds | WavesOdds) -> Iterator[str]:
    """Say what is not plain from the numbers of several waves at sea; of one wave and on land, nothing."""
    if isinstance(odds, AxisOdds) or waves.battles[0].theatre == "land":
        return
    # Attackers who find no enemy at sea win the battle, but not the wave: that is not fought.
    if calm := _numbers(odds, [wave.own.wins - wave.wins for wave in odds.waves]):
        yield _n(
            "Wave {waves} is not fought if no enemy is left ({chances}): its units join any fleet there.",
            "Waves {waves} are not fought if no enemy is left ({chances}): their units join any fleet there.",
            len(calm),
            **_places(calm),
        )
    ends = [_staying(waves, number, wave) for number, wave in enumerate(odds.waves[:-1])]
    if retreats := _numbers(odds, [end.leave for end in ends]):
        yield _n(
            "Wave {waves}: attackers who retreat or run out of rounds leave the sea zone ({chances}).",
            "Waves {waves}: attackers who retreat or run out of rounds leave the sea zone ({chances}).",
            len(retreats),
            **_places(retreats),
        )
    if lone := [str(number + 1) for number in range(1, len(odds.waves)) if _attacks_alone(waves, odds, ends, number)]:
        yield _n(
            "In wave {waves} only its own units attack: a fleet that has stayed there fights no more, but holds the"
            " sea once no enemy is left.",
            "In waves {waves} only their own units attack: a fleet that has stayed there fights no more, but holds the"
            " sea once no enemy is left.",
            len(lone),
            waves=", ".join(lone),
        )
    # A counter-attack finds its enemies alone, or it is not made; nor are the waves after it.
    if away := _numbers(odds, [1 - float(wave.own.chances.sum()) for wave in odds.waves]):
        yield _n(
            "Wave {waves} attacks the whole fleet there; if an enemy of that fleet is left, or no ship of it, the wave"
            " stays away ({chances}).",
            "Waves {waves} attack the whole fleet there; if an enemy of that fleet is left, or no ship of it, they"
            " stay away ({chances}).",
            len(away),
            **_places(away),
        )
    if _has_planes(waves) and odds.hold_chance(None) >= LEAST_NEITHER:
        yield _("Planes that are left alone don't hold the sea: then nobody does.")


def _numbers(odds: WavesOdds, chances: Iterable[float]) -> dict[int, str]:
    """Return the numbers of the waves whose chance is worth a word, with that chance in words."""
    likely = {number: chance for number, chance in enumerate(chances, start=1) if chance >= LEAST_NEITHER}
    return {number: percent(chance, odds, max(1 - chance, 0.0)) for number, chance in likely.items()}


def _places(chances: Mapping[int, str]) -> dict[str, str]:
    return {"waves": ", ".join(map(str, chances)), "chances": ", ".join(chances.values())}


def _staying(waves: Waves, number: int, wave: WaveOdds) -> Staying:
    """Return how likely attackers of a wave leave the sea zone, or stay there."""
    odds = wave.own
    # Ships that were there before make no difference to them.
    holders, at = WaveEnds(waves, number, Holder(-1, ()), waves.battles[number]).holders_after_defence(odds)
    left = np.array([_count(fate.left) + _count(fate.gone) for fate in odds.attackers], np.int64)[odds.rows]
    stay = np.array([_count(holder.fleet) for holder in holders], np.int64)[at]
    made = np.ones(len(at), bool) if odds.declined_at is None else ~odds.declined_at
    masks = left > stay, (stay > 0) & ~odds.defender_there, (stay > 0) & odds.defender_there
    return Staying(*(float(odds.chances[mask & made].sum()) for mask in masks))


def _count(units: Units) -> int:
    return sum(count for _name, count in units)


def _attacks_alone(waves: Waves, odds: WavesOdds, ends: list[Staying], number: int) -> bool:
    """Return whether a wave may be fought while a fleet of its side is there that does not attack again."""
    if waves.holds[number] or odds.waves[number].fought < LEAST_NEITHER:
        return False
    first = max(place for place in range(number) if not place or waves.holds[place])
    before = ends[first:number]
    reinforced = bool(waves.fresh[number])
    return any(end.beside >= LEAST_NEITHER or (reinforced and end.alone >= LEAST_NEITHER) for end in before)


def _has_planes(waves: Waves) -> bool:
    table = waves.battles[0].rules.table
    armies = [army for wave in waves.battles for army in (wave.attacker, wave.defender)]
    return any(table[name].kind == "air" for army in armies for name, _count in army.units)
