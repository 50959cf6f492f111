"""The settings of a channel or forum as a chat: they go over those of the server, setting by setting."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import request
from bot.commands.run import run
from bot.commands.typed_settings import parse_settings, split_scope
from bot.discord_app import catching_up
from bot.discord_app.catching_up import CatchingUp
from bot.discord_app.client import Client
from bot.discord_app.frames import Frames
from bot.errors import UserError
from bot.place_settings import PlaceSettings
from bot.replies import Form, Reply
from bot.request import UNKNOWN, Request, Services
from bot.rooms import ROOMS
from bot.setting_kinds import CHANNEL, MINE
from bot.store.database import open_store
from tests.fake_discord import Channel, FakeDiscord, ImpossibleError, Person, Shown
from tests.fake_discord.world import MANAGE_GUILD
from tests.helpers.bot.answers import line_of, small_print
from tests.helpers.bot.live_battles import under
from tests.helpers.bot.setups import setup
from tests.helpers.bot.storm import idle
from tests.helpers.cases import each
from tests.helpers.program import LONGEST

PAGES = ["Games", "Answers", "Records"]
NO_RIGHT = "You need the Manage Server permission to change these settings. `mine:True` changes your own."


def boss_of(discord: FakeDiscord, channel: Channel | None = None) -> Person:
    """Who may change the settings, in the first channel or another one."""
    boss = discord.member("Boss", manage_guild=True)
    return boss.moves(channel) if channel else boss


def owner_of(discord: FakeDiscord, channel: Channel | None = None) -> Person:
    """Who may change them in a message too, which says nothing of rights."""
    return Person(discord, discord.world.owner, channel or discord.guild.channel)


async def line_in(person: Person, channel: Channel, matchup: str = "12 9") -> str:
    """The line under an answer in a channel."""
    return line_of(await person.moves(channel).sends("battle", matchup=matchup))


def own_lines(page: Shown) -> list[str]:
    """The settings that a page marks as the channel's own."""
    return [line for line in page.content.splitlines() if "📍" in line and "**The buttons" not in line]


# Two groups, one server ------------------------------------------------------------------------------------


async def test_a_channel_takes_other_settings_from_its_server(discord: FakeDiscord, bot: Client) -> None:
    risk, alice = discord.add_channel("risk"), discord.member("Alice")
    boss = boss_of(discord, risk)
    await boss.sends("settings", game="2210", channel=True)
    await boss.sends("settings", game="starwars", behind=True)
    assert await line_in(alice, risk) == "11 9 variant:2210 behind:0"
    assert "Star Wars Risk" in (await alice.sends("battle", matchup="12 9")).content
    await boss.sends("settings", behind=False, channel=True)
    assert await line_in(alice, risk) == "12 9 variant:2210"


async def test_every_way_to_ask_goes_by_the_channel(discord: FakeDiscord, bot: Client) -> None:
    risk = discord.add_channel("risk")
    boss, alice = boss_of(discord, risk), discord.member("Alice").moves(risk)
    copied = await alice.says("12 9", reply=False)
    await alice.sends("preset save", name="alamo", matchup="12 9")
    await boss.sends("settings", game="2210", edition="1940", channel=True)
    assert line_of(await alice.sends("roll", matchup="3 2")) == "3 2 variant:2210"
    assert line_of(await alice.says("@bot 12 9")) == "12 9 variant:2210"
    assert line_of(await alice.uses("Battle odds", copied)) == "12 9 variant:2210"
    assert line_of(await alice.says("@bot my 12 against his 9")) == "12 9 variant:2210"
    assert (await alice.types("battle", matchup="12 9"))[0].name.endswith("12 9 variant:2210")
    assert (await alice.types("bombing", matchup="5 bom vs 20"))[0].value == "5 bom vs 20 variant:1940"
    assert line_of(await alice.sends("battle", matchup="alamo")) == "12 9 variant:classic"
    assert "; the default is 1940" in (await alice.sends("help", topic="axis")).content
    assert "3 2 variant:2210" in (await alice.sends("history list")).content
    assert "`12 9 variant:2210`" in (await alice.sends("battle", matchup="12 9 variant:2210")).content


async def test_older_answers_keep_their_line_after_a_channel_setting(discord: FakeDiscord, bot: Client) -> None:
    risk = discord.add_channel("risk")
    boss, alice = boss_of(discord, risk), discord.member("Alice").moves(risk)
    before = await alice.sends("battle", matchup="12 9")
    await boss.sends("settings", game="2210", behind=True, channel=True)
    form = await alice.opens(before, "Edit")
    assert form.field("matchup").value == "12 9 variant:classic behind:0"
    own = await alice.sends("battle", matchup="12 9")
    assert line_of(await alice.presses(before, "+1 attacker")) == "13 9 variant:classic behind:0"
    assert line_of(await alice.submits(form, {"matchup": "12 9"})) == "11 9 variant:2210 behind:0"
    await owner_of(discord, risk).says("@bot settings channel default")
    assert line_of(own) == "11 9 variant:2210 behind:0"
    assert line_of(await alice.presses(own, "+1 attacker")) == "12 9 variant:2210"
    assert line_of(await alice.submits(form, {})) == "12 9"


async def test_a_channel_chooses_private_answers_and_language(discord: FakeDiscord, bot: Client) -> None:
    risk, alice = discord.add_channel("risk"), discord.member("Alice")
    boss = boss_of(discord, risk)
    await boss.sends("settings", private=True, language="de", channel=True)
    assert (await alice.moves(risk).sends("battle", matchup="12 9")).private
    shown = await alice.moves(risk).sends("battle", matchup="12 9", private=False)
    assert shown.content.startswith("**Angreifer gewinnt: ")
    assert (await alice.moves(risk).says("@bot 12 9")).content.startswith("**Angreifer gewinnt: ")
    elsewhere = await alice.sends("battle", matchup="12 9")
    assert not elsewhere.private
    assert elsewhere.content.startswith("**Attacker wins ")
    await boss.sends("settings", language="es")
    await boss.sends("settings", language="Same as Discord", channel=True)
    assert (await alice.moves(risk).says("@bot 12 9")).content.startswith("**Attacker wins ")


# Threads and forums ----------------------------------------------------------------------------------------


async def test_a_thread_has_the_settings_of_its_channel(discord: FakeDiscord, bot: Client) -> None:
    risk, alice = discord.add_channel("risk"), discord.member("Alice")
    thread = discord.add_thread(risk, "the evening")
    page = await boss_of(discord, thread).sends("settings", game="2210", channel=True)
    changed, about = page.content.splitlines()[:2]
    assert changed == "**Changed:** `game:default` → `game:2210`"
    assert about.startswith(f"**The buttons change only {risk.mention}**; anything without 📍 comes from the ")
    for place in (risk, thread, discord.add_thread(risk, "the morning")):
        assert await line_in(alice, place) == "12 9 variant:2210"
        assert line_of(await alice.moves(place).says("@bot 12 9")) == "12 9 variant:2210"
    assert await line_in(alice, discord.add_thread(discord.guild.channel, "chat")) == "12 9"


async def test_a_post_has_the_settings_of_its_forum(discord: FakeDiscord, bot: Client) -> None:
    forum, alice = discord.add_channel("campaigns", forum=True), discord.member("Alice")
    posts = [discord.add_thread(forum, name) for name in ("first", "second")]
    await owner_of(discord, posts[0]).says("@bot settings channel game:2210")
    for post in posts:
        assert await line_in(alice, post) == "12 9 variant:2210"
        assert line_of(await alice.moves(post).says("@bot 12 9")) == "12 9 variant:2210"
    assert await line_in(alice, discord.guild.channel) == "12 9"


async def test_the_channel_of_an_unknown_thread_is_looked_up(discord: FakeDiscord, bot: Client) -> None:
    risk, alice = discord.add_channel("risk"), discord.member("Alice")
    await boss_of(discord, risk).sends("settings", game="2210", channel=True)
    old = discord.add_thread(risk, "last year", told=False)
    assert line_of(await alice.moves(old).says("@bot 12 9")) == "12 9 variant:2210"
    assert await line_in(alice, old) == "12 9 variant:2210"
    discord.fail_next("GET /channels/{id}", status=404)
    assert line_of(await alice.moves(old).says("@bot 12 9")) == "12 9", "the server's, where nobody knows better"


# The page and its forms ------------------------------------------------------------------------------------


async def test_the_page_says_what_it_changes_and_what_is_the_channels_own(discord: FakeDiscord, bot: Client) -> None:
    risk = discord.add_channel("risk")
    boss = boss_of(discord, risk)
    page = await boss.sends("settings")
    first = page.content.splitlines()[0]
    assert first == f"**The buttons change the whole server**; {risk.mention} has no settings of its own."
    page = await boss.presses(page, "Change for this channel")
    assert page.content.startswith(f"**The buttons change only {risk.mention}**; anything without 📍 comes from the ")
    assert page.labels == [
        "Games",
        "Answers",
        "Records",
        "Change for the server",
        "As in the server",
        "My own settings",
    ]
    assert page.button("As in the server").disabled
    page = await boss.submits(await boss.opens(page, "Games"), {"game": "2210"})
    assert own_lines(page) == [
        "**Plain numbers like `12 9` mean 2210, commanders 1 v 1.** Ships, icon dice or `variant:` in a line mean "
        "another game. 📍 Only here; the server has `game:classic`."
    ]
    page = await boss.presses(page, "Change for the server")
    first = page.content.splitlines()[0]
    assert first == f"**The buttons change the whole server**; 📍 marks what only {risk.mention} has."
    assert len(own_lines(page)) == 1, "it shows what counts here, whatever it changes"
    assert page.labels == [*PAGES, "Change for this channel", "My own settings"]
    page = await boss.submits(await boss.opens(page, "Games"), {"game": "starwars"})
    assert own_lines(page)[0].endswith("📍 Only here; the server has `game:starwars`.")
    page = await boss.presses(await boss.presses(page, "Change for this channel"), "As in the server")
    assert page.content.startswith("**Changed:** `game:2210` → `game:default`\n")
    assert own_lines(page) == []
    assert "mean Star Wars Risk" in page.content
    assert page.button("As in the server").disabled
    assert "mean Star Wars Risk" in (await boss.moves(discord.guild.channel).sends("settings")).content


async def test_a_form_has_the_settings_that_it_changes(discord: FakeDiscord, bot: Client) -> None:
    risk = discord.add_channel("risk")
    boss = boss_of(discord, risk)
    await boss.sends("settings", game="2210", behind=True)
    page = await boss.sends("settings", game="d10-attack", channel=True)
    form = await boss.opens(page, "Games")
    assert form.title == "Games in this channel"
    assert {one.custom_id: one.value for one in form.fields} == {
        "game": "d10-attack",
        "edition": "default",
        "behind": "default",
    }
    assert form.field("behind").options["As in the server"] == "default"
    assert len(form.field("game").options) == 25
    servers = await boss.opens(await boss.sends("settings"), "Games")
    assert servers.title == "Games"
    assert [one.value for one in servers.fields] == ["2210", "1942", "yes"], "not what the channel has over them"
    place = f"guild:{discord.guild.id}"
    await boss.submits(form, {"behind": "no", "game": "default"})
    assert (await bot.services.store.settings_with_own(place, str(risk.id)))[:2] == (
        {"game": "2210", "behind": "yes"},
        {"behind": "no"},
    )
    await boss.submits(servers, {"game": "classic"})
    assert (await bot.services.store.settings_with_own(place, str(risk.id)))[:2] == (
        {"game": "classic", "behind": "yes"},
        {"behind": "no"},
    )


async def test_presets_and_their_role_belong_to_the_server(discord: FakeDiscord, bot: Client) -> None:
    boss, role = boss_of(discord), discord.role("Generals")
    told = await boss.sends("settings", setup_role=role, channel=True)
    assert told.content == "Presets belong to the whole server, so a channel has no `setup_role` of its own."
    assert (await owner_of(discord).says("@bot settings channel no_setup_role:true")).content == told.content
    page = await boss.presses(await boss.sends("settings"), "Change for this channel")
    assert [one.custom_id for one in (await boss.opens(page, "Records")).fields] == ["history", "open", "wait"]


async def test_only_those_who_manage_the_server_change_a_channel(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = boss_of(discord), discord.member("Alice")
    mine = await alice.says("@bot settings channel")
    assert [button.label for button in mine.buttons if not button.disabled] == ["My own settings"]
    assert len(mine.buttons) == 6
    with pytest.raises(ImpossibleError):
        await alice.presses(mine, "Change for the server")
    for typed in ("channel game:2210", "channel default", "game:2210 channel:yes"):
        assert (await alice.says(f"@bot settings {typed}")).content == NO_RIGHT
    page = await boss.sends("settings", game="2210", channel=True)
    server = await boss.sends("settings")
    form = await boss.opens(page, "Games")
    boss.user.permissions = 0
    assert (await boss.presses(page, "Games")).content == NO_RIGHT
    assert (await boss.presses(page, "As in the server")).content == NO_RIGHT
    shown = await boss.presses(page, "Change for the server")
    assert [button.label for button in shown.buttons if not button.disabled] == ["My own settings"]
    assert (await boss.presses(server, "Change for this channel")).content == NO_RIGHT
    assert (await boss.submits(form, {"game": "starwars"})).content == NO_RIGHT
    assert await line_in(alice, discord.guild.channel) == "12 9 variant:2210"


async def test_direct_messages_have_no_channel_settings(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    page = await carl.sends("settings")
    assert page.labels == [*PAGES, "My own settings"]
    refused = "Only channels of a server have settings of their own."
    assert (await carl.sends("settings", channel=True)).content == refused
    assert (await carl.sends("settings", game="2210", channel=True)).content == refused
    assert (await carl.says("settings channel default")).content == refused
    abroad = discord.stranger("Dora", guild=True)
    abroad.user.permissions |= MANAGE_GUILD
    assert (await abroad.sends("settings", game="2210", channel=True)).content == refused
    assert line_of(await abroad.sends("battle", matchup="12 9")) == "12 9"


@each(
    [
        ("channel", "", CHANNEL),
        ("channel game:2210", "game:2210", CHANNEL),
        ("Channel:True game:2210", "game:2210", CHANNEL),
        ("game 2210, channel = yes", "game 2210,", CHANNEL),
        ("game:2210 channel", "game:2210", CHANNEL),
        ("channel default", "default", CHANNEL),
        ("game:2210", "game:2210", ""),
        ("channels game:2210", "channels game:2210", ""),
        ("channel:no game:2210", "channel:no game:2210", ""),
        ("mine", "", MINE),
        ("private:yes, Mine:True", "private:yes,", MINE),
        ("mine default", "default", MINE),
        ("mine channel show:words", "show:words", MINE),
        ("mines show:words", "mines show:words", ""),
    ]
)
def test_the_words_channel_and_mine_say_whose_settings_a_line_is_about(typed: str, rest: str, scope: str) -> None:
    assert split_scope(typed) == (rest, scope)


def test_the_word_default_resets_a_channel_to_its_server() -> None:
    request = Request("settings", "7", "Boss", "guild:1", settings_channel="5")
    line = "game:default language: history on"
    assert parse_settings(line, request, scope=CHANNEL) == {"game": None, "language": "", "history": "on"}
    assert parse_settings(line, request) == {"game": "classic", "language": "", "history": "on"}
    with pytest.raises(UserError, match="don't know `channel`"):
        parse_settings("channel:no game:2210", request)


async def test_the_page_and_the_forms_are_in_every_language(services: Services) -> None:
    """No text is too long for Discord, and nothing is left in English."""
    for spoken in ["en", "de", "es", "ru"]:
        request = Request(
            "settings", "7", "Boss", "guild:1", {"channel": "yes"}, manages=True, settings_channel="5", private=True
        )
        await services.store.set_settings("guild:1", {"show": "words", "language": "en"}, "5")
        page = await run(replace(request, reader=spoken), services)
        assert isinstance(page, Reply)
        assert len(page.text) < 1900
        assert all(len(button.label) <= 80 for button in page.buttons)
        assert ("Only here" in page.text) == (spoken == "en")
        for command in ("settings games", "settings answers", "settings records"):
            form = await run(replace(request, command=command, argument="channel", reader=spoken), services)
            assert isinstance(form, Form)
            assert len(form.title) <= 45
            assert all(len(choice.label) <= 100 for field in form.fields for choice in field.choices)


# Live battles ----------------------------------------------------------------------------------------------


async def test_the_history_setting_of_a_channel_holds_for_its_battles(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    secret, alice = discord.add_channel("secret"), discord.member("Alice")
    await boss_of(discord, secret).sends("settings", history="off", channel=True)
    for channel, kept in ((secret, False), (discord.guild.channel, True)):
        here = alice.moves(channel)
        over = await here.presses(await here.sends("roll", matchup="3 1"), "Roll to the end")
        await idle(bot)
        assert (await services.store.battles.find(under(over, "battle")) is not None) == kept
        assert ("Verify" in over.labels) == kept


async def test_a_battle_shown_again_follows_its_channels_settings(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a thread too, whose frame is made with no press that could tell the channel."""
    monkeypatch.setattr(catching_up, "QUIET", timedelta(0))
    risk, alice = discord.add_channel("risk"), discord.member("Alice")
    thread = discord.add_thread(risk, "the evening")
    await boss_of(discord, risk).sends("settings", game="2210", language="de", show="words", channel=True)
    begun = await alice.moves(thread).sends("roll", matchup="5 3")
    assert line_of(begun) == "5 3 variant:2210"

    async def lost(*_: object, **__: object) -> bool:
        return False

    with monkeypatch.context() as patch:
        patch.setattr(Frames, "show", lost)
        await alice.moves(thread).begins_pressing(begun, begun.labels[0]).acknowledged()
        await idle(bot)
    assert await CatchingUp(bot, bot._language_of).catch_up()
    shown = discord.messages[begun.id]
    assert shown.content != begun.content
    assert line_of(shown) == "5 3 variant:2210"
    assert shown.labels == begun.labels, "in German"
    assert begun.labels[0] == "Würfeln"
    assert not [file for file in shown.files if file.name.endswith(".png")]


# What is kept ----------------------------------------------------------------------------------------------


async def test_a_deleted_channel_takes_its_settings_with_it(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    risk, place = discord.add_channel("risk"), f"guild:{discord.guild.id}"
    boss, forget, forgotten = boss_of(discord, risk), bot.services.store.forget_settings, asyncio.Event()

    async def watched(*which: str) -> None:
        await forget(*which)
        forgotten.set()

    monkeypatch.setattr(bot.services.store, "forget_settings", watched)
    await boss.sends("settings", game="2210")
    await boss.sends("settings", game="starwars", channel=True)
    discord.remove_channel(risk)
    await asyncio.wait_for(forgotten.wait(), LONGEST)
    assert (await bot.services.store.settings_with_own(place, str(risk.id)))[:2] == ({"game": "2210"}, {})


async def test_deleting_a_server_deletes_its_channels_settings(where: Path | str) -> None:
    async with open_store(where) as store:
        for place in ("guild:1", "guild:11", "user:1"):
            await store.set_settings(place, {"show": "words"})
        for place, channel in (("guild:1", "5"), ("guild:1", "55"), ("guild:11", "6")):
            await store.set_settings(place, {"game": "2210", "language": ""}, channel)
        await store.forget_settings("guild:1", "5")
        assert (await store.settings_with_own("guild:1", "5"))[:2] == ({"show": "words"}, {})
        assert (await store.settings_with_own("guild:1", "55"))[:2] == (
            {"show": "words"},
            {"game": "2210", "language": ""},
        )
        await store.set_settings("guild:1", {"game": None, "show": "both"}, "55")
        assert (await store.settings_with_own("guild:1", "55"))[1] == {"language": "", "show": "both"}
        await store.forget_settings("guild:1")
        assert (await store.settings_with_own("guild:1", "55"))[:2] == ({}, {})
        assert (await store.settings_with_own("guild:11", "6"))[:2] == (
            {"show": "words"},
            {"game": "2210", "language": ""},
        )
        assert await store.settings("user:1") == {"show": "words"}


async def test_a_change_counts_here_at_once_and_soon_in_every_process(
    services: Services, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(shared) as one, open_store(shared) as two:
        here = Services(services.settings, services.engine, lambda: one, ROOMS)
        there = Services(services.settings, services.engine, lambda: two, ROOMS)
        for game, old in (("2210", "2210"), ("starwars", "2210")):
            chosen = {"game": game, "channel": "yes"}
            await run(Request("settings", "7", "Boss", "guild:1", chosen, manages=True, settings_channel="5"), here)
            assert (await here.place_settings("guild:1", "5")).game == game
            for recent, known in ((1000, old), (0, game)):
                monkeypatch.setattr(request, "RECENT", recent)
                assert (await there.place_settings("guild:1", "5")).game == known


async def test_settings_are_read_once_until_they_change(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    store, reads = services.store, list[str]()
    read = store.settings_with_own

    async def read_before_a_change(place: str, *more: str) -> Any:
        rows = await read(place, *more)
        if not reads:
            await store.set_settings(place, {"game": "2210"})
        reads.append(place)
        return rows

    monkeypatch.setattr(store, "settings_with_own", read_before_a_change)
    games = [(await services.place_settings("guild:1", "5")).game for _ in range(4)]
    assert games == ["classic", "2210", "2210", "2210"], "what was read before a change is not kept"
    assert len(reads) == 2


async def test_the_cache_of_settings_is_bounded_and_forgets_changes(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked only where the database says nothing; what it never had of a channel is not guessed."""
    await services.store.set_settings("guild:1", {"game": "2210"})
    for channel in ("", "5", "6"):
        await services.place_settings("guild:1", channel)
    await services.place_settings("guild:2", "7")
    asked = Request("settings", "7", "Boss", "guild:1", {"game": "starwars"}, manages=True, settings_channel="6")
    await run(asked, services)
    assert {known for known in services.known if known[0] == "guild:1"} <= {("guild:1", "6")}
    await services.place_settings("guild:1", "5")

    async def away(*_: str) -> None:
        raise UserError("The database cannot be reached just now.")

    monkeypatch.setattr(services.store, "settings_with_own", away)
    assert (await services.place_settings("guild:1", "5")).game == "starwars"
    assert await services.place_settings("guild:1", "8") is UNKNOWN
    assert await services.place_settings("guild:2", "7") == PlaceSettings()
    assert services.known.maxsize == 10_000


def test_an_unknown_choice_of_a_channel_falls_back_to_its_server() -> None:
    server = {"game": "2210", "show": "words"}
    assert PlaceSettings.of(server, {"game": "gone", "show": "pictures"}) == PlaceSettings("2210", show="pictures")
    assert PlaceSettings.of(server, {}) == PlaceSettings.of(server)


async def test_settings_and_buttons_of_an_older_version_keep_their_meaning(discord: FakeDiscord, bot: Client) -> None:
    """Rows of an older version say nothing of channels, and its buttons nothing of whom they change."""
    place = f"guild:{discord.guild.id}"
    await bot.services.store.set_settings(place, {"game": "2210"})
    await bot.services.store.save(place, setup("alamo", "12 9"), 9, manages=True)
    boss = boss_of(discord)
    old = discord.old_message("The settings.", {"Games": "b2:settings games"})
    form = await boss.opens(old, "Games")
    assert re.fullmatch(r"b2:settings change:[0-9a-f,]+", form.custom_id)
    await boss.submits(form, {"behind": "yes"})
    assert await bot.services.store.settings(place) == {"game": "2210", "behind": "yes"}
    for channel in (discord.guild.channel, discord.add_channel("risk")):
        shown = await boss.moves(channel).sends("battle", matchup="12 9")
        assert line_of(shown) == "11 9 variant:2210 behind:0"
        assert small_print(shown)[0] == "1 of the 12 stays behind."
