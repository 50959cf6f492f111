"""What the answers with all endings of a battle share in every game."""

from dataclasses import replace

from bot.languages import _
from bot.replies import Button, Reply

FILE = "ends.txt"
MOST_CHARACTERS = 1_900
"""How many characters of a message are for an answer; its line may be longer where another game is usual."""


def with_odds_button(reply: Reply, private: bool) -> Reply:
    """Return an answer with a button back to the odds."""
    return replace(reply, buttons=(Button(_("Odds"), "battle"),), private=private)
