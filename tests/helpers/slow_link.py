"""A link to a server that takes its time: a relay on a free loopback port that holds everything up for a while."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


@asynccontextmanager
async def slow_link(port: int, there_and_back: float) -> AsyncIterator[int]:
    """The port of a relay to a local port, over which an answer takes so many seconds longer."""
    relays: set[asyncio.Task[None]] = set()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        further, back = await asyncio.open_connection("127.0.0.1", port)
        for one, other in ((reader, back), (further, writer)):
            task = asyncio.create_task(_carry(one, other, there_and_back / 2))
            relays.add(task)
            task.add_done_callback(relays.discard)

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in relays:
            task.cancel()
        await asyncio.gather(*relays, return_exceptions=True)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Carry everything on after a while, in order."""
    loop = asyncio.get_running_loop()
    on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def deliver() -> None:
        while True:
            due, data = await on_the_way.get()
            await asyncio.sleep(max(0.0, due - loop.time()))
            if not data:
                return
            writer.write(data)

    delivering = asyncio.create_task(deliver())
    try:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                on_the_way.put_nowait((loop.time() + delay, data))
            on_the_way.put_nowait((loop.time() + delay, b""))
            await delivering
    finally:
        delivering.cancel()
        writer.close()
