"""The address that Discord sends interactions to: who may use it, and who is turned away or cut off."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from copy import deepcopy
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

from bot.discord_app import http_server
from bot.discord_app.http import client as http_client
from bot.discord_app.http.client import HttpBot
from bot.discord_app.http.server import OLDEST, InteractionServer
from bot.discord_app.http_server import MOST_BYTES
from bot.errors import UserError
from bot.live.page import page
from bot.request import Services
from tests.fake_discord import FakeDiscord
from tests.fake_discord.wire import Json
from tests.helpers.bot.any_payload import places
from tests.helpers.bot.http_bots import HOST, http_bot
from tests.helpers.bot.raw_http import raw
from tests.helpers.extent import pick
from tests.helpers.program import until
from tests.helpers.servers import free_port

PING = b'{"type": 1}'


@pytest.fixture
async def bot(discord: FakeDiscord, services: Services, unannounced: None) -> AsyncIterator[HttpBot]:
    async with http_bot(discord, services) as opened:
        yield opened


@pytest.fixture
def address(discord: FakeDiscord, bot: HttpBot) -> str:
    return discord.doors.addresses[0]


async def test_a_ping_is_answered(discord: FakeDiscord, address: str) -> None:
    assert await discord.doors.post(address, PING) == (200, {"type": 1})


async def test_a_wrong_signature_is_refused(discord: FakeDiscord, address: str) -> None:
    right = discord.doors.signed(PING)
    wrong = [
        {},
        discord.doors.signed(b"{}"),
        FakeDiscord().doors.signed(PING),
        right | {"X-Signature-Timestamp": str(int(time.time()) + 1)},
        right | {"X-Signature-Timestamp": ""},
        *(right | {"X-Signature-Ed25519": sign} for sign in ("", "no", "00" * 64, right["X-Signature-Ed25519"][2:])),
    ]
    for headers in wrong:
        assert await discord.doors.post(address, PING, headers) == (401, None)


async def test_an_old_request_cannot_be_sent_again(discord: FakeDiscord, address: str) -> None:
    now = time.time()
    for seconds, status in ((-OLDEST - 5, 401), (OLDEST + 60, 401), (60 - OLDEST, 200)):
        assert (await discord.doors.post(address, PING, discord.doors.signed(PING, now + seconds)))[0] == status


async def test_a_strange_time_is_refused_even_if_it_is_signed(discord: FakeDiscord, address: str) -> None:
    now = int(time.time())
    for stamp in ("soon", "9" * 20, "9" * 400, "9" * 5000, "-5", "1e400", "nan", "1_000", f"{now}.0"):
        headers = discord.doors.signed(PING, stamp)
        assert await discord.doors.post(address, PING, headers) == (401, None), stamp[:40]


async def test_a_large_body_is_refused(discord: FakeDiscord, address: str) -> None:
    large = b" " * MOST_BYTES + PING
    assert (await discord.doors.post(address, large))[0] == 413

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b" " * (MOST_BYTES // 2)

    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{address}/interactions", data=pieces(), headers=discord.doors.signed(large)) as answer,
    ):
        assert answer.status == 413


async def test_a_body_that_is_no_interaction_is_refused(
    discord: FakeDiscord, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    for body in (b"", b"no", b"[]", b"{}", b'{"type": 2}', b'{"type": 2, "id": "x"}', b'{"type": 2, "id": "5"}'):
        assert (await discord.doors.post(address, body))[0] == 400
    assert (await discord.doors.post(address, b'{"type": 4, "id": []}'))[0] == 400
    assert (await discord.doors.post(address, b"[" * 100_000))[0] == 400
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


STRANGE = (
    *("1e400", "-1e400", "NaN", "-Infinity", "[1e400]", "9" * 20, "9" * 5000, "1.5", "null", '{"id": "5"}', '[["5"]]'),
    *(
        '"-5"',
        '"1_0"',
        '"1e400"',
        r'"\u0665"',
        r'"5\n"',
        r'"\ud800"',
        *(f'"{"9" * digits}"' for digits in (19, 20, 5000)),
    ),
)


async def test_a_strange_value_in_any_field_is_no_fault(
    discord: FakeDiscord, address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(http_client, "LONGEST", 0.1)  # nobody answers what no command is about
    events: list[Json] = []
    monkeypatch.setattr(discord.doors, "knock", lambda _asked, event: events.append(event))
    discord.member("Alice").begins_typing("battle", matchup="12 9").excused = True
    (event,) = events
    some = pick(5, 1)
    for first, strange in enumerate(STRANGE):
        for number in range(first % some, len(list(places(event))), some):
            changed = deepcopy(event)
            inside, key = list(places(changed))[number]
            inside[key] = "strange"
            body = json.dumps(changed).replace('"strange"', strange).encode()
            status, _ = await discord.doors.post(address, body)
            needed = inside is changed and key in {"id", "type", "application_id", "data", "member"}
            assert status in ({400} if needed else {200, 202, 400}), f"{key} is {strange[:40]}"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_the_page_that_checks_dice_is_shown(address: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(f"{address}/verify") as answer:
        assert (answer.status, answer.content_type, await answer.text()) == (200, "text/html", page().text)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


async def test_other_paths_of_the_http_server_are_404(address: str) -> None:
    async with aiohttp.ClientSession() as session:
        for method, path, status in (
            ("GET", "/health", 200),
            ("GET", "/", 404),
            ("POST", "/other", 404),
            ("GET", "/interactions", 405),
        ):
            async with session.request(method, f"{address}{path}") as answer:
                assert answer.status == status, path


@pytest.mark.parametrize("text", [b"", b"POST /interactions HT", b"POST /interactions HTTP/1.1\r\nHost: a\r\n"])
async def test_a_client_without_headers_is_cut_off(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch, text: bytes
) -> None:
    monkeypatch.setattr(http_server, "LONGEST_HEADERS", 0.1)
    async with http_bot(discord, services):
        assert await raw(discord.doors.addresses[0], text) == b""


async def test_a_client_with_a_slow_body_is_cut_off(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "LONGEST_BODY", 0.1)
    headers = "".join(f"{name}: {value}\r\n" for name, value in discord.doors.signed(PING).items())
    text = f"POST /interactions HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n{headers}\r\n{{".encode()
    async with http_bot(discord, services):
        assert (await raw(discord.doors.addresses[0], text)).startswith(b"HTTP/1.1 408 ")


async def test_garbage_bytes_are_no_fault(address: str, caplog: pytest.LogCaptureFixture) -> None:
    assert (await raw(address, b"\x16\x03\x01\x02\x00\r\n\r\n")).startswith(b"HTTP/1.")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_repeated_interaction_is_answered_once(
    discord: FakeDiscord, address: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A balancer may send one twice: at the same time, or later."""
    bodies: list[bytes] = []
    post = discord.doors.post

    async def twice(to: str, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        bodies.append(body)
        first, second = await asyncio.gather(post(to, body, headers), post(to, body, headers))
        assert first == second
        return first

    monkeypatch.setattr(discord.doors, "post", twice)
    alice = discord.member("Alice")
    await alice.sends("roll", matchup="12 9")
    assert await post(address, bodies[-1]) == (202, None)
    assert len(await services.store.battles.history(f"guild:{discord.guild.id}")) == 1
    assert await alice.types("battle", matchup="12 9 bo"), "suggestions may be answered twice"


async def test_a_stopping_server_answers_interactions_it_took(discord: FakeDiscord) -> None:
    came, may_go = asyncio.Event(), asyncio.Event()

    async def hear(_: dict[str, Any]) -> dict[str, Any]:
        came.set()
        await may_go.wait()
        return {"type": 8}

    port = free_port()
    address = f"http://{HOST}:{port}"
    server = InteractionServer(discord.doors.public_key, hear)
    async with aiohttp.ClientSession() as session:
        serving = server.serve(HOST, port)
        await serving.__aenter__()
        async with session.get(f"{address}/health") as answer:
            assert answer.status == 200
        asked = asyncio.create_task(discord.doors.post(address, b'{"type": 4}'))
        await came.wait()
        ending = asyncio.create_task(serving.__aexit__(None, None, None))
        await until(lambda: server._closing)
        async with session.get(f"{address}/health") as answer:  # over the connection of before
            assert answer.status == 503
        assert not ending.done()
        may_go.set()
        await ending
        assert await asked == (200, {"type": 8})
        with pytest.raises(aiohttp.ClientError):
            await session.get(f"{address}/health")
        await server.close()


async def test_an_address_in_use_is_named(discord: FakeDiscord, address: str) -> None:
    port = urlsplit(address).port or 0

    async def hear(_: dict[str, Any]) -> None:
        raise AssertionError

    server = InteractionServer(discord.doors.public_key, hear)
    with pytest.raises(UserError, match=f"port {port}"):
        async with server.serve(HOST, port):
            pass
