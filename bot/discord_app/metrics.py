"""Metrics for Prometheus: answers and their times, the log, the caches, shards, workers and the queue."""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.aiohttp import make_aiohttp_handler
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.discord_app.http_server import HttpServer
from bot.errors import UserError
from bot.pace import at_pace
from bot.version import version

if TYPE_CHECKING:
    from bot.discord_app.open_answers import AnsweringClient

COUNT_EVERY = at_pace(60.0)
"""Seconds from one count of the battles in the database to the next."""
WITHIN = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""The limits of the histogram of answer times, in seconds."""

Family = TypeVar("Family", CounterMetricFamily, GaugeMetricFamily)

# Prometheus sees by itself when a counter begins anew, so the time when each began would only be more lines.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics(logging.Handler, Collector):
    """Counts answers and lines of the log since the start, and reads the other figures from a client when it is asked.

    A fault of ours is a line of the log at level ERROR.
    """

    def __init__(self, client: "AnsweringClient") -> None:
        super().__init__()
        self._client = client
        self._live_battles: int | None = None
        self._count_again = -math.inf
        self._memory: dict[int, int] = {}
        self.registry = registry = CollectorRegistry()
        Info("sandtable", "The version of Sandtable.", registry=registry).info({"version": version()})
        self._answers = Counter(
            "sandtable_answers", "Answers by command and outcome.", ("command", "outcome"), registry=registry
        )
        self._seconds = Histogram(
            "sandtable_answer_seconds", "Seconds until an answer was sent.", buckets=WITHIN, registry=registry
        )
        self._lines = Counter("sandtable_log_lines", "Lines of the log by level.", ("level",), registry=registry)
        for level in ("INFO", "WARNING", "ERROR"):
            self._lines.labels(level)
        registry.register(self)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line of the log."""
        self._lines.labels(record.levelname).inc()

    def count_answer(self, command: str, outcome: str, seconds: float) -> None:
        """Count an answer with its outcome and time."""
        self._answers.labels(command, outcome).inc()
        self._seconds.observe(seconds)

    async def refresh(self) -> None:
        """Find out what takes a moment: the memory of the workers, and the number of unfinished battles.

        Battles are counted at most once in COUNT_EVERY. Without a database their number is not known.
        """
        services = self._client.services
        workers = services.engine.pool.workers
        sizes = {number: await asyncio.to_thread(worker.memory) for number, worker in enumerate(workers)}
        self._memory = {number: memory for number, memory in sizes.items() if memory is not None}
        if time.monotonic() >= self._count_again:
            try:
                self._live_battles = await services.store.battles.count_unfinished()
                self._count_again = time.monotonic() + COUNT_EVERY
            except UserError:
                self._live_battles = None

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """Yield the figures that are read when Prometheus asks; one that is not known has no value."""
        client, engine = self._client, self._client.services.engine
        caches = ("cache", "the cache", engine), ("shared_cache", "Redis", engine.shared)
        for name, place, cache in caches:
            lookups = CounterMetricFamily(f"sandtable_{name}_lookups", f"Look-ups in {place}.", labels=["found"])
            yield _fill(lookups, {"yes": cache.found, "no": cache.not_found} if cache else {})
        states = GaugeMetricFamily("sandtable_shard_state", "1 for the state of a shard.", labels=["shard", "state"])
        for shard, state in client.shard_states.items():
            states.add_metric([str(shard), state], 1)
        yield states
        about = "Seconds that Discord took to answer the last heartbeat of a shard."
        latency = GaugeMetricFamily("sandtable_shard_latency_seconds", about, labels=["shard"])
        yield _fill(latency, {shard: seconds for shard, seconds in client.latencies if math.isfinite(seconds)})
        figures = (
            ("servers", "Servers that this process is on.", len(client.guilds) if client.shards else None),
            ("queue", "Questions in progress or waiting.", engine.pool.open_jobs),
            ("live_battles", "Live battles in progress in the whole database.", self._live_battles),
        )
        for name, about, value in figures:
            yield GaugeMetricFamily(f"sandtable_{name}", about, value)
        restarts = sum(worker.restarts for worker in engine.pool.workers)
        yield CounterMetricFamily("sandtable_worker_restarts", "Workers that were lost and replaced.", restarts)
        about = "Memory of a worker, with its part of what processes share."
        yield _fill(GaugeMetricFamily("sandtable_worker_memory_bytes", about, labels=["worker"]), self._memory)


def _fill(family: Family, values: Mapping[str, float] | Mapping[int, float]) -> Family:
    """Return a figure with its values by their label."""
    for label, value in values.items():
        family.add_metric([str(label)], value)
    return family


@asynccontextmanager
async def serve_metrics(metrics: Metrics, address: str) -> AsyncIterator[None]:
    """Serve the figures at this address; UserError if it cannot be used."""
    write = make_aiohttp_handler(metrics.registry)

    async def answer(request: web.Request) -> web.StreamResponse:
        await metrics.refresh()
        return await write(request)

    server = HttpServer([web.get("/metrics", answer)])
    host, _, port = address.rpartition(":")
    try:
        await server.open(host.strip("[]"), int(port))
    except UserError as error:
        raise UserError(f"The setting `metrics` is wrong. {error}") from None
    logging.getLogger().addHandler(metrics)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(metrics)
        await server.close()
