"""A crowd that asks, presses and types all the while something goes wrong, and a check of what came of it."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count

from bot.settings import Settings
from bot.store.database import open_store
from tests.fake_discord import FakeDiscord, Guild, Interaction, Person, Shown
from tests.fake_discord.world import shard_of
from tests.helpers.bot.storm import battle_in, check_log
from tests.helpers.program import until


async def table_on_each(discord: FakeDiscord) -> list[Guild]:
    """A server on each of two shards."""
    found = {shard_of(discord.guild, 2): discord.guild}
    while len(found) < 2:
        await asyncio.sleep(0.001)
        guild = discord.add_guild("Another Table")
        found.setdefault(shard_of(guild, 2), guild)
    return [found[0], found[1]]


class Crowd:
    """Three people in each server; `answers` counts what each of them got, by its kind."""

    def __init__(self, discord: FakeDiscord, tables: Sequence[Guild]) -> None:
        self._discord, self._tables = discord, tables
        self._over = False
        self.answers = [Counter[str]() for _ in tables]
        self._pressed: list[Interaction] = []
        self._battles: list[str] = []

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Have all of them ask, press and type during the block, and wait for their last answers."""
        tasks = []
        for number, table in enumerate(self._tables):
            asks, presses, types = (self._discord.member(name, guild=table) for name in ("Ann", "Pat", "Tim"))
            shown = await presses.sends("roll", matchup="200 150")
            self._battles.append(battle_in(shown.content) or "")
            works = self._ask(number, asks), self._press(number, presses, shown), self._type(number, types)
            tasks += [asyncio.create_task(work) for work in works]
        try:
            yield
        finally:
            self._over = True
            await asyncio.gather(*tasks)

    async def until_each_has(self, more: int, *kinds: str) -> None:
        """Wait until somebody in each server has had so many more answers of each of these kinds."""
        before = [Counter(had) for had in self.answers]
        pairs = list(zip(before, self.answers, strict=True))
        await until(lambda: all(now[kind] >= had[kind] + more for had, now in pairs for kind in kinds))

    async def check_logs(self, database: str, settings: Settings) -> None:
        """Every press that was answered with a roll is in the log once, and all others at most once."""
        rolled = Counter[str]()
        async with open_store(database) as store:
            for name in self._battles:
                record = await store.battles.find(name)
                assert record is not None
                check_log(record, settings)
                rolled.update(str(json.loads(roll.entry)["interaction"]) for roll in record.rolls)
        assert set(rolled.values()) == {1}
        refused = [asked for asked in self._pressed if self._refusals(asked)]
        missing = [asked for asked in self._pressed if str(asked.id) not in rolled and asked not in refused]
        assert not missing, "what somebody saw fall is not in the log"

    async def _ask(self, number: int, person: Person) -> None:
        for armies in count(3):
            if self._over:
                return
            line = f"{armies % 90 + 3} {armies % 7 + 2}"
            shown = await person.sends("battle", matchup=line)
            assert line in shown.content
            self.answers[number]["odds"] += 1

    async def _type(self, number: int, person: Person) -> None:
        for armies in count(3):
            if self._over:
                return
            assert await person.types("battle", matchup=f"{armies % 90 + 3} 2")
            self.answers[number]["suggestions"] += 1

    async def _press(self, number: int, person: Person, shown: Shown) -> None:
        while not self._over:
            asked = person.begins_pressing(shown, "Roll")
            self._pressed.append(asked)
            await asked.answered()
            refusals = self._refusals(asked)
            self.answers[number]["refusals" if refusals else "rolls"] += 1

    def _refusals(self, asked: Interaction) -> list[str]:
        """What a press was told in place of a roll."""
        said = [shown.content for shown in asked.followups]
        if asked.original and asked.original is not asked.source:
            said.append(asked.original.content)
        return [text for text in said if battle_in(text) is None]
