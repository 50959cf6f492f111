"""How likely the ends are that a line asks about, in words: "Attacker has at least 5 left: 56.1%"."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from bot.languages import N_, _
from bot.notation.asked_ends import AskedEnds
from bot.words.numbers import percent
from solver.ends import Count, EndRange, ends_within
from solver.game import GameOdds

if TYPE_CHECKING:
    from solver.chain import Chances

TEXTS = {
    ("attacker", False): N_("attacker has {count} left"),
    ("attacker", True): N_("attacker loses {count}"),
    ("defender", False): N_("defender has {count} left"),
    ("defender", True): N_("defender loses {count}"),
}
"""The texts by side, and by whether its losses are counted."""


class AskedChance(NamedTuple):
    """The words about the ends that a line asks about, with their chance as a number and in words; None if unknown."""

    text: str
    chance: float | None = None
    number: str = ""


def facts_of(asked: AskedChance | None) -> tuple[str, ...]:
    """Return what is said about the ends that a line asks about; nothing if it asks about none."""
    return (asked.text,) if asked else ()


def asked_chance(
    asked: AskedEnds | None,
    odds: GameOdds,
    count: Count,
    chances: "Chances",
    name: Callable[[str], str] = str,
    texts: dict[tuple[str, bool], str] = TEXTS,
) -> AskedChance | None:
    """Return how likely the ends are that a line asks about; None if it asks about none.

    Args:
        asked: The ends that the line asks about.
        odds: The odds of its battle.
        count: Returns what a range counts in each end.
        chances: The chance of each end.
        name: Names what a range counts, if not all armies are alike.
        texts: The texts of a game that are unlike the usual ones.
    """
    if not asked:
        return None
    within = ends_within(asked.ranges, count, len(chances))
    rest = float(chances[~within].sum()) + float(getattr(odds, "never", 0.0))
    parts = [
        _(texts[key], count=_all([count_text(part, name) for part in ranges]))
        for key, ranges in groupby(asked.ranges, lambda part: (part.side, part.lost))
    ]
    said, chance = _all(parts), float(chances[within].sum())
    number = percent(chance, odds, rest)
    return AskedChance(f"**{said[0].upper()}{said[1:]}: {number}**", chance, number)


def _all(parts: Sequence[str]) -> str:
    """Join parts of a sentence all of which are true."""
    first, *others = parts
    for other in others:
        first = _("{one} and {other}", one=first, other=other)
    return first


def count_text(asked: EndRange, name: Callable[[str], str]) -> str:
    """Say how many units a range counts: "at least 2 fig", "nothing"."""
    of = name(asked.of) if asked.of else ""
    least, most = (f"{number:g} {of}".rstrip() if number is not None else "" for number in (asked.least, asked.most))
    if asked.most == 0:
        return _("no {units}", units=of) if of else _("nothing")
    if asked.most is None:
        return _("at least {count}", count=least)
    if asked.least == asked.most:
        return _("exactly {count}", count=most)
    if asked.least:
        return _("{least} to {most}", least=f"{asked.least:g}", most=most)
    return _("at most {count}", count=most)
