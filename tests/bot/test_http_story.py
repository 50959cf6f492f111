"""What people see where the bot has no gateway: the same commands, over signed HTTP requests."""

import json
from collections.abc import AsyncIterator

import pytest

from bot.discord_app.http.client import HttpBot
from bot.request import Services
from tests.fake_discord import FakeDiscord, Upload
from tests.helpers.bot.http_bots import http_bot

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"


@pytest.fixture
async def bot(discord: FakeDiscord, services: Services, unannounced: None) -> AsyncIterator[HttpBot]:
    async with http_bot(discord, services) as opened:
        yield opened


async def test_a_command_is_answered_with_its_picture(discord: FakeDiscord, bot: HttpBot) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="12 9 bombers:2")
    assert shown.content.startswith("**Attacker wins 99.4%**")
    assert len(shown.files) == 1
    assert not discord.gateway.sessions
    assert not list(bot.guilds)


async def test_suggestions_come_in_the_http_answer(discord: FakeDiscord, bot: HttpBot) -> None:
    alice = discord.member("Alice")
    choices = await alice.types("battle", matchup="12 9 bo")
    assert any("bombers" in str(choice.value) for choice in choices)
    assert discord.requests_to(CALLBACK) == []


async def test_a_form_is_filled_in(discord: FakeDiscord, bot: HttpBot) -> None:
    alice = discord.member("Alice")
    form = await alice.opens(await alice.sends("battle", matchup="12 9"), "Save")
    saved = await alice.submits(form, {form.fields[0].label: "ukraine"})
    assert "ukraine" in saved.content
    assert "12 9" in (await alice.sends("battle", matchup="ukraine")).content


@pytest.mark.usefixtures("quick_frames")
async def test_a_live_battle_is_fought_to_its_end(discord: FakeDiscord, bot: HttpBot) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    first = shown = await alice.sends("roll", matchup="5 4", opponent=bob)
    assert first.pings == ("Bob",)
    while "Roll" in shown.labels:
        shown = await alice.presses(shown, "Roll")
        assert shown.id == first.id
    assert "Verify" in shown.labels
    log = await alice.sends("history export")
    (file,) = log.files
    assert json.loads(file.data)["seed"]


async def test_a_file_is_exported_and_imported(discord: FakeDiscord, bot: HttpBot) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="alamo", matchup="12 9")
    (file,) = (await alice.sends("preset export")).files
    await alice.sends("preset delete", name="alamo")
    preview = await alice.sends("preset import", file=Upload(file.name, file.data))
    await alice.presses(preview, preview.labels[0])
    assert "12 9" in (await alice.sends("preset show", name="alamo")).content


async def test_roles_and_rights_come_with_each_interaction(discord: FakeDiscord, bot: HttpBot) -> None:
    """Nobody else may change a preset but a manager, and whoever has the role that a manager has chosen."""
    role = discord.role("Generals")
    mona = discord.member("Mona", manage_guild=True)
    alice, bob, general = discord.member("Alice"), discord.member("Bob"), discord.member("Carl", roles=[role])
    await mona.sends("settings", setup_role=role)
    await alice.sends("preset save", name="alamo", matchup="12 9")
    await bob.sends("preset change", name="alamo", matchup="1 1")
    assert "12 9" in (await bob.sends("preset show", name="alamo")).content
    await general.sends("preset change", name="alamo", matchup="3 3")
    assert "3 3" in (await bob.sends("preset show", name="alamo")).content
    everyone = discord.guild.id
    shown = await mona.sends("settings")
    assert f"<@&{everyone}>" not in shown.content


async def test_the_menu_of_a_message_works(discord: FakeDiscord, bot: HttpBot) -> None:
    alice = discord.member("Alice")
    message = await alice.says("my 12 against his 9", reply=False)
    assert "12 9" in (await alice.uses("Battle odds", on=message)).content


async def test_people_ask_in_private_and_where_the_bot_is_not(discord: FakeDiscord, bot: HttpBot) -> None:
    for person in (discord.stranger("Dora"), discord.stranger("Emil", guild=True), discord.stranger("Fay", group=True)):
        assert "12 9" in (await person.sends("battle", matchup="12 9")).content
    assert (await discord.member("Alice").sends("battle", matchup="12 9", private=True)).private
