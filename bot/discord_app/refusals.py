"""Classifies the errors of sending: nobody waits for the answer, its message was deleted, or Discord refuses it."""

import aiohttp
import discord

UNKNOWN_MESSAGE = 10008
ANSWERED = 40060
GONE = {
    10003,  # unknown channel
    UNKNOWN_MESSAGE,
    10015,  # unknown webhook
    10062,  # unknown interaction: we were too late, or the person has typed on
    ANSWERED,
    50001,  # no access to the channel
    50013,  # no right to write there
    50027,  # the token of the interaction is too old
    160002,  # no right to read the channel's history
}
"""Discord's codes for an answer that nobody waits for any more or nobody could receive."""


def is_gone(error: object) -> bool:
    """Whether an answer could not be sent because nobody waits for it, or because we have closed the connection."""
    return is_hung_up(error) or (isinstance(error, discord.HTTPException) and error.code in GONE)


def is_cut(error: object) -> bool:
    """Whether a connection broke or hung, so that Discord may have got the request or not."""
    return isinstance(error, aiohttp.ClientError | OSError)


def is_deleted(error: BaseException) -> bool:
    """Whether the message to edit was deleted."""
    return isinstance(error, discord.HTTPException) and error.code == UNKNOWN_MESSAGE


def is_refused(error: BaseException) -> bool:
    """Whether Discord would refuse the same request at any other time, too."""
    return isinstance(error, discord.HTTPException) and 400 <= error.status < 500 and error.status != 429


def is_unsent(error: BaseException) -> bool:
    """Whether Discord refused a request or did not receive it; any other error is a fault of ours."""
    return isinstance(error, discord.HTTPException | aiohttp.ClientError | OSError) or is_hung_up(error)


def is_hung_up(error: object) -> bool:
    """Whether a request was made after we had closed the connection."""
    return isinstance(error, RuntimeError) and str(error) == "Session is closed"
