"""Lines without a map: "12, 8 > 9 > 4", several fronts next to the first of territories in a row."""

import re
from functools import lru_cache
from itertools import pairwise

from bot.games.conquest.notation.pieces import ASKED, Parts
from bot.languages import _
from bot.maps.map import Border, Map, Names, Territory
from bot.notation.lexer import Token
from bot.notation.mistakes import MatchupError

MOST_FRONTS, MOST_IN_ROW = 6, 12
"""The most fronts and the most territories in a row."""
NAMELESS = "fronts"
"""The key of such a map, which no file has."""
_LINE = re.compile(r"(?:\d+|\?)(?: ?, ?(?:\d+|\?))+(?: [a-z]+[:=][^\s,>]+)* ?-*>")
_WORDS = {
    "en": ("front", "the target", "target"),
    "de": ("Front", "das Ziel", "Ziel"),
    "es": ("frente", "el objetivo", "objetivo"),
    "ru": ("фронт", "цель", "цель"),
}
"""The words for a front, for the only target and for one of several, in each language."""


def has_fronts(line: str) -> bool:
    """Tell whether a normal line begins with the numbers of several fronts: "12, 8 > 9"."""
    return bool(_LINE.match(line))


@lru_cache(maxsize=MOST_FRONTS * MOST_IN_ROW)
def map_of_fronts(fronts: int, targets: int) -> Map:
    """Return the map on which so many fronts border the first of so many territories in a row."""
    ours = [f"front_{place}" for place in range(1, fronts + 1)]
    theirs = [f"target_{place}" for place in range(1, targets + 1)]
    territories = {}
    for place, key in enumerate(ours, start=1):
        territories[key] = Territory(key, _names(key, 0), (0.0, 100 * place / (fronts + 1)))
    for place, key in enumerate(theirs, start=1):
        territories[key] = Territory(key, _names(key, 2 if targets > 1 else 1), (100 * place / targets, 50.0))
    borders = [Border(key, theirs[0]) for key in ours]
    borders += [Border(here, there) for here, there in pairwise(theirs)]
    return Map(NAMELESS, dict.fromkeys(_WORDS, ""), "", territories, {}, tuple(borders))


def _names(key: str, word: int) -> dict[str, Names]:
    """Return the names of a territory: a word with its number; the only target has no number."""
    number = key.partition("_")[2]
    if word == 1:
        return {code: Names(words[1], words[2]) for code, words in _WORDS.items()}
    return {code: Names(f"{words[word]} {number}", f"{words[word]} {number}") for code, words in _WORDS.items()}


def name_fronts(line: str, parts: Parts) -> Map:
    """Put a name before each number of a line without names, and return the map with these names.

    Args:
        line: The line.
        parts: Its parts, which are changed.

    Raises:
        MatchupError: The line has something that only territories with names can have.
    """
    for word, piece in parts.words.items():
        if word in ("map", "value", "rest", "counter"):
            reason = _("`{word}` works only with territories that have names.", word=word)
            raise MatchupError(line, piece.start, piece.end, reason)
    if not parts.targets:
        reason = _("How many armies hold the territory? For example `12, 8 > 9`.")
        raise MatchupError(line, len(line), len(line) + 1, reason)
    parts.starts = _with_names(line, parts.starts, "front", MOST_FRONTS)
    parts.targets = _with_names(line, parts.targets, "target", MOST_IN_ROW)
    fronts, targets = (sum(piece.kind == "name" for piece in pieces) for pieces in (parts.starts, parts.targets))
    return map_of_fronts(fronts, targets)


def _with_names(line: str, pieces: list[Token], kind: str, most: int) -> list[Token]:
    """Return pieces with a name before each number, and in place of each sign `?`."""
    named: list[Token] = []
    for place, piece in enumerate(pieces):
        wanted = ("comma",) if place % 2 else ("number", ASKED)
        if piece.kind not in wanted or (piece.kind == "comma" and (piece.text == ">") != (kind == "target")):
            reason = _("Fronts have a comma between them, territories in a row have `>`: `12, 8 > 9 > 4`.")
            raise MatchupError(line, piece.start, piece.end, reason)
        if place >= 2 * most:
            reason = _(
                "Without names there can be up to {fronts} fronts and {targets} territories.",
                fronts=MOST_FRONTS,
                targets=MOST_IN_ROW,
            )
            raise MatchupError(line, piece.start, piece.end, reason)
        if piece.kind != "comma":
            key = f"{kind} {place // 2 + 1}"
            named.append(Token("name", key, piece.start, piece.start if piece.kind == "number" else piece.end))
        named += [piece] * (piece.kind != ASKED)
    return named
