"""Discord's tree of commands: their names, options and suggestions, and where people may use them."""

import logging
import re
from typing import Any

import discord
from discord import app_commands

from bot.discord_app.answers import request_from, respond
from bot.discord_app.delivery import Interaction
from bot.discord_app.help_commands import privacy, show_help
from bot.discord_app.incoming import Tree, is_worth_logging
from bot.discord_app.open_answers import AnsweringClient
from bot.discord_app.suggesting import suggest_for
from bot.games.placing.notation import LONGEST_TYPED as LONGEST_PLACES
from bot.languages import LANGUAGES, N_
from bot.names import bare_name
from bot.notation.plans import LONGEST_PLANS
from bot.notation.reading import LONGEST_TYPED
from bot.place_settings import ROLE
from bot.presets import LONGEST_NAME, LONGEST_NOTE
from bot.setting_kinds import AS_DISCORD, NO_ROLE

Matchup = app_commands.Range[str, 1, LONGEST_TYPED]
Plans = app_commands.Range[str, 1, LONGEST_PLANS]
Places = app_commands.Range[str, 1, LONGEST_PLACES]
Name = app_commands.Range[str, 1, LONGEST_NAME]
Note = app_commands.Range[str, 0, LONGEST_NOTE]
FLAGS = {None: "", True: "yes", False: "no"}
PRIVATE = N_("Only you see the answer")


def make_tree(client: AnsweringClient) -> app_commands.CommandTree[AnsweringClient]:
    """Build the tree of all commands, for servers, direct messages, and people who installed the bot."""
    tree = Tree(
        client,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
    )
    commands: list[Any] = [battle, conquer, garrisons, compare, roll, need, table, dice, order, place, bombing]
    commands += [preset, show_help, privacy, battle_odds, verify, luck, history, settings]
    for command in commands:
        tree.add_command(command)
    logging.getLogger("discord.app_commands.tree").addFilter(is_worth_logging)
    return tree


@app_commands.command(description=N_("Who wins? The odds, with a picture"))
@app_commands.describe(matchup=N_("Attackers, defenders, options: 12 9 bombers:2"), private=PRIVATE)
@app_commands.autocomplete(matchup=suggest_for("battle"))
async def battle(interaction: Interaction, matchup: Matchup, private: bool | None = None) -> None:
    """Answer with the odds of a battle."""
    await respond(interaction, request_from(interaction, "battle", {"matchup": matchup}, private))


@app_commands.command(description=N_("Two plans side by side: which is better, and by how much"))
@app_commands.describe(
    matchup=N_("Two battles with || between; for the second, just what changes: 12 9 stop:4 || stop:6"),
    private=PRIVATE,
)
@app_commands.autocomplete(matchup=suggest_for("compare"))
async def compare(interaction: Interaction, matchup: Plans, private: bool | None = None) -> None:
    """Compare two plans."""
    await respond(interaction, request_from(interaction, "compare", {"matchup": matchup}, private))


@app_commands.command(description=N_("Roll a battle with fair dice, round by round or all at once"))
@app_commands.describe(
    matchup=N_("Attackers, defenders, options: 12 9 bombers:2"),
    opponent=N_("The defending player; then only you two can roll"),
    private=N_("Only you see the battle"),
)
@app_commands.autocomplete(matchup=suggest_for("roll"))
async def roll(
    interaction: Interaction, matchup: Matchup, opponent: discord.User | None = None, private: bool = False
) -> None:
    """Begin a live battle."""
    options = {"matchup": matchup} | _person("opponent", opponent)
    await respond(interaction, request_from(interaction, "roll", options, private))


@app_commands.command(description=N_("How many armies do you need? Which ship helps most?"))
@app_commands.describe(
    matchup=N_("Defenders to beat: 9, or 9 90% for another chance; 12 vs to hold against 12"),
    private=PRIVATE,
)
@app_commands.autocomplete(matchup=suggest_for("need"))
async def need(interaction: Interaction, matchup: Matchup, private: bool | None = None) -> None:
    """Answer how many armies it takes."""
    await respond(interaction, request_from(interaction, "need", {"matchup": matchup}, private))


@app_commands.command(description=N_("A map of win chances for all army sizes"))
@app_commands.describe(matchup=N_("A battle to mark, or just rules: 12 9 bombers:2"), private=PRIVATE)
@app_commands.autocomplete(matchup=suggest_for("table"))
async def table(interaction: Interaction, matchup: Matchup = "", private: bool | None = None) -> None:
    """Answer with the table of chances."""
    await respond(interaction, request_from(interaction, "table", {"matchup": matchup}, private))


@app_commands.command(description=N_("What dice show, and the losses in one round"))
@app_commands.describe(
    matchup=N_("3 fighters:1 for what three dice show; 3 2 bombers:1 for one round"),
    private=PRIVATE,
)
@app_commands.autocomplete(matchup=suggest_for("dice"))
async def dice(interaction: Interaction, matchup: Matchup = "", private: bool | None = None) -> None:
    """Answer with the odds of dice alone."""
    await respond(interaction, request_from(interaction, "dice", {"matchup": matchup}, private))


@app_commands.command(description=N_("Axis & Allies: is a bombing raid on a factory worth it?"))
@app_commands.describe(matchup=N_("Bombers, and damage the factory can take: 5 bom vs 20"), private=PRIVATE)
@app_commands.autocomplete(matchup=suggest_for("bombing"))
async def bombing(interaction: Interaction, matchup: Matchup, private: bool | None = None) -> None:
    """Answer with the odds of a bombing raid."""
    await respond(interaction, request_from(interaction, "bombing", {"matchup": matchup}, private))


@app_commands.command(description=N_("Axis & Allies: the best casualty order for each side"))
@app_commands.describe(matchup=N_("Both sides: 3 inf 2 arm 2 fig vs 5 inf 1 aa"), private=PRIVATE)
@app_commands.autocomplete(matchup=suggest_for("order"))
async def order(interaction: Interaction, matchup: Matchup, private: bool | None = None) -> None:
    """Answer with the best orders of loss."""
    await respond(interaction, request_from(interaction, "order", {"matchup": matchup}, private))


@app_commands.command(description=N_("Axis & Allies: where to put your units against several attacks"))
@app_commands.describe(
    matchup=N_("Your units || attack on each territory, vs units already there: 8 inf || 4 inf vs 1 inf || 3 arm"),
    private=PRIVATE,
)
@app_commands.autocomplete(matchup=suggest_for("place"))
async def place(interaction: Interaction, matchup: Places, private: bool | None = None) -> None:
    """Answer where to place units."""
    await respond(interaction, request_from(interaction, "place", {"matchup": matchup}, private))


@app_commands.command(description=N_("Can I take these territories? The best plan, on the map"))
@app_commands.describe(matchup=N_("Where from, what, held by how many: 12 siam > australia: 3 2 1 1"), private=PRIVATE)
@app_commands.autocomplete(matchup=suggest_for("conquer"))
async def conquer(interaction: Interaction, matchup: Matchup, private: bool | None = None) -> None:
    """Answer with the best plan to take territories of a map."""
    await respond(interaction, request_from(interaction, "conquer", {"matchup": matchup}, private))


@app_commands.command(name="map", description=N_("The garrisons on your board, for /conquer: show or change them"))
@app_commands.describe(garrisons=N_("What has changed: indonesia 4, or australia: 3 2 1 1; leave empty to see all"))
@app_commands.autocomplete(garrisons=suggest_for("map", "garrisons"))
async def garrisons(interaction: Interaction, garrisons: Matchup = "") -> None:
    """Show the garrisons that are saved here, or change them, which everybody sees."""
    private = False if garrisons else None
    await respond(interaction, request_from(interaction, "map", {"garrisons": garrisons}, private))


@app_commands.command(description=N_("How lucky were the dice? For you, a player, a pair, or everyone here"))
@app_commands.describe(
    player=N_("Whose luck; leave empty for your own"),
    against=N_("Only battles between these two"),
    everybody=N_("All attackers here"),
    private=PRIVATE,
)
async def luck(
    interaction: Interaction,
    player: discord.User | None = None,
    against: discord.User | None = None,
    everybody: bool = False,
    private: bool | None = None,
) -> None:
    """Answer with the luck of a person, a pair, or everybody."""
    options = _person("player", player) | _person("against", against) | ({"everybody": "yes"} if everybody else {})
    await respond(interaction, request_from(interaction, "luck", options, private))


@app_commands.command(description=N_("Check that a battle's dice were fair"))
@app_commands.describe(battle=N_("Leave it out for the latest here"), private=PRIVATE)
@app_commands.autocomplete(battle=suggest_for("verify", "battle"))
async def verify(interaction: Interaction, battle: str = "", private: bool | None = None) -> None:
    """Check a battle."""
    await respond(interaction, request_from(interaction, "verify", {"battle": battle}, private))


@app_commands.command(description=N_("Server settings: default game, language, privacy, history"))
@app_commands.describe(
    game=N_("What plain numbers mean: classic, or a variant"),
    edition=N_("The default edition of Axis & Allies"),
    behind=N_("Numbers include the army that stays behind: then 12 9 is 11 against 9"),
    show=N_("Show text, pictures or both (live battles always have text)"),
    private=N_("Show answers only to the person who asked (not live battles)"),
    setup_role=N_("A role that can change everyone's presets"),
    no_setup_role=N_("Remove the preset role"),
    history=N_("Store finished battles for /history and /luck"),
    language=N_("The language of answers"),
    channel=N_("Change only this channel or forum, not the whole server"),
)
@app_commands.autocomplete(game=suggest_for("settings", "game"), edition=suggest_for("settings", "edition"))
@app_commands.choices(
    show=[app_commands.Choice(name=value, value=value) for value in ("both", "words", "pictures")],
    history=[app_commands.Choice(name=value, value=value) for value in ("on", "off")],
    language=[app_commands.Choice(name=own, value=code) for code, own in LANGUAGES.items()]
    + [app_commands.Choice(name="Same as Discord", value=AS_DISCORD)],
)
@app_commands.default_permissions(manage_guild=True)
async def settings(
    interaction: Interaction,
    game: str = "",
    edition: str = "",
    behind: bool | None = None,
    show: str = "",
    private: bool | None = None,
    setup_role: discord.Role | None = None,
    no_setup_role: bool = False,
    history: str = "",
    language: str = "",
    channel: bool = False,
) -> None:
    """Show or change the settings of a server or channel."""
    options = {"game": game, "edition": edition, "show": show, "history": history, "language": language}
    options |= {"behind": FLAGS[behind], "private": FLAGS[private], "channel": "yes" if channel else ""}
    options[ROLE] = NO_ROLE if no_setup_role else str(setup_role.id) if setup_role else ""
    await respond(interaction, request_from(interaction, "settings", options))


history = app_commands.Group(name="history", description=N_("Battles fought here: open, share and export them"))


@history.command(name="list", description=N_("The latest battles here"))
@app_commands.describe(player=N_("Only battles of this player"))
async def history_list(interaction: Interaction, player: discord.User | None = None) -> None:
    """List the latest battles."""
    await respond(interaction, request_from(interaction, "history list", _person("player", player)))


@history.command(name="open", description=N_("Look at a battle again; one that is not over goes on here"))
@app_commands.describe(battle=N_("Its name; leave it out for the latest"))
@app_commands.autocomplete(battle=suggest_for("history open", "battle"))
async def history_open(interaction: Interaction, battle: str = "") -> None:
    """Show a battle."""
    await respond(interaction, request_from(interaction, "history open", {"battle": battle}))


@history.command(name="share", description=N_("Show a battle to all"))
@app_commands.describe(battle=N_("Its name; leave it out for the latest"))
@app_commands.autocomplete(battle=suggest_for("history share", "battle"))
async def history_share(interaction: Interaction, battle: str = "") -> None:
    """Show a battle to everybody."""
    await respond(interaction, request_from(interaction, "history share", {"battle": battle}))


@history.command(name="export", description=N_("The log of a battle, as a file that anybody can check"))
@app_commands.describe(battle=N_("Its name; leave it out for the latest"))
@app_commands.autocomplete(battle=suggest_for("history export", "battle"))
async def history_export(interaction: Interaction, battle: str = "") -> None:
    """Send a battle as a file."""
    await respond(interaction, request_from(interaction, "history export", {"battle": battle}))


@history.command(name="end", description=N_("For moderators: end an unfinished battle"))
@app_commands.describe(battle=N_("Its name, as it stands under the battle"))
@app_commands.autocomplete(battle=suggest_for("history end", "battle"))
async def history_end(interaction: Interaction, battle: str) -> None:
    """End a battle."""
    await respond(interaction, request_from(interaction, "history end", {"battle": battle}))


@history.command(name="faces", description=N_("Every face of every die that ever fell here, counted"))
async def history_faces(interaction: Interaction) -> None:
    """Count the faces of all dice."""
    await respond(interaction, request_from(interaction, "history faces", {}, private=None))


@history.command(name="forget", description=N_("Take my name out of all battles and presets"))
async def history_forget(interaction: Interaction) -> None:
    """Remove the person's name from all battles and presets."""
    await respond(interaction, request_from(interaction, "history forget", {}))


preset = app_commands.Group(name="preset", description=N_("Presets: saved battles, used by name: /battle ukraine"))


@preset.command(name="save", description=N_("Save a battle under a name"))
@app_commands.describe(
    name=N_("One word, such as ukraine"), matchup=N_("Attackers, defenders, options: 12 9 bombers:2")
)
@app_commands.autocomplete(name=suggest_for("preset save", "name"), matchup=suggest_for("preset save"))
async def preset_save(interaction: Interaction, name: Name, matchup: Matchup) -> None:
    """Save a preset."""
    await respond(interaction, request_from(interaction, "preset save", {"name": name, "matchup": matchup}))


@preset.command(name="list", description=N_("All presets here"))
async def preset_list(interaction: Interaction) -> None:
    """List all presets."""
    await respond(interaction, request_from(interaction, "preset list", {}))


@preset.command(name="show", description=N_("A preset and its odds"))
@app_commands.describe(name=N_("Its name"))
@app_commands.autocomplete(name=suggest_for("preset show", "name"))
async def preset_show(interaction: Interaction, name: Name) -> None:
    """Show a preset."""
    await respond(interaction, request_from(interaction, "preset show", {"name": name}, private=None))


@preset.command(name="change", description=N_("Change the battle of a preset"))
@app_commands.describe(
    name=N_("Its name"), matchup=N_("The new battle; its name stands for the old one: ukraine stop:3")
)
@app_commands.autocomplete(name=suggest_for("preset change", "name"), matchup=suggest_for("preset change"))
async def preset_change(interaction: Interaction, name: Name, matchup: Matchup) -> None:
    """Give a preset another battle."""
    await respond(interaction, request_from(interaction, "preset change", {"name": name, "matchup": matchup}))


@preset.command(name="rename", description=N_("Rename a preset"))
@app_commands.describe(name=N_("Its name"), new=N_("Its new name, one word"))
@app_commands.autocomplete(name=suggest_for("preset rename", "name"))
async def preset_rename(interaction: Interaction, name: Name, new: Name) -> None:
    """Give a preset another name."""
    await respond(interaction, request_from(interaction, "preset rename", {"name": name, "new": new}))


@preset.command(name="note", description=N_("Add a note to a preset"))
@app_commands.describe(name=N_("Its name"), text=N_("The note; leave empty to remove it"))
@app_commands.autocomplete(name=suggest_for("preset note", "name"))
async def preset_note(interaction: Interaction, name: Name, text: Note = "") -> None:
    """Write a note beside a preset."""
    await respond(interaction, request_from(interaction, "preset note", {"name": name, "text": text}))


@preset.command(name="delete", description=N_("Delete a preset"))
@app_commands.describe(name=N_("Its name"))
@app_commands.autocomplete(name=suggest_for("preset delete", "name"))
async def preset_delete(interaction: Interaction, name: Name) -> None:
    """Delete a preset."""
    await respond(interaction, request_from(interaction, "preset delete", {"name": name}))


@preset.command(name="export", description=N_("All presets here, as one file"))
async def preset_export(interaction: Interaction) -> None:
    """Send all presets as a file."""
    await respond(interaction, request_from(interaction, "preset export", {}))


@preset.command(name="import", description=N_("Import presets from a file (preview first)"))
@app_commands.describe(file=N_("A file from /preset export"), replace=N_("Overwrite presets with the same name"))
async def preset_import(interaction: Interaction, file: discord.Attachment, replace: bool = False) -> None:
    """Show the effect of an import."""
    options = {"replace": "yes"} if replace else {}
    await respond(interaction, request_from(interaction, "preset import", options), file=file)


@app_commands.context_menu(name="Battle odds")
async def battle_odds(interaction: Interaction, message: discord.Message) -> None:
    """Answer with the odds of the battle in somebody's message."""
    # A forwarded message holds what it forwards, and no text of its own.
    text = "\n".join([message.content, *(snapshot.content for snapshot in message.message_snapshots)])
    text = re.sub(r"<[@#][!&]?\d+>", " ", text)
    await respond(interaction, request_from(interaction, "find", {"text": text}, message.flags.ephemeral or None))


def _person(option: str, user: discord.User | None) -> dict[str, str]:
    """Return a person as options: the id, the name, and whether it is a bot, which cannot press anything."""
    if user is None:
        return {}
    known = isinstance(user, discord.User | discord.Member)  # else Discord did not describe them
    name, is_bot = (bare_name(user.display_name), user.bot) if known else ("", False)
    return {option: str(user.id), f"{option}_name": name} | ({f"{option}_is_bot": "yes"} if is_bot else {})
