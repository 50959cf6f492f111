"""Reads the dice of a side where a phrase about a battle names them as they are rolled: "attacker rolls 3d8".

Where no word says whose they are, they may be those of either side.
"""

from collections.abc import Iterator

from bot.phrases.faces import SIDES
from bot.phrases.tag import CHOICES, Tag
from bot.phrases.words import Words

LETTERS = ("d", "w", "д", "к")
"""The letters between the number of dice and that of their sides."""
FARTHEST = 4
"""The most words between a side and its dice."""
MOST_DICE = 10


def rolled_dice_tags(words: Words) -> Iterator[Tag]:
    """Yield an option for the dice of each side that a phrase names."""
    for start in range(len(words.tokens) - 1):
        end, sides = _dice_at(words, start)
        count, side = words.tokens[start].number or 0, _side_before(words, start)
        if not sides or not 0 < count <= MOST_DICE:
            continue
        dice = ",".join([str(sides)] * count)
        role = "" if side is None else words.meaning(side, "roles")
        begin = start if side is None else side + words.follows_number(side)  # in "12 defenders roll" these are counted
        option = f"{SIDES[role]}dice:{dice}" if role else CHOICES.join(f"{letter}dice:{dice}" for letter in "ad")
        text = " ".join(token.text for token in words.tokens[begin:end])
        yield Tag("options", option, begin, end, who=role, text=text)


def _dice_at(words: Words, start: int) -> tuple[int, int]:
    """Return where dice such as "3d8" end that begin at a place, and their sides; 0 sides if there are none."""
    first, *rest = words.tokens[start : start + 3]
    if first.number is None or not rest or not rest[0].glued:
        return start, 0
    if rest[0].die:
        return start + 2, rest[0].die
    glued = len(rest) > 1 and rest[0].text in LETTERS and rest[1].glued
    return (start + 3, rest[1].number or 0) if glued else (start, 0)


def _side_before(words: Words, start: int) -> int | None:
    """Return the place of the nearest word for a side before dice; None if a number comes first, or none is near."""
    for index in range(start - 1, max(start - 1 - FARTHEST, -1), -1):
        if words.tokens[index].number is not None or words.tokens[index].die:
            return None
        if words.meaning(index, "roles") in SIDES:
            return index
    return None
