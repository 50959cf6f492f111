"""Finds the places of a phrase where patterns of the vocabulary fit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.phrases.spelling import SHORTEST_TYPO, may_be_mistyped
from bot.phrases.tag import ENDS
from bot.phrases.vocabulary import FIRST, Element, Pattern
from bot.phrases.words import PAUSES, SHORTEST_NUMBER, Words

MOST_SKIPPED = 7
"""The most words of no weight between two words of a pattern."""
NEVER_MISTYPED = ("row", "through", "landed", "counter", "wave", "leftover", "reinforces")
"""The roles of words that change a whole line; too many ordinary words are like one of them."""
STAYING = ("behind:", "reserve:")
"""The options for those who stay, often with the place where: "one must stay in Brazil"."""
SIDES = {"self": "attacker", "attacker": "attacker", "other": "defender", "defender": "defender"}
"""The sides that words for them name in patterns, by their roles."""
TITLE_ENDS = (*PAUSES, *ENDS, ":", "-")
"""The signs behind a title."""
PATH = 4
"""The fewest numbers of a path with armies that stay: attackers, two territories, and those who stay."""


@dataclass
class Match:
    """A place where a pattern fits.

    Attributes:
        pattern: The pattern.
        start: The index of its first word.
        end: The index behind its last word.
        skipped: How many words were skipped between those of the pattern.
        slots: The texts in its slots.
        numbers: The numbers in its slots.
        rank: The place of its language among those of the phrase, the best first.
        corrected: How many letters are wrong.
        size: How many elements of the pattern are there.
        likely: Whether the words before it speak for it.
    """

    pattern: Pattern
    start: int
    end: int
    skipped: int
    slots: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    rank: int = 0
    corrected: int = 0
    size: int = 0
    likely: bool = False

    @property
    def order(self) -> tuple[int, ...]:
        """The key by which the best matches come first."""
        sided = self.pattern.value in ("attacker", "defender")
        quiet = self.pattern.table == "names"
        return (
            -self.size,
            self.pattern.loose,
            not self.likely or self.corrected > 0,
            3 * self.rank + self.corrected + self.skipped,
            not self.likely,
            not sided,
            quiet,
            self.start - self.end,
            self.start,
        )


class Matcher:
    """Matches patterns with the words of one phrase."""

    def __init__(self, words: Words) -> None:
        """Match patterns with these words."""
        self._words = words

    def matches(self) -> Iterator[Match]:
        """Return all places where patterns fit."""
        words = self._words
        present = {text for texts in words.texts for text in texts}
        possible = [vocabulary.possible(present) for vocabulary in words.order]
        for start, texts in enumerate(words.texts):
            if words.is_letter(start):
                continue
            beginnings = [*texts.items(), *((slot, 0) for slot in self._slots_at(start))]
            for rank, patterns in enumerate(possible):
                for text, wrong in beginnings:
                    for pattern in patterns.get(text, ()):
                        match = self._match(pattern, start) if self._may_begin(pattern, start, text, wrong) else None
                        if match:
                            match.rank, match.corrected = rank, match.corrected + wrong
                            match.likely = words.follows_number(start) and pattern.counts
                            yield match

    def _may_begin(self, pattern: Pattern, start: int, text: str, wrong: int) -> bool:
        """Tell whether a pattern may begin with a token that stands for a text, of which `wrong` letters are wrong."""
        words = self._words
        if pattern.counted and not words.is_counted(start) and not self._is_title(pattern, start):
            return False
        if pattern.value == "leave:{n}" and self._counts_armies(start):
            return False
        if len(pattern.elements) > 1:
            return True
        if pattern.language not in (words.language, FIRST) and len(text) < SHORTEST_TYPO:
            return False  # short words mean something in many languages
        if not wrong:
            return True
        if pattern.value in NEVER_MISTYPED and sorted(words.tokens[start].text) != sorted(text):
            return False  # too many other words are near
        counted = words.is_counted(start) and pattern.counts
        asked = pattern.table == "questions" and start > 0
        return not asked and may_be_mistyped(words.tokens[start].text, text, wrong, counted)

    def _is_title(self, pattern: Pattern, start: int) -> bool:
        """Tell whether a word that may name a game stands before all others: "war, 12 vs 9", "War 10 contra 7"."""
        words = self._words
        behind = words.tokens[start + 1].text if start + 1 < len(words.tokens) else ""
        return (
            not start
            and pattern.table == "special"
            and (behind in TITLE_ENDS or words.numbers[1:2] not in ([], [None]))
        )

    def _counts_armies(self, index: int) -> bool:
        """Tell whether a number counts armies, whatever follows: "3, 3, 1 along the way", "11 vs 9 each"."""
        words = self._words
        if words.numbers[index] is not None and sum(number is not None for number in words.numbers) < PATH:
            return True
        listed = index > 1 and words.tokens[index - 1].text in PAUSES and words.numbers[index - 2] is not None
        return listed and words.numbers[index] is not None

    def _slots_at(self, index: int) -> list[str]:
        """Return the slots of patterns that a token may fill."""
        token = self._words.tokens[index]
        fits = {"{n}": self._words.numbers[index] is not None, "{p}": bool(token.chance), "{d}": bool(token.die)}
        return [*(slot for slot, fit in fits.items() if fit), "{u}", "{side}"]

    def _match(self, pattern: Pattern, start: int) -> Match | None:
        match = Match(pattern, start, start, 0)
        fits = all(self._seek(chunk, match) or chunk[0].optional for chunk in pattern.chunks)
        return match if fits and not self._splits_stack(match) else None

    def _splits_stack(self, match: Match) -> bool:
        """Tell whether the last number of a match counts the unit behind it: "if I keep 3 inf 1 tank there"."""
        words, pattern = self._words, match.pattern
        if not (pattern.loose and match.numbers) or match.end == len(words.tokens) or pattern.value == "stop:{n}":
            return False  # "what do I need to stop 6 inf 2 arm" stops no attack
        return words.numbers[match.end - 1] is not None and words.meaning(match.end, "units") != ""

    def _seek(self, chunk: Sequence[Element], match: Match) -> bool:
        """Move a match past a chunk and the words of no weight before it; leave it if the chunk does not fit."""
        end, skipped = match.end, match.skipped
        skippable = MOST_SKIPPED if match.pattern.loose and end > match.start else 0
        while match.end < len(self._words.tokens):
            if self._take_all(chunk, match):
                return True
            if match.skipped - skipped == skippable or not self._may_skip(match, chunk[0].tied):
                break
            match.end += 1
            match.skipped += 1
        match.end, match.skipped = end, skipped
        return False

    def _may_skip(self, match: Match, tied: bool) -> bool:
        """Tell whether the next word may stand between those of a pattern: no number, nor a pause behind "12".

        No pause and no "and" parts words that are `tied`: "leave 2 each, stop" names no stop.
        """
        words = self._words
        token, number = words.tokens[match.end], words.numbers[match.end]
        article = number is None or len(token.text) < SHORTEST_NUMBER
        begun = match.pattern.unbroken or (match.size < 2 and match.pattern.begins_with_slot)
        place = match.pattern.value.startswith(STAYING) and words.meaning(match.end, "names") != ""
        parts = token.text in PAUSES or (tied and words.meaning(match.end, "roles") == "and")
        return (words.light[match.end] or place) and article and not ((begun or tied) and parts)

    def _take_all(self, chunk: Sequence[Element], match: Match) -> bool:
        """Move a match past a chunk if all of it fits."""
        before = match.end, match.skipped, len(match.slots), len(match.numbers), match.corrected
        fits = self._take(chunk[0], match) and all(self._seek([element], match) for element in chunk[1:])
        if fits:
            match.size += len(chunk)
        else:
            match.end, match.skipped, slots, numbers, match.corrected = before
            del match.slots[slots:], match.numbers[numbers:]
        return fits

    def _take(self, element: Element, match: Match) -> bool:
        """Move a match past the next token if that fits; fill the slots."""
        if element.slot:
            relative = element.slot == "{side}" and self._is_owned(match.end)
            filling = "defender" if relative else self._filling(element, match.end)
            if not filling:
                return False
            match.slots.append(filling)
            match.end += relative
            if element.slot == "{n}":
                match.numbers.append(int(filling))
        else:
            wrong = [letters for word, letters in self._words.texts[match.end].items() if word in element.words]
            if not wrong or (match.pattern.language != self._words.language and self._is_quiet(match)):
                return False
            if min(wrong) and match.pattern.table in ("skips", "outlooks"):
                return False
            match.corrected += min(wrong)
        match.end += 1
        return True

    def _is_owned(self, index: int) -> bool:
        """Tell whether a word and the one behind it name another player: "my kid"."""
        words = self._words
        after = words.tokens[index + 1].text if index + 1 < len(words.tokens) else ""
        return words.meaning(index, "roles") == "self" and after in words.order[0].asides["people"]

    def _filling(self, element: Element, index: int) -> str:
        """Return what a token fills into a slot; "" if it does not fit."""
        words, token = self._words, self._words.tokens[index]
        if element.slot == "{n}":
            number = words.numbers[index]
            article = number == 1 and len(token.text) < SHORTEST_NUMBER and token.number is None
            fits = not article if element.fixed is None else number == element.fixed
            return str(number) if fits and number is not None else ""
        if element.slot == "{u}":
            return words.meaning(index, "units")
        if element.slot == "{side}":
            return SIDES.get(words.meaning(index, "roles"), "")
        return token.chance if element.slot == "{p}" else str(token.die or "")

    def _is_quiet(self, match: Match) -> bool:
        """Tell whether a word has no weight in the phrase's language, as "die" in German; "2 des" are still units."""
        words, index = self._words, match.end
        counted = match.pattern.table == "units" and words.follows_number(index)
        own, text = words.order[0], words.tokens[index].text
        return not counted and (text in own.light or text in own.noise)
