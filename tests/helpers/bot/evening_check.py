"""What must be true after an evening."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.store.database import open_store
from bot.work.engine import Engine
from tests.helpers.bot.evening import Evening
from tests.helpers.bot.storm import battle_in, hash_in


async def check(evening: Evening, data: Path) -> None:
    """What was confirmed is there, what was rolled is there and right, what was shown is there."""
    with closing(sqlite3.connect(data / "sandtable.db")) as database:
        setups = database.execute("SELECT place, name, line || '|' || note FROM setups").fetchall()
        assert evening.setups.wrong(setups) == []
        assert evening.settings.wrong(database.execute("SELECT place, name, value FROM settings")) == []
        names = {name for (name,) in database.execute("SELECT id FROM battles")}
    assert evening.battles - {""} <= names
    settings, storm = load(data=data), evening.storm
    storm.seen = [seen for seen in storm.seen if battle_in(seen.content)]
    async with open_store(data / "sandtable.db") as store, Engine(settings, ROOMS, processes=False) as engine:
        services = Services(settings, engine, lambda: store, ROOMS)
        records = await storm.check(services)
        theirs = {loner.channel.id for loner in evening.loners}
    # Each place has its language and its settings; the hash of the last roll is the same in all.
    newest = [(storm.message_of(one.battle.id), one.battle.head[:8] if one.battle.turn else "") for one in records]
    behind = [shown for shown, head in newest if shown and not shown.private and hash_in(shown.content) != head]
    # Where the bot can change nothing by itself, the next press shows it.
    assert [shown for shown in behind if shown.channel_id not in theirs] == []
