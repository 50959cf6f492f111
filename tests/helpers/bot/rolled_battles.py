"""Battles to keep in a database, their rolls, and a program that rolls in one of them until it is killed."""

import asyncio
import json
import os
import random
import signal
import sys
import time
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.store.battles import Battles
from bot.store.database import open_store
from bot.store.records import BattleRecord, Player, Roll, Spot, StoredBattle

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ALICE = Player("1", "1001", "Alice", "attacker")
BOB = Player("2", "1002", "Bob", "defender")
CAROL = Player("3", "1003", "Carol", "")


def fought(name: str = "aaaaaaaa", place: str = "guild:1", minute: int = 0, **given: Any) -> StoredBattle:
    """A battle as it begins, so many minutes past noon."""
    begun, commitment = NOON + timedelta(minutes=minute), f"commitment of {name}"
    battle = StoredBattle(name, place, "12 9", "5eed", commitment, commitment, 0.75, begun, begun, chance=0.75)
    return battle._replace(**given)


def rolled(head: str, turn: int, count: int = 1) -> list[Roll]:
    """Entries behind the first `turn`, each with three dice of six sides: 6 5 against 4."""
    entries = []
    for n in range(turn + 1, turn + 1 + count):
        entry = json.dumps({"n": n, "user": "1", "attack": [6, 5], "defence": [4]}, sort_keys=True)
        head = sha256(f"{head}|{entry}".encode()).hexdigest()
        entries.append(Roll(n, entry, head, 0.5))
    return entries


async def roll(battles: Battles, name: str = "aaaaaaaa", turn: int = 0, count: int = 1, **given: Any) -> bool:
    """Append rolls as somebody would who saw the battle after so many entries."""
    record = await battles.find(name)
    head = record.battle.head if record else ""
    about: dict[str, Any] = {
        "at": NOON + timedelta(hours=1),
        "chance": 0.5,
        "ended": None,
        "judged": count,
        "kept": True,
        "spot": Spot("77", "88"),
        "presser": ALICE,
        "fallen": {(6, 4): count, (6, 5): count, (6, 6): count},
    }
    return await battles.append(name, turn, rolled(head, turn, count), **about | given) is not None


async def found(battles: Battles, name: str = "aaaaaaaa") -> BattleRecord:
    """The battle, which is there."""
    record = await battles.find(name)
    assert record is not None
    return record


def check_chain(record: BattleRecord) -> None:
    """The log is whole: as many entries as the battle says, each hashed over the one before it."""
    assert [entry.n for entry in record.rolls] == list(range(1, record.battle.turn + 1))
    heads = [record.battle.commitment, *(entry.hash for entry in record.rolls)]
    for (before, after), entry in zip(pairwise(heads), record.rolls, strict=True):
        assert after == sha256(f"{before}|{entry.entry}".encode()).hexdigest()
    assert heads[-1] == record.battle.head


async def roll_on(where: Path | str, told: int) -> None:
    """Roll rounds of three throws without end, and tell each turn once it is kept."""
    async with open_store(where) as store:
        turn = (await found(store.battles)).battle.turn
        while await roll(store.battles, turn=turn, count=3):
            turn += 3
            os.write(told, b"%d\n" % turn)


def kill_while_rolling(where: Path | str, kills: int) -> None:
    """Kill so many processes that roll, each at some moment; print the turns they told."""
    chance = random.Random(str(where))
    for _ in range(kills):
        read, write = os.pipe()
        process = os.fork()
        if not process:
            try:
                asyncio.run(roll_on(where, write))
            finally:
                os._exit(1)
        os.close(write)
        with os.fdopen(read) as lines:
            for _ in range(chance.randint(1, 5)):
                print(lines.readline(), end="")
            time.sleep(chance.random() / 100)  # Whatever the roller does by then is right.
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            print(lines.read(), end="", flush=True)


if __name__ == "__main__":
    kill_while_rolling(sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1]), int(sys.argv[2]))
