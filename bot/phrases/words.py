"""The words of one phrase: what each may be, whether it is a number, and whether it has any weight."""

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import product

from bot.phrases.spelling import (
    SHORTEST_TYPO,
    fit,
    near_words,
    nearest_language,
    without_ending,
    without_long_letters,
)
from bot.phrases.tokens import Token
from bot.phrases.vocabulary import FIRST, vocabularies

SHORTEST_NUMBER = 3
"""The fewest letters of a word for one that is no article."""
LETTERS = "iatfbmscdxr"
"""The letters that mean something right behind a number: units, sides, and "times"."""
THOUSAND = 1_000
TENS = range(20, 100, 10)
PAUSES = {",", ";"}
PERSONS = ("self", "other", "third", "doing", "none")
"""The subject of a verb: the player, another, anybody but the player, or nobody whom its ending names."""


class Words:
    """The words of one phrase.

    Attributes:
        language: The language that fits best.
        order: The vocabularies that may help to read it, the best first.
        languages: The first two of them.
        tokens: The tokens; numbers of several words are one.
        texts: For each token the words that it may be, with the number of letters that are wrong.
        numbers: For each token its number, None if it is none.
        light: For each token whether it has no weight.
    """

    def __init__(self, tokens: Sequence[Token], language: str = "") -> None:
        """Find the language of the tokens; `language` wins where two fit equally well."""
        known = vocabularies()
        tokens = [without_long_letters(without_ending(token, known[FIRST]), known) for token in tokens]
        texts = {token.text for token in tokens}
        if all(words.words.isdisjoint(text for text in texts if text.isalpha()) for words in known.values()):
            language = nearest_language(tokens, known) or language
        order = sorted(known.values(), key=lambda words: -fit(words, tokens, language, known))
        self.language = order[0].language
        first = [words for words in order if words.language in (self.language, FIRST)]
        self.order = first + [words for words in order if words not in first and not words.words.isdisjoint(texts)]
        self.languages = self.order[:2]
        self.tokens = self._with_whole_numbers(tokens)
        self.texts = [*map(self._candidates, self.tokens)]
        self.numbers = [*map(self._number, self.tokens)]
        self.light = [self._is_light(index) for index in range(len(self.tokens))]

    def keep(self, places: Sequence[int]) -> "Words":
        """Return the words at these places alone, in the language of all."""
        part = copy(self)
        part.tokens, part.texts = [self.tokens[place] for place in places], [self.texts[place] for place in places]
        part.numbers, part.light = [self.numbers[place] for place in places], [self.light[place] for place in places]
        return part

    def _candidates(self, token: Token) -> Mapping[str, int]:
        """Return the words that a token may be, with the number of letters that are wrong."""
        if token.number is not None or token.chance or token.die or not token.text[0].isalpha():
            return {token.text: 0}
        return near_words(token.text, tuple(known.language for known in self.order))

    def _with_whole_numbers(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens with numbers of several words as one ("twenty five"), and "8-sided" as a kind of die."""
        whole: list[Token] = []
        for token in tokens:
            number = self._joined_number(whole[-1], token) if whole else 0
            if number:
                both = f"{whole[-1].text} {token.text}"
                whole[-1] = whole[-1]._replace(text=both, end=token.end, number=number)
            else:
                whole.append(token)
                self._join_die(whole)
        return whole

    def _joined_number(self, first: Token, token: Token) -> int:
        """Return the number that two words are, such as "two dozen" or "hundred five"; 0 if they are none."""
        if token.number is not None or first.text[0].isdigit():
            return 0
        value, tens = self._number(token) or 0, self._number(first) or 0
        return _number_of_two(tens, value) if tens and value else 0

    def _join_die(self, tokens: list[Token]) -> None:
        """Join the last tokens to a kind of die, if they are words such as "8-sided", "8 sided" or German "W8"."""
        last, kinds = tokens[-1], self.order[0].dice
        for first in tokens[-2 if last.glued else -1 :]:
            name = last.text if first is last else first.text + last.text
            if name in kinds:
                tokens[tokens.index(first) :] = [
                    last._replace(text=f"d{kinds[name]}s", start=first.start, number=None, die=int(kinds[name]))
                ]
                return
        number, _hyphen, sided = tokens[-1].text.rpartition("-")
        if not any(sided in known.asides["sided"] for known in self.order):
            return
        gap = 0 if number else 2 if [token.text for token in tokens[-2:-1]] == ["-"] else 1
        start = tokens[-1 - gap] if len(tokens) > gap else None
        sides = self._number(start._replace(text=number) if number else start) if start else None
        if sides and start:
            tokens[-1 - gap :] = [tokens[-1]._replace(text=f"d{sides}s", start=start.start, die=sides)]

    def _number(self, token: Token) -> int | None:
        if token.number is not None:
            return token.number
        parts = token.text.split("-")
        for known in self.languages:
            if known is not self.order[0] and token.text in self.order[0].light:
                break  # a word of no weight is no number of another language
            values = [known.numbers.get(part) for part in parts]
            if len(values) == 1 and values[0] is not None:
                return values[0]
            if len(values) == 2 and values[0] in TENS and values[1] in range(1, 10):
                return sum(filter(None, values))
        return self._mistyped_number(token)

    def _mistyped_number(self, token: Token) -> int | None:
        near = self._candidates(token) if len(token.text) > SHORTEST_TYPO else ()
        mistyped = {known.numbers[text] for text in near for known in self.languages if text in known.numbers}
        return mistyped.pop() if len(mistyped) == 1 else None

    def _is_light(self, index: int) -> bool:
        if self.tokens[index].text in PAUSES:
            return True
        return any(self._is_light_word(text) for text in self.texts[index])

    def _is_light_word(self, text: str) -> bool:
        """Tell whether a word has no weight in the first of the two languages that know it."""
        if text in self.order[0].negations:
            return False
        for known in self.languages:
            if text in known.light or text in known.noise:
                return True
            if text in known.numbers:
                return False
        return False

    def is_letter(self, index: int) -> bool:
        """Tell whether a token is a letter right behind a number, as in "12a"."""
        token = self.tokens[index]
        before = self.tokens[index - 1] if index and token.glued else None
        return before is not None and before.number is not None and len(token.text) == 1 and token.text in LETTERS

    def follows_number(self, index: int) -> bool:
        """Tell whether a number stands right before a word, or an article."""
        return index > 0 and self.numbers[index - 1] is not None

    def is_counted(self, index: int) -> bool:
        """Tell whether a number stands right before a word, and no article."""
        return index > 0 and (self.numbers[index - 1] or 0) > 0 and not self.light[index - 1]

    def case(self, start: int, end: int) -> str:
        """Return the role that the form of some words plays, together or of one of them."""
        texts = [token.text for token in self.tokens[start:end]]
        for text, known in product([" ".join(texts), *texts], self.languages):
            for form in (text, text.rpartition(" ")[2], "-" + text.rpartition("-")[2]):
                if form in known.cases:
                    return known.cases[form]
        return ""

    def person(self, index: int) -> str:
        """Return the side whose verb a word is, by its longest ending that says so: "" if none does."""
        text, asides = self.tokens[index].text, self.order[0].asides
        endings = [(len(end), side) for side in PERSONS for end in asides.get(f"ends {side}", ()) if text.endswith(end)]
        return max(endings, default=(0, ""))[1].replace("none", "")

    def meaning(self, index: int, table: str) -> str:
        """Return the meaning of a single word within a table; "" if it has none."""
        if index >= len(self.tokens):
            return ""
        for text, known in product(self.texts[index], self.languages):
            for pattern in known.patterns.get(text, ()):
                if pattern.table == table and len(pattern.elements) == 1:
                    return pattern.value
        return ""

    def may_be_icons(self, index: int) -> bool:
        """Tell whether a single word may name icons, as "faces" may be a verb or the sides of a die."""
        patterns = [some for known in self.languages for some in known.patterns.get(self.tokens[index].text, ())]
        return any(some.table == "roles" and some.value == "icons" and len(some.elements) == 1 for some in patterns)


def _number_of_two(tens: int, value: int) -> int:
    """Return the number that the words of two numbers are together; 0 if they are none."""
    if (value == 12 and tens < 10) or (value == THOUSAND and tens < THOUSAND):
        return tens * value
    hundreds = tens % 100 == 0 and value < (THOUSAND if tens % THOUSAND == 0 else 100)
    return tens + value if hundreds or (value < 10 and tens in TENS) else 0
