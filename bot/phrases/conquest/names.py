"""Finds the names of territories and continents in a phrase, in all languages and in all their forms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from bot.languages import LANGUAGES
from bot.maps.map import Continent, Map, Territory, common_form
from bot.maps.reading import load_maps
from bot.phrases.spelling import similar
from bot.phrases.tokens import Token
from bot.phrases.vocabulary import Vocabulary, vocabularies

SHORTEST_STEM = 3
"""The fewest letters that are left of a word without its ending."""
SHORTEST_KNOWN = 5
"""The fewest letters of a name that is an ordinary word too, such as "Guinea"."""
SHORTEST_TYPO = 6
"""The fewest letters of a mistyped name."""
LONG = 9
"""A name of so many letters may have two wrong ones."""
LONGEST_NAME = 6
"""The most words and dots of a name."""
VOWELS = "ео"
"""The letters that Russian leaves out where a name gets an ending: "Египет", "Египта"."""
Key = tuple[str, ...]


class Name(NamedTuple):
    """A name in a phrase: its first token, the end of it, and the territory or the continent."""

    start: int
    end: int
    part: Territory | Continent


@dataclass
class _Names:
    """The names of a map in one language: their words, all their forms, and what these begin with."""

    words: list[str] = field(default_factory=list)
    forms: dict[Key, str] = field(default_factory=dict)
    beginnings: set[Key] = field(default_factory=set)

    def add(self, words: Sequence[str], key: str, code: str) -> None:
        """Add a name of one or several words in all its forms."""
        self.words += words
        stems, shorts = [_stem(word, code) for word in words], [_short(word, code) for word in words]
        for form in (tuple(words), tuple(stems), tuple(shorts)):
            self.forms.setdefault(form, key)
            self.beginnings.update(form[:size] for size in range(1, len(form) + 1))


def find_names(board: Map, tokens: Sequence[Token], languages: Sequence[str]) -> list[Name]:
    """Return the names in a phrase, the longest first where one is a part of another.

    Args:
        board: The map.
        tokens: The tokens of the phrase.
        languages: The languages that it may be in, the likeliest first; other names count where they are no words.
    """
    names = list(_names_in(board, tokens, languages))
    if not names:
        return []
    spelt = _without_typos(board.key, tokens, languages[0])
    return list(_names_in(board, spelt, languages)) if spelt != tokens else names


def _names_in(board: Map, tokens: Sequence[Token], languages: Sequence[str]) -> Iterator[Name]:
    order = [*languages, *(code for code in LANGUAGES if code not in languages)]
    index = 0
    while index < len(tokens):
        name = _name_at(board, tokens, index, order)
        if name:
            yield name
        index = name.end if name else index + 1


def _name_at(board: Map, tokens: Sequence[Token], start: int, order: Sequence[str]) -> Name | None:
    """Return the longest name that begins with a token, in the first language that has it."""
    best: Name | None = None
    for code in order if not _is_preposition(tokens, start, order[0]) else ():
        names = _names_of(board.key, code)
        form: Key = ()
        for end, token in enumerate(tokens[start : start + LONGEST_NAME], start + 1):
            if token.text == "." and form:  # "W. Aus"
                continue
            form = (*form, _stem(token.text, code))
            if form not in names.beginnings:
                break
            longer = best is None or end > best.end
            if (key := names.forms.get(form)) and longer and not _is_ordinary(tokens[start:end], code, order[0]):
                best = Name(start, end, board.territories.get(key) or board.continents[key])
    return best


def _is_preposition(tokens: Sequence[Token], index: int, language: str) -> bool:
    """Tell whether a letter that a name may begin with is a word instead: in "в Австралии" it is no "В. Австралия"."""
    text = tokens[index].text
    dotted = index + 1 < len(tokens) and tokens[index + 1].text == "."
    return len(text) == 1 and is_in(text, [vocabularies()[language]], "at", "from") and not dotted


def _is_ordinary(tokens: Sequence[Token], code: str, language: str) -> bool:
    """Tell whether a name of one word is an ordinary word of the phrase's language, such as German "aus"."""
    if len(tokens) > 1 or tokens[0].text not in _ordinary(language):
        return False
    return code != language or len(tokens[0].text) < SHORTEST_KNOWN


def is_in(text: str, known: Sequence[Vocabulary], *kinds: str) -> bool:
    """Tell whether one of some languages has words of one of these kinds in its questions about territories."""
    return any(text in words.conquest.get(kind, ()) for words in known for kind in kinds)


def means_something_else(word: str, language: str) -> bool:
    """Tell whether a word of a language means something else than a name."""
    return word in _ordinary(language)


def is_of_a_name(map_key: str, word: str, language: str) -> bool:
    """Tell whether a word is one of those in the names of a map: "western"."""
    return word in _names_of(map_key, language).words


@lru_cache
def _ordinary(language: str) -> frozenset[str]:
    """Return the words of a language that mean something else than a name."""
    known = vocabularies()[language]
    return frozenset(known.single | known.light | known.noise | known.chatter | known.numbers.keys())


@lru_cache
def _names_of(map_key: str, code: str) -> _Names:
    names = _Names()
    board = load_maps()[map_key]
    for part in (*board.territories.values(), *board.continents.values()):
        for name in part.all_names(code):
            spaced = name.replace("_", " ")
            for words in ([spaced], spaced.split(), spaced.replace("-", " ").split()):
                names.add([common_form(word) for word in words], part.key, code)
    return names


@lru_cache(2_000)
def _stem(word: str, code: str) -> str:
    """Return a word in its common form, without the longest ending that names have in a language."""
    word = common_form(word)
    ends = (end for end in _endings(code) if word.endswith(end) and len(word) >= len(end) + SHORTEST_STEM)
    return word.removesuffix(next(ends, ""))


def _short(word: str, code: str) -> str:
    """Return the stem of a folded name without the vowel that it loses before an ending, or without "аи": "Китая"."""
    stem = _stem(word, code)
    if word.endswith("аи"):
        return stem[:-1]
    return stem[:-2] + stem[-1] if len(stem) > SHORTEST_STEM + 1 and stem[-2] in VOWELS else stem


@lru_cache
def _endings(code: str) -> tuple[str, ...]:
    """Return the endings of names in a language, the longest first."""
    return tuple(sorted(map(common_form, vocabularies()[code].conquest.get("endings", ())), key=len, reverse=True))


def _without_typos(map_key: str, tokens: Sequence[Token], language: str) -> Sequence[Token]:
    """Return tokens in which mistyped words of names are spelt right: "austrailia"."""
    names = _words_of_names(map_key, language)
    spelt = []
    for token in tokens:
        word = common_form(token.text) if len(token.text) >= SHORTEST_TYPO and token.text.isalpha() else ""
        known = not word or word in names or any(token.text in words.words for words in vocabularies().values())
        near = "" if known else _nearest(word, names)
        spelt.append(token._replace(text=near) if near else token)
    return spelt


@lru_cache
def _words_of_names(map_key: str, language: str) -> Sequence[str]:
    """Return the longer words of all names in a language, each once."""
    return [*dict.fromkeys(word for word in _names_of(map_key, language).words if len(word) >= SHORTEST_TYPO - 1)]


def _nearest(text: str, words: Sequence[str]) -> str:
    """Return the most similar word; "" if there is none, or if two are as similar."""
    near = similar(text, words, limit=2, most_wrong=2 if len(text) >= LONG else 1)
    alone = len(near) == 1 or (len(near) == 2 and near[0][1] < near[1][1])
    return near[0][0] if alone else ""
