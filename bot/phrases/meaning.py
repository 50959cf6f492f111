"""The meaning of a phrase, the line that it may mean instead, and the error for phrases without a meaning."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.phrases.armies import SHIPS, SUBJECTS, Mark
from bot.phrases.sides import Evidence
from bot.phrases.tag import Tag

_TWO_NUMBERS = re.compile(r"(/\w+ )?(\d+) (\d+)((?: \S+)*)")
_SHIP = re.compile(r"(?<= )(d?)(bombers|fighters|capitals):")
OWNING = ("have", "with", "and", "each", "for", "attack", "hold")
"""The roles of words by which ships belong to an army."""
ORDER_ALONE = 1
"""The weight of evidence that is only the order of the armies."""
ARROWS = ("→", "->", ">", "➡", "=>")
"""The signs between territories that an army goes through."""


class NotClearError(Exception):
    """The phrase has no one meaning; `readings` are the lines that it may mean, and `why` says what is missing."""

    def __init__(self, why: str, *readings: str) -> None:
        super().__init__(why)
        self.why, self.readings = why, readings


@dataclass
class Meaning:
    """The line of a phrase, with the reasons for it, another line that it may mean, and a remark about its words."""

    line: str
    reasons: tuple[Evidence, ...] = ()
    other: str = ""
    remark: str = ""


def check_end(after: Sequence[Mark]) -> None:
    """Raise NotClearError if a word behind the last army wants another one behind it."""
    if any(mark.role in ("then", "counter", "against", "or", "through") or mark.text in ARROWS for mark in after):
        raise NotClearError("what comes next")


def other_line(line: str, tags: Sequence[Tag], reasons: Sequence[Evidence]) -> str:
    """Return the line with the ships on the other side, or with the sides changed; "" if the phrase leaves no doubt."""
    found = _TWO_NUMBERS.fullmatch(line)
    if not found or line.startswith("/compare"):
        return ""
    command, attackers, defenders, options = found.groups("")
    if _SHIP.search(options):
        moved = _SHIP.sub(lambda ship: f"{'' if ship[1] else 'd'}{ship[2]}:", options)
        return f"{command}{attackers} {defenders}{moved}" if _has_loose_ships(tags) else ""
    parted = any(tag.is_role("against", "onto") or tag.table in ("options", "variants") for tag in tags)
    parted = parted or any(one.table == other.table == "number" for one, other in pairwise(tags))  # as in notation
    ordered = all(abs(one.weight) <= ORDER_ALONE for one in reasons)
    return f"{command}{defenders} {attackers}" if ordered and not parted and not options else ""


def _has_loose_ships(tags: Sequence[Tag]) -> bool:
    """Tell whether all ships stand behind both numbers, and no word says whose they are."""
    ships = [index for index, tag in enumerate(tags) if tag.table == "ships" or tag.value in SHIPS]
    numbers = [index for index, tag in enumerate(tags) if tag.table == "number" and index + 1 not in ships]
    if len(numbers) < 2 or not ships or min(ships) < numbers[1]:
        return False
    between = tags[numbers[1] + 1 : max(ships) + 2]
    return not any(tag.is_role(*SUBJECTS, *OWNING) or tag.who for tag in between)
