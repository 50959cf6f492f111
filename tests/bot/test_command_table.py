"""The table of commands: Discord, typed lines and buttons agree with it."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands

from bot.commands.command import Command, Option
from bot.commands.table import COMMANDS
from bot.commands.typed import command_in
from bot.discord_app.client import Client
from bot.discord_app.tree import texts
from bot.errors import UserError
from bot.games.base import Reading, Rooms
from bot.games.dice.room import ROOM as DICE
from bot.games.live import LACKS
from bot.replies import LINELESS
from bot.request import Request
from bot.rooms import ROOMS
from solver import Battle
from tests.fake_discord import FakeDiscord
from tests.helpers.cases import each

TYPED = [command for command in COMMANDS.values() if command.typed is not None]


def test_discord_has_the_slash_commands_of_the_table(bot: Client) -> None:
    """Names and options, in their order, are those of the table; values are suggested for the same options."""
    there = {
        command.qualified_name: [(option.name, option.autocomplete) for option in command.parameters]
        for command in bot.tree.walk_commands()
        if isinstance(command, app_commands.Command)
    }
    assert there == {
        command.name: [(option.name, option.name in command.suggests) for option in command.options]
        for command in COMMANDS.values()
        if command.about
    }


async def test_a_letter_typed_into_each_option_that_suggests(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Discord gets an answer, also for a command that was made as the page says, without examples of its own."""
    alice = discord.member("Alice", manage_guild=True)
    for command in COMMANDS.values():
        for option in command.suggests:
            for letter in "a1":
                typed: dict[str, Any] = {option: letter}
                await alice.types(command.name, **typed)
    new = replace(COMMANDS["need"], name="odds against")
    for letter in "a1":
        assert await new.suggests["matchup"](Request(new.name, "1", "Alice", "guild:1"), bot.services) == []
        request = Request(new.name, "1", "Alice", "guild:1", {"matchup": letter})
        assert all(one.line for one in await new.suggests["matchup"](request, bot.services))
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_option_values_reach_the_request() -> None:
    """A flag only if it is set, a yes or no in both cases, a role as its id."""
    role = SimpleNamespace(id=5)
    values = {"flag": (True, False, None), "yes or no": (True, False, None), "role": (role, None), "text": ("x", "")}
    options = [
        [texts(Option("o", "", kind), value).get("o") for value in of]  # type: ignore[arg-type]
        for kind, of in values.items()
    ]
    assert options == [["yes", None, None], ["yes", "no", None], ["5", None], ["x", ""]]


@each(TYPED)
def test_a_typed_line_names_its_command(command: Command) -> None:
    assert command.typed is not None
    values = {option: f"w{number}" for number, option in enumerate(command.typed)}
    assert command_in(" ".join([f"/{command.name}", *values.values()])) == (command.name, values)


def test_commands_of_one_game_are_in_the_table() -> None:
    """Each game has its own, and no two games have the same."""
    own = [name for room in ROOMS for name in room.commands]
    assert len(own) == len(set(own))
    assert set(own) <= set(COMMANDS)


def test_forms_and_frames_are_no_slash_commands() -> None:
    for command in COMMANDS.values():
        assert not (command.asks_form and (command.edits or command.live or command.about))
        assert command.edits or not command.live


def test_buttons_of_the_help_need_no_line() -> None:
    needless = {command.name for command in COMMANDS.values() if command.press_needs == "nothing"}
    assert {name for name in LINELESS if name in COMMANDS} <= needless


async def test_a_game_without_an_answer_refuses_in_one_sentence() -> None:
    """Its own sentence goes first, then that of the command, then the one for all games."""
    bare = replace(DICE, answers={}, changes={}, refusals={"table": "No table."})
    rooms, battle = Rooms((bare,)), Battle(3, 2)
    told = []
    for command, refusal in (("need", ""), ("order", "No order."), ("table", "No order.")):
        with pytest.raises(UserError) as refused:
            await rooms.answer(command, Reading(battle), None, None, refusal)
        told.append(refused.value.text)
    assert told == [LACKS, "No order.", "No table."]
    with pytest.raises(UserError, match=LACKS):
        rooms.change("swap", battle)
