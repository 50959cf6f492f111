"""The HTTP server of `sandtable http`: checks Discord's signed requests, and passes their interactions on.

It also shows the page that checks dice in a browser.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bot.discord_app.http_server import HttpServer, last_answer
from bot.live.page import page, page_headers

log = logging.getLogger(__name__)

INTERACTIONS, HEALTH, PAGE = "/interactions", "/health", "/verify"
SIGNATURE, TIMESTAMP = "X-Signature-Ed25519", "X-Signature-Timestamp"
STAMP, SIGNED = re.compile(r"[0-9]{1,12}"), re.compile(r"[0-9a-fA-F]{128}")
OLDEST = 300
"""Seconds by which the time of a request may differ from ours, so that an old request cannot be sent again."""
LONGEST_END = 3.0
"""Seconds in which the requests that were taken are answered at the end."""
PING, PONG = 1, {"type": 1}

Hear: TypeAlias = Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]
"""Hears an interaction and returns the body of the HTTP answer; None if Discord got the answer in another way."""


class UnreadableError(Exception):
    """An interaction is signed, but lacks what every interaction has."""


class InteractionServer:
    """Takes signed requests and has `hear` answer their interactions.

    `key` is the application's public key, as Discord writes it.
    """

    def __init__(self, key: str, hear: Hear) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        self._hear = hear
        routes = web.post(INTERACTIONS, self._take), web.get(HEALTH, self._tell_health), web.get(PAGE, _show_page)
        self._server = HttpServer(routes)
        self._open = 0
        self._closing = False
        self._all_answered = asyncio.Event()
        self._all_answered.set()

    @asynccontextmanager
    async def serve(self, host: str, port: int) -> AsyncIterator[None]:
        """Serve at this address during the block; then answer what was taken, and refuse the rest.

        Raises:
            UserError: If the address cannot be used.
        """
        await self._server.open(host, port)
        try:
            yield
        finally:
            self._closing = True
            self._server.stop_listening()
            try:
                async with asyncio.timeout(LONGEST_END):
                    await self._all_answered.wait()
            except TimeoutError:
                log.warning("%d requests are not answered yet", self._open)

    async def close(self) -> None:
        """Close all connections."""
        await self._server.close()

    async def _tell_health(self, _: web.Request) -> web.Response:
        """Tell a balancer whether requests are taken."""
        return _leaving() if self._closing else web.Response(text="alive\n")

    async def _take(self, request: web.Request) -> web.Response:
        """Answer a request of Discord, and count it while it is open."""
        if self._closing:
            return _leaving()
        self._open += 1
        self._all_answered.clear()
        try:
            event = await self._read_event(request)
            if event["type"] == PING:
                return web.json_response(PONG)
            answer = await self._hear(event)
        except UnreadableError:
            raise web.HTTPBadRequest(text="that is no interaction\n") from None
        finally:
            self._open -= 1
            if not self._open:
                self._all_answered.set()
        return web.Response(status=202) if answer is None else web.json_response(answer)

    async def _read_event(self, request: web.Request) -> dict[str, Any]:
        """Return the JSON object of a request with a type; nothing in it is read before its signature is checked."""
        stamp, signature = request.headers.get(TIMESTAMP, ""), request.headers.get(SIGNATURE, "")
        is_recent = STAMP.fullmatch(stamp) and abs(time.time() - int(stamp)) <= OLDEST
        if not (is_recent and SIGNED.fullmatch(signature)):
            raise web.HTTPUnauthorized(text="not signed, or not lately\n")
        body = await self._server.read(request)
        try:
            self._key.verify(bytes.fromhex(signature), stamp.encode() + body)
        except InvalidSignature:
            raise web.HTTPUnauthorized(text="the signature is wrong\n") from None
        try:
            event = json.loads(body)
        except (ValueError, RecursionError):
            raise UnreadableError from None
        if not (isinstance(event, dict) and "type" in event):
            raise UnreadableError
        return event


async def _show_page(_: web.Request) -> web.Response:
    """Show the page that checks dice in a browser."""
    return web.Response(text=page().text, content_type="text/html", headers=page_headers())


def _leaving() -> web.Response:
    """Return the answer of a process that ends: a balancer sends the request to another."""
    return last_answer(web.Response(status=503, text="leaving\n"))
