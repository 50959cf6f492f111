"""A reply as a message of Discord's: text, files and buttons, within all that Discord allows.

Nothing is kept in memory for a button: its custom_id names a version and a command ("b2:swap"), and the battle is
the line in back-ticks at the end of the message it stands under; that of a live battle names the battle, and after
how many rolls it was shown ("b2:roll on:k3f9x2ab:4"), and some hold a line of their own ("b2:ask:need 9"). So buttons
work after any restart.
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import accumulate
from typing import Any

import discord

from bot.replies import ASK, ASK_ALL, Button, Reply, whole

VERSION = "b2"
FIRST = "b1"
"""The version of buttons from the time of the first rules: their lines mean what they meant then."""
BUTTONS_A_ROW = 4
LONGEST_CONTENT = 2_000
LONGEST_NOTE = 1_750
"""The small print is kept whole up to here: buttons read the line in it."""
ALL = "all.txt"
"""The file with all of an answer that is too long for a message."""
LONGEST_BUTTON, LONGEST_ID, LONGEST_ALTERNATIVE = 80, 100, 1_024
LONGEST_GAP = 40


def message_parts(reply: Reply) -> dict[str, Any]:
    """The keyword arguments that all of discord.py's ways to send a message share."""
    files = []
    if reply.picture:
        picture = reply.picture
        alternative = picture.alternative[:LONGEST_ALTERNATIVE]
        files.append(discord.File(BytesIO(picture.png), picture.name, description=alternative))
    content = whole(reply)
    if len(content) > LONGEST_CONTENT:
        content, everything = _within(reply, content)
        files.append(discord.File(BytesIO(everything.encode()), ALL))
    if reply.file:
        files.append(discord.File(BytesIO(reply.file.text.encode()), reply.file.name))
    parts: dict[str, Any] = {"content": content, "files": files}
    if reply.buttons:
        parts["view"] = _view(reply.buttons)
    return parts


def changes(reply: Reply) -> dict[str, Any]:
    """The same for a message that is there already; files can be sent once, so these are made anew each time."""
    parts = message_parts(reply)
    return {"content": parts["content"], "attachments": parts["files"], "view": parts.get("view")}


def _within(reply: Reply, content: str) -> tuple[str, str]:
    """As much of a reply as a message holds, and a file's text with the rest: a table gives way first, then the text.

    No answer should say so much, but none may be refused for that either.
    """
    if reply.table:
        shorter = whole(reply, _shortened(reply.table, LONGEST_CONTENT - len(whole(reply, [""]))))
        if len(shorter) <= LONGEST_CONTENT:
            return shorter, "\n".join(reply.table)
    note = f"\n-# {reply.note}" if 0 < len(reply.note) < LONGEST_NOTE else ""
    text = reply.text[: LONGEST_CONTENT - len(note) - 2]
    # What was in code stays in code: there may be markup in it that somebody else wrote.
    return f"{text}{'`' if text.count('`') % 2 else ''}…{note}", content


def _shortened(rows: Sequence[str], room: int) -> list[str]:
    """The beginning and the end of a table, in so many characters, and how many rows are left out between."""
    room -= max(LONGEST_GAP, len(_left_out(len(rows))) + 1)
    end = _fitting(rows[::-1], room // 3)
    start = _fitting(rows[: len(rows) - len(end)], room - sum(len(row) + 1 for row in end))
    return [*start, _left_out(len(rows) - len(start) - len(end)), *end[::-1]]


def _left_out(rows: int) -> str:
    """Said by what all languages share: the answer may be in another one than this moment."""
    return f"… + {rows}: {ALL} …"


def _fitting(rows: Sequence[str], room: int) -> list[str]:
    """As many of the first rows as fit into so many characters."""
    return [row for row, used in zip(rows, accumulate(len(row) + 1 for row in rows), strict=True) if used <= room]


def _view(buttons: Sequence[Button]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    fitting = [button for button in buttons if _fits(button)]
    for index, button in enumerate(fitting):
        style = discord.ButtonStyle.secondary if index else discord.ButtonStyle.primary
        item = discord.ui.Button[discord.ui.View](
            label=button.label if len(button.label) <= LONGEST_BUTTON else f"{button.label[: LONGEST_BUTTON - 1]}…",
            custom_id=action_of(button.command, button.argument),
            style=style,
            disabled=not button.enabled,
            row=index // BUTTONS_A_ROW,
        )
        view.add_item(item)
    view.stop()  # discord.py would keep it; we know buttons by their ids
    return view


def _fits(button: Button) -> bool:
    """Whether a button can do what it says: its id has room for that, and what it asks can be read in full."""
    asks = button.command in (ASK, ASK_ALL)
    whole = len(button.label) <= LONGEST_BUTTON or not asks
    return whole and len(action_of(button.command, button.argument)) <= LONGEST_ID


def action_of(command: str, argument: str) -> str:
    """The custom_id of what calls a command."""
    return f"{VERSION}:{command}{argument and f':{argument}'}"
