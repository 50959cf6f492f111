"""Derives the vocabulary of a language from its file in config/words, and from the names of games and units."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from bot.editions import editions, names_a_unit
from bot.languages import _, speaking
from bot.packs import load
from bot.phrases.vocabulary.patterns import LOOSE
from bot.phrases.vocabulary.rows import FIRST, Vocabulary

_FORMS = re.compile(r"([^\W_]+(?:-[^\W_]+)*)\^([a-z]+)")
LEAVING = "quit", "leave", "leaves"
"""The groups of words that say that a side stops or leaves, in the files of words."""
_PARTED = re.compile("[,:!]")
"""The marks between the name of a game and that of a variant of it."""


def derive(file: Path) -> Vocabulary:
    """Derive the vocabulary of a language from its file."""
    language, document = file.stem, _inflect(tomllib.loads(file.read_text("utf-8")))
    vocabulary = Vocabulary(language, _spellings(document.get("letters", {})))
    vocabulary.asides = _spell_each(vocabulary, {**document["asides"], **document["glue"]})
    vocabulary.light = {*vocabulary.asides["words"]}
    vocabulary.noise = {*vocabulary.spell(_set(document, "noise", "words"))}
    vocabulary.cases, vocabulary.dice = (_by_word(document.get(name, {})) for name in ("cases", "dice"))
    _add_numbers(vocabulary, dict(document.get("numbers", {})))
    groups = {name: words.split() for name, words in document.get("groups", {}).items()}
    vocabulary.groups = {name: frozenset(word for word in words if "_" not in word) for name, words in groups.items()}
    vocabulary.leaving = _leaving(groups)
    _add_words(vocabulary, document)
    _add_patterns(vocabulary, document, groups)
    faces = dict(document["faces"])
    vocabulary.face_fillers = set(faces.pop("between", "").split())
    vocabulary.faces = _by_word(faces)
    vocabulary.conquest = _spell_each(vocabulary, document["conquest"])
    asides = " ".join(" ".join(vocabulary.asides[name]) for name in ["corrects", "claims", "turns", "people"]).split()
    with_meaning = vocabulary.numbers, vocabulary.dice, vocabulary.faces, vocabulary.noise, vocabulary.light
    vocabulary.words.update(*with_meaning)
    vocabulary.counted = _set(document, "noise", "counted") | vocabulary.asides["countables"]
    vocabulary.negations = set(vocabulary.spell(_set(document, "negations", "words")))
    spoken = {*vocabulary.spell(_set(document, "noise", "chatter")), *asides} - vocabulary.telling()
    vocabulary.chatter = spoken | (vocabulary.counted - vocabulary.words)
    vocabulary.words |= vocabulary.chatter | vocabulary.asides["things"]
    _add_names(vocabulary, _words(document["names"]["words"]))
    vocabulary._pieces, vocabulary._shared = {}, {}
    return vocabulary


def _spellings(letters: Mapping[str, str]) -> list[dict[int, str]]:
    """Return the ways to spell letters, from the spellings of each: all first ones, all second ones."""
    rows = zip(*(spellings.split() for spellings in letters.values()), strict=True)
    return [str.maketrans(dict(zip(letters, row, strict=True))) for row in rows]


def _spell_each(vocabulary: Vocabulary, table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return the words of each entry of a table, in all their spellings."""
    return {name: frozenset(vocabulary.spell(_words(words))) for name, words in table.items()}


def _leaving(groups: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the words that say that a side stops or leaves."""
    lines = [word.split("_") for name in LEAVING for word in groups.get(name, ())]
    return frozenset(" ".join(words) for parts in lines for words in product(*(part.split("|") for part in parts)))


def _add_names(vocabulary: Vocabulary, names: Iterable[str]) -> None:
    """Add names, those of games, and what takes back what stands before it."""
    for word in sorted(vocabulary.asides["corrects"]):
        vocabulary.add("roles", "corrects", word)
    for name in names:
        vocabulary.add("names", "name", name)
    for key, name in names_of_games(vocabulary.language).items():
        if _PARTED.search(name):  # others, such as "Wall" or "Two dice each", may be about something else
            vocabulary.add("variants", key, _PARTED.sub(" ", name))


def _set(document: Mapping[str, Any], table: str, name: str) -> set[str]:
    """Return the words of an entry."""
    return set(document.get(table, {}).get(name, "").split())


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Return the meanings in a table by their words."""
    return {word: meaning for meaning, words in table.items() for word in _words(words)}


def _add_numbers(vocabulary: Vocabulary, numbers: dict[str, str]) -> None:
    """Add the words for numbers, those of several words as patterns."""
    joint = numbers.pop("joint", "")
    for value, words in numbers.items():
        for word in _words(words):
            if " " in word:
                vocabulary.add("numbers", value, word)
            else:
                vocabulary.numbers |= dict.fromkeys(vocabulary.spell([word]), int(value))
    vocabulary.numbers |= _join_numbers(vocabulary.numbers, joint)


def _add_words(vocabulary: Vocabulary, document: Mapping[str, Any]) -> None:
    """Add the words for roles, units and ships."""
    for table in ("games", "special", "roles", "units", "ships", "plurals"):
        for value, words in document.get(table, {}).items():
            kind = table if table != "plurals" else "ships" if value in document["ships"] else "units"
            for word in _words(words):
                vocabulary.add(kind, value, word, True if table == "plurals" else None)
    for word, short in _pack_words() if vocabulary.language == FIRST else ():
        vocabulary.add("units", short, word, plural=word.endswith("s") and names_a_unit(word[:-1]))


def _add_patterns(vocabulary: Vocabulary, document: Mapping[str, Any], groups: Mapping[str, Sequence[str]]) -> None:
    """Add the patterns of several words; `groups` are the words and phrases that names in angle brackets stand for."""
    phrases = {f"<{name}>": [word for word in words if "_" in word] for name, words in groups.items()}
    for table in (*LOOSE, "skips", "chances"):
        for value, lines in document.get(table, {}).items():
            for plain in dict.fromkeys(plain for line in lines for plain in _lines_of(line, phrases)):
                vocabulary.add(table, value, plain)
    for key in load() if vocabulary.language == FIRST else ():
        if "-" in key:
            vocabulary.add("variants", key, key)


def names_of_games(language: str) -> Mapping[str, str]:
    """Return the names of all variants and editions in a language, by their keys."""
    with speaking(language):
        variants = {key: str(_(pack.name)) for key, pack in load().items()}
        return variants | {key: str(_(edition.name)) for key, edition in editions().items()}


def _inflect(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a document in which a word such as "tank^noun" has become all its forms, by the endings of "noun"."""
    endings = {name: forms.replace("-", "").split(" ") for name, forms in document.get("endings", {}).items()}

    def forms_of(text: str, joint: str) -> str:
        return _FORMS.sub(lambda word: joint.join(word[1] + ending for ending in endings[word[2]]), text)

    def inflect(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: inflect(entry) for name, entry in value.items()}
        if isinstance(value, list):
            return [forms_of(line, "|") for line in value]
        return " ".join(forms_of(word, "|" if "_" in word else " ") for word in value.split())

    return {name: inflect(table) for name, table in document.items()} if endings else document


def _join_numbers(numbers: Mapping[str, int], joint: str) -> dict[str, int]:
    """Return numbers in one word: "twentyone", and "einundzwanzig" where a word stands between."""
    units = {word: value for word, value in numbers.items() if 0 < value < 10}
    tens = {word: value for word, value in numbers.items() if 10 < value < 100 and value % 10 == 0}
    pairs = [(unit, ten, units[unit] + tens[ten]) for unit in units for ten in tens]
    return {f"{unit}{joint}{ten}" if joint else f"{ten}{unit}": number for unit, ten, number in pairs}


def _words(text: str) -> Iterator[str]:
    return (word.replace("_", " ") for word in text.split())


def _pack_words() -> Iterable[tuple[str, str]]:
    """Return the words of all editions for their units, with the short word of each unit."""
    units: dict[str, str] = {}
    for edition in editions().values():
        for word, unit in edition.words.items():
            if len(word) > 1:
                units.setdefault(word.replace("_", " "), edition.short[unit])
    return units.items()


def _lines_of(line: str, phrases: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return a line with each phrase of a group in place of the group."""
    choices: list[Sequence[str]] = []
    for word in line.split():
        needed = word.removesuffix("?") or word
        mark = word[len(needed) :]
        parts = [part.split("|") if "<" in part or "{n=" in part else [part] for part in needed.split("_")]
        pieces = [[*part, *(phrase for group in part for phrase in phrases.get(group, ()))] for part in parts]
        choices.append(["_".join(piece) + mark for piece in product(*pieces)])
    yield from map(" ".join, product(*choices))
