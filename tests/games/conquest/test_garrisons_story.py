"""Garrisons as a chat: saved in a preset, shown and changed with /map, used by /conquer, exported and imported."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.games.conquest.boards import USUAL_NAME
from bot.games.conquest.notation.writing import Garrisons, read_board
from bot.maps.map import name_of_key
from bot.maps.reading import load_maps
from bot.replies import Reply
from bot.request import Request, Services
from bot.store.database import open_store
from bot.words.narrow import WIDEST
from tests.fake_discord import FakeDiscord, Person, Shown, Upload
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.setups import entry, file_of, setup
from tests.helpers.extent import pick

AUSTRALIA = "3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"


def table(shown: Shown) -> list[str]:
    return shown.content.split("```")[1].strip("\n").splitlines()


async def saves(person: Person, name: str = USUAL_NAME, line: str = "australia: 3 2 1 1") -> None:
    assert f"Saved `{name}`" in (await person.sends("preset save", name=name, matchup=line)).content


# A game at the table -----------------------------------------------------------------------------------


async def test_the_garrisons_of_a_game_are_typed_once(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    saved = await alice.sends("preset save", name="ourgame", matchup="australia: 3 2 1 1")
    assert saved.content == (
        f"Saved `ourgame`: `map:classic {AUSTRALIA}`. `ourgame` holds garrisons, not a battle: "
        "`/conquer ourgame 12 siam > australia` uses them, `/map ourgame indonesia 4` changes them."
    )
    shown = await bob.sends("conquer", matchup="12 siam > australia")
    assert shown.content.startswith("**Takes Australia: 84.2%** · 12 Siam > Australia: 3 2 1 1")
    assert "-# Garrisons from `ourgame`." in shown.content
    assert line_of(shown) == f"12 siam > {AUSTRALIA}", "an answer says them all"
    assert line_of(await bob.sends("battle", matchup="ourgame 12 siam > australia")) == f"12 siam > {AUSTRALIA}"
    assert line_of(await bob.sends("need", matchup="siam > australia")) == f"12 siam > {AUSTRALIA}"
    changed = await alice.sends("map", garrisons="indonesia 4")
    assert changed.content == "**Indonesia 4 (was 3)** · `ourgame`"
    assert not changed.private
    again = await bob.sends("conquer", matchup="12 siam > australia")
    assert line_of(again).startswith("12 siam > 4 indonesia, 2 new guinea")
    most = await bob.presses(shown, "Most territories")
    assert line_of(most).startswith("12 siam > 3 indonesia, 2 new guinea"), "a button keeps what its answer said"


async def test_map_makes_a_preset_if_there_is_none(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    none = await alice.sends("map")
    assert none.content == (
        "No garrisons are saved here yet. Type for example `/map indonesia 4`: `/conquer` uses them."
    )
    assert (await alice.sends("map", garrisons="indonesia -")).content == none.content
    made = await alice.sends("map", garrisons="indonesia 4, siam 2")
    assert made.content == (
        "**Siam 2, Indonesia 4** · `ourgame`\n"
        "-# I made the preset `ourgame` for them. `/map` shows it, and `/conquer` uses it."
    )
    assert (await alice.sends("map", garrisons="siam none")).content == "**Siam not known (was 2)** · `ourgame`"
    assert (await alice.sends("map", garrisons="4 indonesia")).content == "`ourgame` has these already."
    assert (await alice.sends("map", garrisons="australia 2")).content == (
        "**Indonesia 2 (was 4), New Guinea 2, Western Australia 2, Eastern Australia 2** · `ourgame`"
    )
    assert (await alice.sends("map", garrisons="new guinea 0")).content == "**New Guinea 0 (was 2)** · `ourgame`"


async def test_map_shows_what_is_known_and_what_is_not(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, line="3 indonesia, 2 siam, south america 1")
    shown = await alice.sends("map")
    assert shown.content.splitlines()[:2] == [
        "**Garrisons in `ourgame`**: 6 of 42 territories · Classic Risk",
        "-# Change them: `/map indonesia 4` or `/map australia: 3 2 1 1`. `/map indonesia -` forgets one.",
    ]
    assert table(shown) == [
        "North America: not known",
        "South America",
        "  Venezuela 1, Peru 1, Brazil 1,",
        "  Argentina 1",
        "Europe: not known",
        "Africa: not known",
        "Asia",
        "  Siam 2",
        "  not known: Ural, Siberia, Yakutsk,",
        "    Kamchatka, Irkutsk, Mongolia, Japan,",
        "    Afghanistan, China, Middle East, India",
        "Australia",
        "  Indonesia 3",
        "  not known: New Guinea,",
        "    Western Australia, Eastern Australia",
    ]
    of_preset = await alice.sends("preset show", name="ourgame")
    assert table(of_preset) == table(shown)
    assert "-# `ourgame`, saved by Alice\n" in of_preset.content


async def test_map_fits_a_phone_in_every_language(discord: FakeDiscord, bot: Client) -> None:
    for language in ["de", "es-ES", "ru"]:
        alice = discord.stranger("Alice", locale=language)
        for part in ("asia 100", "africa 20, north america: 1 2 3 4 5 6 7 8 9"):
            await alice.sends("map", garrisons=part)
        assert max(map(len, table(await alice.sends("map")))) <= WIDEST


async def test_map_takes_names_in_four_languages(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, told in (
        ("indonesien 3", "**Indonesia 3**"),
        ("Новая Гвинея 2", "**New Guinea 2**"),
        ("2 australia occidental", "**Western Australia 2**"),
        ("W. Aus. 4", "**Western Australia 4 (was 2)**"),
    ):
        assert (await alice.sends("map", garrisons=line)).content.startswith(told)


# Several games -----------------------------------------------------------------------------------------


async def test_with_several_presets_of_garrisons_the_line_names_its_preset(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, "ourgame")
    await saves(alice, "sunday", "australia 1")
    several = "Several presets have garrisons: `ourgame`, `sunday`. Begin the line with one of them."
    tried: list[tuple[str, dict[str, Any]]] = [
        ("map", {}),
        ("map", {"garrisons": "siam 4"}),
        ("conquer", {"matchup": "12 siam > australia"}),
    ]
    for command, options in tried:
        assert several in (await alice.sends(command, **options)).content
    assert (await alice.sends("map", garrisons="sunday siam 4")).content == "**Siam 4** · `sunday`"
    assert "Siam" not in table(await alice.sends("map", garrisons="ourgame"))
    shown = await alice.sends("conquer", matchup="sunday 12 china > 4 siam, australia")
    assert line_of(shown).endswith("> 4 siam, 1 indonesia, 1 new guinea, 1 western australia, 1 eastern australia")
    assert line_of(await alice.sends("conquer", matchup="12 siam > 3 indonesia")) == "12 siam > 3 indonesia"
    missing = await alice.sends("conquer", matchup="sunday 12 siam > india")
    assert (
        "`sunday` doesn't say how many armies hold India. Type the number before the name, `rest:1` for all others, or "
        "`/map sunday india 4`." in missing.content
    )


async def test_territories_without_a_garrison_are_named(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = await alice.sends("conquer", matchup="12 siam > australia")
    assert asked.content.endswith(
        "How many armies hold Indonesia, New Guinea, Western Australia, Eastern Australia? Type the number before the "
        "name, `rest:1` for all others, or save it here: `/map indonesia 4`."
    )
    await saves(alice, line="indonesia 3")
    missing = await alice.sends("conquer", matchup="12 siam > australia")
    assert "`ourgame` doesn't say how many armies hold New Guinea, Western Australia, East" in missing.content
    assert "`/map new guinea 4`" in missing.content
    known = await alice.sends("conquer", matchup="12 siam > australia rest:1")
    assert line_of(known) == "12 siam > 3 indonesia, 1 new guinea, 1 western australia, 1 eastern australia"


# As presets --------------------------------------------------------------------------------------------


async def test_presets_with_garrisons_work_like_other_presets(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, line="map:classic 3 indonesia, 2 new guinea")
    changed = await alice.sends("preset change", name="ourgame", matchup="ourgame siam 4, indonesia -")
    assert changed.content == (
        "Changed `ourgame` to `map:classic 4 siam, 2 new guinea` (it was `map:classic 3 indonesia, 2 new guinea`)."
    )
    await saves(alice, "copy", "ourgame siam 5")
    assert "Renamed `copy` to `sunday`" in (await alice.sends("preset rename", name="copy", new="sunday")).content
    assert (
        await alice.sends("preset note", name="sunday", text="at Bob's")
    ).content == "Note for `sunday`: `at Bob's`."
    assert table(await alice.sends("preset list")) == [
        "ourgame  map:classic 4 siam, 2 new guinea",
        "  Alice",
        "sunday  map:classic 5 siam, 2 new guinea",
        "  Alice · at Bob's",
    ]
    assert (await alice.sends("preset delete", name="sunday")).content == (
        "Deleted `sunday`. It was `map:classic 5 siam, 2 new guinea`."
    )


async def test_garrisons_are_changed_only_with_the_rights_to_their_preset(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    role = discord.role("Generals")
    alice, bob = discord.member("Alice"), discord.member("Bob", roles=[role])
    boss = discord.member("Boss", manage_guild=True)
    await saves(alice, line="3 indonesia")
    refused = await bob.sends("map", garrisons="indonesia 4")
    assert refused.private
    assert refused.content == (
        "`ourgame` was saved by Alice (`map:classic 3 indonesia`). Only they, a server manager or the preset role can "
        "change it. Choose another name."
    )
    assert "**Indonesia 5 (was 3)**" in (await boss.sends("map", garrisons="indonesia 5")).content
    await boss.sends("settings", setup_role=role)
    assert "**Indonesia 4 (was 5)**" in (await bob.sends("map", garrisons="indonesia 4")).content
    (kept,) = await services.store.setups(f"guild:{discord.guild.id}")
    assert kept.owner_name == "Alice", "it stays whose it was"


async def test_map_does_not_overwrite_a_preset_with_a_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, "ourgame", "12 9")
    assert (await alice.sends("map", garrisons="indonesia 4")).content == (
        "`ourgame` is taken. Use another name: `/preset save mygame map:classic 4 indonesia`."
    )
    await alice.sends("preset save", name="mygame", matchup="map:classic 4 indonesia")
    assert (await alice.sends("map", garrisons="indonesia 5")).content == "**Indonesia 5 (was 4)** · `mygame`"


async def test_the_limit_of_presets_holds_for_map(services: Services) -> None:
    many = [setup(f"battle-{number}") for number in range(services.settings.most_setups)]
    await services.store.put_all("guild:1", [], many)
    assert "Make room with `/preset delete`." in (await asks(services, "indonesia 4")).text


async def test_garrisons_may_not_be_named_like_a_territory(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice)
    for name in ("siam", "new", "südafrika", "map"):
        told = f"Garrisons can't be called `{name}`. Take a name that no territory begins with: `ourgame`."
        assert (await alice.sends("preset save", name=name, matchup="3 indonesia")).content == told
        assert (await alice.sends("preset rename", name="ourgame", new=name)).content == told
        imported = await alice.sends("preset import", file=file_of(entry(name, "map:classic 3 indonesia")))
        assert told in imported.content


BATTLE_COMMANDS = (
    ("battle", "ourgame"),
    ("battle", "12 9 ourgame"),
    ("roll", "ourgame"),
    ("need", "ourgame"),
    ("table", "ourgame"),
    ("dice", "ourgame"),
    ("order", "ourgame"),
    ("compare", "ourgame || 12 9"),
    ("battle", "3 inf vs ourgame"),
)


async def test_garrisons_in_place_of_a_battle_get_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice)
    for command, line in BATTLE_COMMANDS:
        shown = await alice.sends(command, matchup=line)
        assert shown.content.endswith(
            "`ourgame` holds garrisons, not a battle: `/conquer ourgame 12 siam > australia` uses them, "
            "`/map ourgame indonesia 4` changes them."
        ), (command, line)


# Mistakes ----------------------------------------------------------------------------------------------


async def test_a_mistake_in_garrisons_is_a_private_sentence(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("indonesa 4", "There is no `indonesa` on this map. Did you mean `Indonesia`?"),
        ("atlantis 4", "There is no `atlantis` on this map."),
        ("indonesia 501", "The number of armies must be a whole number up to 500."),
        ("indonesia 1.5", "The number of armies must be a whole number up to 500."),
        ("indonesia", "How many armies? Type the number too: `indonesia 4`."),
        ("4", "Which territory do they hold? For example `indonesia 4`."),
        ("australia: 3 2", "Type a number for each: Indonesia, New Guinea, Western Australia, Eastern Australia."),
        ("siam 3, siam 4", "This is in the line twice."),
        ("siam > 4", "I don't understand `>` here."),
        ("map:gone siam 4", "There is no map `gone`. The maps are: classic."),
        ("nogame siam 4", "There is no `nogame siam` on this map."),
    ]:
        shown = await discord.member("Alice").sends("map", garrisons=line)
        assert shown.private
        assert shown.content.endswith(told)


async def test_a_mistyped_preset_of_garrisons_is_corrected(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    wrong = await alice.sends("preset save", name="ourgame", matchup="3 indonesia, 2 new ginea")
    assert wrong.content.endswith("There is no `new ginea` on this map. Did you mean `New Guinea`?")
    right = await alice.presses(wrong, "/preset save ourgame 3 indonesia, 2 new guinea")
    assert right.content.startswith("Saved `ourgame`: `map:classic 3 indonesia, 2 new guinea`.")


DAMAGED = (
    "map:gone 3 nowhere",
    "map:classic 3 nowhere",
    "map:classic 501 siam",
    "map:classic siam",
    "map:classic 3 siam, 4 siam",
    "map:classic ,,",
    "map:",
    "map:classic  3 siam",
)


async def test_damaged_garrisons_are_a_sentence_in_every_command(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    told = "I can't read the garrisons of `ourgame`: they don't fit any map here. `/preset change` replaces them."
    tried: list[tuple[str, dict[str, Any]]] = [
        ("map", {}),
        ("map", {"garrisons": "siam 4"}),
        ("map", {"garrisons": "ourgame siam 4"}),
        ("preset show", {"name": "ourgame"}),
        ("conquer", {"matchup": "12 siam > australia"}),
        ("conquer", {"matchup": "ourgame 12 siam > australia"}),
    ]
    for line in DAMAGED:
        await services.store.put_all(f"guild:{discord.guild.id}", [], [setup("ourgame", line, str(alice.id))])
        for command, options in tried[:: pick(1 if line == DAMAGED[0] else 4, 1)]:
            assert (await alice.sends(command, **options)).content.endswith(told), line
    assert line_of(await alice.sends("conquer", matchup="12 siam > 3 indonesia")) == "12 siam > 3 indonesia"
    assert "not a battle" in (await alice.sends("battle", matchup="ourgame")).content
    assert [choice.value for choice in await alice.types("map", garrisons="indo")] == ["indonesia"]
    await alice.types("conquer", matchup="12 siam > austr")
    assert "Note for" in (await alice.sends("preset note", name="ourgame", text="x")).content
    assert "Renamed" in (await alice.sends("preset rename", name="ourgame", new="sunday")).content
    assert "Changed" in (await alice.sends("preset change", name="sunday", matchup="3 siam")).content
    assert (await alice.sends("map", garrisons="siam 4")).content == "**Siam 4 (was 3)** · `sunday`"


# Suggestions -------------------------------------------------------------------------------------------


async def test_map_suggests_territories_with_their_garrisons(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, line="3 indonesia, 2 siam")
    choices = await alice.types("map", garrisons="")
    assert [choice.name for choice in choices][:3] == ["siam → 2", "indonesia → 3", "alaska"]
    assert [(one.name, one.value) for one in await alice.types("map", garrisons="indo")] == [
        ("indonesia → 3", "indonesia")
    ]
    assert [(one.name, one.value) for one in await alice.types("map", garrisons="indonesia 4")] == [
        ("indonesia 4 → Indonesia 4 (was 3)", "indonesia 4")
    ]
    assert (await alice.types("map", garrisons="indonesia 4, 2 new g"))[0].value == "indonesia 4, 2 new guinea"
    assert (await alice.types("map", garrisons="ourgame sia"))[0].name == "ourgame siam → 2"
    assert (await alice.types("map", garrisons="our"))[0].value == "ourgame"
    wrong = await alice.types("map", garrisons="atlantis 4")
    assert wrong[0].name == "atlantis 4 → There is no `atlantis` on this map."
    near = await alice.types("map", garrisons="indonesa 4")
    assert near[1].value == "indonesia 4"


async def test_conquer_suggests_lines_with_odds_if_the_garrisons_are_known(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert "12 siam > australia" not in [one.value for one in await alice.types("conquer", matchup="12 siam > austr")]
    await saves(alice)
    bot.services.recent.clear()
    assert (await alice.types("conquer", matchup="12 siam"))[0].value == "12 siam > australia"
    first = (await alice.types("conquer", matchup="12 siam > austr"))[0]
    assert (first.name, first.value) == ("12 siam > australia → 84.2% to take all", "12 siam > australia")
    named = await alice.types("conquer", matchup="ourgame 12 siam > austr")
    assert named[0].value == "ourgame 12 siam > australia"
    assert (await alice.types("conquer", matchup="our"))[0].value == "ourgame 12 siam > australia"


async def test_garrisons_typed_for_a_preset_are_no_mistake(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    (choice,) = await alice.types("preset save", name="ourgame", matchup="australia: 3 2 1 1")
    assert choice.name == f"australia: 3 2 1 1 → map:classic {AUSTRALIA}"[:100]
    assert (await alice.types("preset save", name="alamo", matchup="12 9"))[0].value == "12 9"


# In a file ---------------------------------------------------------------------------------------------


async def test_garrisons_are_exported_and_imported_with_presets(discord: FakeDiscord, bot: Client) -> None:
    alice, dora = discord.member("Alice"), discord.stranger("Dora")
    await saves(alice)
    await saves(alice, "alamo", "12 9")
    (file,) = (await alice.sends("preset export")).files
    assert [one["line"] for one in json.loads(file.data)["setups"]] == ["12 9", f"map:classic {AUSTRALIA}"]
    preview = await dora.sends("preset import", file=Upload("presets.json", file.data))
    assert "**This file has: 2 new.**" in preview.content
    assert "Imported: **2 new**." in (await dora.presses(preview, "Import")).content
    (again,) = (await dora.sends("preset export")).files
    assert again.data == file.data
    assert line_of(await dora.sends("conquer", matchup="12 siam > australia")) == f"12 siam > {AUSTRALIA}"


async def test_a_file_with_wrong_garrisons_gets_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("map:gone 3 nowhere", "`ourgame`, doesn't work: There is no map `gone`. The maps are: classic."),
        ("map:classic 3 nowhere", "`ourgame`, doesn't work: There is no `nowhere` on this map."),
        ("3 siam, 501 indonesia", "`ourgame`, doesn't work: The number of armies must be a whole number up to 500."),
    ]:
        shown = await discord.member("Alice").sends("preset import", file=file_of(entry("ourgame", line)))
        assert shown.content == f"Preset 1 in the file, {told}"


# Two at once -------------------------------------------------------------------------------------------


async def asks(services: Services, line: str, user: str = "1", place: str = "guild:1") -> Reply:
    reply = await run(Request("map", user, f"Player {user}", place, {"garrisons": line}, manages=True), services)
    assert isinstance(reply, Reply)
    return reply


async def test_changes_of_garrisons_at_once_lose_nothing(services: Services, where: Path | str) -> None:
    """In the terminal's file and at a server's database; the first change of all makes the preset, once."""
    lines = ["siam 2", "india 3", "china 4", "japan 5", "ural 6", "brazil 7", "peru 8", "egypt 9"]
    async with open_store(where) as store:
        here = replace(services, find_store=lambda: store)
        await asyncio.gather(*(asks(here, line, str(user)) for user, line in enumerate(lines)))
        (kept,) = await store.setups("guild:1")
    assert kept.name == USUAL_NAME
    assert sorted(kept.line.removeprefix("map:classic ").split(", ")) == sorted(
        " ".join(line.split()[::-1]) for line in lines
    )


async def test_changes_of_garrisons_in_two_processes_lose_nothing(services: Services, shared: str) -> None:
    async with open_store(shared) as one, open_store(shared) as two:
        both = replace(services, find_store=lambda: one), replace(services, find_store=lambda: two)
        keys = list(load_maps()["classic"].territories)[:20]
        await asyncio.gather(
            *(asks(both[number % 2], f"{name_of_key(key)} {number}") for number, key in enumerate(keys))
        )
        (kept,) = await one.setups("guild:1")
    assert read_board(kept.line) == Garrisons("classic", {key: number for number, key in enumerate(keys)})


# In a terminal -----------------------------------------------------------------------------------------


def test_the_terminal_has_garrisons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def say(line: str) -> list[str]:
        main([line])
        return capsys.readouterr().out.splitlines()

    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    assert say("/map")[0].startswith("No garrisons are saved here yet.")
    assert say("map indonesia 4")[0] == 'Indonesia 4 · "ourgame"'
    assert say("/map australia: 3 2 1 1")[0].startswith("Indonesia 3 (was 4), New Guinea 2, ")
    assert say("12 siam > australia")[0].startswith("Takes Australia: 84.2%")
    assert say("/map")[0] == 'Garrisons in "ourgame": 4 of 42 territories · Classic Risk'
    assert "holds garrisons, not a battle" in " ".join(say("12 9 ourgame"))
    file = tmp_path / "presets.json"
    file.write_text("\n".join(say("/preset export")), encoding="utf-8")
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "elsewhere"))
    assert "Imported: 1 new." in say(f"/preset import {file}")
    assert say("/conquer ourgame 12 siam > australia")[0].startswith("Takes Australia: 84.2%")
