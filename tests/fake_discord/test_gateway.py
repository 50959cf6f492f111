"""Connections that break, sessions that end, and clients the gateway refuses."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from .stand_in import FakeDiscord
from .timing import PATIENCE
from .tiny_bot import Bot, Table
from .wire import Json


async def test_missed_events_come_after_a_resume(table: Table) -> None:
    alice = table.discord.member("Alice")
    async with table.discord.gateway_away():
        interaction = alice.begins("battle", matchup="12 9")
        assert interaction.response is None
    assert (await interaction.answered()).content == "12 9 in en-US"
    assert (table.discord.gateway.identified, table.discord.gateway.resumed) == (1, 1)


@pytest.mark.parametrize("code", [None, 4000, 4009])
async def test_a_broken_socket_is_resumed(table: Table, code: int | None) -> None:
    await table.discord.drop_gateway(code)
    assert not table.discord.gateway.is_ready
    await table.discord.ready()
    assert table.discord.gateway.resumed == 1
    assert await table.discord.member("Alice").sends("battle", matchup="12 9")


async def test_a_request_to_reconnect(table: Table) -> None:
    await table.discord.reconnect_request()
    await table.discord.ready()
    assert (table.discord.gateway.identified, table.discord.gateway.resumed) == (1, 1)


async def test_an_invalid_session_identifies_anew(table: Table) -> None:
    await table.discord.invalidate_session()
    await table.discord.ready()
    assert (table.discord.gateway.identified, table.discord.gateway.resumed) == (2, 0)
    assert await table.discord.member("Alice").sends("battle", matchup="12 9")


async def test_a_resume_of_a_forgotten_session_identifies_anew(table: Table) -> None:
    async with table.discord.gateway_away():
        table.discord.gateway.sessions.clear()
    await table.discord.ready()
    assert (table.discord.gateway.identified, table.discord.gateway.resumed) == (2, 0)


async def test_heartbeats_and_a_zombie() -> None:
    async with FakeDiscord() as fake:
        fake.gateway.heartbeat_ms = 40
        async with fake.running(Bot(heartbeat_timeout=0.15)):
            with fake.gateway.without_acks():
                await fake.gateway.bell.until(
                    lambda: fake.gateway.resumed > 0, within=PATIENCE, otherwise=lambda: "the zombie was never left"
                )
            assert fake.gateway.heartbeats > 0
            await fake.ready()


async def test_privileged_intents_are_refused() -> None:
    async with FakeDiscord() as fake:
        with fake.violations.expected("4014"), pytest.raises(discord.PrivilegedIntentsRequired):
            async with fake.running(Bot(intents=discord.Intents(guilds=True, message_content=True))):
                pass


async def test_a_wrong_token_cannot_log_in() -> None:
    async with FakeDiscord() as fake:
        with fake.redirected(), fake.violations.expected("401: Unauthorized"), pytest.raises(discord.LoginFailure):
            async with Bot() as bot:
                await bot.start("wrong")


async def test_two_shards_hear_their_own_servers() -> None:
    async with FakeDiscord(shards=2) as fake:
        bot = Bot()
        async with fake.running(bot):
            assert fake.gateway.identified == 2
            guilds = [fake.guild]
            while len({guild.id >> 22 & 1 for guild in guilds}) < 2:
                await asyncio.sleep(0.001)
                guilds.append(fake.add_guild("Another"))
            for guild in (guilds[0], guilds[-1]):
                shown = await fake.member("Alice", guild=guild).sends("battle", matchup="12 9")
                assert shown.content
            assert {guild.shard_id for guild in bot.guilds} == {0, 1}
            assert (await fake.stranger("Carl").says("hi")).content == "heard: hi"


async def test_a_client_without_shards() -> None:
    class Plain(discord.Client):
        async def on_message(self, message: discord.Message) -> None:
            if not message.author.bot:
                await message.channel.send("plain")

    async with FakeDiscord() as fake:
        client = Plain(intents=discord.Intents(guilds=True, guild_messages=True))
        async with fake.running(client):
            assert (await fake.member("Alice").says("@bot hi")).content == "plain"
            await fake.drop_gateway()
            await fake.ready()
            await client.change_presence(status=discord.Status.idle)
            assert (await fake.member("Bob").says("@bot hi")).content == "plain"
            assert fake.gateway.presences[0]["status"] == "idle"


@pytest.mark.parametrize(
    ("frame", "code", "reason"),
    [
        ({"op": 2, "d": {"token": "wrong", "intents": 1}}, 4004, "AUTHENTICATION_FAILED"),
        ({"op": 2, "d": {"token": "fake.bot.token", "intents": 1, "shard": [2, 2]}}, 4010, "INVALID_SHARD"),
        ({"op": 2, "d": {"token": "fake.bot.token", "intents": 1 << 1}}, 4014, "DISALLOWED_INTENTS"),
        ({"op": 6, "d": {"token": "wrong", "session_id": "x", "seq": 1}}, 4004, "wrong token"),
        ({"op": 8, "d": {}}, 4001, "nobody prepared"),
    ],
)
async def test_the_gateway_hangs_up(frame: Json, code: int, reason: str) -> None:
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        with fake.violations.expected(reason):
            async with session.ws_connect(f"{fake.gateway.url}?v=10") as socket:
                assert (await socket.receive_json())["op"] == 10
                await socket.send_json(frame)
                await socket.receive()
                assert socket.close_code == code
