"""What Discord shows in a reader's language: descriptions of commands, suggestions, forms, and what is refused."""

from collections.abc import Iterator
from typing import Any

import discord as discord_py
import pytest

from bot import languages
from bot.discord_app.answers import OLD
from bot.discord_app.client import Client
from bot.discord_app.delivery import message_parts
from bot.discord_app.registering import Descriptions
from bot.languages import LANGUAGES, _, language_for_locale, speaking
from bot.replies import Reply
from bot.request import Services
from tests.catalogues import Strange, english_in
from tests.fake_discord import FakeDiscord
from tests.fake_discord.command_limits import command_problems

SYNC = "PUT /applications/{id}/commands"


@pytest.fixture
def strange(monkeypatch: pytest.MonkeyPatch) -> None:
    """German is a language in which every text looks strange, whatever the catalogue has."""
    real = languages._catalogue
    monkeypatch.setattr(languages, "_catalogue", lambda chosen: Strange() if chosen == "de" else real(chosen))


async def payload(client: Client) -> list[dict[str, Any]]:
    """The commands as they are sent to Discord."""
    said = Descriptions()
    return [await command.get_translated_payload(client.tree, said) for command in client.tree.get_commands()]


def parts(thing: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command, its subcommands, and all their options and choices."""
    yield thing
    for part in (*thing.get("options", ()), *(thing.get("choices") or ())):
        yield from parts(part)


async def test_descriptions_keep_discords_limits_in_every_language(services: Services) -> None:
    assert command_problems(await payload(Client(services))) == []


async def test_descriptions_are_translated_and_names_are_not(services: Services, strange: None) -> None:
    every = [part for command in await payload(Client(services)) for part in parts(command)]
    german, english = discord_py.Locale.german.value, {discord_py.Locale.american_english.value, "en-GB"}
    assert all(not part.get("name_localizations") for part in every)
    described = [part for part in every if part.get("description")]
    assert len(described) >= 50
    for part in described:
        said = part.get("description_localizations", {})
        assert german in said, part["description"]
        assert not english & set(said)
        assert not english_in(said[german])


async def test_every_language_has_a_locale_of_discords() -> None:
    assert {language_for_locale(locale.value) for locale in discord_py.Locale} == set(LANGUAGES)


async def test_new_translations_are_sent(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with discord.running(Client(services)):
        pass
    assert len(discord.requests_to(SYNC)) == 1
    monkeypatch.setattr(languages, "_catalogue", lambda _chosen: Strange())
    async with discord.running(Client(services)):
        pass
    assert len(discord.requests_to(SYNC)) == 2


async def test_forms_are_in_the_readers_language(discord: FakeDiscord, bot: Client, strange: None) -> None:
    hans = discord.member("Hans", locale="de")
    form = await hans.opens(await hans.sends("battle", matchup="12 9"), "b2:save")
    assert not english_in(form.title)


async def test_a_message_is_answered_in_the_language_of_the_server(
    discord: FakeDiscord, bot: Client, strange: None
) -> None:
    anna = discord.member("Anna", guild=discord.add_guild("Zuhause", locale="de"))
    told = await anna.says("@bot preset export")
    assert "`/preset export`" in told.content
    assert not english_in(told.content)


async def test_direct_messages_are_answered_in_the_last_commands_language(
    discord: FakeDiscord, bot: Client, strange: None
) -> None:
    hans = discord.stranger("Hans", locale="de")
    assert english_in((await hans.says("preset list")).content), "nobody has told it yet"
    page = await hans.sends("settings")
    assert not english_in((await hans.says("preset list")).content)
    assert not english_in((await hans.says("12 9 12")).content)
    with speaking("de"):
        assert _("Games") in page.labels
    hans.user.locale = "en-US"
    await hans.sends("settings")
    assert english_in((await hans.says("preset list")).content)


async def test_private_answers_are_in_the_readers_language(
    discord: FakeDiscord, bot: Client, strange: None, quick_frames: None
) -> None:
    alice, hans = discord.member("Alice"), discord.member("Hans", locale="de")
    told = await hans.presses(await alice.says("@bot 12 9 bomers:2"), "Help")
    assert told.private
    assert not english_in(told.content.partition("\n")[0])
    home = await alice.says("@bot")
    turned = await hans.presses(home, "Risk")
    assert (turned.id, turned.private) == (home.id, False)
    assert turned.content.startswith("**Risk**: attackers first, then defenders."), "all see it"
    for wrong, right in (("luk", "luck"), ("hstory list", "history list"), ("presets list", "preset list")):
        answer = await hans.presses(await alice.says(f"@bot /{wrong}"), f"/{right}")
        assert answer.private
        assert not set(english_in(answer.content)) - {"Hans"}
    shown = await hans.sends("roll", matchup="2 1")
    assert "Roll" in [button.label for button in shown.buttons]
    await hans.presses(shown, "Roll to the end")
    again = await hans.sends("history open")
    assert again.private
    assert not set(english_in(again.content)) - {"Hans"}


async def test_refusals_are_in_the_readers_language(discord: FakeDiscord, bot: Client, strange: None) -> None:
    hans = discord.member("Hans", locale="de")
    shown = await hans.presses(discord.old_message("12 against 9: 79%\n`12 9`", {"Swap": "b0:swap"}), "Swap")
    with speaking("de"):
        assert shown.content == _(OLD)
    bot.leaving = True
    assert not english_in((await hans.sends("battle", matchup="12 9")).content)


def test_a_long_table_fits_in_every_language(strange: None) -> None:
    reply = Reply("text", table=tuple(f"row {number}" for number in range(3000)))
    for code in LANGUAGES:
        with speaking(code):
            content = message_parts(reply)["content"]
        assert len(content) <= 2000
        assert content.endswith("row 2999\n```")
