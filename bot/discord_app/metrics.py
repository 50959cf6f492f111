"""Figures for Prometheus: what was asked and how that ended, how long it took, and how full the bot is."""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress

from aiohttp import web

from bot.commands.request import Services
from bot.errors import UserError

WITHIN = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Seconds: for each it is counted how many answers took no longer."""


class Metrics(logging.Handler):
    """What is counted from one start to the next; lines of the log among it, as a fault of ours is one at ERROR."""

    def __init__(self) -> None:
        super().__init__()
        self._answers: Counter[tuple[str, str]] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._lines: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line of the log."""
        self._lines[record.levelname] += 1

    def answered(self, command: str, outcome: str, seconds: float) -> None:
        """Count an answer that was given, or for which nobody waited any more, or which could not be sent."""
        self._answers[command, outcome] += 1
        self._within.update(most for most in WITHIN if seconds <= most)
        self._seconds += seconds

    async def text(self, services: Services) -> str:
        """All figures, in the format that Prometheus reads."""
        engine, battles = services.engine, services.store.battles
        answers = {f'command="{command}",outcome="{end}"': count for (command, end), count in self._answers.items()}
        within = {f'le="{most}"': self._within[most] for most in WITHIN} | {'le="+Inf"': self._answers.total()}
        lines = {f'level="{level}"': self._lines[level] for level in ("INFO", "WARNING", "ERROR")}
        cache = {'found="yes"': engine.found, 'found="no"': engine.not_found}
        there = engine.shared
        shared = {'found="yes"': there.found, 'found="no"': there.not_found} if there else {}
        going_on = {}
        with suppress(UserError):  # Without the database, what it knows is left out.
            going_on = {"": await battles.going_on()}
        figures = [
            *_told("answers_total", "counter", answers),
            *_told("answer_seconds", "histogram", within, "_bucket"),
            f"sandtable_answer_seconds_sum {self._seconds}",
            f"sandtable_answer_seconds_count {self._answers.total()}",
            *_told("log_lines_total", "counter", lines),
            *_told("cache_lookups_total", "counter", cache),
            *(_told("shared_cache_lookups_total", "counter", shared) if shared else ()),
            *_told("queue", "gauge", {"": engine.waiting}),
            *(_told("live_battles", "gauge", going_on) if going_on else ()),
        ]
        return "\n".join(figures) + "\n"


def _told(name: str, kind: str, values: Mapping[str, float], part: str = "") -> Iterator[str]:
    """One figure: its kind, and its values by their labels."""
    yield f"# TYPE sandtable_{name} {kind}"
    for labels, value in values.items():
        yield f"sandtable_{name}{part}{labels and f'{{{labels}}}'} {value}"


@asynccontextmanager
async def shown(metrics: Metrics, services: Services) -> AsyncIterator[None]:
    """Show the figures where the setting wants them, if it does; UserError where that cannot be."""
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
