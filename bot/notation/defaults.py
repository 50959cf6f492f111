"""The defaults of lines: the game, the edition and the garrison, for lines that do not name them.

Each place has defaults of its own, but only for what people type. The lines that the bot writes, under answers, in logs
and among the presets, say everything: `explicit` adds what the defaults of a place would change.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from bot.notation.dice_options import CLASSIC

USUAL_EDITION = "1942"
"""The edition of Axis & Allies that lines mean unless they, or the settings of a place, name another."""
RULES = 9
"""The rules by which lines are read and battles fought today.

By the first rules orders of loss did not last beyond their wave, and the second of two plans was a battle of its own
wherever it could be. By the second ones players of Axis & Allies could not choose their losses. By the third ones
1914 had no battle in the air, and all damaged ships were repaired after a battle. By the fourth ones some rules of
Axis & Allies were wrong. By the fifth ones players could not choose their losses in several waves. By the sixth ones
a battle ended without a choice of the last losses if the same side won anyway. By the seventh ones a turn on a map
fought each attack to its end. By the eighth ones submarines of Axis & Allies Revised submerged before a round, guns
of a table that fired at each kind of plane apart had more shots than their text says, and a variant was not suited to
dice that its line names. But for these, lines mean the same by the second and all later rules. Old logs are still
followed by theirs; other lines of the first rules are brought to today's notation (bot/notation/old_lines.py).
"""


class NotationDefaults(NamedTuple):
    """The defaults of a line.

    Attributes:
        game: The rule pack of numbers alone, CLASSIC or one of `packs.load()`.
        edition: The edition of Axis & Allies.
        behind: The number of attackers that must stay behind.
        rules: The rules of the time when the line was written.
    """

    game: str = CLASSIC
    edition: str = USUAL_EDITION
    behind: int = 0
    rules: int = RULES


THROW_BY_THROW = 8
"""The first rules by which each throw of a turn on a map may come from any front."""
SUITED = 9
"""The first rules by which the bonus and the rerolls of a variant suit the dice that a line names."""
PLAIN = NotationDefaults()

_defaults = ContextVar("defaults", default=PLAIN)


def current_defaults() -> NotationDefaults:
    """Return the defaults by which lines are read now."""
    return _defaults.get()


@contextmanager
def reading_with(defaults: NotationDefaults) -> Iterator[None]:
    """Read all lines inside by these defaults."""
    token = _defaults.set(defaults)
    try:
        yield
    finally:
        _defaults.reset(token)
