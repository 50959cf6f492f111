"""Brings the tables of a database up to date, while processes of the version before may go on using them."""

import asyncio
import logging
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.pace import at_pace
from bot.store.postgres import MIGRATES, engine_at, public_name, serialize_writers
from bot.store.tables import facts
from bot.store.troubles import BUSY, cause, explain_refusal, trouble_of
from bot.store.unopened import MIGRATIONS, USABLE_SINCE, Revision, revisions

log = logging.getLogger(__name__)

UPDATING = "the database is brought up to date, to revision %s"
TRY_EVERY = at_pace(0.5)
"""Seconds between two attempts at PostgreSQL, when another process migrates or holds a lock."""


async def bring_up_to_date(where: Path | str, engine: AsyncEngine, name: str) -> None:
    """Migrate a database if needed; UserError if it refuses us, cannot be reached, or is too new."""
    with explain_refusal(name):
        if isinstance(where, Path):
            async with engine.execution_options(immediate=True).begin() as connection:
                if await connection.run_sync(_is_behind):
                    log.info(UPDATING, revisions()[-1])
                    await connection.run_sync(_migrate, False)
        else:
            async with engine.connect() as connection:
                behind = await connection.run_sync(_is_behind)
            if behind:
                await _migrate_postgres(where)


async def revision_at(address: str) -> Revision:
    """Return the revision of the tables at an address of PostgreSQL as they are; UserError if it cannot be reached."""
    engine = engine_at(address)
    try:
        with explain_refusal(public_name(address)):
            async with engine.connect() as connection:
                return await connection.run_sync(_revision)
    finally:
        await engine.dispose()


def _revision(connection: Connection) -> Revision:
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        return Revision(None, None)
    number = connection.scalar(text("SELECT version_num FROM alembic_version"))
    since = select(facts.c.value).where(facts.c.name == USABLE_SINCE)
    return Revision(number, connection.scalar(since) if "facts" in tables else None)


def _is_behind(connection: Connection) -> bool:
    """Whether the database needs a migration; UserError if it is too new."""
    revision = _revision(connection)
    if revision.is_newer():
        log.info(
            "the database is that of a newer version of Sandtable (revision %s), which this version can use too",
            revision.number,
        )
        return False
    return revision.number != revisions()[-1]


async def _migrate_postgres(address: str) -> None:
    """Migrate a database of PostgreSQL when no other process does.

    Others may use it meanwhile, unless it is empty. So each migration is a transaction, which gives up its locks if it
    waits long for another one, and is tried again: others who write wait for a moment only.
    """
    from alembic.script import ScriptDirectory

    # This loads all that the migrations need, so that nobody waits for that later.
    ScriptDirectory(str(MIGRATIONS)).get_current_head()
    engine = engine_at(address, patient=True)
    serialize_writers(engine)
    try:
        async with engine.connect() as connection:
            await _wait_for_turn(connection)
            behind, revision = await connection.run_sync(_is_behind), await connection.run_sync(_revision)
            await connection.commit()
            if behind:
                log.info(UPDATING, revisions()[-1])
                await connection.execution_options(migrating=True)
                await _migrate_patiently(connection, in_steps=revision.number is not None)
    finally:
        await engine.dispose()


async def _wait_for_turn(connection: AsyncConnection) -> None:
    """Wait until no other process migrates, and keep others from it as long as this connection is open."""
    while not await connection.scalar(text(f"SELECT pg_try_advisory_lock({MIGRATES}, 0)")):
        # A transaction that stays open would keep the other process waiting: see `create_index`.
        await connection.commit()
        await asyncio.sleep(TRY_EVERY)
    await connection.commit()


async def _migrate_patiently(connection: AsyncConnection, in_steps: bool) -> None:
    """Migrate, and try again as long as others hold locks that are needed."""
    waits = False
    while True:
        try:
            async with nullcontext() if in_steps else connection.begin():
                await connection.run_sync(_migrate, in_steps)
        except DBAPIError as error:
            if (trouble := trouble_of(error)) is None or trouble.sentence != BUSY:
                raise
            if not waits:
                log.info("the migration waits until others let go of the tables: %s", cause(error))
            waits = True
            await connection.rollback()
            await asyncio.sleep(TRY_EVERY)
        else:
            return


def _migrate(connection: Connection, in_steps: bool) -> None:
    """Bring the database to the newest revision; `in_steps`, which end one after the other, or in one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes |= {"connection": connection, "in_steps": in_steps}
    command.upgrade(config, "head")


def create_index(name: str, table: str, columns: list[str], **options: Any) -> None:
    """Make an index; a migration that does so does nothing else.

    If others use the database, which is PostgreSQL's then, the index is built outside of a transaction: within one,
    nobody could write to the table until the end. PostgreSQL waits for all transactions that were open before. A build
    that was interrupted leaves an index that is not valid, which is built anew.
    """
    from alembic import op

    context = op.get_context()
    if not (context.config and context.config.attributes["in_steps"]):
        op.create_index(name, table, columns, **options)
        return
    there = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
    with context.autocommit_block():
        is_valid = op.get_bind().scalar(there, {"name": name})
        if is_valid is False:
            op.drop_index(name, table, postgresql_concurrently=True)
        if not is_valid:
            op.create_index(name, table, columns, postgresql_concurrently=True, **options)
