"""Replies as Discord shows them: the message, its picture and buttons, and forms; in time, once, and to the right eyes.

Nothing is kept in memory for a button: its custom_id names a version and a command ("b1:swap"), and the battle is
the line in back-ticks at the end of the message it stands under. So buttons work after any restart.
"""

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

import discord

from bot.commands import COMMANDS, run
from bot.commands.request import Request
from bot.replies import Button, Form, Reply, line_of, whole

if TYPE_CHECKING:
    from bot.discord_app.client import Client

log = logging.getLogger(__name__)

Interaction: TypeAlias = "discord.Interaction[Client]"

VERSION = "b1"
EDITING = {"swap", "more", "fewer", "battle"}
"""Commands whose answer, when they come from a button, takes the place of the message it stands under."""
FORMS = {"edit", "save"}
BUTTONS_A_ROW = 4
LONGEST_CONTENT = 2_000
PATIENCE = 0.3
"""Seconds after which Discord is told that the answer takes a moment; it waits three in all."""

UNKNOWN_INTERACTION = 10062
LEAVING = Reply("I am being restarted. Ask again in a minute.", private=True)


async def respond(interaction: Interaction, request: Request, edit: bool = False) -> None:
    """Answer a request: at once where possible, else after a "thinking" mark; `edit` changes the message pressed on."""
    client = interaction.client
    with client.answering():
        try:
            if client.leaving:
                await _deliver(interaction, LEAVING, request, edit)
                return
            task = asyncio.create_task(run(request, client.services))
            # A form must be the first answer, so it is waited for; forms take no time.
            done, _ = await asyncio.wait({task}, timeout=None if request.command in FORMS else PATIENCE)
            if not done:
                await interaction.response.defer(ephemeral=request.private, thinking=not edit)
            await _deliver(interaction, await task, request, edit)
        except discord.NotFound as error:
            if error.code != UNKNOWN_INTERACTION:
                raise
            # Discord took the interaction back: we were too late, and nobody waits any more.
            log.info("too late for %s", request.command)


async def press(interaction: Interaction, version: str, command: str) -> None:
    """A button was pressed: the command it names, about the battle of its message."""
    line = line_of(interaction.message.content) if interaction.message else None
    if version != VERSION or command not in COMMANDS or line is None:
        await _say_old(interaction)
        return
    await respond(interaction, request_from(interaction, command, {"matchup": line}), edit=command in EDITING)


async def submit(interaction: Interaction, custom_id: str, data: Mapping[str, Any]) -> None:
    """A form came back: "b1:preset save:name" says which command gets the text, and as which option."""
    version, command, option = custom_id.split(":")
    line = line_of(interaction.message.content) if interaction.message else None
    if version != VERSION or command not in COMMANDS or line is None:
        await _say_old(interaction)
        return
    options = {"matchup": line, option: _typed(data["components"])}
    await respond(interaction, request_from(interaction, command, options), edit=command in EDITING)


def request_from(interaction: Interaction, command: str, options: Mapping[str, str], private: bool = False) -> Request:
    """Who asks, and from where: set-ups are the server's where the bot is installed, otherwise the person's own."""
    user = interaction.user
    in_server = interaction.guild_id is not None and interaction.is_guild_integration()
    return Request(
        command,
        user=str(user.id),
        user_name=user.display_name,
        place=f"guild:{interaction.guild_id}" if in_server else f"user:{user.id}",
        options=options,
        manages=interaction.permissions.manage_guild if in_server else True,
        private=private,
    )


def message_parts(reply: Reply) -> dict[str, Any]:
    """The keyword arguments that all of discord.py's ways to send a message share."""
    files = []
    if reply.picture:
        picture = reply.picture
        files.append(discord.File(BytesIO(picture.png), picture.name, description=picture.alternative))
    content = whole(reply)
    if len(content) > LONGEST_CONTENT:
        content = whole(reply, _shortened(reply.table, LONGEST_CONTENT - len(whole(reply, [""]))))
        files.append(discord.File(BytesIO("\n".join(reply.table).encode()), "all.txt"))
    parts: dict[str, Any] = {"content": content, "files": files}
    if reply.buttons:
        parts["view"] = _view(reply.buttons)
    return parts


def _shortened(rows: Sequence[str], room: int) -> list[str]:
    """The beginning and the end of a table, in so many characters, and how many rows are left out between."""
    most = room // (max(len(row) for row in rows) + 1) - 2  # one for the line between, which may be longer
    last = most // 3
    gap = f"… {len(rows) - most} more: all in the file …"
    return [*rows[: most - last], gap, *rows[len(rows) - last :]]


async def _deliver(interaction: Interaction, reply: Reply | Form, request: Request, edit: bool) -> None:
    """Show a reply in the one way that what was sent before leaves open."""
    response = interaction.response
    if isinstance(reply, Form):
        await response.send_modal(_modal(reply))
        return
    parts = message_parts(reply)
    if edit and not reply.private:
        changes = {"content": parts["content"], "attachments": parts["files"], "view": parts.get("view")}
        await (interaction.edit_original_response if response.is_done() else response.edit_message)(**changes)
    elif not response.is_done():
        await response.send_message(**parts, ephemeral=reply.private)
    else:
        # The "thinking" mark was shown to all; what is private cannot take its place, only stand beside where it was.
        if not edit and request.private != reply.private:
            await interaction.delete_original_response()
        await interaction.followup.send(**parts, ephemeral=reply.private)


async def _say_old(interaction: Interaction) -> None:
    text = "That button is from another version of Sandtable. Ask again with `/battle`."
    await interaction.response.send_message(text, ephemeral=True)


def _view(buttons: Sequence[Button]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for index, button in enumerate(buttons):
        style = discord.ButtonStyle.secondary if index else discord.ButtonStyle.primary
        item = discord.ui.Button[discord.ui.View](
            label=button.label,
            custom_id=f"{VERSION}:{button.command}",
            style=style,
            disabled=not button.enabled,
            row=index // BUTTONS_A_ROW,
        )
        view.add_item(ActionButton(item))
    return view


def _modal(form: Form) -> discord.ui.Modal:
    modal = discord.ui.Modal(title=form.title, custom_id=f"{VERSION}:{form.command}:{form.option}")
    field = discord.ui.TextInput[discord.ui.Modal](default=form.value or None, max_length=form.most, custom_id="text")
    modal.add_item(discord.ui.Label(text=form.label, component=field))
    return modal


def _typed(components: Sequence[Mapping[str, Any]]) -> str:
    """What was typed into the one field of our forms, however Discord nests it."""
    for component in components:
        if "value" in component:
            return str(component["value"])
        inner = component.get("components") or ([component["component"]] if "component" in component else [])
        if inner:
            return _typed(inner)
    return ""


class ActionButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"(?P<version>b\d+):(?P<command>.*)"
):
    """Any button of ours, of this version or another; discord.py finds it by its custom_id alone."""

    def __init__(self, item: discord.ui.Button[discord.ui.View], version: str = VERSION, command: str = "") -> None:
        super().__init__(item)
        self.version, self.command = version, command

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "ActionButton":
        """The button pressed, from its custom_id."""
        assert isinstance(item, discord.ui.Button), "only buttons carry our custom_ids"
        return cls(item, match["version"], match["command"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody pressed."""
        await press(interaction, self.version, self.command)
