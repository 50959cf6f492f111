"""Texts that would keep a careless reader busy for long, in four scripts."""

import random
from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase

from bot.phrases.vocabulary import vocabularies

LETTERS = {
    "Latin": ascii_lowercase,
    "Cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "Chinese": "".join(map(chr, range(0x4E00, 0x4E40))),
}
REPEATED = {
    "grows to 18 letters": "\ufdfa",
    "grows to 18 letters, apart": "\ufdfa ",
    "grows to three letters": "\ufb03",
    "grows at each step": "İß\ufb03ŉ",
    "marks on a letter": "a" + "\u0301" * 9,
    "marks alone": "\u0300\u0316\u0301\u0317",
    "a fraction": "½",
    "one mistake": "bombrs ",
    "one mistake with a value": "bombrs:2 ",
    "counted mistakes": "3 infatry ",
    "a mistaken name": "austrailia ",
    "one letter": "a",
    "two letters": "ab",
    "a letter and a hyphen": "a-",
    "an apostrophe": "a'",
    "one digit": "9",
    "numbers": "9 ",
    "numbers with commas": "9,",
    "numbers with hyphens": "9-",
    "numbers with dots": "1.",
    "a thousand": "1,000",
    "kinds of dice": "d6 ",
    "chances": "9% ",
    "glued words": "9a",
    "battles": "12 9 ",
    "options": "bombers:2 ",
    "many options": "stop:4 rounds:2 dice:3v3 icons:aad,d ",
    "options without values": "bombers: ",
    "words of options": "stop leave dice ",
    "units": "3 inf ",
    "units in full": "3 infantry and 2 tanks ",
    "words of sides": "attacker defender ",
    "sides": "3 inf vs ",
    "steps": ">",
    "a path": "5 > ",
    "versus": "vs ",
    "many against many": "12 vs 9 ",
    "then": "then ",
    "waves": "3 inf then ",
    "plans": "||",
    "two plans": "12 9 || ",
    "or": "12 9 or ",
    "arrows": "→",
    "parentheses": "(",
    "parentheses around": "(3 inf) ",
    "brackets": "[",
    "brackets around": "[3] ",
    "faces": "aad,",
    "empty faces": ",,",
    "quoted faces": '["a",',
    "emoji": "😀",
    "a family": "👩\u200d👩\u200d👧 ",
    "nothing to see": "\u200b",
    "something between nothing": "1\u200b",
    "right to left": "\u202e1",
    "empty lines": "\n",
    "lines": "12 9\n",
    "lines of words": "bombrs\n",
    "spaces": " ",
    "a word between spaces": "a" + " " * 90,
    "a number between spaces": "9" + " " * 90,
    "tabs": "\t",
    "a key": "a:",
    "keys": "a: ",
    "equals": "a=",
    "colons": ":",
    "back-ticks": "`",
    "quoted": "`a`",
    "quoted words": "`my 3 guys` ",
    "dots of an answer": " · ",
    "an answer": "12 · Risk · 9\n",
    "sentences": "a. ",
    "battles in sentences": "I have 12 to his 9. ",
    "questions": "can i win? ",
    "strokes": "/",
    "a command": "/battle ",
    "mentions begun": "<@1",
    "mentions": "<@1> ",
    "emoji begun": "<:a",
    "quotes": "> ",
    "signs": "+-*",
    "names": "siam ",
    "a row of names": "siam > ",
    "garrisons": "siam: 3, ",
    "garrisons by words": "3 in siam and ",
    "conquests": "12 siam > australia: 3 2 1 1 ",
    "of a map": "from siam with 12 take australia held by 3 2 1 1 ",
    "rules of retreat": "retreat:units<3|profit<0 ",
    "order": "order:inf,arm ",
    "places": "8 inf || 4 inf vs 1 inf || ",
    "raids": "5 bom vs 20 ",
}
BEGUN = ("12 siam > ", "12 9 ", "3 inf vs ", "siam: ", "8 inf || ")
"""Beginnings behind which another reader takes over."""


def nasty_texts(size: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Return texts of a size with their names; another seed makes other words, which no reader has met."""
    chance = random.Random(seed)
    for name, part in REPEATED.items():
        yield name, repeat(part, size)
    for begun in BEGUN:
        yield f"mistakes behind {begun!r}", (begun + mistakes(chance, "en", size))[:size]
        yield f"signs that grow behind {begun!r}", (begun + repeat("\ufdfa", size))[:size]
    for script, letters in LETTERS.items():
        long = "".join(chance.choices(letters, k=size))
        yield f"one word, {script}", long
        yield f"number and word, {script}", f"12 {long}"[:size]
        for least, most in ((3, 6), (6, 12), (12, 24)):
            yield f"words of {least} letters, {script}", words(chance, letters, least, most, size)
        yield f"numbered words, {script}", words(chance, letters, 5, 9, size, "3 ")
        yield f"words with values, {script}", words(chance, letters, 5, 9, size, "", ":2")
    for language in vocabularies():
        known = sorted(vocabularies()[language].words)
        yield f"known words, {language}", " ".join(chance.choices(known, k=size))[:size]
        yield f"mistakes, {language}", mistakes(chance, language, size)
        yield f"numbered mistakes, {language}", mistakes(chance, language, size, "3 ")
        for end in ("\n", ". "):
            parts = (mistakes(chance, language, 80, "3 ") + end for _part in range(size // 80 + 1))
            yield f"mistakes with {end!r}, {language}", "".join(parts)[:size]
    everything = [text for one in vocabularies().values() for text in one.words]
    yield "words of all languages", " ".join(chance.choices(sorted(everything), k=size))[:size]


def repeat(part: str, size: int) -> str:
    """Return a text of a size that says one thing again and again."""
    return (part * (size // len(part) + 1))[:size]


def words(
    chance: random.Random, letters: str, least: int, most: int, size: int, before: str = "", behind: str = ""
) -> str:
    """Return a text of made-up words."""
    made = ("".join(chance.choices(letters, k=chance.randint(least, most))) for _ in range(size // least + 1))
    return " ".join(f"{before}{word}{behind}" for word in made)[:size]


def mistakes(chance: random.Random, language: str, size: int, before: str = "") -> str:
    """Return a text of words of a language with a letter or two that are wrong."""
    wrong = (_mistyped(chance, word) for word in chance.choices(_long_words(language), k=size // 5))
    return " ".join(before + word for word in wrong)[:size]


@cache
def _long_words(language: str) -> list[str]:
    """The words of a language that can be mistyped and still be meant."""
    return sorted(word for word in vocabularies()[language].words if len(word) > 4)


def _mistyped(chance: random.Random, word: str) -> str:
    for _ in range(chance.randint(1, 2)):
        place = chance.randrange(1, len(word))
        word = word[:place] + chance.choice(word) + word[place + chance.randint(0, 1) :]
    return word
