"""Whose turn it is: fair by server and by person, small questions never behind large ones, and who is refused."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import TurnedAwayError, UserError
from bot.games.dice.live import LIVE
from bot.games.dice.room import ROOM
from bot.live.rolling import Press
from bot.live.work import roll_on
from bot.rooms import ROOMS
from bot.settings import Settings, load
from bot.work import limits, pool
from bot.work.engine import Engine
from bot.work.jobs import MOST_CLOCKS, Asker, Costs, Job, Queue, asking, next_to_refuse
from bot.work.pool import Pool
from solver import Battle
from solver.axis.solve import MOST_SECONDS
from tests.helpers.bot.forked_workers import fork_workers

GREEDY, QUIET = "guild:1", "guild:2"


class Chat:
    """A queue as a chat sees it: who asks, where, and how long it takes; then in which order that is done."""

    def __init__(self) -> None:
        self.queue = Queue()

    def asks(self, person: str, place: str, *jobs: str, seconds: float = 1.0) -> None:
        for job in jobs:
            self.queue.add(Job(Asker(person, place), seconds, job))

    def does(self, number: int) -> str:
        return " ".join(self.queue.next().work for _ in range(number))


def test_a_later_person_does_not_wait_for_all_of_a_glutton() -> None:
    queue = Chat()
    queue.asks("glutton", GREEDY, *"abcdef")
    assert queue.does(1) == "a"
    queue.asks("alice", QUIET, "1", "2")
    assert queue.does(7) == "1 b 2 c d e f"


def test_ten_people_of_a_server_share_its_turn() -> None:
    queue = Chat()
    for number in range(10):
        queue.asks(f"glutton {number}", GREEDY, f"g{number}")
    queue.asks("alice", QUIET, "1", "2", "3")
    assert queue.does(6) == "g0 1 g1 2 g2 3"


def test_a_person_in_ten_servers_has_a_single_turn() -> None:
    queue = Chat()
    for number in range(10):
        queue.asks("glutton", f"guild:{number + 10}", f"g{number}")
    queue.asks("alice", QUIET, "1", "2", "3")
    assert queue.does(6) == "g0 1 g1 2 g2 3"


def test_a_glutton_in_a_second_server_does_not_delay_its_people() -> None:
    queue = Chat()
    queue.asks("glutton", GREEDY, *"abcdefgh")
    assert queue.does(5) == "a b c d e"
    queue.asks("glutton", QUIET, "x")
    queue.asks("alice", QUIET, "1")
    assert queue.does(2) == "1 f"


def test_people_of_a_server_take_turns() -> None:
    queue = Chat()
    queue.asks("glutton", GREEDY, *"abc")
    queue.asks("bob", GREEDY, "1", "2")
    assert queue.does(5) == "a 1 b 2 c"


def test_a_longer_job_delays_the_next_turn_of_its_person() -> None:
    queue = Chat()
    queue.asks("glutton", GREEDY, *"abc", seconds=3)
    queue.asks("alice", QUIET, *"12345678")
    assert queue.does(8) == "a 1 2 3 b 4 5 6"


def test_idle_people_do_not_save_up_turns() -> None:
    queue = Chat()
    queue.asks("alice", QUIET, "1")
    assert queue.does(1) == "1"
    queue.asks("bob", GREEDY, *"abcdef")
    assert queue.does(4) == "a b c d"
    queue.asks("alice", QUIET, *"234")
    assert queue.does(5) == "2 e 3 f 4"


@pytest.mark.whole
def test_the_queue_remembers_a_limited_number_of_people() -> None:
    turns = Queue()
    for number in range(MOST_CLOCKS):
        turns.charge(Asker(str(number), f"user:{number}"), 0.01)
    assert len(turns._clocks) == MOST_CLOCKS, "though all of them have asked for something just now"


def test_unused_expected_time_is_given_back() -> None:
    queue = Chat()
    queue.asks("bob", GREEDY, *"abc", seconds=5)
    queue.asks("alice", QUIET, *"123")
    assert queue.does(2) == "a 1"
    queue.queue.charge(Asker("bob", GREEDY), -4.5)
    assert queue.does(4) == "b 2 3 c"


def test_the_person_with_the_longest_queue_is_refused() -> None:
    def waiting(*askers: tuple[str, str]) -> list[Job]:
        return [Job(Asker(person, place), 1.0, f"{number} {person}") for number, (person, place) in enumerate(askers)]

    few = [("alice", QUIET), ("bob", "user:9")]
    assert next_to_refuse(waiting(("glutton", GREEDY), ("glutton", GREEDY), *few)).work == "1 glutton"
    shared = [("a", GREEDY), ("b", GREEDY), ("b", GREEDY), ("c", GREEDY)]
    assert next_to_refuse(waiting(*shared, *few, ("alice", QUIET))).work == "2 b"
    assert next_to_refuse(waiting(*few, ("carl", "guild:3"))).work == "2 carl", "where all are alike it is the newest"


# With workers


class Bench:
    """Work that waits until it is let go, and a note of what was begun."""

    def __init__(self) -> None:
        self.gate = threading.Semaphore(0)
        self.begun: list[str] = []

    def work(self, what: str) -> str:
        self.begun.append(what)
        self.gate.acquire(timeout=60)
        return what


@pytest.fixture
def bench() -> Bench:
    return Bench()


@asynccontextmanager
async def pool_of_one(settings: Settings) -> AsyncIterator[Pool]:
    """One thread that does all."""
    one = Pool(settings, ROOMS, processes=False)
    await one.start()
    try:
        yield one
    finally:
        await one.close()


async def begin(one: Pool, bench: Bench, person: str, place: str, what: str) -> asyncio.Task[Any]:
    """Ask for a piece of work, so that it waits."""
    with asking(person, place):
        return await begin_here(one, bench, what)


async def begin_here(one: Pool, bench: Bench, what: str) -> asyncio.Task[Any]:
    """Ask for a piece of work of the same answer, so that it waits."""
    task = asyncio.create_task(one.run(bench.work, what))
    await asyncio.sleep(0)
    return task


async def test_a_full_queue_refuses_a_glutton_for_a_newcomer(settings: Settings, bench: Bench) -> None:
    async with pool_of_one(replace(settings, most_waiting=4)) as one:
        greedy = [await begin(one, bench, "glutton", GREEDY, f"g{number}") for number in range(4)]
        alice = await begin(one, bench, "alice", QUIET, "alice")
        with pytest.raises(TurnedAwayError, match="busy with too many battles right now"):
            await greedy[-1]
        with pytest.raises(TurnedAwayError, match="busy with too many battles right now"):
            await (await begin(one, bench, "glutton", GREEDY, "g5"))
        bench.gate.release(9)
        assert await asyncio.gather(*greedy[:3], alice) == ["g0", "g1", "g2", "alice"]
        assert bench.begun == ["g0", "alice", "g1", "g2"]


async def test_a_person_has_a_limit_of_waiting_questions(settings: Settings, bench: Bench) -> None:
    async with pool_of_one(replace(settings, most_waiting_user=2)) as one:
        asked = [await begin(one, bench, "glutton", f"guild:{number}", f"g{number}") for number in range(3)]
        with pytest.raises(TurnedAwayError, match="still working on your other questions"):
            await (await begin(one, bench, "glutton", GREEDY, "g4"))
        bench.gate.release(9)
        assert await asyncio.gather(*asked) == ["g0", "g1", "g2"]


async def test_cancelling_waiting_jobs_lets_begun_jobs_finish(settings: Settings, bench: Bench) -> None:
    async with pool_of_one(settings) as one:
        with asking("alice", QUIET):
            begun = await begin_here(one, bench, "begun")
            with asking("alice", QUIET):
                others = [await begin_here(one, bench, what) for what in ("waits", "waits too")]
            one.call_off_waiting()
            then = await begin_here(one, bench, "its picture")
        others.append(await begin(one, bench, "alice", QUIET, "too late"))
        bench.gate.release(9)
        assert [await begun, await then] == ["begun", "its picture"]
        for waiting in others:
            with pytest.raises(UserError, match="I'm restarting"):
                await waiting


async def test_a_cancelled_question_leaves_its_turn_to_other_people(settings: Settings, bench: Bench) -> None:
    async with pool_of_one(settings) as one:
        asked = [await begin(one, bench, "alice", QUIET, what) for what in "abc"]
        asked[1].cancel()
        bench.gate.release(9)
        assert [await asked[0], await asked[2]] == ["a", "c"]
        assert bench.begun == ["a", "c"]
        assert one.open_jobs == 0


async def test_a_worker_stays_busy_with_a_cancelled_job(settings: Settings, bench: Bench) -> None:
    async with pool_of_one(settings) as one:
        asked = [await begin(one, bench, "alice", QUIET, what) for what in "ab"]
        asked[0].cancel()
        await asyncio.wait(asked[:1])
        assert (one.open_jobs, one.waiting_for_cheap) == (2, 1)
        bench.gate.release(9)
        assert await asked[1] == "b"
        assert (bench.begun, one.open_jobs) == (["a", "b"], 0)


def spin(seconds: float) -> str:
    """Work for so many seconds of the processor, and say so."""
    began = time.process_time()
    while time.process_time() < began + seconds:
        pass
    return f"worked {seconds} s"


def grow() -> bytes:
    """Take more memory than there is."""
    raise MemoryError


async def test_a_job_underestimated_as_cheap_moves_to_the_dear_workers(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork_workers(monkeypatch)
    monkeypatch.setattr(pool, "BROKEN_OFF", 0.05)
    one = Pool(replace(settings, workers=1), ROOMS, processes=True)
    await one.start()
    try:
        assert await one.run(spin, 0.4) == "worked 0.4 s"
        (cheap,), (dear,) = one._cheap.workers, one._dear.workers
        assert 0 < cheap.spent < dear.spent
        assert await one.run(divmod, 7, 2) == (3, 1), "and the cheap worker lives on"
        with pytest.raises(UserError, match="That is too large for me"):
            await one.run(grow)
        with pytest.raises(UserError, match="That is too large for me"):
            await one.run(bytes, 2**60)
        assert await one.run(divmod, 7, 2) == (3, 1)
    finally:
        await one.close()


# Quotas


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "monotonic", lambda: 1_000_000.0)


async def test_large_questions_have_a_quota_and_small_ones_are_free(
    settings: Settings, stopped_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Costs, "expect", lambda _costs, _work, words, _forecast: 8.0 if "large" in words else 0.01)
    own = replace(settings, most_seconds_user=20, most_seconds_server=20)
    async with pool_of_one(own) as one:
        monkeypatch.setattr(one._costs, "learn", lambda *_: None)

        def work(what: str) -> str:
            one._seconds.count("glutton", GREEDY, 8.0)  # as if it had taken as long as expected
            return what

        with asking("glutton", GREEDY):
            assert [await one.run(work, "large"), await one.run(work, "large")] == ["large", "large"]
            with pytest.raises(TurnedAwayError, match="Try again in 13 seconds; small battles still work"):
                await one.run(work, "large")
            assert await one.run(str, "small") == "small"
        with asking("neighbour", GREEDY):
            with pytest.raises(TurnedAwayError, match="This server has used up its time for large battles"):
                await one.run(str, "large")
            assert await one.run(str, "small") == "small"
        with asking("alice", QUIET):
            assert await one.run(str, "large") == "large"
        assert await one.run(str, "large") == "large", "at the terminal nobody has to share"


async def test_a_live_battle_goes_on_when_the_quota_is_used_up(
    settings: Settings, stopped_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Costs, "expect", lambda _costs, _work, _parts, own=None: own.seconds if own else 30.0)
    press = Press("3 2", "5eed" * 16, "battle", "1", "2", "1")
    async with Engine(replace(settings, most_seconds_user=20), ROOMS, processes=False) as engine:
        with asking("alice", QUIET):
            engine.pool._seconds.count("alice", QUIET, 20.0)
            with pytest.raises(TurnedAwayError):
                await engine.odds(Battle(12, 9))
            dear = replace(ROOM, live=replace(LIVE, seconds=lambda _battle: 30.0))
            (step,) = await roll_on(engine, dear, Battle(3, 2), [], "round", press)
            assert step.entry["n"] == 1


async def test_cached_and_shared_answers_use_no_quota(
    settings: Settings, stopped_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Costs, "expect", lambda _costs, _work, _parts, _forecast: 8.0)
    large, larger = Battle(12, 9), Battle(13, 9)
    async with Engine(replace(settings, most_seconds_user=20), ROOMS, processes=False) as engine:
        with asking("glutton", GREEDY):
            odds = await engine.odds(large)
            engine.pool._seconds.count("glutton", GREEDY, 20.0)
            with pytest.raises(TurnedAwayError):
                await engine.odds(larger)
            assert await engine.odds(large) is odds
        with asking("alice", QUIET):
            alone = asyncio.create_task(engine.odds(larger))
            await asyncio.sleep(0)
        with asking("glutton", GREEDY):
            assert await engine.odds(larger) is await alone


async def test_sharing_the_refused_question_of_a_glutton_is_not_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Engine(settings, ROOMS, processes=False) as engine:
        run = engine.pool.run
        refused: list[Any] = []

        async def turn_away(*asked: Any) -> Any:
            if not refused:
                refused.append(asked)
                await asyncio.sleep(0)
                raise TurnedAwayError("You have used up your time.")
            return await run(*asked)

        monkeypatch.setattr(engine.pool, "run", turn_away)
        glutton, alice = (asyncio.create_task(engine.odds(Battle(12, 9))) for _ in range(2))
        with pytest.raises(TurnedAwayError):
            await glutton
        assert (await alice).attackers == 12


def test_the_default_quota_covers_the_dearest_question() -> None:
    usual = load()
    assert usual.most_seconds_user >= 5 * MOST_SECONDS
    assert usual.most_seconds_server >= usual.most_seconds_user
