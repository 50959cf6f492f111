"""What must be true after an evening."""

from pathlib import Path

from sqlalchemy import select

from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.store.database import open_store
from bot.store.tables import battles, settings, setups
from bot.work.engine import Engine
from tests.helpers.bot.evening import Evening
from tests.helpers.bot.storm import battle_in, hash_in


async def check(evening: Evening, data: Path, database: str = "") -> None:
    """What was confirmed is there, what was rolled is there and right, what was shown is there.

    All that is in this data folder, or in the `database` that several processes have used.
    """
    given, storm = load(data=data, database=database), evening.storm
    async with open_store(given.store) as store, Engine(given, ROOMS, processes=False) as engine:
        async with store.battles._connections.read(several=True) as connection:
            saved = await connection.execute(select(setups.c.place, setups.c.name, setups.c.line + "|" + setups.c.note))
            assert evening.setups.wrong((row[0], row[1], row[2]) for row in saved) == []
            chosen = await connection.execute(select(settings.c.place, settings.c.name, settings.c.value))
            assert evening.settings.wrong((row[0], row[1], row[2]) for row in chosen) == []
            names = set((await connection.execute(select(battles.c.id))).scalars())
        assert evening.battles - {""} <= names
        storm.seen = [seen for seen in storm.seen if battle_in(seen.content)]
        services = Services(given, engine, lambda: store, ROOMS)
        records = await (storm.check_battles if database else storm.check)(services)
        theirs = {loner.channel.id for loner in evening.loners}
    # Each place has its language and its settings; the hash of the last roll is the same in all.
    newest = [(storm.message_of(one.battle.id), one.battle.head[:8] if one.battle.turn else "") for one in records]
    behind = [shown for shown, head in newest if shown and not shown.private and hash_in(shown.content) != head]
    # Where the bot can change nothing by itself, the next press shows it.
    assert [shown for shown in behind if shown.channel_id not in theirs] == []
