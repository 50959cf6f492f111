"""Whatever comes from Discord, however hostile or broken: an answer that is allowed, or none, and the bot goes on."""

import asyncio
import gc
import logging
import re
from random import Random
from typing import Any

import pytest

from bot.discord_app import answers, tree
from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.fake_discord.wire import Json, Kind
from tests.helpers.bot.any_event import Forge
from tests.helpers.bot.any_payload import LINES, MARKUP, NAMES, Forged, forged, send
from tests.helpers.bot.storm import draw_dots, idle
from tests.helpers.extent import pick
from tests.helpers.program import LONGEST, until

CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
AT_ONCE = 20


async def attacked(discord: FakeDiscord, number: int, seed: int) -> None:
    """Send so many interactions, and wait for the answers to those that must have one."""
    chance = Random(seed)
    people = [discord.member(name, manage_guild=not seat) for seat, name in enumerate(NAMES)]
    for _ in range(0, number, AT_ONCE):
        some = [forged(chance, discord, people) for _ in range(AT_ONCE)]
        asked = [send(discord, chance.choice(people), one, f"said\n{chance.choice(LINES)}") for one in some]
        for one in asked:
            if not one.excused:
                await one.bell.until(lambda one=one: one.result is not None, within=LONGEST, otherwise=one.__repr__)  # type: ignore[misc]


def check(discord: FakeDiscord) -> None:
    """No answer pings or shows markup that somebody else wrote, and no fault of ours was told."""
    for request in discord.requests:
        body = request.body if isinstance(request.body, dict) else {}
        message = body.get("data", {}) if "callback" in request.route else body
        if "content" in message:
            assert message["allowed_mentions"] == {"parse": []}, request
    for post in discord.board.posts.values():
        if post.author.bot and post.origin:
            assert "Something went wrong" not in post.content
            assert post.pings == ()
            bare = CODE.sub(" ", post.content)
            assert not [markup for markup in MARKUP if markup.strip() in bare], post.content


async def told(discord: FakeDiscord, kind: Kind, data: Json) -> str:
    """What somebody is told who sends this."""
    asked = send(discord, discord.member("Alice"), Forged(kind, data, True), "said\n`12 9`")
    shown = await asked.answered()
    assert shown.private
    return shown.content


async def test_a_command_of_another_version_gets_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    for data in [
        {"id": "1", "name": "odds", "type": 1, "options": [{"type": 3, "name": "matchup", "value": "12 9"}]},
        {"id": "1", "name": "preset", "type": 1, "options": [{"type": 1, "name": "copy", "options": []}]},
        {"id": "1", "name": "battle", "type": 1, "options": []},
        {"id": "1", "name": "Who wins", "type": 3, "target_id": "1"},
    ]:
        assert "That command has changed. Restart Discord to see the new one." in await told(
            discord, Kind.COMMAND, data
        )


async def test_a_form_of_another_version_gets_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    for command in ["preset save", "preset rename", "edit", "ask dice", "real dice:abcdefgh:1"]:
        data = {"custom_id": f"b2:{command}", "components": []}
        text = await told(discord, Kind.MODAL, data)
        assert "from an old version" in text or "no longer stored" in text


async def test_an_unreadable_event_does_not_stop_the_bot(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    alice = discord.member("Alice")
    for kind in (Kind.COMPONENT, Kind.MODAL, Kind.COMMAND):
        send(discord, alice, Forged(kind, {"name": []}, False), "said\n`12 9`")
    assert "79.0%" in (await alice.sends("battle", matchup="12 9")).content
    assert caplog.text.count("an interaction cannot be read") == 3
    assert "Traceback" not in caplog.text


async def test_every_forged_interaction_is_answered_or_ignored(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("bot", "discord"):
        caplog.set_level(logging.DEBUG, name)
    discord.role("Strategists")
    await attacked(discord, pick(80, 300), seed=1)
    await idle(bot)
    await asyncio.sleep(0)
    # Some of those who manage the server have changed its settings.
    line = "12 9 variant:classic behind:0"
    assert "79" in (await discord.member("Alice").sends("battle", matchup=line)).content, "it goes on"
    check(discord)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert discord.token not in caplog.text


def unread(records: list[logging.LogRecord]) -> list[str]:
    """What was said of interactions that cannot be read."""
    told = [record.getMessage() for record in records if record.levelno == logging.WARNING]
    return [text for text in told if text.startswith("an interaction cannot be read: ")]


async def test_a_broken_interaction_is_one_warning_or_is_answered(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_dots(monkeypatch)
    forge, number = Forge(discord, seed=16), pick(120, 300)
    for _ in range(0, number, AT_ONCE):
        for _event in range(AT_ONCE):
            forge.send(forge.broken())
        await idle(bot)
    gc.collect()  # a task whose error nobody has seen tells of it when it goes
    await asyncio.sleep(0)
    assert "79" in (await discord.member("Zoe").sends("battle", matchup="12 9 variant:classic behind:0")).content
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info]
    assert number / 3 < len(unread(caplog.records)) <= number
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    # A broken interaction may still ask to import a file, and the file is nowhere; a busy machine may not look healthy.
    others = {"bot.discord_app.forms", "bot.discord_app.health"}
    assert len(unread(caplog.records)) == sum(record.name not in others for record in warnings)
    discord.violations.clear()  # some of what was answered had a token of somebody else


async def test_an_interaction_that_lacks_a_field_is_one_warning(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    forge = Forge(discord, seed=1)
    event = next(event for event in iter(forge.event, None) if event["type"] == Kind.COMPONENT)
    names = ("id", "application_id", "type", "token", "data", "member", "message")
    empty: tuple[Any, ...] = (None, [], {}, "", 0)
    wrong: list[Any] = [event | {name: value} for name in names for value in empty]
    wrong += [{other: part for other, part in event.items() if other != name} for name in names]
    wrong += [None, [], "", 0]
    for number, one in enumerate(wrong, start=1):
        forge.send(one)
        await until(lambda number=number: len(unread(caplog.records)) == number)  # type: ignore[misc]
    assert not [record for record in caplog.records if record.exc_info]


async def test_warnings_of_broken_interactions_hold_no_ids_and_no_lines(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    forge = Forge(discord, seed=16)
    for _ in range(100):
        forge.send(forge.broken())
    await idle(bot)
    for text in unread(caplog.records):
        assert not re.search(r"\d{10}", text), text
        assert len(text) < 200
    discord.violations.clear()


async def test_a_fault_at_a_good_interaction_keeps_its_traceback(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")

    def wrong(*_: object, **__: object) -> None:
        raise TypeError("our fault")

    for module in (tree, answers):
        monkeypatch.setattr(module, "request_from", wrong)
    asked = [alice.begins("battle", matchup="12 9"), alice.begins_pressing(shown, "+1 attacker")]
    asked.append(alice.begins_typing("battle", matchup="12 9"))
    for one in asked:
        one.excused = True
    await until(lambda: len([one for one in caplog.records if one.levelno >= logging.ERROR and one.exc_info]) == 3)
    assert unread(caplog.records) == []
