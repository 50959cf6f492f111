"""After a kill no answer stands at "thinking…" for ever: another process says there that it does not come."""

import asyncio
import sqlite3
from contextlib import closing
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from bot.discord_app import answers, left_waiting
from bot.discord_app.client import Client
from bot.discord_app.delivery import HOURGLASS
from bot.discord_app.left_waiting import words_and_line
from bot.errors import UserError
from bot.request import Request
from bot.settings import Settings
from bot.store.database import Store, open_store
from bot.store.open_answers import OpenAnswer
from bot.store.owners import hold_shards
from bot.store.postgres import ANSWERS
from bot.store.presence import hold_presence
from bot.store.tables import open_answers
from bot.upkeep import back_up
from bot.work.pool import Pool
from tests.fake_discord import FakeDiscord, Interaction, Person
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.http_bots import http_program, register
from tests.helpers.bot.storm import battle_in
from tests.helpers.program import LONGEST, Program, program, until

LEFT = "I was restarted before this answer came. Please ask again."
OLD = 1
"""The number of a process that has ended."""
LOOK = "GET /webhooks/{id}/{token}/messages/@original"
LONG = "9 inf vs 9 inf"
"""What a hasty program simulates."""
HASTY = {
    "bot.discord_app.answers.PATIENCE": 0,
    "bot.discord_app.answers.TELL_EVERY": 0.02,
    "bot.discord_app.left_waiting.AFTER": 0.02,
    "bot.work.workers.TELL": 0,
    "solver.axis.limits.TIMES": 0,
    "solver.axis.simulation.sample.MOST_BATTLES": 10**9,
    "solver.axis.simulation.sample.MOST_WORK": 10**12,
    "solver.axis.simulation.sample.PRECISE": 1e-9,
}
"""For a program that simulates all battles of Axis & Allies for very long, and soon says how far it is."""


def left_by(asked: Interaction) -> OpenAnswer:
    return OpenAnswer(asked.id, OLD, asked.token, LEFT, "battle 12 9")


async def end_left(bot: Client, *left: OpenAnswer) -> list[OpenAnswer]:
    """Have the bot look at what another process has left, and return what it still has afterwards."""
    for answer in left:
        await bot.services.store.open_answers.note(answer)
    await bot.left_waiting.end_left()
    return await rows(bot.services.store)


async def rows(store: Store) -> list[OpenAnswer]:
    """All answers that are written down."""
    async with store.battles._connections.read() as connection:
        return [OpenAnswer(*row) for row in await connection.execute(select(open_answers))]


# After a real kill --------------------------------------------------------------------------------------


async def leave_two(process: Program, where: Path | str, alice: Person, bob: Person) -> None:
    """Kill a program that says to one person how far it is, while another one waits behind that in private."""
    bob.begins("battle", matchup=LONG)
    await until(lambda: bool(bob.sees) and bob.sees[0].content.startswith(HOURGLASS))
    await alice.begins("battle", matchup="12 9", private=True).acknowledged()
    await until_written(where, 2)
    assert [message.thinking for message in alice.sees] == [False, True]
    process.kill()
    await process.wait()


async def until_written(where: Path | str, wanted: int) -> None:
    """Wait until so many answers are written down."""
    async with open_store(where) as store, asyncio.timeout(LONGEST):
        while len(await rows(store)) != wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def until_ended(where: Path | str, alice: Person, bob: Person) -> None:
    """Both learn that their answers do not come, and can ask again."""
    await until(lambda: not any(one.thinking or one.content.startswith(HOURGLASS) for one in alice.sees))
    theirs, mine = alice.sees
    assert (theirs.private, mine.private, mine.content) == (False, True, LEFT)
    assert "neu gestartet" in theirs.content
    assert (theirs.labels, mine.labels) == ([LONG], ["12 9"])
    await until_written(where, 0)


async def test_the_next_start_closes_answers_of_a_killed_program(discord: FakeDiscord, tmp_path: Path) -> None:
    alice, bob, file = discord.member("Alice"), discord.member("Bob", locale="de"), tmp_path / "sandtable.db"
    async with program(discord.token, tmp_path, discord, HASTY) as process:
        await discord.ready()
        await leave_two(process, file, alice, bob)
        _, errors = await process.communicate()
    async with program(discord.token, tmp_path, discord) as process:
        await until_ended(file, alice, bob)
        process.terminate()
        errors += (await process.communicate())[1]
    tokens = {request.path.split("/")[-3] for request in discord.requests_to(LOOK)}
    assert len(tokens) == 2
    assert not any(token in errors.decode() for token in tokens)


@pytest.mark.trial
async def test_a_running_process_closes_answers_of_a_killed_process(
    discord: FakeDiscord, tmp_path: Path, shared: str
) -> None:
    alice, bob, there = discord.member("Alice"), discord.member("Bob", locale="de"), {"SANDTABLE_DATABASE": shared}
    await register(discord, tmp_path, **there)
    often = {"bot.discord_app.left_waiting.LOOK_EVERY": 0.05}
    async with http_program(tmp_path / "one", discord, HASTY, **there) as (process, _):
        discord.doors.turn = repeat(0)
        async with http_program(tmp_path / "other", discord, often, **there):
            await leave_two(process, shared, alice, bob)
            await until_ended(shared, alice, bob)


# What is written down -----------------------------------------------------------------------------------


def hold_work(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Have every answer wait, and say so at once, until this event is set."""
    run, opened = Pool.run, asyncio.Event()

    async def held(crew: Pool, *work: Any, **forecast: Any) -> Any:
        await opened.wait()
        return await run(crew, *work, **forecast)

    monkeypatch.setattr(answers, "PATIENCE", 0)
    monkeypatch.setattr(left_waiting, "AFTER", 0)
    monkeypatch.setattr(Pool, "run", held)
    return opened


async def test_a_slow_answer_is_stored_as_open(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, opened = bot.services.store, hold_work(monkeypatch)
    asked = discord.member("Alice").begins("battle", matchup="12 9")
    await until_written(bot.services.settings.store, 1)
    (noted,) = await rows(store)
    assert noted == left_by(asked)._replace(owner=noted.owner)
    await bot.left_waiting.end_left()
    assert await rows(store) == [noted], "it is this process's own"
    opened.set()
    assert line_of(await asked.answered()) == "12 9"
    await until(lambda: not bot.left_waiting._notes)
    assert await rows(store) == []


async def test_an_open_answer_is_stored_once_the_database_has_time(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, tried = bot.services.store.open_answers.note, asyncio.Event()
    monkeypatch.setattr(left_waiting, "AGAIN", 0)
    opened = hold_work(monkeypatch)

    async def busy_at_first(answer: OpenAnswer) -> None:
        if not tried.is_set():
            tried.set()
            raise UserError("The database is busy.")
        await note(answer)

    monkeypatch.setattr(bot.services.store.open_answers, "note", busy_at_first)
    asked = discord.member("Alice").begins("battle", matchup="12 9")
    await until_written(bot.services.settings.store, 1)
    opened.set()
    await asked.answered()


async def test_a_quick_answer_is_not_stored_as_open(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0)
    monkeypatch.setattr(left_waiting, "AFTER", LONGEST)
    monkeypatch.setattr(bot.services.store.open_answers, "note", None)
    assert (await discord.member("Alice").sends("battle", matchup="12 9")).deferred
    await until(lambda: not bot.left_waiting._notes)


def test_an_open_answer_offers_the_line_to_ask_again() -> None:
    for command, options, line in (
        ("battle", {"matchup": " 12  9", "private": ""}, "battle 12 9"),
        ("need", {"matchup": "9"}, "need 9"),
        ("preset delete", {"name": "alamo"}, ""),
        ("luck", {"everybody": "yes"}, ""),
    ):
        assert words_and_line(Request(command, "1", "Alice", "user:1", options)) == (LEFT, line)


async def test_an_open_roll_offers_history_and_no_second_roll(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = alice.begins("roll", matchup="12 9")
    name = battle_in((await asked.answered()).content)
    text, line = words_and_line(Request("roll", "1", "Alice", "guild:1", interaction=str(asked.id)))
    assert "If the battle has begun" in text
    discord.board.posts[asked.original.id].content = f"{HOURGLASS}…"  # type: ignore[union-attr]
    assert await end_left(bot, left_by(asked)._replace(text=text, line=line)) == []
    (left,) = alice.sees
    assert (left.content, left.labels) == (text, [f"/history open {name}"])
    assert battle_in((await alice.presses(left, f"/history open {name}")).content) == name


# What another process makes of it -----------------------------------------------------------------------


async def test_a_finished_answer_is_not_closed_again(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = [alice.begins("battle", matchup="12 9"), alice.begins("preset delete", name="alamo")]
    answers = [await one.answered() for one in asked]
    before = {one.content: one.buttons for one in answers}  # Either answer may come first.
    assert await end_left(bot, *map(left_by, asked)) == []
    assert {one.content: one.buttons for one in alice.sees} == before
    assert len(discord.requests_to(LOOK)) == 2


async def test_an_open_answer_out_of_reach_is_forgotten(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = [alice.begins("battle", matchup="12 9") for _ in range(2)]
    shown = [await one.answered() for one in asked]
    discord.delete(shown[0])
    assert await end_left(bot, left_by(asked[0])) == []
    discord.clock.advance(16 * 60)
    assert await end_left(bot, left_by(asked[1])) == []
    assert [request.status for request in discord.requests_to(LOOK)] == [404, 401], "the second one is too old"


async def test_closing_an_open_answer_is_tried_again_after_a_timeout(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = discord.member("Alice").begins("battle", matchup="12 9")
    await asked.answered()
    monkeypatch.setattr(left_waiting, "LONGEST", 0)
    (still,) = await end_left(bot, left_by(asked))
    monkeypatch.setattr(left_waiting, "LONGEST", LONGEST)
    assert still.owner == bot.left_waiting._owner
    assert await end_left(bot) == []


async def test_running_processes_take_open_answers_of_ended_processes(shared: str) -> None:
    async with hold_shards(shared, "token", None, lambda: None) as locks, open_store(shared) as store:
        async with hold_presence(shared) as door:
            owners = {OLD: OLD, 2: door.number, 3: locks.number}
            for number, owner in owners.items():
                await store.open_answers.note(OpenAnswer(number, owner, "secret", "", ""))
            taken = await asyncio.gather(*(store.open_answers.take(one) for one in (door.number, locks.number) * 2))
            assert [answer.id for answers in taken for answer in answers] == [OLD]
        async with asyncio.timeout(LONGEST):  # the server lets go of a lock soon after its connection has ended
            while not (taken := [await store.open_answers.take(locks.number)])[0]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert {2} <= {answer.id for answer in taken[0]} <= {OLD, 2}


async def test_one_process_alone_takes_an_open_answer_that_two_want_at_once(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.open_answers.CERTAIN_AFTER", 0)  # the other transaction may not be idle for long
    async with open_store(shared) as store, store.battles._connections.read() as connection:
        await store.open_answers.note(OpenAnswer(9, OLD, "secret", "", ""))
        async with store.battles._connections.write(single=False) as other:
            await other.execute(text("UPDATE open_answers SET owner = 3"))
            taking = asyncio.create_task(store.open_answers.take(2))
            async with asyncio.timeout(LONGEST):
                while not await connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        assert await taking == []


async def test_a_process_keeps_its_open_answers_over_a_lost_lock(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_store(shared) as store, store.battles._connections.read() as connection:
        await store.open_answers.note(OpenAnswer(9, OLD, "secret", "", ""))

        async def lock_again() -> None:
            await connection.execute(text(f"SELECT pg_advisory_lock({ANSWERS}, {OLD})"))

        monkeypatch.setattr("bot.store.open_answers._pause", lock_again)
        assert await store.open_answers.take(2) == []


async def test_a_backup_has_no_open_answers(settings: Settings, tmp_path: Path) -> None:
    async with open_store(settings.store) as store:
        await store.open_answers.note(OpenAnswer(9, OLD, "a-secret-token", "", ""))
    copy = tmp_path / "copy.db"
    assert await asyncio.to_thread(back_up, settings, str(copy)) == 0
    assert b"a-secret-token" not in copy.read_bytes()
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM open_answers").fetchone() == (0,)
