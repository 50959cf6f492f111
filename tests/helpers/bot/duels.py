"""A duel at the layer of commands: presses of two players and a stranger, at times of the test's own."""

import json
from dataclasses import replace
from itertools import count
from typing import Any

from bot.commands.run import run
from bot.live.turns import HOUR
from bot.replies import Reply
from bot.request import Request, Services
from bot.store.records import BattleRecord

LINE = "2 inf 2 arm 1 fig loss:arm,inf,fig vs 3 inf 1 arm loss:arm,inf"
DICE = "3 6 6 6 6 vs 3 6 6 2"
"""One hit of the attacker, two of the defender: both sides have a choice."""
TABLES = count()


class Table:
    """Presses of Alice (1), who attacks Bob (2), and of Xena (3)."""

    def __init__(self, services: Services, name: str = "") -> None:
        self.services, self.name, self.now = services, name, (1_439_870_000_000_000_000 >> 22) + next(TABLES)

    async def begin(self, line: str = LINE, **options: str) -> None:
        options = {"matchup": line, "opponent": "2", "opponent_name": "Bob", **options}
        reply = await run(Request("roll", "1", "Alice", "guild:1", options, interaction=self.id), self.services)
        assert isinstance(reply, Reply)
        assert reply.frame
        self.name = reply.frame.battle

    @property
    def id(self) -> str:
        self.now += 1
        return str(self.now << 22)

    def after(self, hours: float) -> None:
        self.now += int(hours * HOUR)

    async def press(self, user: str, command: str, text: str = "", **options: str) -> Request:
        """The press of a button of the newest frame."""
        name = {"1": "Alice", "2": "Bob", "3": "Xena"}[user]
        turn = len((await self.record()).rolls)
        asked = Request(command, user, name, "guild:1", options, argument=f"{self.name}:{turn}{text and f':{text}'}")
        return replace(asked, interaction=self.id, message="1439870000000000000")

    async def presses(self, user: str, command: str, text: str = "", **options: str) -> str:
        """What somebody is told who presses a button of the newest frame."""
        return await self.answer(await self.press(user, command, text, **options), self.services)

    async def answer(self, asked: Request, services: Services) -> str:
        """What a process says to a press."""
        reply = await run(asked, services)
        return f"{reply.text} {reply.aside}" if isinstance(reply, Reply) else reply.title

    async def record(self) -> BattleRecord:
        record = await self.services.store.battles.find(self.name)
        assert record
        return record

    async def entries(self) -> list[dict[str, Any]]:
        return [json.loads(roll.entry) for roll in (await self.record()).rolls]

    async def verify(self) -> str:
        reply = await run(Request("verify", "1", "Alice", "guild:1", {"battle": self.name}), self.services)
        assert isinstance(reply, Reply)
        return reply.text
