"""Whatever comes from Discord, however hostile or broken: an answer that is allowed, or none, and the bot goes on."""

import asyncio
import logging
import re
from random import Random

import pytest

from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.fake_discord.wire import Json, Kind
from tests.helpers.bot.any_payload import MARKUP, Forged, forged, send
from tests.helpers.bot.storm import idle
from tests.helpers.program import LONGEST

CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
LINES = (
    *("`12 9`", "`3 inf vs 2 inf`", "`20 > 5 > 4`", "`12 9 || stop:3`", "`5 bom vs 20`", "`8 inf || 4 inf || 3 arm`"),
    *("no line", "`alamo <@&1>`", "`{0.__class__}`", "`" + "(" * 1500 + "`"),
)
"""What the messages say under which somebody presses."""
NAMES = ("**zq** @everyone", "<@&1>`zq`", "{0.__class__} [zq](https://zq.example)", "\x00\n# zq\u202e||zq||", "_" * 32)
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


@pytest.mark.parametrize(
    "data",
    [
        {"id": "1", "name": "odds", "type": 1, "options": [{"type": 3, "name": "matchup", "value": "12 9"}]},
        {"id": "1", "name": "preset", "type": 1, "options": [{"type": 1, "name": "copy", "options": []}]},
        {"id": "1", "name": "battle", "type": 1, "options": []},
        {"id": "1", "name": "Who wins", "type": 3, "target_id": "1"},
    ],
)
async def test_a_command_of_another_version_is_told(discord: FakeDiscord, bot: Client, data: Json) -> None:
    assert "from another version" in await told(discord, Kind.COMMAND, data)


@pytest.mark.parametrize("command", ["preset save", "preset rename", "edit", "ask dice", "real dice:abcdefgh:1"])
async def test_a_form_of_another_version_is_told(discord: FakeDiscord, bot: Client, command: str) -> None:
    data = {"custom_id": f"b1:{command}", "components": []}
    text = await told(discord, Kind.MODAL, data)
    assert "from another version" in text or "not kept here" in text


async def test_an_event_that_cannot_be_read_ends_nothing(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    alice = discord.member("Alice")
    for kind in (Kind.COMPONENT, Kind.MODAL, Kind.COMMAND):
        send(discord, alice, Forged(kind, {"name": []}, False), "said\n`12 9`")
    assert "79.0 %" in (await alice.sends("battle", matchup="12 9")).content
    assert caplog.text.count("an interaction cannot be read") == 3
    assert "Traceback" not in caplog.text


async def test_whatever_is_sent_is_answered_or_ignored(
    discord: FakeDiscord, bot: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("bot", "discord"):
        caplog.set_level(logging.DEBUG, name)
    discord.role("Strategists")
    await attacked(discord, 300, seed=1)
    await idle(bot)
    await asyncio.sleep(0)
    # Some of those who manage the server have changed its settings.
    line = "12 9 variant:classic behind:0"
    assert "79" in (await discord.member("Alice").sends("battle", matchup=line)).content, "it goes on"
    check(discord)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert discord.token not in caplog.text
