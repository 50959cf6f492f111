"""Canonical lines that say all that the defaults of a place would change: pasted there, they mean the same battle."""

from bot.errors import UserError
from bot.games.base import Reading, Rooms
from bot.notation.defaults import PLAIN, NotationDefaults, reading_with
from bot.notation.plans import BETWEEN, is_pair, parse_plans
from bot.notation.reading import parse


def explicit(rooms: Rooms, line: str, defaults: NotationDefaults) -> str:
    """Add to a canonical line what these defaults would change; other texts stay unchanged.

    It may have been made explicit before, for these defaults or for others.
    """
    if defaults == PLAIN:
        return line
    pair = is_pair(rooms, line)
    try:
        with reading_with(PLAIN):
            readings = parse_plans(rooms, line) if pair else (parse(rooms, line, own_commands=True),)
    except UserError:
        return line
    parts = line.split(f" {BETWEEN} ") if pair else [line]
    return f" {BETWEEN} ".join(
        _explicit(rooms, part, reading, defaults) for part, reading in zip(parts, readings, strict=False)
    )


def _explicit(rooms: Rooms, line: str, reading: Reading, defaults: NotationDefaults) -> str:
    """Return the explicit line of one battle."""
    make_explicit = rooms.of(reading.battle).notation.explicit
    return make_explicit(line, defaults) if make_explicit else line
