"""The words of the notation: splits a line into pieces, and says what options and their values look like."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from bot.languages import N_
from solver.dice.faces import BLANKS

LONGEST_TEXT = 2_000
"""The most characters of a text that is read as a line, as it was typed and with compatible characters written out."""

CLASSIC = "classic"
"""The value of "variant:" for classic Risk, in places where another game is usual."""


class Option(NamedTuple):
    """An option: the form of its value, how to read it, how to describe it, and values to offer.

    A `flag` may stand alone, and then means yes.
    """

    form: str
    read: Callable[[str], Any]
    wanted: str
    offers: tuple[str, ...] = ()
    flag: bool = False


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


# What the words mean ------------------------------------------------------------------------------------


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"-?\d+", text.replace("+", "")))


def _faces(text: str) -> tuple[str, ...]:
    return tuple(re.split("[,/]", re.sub(rf"[][ {_QUOTES}]", "", text)))


def _clamp(text: str) -> tuple[int, ...] | None:
    return None if text == "none" else tuple(int(end) for end in re.split(r"(?<=\d) ?(?:\.\.|-) ?", text))


def _reshape(text: str) -> tuple[float, ...] | None:
    return None if text == "none" else tuple(float(number) for number in text.split(","))


_COUNT = Option(r"\d+", int, N_("a whole number"), ("1", "2", "3"))
_ROUNDS = Option(
    r"\d+|all",
    lambda text: None if text == "all" else int(text),
    N_("a whole number, or all for no limit"),
    ("1", "2", "3", "all"),
)
_DICE = Option(r"d?\d+(?: ?, ?d?\d+)*", _numbers, N_("the sides of each die, such as 8,6,6"), ("8,6,6", "8,8"))
_BONUS = Option(
    r"[+-]?\d+(?: ?, ?[+-]?\d+)*", _numbers, N_("a bonus for the highest dice, such as 1 or 1,1"), ("1", "1,1")
)
_CLAMP = Option(
    r"-?\d+ ?(?:\.\.|-) ?-?\d+|none", _clamp, N_("the lowest and the highest value, such as 1..6, or none"), ("1..6",)
)
# The faces of a die. In a run of commas each empty place is a blank face, the last too; a single comma at the end of a
# list means nothing. A list must not end early: what follows a run of commas is a face or the end of the word.
_QUOTES = "\"'“”‘’"
_LETTERS = rf"(?:[ad]+|{'|'.join(filter(None, BLANKS))})"
_FACE = rf"{_LETTERS}(?=[\s,/;>]|$)"
_RUN = r" ?[,/](?: ?[,/])+(?! ?[,/])"
_NEXT = rf"(?: ?[,/](?: ?[,/])* ?{_FACE})"
_TAIL = rf"(?:{_RUN}|(?!{_RUN}))"
_QUOTED = rf"[{_QUOTES}]{_LETTERS}?[{_QUOTES}]"
_JSON = rf"\[ ?{_QUOTED}(?: ?, ?{_QUOTED})+ ?\]"
_ICONS = Option(
    rf"(?:[,/] ?){{2,}}{_FACE}{_NEXT}*+{_TAIL}|{_FACE}(?:{_NEXT}++{_TAIL}|{_RUN})|{_JSON}",
    _faces,
    N_(
        "the faces of a die with commas between them: A for attack, D for defence, - for blank, such as AAD,ADD,A,D,-,-"
    ),
    ("aad,add,a,d,-,-", "aa,a,d,dd"),
)
_CAPS = Option(
    r"\d+ ?[vx-] ?\d+",
    lambda text: _numbers(text.replace("-", " ")),
    N_("the dice of both sides, such as 2v1"),
    ("2v2", "1v1", "4v3"),
)
_TIES = Option(
    r"attackers?|defenders?|both|neither|none",
    lambda text: "neither" if text == "none" else text.removesuffix("s"),
    N_("attacker, defender, both or neither"),
    ("attacker", "both", "neither"),
)
_PART = r"(?:\d+(?:\.\d+)?|\.\d+)"
_RESHAPE = Option(rf"none|{_PART}(?: ?, ?{_PART}){{3}}", _reshape, N_("four numbers, as in 0.05,1.3,0.1,1.8, or none"))
_NAME = Option(r"[a-z0-9]+(?:-[a-z0-9]+)*", str, N_("the name of a variant, such as 2210"))
_FLAG = Option(r"yes|no|on|off|true|false", lambda text: text in ("yes", "on", "true"), N_("yes or no"), flag=True)

ENDS = "chance", "money", "winner"
"""The orders in which all ends of a battle can be asked for, the usual one first."""


def _order(text: str) -> str | bool:
    """Return the order named after "all"; True for the usual one, False for none."""
    order = {"profit": "money"}.get(text, text)
    return order if order in ENDS else text in ("yes", "on", "true")


def order_of(asked: str | bool | None) -> str:
    """Return the order of the list of all ends, from the value of "all"; "" if nobody asks for it."""
    return ENDS[0] if asked is True else asked or ""


ALL = Option(
    rf"{'|'.join(ENDS)}|profit|yes|no|on|off|true|false", _order, N_("chance, money or winner, or nothing"), flag=True
)
"""The option that asks for all ends, with their order."""

SIDED = {
    "fighters": _COUNT,
    "bombers": _COUNT,
    "capitals": _COUNT,
    "rerolls": _COUNT,
    "bonus": _BONUS,
    "clamp": _CLAMP,
    "icons": _ICONS,
}
SHARED = {
    "dice": _CAPS,
    "ties": _TIES,
    "late": _FLAG,
    "variant": _NAME,
    "reshape": _RESHAPE,
    "stop": _COUNT,
    "reserve": _COUNT,
    "rounds": _ROUNDS,
    "value": _COUNT,
    "behind": _COUNT,
    "leave": Option(
        r"\d+(?: ?, ?\d+)*", _numbers, N_("the armies that stay in each territory, such as 1 or 1,3"), ("1",)
    ),
    "exact": _FLAG,
    "advice": _FLAG,
    "all": ALL,
}

QUESTION_WORDS = {
    "exact": N_("`exact` works with `/battle`."),
    "advice": N_("`advice` works with `/battle`: it says whether fewer dice are better."),
    "all": N_("`all` works with `/battle` (every ending) and `/dice` (all rounds of a fleet)."),
    "chance": N_("A chance such as `80%` works with `/need`."),
    "side": N_("`side` works with `/need`: it says whose units to choose from."),
    "least": N_("`least` works with `/need`: it says which units come anyway."),
    "survive": N_("`survive` works with `/need`: it asks for survivors instead of a win."),
}
"""Options about the question rather than the battle, and the refusal of a command that does not take them."""

# Every word an option answers to, with the field it sets; "{side}" stands for the side the word belongs to.
OPTIONS: dict[str, tuple[str, Option]] = {
    **{name: (f"{{side}}.{name}", option) for name, option in SIDED.items()},
    **{f"a{name}": (f"attack.{name}", option) for name, option in (SIDED | {"dice": _DICE}).items()},
    **{f"d{name}": (f"defence.{name}", option) for name, option in (SIDED | {"dice": _DICE}).items()},
    **{name: (name, option) for name, option in SHARED.items()},
}
ALSO = {word.removesuffix("s"): word for word in OPTIONS if word.endswith("s") and word != "bonus"}
ALSO |= {"reserves": "reserve"}

LISTS = (_DICE, _BONUS, _ICONS, SHARED["leave"])
"""Options whose value is a list: commas join it."""

# The pieces ---------------------------------------------------------------------------------------------

_SIGNS = str.maketrans({"×": "x", "–": "-", "—": "-", "−": "-", "‐": "-", "`": " "})
_THOUSAND = re.compile(r"(?<![\w.,:=<>-])([1-9]\d{0,2}),(0\d\d)(?![\w.,%])")
"""A number such as "1,000"; without a nought behind the comma these are two."""
_GAP = re.compile(r"[\s,;]+")
_END = r"(?=[\s,;>]|$)"
_NUMBER = re.compile(r"\d+(?=v|x|-|[:/]\s*\d|against|[\s,;>]|$)")
_CHANCE = re.compile(rf"(\d+(?:[.,]\d+)?) ?%{_END}")
_VERSUS = re.compile(r"(?:vs\.?|v|versus|against)(?=\d|[\s,;]|$)")
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
        word = ALSO.get(found[0], found[0])
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
    option = OPTIONS[word][1]
    found = re.compile(rf"(?: ?[:=] ?| )({option.form}){_END}").match(line, end)
    if found:
        return Token("option", word, start, found.end(), option.read(found[1]))
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
