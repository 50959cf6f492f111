"""Takes an unknown word for the name of a place or a person where it stands like one."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.phrases.tag import Tag

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
