"""Lines of /dice about units: one army alone, "10 inf", or both, to a battle in which a lone army meets one unit."""

from collections.abc import Callable

from bot.games.axis.need_lines import write_need
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.notation.mistakes import MatchupError
from solver.axis.units import ROLES, Role

ENEMIES = "1 inf", "1 sub"
"""The opponents of a lone army, on land or at sea; in one throw that makes no difference."""


def read_lone_army(line: str, role: Role, read: Callable[[str], Reading]) -> Reading:
    """Read a line with units of one side; `Reading.details` is its role.

    Args:
        line: A normal line without "vs".
        role: The role of its units.
        read: Reads a line with both sides.
    """
    first: MatchupError | None = None
    for enemy in ENEMIES:
        before, behind = ("", f" vs {enemy}") if role == "attack" else (f"{enemy} vs ", "")
        try:
            return read(f"{before}{line}{behind}")._replace(details=role)
        except MatchupError as error:
            start, end = (max(place - len(before), 0) for place in (error.start, error.end))
            better = error.better.removeprefix(before).removesuffix(behind)
            first = first or MatchupError(line, start, max(end, start + 1), error.reason, better=better)
    assert first is not None
    raise first


def write_thrown(reading: Reading, _lone: str) -> str:
    """Write the canonical line of a reading in which one army may stand alone: "10 inf", "10 inf defend"."""
    line = write_armies(reading.battle)
    if reading.details not in ROLES:
        return write_need(reading)
    for enemy in ENEMIES:
        if reading.details == "attack" and f" vs {enemy}" in line:
            return line.replace(f" vs {enemy}", "", 1)
        if reading.details == "defence" and line.startswith(f"{enemy} vs "):
            return f"{line.removeprefix(f'{enemy} vs ')} defend"
    return line
