"""Odds of several waves of Axis & Allies in words: who holds the field at the end, and the result of each wave."""

from collections.abc import Sequence

import numpy as np

from bot.editions import Edition, editions
from bot.games.axis.swing import LEAST_NEITHER, DrawnSwings, swing_summaries, waves_swings
from bot.games.axis.waves.at_sea import remarks_at_sea
from bot.games.axis.words import FATES, count_text, duration, gain, hundredths, in_money, spread, with_options
from bot.games.axis.writing import sorted_units_text, units_text, write_armies
from bot.languages import N_, _, _n, _p, sentence
from bot.replies import Reply
from bot.words.narrow import narrow, with_texts
from bot.words.numbers import exactness, fate_text, percent, split_of_twenty, tenths, unsure_percent
from solver.axis.sides import Units
from solver.axis.waves.joint import FinalField, JointOdds, set_prices
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves

MOST_LEFT = 6
LONGEST_DESCRIPTION = 70
UNHELD = {0: N_("attacker submerged"), 1: FATES["submerged"], None: N_("nobody holds it")}
"""The names of the ends in which nobody holds the field, by the side with submarines under water there."""


def answer(waves: Waves, odds: WavesOdds, remarks: Sequence[str] = ()) -> Reply:
    """Return the texts of an answer: who holds the field, the money, the remarks, and the note."""
    edition = editions()[waves.battles[0].rules.key]
    return Reply(
        f"**{verdict(waves, odds)}** · {describe(waves)} · {_(edition.name)}",
        facts=tuple(filter(None, [money(waves, odds)])),
        remarks=(*remarks, *remarks_at_sea(waves, odds), *edition.remarks, *caveats(odds)),
        note=f"{exactness(odds.error)} · {duration(odds.rounds)}",
        line=write_armies(waves),
    )


def caveats(odds: WavesOdds) -> list[str]:
    """Say which waves are not always made, how likely they are, and whether there are too many ends to list."""
    remarks: list[str] = []
    for place, wave in enumerate(odds.waves, start=1):
        share = wave.own.declined / wave.fought if wave.fought else 0.0
        if share > 1 - 1e-12:
            remarks.append(_("Wave {place}: no attack", place=place))
        elif share > 0:
            often = unsure_percent(share)
            remarks.append(_("Wave {place}: no attack {share} of the time", place=place, share=often))
    if odds.joint is None:
        remarks.append(_("There are too many endings to list them"))
    return remarks


def verdict(waves: Waves, odds: WavesOdds) -> str:
    """Say who holds the field after all waves."""
    ours, theirs = (percent(odds.hold_chance(side), odds) for side in (0, 1))
    if waves.battles[0].theatre == "land":
        attacker = _("Attacker holds it in the end: {chance}", chance=ours)
    else:
        attacker = _("Attacker holds the sea in the end: {chance}", chance=ours)
    words = [attacker, _("defender {chance}", chance=theirs)]
    return ", ".join([*words, *(fate_text(_(name), percent(of, odds)) for name, of in unheld_fates(odds).items())])


def unheld_fates(odds: WavesOdds) -> dict[str, float]:
    """Return the ends in which nobody holds the field, in English, with their chances."""
    if odds.joint is None:
        return {}
    return {name: chance for side, name in UNHELD.items() if (chance := odds.joint.unheld_chance(side)) > 0}


def describe(waves: Waves) -> str:
    """Describe all waves and the options: "3 inf against 2 inf, then 2 arm, low luck"."""
    return with_options(matchup(waves), write_armies(waves))


def matchup(waves: Waves) -> str:
    """Describe all waves: "3 inf against 2 inf, then 2 arm, then hold 4 inf"; of great armies only the numbers."""
    choices = titles(waves, on_two_lines=False)
    return next((title for title in choices if len(title) <= LONGEST_DESCRIPTION), _fewest(waves))


def titles(waves: Waves, on_two_lines: bool = True) -> tuple[str, ...]:
    """Return titles, the longest first: all units, `on_two_lines` also broken in two; then how many units."""
    lines: list[str] = []
    for short in (True, False):
        first, *later = (_wave(waves, number, short) for number in range(len(waves.battles)))
        parts = [first, *(_("then {wave}", wave=wave) for wave in later)]
        lines.append(", ".join(parts))
        if on_two_lines:
            at = min(
                range(1, len(parts)), key=lambda at: max(len(", ".join(side)) for side in (parts[:at], parts[at:]))
            )
            lines.append(f"{', '.join(parts[:at])},\n{', '.join(parts[at:])}")
    return (*lines, _fewest(waves))


def _fewest(waves: Waves) -> str:
    """Say how many waves there are and how many units meet in the first."""
    first = _wave(waves, 0, short=False)
    return _n("{n} wave, the first {wave}", "{n} waves, the first {wave}", len(waves.battles), wave=first)


def _wave(waves: Waves, number: int, short: bool) -> str:
    edition = editions()[waves.battles[0].rules.key]

    def units(army: Units) -> str:
        return units_text(dict(army), edition) if short else count_text(army)

    fresh, ours = waves.fresh[number], units(waves.battles[number].attacker.units)
    if waves.holds[number]:
        ours = _("hold {units}", units=ours)
    return _("{attackers} against {defenders}", attackers=ours, defenders=units(fresh)) if fresh else ours


def money(waves: Waves, odds: WavesOdds) -> str:
    """Say what all waves cost both sides on average, and the attacker's gain."""
    battle, every = waves.battles[0], odds.joint
    if every is None:
        return ""
    parts = []
    for side, (units, loss) in enumerate(zip(waves.most_lost(), money_lost(waves, every), strict=True)):
        # Ships that bombard a battle on land are in no danger.
        safe = "sea" if battle.theatre == "land" else ""
        there = tuple((name, count) for name, count in units.items() if battle.rules.table[name].kind != safe)
        (whole,) = set_prices(battle, side, [there])
        parts.append((tenths(loss), hundredths(float(whole))))
    (lost, ours), (beaten, theirs) = parts
    losses = _(
        "Average losses in all waves: attacker {lost} of {ours}, defender {beaten} of {theirs}",
        lost=lost,
        ours=in_money(battle, ours),
        beaten=beaten,
        theirs=in_money(battle, theirs),
    )
    return f"{gain(battle, every)}\n{losses}"


def money_lost(waves: Waves, every: JointOdds) -> tuple[float, float]:
    """Return the average worth of the units that the first attacker's side and the other lose in all waves."""
    ours, theirs = (float(set_prices(waves.battles[0], side, every.losses[side]) @ every.law(side)) for side in (0, 1))
    return ours, theirs


def wave_rows(waves: Waves, odds: WavesOdds) -> tuple[str, ...]:
    """Return the result of each wave, and below it the likeliest units left on the field."""
    land = waves.battles[0].theatre == "land"
    wins = _p("column", "holds it") if land else _("wins")
    cells: list[list[str]] = [["", _("fought"), wins, _("loses"), _("kills")]]
    holds: list[str] = ["", *(_p("column", "hold") if hold else "" for hold in waves.holds)]
    for number, wave in enumerate(odds.waves):
        has = wave.takes if land else wave.wins
        numbers = [percent(of, odds, max(1 - of, 0.0)) for of in (wave.fought, has)]
        losses = tenths(wave.attacker_loss + wave.own.territory), tenths(wave.defender_loss)
        cells.append([str(number + 1), *numbers, *losses])
    return (*with_texts(cells, "<>>>>", holds), *(["", *_fields(waves, odds)] if odds.joint else []))


def _fields(waves: Waves, odds: WavesOdds) -> tuple[str, ...]:
    every = odds.joint
    assert every is not None, "it is asked before"
    edition = editions()[waves.battles[0].rules.key]
    ranked = np.argsort(-every.left, kind="stable").tolist()
    cells: list[list[str]] = [["", _("left at the end")]]
    for place in ranked[:MOST_LEFT]:
        chance = percent(float(every.left[place]), odds, float(len(ranked) > 1))
        cells.append([chance, field_name(every.fields[place], edition)])
    rest = float(every.left[ranked[MOST_LEFT:]].sum())
    if rest:
        cells.append([unsure_percent(rest), _n("{n} other ending", "{n} other endings", len(ranked) - MOST_LEFT)])
    return narrow(cells, "><")


def field_name(field: FinalField, edition: Edition) -> str:
    """Name who holds the field at the end, and with what: "attacker: 2 arm"."""
    if field.submerged:
        side, under = field.submerged
        return f"{_(UNHELD[side])}: {units_text(dict(under), edition)}"
    units = sorted_units_text(field.units, edition)
    names = {0: _("attacker: {units}", units=units), 1: _("defender: {units}", units=units), None: _("nobody")}
    if not units:
        names |= {0: _("empty, still the attacker's"), 1: _("empty, still the defender's")}
    if not field.against or field.holder is None:
        return names[field.holder]
    others = sorted_units_text(field.against, edition)
    beside = (_("defender: {units}", units=others), _("attacker: {units}", units=others))[field.holder]
    return f"{names[field.holder]}; {beside}"


def alternative(waves: Waves, odds: WavesOdds) -> str:
    """Describe the picture in a sentence or two, for people who cannot see it."""
    text = f"{verdict(waves, odds)}. " + (f"{sentence(spread(waves.battles[0], odds.joint))} " if odds.joint else "")
    return f"{text}{_('Bars show how likely each TUV swing of all waves is.')}"


def picture_of_waves(waves: Waves, odds: WavesOdds) -> DrawnSwings | None:
    """Return what the picture of these odds shows; None if there is nothing to draw."""
    every = odds.joint
    if every is None:
        return None
    chances = odds.hold_chance(0), odds.hold_chance(1), odds.hold_chance(None)
    return DrawnSwings(
        titles=titles(waves),
        subtitles=[_(editions()[waves.battles[0].rules.key].name)],
        names=(_p("short", "attacker holds"), _p("short", "defender holds"), _p("short", "nobody holds")),
        numbers=(
            percent(chances[0], odds),
            percent(chances[1], odds),
            percent(chances[2], odds) if chances[2] > LEAST_NEITHER else "",
        ),
        twenty=split_of_twenty(chances),
        captions=[_("20 such battles")],
        swings=waves_swings(every),
        footers=swing_summaries(every),
    )
