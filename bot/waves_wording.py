"""Odds of several waves of Axis & Allies in words: who holds the field in the end, what each wave comes to."""

from collections.abc import Sequence

import numpy as np

from bot.army_wording import FATES, duration, gain, hundredths, in_money, spread
from bot.editions import Edition, editions
from bot.languages import N_, _, _n, _p, sentence
from bot.matchup import write
from bot.matchup.armies_writing import told_units
from bot.narrow import narrow, with_texts
from bot.replies import with_remarks
from bot.swing_wording import LEAST_NEITHER, swing_summaries, swing_unit, waves_swings
from bot.wording import exactness, fated, parted, percent, tenths, uncertain
from solver.axis import AxisBattle
from solver.sides import Units
from solver.waves import Waves
from solver.waves_odds import WavesOdds
from solver.waves_together import Field, Together, prices

MOST_LEFT = 6
LONGEST_DESCRIPTION = 70
UNHELD = {0: N_("attacker submerged"), 1: FATES["dived"], None: N_("nobody holds it")}
"""What it is called when nobody holds the field, by whose submarines are under water there."""


def answer(waves: Waves, odds: WavesOdds, remarks: Sequence[str] = ()) -> str:
    """The whole answer but its tables and small print."""
    edition = editions()[waves.battles[0].rules.key]
    lines = [f"**{verdict(waves, odds)}** · {describe(waves)} · {_(edition.name)}", money(waves, odds)]
    remarks = [*remarks, *edition.remarks, *caveats(odds)]
    return with_remarks("\n".join(filter(None, lines)), remarks)


def caveats(odds: WavesOdds) -> list[str]:
    """What has to be said beside the numbers."""
    told = _notes(odds)
    if odds.together is None:
        told.append(_("There are too many endings to list them"))
    return told


def verdict(waves: Waves, odds: WavesOdds) -> str:
    """Who holds the field after all waves."""
    ours, theirs = (percent(odds.holds(side), odds) for side in (0, 1))
    if waves.battles[0].theatre == "land":
        attacker = _("Attacker holds it in the end: {chance}", chance=ours)
    else:
        attacker = _("Attacker holds the sea in the end: {chance}", chance=ours)
    words = [attacker, _("defender {chance}", chance=theirs)]
    return ", ".join([*words, *(fated(_(name), percent(of, odds)) for name, of in unheld(odds).items())])


def unheld(odds: WavesOdds) -> dict[str, float]:
    """The ways to end in which nobody holds the field, in English, and how likely each is."""
    if odds.together is None:
        return {}
    return {name: chance for side, name in UNHELD.items() if (chance := odds.together.unheld(side)) > 0}


def describe(waves: Waves) -> str:
    """Who meets whom: "3 inf against 2 inf, then 2 arm, then hold 4 inf"; of great armies only how many units."""
    return next((title for title in titles(waves, parted=False) if len(title) <= LONGEST_DESCRIPTION), _fewest(waves))


def titles(waves: Waves, parted: bool = True) -> tuple[str, ...]:
    """Return titles, the longest first: all units, then how many; `parted` also on two lines."""
    found: list[str] = []
    for short in (True, False):
        first, *later = (_wave(waves, number, short) for number in range(len(waves.battles)))
        told = [first, *(_("then {wave}", wave=wave) for wave in later)]
        found.append(", ".join(told))
        if parted:
            at = min(range(1, len(told)), key=lambda at: max(len(", ".join(side)) for side in (told[:at], told[at:])))
            found.append(f"{', '.join(told[:at])},\n{', '.join(told[at:])}")
    return (*found, _fewest(waves))


def _fewest(waves: Waves) -> str:
    """Say how many waves there are and how many units meet in the first."""
    first = _wave(waves, 0, short=False)
    return _n("{n} wave, the first {wave}", "{n} waves, the first {wave}", len(waves.battles), wave=first)


def _wave(waves: Waves, number: int, short: bool) -> str:
    edition = editions()[waves.battles[0].rules.key]

    def units(some: Units) -> str:
        if short:
            return told_units(dict(some), edition)
        return _n("{n} unit", "{n} units", sum(count for _name, count in some))

    fresh, ours = waves.fresh[number], units(waves.battles[number].attacker.units)
    if waves.holds[number]:
        ours = _("hold {units}", units=ours)
    return _("{attackers} against {defenders}", attackers=ours, defenders=units(fresh)) if fresh else ours


def _notes(odds: WavesOdds) -> list[str]:
    """What has to be said of single waves: that they are not always made."""
    told: list[str] = []
    for place, wave in enumerate(odds.waves, start=1):
        if wave.own.declined > 0 and wave.fought:
            share = wave.own.declined / wave.fought
            if share > 1 - 1e-12:
                told.append(_("Wave {place}: no attack", place=place))
            else:
                often = uncertain(share)
                told.append(_("Wave {place}: no attack {share} of the time", place=place, share=often))
    return told


def money(waves: Waves, odds: WavesOdds) -> str:
    """What all waves cost both sides on average, and what the attacker gains of it."""
    battle, every = waves.battles[0], odds.together
    if every is None:
        return ""
    told = []
    for side, (most, loss) in enumerate(zip(waves.most_lost(), money_lost(waves, every), strict=True)):
        there = tuple((name, count) for name, count in most.items() if _can_be_lost(battle, name))
        (whole,) = prices(battle, side, [there])
        told.append((tenths(loss), hundredths(float(whole))))
    (lost, ours), (beaten, theirs) = told
    losses = _(
        "Average losses in all waves: attacker {lost} of {ours}, defender {beaten} of {theirs}",
        lost=lost,
        ours=in_money(battle, ours),
        beaten=beaten,
        theirs=in_money(battle, theirs),
    )
    return f"{gain(battle, every)}\n{losses}"


def money_lost(waves: Waves, every: Together) -> tuple[float, float]:
    """The worth of the units that the first attacker's side and the other lose on average in all waves."""
    ours, theirs = (float(prices(waves.battles[0], side, every.losses[side]) @ every.law(side)) for side in (0, 1))
    return ours, theirs


def _can_be_lost(battle: AxisBattle, name: str) -> bool:
    """Whether a unit is in danger: ships that bombard a battle on land are in none."""
    return battle.theatre == "sea" or battle.rules.table[name].kind != "sea"


def left(waves: Waves, odds: WavesOdds) -> tuple[str, ...]:
    """What each wave comes to, and below it who is likeliest to be left on the field."""
    land = waves.battles[0].theatre == "land"
    wins = _p("column", "holds it") if land else _("wins")
    cells: list[list[str]] = [["", _("fought"), wins, _("loses"), _("kills")]]
    holds: list[str] = ["", *(_p("column", "hold") if hold else "" for hold in waves.holds)]
    for number, wave in enumerate(odds.waves):
        has = wave.takes if land else wave.own.wins
        numbers = [percent(of, odds, max(1 - of, 0.0)) for of in (wave.fought, has)]
        losses = tenths(wave.attacker_loss + wave.own.territory), tenths(wave.defender_loss)
        cells.append([str(number + 1), *numbers, *losses])
    return (*with_texts(cells, "<>>>>", holds), *(["", *_fields(waves, odds)] if odds.together else []))


def _fields(waves: Waves, odds: WavesOdds) -> tuple[str, ...]:
    every = odds.together
    assert every is not None, "it is asked before"
    edition = editions()[waves.battles[0].rules.key]
    ranked = np.argsort(-every.left, kind="stable").tolist()
    cells: list[list[str]] = [["", _("left at the end")]]
    likeliest = ranked[:MOST_LEFT]
    names = field_names([every.fields[place] for place in likeliest], edition)
    for place, name in zip(likeliest, names, strict=True):
        cells.append([percent(float(every.left[place]), odds, float(len(ranked) > 1)), name])
    rest = float(every.left[ranked[MOST_LEFT:]].sum())
    if rest:
        cells.append([uncertain(rest), _n("{n} other ending", "{n} other endings", len(ranked) - MOST_LEFT)])
    return narrow(cells, "><")


def field_names(fields: Sequence[Field], edition: Edition) -> list[str]:
    """Who holds the field in the end, and with what: "attacker: 2 arm"."""
    order = {name: place for place, name in enumerate(edition.rules.table)}
    told: list[str] = []
    for field in fields:
        units = told_units(dict(sorted(field.units, key=lambda unit: order[unit[0]])), edition)
        names = {0: _("attacker: {units}", units=units), 1: _("defender: {units}", units=units), None: _("nobody")}
        if not units:
            names |= {0: _("empty, still the attacker's"), 1: _("empty, still the defender's")}
        if field.submerged:
            side, under = field.submerged
            told.append(f"{_(UNHELD[side])}: {told_units(dict(under), edition)}")
        else:
            told.append(names[field.holder])
    return told


def note(waves: Waves, odds: WavesOdds) -> str:
    """The small print: how sure, how long, and the line that brings the waves back."""
    return f"{exactness(odds.error)} · {duration(odds.rounds)} · `{write(waves)}`"


def alternative(waves: Waves, odds: WavesOdds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    told = f"{verdict(waves, odds)}. " + (
        f"{sentence(spread(waves.battles[0], odds.together))} " if odds.together else ""
    )
    return f"{told}{_('Bars show how likely each TUV swing of all waves is.')}"


def drawn(waves: Waves, odds: WavesOdds) -> tuple[object, ...] | None:
    """What the picture shows: see `charts.draw_axis`; None where there is nothing to draw."""
    every = odds.together
    if every is None:
        return None
    battle = waves.battles[0]
    chances = odds.holds(0), odds.holds(1), odds.holds(None)
    return (
        titles(waves),
        _(editions()[battle.rules.key].name),
        (_p("short", "attacker holds"), _p("short", "defender holds"), _p("short", "nobody holds")),
        (
            percent(chances[0], odds),
            percent(chances[1], odds),
            percent(chances[2], odds) if chances[2] > LEAST_NEITHER else "",
        ),
        parted(chances),
        (),
        waves_swings(every),
        swing_summaries(every),
        swing_unit(battle),
    )
