"""Metrics for Prometheus: counts answers with their outcomes and times, log lines, cache look-ups and waiting jobs."""

import logging
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress

from aiohttp import web

from bot.errors import UserError
from bot.request import Services

COUNT_EVERY = 60.0
"""Seconds from one count of the battles in the database to the next."""
WITHIN = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""The limits of the histogram of answer times, in seconds."""


class Metrics(logging.Handler):
    """Counts since the start; also of log lines, as each fault of ours is a line at level ERROR.

    `shard_states` returns the state of each shard.
    """

    def __init__(self, shard_states: Callable[[], Mapping[int, str]] = dict) -> None:
        super().__init__()
        self._shard_states = shard_states
        self._answers: Counter[tuple[str, str]] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._lines: Counter[str] = Counter()
        self._going_on: dict[str, int] = {}
        self._count_again = -math.inf

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line of the log."""
        self._lines[record.levelname] += 1

    def count_answer(self, command: str, outcome: str, seconds: float) -> None:
        """Count an answer with its outcome and time."""
        self._answers[command, outcome] += 1
        self._within.update(most for most in WITHIN if seconds <= most)
        self._seconds += seconds

    async def text(self, services: Services) -> str:
        """Return all figures in Prometheus's text format."""
        engine = services.engine
        answers = {f'command="{command}",outcome="{end}"': count for (command, end), count in self._answers.items()}
        within = {f'le="{most}"': self._within[most] for most in WITHIN} | {'le="+Inf"': self._answers.total()}
        lines = {f'level="{level}"': self._lines[level] for level in ("INFO", "WARNING", "ERROR")}
        cache = {'found="yes"': engine.found, 'found="no"': engine.not_found}
        there = engine.shared
        shared = {'found="yes"': there.found, 'found="no"': there.not_found} if there else {}
        shards = {f'shard="{shard}",state="{state}"': 1 for shard, state in self._shard_states().items()}
        going_on = await self._count_battles(services)
        figures = [
            *_figure_lines("answers_total", "counter", answers),
            *_figure_lines("answer_seconds", "histogram", within, "_bucket"),
            f"sandtable_answer_seconds_sum {self._seconds}",
            f"sandtable_answer_seconds_count {self._answers.total()}",
            *_figure_lines("log_lines_total", "counter", lines),
            *_figure_lines("cache_lookups_total", "counter", cache),
            *(_figure_lines("shared_cache_lookups_total", "counter", shared) if shared else ()),
            *(_figure_lines("shard_state", "gauge", shards) if shards else ()),
            *_figure_lines("queue", "gauge", {"": engine.waiting}),
            *(_figure_lines("live_battles", "gauge", going_on) if going_on else ()),
        ]
        return "\n".join(figures) + "\n"

    async def _count_battles(self, services: Services) -> Mapping[str, int]:
        """Return the number of unfinished battles, counted at most once in COUNT_EVERY; nothing without a database."""
        if time.monotonic() >= self._count_again:
            self._going_on = {}
            with suppress(UserError):
                self._going_on = {"": await services.store.battles.count_unfinished()}
                self._count_again = time.monotonic() + COUNT_EVERY
        return self._going_on


def _figure_lines(name: str, kind: str, values: Mapping[str, float], part: str = "") -> Iterator[str]:
    """Yield the lines of one figure: its kind, and its values by their labels."""
    yield f"# TYPE sandtable_{name} {kind}"
    for labels, value in values.items():
        yield f"sandtable_{name}{part}{labels and f'{{{labels}}}'} {value}"


@asynccontextmanager
async def serve_metrics(metrics: Metrics, services: Services) -> AsyncIterator[None]:
    """Serve the figures at the address in the settings, if any; UserError if the address cannot be used."""
    address = services.settings.metrics
    if not address:
        yield
        return

    async def answer(_: web.Request) -> web.Response:
        body = (await metrics.text(services)).encode()
        return web.Response(body=body, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    app = web.Application()
    app.router.add_get("/metrics", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    host, _, port = address.rpartition(":")
    logging.getLogger().addHandler(metrics)
    try:
        await web.TCPSite(runner, host.strip("[]"), int(port)).start()
    except (OSError, OverflowError) as error:
        raise UserError(f"The setting `metrics` is wrong: {address} cannot be used: {error}.") from None
    else:
        yield
    finally:
        logging.getLogger().removeHandler(metrics)
        await runner.cleanup()
