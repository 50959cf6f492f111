"""Splits the line of a conquest into numbers, names and options; see `bot.games.conquest.notation.reading`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.languages import _
from bot.maps.reading import load_maps
from bot.notation.asked_ends import TYPED as ASKED_ENDS
from bot.notation.asked_ends import WORDS
from bot.notation.dice_options import COUNT, OPTIONS, QUESTION_WORDS
from bot.notation.lexer import DICE, Fields, ParsedOption, Token, chance_of, put
from bot.notation.mistakes import MatchupError
from bot.notation.options import Option, by_word
from solver.conquest.holding import FAR, HOLDING_FIELDS

MOST = "most"
"""The word for the aim to take as many territories as possible."""
_BEHIND = COUNT._replace(form="")
"""Numbers, perhaps with names: all that stands behind the word."""
OWN_OPTIONS = by_word(
    (
        Option("rest", _BEHIND, offers=("1",)),
        Option(MOST, _BEHIND._replace(flag=True)),
        Option("leave", _BEHIND, offers=("2",)),
        Option("value", _BEHIND, field="values"),
        Option("hold", _BEHIND, offers=("3",)),
        Option("counter", _BEHIND),
    )
)
"""Options with another form in conquests than in battles, or with none there."""

HOLD, COUNTER, FORTIFY = HOLDING_FIELDS
PLACE = "place"
"""The word before the number of new armies, of which is asked where they go."""
ASKED = "asked"
"""The kind of the sign `?`, which stands for a number that is asked for."""
FORGOTTEN = "-", "none"
"""Marks that forget the number of a garrison."""
MOST_STRANGE = 1
"""The most unknown words of a line that is notation with a mistake."""
NAMES = re.compile(r"[^\W\d_][^\s,;:=>\d]*(?: +[^\W\d_][^\s,;:=>\d]*)*")
"""Runs of words, each of which may be a name."""
_NAME = r"[^\W\d_][^\s,;:=>]*"
_FORTIFIES = re.compile(rf"(?:(?:and )?then )?fortify(?:(?: ?[:=] ?| (?={FAR}\b))([a-z0-9]*)(?! ?[:=]))?(?![^\s,;>])")
_OF_HOLDING = re.compile(rf"(?<![^\s,;])(?:{_FORTIFIES.pattern}|(?:{HOLD}|{COUNTER})(?= ?[:=]|$))")
_SIGNS = (
    ("chance", re.compile(r"\d+(?:[.,]\d+)? ?%").match),
    ("number", re.compile(r"\d+(?:\.\d+)?(?![\d.]*%)").match),
    ("step", re.compile(r"-*>+").match),
    ("comma", re.compile(r"[,;]").match),
    ("colon", re.compile(r"[:=]").match),
    (ASKED, re.compile(r"\?").match),
    (PLACE, re.compile(r"place ?[:=] ?([^\s,;>]*)").match),
    (FORTIFY, _FORTIFIES.match),
    ("map", re.compile(r"map(?![^\s,;:=>])[ :=]*([a-z0-9-]*)").match),
)
_OTHER_WORDS = "|".join(QUESTION_WORDS.keys() - OPTIONS.keys())
_OF_DICE = {word: row for word, row in OPTIONS.items() if word not in ASKED_ENDS}
"""Without words that may be those of names, such as "Lost Valley"."""
LEXER = replace(
    DICE,
    forms=(
        *_SIGNS,
        ("refused", re.compile(rf"({_OTHER_WORDS})(?![^\s,;:=>])[^\s,;>]*").match),
        ("refused", re.compile(rf"({'|'.join(WORDS)}) ?[:=][^\s;>]*").match),
    ),
    options=_OF_DICE | OWN_OPTIONS,
    word=re.compile(_NAME),
    other=re.compile(rf"{_NAME}|\S"),
    gap=re.compile(r"\s+"),
)
"""The lexer of conquests: words that are nothing else are names, and commas are pieces too."""
_OF_GARRISONS = replace(LEXER, forms=_SIGNS, options={})


@dataclass
class Parts:
    """The pieces of a line by what they belong to.

    Attributes:
        starts: The player's territories.
        targets: The territories to take; the signs `>` after the first are commas among them.
        steps: How many signs `>` there are.
        options: The pieces of "leave", "rest" and "value", each after the word itself.
        words: The words of options with their values, by the words of their rows.
        map: The name of the map, and its place; None if the line names none.
        chance: The chance that is asked for; None if there is none.
        place: The number of new armies, of which is asked where they go; None if there is none.
        dice: The options of dice.
    """

    starts: list[Token] = field(default_factory=list)
    targets: list[Token] = field(default_factory=list)
    steps: int = 0
    options: dict[str, list[Token]] = field(default_factory=dict)
    words: Fields = field(default_factory=dict)
    map: Token | None = None
    chance: float | None = None
    place: Token | None = None
    dice: list[Token] = field(default_factory=list)


def split_line(line: str) -> Parts:
    """Split a normal line into its parts; MatchupError points at a piece that means nothing.

    A sign `?` stands for the number of a start alone. The one at the end of a question is no part of a normal line.
    """
    parts = Parts()
    into = parts.starts
    for token in LEXER.tokens(line):
        if token.kind == "step":
            parts.steps += 1
            into = parts.targets
            if parts.steps > 1:
                into.append(token._replace(kind="comma"))
        elif token.kind in ("option", "unread", "refused", "map", "chance", PLACE, FORTIFY):
            word = _note_option(line, parts, token)
            into = parts.options.get(word, into)
        elif token.kind != "colon" or all(pieces or into is not pieces for pieces in parts.options.values()):
            _add(into, token, line)
    _split_from(parts)
    if wrong := _pieces_out_of_place(parts):
        raise _not_understood(line, wrong[0])
    return parts


def _pieces_out_of_place(parts: Parts) -> list[Token]:
    """Return each `?` that is no number of a start, a comma before all starts, and a sign `>` behind all targets."""
    wrong = [piece for pieces in (parts.targets, *parts.options.values()) for piece in pieces if piece.kind == ASKED]
    wrong += [piece for piece in parts.starts[:1] if piece.kind == "comma"]
    return wrong + [piece for piece in parts.targets[-1:] if piece.text.endswith(">")]


def _note_option(line: str, parts: Parts, token: Token) -> str:
    """Note an option of a line, which may stand there once, and return its word."""
    refused = token.value[1] if token.kind == "refused" else ""
    of_kind = {"map": "map", "chance": "chance", PLACE: PLACE, FORTIFY: FORTIFY, "refused": refused}
    word = of_kind.get(token.kind, token.text)
    put(line, parts.words, word, ParsedOption(token.value, token.start, token.end))
    if token.kind == "map":
        parts.map = _map_name(token)
    elif token.kind == "chance":
        parts.chance = chance_of(token)
    elif token.kind == PLACE:
        parts.place = Token("number", token.value[1], *token.value.span(1))
    elif word in OWN_OPTIONS and word != MOST:
        parts.options[word] = []
    elif word not in (MOST, FORTIFY) and token.kind != "refused":
        parts.dice.append(token)
    return word


def split_garrisons(line: str) -> tuple[list[Token], Token | None]:
    """Split a normal line of garrisons into its pieces and the name of its map; "-" and "none" stand for a number."""
    pieces: list[Token] = []
    named: Fields = {}
    for token in _OF_GARRISONS.tokens(line):
        if token.kind == "map":
            put(line, named, "map", ParsedOption(_map_name(token), token.start, token.end))
        elif token.text in FORGOTTEN:
            pieces.append(token._replace(kind="number"))
        elif token.kind in ("step", "chance"):
            raise _not_understood(line, token)
        else:
            _add(pieces, token, line)
    return pieces, named["map"].value if named else None


def _map_name(token: Token) -> Token:
    """Return the name of a map, behind the word "map"."""
    return Token("name", token.value[1], *token.value.span(1))


def _not_understood(line: str, token: Token) -> MatchupError:
    """Return the error for a sign that means nothing in a place."""
    return MatchupError(line, token.start, token.end, _("I don't understand `{word}` here.", word=token.text))


def is_prose(line: str) -> bool:
    """Tell whether somebody says a line: it has several words that are no names, or no number where it begins."""
    runs = NAMES.finditer(_OF_HOLDING.sub(",", line))
    names = [known[0].removeprefix("from ") for known in runs if known[0] not in OPTIONS]
    strange = [name for name in names if not any(known.has(name) for known in load_maps().values())]
    return sum(len(name.split()) for name in strange) > MOST_STRANGE or not re.match(r"[^>:]*\d", line)


def _add(into: list[Token], token: Token, line: str) -> None:
    """Add a piece; a word is a name, or goes on with the one before it."""
    if token.kind in ("word", "junk"):
        if not token.text[0].isalpha():
            raise _not_understood(line, token)
        start = token.start
        if into and into[-1].kind == "name" and not line[into[-1].end : start].strip():
            start = into.pop().start
        token = Token("name", line[start : token.end], start, token.end)
    into.append(token)


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

    name: Token | None
    number: Token | None
    header: bool = False

    @property
    def first(self) -> Token:
        """The piece that stands first."""
        pieces = [piece for piece in (self.name, self.number) if piece]
        return min(pieces, key=lambda piece: piece.start)


def pair_items(pieces: Sequence[Token]) -> Iterator[Item]:
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
