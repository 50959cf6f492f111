"""The settings of a place as a chat: how answers look there, and how settings are chosen."""

import asyncio

import pytest

from bot import request
from bot.commands.typed_settings import parse_settings
from bot.discord_app import answers, forms
from bot.discord_app.client import Client
from bot.editions import editions
from bot.errors import UserError
from bot.languages import LANGUAGES, _, speaking
from bot.packs import load
from bot.place_settings import COMMON, SETTINGS, PlaceSettings
from bot.request import Request, Services, with_place_settings
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.cases import each

# What answers are ------------------------------------------------------------------------------------------


async def test_the_setting_show_words_sends_no_picture(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    with_picture = await alice.sends("battle", matchup="5 4")
    await boss.sends("settings", show="words")
    monkeypatch.setattr("bot.work.engine.draw", None)
    monkeypatch.setattr("bot.charts.draw", None)
    answer = await alice.sends("battle", matchup="5 4")
    assert answer.content == with_picture.content
    assert (len(with_picture.files), answer.files) == (1, ())
    shown = await alice.presses(await alice.sends("roll", matchup="3 2"), "Roll")
    assert [file for file in shown.files if file.name.endswith(".png")] == []


async def test_the_setting_show_pictures_sends_a_picture_and_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    await boss.sends("settings", show="pictures")
    answer = await alice.sends("battle", matchup="12 9")
    assert answer.content.splitlines() == [
        "**Attacker wins 79.0%** · 12 against 9 · classic Risk",
        "-# exact · about 8 rounds · `12 9`",
    ]
    assert len(answer.files) == 1
    assert line_of(await alice.presses(answer, "+1 attacker")) == "13 9", "buttons read the line"
    path = await alice.sends("battle", matchup="20 > 5 > 4")
    assert (len(path.content.splitlines()), path.content.count("```")) == (2, 0)
    exact = await alice.sends("battle", matchup="2 1 exact value:3")
    assert "exactly " in exact.content, "no picture says that"
    assert "Keep going while you have at least: 1 v 1" in exact.content
    need = await alice.sends("need", matchup="9 bombers:1")
    assert "+1 fighter" in need.content, "no picture says which ship helps"
    unit = await alice.sends("table", matchup="3 inf 2 arm vs 4 inf")
    assert "```" in unit.content, "there is no picture of that"
    shown = await alice.presses(await alice.sends("roll", matchup="3 2"), "Roll")
    assert "```" in shown.content, "every die is shown"


async def test_the_setting_private_makes_answers_private(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    assert not (await alice.sends("battle", matchup="12 9")).private
    assert (await alice.sends("battle", matchup="12 9", private=True)).private
    await boss.sends("settings", private=True)
    private = await alice.sends("battle", matchup="12 9")
    assert private.private
    assert (await alice.presses(private, "+1 attacker")).private
    assert not (await alice.sends("battle", matchup="12 9", private=False)).private
    assert (await alice.sends("history faces")).private
    assert not (await alice.sends("roll", matchup="12 9")).private, "all may watch a battle"
    assert not (await alice.says("@bot 12 9")).private, "that cannot be answered otherwise"


async def test_a_slow_private_answer_is_announced_in_private(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    await discord.member("Boss", manage_guild=True).sends("settings", private=True)
    monkeypatch.setattr(answers, "PATIENCE", 0)
    answer = await discord.member("Alice").sends("battle", matchup="12 9")
    assert answer.private
    assert not [message for message in discord.channel_messages if not message.private]


async def test_answers_are_private_until_settings_can_be_read(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    monkeypatch.setattr(bot.services.store, "settings_with_own", away)
    answer = await alice.sends("battle", matchup="12 9")
    assert answer.private
    assert line_of(answer) == "12 9"
    assert (await alice.types("battle", matchup="12 9"))[0].value == "12 9"


async def test_settings_that_cannot_be_read_keep_their_last_values(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for silent in [False, True]:
        boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
        await boss.sends("settings", game="2210")
        page = await boss.sends("settings")
        assert line_of(await alice.sends("battle", matchup="12 9")) == "12 9 variant:2210"
        with monkeypatch.context() as patch:
            patch.setattr(bot.services.store, "settings_with_own", never if silent else away)
            patch.setattr(request, "DECIDING", 0.01 if silent else 1)
            answer = await alice.sends("battle", matchup="12 9")
            assert line_of(answer) == "12 9 variant:2210"
            assert not answer.private
            if not silent:
                for told in (await boss.sends("settings"), await boss.presses(page, "Games")):
                    assert told.content == "The database cannot be reached just now.", "what was once is not what is"
        assert "2210" in (await boss.sends("settings")).content


async def away(*place: str) -> dict[str, str]:
    """A database that restarts."""
    raise UserError("The database cannot be reached just now.")


async def never(*place: str) -> dict[str, str]:
    """A database that says nothing at all."""
    await asyncio.Event().wait()
    raise AssertionError


async def test_private_answers_take_the_persons_own_language(services: Services) -> None:
    """In a server these are in the language that Discord has for who reads them."""
    await services.store.set_settings("user:7", {"language": "ru"})
    await services.store.set_settings("guild:1", {"language": "ru"})
    mine = await with_place_settings(Request("battle", "7", "Carl", "user:7", private=True, reader="es"), services)
    ours = await with_place_settings(Request("battle", "7", "Carl", "guild:1", private=True, reader="es"), services)
    assert (mine.reader, ours.reader) == ("ru", "es")


# Typed, and in forms ---------------------------------------------------------------------------------------


async def test_several_settings_typed_at_once_change_together_or_not(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    told = await carl.says("settings game:2210 behind:yes show:words private:yes language:en")
    assert "**Plain numbers like `12 9` mean 2210, commanders 1 v 1.**" in told.content
    assert "**`12 9` means 12 armies, and one stays behind**: 11 can attack." in told.content
    assert "**Answers are text only**" in told.content
    assert "**Only the person who asks sees the answer**" in told.content
    assert line_of(await carl.says("12 9")) == "11 9 variant:2210 behind:0"
    wrong = {
        "game:d8 edition:1776": (
            "There is no such game. `/help variants` lists those for `game`, `/help axis` those for `edition`."
        ),
        "game:d8 edition:1941-x": "There is no such game. Did you mean `edition:1941`?",
        "game:d8 show:all": "For `show`, use `both`, `words` or `pictures`.",
        "game:d8 behind:maybe": "For `behind`, use `yes` or `no`.",
        "game:d8 language:fr": "For `language`, use one of `en`, `de`, `es`, `ru`, `discord`.",
    }
    for line, reason in wrong.items():
        assert (await carl.says(f"settings {line}")).content == reason
    assert line_of(await carl.says("12 9")) == "11 9 variant:2210 behind:0"
    for classic in ("classic", "risk", "classic risk"):
        assert "mean classic Risk" in (await carl.says(f"settings game:{classic} behind:off")).content
    assert line_of(await carl.says("12 9")) == "12 9"


CHOSEN = [
    ("history off", {"history": "off"}),
    ("off", {"history": "off"}),
    ("language de", {"language": "de"}),
    ("private on", {"private": "yes"}),
    ("Game:2210", {"game": "2210"}),
    ("GAME:classic", {"game": "classic"}),
    ("Behind:NO", {"behind": "no"}),
    ("show:words, behind:yes", {"show": "words", "behind": "yes"}),
    ("game = 2210,behind yes", {"game": "2210", "behind": "yes"}),
    ("game:Star Wars Risk behind:yes", {"game": "starwars", "behind": "yes"}),
    ('game "2210, commanders 1 v 1" show words', {"game": "2210", "show": "words"}),
    ("game:2210-naval,station behind:yes", {"game": "2210-naval,2210-station", "behind": "yes"}),
    ("game fortification + bunker", {"game": "bunker,fortification"}),
    ("game:lotr-stronghold,lotr-leader", {"game": "lotr-siege"}),
    ("edition A&A Global 1940", {"edition": "1940"}),
    ("language:Deutsch", {"language": "de"}),
    ("language:", {"language": ""}),
    ("language: behind:yes", {"language": "", "behind": "yes"}),
    ("language:default game:default history:default", {"language": "", "game": "classic", "history": "on"}),
    ("no_setup_role:true", {"setup_role": ""}),
    ("setup_role <@&55>", {"setup_role": "55"}),
]
REFUSED = {
    "language": "For `language`, use one of `en`, `de`, ",
    "game": "Which game? ",
    "game: behind:yes": "Which game? ",
    "edition:": "Which edition? ",
    "show": "For `show`, use `both`, ",
    "behind": "For `behind`, use `yes` or `no`.",
    "reset": "I don't know `reset`. The settings are `game`, ",
    "maybe": "I don't know `maybe`. ",
    "game:2210 foo behind yes": "I don't know `foo`. ",
    "edition:1942 oder so": "I don't know `oder`. ",
    "game:d8 hello": "I don't know `hello`. ",
    "langauge:de": "I don't know `langauge`. Did you mean `language`?",
    "game star wars behind yes": "There is no such game. Did you mean `game:starwars`?",
    "behind perhaps show words": "For `behind`, use `yes` or `no`.",
    "game:d8 game:2210": "`game` is there twice.",
    "game:d8,d10 behind:yes": "`d8` and `d10` contradict each other: both set `adice`.",
    "game:bunker,fortificaton": "There is no such game. Did you mean `game:bunker,fortification`?",
    "edition:1941,1942": "I don't know `1942`. ",
    "no_setup_role:false": "For `setup_role`, give a role of this server or `none`.",
    ": no": "I don't know `:`. ",
}


@each(CHOSEN)
def test_a_typed_line_of_settings_is_read(line: str, chosen: dict[str, str]) -> None:
    assert parse_settings(line, Request("settings", "7", "Boss", "guild:1")) == chosen


@each(REFUSED)
def test_a_line_of_settings_with_an_unknown_word_is_refused(line: str) -> None:
    with pytest.raises(UserError) as refused:
        parse_settings(line, Request("settings", "7", "Boss", "guild:1"))
    assert refused.value.text.startswith(REFUSED[line])


@pytest.mark.whole
def test_settings_read_every_game_by_its_translated_name() -> None:
    request = Request("settings", "7", "Boss", "guild:1")
    for spoken in LANGUAGES:
        with speaking(spoken):
            for key, pack in load().items():
                assert parse_settings(f"game {_(pack.name)} behind yes", request)["game"] == key
            for key, edition in editions().items():
                assert parse_settings(f"edition {_(edition.name)} behind yes", request)["edition"] == key


async def test_games_and_editions_are_suggested(discord: FakeDiscord, bot: Client) -> None:
    boss = discord.member("Boss", manage_guild=True)
    games = await boss.types("settings", game="")
    assert (games[0].name, games[0].value, len(games)) == ("classic → classic Risk", "classic", 25)
    assert [choice.value for choice in await boss.types("settings", game="star")] == ["starwars"]
    assert "1940-europe" in [choice.value for choice in await boss.types("settings", edition="19")]
    assert "Star Wars Risk" in (await boss.sends("settings", game="starwars → Star Wars Risk")).content


async def test_the_form_for_games(discord: FakeDiscord, bot: Client) -> None:
    boss, alice = discord.member("Boss", manage_guild=True), discord.member("Alice")
    page = await boss.sends("settings")
    assert page.private
    assert page.labels == ["Games", "Answers", "Records", "Change for this channel", "My own settings"]
    form = await boss.opens(page, "Games")
    assert [(one.custom_id, one.kind, one.value) for one in form.fields] == [
        ("game", "choice", "classic"),
        ("edition", "radio", "1942"),
        ("behind", "radio", "no"),
    ]
    game = form.field("game").options
    assert len(game) == 25
    assert list(game.values())[:3] == ["classic", "starwars", "2210"]
    changed = await boss.submits(form, {"game": "2210", "behind": "Also the army that stays behind"})
    assert changed.id == page.id, "the same page, as it stands now"
    assert "**Plain numbers like `12 9` mean 2210, commanders 1 v 1.**" in changed.content
    assert line_of(await alice.sends("battle", matchup="12 9")) == "11 9 variant:2210 behind:0"
    await boss.sends("settings", game="d10-attack")
    again = (await boss.opens(changed, "Games")).field("game")
    assert (again.value, len(again.options)) == ("d10-attack", 25), "what holds is there to be left so"
    stacked = await boss.types("settings", game="bunker, fort")
    assert [choice.value for choice in stacked] == ["bunker,fortification"]
    assert (
        "mean Legacy, bunker + Legacy, fortification." in (await boss.sends("settings", game=stacked[0].value)).content
    )
    assert (await boss.opens(changed, "Games")).field("game").value == "bunker,fortification"
    assert line_of(await alice.sends("need", matchup="9")) == "33 9 variant:bunker,fortification behind:0"
    assert line_of(await alice.sends("battle", matchup="12 9 variant:wall")) == "11 9 variant:wall behind:0"


async def test_a_form_of_settings_changes_only_its_edited_fields(discord: FakeDiscord, bot: Client) -> None:
    boss, chief = discord.member("Boss", manage_guild=True), discord.member("Chief", manage_guild=True)
    games = [await one.opens(await one.sends("settings"), "Games") for one in (boss, chief)]
    await boss.submits(games[0], {"game": "2210"})
    told = await chief.submits(games[1], {"behind": "yes"})
    assert told.content.startswith("**Changed:** `behind:no` → `behind:yes`\n")
    assert "**Plain numbers like `12 9` mean 2210, commanders 1 v 1.**" in told.content
    assert "**`12 9` means 12 armies, and one stays behind**: 11 can attack." in told.content
    role = discord.role("Generals")
    records = [await one.opens(await one.sends("settings"), "Records") for one in (boss, chief)]
    given = await boss.submits(records[0], {"setup_role": str(role.id)})
    assert given.content.startswith("**Changed:** `setup_role`\n")
    assert f"<@&{role.id}>" in (await chief.submits(records[1], {"history": "off"})).content
    same = await chief.submits(await chief.opens(told, "Records"), {})
    assert same.content.startswith("Nothing has changed.\n")
    assert f"<@&{role.id}>" in same.content


async def test_the_form_for_answers(discord: FakeDiscord, bot: Client) -> None:
    boss = discord.member("Boss", manage_guild=True)
    form = await boss.opens(await boss.sends("settings"), "Answers")
    assert {one.custom_id: one.value for one in form.fields} == {"show": "both", "private": "no", "language": "discord"}
    changed = await boss.submits(form, {"show": "Text", "private": "yes", "language": "Русский"})
    assert "**Answers are text only**" in changed.content
    assert await bot.services.store.settings(f"guild:{discord.guild.id}") == {
        "show": "words",
        "private": "yes",
        "language": "ru",
    }


async def test_the_form_for_records(discord: FakeDiscord, bot: Client) -> None:
    role = discord.role("Generals")
    boss, bob = discord.member("Boss", manage_guild=True), discord.member("Bob", roles=[role])
    await boss.sends("preset save", name="alamo", matchup="12 9")
    page = await boss.sends("settings")
    form = await boss.opens(page, "Records")
    assert {one.custom_id: one.value for one in form.fields} == {
        **{"setup_role": "", "history": "on"},
        **{"open": "no", "wait": "24"},
    }
    told = await boss.submits(form, {"setup_role": str(role.id), "history": "Not stored"})
    assert f"and <@&{role.id}>" in told.content
    assert "**History is off**" in told.content
    assert "Note for `alamo`: `ours`." in (await bob.sends("preset note", name="alamo", text="ours")).content
    form = await boss.opens(page, "Records")
    assert form.field("setup_role").value == str(role.id)
    assert "<@&" not in (await boss.submits(form, {"setup_role": ""})).content


async def test_a_deleted_role_is_named_and_not_offered(discord: FakeDiscord, bot: Client) -> None:
    boss, place = discord.member("Boss", manage_guild=True), f"guild:{discord.guild.id}"
    await bot.services.store.set_settings(place, {"setup_role": "55"})
    for page in (await boss.says("@bot settings"), await boss.sends("settings")):
        assert "Only server managers can change others' presets** (the role you chose was deleted)." in page.content
        assert "55" not in page.content.replace(discord.guild.channel.mention, "")
    form = await boss.opens(page, "Records")
    assert form.field("setup_role").value == ""
    assert "deleted" not in (await boss.submits(form, {})).content
    assert (await bot.services.store.settings(place))["setup_role"] == ""


async def test_settings_in_direct_messages_are_personal(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    page = await carl.sends("settings")
    assert "private:" not in page.content, "nobody else is there"
    assert [one.custom_id for one in (await carl.opens(page, "Records")).fields] == ["history", "open", "wait"]
    form = await carl.opens(page, "Games")
    assert "2210" in (await carl.submits(form, {"game": "2210"})).content
    assert line_of(await carl.says("12 9")) == "12 9 variant:2210"


# What is kept ----------------------------------------------------------------------------------------------


def test_unknown_values_of_settings_count_as_not_chosen() -> None:
    assert PlaceSettings.of({}) == PlaceSettings()
    kept = {"game": "gone", "edition": "1776", "behind": "so", "show": "all", "language": "xx", "setup_role": "all"}
    assert PlaceSettings.of({**kept, "history": "maybe", "colour": "red"}) == PlaceSettings()
    assert PlaceSettings.of({"history": "off", "setup_role": "55", "behind": "yes"}) == PlaceSettings(
        history=False, setup_role="55", behind=True
    )
    assert {*SETTINGS, "mine"} == set(PlaceSettings._fields)


def test_forms_offer_only_known_games() -> None:
    assert set(COMMON) <= load().keys()
    assert len(COMMON) == 24
    assert 2 <= len(editions()) <= forms.MOST_RADIOS
