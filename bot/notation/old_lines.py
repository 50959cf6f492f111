"""Translates lines that were written by earlier rules to today's notation."""

from bot.errors import UserError
from bot.games.base import Rooms
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.plans import is_pair, parse_plans, write_plans
from bot.notation.reading import parse

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
