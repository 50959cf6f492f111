"""The base of our HTTP servers: they cut off slow clients, inflate nothing, and hold few bytes of bodies at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError

from bot.errors import LaterError

MOST_BYTES = 1_000_000
"""The size of the largest body; files come as links, so real ones are far smaller."""
MOST_HELD = 16_000_000
"""The most bytes of unfinished bodies at a time; beyond that the largest one is given up, so small ones get through."""
BUFFER = 2**16
"""Bytes that wait on a connection until its body is read; after twice as many nothing more is taken from it."""
LONGEST_HEADERS, LONGEST_BODY = 10.0, 5.0
"""Seconds for the headers of the first request of a connection, and for each body; who is slower is cut off."""
KEEP_ALIVE = 75.0
"""Seconds for which an idle connection stays open: longer than with balancers, so none closes as a request comes."""
LONGEST_LINGER = 1.0
"""Seconds for which the rest of a refused body is thrown away, so that its sender reads the answer."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Answer = TypeVar("Answer", bound=web.Response)


class HttpServer:
    """An HTTP server that inflates nothing, as a small compressed body can become a thousand times as large."""

    def __init__(self, routes: Iterable[web.RouteDef]) -> None:
        logging.getLogger("aiohttp.server").addFilter(_is_our_fault)
        self._silent: set[web.RequestHandler] = set()
        self._bodies: dict[asyncio.Timeout, bytearray] = {}
        self._held = 0
        self._listening: asyncio.Server | None = None
        app = web.Application(middlewares=[self._check])
        app.add_routes(routes)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            auto_decompress=False,
            read_bufsize=BUFFER,
            keepalive_timeout=KEEP_ALIVE,
            lingering_time=LONGEST_LINGER,
            shutdown_timeout=1.0,
        )

    async def open(self, host: str, port: int) -> None:
        """Listen at this address; LaterError if it cannot be used."""
        await self._runner.setup()
        try:
            self._listening = await asyncio.get_running_loop().create_server(self._connect, host, port)
        except (OSError, OverflowError) as error:
            await self._runner.cleanup()
            raise LaterError(f"Nobody can listen at {host}, port {port}: {error}.") from None

    def stop_listening(self) -> None:
        """Take no new connections."""
        if self._listening:
            self._listening.close()

    async def close(self) -> None:
        """Close all connections."""
        self.stop_listening()
        await self._runner.cleanup()

    async def read(self, request: web.Request) -> bytes:
        """Return the bytes of a body as they came.

        Raises:
            web.HTTPException: If the body is too large, too slow or cut off, or if too many large bodies come at once.
        """
        if (size := request.content_length or 0) > MOST_BYTES:
            raise web.HTTPRequestEntityTooLarge(MOST_BYTES, size)
        try:
            async with asyncio.timeout(LONGEST_BODY) as limit:
                return await self._gather(request, limit)
        except TimeoutError:
            raise last_answer(web.HTTPRequestTimeout(text="too slow\n")) from None

    async def _gather(self, request: web.Request, limit: asyncio.Timeout) -> bytes:
        """Return a whole body; TimeoutError if it is given up."""
        body = self._bodies[limit] = bytearray()
        try:
            while piece := await request.content.readany():
                body += piece
                self._held += len(piece)
                if len(body) > MOST_BYTES:
                    raise web.HTTPRequestEntityTooLarge(MOST_BYTES, len(body))
                self._give_up_largest()
                if limit not in self._bodies:
                    raise TimeoutError
        except ConnectionError:
            # Nobody reads this answer; aiohttp would log an error of ours.
            raise last_answer(web.HTTPBadRequest(text="cut off\n")) from None
        finally:
            self._bodies.pop(limit, None)
            self._held -= len(body)
        return bytes(body)

    def _give_up_largest(self) -> None:
        """End the reading of the largest body if all together are too large."""
        if self._held > MOST_HELD:
            largest = max(self._bodies, key=lambda limit: len(self._bodies[limit]))
            body = self._bodies.pop(largest)
            self._held -= len(body)
            body.clear()
            if not largest.expired():
                largest.reschedule(0)

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
    async def _check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Mark a connection as used, and refuse a compressed body without reading it."""
        self._silent.discard(request.protocol)
        if any(name.strip().lower() != "identity" for name in request.headers.getall(hdrs.CONTENT_ENCODING, ())):
            raise last_answer(web.HTTPUnsupportedMediaType(text="send it without a content encoding\n"))
        return await handler(request)


def _is_our_fault(record: logging.LogRecord) -> bool:
    """Whether a line of aiohttp is worth logging: not if a client sent something else than HTTP."""
    return not isinstance(record.exc_info and record.exc_info[1], HttpProcessingError)


def last_answer(answer: Answer) -> Answer:
    """Return the answer, after which its connection is closed."""
    answer.force_close()
    return answer
