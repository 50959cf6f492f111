"""The words that phrases are made of, read from config/words: one file for each language."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import permutations, product, takewhile
from operator import attrgetter
from typing import Any, NamedTuple

from bot.editions import editions, names_a_unit
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
LOOSE = ("variants", "options", "outlooks", "questions")
"""The tables whose patterns may have words of no weight in between."""
OF_OPTIONS = ("variants", "options", "outlooks", "skips")
"""The tables in whose patterns ordinary words may stand that mean nothing elsewhere."""


class Element(NamedTuple):
    """A part of a pattern.

    Attributes:
        words: One of these words.
        slot: Or a slot.
        fixed: The value that a number must have.
        optional: Whether it may be missing.
        tied: Whether it belongs to the element before it.
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
        unbroken: Whether no pause may stand in it.
        counted: Whether it means something only right behind a number.
        number: Its place in the file.
        needs: Words of which one must be in a phrase, for each element that may not be missing; the rarest first.
    """

    table: str
    value: str
    elements: tuple[Element, ...]
    language: str
    plural: bool = False
    unbroken: bool = False
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
        if len(self.elements) == 1:
            return [self.elements]  # most have a single word
        starts = [place for place, element in enumerate(self.elements) if not element.tied]
        return [self.elements[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]

    @property
    def beginnings(self) -> frozenset[str]:
        """The words and slots that it can begin with."""
        missing = sum(1 for _element in takewhile(attrgetter("optional"), self.elements))
        first = self.elements[: missing + 1]
        return frozenset().union(*(element.words or {element.slot} for element in first))

    @property
    def begins_with_slot(self) -> bool:
        """Whether it begins with its only number, or with a unit: it doesn't go on behind a pause."""
        slots = [element.slot for element in self.elements]
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
        groups: The words that a name in angle brackets stands for in lines of patterns.
        numbers: The values of number words.
        dice: The sides of the kinds of dice that words name alone.
        cases: The roles that forms of numbers and nouns play by themselves, such as "with" of an instrumental.
        patterns: All patterns, by each word, or the slot, that they begin with.
        anchored: All patterns by each form of the most telling word that they need; by "" if they need none.
        light: The words of no weight, which may stand between the words of a pattern.
        noise: The words that mean nothing for a battle.
        negations: The words that turn the meaning of others round.
        chatter: Ordinary words that mean nothing for a battle either, but stand between no words of a pattern.
        counted: Such words that show right behind a number that it counts no armies.
        asides: The words of no weight, and those that tell what is no part of a battle, by what they say.
        faces: The faces of icon dice by the words for them.
        face_fillers: The words that may stand between two of them.
        conquest: The words of questions about territories of a map, by what they say.
        words: Every word that means something.
        spellings: Other letters for those that some keyboards lack, such as "ae" or "a" for "ä".
    """

    language: str
    spellings: Sequence[Mapping[int, str]] = ()
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    dice: dict[str, str] = field(default_factory=dict)
    cases: dict[str, str] = field(default_factory=dict)
    patterns: dict[str, list[Pattern]] = field(default_factory=dict)
    anchored: dict[str, list[Pattern]] = field(default_factory=dict)
    light: set[str] = field(default_factory=set)
    noise: set[str] = field(default_factory=set)
    chatter: set[str] = field(default_factory=set)
    negations: set[str] = field(default_factory=set)
    asides: dict[str, frozenset[str]] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    faces: dict[str, str] = field(default_factory=dict)
    face_fillers: set[str] = field(default_factory=set)
    conquest: dict[str, frozenset[str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    _count: int = 0
    _pieces: dict[tuple[str, bool, bool, bool], Sequence[Element]] = field(default_factory=dict)
    _shared: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)

    @cached_property
    def quiet(self) -> Set[str]:
        """The words that mean nothing for a battle."""
        return self.light | self.noise | self.chatter

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters that its number words are written with."""
        return frozenset("".join(self.numbers))

    def add(self, table: str, value: str, line: str, plural: bool | None = None, unbroken: bool = False) -> None:
        """Add the pattern of a line.

        "&" in front means any order, "#" only right behind a number, "?" behind a word that it may be missing, and "_"
        joins words that stay together.
        """
        if line.startswith("& "):
            for words in permutations(line.removeprefix("& ").split()):
                self.add(table, value, " ".join(words), plural, unbroken=True)
            return
        several = line.endswith("s") and not line.endswith("ss") if plural is None else plural
        counted, line = line.startswith("#"), line.removeprefix("#")
        pieces: list[tuple[str, bool, bool]] = []
        for word in line.split():
            needed = word.removesuffix("?") or word
            parts = needed.split("_") if table in LOOSE else [needed]
            pieces += [(part, needed != word and not place, place > 0) for place, part in enumerate(parts)]
        elements = tuple(part for piece in pieces for part in self._elements(*piece, alone=len(pieces) == 1))
        needs = _needs(elements)
        self._count += 1
        pattern = Pattern(table, value, elements, self.language, several, unbroken, counted, self._count, needs)
        for word in pattern.beginnings:
            self.patterns.setdefault(word, []).append(pattern)
        for word in min(needs, key=lambda words: (not words.isdisjoint(self.light), len(words)), default=[""]):
            self.anchored.setdefault(word, []).append(pattern)

    def _elements(self, part: str, optional: bool, tied: bool, alone: bool) -> Sequence[Element]:
        """Return the elements of a part of a line, made once: most parts are in many lines."""
        piece = part, optional, tied, alone
        if piece not in self._pieces:
            elements = _elements(part, self.groups)
            # A single word has no other spelling that is a word of no weight.
            known = self.light if alone and len(elements) == 1 else set()
            words = [part.words | (frozenset(self.spell(part.words)) - known) for part in elements]
            self.words.update(*words)
            self._pieces[piece] = [
                element._replace(words=self._shared.setdefault(words, words), optional=optional, tied=tied or index > 0)
                for index, (element, words) in enumerate(zip(elements, words, strict=True))
            ]
        return self._pieces[piece]

    def telling(self) -> set[str]:
        """Return the words that tell something by themselves: the single ones but those of options."""
        known = {pattern for row in self.patterns.values() for pattern in row if pattern.table not in OF_OPTIONS}
        return set().union(*(some.elements[0].words for some in known if len(some.elements) == 1))

    def possible(self, present: Set[str]) -> Mapping[str, Sequence[Pattern]]:
        """Return the patterns that may fit where only these words are present, by the words that they begin with."""
        patterns: dict[str, list[Pattern]] = {}
        near = {pattern for word in (*present, "") for pattern in self.anchored.get(word, ())}
        for pattern in sorted(near, key=attrgetter("number")):
            for words in pattern.needs:  # a loop, as this is asked of a hundred patterns for each word
                if words.isdisjoint(present):
                    break
            else:
                for word in pattern.beginnings:
                    patterns.setdefault(word, []).append(pattern)
        return patterns

    def spell(self, words: Iterable[str]) -> Iterator[str]:
        """Return words with their other spellings."""
        for word in map(str.casefold, words):
            yield from {word, *(word.translate(letters) for letters in self.spellings)}

    def spell_all(self, table: Mapping[str, str]) -> dict[str, frozenset[str]]:
        """Return the words of each entry of a table, with their other spellings."""
        return {name: frozenset(self.spell(_words(words))) for name, words in table.items()}


@lru_cache
def vocabularies() -> Mapping[str, Vocabulary]:
    """Return the words of all languages by their codes, the first language first."""
    files = sorted(FOLDER.glob("*.toml"), key=lambda file: (file.stem != FIRST, file.stem))
    return {file.stem: _vocabulary(file.stem, tomllib.loads(file.read_text("utf-8"))) for file in files}


def _vocabulary(language: str, document: Mapping[str, Any]) -> Vocabulary:
    document = _inflect(document)
    letters = document.get("letters", {})
    rows = zip(*(spellings.split() for spellings in letters.values()), strict=True)
    known = Vocabulary(language, [str.maketrans(dict(zip(letters, row, strict=True))) for row in rows])
    asides = {**document["asides"], **document["glue"]}
    known.asides, known.conquest = (known.spell_all(table) for table in (asides, document["conquest"]))
    known.light, known.noise = {*known.asides["words"]}, {*known.spell(_set(document, "noise", "words"))}
    known.cases, known.dice = (_by_word(document.get(name, {})) for name in ("cases", "dice"))
    _add_numbers(known, dict(document.get("numbers", {})))
    groups = {name: words.split() for name, words in document.get("groups", {}).items()}
    known.groups = {name: frozenset(word for word in words if "_" not in word) for name, words in groups.items()}
    _add_words(known, document)
    _add_patterns(known, document, groups)
    known.face_fillers = _set(document, "faces", "between")
    known.faces = _by_word({face: words for face, words in document["faces"].items() if face != "between"})
    told = " ".join(" ".join(known.asides[name]) for name in ["corrects", "claims", "turns", "people"]).split()
    known.words |= known.numbers.keys() | known.dice.keys() | known.faces.keys() | known.noise | known.light
    known.counted = _set(document, "noise", "counted") | known.asides["countables"]
    known.negations = set(known.spell(_set(document, "negations", "words")))
    spoken = {*known.spell(_set(document, "noise", "chatter")), *told} - known.telling()
    known.chatter = spoken | (known.counted - known.words)
    known.words |= known.chatter | known.asides["things"]
    _add_names(known, _words(document["names"]["words"]))
    known._pieces, known._shared = {}, {}
    return known


def _add_names(known: Vocabulary, names: Iterable[str]) -> None:
    """Add names, those of games, and what takes back what stands before it."""
    for word in known.asides["corrects"]:
        known.add("roles", "corrects", word)
    for name in names:
        known.add("names", "name", name)
    for key, name in names_of_games(known.language).items():
        if _PARTED.search(name):  # others, such as "Wall" or "Two dice each", may be about something else
            known.add("variants", key, _PARTED.sub(" ", name))


def _set(document: Mapping[str, Any], table: str, name: str) -> set[str]:
    """Return the words of an entry."""
    return set(document.get(table, {}).get(name, "").split())


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Return the meanings in a table by their words."""
    return {word: meaning for meaning, words in table.items() for word in _words(words)}


def _add_numbers(known: Vocabulary, numbers: dict[str, str]) -> None:
    """Add the words for numbers, those of several words as patterns."""
    joint = numbers.pop("joint", "")
    for value, words in numbers.items():
        for word in _words(words):
            if " " in word:
                known.add("numbers", value, word)
            else:
                known.numbers |= dict.fromkeys(known.spell([word]), int(value))
    known.numbers |= _join_numbers(known.numbers, joint)


def _add_words(known: Vocabulary, document: Mapping[str, Any]) -> None:
    """Add the words for roles, units and ships."""
    for table in ("games", "special", "roles", "units", "ships", "plurals"):
        for value, words in document.get(table, {}).items():
            kind = table if table != "plurals" else "ships" if value in document["ships"] else "units"
            for word in _words(words):
                known.add(kind, value, word, True if table == "plurals" else None)
    for word, short in _pack_words() if known.language == FIRST else ():
        known.add("units", short, word, plural=word.endswith("s") and names_a_unit(word[:-1]))


def _add_patterns(known: Vocabulary, document: Mapping[str, Any], groups: Mapping[str, Sequence[str]]) -> None:
    """Add the patterns of several words; `groups` are the words and phrases that names in angle brackets stand for."""
    phrases = {f"<{name}>": [word for word in words if "_" in word] for name, words in groups.items()}
    for table in (*LOOSE, "skips", "chances"):
        for value, lines in document.get(table, {}).items():
            for plain in dict.fromkeys(plain for line in lines for plain in _lines_of(line, phrases)):
                known.add(table, value, plain)


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


def _needs(elements: Iterable[Element]) -> tuple[frozenset[str], ...]:
    """Return the words of the elements that may not be missing, the rarest first."""
    words: dict[frozenset[str], None] = {}
    optional = False
    for element in elements:
        optional = optional if element.tied else element.optional
        if element.words and not optional:
            words[element.words] = None
    return tuple(sorted(words, key=len))


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
