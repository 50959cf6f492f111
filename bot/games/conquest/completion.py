"""Autocomplete for conquests: names of territories, and lines for /conquer."""

import re
from collections.abc import Collection, Iterator

from bot.autocomplete import (
    Suggestion,
    battle_reader,
    for_typed_line,
    hints,
    hints_first,
    readable_lines,
    saved_lines,
    understand_typed,
    with_odds,
)
from bot.errors import UserError
from bot.games.conquest.notation.pieces import OWN_OPTIONS, PLACE
from bot.games.conquest.notation.reading import is_conquest, read
from bot.games.conquest.notation.writing import after_name, boards_of, leading_preset
from bot.maps.reading import usual_maps
from bot.notation.mistakes import MatchupError
from bot.notation.reading import is_notation
from bot.request import Request, Services
from solver.conquest.conquest import Conquest

EXAMPLES = (
    "12 siam > australia",
    "12 siam > australia: 3 2 1 1",
    "20 central america > south america rest:2",
    "15 brazil > africa rest:1 most",
    "10 siam, 8 china > 3 india, 4 mongolia",
)
"""Examples of lines."""
_OPTIONS = [f"{word}:{row.offers[0]}" if row.offers else word for word, row in OWN_OPTIONS.items() if word != "value"]


@for_typed_line
async def suggest_conquests(request: Request, services: Services, typed: str) -> list[Suggestion]:
    """Suggest lines for a typed text, with their odds if these are found at once."""
    saved = await saved_lines(request, services)
    conquest_of = battle_reader(lambda line: read(line, saved, (), ""))
    conquests = await readable_lines(_lines(typed, boards_of(saved)), conquest_of)
    first: list[Suggestion] = []
    if typed and not any(line.startswith(typed) for line in conquests.values()):
        said, first = _mistake(request, services, typed, saved)
        conquests = said | conquests
    return hints_first(first, await with_odds(services, conquests))


def complete(typed: str, questions: bool) -> Iterator[str]:
    """Complete the last word of a line with a `>` to the name of a territory or a continent, or to an option."""
    if ">" in typed and not questions and is_conquest(typed):
        yield from _complete_name(typed)


def _lines(typed: str, presets: Collection[str]) -> Iterator[str]:
    """Return lines to suggest, best first; some of them may mean nothing. They may begin with a preset's name."""
    yield typed
    if preset := leading_preset(typed, presets):
        yield from (f"{preset} {line}" for line in _lines(after_name(typed), ()))
        return
    yield from _complete_name(typed)
    if ">" not in typed and typed:
        yield from (f"{typed} > {near}{garrisons}" for garrisons in ("", " rest:1") for near in _near(typed))
        yield from (f"{preset} {EXAMPLES[0]}" for preset in presets if preset.startswith(typed))
    yield from (example for example in EXAMPLES if example.startswith(typed))


def _complete_name(typed: str) -> Iterator[str]:
    """Complete the last name, then add options."""
    begun = re.search(r"[^\W\d_][^,;:>\d]*$", typed)
    if begun:
        before = typed[: begun.start()]
        for name in _names():
            if name.startswith(begun[0]) and name != begun[0]:
                yield f"{before}{name}"
                yield f"{before}{name} rest:1"
    if ">" in typed:
        yield from (f"{typed} {option}" for option in _OPTIONS if option.partition(":")[0] not in typed)


def _names() -> Iterator[str]:
    """Return the names of the usual map in the reader's language, continents first."""
    board = usual_maps()[0]
    for part in (*board.continents.values(), *board.territories.values()):
        yield part.name.casefold()


def _near(typed: str) -> list[str]:
    """Return the continents next to the territory with which a text ends."""
    board = usual_maps()[0]
    try:
        territory = board.territory(re.sub(r"^[\d ,]+", "", typed.rpartition(",")[2].strip()))
    except UserError:
        return []
    around = {territory.key, *board.neighbours[territory.key]}
    return [continent.name.casefold() for continent in board.continents.values() if around & set(continent.territories)]


def _mistake(
    request: Request, services: Services, typed: str, saved: dict[str, str]
) -> tuple[dict[Conquest, str], list[Suggestion]]:
    """Return the lines that a typed text may mean as people say it, and the mistake of the line if it means none."""
    try:
        read(typed, saved, (PLACE,), "")
    except MatchupError as error:
        if not is_notation(services.rooms, typed, error):
            said, first = understand_typed(services.rooms, typed, saved, request.command, request.reader)
            conquest_of = battle_reader(lambda line: read(line, saved, (), ""))
            lines = {conquest: line for line in said if (conquest := conquest_of(line))}
            if lines or first:
                return lines, first
        return {}, hints(services.rooms, typed, error)
    return {}, []
