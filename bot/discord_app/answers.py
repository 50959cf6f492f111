"""What becomes of what people do on Discord: the request it makes, and its answer, in time and for the right eyes."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import discord

from bot.commands import ALONE, COMMANDS, FORMS, run
from bot.commands.live import battle_in
from bot.commands.request import Request, settled
from bot.commands.settings import CHANGE, PAGES
from bot.commands.setups_file import NAME as SETUPS
from bot.commands.teaching import FOR_ALL
from bot.commands.transfer import IMPORT
from bot.commands.typed import command_in
from bot.discord_app.delivery import Delivery, Interaction, in_server, writes_here
from bot.discord_app.files import with_file
from bot.discord_app.forms import typed_in
from bot.discord_app.messages import FIRST, VERSION
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_gone, is_unsent
from bot.errors import RESTARTING, UserError
from bot.languages import N_, _, nearest, speaking
from bot.matchup import spelled_out
from bot.names import bare_name
from bot.replies import ASK, ASK_ALL, LINELESS, TURN, Form, Reply, line_of
from bot.store import Spot
from bot.turns import asking
from solver.placing import MOST_TERRITORIES

log = logging.getLogger(__name__)

Ask: TypeAlias = Callable[[Request], Awaitable[Reply | Form]]

EDITING = {
    *("swap", "more", "fewer", "rulebook", "battle", "need", "table"),
    *("bombing", "bombing more", "bombing fewer"),
    *("order", "best attack", "best defence"),
    *("ends", "ends money", "ends winner"),
    *("compare", "swap plans", "plan a", "plan b"),
    *(IMPORT, CHANGE, TURN),
    *("place", "place all", "place most", "place value"),
    *(f"place odds {number + 1}" for number in range(MOST_TERRITORIES)),
}
"""Commands whose answer, when they come from a button, takes the place of the message it stands under."""
LIVE = {"roll on", "roll out", "retreat", "real dice"}
"""Commands whose answer is the next frame of the live battle of that message."""
PATIENCE = 0.3
"""Seconds after which Discord is told that the answer takes a moment; it waits three in all."""
RUSH = 20
"""Where more answers than this are open, Discord is told at once: all shall hear something before any waits long."""

OLD = N_("That button is from an old version of Sandtable. Ask again with `/battle`.")
OLD_COMMAND = N_("That command has changed. Restart Discord to see the new one.")
UNSHOWN = N_("I couldn't show the answer here. Ask again in a minute.")


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
    ask = partial(_ask, interaction.client, file)
    client, delivery = interaction.client, Delivery(interaction, request.private, edit)
    # What is said around an answer is for who asked.
    with (
        client.answering(request.command, interaction.id),
        speaking(request.reader),
        asking(request.user, request.place),
    ):
        try:
            await _answer(interaction, request, delivery, ask)
        except Exception as error:
            if is_gone(error) or (client.leaving and is_unsent(error)):
                raise
            log.exception("the answer to %s could not be shown", request.command)
            await delivery.give(sorry(UNSHOWN))


async def _decided(interaction: Interaction, request: Request) -> Request:
    """The request once it is known whether its answer is private, which Discord is told first of all."""
    return await settled(request, interaction.client.services) if request.by_place else request


async def press(interaction: Interaction, version: str, action: str) -> None:
    """A button was pressed: the command it names, about the battle of its message."""
    command, _, argument = action.partition(":")
    message = interaction.message
    if message and version in (FIRST, VERSION) and command in (ASK, ASK_ALL) and not argument.startswith("/"):
        asked, options = command_in(argument)
        if "matchup" in options:
            options["matchup"] = _today(version, options["matchup"])
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
    options = Sent({"matchup": _today(version, line or "")})
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
    here = in_server(interaction)
    if not all(isinstance(value, str) for value in options.values()):
        options = {name: str(value) for name, value in options.items()}  # an option that had another type before
    return Request(
        command,
        user=str(user.id),
        user_name=bare_name(user.display_name),
        place=f"guild:{interaction.guild_id}" if here else f"user:{user.id}",
        options=type(options)({name: clean(text) for name, text in options.items()}),
        manages=interaction.permissions.manage_guild if here else True,
        moderates=moderates(interaction.permissions) if here else True,
        roles=roles_of(user) if here else frozenset(),
        known_roles=roles_in(interaction.client.get_guild(interaction.guild_id or 0)) if here else None,
        private=bool(private),
        by_place=private is None,
        argument=argument,
        interaction=str(interaction.id),
        message=str(message.id) if message else "0",
        channel=str(interaction.channel_id) if writes_here(interaction) and not private else None,
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


async def _ask(client: AnsweringClient, file: discord.Attachment | None, request: Request) -> Reply | Form:
    """The answer to a request, to which the text of a file belongs where there is one."""
    services = client.services
    try:
        whole = await with_file(request, file, services.settings) if file else request
        async with client.desk.seat(request.user):
            return await run(whole, services)
    except UserError as error:
        return Reply(error.text, private=True, failed=True)


async def _answer(interaction: Interaction, request: Request, delivery: Delivery, ask: Ask) -> None:
    client, began = interaction.client, time.monotonic()
    if client.leaving:  # everybody is told at once, as long as there is a connection
        await delivery.give(sorry(RESTARTING))
        return
    if refusal := client.rates.refusal(request.user, request.place):
        async with client.desk.seat(request.user):
            await delivery.give(refusal)
        return
    look = client.frames.look(interaction.message.id) if delivery.edit and interaction.message else None
    crowded = client.open_answers > RUSH or client.desk.is_full(request.user)
    rush = crowded and request.command not in FORMS
    announce = delivery.try_to_promise if request.command in LIVE else delivery.promise
    async with client.desk.seat(request.user):
        request = await _decided(interaction, request)
        delivery.private = request.private
        if rush:
            with client.rush.word():
                await announce()
    if rush:
        await client.rush.all_there()
    task = asyncio.ensure_future(ask(request))
    # A form must be the first answer, so it is waited for; forms take no time.
    patience = None if rush or request.command in FORMS else max(0.0, began + PATIENCE - time.monotonic())
    done, _ = await asyncio.wait({task}, timeout=patience)
    try:
        if not done:
            await announce()
    finally:
        # Even if nobody can be told, what was asked is done before we count the answer as ended.
        reply = await task
    if isinstance(reply, Reply) and reply.frame and look:
        await delivery.show(reply, look)
        return
    message = await delivery.give(reply)
    if isinstance(reply, Reply) and reply.frame:
        spot = Spot(str(message), delivery.channel(reply), reply.private) if message else None
        await client.frames.arrived(reply.frame, spot)
    elif request.command == "history end":
        client.behind.set()


def _is_ours(version: str, command: str) -> bool:
    return version in (FIRST, VERSION) and command in COMMANDS


def _today(version: str, line: str) -> str:
    """A line under or in a button of some version, as it is written today."""
    return spelled_out(line) if version == FIRST else line


async def say_old(interaction: Interaction, what: str = OLD) -> None:
    """Tell who used something of another version that it is from there."""
    spoken = nearest(str(interaction.locale))
    with interaction.client.answering("an old button", interaction.id), speaking(spoken):
        await Delivery(interaction, private=True).give(sorry(what))
