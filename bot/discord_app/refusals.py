"""What Discord says when an answer cannot be shown: which refusals mean that nobody waits for it any more."""

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
    hung_up = isinstance(error, RuntimeError) and str(error) == "Session is closed"
    return hung_up or (isinstance(error, discord.HTTPException) and error.code in GONE)


def is_refused(error: BaseException) -> bool:
    """Whether Discord would say the same at any other time."""
    return isinstance(error, discord.HTTPException) and 400 <= error.status < 500 and error.status != 429
