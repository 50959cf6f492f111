"""The shared cache: several processes share answers and pictures through Redis; without Redis each computes its own.

They also share there how much people use, so that their limits are one.

A key in Redis is a digest of the question and of this program, so no version reads the entries of another. A value is
pickled behind a signature made with the bot's token: bytes of anybody else are never unpickled.
"""

import asyncio
import hmac
import logging
import pickle
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, Self

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from bot import packs
from bot.charts import Chart
from bot.errors import UserError
from bot.maps import reading
from bot.pace import at_pace
from bot.settings import Settings
from bot.work.jobs import size_of

log = logging.getLogger(__name__)

LONGEST_WAIT = 0.2
"""Seconds to wait for Redis."""
AWAY = at_pace(30.0)
"""Seconds without a request to Redis after it did not answer in time, and without a write after it refused one."""
KEPT = 7 * 24 * 3600
"""Seconds after which Redis drops an answer."""
MOST_BYTES = 1_000_000
"""The size of the largest answer in the cache."""
MOST_CONNECTIONS = 16

ADD_USE = """
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local empty = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + tonumber(ARGV[1])
if empty > now then
    redis.call('SET', KEYS[1], string.format('%.6f', empty), 'PX', math.ceil((empty - now) * 1000))
else
    redis.call('DEL', KEYS[1])
end
return string.format('%.6f', empty - now)
"""
"""Fills the bucket of a key, which holds the time at which it is empty; returns the seconds until then."""
MOST_UNTOLD = 1_000
"""How many uses may wait to be told; further ones stay with this process."""

Trouble = Literal["", "away", "refuses"]
"""Redis is well, or does not answer, or answers and takes nothing new, as when it is full."""

SIGNATURE = sha256().digest_size
NOTHING = object()


class SharedCache:
    """The answers in Redis, as a context manager; `found` and `not_found` count the look-ups."""

    def __init__(self, settings: Settings) -> None:
        self._secret = hmac.digest(settings.bare_token.encode(), b"answers that are shared", "sha256")
        self._always = f"{_program_digest()} {settings.most_work}"
        pool: Any = BlockingConnectionPool.from_url(
            settings.redis,
            max_connections=MOST_CONNECTIONS,
            timeout=LONGEST_WAIT,
            socket_timeout=LONGEST_WAIT,
            socket_connect_timeout=LONGEST_WAIT,
            retry=Retry(NoBackoff(), 1),  # over a new connection, where Redis has closed the old one
        )
        self._redis = Redis(connection_pool=pool)
        self._trouble: Trouble = ""
        self._ask_from = self._write_from = 0.0
        self._add_use = self._redis.register_script(ADD_USE)
        self._writing: set[asyncio.Task[None]] = set()
        self.found = self.not_found = 0

    async def __aenter__(self) -> Self:
        """Return the cache; it connects with its first request."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Finish the writes under way, which takes little time, and disconnect."""
        await asyncio.gather(*self._writing, return_exceptions=True)
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()

    async def get_or_compute(self, key: Hashable, compute: Callable[[], Awaitable[Any]]) -> Any:
        """Return the answer stored under `key`, or else compute it and store it for other processes."""
        name = self._name(key) if time.monotonic() >= self._ask_from else None
        if name is None:
            return await compute()
        stored = self._verify(name, await self._ask(self._redis.getrange(name, 0, SIGNATURE + MOST_BYTES)))
        if stored is not NOTHING:
            self.found += 1
            return stored
        self.not_found += 1
        answer = await compute()
        if self._may_write:
            self._begin(self._keep(name, answer))  # the asker need not wait until it is stored
        return answer

    def add_use(self, name: str, seconds: float, learn: Callable[[float], None]) -> None:
        """Add to a leaky bucket that all processes fill, and tell `learn` the seconds until it is empty.

        Nobody waits for that, and without Redis nothing is learnt.
        """
        if self._may_write and len(self._writing) < MOST_UNTOLD:
            digest = hmac.digest(self._secret, f"use {name}".encode(), "sha256").hex()
            self._begin(self._tell_use(f"sandtable:{digest}", seconds, learn))

    async def _tell_use(self, key: str, seconds: float, learn: Callable[[float], None]) -> None:
        left = await self._ask(self._add_use(keys=[key], args=[seconds]), writes=True)
        if left is not None:
            learn(float(left))

    def _begin(self, write: Coroutine[Any, Any, None]) -> None:
        """Begin a write that nobody waits for."""
        task = asyncio.create_task(write)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def check_connection(self) -> None:
        """Raise UserError, with the reason, if Redis does not answer."""
        try:
            async with asyncio.timeout(10 * LONGEST_WAIT):
                await self._redis.get("sandtable")
        except (RedisError, OSError) as error:
            trouble = str(error).rstrip(".") or "it is too slow"
            raise UserError(f"Redis does not answer, so that nothing would be shared: {trouble}.") from None

    def _name(self, key: Hashable) -> str | None:
        """Return the key of an answer in Redis; None if it must not be shared."""
        if isinstance(key, tuple) and key and isinstance(key[0], Chart) and key[0].personal:
            return None
        try:
            text = f"{self._always} {stable_text(key)}"
        except TypeError:
            return None
        return f"sandtable:{hmac.digest(self._secret, text.encode(), 'sha256').hex()}"

    async def _keep(self, name: str, answer: Any) -> None:
        if size_of(answer) > 2 * MOST_BYTES:
            return
        content = pickle.dumps(answer, protocol=5)
        if len(content) <= MOST_BYTES:
            await self._ask(self._redis.set(name, self._signature(name, content) + content, ex=KEPT), writes=True)

    def _verify(self, name: str, value: bytes | None) -> Any:
        """Return the answer in a value from Redis; NOTHING unless we signed it for this name."""
        signature, content = (value or b"")[:SIGNATURE], (value or b"")[SIGNATURE:]
        if not content or not hmac.compare_digest(signature, self._signature(name, content)):
            return NOTHING
        try:
            return pickle.loads(content)
        except Exception:
            log.exception("a shared answer cannot be read; it is worked out again")
            return NOTHING

    def _signature(self, name: str, content: bytes) -> bytes:
        return hmac.digest(self._secret, name.encode() + content, "sha256")

    @property
    def _may_write(self) -> bool:
        return time.monotonic() >= max(self._ask_from, self._write_from)

    async def _ask(self, asked: Awaitable[Any], writes: bool = False) -> Any:
        """Wait for a reply of Redis; None if it takes too long or is an error, and then ask no such thing for a while.

        Where Redis is full, it can still be read.
        """
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                reply = await asked
        except Exception as error:  # Whatever it is: the cache only helps, so its failure must cost nobody an answer.
            if writes and isinstance(error, ResponseError):
                self._write_from = time.monotonic() + AWAY
                self._note("refuses", "nothing new is shared, as Redis refuses it", error)
            else:
                self._ask_from = time.monotonic() + AWAY
                self._note("away", "answers are not shared, as Redis does not answer", error)
            return None
        if self._trouble == "away" or (self._trouble and writes):
            self._trouble = ""
            log.info("answers are shared again")
        return reply

    def _note(self, trouble: Trouble, what: str, error: Exception) -> None:
        """Log a trouble when it begins."""
        if self._trouble != trouble:
            self._trouble = trouble
            log.warning("%s: %s", what, str(error) or "it is too slow")


def stable_text(value: object) -> str:
    """Return a text that is equal in every process for equal values only; TypeError for unsupported types."""
    if value is None or isinstance(value, bool | int | float | str | bytes | Fraction):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple | list):
        parts = [stable_text(part) for part in value]
    elif isinstance(value, frozenset):
        parts = sorted(stable_text(part) for part in value)
    elif isinstance(value, Mapping):
        parts = sorted(f"{stable_text(name)}: {stable_text(part)}" for name, part in value.items())
    elif is_dataclass(value):
        parts = [stable_text(getattr(value, field.name)) for field in fields(value) if field.compare]
    else:
        raise TypeError(f"no text for {type(value)}")
    return f"{type(value).__module__}.{type(value).__qualname__}({', '.join(parts)})"


@cache
def _program_digest() -> str:
    """Return a digest of what an answer depends on beside its question: our files, rule packs, maps and libraries."""
    root = Path(__file__).parents[2]
    digest = sha256(f"{sys.version_info[:2]} {[version(name) for name in ('numpy', 'matplotlib', 'pillow')]}".encode())
    for place in (root / "bot", root / "solver", packs.FOLDER, packs.OWN, reading.FOLDER, reading.OWN):
        for file in sorted(place.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(place)} ".encode() + file.read_bytes())
    return digest.hexdigest()
