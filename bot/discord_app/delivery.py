"""Sending one answer: in time, once, to the right eyes, and in a new message where the one to change was deleted."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import TypeAlias

import discord

from bot.discord_app.forms import modal_of
from bot.discord_app.frames import Look, Way
from bot.discord_app.messages import action_of, changes, message_parts
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_deleted, is_unsent
from bot.languages import N_, _
from bot.replies import Form, Reply
from bot.store import Spot

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[AnsweringClient]

UNSEEN = N_("The roll is in the log, but I can't show it here right now. Press again in a minute to see it.")


class Delivery:
    """The answer to an interaction, and the ways that are still open to send it.

    With `edit` the answer takes the place of the message pressed on, as long as that is there. `private` says whether
    a promise of an answer is for the person alone.
    """

    def __init__(self, interaction: Interaction, private: bool, edit: bool = False) -> None:
        self._interaction, self.private, self.edit = interaction, private, edit
        self._thinking = False
        self._shown_in: int | None = None

    @property
    def has_begun(self) -> bool:
        """Whether Discord has heard of an answer, or of the promise of one."""
        return self._interaction.response.is_done()

    async def promise(self) -> None:
        """Tell Discord that the answer takes a moment; in a new message, where the one to change was deleted."""
        try:
            await self._interaction.response.defer(ephemeral=self.private, thinking=not self.edit)
        except discord.NotFound as error:
            if not (self.edit and is_deleted(error)):
                raise
            self.edit = False
            await self._interaction.response.defer(ephemeral=self.private, thinking=True)
            self._thinking = True

    async def try_to_promise(self) -> None:
        """The same for work that is done and shown even if Discord does not hear of it in time."""
        try:
            await self.promise()
        except Exception as error:
            if not is_unsent(error):
                raise
            log.info("that a press was heard could not be told: %s", error)

    async def give(self, reply: Reply | Form) -> int | None:
        """Show a reply and return the id of the message sent for it, if there is one.

        Where the message that was to show it is deleted, that is a new one.
        """
        if isinstance(reply, Form):
            form = modal_of(reply, action_of(reply.command, reply.argument))
            await self._interaction.response.send_modal(form)
            return None
        try:
            return await self._give(reply)
        except discord.NotFound as error:
            if not is_deleted(error):
                raise
            return await self.give_anew(reply)

    async def give_anew(self, reply: Reply) -> int | None:
        """Show a reply in a message of its own, in private where what it was to replace was private."""
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
        """The channel in which a reply stands, if we may change it there by ourselves."""
        public = not (self.private or reply.private)
        return str(self._interaction.channel_id) if public and writes_here(self._interaction) else None

    async def show(self, frame: Reply, look: Look) -> None:
        """Show a live battle as it stands now, and tell who pressed what the message does not."""
        if not self.has_begun and look.must_wait:
            await self.try_to_promise()
        frames, ways, channel = self._interaction.client.frames, partial(self._ways, look), self.channel(frame)
        there = await frames.show(frame, look, ways, self.give_anew, channel=channel)
        if self._shown_in and frame.frame:
            await frames.arrived(frame.frame, Spot(str(self._shown_in), channel, frame.private))
        try:
            if aside := frame.aside if there else _(UNSEEN):
                await self._say_aside(Reply(aside, private=True, failed=True))
            elif self._thinking:  # somebody else's press has shown this already, or something newer
                await self._interaction.delete_original_response()
            elif not self.has_begun:
                await self.promise()
        except Exception as error:
            if not is_unsent(error):
                raise
            log.info("what only who pressed should see could not be told: %s", error)

    async def _give(self, reply: Reply) -> int | None:
        """Show a reply in the one way that is open after what was sent before."""
        interaction, response = self._interaction, self._interaction.response
        if self.edit and not reply.failed:
            change = interaction.edit_original_response if response.is_done() else response.edit_message
            await change(**changes(reply))
            return None
        if not response.is_done():
            return (await response.send_message(**message_parts(reply), ephemeral=reply.private)).message_id
        if not self.edit and self.private == reply.private:
            return (await interaction.edit_original_response(**changes(reply))).id
        # A "thinking" mark shown to all cannot be replaced by what is private, which can only stand beside it.
        if not self.edit:
            with suppress(discord.NotFound):
                await interaction.delete_original_response()
        return (await interaction.followup.send(**message_parts(reply), ephemeral=reply.private, wait=True)).id

    async def _say_aside(self, reply: Reply) -> None:
        """Tell who pressed something beside the frame, or where another message shows it, in its place."""
        if self._thinking or not self.has_begun:
            await self.give(reply)
        else:
            await self._interaction.followup.send(**message_parts(reply), ephemeral=True)

    async def _fill(self, frame: Reply) -> None:
        """Put a frame where an answer was promised."""
        filled = await self._interaction.edit_original_response(**changes(frame))
        if self._thinking:
            frames = self._interaction.client.frames
            frames.rest(frames.look(filled.id))
            self._shown_in = filled.id
        self._thinking = False

    def _ways(self, look: Look) -> Iterator[Way]:
        """How a message can be changed now by who pressed on it: the token lives for 15 minutes."""
        interaction, response = self._interaction, self._interaction.response
        if response.is_done():
            yield self._fill
        else:
            yield lambda frame: response.edit_message(**changes(frame))
        if interaction.channel_id and writes_here(interaction) and not self.private:
            yield way_through(interaction.client, interaction.channel_id, look.message)


def way_through(client: discord.Client, channel: int, message: int) -> Way:
    """How a message is changed where we are members, whoever asked for it and when."""
    found = client.get_partial_messageable(channel).get_partial_message(message)
    return lambda frame: found.edit(**changes(frame))


def writes_here(interaction: Interaction) -> bool:
    """Whether we may write there by ourselves: where the bot is a member, and in direct messages with it."""
    return in_server(interaction) or interaction.context.dm_channel


def in_server(interaction: Interaction) -> bool:
    """Whether it comes from a server that has installed the bot."""
    return interaction.guild_id is not None and interaction.is_guild_integration()
