"""Autocomplete for bombing raids: lines that a typed text may become, with their results."""

from collections.abc import Iterator

from bot.autocomplete import Suggestion, battle_reader, for_typed_line, hints, readable_lines, with_odds
from bot.editions import editions
from bot.games.raid.notation import RAID, WORDS, asked_ends, read_corrected, write_raid
from bot.notation.defaults import current_defaults
from bot.notation.mistakes import MatchupError
from bot.notation.old_lines import explicit
from bot.notation.options import complete_option
from bot.notation.reading import own_room
from bot.request import Request, Services

RAIDS = (
    RAID,
    "2 bom vs 12",
    f"{RAID} lowluck",
    f"{RAID} aafired",
    f"{RAID} variant:1940",
    "5 bom 2 fig vs 3 fig 20",
    "3 tac vs base variant:1940",
)
FACTORIES = (20, 16, 12, 8)
"""Points that factories can often take."""


@for_typed_line
async def suggest_raids(request: Request, services: Services, typed: str) -> list[Suggestion]:
    """Suggest bombing raids for a typed text, with their results; explain the mistake if there is none."""
    if asked_ends(typed) and own_room(services.rooms, typed):
        return [Suggestion(typed, typed)]
    raids = await readable_lines(_raid_lines(typed), battle_reader(read_corrected))
    if typed and not raids:
        try:
            read_corrected(typed)
        except MatchupError as error:
            return hints(services.rooms, typed, error)
    written = {raid: explicit(services.rooms, write_raid(raid), current_defaults()) for raid in raids}
    return await with_odds(services, written)


def _raid_lines(typed: str) -> Iterator[str]:
    """Return lines of raids to suggest for a typed text; some of them may be no raids."""
    begun = typed.split()[-1] if typed else ""
    yield typed
    if begun:
        words = complete_option(WORDS, begun, {"variant": editions(), "worth": ()})
        yield from (f"{typed.removesuffix(begun)}{word}" for word in words)
    if typed and ":" not in begun:
        yield from (f"{typed} {points}" for points in FACTORIES)
        yield from (f"{typed} {word}" for word in WORDS)
    yield from (example for example in RAIDS if example.startswith(typed))
