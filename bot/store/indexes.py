"""Makes indexes for migrations, while others go on writing."""

from typing import Any

from alembic import op
from sqlalchemy import text


def create_index(name: str, table: str, columns: list[str], **options: Any) -> None:
    """Make an index; a migration that does so does nothing else.

    If others use the database, which is PostgreSQL's then, the index is built outside of a transaction: within one,
    nobody could write to the table until the end. PostgreSQL waits for all transactions that were open before. A build
    that was interrupted leaves an index that is not valid, which is built anew.
    """
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
