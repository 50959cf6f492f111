"""Reads the units of a table where a phrase says what they are: "3 mechs against 4 inf, a mech is 1/2/4"."""

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from bot.editions import editions
from bot.notation.defaults import current_defaults
from bot.phrases.spelling import SHORTEST_TYPO
from bot.phrases.tag import Tag
from bot.phrases.words import PAUSES, Words

FARTHEST = 5
"""The most words between the name of a unit and its values: "tanks with us are 3/2/5"."""
BETWEEN = ("self", "other", "have", "for", "with", "and")
"""The roles of words that may stand there, beside words of no weight."""
NAMES = ("", "men")
"""The roles of words that may be the name of a unit: "knights" are men elsewhere."""
SIGNS = {":", "=", "("}
OPTION = "unit:"
VALUES = ("value attack", "value defence", "value price")
"""The lists of words for the three values of a unit, in their order."""
_NAME = re.compile("[a-z]{2,20}")
"""The form of a name in notation."""


class Values(NamedTuple):
    """The attack, the defence and the price of a unit in a phrase: where they begin and end, and as a line has them."""

    start: int
    end: int
    text: str


def own_unit_tags(words: Words) -> Iterator[Tag]:
    """Yield the tags of each unit whose values a phrase says: its option, and the name wherever it is counted."""
    for values in _values_in(words):
        if (at := _find_name(words, values.start)) is None:
            continue
        indices = range(len(words.tokens))
        counted = [index for index in indices if words.is_counted(index) and _is_same(words, index, at)]
        name = _name_of(words, at)
        if not counted or not name:
            continue
        start = at + (at in counted)  # a name that is counted stays: "2 zeppelins (4/1/11)"
        text = " ".join(token.text for token in words.tokens[start : values.end])
        yield Tag("options", f"{OPTION}{name}={values.text}", start, values.end, text=text)
        for index in counted:
            yield Tag("units", name, index, index + 1, text=words.tokens[index].text)


def _values_in(words: Words) -> Iterator[Values]:
    """Yield three numbers with strokes between them, or each with its name: "attack 1, defence 2, cost 4"."""
    for start in range(len(words.tokens) - 4):
        if named := _named_values(words, start):
            yield named
        five = words.tokens[start : start + 5]
        beside = [*words.tokens[start - 1 : start], *words.tokens[start + 5 : start + 6]]
        strokes = [token.text for token in five[1::2]] == ["/", "/"] and all(token.text != "/" for token in beside)
        if strokes and all(token.number is not None for token in five[::2]):
            yield Values(start, start + 5, "".join(token.text for token in five))


def _named_values(words: Words, start: int) -> Values | None:
    """Return the values that begin with the name of one; None if there are none."""
    names = {name: frozenset().union(*(known.asides[name] for known in words.languages)) for name in VALUES}
    place, numbers, every = start, dict[str, int](), frozenset().union(*names.values())
    while len(numbers) < len(VALUES):
        place = _skip_fillers(words, place, every) if numbers else place
        text = words.tokens[place].text if place < len(words.tokens) else ""
        name = next((name for name in VALUES if text in names[name] and name not in numbers), "")
        place = _skip_fillers(words, place + 1)
        number = words.tokens[place].number if place < len(words.tokens) else None
        if not name or number is None:
            return None
        numbers[name] = number
        place += 1
    return Values(start, place, "/".join(str(numbers[name]) for name in VALUES))


def _skip_fillers(words: Words, place: int, until: Set[str] = frozenset()) -> int:
    """Return the first place from one on with a word that does more than to join values with their names."""
    while place < len(words.tokens) and words.tokens[place].text not in until:
        if not (words.tokens[place].text in ("/", *PAUSES) or _is_filler(words, place)):
            break
        place += 1
    return place


def _is_filler(words: Words, index: int) -> bool:
    """Tell whether a word, as it is typed, only joins a unit with its values: "is", "with us", a colon."""
    text = words.tokens[index].text
    light = any(text in (*SIGNS, *known.asides["copula"]) or text in known.light for known in words.languages)
    return (light and text not in PAUSES) or _exactly(words, index, "roles") in BETWEEN


def _find_name(words: Words, end: int) -> int | None:
    """Return the place of the word that values describe: the nearest one before them that matters."""
    for index in range(end - 1, max(end - 2 - FARTHEST, -1), -1):
        role, unit = _exactly(words, index, "roles"), _unit(words, index)
        if unit or not _is_filler(words, index):
            named = unit or (role in NAMES and words.numbers[index] is None and words.tokens[index].text.isalpha())
            return index if named else None
    return None


def _exactly(words: Words, index: int, table: str) -> str:
    """Return the meaning of a word as it is typed within a table; "" if it has none."""
    rows = (row for known in words.languages for row in known.patterns.get(words.tokens[index].text, ()))
    return next((row.value for row in rows if row.table == table and len(row.elements) == 1), "")


def _unit(words: Words, index: int) -> str:
    """Return the short word of the unit that a word means; "" if it means none. Short words are never mistyped ones."""
    exact = _exactly(words, index, "units")
    return exact or (words.meaning(index, "units") if len(words.tokens[index].text) > SHORTEST_TYPO else "")


def _is_same(words: Words, index: int, at: int) -> bool:
    """Tell whether two words name the same unit: the same word in the singular or in the plural."""
    same = _unit(words, at) != "" and _unit(words, at) == _unit(words, index)
    return same or _singular(words, index) == _singular(words, at)


def _singular(words: Words, index: int) -> str:
    return words.tokens[index].text.removesuffix("s")


def _name_of(words: Words, at: int) -> str:
    """Return the name of a unit in notation: its short word if the usual edition has it, else as it is typed.

    A name in other letters than those of the notation is its short word in any edition, or "".
    """
    short, edition = _unit(words, at), editions()[current_defaults().edition]
    if short in edition.words:
        return short
    return _singular(words, at) if _NAME.fullmatch(_singular(words, at)) else short
