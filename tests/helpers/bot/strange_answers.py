"""Every text of an answer that somebody reads, and the names that are never translated."""

from collections.abc import Iterator, Sequence
from itertools import chain

from bot import languages, packs
from bot.editions import editions
from bot.replies import ASK, ASK_ALL, Button, Form, Reply, small_print, text_above_table

NAMES = {"Sandtable", "Risk", "Star", "Wars", "Axis", "Allies", "IPC", "Global", "Pacific", "Europe", "Discord",
    "tester",
         "English", "SHA", "JSON", "TripleA", "XP", "AM",
         "sandtable", "setups"}  # fmt: skip
"""What is called the same everywhere."""

UNITS = {word for edition in editions().values() for word in edition.short.values()}
"""The words of the notation for units, which stand in tables too."""


def _labels(buttons: Sequence[Button]) -> Iterator[str]:
    """What stands on buttons, but for lines of the notation."""
    return (button.label for button in buttons if button.command not in (ASK, ASK_ALL) and button.label[0] != "/")


def _without_key(row: str) -> str:
    """A row of a table, without the name of a rule pack that is notation."""
    key, _, rest = row.partition("  ")
    return rest if key in (*packs.load(), *editions()) else row


def told(reply: Reply | Form) -> Iterator[str]:
    """Everything of an answer that somebody reads."""
    if isinstance(reply, Form):
        yield reply.title
        yield from chain.from_iterable((field.label, field.hint) for field in reply.fields)
        choices = chain.from_iterable(field.choices for field in reply.fields)
        yield from chain.from_iterable(one[1:] for one in choices if one.label not in languages.LANGUAGES.values())
        return
    yield from (
        text_above_table(reply),
        *map(_without_key, reply.table),
        small_print(reply),
        reply.aside,
        *_labels(reply.buttons),
    )
    if reply.picture:
        yield reply.picture.alternative
