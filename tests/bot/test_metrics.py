"""The figures for Prometheus: what was asked, how it ended, and how full the bot is, on the address of the setting."""

import asyncio
import socket
from collections.abc import AsyncIterator
from importlib.metadata import version
from math import inf, isfinite

import pytest
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families

from bot import charts
from bot.discord_app import metrics
from bot.discord_app.client import Client
from bot.discord_app.metrics import serve_metrics
from bot.discord_app.starting import metrics_of
from bot.errors import UserError
from bot.request import Services
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.figures import families, fetch, figures, value_of
from tests.helpers.documents import DOCS
from tests.helpers.program import LONGEST, until


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
    async with serve_metrics(bot.metrics, address):
        yield bot


async def test_metrics_count_answers_by_command_and_outcome(
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
    await until(lambda: value_of(watched, "answers_total", command="battle", outcome="gone") == 1)
    monkeypatch.setattr(charts, "draw", lambda *_: 1 / 0)
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
    assert (before['log_lines_total{level="ERROR"}'], after['log_lines_total{level="ERROR"}']) == (0, 1), "our fault"
    assert after['cache_lookups_total{found="yes"}'] > 0
    assert after['cache_lookups_total{found="no"}'] > 0
    assert after["live_battles"] == 1


async def test_metrics_show_version_shards_and_servers(discord: FakeDiscord, watched: Client, address: str) -> None:
    await until(lambda: value_of(watched, "shard_state", shard="0", state="ready") == 1)
    found = await figures(address)
    assert found[f'info{{version="{version("sandtable")}"}}'] == 1
    assert found["servers"] == 1
    assert found["process_resident_memory_bytes"] > 1e6
    assert 'python_gc_collections_total{generation="0"}' in found
    discord.add_guild("Another Table")
    await until(lambda: len(watched.guilds) == 2)
    assert (await figures(address))["servers"] == 2


async def test_metrics_show_the_latency_of_shards(discord: FakeDiscord, watched: Client, address: str) -> None:
    await until(lambda: isfinite(watched.latency))
    assert 0 < (await figures(address))['shard_latency_seconds{shard="0"}'] < LONGEST
    beat = watched.shards[0]._parent.ws._keep_alive
    assert beat
    beat.latency = inf  # before the first answer
    assert 'shard_latency_seconds{shard="0"}' not in await figures(address)


async def test_the_hosting_page_names_every_metric(watched: Client, address: str, discord: FakeDiscord) -> None:
    await discord.member("Alice").sends("battle", matchup="12 9")
    told = dict(code.rstrip("}").partition("{")[::2] for code in DOCS["hosting.md"].first_codes("Metric"))
    ours = [family for family in await families(address) if family.name.startswith("sandtable_")]
    assert told.keys() == {f"{family.name}_total" if family.type == "counter" else family.name for family in ours}
    for sample in [sample for family in ours for sample in family.samples if sample.name in told]:
        assert told[sample.name] == ",".join(sample.labels), sample.name


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("", "text/plain; version=0.0.4; charset=utf-8"),
        ("application/openmetrics-text;version=1.0.0,text/plain;q=0.5", "application/openmetrics-text; version=1.0.0"),
    ],
)
async def test_metrics_come_in_the_requested_format(
    watched: Client, address: str, accept: str, content_type: str
) -> None:
    found, text = await fetch(address, accept)
    assert found.startswith(content_type)
    assert text.endswith("# EOF\n") is bool(accept)
    read = openmetrics.text_string_to_metric_families if accept else text_string_to_metric_families
    assert {"sandtable_answers", "sandtable_answer_seconds", "sandtable_queue"} <= {
        family.name for family in read(text)
    }


async def test_two_bots_in_a_process_have_separate_metrics(bot: Client, services: Services) -> None:
    other = Client(services)
    bot.metrics.count_answer("battle", "answered", 0.1)
    assert [value_of(one, "answer_seconds_count") for one in (bot, other)] == [1, 0]


async def test_answers_are_counted_in_buckets_of_time(bot: Client) -> None:
    for seconds in (0.005, 0.01, 0.02, 5.0, 50.0):
        bot.metrics.count_answer("battle", "answered", seconds)
    within = {most: value_of(bot, "answer_seconds_bucket", le=most) for most in ("0.01", "0.03", "3.0", "10.0", "+Inf")}
    assert within == {"0.01": 2, "0.03": 3, "3.0": 3, "10.0": 4, "+Inf": 5}


async def test_live_battles_are_counted_now_and_then(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def live_battles() -> float | None:
        await bot.metrics.refresh()
        return value_of(bot, "live_battles")

    monkeypatch.setattr(metrics, "COUNT_EVERY", 60)
    assert await live_battles() == 0
    await discord.member("Alice").sends("roll", matchup="3 2")
    assert await live_battles() == 0
    bot.metrics._count_again -= 60
    assert await live_battles() == 1


async def test_without_the_setting_metrics_no_port_is_open_and_no_answer_is_counted(
    discord: FakeDiscord, bot: Client
) -> None:
    before = len(asyncio.all_tasks())
    async with metrics_of(bot):
        assert len(asyncio.all_tasks()) == before
    await discord.member("Alice").sends("battle", matchup="12 9")
    assert value_of(bot, "answer_seconds_count") == 0


@pytest.mark.parametrize("wrong", ["127.0.0.1:{taken}", "127.0.0.1:99999"])
async def test_a_wrong_address_of_metrics_is_a_sentence(bot: Client, wrong: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        wrong = wrong.format(taken=taken.getsockname()[1])
        with pytest.raises(UserError, match="The setting `metrics` is wrong"):
            async with serve_metrics(bot.metrics, wrong):
                pass
