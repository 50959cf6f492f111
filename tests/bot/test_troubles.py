"""When things go wrong on Discord: restarts, lost connections, refusals, slow answers, our own faults."""

import asyncio
import logging
import re
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest

from bot import charts
from bot.charts import Chart
from bot.discord_app import answers
from bot.discord_app.client import Client
from bot.request import Services
from bot.rooms import ROOMS
from bot.store.records import Setup
from bot.work import engine
from solver import Battle, Odds
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import ANSWER, line_of
from tests.helpers.bot.storm import PNG, database_of
from tests.helpers.program import LONGEST, until


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take longer than Discord is made to wait."""
    draw = charts.draw

    def slowly(kind: Chart, *parts: object) -> bytes:
        time.sleep(0.2)
        return draw(kind, *parts)

    monkeypatch.setattr(charts, "draw", slowly)
    monkeypatch.setattr(answers, "PATIENCE", 0.02)


async def test_buttons_work_after_a_restart(discord: FakeDiscord, services: Services) -> None:
    alice = discord.member("Alice")
    async with discord.running(Client(services)):
        shown = await alice.sends("battle", matchup="12 9")
        form = await alice.opens(shown, "Save")
    async with discord.running(Client(services)):
        assert line_of(await alice.presses(shown, "+1 attacker")) == "13 9"
        # The form came with the battle that the message showed then.
        assert "Saved `alamo`: `12 9`" in (await alice.submits(form, {"Name": "alamo"})).content
        rolled = await alice.presses(shown, "Roll it")
    async with discord.running(Client(services)):
        assert "attack  defence" in (await alice.presses(rolled, "Roll")).content


async def test_a_press_works_after_the_token_of_its_message_expired(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    discord.clock.advance(16 * 60)
    assert line_of(await alice.presses(shown, "+1 attacker")) == "13 9"


async def test_a_button_of_another_version_is_answered(discord: FakeDiscord, bot: Client) -> None:
    for custom_id in (
        "b0:swap",
        "b2:gone",
        "b3:swap:12 9",
        "b0:ask:battle 12 9",
        "b3:turn to:risk",
        "swap",
        "two\nlines",
    ):
        old = discord.old_message("12 against 9: 79%\n`12 9`", {"Swap": custom_id})
        shown = await discord.member("Alice").presses(old, "Swap")
        assert shown.private
        assert "an old version of Sandtable" in shown.content


async def test_a_slow_answer_is_announced_and_follows(discord: FakeDiscord, bot: Client, slow: None) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 bombers:2")
    assert shown.deferred
    assert (shown.content, len(shown.files), len(shown.buttons)) == (ANSWER, 1, 10)
    after = await alice.presses(shown, "+1 attacker")
    assert (after.id, line_of(after)) == (shown.id, "13 9 bombers:2")


async def test_slow_private_answers_stay_private(discord: FakeDiscord, bot: Client, slow: None) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9", private=True)
    assert (shown.private, shown.deferred) == (True, True)
    changed = await alice.submits(await alice.opens(shown, "Edit"), {"Attackers and defenders": "5 4"})
    assert (changed.private, line_of(changed)) == (True, "5 4")
    public = await alice.sends("battle", matchup="6 4")
    answers.PATIENCE = 0
    saved = await alice.submits(await alice.opens(public, "Save"), {"Name": "alamo"})
    assert saved.private
    assert not any(message.thinking for message in discord.channel_messages)


@pytest.mark.whole
async def test_every_question_of_a_rush_is_acknowledged_at_once(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = threading.Event()
    draw = charts.draw

    def held(kind: Chart, *parts: object) -> bytes:
        drawing.wait(LONGEST)
        return draw(kind, *parts)

    monkeypatch.setattr(charts, "draw", held)
    monkeypatch.setattr(answers, "PATIENCE", 60)
    asked = [discord.member(f"P{number}").begins("battle", matchup=f"{number + 3} 9") for number in range(30)]
    await asyncio.gather(*(question.acknowledged() for question in asked[answers.RUSH :]))
    assert asked[0].response is None, "the first are answered at once, however long that takes here"
    drawing.set()
    await asyncio.gather(*(question.answered() for question in asked))


async def test_an_error_after_a_public_deferral_is_private(
    discord: FakeDiscord, bot: Client, slow: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(battle: Battle, odds: Odds) -> bytes:
        time.sleep(0.2)
        raise RuntimeError("out of ink")

    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 2")
    monkeypatch.setattr(charts, "draw", broken)
    asked = alice.begins("battle", matchup="12 9")
    await asked.acknowledged()
    await until(lambda: any("Something went wrong" in message.content for message in alice.sees))
    told = [message for message in alice.sees if "Something went wrong" in message.content]
    assert [message.private for message in told] == [True]
    assert not any(message.thinking for message in alice.sees)
    pressed = await alice.presses(shown, "+1 attacker")
    assert pressed.private
    assert line_of(discord.messages[shown.id]) == "3 2"


async def test_a_fault_is_a_calm_sentence_with_an_id_in_the_log(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(charts, "draw", lambda *_: 1 / 0)
    shown = await discord.member("Alice").sends("battle", matchup="12 9")
    assert shown.private
    fault = re.search("`([0-9a-f]{8})`", shown.content)
    assert fault is not None
    assert "Traceback" not in shown.content
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert fault[1] in record.getMessage()
    assert record.exc_info is not None


async def test_an_interaction_that_came_too_late_is_only_logged(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    alice = discord.member("Alice")
    alice.begins("battle", matchup="12 9", late=3.5)
    alice.begins_typing("battle", matchup="12 9", late=3.5)
    assert (await alice.sends("battle", matchup="3 2")).content
    await until(lambda: "nobody waits for the answer to battle any more" in caplog.text)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("slowly", [False, True])
async def test_an_answer_that_discord_refuses_is_a_calm_sentence(
    discord: FakeDiscord,
    bot: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    slowly: bool,
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0 if slowly else 20)
    route = "PATCH /webhooks/{id}/{token}/messages/@original" if slowly else "POST /interactions/{id}/{token}/callback"
    alice = discord.member("Alice")
    asked = alice.begins("battle", matchup="12 9")
    if slowly:
        await asked.acknowledged()
    discord.fail_next(route, status=400, code=50035)
    await until(lambda: any("I couldn't show the answer here" in message.content for message in alice.sees))
    (told,) = alice.sees
    assert told.private
    assert not told.thinking
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.getMessage() == "the answer to battle could not be shown"


async def test_a_private_error_is_sent_although_the_deferral_stays(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0)
    monkeypatch.setattr(bot.services.store, "setups", lambda place: asyncio.sleep(0.05, []))
    alice = discord.member("Alice")
    discord.fail_next("POST /webhooks/{id}/{token}", status=400, code=50035)
    alice.begins("battle", matchup="12 9 hullabaloo")
    await until(lambda: any("I couldn't show the answer here" in message.content for message in alice.sees))
    assert [message.private for message in alice.sees] == [True]


async def test_a_message_gets_a_second_answer_where_the_first_was_refused(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    discord.fail_next("POST /channels/{id}/messages", status=503)
    assert "I couldn't show the answer here" in (await alice.says("@bot 12 9")).content


async def test_a_deleted_mention_is_answered(discord: FakeDiscord, bot: Client, slow: None) -> None:
    alice = discord.member("Alice")
    discord.delete(await alice.says("@bot 12 9", reply=False))
    await until(lambda: any("79.0%" in message.content for message in alice.sees))


async def test_a_form_of_a_deleted_message_is_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    form = await alice.opens(shown, "Edit")
    discord.delete(shown)
    alice.begins_submitting(form, {"Attackers and defenders": "5 4"})
    await until(lambda: any("5 against 4" in message.content for message in alice.sees))


async def test_a_form_of_a_message_deleted_after_its_deferral_is_answered(
    discord: FakeDiscord, bot: Client, slow: None
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    asked = alice.begins_submitting(await alice.opens(shown, "Edit"), {"Attackers and defenders": "5 4"})
    await asked.acknowledged()
    discord.delete(shown)
    await until(lambda: any("5 against 4" in message.content for message in alice.sees))


async def test_a_locked_database_is_a_sentence_and_delays_no_suggestion(
    discord: FakeDiscord, impatient: None, bot: Client
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    with closing(sqlite3.connect(database_of(bot.services.settings), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        saving = [alice.begins("preset save", name=f"alamo-{number}", matchup="12 9") for number in range(4)]
        assert (await bob.types("battle", matchup="12 9"))[0].value == "12 9"
        assert "I don't know `ukraine`" in (await bob.sends("battle", matchup="ukraine")).content
        for question in saving:
            assert (await question.answered()).content == "The database is busy right now. Try again in a moment."
    assert "Saved" in (await alice.sends("preset save", name="alamo", matchup="12 9")).content


@pytest.mark.parametrize(
    ("route", "code"),
    [
        ("POST /interactions/{id}/{token}/callback", 50027),
        ("POST /channels/{id}/messages", 50001),
    ],
)
async def test_an_answer_that_cannot_be_delivered_is_only_logged(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture, route: str, code: int
) -> None:
    caplog.set_level(logging.INFO)
    alice = discord.member("Alice")
    discord.fail_next(route, status=403, code=code)
    if "callback" in route:
        alice.begins("battle", matchup="12 9")
    else:
        await alice.says("@bot 12 9", reply=False)
    await until(lambda: "nobody waits for the answer" in caplog.text)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_suggestions_go_on_without_the_database(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(place: str) -> list[Setup]:
        raise OSError("the disk is gone")

    monkeypatch.setattr(bot.services.store, "setups", broken)
    choices = await discord.member("Alice").types("battle", matchup="12 9")
    assert choices[0].name == "12 9 → 79.0% attacker"
    assert "suggestions go without presets: the disk is gone" in caplog.text


async def test_questions_to_a_stopping_bot_get_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    bot.leaving = True
    alice = discord.member("Alice")
    assert "I'm restarting" in (await alice.sends("battle", matchup="12 9")).content
    assert "I'm restarting" in (await alice.says("@bot 12 9")).content


async def test_questions_until_the_connection_ends_get_a_sentence(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    somebody_is_told = asyncio.Event()

    async def keep_an_answer_open() -> None:
        """Without this the end may take less time than a question needs to be heard."""
        with bot.answering("an earlier question", 1):
            await somebody_is_told.wait()

    async def end() -> None:
        await bot.finish_answers()
        await bot.close()

    alice, asked = discord.member("Alice"), []
    earlier, ending = asyncio.create_task(keep_an_answer_open()), asyncio.create_task(end())
    while not ending.done():
        if discord.gateway.sessions:
            asked.append(alice.begins("battle", matchup="12 9 exact"))
        if any(question.response for question in asked):
            somebody_is_told.set()
        await asyncio.sleep(0.001)
    await asyncio.gather(earlier, ending)
    assert any(question.response for question in asked)
    for question in asked:
        question.excused = not question.response  # what came too late was never heard
        assert not question.response or "I'm restarting" in (await question.answered()).content
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_rate_limit_is_waited_out(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    discord.limit_next("POST /interactions/{id}/{token}/callback", retry_after=0.2)
    assert (await alice.sends("battle", matchup="12 9 bombers:2")).content == ANSWER
    discord.limit_next("POST /channels/{id}/messages", retry_after=0.2)
    assert (await alice.says("@bot 12 9 bombers:2")).content == ANSWER


async def test_a_lost_connection_is_resumed(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    async with discord.gateway_away():
        asked = alice.begins("battle", matchup="12 9 bombers:2")
    assert (await asked.answered()).content == ANSWER
    assert discord.gateway.resumed == 1
    await discord.reconnect_request()
    assert (await alice.sends("battle", matchup="12 9 bombers:2")).content == ANSWER
    await discord.invalidate_session()
    await discord.ready()
    assert (await alice.sends("battle", matchup="12 9 bombers:2")).content == ANSWER


@pytest.mark.whole
async def test_two_hundred_questions_at_once_are_answered(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "draw", lambda *_: PNG)  # most of the work otherwise, and not what is tried
    people = [discord.member(f"Player {number}") for number in range(200)]
    asked = [person.begins("battle", matchup=f"{number + 1} 9") for number, person in enumerate(people)]
    shown = await asyncio.gather(*(question.answered() for question in asked))
    assert [line_of(message) for message in shown] == [f"{number + 1} 9" for number in range(len(people))]


async def test_questions_above_the_limit_of_waiting_are_refused(
    discord: FakeDiscord, services: Services, slow: None
) -> None:
    settings = replace(services.settings, most_waiting=3)
    async with (
        engine.Engine(settings, ROOMS, processes=False) as small,
        discord.running(Client(Services(settings, small, services.find_store, ROOMS))),
    ):
        people = [discord.member(f"Player {number}") for number in range(9)]
        asked = [person.begins("battle", matchup=f"{number + 1} 9") for number, person in enumerate(people)]
        shown = await asyncio.gather(*(question.answered() for question in asked))
    busy = [message for message in shown if "Try again in a few seconds" in message.content]
    assert 0 < len(busy) < 9
    assert all(message.private for message in busy)
