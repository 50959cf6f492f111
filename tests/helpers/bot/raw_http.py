"""HTTP requests as bytes, for what no client library sends."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from tests.helpers.program import LONGEST


@asynccontextmanager
async def connection(address: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection to an address during the block."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def raw(address: str, text: bytes) -> bytes:
    """All that comes back until the connection is closed."""
    async with connection(address) as (reader, writer), asyncio.timeout(LONGEST):
        writer.write(text)
        return await reader.read()


def request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """A whole request, after which the connection is closed; its length is in it unless the headers say otherwise."""
    given = {"Host": "a", "Connection": "close", **headers}
    if "Transfer-Encoding" not in given:
        given.setdefault("Content-Length", str(len(body)))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def status(answer: bytes) -> int:
    """The status of an answer."""
    return int(answer.split()[1])
