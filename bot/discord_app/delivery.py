"""Delivery: turns a reply into a message within Discord's limits, and sends it in time, in the way that is still open.

A button needs no memory, so it works after any restart. Its custom_id names a version and a command ("b2:swap"); the
battle is the line in back-ticks at the end of its message. The buttons of a live battle name the battle and its turn
("b2:roll on:k3f9x2ab:4"), and some buttons hold a line of their own ("b2:ask:need 9").
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import accumulate
from typing import Any, TypeAlias, TypeVar

import discord

from bot.discord_app.forms import modal_of
from bot.discord_app.frames import MessageState, Way
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import ANSWERED, is_cut, is_deleted, is_unsent
from bot.languages import N_, _
from bot.replies import (
    ASK,
    ASK_ALL,
    LONGEST_BUTTON,
    Button,
    Form,
    Question,
    Reply,
    full_text,
    small_print,
    text_above_table,
)
from bot.store.records import Spot

VERSION = "b2"
FIRST = "b1"
"""The version of buttons from the time of the first rules; their lines keep their old meaning."""
BUTTONS_A_ROW, LAST_ROW = 4, 4
"""The buttons of a row, but for the last, which has room for the rest."""
LONGEST_CONTENT = 2_000
LONGEST_NOTE = 1_750
"""The length up to which the small print is never cut: buttons read the line in it."""
ALL = "all.txt"
"""The file with the whole text of an answer that is too long for a message."""
LONGEST_ID, LONGEST_ALTERNATIVE = 100, 1_024
LONGEST_GAP = 40
log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[AnsweringClient]
Result = TypeVar("Result")

AGAIN_AFTER = 0.5, 1.0
"""Seconds after which an answer is sent again whose connection broke or hung, if it cannot stand there twice."""

HOURGLASS = "⏳ "
"""Begins what stands in the place of an answer until it comes."""
UNSEEN = N_("The roll is in the log, but I can't show it here right now. Press again in a minute to see it.")


def message_parts(reply: Reply) -> dict[str, Any]:
    """Return the keyword arguments for sending a reply, which all of discord.py's send functions take."""
    if reply.question:
        asks = replace(reply, remarks=(reply.question.text, *reply.remarks), question=None)
        return message_parts(asks) | {"allowed_mentions": _only(reply.question)}
    files = []
    if reply.picture:
        picture = reply.picture
        alternative = picture.alternative[:LONGEST_ALTERNATIVE]
        files.append(discord.File(BytesIO(picture.png), picture.name, description=alternative))
    content = full_text(reply)
    if len(content) > LONGEST_CONTENT:
        content, everything = _fit_into_message(reply, content)
        files.append(discord.File(BytesIO(everything.encode()), ALL))
    files += [discord.File(BytesIO(file.text.encode()), file.name) for file in (reply.file, reply.page) if file]
    parts: dict[str, Any] = {"content": content, "files": files}
    if reply.buttons:
        parts["view"] = _view(reply.buttons)
    return parts


def edit_parts(reply: Reply) -> dict[str, Any]:
    """Return the keyword arguments for editing a message; files can be sent only once, so each call makes new ones."""
    parts = message_parts(replace(reply, question=None))  # Discord notifies nobody of a mention in a change
    return {"content": parts["content"], "attachments": parts["files"], "view": parts.get("view")}


def _only(question: Question) -> discord.AllowedMentions:
    """Allow a message to mention the person of a question, and nobody else."""
    return discord.AllowedMentions(
        everyone=False, roles=False, users=[discord.Object(int(question.user))], replied_user=False
    )


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
            row=min(index // BUTTONS_A_ROW, LAST_ROW),
        )
        view.add_item(item)
    view.stop()  # discord.py would keep it; we know buttons by their ids
    return view


def action_of(command: str, argument: str) -> str:
    """Return the custom_id of a button or form that calls a command."""
    return f"{VERSION}:{command}{argument and f':{argument}'}"


@dataclass(eq=False)
class Delivery:
    """Sends the answer to one interaction.

    With `edit` the answer replaces the message of the button, as long as that exists. `private` says whether a deferred
    answer is visible to the asker only.
    """

    _interaction: Interaction
    private: bool
    edit: bool = False
    _thinking: bool = False
    _shown_in: int | None = None

    @property
    def has_begun(self) -> bool:
        """Whether Discord has received an answer or a deferral."""
        return self._interaction.response.is_done()

    async def defer(self) -> None:
        """Tell Discord that the answer takes a moment; with a new message if the one to edit was deleted."""
        try:
            await self._announce()
        except discord.NotFound as error:
            if not (self.edit and is_deleted(error)):
                raise
            self.edit = False
            await self._announce()
            self._thinking = True

    async def _announce(self) -> None:
        """Tell Discord that the answer takes a moment, with a new message unless this edits one."""
        response = self._interaction.response

        async def note_deferral() -> None:
            # discord.py cannot know that Discord has got it.
            response._response_type = discord.InteractionResponseType.deferred_channel_message

        await _again_if_cut(lambda: response.defer(ephemeral=self.private, thinking=not self.edit), note_deferral)

    async def try_to_defer(self) -> None:
        """Defer the answer if Discord can be reached; the work is done and shown in any case."""
        try:
            await self.defer()
        except Exception as error:
            if not is_unsent(error):
                raise
            log.info("that a press was heard could not be told: %s", error)

    async def try_to_tell(self, text: str) -> bool:
        """Show a text where a deferred answer will come; return whether that was possible."""
        try:
            await self._interaction.edit_original_response(content=f"{HOURGLASS}{text}")
        except Exception as error:
            if not (is_unsent(error) or is_deleted(error)):
                raise
            log.info("how far an answer is could not be told: %s", error)
            return False
        return True

    async def send(self, reply: Reply | Form) -> int | None:
        """Send a reply, in a new message if the one to edit was deleted; return the id of the sent message, if any."""
        if isinstance(reply, Form):
            form = modal_of(reply, action_of(reply.command, reply.argument))
            await self._interaction.response.send_modal(form)
            return None
        try:
            # Sent twice, it stands there once only as a first answer, or as a change of a message.
            changes = not reply.failed if self.edit else self.private == reply.private
            was_deferred = self._interaction.response.is_done()
            if was_deferred and not changes:
                return await self._send_once(reply)
            sent = await _again_if_cut(partial(self._send_once, reply), partial(self._change_sent, reply))
        except discord.NotFound as error:
            if not is_deleted(error):
                raise
            return await self.send_anew(reply)
        if reply.question and was_deferred:
            await self._ask(reply.question)
        return sent

    async def send_anew(self, reply: Reply) -> int | None:
        """Send a reply in a new message, privately if the message to replace was private; return its id."""
        interaction, parts = self._interaction, message_parts(reply)
        private = self.private or reply.private
        message: int | None
        if interaction.response.is_done():
            message = (await interaction.followup.send(**parts, ephemeral=private, wait=True)).id
        else:
            message = (await interaction.response.send_message(**parts, ephemeral=private)).message_id
        self._thinking = False
        return message

    def channel(self, reply: Reply) -> str | None:
        """Return the channel of a reply if the bot may edit it there without an interaction, else None."""
        public = not (self.private or reply.private)
        return str(self._interaction.channel_id) if public and can_write_here(self._interaction) else None

    async def show_frame(self, frame: Reply, state: MessageState) -> None:
        """Show a frame of a live battle in its message, and send its `aside` to the person who pressed."""
        if not self.has_begun and state.must_wait:
            await self.try_to_defer()
        frames, ways, channel = self._interaction.client.frames, partial(self._ways, state), self.channel(frame)
        there = await frames.show(frame, state, ways, self.send_anew, channel=channel)
        if self._shown_in and frame.frame:
            await frames.mark_seen(frame.frame, Spot(str(self._shown_in), channel, frame.private))
        try:
            if aside := frame.aside if there else _(UNSEEN):
                await self._say_aside(Reply(aside, private=True, failed=True))
            elif self._thinking:  # another press has shown this frame or a newer one
                await self._interaction.delete_original_response()
            elif not self.has_begun:
                await self.defer()
        except Exception as error:
            if not is_unsent(error):
                raise
            log.info("what only who pressed should see could not be told: %s", error)

    async def _ask(self, question: Question) -> None:
        """Send a question in a message of its own, never twice."""
        try:
            text = " ".join(filter(None, [question.text, question.besides]))
            await self._interaction.followup.send(text, allowed_mentions=_only(question))
        except Exception as error:
            if not is_unsent(error):
                raise
            log.info("the opponent could not be asked: %s", error)

    async def _send_once(self, reply: Reply) -> int | None:
        """Send a reply in the one way that Discord allows now; return the id of a new message, if any."""
        interaction, response = self._interaction, self._interaction.response
        if self.edit and not reply.failed:
            change = interaction.edit_original_response if response.is_done() else response.edit_message
            await change(**edit_parts(reply))
            return None
        if not response.is_done():
            return (await response.send_message(**message_parts(reply), ephemeral=reply.private)).message_id
        if not self.edit and self.private == reply.private:
            return (await interaction.edit_original_response(**edit_parts(reply))).id
        # A private answer cannot replace a public "thinking" mark; it can only stand beside it.
        if not self.edit:
            with suppress(discord.NotFound):
                await interaction.delete_original_response()
        return (await interaction.followup.send(**message_parts(reply), ephemeral=reply.private, wait=True)).id

    async def _change_sent(self, reply: Reply) -> int | None:
        """Put a reply in the place of an answer that Discord has got; return the id of a new message, if any."""
        # discord.py cannot know that Discord has got it.
        self._interaction.response._response_type = discord.InteractionResponseType.channel_message
        try:
            message = await self._interaction.edit_original_response(**edit_parts(reply))
        except Exception as error:
            if not is_unsent(error):
                raise
            log.info("the answer stands, but its message could not be read: %s", error)
            return None
        return None if self.edit and not reply.failed else message.id

    async def _say_aside(self, reply: Reply) -> None:
        """Send a private reply beside the frame, or in place of the "thinking" mark."""
        if self._thinking or not self.has_begun:
            await self.send(reply)
        else:
            await self._interaction.followup.send(**message_parts(reply), ephemeral=True)

    async def _fill_deferred(self, frame: Reply) -> None:
        """Show a frame in the message of the deferred answer."""
        filled = await self._interaction.edit_original_response(**edit_parts(frame))
        if self._thinking:
            frames = self._interaction.client.frames
            frames.start_gap(frames.message_state(filled.id))
            self._shown_in = filled.id
        self._thinking = False

    def _ways(self, state: MessageState) -> Iterator[Way]:
        """Yield the ways in which this interaction can edit the message; its token lives for 15 minutes."""
        interaction, response = self._interaction, self._interaction.response
        if response.is_done():
            yield self._fill_deferred
        else:
            yield lambda frame: response.edit_message(**edit_parts(frame))
        if interaction.channel_id and can_write_here(interaction) and not self.private:
            yield edit_as_member(interaction.client, interaction.channel_id, state.message)


async def _again_if_cut(send: Callable[[], Awaitable[Result]], go_on: Callable[[], Awaitable[Result]]) -> Result:
    """Send something to Discord, again if the connection breaks; go on instead if Discord has got it all the same."""
    waits, was_cut = iter(AGAIN_AFTER), False
    while True:
        try:
            return await send()
        except Exception as error:
            if was_cut and isinstance(error, discord.HTTPException) and error.code == ANSWERED:
                return await go_on()
            wait = next(waits, None)
            if wait is None or not is_cut(error):
                raise
            log.info("an answer is sent again, as its connection broke: %s", error)
        was_cut = True
        await asyncio.sleep(wait)


def edit_as_member(client: discord.Client, channel: int, message: int) -> Way:
    """Return the way to edit a message as a member of its channel, without an interaction."""
    message_there = client.get_partial_messageable(channel).get_partial_message(message)
    return lambda frame: message_there.edit(**edit_parts(frame))


def settings_channel_of(channel: Any) -> str:
    """Return the id of the channel whose own settings count in a channel: a thread's is the one that it stands in."""
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    return str(parent or channel.id)


async def find_settings_channel(client: discord.Client, guild: int, channel: int) -> str:
    """Return what `settings_channel_of` does for an id; Discord is asked about threads that were archived for long."""
    there = client.get_guild(guild)
    known: Any = there.get_channel_or_thread(channel) if there else None
    if known is None:
        with suppress(discord.DiscordException, OSError):
            known = await client.fetch_channel(channel)
    return settings_channel_of(known) if known else str(channel)


def can_write_here(interaction: Interaction) -> bool:
    """Whether the bot may write in this channel without an interaction: as a member, or in its direct messages."""
    return is_in_server(interaction) or interaction.context.dm_channel


def is_in_server(interaction: Interaction) -> bool:
    """Whether an interaction comes from a server that installed the bot."""
    return interaction.guild_id is not None and interaction.is_guild_integration()
