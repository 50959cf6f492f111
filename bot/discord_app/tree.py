"""The commands as Discord knows them: names, options, suggestions, and where they may be used."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot.commands.guide import TOPICS
from bot.commands.preset import LONGEST_NAME
from bot.commands.request import Request, Services
from bot.commands.suggest import Suggestion, suggest, suggest_names, suggest_questions, suggest_raids
from bot.commands.suggest_places import suggest_places
from bot.commands.suggest_plans import suggest_battles, suggest_plans
from bot.discord_app.answers import Interaction, request_from, respond
from bot.discord_app.open_answers import AnsweringClient, is_gone
from bot.matchup import LONGEST_LINE, LONGEST_PLANS
from bot.matchup.placing import LONGEST_PLACING

Matchup = app_commands.Range[str, 1, LONGEST_LINE]
Plans = app_commands.Range[str, 1, LONGEST_PLANS]
Places = app_commands.Range[str, 1, LONGEST_PLACING]
Name = app_commands.Range[str, 1, LONGEST_NAME]
Choices = list[app_commands.Choice[str]]
Suggest = Callable[[Request, Services], Awaitable[list[Suggestion]]]


def make_tree(client: AnsweringClient) -> app_commands.CommandTree[AnsweringClient]:
    """The tree of all commands, usable in servers, in direct messages, and by people who installed the bot."""
    tree = app_commands.CommandTree(
        client,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
    )
    commands: list[app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu]
    commands = [battle, compare, roll, need, table, dice]
    commands += [order, place, bombing, preset, help_command, battle_odds]
    for command in commands:
        tree.add_command(command)
    logging.getLogger("discord.app_commands.tree").addFilter(_wanted)
    return tree


def _from(suggestions: Suggest, command: str = "suggest", option: str = "matchup") -> Any:
    """Autocomplete of an option by one of the commands that suggest."""

    async def offered(interaction: Interaction, typed: str) -> Choices:
        request = request_from(interaction, command, {option: typed})
        return _choices(await suggestions(request, interaction.client.services))

    return offered


@app_commands.command(description="Who wins? Exact odds, with a picture")
@app_commands.describe(matchup="Attackers, defenders, options: 12 9 bombers:2", private="Show the answer only to you")
@app_commands.autocomplete(matchup=_from(suggest_battles))
async def battle(interaction: Interaction, matchup: Matchup, private: bool = False) -> None:
    """The odds of a battle."""
    await respond(interaction, request_from(interaction, "battle", {"matchup": matchup}, private))


@app_commands.command(description="Two plans side by side: which is better, and by how much")
@app_commands.describe(
    matchup="Two battles, || between them; of the second what changes will do: 12 9 stop:4 || stop:6",
    private="Show the answer only to you",
)
@app_commands.autocomplete(matchup=_from(suggest_plans))
async def compare(interaction: Interaction, matchup: Plans, private: bool = False) -> None:
    """Two plans compared."""
    await respond(interaction, request_from(interaction, "compare", {"matchup": matchup}, private))


@app_commands.command(description="Roll a battle out with real dice, every round shown")
@app_commands.describe(matchup="Attackers, defenders, options: 12 9 bombers:2")
@app_commands.autocomplete(matchup=_from(suggest))
async def roll(interaction: Interaction, matchup: Matchup) -> None:
    """A battle rolled out."""
    await respond(interaction, request_from(interaction, "roll", {"matchup": matchup}))


@app_commands.command(description="How many armies does it take? Which ship helps most?")
@app_commands.describe(
    matchup="Who defends: 9, or 12 9, with options and a chance: 9 90%; 12 vs for the defence",
    private="Show the answer only to you",
)
@app_commands.autocomplete(matchup=_from(suggest_questions, "need"))
async def need(interaction: Interaction, matchup: Matchup, private: bool = False) -> None:
    """How many it takes."""
    await respond(interaction, request_from(interaction, "need", {"matchup": matchup}, private))


@app_commands.command(description="The chance to win for every size of army, as a map")
@app_commands.describe(matchup="A battle to mark, or only rules: 12 9 bombers:2", private="Show the answer only to you")
@app_commands.autocomplete(matchup=_from(suggest_questions, "table"))
async def table(interaction: Interaction, matchup: Matchup = "", private: bool = False) -> None:
    """The table of chances."""
    await respond(interaction, request_from(interaction, "table", {"matchup": matchup}, private))


@app_commands.command(description="What dice show, and what one round costs")
@app_commands.describe(
    matchup="3 fighters:1 for what three dice show; 3 2 bombers:1 for one round", private="Show the answer only to you"
)
@app_commands.autocomplete(matchup=_from(suggest_questions, "dice"))
async def dice(interaction: Interaction, matchup: Matchup = "", private: bool = False) -> None:
    """Dice before anything is fought."""
    await respond(interaction, request_from(interaction, "dice", {"matchup": matchup}, private))


@app_commands.command(description="Axis & Allies: does a bombing raid on a factory pay?")
@app_commands.describe(
    matchup="Bombers, and points the factory can take: 5 bom vs 20", private="Show the answer only to you"
)
@app_commands.autocomplete(matchup=_from(suggest_raids, "bombing"))
async def bombing(interaction: Interaction, matchup: Matchup, private: bool = False) -> None:
    """A bombing raid."""
    await respond(interaction, request_from(interaction, "bombing", {"matchup": matchup}, private))


@app_commands.command(description="Axis & Allies: which order of loss is best for each side")
@app_commands.describe(matchup="Who meets whom: 3 inf 2 arm 2 fig vs 5 inf 1 aa", private="Show the answer only to you")
@app_commands.autocomplete(matchup=_from(suggest_questions, "order"))
async def order(interaction: Interaction, matchup: Matchup, private: bool = False) -> None:
    """The best orders of loss."""
    await respond(interaction, request_from(interaction, "order", {"matchup": matchup}, private))


@app_commands.command(description="Axis & Allies: where to put the units at hand against several attacks")
@app_commands.describe(
    matchup="At hand || an attack for each territory, vs who stands there: 8 inf || 4 inf vs 1 inf || 3 arm",
    private="Show the answer only to you",
)
@app_commands.autocomplete(matchup=_from(suggest_places))
async def place(interaction: Interaction, matchup: Places, private: bool = False) -> None:
    """Where to put them."""
    await respond(interaction, request_from(interaction, "place", {"matchup": matchup}, private))


@app_commands.command(name="help", description="What you can ask, on one screen")
@app_commands.describe(topic="Leave it out for an overview")
@app_commands.choices(topic=[app_commands.Choice(name=topic, value=topic) for topic in TOPICS])
async def help_command(interaction: Interaction, topic: str = "") -> None:
    """What can be asked."""
    await respond(interaction, request_from(interaction, "help", {"topic": topic}, private=True))


preset = app_commands.Group(name="preset", description="Saved set-ups, used by name: /battle ukraine")


@preset.command(name="save", description="Keep a battle under a name")
@app_commands.describe(name="One word, such as ukraine", matchup="Attackers, defenders, options: 12 9 bombers:2")
@app_commands.autocomplete(matchup=_from(suggest))
async def preset_save(interaction: Interaction, name: Name, matchup: Matchup) -> None:
    """Keep a set-up."""
    await respond(interaction, request_from(interaction, "preset save", {"name": name, "matchup": matchup}, True))


@preset.command(name="list", description="Every set-up saved here")
async def preset_list(interaction: Interaction) -> None:
    """All set-ups."""
    await respond(interaction, request_from(interaction, "preset list", {}, private=True))


@preset.command(name="show", description="A saved set-up and its odds")
@app_commands.describe(name="Its name")
@app_commands.autocomplete(name=_from(suggest_names, option="name"))
async def preset_show(interaction: Interaction, name: Name) -> None:
    """One set-up."""
    await respond(interaction, request_from(interaction, "preset show", {"name": name}))


@preset.command(name="delete", description="Forget a saved set-up")
@app_commands.describe(name="Its name")
@app_commands.autocomplete(name=_from(suggest_names, option="name"))
async def preset_delete(interaction: Interaction, name: Name) -> None:
    """Forget a set-up."""
    await respond(interaction, request_from(interaction, "preset delete", {"name": name}, private=True))


@app_commands.context_menu(name="Battle odds")
async def battle_odds(interaction: Interaction, message: discord.Message) -> None:
    """The odds of the battle that stands in somebody's message."""
    text = re.sub(r"<[@#][!&]?\d+>", " ", message.content)
    await respond(interaction, request_from(interaction, "find", {"text": text}, private=message.flags.ephemeral))


def _choices(suggestions: list[Suggestion]) -> Choices:
    return [app_commands.Choice(name=label, value=line) for label, line in suggestions]


def _wanted(record: logging.LogRecord) -> bool:
    """Whether a record is worth a line in the log.

    While somebody types, Discord drops the question about the line before; that answer then finds nobody, which
    discord.py would log as an error with a traceback.
    """
    return not (record.exc_info and is_gone(record.exc_info[1]))
