"""Bodies at every address that we listen on: a compressed one is not read, a slow or garbled one is cut off."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from aiohttp import http_parser, web

from bot.discord_app import http_server
from bot.discord_app.http.client import HttpBot
from bot.discord_app.metrics import serve_metrics
from bot.request import Services
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.http_bots import HOST, http_bot
from tests.helpers.bot.raw_http import connection, raw, request, status
from tests.helpers.program import LONGEST, until
from tests.helpers.servers import free_port

PING = b'{"type": 1}'
BOMB = gzip.compress(bytes(20_000_000))


class Place(NamedTuple):
    """Something that we answer, and what it answers to a plain request."""

    address: str
    method: str
    path: str
    status: int


@pytest.fixture
async def client(discord: FakeDiscord, services: Services, unannounced: None) -> AsyncIterator[HttpBot]:
    async with http_bot(discord, services) as opened:
        yield opened


@pytest.fixture
async def places(discord: FakeDiscord, client: HttpBot) -> AsyncIterator[list[Place]]:
    """All that our servers answer."""
    port = free_port()
    async with serve_metrics(client.metrics, f"{HOST}:{port}"):
        address = discord.doors.addresses[0]
        yield [
            Place(address, "POST", "/interactions", 200),
            Place(address, "GET", "/health", 200),
            Place(address, "POST", "/nothing", 404),
            Place(f"http://{HOST}:{port}", "GET", "/metrics", 200),
            Place(f"http://{HOST}:{port}", "POST", "/metrics", 405),
        ]


@pytest.fixture
def inflated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The encodings of bodies that aiohttp has begun to inflate."""
    begun: list[str] = []
    begin = http_parser.DeflateBuffer.__init__

    def note(self: http_parser.DeflateBuffer, out: object, encoding: str, *more: object, **named: object) -> None:
        begun.append(encoding)
        begin(self, out, encoding, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(http_parser.DeflateBuffer, "__init__", note)
    return begun


@asynccontextmanager
async def serving(route: web.RouteDef) -> AsyncIterator[tuple[http_server.HttpServer, str]]:
    """A server with a single route, and its address."""
    server, port = http_server.HttpServer([route]), free_port()
    await server.open(HOST, port)
    try:
        yield server, f"http://{HOST}:{port}"
    finally:
        await server.close()


def chunked(body: bytes) -> bytes:
    """A body in chunks, whose length nobody tells before."""
    pieces = [body[place : place + 1000] for place in range(0, len(body), 1000)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in [*pieces, b""])


async def test_a_compressed_body_is_refused_unread(
    discord: FakeDiscord, places: list[Place], inflated: list[str]
) -> None:
    for encoding in (
        *("gzip", "GZip", "x-gzip", "deflate", "br", "zstd", "gzip, gzip", "identity, gzip", "gzip, identity", "none"),
        "",
    ):
        for place in places:
            headers = discord.doors.signed(BOMB) | {"Content-Encoding": encoding}
            assert status(await raw(place.address, request(place.method, place.path, headers, BOMB))) == 415, place
            headers["Transfer-Encoding"] = "chunked"
            assert status(await raw(place.address, request(place.method, place.path, headers, chunked(BOMB)))) == 415
            unsigned = {"Content-Encoding": encoding}
            assert status(await raw(place.address, request(place.method, place.path, unsigned, BOMB))) == 415, place
    assert inflated == []


async def test_a_second_header_does_not_hide_the_first(
    discord: FakeDiscord, places: list[Place], inflated: list[str]
) -> None:
    for first, second in (("identity", "gzip"), ("gzip", "identity")):
        headers = discord.doors.signed(BOMB) | {"Content-Encoding": f"{first}\r\nContent-Encoding: {second}"}
        for place in places:
            assert status(await raw(place.address, request(place.method, place.path, headers, BOMB))) == 415, place
    assert inflated == []


@pytest.mark.parametrize("more", [{}, {"Content-Encoding": "identity"}, {"Transfer-Encoding": "chunked"}])
async def test_a_plain_body_is_read(discord: FakeDiscord, places: list[Place], more: dict[str, str]) -> None:
    body = b" " * 900_000 + PING
    for place in places:
        sent = chunked(body) if "Transfer-Encoding" in more else body
        text = request(place.method, place.path, discord.doors.signed(body) | more, sent)
        assert status(await raw(place.address, text)) == place.status, place


@pytest.mark.parametrize("compress", [gzip.compress, zlib.compress])
async def test_the_signature_is_checked_over_the_received_bytes(
    discord: FakeDiscord, places: list[Place], inflated: list[str], compress: Callable[[bytes], bytes]
) -> None:
    """A body that is compressed on its way, with no word of it in the header that refuses it."""
    for transfer in ("gzip, chunked", "deflate, chunked"):
        headers = discord.doors.signed(PING) | {"Transfer-Encoding": transfer}
        text = request("POST", "/interactions", headers, chunked(compress(PING)))
        assert status(await raw(places[0].address, text)) == 401
    assert inflated == []


async def test_a_body_that_trickles_in_is_cut_off(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "LONGEST_BODY", 0.1)
    monkeypatch.setattr(http_server, "LONGEST_LINGER", LONGEST)
    headers = discord.doors.signed(PING) | {"Transfer-Encoding": "chunked"}
    async with http_bot(discord, services), connection(discord.doors.addresses[0]) as (reader, writer):
        writer.write(request("POST", "/interactions", headers))
        answer = asyncio.create_task(reader.readline())
        while not (await asyncio.wait({answer}, timeout=0.01))[0]:
            writer.write(b"1\r\n \r\n")
        assert status(await answer) == 408


async def test_large_bodies_at_once_give_way_to_small_bodies(
    discord: FakeDiscord, places: list[Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "MOST_HELD", 300_000)
    monkeypatch.setattr(http_server, "LONGEST_BODY", LONGEST)
    headers = discord.doors.signed(PING) | {"Content-Length": "900000"}
    sizes = [90_000 + 1000 * number for number in range(4)]
    answers = []
    for size in sizes:
        text = request("POST", "/interactions", headers, b" " * size)
        answers.append(asyncio.create_task(raw(places[0].address, text)))
    done, waiting = await asyncio.wait(answers, return_when=asyncio.FIRST_COMPLETED)
    assert [status(answer.result()) for answer in done] == [408]
    assert len(waiting) == 3
    assert await discord.doors.post(places[0].address, PING) == (200, {"type": 1})
    for answer in waiting:
        answer.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_finished_and_dropped_bodies_free_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "MOST_HELD", 100_000)
    monkeypatch.setattr(http_server, "LONGEST_BODY", LONGEST)

    async def take(request: web.Request) -> web.Response:
        return web.Response(text=str(len(await server.read(request))))

    async with serving(web.post("/", take)) as (server, address):
        async with connection(address) as (_, writer):
            writer.write(request("POST", "/", {"Content-Length": "70000"}, b" " * 50_000))
            await until(lambda: server._held == 50_000)
            larger = request("POST", "/", {"Content-Length": "70000"}, b" " * 60_000)
            assert status(await raw(address, larger)) == 408
            assert server._held == 50_000
        await until(lambda: server._held == 0)
        assert status(await raw(address, request("POST", "/", {}, b" " * 90_000))) == 200
        assert server._held == 0


@pytest.mark.parametrize("body", [b"zz\r\nabc\r\n", b"5\r\nabcdefgh\r\n0\r\n\r\n", b"-1\r\n\r\n", b"f" * 99 + b"\r\n"])
async def test_garbled_chunks_are_no_fault(
    discord: FakeDiscord, places: list[Place], caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    headers = discord.doors.signed(PING) | {"Transfer-Encoding": "chunked"}
    assert status(await raw(places[0].address, request("POST", "/interactions", headers, body))) == 400
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_client_that_hangs_up_is_no_fault(
    discord: FakeDiscord, client: HttpBot, places: list[Place], caplog: pytest.LogCaptureFixture
) -> None:
    gathering, ended = asyncio.Event(), asyncio.Event()
    gather = http_server.HttpServer._gather

    async def watched(*arguments: object) -> bytes:
        gathering.set()
        try:
            return await gather(*arguments)  # type: ignore[arg-type]
        finally:
            ended.set()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(http_server.HttpServer, "_gather", watched)
        async with connection(places[0].address) as (_, writer):
            writer.write(request("POST", "/interactions", discord.doors.signed(PING) | {"Content-Length": "11"}, b"{"))
            await gathering.wait()
        await ended.wait()
    assert await discord.doors.post(places[0].address, PING) == (200, {"type": 1})
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("fault", [ValueError(), ConnectionRefusedError(), ConnectionResetError()])
async def test_a_fault_of_the_server_is_logged(caplog: pytest.LogCaptureFixture, fault: Exception) -> None:
    async def fail(_request: web.Request) -> web.Response:
        raise fault

    async with serving(web.get("/", fail)) as (_server, address):
        assert status(await raw(address, request("GET", "/", {}))) == 500
    assert [record.exc_info and record.exc_info[1] for record in caplog.records] == [fault]
