"""Odds of several waves of Axis & Allies in words: who holds the field in the end, what each wave comes to."""

from collections.abc import Sequence
from gettext import ngettext

import numpy as np

from bot.army_wording import counted, duration, spread
from bot.editions import editions
from bot.matchup import write
from bot.matchup.armies_writing import plain, told_units
from bot.replies import aligned
from bot.wording import certain, count_of_twenty, exactness, parted, tenths, uncertain
from solver.axis import AxisBattle
from solver.sides import SIDES, Units
from solver.waves import Waves
from solver.waves_odds import WavesOdds
from solver.waves_together import Together, prices

MOST_LEFT = 6
LONGEST_DESCRIPTION, LONGEST_TITLE = 70, 50


def answer(waves: Waves, odds: WavesOdds, remarks: Sequence[str] = ()) -> str:
    """The whole answer but its tables and small print."""
    edition = editions()[waves.battles[0].rules.key]
    lines = [f"**{verdict(waves, odds)}** · {describe(waves)} · {edition.name}", money(waves, odds)]
    remarks = [*remarks, *edition.remarks, *caveats(odds)]
    return "\n".join([*filter(None, lines), *(f"-# {remark}" for remark in remarks)])


def caveats(odds: WavesOdds) -> list[str]:
    """What has to be said beside the numbers."""
    told = [f"Wave {number}: {reason}" for number, reason in _notes(odds)]
    if odds.together is None:
        told.append("There are too many ways in which all of it can end to tell them apart")
    return told


def verdict(waves: Waves, odds: WavesOdds) -> str:
    """Who holds the field after all waves."""
    where = "it" if waves.battles[0].theatre == "land" else "the sea"
    words = [f"Attacker holds {where} in the end {chance(odds.holds(0), odds)}"]
    words += [f"{name} {chance(odds.holds(side), odds)}" for side, name in ((1, "defender"), (None, "nobody"))]
    return ", ".join(words if odds.holds(None) > 0 else words[:2])


def chance(of: float, odds: WavesOdds) -> str:
    """A chance out of these odds; "0 %" and "100 %" only where that is the whole truth."""
    return certain(of) if odds.error == 0 else uncertain(of)


def describe(waves: Waves, longest: int = LONGEST_DESCRIPTION) -> str:
    """Who meets whom: "3 inf against 2 inf, then 2 arm, then hold 4 inf"; of great armies only how many units."""
    for short in (True, False):
        told = ", then ".join(_wave(waves, number, short) for number in range(len(waves.battles)))
        if len(told) <= longest:
            return told
    return f"{len(waves.battles)} waves, the first {_wave(waves, 0, short=False)}"


def _wave(waves: Waves, number: int, short: bool) -> str:
    edition = editions()[waves.battles[0].rules.key]

    def units(some: Units) -> str:
        if short:
            return told_units(dict(some), edition)
        total = sum(count for _, count in some)
        return f"{total} {ngettext('unit', 'units', total)}"

    fresh = waves.fresh[number]
    told = f"{'hold ' if waves.holds[number] else ''}{units(waves.battles[number].attacker.units)}"
    return f"{told} against {units(fresh)}" if fresh else told


def _notes(odds: WavesOdds) -> list[tuple[int, str]]:
    """What has to be said of single waves: that they are not always made."""
    told = []
    for number, wave in enumerate(odds.waves, start=1):
        if wave.own.declined > 0 and wave.fought:
            share = wave.own.declined / wave.fought
            often = "" if share > 1 - 1e-12 else f" {uncertain(share)} of the time"
            told.append((number, f"the attack is not made{often}"))
    return told


def money(waves: Waves, odds: WavesOdds) -> str:
    """What all waves cost both sides on average, and what the attacker gains of it."""
    battle, every = waves.battles[0], odds.together
    if every is None:
        return ""
    told = []
    for side, (most, lost) in enumerate(zip(waves.most_lost(), money_lost(waves, every), strict=True)):
        there = tuple((name, count) for name, count in most.items() if _can_be_lost(battle, name))
        (whole,) = prices(battle, side, [there])
        told.append((tenths(lost), plain(round(float(whole), 2))))
    (ours, all_ours), (theirs, all_theirs) = told
    territory = " with the territory" if battle.deadzone or battle.territory_value else ""
    losses = f"Attacker loses {ours} of {all_ours} {counted(battle)} in all, defender {theirs} of {all_theirs}"
    return f"{losses} · {spread(every)}{territory}"


def money_lost(waves: Waves, every: Together) -> tuple[float, float]:
    """The worth of the units that the first attacker's side and the other lose on average in all waves."""
    ours, theirs = (float(prices(waves.battles[0], side, every.losses[side]) @ every.law(side)) for side in (0, 1))
    return ours, theirs


def _can_be_lost(battle: AxisBattle, name: str) -> bool:
    """Whether a unit is in danger: ships that bombard a battle on land are in none."""
    return battle.theatre == "sea" or battle.rules.table[name].kind != "sea"


def left(waves: Waves, odds: WavesOdds) -> tuple[str, ...]:
    """What each wave comes to, and below it who is likeliest to be left on the field."""
    wins = "takes it" if waves.battles[0].theatre == "land" else "wins"
    cells = [["", "fought", wins, "loses", "destroys"]]
    for number, wave in enumerate(odds.waves):
        name = f"{number + 1}{' hold' if waves.holds[number] else ''}"
        numbers = [chance(min(of, 1.0), odds) for of in (wave.fought, wave.own.wins)]
        cells.append([name, *numbers, tenths(wave.attacker_loss + wave.own.territory), tenths(wave.defender_loss)])
    return (*aligned(cells), *(["", *_fields(waves, odds)] if odds.together else []))


def _fields(waves: Waves, odds: WavesOdds) -> tuple[str, ...]:
    every = odds.together
    assert every is not None, "it is asked before"
    edition = editions()[waves.battles[0].rules.key]
    order = {name: place for place, name in enumerate(edition.rules.table)}
    ranked = np.argsort(-every.left, kind="stable").tolist()
    cells = [["", "left in the end"]]
    for place in ranked[:MOST_LEFT]:
        field = every.fields[place]
        units = told_units(dict(sorted(field.units, key=lambda unit: order[unit[0]])), edition)
        name = "nobody" if field.holder is None else f"{SIDES[field.holder]}: {units}"
        cells.append([chance(float(every.left[place]), odds), name])
    rest = float(every.left[ranked[MOST_LEFT:]].sum())
    if rest:
        cells.append([uncertain(rest), f"{len(ranked) - MOST_LEFT} other ends"])
    return aligned(cells)


def note(waves: Waves, odds: WavesOdds) -> str:
    """The small print: how sure, how long, and the line that brings the waves back."""
    return f"{exactness(odds.error)} · {duration(odds.rounds)} · `{write(waves)}`"


def alternative(waves: Waves, odds: WavesOdds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    told = f"{verdict(waves, odds)}. " + (f"{spread(odds.together).capitalize()}. " if odds.together else "")
    return f"{told}Bars show the money each side has lost in all where it holds the field in the end."


def drawn(waves: Waves, odds: WavesOdds) -> tuple[object, ...] | None:
    """What the picture shows, from the chances on: see `charts.draw_axis`; None where there is nothing to draw."""
    every = odds.together
    if every is None:
        return None
    chances = odds.holds(1), odds.holds(0), odds.holds(None)
    names = "defender holds", "attacker holds", "nobody"
    twenty = parted(chances)
    first = max(range(3), key=lambda fate: chances[fate])
    count = count_of_twenty(twenty[first], sure=chances[first] >= 1)
    tale = f"{names[first]} {count} of 20 times"
    numbers = tuple(chance(of, odds) for of in chances)
    laws = []
    for side in (0, 1):
        costs = prices(waves.battles[0], side, every.losses[side])
        holding = np.array([field.holder == side for field in every.fields])[every.at]
        found, place = np.unique(costs[every.lost[side][holding]], return_inverse=True)
        weights = np.bincount(place, every.chances[holding], len(found))
        laws.append(list(zip(found.tolist(), weights.tolist(), strict=True)))
    tail = spread(every).partition(", middle")[0]
    return chances, names, numbers, twenty, tale, laws[0], laws[1], tail, counted(waves.battles[0])
