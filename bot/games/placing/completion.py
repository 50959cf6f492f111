"""Autocomplete for units over several territories: completes the units at hand, then one attack after another."""

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.autocomplete import (
    LONGEST_SUGGESTION,
    Suggestion,
    hints,
    hints_first,
    readable_lines,
    saved_lines,
    with_place_defaults,
)
from bot.editions import editions
from bot.games.axis.notation import read_units
from bot.games.base import Rooms
from bot.games.placing.notation import LONGEST_TYPED, parse_placing, write_placing
from bot.notation.defaults import current_defaults
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from bot.notation.old_lines import explicit
from bot.notation.plans import BETWEEN, split_plans
from bot.request import Request, Services
from solver.placing.placing import Aim, Placing

EXAMPLES = (
    "8 inf 2 art 1 fig || 4 inf 2 arm vs 1 inf || 6 inf 1 fig || 3 arm 1 bom vs 2 inf",
    "6 inf 2 fig hold:1 || 4 inf 2 arm vs 1 inf || 5 inf 1 fig",
    "5 inf 2 arm hold:value || 4 inf 1 arm value:3 || 3 inf 1 fig value:2",
)
"""Examples of lines."""
ATTACKS = ("4 inf 2 arm", "3 inf 1 fig vs 1 inf", "4 inf 1 arm vs 2 inf value:3")
"""Examples of attacks on a territory."""
WORDS = ("vs", "value:3", "hold:2", "hold:value", "hold:all", "lowluck", "rounds:3", "retreat:profit<0")


@with_place_defaults
async def suggest_places(request: Request, services: Services) -> list[Suggestion]:
    """Suggest lines for a typed text; an unfinished territory is no mistake."""
    typed = request.options.get("matchup", "")[:LONGEST_TYPED].partition("→")[0]
    pieces = [normal(piece) for piece in split_plans(re.sub(r"^\s*/?place(?=\s|$)", "", typed))]
    begun = f" {BETWEEN} ".join(pieces).strip()
    if len(begun) > LONGEST_SUGGESTION:
        return []
    saved = await saved_lines(request, services)
    placings = await readable_lines(_lines(services.rooms, pieces, saved), lambda line: _read(line, saved))
    wrong = begun and not any(line.startswith(begun) for line in placings.values())
    return hints_first(
        _hints(services.rooms, pieces, saved) if wrong else [], [Suggestion(line, line) for line in placings.values()]
    )


def _lines(rooms: Rooms, pieces: list[str], saved: dict[str, str]) -> Iterator[str]:
    """Return lines to suggest, best first; some of them may be no questions."""
    begun = f" {BETWEEN} ".join(pieces).strip()
    if not begun:
        yield from EXAMPLES
        return
    placing = _read(begun, saved)
    if placing is not None:
        yield begun
        yield from _other_goals(rooms, placing)
    yield from (example for example in EXAMPLES if example.startswith(begun))
    if len(pieces) == 1 or not pieces[-1]:
        before = begun.removesuffix(BETWEEN).strip()
        yield from (f"{before} {BETWEEN} {attack}" for attack in (*saved, *ATTACKS))
    last = "".join(pieces[-1].split()[-1:])
    before = begun.removesuffix(last)
    ends = [f"{last} {unit}" for unit in _units()] if last.isdecimal() else [*_units(), *WORDS, *saved]
    for end in ends:
        if last and end.startswith(last) and end != last:
            yield f"{before}{end}"
            if len(pieces) == 1:
                yield f"{before}{end} {BETWEEN} {ATTACKS[0]}"


def _units() -> list[str]:
    return list(editions()[current_defaults().edition].short.values())


def _other_goals(rooms: Rooms, placing: Placing) -> Iterator[str]:
    """Yield the line with each other goal."""
    places = len(placing.territories)
    aims: list[tuple[Aim, int | None]] = [("all", None), ("at_least", places - 1 or None), ("value", None)]
    for aim, count in aims:
        if aim != placing.aim and places > 1:
            line = write_placing(replace(placing, aim=aim, at_least=count))
            yield explicit(rooms, line, current_defaults()).removeprefix("place ")


def _read(line: str, saved: dict[str, str]) -> Placing | None:
    try:
        return parse_placing(line, saved)
    except MatchupError:
        return None


def _hints(rooms: Rooms, pieces: list[str], saved: dict[str, str]) -> list[Suggestion]:
    """Return the mistake of the line as a suggestion; none if only a territory is missing."""
    begun = f" {BETWEEN} ".join(pieces).strip()
    try:
        if len(pieces) > 1:
            parse_placing(begun, saved)
        else:
            read_units(begun, current_defaults().edition)
    except MatchupError as error:
        return hints(rooms, begun, error)
    return []
