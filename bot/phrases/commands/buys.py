"""Composes the lines of /need with money: "what should I buy with 24 IPC to take 5 inf" is `/need 24 ipc vs 5 inf`."""

from collections.abc import Sequence
from itertools import pairwise

from bot.phrases.commands.needs import line_against_units
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.tag import Tag, has_table, tags_of

MONEY = "ipc", "ipcs"
"""Words for money behind its number, in all languages."""


def has_money(tags: Sequence[Tag]) -> bool:
    """Tell whether a number is one of money, and no word says what for: "12 armies vs 20 ipc"."""
    return any(number.table == "number" and behind.text in MONEY for number, behind in pairwise(tags))


def compose_buy(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question what money buys best."""
    money = [number for tag in tags_of(tags, "questions") if tag.value == "buy" for number in tag.numbers]
    if len(money) != 1:
        raise NotClearError("how much money")
    if has_table(tags, "chance"):
        raise NotClearError("a chance beside a battle")
    line = line_against_units(tags, f"{money[0]} ipc")
    if not line:
        raise NotClearError("buy against what")
    return Meaning(f"/need {line}")
