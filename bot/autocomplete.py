"""The common parts of suggestions in all games: their form, their labels, and the mistake in a line."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import wraps
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from bot.background import run_to_end
from bot.errors import UserError
from bot.games.base import GameRoom, Reading, Rooms
from bot.languages import _
from bot.notation.defaults import current_defaults, reading_with
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from bot.notation.old_lines import explicit
from bot.notation.plans import BETWEEN
from bot.notation.reading import LONGEST_TYPED, looks_like_prose, own_room
from bot.request import Request, Services, with_place_settings
from solver.game import GameOdds
from solver.late import Late

log = logging.getLogger(__name__)

understand, sentence_for = Late("bot.phrases.reader", "understand"), Late("bot.phrases.asking", "sentence_for")

MOST_SUGGESTIONS = 8
MOST_CANDIDATES = 40
PATIENCE = 0.5
"""Seconds that suggestions wait for the saved set-ups."""
LONGEST_SUGGESTION = 100


class Suggestion(NamedTuple):
    """A suggestion: the text to show and the line to send; some clients send the text, so it begins with the line."""

    label: str
    line: str


Meaning = TypeVar("Meaning")
Suggest = Callable[[Request, Services], Coroutine[Any, Any, list[Suggestion]]]
SuggestTyped = Callable[[Request, Services, str], Coroutine[Any, Any, list[Suggestion]]]


def with_place_defaults(suggestions: Suggest) -> Suggest:
    """Return a suggester that reads lines by the settings of the request's place."""

    @wraps(suggestions)
    async def find(request: Request, services: Services) -> list[Suggestion]:
        request = await with_place_settings(request, services, recent=True)
        with reading_with(request.line_defaults):
            return await suggestions(request, services)

    return find


def for_typed_line(suggestions: SuggestTyped) -> Suggest:
    """Return a suggester for the line of a request, read by the settings of its place; none for a long one."""

    @with_place_defaults
    @wraps(suggestions)
    async def find(request: Request, services: Services) -> list[Suggestion]:
        typed = normal(request.options.get("matchup", "")[:LONGEST_TYPED])
        return [] if len(typed) > LONGEST_SUGGESTION else await suggestions(request, services, typed)

    return find


async def saved_lines(request: Request, services: Services) -> dict[str, str]:
    """Return the lines of the presets by their names, as they were a moment ago; empty if the database is too slow."""

    async def read() -> dict[str, str]:
        # Not broken off: a read that takes too long waits for somebody's write, and is best left to end by itself.
        return await asyncio.wait_for(run_to_end(services.saved_lines(request.place)), PATIENCE)

    try:
        lines: dict[str, str] = await services.read_recently(request.place, "lines", read)
    except Exception as error:
        level = logging.INFO if isinstance(error, UserError | TimeoutError) else logging.WARNING
        log.log(level, "suggestions go without presets: %s", str(error) or "the database is busy")
        return {}
    return lines


def suggestion_label(line: str, canonical: str, room: GameRoom, odds: GameOdds | None) -> str:
    """Return the line with its odds in a few words, if they are known, and its canonical form, if that differs."""
    parts = [room.words.brief(odds)] if odds and room.words else []
    if canonical.casefold() != line.casefold():
        parts.append(canonical)
    label = f"{line} → {' · '.join(parts)}" if parts else line
    return label if len(label) <= LONGEST_SUGGESTION else line


async def with_odds(services: Services, lines: Mapping[Any, str]) -> list[Suggestion]:
    """Return lines, by their battles, as suggestions with the odds that are found while somebody types."""
    odds = await asyncio.gather(*map(services.engine.preview, lines))
    return [
        Suggestion(suggestion_label(line, line, services.rooms.of(battle), known), line)
        for (battle, line), known in zip(lines.items(), odds, strict=True)
    ]


def battle_reader(read: Callable[[str], Reading]) -> Callable[[str], Any]:
    """Return a function that returns the battle of a line; None if it means none."""

    def battle_of(line: str) -> Any:
        try:
            return read(line).battle
        except MatchupError:
            return None

    return battle_of


def understand_typed(
    rooms: Rooms, typed: str, saved: Mapping[str, str], command: str, language: str
) -> tuple[list[str], list[Suggestion]]:
    """Read a typed text as people say it, after a command.

    Returns:
        The lines that it may mean and that the command takes, without the command; and suggestions that stand before
        them: what has to be asked back, and lines with another command. Nothing for a text too long to be suggested.
    """
    if len(typed) > LONGEST_SUGGESTION:
        return [], []
    understanding = understand(rooms, typed, language, saved, command)
    lines, others = [], []
    for line in [understanding.line] if understanding.line else [offer.line for offer in understanding.offers]:
        here, own = line.removeprefix(f"/{command} "), line.startswith(f"/{command} ") or line[:1] != "/"
        here = explicit(rooms, here.replace(" or ", f" {BETWEEN} "), current_defaults())
        if len(here) > LONGEST_SUGGESTION:
            continue
        if own:
            lines.append(here)
        else:
            others.append(Suggestion(here, typed if understanding.line else here))
    if not understanding.line and (lines or others or looks_like_prose(rooms, typed)):
        others.insert(0, Suggestion(f"{typed} → {sentence_for(understanding.why)}"[:LONGEST_SUGGESTION], typed))
    return lines, others


async def readable_lines(lines: Iterable[str], read: Callable[[str], Meaning | None]) -> dict[Meaning, str]:
    """Return the first lines of those tried that mean something, by their meaning, as many as are suggested.

    `read` returns the meaning of a line, or None.
    """
    meanings: dict[Meaning, str] = {}
    for line in islice(lines, MOST_CANDIDATES):
        await asyncio.sleep(0)  # others are answered in between
        meaning = read(line) if len(line) <= LONGEST_SUGGESTION else None
        if meaning is not None:
            meanings.setdefault(meaning, line)
        if len(meanings) == MOST_SUGGESTIONS:
            break
    return meanings


def hints(rooms: Rooms, typed: str, mistake: MatchupError) -> list[Suggestion]:
    """Return the mistake of a line as a suggestion, then the corrected line."""
    better = short_correction(mistake)
    return [mistake_suggestion(rooms, typed, mistake), *([Suggestion(better, better)] if better else [])]


def hints_first(hints: list[Suggestion], suggestions: list[Suggestion]) -> list[Suggestion]:
    """Return the hints, then the suggestions, at most MOST_SUGGESTIONS and one."""
    return [*hints, *suggestions][: MOST_SUGGESTIONS + 1]


def mistake_suggestion(rooms: Rooms, typed: str, mistake: MatchupError) -> Suggestion:
    """Return the mistake of a line, in the place of a suggestion."""
    room = own_room(rooms, typed)
    own = room.notation.own_command if room else None
    reason = _(own.hint) if own and own.hint else mistake.reason
    return Suggestion(f"{typed} → {reason}"[:LONGEST_SUGGESTION], typed)


def short_correction(mistake: MatchupError) -> str:
    """Return the corrected line; "" if it is too long for a suggestion."""
    return mistake.better if len(mistake.better) <= LONGEST_SUGGESTION else ""
