"""Replies as Discord shows them: the message, its picture and buttons, and forms; in time, once, and to the right eyes.

Nothing is kept in memory for a button: its custom_id names a version and a command ("b1:swap"), and the battle is
the line in back-ticks at the end of the message it stands under; that of a live battle names the battle, and after
how many rolls it was shown ("b1:roll on:k3f9x2ab:4"), and some hold a line of their own ("b1:ask:need 9"). So buttons
work after any restart.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import accumulate
from typing import Any, TypeAlias

import aiohttp
import discord

from bot.commands import ALONE, COMMANDS, FORMS, run
from bot.commands.live import battle_in
from bot.commands.request import Request, Services, settled
from bot.commands.settings import CHANGE, PAGES
from bot.commands.setups_file import NAME as SETUPS
from bot.commands.teaching import FOR_ALL
from bot.commands.transfer import IMPORT
from bot.commands.typed import command_in
from bot.discord_app.files import with_file
from bot.discord_app.forms import modal_of, typed_in
from bot.discord_app.frames import Look, Way
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import UNKNOWN_MESSAGE, is_gone
from bot.errors import RESTARTING, UserError
from bot.languages import N_, _, nearest, speaking
from bot.replies import ASK, ASK_ALL, LINELESS, TURN, Button, Form, Reply, line_of, whole
from bot.store import Spot
from bot.turns import asking
from solver.placing import MOST_TERRITORIES

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[AnsweringClient]
Ask: TypeAlias = Callable[[Request], Awaitable[Reply | Form]]

VERSION = "b1"
EDITING = {
    *("swap", "more", "fewer", "battle", "need", "table"),
    *("bombing", "bombing more", "bombing fewer"),
    *("order", "best attack", "best defence"),
    *("compare", "swap plans", "plan a", "plan b"),
    *(IMPORT, CHANGE, TURN),
    *("place", "place all", "place most", "place value"),
    *(f"place odds {number + 1}" for number in range(MOST_TERRITORIES)),
}
"""Commands whose answer, when they come from a button, takes the place of the message it stands under."""
LIVE = {"roll on", "roll out", "retreat", "real dice"}
"""Commands whose answer is the next frame of the live battle of that message."""
BUTTONS_A_ROW = 4
LONGEST_CONTENT = 2_000
ALL = "all.txt"
"""The file with the whole of a table that is too long for a message."""
LONGEST_BUTTON, LONGEST_ID, LONGEST_ALTERNATIVE = 80, 100, 1_024
LONGEST_GAP = 40
PATIENCE = 0.3
"""Seconds after which Discord is told that the answer takes a moment; it waits three in all."""
RUSH = 20
"""Where more answers than this are open, Discord is told at once: all shall hear something before any waits long."""

OLD = N_("That button is from another version of Sandtable. Ask again with `/battle`.")
OLD_COMMAND = N_("That command is from another version of Sandtable. Restart Discord to see how it is now.")
UNSHOWN = N_("The answer could not be shown here. Ask again in a minute.")
UNSEEN = N_("What fell is in the log but cannot be shown here just now. Press again in a minute to see it.")
UNSENT = (discord.HTTPException, aiohttp.ClientError, OSError)


class Sent(dict[str, str]):
    """The options that came with a press or a form; what did not come with an old one is told, if it is needed."""

    def __missing__(self, option: str) -> str:
        """Nothing, but an error whose text is told."""
        raise UserError(_(OLD))


async def respond(
    interaction: Interaction, request: Request, edit: bool = False, file: discord.Attachment | None = None
) -> None:
    """Answer a request: at once where possible, else after a "thinking" mark; `edit` changes the message pressed on.

    The text of a `file` is fetched for the request, as its option "file".
    """
    ask = partial(_ask, interaction.client.services, file)
    # What is said around an answer is for who asked.
    with (
        interaction.client.answering(request.command, interaction.id),
        speaking(request.reader),
        asking(request.user, request.place),
    ):
        try:
            await _answer(interaction, request, edit, ask)
        except Exception as error:
            if edit and isinstance(error, discord.NotFound) and error.code == UNKNOWN_MESSAGE:
                await _answer_anew(interaction, request, ask)
            elif is_gone(error):
                raise
            else:
                log.exception("the answer to %s could not be shown", request.command)
                await _deliver(interaction, sorry(UNSHOWN), request.private, edit)


async def _decided(interaction: Interaction, request: Request) -> Request:
    """The request once it is known whether its answer is private, which Discord is told first of all."""
    return await settled(request, interaction.client.services) if request.by_place else request


async def press(interaction: Interaction, version: str, action: str) -> None:
    """A button was pressed: the command it names, about the battle of its message."""
    command, _, argument = action.partition(":")
    message = interaction.message
    if message and version == VERSION and command in (ASK, ASK_ALL) and not argument.startswith("/"):
        asked, options = command_in(argument)
        if command == ASK_ALL and asked not in FOR_ALL:
            await say_old(interaction)
            return
        private = message.flags.ephemeral and command == ASK
        await respond(interaction, request_from(interaction, asked, options, private))
        return
    line = line_of(message.content) if message else None
    file = next((one for one in message.attachments if one.filename == SETUPS), None) if message else None
    there = command in LINELESS or command in PAGES or (file if command == IMPORT else line) is not None
    if message is None or not there or not _is_ours(version, command):
        await say_old(interaction)
        return
    options = Sent({"matchup": line or ""})
    request = request_from(interaction, command, options, message.flags.ephemeral, argument)
    request = replace(request, typed=False)
    await respond(interaction, request, command in EDITING | LIVE, file if command == IMPORT else None)


async def submit(interaction: Interaction, version: str, action: str) -> None:
    """A form came back, with everything its command needs to know."""
    command, _, argument = action.partition(":")
    known = _is_ours(version, command) and command not in FORMS
    if interaction.message is None or interaction.data is None or not known:
        await say_old(interaction)
        return
    components: Any = interaction.data.get("components", ())
    options = Sent(typed_in(components))
    edit = command in EDITING | LIVE
    private = interaction.message.flags.ephemeral or not edit
    await respond(interaction, request_from(interaction, command, options, private, argument), edit)


def request_from(
    interaction: Interaction, command: str, options: dict[str, str], private: bool | None = False, argument: str = ""
) -> Request:
    """Who asks, and from where: set-ups are the server's where the bot is installed, otherwise the person's own.

    Whether the answer is `private` may be left to the place, where it is not always.
    """
    user, message = interaction.user, interaction.message
    private = True if command in ALONE else private
    in_server = _in_server(interaction)
    if not all(isinstance(value, str) for value in options.values()):
        options = {name: str(value) for name, value in options.items()}  # an option that had another type before
    return Request(
        command,
        user=str(user.id),
        user_name=clean(user.display_name),
        place=f"guild:{interaction.guild_id}" if in_server else f"user:{user.id}",
        options=type(options)({name: clean(text) for name, text in options.items()}),
        manages=interaction.permissions.manage_guild if in_server else True,
        moderates=moderates(interaction.permissions) if in_server else True,
        roles=roles_of(user) if in_server else frozenset(),
        known_roles=roles_in(interaction.client.get_guild(interaction.guild_id or 0)) if in_server else None,
        private=bool(private),
        by_place=private is None,
        argument=argument,
        interaction=str(interaction.id),
        message=str(message.id) if message else "0",
        channel=str(interaction.channel_id) if _writes_here(interaction) and not private else None,
        shows=battle_in(message.content) if message else "",
        reader=nearest(str(interaction.locale)),
        here=nearest(str(interaction.guild_locale or interaction.locale)),
    )


def clean(text: str) -> str:
    """A text without what a client can be made to send, but no text has, and databases refuse."""
    return text.encode(errors="ignore").decode().replace("\0", "")


def moderates(permissions: discord.Permissions) -> bool:
    """Whether somebody with these rights keeps order in a server."""
    return permissions.manage_guild or permissions.manage_messages


def roles_of(user: discord.User | discord.Member) -> frozenset[str]:
    """The ids of the roles that somebody has in the server where they ask."""
    return frozenset(str(role.id) for role in user.roles) if isinstance(user, discord.Member) else frozenset()


def roles_in(guild: discord.Guild | None) -> frozenset[str] | None:
    """The ids of all roles of a server; None where Discord has not told them."""
    return None if guild is None or guild.unavailable else frozenset(str(role.id) for role in guild.roles)


def sorry(text: str) -> Reply:
    """Why there is no answer, in the language of the moment."""
    return Reply(_(text), private=True, failed=True)


def _in_server(interaction: Interaction) -> bool:
    """Whether it comes from a server that has installed the bot."""
    return interaction.guild_id is not None and interaction.is_guild_integration()


def _writes_here(interaction: Interaction) -> bool:
    """Whether we may write there by ourselves: where the bot is a member, and in direct messages with it."""
    return _in_server(interaction) or interaction.context.dm_channel


def message_parts(reply: Reply) -> dict[str, Any]:
    """The keyword arguments that all of discord.py's ways to send a message share."""
    files = []
    if reply.picture:
        picture = reply.picture
        alternative = picture.alternative[:LONGEST_ALTERNATIVE]
        files.append(discord.File(BytesIO(picture.png), picture.name, description=alternative))
    content = whole(reply)
    if len(content) > LONGEST_CONTENT:
        content = whole(reply, _shortened(reply.table, LONGEST_CONTENT - len(whole(reply, [""]))))
        files.append(discord.File(BytesIO("\n".join(reply.table).encode()), ALL))
    if reply.file:
        files.append(discord.File(BytesIO(reply.file.text.encode()), reply.file.name))
    parts: dict[str, Any] = {"content": content, "files": files}
    if reply.buttons:
        parts["view"] = _view(reply.buttons)
    return parts


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


async def _ask(services: Services, file: discord.Attachment | None, request: Request) -> Reply | Form:
    """The answer to a request, to which the text of a file belongs where there is one."""
    try:
        return await run(await with_file(request, file, services.settings) if file else request, services)
    except UserError as error:
        return Reply(error.text, private=True, failed=True)


async def _answer(interaction: Interaction, request: Request, edit: bool, ask: Ask) -> None:
    client = interaction.client
    refusal = sorry(RESTARTING) if client.leaving else client.rates.refusal(request.user, request.place)
    if refusal:
        await _deliver(interaction, refusal, request.private, edit)
        return
    look = client.frames.look(interaction.message.id) if edit and interaction.message else None
    rush = client.open_answers > RUSH and request.command not in FORMS
    request = await _decided(interaction, request)
    if rush:
        await client.rush.announce(_announce(interaction, request, edit))
    task = asyncio.ensure_future(ask(request))
    # A form must be the first answer, so it is waited for; forms take no time.
    done, _ = await asyncio.wait({task}, timeout=None if rush or request.command in FORMS else PATIENCE)
    if not done:
        await _announce(interaction, request, edit)
    reply = await task
    if isinstance(reply, Reply) and reply.frame and look:
        await _show(interaction, reply, look)
        return
    message = await _deliver(interaction, reply, request.private, edit)
    if isinstance(reply, Reply) and reply.frame:
        spot = Spot(str(message), _channel(interaction, reply), reply.private) if message else None
        await client.frames.arrived(reply.frame, spot)
    elif request.command == "history end":
        client.behind.set()


async def _announce(interaction: Interaction, request: Request, edit: bool) -> None:
    """Tell Discord that the answer takes a moment."""
    if request.command in LIVE:
        await _promise(interaction)
    else:
        await interaction.response.defer(ephemeral=request.private, thinking=not edit)


async def _promise(interaction: Interaction) -> None:
    """Tell Discord that the press was heard; what was rolled is shown even where Discord does not hear that."""
    try:
        await interaction.response.defer()
    except UNSENT as error:
        log.info("that a press was heard could not be told: %s", error)


async def _show(interaction: Interaction, frame: Reply, look: Look) -> None:
    """Show a live battle as it stands now in a message, and say to who pressed what he cannot see there."""
    if not interaction.response.is_done() and look.must_wait:
        await _promise(interaction)
    ways, anew = partial(_ways, interaction, look, frame.private), partial(_show_anew, interaction)
    channel = _channel(interaction, frame)
    there = await interaction.client.frames.show(frame, look, ways, anew, channel=channel)
    if aside := frame.aside if there else _(UNSEEN):
        try:
            await _deliver(interaction, Reply(aside, private=True, failed=True), frame.private, edit=True)
        except UNSENT as error:
            log.info("what only who pressed should see could not be told: %s", error)
    elif not interaction.response.is_done():
        await _promise(interaction)


async def _show_anew(interaction: Interaction, frame: Reply) -> int | None:
    """Show a live battle in another message, as the one pressed on was deleted; the id of that message."""
    if interaction.response.is_done():
        return (await interaction.followup.send(**message_parts(frame), ephemeral=frame.private, wait=True)).id
    sent = await interaction.response.send_message(**message_parts(frame), ephemeral=frame.private)
    return sent.message_id


def _channel(interaction: Interaction, reply: Reply) -> str | None:
    """The channel in which a reply stands, if we may change it there by ourselves."""
    return str(interaction.channel_id) if _writes_here(interaction) and not reply.private else None


def _ways(interaction: Interaction, look: Look, private: bool) -> Iterator[Way]:
    """How a message can be changed now by who pressed on it: the token lives for 15 minutes."""
    response = interaction.response
    if response.is_done():
        yield lambda frame: interaction.edit_original_response(**_changes(frame))
    else:
        yield lambda frame: response.edit_message(**_changes(frame))
    if interaction.channel_id and _writes_here(interaction) and not private:
        yield way_through(interaction.client, interaction.channel_id, look.message)


def way_through(client: discord.Client, channel: int, message: int) -> Way:
    """How a message is changed where we are members, whoever asked for it and when."""
    found = client.get_partial_messageable(channel).get_partial_message(message)
    return lambda frame: found.edit(**_changes(frame))


async def _answer_anew(interaction: Interaction, request: Request, ask: Ask) -> None:
    """Answer where the message to change was deleted, say while its form was filled in: in a message of its own."""
    if not interaction.response.is_done():
        await _answer(interaction, request, False, ask)
        return
    reply = await ask(request)
    assert isinstance(reply, Reply), "what takes the place of a message is no form"
    await interaction.followup.send(**message_parts(reply), ephemeral=request.private or reply.private)


async def _deliver(interaction: Interaction, reply: Reply | Form, private: bool, edit: bool) -> int | None:
    """Show a reply in the one way that what was sent before, to all or in `private`, leaves open.

    The id of a message that is sent for it comes back.
    """
    response = interaction.response
    if isinstance(reply, Form):
        await response.send_modal(modal_of(reply, _action(reply.command, reply.argument)))
        return None
    if edit and not reply.failed:
        await (interaction.edit_original_response if response.is_done() else response.edit_message)(**_changes(reply))
        return None
    if not response.is_done():
        return (await response.send_message(**message_parts(reply), ephemeral=reply.private)).message_id
    if not edit and private == reply.private:
        return (await interaction.edit_original_response(**_changes(reply))).id
    # A "thinking" mark shown to all cannot be replaced by what is private, which can only stand beside it.
    if not edit:
        with suppress(discord.NotFound):
            await interaction.delete_original_response()
    return (await interaction.followup.send(**message_parts(reply), ephemeral=reply.private, wait=True)).id


def _changes(reply: Reply) -> dict[str, Any]:
    """The same for a message that is there already; files can be sent once, so these are made anew each time."""
    parts = message_parts(reply)
    return {"content": parts["content"], "attachments": parts["files"], "view": parts.get("view")}


def _is_ours(version: str, command: str) -> bool:
    return version == VERSION and command in COMMANDS


async def say_old(interaction: Interaction, what: str = OLD) -> None:
    """Tell who used something of another version that it is from there."""
    spoken = nearest(str(interaction.locale))
    with interaction.client.answering("an old button", interaction.id), speaking(spoken):
        await _deliver(interaction, sorry(what), private=True, edit=False)


def _view(buttons: Sequence[Button]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    fitting = [button for button in buttons if _fits(button)]
    for index, button in enumerate(fitting):
        style = discord.ButtonStyle.secondary if index else discord.ButtonStyle.primary
        item = discord.ui.Button[discord.ui.View](
            label=button.label if len(button.label) <= LONGEST_BUTTON else f"{button.label[: LONGEST_BUTTON - 1]}…",
            custom_id=_action(button.command, button.argument),
            style=style,
            disabled=not button.enabled,
            row=index // BUTTONS_A_ROW,
        )
        view.add_item(ActionButton(item))
    return view


def _fits(button: Button) -> bool:
    """Whether a button can do what it says: its id has room for that, and what it asks can be read in full."""
    asks = button.command in (ASK, ASK_ALL)
    whole = len(button.label) <= LONGEST_BUTTON or not asks
    return whole and len(_action(button.command, button.argument)) <= LONGEST_ID


def _action(command: str, argument: str) -> str:
    """The custom_id of what calls a command."""
    return f"{VERSION}:{command}{argument and f':{argument}'}"


class ActionButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"(?s:(?:(?P<version>b\d+):)?(?P<command>.*))"
):
    """Any button, of this version, another or none that is known; discord.py finds it by its custom_id alone."""

    def __init__(self, item: discord.ui.Button[discord.ui.View], version: str = VERSION, command: str = "") -> None:
        super().__init__(item)
        self.version, self.command = version, command

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "ActionButton":
        """The button pressed, from its custom_id."""
        assert isinstance(item, discord.ui.Button), "only buttons carry our custom_ids"
        return cls(item, match["version"] or "", match["command"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody pressed."""
        await press(interaction, self.version, self.command)
