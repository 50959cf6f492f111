"""Answers and pictures that several processes share through Redis, which may be slow or gone without anybody noticing.

A name there is a digest of the question and of this program, so that no version reads what another wrote. A value is
pickled behind a signature made with the bot's token: nobody else's bytes are ever unpickled.
"""

import asyncio
import hmac
import logging
import pickle
import sys
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from bot import packs
from bot.errors import UserError
from bot.limits import size_of
from bot.settings import Settings

log = logging.getLogger(__name__)

LONGEST_WAIT = 0.2
"""Seconds for which an answer waits to be told."""
AWAY = 30.0
"""Seconds for which nobody asks a Redis that did not answer in time."""
KEPT = 7 * 24 * 3600
"""Seconds for which an answer is kept there."""
MOST_BYTES = 1_000_000
"""The largest answer that is."""
MOST_CONNECTIONS = 16
PERSONAL = "draw_luck", "draw_faces", "draw_ribbon"
"""Pictures of what people rolled: these do not leave the process."""

SIGNATURE = sha256().digest_size
NOTHING = object()


class SharedCache:
    """What others have worked out already; `found` and `not_found` count how often that was so. A context manager."""

    def __init__(self, settings: Settings) -> None:
        self._secret = hmac.digest(settings.bare_token.encode(), b"answers that are shared", "sha256")
        self._always = f"{_program()} {settings.most_work}"
        pool: Any = BlockingConnectionPool.from_url(
            settings.redis.get_secret_value(),
            max_connections=MOST_CONNECTIONS,
            timeout=LONGEST_WAIT,
            socket_timeout=LONGEST_WAIT,
            socket_connect_timeout=LONGEST_WAIT,
            retry=Retry(NoBackoff(), 1),  # over a new connection, where Redis has closed the old one
        )
        self._redis = Redis(connection_pool=pool)
        self._away = False
        self._ask_from = 0.0
        self._writing: set[asyncio.Task[None]] = set()
        self.found = self.not_found = 0

    async def __aenter__(self) -> Self:
        """Nothing is asked yet."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let what is being written be written, which does not take long."""
        await asyncio.gather(*self._writing, return_exceptions=True)
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()

    async def answer(self, key: Hashable, compute: Callable[[], Awaitable[Any]]) -> Any:
        """The answer that is kept under the key, or else what `compute` returns, which others will then find."""
        name = self._name(key) if time.monotonic() >= self._ask_from else None
        if name is None:
            return await compute()
        kept = self._opened(name, await self._told(self._redis.getrange(name, 0, SIGNATURE + MOST_BYTES)))
        if kept is not NOTHING:
            self.found += 1
            return kept
        self.not_found += 1
        answer = await compute()
        # Who asked need not wait until it is there.
        task = asyncio.create_task(self._keep(name, answer))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return answer

    async def look(self) -> None:
        """Ask whether anybody is there; UserError says what is wrong."""
        try:
            async with asyncio.timeout(10 * LONGEST_WAIT):
                await self._redis.get("sandtable")
        except (RedisError, OSError) as error:
            trouble = str(error).rstrip(".") or "it is too slow"
            raise UserError(f"Redis does not answer, so that nothing would be shared: {trouble}.") from None

    def _name(self, key: Hashable) -> str | None:
        """What an answer is kept under; None where it is not to be shared."""
        if isinstance(key, tuple) and key and key[0] in PERSONAL:
            return None
        try:
            text = f"{self._always} {spelled(key)}"
        except TypeError:
            return None
        return f"sandtable:{hmac.digest(self._secret, text.encode(), 'sha256').hex()}"

    async def _keep(self, name: str, answer: Any) -> None:
        if size_of(answer) > 2 * MOST_BYTES:
            return
        content = pickle.dumps(answer, protocol=5)
        if len(content) <= MOST_BYTES:
            await self._told(self._redis.set(name, self._signature(name, content) + content, ex=KEPT))

    def _opened(self, name: str, value: bytes | None) -> Any:
        """The answer in a value, or NOTHING where it is not signed by us for this name."""
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

    async def _told(self, asked: Awaitable[Any]) -> Any:
        """What Redis says, None where that takes too long; it is then left alone for a while."""
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                said = await asked
        except Exception as error:  # Whatever it is, what only helps costs nobody an answer.
            self._ask_from = time.monotonic() + AWAY
            if not self._away:
                self._away = True
                log.warning("answers are not shared, as Redis does not answer: %s", str(error) or "it is too slow")
            return None
        if self._away:
            self._away = False
            log.info("answers are shared again")
        return said


def spelled(value: object) -> str:
    """A value as text that is the same in every process, and other for every other value; TypeError of other kinds."""
    if value is None or isinstance(value, bool | int | float | str | bytes | Fraction):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple | list):
        parts = [spelled(part) for part in value]
    elif isinstance(value, frozenset):
        parts = sorted(spelled(part) for part in value)
    elif isinstance(value, Mapping):
        parts = sorted(f"{spelled(name)}: {spelled(part)}" for name, part in value.items())
    elif is_dataclass(value):
        parts = [spelled(getattr(value, field.name)) for field in fields(value) if field.compare]
    else:
        raise TypeError(f"no text for {type(value)}")
    return f"{type(value).__module__}.{type(value).__qualname__}({', '.join(parts)})"


@cache
def _program() -> str:
    """A digest of all that decides an answer beside the question: our files, the rule packs, what draws and counts."""
    root = Path(__file__).parents[1]
    digest = sha256(f"{sys.version_info[:2]} {[version(name) for name in ('numpy', 'matplotlib', 'pillow')]}".encode())
    for place in (root / "bot", root / "solver", packs.FOLDER, packs.OWN):
        for file in sorted(place.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(place)} ".encode() + file.read_bytes())
    return digest.hexdigest()
