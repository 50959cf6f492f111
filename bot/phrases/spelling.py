"""Finds the words that mistyped ones may be, and the language that fits a phrase best."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from bot.editions import names_a_unit
from bot.phrases.tokens import Token
from bot.phrases.vocabulary import Vocabulary, vocabularies

_LONG_LETTER = re.compile(r"([^\W\d_])\1\1+")
_ENDING = re.compile(r"'(?:s|re|ve|ll|d)?$|(?<=[^\W\d_]{4})(?:re|ve|ll)$")
"""The endings that stand for a verb, or name an owner: "what're", "Kev's"."""

LONG = 8
"""A word with more letters than this may have two wrong ones."""
SHORTEST_TYPO = 4
"""The fewest letters of a word that may be mistyped."""
MOST_COMPARED = 12
"""The most words of a phrase that are compared with all words of all languages, to find its language."""


def without_ending(token: Token, vocabulary: Vocabulary) -> Token:
    """Return a word such as "moscow's" as "moscow", and "what're" or "whatre" as "what", where only that is known."""
    if token.text in vocabulary.words or not (ending := _ENDING.search(token.text)):
        return token
    stem = token.text[: ending.start()]
    known = vocabulary.words if "'" in ending[0] else vocabulary.light
    return token._replace(text=stem) if stem in known else token


def without_long_letters(token: Token, known: Mapping[str, Vocabulary]) -> Token:
    """Return a word such as "goooo" as "go", if that is known."""
    if token.number is not None or any(token.text in words.words for words in known.values()):
        return token
    for letters in (r"\1\1", r"\1"):
        text = _LONG_LETTER.sub(letters, token.text)
        if text != token.text and any(text in words.words for words in known.values()):
            return token._replace(text=text)
    return token


def fit(vocabulary: Vocabulary, tokens: Sequence[Token], language: str, known: Mapping[str, Vocabulary]) -> float:
    """Return how well a language fits the words of a phrase: words of few languages count most."""
    fit = 0.1 * (vocabulary.language == language)
    for token in (token for token in tokens if token.text[0].isalpha()):
        if token.text in vocabulary.words and not names_a_unit(token.text):
            fit += 1 / sum(token.text in words.words for words in known.values())
        elif not vocabulary.letters.isdisjoint(token.text):
            fit += 0.11
    return fit


@lru_cache(2_000)
def near_words(text: str, languages: tuple[str, ...]) -> Mapping[str, int]:
    """Return the words that a typed word may be, itself first, with the number of letters that are wrong."""
    order = [vocabularies()[language] for language in languages]
    if any(text in known.words for known in order) or len(text) < SHORTEST_TYPO - 1:
        return {text: 0}
    first, second = (dict(_near_words_of(text, known.language)) for known in (*order[:2], order[0])[:2])
    short = len(text) < SHORTEST_TYPO
    near = first if short or min(first.values(), default=9) <= min(second.values(), default=9) else second
    best = min(near.values(), default=0)
    return {text: 0, **{word: max(wrong, 1) for word, wrong in near.items() if wrong == best}}


def _near_words_of(text: str, language: str) -> Iterator[tuple[str, int]]:
    """Yield the words of a language that a typed word may be; letters that are only exchanged count as right."""
    for word, distance in similar(text, _near_beginning(text, language), 200):
        exchanged, first = sorted(word) == sorted(text), word[0] == text[0]
        wrong = 0 if exchanged and first else distance
        if (wrong < 2 or len(text) > LONG - 2) and (first or (exchanged and wrong < 2)):
            yield word, wrong


def may_be_mistyped(typed: str, word: str, wrong: int, counted: bool) -> bool:
    """Tell whether a word alone may be another one mistyped: too many ordinary words are like a unit or a verb.

    Args:
        typed: The word as it was typed.
        word: The word that may be meant.
        wrong: The number of letters that are wrong.
        counted: Whether a number stands before it.
    """
    if sorted(typed) == sorted(word):
        return True  # letters exchanged
    replaced = len(typed) == len(word)
    shortest = (SHORTEST_TYPO - 1 if replaced else SHORTEST_TYPO) if counted else 7 if replaced else 5
    limit = 2 if min(len(typed), len(word)) > LONG else 1
    return typed[0] == word[0] and min(len(typed), len(word)) >= shortest and wrong <= limit


def nearest_language(tokens: Sequence[Token], known: Mapping[str, Vocabulary]) -> str:
    """Return the language that has the most words like those of a phrase, all of which are mistyped."""
    texts = Counter(token.text for token in tokens if len(token.text) > SHORTEST_TYPO and token.text.isalpha())
    first = [*texts.items()][:MOST_COMPARED]
    nearness = {language: sum(count * _nearness(text, language) for text, count in first) for language in known}
    best = max(nearness, key=lambda language: nearness[language])
    return best if nearness[best] else ""


def _nearness(text: str, language: str) -> int:
    """Return how near a text comes to a word that tells something: most if only letters are exchanged."""
    known = vocabularies()[language]
    near = similar(text, _near_beginning(text, language), 20)
    telling = ((word, distance) for word, distance in near if word not in known.chatter | known.noise)
    return max((3 - distance * (sorted(word) != sorted(text)) for word, distance in telling), default=0)


def _near_beginning(text: str, language: str) -> list[str]:
    """Return the words that are at most a letter shorter or longer than a text, and begin like it.

    The first two letters may be exchanged.
    """
    by_beginning = _words_by_beginning(language)
    near = [word for size in range(-1, 2) for word in by_beginning.get((text[0], len(text) + size), ())]
    exchanged = text[1::-1] + text[2:]
    if exchanged in vocabularies()[language].words and exchanged[0] != text[0]:
        near = sorted([*near, exchanged], key=lambda word: (len(word), word))
    return near


@lru_cache
def _words_by_beginning(language: str) -> Mapping[tuple[str, int], Sequence[str]]:
    """Return the words of a language by their first letter and their length, in the order of the alphabet."""
    groups: dict[tuple[str, int], list[str]] = {}
    for word in sorted(vocabularies()[language].words):
        groups.setdefault((word[0], len(word)), []).append(word)
    return groups


def similar(text: str, words: Sequence[str], limit: int, most_wrong: int = 2) -> list[tuple[str, int]]:
    """Return the words with at most so many letters that are wrong, and how many are, the most similar first."""
    # Imported here, because most lines have no mistyped word.
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    near = extract(text, words, scorer=OSA.distance, score_cutoff=most_wrong, limit=limit)
    return [(word, int(distance)) for word, distance, _index in near]
