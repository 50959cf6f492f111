"""Finds the words of a phrase that say how many armies stand where after a turn: "hold it with 3", "leave 2 there"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.maps.map import Continent, Territory
from bot.phrases.conquest.names import Name, is_in
from bot.phrases.tag import ENDS
from bot.phrases.words import Words

STAND, LEAVE, FORTIFY = KINDS = "stand", "leave", "fortify"
"""The tables of verbs: armies stand somewhere after a turn, stay where they are left, or move after the attacks."""
LONGEST = 3
"""The most words of such a verb, or of a word for a place."""
LEAST = "m"
"""The letter for "at least", which is left out."""
_LETTERS = {STAND: "s", LEAVE: "l", FORTIFY: "f", "there": "t", "it": "i", "at": "a", "from": "o", "left": "e"}
_LETTERS |= {"must": "q", "least": LEAST}
"""The letters for words in the tables of conquests, by which they are looked up in this order."""
_WHERE = "(?:a?i?p|t)"
_SHAPES = [
    re.compile(shape)
    for shape in (
        rf"[slf]i?{_WHERE}?i?wn{_WHERE}?(?![nwpo])",  # "hold it with 3", "stay with 4 in Indonesia"
        rf"[slf]{_WHERE}?n{_WHERE}(?![nwo])",  # "leave 3 there"
        rf"[slf]{_WHERE}n(?![nwpoa])",  # "оставить там 4"
        r"[sf]i?n(?=$|,)",  # "держу её тремя"
        rf"wni?{_WHERE}?[sf](?![nwptai])",  # "mit 3 halten"
        rf"nq?t[sl]|na?pl(?!n)|nq?[sle]{_WHERE}(?![nw])",  # "3 dort lassen", "4 bleiben dort"
        rf"qn{_WHERE}(?![nw])|tqn(?![nwpoa])",  # "sollen 5 in Indien stehen"
        r"a?i?pwni?[sf](?![nwptai])",  # "Indonesien mit 3 halten"
        r"f(?:[oa]?i?p)?(?![nwp])|f",  # "then fortify", "fortify from China"
    )
]
"""How such words stand together: `n` is a number, `w` "with", `p` a place's name, `q` "should",
`,` a pause, `x` any other word."""
PARTS = ",x"
"""The letters behind which no word belongs to those before: those of pauses and of all other words."""
FURTHEST = 16
"""The most words that are looked at."""
BREAKS = {*ENDS, *",;:/()>-"}
"""The signs that part words."""
_SUBJECTS = ("other", "defender", "held")


@dataclass(frozen=True)
class Standing:
    """Words that say how many armies stand where after a turn.

    Attributes:
        kind: Which verb it is.
        number: How many armies; 0 if the words do not say it.
        part: The place; None for "it" and "there".
        end: The index behind the last word.
    """

    kind: str
    number: int
    part: Territory | Continent | None
    end: int


def find_standing(words: Words, names: Sequence[Name], start: int) -> Standing | None:
    """Return what the words that begin at an index say of a place that the phrase names before; None if nothing."""
    before = [name for name in names if name.end <= start]
    if not are_of_turn(before) or not any(words.numbers[:start]) or _is_of_others(words, start):
        return None
    own = _longest_shape(_letters(words, names, start))
    if not own:
        return None
    ends = dict(own)
    kind = next((kind for kind in KINDS if _LETTERS[kind] in ends), STAND)
    part = next((name.part for name in names if name.end == ends.get("p")), None)
    if part and not _is_named(part, before):
        return None
    number = words.numbers[ends["n"] - 1] if "n" in ends else 0
    return Standing(kind, number or 0, part, own[-1][1])


def are_of_turn(names: Sequence[Name]) -> bool:
    """Tell whether names are those of a turn: two places, or a continent."""
    return len({name.part.key for name in names}) > 1 or any(isinstance(name.part, Continent) for name in names)


def _longest_shape(letters: Sequence[tuple[str, int]]) -> Sequence[tuple[str, int]]:
    """Return the first letters that have one of the shapes, as many as possible; none if no shape begins them."""
    text = "".join(letter for letter, _end in letters)
    return letters[: max(match.end() if (match := shape.match(text)) else 0 for shape in _SHAPES)]


def _is_of_others(words: Words, start: int) -> bool:
    """Tell whether the defenders are the subject before a word: "he holds it with 3"."""
    meanings = ((words.meaning(index, "roles"), words.light[index]) for index in range(start))
    *_before, owner, last = ["", "", *(role for role, light in meanings if role or not light)]
    return last in _SUBJECTS or (last == "have" and owner != "self")


def _is_named(part: Territory | Continent, before: Sequence[Name]) -> bool:
    """Tell whether a place is among some names, or in a continent that is."""
    inside = {key for name in before if isinstance(name.part, Continent) for key in name.part.territories}
    return part.key in inside | {name.part.key for name in before}


def _letters(words: Words, names: Sequence[Name], start: int) -> list[tuple[str, int]]:
    """Return the letters of the words from an index to the end of their clause, each with the index behind its word."""
    starts = {name.start: name.end for name in names}
    letters: list[tuple[str, int]] = []
    index = start
    while index < min(len(words.tokens), start + FURTHEST) and (not letters or letters[-1][0] not in PARTS):
        letter, end = ("p", starts[index]) if index in starts else _letter(words, index)
        if letter and letter != LEAST:
            letters.append((letter, end))
        elif not letters and not letter:
            return []
        index = end
    return letters


def _letter(words: Words, index: int) -> tuple[str, int]:
    """Return the letter of the words at an index, "" for words that make no difference, and the index behind them."""
    if words.numbers[index] is not None and not words.light[index]:
        return "n", index + 1
    role, known = words.meaning(index, "roles"), words.languages
    if role == "with":
        return "w", index + 1
    for end in range(min(index + LONGEST, len(words.tokens)), index, -1):
        text = " ".join(token.text for token in words.tokens[index:end])
        if kind := next((kind for kind in _LETTERS if is_in(text, known, kind)), ""):
            return _LETTERS[kind], end
    if role == "and" or words.tokens[index].text in BREAKS:
        return ",", index + 1
    weightless = role == "men" or (words.light[index] and role not in _SUBJECTS)
    return "" if weightless else "x", index + 1
