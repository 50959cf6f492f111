"""Why an answer cannot be shown: which errors mean that nobody waits for it, or that its message was deleted."""

import aiohttp
import discord

UNKNOWN_MESSAGE = 10008
GONE = {
    10003,  # unknown channel
    UNKNOWN_MESSAGE,
    10015,  # unknown webhook
    10062,  # unknown interaction: we were too late, or something new was typed meanwhile
    40060,  # already answered
    50001,  # no access to the channel
    50013,  # no right to write there
    50027,  # the token of the interaction is too old
    160002,  # no right to read what was written there
}
"""Discord's codes for an answer that nobody waits for any more, or that nobody could have been given."""


def is_gone(error: object) -> bool:
    """Whether an answer could not be shown only because nobody is there to see it, or we have hung up already."""
    return is_hung_up(error) or (isinstance(error, discord.HTTPException) and error.code in GONE)


def is_deleted(error: BaseException) -> bool:
    """Whether the message that was to change is not there any more."""
    return isinstance(error, discord.HTTPException) and error.code == UNKNOWN_MESSAGE


def is_refused(error: BaseException) -> bool:
    """Whether Discord would say the same at any other time."""
    return isinstance(error, discord.HTTPException) and 400 <= error.status < 500 and error.status != 429


def is_unsent(error: BaseException) -> bool:
    """Whether Discord did not take what we sent, or did not hear it; any other error is a fault of ours."""
    return isinstance(error, discord.HTTPException | aiohttp.ClientError | OSError) or is_hung_up(error)


def is_hung_up(error: object) -> bool:
    """Whether something was sent after we had closed the connection."""
    return isinstance(error, RuntimeError) and str(error) == "Session is closed"
