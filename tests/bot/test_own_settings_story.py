"""The settings that people choose for themselves, as a chat: they count for their own answers, wherever they ask."""

from pathlib import Path
from typing import Any

import pytest

from bot.commands.run import run
from bot.discord_app import answers
from bot.discord_app.client import Client
from bot.errors import UserError
from bot.place_settings import SETTINGS, PlaceSettings
from bot.replies import Reply
from bot.request import Request, Services
from bot.setting_kinds import CHANNEL, MINE, Where
from bot.store.database import open_store
from bot.store.records import personal_place
from tests.fake_discord import FakeDiscord, Person
from tests.helpers.bot.answers import line_of

OWN = ["show", "private", "language", "pings"]
"""The settings that a person has of their own."""


async def chooses(person: Person, **chosen: Any) -> None:
    page = await person.sends("settings", mine=True, **chosen)
    assert page.content.count("👤") == 1 + len(chosen)


# Private by default ----------------------------------------------------------------------------------------


async def test_only_me_makes_answers_private(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    await chooses(alice, private=True)
    plan = await alice.sends("battle", matchup="12 9")
    assert plan.private
    assert (await alice.presses(plan, "+1 attacker")).private
    assert (await alice.sends("compare", matchup="12 9 || stop:4")).private
    assert (await alice.sends("luck")).private
    assert bob.sees == [], "an opponent reads no plan"
    assert not (await alice.sends("battle", matchup="12 9", private=False)).private
    assert not (await bob.sends("battle", matchup="12 9")).private


async def test_a_slow_answer_only_for_me_is_announced_in_private(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    await chooses(alice, private=True)
    monkeypatch.setattr(answers, "PATIENCE", 0)
    shared = await discord.member("Bob").sends("battle", matchup="12 9")
    assert (await alice.sends("battle", matchup="12 9")).private
    assert (await alice.presses(shared, "+1 attacker")).private
    assert [line_of(message) for message in discord.channel_messages if not message.private] == ["12 9"]


async def test_only_me_answers_presses_under_public_answers_in_private(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    await chooses(alice, private=True)
    shared = await bob.sends("battle", matchup="12 9")
    own = await alice.presses(shared, "+1 attacker")
    assert (own.private, line_of(own)) == (True, "13 9")
    again = await alice.presses(own, "+1 attacker")
    assert (again.id, line_of(again)) == (own.id, "14 9")
    typed = await alice.submits(await alice.opens(shared, "Edit"), {"matchup": "30 20"})
    assert (typed.private, line_of(typed)) == (True, "30 20")
    assert [line_of(message) for message in bob.sees] == ["12 9"]
    assert line_of(await bob.presses(shared, "+1 attacker")) == "13 9"
    assert [line_of(message) for message in bob.sees] == ["13 9"]


async def test_live_battles_stay_public_for_only_me(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    await chooses(alice, private=True, show="words", language="de")
    rolled = await alice.sends("roll", matchup="12 9", opponent=bob)
    rolled = await alice.presses(rolled, "Roll")
    assert not rolled.private
    assert rolled.files, "the picture is for both players"
    assert rolled.labels[0] == "Roll", "and so is the language"
    refused = await bob.presses(rolled, "Retreat")
    assert refused.private
    assert "attacker" in refused.content
    shown = await bob.sends("history open", battle=rolled.content.split("battle `")[1][:8])
    assert not shown.private


async def test_a_public_choice_goes_over_a_private_server(discord: FakeDiscord, bot: Client) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    await boss.sends("settings", private=True)
    assert (await alice.sends("battle", matchup="12 9")).private
    await chooses(alice, private=False)
    assert not (await alice.sends("battle", matchup="12 9")).private


async def test_only_me_changes_nothing_in_direct_messages(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    await chooses(carl, private=True)
    answer = await carl.sends("battle", matchup="12 9")
    assert not answer.private, "nobody else is there, and a private answer is gone when the app is closed"
    assert (await carl.presses(answer, "+1 attacker")).id == answer.id


async def test_only_me_counts_where_only_the_person_has_the_bot(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl", guild=True)
    assert not (await carl.sends("battle", matchup="12 9")).private
    await chooses(carl, private=True)
    assert (await carl.sends("battle", matchup="12 9")).private


# Pictures and language -------------------------------------------------------------------------------------


async def test_words_instead_of_pictures_are_a_choice_of_the_person(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    await chooses(alice, show="words")
    assert (await alice.sends("battle", matchup="12 9")).files == ()
    assert (await alice.says("@bot 12 9")).files == ()
    assert (await bob.sends("battle", matchup="12 9")).files


async def test_public_answers_are_in_the_language_of_who_asks(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, carla = discord.member("Alice"), discord.member("Bob"), discord.member("Carla", locale="es-ES")
    await chooses(alice, language="de")
    for answer in (
        await alice.sends("battle", matchup="12 9"),
        await alice.sends("battle", matchup="12 9", private=True),
        await alice.says("@bot 12 9"),
    ):
        assert "Angreifer" in answer.content
    assert "attacker" in (await bob.sends("battle", matchup="12 9")).content
    assert "attacker" in (await carla.sends("battle", matchup="12 9")).content
    page = await carla.sends("settings", mine=True, language="discord")
    assert "**Idioma: el de tu aplicación de Discord**, también en las respuestas que ven todos." in page.content
    assert "atacante" in (await carla.sends("battle", matchup="12 9")).content, "as the app"


# The page, the form and the typed line ---------------------------------------------------------------------


async def test_everyone_has_a_page_of_their_own_settings(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    page = await alice.presses(await alice.sends("settings"), "My own settings")
    assert page.private
    assert page.labels == ["Answers", "As usual here", "All settings"]
    assert page.button("As usual here").disabled
    assert "👤" not in page.content.partition("\n")[2]
    form = await alice.opens(page, "Answers")
    assert form.title == "Answers to you"
    assert [field.custom_id for field in form.fields] == OWN
    page = await alice.submits(form, {"show": "words", "private": "yes"})
    assert page.content.startswith("**Changed:** `show:default` → `show:words`, `private:default` → `private:yes`\n")
    assert "**Answers are text only**, without a picture. 👤 Without your choice: `show:both`." in page.content
    assert page.content.count("👤") == 3
    assert "👤" not in (await bob.sends("settings", mine=True)).content.partition("\n")[2]
    assert "show:both" not in (await alice.presses(page, "All settings")).content
    assert (await stored_of(bot, alice)) == {"show": "words", "private": "yes"}
    page = await alice.presses(await alice.sends("settings", mine=True), "As usual here")
    assert "`private:yes` → `private:default`" in page.content
    assert (await stored_of(bot, alice)) == {}


async def stored_of(bot: Client, person: Person) -> dict[str, str]:
    """What the database has of a person's own settings."""
    return await bot.services.store.settings(personal_place(str(person.id)))


async def test_own_settings_are_typed_in_one_line(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    page = await alice.says("@bot settings mine show:words, private yes")
    assert page.content.startswith("**Changed:**")
    page = await alice.says("@bot settings mine show:default")
    assert "`show:words` → `show:default`" in page.content
    assert (await stored_of(bot, alice)) == {"private": "yes"}
    for wrong in ("game:2210", "setup_role:none", "open yes"):
        refused = await alice.says(f"@bot settings mine {wrong}")
        assert (
            refused.content
            == "With `mine` people choose `show`, `private`, `language`, `pings` for themselves, and nothing else."
        )
    await alice.says("@bot settings mine default")
    assert (await stored_of(bot, alice)) == {}


async def test_own_settings_go_over_those_of_direct_messages(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    await carl.sends("settings", language="de", show="words")
    page = await carl.sends("settings", mine=True, language="es")
    assert "👤 Sin tu elección: `language:de`." in page.content
    answer = await carl.sends("battle", matchup="12 9")
    assert "atacante" in answer.content
    assert answer.files == ()
    assert (await carl.presses(page, "Todos los ajustes")).labels[-1] == "Mis propios ajustes"


async def test_a_terminal_has_no_settings_beside_its_own(services: Services) -> None:
    reply = await run(Request("settings", "you", "You", "terminal", options={"setting": "mine show:words"}), services)
    assert isinstance(reply, Reply)
    assert reply.text == "In a terminal all settings are your own; leave out `mine`."


def test_a_person_has_their_settings_of_the_rows_that_say_so() -> None:
    assert [name for name, setting in SETTINGS.items() if setting.exists(Where("guild:1", scope=MINE))] == OWN
    assert [name for name, setting in SETTINGS.items() if setting.exists(Where("guild:1", scope=CHANNEL))] == [
        name for name, setting in SETTINGS.items() if not (setting.servers_only or setting.only_personal)
    ]
    there = PlaceSettings.of({"show": "pictures", "private": "yes"})._replace(mine={"private": "no"})
    assert there.for_person()[:5] == PlaceSettings.of({"show": "pictures"})[:5]


# Privacy ---------------------------------------------------------------------------------------------------


async def test_own_settings_are_shown_and_deleted_with_what_is_stored_of_a_person(
    discord: FakeDiscord, bot: Client
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    await chooses(alice, private=True, language="es")
    await chooses(bob, show="words")
    told = (await bob.sends("privacy")).content
    assert "\nYour own settings for everywhere are `/settings mine:True show:words`.\n" in told
    assert "mine:True" not in (await bob.says("@bot privacy")).content, "everyone reads along"
    assert (await alice.sends("history forget")).content == "Se borraron tus propios ajustes."
    assert await stored_of(bot, alice) == {}
    assert not (await alice.sends("battle", matchup="12 9")).private
    assert "attacker" in (await alice.sends("battle", matchup="12 9")).content
    assert await stored_of(bot, bob) == {"show": "words"}


async def test_erasing_a_person_deletes_their_own_settings_alone(where: Path | str) -> None:
    async with open_store(where) as store:
        for user in ("1", "11", "2"):
            await store.set_settings(personal_place(user), {"private": "yes"})
        assert (await store.cleaning.erase("1")).own_settings == 1
        assert [await store.settings(personal_place(user)) for user in ("1", "11", "2")] == [
            {},
            {"private": "yes"},
            {"private": "yes"},
        ]


async def test_answers_are_private_while_own_settings_cannot_be_read(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    await chooses(alice, private=True)
    await bob.sends("battle", matchup="12 9")

    async def away(*place: str) -> dict[str, str]:
        raise UserError("The database cannot be reached just now.")

    monkeypatch.setattr(bot.services.store, "settings_with_own", away)
    assert (await alice.sends("battle", matchup="12 9")).private
    assert not (await bob.sends("battle", matchup="12 9")).private
