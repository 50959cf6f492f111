"""Discord's tree of commands, built from the table of commands, where people may use them, and what it suggests."""

import logging
import re
import time
from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

import aiohttp
import discord
from discord import InteractionType, app_commands
from discord.app_commands import Choice

from bot.commands.command import Command, Option
from bot.commands.table import COMMANDS, GROUPS
from bot.discord_app.answers import OLD_COMMAND, refuse_old, request_from, respond
from bot.discord_app.delivery import Interaction
from bot.discord_app.incoming import log_unreadable
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.refusals import is_gone
from bot.languages import speaking
from bot.logs import set_interaction
from bot.names import bare_name
from bot.work.jobs import asking
from bot.work.limits import SUGGESTION

log = logging.getLogger(__name__)

LATE = 2.0
"""Seconds after which suggestions are no longer looked for: Discord takes none after three."""
ORDER = (
    *("battle", "conquer", "map", "compare", "roll", "need", "table", "dice", "order", "place", "bombing", "preset"),
    *("help", "privacy", "verify", "luck", "history", "settings"),
)
"""The order in which Discord is told the commands, others after these: in a new order it would be told them again."""
TYPES: dict[str, Any] = {
    "text": str,
    **dict.fromkeys(("flag", "yes or no", "privacy"), bool),
    **{"person": discord.User, "role": discord.Role, "file": discord.Attachment},
}
"""The types of the values of options, by the kinds of these."""
NO_RIGHTS = discord.Permissions.none()
SEES = "_sees"
"""The end of an option's name: "opponent_sees" says that the opponent sees the channel."""


class Tree(app_commands.CommandTree[AnsweringClient]):
    """A command tree that answers commands of other versions of the bot, and logs interactions that cannot be read."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        """Answer that a command has changed, or log the error in it."""
        if isinstance(error, app_commands.CommandInvokeError):
            await super().on_error(interaction, error)
        elif interaction.type is InteractionType.application_command:
            await refuse_old(interaction, OLD_COMMAND)
        elif not isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            log_unreadable(error)

    async def _call(self, interaction: Interaction) -> None:
        try:
            _ = interaction.namespace  # discord.py reads the options and the people among them here
        except Exception as error:
            log_unreadable(error)
        else:
            await super()._call(interaction)


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Whether a record of discord.py is worth a line in the log.

    While somebody types, Discord drops its earlier requests for suggestions. An answer to one of them fails, and
    discord.py would log that as an error with a traceback. It would do the same with connections that break while the
    bot stops, and with commands of other versions.
    """
    error = record.exc_info and record.exc_info[1]
    return not (
        is_gone(error) or isinstance(error, aiohttp.ClientError | OSError | app_commands.CommandSignatureMismatch)
    )


def make_tree(client: AnsweringClient) -> app_commands.CommandTree[AnsweringClient]:
    """Build the tree of all commands, for servers, direct messages, and people who installed the bot."""
    tree = Tree(
        client,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
    )
    groups = {name: app_commands.Group(name=name, description=about) for name, about in GROUPS.items()}
    commands: dict[str, Any] = {**groups}
    for command in COMMANDS.values():
        first, _space, second = command.name.partition(" ")
        if command.about and second:
            groups[first].add_command(slash_command(command, second))
        elif command.about:
            commands[first] = slash_command(command, first)
    for name in sorted(commands, key=(*ORDER, *commands).index):
        tree.add_command(commands[name])
    tree.add_command(battle_odds)
    logging.getLogger("discord.app_commands.tree").addFilter(is_worth_logging)
    return tree


def slash_command(command: Command, name: str) -> app_commands.Command[Any, ..., None]:
    """Return the slash command of a row of the table, under its own name or its name in a group."""

    async def answer(interaction: Interaction, **values: Any) -> None:
        options, private = _read_values(command, values)
        if isinstance(interaction.channel, discord.Thread) and interaction.channel.is_private():
            # A mention would add a person to a private thread, so nobody is mentioned there, not even its members.
            options = {name: text for name, text in options.items() if not name.endswith(SEES)}
        await respond(interaction, request_from(interaction, command.name, options, private), file=values.get("file"))

    parameters = [Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD), *map(_parameter, command.options)]
    answer.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    app_commands.describe(**{option.name: option.about for option in command.options})(answer)
    choices = {
        option.name: [app_commands.Choice(name=label, value=value) for label, value in option.choices.items()]
        for option in command.options
        if option.choices
    }
    app_commands.choices(**choices)(answer)
    suggested = {option: suggest_for(command, option) for option in command.suggests}
    app_commands.autocomplete(**suggested)(answer)
    return app_commands.Command(name=name, description=command.about, callback=answer)


def _read_values(command: Command, values: Mapping[str, Any]) -> tuple[dict[str, str], bool | None]:
    """Return the options of a request for the values that Discord has given, and whether its answer is private."""
    private, options = command.private, dict[str, str]()
    for option in command.options:
        value = values[option.name]
        if option.kind == "privacy":
            private = private if value is None else value
        elif option.kind != "file":
            private = False if option.for_all and value else private
            options |= texts(option, value)
    return options, private


def suggest_for(command: Command, option: str) -> Any:
    """Return the autocomplete of an option, as the table of commands has it."""
    suggestions = command.suggests[option]

    async def autocomplete(interaction: Interaction, typed: str) -> list[Choice[str]]:
        set_interaction(interaction.id, "suggestions")
        began = time.monotonic()
        client, request = interaction.client, request_from(interaction, command.name, {option: typed})
        if client.rates.refusal(request.user, request.place, SUGGESTION, len(typed)):
            return []
        client.typed[request.user] = newest = max(interaction.id, client.typed.get(request.user, 0))
        with speaking(request.reader), asking(request.user, request.place):
            async with client.slots.slot(request.user):
                # A person who types on or waits too long no longer sees these suggestions, and others wait behind them.
                if client.typed.get(request.user, newest) > interaction.id or time.monotonic() - began > LATE:
                    log.debug("nobody waits for these suggestions any more")
                    return []
                lines = await suggestions(request, client.services)
        log.debug("found after %.3f s", time.monotonic() - began)
        return [Choice(name=label, value=line) for label, line in lines]

    return autocomplete


def _parameter(option: Option) -> Parameter:
    """Return the parameter by which discord.py knows the type of an option."""
    kind = TYPES[option.kind]
    if option.lengths:
        kind = app_commands.Range[(kind, *option.lengths)]
    usual = Parameter.empty if option.required else "" if option.kind == "text" else None
    if usual is None:
        kind |= None
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=usual, annotation=kind)


def texts(option: Option, value: Any) -> dict[str, str]:
    """Return the options of a request for a value that Discord has given; none where it has given none."""
    if value is None or (option.kind == "flag" and not value):
        return {}
    if option.kind == "text":
        return {option.name: value}
    if option.kind == "person":
        known = isinstance(value, discord.User | discord.Member)  # else Discord did not describe them
        person = {option.name: str(value.id), f"{option.name}_name": bare_name(value.display_name) if known else ""}
        # A bot cannot press anything, and who cannot see the channel is not mentioned there.
        sees = isinstance(value, discord.Member) and (value.resolved_permissions or NO_RIGHTS).view_channel
        marks = {"_is_bot": known and value.bot, SEES: sees}
        return person | {f"{option.name}{mark}": "yes" for mark, is_set in marks.items() if is_set}
    return {option.name: str(value.id) if option.kind == "role" else "yes" if value else "no"}


@app_commands.context_menu(name="Battle odds")
async def battle_odds(interaction: Interaction, message: discord.Message) -> None:
    """Answer with the odds of the battle in somebody's message."""
    # A forwarded message holds what it forwards, and no text of its own.
    text = "\n".join([message.content, *(snapshot.content for snapshot in message.message_snapshots)])
    text = re.sub(r"<[@#][!&]?\d+>", " ", text)
    await respond(interaction, request_from(interaction, "find", {"text": text}, message.flags.ephemeral or None))
