"""A battle of Axis & Allies in a few words: both sides of each wave, the options, and titles for its picture."""

import re
from collections.abc import Sequence

from bot.editions import Edition, editions, names_a_unit
from bot.games.axis.writing import units_text, write_armies
from bot.languages import N_, _, _n, _p
from bot.words.numbers import describe_with
from solver.axis.sides import Aim, Army, Chooses, Units
from solver.axis.waves.waves import Waves

LONGEST_SIDE, LONGEST_DESCRIPTION = 44, 70

CHOICES: dict[tuple[Chooses, Aim], str] = {
    ((True, False), "takes"): N_("attacker chooses casualties"),
    ((False, True), "takes"): N_("defender chooses casualties"),
    ((True, True), "takes"): N_("both choose casualties"),
    ((True, False), "profit"): N_("attacker chooses casualties for the TUV swing"),
    ((False, True), "profit"): N_("defender chooses casualties for the TUV swing"),
    ((True, True), "profit"): N_("both choose casualties for the TUV swing"),
}
"""How a description says who chooses casualties after each roll, and for what."""


def describe(battle: Waves) -> str:
    """Describe all waves and the options: "3 inf against 2 inf, then 2 arm, low luck"."""
    return with_options(", ".join(filter(None, [matchup(battle), _choices(battle)])), write_armies(battle))


def _choices(battle: Waves) -> str:
    """Say who chooses casualties, and for what; of several waves in which, unless both sides choose in all."""
    waves = [wave.chooses for wave in battle.battles]
    texts = {pair: _(CHOICES[pair, battle.aim]) for pair in waves if any(pair)}
    if battle.only or all(map(all, waves)):
        return "".join(texts.values())
    return ", ".join(
        _in_waves(text, [at for at, of in enumerate(waves, 1) if of == pair]) for pair, text in texts.items()
    )


def _in_waves(choice: str, numbers: Sequence[int]) -> str:
    """Say in which waves somebody chooses."""
    waves = join_words([*map(str, numbers)]) if len(numbers) < 3 else ", ".join(map(str, numbers))
    return _n("{choice} in wave {waves}", "{choice} in waves {waves}", len(numbers), choice=choice, waves=waves)


def with_options(text: str, line: str) -> str:
    """Return a description with the options of its line: low luck and rounds in words, others as a mark.

    The rounds of several waves are such others, as a description would not say which wave they limit.
    """
    words = [word for word in line.split() if not word.isdigit() and not names_a_unit(word)]
    silent = "vs", "then", "hold", "choose", "choose:tuv"
    options = [word for word in words if word not in silent and not word.startswith("variant:")]
    said = {
        "lowluck": _("low luck"),
        "lowluck:aa": _("low luck for AA guns"),
        "lowluck:noaa": _("low luck except for AA guns"),
    }
    if "then" not in words:
        limits = [word for word in options if re.fullmatch(r"rounds:\d+", word)]
        said |= {word: _n("{n} round", "{n} rounds", int(word.removeprefix("rounds:"))) for word in limits}
    named = [said[word] for word in options if word in said]
    return describe_with(", ".join([text, *named]), options=len(named) < len(options))


def matchup(battle: Waves) -> str:
    """Describe all waves: "3 inf against 2 inf, then 2 arm, then hold 4 inf"; of great armies only the numbers."""
    if not battle.only:
        whole = (", ".join(parts) for parts in _parts(battle))
        return next((text for text in whole if len(text) <= LONGEST_DESCRIPTION), _fewest(battle))
    edition = editions()[battle.only.rules.key]
    return against(side_text(battle.only.attacker, edition), side_text(battle.only.defender, edition))


def titles(battle: Waves) -> tuple[str, ...]:
    """Return titles of a battle, the longest first: all units, on one line or two, then the number of units."""
    if not battle.only:
        whole = [title for parts in _parts(battle) for title in (", ".join(parts), _on_two_lines(parts))]
        return *whole, _fewest(battle)
    only = battle.only
    armies, edition = (only.attacker.units, only.defender.units), editions()[only.rules.key]
    ours, theirs = (units_text(dict(units), edition) for units in armies)
    our_count, their_count = map(count_text, armies)
    sides = (ours, theirs), (ours, f"\n{theirs}"), (ours, their_count), (our_count, theirs), (our_count, their_count)
    return tuple(against(*both).replace(" \n", "\n") for both in sides)


def against(attackers: str, defenders: str) -> str:
    """Say who fights whom."""
    return _("{attackers} against {defenders}", attackers=attackers, defenders=defenders)


def side_text(side: Army, edition: Edition) -> str:
    """Write the units of a side; of a great army only their number."""
    text = units_text(dict(side.units), edition)
    return text if len(text) <= LONGEST_SIDE else count_text(side.units)


def count_text(units: Units) -> str:
    """Say how many units these are."""
    return _n("{n} unit", "{n} units", sum(count for _name, count in units))


def join_words(words: Sequence[str], units: bool = False) -> str:
    """Join words for a sentence: "6", "6 and 2"; with `units`: "inf and arm"."""
    text, *more = words
    for word in more:
        both = _p("units", "{some} and {more}", some=text, more=word)
        text = both if units else _("{some} and {more}", some=text, more=word)
    return text


def _parts(waves: Waves) -> list[list[str]]:
    """Return the text of each wave, once with all units and once with their number."""
    numbers = range(len(waves.battles))
    texts = [[_wave(waves, number, short) for number in numbers] for short in (True, False)]
    return [[first, *(_("then {wave}", wave=wave) for wave in later)] for first, *later in texts]


def _on_two_lines(parts: Sequence[str]) -> str:
    """Return the texts of several waves on two lines of about the same length."""
    halves = [(", ".join(parts[:at]), ", ".join(parts[at:])) for at in range(1, len(parts))]
    return ",\n".join(min(halves, key=lambda half: max(map(len, half))))


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
    return against(ours, units(fresh)) if fresh else ours
