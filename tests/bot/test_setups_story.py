"""Saved set-ups as a chat: changed, renamed, noted, listed; who may do that; exported, and imported all or nothing."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.autocomplete import LONGEST_SUGGESTION
from bot.commands.transfer import most_bytes
from bot.discord_app import answers
from bot.discord_app.client import Client
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings, load
from bot.store.records import Setup
from tests.fake_discord import FakeDiscord, Person, Shown, Upload
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.setups import entry, file_of
from tests.helpers.bot.storm import bot_on
from tests.helpers.extent import pick


async def saves(person: Person, **lines: str) -> None:
    for name, line in lines.items():
        assert f"Saved `{name}`" in (await person.sends("preset save", name=name, matchup=line)).content


def listed(shown: Shown) -> list[str]:
    """The rows of a list, or of what an import would change."""
    return shown.content.split("```")[1].strip("\n").splitlines() if "```" in shown.content else []


# Changed, renamed, noted -----------------------------------------------------------------------------------


async def test_a_preset_is_changed_renamed_and_noted(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, ukraine="12 9 bombers:2")
    changed = await alice.sends("preset change", name="ukraine", matchup="ukraine stop:3")
    assert changed.private
    assert changed.content == "Changed `ukraine` to `12 9 bombers:2 stop:3` (it was `12 9 bombers:2`)."
    again = await alice.sends("preset change", name="ukraine", matchup="ukraine")
    assert again.content == "`ukraine` is already `12 9 bombers:2 stop:3`."
    renamed = await alice.sends("preset rename", name="Ukraine", new="Kiev")
    assert renamed.content == "Renamed `ukraine` to `kiev`: `12 9 bombers:2 stop:3`."
    assert line_of(await alice.sends("battle", matchup="kiev")) == "12 9 bombers:2 stop:3"
    assert "I don't know `ukraine`" in (await alice.sends("battle", matchup="ukraine")).content
    noted = await alice.sends("preset note", name="kiev", text="the  last\nstand")
    assert noted.content == "Note for `kiev`: `the last stand`."
    assert "-# `kiev`, saved by Alice · `the last stand`\n" in (await alice.sends("preset show", name="kiev")).content
    assert listed(await alice.sends("preset list")) == ["kiev  12 9 bombers:2 stop:3", "  Alice · the last stand"]
    await saves(alice, kiev="5 4")
    assert listed(await alice.sends("preset list")) == ["kiev  5 4", "  Alice · the last stand"]
    assert (await alice.sends("preset note", name="kiev")).content == "Removed the note `the last stand` from `kiev`."
    assert listed(await alice.sends("preset list")) == ["kiev  5 4", "  Alice"]


async def test_impossible_changes_of_presets_are_sentences(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, ukraine="12 9", alamo="3 2")
    tried: list[tuple[str, dict[str, Any], str]] = [
        (
            "preset rename",
            {"name": "ukraine", "new": "alamo"},
            "`alamo` is taken: `3 2`, saved by Alice.",
        ),
        ("preset rename", {"name": "ukraine", "new": "stop"}, "Names are one word of 2 to 32 letters"),
        ("preset rename", {"name": "ukraine", "new": "Ukraine"}, "It is already called `ukraine`."),
        (
            "preset rename",
            {"name": "ukrain", "new": "kiev"},
            "There is no preset with that name here. Did you mean `ukraine`?",
        ),
        ("preset change", {"name": "ukrain", "matchup": "1 1"}, "Did you mean `ukraine`?"),
        ("preset change", {"name": "ukraine", "matchup": "12 9 stp:1"}, "Did you mean `stop:1`?"),
        (
            "preset change",
            {"name": "ukraine", "matchup": "5 bom vs 20"},
            "You can save a battle, but not a bombing raid",
        ),
        ("preset note", {"name": "kiev", "text": "x"}, "There is no preset with that name here."),
        ("preset note", {"name": "ukraine"}, "`ukraine` has no note."),
    ]
    for command, options, told in tried:
        shown = await alice.sends(command, **options)
        assert shown.private
        assert told in shown.content
    long = await alice.says(f"@bot preset note ukraine {'x' * 201}")
    assert long.content == "A note can have at most 200 characters."
    assert listed(await alice.sends("preset list")) == ["alamo  3 2", "  Alice", "ukraine  12 9", "  Alice"]


async def test_every_line_of_the_help_on_presets_works(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.stranger("Alice")
    told = (await alice.sends("help", topic="presets")).content
    lines = [piece for piece in told.split("`")[1::2] if piece.startswith("/preset") and "alamo" in piece]
    assert len(lines) >= 6
    for line in lines:
        answer = await alice.says(line)
        assert any(word in answer.content for word in ("alamo", "rorke")), answer.content
        assert "There is no preset" not in answer.content
        assert "There are no presets" not in answer.content
        if "rename" in line:
            await alice.says("preset rename rorke alamo")


async def test_names_of_presets_are_suggested_in_every_command(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, ukraine="12 9", alamo="3 2")
    for command in ("save", "show", "change", "rename", "note", "delete"):
        assert [choice.value for choice in await alice.types(f"preset {command}", name="uk")] == ["ukraine"]
    choices = await alice.types("preset change", name="ukraine", matchup="ukr")
    assert choices[0].value == "ukraine"


# What is shown ---------------------------------------------------------------------------------------------


async def test_a_long_list_of_presets_comes_with_a_file(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice = discord.member("Alice")
    await saves(alice, alamo="3 2")
    (first,) = await services.store.setups(f"guild:{discord.guild.id}")
    long = "3 inf 2 art 2 arm 1 fig vs 5 inf 1 aa loss:inf,art,arm,fig dloss:aa,inf"
    many = [first._replace(name=f"setup-{number:03}", line=long, note="x" * 200) for number in range(100)]
    await services.store.put_all(f"guild:{discord.guild.id}", [first], many)
    shown = await alice.sends("preset list")
    assert shown.content.startswith("**Presets here: 101**. ")
    assert len(shown.content) <= 2000
    assert ": all.txt …" in shown.content
    rows = listed(shown)
    assert rows[0] == "alamo  3 2"
    *_before, last = re.split(r"\n(?! )", "\n".join(rows))
    together = f"setup-099 {long} Alice · {'x' * 200}"
    assert "".join(last.split()) == "".join(together.split()), "what belongs together stays together"
    (file,) = shown.files
    assert sum(line[0] != " " for line in file.data.decode().splitlines()) == 101


HOSTILE = ("**@everyone** <@1> `12 9` ||x|| [a](http://b)", "```\n# big\n```", "> quote\u202e\u200b -# `small`")


async def test_no_note_of_a_preset_pings_or_formats(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, alamo="3 2")
    for text in HOSTILE:
        shown = await alice.sends("preset note", name="alamo", text=text)
        written = shown.content.removeprefix("Note for `alamo`: `").partition("`")[0]
        assert written.isprintable()
        said = await alice.sends("preset show", name="alamo")
        assert f"-# `alamo`, saved by Alice · `{written}`\n" in said.content
        assert line_of(said) == "3 2"
        table = await alice.sends("preset list")
        assert table.content.count("```") == 2
        assert not [one for one in (shown, said, table) if one.pings]


# Who may do that -------------------------------------------------------------------------------------------


async def test_the_preset_role_may_change_presets_of_other_people(discord: FakeDiscord, bot: Client) -> None:
    role = discord.role("Generals")
    alice, bob = discord.member("Alice"), discord.member("Bob", roles=[role])
    boss = discord.member("Boss", manage_guild=True)
    await saves(alice, alamo="3 2")
    refused = await bob.sends("preset note", name="alamo", text="mine")
    assert refused.content == (
        "`alamo` was saved by Alice (`3 2`). Only they, a server manager or the preset role can change it. "
        "Choose another name."
    )
    tried: dict[str, dict[str, Any]] = {"change": {"matchup": "1 1"}, "rename": {"new": "mine"}, "delete": {}}
    for command, options in tried.items():
        told = (await bob.sends(f"preset {command}", name="alamo", **options)).content
        assert "was saved by Alice" in told
    assert "**Only server managers can change others' presets.**" in (await boss.sends("settings")).content
    settled = await boss.sends("settings", setup_role=role)
    assert settled.private
    assert f"**Server managers and <@&{role.id}> can change others' presets.**" in settled.content
    assert not settled.pings
    assert "Changed `alamo`" in (await bob.sends("preset change", name="alamo", matchup="4 3")).content
    assert "Note for `alamo`: `by all of us`" in (await bob.says("@bot preset note alamo by all of us")).content
    assert listed(await bob.sends("preset list")) == ["alamo  4 3", "  Alice · by all of us"], "it stays hers"
    assert "was saved by Alice" in (await discord.member("Carl").sends("preset delete", name="alamo")).content
    assert "You need the Manage Server permission" in (await bob.says("@bot settings setup_role:none")).content
    await boss.sends("settings", no_setup_role=True)
    assert "was saved by Alice" in (await bob.sends("preset delete", name="alamo")).content
    assert "Deleted `alamo`" in (await boss.sends("preset delete", name="alamo")).content


async def test_the_preset_role_exists_only_in_servers(discord: FakeDiscord, bot: Client) -> None:
    boss, carl = discord.member("Boss", manage_guild=True), discord.stranger("Carl")
    everybody = str(discord.guild.id)
    await bot.services.store.set_settings(f"guild:{everybody}", {"setup_role": everybody})
    assert "**Everyone can change others' presets.**" in (await boss.sends("settings")).content
    await saves(boss, alamo="3 2")
    assert "Deleted" in (await discord.member("Alice").sends("preset delete", name="alamo")).content
    assert (await carl.says("settings setup_role:5")).content == (
        "Roles exist only on servers; here your presets are your own."
    )
    assert "role" not in (await carl.sends("settings")).content
    assert (await carl.says("settings x:y")).content == (
        "I don't know `x`. The settings are `game`, `edition`, `behind`, `show`, `private`, `history`, "
        "`open`, `wait`, `language`. `default` resets one, as in `language:default`."
    )


async def test_each_place_has_a_limit_of_presets(discord: FakeDiscord, services: Services) -> None:
    few = Services(load(data=services.settings.data, most_setups=2), services.engine, services.find_store, ROOMS)
    async with discord.running(Client(few)):
        alice = discord.member("Alice")
        await saves(alice, alamo="3 2", ukraine="12 9")
        full = await alice.sends("preset save", name="kiev", matchup="5 4")
        assert full.content == "There are already 2 presets here. Make room with `/preset delete`."
        await saves(alice, ukraine="12 8")
        await saves(discord.stranger("Carl"), kiev="5 4")
        refused = await alice.sends("preset import", file=file_of(entry("kiev", "5 4"), entry("alamo", "3 2")))
        assert "there are 2 presets here, the limit is 2, and the file brings 1 too many." in refused.content
        assert refused.labels == []
        many = await alice.sends("preset import", file=file_of(*(entry(f"s-{n}", "1 1") for n in "abc")))
        assert many.content == "The file has 3 presets; there is room for 2 here."


# One file --------------------------------------------------------------------------------------------------


async def test_presets_move_to_another_server_in_a_file(discord: FakeDiscord, services: Services) -> None:
    elsewhere = discord.add_guild("Elsewhere")
    alice, dora = discord.member("Alice"), discord.member("Dora", guild=elsewhere)
    async with discord.running(Client(services)):
        assert (await dora.sends("preset export")).content == "There are no presets here yet."
        await saves(alice, ukraine="12 9 bombers:2", kiev="3 inf 2 arm vs 4 inf", march="20 > 5 > 4 leave:1")
        await alice.sends("preset note", name="ukraine", text='the "last" ständ')
        exported = await alice.sends("preset export")
        assert exported.private
        assert exported.content.startswith("**3 presets** in one file.")
        (file,) = exported.files
        assert file.name == "setups.json"
        preview = await dora.sends("preset import", file=Upload("my set-ups.json", file.data))
        assert preview.private
        assert preview.content.startswith("**This file has: 3 new.**\nNothing changes until you press **Import**.")
        assert listed(preview)[-2:] == ["new  ukraine  12 9 bombers:2", '  the "last" ständ']
        assert "There are no presets here yet" in (await dora.sends("preset list")).content
    async with discord.running(Client(services)):
        done = await dora.presses(preview, "Import")
        assert (done.id, done.private, done.labels, done.files) == (preview.id, True, [], ())
        assert done.content.startswith("Imported: **3 new**.")
        assert listed(await dora.sends("preset list"))[-2:] == ["ukraine  12 9 bombers:2", '  Dora · the "last" ständ']
        assert (await dora.sends("preset export")).files[0].data == file.data
        again = await dora.sends("preset import", file=Upload("my set-ups.json", file.data))
        assert again.content == "**This file has: 3 the same in both.**\nThere is nothing to import."
        assert again.labels == []


async def test_a_slow_import_is_private(discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0)
    alice = discord.member("Alice")
    preview = await alice.sends("preset import", file=file_of(entry("alamo", "3 2")))
    assert (preview.deferred, preview.private, preview.labels) == (True, True, ["Import"])
    done = await alice.presses(preview, "Import")
    assert (done.id, done.private, done.labels) == (preview.id, True, [])
    assert "Imported: **1 new**" in done.content
    wrong = await alice.sends("preset import", file=Upload("a.json", b"no"))
    assert (wrong.deferred, wrong.private) == (True, True)
    assert "line 1, character 1 isn't valid JSON." in wrong.content


async def test_an_import_replaces_presets_only_on_request(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, alamo="3 2", kiev="5 4")
    file = file_of(entry("Alamo", "3v3", "bigger"), entry("odessa", "12 9 attack"[:4]), entry("kiev", "5 4"))
    kept = await alice.sends("preset import", file=file)
    assert kept.content.startswith("**This file has: 1 new, 1 kept as it is here, 1 the same in both.**")
    assert listed(kept) == [
        "new  odessa  12 9",
        "kept  alamo  3 2",
        "  in the file  3 3",
        "  note  -, in the file  bigger",
    ]
    replaced = await alice.sends("preset import", file=file, replace=True)
    assert listed(replaced) == [
        "new  odessa  12 9",
        "changed  alamo  3 3",
        "  before  3 2",
        "  note  bigger, before  -",
    ]
    assert (
        "Imported: **1 new, 1 kept as it is here, 1 the same in both**."
        in (await alice.presses(kept, "Import")).content
    )
    assert listed(await alice.sends("preset list"))[:2] == ["alamo  3 2", "  Alice"]
    again = await alice.presses(replaced, "Import")
    assert again.content.startswith("The presets here have changed in the meantime, so nothing was imported yet.")
    assert listed(again) == ["changed  alamo  3 3", "  before  3 2", "  note  bigger, before  -"]
    assert (again.id, again.labels, len(again.files)) == (replaced.id, ["Import"], 1)
    assert "Imported: **1 changed, 2 the same in both**." in (await alice.presses(again, "Import")).content
    assert listed(await alice.sends("preset list"))[:2] == ["alamo  3 3", "  Alice · bigger"]


async def test_an_import_changes_all_presets_or_none(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    boss = discord.member("Boss", manage_guild=True)
    await saves(alice, alamo="3 2")
    file = file_of(entry("kiev", "5 4"), entry("alamo", "9 9"))
    refused = await bob.sends("preset import", file=file, replace=True)
    assert refused.content.startswith("**This file has: 1 new, 1 saved by someone else.**\nI can't import this: ")
    assert listed(refused) == ["new  kiev  5 4", "refused  alamo  3 2", "  saved by Alice", "  in the file  9 9"]
    assert refused.labels == []
    shown = await boss.sends("preset import", file=file, replace=True)
    await saves(alice, alamo="3 3")
    late = await boss.presses(shown, "Import")
    assert late.content.startswith("The presets here have changed in the meantime, so nothing was imported yet.")
    assert listed(await bob.sends("preset list")) == ["alamo  3 3", "  Alice"]
    assert "Imported" in (await boss.presses(late, "Import")).content
    assert listed(await bob.sends("preset list")) == ["alamo  9 9", "  Alice", "kiev  5 4", "  Boss"]


UNREADABLE = [
    (Upload("a.png", b"\x89PNG\r\n"), "This isn't a file from `/preset export`: it isn't UTF-8 text."),
    (Upload("a.json", b""), "Which file?"),
    (Upload("a.json", b'{"sandtable": '), "`/preset export`: line 1, character 15 isn't valid JSON."),
    (Upload("a.json", b"[" * 100_000), "a number is too long, or the data is nested too deeply."),
    (Upload("a.json", b"9" * 5_000), "a number is too long, or the data is nested too deeply."),
    (Upload("a.json", b"[]"), 'it doesn\'t begin with {"sandtable": "setups", ...}.'),
    (file_of(version=3), "The file is from another version of Sandtable; this one reads versions 1, 2."),
    (file_of(version=True), "The file is from another version of Sandtable"),
    (file_of(setups={}), '"setups" isn\'t a list.'),
    (file_of(), "**This file has: nothing.**\nThere is nothing to import."),
    (file_of(entry("alamo", "3 2"), {"name": "x"}), "Preset 2 in the file should look like"),
    (file_of({"name": "alamo", "line": 5}), "Preset 1 in the file should look like"),
    (file_of({**entry("alamo", "3 2"), "owner": "1"}), "Preset 1 in the file should look like"),
    (file_of(entry("alamo", "3 2"), entry("ALAMO", "4 2")), "Presets 1 and 2 in the file are both called `alamo`."),
    (file_of(entry("@everyone", "3 2")), "Preset 1 in the file, `@everyone`, doesn't work: Names are one word"),
    (file_of(entry("kiev", "ukraine")), "Preset 1 in the file, `kiev`, doesn't work: I don't know `ukraine`."),
    (file_of(entry("kiev", "5 bom vs 20")), "`kiev`, doesn't work: You can save a battle, but not a bombing raid"),
    (file_of(entry("kiev", "3 2", "x" * 201)), "`kiev`, doesn't work: A note can have at most 200 characters."),
]


async def test_an_unreadable_file_of_presets_says_where_and_why(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await saves(alice, ukraine="12 9")
    for file, told in UNREADABLE:
        shown = await alice.sends("preset import", file=file)
        assert shown.private, told
        assert told in shown.content
        assert not shown.labels, told
        assert not shown.pings, told
    assert listed(await alice.sends("preset list")) == ["ukraine  12 9", "  Alice"]


async def test_a_file_of_presets_too_large_is_not_fetched(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("preset import", file=Upload("a.json", b" " * (most_bytes(services.settings) + 1)))
    assert shown.content == "The file is too large; the limit is 402 kB."


async def test_an_uploaded_file_that_discord_deleted_is_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    preview = await alice.sends("preset import", file=file_of(entry("alamo", "3 2")))
    discord.board.uploads.clear()
    told = await alice.presses(preview, "Import")
    assert told.private
    assert "Discord can't give me that file right now." in told.content
    assert "There are no presets" in (await alice.sends("preset list")).content


async def test_the_largest_list_of_presets_is_exported_and_imported(discord: FakeDiscord, settings: Settings) -> None:
    settings = replace(settings, most_setups=pick(60, settings.most_setups))
    async with bot_on(discord, settings) as bot:
        services, most = bot.services, settings.most_setups
        alice, carl = discord.member("Alice"), discord.stranger("Carl")
        line = "20 > " + " > ".join(["123456 dbombers:3"] * 13) + " leave:1"
        example = Setup("x", line, str(alice.id), "Alice", datetime(2026, 11, 20, tzinfo=UTC), '😀"\\' * 66)
        many = [example._replace(name=f"ü{'x' * 27}-{number:03}") for number in range(most)]
        assert await services.store.put_all(f"guild:{discord.guild.id}", [], many)
        (file,) = (await alice.sends("preset export")).files
        assert len(file.data) < most_bytes(settings)
        shown = await carl.sends("preset import", file=Upload(file.name, file.data))
        assert f"{most} new" in shown.content
        assert [one.name for one in shown.files] == ["all.txt", "setups.json"]
        assert f"Imported: **{most} new**" in (await carl.presses(shown, "Import")).content
        assert all(len(choice.name) <= LONGEST_SUGGESTION for choice in await carl.types("preset show", name="x"))


async def test_preset_import_in_a_chat_reads_no_path(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.stranger("Alice")
    for path in ("/etc/passwd", "setups.json"):
        shown = await alice.says(f"preset import {path}")
        assert "This isn't a file from `/preset export`: " in shown.content
    shown = await alice.says("preset import ")
    assert "Which file? Attach the one you got from `/preset export`" in shown.content
    pasted = await alice.says(f"preset import {file_of(entry('alamo', '3 2')).data.decode()}")
    assert "Imported: **1 new**" in (await alice.presses(pasted, "Import")).content


async def test_presets_in_direct_messages_are_personal(discord: FakeDiscord, bot: Client) -> None:
    carl, dora = discord.stranger("Carl"), discord.stranger("Dora")
    await saves(carl, mine="3 2")
    await saves(dora, hers="5 4")
    file = file_of(entry("mine", "9 9"), entry("other", "1 1"))
    done = await carl.presses(await carl.sends("preset import", file=file, replace=True), "Import")
    assert "1 new, 1 changed" in done.content
    assert [row for row in listed(await carl.sends("preset list")) if row[0] != " "] == ["mine  9 9", "other  1 1"]
    assert [row for row in listed(await dora.sends("preset list")) if row[0] != " "] == ["hers  5 4"]


async def test_an_invisible_name_of_a_preset_is_refused(discord: FakeDiscord, bot: Client) -> None:
    for name in ["\u3164\u3164", "a\u115f", "kyiv\uffa0"]:
        refused = await discord.member("Alice").sends("preset save", name=name, matchup="12 9")
        assert refused.private
        assert "Names are one word" in refused.content


async def test_a_name_of_piled_marks_is_refused_and_an_old_one_works(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, pile = discord.member("Alice"), "ka" + "\u0903" * 20
    assert "Names are one word" in (await alice.sends("preset save", name=pile, matchup="12 9")).content
    old = Setup(pile, "12 9", str(alice.id), "Alice", datetime(2026, 11, 20, tzinfo=UTC))
    await services.store.save(f"guild:{discord.guild.id}", old, 9, manages=False)
    assert line_of(await alice.sends("battle", matchup=pile)) == "12 9"
    assert line_of(await alice.sends("preset show", name=pile)) == "12 9"
    assert "Renamed" in (await alice.sends("preset rename", name=pile, new="kai")).content
    assert "Saved `ကြောင်း`" in (await alice.sends("preset save", name="ကြောင်း", matchup="12 9")).content


async def test_files_of_presets_are_refused_in_public_mentions(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for text in ("preset export", 'preset import {"sandtable": "setups", "version": 1, "setups": []}'):
        told = await alice.says(f"@bot {text}")
        assert told.content == f"Use the slash command `/preset {text.split()[1]}`; the answer is only for you."
        assert not told.buttons
