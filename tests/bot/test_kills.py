"""The program ends without warning, at every point of a round: what was rolled stays rolled, and is seen."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest

from bot.commands.mistyped import DONE
from bot.commands.presses import MARKED
from bot.discord_app import frames
from bot.games.live import LATE
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings, load
from bot.store.battles import Battles
from bot.store.database import open_store
from bot.work.engine import Engine
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.kills import POINTS, killed
from tests.helpers.bot.live_battles import record_of, types_dice
from tests.helpers.bot.storm import Storm, battle_in, bot_on, database_of, draw_dots, hash_in, idle
from tests.helpers.extent import pick
from tests.helpers.program import LONGEST, program, until

ROLLED = list(POINTS)[3:]
"""From here on there is a roll to lose."""
SENT = list(POINTS)[6:]
KEEP, LOSE, BACK = "Keep these losses", "Lose 1 inf", "Take back"
FALLEN, WRITTEN, UNSENT = list(POINTS)[1], list(POINTS)[3], list(POINTS)[5]
WITHOUT_DICE = pick(
    [(KEEP, WRITTEN), (KEEP, UNSENT), (LOSE, FALLEN), (LOSE, WRITTEN), (BACK, FALLEN), (BACK, WRITTEN)],
    [(label, point) for label in (KEEP, LOSE, BACK) for point in POINTS if "amid" not in point],
)
"""Presses by which no dice fall, so that none are counted, and the points at which they are killed."""
IN_PRIVATE = {*list(POINTS)[1::3]}
"""The points at which a private battle is killed in the short run: of each kind of outcome there are both."""
KILLS = [(point, private) for point in POINTS for private in pick([point in IN_PRIVATE], [False, True])]


@pytest.fixture(autouse=True)
def quick(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pictures, and a Discord that likes more changes of a message than the real one."""
    draw_dots(monkeypatch)
    monkeypatch.setattr(frames, "GAP", 0.05)


@pytest.mark.parametrize(("point", "private"), KILLS)
async def test_a_kill_neither_loses_nor_doubles_a_round(
    discord: FakeDiscord, settings: Settings, tmp_path: Path, point: str, private: bool
) -> None:
    storm, alice, left = Storm(discord), discord.member("Alice"), load(data=tmp_path / "left")
    async with bot_on(discord, settings, goodbye=False) as bot:
        shown = await alice.sends("roll", matchup="12 9", private=private)
        await idle(bot)
        with killed(point, settings.data, left.data) as stopped:
            storm.press(alice, shown, "Roll")
            await asyncio.wait_for(stopped.wait(), LONGEST)
    storm.lose()
    rolled = point in ROLLED
    async with bot_on(discord, left) as bot:
        services = bot.services
        await idle(bot)
        (record,) = await storm.check(services)
        assert record.battle.turn == rolled
        if rolled and not private:
            await until(lambda: hash_in(discord.messages[shown.id].content) == record.battle.head[:8])
            await idle(bot)
        behind = await storm.behind([record], services)
        assert bool(behind) == (rolled and private and point not in SENT)
        again = storm.press(alice, discord.messages[shown.id], "Roll")
        await again.asked.answered()
        await idle(bot)
        (record,) = await storm.check(services)
        assert record.battle.turn == rolled + (not behind)
        assert [told.content for told in again.asked.followups] == ([LATE] if behind else [])
        assert await storm.behind([record], services) == []


@pytest.mark.usefixtures("unannounced")
@pytest.mark.parametrize(("label", "point"), WITHOUT_DICE)
async def test_a_kill_between_a_choice_or_an_undo_and_the_roll_loses_and_doubles_neither(
    discord: FakeDiscord, settings: Settings, tmp_path: Path, label: str, point: str
) -> None:
    storm, alice, bob = Storm(discord), discord.member("Alice"), discord.member("Bob")
    left, who, dice = load(data=tmp_path / "left"), alice if label == BACK else bob, "1 6 6 6 vs 6 6 6 6 6 6"
    async with bot_on(discord, settings, goodbye=False) as bot:
        shown = await alice.sends("roll", matchup="4 inf vs 4 inf 2 arm loss:arm,inf", opponent=bob)
        shown = await types_dice(alice, shown, dice)
        under = await bob.presses(shown, "What should I lose?") if label == LOSE else shown
        await idle(bot)
        with killed(point, settings.data, left.data) as stopped:
            lost = who.begins_pressing(under, label)
            await asyncio.wait_for(stopped.wait(), LONGEST)
    lost.excused = True
    async with bot_on(discord, left) as bot:
        await idle(bot)
        if point not in ROLLED:
            await who.presses(under, label)
        await until(lambda: "Roll" in discord.messages[shown.id].labels)
        await idle(bot)
        await alice.presses(discord.messages[shown.id], "Roll")
        await idle(bot)
        (record,) = await storm.check(bot.services)
        entries = [json.loads(roll.entry) for roll in record.rolls]
        kinds = [next((kind for kind in ("keep", "choice", "undo") if kind in entry), "roll") for entry in entries]
        assert kinds == ["roll", {KEEP: "keep", LOSE: "choice", BACK: "undo"}[label], "roll"]
        assert hash_in(discord.messages[shown.id].content) == record.battle.head[:8]


@pytest.mark.usefixtures("unannounced")
@pytest.mark.parametrize("is_stored", pick([True], [False, True]))
async def test_a_kill_neither_loses_nor_doubles_a_mark(
    discord: FakeDiscord, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    monkeypatch.setitem(POINTS, "at the mark", (Battles, "mark_mistyped", is_stored))
    alice, left = discord.member("Alice"), load(data=tmp_path / "left")
    async with bot_on(discord, settings, goodbye=False) as bot:
        shown = await types_dice(alice, await alice.sends("roll", matchup="1 1"), "6 vs 1")
        asked = await alice.presses(shown, "Mistyped")
        await idle(bot)
        with killed("at the mark", settings.data, left.data) as stopped:
            lost = alice.begins_pressing(asked, "Mark as mistyped")
            await asyncio.wait_for(stopped.wait(), LONGEST)
    lost.excused = True
    async with bot_on(discord, left) as bot:
        if is_stored:
            await until(lambda: "Marked as mistyped by Alice" in discord.messages[shown.id].content)
            await idle(bot)
        assert (await alice.presses(asked, "Mark as mistyped")).content == (MARKED if is_stored else DONE)
        await until(lambda: "Marked as mistyped by Alice" in discord.messages[shown.id].content)
        await idle(bot)
        record = await record_of(bot.services, shown)
        assert [entry.get("mistyped") for entry in record.entries] == [None, True]


@pytest.mark.whole
async def test_repeated_kills_lose_and_double_no_round(discord: FakeDiscord, settings: Settings) -> None:
    """kill -9 at the moment in which Discord gets the third of eight frames, or the fifth: before it can be noted."""
    storm, people = Storm(discord), [discord.member(f"P{number}") for number in range(8)]
    names: list[str] = []
    for frames_sent in (3, 5):
        async with program(discord.token, settings.data, discord) as process:
            await discord.ready()
            names = names or [battle_in((await one.sends("roll", matchup="9 8")).content) or "" for one in people]
            await _caught_up(storm, settings)
            storm.at_edit(frames_sent, process.kill)
            for name, one in zip(names, people, strict=True):
                storm.press(one, storm.shows(name), "Roll")
            await asyncio.wait_for(process.wait(), LONGEST)
            await until(lambda: not discord.gateway.is_ready)
        storm.lose()
    async with program(discord.token, settings.data, discord) as process:
        await discord.ready()
        await _caught_up(storm, settings)
        again = [storm.press(one, storm.shows(name), "Roll") for name, one in zip(names, people, strict=True)]
        for press in again:
            await press.asked.answered()
        process.terminate()
        await asyncio.wait_for(process.communicate(), LONGEST)
    async with open_store(database_of(settings)) as store, Engine(settings, ROOMS, processes=False) as worker:
        services = Services(settings, worker, lambda: store, ROOMS)
        records = await storm.check(services)
        assert await storm.behind(records, services) == []
    assert all(1 <= record.battle.turn <= 3 for record in records)
    assert sum(record.battle.turn for record in records) >= 8 + 3


async def _caught_up(storm: Storm, settings: Settings) -> None:
    """Until every message shows how its battle stands, though nobody presses."""
    async with open_store(database_of(settings)) as store:
        for told in await store.battles.history(f"guild:{storm.discord.guild.id}"):
            head = told.battle.head[:8] if told.battle.turn else ""
            await until(partial(_shows, storm, told.battle.id, head))


def _shows(storm: Storm, battle: str, head: str) -> bool:
    return hash_in(storm.shows(battle).content) == head
