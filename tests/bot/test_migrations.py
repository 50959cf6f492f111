"""Expand, then contract: after each migration the version before can still use the tables, or the migration says more.

`docs/contributing.md` has the rule, under "Change the tables".
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, NullPool, StaticPool, create_engine, inspect

from bot.store.unopened import MIGRATIONS
from tests.helpers.cases import each

FIRST = "0009"
"""The first migration that the rule is for."""
SCRIPTS = {script.revision: script for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """A database of SQLite with nothing in it."""
    engine = create_engine(f"sqlite:///{tmp_path / 'sandtable.db'}", poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


def migrate(connection: Connection, revision: str) -> None:
    """Bring a database to a revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes |= {"connection": connection, "in_steps": False}
    command.upgrade(config, revision)


def schema_of(connection: Connection) -> dict[str, Any]:
    """What a database has, by "table", "table.column", "table: a constraint" or "table: an index"."""
    found: dict[str, Any] = {}
    inspector = inspect(connection)
    for table in inspector.get_table_names():
        found[table] = True
        found |= {f"{table}.{column['name']}": column for column in inspector.get_columns(table)}
        found[f"{table}: primary key"] = inspector.get_pk_constraint(table)["constrained_columns"]
        for key in inspector.get_foreign_keys(table):
            found[f"{table}: foreign key {key['constrained_columns']}"] = [*key.values()]
        for one in inspector.get_unique_constraints(table):
            found[f"{table}: unique {one['column_names']}"] = True
        for check in inspector.get_check_constraints(table):
            found[f"{table}: check {check['sqltext']}"] = True
        for index in inspector.get_indexes(table):
            kind = "unique" if index["unique"] else "index"
            found[f"{table}: {kind} {index['column_names']}"] = True
    return found


def troubles(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What a version that knows the tables of before could stumble over in those of after."""
    bounds = ": foreign key", ": unique", ": check"
    found = [f"{name} is gone" for name in before if name not in after]
    for name, new in after.items():
        old: Any = before.get(name)
        if name.partition(".")[0].partition(":")[0] not in before:
            continue
        if name not in before:
            must_be_given = isinstance(new, dict) and not new["nullable"] and new["default"] is None
            found += [f"{name} is new"] * (must_be_given or any(word in name for word in bounds))
        elif not isinstance(new, dict):
            found += [f"{name} is another"] * (new != old)
        elif (str(new["type"]), new["default"]) != (str(old["type"]), old["default"]):
            found.append(f"{name} is another")
        elif old["nullable"] and not new["nullable"]:
            found.append(f"{name} must be given")
    return found


@pytest.mark.parametrize("revision", sorted(one for one in SCRIPTS if one >= FIRST))
def test_the_version_before_can_use_the_tables_of_each(connection: Connection, revision: str) -> None:
    script = SCRIPTS[revision]
    before, after = str(script.down_revision), revision
    migrate(connection, before)
    known = schema_of(connection)
    migrate(connection, after)
    since = usable_since(script)
    assert since or troubles(known, schema_of(connection)) == []
    assert since <= before, "the version before must be able to use the tables, or nobody can update without silence"


def usable_since(script: Script) -> str:
    """The first version that can use the tables after a migration, if the migration changes that."""
    return str(getattr(script.module, "usable_since", ""))


def test_migrations_name_only_known_versions() -> None:
    assert {usable_since(script) for script in SCRIPTS.values()} - {""} <= SCRIPTS.keys()


TABLES = """
CREATE TABLE camps (name VARCHAR PRIMARY KEY, line VARCHAR NOT NULL, note VARCHAR, size INTEGER NOT NULL);
CREATE TABLE tents (camp VARCHAR, n INTEGER, PRIMARY KEY (camp, n));
CREATE INDEX camps_by_line ON camps (line);
"""


@each(
    [
        ("", "CREATE TABLE more (name VARCHAR NOT NULL);", []),
        ("", "ALTER TABLE camps ADD COLUMN more VARCHAR;", []),
        ("", "ALTER TABLE camps ADD COLUMN more VARCHAR NOT NULL DEFAULT '';", []),
        ("", "CREATE INDEX camps_by_note ON camps (note);", []),
        ("size INTEGER NOT NULL", "size INTEGER", []),
        (
            "",
            "DROP TABLE tents;",
            ["tents is gone", "tents.camp is gone", "tents.n is gone", "tents: primary key is gone"],
        ),
        (", note VARCHAR", "", ["camps.note is gone"]),
        ("CREATE INDEX camps_by_line ON camps (line);", "", ["camps: index ['line'] is gone"]),
        ("note VARCHAR", "note VARCHAR NOT NULL", ["camps.note must be given"]),
        ("note VARCHAR", "note VARCHAR, more VARCHAR NOT NULL", ["camps.more is new"]),
        ("size INTEGER", "size VARCHAR", ["camps.size is another"]),
        ("PRIMARY KEY (camp, n)", "PRIMARY KEY (camp)", ["tents: primary key is another"]),
        ("", "CREATE UNIQUE INDEX one ON camps (line);", ["camps: unique ['line'] is new"]),
        ("note VARCHAR", "note VARCHAR UNIQUE", ["camps: unique ['note'] is new"]),
        ("size INTEGER", "size INTEGER CHECK (size > 0)", ["camps: check size > 0 is new"]),
        ("camp VARCHAR", "camp VARCHAR REFERENCES camps", ["tents: foreign key ['camp'] is new"]),
    ]
)
def test_changes_that_break_the_version_before_are_detected(old: str, new: str, found: list[str]) -> None:
    changed = TABLES.replace(old, new) if old else TABLES + new
    assert changed != TABLES
    assert troubles(schema_made_by(TABLES), schema_made_by(changed)) == found


def schema_made_by(sql: str) -> dict[str, Any]:
    """What a database has after these statements."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with closing(engine.raw_connection()) as raw:
        raw.executescript(sql)
    try:
        with engine.connect() as connection:
            return schema_of(connection)
    finally:
        engine.dispose()
