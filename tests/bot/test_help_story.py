"""Finding one's way, as a chat: the help, its topics, and suggestions for what is half typed."""

from typing import Any

import pytest

from bot import engine
from bot.commands.guide import show_help
from bot.commands.request import Request, Services
from bot.discord_app.client import Client
from bot.editions import editions
from bot.matchup import parse
from bot.packs import load
from tests.bot.test_story import line_of
from tests.fake_discord import FakeDiscord


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, suggestions wait for their odds."""
    monkeypatch.setattr(engine, "PREVIEW_SECONDS", 10)


# Help ---------------------------------------------------------------------------------------------------


async def test_every_line_of_the_help_works(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="ukraine", matchup="12 9")
    text = (await alice.sends("help")).content
    lines = [piece for piece in text.split("`")[1::2] if piece.startswith("/") and " " in piece]
    assert len(lines) >= 13
    for line in lines:
        command, _, rest = line[1:].partition(" ")
        if command == "preset":
            continue
        option: dict[str, Any] = {"topic" if command == "help" else "matchup": rest}
        shown = await alice.sends(command, **option)
        assert shown.private is (command == "help"), line
    words = [piece for piece in text.split("`")[1::2] if ":" in piece and not piece.startswith("/")]
    for word in words:
        if not word.endswith(":"):
            parse(f"12 9 {word}")


async def test_what_people_look_for_leads_to_its_topic(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    screen = (await alice.sends("help")).content
    assert len(screen) < 2000
    assert all(f"`/{command}" in screen for command in ("bombing", "order", "compare"))
    for topic, words in {
        "armies": ("order", "bombing", "compare", "need", "/need"),
        "axis": ("waves", "worth", "hold", "lookahead", "Then"),
        "setups": ("preset", "note", "rename", "Import", "/preset", "setup_role"),
        "fairness": ("fair", "seed", "commitment", "Hash", "/verify"),
    }.items():
        told = (await alice.sends("help", topic=topic)).content
        assert len(told) < 2000
        for word in words:
            shown = await alice.says(f"@bot help {word}")
            assert shown.content == told
            assert word.strip("/").casefold() in shown.content.casefold()


async def test_the_packs_are_a_topic(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("help", topic="packs")
    assert shown.private
    assert shown.content.startswith("**Rule packs**, for `variant:` in a line: `/battle 12 9 variant:2210`")
    assert len(shown.content) <= 2000
    (file,) = shown.files
    assert [row.split("  ")[0] for row in file.data.decode().splitlines()] == [
        *(key for game in ("risk", "starwars", "icons") for key, pack in load().items() if pack.game == game),
        *editions(),
    ]


async def test_a_pack_is_a_topic(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    bunker = (await alice.says("@bot help bunker")).content
    assert bunker == (
        "**Legacy, bunker** `/battle 12 9 variant:bunker`\n"
        "A bunker adds 1 to the highest defence die, which stays at most 6.\n"
        "-# known from: article on the rules, and published odds that agree"
    )
    assert (await alice.says("@bot help Variant:Bunker")).content == bunker
    unsure = (await alice.says("@bot help halo-hero")).content
    assert "\nNot sure: Whether the highest die gains 1 or all of them do is not sure" in unsure
    assert "`/battle 3 4 variant:coin`" in (await alice.says("@bot help coin")).content


async def test_no_help_is_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert "Did you mean `/help packs`?" in (await alice.says("@bot help pack")).content
    assert "Did you mean `/help bunker`?" in (await alice.says("@bot help bunkers")).content
    nothing = await alice.says("@bot help @everyone")
    assert nothing.content == "There is no help on that. `/help` alone shows what can be asked."
    assert not nothing.pings


@pytest.mark.parametrize("key", sorted(load()))
async def test_every_pack_says_how_it_is_used(services: Services, key: str) -> None:
    reply = await show_help(Request("help", "user", "User", "user:1", {"topic": key}), services)
    line = reply.text.split("`")[1]
    assert parse(line).battle == load()[key].battle(*((3, 4) if load()[key].game == "icons" else (12, 9)))
    assert load()[key].about in reply.text
    assert load()[key].unsure in reply.text
    assert len(reply.text) < 2000


# Suggestions --------------------------------------------------------------------------------------------


async def test_half_typed_words_are_completed(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")

    async def offered(typed: str) -> list[str]:
        choices = await alice.types("battle", matchup=typed)
        for choice in choices:
            parse(str(choice.value), takes=("exact",))
        return [choice.name for choice in choices]

    assert "12 9 variant:2210 → 78.1 % attacker" in await offered("12 9 var")
    assert (await offered("12 9 variant:22"))[0] == "12 9 variant:2210 → 78.1 % attacker"
    assert all("variant:22" in label for label in await offered("12 9 variant:22"))
    assert await offered("12 9 variant:bunk") == ["12 9 variant:bunker → 50.9 % attacker", "12 9 → 79.0 % attacker"]
    assert (await offered("20 >"))[0] == "20 > 5 > 4 > 2 leave:1 → 94.4 % takes all"
    assert (await offered("icons aa"))[0].startswith("icons aad,add,a,d,-,- 3 4 → 22.1 % attacker · 3 4 icons:AAD")
    assert (await offered("12 9 la"))[0] == "12 9 late → 70.2 % attacker"
    assert (await offered("12 9 ex"))[0] == "12 9 exact → 79.0 % attacker · 12 9"
    assert (await offered("20 > 5 > 4 le"))[0] == "20 > 5 > 4 leave:1 → 98.2 % takes all"
    assert "12 9 value:1 → 0 % attacker" in await offered("12 9 val")
    assert "12 9 ties:both" in (await offered("12 9 tie"))[1]


async def test_a_path_is_labelled_with_its_chance(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    labels = [choice.name for choice in await alice.types("battle", matchup="20 > 5 bombers:1 > 3")]
    assert labels[0] == "20 > 5 dbombers:1 > 3 leave:1 → 96.1 % takes all"
    assert labels[1] == "20 > 5 bombers:1 → 99.2 % takes all · 20 dbombers:1 > 5"
    long = await alice.types("battle", matchup="900" + " > 5" * 22)
    assert all(len(choice.name) <= 100 for choice in long)


async def test_what_is_asked_beside_the_battle_is_kept_and_no_mistake(discord: FakeDiscord, bot: Client) -> None:
    """To the one who types it in the right place, "goes with `/battle`" would be nonsense."""
    alice = discord.member("Alice")
    exact, *_ = await alice.types("battle", matchup="3 2 exact")
    assert (exact.name, exact.value) == ("3 2 exact → 65.6 % attacker · 3 2", "3 2 exact")
    assert "exactly 6610505" in (await alice.sends("battle", matchup=exact.name)).content
    chance, *_ = await alice.types("need", matchup="12 9 90%")
    assert chance.value == "12 9 90%"
    half, *_ = await alice.types("need", matchup="9 90%")
    assert "goes with" not in half.name
    assert "with a chance of 90 %" in (await alice.sends("need", matchup=chance.name)).content


async def test_what_is_wrong_is_told_while_one_types(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")

    async def first(typed: str) -> str:
        return (await alice.types("battle", matchup=typed))[0].name

    assert await first("12 9 variant:qqq") == (
        "12 9 variant:qqq → There is no rule pack `qqq`. `/help packs` lists them."
    )
    assert await first("12 9 leave:3") == "12 9 leave:3 → `leave` goes with a path such as `20 > 5 > 4 > 2`."
    assert await first("20 > 5 rounds:3") == "20 > 5 rounds:3 → A path goes without `rounds`."


@pytest.mark.parametrize("command", ["battle", "roll", "need", "table", "dice"])
async def test_what_is_suggested_can_be_sent(discord: FakeDiscord, bot: Client, command: str) -> None:
    alice = discord.member("Alice")
    for choice in await alice.types(command, matchup="12 9 variant:2210-d"):
        assert line_of(await alice.sends(command, matchup=choice.name)) == choice.value
