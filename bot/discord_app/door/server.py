"""The HTTP server of `sandtable http`: checks Discord's signed requests, and passes their interactions on."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bot.errors import UserError

log = logging.getLogger(__name__)

INTERACTIONS, HEALTH = "/interactions", "/health"
SIGNATURE, TIMESTAMP = "X-Signature-Ed25519", "X-Signature-Timestamp"
MOST_BYTES = 1_000_000
"""The size of the largest request; files come as links, so real ones are far smaller."""
OLDEST = 300
"""Seconds by which the time of a request may differ from ours, so that an old request cannot be sent again."""
LONGEST_HEADERS, LONGEST_BODY = 10.0, 5.0
"""Seconds for the headers of the first request of a connection, and for each body; who is slower is cut off."""
KEEP_ALIVE = 75.0
"""Seconds for which an idle connection stays open: longer than with balancers, so none closes as a request comes."""
LONGEST_END = 3.0
"""Seconds in which the requests that were taken are answered at the end."""
PING, PONG = 1, {"type": 1}

Hear: TypeAlias = Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]
"""Hears an interaction and returns the body of the HTTP answer; None if Discord got the answer in another way."""


class UnreadableError(Exception):
    """An interaction is signed, but lacks what every interaction has."""


class DoorServer:
    """Takes signed requests and has `hear` answer their interactions.

    `key` is the application's public key, as Discord writes it.
    """

    def __init__(self, key: str, hear: Hear) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        self._hear = hear
        self._silent: set[web.RequestHandler] = set()
        self._open = 0
        self._closing = False
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        app = web.Application(client_max_size=MOST_BYTES, middlewares=[self._note_request])
        app.router.add_post(INTERACTIONS, self._take)
        app.router.add_get(HEALTH, self._tell_health)
        self._runner = web.AppRunner(
            app, access_log=None, keepalive_timeout=KEEP_ALIVE, lingering_time=1.0, shutdown_timeout=1.0
        )

    @asynccontextmanager
    async def serve(self, host: str, port: int) -> AsyncIterator[None]:
        """Serve at this address during the block; then answer what was taken, and refuse the rest.

        Raises:
            UserError: If the address cannot be used.
        """
        await self._runner.setup()
        try:
            listening = await asyncio.get_running_loop().create_server(self._connect, host, port)
        except (OSError, OverflowError) as error:
            await self._runner.cleanup()
            raise UserError(f"Nobody can listen at {host}, port {port}: {error}.") from None
        try:
            yield
        finally:
            self._closing = True
            listening.close()
            try:
                async with asyncio.timeout(LONGEST_END):
                    await self._all_answered.wait()
            except TimeoutError:
                log.warning("%d requests are not answered yet", self._open)

    async def close(self) -> None:
        """Close all connections."""
        await self._runner.cleanup()

    def _connect(self) -> asyncio.Protocol:
        """Return the handler of a new connection, which is cut off if no request comes."""
        assert self._runner.server, "set up before it listens"
        handler = self._runner.server()
        self._silent.add(handler)
        asyncio.get_running_loop().call_later(LONGEST_HEADERS, self._cut_off, handler)
        return handler

    def _cut_off(self, handler: web.RequestHandler) -> None:
        """Close a connection on which no request has come. aiohttp itself waits for headers as long as it takes."""
        if handler in self._silent:
            self._silent.discard(handler)
            handler.force_close()

    @web.middleware
    async def _note_request(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Note that a connection is in use, and count the open requests."""
        self._silent.discard(request.protocol)
        self._open += 1
        self._all_answered.clear()
        try:
            return await handler(request)
        finally:
            self._open -= 1
            if not self._open:
                self._all_answered.set()

    async def _tell_health(self, _: web.Request) -> web.Response:
        """Tell a balancer whether requests are taken."""
        return _leaving() if self._closing else web.Response(text="alive\n")

    async def _take(self, request: web.Request) -> web.Response:
        """Answer a request of Discord; nothing in it is read before its signature is checked."""
        if self._closing:
            return _leaving()
        stamp, signature = request.headers.get(TIMESTAMP, ""), request.headers.get(SIGNATURE, "")
        if not (stamp and signature):
            raise web.HTTPUnauthorized(text="not signed\n")
        if (size := request.content_length or 0) > MOST_BYTES:
            raise web.HTTPRequestEntityTooLarge(MOST_BYTES, size)
        try:
            async with asyncio.timeout(LONGEST_BODY):
                body = await request.read()
        except TimeoutError:
            return _last_answer(408, "too slow\n")
        if not self._is_signed(stamp, body, signature):
            raise web.HTTPUnauthorized(text="the signature is wrong, or too old\n")
        try:
            event = json.loads(body)
            if event["type"] == PING:
                return web.json_response(PONG)
            answer = await self._hear(event)
        except (ValueError, LookupError, TypeError, RecursionError, UnreadableError):
            raise web.HTTPBadRequest(text="that is no interaction\n") from None
        return web.Response(status=202) if answer is None else web.json_response(answer)

    def _is_signed(self, stamp: str, body: bytes, signature: str) -> bool:
        """Whether Discord has signed this body, and not long ago."""
        try:
            self._key.verify(bytes.fromhex(signature), stamp.encode() + body)
            return abs(time.time() - int(stamp)) <= OLDEST
        except (InvalidSignature, ValueError):
            return False


def _leaving() -> web.Response:
    """Return the answer of a process that ends: a balancer sends the request to another."""
    return _last_answer(503, "leaving\n")


def _last_answer(status: int, text: str) -> web.Response:
    """Return an answer after which the connection is closed."""
    answer = web.Response(status=status, text=text)
    answer.force_close()
    return answer
