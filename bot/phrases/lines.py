"""Composes the line of the battle that the tags of a phrase mean."""

from collections.abc import Sequence

from bot.phrases.armies import SHIPS, Stack, pieces_of_armies
from bot.phrases.dice_lines import compose_dice
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.options import OF_DICE
from bot.phrases.tag import Tag
from bot.phrases.unit_lines import compose_units

FACING = ("face", "faces")
"""Words for the faces of a die that are verbs too: "8 defenders face 15 attackers"."""


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
