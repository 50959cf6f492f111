"""A link to a server that can fall silent: connections stay open, and nothing comes through them any more."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class SilentLink:
    """A relay to a server; `port` is its own."""

    def __init__(self) -> None:
        self.port = 0
        self._servers: set[asyncio.StreamWriter] = set()
        self._may_speak = asyncio.Event()
        self._may_speak.set()

    @property
    def connections(self) -> int:
        """How many connections carry something."""
        return len(self._servers)

    def cut(self) -> None:
        """Hang up at the server, of which the clients hear nothing: as where something between them fails."""
        for server in self._servers:
            server.transport.abort()
        self._servers.clear()

    def silence(self) -> None:
        """Carry nothing more, neither over the connections that there are nor over new ones."""
        self._may_speak.clear()

    def speak(self) -> None:
        """Carry on, also what has been said meanwhile."""
        self._may_speak.set()

    async def join(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry what both sides of a connection say until one of them hangs up, or it is cut."""
        answers, server = await asyncio.open_connection("127.0.0.1", port)
        self._servers.add(server)
        await asyncio.gather(self._carry(reader, server, server), self._carry(answers, writer, server))
        self._servers.discard(server)

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, server: asyncio.StreamWriter
    ) -> None:
        """Carry on what one side says, and at last that it has hung up."""
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                await self._may_speak.wait()
                if server in self._servers:
                    writer.write(data)
        await self._may_speak.wait()
        if server in self._servers:
            writer.close()


@asynccontextmanager
async def silent_link(port: int) -> AsyncIterator[SilentLink]:
    """A relay to a local port, during the block."""
    link, joined = SilentLink(), set[asyncio.Task[None]]()

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(link.join(port, reader, writer))
        joined.add(task)
        task.add_done_callback(joined.discard)
        task.add_done_callback(lambda _: writer.transport.abort())

    listening = await asyncio.start_server(join, "127.0.0.1", 0)
    link.port = listening.sockets[0].getsockname()[1]
    try:
        yield link
    finally:
        listening.close()
        link.cut()
        for task in joined:
            task.cancel()
        await asyncio.gather(*joined, return_exceptions=True)
