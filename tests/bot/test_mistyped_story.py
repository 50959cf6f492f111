"""Battles marked as mistyped: by whom, when, how that is shown and logged, and that luck and lists leave them out."""

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.commands.mistyped import DONE, NOT_TYPED, QUESTION, QUESTION_OF_OPEN
from bot.commands.presses import MARKED
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.live import fair
from bot.live.fair import problems
from bot.request import Request, Services
from bot.store.battles import Battles
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.duels import Table
from tests.helpers.bot.lines import check
from tests.helpers.bot.live_battles import (
    BACK,
    LIVE,
    MISTYPED,
    OVER,
    TYPED,
    first_line,
    log_of,
    record_of,
    rows,
    types_dice,
    under,
)
from tests.helpers.bot.storm import idle
from tests.helpers.program import LONGEST, until

pytestmark = pytest.mark.usefixtures("quick_frames", "unannounced")

DICE = "6 4 1 vs 5 3"
MARK = "Mark as mistyped"
NOT_YOURS = "Only Alice or a moderator can mark this battle as mistyped."
NOBODY = "No battles here yet. Start one with `/roll 12 9`."


async def marks(person: Person, shown: Shown) -> Shown:
    """What a person is told after the question and the second press."""
    return await person.presses(await person.presses(shown, MISTYPED), MARK)


# What it does ---------------------------------------------------------------------------------------------


async def test_a_mistyped_battle_leaves_luck_and_lists_and_keeps_its_log(
    discord: FakeDiscord, bot: Client, services: Services, tmp_path: Path
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9", opponent=bob), "Roll")
    assert MISTYPED not in shown.labels
    shown = await types_dice(alice, shown, "6 6 6 vs 1 1")
    assert shown.labels == [*LIVE, *TYPED]
    assert "in 1 battle**" in (await alice.sends("luck")).content
    assert under(shown, "battle") in (await bob.sends("history list")).content
    refused = await bob.presses(shown, MISTYPED)
    assert (refused.private, refused.content) == (True, NOT_YOURS)
    before = rows(shown)
    asked = await alice.presses(shown, MISTYPED)
    assert (asked.private, asked.labels) == (True, [MARK])
    assert asked.content.startswith(QUESTION_OF_OPEN)
    told = await alice.presses(asked, MARK)
    assert (told.id, told.private, told.content, told.labels) == (asked.id, True, DONE, [])
    there = await discord.next_edit(shown)
    left = before[-1].partition(" 1 1 ")[2].rpartition(" ")[0].replace(" v ", " against ")
    assert first_line(there) == f"Marked as mistyped by Alice · {left}"
    assert (rows(there), there.labels) == (before, OVER)
    assert "Luckiest roll" not in there.content
    assert (await bob.sends("history list")).content == NOBODY
    assert "no battles yet" in (await alice.sends("luck")).content
    assert "5 dice of 6 sides" in (await alice.sends("history faces")).content, "dice of the bot have fallen"
    checked = await bob.presses(there, "Verify")
    assert "Marked as mistyped: if it was not over, only the log hash in the chat shows" in checked.content
    assert "none is missing" not in checked.content
    log = log_of(checked)
    assert (log["rolls"][-1]["mistyped"], log["rolls"][-1]["side"], len(log["seed"])) == (True, "attacker", 64)
    assert log["rolls"][-1]["hash"][:8] == under(there, "log")
    assert log == log_of(await bob.sends("history export", battle=under(there, "battle")))
    assert problems(log) == check(log) == []
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(log))
    alone = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-I", fair.__file__, str(file)], capture_output=True, check=False
    )
    assert (alone.returncode, b"Marked as mistyped" in alone.stdout) == (0, True)
    await idle(bot)
    record = await record_of(services, there)
    assert (record.battle.turn, record.battle.shown) == (3, 3)


async def test_a_battle_that_is_over_can_be_marked(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    for line, dice in {
        "1 1": "6 vs 1",
        "14 siam > 3 indonesia, 2 new guinea": "6 6 1 vs 1 1",
        "5 bom vs 20": "vs 6 6 6 6 6",
        "3 inf then 2 inf vs 3 inf": "6 6 6 vs 6 6 6",
    }.items():
        shown = await types_dice(alice, await alice.sends("roll", matchup=line, opponent=bob), dice)
        while "Verify" not in shown.labels:
            shown = await alice.presses(shown, "Roll to the end")
        seed, ended = under(await bob.presses(shown, "Verify"), "seed"), (await record_of(services, shown)).battle.ended
        assert (await alice.presses(shown, MISTYPED)).content.startswith(QUESTION), line
        assert (await marks(alice, shown)).content == DONE, line
        there = await discord.next_edit(shown)
        assert first_line(there) == f"Marked as mistyped by Alice · {first_line(shown)}"
        assert there.labels == OVER
        checked = await bob.presses(there, "Verify")
        assert "no problems found" in checked.content, checked.content
        assert under(checked, "seed") == seed
        assert (await record_of(services, there)).battle.ended == ended
    assert (await alice.sends("history list")).content == NOBODY
    again = await alice.presses(there, "Roll again")
    assert again.labels == LIVE


async def test_only_dice_that_were_typed_and_stand_can_be_mistyped(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    begun = await alice.sends("roll", matchup="12 9")
    shown = await types_dice(alice, begun, DICE)
    asked = await alice.presses(shown, MISTYPED)
    shown = await alice.presses(shown, BACK)
    assert shown.labels == LIVE
    late = await alice.presses(asked, MARK)
    assert (late.private, late.content) == (True, NOT_TYPED)
    over = await alice.presses(shown, "Roll to the end")
    assert over.labels == OVER, "dice of the bot are never mistyped"
    refused = await alice.sends("history mistyped", battle=under(over, "battle"))
    assert (refused.private, refused.content) == (True, NOT_TYPED)
    assert not (await record_of(services, over)).battle.mistyped


async def test_a_battle_that_a_moderator_ended_can_be_marked(discord: FakeDiscord, bot: Client) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    await asyncio.wait_for(bot.catching_up.caught_up.wait(), LONGEST)
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9"), DICE)
    await boss.sends("history end", battle=under(shown, "battle"))
    shown = await discord.next_edit(shown)
    assert shown.labels == [*OVER, MISTYPED]
    await marks(alice, shown)
    shown = await discord.next_edit(shown)
    assert first_line(shown) == "Marked as mistyped by Alice · Ended by a moderator · 12 against 7"
    log = log_of(await alice.presses(shown, "Verify"))
    assert (log["ended"], log["rolls"][-1]["mistyped"]) == ("moderator", True)
    assert problems(log) == check(log) == []


async def test_a_private_battle_is_marked_in_its_own_message(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9", private=True), DICE)
    there = await marks(alice, shown)
    assert (there.private, there.labels) == (True, OVER)
    assert first_line(there) == "Marked as mistyped by Alice · 12 against 7"
    assert (await record_of(services, there)).battle.mistyped


async def test_without_history_a_mistyped_battle_is_deleted_once_it_was_shown(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    kept = await types_dice(alice, await alice.sends("roll", matchup="1 1"), "6 vs 1")
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9"), DICE)
    await boss.sends("settings", history="off")
    for battle in (shown, kept):
        await marks(alice, battle)
        there = await discord.next_edit(battle)
        assert "Marked as mistyped by Alice" in there.content
        await idle(bot)
        record = await services.store.battles.find(under(there, "battle"))
        assert (record is None) == (battle is shown), "what ended before stays"
        if record is None:
            assert problems(log_of(there)) == []


# Who may ---------------------------------------------------------------------------------------------------


async def test_a_moderator_marks_with_the_button_or_the_command(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    xena = discord.member("Xena")
    for way in ("button", "command"):
        shown = await types_dice(alice, await alice.sends("roll", matchup="12 9"), DICE)
        assert (await xena.presses(shown, MISTYPED)).content == NOT_YOURS
        assert (await xena.sends("history mistyped", battle=under(shown, "battle"))).content == NOT_YOURS
        if way == "button":
            await marks(boss, shown)
        else:
            told = await boss.sends("history mistyped", battle=under(shown, "battle"))
            assert (told.private, told.labels) == (True, OVER)
        there = await discord.next_edit(shown)
        assert first_line(there) == "Marked as mistyped by Boss · 12 against 7"
        assert (await record_of(services, there)).entries[-1]["moderator"] is True
        checked = await xena.presses(there, "Verify")
        assert "no problems found" in checked.content
        assert "A moderator marked it, which nobody can check." in checked.content
    nameless = await alice.sends("history mistyped", battle=" ")
    assert nameless.content == "Which battle? `/history list` shows their names."


async def test_a_battle_is_marked_in_words(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, xena = discord.member("Alice"), discord.member("Xena")
    shown = await types_dice(alice, await alice.sends("roll", matchup="1 1"), "6 vs 1")
    name = under(shown, "battle")
    assert (await xena.says(f"@bot history mistyped {name}")).content == NOT_YOURS
    told = await alice.says(f"@bot history mistyped {name}")
    there = await discord.next_edit(shown)
    assert told.content == there.content
    assert first_line(there).startswith("Marked as mistyped by Alice · ")
    assert (await alice.says(f"@bot history mistyped {name}")).content == MARKED
    assert "no problems found" in (await alice.says(f"@bot verify {name}")).content


async def test_a_mark_stays_without_the_name_of_who_made_it(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await types_dice(alice, await alice.sends("roll", matchup="1 1", opponent=bob), "6 vs 1")
    await marks(alice, shown)
    await discord.next_edit(shown)
    await alice.sends("history forget")
    opened = await bob.sends("history open", battle=under(shown, "battle"))
    assert first_line(opened).startswith("Marked as mistyped by someone · ")


async def begun(services: Services, line: str, dice: str, **given: str) -> Table:
    """A battle of Alice, 1, in which she has typed the dice of the first roll."""
    table = Table(services)
    await table.begin(line, **given)
    await table.presses("1", "real dice", dice=dice)
    return table


async def presses(table: Table, user: str, command: str) -> str:
    """What somebody is told who presses, as one of the players or as a moderator."""
    asked = await table.press("3" if user == BOSS else user, command, dice=DICE)
    return await table.answer(replace(asked, moderates=user == BOSS), table.services)


async def has_mark(table: Table) -> bool:
    """Whether a battle is marked; its log is right."""
    record = await table.record()
    assert "no problems found" in await table.verify()
    assert [bool(entry.get("mistyped")) for entry in record.entries].count(True) == record.battle.mistyped
    return record.battle.mistyped


BOSS = "a moderator"
ALONE, OPEN = {"opponent": ""}, {"opponent": "", "open": "yes"}
WAVES = "3 inf 1 arm vs 1 inf then hold 3 inf loss:arm,inf"


@pytest.mark.parametrize(
    ("line", "dice", "given", "user", "hours", "may"),
    [
        ("12 9", DICE, {}, "1", 0, True),
        ("12 9", DICE, {}, "2", 23, False),
        ("12 9", DICE, {}, "3", 0, False),
        ("12 9", DICE, {}, BOSS, 0, True),
        ("12 9", DICE, {}, "2", 24, True),
        ("12 9", DICE, {}, "3", 24, False),
        ("1 1", "6 vs 1", {}, "1", 24, True),
        ("1 1", "6 vs 1", {}, "2", 24, False),
        ("12 9", DICE, ALONE, "1", 0, True),
        ("12 9", DICE, ALONE, "2", 24, False),
        ("12 9", DICE, OPEN, "1", 0, True),
        ("12 9", DICE, OPEN, "2", 0, False),
        ("12 9", DICE, OPEN, BOSS, 0, True),
        (WAVES, "1 6 6 6 vs 6", {}, "1", 0, True),
        (WAVES, "1 6 6 6 vs 6", {}, "2", 0, False),
    ],
)
async def test_the_attacker_and_moderators_may_mark(
    services: Services, line: str, dice: str, given: dict[str, str], user: str, hours: float, may: bool
) -> None:
    table = await begun(services, line, dice, **given)
    table.after(hours)
    for command in ("ask mistyped", "mistyped"):
        assert (NOT_YOURS in await presses(table, user, command)) == (not may)
    assert await has_mark(table) == may
    if may:
        for command in ("mistyped", "ask mistyped", "roll on", "take back", "retreat", "real dice"):
            assert MARKED in await presses(table, "1", command)


async def test_whoever_can_retreat_marks_a_battle_without_rights(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.live._rights", lambda *_: None)
    for given in ({}, ALONE):
        table = await begun(services, "12 9", DICE, **given)
        assert NOT_YOURS in await presses(table, "2", "mistyped")
        assert NOT_YOURS not in await presses(table, "1", "mistyped")
        assert await has_mark(table)
    for given in ({}, ALONE):
        table = await begun(services, "12 9", DICE, **given)
        for user in ("1", "2"):
            await run(Request("history forget", user, "", "guild:1"), services)
        await presses(table, "3", "mistyped")
        assert await has_mark(table)


async def test_the_other_player_marks_for_a_forgotten_attacker(services: Services) -> None:
    table = await begun(services, "12 9", DICE)
    await run(Request("history forget", "1", "Alice", "guild:1"), services)
    assert "or a moderator can mark" in await presses(table, "3", "mistyped")
    await presses(table, "2", "mistyped")
    assert (await table.entries())[-1]["forgotten"] is True
    assert await has_mark(table)


# At once ---------------------------------------------------------------------------------------------------


async def test_of_many_marks_at_once_a_battle_keeps_one(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, boss = discord.member("Alice"), discord.member("Boss", manage_guild=True)
    for line, dice in (("12 9", DICE), ("1 1", "6 vs 1")):
        shown = await types_dice(alice, await alice.sends("roll", matchup=line), dice)
        asked = [(person, await person.presses(shown, MISTYPED)) for person in (alice, boss)]
        pressed = [person.begins_pressing(question, MARK) for person, question in asked for _ in range(3)]
        told = await asyncio.gather(*(press.answered() for press in pressed))
        await discord.next_edit(shown)
        await idle(bot)
        assert sorted({one.content for one in told}) == sorted({DONE, MARKED})
        record = await record_of(services, shown)
        assert [entry.get("mistyped") for entry in record.entries] == [None, True]
        assert len(record.players) == 1 + ("moderator" in record.entries[-1])
        assert "no problems found" in (await alice.sends("verify", battle=record.battle.id)).content


@pytest.mark.parametrize("first", ["mark", "roll"])
async def test_of_a_mark_and_a_roll_at_once_the_mark_is_last(
    discord: FakeDiscord, bot: Client, services: Services, first: str
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9", open=True), DICE)
    asked = await alice.presses(shown, MISTYPED)
    presses = [(alice, asked, MARK), (bob, shown, "Roll")]
    presses = presses if first == "mark" else presses[::-1]
    pressed = [person.begins_pressing(where, label) for person, where, label in presses]
    await asyncio.gather(*(press.answered() for press in pressed))
    await until(lambda: "Marked as mistyped by Alice" in discord.messages[shown.id].content)
    await idle(bot)
    entries = (await record_of(services, shown)).entries
    assert [entry.get("mistyped") for entry in entries] in ([None, True], [None, None, True])
    assert discord.messages[asked.id].content == DONE
    assert "no problems found" in (await bob.sends("verify", battle=under(shown, "battle"))).content


async def test_a_roll_between_the_question_and_the_mark_stays(
    discord: FakeDiscord, bot: Client, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await types_dice(alice, await alice.sends("roll", matchup="12 9", open=True), DICE)
    asked = await alice.presses(shown, MISTYPED)
    real, name = Battles.mark_mistyped, under(shown, "battle")

    async def rolls_first(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(Battles, "mark_mistyped", real)
        await bob.presses(shown, "Roll")
        return await real(*given, **named)

    monkeypatch.setattr(Battles, "mark_mistyped", rolls_first)
    assert (await alice.presses(asked, MARK)).content == DONE
    entries = (await record_of(services, shown)).entries
    assert [entry.get("mistyped") for entry in entries] == [None, None, True]
    assert "no problems found" in (await alice.sends("verify", battle=name)).content


async def test_a_mark_sent_twice_counts_once(services: Services) -> None:
    table = await begun(services, "12 9", DICE)
    asked = await table.press("1", "mistyped")
    assert await table.answer(asked, services) == await table.answer(asked, services)
    assert await has_mark(table)


async def test_a_question_is_answered_after_a_restart(discord: FakeDiscord, services: Services) -> None:
    alice = discord.member("Alice")
    async with discord.running(Client(services)):
        shown = await types_dice(alice, await alice.sends("roll", matchup="12 9"), DICE)
        asked = await alice.presses(shown, MISTYPED)
    async with discord.running(Client(services)):
        await alice.presses(asked, MARK)
        there = await discord.next_edit(shown)
    async with discord.running(Client(services)):
        opened = await alice.sends("history open", battle=under(shown, "battle"))
        assert (opened.content, opened.labels) == (there.content, OVER)
