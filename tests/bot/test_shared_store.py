"""One PostgreSQL for several processes: nothing is lost, doubled or over a limit, and its restarts are survived."""

import asyncio
import logging
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, text

from bot.errors import UserError
from bot.store import postgres as database_server
from bot.store.database import MOST_CONNECTIONS, Store, open_store
from bot.store.records import FullError
from bot.store.tables import metadata
from bot.store.unopened import revisions
from tests.helpers import servers
from tests.helpers.bot.broken_databases import hang_up
from tests.helpers.bot.rolled_battles import ALICE, check_chain, fought, found, roll
from tests.helpers.bot.setups import setup
from tests.helpers.program import until
from tests.helpers.silent_link import silent_link

TIMES = 20


async def test_a_limit_holds_for_all_processes_together(shared: str) -> None:
    async with open_store(shared) as one, open_store(shared) as two:
        saves = (
            store.save("guild:1", setup(f"{name}{number}"), 5, manages=False)
            for number in range(TIMES)
            for name, store in (("a", one), ("b", two))
        )
        results = await asyncio.gather(*saves, return_exceptions=True)
        assert sum(isinstance(result, FullError) for result in results) == 2 * TIMES - 5
        assert len(await one.setups("guild:1")) == 5
        begun = await asyncio.gather(
            *(store.battles.begin(fought(f"{name}aaaaaaa"), [ALICE], 3) for name in "1234" for store in (one,)),
            *(store.battles.begin(fought(f"{name}bbbbbbb"), [ALICE], 3) for name in "1234" for store in (two,)),
            return_exceptions=True,
        )
        assert sum(result is True for result in begun) == 3
        assert sum(isinstance(result, FullError) for result in begun) == 5


async def test_two_writers_of_presets_at_once_lose_no_half_change(shared: str) -> None:
    async with open_store(shared) as one, open_store(shared) as two:
        for _ in range(TIMES):
            before = await one.setups("guild:1")
            taken = await asyncio.gather(
                one.put_all("guild:1", before, [setup("alamo", "1 1"), setup("kiev", "1 1")]),
                two.put_all("guild:1", before, [setup("alamo", "2 2"), setup("kiev", "2 2")]),
            )
            assert sorted(taken) == [False, True]
            assert len({kept.line for kept in await two.setups("guild:1")}) == 1, "all of one of them"
            await asyncio.gather(
                *(
                    store.save("guild:1", setup("alamo", line), 9, manages=False)
                    for store in (one, two)
                    for line in "34"
                ),
                *(store.set_fact("commands", line) for store in (one, two) for line in "34"),
                *(store.set_settings("guild:1", {"history": line}) for store in (one, two) for line in "34"),
            )
            assert [kept.name for kept in await one.setups("guild:1")] == ["alamo", "kiev"]
        renamed = await asyncio.gather(
            one.change("guild:1", "alamo", "1", False, name="odessa"),
            two.change("guild:1", "kiev", "1", False, name="odessa"),
            return_exceptions=True,
        )
        assert sorted(type(result).__name__ for result in renamed) == ["Setup", "TakenError"]


async def test_presses_from_two_processes_count_each_roll_and_face_once(shared: str) -> None:
    async with open_store(shared) as one, open_store(shared) as two:
        await one.battles.begin(fought(), [ALICE], 500)
        await two.battles.begin(fought("bbbbbbbb"), [ALICE], 500)
        for turn in range(TIMES // 4):
            pressed = await asyncio.gather(
                *(roll(store.battles, name, turn) for store in (one, two) for name in ("aaaaaaaa", "bbbbbbbb") * 3),
                *(store.battles.mark_seen(name, turn) for store in (one, two) for name in ("aaaaaaaa", "bbbbbbbb")),
                two.cleaning.erase("5"),
            )
            assert sum(result is True for result in pressed[:12]) == 2
        for name in ("aaaaaaaa", "bbbbbbbb"):
            check_chain(await found(one.battles, name))
        assert await two.battles.faces("guild:1") == {6: dict.fromkeys((4, 5, 6), 2 * (TIMES // 4))}


@pytest.mark.whole
async def test_a_rush_from_two_processes_has_no_deadlock(shared: str) -> None:
    ids = [f"battle{number:02}" for number in range(2 * TIMES)]
    async with open_store(shared) as one, open_store(shared) as two:
        stores = one, two
        await asyncio.gather(
            *(stores[n % 2].battles.begin(fought(name), [ALICE._replace(user=name)], 500) for n, name in enumerate(ids))
        )
        for turn in range(3):
            pressed = await asyncio.gather(
                *(roll(store.battles, name, turn) for name in ids for store in stores),
                *(stores[turn % 2].battles.mark_seen(name, turn) for name in reversed(ids)),
                *(store.battles.begin(fought(f"{store is one}-{turn}"), [ALICE], 500) for store in stores),
                *(store.cleaning.erase(ids[turn]) for store in stores),
                *(store.save("guild:1", setup("kiev", "1 1"), 9, manages=False) for store in stores),
            )
            assert sum(result is True for result in pressed[: 2 * len(ids)]) == len(ids)
        for name in ids:
            check_chain(await found(one.battles, name))
        assert await two.battles.faces("guild:1") == {6: dict.fromkeys((4, 5, 6), 3 * len(ids))}


async def test_a_read_of_several_statements_is_a_snapshot(shared: str) -> None:
    async with open_store(shared) as one, open_store(shared) as two:
        async with one.battles._connections.read(several=True) as connection:
            count = text("SELECT count(*) FROM facts")
            assert await connection.scalar(count) == 0
            await two.set_fact("commands", "a")
            assert await connection.scalar(count) == 0
        assert await one.fact("commands") == "a"


async def test_a_single_statement_needs_no_transaction(shared: str) -> None:
    async with open_store(shared) as store:
        driver, connections = await driver_of(store), store.battles._connections
        for begun, opened in (
            (False, connections.read()),
            (True, connections.read(several=True)),
            (False, connections.write(guarded=True, single=True)),
            (True, connections.write(guarded=True)),
            (True, connections.write("guild:1")),
        ):
            async with opened as connection:
                await connection.execute(text("SELECT 1"))
                assert driver.is_in_transaction() is begun


async def test_a_connection_closed_by_the_server_is_replaced(shared: str, caplog: pytest.LogCaptureFixture) -> None:
    async with open_store(shared) as store, open_store(shared) as other:
        driver = await driver_of(store)
        async with other.battles._connections.write(guarded=True) as connection:
            await connection.execute(text(f"SELECT pg_terminate_backend({driver.get_server_pid()})"))
        await until(driver.is_closed)
        assert await store.fact("commands") is None
        await store.set_fact("commands", "a")
    assert "cannot be reached" not in caplog.text


async def test_all_connections_closed_by_the_server_are_replaced_at_once(shared: str) -> None:
    opened: list[Any] = []
    async with open_store(shared) as store:
        engine = store.battles._connections._engines[0].sync_engine
        event.listen(engine, "connect", lambda _adapted, record: opened.append(record.driver_connection))
        for _ in range(3):
            await asyncio.gather(*(store.fact("commands") for _ in range(TIMES)))
            assert len(opened) >= MOST_CONNECTIONS - 1
            await hang_up(shared)
            await until(lambda: all(driver.is_closed() for driver in opened))
            opened.clear()


async def test_silent_connections_are_replaced_after_the_first_timeout(
    postgres: servers.Postgres, shared: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database_server, "LONGEST_ANSWER", 1)
    monkeypatch.setattr(database_server, "LONGEST_CONNECT", 1)
    async with silent_link(postgres.port) as link:
        address = shared.replace(f":{postgres.port}/", f":{link.port}/")
        async with open_store(address) as store:
            await asyncio.gather(*(store.fact("commands") for _ in range(TIMES)))
            assert link.connections > 5
            link.cut()
            with pytest.raises(UserError, match="I can't reach the database right now"):
                await store.fact("commands")
            assert await asyncio.gather(*(store.fact("commands") for _ in range(TIMES))) == [None] * TIMES
            link.cut()
            link.silence()
            for _ in range(2):
                with pytest.raises(UserError, match="I can't reach the database right now"):
                    await store.fact("commands")
            link.speak()
            assert await store.fact("commands") is None
    assert "the database cannot be reached: it does not answer" in caplog.text


async def driver_of(store: Store) -> Any:
    """The driver's connection that a store uses when nobody else does."""
    used: list[Any] = []
    engine = store.battles._connections._engines[0].sync_engine
    event.listen(engine, "checkout", lambda _adapted, record, _proxy: used.append(record.driver_connection))
    await store.fact("commands")
    return used[-1]


async def test_two_starts_at_once_migrate_once(postgres: servers.Postgres) -> None:
    address = postgres.fresh()

    async def start() -> str | None:
        async with open_store(address) as store:
            return await store.fact("commands")

    assert await asyncio.gather(*(start() for _ in range(4))) == [None] * 4

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    async with open_store(address) as store:
        async with store.battles._connections.write() as connection:
            assert await connection.run_sync(differences) == []
            assert (await connection.execute(text("SELECT * FROM alembic_version"))).all() == [(revisions()[-1],)]
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
            await connection.execute(text("UPDATE facts SET value = '9999' WHERE name = 'usable_since'"))
        with pytest.raises(UserError, match="another version of Sandtable"):
            await start()


@pytest.mark.whole
async def test_a_restart_of_the_database_is_a_sentence_and_a_log_line(
    postgres: servers.Postgres, shared: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with open_store(shared) as store:
        await store.battles.begin(fought(), [ALICE], 500)
        for refused in (stopped(postgres, store), store.fact("commands"), store.cleaning.erase("1")):
            with pytest.raises(UserError, match="I can't reach the database right now"):
                await refused
        postgres.start()
        assert await roll(store.battles)
        assert (await found(store.battles)).battle.turn == 1
    assert not [record for record in caplog.records if record.levelno > logging.WARNING]
    told = [record.getMessage() for record in caplog.records if record.name == "bot.store.connections"]
    assert [line.partition(":")[0] for line in told] == [
        "the database cannot be reached",
        "the database answers again",
    ]


async def stopped(server: servers.Postgres, store: Store) -> None:
    """The server ends while somebody writes."""
    async with store.battles._connections.write() as connection:
        server.stop()
        await connection.execute(text("SELECT 1"))


async def test_a_hanging_writer_does_not_block_other_processes_for_long(shared: str) -> None:
    async with open_store(shared) as one, open_store(shared) as two:
        with pytest.raises(UserError, match="I can't reach the database right now"):
            await hanging(one, two)
        await one.save("guild:1", setup("kiev"), 9, manages=False)
        assert len(await two.setups("guild:1")) == 2


async def hanging(one: Store, two: Store) -> None:
    """One begins to write, and does nothing more until the other has written."""
    async with one.battles._connections.write() as connection:
        limit = "idle_in_transaction_session_timeout"
        assert await connection.scalar(text(f"SHOW {limit}")) == database_server.SESSION[limit]
        await connection.execute(text(f"SET LOCAL {limit} = '50ms'"))  # the other must not hurry
        await two.save("guild:1", setup("alamo"), 9, manages=False)
        await connection.execute(text("SELECT 1"))


async def test_an_unusable_database_is_a_sentence_without_its_password(shared: str) -> None:
    for change, sentence in [
        (("/postgres", "/nowhere"), 'cannot be used: database "nowhere" does not exist'),
        (("sandtable:", "somebody:"), 'cannot be used: role "somebody" does not exist'),
        (("127.0.0.1:", "127.0.0.2:"), "cannot be used: [Errno 111] Connect call failed"),
        (("/postgres", "/postgres?sslmode=require"), "rejected SSL upgrade"),
        (("/postgres", "/postgres?sslmode=sometimes"), "sslmode"),
        (("/postgres", "/postgres?color=red"), "says `color`, which is not known"),
    ]:
        with pytest.raises(UserError) as error:
            async with open_store(shared.replace(*change)):
                pass
        assert sentence in error.value.text
        assert "not-needed" not in error.value.text
        assert "not-needed" not in repr(error.value.__cause__)
