"""Runs the migrations over the connection that the store hands in: see `bot.store.upgrade`."""

from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from sqlalchemy.dialects.postgresql import insert as insert_or

from bot.store.tables import facts, metadata
from bot.store.unopened import USABLE_SINCE


def note_usable_since(ctx: MigrationContext, step: MigrationInfo, *_: Any, **__: Any) -> None:
    """Note which versions can use the tables after a migration: see `Revision`."""
    assert step.up_revision_id
    assert ctx.connection
    done = [script for script in context.script.walk_revisions() if script.revision <= step.up_revision_id]
    since = [script.module.usable_since for script in done if hasattr(script.module, "usable_since")]
    if since:
        new = insert_or(facts).values(name=USABLE_SINCE, value=max(since))
        new = new.on_conflict_do_update(index_elements=["name"], set_={"value": max(since)})
        ctx.connection.execute(new)


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=context.config.attributes["in_steps"],
    on_version_apply=note_usable_since,
)
with context.begin_transaction():
    context.run_migrations()
