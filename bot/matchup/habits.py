"""What a line means by what it does not say: that differs by the place where somebody types it.

Only what people type is read so. Lines that we have written, which stand under answers, in logs and among the saved
set-ups, say everything: `explicit` adds what the habits of a place would change otherwise.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from bot.editions import USUAL
from bot.words import CLASSIC

RULES = 2
"""The rules by which lines are read and battles fought today.

By the first rules orders of loss did not last beyond their wave, and the second of two plans was a battle of its own
wherever it could be. Old logs are still followed by them; other old lines are brought to today's notation
(bot/matchup/old_lines.py).
"""


class Unsaid(NamedTuple):
    """What is meant where a line does not say it.

    `game` is the rule pack of numbers alone, CLASSIC or one of `packs.load()`; `edition` that of Axis & Allies;
    `behind` is how many of an attacker's number must stay behind. `rules` are those of the time when it was written.
    """

    game: str = CLASSIC
    edition: str = USUAL
    behind: int = 0
    rules: int = RULES


PLAIN = Unsaid()

_meant = ContextVar("meant", default=PLAIN)


def unsaid() -> Unsaid:
    """What is meant at this moment."""
    return _meant.get()


def example(line: str) -> str:
    """An example of Axis & Allies that is right at this moment: with its edition where another is usual."""
    first, between, others = line.partition(" || ")
    return line if unsaid().edition == USUAL else f"{first} variant:{USUAL}{between}{others}"


@contextmanager
def meaning(meant: Unsaid) -> Iterator[None]:
    """Read all lines inside as they are meant in some place."""
    before = _meant.set(meant)
    try:
        yield
    finally:
        _meant.reset(before)
