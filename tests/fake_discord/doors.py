"""Doors: interactions as signed HTTP requests, through a balancer that sends what one process lost to the next."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import aiohttp
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .interactions import Interaction
from .violations import Violations
from .wire import ApiError, Json

REFUSED = (502, 503, 504)
"""Answers after which the balancer tries the next process."""
PATIENCE = 60.0


class Doors:
    """The addresses of the processes that answer; while there are any, no interaction goes over the gateway."""

    def __init__(self, violations: Violations) -> None:
        self.addresses: list[str] = []
        self._violations = violations
        self._key = Ed25519PrivateKey.generate()
        self.turn: Iterator[int] = count()
        """Where in `addresses` the next interaction goes first."""
        self._session: aiohttp.ClientSession | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self.sent: dict[str, int] = {}
        """How many interactions each process has answered."""

    @property
    def public_key(self) -> str:
        """The key that goes with the application."""
        return self._key.public_key().public_bytes_raw().hex()

    @property
    def open(self) -> int:
        """How many interactions no process has answered yet."""
        return len(self._sending)

    def signed(self, body: bytes, at: float | str | None = None) -> dict[str, str]:
        """The headers of a request, signed at a time, which may be any text; now if none is given."""
        stamp = at if isinstance(at, str) else str(int(time.time() if at is None else at))
        return {
            "X-Signature-Ed25519": self._key.sign(stamp.encode() + body).hex(),
            "X-Signature-Timestamp": stamp,
            "Content-Type": "application/json",
        }

    def knock(self, interaction: Interaction, event: Json) -> None:
        """Send an interaction to one of the processes, in turn."""
        task = asyncio.create_task(self._send(interaction, json.dumps(event).encode()))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    def begin_with(self, address: str) -> None:
        """Send the next interaction to the process with this address before all others."""
        self.turn = count(self.addresses.index(address))

    async def post(self, address: str, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """Send a request to one process, signed if no headers are given; its status and its JSON, if any."""
        self._session = self._session or aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(PATIENCE)
        )
        headers = self.signed(body) if headers is None else headers
        async with self._session.post(f"{address}/interactions", data=body, headers=headers) as answer:
            is_json = answer.content_type == "application/json"
            return answer.status, await answer.json() if is_json else None

    async def close(self) -> None:
        for task in list(self._sending):
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)
        if self._session:
            await self._session.close()

    async def _send(self, interaction: Interaction, body: bytes) -> None:
        first = next(self.turn)
        for address in [*self.addresses[first % len(self.addresses) :], *self.addresses[: first % len(self.addresses)]]:
            try:
                status, answer = await self.post(address, body)
            except aiohttp.ClientError as error:
                interaction.history.append(f"{address}: {error!r}")
                continue
            if status in REFUSED:
                continue
            self.sent[address] = self.sent.get(address, 0) + 1
            self._take(interaction, status, answer)
            return
        interaction.history.append("no process answered")

    def _take(self, interaction: Interaction, status: int, answer: Any) -> None:
        """What Discord does with an HTTP answer."""
        interaction.history.append(f"HTTP {status}")
        if status == 202:
            return
        if status != 200:
            self._violations.add(interaction.asked, f"the endpoint answered with HTTP {status}")
            interaction.excused = True
            return
        try:
            interaction.respond(answer, ())
        except ApiError as error:
            interaction.excused = True
            if error.mistake:
                self._violations.add(interaction.asked, str(error))
            interaction.bell.ring()
