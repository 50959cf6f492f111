"""The common parts of answers with all endings of a battle: the chances in long lists, and the way back to the odds."""

from collections.abc import Callable
from dataclasses import replace

from bot.languages import _, _n, in_percent, number
from bot.replies import Button, Reply
from bot.words.numbers import percent
from solver.game import GameOdds

FILE = "ends.txt"
MOST_CHARACTERS = 1_900
"""How many characters of a message are for an answer; its line may be longer where another game is usual."""
FINEST = 4
"""The decimals of a chance in a file."""
WriteChance = Callable[[float, float], str]
"""Turn a chance into text; the second number is the chance of everything else."""


def chance_text(odds: GameOdds, fine: bool = False) -> WriteChance:
    """Return a function that writes the chances of these odds: as everywhere, or with the decimals of a file."""

    def write(chance: float, rest: float) -> str:
        usual = percent(chance, odds, rest)
        whole = usual in (in_percent("0"), in_percent("100"))
        return usual if not fine or odds.sampled or whole else fine_percent(chance)

    return write


def fine_percent(chance: float) -> str:
    """Write a chance with more decimals than a message needs."""
    finest = 10.0**-FINEST
    if 100 * chance < finest / 2:
        return in_percent(f"<{number(finest, FINEST)}")
    if 100 * chance >= 100 - finest / 2:
        return in_percent(f">{number(100 - finest, FINEST)}")
    return in_percent(number(100 * chance, FINEST))


def left_out_text(count: int, chance: str) -> str:
    """Say how many ends are not even in the file, and how likely they are together."""
    return _n("and {n} more ending, {chance}", "and {n} more endings, {chance} together", count, chance=chance)


def with_odds_button(reply: Reply, private: bool) -> Reply:
    """Return an answer with a button back to the odds."""
    return replace(reply, buttons=(Button(_("Odds"), "battle"),), private=private)
