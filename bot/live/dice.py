"""The last throw of a live battle as pictures of dice, which stand in its message like letters."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from bot.games.live import Live
from bot.languages import _p
from bot.live.words import Stages
from bot.replies import Reply, full_text

MOST_DICE = 10
"""The most dice of one side that are pictured."""
LONGEST_TEXT = 1_900
"""The length of a message up to which it has room for dice; some is left for a longer line."""


def die_name(side: str, sides: int, face: int) -> str:
    """Return the name of a picture, which readers of screens hear; `side` is "attack" or "defence"."""
    return f"{side}_{face}_of_{sides}"


PICTURED = {
    die_name(side, sides, face): (side, sides, face)
    for side in ("attack", "defence")
    for sides in (6, 8)
    for face in range(1, sides + 1)
}
"""The dice that have a picture, by its name: the side that rolls, the number of sides and the face."""


def with_dice(reply: Reply, live: Live, stages: Stages, pictures: Mapping[str, str]) -> Reply:
    """Return the message of a battle with its last throw as dice below the headline, if there is room for them.

    The table has all throws in digits in any case.

    Args:
        reply: The message.
        live: The live battles of the game.
        stages: The stages of the battle.
        pictures: The text that shows each die, by its name; empty if there are none.
    """
    line = dice_line(live, stages, pictures)
    pictured = replace(reply, facts=(line, *reply.facts))
    return pictured if line and len(full_text(pictured)) <= LONGEST_TEXT else reply


def dice_line(live: Live, stages: Stages, pictures: Mapping[str, str]) -> str:
    """Return the last throw as dice; "" if some of them have no picture, or if they are too many."""
    throws = [(stage.throw, before.fight) for before, stage in pairwise(stages) if stage.throw]
    dice = live.dice(*throws[-1]) if throws and pictures else None
    if dice is None or max(map(len, dice)) > MOST_DICE:
        return ""
    attack, defence = (
        [pictures.get(die_name(side, die.sides, die.face), "") for die in some]
        for side, some in zip(("attack", "defence"), dice, strict=True)
    )
    if not all((*attack, *defence)):
        return ""
    if not (attack and defence):
        return " ".join((*attack, *defence))
    return _p("short", "{attackers} v {defenders}", attackers=" ".join(attack), defenders=" ".join(defence))
