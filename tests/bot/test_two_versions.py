"""An update without silence: processes of two versions answer side by side, and one after the other leaves."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path

import pytest

from bot.background import cancel
from bot.errors import RESTARTING
from bot.languages import LANGUAGES, _, speaking
from bot.store.database import open_store
from bot.store.troubles import TROUBLES
from bot.store.upgrade import revision_at
from tests.fake_discord import BUSY, FakeDiscord
from tests.helpers import servers
from tests.helpers.bot.evening import Errand, Evening
from tests.helpers.bot.evening_check import check
from tests.helpers.bot.evening_errands import battle, manage, past, roll, setups
from tests.helpers.bot.http_bots import http_program, register
from tests.helpers.bot.versions import (
    PATIENT,
    ROOT,
    copy_as_next_version,
    http_in,
    newest_revision,
    unpack_version_before,
)
from tests.helpers.extent import pick
from tests.helpers.program import LONGEST, Program, until

pytestmark = pytest.mark.trial

LOAD: dict[Errand, int] = {roll: 12, setups: 8, battle: 4, past: 1, manage: 1}
"""What people come for during an update, and how often for one another: mostly what writes."""
RATE = pick(10, 20)
"""Commands a second."""
EACH = pick(3, 10)
"""How many interactions each process answers in each part of an update."""


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(openapi=False, slack=BUSY) as fake:
        fake.gateway.heartbeat_ms = 600_000  # see tests/bot/test_faults_of_shards.py
        yield fake


@pytest.fixture
def given(postgres: servers.Postgres, redis: servers.Redis) -> dict[str, str]:
    """What all processes are told: an empty database, and Redis."""
    return {"SANDTABLE_DATABASE": postgres.fresh(), "SANDTABLE_REDIS": redis.address, "SANDTABLE_LOG": "WARNING"}


@asynccontextmanager
async def crowd(discord: FakeDiscord, groups: int = 0) -> AsyncIterator[Evening]:
    """People who ask and press during the block, among them groups that press all the time under one battle each."""
    evening = Evening(discord, LOAD, servers=8, seed=1, rounds=3)
    storm, stranger = evening.storm, discord.member("Mallory")
    fights = []
    for number in range(groups):
        people = [discord.member(f"{name} {number}") for name in ("Alice", "Bob", "Carol")]
        shown = await people[0].sends("roll", matchup="90 90", open=True)
        fights.append(asyncio.create_task(storm.fight(number, shown, people, stranger, 1000)))
    storm.open.set()
    try:
        async with evening.goes_on(RATE):
            yield evening
        storm.open.clear()
        await until(lambda: all(press.asked.response or press.asked.excused for press in storm.presses))
        assert not [fight for fight in fights if fight.done() and fight.exception()]
    finally:
        await cancel(*fights)


@pytest.mark.whole
async def test_an_update_under_load_loses_and_doubles_nothing(
    discord: FakeDiscord, given: dict[str, str], tmp_path: Path
) -> None:
    database, before = given["SANDTABLE_DATABASE"], unpack_version_before(tmp_path / "before")
    async with AsyncExitStack() as stack:
        starts = [stack.enter_async_context(http_in(before, tmp_path / name, discord, **given)) for name in "ab"]
        old, _told = await asyncio.gather(asyncio.gather(*starts), register(discord, tmp_path))
        assert (await revision_at(database)).number == newest_revision(before)
        async with crowd(discord) as evening:
            await have_answered(discord, *(address for _, address, _ in old))
            new, address = await stack.enter_async_context(http_program(tmp_path / "c", discord, PATIENT, **given))
            assert (await revision_at(database)).number == newest_revision(ROOT)
            await have_answered(discord, address, *(address for _, address, _ in old))
            await go_on_with_each_other(evening, old[0][1], address)
            await press_at_once(evening)
            for process, *_rest in old:
                await ends(process)
                await have_answered(discord, address)
        await all_is_shown(database)
        await ends(new)
        _out, told = await new.communicate()
    assert not [*faults(told.decode()), *(line for *_rest, log in old for line in faults(log.read_text()))]
    # The version before told that to people whose work had not begun when it ended: nothing fell by their press.
    await has_lost_nothing(evening, tmp_path, database, RESTARTING)


@pytest.mark.whole
async def test_this_version_can_restart_during_an_update_to_the_next(
    discord: FakeDiscord, given: dict[str, str], tmp_path: Path
) -> None:
    database, after = given["SANDTABLE_DATABASE"], copy_as_next_version(tmp_path / "after")
    await register(discord, tmp_path)
    async with AsyncExitStack() as stack:
        old, before = await stack.enter_async_context(http_program(tmp_path / "a", discord, PATIENT, **given))
        async with crowd(discord, groups=4) as evening:
            await have_answered(discord, before)
            new, address, log = await stack.enter_async_context(http_in(after, tmp_path / "b", discord, **given))
            assert (await revision_at(database)).number == newest_revision(after)
            await have_answered(discord, before, address)
            await ends(old)
            given["SANDTABLE_LOG"] = "INFO"
            again, back = await stack.enter_async_context(http_program(tmp_path / "c", discord, PATIENT, **given))
            await have_answered(discord, address, back)
            await go_on_with_each_other(evening, back, address)
            await ends(new)
            await have_answered(discord, back)
        await all_is_shown(database)
        await ends(again)
        told = [(await process.communicate())[1].decode() for process in (old, again)]
    assert not [line for text in (log.read_text(), *told) for line in faults(text)]
    assert f"newer version of Sandtable (revision {newest_revision(after)}), which this version can use" in told[1]
    await has_lost_nothing(evening, tmp_path, database)


async def go_on_with_each_other(evening: Evening, one: str, other: str) -> None:
    """Begin a battle and save a preset with one process, go on with the other, and the reverse."""
    storm, alice = evening.storm, evening.discord.member("Alice")
    for name, first, second in (("alamo", one, other), ("ukraine", other, one)):
        with at_first(evening.discord, first):
            shown = await alice.sends("roll", matchup="30 30")
            await storm.seen_by(storm.press(alice, shown, "Roll"))
            await alice.sends("preset save", name=name, matchup="12 9")
            evening.setups.confirm(f"guild:{evening.discord.guild.id}", name, "12 9|")
        with at_first(evening.discord, second):
            for label in ("Roll", "Roll to the end"):
                await storm.seen_by(storm.press(alice, evening.now(shown), label))
            assert "12 9" in (await alice.sends("battle", matchup=name)).content
        with at_first(evening.discord, first):
            assert "Verify" in evening.now(shown).labels
            await alice.presses(evening.now(shown), "Verify")


async def press_at_once(evening: Evening) -> None:
    """Somebody presses three times at once under a battle, a few times; each press goes to another process."""
    alice = evening.discord.member("Alice")
    shown = await alice.sends("roll", matchup="40 40")
    for _time in range(4):
        presses = [evening.storm.press(alice, evening.now(shown), "Roll") for _press in range(3)]
        for press in presses:
            await evening.storm.seen_by(press)


@contextmanager
def at_first(discord: FakeDiscord, address: str) -> Iterator[None]:
    """Send all to one process first during the block."""
    turn = discord.doors.turn
    discord.doors.turn = repeat(discord.doors.addresses.index(address))
    try:
        yield
    finally:
        discord.doors.turn = turn


async def have_answered(discord: FakeDiscord, *addresses: str) -> None:
    """Wait until each of these processes has answered EACH more interactions."""
    before = {address: discord.doors.sent.get(address, 0) for address in addresses}
    await until(lambda: all(discord.doors.sent.get(one, 0) >= sent + EACH for one, sent in before.items()))


async def all_is_shown(database: str) -> None:
    """Wait until the messages of all battles show how these stand; what a process left is shown by the others."""
    now = datetime.now(UTC)
    async with asyncio.timeout(LONGEST), open_store(database) as store:
        while True:
            if not await store.battles.list_outdated(now - timedelta(days=1), now):
                return
            await asyncio.sleep(0.1)


async def ends(process: Program) -> None:
    """End a process in order: it may take each of the times of PATIENT, and then has to close what it has open."""
    process.terminate()
    assert await asyncio.wait_for(process.wait(), (len(PATIENT) + 1) * LONGEST) == 0


def faults(log: str) -> list[str]:
    """The lines of a log that tell of a trouble.

    On a busy machine Redis may be too slow for once, a process that ends may leave frames to the others, and people
    delete messages. That all frames are shown in the end is checked apart from that.
    """
    of_no_weight = "as Redis does not answer: it is too slow", "they are called off", "it is shown later"
    return [line for line in log.splitlines() if " INFO " not in line and not any(one in line for one in of_no_weight)]


async def has_lost_nothing(evening: Evening, data: Path, database: str, *allowed: str) -> None:
    """Everybody was answered, nobody was told of a trouble, and what was answered is in the database, once."""
    assert evening.lost == 0
    texts, seen = {RESTARTING, *(one.sentence for one in TROUBLES)} - set(allowed), set()
    for language in LANGUAGES:
        with speaking(language):
            troubles = [_(text) for text in texts]
            seen |= {one.content for one in evening.storm.seen if any(text in one.content for text in troubles)}
    assert not seen
    await check(evening, data, database)
