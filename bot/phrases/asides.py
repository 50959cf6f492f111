"""Says what words mean where they are no part of a battle: nouns, titles, sums, places, people and presets."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from bot.phrases.pieces import SHIPS
from bot.phrases.tag import Tag

START = Tag("start", "", 0, 0)
"""Stands before the first word."""
AROUND_ARMIES = ("apart", "self", "other", "have", "for", "men", "unit")
"""The roles of words that may stand between an army and what is said of it."""
OF_UNITS = ("units", "ships")
"""The tables of words for units."""

SHORTEST_NAME = 4
"""The fewest letters of an unknown word that may be a name."""
BEFORE_PLACES = ("in", "at", "on", "from", "into", "near", "of")
"""The words right before the name of a place."""
BEFORE_NAMES = ("the", "his", "her", "my", "their", "our", "your")
"""The words that may stand between."""
COUNTABLE = ("number", "units", "ships", "die", "chance")
"""The tables of words beside which an unknown word may be a unit, or change one."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[.!?:\n]+")


def leave_out_asides(tags: Sequence[Tag], articles: Set[str]) -> list[Tag]:
    """Let words mean nothing where they are no part of a battle.

    Args:
        tags: The tags of a phrase.
        articles: The words behind which a verb is a noun.
    """
    pairs = pairwise([START, *tags])
    told = [_without_meaning(tag) if _is_noun(before, tag, articles) else tag for before, tag in pairs]
    return _leave_out_sum(_leave_out_title(_leave_out_apart(told)))


def _without_meaning(tag: Tag) -> Tag:
    return replace(tag, table="skips", value="")


def _is_noun(before: Tag, tag: Tag, articles: Set[str]) -> bool:
    """Tell whether a word that may ask something is a noun: "the place", "my roll"."""
    return tag.table == "questions" and " " not in tag.text and before.text in articles and tag.value != "bombing"


def _leave_out_apart(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out words that matter only beside an army, as in "3 dead"; beside ships a capital is one."""
    ships = any(tag.table in OF_UNITS and tag.value in {*SHIPS, *SHIPS.values()} for tag in tags)
    tags = [replace(tag, table="ships", value="capitals") if ships and tag.is_role("capital") else tag for tag in tags]
    return [
        _without_meaning(tag)
        if tag.is_role("apart") and not (_begins_with_army(tags[index + 1 :]) or _begins_with_army(tags[:index][::-1]))
        else tag
        for index, tag in enumerate(tags)
    ]


def _begins_with_army(tags: Sequence[Tag]) -> bool:
    """Tell whether an army comes first among tags, but for words that make no difference."""
    first = next((tag for tag in tags if not (tag.means_nothing or tag.is_role(*AROUND_ARMIES))), START)
    return first.table in COUNTABLE


def _leave_out_title(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out the units in a title without numbers: "sub duel, ...", "kill the transports: ..."."""
    end = next((index for index, tag in enumerate(tags) if tag.text in (":", ",")), 0)
    title, rest = tags[:end], tags[end:]
    units = any(tag.table in OF_UNITS for tag in title)
    counted = any(tag.table in COUNTABLE and tag.table not in OF_UNITS for tag in title)
    if not units or counted or sum(tag.table in OF_UNITS for tag in rest) < 2 or rest[1:2] == []:
        return list(tags)
    again = len(rest) > 2 and _counts(rest[1], rest[2])  # "the U-boats: 3 subs"
    told = rest[0].text == ":" and (again or any(tag.is_role("attack") for tag in title))
    told = told or (again and any(tag.is_role("onto", "against") for tag in title))  # "just inf on inf, 5 inf vs 4 inf"
    listed = title[-1].table in OF_UNITS and not told
    if listed:
        return list(tags)
    return [*(_without_meaning(tag) if tag.table in OF_UNITS or tag.is_role("attack") else tag for tag in title), *rest]


def _leave_out_sum(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out the sum of units that are named one by one: "7 planes (4 fighters, 3 bombers)"."""
    for index, (number, kind, mark) in enumerate(zip(tags, tags[1:], tags[2:], strict=False)):
        plural = kind.is_role("vague", "men", "unit") or kind.table in OF_UNITS
        if number.table != "number" or not plural or mark.text not in ("(", ":"):
            continue
        end = next((place for place in range(index + 3, len(tags)) if _ends_sum(tags[place], mark)), len(tags))
        parts = [tag.numbers[0] for tag, unit in pairwise(tags[index + 3 : end]) if _counts(tag, unit)]
        if len(parts) > 1 and sum(parts) == number.numbers[0]:
            return [*tags[:index], *map(_without_meaning, (number, kind, mark)), *tags[index + 3 :]]
    return list(tags)


def _ends_sum(tag: Tag, mark: Tag) -> bool:
    return tag.text == ")" if mark.text == "(" else tag.is_role("against", "attack", "onto")


def _counts(tag: Tag, unit: Tag) -> bool:
    return tag.table == "number" and unit.table in OF_UNITS


def capital_words(text: str) -> frozenset[str]:
    """Return the words that begin with a capital letter in the middle of a sentence, in small letters."""
    found: set[str] = set()
    for sentence in _SENTENCE.split(unicodedata.normalize("NFKC", text)):
        words = _WORD.findall(sentence)
        capital = [word[0].isupper() and word[1:].islower() for word in words]
        if 2 * sum(capital) <= len(words):
            found.update(word.casefold() for word, one in zip(words[1:], capital[1:], strict=True) if one)
    return frozenset(found)


def name_places(tags: Sequence[Tag], capitals: Iterable[str]) -> list[Tag]:
    """Return tags in which an unknown word is a name if it stands where a place or a person does."""
    found: list[Tag] = []
    for index, tag in enumerate(tags):
        is_name = tag.table == "unknown" and _is_name(tags, index, capitals)
        found.append(replace(tag, table="names", value="name") if is_name else tag)
    return found


def name_presets(tags: Iterable[Tag], saved: Collection[str]) -> Iterator[Tag]:
    """Let the names of presets mean these, wherever a word means nothing else for a battle."""
    for tag in tags:
        named = tag.text in saved and (tag.means_nothing or tag.table == "unknown")
        yield replace(tag, table="presets", value=tag.text) if named else tag


def _is_name(tags: Sequence[Tag], index: int, capitals: Iterable[str]) -> bool:
    tag, before, after = tags[index], list(tags[:index]), tags[index + 1 : index + 2]
    if tag.value or len(tag.text) < SHORTEST_NAME or not tag.text.replace("'", "").isalpha():
        return False
    if not before and after and after[0].text == ":":
        return True
    if after and after[0].table in COUNTABLE[1:]:
        return False
    if before and before[-1].text in BEFORE_NAMES:
        before.pop()
    if not before or before[-1].table in COUNTABLE:
        return False
    if before[-1].text in BEFORE_PLACES and not (after and after[0].table == "number"):
        return not (before[-1].text == "of" and len(before) > 1 and before[-2].table in COUNTABLE)
    return tag.text in capitals or before[-1].is_role("attack")
