"""Lines that were written by earlier rules, brought to today's notation: what they meant then is spelled out."""

from bot.errors import UserError
from bot.matchup.habits import Unsaid, meaning
from bot.matchup.placing import is_placing
from bot.matchup.plans import BETWEEN, parse_plans, write_plans
from bot.matchup.reading import parse
from bot.matchup.writing import write

FIRST, SECOND = Unsaid(rules=1), Unsaid(rules=2)
"""How lines were read by the first rules and by the second: a migration relies on both."""


def spelled_out(line: str) -> str:
    """A line as it is written today, of a line from the time of the first rules; other texts as they are.

    A line that means the same by both rules stays as it is, to the letter.
    """
    try:
        then = _written(line, FIRST)
    except UserError:
        return line
    try:
        now = _written(line, SECOND)
    except UserError:
        return then
    return line if then == now else then


def _written(line: str, meant: Unsaid) -> str:
    """The canonical line of a battle, or of two plans."""
    with meaning(meant):
        if BETWEEN in line and not is_placing(line):
            return write_plans(parse_plans(line))
        return write(parse(line).battle)
