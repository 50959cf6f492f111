"""A link to a server that counts the turns of a client: how often it has spoken after the server had."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass


@dataclass
class Counted:
    """A relay to a server: its own port, the turns over all its connections, and how often clients said COMMIT."""

    port: int = 0
    turns: int = 0
    commits: int = 0


class Connection:
    """One client's connection through the relay."""

    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self._is_answered = True

    async def there(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry on what the client says, and count it."""
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                self._counted.turns += self._is_answered
                self._counted.commits += data.count(b"COMMIT;")
                self._is_answered = False
                writer.write(data)
        writer.close()

    async def back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry on what the server answers."""
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                self._is_answered = True
                writer.write(data)
        writer.close()


@asynccontextmanager
async def counted_link(port: int) -> AsyncIterator[Counted]:
    """A relay to a local port that counts, during the block."""
    relays: set[asyncio.Task[None]] = set()
    counted = Counted()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, server = await asyncio.open_connection("127.0.0.1", port)
        connection = Connection(counted)
        for carrying in (connection.there(reader, server), connection.back(answers, writer)):
            task = asyncio.create_task(carrying)
            relays.add(task)
            task.add_done_callback(relays.discard)

    listening = await asyncio.start_server(relay, "127.0.0.1", 0)
    counted.port = listening.sockets[0].getsockname()[1]
    try:
        yield counted
    finally:
        listening.close()
        for task in relays:
            task.cancel()
        await asyncio.gather(*relays, return_exceptions=True)
