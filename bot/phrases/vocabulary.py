"""The words that phrases are made of, read from config/words: one file for each language."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby, product, takewhile
from operator import attrgetter
from typing import Any, NamedTuple

from bot.editions import editions
from bot.languages import _, speaking
from bot.packs import load
from bot.phrases.tokens import normal_phrase, tokens_of
from bot.settings import CONFIG

FOLDER = CONFIG / "words"
FIRST = "en"
"""The language whose words are known everywhere."""
SLOTS = ("{n}", "{p}", "{d}", "{u}", "{side}")
_FORMS = re.compile(r"([^\W_]+(?:-[^\W_]+)*)\^([a-z]+)")
_PARTED = re.compile("[,:!]")
"""The marks between the name of a game and that of a variant of it."""
LOOSE = ("variants", "options", "questions")
"""The tables whose patterns may have words of no weight in between."""
OF_OPTIONS = ("variants", "options", "skips")
"""The tables in whose patterns ordinary words may stand that mean nothing elsewhere."""


class Element(NamedTuple):
    """A part of a pattern.

    Attributes:
        words: One of these words.
        slot: Or a slot.
        fixed: The value that a number must have.
        optional: Whether it may be missing.
        tied: Whether it belongs right behind the element before it, in patterns of any order.
    """

    words: frozenset[str] = frozenset()
    slot: str = ""
    fixed: int | None = None
    optional: bool = False
    tied: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Pattern:
    """Words in a row that mean something. There are some 20 000 of them, so they keep only what is asked often.

    Attributes:
        table: The table it comes from, such as "units" or "options".
        value: Its meaning: a unit, a role, or a piece of notation with slots.
        elements: The words and slots.
        language: The language of its file.
        plural: Whether it names more than one.
        any_order: Whether its elements may come in any order.
        counted: Whether it means something only right behind a number.
        number: Its place in the file.
        needs: Words of which one must be in a phrase, for each element that may not be missing; the rarest first.
    """

    table: str
    value: str
    elements: tuple[Element, ...]
    language: str
    plural: bool = False
    any_order: bool = False
    counted: bool = False
    number: int = 0
    needs: tuple[frozenset[str], ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it names what a number counts."""
        return self.table in ("units", "ships")

    @property
    def chunks(self) -> Sequence[Sequence[Element]]:
        """Its elements, with those that belong together in one."""
        starts = [place for place, one in enumerate(self.elements) if not one.tied]
        return [self.elements[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]

    @property
    def beginnings(self) -> frozenset[str]:
        """The words and slots that it can begin with."""
        if self.any_order:
            first = [chunk[0] for chunk in self.chunks]
        else:
            first = [*takewhile(lambda one: one.optional, self.elements)]
            first = list(self.elements[: len(first) + 1])
        return frozenset().union(*(one.words or {one.slot} for one in first))

    @property
    def begins_with_slot(self) -> bool:
        """Whether it begins with its only number, or with a unit: it doesn't go on behind a pause."""
        slots = [one.slot for one in self.elements]
        return bool(slots[0]) and slots.count("{n}") < 2

    @property
    def loose(self) -> bool:
        """Whether words of no weight may stand in between."""
        return self.table in LOOSE and not (self.table == "questions" and self.elements[0].slot)


@dataclass
class Vocabulary:
    """The words of one language.

    Attributes:
        language: Its code.
        numbers: The values of number words.
        cases: The roles that forms of numbers and nouns play by themselves, such as "with" of an instrumental.
        patterns: All patterns, by each word, or the slot, that they begin with.
        anchored: All patterns by each form of the most telling word that they need; by "" if they need none.
        light: The words of no weight, which may stand between the words of a pattern.
        articles: The words behind which a verb is a noun.
        objects: The words for a side that something is done to, such as "him".
        lone: The words for one that count armies: "a lone defender".
        of: The words before the whole of which a number is a part, as in "4 of them".
        noise: The words that mean nothing for a battle.
        negations: The words that turn the meaning of others round.
        chatter: Ordinary words that mean nothing for a battle either, but stand between no words of a pattern.
        counted: Such words that show right behind a number that it counts no armies.
        faces: The faces of icon dice by the words for them.
        face_fillers: The words that may stand between two of them.
        conquest: The words of questions about territories of a map, by what they say.
        words: Every word that means something.
        spellings: Other letters for those that some keyboards lack, such as "ae" or "a" for "ä".
    """

    language: str
    spellings: Sequence[Mapping[int, str]] = ()
    numbers: dict[str, int] = field(default_factory=dict)
    cases: dict[str, str] = field(default_factory=dict)
    patterns: dict[str, list[Pattern]] = field(default_factory=dict)
    anchored: dict[str, list[Pattern]] = field(default_factory=dict)
    light: set[str] = field(default_factory=set)
    articles: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)
    lone: set[str] = field(default_factory=set)
    of: set[str] = field(default_factory=set)
    noise: set[str] = field(default_factory=set)
    chatter: set[str] = field(default_factory=set)
    negations: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    faces: dict[str, str] = field(default_factory=dict)
    face_fillers: set[str] = field(default_factory=set)
    conquest: dict[str, frozenset[str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    _count: int = 0
    _shared: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def _by_length(self) -> Mapping[int, Sequence[str]]:
        """The words by their numbers of letters, to find the one that is mistyped."""
        return {size: sorted(words) for size, words in groupby(sorted(self.words, key=len), len)}

    def near_length(self, text: str) -> list[str]:
        """Return the words that are at most a letter shorter or longer than a text."""
        return [word for size in (-1, 0, 1) for word in self._by_length.get(len(text) + size, ())]

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters that its number words are written with."""
        return frozenset("".join(self.numbers))

    def add(self, pattern: Pattern) -> None:
        """Add a pattern; a single word has no other spelling that is a word of no weight."""
        known = self.light if len(pattern.elements) == 1 else set()
        elements = tuple(self._share_element(one, known) for one in pattern.elements)
        self._count += 1
        pattern = replace(pattern, elements=elements, number=self._count)
        needed = [chunk for chunk in pattern.chunks if not chunk[0].optional]
        needs = tuple(sorted({one.words for chunk in needed for one in chunk if one.words}, key=len))
        pattern = replace(pattern, needs=needs)
        for word in pattern.beginnings:
            self.patterns.setdefault(word, []).append(pattern)
        for word in min(needs, key=lambda words: (not words.isdisjoint(self.light), len(words)), default=[""]):
            self.anchored.setdefault(word, []).append(pattern)
        self.words.update(*(element.words for element in elements))

    def _share_element(self, element: Element, known: Set[str]) -> Element:
        """Return an element with its other spellings; equal ones are one object, as most words are in many patterns."""
        words = element.words | (frozenset(self.spell(element.words)) - known)
        element = element._replace(words=self._shared.setdefault(words, words))
        kept: Element = self._shared.setdefault(element, element)
        return kept

    def telling(self) -> set[str]:
        """Return the words that tell something by themselves: all but those of options, chances and long questions."""
        known = {pattern for some in self.patterns.values() for pattern in some if pattern.table not in OF_OPTIONS}
        used = [one for one in known if one.table not in ("questions", "chances") or len(one.elements) == 1]
        return set().union(*(element.words for one in used for element in one.elements))

    def possible(self, present: Set[str]) -> Mapping[str, Sequence[Pattern]]:
        """Return the patterns that may fit where only these words are present, by the words that they begin with."""
        found: dict[str, list[Pattern]] = {}
        near = {pattern for word in (*present, "") for pattern in self.anchored.get(word, ())}
        for pattern in sorted(near, key=attrgetter("number")):
            if not any(words.isdisjoint(present) for words in pattern.needs):
                for word in pattern.beginnings:
                    found.setdefault(word, []).append(pattern)
        return found

    def spell(self, words: Iterable[str]) -> Iterator[str]:
        """Return words with their other spellings."""
        for word in map(str.casefold, words):
            yield from {word, *(word.translate(letters) for letters in self.spellings)}


@lru_cache
def vocabularies() -> Mapping[str, Vocabulary]:
    """Return the words of all languages by their codes, the first language first."""
    files = sorted(FOLDER.glob("*.toml"), key=lambda file: (file.stem != FIRST, file.stem))
    return {file.stem: _vocabulary(file.stem, tomllib.loads(file.read_text("utf-8"))) for file in files}


def _vocabulary(language: str, document: Mapping[str, Any]) -> Vocabulary:
    document = _inflect(document)
    letters = document.get("letters", {})
    rows = zip(*(spellings.split() for spellings in letters.values()), strict=True)
    found = Vocabulary(language, [str.maketrans(dict(zip(letters, row, strict=True))) for row in rows])
    found.light = set(found.spell(document.get("glue", {}).get("words", "").split()))
    found.articles = set(document.get("glue", {}).get("articles", "").split())
    found.objects = set(document.get("glue", {}).get("objects", "").split())
    found.lone = set(document.get("glue", {}).get("lone", "").split())
    found.of = set(document.get("glue", {}).get("of", "").split())
    found.noise = set(found.spell(document.get("noise", {}).get("words", "").split()))
    numbers = dict(document.get("numbers", {}))
    joint = numbers.pop("joint", "")
    for value, words in numbers.items():
        for word in _words(words):
            if " " in word:
                found.add(_pattern("numbers", value, word, language))
            else:
                found.numbers |= dict.fromkeys(found.spell([word]), int(value))
    if joint:
        found.numbers |= _join_numbers(found.numbers, joint)
    groups = {name: words.split() for name, words in document.get("groups", {}).items()}
    phrases = {f"<{name}>": [word for word in words if "_" in word] for name, words in groups.items()}
    single = {name: frozenset(word for word in words if "_" not in word) for name, words in groups.items()}
    found.cases = {word: role for role, words in document.get("cases", {}).items() for word in words.split()}
    for table in ("roles", "units", "ships", "plurals"):
        for value, words in document.get(table, {}).items():
            for word in _words(words):
                kind = table if table != "plurals" else "ships" if value in document["ships"] else "units"
                plural = True if table == "plurals" else None
                found.add(_pattern(kind, value, word, language, single, plural))
    for word, short in _pack_words() if language == FIRST else ():
        found.add(_pattern("units", short, word, language, plural=word.endswith("s") and word[:-1] in editions_words()))
    for table in (*LOOSE, "skips", "chances"):
        for value, lines in document.get(table, {}).items():
            for plain in dict.fromkeys(one for line in lines for one in _lines_of(line, phrases)):
                found.add(_pattern(table, value, plain, language, single))
    found.faces = {
        word: face for face, words in document.get("faces", {}).items() if face != "between" for word in _words(words)
    }
    found.face_fillers = set(document.get("faces", {}).get("between", "").split())
    for kind, words in document.get("conquest", {}).items():
        found.conquest[kind] = frozenset(found.spell(_words(words)))
    noise = document.get("noise", {})
    found.words |= found.numbers.keys() | found.faces.keys() | found.noise | found.light
    found.counted = set(noise.get("counted", "").split()) - found.words
    found.negations = set(found.spell(document.get("negations", {}).get("words", "").split()))
    found.chatter = (set(noise.get("chatter", "").split()) - found.telling()) | found.counted
    found.words |= found.chatter
    for name in _words(document.get("names", {}).get("words", "")):
        found.add(_pattern("names", "name", name, language))
    for key, name in names_of_games(language).items():
        if _PARTED.search(name):  # others, such as "Wall" or "Two dice each", may be about something else
            found.add(_pattern("variants", key, _PARTED.sub(" ", name), language))
    found._shared.clear()
    return found


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
            return {name: inflect(one) for name, one in value.items()}
        if isinstance(value, list):
            return [forms_of(line, "|") for line in value]
        return " ".join(forms_of(word, "|" if "_" in word else " ") for word in value.split())

    return {name: inflect(table) for name, table in document.items()} if endings else document


def _join_numbers(numbers: Mapping[str, int], joint: str) -> dict[str, int]:
    """Return numbers in one word with the unit first, such as "einundzwanzig"."""
    units = {word: value for word, value in numbers.items() if 0 < value < 10}
    tens = {word: value for word, value in numbers.items() if 10 < value < 100 and value % 10 == 0}
    return {f"{unit}{joint}{ten}": units[unit] + tens[ten] for unit in units for ten in tens}


def _words(text: str) -> Iterator[str]:
    return (word.replace("_", " ") for word in text.split())


@lru_cache
def editions_words() -> set[str]:
    """Return every word that an edition has for a unit."""
    return {word for edition in editions().values() for word in edition.words}


def _pack_words() -> Iterable[tuple[str, str]]:
    """Return the words of all editions for their units, with the short word of each unit."""
    found: dict[str, str] = {}
    for edition in editions().values():
        for word, unit in edition.words.items():
            if len(word) > 1:
                found.setdefault(word.replace("_", " "), edition.short[unit])
    return found.items()


def _lines_of(line: str, phrases: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return a line with each phrase of a group in place of the group."""
    choices: list[Sequence[str]] = []
    for word in line.split():
        needed = word.removesuffix("?") or word
        mark = word[len(needed) :]
        parts = [part.split("|") if "<" in part else [part] for part in needed.split("_")]
        pieces = [[*part, *(more for one in part for more in phrases.get(one, ()))] for part in parts]
        choices.append(["_".join(piece) + mark for piece in product(*pieces)])
    yield from map(" ".join, product(*choices))


def _pattern(
    table: str,
    value: str,
    line: str,
    language: str,
    groups: Mapping[str, frozenset[str]] | None = None,
    plural: bool | None = None,
) -> Pattern:
    """Read a pattern from its line.

    "&" in front means any order, "#" only right behind a number, "?" behind a word that it may be missing, and "_"
    joins words that stay together.
    """
    elements: list[Element] = []
    many = line.endswith("s") and not line.endswith("ss") if plural is None else plural
    counted = line.startswith("#")
    line = line.removeprefix("#")
    any_order = line.startswith("& ")
    for word in line.removeprefix("& ").split():
        needed = word.removesuffix("?") or word
        parts = needed.split("_") if table in LOOSE else [needed]
        for place, part in enumerate(parts):
            found = _elements(part, groups or {})
            elements += [
                one._replace(optional=needed != word and not place, tied=place > 0 or bool(index))
                for index, one in enumerate(found)
            ]
    return Pattern(table, value, tuple(elements), language, many, any_order, counted)


def _elements(word: str, groups: Mapping[str, frozenset[str]]) -> list[Element]:
    """Return the elements that a word of a pattern stands for."""
    if word.startswith("{n="):
        return [Element(slot="{n}", fixed=int(word[3:-1]))]
    if word in SLOTS:
        return [Element(slot=word)]
    if word.startswith("<"):
        return [Element(groups[word[1:-1]])]
    if "|" in word and len(word) > 1:
        return [Element(frozenset(word.split("|")))]
    return [Element(frozenset({token.text})) for token in tokens_of(normal_phrase(word))]
