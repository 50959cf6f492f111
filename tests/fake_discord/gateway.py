"""The gateway: sessions that outlive their sockets, events in order, and the ways a connection can end."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any
from uuid import uuid4

from aiohttp import WSMsgType, web

from .timing import PATIENCE, Bell
from .violations import Violations
from .wire import Json
from .world import Guild, World, shard_of

GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 9, 1 << 12
PRIVILEGED = {"members": 1 << 1, "presences": 1 << 8, "message content": 1 << 15}
HEARTBEAT_MS = 41_250


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """Why the gateway hangs up."""

    UNKNOWN_OPCODE = 4001
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SHARD = 4010
    DISALLOWED_INTENTS = 4014


@dataclass(eq=False)
class Connection:
    """One socket, and the session that speaks through it once it has identified or resumed."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    session: Session | None = None

    async def send(self, op: Op, data: Any) -> None:
        with suppress(ConnectionError):
            await self.socket.send_str(json.dumps({"op": int(op), "d": data, "s": None, "t": None}))


@dataclass(eq=False)
class Session:
    """What a bot has identified as; `log` keeps every event, so that a later socket can replay it."""

    id: str
    shard: tuple[int, int]
    intents: int
    bell: Bell = field(repr=False)
    log: list[str] = field(default_factory=list, repr=False)
    sent: int = 0
    connection: Connection | None = field(default=None, repr=False)
    wake: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def push(self, event: str, data: Json) -> None:
        """Number an event and have it sent, now or after a resume."""
        frame = {"op": int(Op.DISPATCH), "t": event, "s": len(self.log) + 1, "d": data}
        self.log.append(json.dumps(frame))
        self.wake.set()

    async def speak(self, connection: Connection) -> None:
        """Send what is in the log, in order, as long as this connection is the session's."""
        with suppress(ConnectionError):
            while self.connection is connection:
                if self.sent < len(self.log):
                    self.sent += 1
                    await connection.socket.send_str(self.log[self.sent - 1])
                else:
                    self.bell.ring()
                    self.wake.clear()
                    await self.wake.wait()


@dataclass
class Starts:
    """How many sessions may be started: one in `every` seconds in each of `lines`, and `remaining` until the reset.

    `refused` counts those that came too soon; like those that were taken, they are no longer there for later.
    """

    every: float = 0.0
    lines: int = 1
    total: int = 1000
    remaining: int = 1000
    reset_after: float = 14_400.0
    refused: int = 0
    _last: dict[int, float] = field(default_factory=dict)

    def spend(self, shard: int) -> bool:
        """Count an identify; return whether it is taken."""
        before, now = self._last.get(shard % self.lines), time.monotonic()
        self._last[shard % self.lines] = now
        self.remaining -= 1
        too_soon = before is not None and now - before < self.every
        self.refused += too_soon
        return not too_soon

    def payload(self) -> Json:
        return {
            "total": self.total,
            "remaining": max(self.remaining, 0),
            "reset_after": int(self.reset_after * 1000),
            "max_concurrency": self.lines,
        }


class Gateway:
    """All sessions of the bot; `identified` and `resumed` count what clients have done, `starts` what they may."""

    def __init__(self, world: World, token: str, violations: Violations) -> None:
        self.shards = 1
        self.starts = Starts()
        self.heartbeat_ms = HEARTBEAT_MS
        self.acks_heartbeats = True
        self.answers_identifies = True
        self.identified = 0
        self.resumed = 0
        self.heartbeats = 0
        self.presences: list[Json] = []
        self.url = ""
        self.bell = Bell()
        self.sessions: dict[str, Session] = {}
        self._world = world
        self._token = token
        self._violations = violations
        self._connections: set[Connection] = set()
        self._open = asyncio.Event()
        self._open.set()

    @property
    def is_ready(self) -> bool:
        """Whether every shard is connected and has been sent everything so far."""
        return self.are_ready(None)

    def are_ready(self, numbers: Sequence[int] | None) -> bool:
        """The same of these shards alone, or where there are none, of all."""
        connected = [s for s in self.sessions.values() if s.connection and s.sent == len(s.log)]
        shards = {session.shard for session in connected}
        return any({(n, of) for n in numbers or range(of)} <= shards for _, of in shards)

    def dispatch(self, event: str, data: Json, *, guild: Guild | None, intent: int = 0) -> None:
        """Tell the sessions which are responsible for that server and have asked for such events."""
        for session in self.sessions.values():
            if session.shard[0] == shard_of(guild, session.shard[1]) and session.intents & intent == intent:
                session.push(event, data)

    def heard_by(self, guild: Guild | None, intent: int) -> bool:
        """Whether any session hears events of that kind from there."""
        return any(
            session.shard[0] == shard_of(guild, session.shard[1]) and session.intents & intent == intent
            for session in self.sessions.values()
        )

    # Serving

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One socket from HELLO to its end."""
        await self._open.wait()
        socket = web.WebSocketResponse(timeout=1.0)
        await socket.prepare(request)
        connection = Connection(socket, request.transport)
        self._connections.add(connection)
        await connection.send(Op.HELLO, {"heartbeat_interval": self.heartbeat_ms, "_trace": []})
        writer: asyncio.Task[None] | None = None
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(connection, json.loads(message.data))
                if connection.session and writer is None:
                    writer = asyncio.create_task(connection.session.speak(connection))
        finally:
            if writer:
                writer.cancel()
            self._ended(connection)
        return socket

    async def _receive(self, connection: Connection, frame: Json) -> None:
        data = frame.get("d")
        match frame.get("op"):
            case Op.HEARTBEAT:
                self.heartbeats += 1
                if self.acks_heartbeats:
                    await connection.send(Op.HEARTBEAT_ACK, None)
            case Op.IDENTIFY if connection.session:
                await self._hang_up(connection, Close.ALREADY_AUTHENTICATED)
            case Op.IDENTIFY:
                await self._identify(connection, data or {})
            case Op.RESUME:
                await self._resume(connection, data or {})
            case Op.PRESENCE if connection.session:
                self.presences.append(data or {})
            case Op.PRESENCE:
                await self._hang_up(connection, Close.NOT_AUTHENTICATED)
            case other:
                self._violations.add(f"gateway op {other}", "nobody prepared this opcode")
                await self._hang_up(connection, Close.UNKNOWN_OPCODE)

    async def _identify(self, connection: Connection, data: Json) -> None:
        if problem := self._identify_problem(data):
            self._violations.add("gateway IDENTIFY", f"closed with {problem} {problem.name}")
            await self._hang_up(connection, problem)
            return
        number, of = data.get("shard") or (0, 1)
        if not self.starts.spend(number):
            await connection.send(Op.INVALID_SESSION, False)
            return
        if not self.answers_identifies:
            return
        if self.starts.remaining < 0:
            self._violations.add("gateway IDENTIFY", "more than allowed in a day: Discord resets the token")
        for old in list(self.sessions.values()):
            if old.connection is None and old.shard[0] == number:
                del self.sessions[old.id]
        session = Session(uuid4().hex, (number, of), data.get("intents", 0), self.bell)
        session.connection = connection
        connection.session = self.sessions[session.id] = session
        session.push("READY", self._world.started(session.id, self.url, session.shard))
        for guild in self._world.bot_guilds:
            if shard_of(guild, of) == number and session.intents & GUILDS:
                session.push("GUILD_CREATE", guild.payload(self._world.bot))
        self.identified += 1
        self.bell.ring()

    def _identify_problem(self, data: Json) -> Close | None:
        if data.get("token") != self._token:
            return Close.AUTHENTICATION_FAILED
        number, of = data.get("shard") or (0, 1)
        if not 0 <= number < of:
            return Close.INVALID_SHARD
        if any(data.get("intents", 0) & bit for bit in PRIVILEGED.values()):
            return Close.DISALLOWED_INTENTS
        return None

    async def _resume(self, connection: Connection, data: Json) -> None:
        session = self.sessions.get(data.get("session_id", ""))
        if data.get("token") != self._token:
            self._violations.add("gateway RESUME", "wrong token")
            await self._hang_up(connection, Close.AUTHENTICATION_FAILED)
        elif session is None or not 0 <= (data.get("seq") or 0) <= len(session.log):
            await connection.send(Op.INVALID_SESSION, False)
        else:
            session.sent = data.get("seq") or 0
            session.connection = connection
            connection.session = session
            session.push("RESUMED", {"_trace": []})
            self.resumed += 1
            self.bell.ring()

    async def _hang_up(self, connection: Connection, code: Close) -> None:
        self._let_go(connection)
        await connection.socket.close(code=code, message=code.name.encode())

    def _let_go(self, connection: Connection) -> None:
        """The session lives on without its socket."""
        if connection.session and connection.session.connection is connection:
            connection.session.connection = None
        self.bell.ring()

    def _ended(self, connection: Connection) -> None:
        """A client that says goodbye properly ends its session, any other end leaves it for a resume."""
        self._connections.discard(connection)
        session = connection.session
        by_client = session is not None and session.connection is connection
        self._let_go(connection)
        if session and by_client and connection.socket.close_code in (1000, 1001):
            self.sessions.pop(session.id, None)

    # Trouble, as tests order it

    async def drop(self, code: int | None = None) -> None:
        """Break every socket: without a word, or with a close frame of that code."""
        for connection in list(self._connections):
            self._let_go(connection)
            if code is not None:
                await connection.socket.close(code=code)
            elif connection.transport:
                connection.transport.abort()

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Inside the block nobody is connected; who comes back waits at the door until its end."""
        with self.closed_door():
            await self.drop()
            yield

    @contextmanager
    def closed_door(self) -> Iterator[None]:
        """Inside the block nobody gets in; who is connected stays so."""
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()

    async def ask_to_reconnect(self) -> None:
        """Op 7, and wait until the old sockets are gone."""
        asked = set(self._connections)
        for connection in asked:
            await connection.send(Op.RECONNECT, None)
        await self._gone(asked)

    async def invalidate(self) -> None:
        """Op 9 with `false`: the session is over, the bot must identify anew."""
        asked = set(self._connections)
        self.sessions.clear()
        for connection in asked:
            await connection.send(Op.INVALID_SESSION, False)
        await self._gone(asked)

    async def close(self) -> None:
        """Hang up on everybody who is still there."""
        self._open.set()
        for connection in list(self._connections):
            await connection.socket.close(code=1001)

    async def _gone(self, asked: set[Connection]) -> None:
        await self.bell.until(
            lambda: not asked & self._connections,
            within=PATIENCE,
            otherwise=lambda: "the client did not leave when it was asked to",
        )

    @contextmanager
    def without_ready(self) -> Iterator[None]:
        """Inside the block identifies count, and are never answered."""
        self.answers_identifies = False
        try:
            yield
        finally:
            self.answers_identifies = True

    @contextmanager
    def without_acks(self) -> Iterator[None]:
        """Inside the block heartbeats go unanswered."""
        self.acks_heartbeats = False
        try:
            yield
        finally:
            self.acks_heartbeats = True
