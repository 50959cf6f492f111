"""A message is deleted before its answer comes: the answer comes in a new one, for the same eyes."""

import asyncio
import logging
from typing import Any

import pytest

from bot.commands import run as commands
from bot.discord_app import answers
from bot.discord_app.client import Client
from bot.games.live import LATE
from bot.replies import Form, Reply
from bot.request import Request, Services
from bot.work.pool import Pool
from tests.fake_discord import FakeDiscord, Interaction
from tests.fake_discord.wire import Callback
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.storm import Storm, draw_dots, idle
from tests.helpers.program import until

FOLLOW_UP = "POST /webhooks/{id}/{token}"


class Gate:
    """Lets the work of the engine through when it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._open = asyncio.Event()
        self._open.set()
        run = Pool.run

        async def held(crew: Pool, *work: Any, **forecast: Any) -> Any:
            await self._open.wait()
            return await run(crew, *work, **forecast)

        monkeypatch.setattr(Pool, "run", held)

    def shut(self) -> None:
        """From here on work waits."""
        self._open.clear()

    def open(self) -> None:
        """Let it go on."""
        self._open.set()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """A gate before the engine; who waits is told at once that the answer takes a moment, and nothing is drawn."""
    monkeypatch.setattr(answers, "PATIENCE", 0)
    draw_dots(monkeypatch)
    return Gate(monkeypatch)


async def late(discord: FakeDiscord, asked: Interaction, gate: Gate) -> None:
    """Let the three seconds for a first answer pass, and then the work be done."""
    await asked.acknowledged()
    discord.clock.advance(4)
    gate.open()


@pytest.mark.parametrize(("promised", "private"), [(False, True), (True, False)])
async def test_a_press_under_a_deleted_message_gets_a_new_message(
    discord: FakeDiscord, bot: Client, gate: Gate, promised: bool, private: bool
) -> None:
    """It goes before or after the bot has promised to change it."""
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9", private=private)
    gate.shut()
    asked = alice.begins_pressing(shown, "+1 attacker")
    if promised:
        assert await asked.acknowledged() == Callback.UPDATE_LATER
    discord.delete(shown)
    await late(discord, asked, gate)
    after = await asked.answered()
    assert (line_of(after), after.private, after.thinking) == ("13 9", private, False)
    assert [message.id for message in alice.sees] == [after.id]


@pytest.mark.parametrize(("promised", "private"), [(False, False), (True, True)])
async def test_a_live_battle_goes_on_in_a_new_message(
    discord: FakeDiscord, bot: Client, gate: Gate, promised: bool, private: bool
) -> None:
    storm, alice = Storm(discord), discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9", private=private)
    gate.shut()
    press = storm.press(alice, shown, "Roll")
    if promised:
        await press.asked.acknowledged()
    discord.delete(shown)
    await late(discord, press.asked, gate)
    await press.asked.answered()
    await idle(bot)
    (there,) = alice.sees
    assert (there.private, there.thinking, "Roll" in there.labels) == (private, False, True)
    (record,) = await storm.check(bot.services)
    assert (record.battle.turn, record.battle.shown) == (1, 1)
    assert (await alice.presses(there, "Roll")).id == there.id


async def test_of_two_presses_under_a_deleted_message_only_one_rolls(
    discord: FakeDiscord, bot: Client, gate: Gate
) -> None:
    storm, alice, bob = Storm(discord), discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="12 9", open=True)
    gate.shut()
    pressed = [storm.press(person, shown, "Roll") for person in (alice, bob)]
    discord.delete(shown)
    for press in pressed:
        await press.asked.acknowledged()
    gate.open()
    await idle(bot)
    assert [message.content for message in discord.channel_messages if message.thinking] == []
    assert len([message for message in discord.channel_messages if message.buttons]) == 1
    assert len([message for message in (*alice.sees, *bob.sees) if message.content == LATE]) == 1


async def test_a_command_whose_thinking_mark_is_deleted_is_answered(
    discord: FakeDiscord, bot: Client, gate: Gate
) -> None:
    for private in [False, True]:
        alice = discord.member("Alice")
        gate.shut()
        asked = alice.begins("battle", matchup="12 9", private=private)
        assert await asked.acknowledged() == Callback.THINKING
        assert asked.original is not None
        discord.board.delete(asked.original)
        await late(discord, asked, gate)
        shown = await asked.answered()
        assert (line_of(shown), shown.private, shown.thinking) == ("12 9", private, False)


async def test_a_channel_that_takes_no_message_is_logged_once(
    discord: FakeDiscord, bot: Client, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    for attackers, (status, code) in enumerate([(401, 50027), (403, 50001), (404, 10015)]):
        caplog.set_level(logging.INFO)
        alice = discord.member("Alice")
        # What has been computed once does not wait at the gate.
        shown = await alice.sends("battle", matchup=f"{12 + 2 * attackers} 9")
        gate.shut()
        asked = alice.begins_pressing(shown, "+1 attacker")
        await asked.acknowledged()
        discord.delete(shown)
        discord.fail_next(FOLLOW_UP, status=status, code=code)
        caplog.clear()
        gate.open()
        await idle(bot)
        assert alice.sees == []
        # On a busy machine, the client says only now that it is ready.
        others = "bot.discord_app.client"
        (record,) = [one for one in caplog.records if one.name.startswith("bot") and one.name != others]
        assert (record.levelno, record.getMessage()[:36]) == (logging.INFO, "nobody waits for the answer to more ")


async def test_a_press_under_a_deleted_message_runs_its_command_once(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer that finds its message deleted is sent again; its command is not run again."""
    asked: list[str] = []
    run = commands.run

    async def counted(request: Request, services: Services) -> Reply | Form:
        asked.append(request.command)
        return await run(request, services)

    monkeypatch.setattr(answers, "run", counted)
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    pressing = alice.begins_pressing(shown, "+1 attacker")
    discord.delete(shown)
    assert line_of(await pressing.answered()) == "13 9"
    assert asked == ["battle", "more"]


async def test_an_answer_after_hanging_up_is_a_line_of_the_log(
    discord: FakeDiscord, bot: Client, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    storm, alice = Storm(discord), discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    rolled = await alice.sends("roll", matchup="12 9")
    gate.shut()
    asked = [alice.begins("battle", matchup="13 9"), alice.begins_pressing(shown, "+1 attacker")]
    asked.append(storm.press(alice, rolled, "Roll").asked)
    for one in asked:
        await one.acknowledged()
        one.excused = True
    await alice.says("@bot 14 9", reply=False)
    await until(lambda: bot.open_answers == 4)
    caplog.clear()
    await bot.close()
    gate.open()
    await idle(bot)
    ours = [record.getMessage() for record in caplog.records if "Session is closed" in record.getMessage()]
    assert len(ours) == 4
    assert not [record for record in caplog.records if record.levelno > logging.INFO or record.exc_info]
