"""Lines as other defaults have them: with all that a place would change, and brought from earlier rules to today's."""

from bot.errors import UserError
from bot.games.base import Reading, Rooms, require
from bot.notation.defaults import PLAIN, NotationDefaults, reading_with
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.notation.plans import BETWEEN, is_pair, parse_plans, write_plans
from bot.notation.reading import parse, room_of_other

FIRST, SECOND = NotationDefaults(rules=1), NotationDefaults(rules=2)
"""The first and the second rules of the notation: a migration relies on both."""


def in_todays_notation(rooms: Rooms, line: str) -> str:
    """Rewrite a line from the time of the first rules for today; other texts stay unchanged.

    A line that means the same by both rules stays as it is, to the letter.
    """
    try:
        then = _canonical(rooms, line, FIRST)
    except UserError:
        return line
    try:
        now = _canonical(rooms, line, SECOND)
    except UserError:
        return then
    return line if then == now else then


def _canonical(rooms: Rooms, line: str, defaults: NotationDefaults) -> str:
    """Return the canonical line of a battle, or of two plans, as these defaults read it."""
    with reading_with(defaults):
        if is_pair(rooms, line):
            return write_plans(rooms, parse_plans(rooms, line))
        return rooms.write(parse(rooms, line).battle)


def explicit(rooms: Rooms, line: str, defaults: NotationDefaults) -> str:
    """Add to a canonical line what these defaults would change; other texts stay unchanged.

    It may have been made explicit before, for these defaults or for others.
    """
    if defaults == PLAIN:
        return line
    if room := room_of_other(rooms, line):
        make_explicit = require(room.notation.other_lines).explicit
        return make_explicit(line, defaults) if make_explicit else line
    pair = is_pair(rooms, line)
    try:
        with reading_with(PLAIN):
            one = () if pair else (parse(rooms, line, takes=ASKED_WITH_BATTLE, own_commands=True),)
            readings = one or parse_plans(rooms, line)
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
