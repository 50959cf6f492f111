"""Runs the migrations over the connection that the store hands in: see `bot.store.upgrade`."""

from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo

from bot.store.tables import facts, metadata, put
from bot.store.unopened import USABLE_SINCE


def note_usable_since(ctx: MigrationContext, step: MigrationInfo, *_: Any, **__: Any) -> None:
    """Note which versions can use the tables after a migration: see `Revision`."""
    assert step.up_revision_id
    assert ctx.connection
    done = [script for script in context.script.walk_revisions() if script.revision <= step.up_revision_id]
    since = [script.module.usable_since for script in done if hasattr(script.module, "usable_since")]
    if since:
        ctx.connection.execute(put(facts, {"name": USABLE_SINCE, "value": max(since)}, "value"))


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=context.config.attributes["in_steps"],
    on_version_apply=note_usable_since,
)
with context.begin_transaction():
    context.run_migrations()
