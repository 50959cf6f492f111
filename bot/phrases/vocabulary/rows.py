"""The vocabulary of a language: its words, and the patterns that they stand in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from operator import attrgetter

from bot.phrases.tokens import normal_phrase, tokens_of
from bot.phrases.vocabulary.patterns import LOOSE, Element, Index, Pattern, Patterns

FIRST = "en"
"""The language whose words are known everywhere."""
SLOTS = ("{n}", "{p}", "{d}", "{u}", "{side}")
OF_OPTIONS = ("variants", "options", "outlooks", "skips")
"""The tables in whose patterns ordinary words may stand that mean nothing elsewhere."""


@dataclass
class Vocabulary:
    """The words of one language.

    Attributes:
        language: Its code.
        groups: The words that a name in angle brackets stands for in lines of patterns.
        leaving: The words that say that a side stops or leaves.
        numbers: The values of number words.
        dice: The sides of the kinds of dice that words name alone.
        cases: The roles that forms of numbers and nouns play by themselves, such as "with" of an instrumental.
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
        single: The words and slots that are a pattern by themselves, but for names.
        spellings: Other letters for those that some keyboards lack, such as "ae" or "a" for "ä".
        patterns: All patterns, by each word, or the slot, that they begin with.
        anchored: All patterns by each form of the most telling word that they need; by "" if they need none.
    """

    language: str
    spellings: Sequence[Mapping[int, str]] = ()
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    leaving: frozenset[str] = frozenset()
    numbers: dict[str, int] = field(default_factory=dict)
    dice: dict[str, str] = field(default_factory=dict)
    cases: dict[str, str] = field(default_factory=dict)
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
    single: set[str] = field(default_factory=set)
    _pieces: dict[tuple[str, bool, bool, bool], Sequence[Element]] = field(default_factory=dict)
    _shared: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin without patterns."""
        every = Patterns(self.language)
        self._every, self.patterns, self.anchored = every, Index(every), Index(every)

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
        pattern = self._every.add(table, value, elements, several, unbroken, counted)
        if len(elements) == 1 and table != "names":
            self.single |= pattern.beginnings
        self.patterns.add(pattern.beginnings, pattern)
        telling = min(pattern.needs, key=lambda words: (not words.isdisjoint(self.light), len(words)), default=[""])
        self.anchored.add(telling, pattern)

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
