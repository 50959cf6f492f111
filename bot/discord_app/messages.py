"""Messages: turns a reply into a message of Discord with text, files and buttons, within Discord's limits.

A button needs no memory, so it works after any restart. Its custom_id names a version and a command ("b2:swap"); the
battle is the line in back-ticks at the end of its message. The buttons of a live battle name the battle and its turn
("b2:roll on:k3f9x2ab:4"), and some buttons hold a line of their own ("b2:ask:need 9").
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import accumulate
from typing import Any

import discord

from bot.replies import ASK, ASK_ALL, Button, Reply, full_text, small_print, text_above_table

VERSION = "b2"
FIRST = "b1"
"""The version of buttons from the time of the first rules; their lines keep their old meaning."""
BUTTONS_A_ROW = 4
LONGEST_CONTENT = 2_000
LONGEST_NOTE = 1_750
"""The length up to which the small print is never cut: buttons read the line in it."""
ALL = "all.txt"
"""The file with the whole text of an answer that is too long for a message."""
LONGEST_BUTTON, LONGEST_ID, LONGEST_ALTERNATIVE = 80, 100, 1_024
LONGEST_GAP = 40


def message_parts(reply: Reply) -> dict[str, Any]:
    """Return the keyword arguments for sending a reply, which all of discord.py's send functions take."""
    files = []
    if reply.picture:
        picture = reply.picture
        alternative = picture.alternative[:LONGEST_ALTERNATIVE]
        files.append(discord.File(BytesIO(picture.png), picture.name, description=alternative))
    content = full_text(reply)
    if len(content) > LONGEST_CONTENT:
        content, everything = _fit_into_message(reply, content)
        files.append(discord.File(BytesIO(everything.encode()), ALL))
    if reply.file:
        files.append(discord.File(BytesIO(reply.file.text.encode()), reply.file.name))
    parts: dict[str, Any] = {"content": content, "files": files}
    if reply.buttons:
        parts["view"] = _view(reply.buttons)
    return parts


def edit_parts(reply: Reply) -> dict[str, Any]:
    """Return the keyword arguments for editing a message; files can be sent only once, so each call makes new ones."""
    parts = message_parts(reply)
    return {"content": parts["content"], "attachments": parts["files"], "view": parts.get("view")}


def _fit_into_message(reply: Reply, content: str) -> tuple[str, str]:
    """Shorten a reply to the length of a message, first its table, then its text.

    No answer should be so long, but none may be refused for that either.

    Returns:
        The content of the message, and the text of a file with the rest.
    """
    if reply.table:
        shorter = full_text(reply, _shorten_table(reply.table, LONGEST_CONTENT - len(full_text(reply, [""]))))
        if len(shorter) <= LONGEST_CONTENT:
            return shorter, "\n".join(reply.table)
    last = small_print(reply)
    note = f"\n-# {last}" if 0 < len(last) < LONGEST_NOTE else ""
    text = text_above_table(reply)[: LONGEST_CONTENT - len(note) - 2]
    # Text in back-ticks stays in them: it may hold markup that somebody else wrote.
    return f"{text}{'`' if text.count('`') % 2 else ''}…{note}", content


def _shorten_table(rows: Sequence[str], room: int) -> list[str]:
    """Return the first and last rows of a table that fit into `room` characters, and a row for the gap between them."""
    room -= max(LONGEST_GAP, len(_gap_row(len(rows))) + 1)
    end = _first_rows(rows[::-1], room // 3)
    start = _first_rows(rows[: len(rows) - len(end)], room - sum(len(row) + 1 for row in end))
    return [*start, _gap_row(len(rows) - len(start) - len(end)), *end[::-1]]


def _gap_row(rows: int) -> str:
    """Return the row for a gap, without words: the answer may be in another language than the current one."""
    return f"… + {rows}: {ALL} …"


def _first_rows(rows: Sequence[str], room: int) -> list[str]:
    """Return as many of the first rows as fit into `room` characters."""
    return [row for row, used in zip(rows, accumulate(len(row) + 1 for row in rows), strict=True) if used <= room]


def _view(buttons: Sequence[Button]) -> discord.ui.View:
    """Return those buttons that fit Discord's limits: with their id, and those of a typed line with their label."""
    view = discord.ui.View(timeout=None)
    known = [(button, action_of(button.command, button.argument)) for button in buttons]
    fitting = [
        (button, action)
        for button, action in known
        if len(action) <= LONGEST_ID and (len(button.label) <= LONGEST_BUTTON or button.command not in (ASK, ASK_ALL))
    ]
    for index, (button, action) in enumerate(fitting):
        item = discord.ui.Button[discord.ui.View](
            label=button.label if len(button.label) <= LONGEST_BUTTON else f"{button.label[: LONGEST_BUTTON - 1]}…",
            custom_id=action,
            style=discord.ButtonStyle.secondary if index else discord.ButtonStyle.primary,
            disabled=not button.enabled,
            row=index // BUTTONS_A_ROW,
        )
        view.add_item(item)
    view.stop()  # discord.py would keep it; we know buttons by their ids
    return view


def action_of(command: str, argument: str) -> str:
    """Return the custom_id of a button or form that calls a command."""
    return f"{VERSION}:{command}{argument and f':{argument}'}"
