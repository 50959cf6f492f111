"""The chance to win as a fraction, for battles with dice and paths."""

from collections.abc import Awaitable

from bot.errors import UserError
from bot.games.dice.words import fraction


async def exactly(found: Awaitable[str]) -> tuple[str, str]:
    """Return the fraction in short and in full, or the reason why there is none."""
    try:
        return fraction(await found)
    except UserError as error:
        return error.text.removesuffix("."), ""
