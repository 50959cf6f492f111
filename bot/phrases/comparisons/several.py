"""Composes comparisons of a battle in which one number may be any of several: "15 vs 9 or 7 or 5"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from bot.notation.asked_ends import WORDS as ENDS
from bot.notation.plans import PLAN_NAMES
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.pieces import OR
from bot.phrases.tag import Tag, has_role, tags_of

_BETWEEN = re.compile(r" (?:\|\||or) ")
_ENDS = re.compile(rf"(?<= )(?:{'|'.join(ENDS)}):\S+")
LEAST = 3
"""The fewest numbers of a row that is surely of several plans."""


def compose_plans(tags: Sequence[Tag], at: Sequence[int], compose: Callable[[Sequence[Tag]], Meaning]) -> Meaning:
    """Compose the comparison of whole plans with "or" at these places between them; NotClearError if one is none."""
    bounds = [-1, *at, len(tags)]
    plans = [compose(tags[before + 1 : after]) for before, after in pairwise(bounds)]
    if len(plans) > len(PLAN_NAMES) or any(plan.line.startswith("/") for plan in plans):
        raise NotClearError("two plans")
    return Meaning(f"/compare {' || '.join(plan.line for plan in plans)}", plans[0].reasons, is_summed=True)


def compose_several(
    tags: Sequence[Tag], compose: Callable[[Sequence[Tag]], Meaning], least: int = LEAST
) -> Meaning | None:
    """Compose the comparison of a battle with each of the numbers; None if no row of numbers has "or" in it.

    Args:
        tags: The tags of the phrase.
        compose: Composes the line of a battle.
        least: The fewest numbers in the row.
    """
    start, end = _row_of_numbers(tags)
    row = tags[start:end]
    numbers = tags_of(row, "number")
    if len(numbers) < least or not has_role(row, *OR):
        return None
    if len(numbers) > len(PLAN_NAMES):
        raise NotClearError("two plans")
    plans = [compose([*tags[:start], number, *tags[end:]]) for number in numbers]
    lines = [plan.line for plan in plans]
    if any(line.startswith("/") for line in lines) or len({*lines}) < len(lines):
        raise NotClearError("two plans")
    return Meaning(f"/compare {' || '.join(lines)}", plans[0].reasons, is_summed=True)


def with_ends_of_one(meaning: Meaning) -> Meaning:
    """Let all plans ask about the ends that a phrase names for a later one: the others take them from the first."""
    first, *others = _BETWEEN.split(meaning.line)
    asked = _ENDS.findall(" ".join(others))
    if not others or not asked or _ENDS.search(first):
        return meaning
    return replace(meaning, line=" ".join([first, *dict.fromkeys(asked), meaning.line[len(first) + 1 :]]))


def _row_of_numbers(tags: Sequence[Tag]) -> tuple[int, int]:
    """Return where the longest row of numbers begins and ends, with commas or "or" between them."""
    rows = ((index, _end_of_row(tags, index)) for index, tag in enumerate(tags) if tag.table == "number")
    return max(rows, key=lambda row: row[1] - row[0], default=(0, 0))


def _end_of_row(tags: Sequence[Tag], start: int) -> int:
    """Return where a row of numbers ends that begins with a number."""
    after = start + 1
    while after < len(tags) and (tags[after].is_role(*OR) or tags[after].text == ","):
        after += 1
    goes_on = start + 1 < after < len(tags) and tags[after].table == "number"
    return _end_of_row(tags, after) if goes_on else start + 1
