"""The figures for Prometheus: what was asked, how it ended, and how full the bot is, on the address of the setting."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from dataclasses import replace

import aiohttp
import pytest

from bot.discord_app import metrics
from bot.discord_app.client import Client
from bot.discord_app.metrics import Metrics, serve_metrics
from bot.errors import UserError
from bot.request import Services
from bot.work import engine
from tests.fake_discord import FakeDiscord
from tests.helpers.program import until


@pytest.fixture(autouse=True)
def always_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles are counted each time."""
    monkeypatch.setattr(metrics, "COUNT_EVERY", 0)


@pytest.fixture
def address() -> str:
    """An address that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
async def watched(bot: Client, address: str) -> AsyncIterator[Client]:
    """The bot, with its figures on that address."""
    services = replace(bot.services, settings=replace(bot.services.settings, metrics=address))
    async with serve_metrics(bot.metrics, services):
        yield bot


async def figures(address: str) -> dict[str, float]:
    """What Prometheus reads there, by names with labels."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}/metrics") as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        text = await answer.text()
    assert text.endswith("\n")
    values, kind = {}, ""
    for line in text.splitlines():
        if found := re.fullmatch(r"# TYPE (sandtable_[a-z_]+) (counter|gauge|histogram)", line):
            kind = found[1]
        else:
            read = re.fullmatch(r'([a-z_]+)(\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? (\S+)', line)
            assert read, line
            assert read[1] in (kind, f"{kind}_bucket", f"{kind}_sum", f"{kind}_count")
            values[read[1].removeprefix("sandtable_") + (read[2] or "")] = float(read[3])
    return values


async def test_what_was_asked_and_how_it_ended(
    discord: FakeDiscord, watched: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    before = await figures(address)
    assert (before["answer_seconds_count"], before["live_battles"], before["queue"]) == (0, 0, 0)
    shown = await alice.sends("battle", matchup="12 9")
    await alice.presses(shown, "+1 attacker")
    await alice.sends("battle", matchup="12 9")
    await alice.sends("roll", matchup="3 2")
    alice.begins("battle", matchup="4 3", late=3.5)
    await until(lambda: watched.metrics._answers["battle", "gone"] == 1)
    monkeypatch.setattr(engine, "draw", lambda *_: 1 / 0)
    await alice.sends("battle", matchup="5 4")
    await until(lambda: not watched.open_answers)
    after = await figures(address)
    assert after['answers_total{command="battle",outcome="answered"}'] == 3
    assert after['answers_total{command="battle",outcome="gone"}'] == 1
    assert after['answers_total{command="more",outcome="answered"}'] == 1
    assert after['answer_seconds_bucket{le="+Inf"}'] == after["answer_seconds_count"] == 6
    assert after["answer_seconds_sum"] > 0
    buckets = [value for name, value in after.items() if "_bucket" in name]
    assert buckets == sorted(buckets)
    assert after['log_lines_total{level="ERROR"}'] == 1, "a fault of ours"
    assert after['cache_lookups_total{found="yes"}'] > 0
    assert after['cache_lookups_total{found="no"}'] > 0
    assert after["live_battles"] == 1


def test_answers_are_counted_by_the_time_they_took() -> None:
    counting = Metrics()
    for seconds in (0.005, 0.01, 0.02, 5.0, 50.0):
        counting.count_answer("battle", "answered", seconds)
    within = {most: counting._within[most] for most in (0.01, 0.03, 3.0, 10.0)}
    assert within == {0.01: 2, 0.03: 3, 3.0: 3, 10.0: 4}


async def test_battles_are_counted_once_in_a_while(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "COUNT_EVERY", 60)
    assert "sandtable_live_battles 0" in await bot.metrics.text(bot.services)
    await discord.member("Alice").sends("roll", matchup="3 2")
    assert "sandtable_live_battles 0" in await bot.metrics.text(bot.services)
    bot.metrics._count_again -= 60
    assert "sandtable_live_battles 1" in await bot.metrics.text(bot.services)


async def test_without_the_setting_nobody_listens(services: Services) -> None:
    before = len(asyncio.all_tasks())
    async with serve_metrics(Metrics(), services):
        assert len(asyncio.all_tasks()) == before


@pytest.mark.parametrize("wrong", ["127.0.0.1:{taken}", "127.0.0.1:99999"])
async def test_an_address_that_cannot_be_used_is_a_sentence(services: Services, wrong: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        wrong = wrong.format(taken=taken.getsockname()[1])
        settings = replace(services.settings, metrics=wrong)
        with pytest.raises(UserError, match="The setting `metrics` is wrong"):
            async with serve_metrics(Metrics(), replace(services, settings=settings)):
                pass
