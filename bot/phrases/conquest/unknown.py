"""Finds names that no map has where a phrase names a territory: "12 atlantis > 3 india", "take Atlantis from Siam"."""

import re
from collections.abc import Iterator, Sequence

from bot.errors import UserError
from bot.maps.map import Map
from bot.maps.reading import load_maps
from bot.phrases.conquest.names import find_names, is_in, is_of_a_name, means_something_else
from bot.phrases.tag import Tag, tag_at
from bot.phrases.tokens import tokens_of
from bot.phrases.vocabulary import Vocabulary

_ARROW = re.compile(r"\s*(?:[-=]*>+|[→➡])\s*")
_PLANS = re.compile(r"\|\||\bor\b|\boder\b|\bили\b")
_OPTION = re.compile(r"(?<!\S)(?:[a-z]+[:=]\S+|most)(?!\S)")
_CHANCE = re.compile(r"\d+(?:[.,]\d+)? ?%")
_NAME = r"[^\W\d_][^\s,;:>()\d]*(?: [^\W\d_][^\s,;:>()\d]*)*"
_PART = re.compile(rf"(?:from )?(?:(?:\d+ )?({_NAME})(?: ?:?(?: \d+)*)?|(?:\d+(?: \d+)*)?)")


def find_unknown_in_line(line: str, known: Sequence[Vocabulary]) -> str:
    """Return the reason why a line with an arrow names no territories; "" if each name is on the map, or none is.

    Args:
        line: The line in small letters.
        known: The vocabularies of the phrase, the best first.
    """
    names = _names_of_line(line, known) if _ARROW.search(line) else []
    if not names:
        return ""
    languages = [words.language for words in known]
    board = max(load_maps().values(), key=lambda board: sum(_is_on(board, name, languages) for name in names))
    wrong = [name for name in names if not _is_on(board, name, languages)]
    if len(wrong) == len(names):
        return ""
    return next((_reason(board, name) for name in wrong if _may_be_place(board, name, languages)), "")


def _names_of_line(line: str, known: Sequence[Vocabulary]) -> list[str]:
    """Return the words in a line that stand where territories do; none if it has others."""
    names: list[str] = []
    for plan in _PLANS.split(line):
        sides = [_CHANCE.sub(" ", _OPTION.sub(" ", side)).split() for side in _ARROW.split(plan)]
        parts = [_PART.fullmatch(" ".join(part.split())) for side in sides for part in re.split("[,;]", " ".join(side))]
        if not all(parts):
            return []
        names += [part[1] for part in parts if part and part[1]]
    # "in wakanda"
    return [name.partition(" ")[2] if is_in(name.split()[0], known, "at", "from") else name for name in names]


def _is_on(board: Map, name: str, languages: Sequence[str]) -> bool:
    """Tell whether a map has a name, in any form and with slips."""
    return bool(find_names(board, tokens_of(name), languages))


def _may_be_place(board: Map, name: str, languages: Sequence[str]) -> bool:
    """Tell whether a name is meant as a territory: it is no word for a side or for armies, unless it begins a name."""
    language, words = languages[0], name.split()
    other = all(means_something_else(word, language) for word in words)
    return not other or any(is_of_a_name(board.key, word, language) for word in words)


def _reason(board: Map, name: str) -> str:
    """Return the sentence that a map has no such name, with the nearest ones."""
    try:
        board.find(name)
    except UserError as error:
        return error.text
    return ""


def find_unknown_place(board: Map, tags: Sequence[Tag], known: Sequence[Vocabulary]) -> str:
    """Return the reason why a phrase names a territory that is not on the map; "" if there is none.

    Such a name stands behind a verb that takes territories, or before "from Siam", or in German "von ... aus".

    Args:
        board: The map.
        tags: The tags of the phrase, those of names of the map in tables of their own.
        known: The vocabularies of the phrase, the best first.
    """
    if not any(is_in(tag.text, known, "take") for tag in tags):
        return ""
    return next((_reason(board, tag.text) for tag in _strange_places(tags, known)), "")


def _strange_places(tags: Sequence[Tag], known: Sequence[Vocabulary]) -> Iterator[Tag]:
    """Yield the unknown names that stand where a territory does."""
    words = [tag for tag in tags if tag.text not in known[0].asides["articles"]]
    for index, tag in enumerate(words):
        before, after, last = (tag_at(words, place) for place in (index - 1, index + 1, index + 2))
        taken = is_in(before.text, known, "take") and after.table not in ("names", "unknown", "places")
        left = is_in(after.text, known, "behind")
        placed = is_in(after.text, known, "from") and last.table == "places"
        strange = tag.table == "unknown" or (tag.table == "names" and tag.value == "name")
        if strange and (taken or left or placed):
            yield tag
