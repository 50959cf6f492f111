"""Composes the line of the battle that the tags of a phrase mean, also of one against a preset."""

import re
from collections.abc import Callable, Sequence

from bot.notation.reading import preset_remark
from bot.phrases.armies import SHIPS, Stack, pieces_of_armies
from bot.phrases.dice_lines import compose_dice
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.options import OF_DICE
from bot.phrases.tag import Tag
from bot.phrases.unit_lines import compose_units

FACING = ("face", "faces")
"""Words for the faces of a die that are verbs too: "8 defenders face 15 attackers"."""
_COUNT = 98_765_432
"""How many stand in place of the preset while its line is composed; nobody types so many."""
_OPTIONS = r"(?P<options>(?: [a-z]\S*)*)"
_UNITS = re.compile(rf"(/\w+ )?(?:{_COUNT} inf vs (?P<army>.+)|(?P<attack>.+) vs {_COUNT} inf{_OPTIONS})")
_NUMBERS = re.compile(rf"(/\w+ )?(?:{_COUNT} (?P<army>\d+)|(?P<attack>\d+) {_COUNT}){_OPTIONS}")


def compose_battle(tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a battle of any game; NotClearError if there is none."""
    pieces = pieces_of_armies(tags)
    stacks = [piece for piece in pieces if isinstance(piece, Stack)]
    if any(tag.is_role("icons") and tag.text not in FACING for tag in tags) and not any(
        "icons:" in tag.value for tag in tags
    ):
        raise NotClearError("which faces")
    thrown = any(tag.table == "options" and tag.value.startswith(OF_DICE) for tag in tags)
    left = any(tag.table == "die" and tag.text != f"d{tag.value}" for tag in tags)
    if left or (not thrown and any(tag.is_role("dice") for tag in tags)):
        raise NotClearError("which dice")
    if not stacks:
        raise NotClearError("no armies")
    if any(stack.vague for stack in stacks):
        raise NotClearError("how many")
    by_unit = any(stack.unit and stack.unit not in SHIPS for stack in stacks) or all(stack.unit for stack in stacks)
    if by_unit and "capitals" not in {stack.unit for stack in stacks}:
        return compose_units(pieces, tags)
    return compose_dice(pieces, tags)


def compose_beside_preset(
    question: str, tags: Sequence[Tag], preset: Tag, compose: Callable[[str, tuple[Tag, ...]], Meaning]
) -> Meaning | None:
    """Compose the line of one army and a preset on the other side; None if the phrase is not plainly that.

    Args:
        question: What the phrase asks.
        tags: The tags of the phrase.
        preset: The tag among them that names a preset.
        compose: Composes the line of a phrase without presets.
    """
    if question != "need" and not any(tag.is_role("against", "onto", "attack", "attacked") for tag in tags):
        return None
    units = any(tag.table == "units" for tag in tags)
    stand_in = [Tag("number", "", preset.start, preset.end, (_COUNT,), text=str(_COUNT))]
    stand_in += [Tag("units", "inf", preset.start, preset.end, text="inf")] * units
    at = tags.index(preset)
    try:
        meaning = compose(question, (*tags[:at], *stand_in, *tags[at + 1 :]))
    except NotClearError:
        return None
    found = (_UNITS if units else _NUMBERS).fullmatch(meaning.line)
    if not found or meaning.line.count(str(_COUNT)) > 1 or " then " in meaning.line:
        return None
    army, attack, options = found["army"], found["attack"], found["options"] or ""
    sides = f"{preset.value} vs {army}" if army else f"{attack} vs {preset.value}"
    # Behind `vs` the ships of a line about dice would be the defender's.
    line = f"{sides}{options}" if units else f"{options} {sides}".strip()
    remark = preset_remark(preset.value, "attacker" if army else "defender")
    return Meaning(f"{found[1] or ''}{line}", meaning.reasons, remark=remark)
