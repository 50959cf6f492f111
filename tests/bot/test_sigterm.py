"""The bot ends in order after SIGTERM, whatever is under way, and nothing outlives a killed program."""

import asyncio
import os
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.store.unopened import hold_lock
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import ANSWER, line_of
from tests.helpers.extent import pick
from tests.helpers.memory import family
from tests.helpers.program import LONGEST, children, program, running, until

IMPATIENT = {"bot.discord_app.open_answers.PATIENCE_AT_END": 0.1}
"""For a program whose last answers would never come."""
TALKATIVE = {"bot.discord_app.open_answers.PATIENCE_AT_END": 0.5, "bot.discord_app.open_answers.LAST_WORDS": LONGEST}
"""For a program whose last words are many, on a busy machine too."""
in_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes in /proc, which Linux has")


async def test_sigterm_ends_the_bot_in_order(discord: FakeDiscord, tmp_path: Path) -> None:
    async with program(discord.token, tmp_path, discord) as process:
        await discord.ready()
        alice = discord.member("Alice")
        assert (await alice.sends("battle", matchup="12 9 bombers:2")).content == ANSWER
        assert "Saved" in (await alice.sends("preset save", name="alamo", matchup="12 9")).content
        await until((tmp_path / "alive").exists)
        asked = [alice.begins("battle", matchup=f"{number} 40") for number in range(20, pick(26, 40))]
        first = await asked[0].answered()
        process.send_signal(signal.SIGTERM)
        shown = [await question.answered() for question in asked]
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    assert process.returncode == 0, errors.decode()
    assert line_of(first) == "20 40"
    for number, message in enumerate(shown, start=20):
        # What nobody had begun to work on is called off.
        assert line_of(message) == f"{number} 40" if not message.private else "I'm restarting" in message.content
    assert "closed in order" in errors.decode()
    assert discord.token not in errors.decode()
    assert not (tmp_path / "sandtable.db-wal").exists(), "the database was not closed"
    with closing(sqlite3.connect(tmp_path / "sandtable.db")) as database:
        assert database.execute("SELECT name, line FROM setups").fetchall() == [("alamo", "12 9")]


async def test_sigterm_cancels_questions_that_take_too_long(discord: FakeDiscord, tmp_path: Path) -> None:
    """Many large battles wait: who cannot be answered within seconds is told, and the end is in order."""
    async with program(discord.token, tmp_path, discord, TALKATIVE) as process:
        await discord.ready()
        alice = discord.member("Alice")
        asked = [alice.begins("battle", matchup=f"{number} 600 late") for number in range(500, pick(540, 800))]
        await asyncio.gather(*(question.acknowledged() for question in asked))
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    assert (process.returncode, "closed in order" in errors.decode()) == (0, True), errors.decode()
    assert "Traceback" not in errors.decode()
    told = [message for message in alice.sees if "I'm restarting" in message.content]
    answered = [message for message in alice.sees if "against 600" in message.content]
    assert told
    assert [message.content for message in alice.sees if message not in (*told, *answered)] == []
    assert len(told) + len(answered) == len(asked)
    assert all(message.private for message in told)


@in_proc
async def test_sigterm_does_not_wait_for_a_stuck_worker(discord: FakeDiscord, tmp_path: Path) -> None:
    async with program(discord.token, tmp_path, discord, IMPATIENT) as process:
        await discord.ready()
        for worker in children(process.pid):
            os.kill(worker, signal.SIGSTOP)
        alice = discord.member("Alice")
        asked = [alice.begins("battle", matchup=f"{number} 9") for number in range(10, 15)]
        await asyncio.gather(*(question.acknowledged() for question in asked))
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    assert (process.returncode, "closed in order" in errors.decode()) == (0, True), errors.decode()
    assert len([message for message in alice.sees if "I'm restarting" in message.content]) == 5


@in_proc
async def test_sigterm_does_not_wait_for_slow_frames_backups_and_writers(discord: FakeDiscord, tmp_path: Path) -> None:
    """A frame that Discord does not take, a battle that is never solved, a backup and a writer at the database."""
    async with program(discord.token, tmp_path, discord, IMPATIENT) as process:
        await discord.ready()
        alice = discord.member("Alice")
        shown = await alice.sends("roll", matchup="12 9")
        discord.limit_next("POST /interactions/{id}/{token}/callback", retry_after=600)
        alice.begins_pressing(shown, "Roll").excused = True
        await until(lambda: any(request.status == 429 for request in discord.requests))
        file = tmp_path / "sandtable.db"
        with closing(sqlite3.connect(file)) as database:  # on a busy machine, the roll comes after its deferral
            await until(lambda: database.execute("SELECT turn FROM battles").fetchall() == [(1,)])
        for worker in children(process.pid):
            os.kill(worker, signal.SIGSTOP)
        asked = alice.begins("battle", matchup="12 9")
        await asked.acknowledged()
        with closing(sqlite3.connect(file)) as backup, closing(sqlite3.connect(file)) as writer:
            backup.execute("BEGIN")
            backup.execute("SELECT * FROM facts").fetchall()
            writer.execute("BEGIN IMMEDIATE")
            saving = alice.begins("preset save", name="alamo", matchup="12 9")
            await saving.acknowledged()
            process.send_signal(signal.SIGTERM)
            _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    assert (process.returncode, "closed in order" in errors.decode()) == (0, True), errors.decode()
    assert "Traceback" not in errors.decode()
    assert "I'm restarting" in (await asked.answered()).content
    # Whichever comes first: the end of the patience with the database, or that of the goodbye.
    assert re.search("The database is busy|I'm restarting", (await saving.answered()).content)
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT turn FROM battles").fetchall() == [(1,)], "the roll is not lost"


async def test_sigterm_before_the_connection_to_discord_ends_in_order(discord: FakeDiscord, tmp_path: Path) -> None:
    async with discord.gateway_away(), program(discord.token, tmp_path, discord) as process:
        await until(lambda: bool(discord.requests))
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    assert (process.returncode, "closed in order" in errors.decode()) == (0, True), errors.decode()


@in_proc
async def test_neither_workers_nor_the_lock_outlive_a_killed_program(discord: FakeDiscord, tmp_path: Path) -> None:
    async with program(discord.token, tmp_path, discord, SANDTABLE_WORKERS="2") as process:
        await discord.ready()
        workers = children(process.pid)
        processes = family(process.pid)[1:]
        with pytest.raises(UserError, match="Another bot is at work"), hold_lock(tmp_path / "sandtable.db"):
            pass
        process.kill()
        await process.wait()
        with hold_lock(tmp_path / "sandtable.db"):
            pass  # the next one can start at once
        await until(lambda: not any(running(one) for one in processes))
    assert len(workers) == 2
    assert set(workers) < set(processes)
