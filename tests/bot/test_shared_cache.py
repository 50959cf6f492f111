"""Answers that several processes share through Redis: found by all, believed only if signed, never waited for long."""

import asyncio
import logging
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from redis.asyncio import Redis

from bot.charts import CHARTS
from bot.games.dice import work as dice_work
from bot.games.dice.work import CHART
from bot.rooms import ROOMS
from bot.settings import Settings, load
from bot.work import shared_cache
from bot.work.engine import Engine, key_of
from bot.work.shared_cache import SharedCache, stable_text
from solver import Battle, DiceChain, Odds, solve
from tests.helpers import servers
from tests.helpers.bot.shared_questions import names
from tests.helpers.program import LONGEST


class Solver:
    """Solving that counts."""

    def __init__(self) -> None:
        self.solved: list[DiceChain] = []

    def solve(self, chain: DiceChain | Battle) -> Odds:
        if isinstance(chain, DiceChain):  # a worker that warms up solves a battle
            self.solved.append(chain)
        return solve(chain)


@pytest.fixture
def solver(monkeypatch: pytest.MonkeyPatch) -> Solver:
    counting = Solver()
    monkeypatch.setattr(dice_work, "solve", counting.solve)
    return counting


@pytest.fixture
async def there(redis: servers.Redis) -> AsyncIterator[Any]:
    """Redis itself, with nothing in it."""
    async with Redis.from_url(redis.address) as client:
        await client.flushdb()
        yield client


@pytest.fixture
def sharing(settings: Settings, redis: servers.Redis, there: Any, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(shared_cache, "LONGEST_WAIT", LONGEST)
    return load(data=settings.data, redis=redis.address, token="ours")


async def asked(settings: Settings, battle: Battle, times: int = 1) -> SharedCache:
    """A program that asks for the odds and the picture of a battle, and ends; its cache."""
    async with SharedCache(settings) as shared, Engine(settings, ROOMS, processes=False, shared=shared) as engine:
        for _ in range(times):
            engine._cache.clear()
            odds = await engine.odds(battle)
            assert await engine.draw(CHART, battle, battle, odds)
            assert odds.attacker_wins == solve(battle).attacker_wins
            await asyncio.gather(*shared._writing)
    return shared


async def test_programs_share_computed_answers(sharing: Settings, solver: Solver) -> None:
    first, second = await asked(sharing, Battle(12, 9)), await asked(sharing, Battle(12, 9))
    assert len(solver.solved) == 1
    assert (first.found, first.not_found) == (0, 2)
    assert (second.found, second.not_found) == (2, 0)
    assert (await asked(sharing, Battle(12, 8))).not_found == 2


@pytest.mark.parametrize("change", [{"token": "another"}, {"most_work": 100}])
async def test_bots_with_other_tokens_or_limits_share_no_answers(
    sharing: Settings, solver: Solver, change: dict[str, Any]
) -> None:
    await asked(sharing, Battle(12, 9))
    other = load(**asdict(sharing) | change)
    assert (await asked(other, Battle(12, 9))).found == 0


async def test_other_versions_of_the_program_share_no_answers(
    sharing: Settings, solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asked(sharing, Battle(12, 9))
    monkeypatch.setattr(shared_cache, "_program_digest", lambda: "another")
    assert (await asked(sharing, Battle(12, 9))).found == 0


class Bomb:
    """What a stranger would have us read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.putenv, ("SANDTABLE_BOMB", "it went off")


async def test_bytes_without_the_bots_signature_are_not_read(
    sharing: Settings, there: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with SharedCache(sharing) as shared:
        for question in ("one", "other"):
            await shared.get_or_compute(question, lambda: content(9))
        await asyncio.gather(*shared._writing)
        name, other = shared._name("one") or "", shared._name("other") or ""
        ours, theirs = await there.get(name), await there.get(other)
        monkeypatch.setattr(pickle, "loads", lambda content: pytest.fail("it was read"))
        for wrong in (
            b"",
            b"short",
            pickle.dumps(Bomb()),
            bytes(32) + pickle.dumps(Bomb()),
            ours[:32] + pickle.dumps(Bomb()),
            b"x" * 2_000_000,
            theirs,
            ours[:-1],
            ours[:40] + bytes([ours[40] ^ 1]) + ours[41:],
        ):
            await there.set(name, wrong)
            assert await shared.get_or_compute("one", lambda: content(3)) == bytes(3)
            await asyncio.gather(*shared._writing)
        assert shared.found == 0


async def test_shared_answers_expire_after_a_week_and_are_small(sharing: Settings, there: Any) -> None:
    await asked(sharing, Battle(12, 9))
    lives = [await there.ttl(name) async for name in there.scan_iter("sandtable:*")]
    assert len(lives) == 2
    assert 0 < min(lives) <= max(lives) <= 7 * 24 * 3600
    async with SharedCache(sharing) as shared:
        for size in (shared_cache.MOST_BYTES - 100, shared_cache.MOST_BYTES, 10 * shared_cache.MOST_BYTES):
            await shared.get_or_compute(("size", size), partial(content, size))
    assert await there.dbsize() == 3


async def content(size: int) -> bytes:
    return bytes(size)


async def test_pictures_of_live_battles_are_not_shared(sharing: Settings) -> None:
    async with SharedCache(sharing) as shared:
        for chart in CHARTS:
            if chart.personal:
                assert await shared.get_or_compute((chart, ("Alice", 0.5)), lambda: content(9)) == bytes(9)
        assert (shared.found, shared.not_found, shared._writing) == (0, 0, set())


# Redis that does not answer


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Somebody who listens and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening


@pytest.fixture
def silent(listener: socket.socket) -> str:
    """The address of this listener, as one of Redis."""
    return f"redis://:very-secret@127.0.0.1:{listener.getsockname()[1]}/0"


@pytest.mark.parametrize("gone", [True, False])
async def test_without_redis_answers_go_on_with_a_single_warning(
    settings: Settings,
    solver: Solver,
    silent: str,
    gone: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(shared_cache, "LONGEST_WAIT", 0.05)
    address = "redis://:very-secret@127.0.0.1:1/0" if gone else silent
    shared = await asked(load(data=settings.data, redis=address, token="t"), Battle(12, 9), times=5)
    assert len(solver.solved) == 5
    assert (shared.found, shared.not_found) == (0, 1), "it is asked no more for a while"
    (warning,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert "answers are not shared, as Redis does not answer: " in warning
    assert "very-secret" not in caplog.text


async def test_redis_is_tried_again_after_an_outage(
    sharing: Settings, solver: Solver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(shared_cache, "AWAY", 0)
    await asked(sharing, Battle(12, 9))
    async with SharedCache(sharing) as shared:
        for _ in range(2):
            await shared._ask(refused())
        key = key_of(*dice_work.odds_work(Battle(12, 9), False, 0))
        assert await shared.get_or_compute(key, lambda: content(0)) != b""
        assert shared.found == 1
    told = [record.getMessage() for record in caplog.records if record.name == "bot.work.shared_cache"]
    assert told == ["answers are not shared, as Redis does not answer: away", "answers are shared again"]


async def test_a_full_redis_is_read_and_logged_once(
    sharing: Settings, there: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(shared_cache, "AWAY", 0)
    learnt: list[float] = []
    async with SharedCache(sharing) as shared:

        async def ask_and_tell(*questions: str) -> None:
            for question in questions:
                await shared.get_or_compute(question, lambda: content(9))
                shared.add_use(question, 5, learnt.append)
                await asyncio.gather(*shared._writing)

        await ask_and_tell("one")
        await there.config_set("maxmemory", 1)
        try:
            await ask_and_tell("two", "one", "three", "one")
            assert (shared.found, shared.not_found, len(learnt)) == (2, 3, 1)
        finally:
            await there.config_set("maxmemory", 0)
        await ask_and_tell("three", "three")
        assert (shared.found, shared.not_found, len(learnt)) == (3, 4, 3)
    told = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert told == ["nothing new is shared, as Redis refuses it", "answers are shared again"]


async def refused() -> None:
    raise ConnectionRefusedError("away")


async def test_a_suggestion_does_not_wait_for_redis(
    settings: Settings, silent: str, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_cache, "LONGEST_WAIT", LONGEST)
    sharing = load(data=settings.data, redis=silent, token="ours")
    async with SharedCache(sharing) as shared, Engine(sharing, ROOMS, processes=False, shared=shared) as engine:
        assert await engine.preview(Battle(12, 9)) is None
        assert not shared._trouble, "Redis might still answer"
        monkeypatch.setattr(shared_cache, "LONGEST_WAIT", 0.05)
        assert await engine.odds(Battle(13, 9)), "who really asks gets an answer"
        assert shared._trouble
        listener.close()  # nobody needs to wait for the suggestion's odds


async def test_redis_is_reached_again_after_a_restart(sharing: Settings, there: Any) -> None:
    async with SharedCache(sharing) as shared:
        await shared.get_or_compute("one", lambda: content(1))
        await asyncio.gather(*shared._writing)
        await there.client_kill_filter(_type="normal", skipme=True)
        assert await shared.get_or_compute("one", lambda: content(2)) == bytes(1)


# Names


def test_a_question_has_the_same_key_in_every_process() -> None:
    shared_cache._program_digest.cache_clear()  # what it says depends on the working folder, which other tests change
    program = [sys.executable, "-c", "from tests.helpers.bot.shared_questions import names; print(names())"]
    seeded = {**os.environ, "PYTHONHASHSEED": "1"}
    told = subprocess.run(program, env=seeded, capture_output=True, text=True, check=True).stdout
    assert told == f"{names()}\n"


@dataclass(frozen=True)
class One:
    value: Any
    note: str = field(default="", compare=False)


@dataclass(frozen=True)
class Other:
    value: Any


def test_different_questions_have_different_keys() -> None:
    values = (
        *(None, True, 1, 1.0, "1", b"1", Fraction(1), 0.1 + 0.2, 0.3, (1,), [1], (1, 1), ((1,), 1), (1, (1,)), "(1,)"),
        *(frozenset((1,)), {1: 1}, {"1": 1}, {1: (1, 1)}, One(1), Other(1), One((1,)), ("a, str 'b",), ("a", "b"), ()),
    )
    assert len({stable_text(value) for value in values}) == len(values)
    assert stable_text(One(1, "a")) == stable_text(One(1, "b")), "what makes no difference when they are compared"
    for wrong in (np.zeros(2), {1, 2}, object(), solve, One(np.zeros(2))):
        with pytest.raises(TypeError):
            stable_text(wrong)
