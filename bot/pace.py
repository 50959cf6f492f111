"""The pace of the bot's own clock: one number scales every wait that comes again and again."""

PACE = 1.0
"""The factor of all these waits. The tests lower it, before they import anything that waits."""


def at_pace(seconds: float) -> float:
    """Return the seconds of a wait at this pace.

    This is for what the bot does every so often, or does again after a while. A limit for what others take, such as
    a locked database, stays as long as it is: nobody else hurries.
    """
    return seconds * PACE
