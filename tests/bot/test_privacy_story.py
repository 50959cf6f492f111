"""Privacy as a chat: what is kept, for how long, and how people have it deleted, in every language."""

import re
from dataclasses import replace

import pytest

from bot.commands.run import run
from bot.discord_app.client import Client
from bot.languages import LANGUAGES, speaking
from bot.replies import Reply
from bot.request import Request, Services
from tests.fake_discord import FakeDiscord

pytestmark = pytest.mark.usefixtures("quick_frames")


async def test_privacy_says_what_is_stored_how_long_and_how_to_delete(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("privacy")
    assert shown.private
    assert shown.content.splitlines() == [
        "**What I store, for how long, and how to delete it**",
        "**Battles** from `/roll`: ids and names of the players, and every roll. I delete a battle 730 days after "
        "its last roll.",
        "**Presets**: the battle, its name, its note, and who saved it. They stay until `/preset delete`.",
        "**Settings** of a server, or your own. They stay until someone changes them.",
        "I store other questions and who asked them only while I work on a long answer. "
        "My log files have no names or ids of people.",
        "",
        "`/history forget` removes your name and id from all battles and presets on all servers.",
        "It also deletes your own settings, and the battles and presets of your direct messages.",
        "With `/settings history:off`, no finished battle is kept here.",
        "If a server removes me, I delete everything stored for it 30 days later. If it adds me again before that, "
        "nothing is lost.",
        "I use all this to play, show and check battles, and for nothing else.",
        "The host of this bot may have more rules, for example about backups.",
    ]


async def test_privacy_shows_the_days_of_the_host_in_every_language(services: Services) -> None:
    for history, leaving in [(0, 30), (1, 1), (365, 2)]:
        for language in LANGUAGES:
            chosen = replace(services.settings, history_days=history, keep_after_leaving=leaving)
            ours = replace(services, settings=chosen)
            with speaking(language):
                reply = await run(Request("privacy", "1", "Alice", "guild:1", reader=language, here=language), ours)
            assert isinstance(reply, Reply)
            assert reply.private
            assert len(reply.text) < 2000
            assert re.findall(r"\d+", reply.text) == [str(days) for days in (history, leaving) if days]


async def test_privacy_shows_the_addresses_of_the_host_in_every_language(services: Services) -> None:
    site = "https://example.org"
    host = replace(services.settings, privacy_url=f"{site}/privacy", terms_url=f"{site}/terms", contact="@bo")
    ours = replace(services, settings=host)
    for language in LANGUAGES:
        with speaking(language):
            reply = await run(Request("privacy", "1", "Alice", "guild:1", reader=language, here=language), ours)
        assert isinstance(reply, Reply)
        *_others, policy, terms, contact = reply.text.splitlines()
        assert policy.endswith(": <https://example.org/privacy>")
        assert terms.endswith(": <https://example.org/terms>")
        assert contact.endswith(": @bo")


async def test_privacy_works_by_mention_and_is_in_the_help(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    told = (await alice.sends("privacy")).content
    assert (await alice.says("@bot /privacy")).content == told
    assert "`/privacy`" in (await alice.says("@bot help privacy")).content


async def test_an_erased_name_leaves_presets_without_an_author(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    boss = discord.member("Boss", manage_guild=True)
    for name in ("alamo", "rorke"):
        await alice.sends("preset save", name=name, matchup="12 9")
    assert "Alice" in (await bob.sends("preset list")).content
    told = await alice.sends("history forget")
    assert (told.private, told.content) == (
        True,
        "Your name was removed from 2 presets; they stay, and server managers can delete them.",
    )
    assert (await alice.sends("history forget")).content == "Your name isn't in any battle or preset."
    seen = [
        await bob.sends("preset list"),
        await bob.sends("preset show", name="alamo"),
        await bob.sends("preset delete", name="alamo"),
        await alice.sends("preset change", name="alamo", matchup="13 9"),
        await boss.sends("preset note", name="alamo", text="the last stand"),
    ]
    assert "Alice" not in "".join(shown.content for shown in seen)
    assert seen[2].content.startswith("`alamo` was saved by someone (`12 9`). Only they, a server manager")
    assert seen[3].content.startswith("`alamo` was saved by someone")
    assert "12 9" in (await bob.sends("battle", matchup="alamo")).content
    assert (await boss.sends("preset delete", name="alamo")).content == "Deleted `alamo`. It was `12 9`."
