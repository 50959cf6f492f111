"""The options that ask how likely some ends are, "left:5+" or "dlost:..2": their rows, and what they mean."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bot.languages import N_
from bot.notation.options import Option, Value
from solver.ends import EndRange
from solver.game import SideName

_NUMBER = r"\d{1,9}"
_OPEN = rf"{_NUMBER}\+|{_NUMBER}(?:\.\.|-){_NUMBER}|{_NUMBER}\.\.|\.\.{_NUMBER}"
_SPAN = rf"(?:{_OPEN}|{_NUMBER})"
_UNIT = r"(?:(?!vs?(?![a-z_]))[a-z][a-z_]*)"
_BEHIND_SIGN = r"(?:(?<=[:=])|(?<=[:=] ))"
"""Behind a space a bare number is none of these values: people say "12 vs 9, he left 4"."""


class Span(NamedTuple):
    """A range of a number, 4 and 4 for exactly so many, and what is counted as it was typed; "" for all armies."""

    least: int
    most: int | None
    unit: str

    def __str__(self) -> str:
        """Write the range as a canonical line has it."""
        if self.most is None:
            number = f"{self.least}+"
        elif self.least == self.most:
            number = str(self.least)
        else:
            number = f"{self.least or ''}..{self.most}"
        return f"{number}{self.unit}"


def _read_spans(text: str) -> tuple[Span, ...]:
    return tuple(map(_read_span, text.split(",")))


def _read_span(text: str) -> Span:
    match = re.fullmatch(rf"({_NUMBER})?(\+|\.\.|-)?({_NUMBER})?(.*)", text)
    assert match, "the form of the value has been checked"
    first, sign, last, unit = match.groups("")
    if not sign:
        return Span(int(first), int(first), unit)
    if not last:
        return Span(int(first), None, unit)
    least, most = sorted((int(first or 0), int(last)))
    return Span(least, most, unit)


def write_spans(spans: tuple[Span, ...]) -> str:
    """Write ranges as a canonical line has them."""
    return ",".join(map(str, spans))


_ARMIES = Value(
    rf"{_OPEN}|{_BEHIND_SIGN}{_NUMBER}",
    _read_spans,
    N_("how many: 5+ for at least 5, ..3 for at most 3, 4 for exactly 4"),
    write=write_spans,
)
_UNITS = Value(
    rf"(?:{_OPEN}|{_BEHIND_SIGN}{_NUMBER}|{_SPAN}(?={_UNIT})){_UNIT}?(?:,{_SPAN}{_UNIT})*",
    _read_spans,
    N_("how many: 5+ for at least 5, ..3inf for at most 3 infantry, 0 for none, 2+air or 20+ipc"),
    write=write_spans,
)
_REFUSAL = N_("`left` and `lost` work with `/battle`: they ask how likely an end is.")
WORDS: Mapping[str, tuple[SideName, bool]] = {
    "left": ("attacker", False),
    "lost": ("attacker", True),
    "dleft": ("defender", False),
    "dlost": ("defender", True),
}
"""The words of the options: the side, and whether its losses are counted."""
TYPED = frozenset((*WORDS, "aleft", "alost"))
"""All words for them."""


def _rows(value: Value, offers: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(
        Option(word, value, side, (f"a{word}",) if side == "attacker" else (), offers, whole=True, refusal=_REFUSAL)
        for word, (side, _lost) in WORDS.items()
    )


OF_ARMIES = _rows(_ARMIES, ("5+", "..3"))
"""The options of lines in which all armies are alike."""
HITS = Option(
    "hits",
    _ARMIES,
    offers=("3+",),
    whole=True,
    refusal=N_("`hits` works with `/dice`: it asks how likely so many hits are in one throw."),
)
"""The option of `/dice` for units."""
OF_UNITS = _rows(_UNITS, ("5+", "2+fig", "0"))
"""The options of lines with units."""


def swap_words(options: str) -> str:
    """Return options in which each of these words stands for the other side."""
    others = {word: word.removeprefix("d") if word[0] == "d" else f"d{word}" for word in WORDS}
    return re.sub(r"[a-z]+(?=:)", lambda match: others.get(match[0], match[0]), options)


class AskedEnds(NamedTuple):
    """The ends that a line asks about: its words in canonical form, and the ranges in all of which they are."""

    words: str
    ranges: tuple[EndRange, ...]

    def __str__(self) -> str:
        """Return the words."""
        return self.words

    def swap_sides(self) -> "AskedEnds":
        """Return the same ends of the battle with the sides exchanged."""
        sides: dict[SideName, SideName] = {"attacker": "defender", "defender": "attacker"}
        return AskedEnds(swap_words(self.words), tuple(replace(part, side=sides[part.side]) for part in self.ranges))


def asked_ends(
    spans: Mapping[str, tuple[Span, ...]], unit_of: Callable[[str, Span], tuple[str, str]] | None = None
) -> dict[str, Any]:
    """Return the ends that a line asks about, as the option "end" about the question; nothing if it asks about none.

    Args:
        spans: The values of the options, by their words.
        unit_of: Returns what a range of an option counts, as `EndRange.of` and in canonical words; None if all armies
            are alike.
    """
    words, ranges = [], []
    for word, (side, lost) in WORDS.items():
        named = [(span, *(unit_of(word, span) if unit_of else ("", ""))) for span in spans.get(word, ())]
        ranges += [EndRange(side, lost, span.least, span.most, of) for span, of, _short in named]
        if named:
            words.append(f"{word}:{write_spans(tuple(span._replace(unit=short) for span, _of, short in named))}")
    return {"end": AskedEnds(" ".join(words), tuple(ranges))} if ranges else {}


def asks_more(asked: Mapping[str, Any]) -> bool:
    """Tell whether the options about the question ask for more about the odds than how likely the battle is won."""
    return any(asked.get(name) for name in ("exact", "all", "advice", "digits", "end"))


def asked_words(asked: Mapping[str, Any]) -> str:
    """Write options about a question, by their words, as a canonical line has them."""
    written = {"end": str(asked.get("end", "")), "all": "all"}
    return " ".join(written.get(name, name if value is True else f"{name}:{value}") for name, value in asked.items())
