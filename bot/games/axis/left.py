"""The table of an answer about Axis & Allies: the likeliest units left, and how each of several waves ends."""

from collections.abc import Callable, Sequence

import numpy as np

from bot.editions import Edition, editions
from bot.games.axis.outcomes import UNHELD
from bot.games.axis.writing import sorted_units_text, units_text
from bot.languages import N_, _, _n, _p, join_texts
from bot.words.narrow import fold, narrow, with_texts
from bot.words.numbers import percent, tenths, unsure_percent
from solver.axis.kernel.forces import Nodes
from solver.axis.odds import AxisOdds
from solver.axis.sides import Units
from solver.axis.waves.joint import FinalField
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves
from solver.chain import Chances

MOST_ENDS = 6
HELD_BY = N_("attacker: {units}"), N_("defender: {units}")


def table(battle: Waves, odds: AxisOdds | WavesOdds) -> tuple[str, ...]:
    """Return the likeliest ends, one a row: the chance, and the units left; of several waves below a row for each."""
    edition = editions()[battle.battles[0].rules.key]
    if isinstance(odds, WavesOdds):
        joint, rows = odds.joint, _wave_rows(battle, odds)
        if joint is None:
            return rows
        names, fields = [_("left at the end")], joint.fields
        return *rows, "", *_likeliest(odds, joint.left, names, lambda end: [field_name(fields[end], edition)])
    if odds.declined:
        return ()
    words, ours, theirs = left_texts(odds, edition)
    pairs, place = np.unique(ours * len(words) + theirs, return_inverse=True)
    chances = np.asarray(np.bincount(place, odds.chances), float)
    both = [divmod(pair, len(words)) for pair in pairs.tolist()]
    names = [_("attacker left"), _("defender left")]
    return _likeliest(odds, chances, names, lambda end: [words[side] for side in both[end]])


def _likeliest(
    odds: AxisOdds | WavesOdds, chances: Chances, names: Sequence[str], left: Callable[[int], list[str]]
) -> tuple[str, ...]:
    """Return a table of the likeliest ends: the chance of each, and what `left` says of it in columns with `names`."""
    ranked = np.argsort(-chances, kind="stable")
    shown = ranked[:MOST_ENDS].tolist()
    rest = float(chances[ranked[MOST_ENDS:]].sum())
    texts = [left(end) for end in shown]
    likely = [percent(float(chances[end]), odds, float(len(chances) > 1)) for end in shown]
    # The rest may be likelier than each of them, and its chance longer.
    width = max(map(len, [*likely, unsure_percent(rest)] if rest else likely))
    cells = [["", *names], *([f"{of:>{width}}", *units] for of, units in zip(likely, texts, strict=True))]
    lines = narrow(cells, "><<"[: len(cells[0])])
    if len(names) > 1 and any(text not in "\n".join(lines) for units in texts for text in units):
        # Where a unit is alone on a second line, both sides often fit on the first one without columns.
        joined = with_texts([row[:1] for row in cells], ">", [_("left: attacker / defender"), *map(" / ".join, texts)])
        lines = min(joined, lines, key=lambda some: len("\n".join(some).splitlines()))
    if not rest:
        return lines
    others = _n("{n} other ending", "{n} other endings", len(chances) - MOST_ENDS)
    return *lines, *fold(f"{unsure_percent(rest):>{width}}  {others}")


def left_texts(odds: AxisOdds, edition: Edition) -> tuple[list[str], Nodes, Nodes]:
    """Return different texts of the units left, and for each end the places there of the attacker's and defender's."""
    # Each fate is put in words once: there may be hundreds of thousands of ends.
    codes: dict[str, int] = {}
    ours, theirs = (
        np.array([codes.setdefault(_left_text(fate.left, fate.gone, edition), len(codes)) for fate in fates], np.int64)
        for fates in (odds.attackers, odds.defenders)
    )
    return list(codes), ours[odds.rows], theirs[odds.columns]


def _left_text(left: Units, gone: Units, edition: Edition) -> str:
    """Write the units left: "2 arm 3 fig", in brackets those that left the fight early; "–" for none."""
    parts = [sorted_units_text(units, edition) for units in (left, gone)]
    if parts[0] and parts[1]:
        return f"{parts[0]} ({parts[1]})"
    return parts[0] or parts[1] or "–"


def _wave_rows(waves: Waves, odds: WavesOdds) -> tuple[str, ...]:
    """Return the result of each wave."""
    land = waves.battles[0].theatre == "land"
    wins = _p("column", "holds it") if land else _("wins")
    cells: list[list[str]] = [["", _("fought"), wins, _("loses"), _("kills")]]
    labels = ["", *(_wave_label(waves, number) for number in range(len(waves.battles)))]
    for number, wave in enumerate(odds.waves):
        has = wave.takes if land else wave.wins
        numbers = [percent(of, odds, max(1 - of, 0.0)) for of in (wave.fought, has)]
        losses = tenths(wave.attacker_loss + wave.own.territory), tenths(wave.defender_loss)
        cells.append([str(number + 1), *numbers, *losses])
    return with_texts(cells, "<>>>>", labels)


def _wave_label(waves: Waves, number: int) -> str:
    """Say that a wave is a hold; after the first hold also whose attack it is."""
    hold = _p("column", "hold") if waves.holds[number] else ""
    if not any(waves.holds[:number]):
        return hold
    whose = _("the defender's attack") if waves.side(number) else _("the attacker's attack")
    return join_texts(": ", list(filter(None, [hold, whose])))


def field_name(field: FinalField, edition: Edition) -> str:
    """Name who holds the field at the end, and with what: "attacker: 2 arm"."""
    if field.submerged:
        side, under = field.submerged
        return f"{_(UNHELD[side])}: {units_text(dict(under), edition)}"
    if field.holder is None:
        return _("nobody")
    ours, theirs = (sorted_units_text(units, edition) for units in (field.units, field.against))
    empty = (N_("empty, still the attacker's"), N_("empty, still the defender's"))[field.holder]
    name = _(HELD_BY[field.holder], units=ours) if ours else _(empty)
    return f"{name}; {_(HELD_BY[1 - field.holder], units=theirs)}" if theirs else name
