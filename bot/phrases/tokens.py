"""Splits a phrase into tokens: numbers, chances, kinds of dice, words and signs, with their places in the text."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

SIDES = {"a": "attacker", "d": "defender"}
"""The letters for sides."""
TURNS = ("r", "g", "j", "uk", "us", "usa", "it", "ger", "rus", "jap", "t")
"""The letters before the number of a turn in Axis & Allies: "G1" is Germany's first turn."""
LAST_TURN = 20
DAY = 24
QUARTERS = ("00", "15", "30", "45")
"""The minutes of times: "is 8:30 ok?" is about no battle."""
LONGEST_PHRASE = 600
"""The most characters of a phrase. Longer ones are no battle lines; the time to read one grows with its length."""
MOST_TOKENS = 120
"""The most words, numbers and signs of a phrase."""


class Token(NamedTuple):
    """A piece of a phrase.

    Attributes:
        text: The text as it is compared, in small letters.
        start: Its first character in the normal text.
        end: The end of it there.
        number: The value of a number; None for all others.
        chance: The value of a chance such as "90%"; None for all others.
        die: The sides of a die such as "d8"; None for all others.
        glued: Whether it follows the token before it without a gap.
    """

    text: str
    start: int
    end: int
    number: int | None = None
    chance: str = ""
    die: int | None = None
    glued: bool = False


_FOLDED = str.maketrans(
    {"’": "'", "‘": "'", "`": "'", "´": "'", "–": "-", "—": "-", "−": "-", "‐": "-", "×": "x", "ё": "е"}
)
_PIECE = re.compile(
    r"(?P<chance>\d+(?:[.,]\d+)?\s?(?:%|percent\b|per cent\b|prozent\b|por ciento\b|процент\w*)"
    r"|(?<![\w.,])0[.,]\d{1,4}(?![\w.,]\d))"
    r"|(?P<die>(?<![^\W_])[dдк](?P<sides>\d+)(?:er|s)?(?![^\W_]))"
    r"|(?P<decimal>(?<!\d,)\d+[.,]\d+(?!\w|,\d))"
    r"|(?P<number>\d+)(?:-(?:ю|мя|ми|ти|х|и)(?![^\W_]))?"
    r"|(?P<short>(?<![^\W_])w/(?!\d))"
    r"|(?P<word>[^\W\d_]+(?:['-][^\W\d_]+)*'?)"
    r"|(?P<newline>\n)"
    r"|(?P<arrow>-+>+|=+>+)"
    r"|(?P<sign>\S)"
)
_RAISED = re.compile("[²³¹⁰⁴-⁹½¼¾⅓⅔]")
"""Numbers that would become part of the number before them, and mean something else."""
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u00ad]")


_MENTION = re.compile(r"<(?:[@#][!&]?|a?:\w+:|t:|id:\w+:)\d+(?::\w)?>")
"""The marks by which Discord names people, channels, emoji and times."""


_THOUSANDS = re.compile(
    r"(?<![\w.,':=<>-])[1-9]\d{0,2}"
    r"(?:([.,'])\d{3}(?:\1\d{3})*|(?: 0\d\d)*(?: \d{3}(?= (?:vs?|gegen|contra|против)\b))?)"
    r"(?!\w|[.,]\d| ?%)"
)
"""Numbers with a mark or a gap between thousands: "1,000", "1.000", "1'000" and "1 000", and "1 500" before "vs"."""
_KILO = re.compile(r"(?<![\w.,:=<>-])(\d{1,4})(?:[.,](\d))? ?k(?!\w)")


def normal_phrase(text: str) -> str:
    """Return a phrase in one form of letters, signs and numbers, in small letters; line breaks stay."""
    text = _MENTION.sub(" ", text[: LONGEST_PHRASE + 1])
    text = _RAISED.sub(" ^ ", text)
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    text = text.casefold().translate(_FOLDED).strip()
    text = _THOUSANDS.sub(lambda number: re.sub("[., ']", "", number[0]), text)
    return _KILO.sub(lambda number: f"{number[1]}{number[2] or 0}00", text)


def tokens_of(phrase: str) -> list[Token]:
    """Split a normal phrase into tokens."""
    tokens: list[Token] = []
    for piece in _PIECE.finditer(phrase):
        kind, text = piece.lastgroup, piece[0]
        glued = piece.start() > 0 and not phrase[piece.start() - 1].isspace()
        number = die = None
        chance = ""
        if kind == "number":
            number = int(piece["number"]) if len(text) < 12 else 10**11
        elif kind == "chance":
            part = re.match(r"[\d.,]+", text)[0].replace(",", ".")  # type: ignore[index]
            chance = f"{float(part) * 100:.10g}%" if part == text.replace(",", ".") else f"{part}%"
        elif piece["sides"]:
            die = int(piece["sides"]) if len(piece["sides"]) < 6 else 10**5
        tokens.append(Token(text, piece.start(), piece.end(), number, chance, die, glued))
    return tokens


def spell_sides(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens with the letters before both numbers as the sides they stand for: "A: 14, D: 9"."""
    named: dict[int, str] = {}
    for index, token in enumerate(tokens):
        behind = [other for other in tokens[index + 1 : index + 3] if other.text not in (":", "=", "-")]
        apart = behind and (not behind[0].glued or behind[0] is not tokens[index + 1])
        if token.text in SIDES and apart and behind[0].number is not None:
            named[index] = SIDES[token.text]
    if sorted(named.values()) != sorted(SIDES.values()):
        return list(tokens)
    return [token._replace(text=named.get(index, token.text)) for index, token in enumerate(tokens)]


def drop_turns(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens without turns: "R1 West Russia: 9 inf vs 3 inf" is Russia's first.

    One right before a number may be the name of a preset, which is one word: "t1 2 tra vs 2 des".
    """
    first = tokens[0]._replace(text=f"{tokens[0].text}{tokens[1].text}") if _may_be_turn(tokens, 0) else None
    if first and tokens[2].number is not None:
        return [first, *tokens[2:]]
    turns = {index for index in range(len(tokens)) if _is_turn(tokens, index)}
    return [token for index, token in enumerate(tokens) if not {index, index - 1} & turns]


def _is_turn(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a turn is named, at the beginning of a phrase or in front of a mark."""
    behind_name = index > 0 and tokens[index - 1].text.isalpha() and len(tokens[index - 1].text) > 1
    marked = tokens[index + 2 : index + 3] and tokens[index + 2].text in (":", "-", ",")
    return _may_be_turn(tokens, index) and (index == 0 or behind_name or bool(marked))


def _may_be_turn(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether the letters and the number of a turn stand at an index, in front of more words."""
    three = tokens[index : index + 3]
    named = len(three) == 3 and three[0].text in TURNS and three[1].glued
    return named and 0 < (three[1].number or LAST_TURN) < LAST_TURN


def drop_times(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens without times, where two other numbers may be a battle: "it's 23:45, 7 on 5"."""
    times = {place for index in range(len(tokens)) if is_time(tokens, index) for place in range(index, index + 3)}
    rest = [token for index, token in enumerate(tokens) if index not in times]
    return rest if sum(token.number is not None for token in rest) == 2 else list(tokens)


def is_time(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether the tokens from an index on may be a time of the day, such as "8:30"."""
    three = tokens[index : index + 3]
    glued = len(three) == 3 and three[1].text == ":" and three[1].glued and three[2].glued
    return glued and (three[0].number or DAY) < DAY and three[2].text in QUARTERS
