"""What a second plan of Axis & Allies says about the sides of the first: "+1 fig", "-1 arm", or a new list of units."""

import re
from collections.abc import Mapping

from bot.editions import editions
from bot.matchup.writing import AnyBattle
from solver.axis import AxisBattle
from solver.waves import Waves, waves_of

_UNITS = re.compile(r"(?<![\w:=.<>,+-])([+-]?) ?(\d+) ?([a-z][a-z_]*)(?![a-z_:=])")
_THEN = re.compile(r"(?<!\S)then\b")
_VERSUS = re.compile(r"(?<!\S)(?:vs\.?|v|versus|against)(?=[\d\s,;+-]|$)")


def changed_sides(line: str, first: AnyBattle) -> str:
    """The normal line of a second plan with whole numbers of units; units that are dropped get 0.

    A side that lists units is that list; one with only "+1 fig", "-1 arm" and "0 arm" is the first plan's, changed.
    """
    if not isinstance(first, AxisBattle | Waves):
        return line
    wave = waves_of(first)[0]
    fresh = wave.defender.units if isinstance(first, AxisBattle) else first.fresh[0]
    edition = editions()[wave.rules.key]
    later = _THEN.search(line)
    head, waves = (line[: later.start()], line[later.start() :]) if later else (line, "")
    versus = _VERSUS.search(head)
    ours, theirs = (head[: versus.start()], head[versus.start() :]) if versus else (head, "")
    told = [
        _side(part, dict(units), edition.words, edition.short)
        for part, units in ((ours, wave.attacker.units), (theirs, fresh))
    ]
    return " ".join(filter(None, [*told, waves]))


def _side(part: str, units: Mapping[str, int], words: Mapping[str, str], short: Mapping[str, str]) -> str:
    """What is said of one side."""
    found = [one for one in _UNITS.finditer(part) if one[3] in words]
    listed = any(not one[1] and int(one[2]) for one in found)

    def whole(one: re.Match[str]) -> str:
        if not one[1]:
            return one[0]
        if one[3] not in words:
            return f"{one[2]} {one[3]}"  # no such unit: this is told where units are read
        before = 0 if listed else units.get(words[one[3]], 0)
        return f"{max(before + int(one[1] + one[2]), 0)} {one[3]}"

    named = {words[one[3]] for one in found}
    gone = [f"0 {short[name]}" for name in units if name not in named] if listed else []
    return " ".join([_UNITS.sub(whole, part).strip(), *gone])
