"""The log at the start has the link to add the bot, and `sandtable register --installs` sets the ways to install it."""

import asyncio
import logging
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.__main__ import main
from bot.discord_app.client import Client
from bot.request import Services
from tests.fake_discord import FakeDiscord
from tests.helpers.documents import README
from tests.helpers.program import until

OFF: list[tuple[dict[str, Any], str]] = [
    ({"0": {}}, "installing it is off for people"),
    ({"1": {}}, "installing it is off for servers"),
    ({}, "Discord names no way to install it"),
]


async def lines_at_ready(discord: FakeDiscord, services: Services, caplog: pytest.LogCaptureFixture) -> list[str]:
    """The lines about installing that the log has when the bot is ready."""
    caplog.clear()
    bot = Client(services)
    with caplog.at_level(logging.INFO):
        async with discord.running(bot):
            await bot.wait_until_ready()
            await until(lambda: "way" in caplog.text or "installing" in caplog.text)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("bot.")]
    return [line for line in ours if "install" in line or "link" in line]


async def test_the_log_has_the_link_with_its_scopes(
    discord: FakeDiscord, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    link, ways = await lines_at_ready(discord, services, caplog)
    assert "with the scopes bot and applications.commands: " in link
    address = link.rpartition(" ")[2]
    (told,) = [known for known in README.links if "/oauth2/authorize" in known]
    asked = parse_qs(urlsplit(address).query)
    assert asked == parse_qs(urlsplit(told).query) | {"client_id": [str(discord.world.app_id)]}
    assert ways == "both ways to install it are on, for servers and for people"


@pytest.mark.parametrize(("installs", "off"), OFF)
async def test_the_log_says_which_way_to_install_is_off(
    discord: FakeDiscord,
    services: Services,
    caplog: pytest.LogCaptureFixture,
    installs: dict[str, Any],
    off: str,
) -> None:
    discord.world.installs = installs
    _link, ways = await lines_at_ready(discord, services, caplog)
    assert ways == f"{off}: `sandtable register --installs` switches both ways on"
    assert discord.requests_to("PATCH /applications/@me") == [], "nothing is changed unasked"


@pytest.mark.usefixtures("host")
async def test_register_sets_both_ways_to_install_alone(
    discord: FakeDiscord, capsys: pytest.CaptureFixture[str]
) -> None:
    discord.world.installs = {"0": {}}
    assert await asyncio.to_thread(main, ["register", "--installs"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[1:] == ["The bot can now be installed on servers and for people."]
    (change,) = discord.requests_to("PATCH /applications/@me")
    assert change.body == {"integration_types_config": discord.world.installs}
    (permissions,) = re.findall(r"permissions=(\d+)", README.text)
    assert discord.world.installs == {
        "0": {"oauth2_install_params": {"scopes": ["bot", "applications.commands"], "permissions": int(permissions)}},
        "1": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": 0}},
    }
    assert {request.method for request in discord.requests} == {"GET", "PUT", "PATCH"}
    assert discord.gateway.identified == 0


@pytest.mark.usefixtures("host")
async def test_a_refusal_of_discord_to_register_is_a_sentence(
    discord: FakeDiscord, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    discord.fail_next("PATCH /applications/@me", status=403, code=20012)
    assert await asyncio.to_thread(main, ["register", "--installs"]) == 2
    assert "does not take the commands, the ways to install or the dice: 403 Forbidden" in capsys.readouterr().err
    monkeypatch.setenv("SANDTABLE_TOKEN", "wrong")
    with discord.violations.expected("401"):
        assert await asyncio.to_thread(main, ["register", "--installs"]) == 2
    assert capsys.readouterr().err == "Discord does not accept the token in SANDTABLE_TOKEN.\n"
    monkeypatch.delenv("SANDTABLE_TOKEN")
    assert await asyncio.to_thread(main, ["register", "--installs"]) == 2
    assert capsys.readouterr().err.startswith("There is no token.")
