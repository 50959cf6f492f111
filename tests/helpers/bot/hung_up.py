"""A database that ends all connections."""

from sqlalchemy import text

from bot.store.database import open_store
from tests.helpers.program import LONGEST


async def hang_up(address: str) -> None:
    """End all connections to a database but our own, and wait until they have ended and their locks are free."""
    async with open_store(address) as store, store.battles._connections.write() as connection:
        await connection.execute(
            text(
                f"SELECT pg_terminate_backend(pid, {LONGEST * 1000:.0f}) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        )
