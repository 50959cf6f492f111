"""Changes of a first plan of Axis & Allies by a second one, and what the second keeps."""

import re
from collections.abc import Iterator

from bot.editions import USUAL, editions, names_a_unit
from bot.games.axis.options import OPTIONS, WHOLE_BATTLE, WORDS
from bot.games.base import PlanChanges
from solver.axis.battle import AxisBattle

_COUNTED = re.compile(r"(?<![\w:=.<>+-])(?<![+-] )(\d+) ?([a-z_]+(?: [a-z]+)?)(?![a-z_:=])")
_VERSUS = re.compile(r"(?<![^\s,;])(?:vs\.?|v|versus|against)(?=[\d\s,;+-]|$)")
_THEN = re.compile(r"(?<![^\s,;])then(?![a-z_])")

_FLAGS = {option.word: option.sided for option in OPTIONS if option.value.flag}
DROPPED = {word: f"a{word}:no" if sided else f"{word}:no" for word, sided in _FLAGS.items()}
DROPPED |= {f"d{word}": f"d{word}:no" for word, sided in _FLAGS.items() if sided} | {"rounds": "rounds:all"}
"""Options of a first plan, with the words by which the second goes without them."""

OFFERS = (
    *("retreat:profit<0", "retreat:units<=2", "retreat:win<40%", "retreat:air>20%", "rounds:2", "choose", "keep:1"),
    *("lowluck", "submerge", "dsubmerge", "gunslast", "deadzone", "value:4", "decline:no"),
)
"""Changes to suggest, the likeliest first."""


def kept_line(line: str, change: str) -> str:
    """Return a canonical line without the units of the sides for which a change of it lists units.

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
        gone = WORDS.keys() - WHOLE_BATTLE | ({"lookahead"} if len(waves) == 1 else set())
        return " ".join(word for word in head.split() if word.partition(":")[0] not in gone)
    return f"{head}{then}{later}"


def _lists_units(side: str) -> bool:
    """Tell whether a side has units without a sign; "0 arm" only takes some away."""
    counted = ((int(count), word) for count, word in _COUNTED.findall(side))
    return any(
        count and (names_a_unit(word.replace(" ", "_")) or names_a_unit(word.split()[0])) for count, word in counted
    )


def completions(battle: AxisBattle, before: str, begun: str) -> Iterator[str]:
    """Complete a word of a change to a unit or an option."""
    short = editions()[battle.rules.key].short
    if begun.isdecimal():
        yield from (f"{begun} {short[name]}" for name, _count in battle.attacker.units)
    elif before.split()[-1:] and before.split()[-1].isdecimal():
        yield from (word for word in short.values() if word.startswith(begun))
    yield from (word for word in OFFERS if word.startswith(begun))


CHANGES = PlanChanges(kept=kept_line, dropped=DROPPED, variant=USUAL, complete=completions, example="rounds:2")
