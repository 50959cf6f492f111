"""Autocomplete for two plans: completes the first and offers changes to it, then completes the second."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

from bot.autocomplete import (
    LONGEST_SUGGESTION,
    MOST_CANDIDATES,
    Suggestion,
    hints,
    hints_first,
    readable_lines,
    saved_lines,
    understand_typed,
    with_place_defaults,
)
from bot.commands.suggest import candidates, completions, read_typed, suggest, suggest_for_one_game
from bot.games.base import AnyBattle, Rooms
from bot.notation.lexer import normal, unknown_words
from bot.notation.mistakes import MatchupError, without_corrections
from bot.notation.plans import BETWEEN, LONGEST_PLANS, Plans, parse_plans, split_plans
from bot.notation.reading import has_own_words, own_room, parse
from bot.request import Request, Services
from bot.words.numbers import victory

EXAMPLES = ("12 9 bombers:2 || bombers:1", "12 9 stop:4 || stop:6", "3 inf 2 arm vs 4 inf || retreat:profit<0")
"""Examples of lines."""
MOST_OF_ONE = 5
"""The most changes to suggest for each completion of the first plan."""

_HALF = re.compile(r"(?<=\s)o\s*$", re.IGNORECASE)
"""The beginning of "or"."""

Pair = tuple[AnyBattle, ...]


@with_place_defaults
async def suggest_plans(request: Request, services: Services) -> list[Suggestion]:
    """Suggest pairs of plans for a typed text; an unfinished plan is no mistake."""
    typed = request.options.get("matchup", "")[:LONGEST_PLANS]
    parts = split_plans(_HALF.sub("", typed.partition("→")[0]))
    begun = f" {BETWEEN} ".join(map(normal, parts)).strip()
    if len(begun) > LONGEST_SUGGESTION:
        return []
    saved = await saved_lines(request, services)

    def different_plans(line: str) -> Pair | None:
        plans = _read(services.rooms, line, saved)
        pair = (plans.first.battle, plans.second.battle) if plans else None
        return pair if pair and (pair[0] != pair[1] or line == begun) else None

    found = await readable_lines(_lines(services.rooms, parts, saved), different_plans)
    wrong = begun and not any(line.startswith(begun) for line in found.values())
    if wrong and BETWEEN not in typed:
        said, first = understand_typed(services.rooms, typed, saved, "compare", request.reader)
        pairs = ((_read(services.rooms, line, saved), line) for line in said)
        read = {(plans.first.battle, plans.second.battle): line for plans, line in pairs if plans}
        found = read | found
        if read or first:
            return hints_first(first, await _with_chances(found, services))
    return hints_first(_hints(services.rooms, parts, saved) if wrong else [], await _with_chances(found, services))


@with_place_defaults
async def suggest_battles(request: Request, services: Services) -> list[Suggestion]:
    """Suggest what `/battle` takes: battles, two plans, and lines of games with a command of their own."""
    typed = request.options.get("matchup", "")
    if BETWEEN in typed:
        return await suggest_plans(request, services)
    room = own_room(services.rooms, typed)
    if room and room.notation.own_command and read_typed(services.rooms, normal(typed), {}) is None:
        return await suggest_for_one_game(replace(request, command=room.notation.own_command.name), services)
    return await suggest(request, services)


async def _with_chances(found: Mapping[Pair, str], services: Services) -> list[Suggestion]:
    """Label pairs of plans with the chances of both, if these are at hand."""
    odds = await asyncio.gather(*(services.engine.preview(battle) for pair in found for battle in pair))
    suggestions = []
    for place, line in enumerate(found.values()):
        parts = [victory(one) for one in odds[2 * place : 2 * place + 2] if one is not None]
        label = f"{line} → A {parts[0]}, B {parts[1]}" if len(parts) == 2 else line
        suggestions.append(Suggestion(label if len(label) <= LONGEST_SUGGESTION else line, line))
    return suggestions


def _lines(rooms: Rooms, parts: list[str], saved: dict[str, str]) -> Iterator[str]:
    """Return lines to suggest for a typed text, best first; some of them may not be two plans."""
    first, second = normal(parts[0]), " ".join(map(normal, parts[1:]))
    if not first:
        yield from EXAMPLES
    elif len(parts) == 1:
        yield from (example for example in EXAMPLES if example.startswith(first))
        for line in islice(candidates(rooms, first, saved), MOST_CANDIDATES):
            changes = islice(_changes(rooms, line, "", saved), MOST_OF_ONE)
            yield from (f"{line} {BETWEEN} {change}" for change in changes)
    else:
        lines = (second, *completions(rooms, second, saved), *_changes(rooms, first, second, saved))
        yield from (f"{first} {BETWEEN} {line.strip()}" for line in lines if line.strip())


def _changes(rooms: Rooms, first: str, second: str, saved: dict[str, str]) -> Iterator[str]:
    """Complete the second plan as a change of the first; nothing if the first is no plan."""
    reading = read_typed(rooms, first, saved)
    begun = second.split()[-1] if second else ""
    before = second.removesuffix(begun)
    if reading is None:
        return
    if changes := rooms.of(reading.battle).notation.changes:
        words = changes.complete(reading.battle, before, begun) if changes.complete else ()
        offers = (word for word in changes.offers if word.startswith(begun))
        yield from (f"{before}{word}" for word in chain(words, offers))


def _read(rooms: Rooms, line: str, saved: dict[str, str]) -> Plans | None:
    """Return the two plans of a line; None if it has no two plans."""
    if not has_own_words(rooms, line) and any(
        not saved.keys() >= set(unknown_words(part)) for part in split_plans(line)
    ):
        return None  # As in `read_typed`.
    try:
        with without_corrections():
            return parse_plans(rooms, line, saved)
    except MatchupError:
        return None


def _hints(rooms: Rooms, parts: list[str], saved: dict[str, str]) -> list[Suggestion]:
    """Return the mistake of the line as a suggestion; none if the second plan is not begun."""
    typed = f" {BETWEEN} ".join(map(normal, parts)).strip()
    try:
        if len(parts) > 1:
            parse_plans(rooms, typed, saved)
        else:
            parse(rooms, typed, saved)
    except MatchupError as error:
        return hints(rooms, typed, error)
    return []
