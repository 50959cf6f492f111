"""Brings a line to the form in which it is read, and splits it into pieces: numbers, signs, options by their rows."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from bot.languages import _
from bot.notation.dice_options import FIELDS, OPTIONS, SYNONYMS
from bot.notation.mistakes import MatchupError, nearest_value
from bot.notation.options import Option

LONGEST_TEXT = 2_000
"""The most characters of a text that is read as a line, as it was typed and with compatible characters written out."""


class ParsedOption(NamedTuple):
    """The value of an option, with its place in the line; `saved` if it comes from a preset."""

    value: Any
    start: int
    end: int
    saved: bool = False


Fields = dict[str, ParsedOption]
"""The fields of a line, by the keys of its game."""


class Token(NamedTuple):
    """A piece of the line, with its place.

    The kinds are "option", "unread" for an option without a value that it can have, "name" for a name that is known
    before, "word", "junk", and those of the lexer. The text of an option is the word of its row, perhaps with the
    letter of a side. The value is that of an option, else the match.
    """

    kind: str
    text: str
    start: int
    end: int
    value: Any = None


def normal(text: str) -> str:
    """Return a line as it is read: one form of letters, digits and signs, nothing invisible, nothing after an arrow."""
    return _normal(text[:LONGEST_TEXT])


@lru_cache(100)  # several games look at one line, one after the other
def _normal(text: str) -> str:
    """Return the form in which a text is read."""
    text = unicodedata.normalize("NFKC", text.partition("→")[0]).casefold()[:LONGEST_TEXT].translate(_SIGNS)
    text = "".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    text = _THOUSAND.sub(r"\1\2", text)
    return re.sub(r"^(/\w+(\s|$))?(matchup:)?", "", " ".join(text.split())).strip().rstrip("?!. ")


NUMBER = r"[+-]?\d+(?:[.,]\d+)?"
_SHARE = r"\d+(?:\.\d+)? ?%?"
UNITS_LEFT = r"units ?<=? ?\d+"
RETREAT_RULE = (
    rf"(?:{UNITS_LEFT}|profit ?< ?{NUMBER}|(?:win|destroy) ?< ?{_SHARE}|(?:air|clear) ?> ?{_SHARE}|"
    r"transports(?![^\s,;|]))"
)
"""A rule for retreating of Axis & Allies; several may be joined by strokes."""
LONGEST_LINE = 1_000
"""The most characters of a line, and of the canonical line of a battle."""


# The pieces ---------------------------------------------------------------------------------------------

_SIGNS = str.maketrans({"×": "x", "–": "-", "—": "-", "−": "-", "‐": "-", "`": " "})
_THOUSAND = re.compile(r"(?<![\w.,:=<>-])([1-9]\d{0,2}),(0\d\d)(?![\w.,%])")
"""A number such as "1,000"; without a nought behind the comma these are two."""
_COUNT_BEFORE = re.compile(r"\d+ ")
VERSUS = r"(?:vs\.?|v|versus|against)"
"""The words between the two sides."""
VERSUS_ALONE = re.compile(rf"(?<![^\s,;]){VERSUS}(?![^\W\d_])")
"""Such a word that is no part of another one."""


@dataclass(frozen=True)
class Lexer:
    """Splits the lines of a game into pieces, and reads the options among these by their rows.

    Attributes:
        forms: The kinds of pieces that are no options, with the functions that match one at a place of the line, in the
            order in which they are tried. A "sign" comes only behind a "number".
        options: The rows by all words that they answer to.
        synonyms: The words that other words stand for.
        keys: The field that each word sets; "{side}" stands for the side where it is.
        word: The form of an option's word.
        other: The form of a piece that is nothing of these.
        gap: The form of text that only separates pieces.
        wrong: The form of text that follows an option but is no value of it.
        ends: The characters before which a value ends.
        bare: Whether a flag may have a sign without a value behind it.
        letters: Whether errors name an option with the letter of its side.
    """

    forms: tuple[tuple[str, Callable[[str, int], re.Match[str] | None]], ...]
    options: Mapping[str, Option]
    synonyms: Mapping[str, str]
    keys: Mapping[str, str]
    word: re.Pattern[str]
    other: re.Pattern[str]
    gap: re.Pattern[str]
    wrong: re.Pattern[str]
    ends: str
    bare: bool
    letters: bool

    def tokens(self, line: str, names: Mapping[int, int] = MappingProxyType({})) -> Iterator[Token]:
        """Split a normal line into pieces; each of the `names`, from a place to another, is one."""
        position, before = 0, ""
        while position < len(line):
            if gap := self.gap.match(line, position):
                position = gap.end()
                continue
            if end := names.get(position):
                token = Token("name", line[position:end], position, end)
            else:
                token = self._token(line, position, before)
            yield token
            position, before = token.end, token.kind

    def _token(self, line: str, start: int, before: str) -> Token:
        """Return the piece that begins at a place, behind one of the kind `before`."""
        for kind, match in self.forms:
            if (kind != "sign" or before == "number") and (piece := match(line, start)):
                return Token(kind, piece[0], start, piece.end(), piece)
        if piece := self.word.match(line, start):
            word = self.synonyms.get(piece[0], piece[0])
            if word in self.options:
                return self._option(line, word, start, piece.end())
        piece = self.other.match(line, start)
        assert piece is not None, "a gap was skipped before, so something is here"
        return Token("word" if _is_word(piece[0]) else "junk", piece[0], start, piece.end(), piece)

    def _option(self, line: str, word: str, start: int, end: int) -> Token:
        """Return an option with its value, after a colon, an equals sign or a space; "unread" if none fits."""
        value = self.options[word].value
        if _COUNT_BEFORE.fullmatch(line, 0, start) and line.startswith(": ", end):
            return Token("unread", word, start, end)  # "2 bombers: 12 vs 9" counts the bombers
        if reading := value.read_at(line, end, self.ends):
            return Token("option", word, start, reading[1], reading[0])
        wrong = self.wrong.match(line, end)
        last = wrong.end() if wrong else end
        if value.flag and (wrong is None or (self.bare and wrong[0].strip() in (":", "="))):
            return Token("option", word, start, last, True)
        return Token("unread", word, start, last)

    def read_option(self, line: str, token: Token, side: str) -> tuple[str, ParsedOption]:
        """Return the field that an option on a side of the line sets, and its value; MatchupError if it has none."""
        if token.kind == "option":
            return self.keys[token.text].format(side=side), ParsedOption(token.value, token.start, token.end)
        option, typed = self.options[token.text], line[token.start : token.end]
        word = token.text if self.letters else option.word
        name = re.split(" ?[:=]", typed)[0]
        name = name if name in option.synonyms and not self.letters else word
        reason = _("`{name}:` needs {wanted}.", name=name, wanted=_(option.value.wanted))
        raise MatchupError(line, token.start, token.end, reason, nearest_value(word, typed, option.offers))


def put(line: str, fields: Fields, key: str, field: ParsedOption, option: Option | None = None) -> None:
    """Set a field of a line, which may stand there once, unless it is a list that may be said in parts."""
    before = fields.get(key)
    if before and not before.saved:
        if option is None or not option.repeatable:
            raise MatchupError(line, field.start, field.end, _("This is in the line twice."))
        field = field._replace(value=(*before.value, *field.value))
    fields[key] = field


def chance_of(token: Token) -> float:
    """Return the chance of a piece such as "80%"."""
    return float(token.text.rstrip("% ").replace(",", ".")) / 100


DICE = Lexer(
    forms=(
        ("chance", re.compile(r"\d+(?:[.,]\d+)? ?%(?=[\s,;>]|$)").match),
        ("number", re.compile(r"\d+(?=v|x|-|[:/]\s*\d|against|[\s,;>]|$)").match),
        ("step", re.compile(r"-*>+").match),
        ("sign", re.compile(r"[x:/-](?=\s*\d)").match),
        ("versus", re.compile(rf"{VERSUS}(?=\d|[\s,;]|$)").match),
    ),
    options=OPTIONS,
    synonyms=SYNONYMS,
    keys=FIELDS,
    word=re.compile(r"[^\W\d_][\w-]*"),
    other=re.compile(r"[^\s,;>]+"),
    gap=re.compile(r"[\s,;]+"),
    wrong=re.compile(r" ?[:=] ?[^\s,;>]*"),
    ends=r"\s,;>",
    bare=True,
    letters=True,
)
"""The lexer of lines about dice, by which names of presets are looked for in all lines."""
tokens = DICE.tokens


def _is_word(piece: str) -> bool:
    """Return whether a piece is a word: a letter, then letters of any script, digits, hyphens or underscores."""
    marks = ("Mn", "Mc")  # vowel signs, for example, are no letters of their own
    return piece[0].isalpha() and all(c.isalnum() or c in "-_" or unicodedata.category(c) in marks for c in piece)


def names_variant(line: str) -> bool:
    """Tell whether a normal line says in which variant, or edition, it is."""
    return re.search(r"(?<![^\s,;])variant\b", line) is not None


# Words about all of a line -------------------------------------------------------------------------------------------

DEFEND = "defend"
"""Says that the dice are those of a defender."""
_DEFENDS = re.compile(r"(?<![^\s,;])(?:defend(?:s|ing)?|on defen[cs]e|in defen[cs]e)(?![^\s,;])")


def take_defend(text: str) -> tuple[str, bool]:
    """Return a line without the word that says that its dice defend, and whether it was there."""
    line = normal(text)
    word = _DEFENDS.search(line)
    if word is None:
        return text, False
    return f"{line[: word.start()].rstrip()} {line[word.end() :].lstrip()}".strip(), True


TABLES = ("rounds", "stop")
"""The options whose bare words ask /table for a table of their own."""
_BARE = re.compile(rf"(?<![^\s,;])({'|'.join(TABLES)})(?![^\s,;])(?! ?[:=]| \d| all\b)")


def take_table(text: str) -> tuple[str, str]:
    """Return a line without the bare word that asks for a table of its own, and that word; "" if there is none."""
    line = normal(text)
    word = _BARE.search(line)
    if word is None:
        return text, ""
    return f"{line[: word.start()].rstrip()} {line[word.end() :].lstrip()}".strip(), word[1]


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
