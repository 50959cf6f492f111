"""Answers interactions: builds the request of a command, button or form, and sends the reply in time."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import discord

from bot.commands.command import Command
from bot.commands.history import CHANGES_BATTLE
from bot.commands.live import battle_in
from bot.commands.run import run
from bot.commands.table import COMMANDS
from bot.commands.transfer import SETUPS_FILE
from bot.commands.typed import command_in
from bot.discord_app.delivery import (
    FIRST,
    VERSION,
    Delivery,
    Interaction,
    can_write_here,
    is_in_server,
    settings_channel_of,
)
from bot.discord_app.forms import filled_values, with_file
from bot.discord_app.frames import MessageState
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_gone, is_unsent
from bot.errors import RESTARTING, UserError
from bot.games.base import Rooms
from bot.languages import N_, _, language_for_locale, speaking
from bot.names import bare_name
from bot.notation.old_lines import in_todays_notation
from bot.pace import at_pace
from bot.replies import ASK, ASK_ALL, ASK_ON, Form, Reply, line_of
from bot.request import Request, Services, with_place_settings
from bot.store.records import Spot
from bot.words.numbers import progress_text
from bot.work.jobs import asking
from solver.progress import Progress, listening

log = logging.getLogger(__name__)

Ask: TypeAlias = Callable[[Request], Awaitable[Reply | Form]]

PATIENCE = 0.3
"""Seconds after which an answer is deferred; Discord waits three in all."""
TELL_EVERY = at_pace(2.0)
"""Seconds after which a deferred answer says again how far its work is; Discord takes five edits in two seconds."""
RUSH = 20
"""The number of open answers above which each is deferred at once, so that none misses Discord's deadline."""

OLD = N_("That button is from an old version of Sandtable. Ask again with `/battle`.")
OLD_COMMAND = N_("That command has changed. Restart Discord to see the new one.")
UNSHOWN = N_("I couldn't show the answer here. Ask again in a minute.")


class SentOptions(dict[str, str]):
    """The options that came with a button or a form; an older version may have sent fewer."""

    def __missing__(self, option: str) -> str:
        """Raise UserError: the button or form is too old for its command."""
        raise UserError(_(OLD))


async def respond(
    interaction: Interaction, request: Request, edit: bool = False, file: discord.Attachment | None = None
) -> None:
    """Run a request and send its answer, at once or after a "thinking" mark.

    Args:
        interaction: The interaction to answer.
        request: The request that the interaction makes.
        edit: Whether the answer replaces the message of the button.
        file: A file whose text becomes the option "file" of the request.
    """
    ask = partial(_run_command, interaction.client, file)
    client, delivery = interaction.client, Delivery(interaction, request.private, edit)
    # Texts around an answer are in the asker's language.
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
            await delivery.send(failure_reply(UNSHOWN))


async def act(interaction: Interaction) -> None:
    """Answer a button or a form, and note the person's language for messages; discord.py itself calls the commands.

    The id of a button or form says everything about it, so both survive a restart.
    """
    interaction.client.locales[interaction.user.id] = language_for_locale(str(interaction.locale))
    acts = {discord.InteractionType.component: press, discord.InteractionType.modal_submit: submit}
    data: Any = interaction.data
    if how := acts.get(interaction.type):
        version, _colon, action = data["custom_id"].partition(":")
        await how(interaction, version, action)


async def press(interaction: Interaction, version: str, action: str) -> None:
    """Answer a button: run the command in its id, about the battle of its message."""
    command, _other, argument = action.partition(":")
    message, known = interaction.message, _command(version, command)
    if message is None:
        await refuse_old(interaction)
        return
    if version in (FIRST, VERSION) and command in (ASK, ASK_ALL) and not argument.startswith("/"):
        await _press_line(interaction, version, argument, message.flags.ephemeral, everybody=command == ASK_ALL)
        return
    line = line_of(message.content)
    file = next((attachment for attachment in message.attachments if attachment.filename == SETUPS_FILE), None)
    if known is None or not {"line": line is not None, "file": file is not None, "nothing": True}[known.press_needs]:
        await refuse_old(interaction)
        return
    options = SentOptions({"matchup": _in_current_notation(interaction.client.services.rooms, version, line or "")})
    request = request_from(interaction, command, options, message.flags.ephemeral, argument)
    request = replace(request, typed=False)
    await respond(interaction, request, known.edits, file if known.press_needs == "file" else None)


async def _press_line(interaction: Interaction, version: str, line: str, private: bool, everybody: bool) -> None:
    """Answer a button that asks a typed line, perhaps for everybody to see."""
    command, options = command_in(line)
    if "matchup" in options:
        options["matchup"] = _in_current_notation(interaction.client.services.rooms, version, options["matchup"])
    if everybody and not COMMANDS[command].anybody_may_press:
        await refuse_old(interaction)
    else:
        await respond(interaction, request_from(interaction, command, options, private and not everybody))


async def submit(interaction: Interaction, version: str, action: str) -> None:
    """Answer a form: run the command in its id with the values that were filled in."""
    command, _other, argument = action.partition(":")
    known = _command(version, command)
    if interaction.message is None or interaction.data is None or known is None or known.asks_form:
        await refuse_old(interaction)
        return
    components: Any = interaction.data.get("components", ())
    options = SentOptions(filled_values(components))
    private, edits = interaction.message.flags.ephemeral or not known.edits, known.edits and argument != ASK_ON
    request = request_from(interaction, command, options, private, argument)
    if argument == ASK_ON:
        request = replace(request, after=line_of(interaction.message.content) or "")
    await respond(interaction, request, edits)


def request_from(
    interaction: Interaction, command: str, options: dict[str, str], private: bool | None = False, argument: str = ""
) -> Request:
    """Build the request of an interaction.

    Args:
        interaction: The interaction that asks.
        command: The name of the command.
        options: The options of the command.
        private: Whether only the asker sees the answer; None leaves that to the settings of the place.
        argument: The input of the command from a button's id.
    """
    user, message = interaction.user, interaction.message
    private = True if COMMANDS[command].private else private
    # Not about a public answer that a person has asked for with the option "private".
    has_say = private is None or interaction.type is not discord.InteractionType.application_command
    if not all(isinstance(value, str) for value in options.values()):
        options = {name: str(value) for name, value in options.items()}  # an option that had another type before
    return Request(
        command,
        user=str(user.id),
        user_name=bare_name(user.display_name),
        options=type(options)({name: remove_unsendable(text) for name, text in options.items()}),
        private=bool(private),
        by_place=private is None,
        by_person=has_say and not (interaction.context.dm_channel or COMMANDS[command].shows_battle),
        argument=argument,
        interaction=str(interaction.id),
        message=str(message.id) if message else "0",
        channel=str(interaction.channel_id) if can_write_here(interaction) and not private else None,
        shows=battle_in(message.content) if message else "",
        reader=language_for_locale(str(interaction.locale)),
        here=language_for_locale(str(interaction.guild_locale or interaction.locale)),
        **_place_of(interaction),
    )


def _place_of(interaction: Interaction) -> dict[str, Any]:
    """Return the fields of a request that say where it is asked, and what the person may change there.

    Presets and settings are the server's if the server installed the bot, otherwise the person's own.
    """
    if not is_in_server(interaction):
        return {"place": f"user:{interaction.user.id}", "manages": True, "moderates": True}
    permissions = interaction.permissions
    return {
        "place": f"guild:{interaction.guild_id}",
        "manages": permissions.manage_guild,
        "moderates": permissions.manage_guild or permissions.manage_messages,
        "roles": roles_of(interaction.user),
        "known_roles": roles_in(interaction.client.get_guild(interaction.guild_id or 0)),
        "settings_channel": settings_channel_of(interaction.channel) if interaction.channel else "",
    }


def remove_unsendable(text: str) -> str:
    """Remove characters that databases refuse: lone surrogates and NUL, which only a manipulated client sends."""
    return text.encode(errors="ignore").decode().replace("\0", "")


def roles_of(user: discord.User | discord.Member) -> frozenset[str]:
    """Return the ids of somebody's roles in the server where they ask, among them that of everybody there."""
    if not isinstance(user, discord.Member):
        return frozenset()
    # `user.roles` would leave out the roles of a server that is not in memory, as behind `sandtable http` none is.
    return frozenset(map(str, (user.guild.id, *user._roles)))


def roles_in(guild: discord.Guild | None) -> frozenset[str] | None:
    """Return the ids of all roles of a server; None if Discord has not sent them."""
    return None if guild is None or guild.unavailable else frozenset(str(role.id) for role in guild.roles)


def failure_reply(text: str) -> Reply:
    """Return a private reply that says why there is no answer, in the current language."""
    return Reply(_(text), private=True, failed=True)


async def _run_command(client: AnsweringClient, file: discord.Attachment | None, request: Request) -> Reply | Form:
    """Run the command of a request, with the text of the file, and return the reply or the error's text."""
    services = client.services
    try:
        whole = await with_file(request, file, services.settings) if file else request
        async with client.slots.slot(request.user):
            return await run(whole, services)
    except UserError as error:
        return Reply(error.text, private=True, failed=True)


async def _is_refused(request: Request, delivery: Delivery, client: AnsweringClient) -> bool:
    """Return whether a request gets no answer, after saying why: the bot is leaving, or somebody asks too much."""
    if client.leaving:  # the refusal is sent at once, as long as there is a connection
        await delivery.send(failure_reply(RESTARTING))
        return True
    letters = sum(map(len, request.options.values())) if request.typed else 0
    refusal = client.rates.refusal(request.user, request.place, letters=letters)
    if refusal:
        async with client.slots.slot(request.user):
            await delivery.send(refusal)
    return refusal is not None


async def _answer(interaction: Interaction, request: Request, delivery: Delivery, ask: Ask) -> None:
    client, began = interaction.client, time.monotonic()
    if await _is_refused(request, delivery, client):
        return
    state = client.frames.message_state(interaction.message.id) if delivery.edit and interaction.message else None
    crowded = client.open_answers > RUSH or client.slots.is_full(request.user)
    asked = COMMANDS[request.command]
    rush = crowded and not asked.asks_form
    async with client.slots.slot(request.user):
        request = await _with_privacy(request, delivery, client.services)
        if rush:
            with client.rush.deferral():
                await _announce(interaction, request, delivery)
    if rush:
        await client.rush.wait_for_deferrals()
    heard = _Heard()
    with listening(heard.take):
        task = asyncio.ensure_future(ask(request))
    # A form must be the first answer, so it is waited for; forms take no time.
    patience = None if rush or asked.asks_form else max(0.0, began + PATIENCE - time.monotonic())
    done, _other = await asyncio.wait({task}, timeout=patience)
    try:
        if not done:
            await _announce(interaction, request, delivery)
            if not (delivery.edit or asked.live):
                await _show_progress(delivery, heard, task)
    finally:
        # The answer counts as open until its command has ended, even if Discord cannot be reached.
        reply = await task
    await _show(reply, request, delivery, client, state)


async def _with_privacy(request: Request, delivery: Delivery, services: Services) -> Request:
    """Return the request with settings that decide who sees its answer: Discord must learn that at first."""
    if request.by_place or request.by_person:
        request = await with_place_settings(request, services)
    if request.private and not delivery.private:
        delivery.private, delivery.edit = True, False
    return request


async def _announce(interaction: Interaction, request: Request, delivery: Delivery) -> None:
    """Tell Discord that the answer takes a moment, and note who waits for it."""
    await (delivery.try_to_defer if COMMANDS[request.command].live else delivery.defer)()
    if not delivery.edit:
        interaction.client.left_waiting.note(interaction, request)


async def _show(
    reply: Reply | Form, request: Request, delivery: Delivery, client: AnsweringClient, state: MessageState | None
) -> None:
    """Send a reply, or show it as the next frame of the live battle in the message with this `state`."""
    frame = reply.frame if isinstance(reply, Reply) else None
    if isinstance(reply, Reply) and frame and state:
        await delivery.show_frame(reply, state)
        return
    message = await delivery.send(reply)
    if isinstance(reply, Reply) and frame:
        spot = Spot(str(message), delivery.channel(reply), reply.private) if message else None
        await client.frames.mark_seen(frame, spot)
    elif request.command in CHANGES_BATTLE:
        client.behind.set()
    elif COMMANDS[request.command].live and isinstance(reply, Reply) and not reply.failed:
        client.pressed_elsewhere.add(request.argument.partition(":")[0])
        client.behind.set()


class _Heard:
    """The last news from work in other threads."""

    latest: Progress | None = None

    def take(self, progress: Progress) -> None:
        self.latest = progress


async def _show_progress(delivery: Delivery, heard: _Heard, task: "asyncio.Future[Reply | Form]") -> None:
    """Show how far the work of an answer is, every few seconds until it comes."""
    shown = None
    while not (await asyncio.wait({task}, timeout=TELL_EVERY))[0]:
        if heard.latest != shown:
            shown = heard.latest
            if shown and not await delivery.try_to_tell(progress_text(shown)):
                return


def _command(version: str, command: str) -> Command | None:
    """Return the command of a button or a form; None if no version of ours had it."""
    return COMMANDS.get(command) if version in (FIRST, VERSION) else None


def _in_current_notation(rooms: Rooms, version: str, line: str) -> str:
    """Return a line from a button of an older version in the current notation."""
    return in_todays_notation(rooms, line) if version == FIRST else line


async def refuse_old(interaction: Interaction, what: str = OLD) -> None:
    """Answer that a button or command is from another version of the bot."""
    spoken = language_for_locale(str(interaction.locale))
    with interaction.client.answering("an old button", interaction.id), speaking(spoken):
        await Delivery(interaction, private=True).send(failure_reply(what))
