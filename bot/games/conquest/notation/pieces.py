"""Splits the line of a conquest into numbers, names and options; see `bot.games.conquest.notation.reading`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.languages import _
from bot.maps.reading import load_maps
from bot.notation.dice_options import OPTIONS, QUESTION_WORDS, SYNONYMS
from bot.notation.lexer import tokens
from bot.notation.mistakes import MatchupError

OWN_OPTIONS = "leave", "rest", "value", "map"
"""Options with another form in conquests than in battles, or with none there."""
MOST = "most"
"""The word for the aim to take as many territories as possible."""

FORGOTTEN = "-", "none"
"""Marks that forget the number of a garrison."""
MOST_STRANGE = 1
"""The most unknown words of a line that is notation with a mistake."""

Kind = Literal["number", "name", "comma", "colon", "step"]
_PIECE = re.compile(
    r"(?P<chance>\d+(?:[.,]\d+)? ?%)|(?P<number>\d+(?:\.\d+)?)(?![\d.]*%)|(?P<step>-*>+)|(?P<comma>[,;])"
    r"|(?P<colon>[:=])|(?P<name>[^\W\d_][^\s,;:=>]*)|(?P<other>\S)"
)
NAMES = re.compile(r"[^\W\d_][^\s,;:=>\d]*(?: +[^\W\d_][^\s,;:=>\d]*)*")
"""Runs of words, each of which may be a name."""
_KEY = re.compile(r"[ :=]*([a-z0-9-]*)")


class Piece(NamedTuple):
    """A number, a name of one or several words, or a sign, with its place in the line."""

    kind: Kind
    text: str
    start: int
    end: int


@dataclass
class Parts:
    """The pieces of a line by what they belong to.

    Attributes:
        starts: The player's territories.
        targets: The territories to take; the signs `>` after the first are commas among them.
        steps: How many signs `>` there are.
        options: The pieces of "leave", "rest" and "value", each after the word itself.
        words: The words of options, by their name.
        map: The name of the map, and its place; None if the line names none.
        chance: The chance that is asked for; None if there is none.
        dice: The line with everything blank but the options of dice.
    """

    starts: list[Piece] = field(default_factory=list)
    targets: list[Piece] = field(default_factory=list)
    steps: int = 0
    options: dict[str, list[Piece]] = field(default_factory=dict)
    words: dict[str, Piece] = field(default_factory=dict)
    map: Piece | None = None
    chance: float | None = None
    dice: str = ""


def split_line(line: str) -> Parts:
    """Split a normal line into its parts; MatchupError points at a piece that means nothing."""
    parts, into, position = Parts(), None, 0
    spans: list[tuple[int, int]] = []
    while found := _PIECE.search(line, position):
        kind, text, start, position = str(found.lastgroup), found[0], found.start(), found.end()
        word = SYNONYMS.get(text, text)
        if kind == "other":
            raise MatchupError(line, start, position, _("I don't understand `{word}` here.", word=text))
        if kind == "chance":
            _note_word(line, parts, "chance", start, position)
            parts.chance = float(text.rstrip("% ").replace(",", ".")) / 100
        elif kind == "step":
            parts.steps += 1
            into = parts.targets
            if parts.steps > 1:
                into.append(Piece("comma", text, start, position))
        elif kind == "name" and text == MOST:
            _note_word(line, parts, MOST, start, position)
        elif kind == "name" and text == "map":
            parts.map = _read_key(line, position)
            _note_word(line, parts, "map", start, position := parts.map.end)
        elif kind == "name" and word in OWN_OPTIONS:
            _note_word(line, parts, word, start, position)
            into = parts.options[word] = []
            position = position + len(line[position:]) - len(line[position:].lstrip(" :="))
        elif kind == "name" and (word in OPTIONS or word in QUESTION_WORDS):
            position = start + next(tokens(line[start:])).end
            _note_word(line, parts, word, start, position)
            spans.append((start, position))
        else:
            _add(parts.starts if into is None else into, Piece(kind, text, start, position), line)  # type: ignore[arg-type]
    parts.dice = "".join(c if any(start <= at < end for start, end in spans) else " " for at, c in enumerate(line))
    _split_from(parts)
    return parts


def split_garrisons(line: str) -> tuple[list[Piece], Piece | None]:
    """Split a normal line of garrisons into its pieces and the name of its map; "-" and "none" stand for a number."""
    pieces: list[Piece] = []
    named, position = None, 0
    while found := _PIECE.search(line, position):
        kind, text, start, position = str(found.lastgroup), found[0], found.start(), found.end()
        if kind == "name" and text == "map" and named is None:
            named = _read_key(line, position)
            position = named.end
            continue
        if text in FORGOTTEN:
            kind = "number"
        if kind not in ("number", "name", "comma", "colon"):
            raise MatchupError(line, start, position, _("I don't understand `{word}` here.", word=text))
        _add(pieces, Piece(kind, text, start, position), line)  # type: ignore[arg-type]
    return pieces, named


def _read_key(line: str, position: int) -> Piece:
    """Return the name of a map that stands behind the word "map"."""
    found = _KEY.match(line, position)
    assert found is not None, "the pattern matches everything"
    return Piece("name", found[1], found.start(1), found.end(1))


def is_prose(line: str) -> bool:
    """Tell whether somebody says a line: it has several words that are no names, or no number where it begins."""
    names = [found[0].removeprefix("from ") for found in NAMES.finditer(line) if found[0] not in OPTIONS]
    strange = [name for name in names if not any(found.has(name) for found in load_maps().values())]
    return sum(len(name.split()) for name in strange) > MOST_STRANGE or not re.match(r"[^>:]*\d", line)


def _note_word(line: str, parts: Parts, word: str, start: int, end: int) -> None:
    """Remember where an option stands; MatchupError if it is there twice."""
    if word in parts.words:
        raise MatchupError(line, start, end, _("This is in the line twice."))
    parts.words[word] = Piece("name", line[start:end], start, end)


def _add(into: list[Piece], piece: Piece, line: str) -> None:
    """Add a piece; a word goes on with the name before it."""
    if piece.kind == "name" and into and into[-1].kind == "name" and not line[into[-1].end : piece.start].strip():
        before = into.pop()
        piece = Piece("name", line[before.start : piece.end], before.start, piece.end)
    into.append(piece)


def _split_from(parts: Parts) -> None:
    """Split "20 from siam: 3 2 1 1" where the targets begin, and take the word "from" off the names of starts."""
    colon = next((place for place, piece in enumerate(parts.starts) if piece.kind == "colon"), None)
    if not parts.steps and colon is not None:
        parts.targets = parts.starts[colon + 1 :]
        parts.starts = parts.starts[:colon]
        parts.steps = 1
    for place, piece in enumerate(parts.starts):
        if piece.kind == "name" and piece.text.startswith("from "):
            parts.starts[place] = piece._replace(text=piece.text[5:], start=piece.start + 5)


class Item(NamedTuple):
    """A name with its number, either of which may be missing; a `header` has the numbers after it."""

    name: Piece | None
    number: Piece | None
    header: bool = False

    @property
    def first(self) -> Piece:
        """The piece that stands first."""
        pieces = [piece for piece in (self.name, self.number) if piece]
        return min(pieces, key=lambda piece: piece.start)


def pair_items(pieces: Sequence[Piece]) -> Iterator[Item]:
    """Yield names with their numbers: "3 indonesia", "indonesia 3", "australia:" and "3"."""
    place = 0
    while place < len(pieces):
        here = pieces[place]
        after = [piece.kind for piece in pieces[place + 1 : place + 4]]
        place += 1
        if here.kind == "number" and after[:1] == ["name"] and after[1:2] != ["colon"]:
            yield Item(pieces[place], here)
            place += 1
        elif here.kind == "number":
            yield Item(None, here)
        elif here.kind == "name" and after[:1] == ["colon"]:
            yield Item(here, None, header=True)
            place += 1
        elif here.kind == "name" and after[:1] == ["number"]:
            yield Item(here, pieces[place])
            place += 1
        elif here.kind == "name":
            yield Item(here, None)
