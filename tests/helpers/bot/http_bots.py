"""HTTP bots: the bot without a gateway on the stand-in for Discord, in the test's own process or in others."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from bot.discord_app.http.client import HttpBot
from bot.discord_app.http.server import HEALTH, InteractionServer
from bot.discord_app.registering import register_if_changed
from bot.request import Services
from bot.store.presence import Presence
from tests.fake_discord import FakeDiscord
from tests.helpers import forked
from tests.helpers.program import AS_THEY_ARE, LONGEST, Program, environment_of, program
from tests.helpers.servers import free_port

HOST = "127.0.0.1"


@asynccontextmanager
async def http_bot(
    discord: FakeDiscord, services: Services, presence: Presence | None = None
) -> AsyncIterator[HttpBot]:
    """A bot that answers over HTTP during the block; the stand-in sends interactions to all that do."""
    client = HttpBot(services, presence)
    with discord.redirected():
        await client.login(discord.token)
        await register_if_changed(client.tree)
        assert client.application
        server, port = InteractionServer(client.application.verify_key, client.hear), free_port()
        address = f"http://{HOST}:{port}"
        async with server.serve(HOST, port):
            discord.doors.addresses.append(address)
            try:
                yield client
            finally:
                discord.doors.addresses.remove(address)
        await client.finish_answers()
        await server.close()
        await client.close()


@asynccontextmanager
async def http_program(
    data: Path, discord: FakeDiscord, constants: Mapping[str, float] = AS_THEY_ARE, /, **more: str
) -> AsyncIterator[tuple[Program, str]]:
    """`sandtable http` in a process of its own, and its address; killed at the end if it still runs."""
    port = free_port()
    environment = {"SANDTABLE_HTTP_PORT": str(port)} | more
    async with program(discord.token, data, discord, constants, "http", **environment) as process:
        address = f"http://{HOST}:{port}"
        await is_open(address, process)
        discord.doors.addresses.append(address)
        try:
            yield process, address
        finally:
            discord.doors.addresses.remove(address)


async def register(discord: FakeDiscord, data: Path, **more: str) -> None:
    """Tell Discord the commands, as a host does before the first process starts."""
    environment = environment_of(discord.token, data, discord) | more
    done = await forked.run_async("bot", "register", environment=environment)
    assert done.stdout == f"Discord has all {len(discord.commands)} commands.\n".encode(), done


async def is_open(address: str, process: Program) -> None:
    """Wait until a bot says that it answers over HTTP."""
    async with asyncio.timeout(LONGEST), aiohttp.ClientSession() as session:
        while True:
            assert process.returncode is None, "it ended before it was open"
            try:
                async with session.get(f"{address}{HEALTH}") as answer:
                    assert answer.status == 200
                    return
            except aiohttp.ClientError:
                await asyncio.sleep(0.02)
