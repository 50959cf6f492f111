"""Composes the lines of /need with money: "what should I buy with 24 IPC to take 5 inf" is `/need 24 ipc vs 5 inf`."""

from collections.abc import Sequence
from itertools import pairwise

from bot.phrases.commands.needs import line_against_units
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.pieces import pieces_of_armies, stacks_of
from bot.phrases.tag import OF_UNITS, Tag, has_role, has_table, tag_at, tags_of

MONEY = "ipc", "ipcs"
"""Words for money behind its number, in all languages."""


def has_money(tags: Sequence[Tag]) -> bool:
    """Tell whether a number is one of money, and no word says what for: "12 armies vs 20 ipc"."""
    return any(_is_money(number, behind) for number, behind in pairwise(tags))


def _is_money(number: Tag, behind: Tag) -> bool:
    """Tell whether a number is one of money."""
    return number.table == "number" and behind.text in MONEY


def _own_army(tags: Sequence[Tag]) -> tuple[str, Sequence[Tag]]:
    """Return the units that are there before the question what to buy, and the words from that on.

    "With 4 inf and 24 ipc what should I buy to take 5 inf"; without units on both sides of it all words stay.
    """
    at = next((index for index, tag in enumerate(tags) if tag.table == "questions" and tag.value == "buy"), 0)
    before, behind = tags[:at], tags[at:]
    if not (has_table(before, *OF_UNITS) and has_table(behind, *OF_UNITS)):
        return "", tags
    stacks = stacks_of(pieces_of_armies([tag for tag in before if not tag.means_nothing]))
    if has_role(before, "other", "against", "onto", "attack", "hold") or any(not stack.unit for stack in stacks):
        raise NotClearError("which side")
    return " ".join(f"{stack.count} {stack.unit}" for stack in stacks), behind


def compose_buy(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question what money buys best."""
    money = [number for tag in tags_of(tags, "questions") if tag.value == "buy" for number in tag.numbers]
    beside = [index for index, pair in enumerate(pairwise(tags)) if _is_money(*pair)]
    money += [number for index in beside for number in tags[index].numbers]
    if len(money) != 1:
        raise NotClearError("how much money")
    if has_table(tags, "chance"):
        raise NotClearError("a chance beside a battle")
    said = {at for index in beside for at in range(index - tag_at(tags, index - 1).is_role("and"), index + 2)}
    own, others = _own_army([tag for index, tag in enumerate(tags) if index not in said])
    line = line_against_units(others, " ".join(filter(None, [own, f"{money[0]} ipc"])))
    if not line:
        raise NotClearError("buy against what")
    return Meaning(f"/need {line}")
