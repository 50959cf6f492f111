"""Patterns of words: a language has thousands, as rows of which each becomes a pattern when a phrase needs it."""

import pickle
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import Any, NamedTuple

LOOSE = ("variants", "options", "outlooks", "questions")
"""The tables whose patterns may have words of no weight in between."""


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
    """Words in a row that mean something.

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


class Rows:
    """Rows of bytes, one behind the other: as objects they would take half as much again."""

    def __init__(self) -> None:
        self._bytes, self._ends = bytearray(), array("I", [0])

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> bytes:
        """Return a row."""
        return bytes(self._bytes[self._ends[number] : self._ends[number + 1]])

    def append(self, row: bytes) -> None:
        """Add a row."""
        self._bytes += row
        self._ends.append(len(self._bytes))


class Patterns:
    """The patterns of a language by their numbers, packed: as objects they would take twenty megabytes more."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._rows, self._elements = Rows(), Rows()
        self._places: dict[Element, int] = {}
        self._made: dict[int, Pattern] = {}
        self._made_elements: dict[int, Element] = {}

    def __getstate__(self) -> Mapping[str, Any]:
        """Return what is packed alone."""
        return {**self.__dict__, "_places": {}, "_made": {}, "_made_elements": {}}

    def add(self, table: str, value: str, elements: Sequence[Element], *flags: bool) -> Pattern:
        """Add a pattern; the flags are whether it is plural, unbroken and counted."""
        for element in elements:
            if element not in self._places:
                self._places[element] = len(self._elements)
                self._elements.append(pickle.dumps(element))
        self._rows.append(pickle.dumps((table, value, [self._places[element] for element in elements], *flags)))
        return self[len(self._rows) - 1]

    def __getitem__(self, number: int) -> Pattern:
        """Return a pattern, which is made once."""
        if number not in self._made:
            table, value, places, plural, unbroken, counted = pickle.loads(self._rows[number])
            elements = tuple(map(self._element, places))
            self._made[number] = Pattern(
                table, value, elements, self._language, plural, unbroken, counted, number, _needs(elements)
            )
        return self._made[number]

    def _element(self, place: int) -> Element:
        if place not in self._made_elements:
            self._made_elements[place] = pickle.loads(self._elements[place])
        return self._made_elements[place]


class Index(Mapping[str, Sequence[Pattern]]):
    """Patterns by words."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._numbers: dict[str, bytes] = {}
        self._made: dict[str, Sequence[Pattern]] = {}

    def __getstate__(self) -> Mapping[str, Any]:
        """Return what is packed alone."""
        return {**self.__dict__, "_made": {}}

    def add(self, words: Iterable[str], pattern: Pattern) -> None:
        """Add a pattern to those of each of these words."""
        number = array("H", [pattern.number]).tobytes()
        for word in words:
            self._numbers[word] = self._numbers.get(word, b"") + number
            self._made.pop(word, None)

    def __getitem__(self, word: str) -> Sequence[Pattern]:
        """Return the patterns of a word, which are looked up once."""
        if word not in self._made:
            self._made[word] = [self._patterns[number] for number in array("H", self._numbers[word])]
        return self._made[word]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the words."""
        return iter(self._numbers)

    def __len__(self) -> int:
        """Return how many words there are."""
        return len(self._numbers)


def _needs(elements: Iterable[Element]) -> tuple[frozenset[str], ...]:
    """Return the words of the elements that may not be missing, the rarest first."""
    words: dict[frozenset[str], None] = {}
    optional = False
    for element in elements:
        optional = optional if element.tied else element.optional
        if element.words and not optional:
            words[element.words] = None
    return tuple(sorted(words, key=len))
