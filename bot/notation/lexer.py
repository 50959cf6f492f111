"""Brings a line to the form in which it is read, and splits lines about dice into pieces."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from bot.notation.dice_options import OPTIONS, SYNONYMS

LONGEST_TEXT = 2_000
"""The most characters of a text that is read as a line, as it was typed and with compatible characters written out."""

CLASSIC = "classic"
"""The value of "variant:" for classic Risk, in places where another game is usual."""


class ParsedOption(NamedTuple):
    """The value of an option, with its place in the line; `kept` if it comes from a preset."""

    value: Any
    start: int
    end: int
    kept: bool = False


class Token(NamedTuple):
    """A piece of the line: a number, a chance, "vs", ">", an option with its value or without, or another word."""

    kind: str
    text: str
    start: int
    end: int
    value: Any = None


def normal(text: str) -> str:
    """Return a line as it is read: one form of letters, digits and signs, nothing invisible, nothing after an arrow."""
    return _normal(text[:LONGEST_TEXT])


def is_too_long(text: str, most: int) -> bool:
    """Tell whether a text has more characters than a line may have: some stand for many, as U+FDFA for 18."""
    typed = text.partition("→")[0]
    return len(typed) > LONGEST_TEXT or len(_write_out(typed)) > LONGEST_TEXT or len(normal(text)) > most


def _write_out(text: str) -> str:
    """Return a text in small letters, with characters such as "½" written out."""
    return unicodedata.normalize("NFKC", text).casefold()


@lru_cache(100)  # several games look at one line, one after the other
def _normal(text: str) -> str:
    """Return the form in which a text is read."""
    text = _write_out(text.partition("→")[0])[:LONGEST_TEXT].translate(_SIGNS)
    text = "".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    text = _THOUSAND.sub(r"\1\2", text)
    return re.sub(r"^(/\w+(\s|$))?(matchup:)?", "", " ".join(text.split())).strip().rstrip("?!. ")


NUMBER = r"[+-]?\d+(?:[.,]\d+)?"
_SHARE = r"\d+(?:\.\d+)? ?%?"
RETREAT_RULE = rf"(?:units ?<=? ?\d+|profit ?< ?{NUMBER}|(?:win|destroy) ?< ?{_SHARE}|(?:air|clear) ?> ?{_SHARE})"
"""A rule for retreating of Axis & Allies; several may be joined by strokes."""
LONGEST_LINE = 1_000
"""The most characters of a line, and of the canonical line of a battle."""


# The pieces ---------------------------------------------------------------------------------------------

_SIGNS = str.maketrans({"×": "x", "–": "-", "—": "-", "−": "-", "‐": "-", "`": " "})
_THOUSAND = re.compile(r"(?<![\w.,:=<>-])([1-9]\d{0,2}),(0\d\d)(?![\w.,%])")
"""A number such as "1,000"; without a nought behind the comma these are two."""
_GAP = re.compile(r"[\s,;]+")
_END = r"(?=[\s,;>]|$)"
_NUMBER = re.compile(r"\d+(?=v|x|-|[:/]\s*\d|against|[\s,;>]|$)")
_CHANCE = re.compile(rf"(\d+(?:[.,]\d+)?) ?%{_END}")
VERSUS = r"(?:vs\.?|v|versus|against)"
"""The words between the two sides."""
_VERSUS = re.compile(rf"{VERSUS}(?=\d|[\s,;]|$)")
_SIGN = re.compile(r"[x:/-](?=\s*\d)")
_STEP = re.compile(r"-*>+")
_WORD = re.compile(r"[^\W\d_][\w-]*")
_PIECE = re.compile(r"[^\s,;>]+")


def tokens(line: str) -> Iterator[Token]:
    """Split a normal line into pieces; commas and semicolons only separate them."""
    position = 0
    before = ""
    while position < len(line):
        if gap := _GAP.match(line, position):
            position = gap.end()
            continue
        token = _token(line, position, after_number=before == "number")
        yield token
        position, before = token.end, token.kind


def _token(line: str, start: int, after_number: bool) -> Token:
    if found := _CHANCE.match(line, start):
        return Token("chance", found[0], start, found.end(), float(found[1].replace(",", ".")) / 100)
    if found := _NUMBER.match(line, start):
        return Token("number", found[0], start, found.end())
    if found := _STEP.match(line, start):
        return Token("step", found[0], start, found.end())
    if after_number and (found := _SIGN.match(line, start)):
        return Token("sign", found[0], start, found.end())
    if found := _VERSUS.match(line, start):
        return Token("versus", found[0], start, found.end())
    if found := _WORD.match(line, start):
        word = SYNONYMS.get(found[0], found[0])
        if word in OPTIONS:
            return _option(line, word, start, found.end())
    found = _PIECE.match(line, start)
    assert found is not None, "a gap was skipped before, so something is here"
    return Token("word" if _is_word(found[0]) else "junk", found[0], start, found.end())


def _is_word(piece: str) -> bool:
    """Return whether a piece is a word: a letter, then letters of any script, digits, hyphens or underscores."""
    marks = ("Mn", "Mc")  # vowel signs, for example, are no letters of their own
    return piece[0].isalpha() and all(c.isalnum() or c in "-_" or unicodedata.category(c) in marks for c in piece)


def _option(line: str, word: str, start: int, end: int) -> Token:
    """Return an option with its value, after a colon, an equals sign or a space; "unread" if none fits."""
    option = OPTIONS[word].value
    if found := option.read_at(line, end, r"\s,;>"):
        return Token("option", word, start, found[1], found[0])
    wrong = re.compile(r" ?[:=] ?[^\s,;>]*").match(line, end)
    if option.flag and (wrong is None or wrong[0].strip() in (":", "=")):
        return Token("option", word, start, wrong.end() if wrong else end, True)
    return Token("unread", word, start, wrong.end() if wrong else end)


def names_variant(line: str) -> bool:
    """Tell whether a normal line says in which variant, or edition, it is."""
    return re.search(r"(?<![^\s,;])variant\b", line) is not None


# Names of presets ---------------------------------------------------------------------------------------


def unknown_words(text: str) -> list[str]:
    """Return the pieces of a line that are not notation; they may be names of presets."""
    return [token.text for token in tokens(normal(text)[:LONGEST_LINE]) if token.kind in ("word", "junk")]


def may_name_a_preset(text: str) -> bool:
    """Tell whether a line may have the name of a preset."""
    return any(may_be_name(token) for token in tokens(normal(text)[:LONGEST_LINE]))


def may_be_name(token: Token) -> bool:
    """Tell whether a piece may be the name of a preset, which may be older than the same word of the notation."""
    bare = token.kind in ("option", "unread") and token.end - token.start == len(token.text)
    return token.kind in ("word", "junk") or bare
