"""Signs of life: writes a file with the bot's state every few seconds, as long as all is well or gets on."""

import asyncio
import json
import logging
import time
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from bot.discord_app.gateway.shards import State
from bot.discord_app.open_answers import AnsweringClient
from bot.pace import at_pace
from bot.store.unopened import PRIVATE

log = logging.getLogger(__name__)

EVERY = at_pace(10.0)
"""Seconds from one sign of life to the next."""
LONGEST_SILENCE = 90.0
"""Seconds for which Discord may be silent; it answers at least one heartbeat in 45 seconds."""
LONGEST_WAIT = 5.0
"""Seconds in which the database must answer."""


class Health:
    """Checks a client: the connection to Discord, the queue of questions, and the database."""

    def __init__(self, client: AnsweringClient) -> None:
        self._client = client

    def silence(self) -> float:
        """Return the seconds since the last message of Discord, heartbeats included, on the most silent shard."""
        gone = {shard for shard, state in self._client.shard_states.items() if state == "handed over"}
        shards = (shard for number, shard in self._client.shards.items() if number not in gone)
        beats = [shard._parent.ws._keep_alive for shard in shards]
        return time.perf_counter() - min((beat._last_recv for beat in beats if beat), default=time.perf_counter())

    async def write_signs(self, file: Path) -> None:
        """Write the file again and again, as long as all is well; log each trouble when it begins."""
        before = ""
        while True:
            trouble, database = await self._check_database()
            services, shards = self._client.services, self._client.shard_states
            silence, queue = self.silence(), services.engine.pool.open_jobs
            trouble = self._trouble_of_shards(shards.values(), silence) or trouble
            if queue >= (limit := services.settings.most_waiting):
                trouble = trouble or f"{limit} questions wait, and no more are taken"
            if not trouble:
                now = datetime.now(UTC).isoformat(timespec="seconds")
                figures = {"gateway": round(silence, 1), "queue": queue, "database": round(database, 4)}
                state = {"at": now, **figures, "shards": shards}
                trouble = await asyncio.to_thread(_replace_file, file, json.dumps(state))
            if trouble and trouble != before:
                log.warning("not well: %s", trouble)
            before = trouble
            await asyncio.sleep(EVERY)

    def _trouble_of_shards(self, states: Collection[State], silence: float) -> str:
        """Return the trouble of the shards, "" if none; at a start it is well as long as one after the other connects.

        A shard that waits for its turn is well: a new start would only put it at the end of the line. A bot that
        leaves ends its connections itself.
        """
        if silence > LONGEST_SILENCE:
            return f"Discord has said nothing for more than {LONGEST_SILENCE:.0f} s"
        if self._client.leaving:
            return ""
        if self._client.is_ready():
            return "Discord is not connected" if {"connecting", "closed"} & set(states) else ""
        if self._client.seconds_without_progress > LONGEST_SILENCE:
            return f"no shard has got on with its start for more than {LONGEST_SILENCE:.0f} s"
        return ""

    async def _check_database(self) -> tuple[str, float]:
        """Return the trouble of the database, "" if none, and the seconds that it took to answer."""
        began = time.monotonic()
        # Without an answer there is no sign of life, so a line in the log is all there is to do.
        loop = asyncio.get_running_loop()
        warning = loop.call_later(LONGEST_WAIT, log.warning, "not well: the database does not answer")
        try:
            await self._client.services.store.fact("commands")
        except Exception as error:
            return f"the database does not answer: {error}", 0
        finally:
            warning.cancel()
        seconds = time.monotonic() - began
        trouble = f"the database took more than {LONGEST_WAIT:.0f} s to answer" if seconds > LONGEST_WAIT else ""
        return trouble, seconds


def _replace_file(file: Path, text: str) -> str:
    """Replace a file by one with this text, never by half of it; return the trouble, "" if none."""
    part = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        part.write_text(f"{text}\n")
        part.replace(file)
    except OSError as error:
        return f"no sign of life can be left in {file}: {error.strerror}"
    return ""
