"""Canonical lines with all said that the habits of a place would change: pasted there, they are the same again."""

import re
from collections.abc import Callable

from bot.editions import USUAL
from bot.errors import UserError
from bot.matchup.armies import may_be_armies
from bot.matchup.bombing import read_raid
from bot.matchup.habits import PLAIN, Unsaid, meaning
from bot.matchup.meant import OWN_GAME
from bot.matchup.placing import is_placing, parse_placing
from bot.matchup.plans import BETWEEN, parse_plans
from bot.matchup.reading import parse
from bot.matchup.writing import usual
from bot.words import CLASSIC


def explicit(line: str, meant: Unsaid) -> str:
    """A canonical line to be shown where this is meant by what it does not say; other texts as they are.

    It may have been made explicit before, where the same was meant, or something else.
    """
    if meant == PLAIN or not _is_line(line):
        return line
    if is_placing(line):
        hand, between, attacks = line.partition(f" {BETWEEN} ")
        return f"{_edition_said(line, hand, meant)}{between}{attacks}"
    return f" {BETWEEN} ".join(_said(battle, meant) for battle in line.split(f" {BETWEEN} "))


def _is_line(line: str) -> bool:
    readers: tuple[Callable[[str], object], ...] = (parse, read_raid)
    if BETWEEN in line:
        readers = (parse_placing,) if is_placing(line) else (parse_plans,)
    with meaning(PLAIN):
        for read in readers:
            try:
                read(line)
            except UserError:
                continue
            return True
    return False


def _said(line: str, meant: Unsaid) -> str:
    """The line of one battle, or one raid."""
    if may_be_armies(line):
        return _edition_said(line, line, meant)
    head, step, legs = line.partition(" > ")
    words = {word.partition(":")[0] for word in line.split()}
    if meant.game != CLASSIC and "variant:" not in head and not words & OWN_GAME:
        head += f" variant:{CLASSIC}"
    line = f"{head}{step}{legs}"
    counted = meant.behind and "behind" not in words and not _has_icons(line, words)
    return f"{line} behind:0" if counted else line


def _edition_said(line: str, piece: str, meant: Unsaid) -> str:
    """A piece of a line with the edition, where another is usual and the line does not say it."""
    return piece if meant.edition == USUAL or " variant:" in line else f"{piece} variant:{USUAL}"


def _has_icons(line: str, words: set[str]) -> bool:
    packs = re.findall(r" variant:(\S+)", line)
    return any(word.endswith("icons") for word in words) or any(usual(pack).faces for pack in packs)
