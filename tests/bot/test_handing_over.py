"""Updates without silence: a new process takes over shards while people go on, and each event is answered once."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.background import cancel
from bot.discord_app.gateway.handing_over import HandingOver
from bot.errors import UserError
from bot.settings import Shards
from bot.store import owners
from bot.store.database import open_store
from bot.store.owners import LockTakenError, ShardLocks, hold_shards
from tests.fake_discord import BUSY, FakeDiscord, Guild, Person, Shown
from tests.helpers import servers
from tests.helpers.bot.broken_databases import hang_up
from tests.helpers.bot.live_battles import under
from tests.helpers.bot.rolled_battles import found
from tests.helpers.extent import pick
from tests.helpers.program import AS_THEY_ARE, LONGEST, Program, program, until

NEW = "discord --take-over"
PATIENT = {"bot.work.shared_cache.LONGEST_WAIT": LONGEST}
"""Redis may be as slow as everybody on a busy machine."""


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(shards=2, slack=BUSY) as fake:
        yield fake


class Player:
    """Somebody who rolls a long battle, and asks in between, until told to stop."""

    def __init__(self, person: Person, shown: Shown) -> None:
        self.person, self.shown = person, shown
        self.battle = under(shown, "battle")
        self.rolls = self.asked = 0

    async def play(self, enough: asyncio.Event) -> None:
        while not enough.is_set():
            self.shown = await self.person.presses(self.shown, "Roll")
            self.rolls += 1
            assert "79.0%" in (await self.person.says("@bot 12 9")).content
            assert (await self.person.types("battle", matchup="12 9"))[0].value == "12 9"
            assert "79.0%" in (await self.person.sends("battle", matchup="12 9")).content
            self.asked += 1

    async def goes_on(self) -> None:
        """Wait for some more rounds."""
        rolls = self.rolls
        await until(lambda: self.rolls >= rolls + 2)


async def begin(discord: FakeDiscord, tables: Sequence[Guild]) -> list[Player]:
    people = [discord.member(f"P{number}", guild=tables[number % 2]) for number in range(4)]
    return [Player(person, await person.sends("roll", matchup="400 400")) for person in people]


async def ended(process: Program) -> str:
    """Wait until a process has ended in order, and return its log."""
    _, told = await asyncio.wait_for(process.communicate(), LONGEST)
    log = told.decode()
    assert process.returncode == 0, log
    assert "closed in order" in log
    assert [line for line in log.splitlines() if any(word in line for word in ("WARNING", "ERROR", "Error"))] == []
    return log


async def check(discord: FakeDiscord, players: Sequence[Player], database: str) -> None:
    """Each press is one roll, and each message has one answer."""
    async with open_store(database) as store:
        for player in players:
            record = await found(store.battles, player.battle)
            assert record.battle.turn == player.rolls
            assert [roll.n for roll in record.rolls] == list(range(1, player.rolls + 1))


@pytest.mark.parametrize("shards", pick(["0-1/2"], ["0-1/2", ""]))
async def test_a_new_process_takes_over_while_people_go_on(
    discord: FakeDiscord, tables: list[Guild], shared: str, redis: servers.Redis, tmp_path: Path, shards: str
) -> None:
    given = {"SANDTABLE_DATABASE": shared, "SANDTABLE_REDIS": redis.address, "SANDTABLE_SHARDS": shards}
    enough = asyncio.Event()
    async with program(discord.token, tmp_path / "old", discord, PATIENT, **given) as old:
        await discord.ready()
        players = await begin(discord, tables)
        async with asyncio.TaskGroup() as playing:
            games = [playing.create_task(player.play(enough)) for player in players]
            async with program(discord.token, tmp_path / "new", discord, PATIENT, NEW, **given) as new:
                log = await ended(old)
                assert all(f"shard {shard} is handed over" in log for shard in ((0, 1) if shards else (0,)))
                await asyncio.gather(*(player.goes_on() for player in players))
                enough.set()
                await asyncio.gather(*games)
                new.terminate()
                log = await ended(new)
                assert all(f"shard {shard} is taken over" in log for shard in ((0, 1) if shards else (0,)))
    assert discord.gateway.identified == 4
    await check(discord, players, shared)


# The steps, one by one


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a step looks often."""
    monkeypatch.setattr(owners, "EVERY", 0.02)
    monkeypatch.setattr(owners, "RETRY_EVERY", 0.01)
    monkeypatch.setattr(owners, "LINGER", 0.05)


@asynccontextmanager
async def holder(address: str, takes_over: bool = False) -> AsyncIterator[tuple[ShardLocks, list[int], asyncio.Event]]:
    """The locks of a process with two shards, the shards on which it has hung up, and whether it is told to end."""
    gone, told = list[int](), asyncio.Event()

    async def hang_up(shard: int) -> None:
        gone.append(shard)

    async with hold_shards(address, "ours", Shards(0, 1, 2), told.set, takes_over) as locks:
        locks.hang_up = hang_up
        yield locks, gone, told


@pytest.mark.usefixtures("quick")
async def test_shards_change_hands_one_by_one(shared: str) -> None:
    async with holder(shared) as (old, gone, told), holder(shared, takes_over=True) as (new, _, _):
        assert [(old.shares(n), old.ignores(n)) for n in (0, 1)] == [(True, False)] * 2
        assert [(new.shares(n), new.ignores(n)) for n in (0, 1)] == [(False, True)] * 2
        await asyncio.wait_for(new.take_over(1), LONGEST)
        assert gone == [1]
        assert not told.is_set()
        assert [(new.shares(n), new.ignores(n)) for n in (0, 1)] == [(False, True), (True, False)]
        await asyncio.wait_for(new.take_over(0), LONGEST)
        assert gone == [1, 0]
        await asyncio.wait_for(told.wait(), LONGEST)
        with pytest.raises(LockTakenError, match="runs shard 0 of 2 of this bot already"):
            await ShardLocks(shared, "ours", Shards(0, 1, 2)).take()
    async with holder(shared):
        pass


@pytest.mark.usefixtures("quick")
async def test_a_process_that_ends_before_it_is_connected_changes_nothing(
    shared: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with holder(shared) as (old, gone, told):
        for _ in range(2):
            async with holder(shared, takes_over=True):
                assert old.shares(0)
            await until(lambda: caplog.text.count("the process that was about to take over shard 1 has ended") > 0)
            caplog.clear()
        assert (gone, told.is_set()) == ([], False)
        assert old.shares(0), "what that process heard may be claimed by now"


@pytest.mark.usefixtures("quick")
async def test_an_old_process_that_ends_leaves_its_shards_to_the_new(shared: str) -> None:
    old = ShardLocks(shared, "ours", Shards(0, 1, 2))
    await old.take()
    watching = asyncio.create_task(old.watch(lambda: None))
    async with holder(shared, takes_over=True) as (new, _, told):
        await cancel(watching)
        await old.release()
        await asyncio.wait_for(asyncio.gather(new.take_over(0), new.take_over(1)), LONGEST)
        assert not told.is_set()


@pytest.mark.usefixtures("quick")
async def test_a_lost_connection_is_made_again_during_a_takeover(shared: str) -> None:
    async with holder(shared) as (_, gone, told), holder(shared, takes_over=True) as (new, _, _):
        await hang_up(shared)
        await asyncio.wait_for(asyncio.gather(new.take_over(0), new.take_over(1)), LONGEST)
        await asyncio.wait_for(told.wait(), LONGEST)
        assert sorted(gone) == [0, 1]


async def test_a_process_that_cannot_hand_over_is_left_alone(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "LONGEST_OFFER", 0.05)
    old = ShardLocks(shared, "ours", None)
    await old.take()  # and looks at nobody, as versions do that cannot hand over
    with pytest.raises(LockTakenError, match="runs this bot already and does not hand it over"):
        async with hold_shards(shared, "ours", None, lambda: None, takes_over=True):
            pass
    await old.release()


async def test_take_over_is_refused_with_sqlite(discord: FakeDiscord, tmp_path: Path) -> None:
    async with program(discord.token, tmp_path, discord, AS_THEY_ARE, NEW) as process:
        _, told = await asyncio.wait_for(process.communicate(), LONGEST)
    assert process.returncode == 78
    assert "--take-over needs PostgreSQL: an SQLite file has one process. End the other one first." in told.decode()


class Heard:
    """A process that hears events, with locks that a test sets and a database that may be away."""

    def __init__(self) -> None:
        self.services = self.store = self.user = self
        self.id = 7
        self.shared = self.ignored = self.coming = self.away = False
        self.claimed: set[int] = set()
        self.parsed: list[str] = []
        self.has_equals = self.wants_shards = False
        self.hang_up: Any = None
        self.handing_over = HandingOver(self, self, self.done)  # type: ignore[arg-type]
        self.parsers: dict[str, Any] = dict.fromkeys(("INTERACTION_CREATE", "MESSAGE_CREATE"), self.parse)
        self.handing_over.listen(self.parsers)

    async def done(self) -> None:
        raise AssertionError

    def parse(self, event: dict[str, Any]) -> None:
        self.parsed.append(event.get("id", ""))

    async def hears(self, kind: str, event: dict[str, Any]) -> list[str]:
        """Hear an event, and return what is answered."""
        self.parsed = []
        self.parsers[kind](event)
        while self.handing_over._claims:
            await asyncio.wait(self.handing_over._claims)
        return self.parsed

    async def message(self, number: str, **more: Any) -> list[str]:
        return await self.hears("MESSAGE_CREATE", {"id": number, "mentions": [{"id": "7"}], "guild_id": "1", **more})

    async def interaction(self, number: str, kind: int = 2) -> list[str]:
        return await self.hears("INTERACTION_CREATE", {"id": number, "type": kind})

    def shard_of(self, place: str) -> int:
        return int(place.partition(":")[2]) >> 22

    def shares(self, _shard: int) -> bool:
        return self.shared

    def ignores(self, _shard: int) -> bool:
        return self.ignored

    def is_coming(self, _shard: int) -> bool:
        return self.coming

    async def claim_once(self, event: int) -> bool:
        if self.away:
            raise UserError("away")
        first = event not in self.claimed
        self.claimed.add(event)
        return first


async def test_a_single_process_answers_each_event() -> None:
    process = Heard()
    assert await process.message("1", mentions=[]) == ["1"]
    assert await process.interaction("2") == ["2"]
    assert await process.hears("MESSAGE_CREATE", {"no": "id"}) == [""], "discord.py says what is wrong with it"
    assert process.claimed == set()


async def test_a_process_ignores_the_events_of_a_shard_held_elsewhere() -> None:
    process = Heard()
    process.ignored = True
    assert [await process.message("1"), await process.interaction("2")] == [[], []]


@pytest.mark.parametrize("coming", [True, False])
async def test_of_two_processes_a_single_process_answers(coming: bool) -> None:
    process = Heard()
    process.shared, process.coming = True, coming
    assert [await process.message("1"), await process.message("1"), await process.interaction("2")] == [
        ["1"],
        [],
        ["2"],
    ]
    assert await process.message("3", mentions=[], guild_id=None) == ["3"], "a direct message"
    assert process.claimed == {1, 2, 3}
    await process.message("4", mentions=[{"id": "8"}])
    assert process.claimed == {1, 2, 3}, "what people write to one another is nobody's"
    process.away = True
    assert await process.message("5") == ([] if coming else ["5"]), "nobody can claim it, and the old process has it"
