"""Live battles in bad weather: crowds that press at once, refusals, lost connections, restarts, kills."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.discord_app import catching_up, frames
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.store.records import BattleRecord
from bot.work.engine import Engine
from tests.fake_discord import BUSY, FakeDiscord, Person, Shown
from tests.helpers.bot.storm import (
    CALLBACK,
    CHANNEL,
    ORIGINAL,
    Storm,
    battle_in,
    bot_on,
    database_of,
    draw_dots,
    idle,
    unshown,
)
from tests.helpers.extent import pick
from tests.helpers.program import until

BATTLES = pick(14, 100)
LINES = (
    *("12 9", "6 4", "8 6 bombers:1 dcapitals:1", "5 4 icons:AAD,ADD,A,D,-,-", "14 > 4 > 3 leave:1", "9 5 stop:3"),
    *("2 inf 1 fig vs 2 inf 1 aa", "2 sub 1 des vs 1 cru 1 sub", "3 inf vs 2 inf then 2 arm"),
)


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    """A Discord that spends no time on comparing thousands of requests with its description."""
    async with FakeDiscord(openapi=False, slack=BUSY) as fake:
        yield fake


@pytest.fixture(autouse=True)
def quick(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pictures, a Discord that likes more changes of a message than the real one, and soon another look."""
    draw_dots(monkeypatch)
    monkeypatch.setattr(frames, "GAP", 0.05)
    monkeypatch.setattr(catching_up, "EVERY", 0.5)
    monkeypatch.setattr(catching_up, "QUIET", timedelta(seconds=1))
    monkeypatch.setattr(frames, "WAITS", (0.05,) * 8)


@pytest.fixture
async def services(settings: Settings) -> AsyncIterator[Services]:
    """To look at the database once the bot has left."""
    async with open_store(database_of(settings)) as store, Engine(settings, ROOMS, processes=False) as worker:
        yield Services(settings, worker, lambda: store, ROOMS)


def tables(discord: FakeDiscord) -> list[tuple[list[Person], dict[str, Any]]]:
    """Battles to be: who presses in each, the first of whom begins, and with which options."""
    seats: list[tuple[list[Person], dict[str, Any]]] = []
    for number in range(BATTLES):
        line = {"matchup": LINES[number % len(LINES)]}
        a, b = discord.member(f"A{number}"), discord.member(f"B{number}")
        match number % 10:
            case 0:
                seats.append(([a], {**line, "private": True}))
            case 1:
                seats.append(([discord.stranger(f"S{number}", group=number % 20 == 1, guild=number % 20 != 1)], line))
            case 2:
                seats.append(([discord.stranger(f"S{number}")], line))
            case 3 | 4 | 5:
                seats.append(([a, b, discord.member(f"C{number}")], {**line, "open": True}))
            case _:
                seats.append(([a, b], {**line, "opponent": b}))
    return seats


async def test_battles_at_once_lose_and_double_nothing(
    discord: FakeDiscord, settings: Settings, services: Services
) -> None:
    storm, seats, stranger = Storm(discord), tables(discord), discord.member("Mallory")
    async with bot_on(discord, settings):
        shown = []
        for some in range(0, len(seats), 20):
            asked = [people[0].begins("roll", **options) for people, options in seats[some : some + 20]]
            shown += [await question.answered() for question in asked]
        fights = [
            asyncio.create_task(storm.fight(number, message, people, _beside(message, people, stranger), 5))
            for number, (message, (people, _)) in enumerate(zip(shown, seats, strict=True))
        ]
        discord.limit_next(CALLBACK, retry_after=0.1, times=20)
        discord.fail_next(CALLBACK, status=502, times=5)
        await storm.blows(3 * BATTLES // 2, fights)
        await discord.drop_gateway()
        await storm.blows(BATTLES // 2, fights)
    storm.lose()
    async with bot_on(discord, settings):
        discord.limit_next(ORIGINAL, retry_after=0.1, times=10)
        discord.limit_rate(CHANNEL, limit=5, per=0.2)
        await storm.blows(BATTLES, fights)
        await discord.invalidate_session()
        await discord.ready()
        storm.lose()
        await storm.blows(BATTLES, fights)
    discord.take_back_faults(ORIGINAL)
    storm.lose()
    async with bot_on(discord, settings) as bot:
        storm.open.set()
        await asyncio.gather(*fights)
        await until(lambda: not unshown(database_of(settings)))
        await idle(bot)
        seats.append(([late := discord.member("Late")], {}))
        shown.append(await _rolled_unseen(storm, late))
        await idle(bot)
        records = await storm.check(services)
        behind = await storm.behind(records, services)
        assert shown[-1].id in [message.id for message in behind]
        begun_by = {battle_in(message.content): people[0] for message, (people, _) in zip(shown, seats, strict=True)}
        for message in behind:
            # Where the bot can change nothing by itself, the next press catches up, and rolls nothing.
            assert message.private or message.channel_id != discord.guild.channel.id
            await begun_by[battle_in(message.content)].presses(message, "Roll")
            await idle(bot)
    assert _fought(await storm.check(services)) == _fought(records)
    assert await storm.behind(records, services) == []
    assert len(records) == len(seats)
    assert sum(record.battle.turn for record in records) > 2 * BATTLES
    assert {200, 404, 429, 502} <= {request.status for request in discord.requests}


def _beside(message: Shown, people: list[Person], stranger: Person) -> Person:
    """Somebody else who sees the message, or where there is nobody else one of these."""
    return stranger if stranger.channel is people[0].channel and not message.private else people[0]


async def _rolled_unseen(storm: Storm, person: Person) -> Shown:
    """A battle that is behind: the press came too late for an answer, and the bot edits nothing private by itself."""
    shown = await person.sends("roll", matchup="12 9", private=True)
    press = storm.press(person, shown, "Roll", late=3.5)
    await until(lambda: bool(press.asked.history))
    return shown


def _fought(records: list[BattleRecord]) -> list[BattleRecord]:
    """All of these battles but which frame was shown."""
    return [record._replace(battle=record.battle._replace(shown=0)) for record in records]
