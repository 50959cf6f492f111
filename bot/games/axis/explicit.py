"""Lines of Axis & Allies that say their edition where another is usual."""

from bot.editions import USUAL
from bot.notation.defaults import NotationDefaults, current_defaults


def explicit(line: str, defaults: NotationDefaults) -> str:
    """Return a canonical line with its edition if these defaults have another and it does not say it."""
    return line if defaults.edition == USUAL or " variant:" in line else f"{line} variant:{USUAL}"


def example_here(line: str) -> str:
    """Return an example of Axis & Allies, with its edition if another is usual in this place."""
    first, between, others = line.partition(" || ")
    return line if current_defaults().edition == USUAL else f"{first} variant:{USUAL}{between}{others}"
