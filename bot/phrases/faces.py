"""Reads the faces of icon dice in a phrase: "2 swords, 2 shields and 2 blanks" becomes an option of the notation."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.phrases.tokens import Token

FILLERS = {",", "/", "&", "+"}


class Faces(NamedTuple):
    """The faces of one die: the tokens that name them, and the faces in notation."""

    start: int
    end: int
    faces: tuple[str, ...]


def find_faces(
    tokens: Sequence[Token],
    words: Mapping[str, str],
    fillers: frozenset[str],
    number_at: Callable[[int], int | None],
    sided: Sequence[bool],
) -> list[Faces]:
    """Return the dice that the tokens describe.

    Args:
        tokens: The tokens of a phrase about icon dice.
        words: The faces by the words for them.
        fillers: Words that may stand between two faces, beside signs.
        number_at: Returns the number that a token stands for.
        sided: For each token whether it names a side's dice, and no face: "defence dice".
    """
    found: list[Faces] = []
    index = 0
    while index < len(tokens):
        die = _die_at(tokens, index, words, fillers, number_at, sided)
        if die:
            found.append(die)
            index = die.end
        else:
            index += 1
    return found


def _die_at(
    tokens: Sequence[Token],
    start: int,
    words: Mapping[str, str],
    fillers: frozenset[str],
    number_at: Callable[[int], int | None],
    sided: Sequence[bool],
) -> Faces | None:
    """Return the die whose first face is at a token; None if there are not two faces in a row."""
    faces: list[str] = []
    named = 0
    index = end = start
    while index < len(tokens):
        text = tokens[index].text
        count = number_at(index)
        face = index + 1
        while face < len(tokens) and tokens[face].text in fillers and not _face(tokens, face, words):
            face += 1  # "2 single attacks"
        following = _face(tokens, face, words) if count and count <= 12 else None
        here = _face(tokens, index, words) if not sided[index] else None
        if following and count:
            faces += [following[0]] * count
            named += 1
            index = end = following[1]
        elif here:
            faces.append(here[0])
            named += 1
            index = end = here[1]
        elif index > start and (text in FILLERS or text in fillers):
            index += 1
        else:
            break
    return Faces(start, end, tuple(faces)) if named > 1 else None


def _face(tokens: Sequence[Token], index: int, words: Mapping[str, str]) -> tuple[str, int] | None:
    """Return the face at a token and the index after it; the same sign twice without a gap is one face."""
    pair = tokens[index : index + 2]
    if len(pair) == 2 and pair[1].glued and pair[0].text == pair[1].text and pair[0].text in words:
        return words[pair[0].text] * 2, index + 2
    for size in (2, 1):
        text = " ".join(token.text for token in tokens[index : index + size])
        if text in words:
            return words[text], index + size
    text = tokens[index].text if index < len(tokens) else ""
    if len(text) == 1 and text.isalpha() and not _is_letter_of_die(tokens, index):
        return None  # an article, as in "a blank"
    letters = index > 0 and set(tokens[index - 1].text) <= {"a", "d"} and not tokens[index].glued
    if text == "-" and index and (tokens[index - 1].text in (",", "/", "-") or letters):
        return "-", index + 1
    if text and set(text) <= {"a", "d"} and len(text) <= 6:
        return text.upper(), index + 1
    return None


def _is_letter_of_die(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a single letter stands among other faces in letters, or among signs."""
    before = next((token.text for token in reversed(tokens[:index]) if token.text not in FILLERS), "")
    behind = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return (before != "" and set(before) <= {"a", "d"}) or not behind.isalpha() or set(behind) <= {"a", "d"}
