"""The notation: text to Battle and back, with errors that point at the wrong word.

    12 9 bombers:2 stop:4               the attacker's number, the defender's, then options in any order
    12 fighters:1 vs 9 capitals:1       after "vs", options belong to the defender

`parse` reads a line, `write` gives the canonical line of a battle, and parsing that gives the battle back. The
notation is public: a line that once worked keeps working.
"""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from bot.errors import UserError
from solver import Battle, BattleError, Pool, Ships
from solver.battle import ATTACK, DEFENCE
from solver.dice import MOST_DICE
from solver.errors import check_count

LONGEST_LINE = 300
# Finding the one form of a text takes time and room; no line that people type comes near this length before it.
LONGEST_TEXT = 2_000
EXAMPLE = "12 9 bombers:2"


class MatchupError(UserError):
    """A line that is no battle: the line with a caret under the wrong part, and what would be right."""

    def __init__(self, line: str, start: int, end: int, reason: str) -> None:
        self.reason = reason
        window = max(start - 30, 0)
        shown = line[window : window + 60]
        carets = " " * _width(line[window:start]) + "^" * max(_width(line[start : min(end, window + 60)]), 1)
        super().__init__(f"```\n{shown}\n{carets}\n```\n{reason}" if line else reason)


class Reading(NamedTuple):
    """What a line means: the battle, and remarks about words that make no difference to it."""

    battle: Battle
    remarks: tuple[str, ...]


class Option(NamedTuple):
    """What may follow an option's name: its form, how that is read, how to say it, and values to offer."""

    form: str
    read: Callable[[str], Any]
    wanted: str
    offers: tuple[str, ...] = ()


class Token(NamedTuple):
    """A piece of the line: a number, "vs", an option with its value, or a word of another kind."""

    kind: str
    text: str
    start: int
    end: int
    value: Any = None


class Field(NamedTuple):
    """One thing the line says about the battle, and where; `kept` if it comes from a saved set-up."""

    value: Any
    start: int
    end: int
    kept: bool = False


def parse(text: str, saved: Mapping[str, str] | None = None) -> Reading:
    """The battle a line describes; `saved` maps the names of saved set-ups, in lower case, to their lines."""
    line = normal(text)
    if len(line) > LONGEST_LINE or len(text.partition("→")[0]) > LONGEST_TEXT:
        reason = f"A line has at most {LONGEST_LINE} characters."
        raise MatchupError(line, min(LONGEST_LINE, len(line)), len(line), reason)
    return _battle(line, _fields(line, saved or {}))


def strangers(text: str) -> list[str]:
    """The pieces of a line that are not notation; they may be names of saved set-ups."""
    return [token.text for token in _tokens(normal(text)[:LONGEST_LINE]) if token.kind in ("word", "junk")]


def is_name(text: str) -> bool:
    """Whether a saved set-up can be called so: a word of two letters or more, as `normal` leaves it, not notation."""
    return len(text) > 1 and text == normal(text) and [token[:2] for token in _tokens(text)] == [("word", text)]


def normal(text: str) -> str:
    """The line as it is read: one form for letters, digits and signs, nothing invisible, nothing from an arrow on."""
    text = unicodedata.normalize("NFKC", text[:LONGEST_TEXT].partition("→")[0]).casefold().translate(_SIGNS)
    text = "".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return re.sub(r"^(/\w+(\s|$))?(matchup:)?", "", " ".join(text.split())).strip().rstrip("?!. ")


def write(battle: Battle) -> str:
    """The canonical line of a battle: pasted anywhere, it is that battle again."""
    words = [f"{battle.attackers} {battle.defenders}"]
    counts = len(battle.attack.dice), len(battle.defence.dice)
    plain = battle.attack.dice + battle.defence.dice == (6,) * sum(counts)
    if plain and counts != (len(ATTACK.dice), len(DEFENCE.dice)):
        words.append(f"dice:{counts[0]}v{counts[1]}")
    sides = (("a", battle.attack, ATTACK), ("d", battle.defence, DEFENCE))
    for prefix, pool, usual in sides:
        if not plain and pool.dice != usual.dice:
            words.append(f"{prefix}dice:{_commas(pool.dice)}")
        if pool.rerolls:
            words.append(f"{prefix}rerolls:{pool.rerolls}")
        if pool.bonus:
            words.append(f"{prefix}bonus:{_commas(pool.bonus)}")
        if pool.clamp:
            words.append(f"{prefix}clamp:{pool.clamp[0]}..{pool.clamp[1]}")
    for prefix, ships in (("", battle.attack_ships), ("d", battle.defence_ships)):
        words += [f"{prefix}{kind}:{count}" for kind, count in ships.to_dict().items() if count]
    if battle.ties != "defender":
        words.append(f"ties:{battle.ties}")
    plans = {"stop": battle.stop, "reserve": battle.reserve, "rounds": battle.rounds}
    words += [f"{name}:{number}" for name, number in plans.items() if number or (name, number) == ("rounds", 0)]
    return " ".join(words)


# What the words mean ------------------------------------------------------------------------------------


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"-?\d+", text.replace("+", "")))


_COUNT = Option(r"\d+", int, "a whole number", ("1", "2", "3"))
_DICE = Option(r"d?\d+(?: ?, ?d?\d+)*", _numbers, "the sides of each die, such as 8,6,6", ("8,6,6", "8,8"))
_BONUS = Option(
    r"[+-]?\d+(?: ?, ?[+-]?\d+)*", _numbers, "what is added to the highest dice, such as 1 or 1,1", ("1", "1,1")
)
_CLAMP = Option(
    r"-?\d+ ?(?:\.\.|-) ?-?\d+",
    lambda text: tuple(int(end) for end in re.split(r"(?<=\d) ?(?:\.\.|-) ?", text)),
    "the lowest and the highest value, such as 1..6",
    ("1..6",),
)
_CAPS = Option(
    r"\d+ ?[vx-] ?\d+",
    lambda text: _numbers(text.replace("-", " ")),
    "the dice of both sides, such as 2v1",
    ("2v2", "1v1", "4v3"),
)
_TIES = Option(
    r"attackers?|defenders?|both|neither|none",
    lambda text: "neither" if text == "none" else text.removesuffix("s"),
    "attacker, defender, both or neither",
    ("attacker", "both", "neither"),
)

_SIDED = {
    "fighters": _COUNT,
    "bombers": _COUNT,
    "capitals": _COUNT,
    "rerolls": _COUNT,
    "bonus": _BONUS,
    "clamp": _CLAMP,
}
_SHARED = {
    "dice": _CAPS,
    "ties": _TIES,
    "stop": _COUNT,
    "reserve": _COUNT,
    "rounds": _COUNT,
}

# Every word an option answers to, with the field it sets; "{side}" stands for the side the word belongs to.
OPTIONS: dict[str, tuple[str, Option]] = {
    **{name: (f"{{side}}.{name}", option) for name, option in _SIDED.items()},
    **{f"a{name}": (f"attack.{name}", option) for name, option in (_SIDED | {"dice": _DICE}).items()},
    **{f"d{name}": (f"defence.{name}", option) for name, option in (_SIDED | {"dice": _DICE}).items()},
    **{name: (name, option) for name, option in _SHARED.items()},
}
_ALSO = {word.removesuffix("s"): word for word in OPTIONS if word.endswith("s") and word != "bonus"}
_ALSO |= {"reserves": "reserve"}

_SIGNS = str.maketrans({"×": "x", "–": "-", "—": "-", "−": "-", "‐": "-", "`": " "})
_GAP = re.compile(r"[\s,;]+")
_END = r"(?=[\s,;]|$)"
_NUMBER = re.compile(r"\d+(?=v|x|-|against|[\s,;]|$)")
_VERSUS = re.compile(r"(?:vs\.?|v|versus|against)(?=\d|[\s,;]|$)")
_SIGN = re.compile(r"[x-](?=\s*\d)")
_WORD = re.compile(r"[^\W\d_][\w-]*")
_PIECE = re.compile(r"[^\s,;]+")


def _tokens(line: str) -> Iterator[Token]:
    """The pieces of a normal line, in order; commas and semicolons only part them."""
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
    if found := _NUMBER.match(line, start):
        return Token("number", found[0], start, found.end())
    if after_number and (found := _SIGN.match(line, start)):
        return Token("sign", found[0], start, found.end())
    if found := _VERSUS.match(line, start):
        return Token("versus", found[0], start, found.end())
    if found := _WORD.match(line, start):
        word = _ALSO.get(found[0], found[0])
        if word in OPTIONS:
            return _option(line, word, start, found.end())
    found = _PIECE.match(line, start)
    assert found is not None, "a gap was skipped before, so something is here"
    return Token("word" if _is_word(found[0]) else "junk", found[0], start, found.end())


def _is_word(piece: str) -> bool:
    """Whether it begins with a letter and goes on with letters (of any script), digits, hyphens, underscores."""
    marks = ("Mn", "Mc")  # vowel signs, for example, are no letters of their own
    return piece[0].isalpha() and all(c.isalnum() or c in "-_" or unicodedata.category(c) in marks for c in piece)


def _option(line: str, word: str, start: int, end: int) -> Token:
    """An option with its value, after a colon, an equals sign or a space; its value is None where none fits."""
    option = OPTIONS[word][1]
    found = re.compile(rf"(?: ?[:=] ?| )({option.form}){_END}").match(line, end)
    if found:
        return Token("option", word, start, found.end(), option.read(found[1]))
    wrong = re.compile(r" ?[:=] ?[^\s,;]*").match(line, end)
    return Token("option", word, start, wrong.end() if wrong else end)


# From words to a battle ---------------------------------------------------------------------------------


def _fields(line: str, saved: Mapping[str, str]) -> dict[str, Field]:
    """What the line says, by the names of the solver's documents: "attackers", "attack.bombers", "stop"."""
    fields: dict[str, Field] = {}
    side, numbers, setup = "attack", 0, ""
    before = ""
    for token in _tokens(line):
        start, end = token.start, token.end
        if token.kind == "number":
            key = "defenders" if side == "defence" or numbers else "attackers"
            numbers += 1
            if numbers > 2 or (key in fields and not fields[key].kept):
                raise MatchupError(line, start, end, _surplus(before))
            fields[key] = Field(int(token.text), start, end)
        elif token.kind == "versus":
            side = "defence"
        elif token.kind == "option":
            key, option = OPTIONS[token.text]
            if token.value is None:
                raise MatchupError(line, start, end, f"`{token.text}:` takes {option.wanted}.")
            key = key.format(side=side)
            if key in fields and not fields[key].kept:
                raise MatchupError(line, start, end, "This was said before in the same line.")
            fields[key] = Field(token.value, start, end)
        elif token.text in saved:
            if setup:
                raise MatchupError(line, start, end, f"One saved set-up is enough, and `{setup}` is one.")
            setup, kept = token.text, _fields(saved[token.text], {})
            fields = {key: Field(field.value, start, end, kept=True) for key, field in kept.items()} | fields
        elif token.kind != "sign":
            raise MatchupError(line, start, end, _unknown(token.text, saved))
        before = token.text
    return fields


def _surplus(before: str) -> str:
    """What is wrong with a third number, by the word before it."""
    if before in OPTIONS and OPTIONS[before][1] in (_DICE, _BONUS):
        return f"Commas join the numbers of an option: `{before}:{OPTIONS[before][1].offers[0]}`."
    return "Two numbers are enough. An option has a name: `stop:4`."


def _unknown(word: str, saved: Mapping[str, str]) -> str:
    if re.match(r"[+-]?\d", word) and not re.search(r"[^\W\d_]{2}", word):
        return f"`{word}` is not a whole number of armies."
    found = re.match(r"(\d*)([^\d:=]+)[:=]?(.*)", word)
    before, name, after = found.groups() if found else ("", word, "")
    if setup := difflib.get_close_matches(word, saved, n=1, cutoff=0.7):
        return f"I do not know `{word}`. Did you mean `{setup[0]}`?"
    near = difflib.get_close_matches(name, [*OPTIONS, *_ALSO], n=1, cutoff=0.7)
    if near:
        known, value = _ALSO.get(near[0], near[0]), after or before
        return f"I do not know `{word}`. Did you mean `{known}{':' * bool(value)}{value}`?"
    words = ", ".join(f"`{name}`" for name in (*_SIDED, "adice", "ddice", *_SHARED, "vs"))
    setups = ", or the name of a saved set-up" if saved else ""
    return f"I do not know `{word}`. The words are {words}{setups}."


def _battle(line: str, fields: dict[str, Field]) -> Reading:
    said = {key: field.value for key, field in fields.items()}
    if not {"attackers", "defenders"} <= said.keys():
        missing = "Against how many?" if "attackers" in said else "How many attack?"
        missing = missing if said.keys() & {"attackers", "defenders"} else "How many attack, and how many defend?"
        raise MatchupError(line, len(line), len(line) + 1, f"{missing} For example `{EXAMPLE}`.")
    try:
        caps = said.get("dice", (None, None))
        battle = Battle(
            said["attackers"],
            said["defenders"],
            _pool("attack", said, ATTACK, caps[0]),
            _pool("defence", said, DEFENCE, caps[1]),
            _ships("attack", said),
            _ships("defence", said),
            **{key: said[key] for key in ("ties", "stop", "reserve", "rounds") if key in said},
        )
    except BattleError as error:
        start, end = _place(line, fields, error.field)
        raise MatchupError(line, start, end, f"{error.reason[0].upper()}{error.reason[1:]}.") from None
    return Reading(battle, tuple(_remarks(line, fields, battle)))


def _pool(side: str, said: Mapping[str, Any], usual: Pool, cap: int | None) -> Pool:
    dice = said.get(f"{side}.dice", usual.dice)
    if cap is not None:
        check_count("dice", cap, 1, MOST_DICE, "a side rolls", "dice")
        if cap > len(dice) and f"{side}.dice" in said:
            raise BattleError("dice", f"`dice` asks for {cap} dice, but `{side[0]}dice` names {len(dice)}")
        dice = (*sorted(dice, reverse=True), *[6] * cap)[:cap]
    try:
        optional = {key: said[f"{side}.{key}"] for key in ("rerolls", "bonus", "clamp") if f"{side}.{key}" in said}
        return Pool(dice, **optional)
    except BattleError as error:
        raise error.inside(side) from None


def _ships(side: str, said: Mapping[str, Any]) -> Ships:
    try:
        return Ships(*(said.get(f"{side}.{kind}", 0) for kind in ("fighters", "bombers", "capitals")))
    except BattleError as error:
        raise error.inside(side) from None


def _place(line: str, fields: Mapping[str, Field], name: str) -> tuple[int, int]:
    """Where the line speaks of the field an error names: the field, else its side's dice, else the whole line."""
    side = name.partition(".")[0]
    dice = [key for key in fields if key.startswith(f"{side}.")]
    for key in (name, *dice, "dice"):
        if key in fields:
            return fields[key].start, fields[key].end
    return 0, len(line)


def _remarks(line: str, fields: Mapping[str, Field], battle: Battle) -> Iterator[str]:
    """What the line says to no effect."""
    for side, pool, ships in (
        ("attack", battle.attack, battle.attack_ships),
        ("defence", battle.defence, battle.defence_ships),
    ):
        for kind, useful in {**ships.to_dict(), "rerolls": pool.rerolls}.items():
            field = fields.get(f"{side}.{kind}")
            if field and field.value > useful:
                yield f"`{line[field.start : field.end]}` counts as {useful}: more make no difference."
    if 0 < battle.stop <= battle.reserve:
        yield f"`stop:{battle.stop}` makes no difference beside `reserve:{battle.reserve}`."


def _width(text: str) -> int:
    """How many columns a text takes where every letter is equally wide, or twice that."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _commas(numbers: tuple[int, ...]) -> str:
    return ",".join(str(number) for number in numbers)
