"""What a second plan keeps of the first: all that it says nothing else about."""

import re

from bot.editions import names_a_unit
from bot.matchup.army_words import SHARED, WORDS
from bot.matchup.writing import AnyBattle, write
from bot.words import OPTIONS, normal, tokens
from solver.axis import AxisBattle
from solver.ships import SHIPS
from solver.waves import Waves

_COUNTED = re.compile(r"(?<![\w:=.<>+-])(?<![+-] )(\d+) ?([a-z_]+(?: [a-z]+)?)(?![a-z_:=])")
_VERSUS = re.compile(r"(?<![^\s,;])(?:vs\.?|v|versus|against)(?=[\d\s,;+-]|$)")
_THEN = re.compile(r"(?<![^\s,;])then(?![a-z_])")
_PLANS = "stop", "reserve", "rounds", "value", "leave"
"""Words of a dice game that are no rules of it: a plan keeps them in another variant too."""


def kept_line(first: AnyBattle, text: str) -> str:
    """The line of a first plan as far as a change to it keeps that."""
    line, change = write(first), normal(text)
    if isinstance(first, AxisBattle | Waves):
        return _without_units(line, change)
    return _without_rules(line) if names_variant(change) else _without_ships(line, change)


def names_variant(line: str) -> bool:
    """Whether a normal line says in which variant, or edition, it is."""
    return re.search(r"(?<![^\s,;])variant\b", line) is not None


def _without_units(line: str, change: str) -> str:
    """A line of Axis & Allies in which nobody is left of the sides for which the change lists units.

    Of several waves only what goes for all of them is left where the change lists both sides: it says which waves
    there are.
    """
    head, then, later = line.partition(" then ")
    sides = head.partition(" vs ")
    waves = _THEN.split(change)
    listed = [_lists_units(side) for side in [*_VERSUS.split(waves[0], maxsplit=1), ""][:2]]
    ours, theirs = (
        re.sub(r"(?<!\S)\d+(?= [a-z])", "0", side) if anew else side
        for side, anew in zip(sides[::2], listed, strict=True)
    )
    head = f"{ours} vs {theirs}"
    if then and all(listed):
        gone = WORDS.keys() - SHARED | ({"lookahead"} if len(waves) == 1 else set())
        return " ".join(word for word in head.split() if word.partition(":")[0] not in gone)
    return f"{head}{then}{later}"


def _lists_units(side: str) -> bool:
    """Whether it has units without a sign; "0 arm" only takes some away."""
    counted = ((int(count), word) for count, word in _COUNTED.findall(side))
    return any(
        count and (names_a_unit(word.replace(" ", "_")) or names_a_unit(word.split()[0])) for count, word in counted
    )


def _without_rules(line: str) -> str:
    """A line of a dice game with its numbers and plans alone."""
    return " ".join(
        word for word in line.split() if word in ">" or word.isdecimal() or word.partition(":")[0] in _PLANS
    )


def _without_ships(line: str, change: str) -> str:
    """A line of a dice game without the ships of a side for which the change has others."""
    theirs = False
    named = set()
    for token in tokens(change):
        theirs = theirs or token.kind == "versus"
        if token.kind != "option" or not token.value:
            continue
        side, _dot, kind = OPTIONS[token.text][0].format(side="defence" if theirs else "attack").partition(".")
        if kind in SHIPS:
            named.add("d" if side == "defence" else "")
    gone = {f"{side}{kind}" for side in named for kind in SHIPS}
    return " ".join(word for word in line.split() if word.partition(":")[0] not in gone)
