"""The tables of docs/scaling.md, computed by the model of large bots in `scaling.py`.

    .venv/bin/python -m tests.benchmarks.scaling_page

This writes them into the page and prints them. A number that rests on an estimate has a ~ before it; one that has none
is measured, or a rule of Discord's.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields

from bot.store.database import MOST_CONNECTIONS
from tests.benchmarks.scaling import (
    MORE_CONNECTIONS,
    WAYS,
    Estimates,
    Measured,
    Plan,
    Way,
    evening_memory,
    peak,
    plan,
    two_digits,
)
from tests.helpers.documents import ROOT

PAGE = ROOT / "docs" / "scaling.md"
SIZES = 1_000, 10_000, 100_000


def told(value: float) -> str:
    """A number in a table: two digits, and thousands apart."""
    rounded = two_digits(value)
    if rounded < 10_000:
        return f"{rounded:g}"
    return f"{rounded:,.0f}".replace(",", " ")


def rough(value: float) -> str:
    """A number that rests on an estimate."""
    return f"~{told(value)}"


def seconds(value: float) -> str:
    return f"{told(value)} s" if value < 120 else f"{told(value / 60)} min"


def megabytes(value: float) -> str:
    return f"~{told(value)} MB" if value < 1000 else f"~{told(value / 1000)} GB"


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown; all columns that begin with a number in the first row are to the right."""
    lines = [list(header), *map(list, rows)]
    numbers = [re.match(r"[~\d]", cell) for cell in lines[1]]
    rule = ["---:" if number else "---" for number in numbers]
    return "\n".join(
        [f"| {' | '.join(lines[0])} |", f"|{'|'.join(rule)}|", *(f"| {' | '.join(row)} |" for row in lines[1:])]
    )


QUESTIONS = {
    "new": "a command with a new battle and its picture",
    "known": "a command with a battle asked before",
    "suggestion": "a suggestion",
    "roll": "a command that begins a live battle",
    "press": "a press in a live battle, with its picture",
}
NAMES: Mapping[Way, str] = {"discord": "with shards", "http": "without shards"}


def costs_table(way: Way, measured: Measured) -> str:
    header = f"Measured {NAMES[way]}", "Bot", "Workers", "PostgreSQL", "Turns", "Writes", "Redis"
    rows = []
    for kind, cost in measured.costs[way].items():
        times = (f"{told(one)} ms" if one else "0" for one in (cost.own, cost.workers, cost.database))
        rows.append([QUESTIONS[kind], *times, *map(told, (cost.turns, cost.writes, cost.redis))])
    return table(header, rows)


def processes_table(measured: Measured, evening: float) -> str:
    def both(found: Mapping[Way, float], unit: str) -> list[str]:
        return [f"{told(found[way])} {unit}" for way in WAYS]

    return table(
        ("Measured for a process", "With shards", "Without"),
        (
            ("memory at rest", *both(measured.rest, "MB")),
            ("memory after a busy evening (see [Performance](performance.md#memory))", *[f"{evening:g} MB"] * 2),
            ("processor time of its start", *both(measured.start, "s")),
            ("from one identify to the next", f"{told(measured.identify)} s", "none"),
            ("memory for 1000 servers", f"{told(measured.held)} MB", "none"),
            ("processor time to hear of 1000 servers at the start", f"{told(measured.told)} s", "none"),
            ("processor time for a message that people write to each other", f"{told(measured.heard)} ms", "none"),
        ),
    )


def estimates_table(estimates: Estimates) -> str:
    rows = (
        (one.metadata["what"], rough(getattr(estimates, one.name)), one.metadata["reason"]) for one in fields(estimates)
    )
    return table(("Estimate", "Value", "Because"), rows)


def peak_table(estimates: Estimates) -> str:
    """How much is asked at the evening's peak."""
    e = estimates
    commands = [peak(servers, e.commands, e) for servers in SIZES]
    each_day = f"a day × {told(e.evening)} / 3600 × {told(e.rush)}"
    return table(
        ("A second at the peak", *map(told, SIZES), "Sum"),
        (
            ("commands", *map(rough, commands), f"servers × {told(e.commands)} {each_day}"),
            ("suggestions", *(rough(one * e.suggestions) for one in commands), f"commands × {told(e.suggestions)}"),
            ("presses", *(rough(one * e.presses) for one in commands), f"commands × {told(e.presses)}"),
            (
                "messages",
                *(rough(peak(servers, e.messages, e)) for servers in SIZES),
                f"servers × {told(e.messages)} {each_day}",
            ),
        ),
    )


def plans_table(way: Way, measured: Measured, estimates: Estimates, evening: float) -> str:
    """What each size needs, in one of both ways."""
    plans = [plan(way, servers, measured, estimates, evening) for servers in SIZES]

    def row(what: str, tell: Callable[[Plan], str], how: str) -> list[str]:
        return [what, *map(tell, plans), how]

    most, more = told(estimates.busy), MOST_CONNECTIONS + MORE_CONNECTIONS[way]
    start, rest = told(measured.start[way]), f" + servers / 1000 × {told(measured.held)} MB"
    with_shards = [
        row("shards, and identifies for a start", lambda one: told(one.shards), "servers / 1000: Discord's rule"),
        row("starts that Discord allows in a day", lambda one: told(one.starts), "1000 identifies / shards"),
        row(
            "time of a start", lambda one: seconds(one.start), f"{start} s + (shards - 1) × {told(measured.identify)} s"
        ),
    ]
    without = [row("time of a start", lambda one: seconds(one.start), "as measured, on a free core")]
    heard = " + messages × time" if way == "discord" else ""
    least = "" if way == "discord" else ", at least 2"
    return table(
        (NAMES[way].capitalize(), *map(told, SIZES), "Sum"),
        (
            *(with_shards if way == "discord" else without),
            row("cores busy in the bot's processes", lambda one: rough(one.own), f"questions × time{heard}"),
            row("cores busy in workers", lambda one: rough(one.workers), "questions × time"),
            row("cores busy in PostgreSQL", lambda one: rough(one.database), "questions × time"),
            row("processes", lambda one: rough(one.processes), f"cores busy in the bot's processes / {most}{least}"),
            row("cores to rent", lambda one: rough(one.cores), f"all busy cores / {most}"),
            row(
                "memory of the bot",
                lambda one: megabytes(one.memory),
                f"processes × {evening:g} MB{rest if way == 'discord' else ''}",
            ),
            row("turns at PostgreSQL a second", lambda one: rough(one.turns), "questions × turns"),
            row("writes to PostgreSQL a second", lambda one: rough(one.writes), "questions × writes"),
            row("connections to PostgreSQL", lambda one: rough(one.connections), f"processes × {more}"),
            row("requests to Redis a second", lambda one: rough(one.redis), "questions × requests"),
        ),
    )


ADVICE: tuple[tuple[int, Way, str], ...] = (
    (1_000, "discord", "one `sandtable discord` with SQLite"),
    (10_000, "discord", "the same"),
    (100_000, "http", "`sandtable http` on two machines, with a balancer, PostgreSQL and Redis"),
    (100_000, "discord", "or several `sandtable discord`, with PostgreSQL and Redis"),
)
"""What to run for each size."""


def advice_table(measured: Measured, estimates: Estimates, evening: float) -> str:
    rows = []
    for servers, way, run in ADVICE:
        it = plan(way, servers, measured, estimates, evening)
        starts = told(it.starts) if it.shards else "any"
        numbers = rough(it.processes), rough(it.cores), megabytes(it.memory), seconds(it.start), starts
        rows.append([told(servers), run, *numbers])
    return table(("Servers", "Run", "Processes", "Cores", "Memory", "A start takes", "Starts a day"), rows)


def tables(measured: Measured, estimates: Estimates, evening: float) -> list[str]:
    """All tables of the page, in their order."""
    return [
        advice_table(measured, estimates, evening),
        estimates_table(estimates),
        *(costs_table(way, measured) for way in WAYS),
        processes_table(measured, evening),
        peak_table(estimates),
        *(plans_table(way, measured, estimates, evening) for way in WAYS),
    ]


def write_page() -> None:
    """Put the tables in the place of those in the page that begin with the same cell."""
    page = PAGE.read_text()
    for new in tables(Measured.read(), Estimates(), evening_memory()):
        first = new[: new.index(" |", 2) + 2]
        old = re.findall(rf"^{re.escape(first)}.*\n(?:\|.*\n)*", page, re.MULTILINE)
        assert len(old) == 1, f"the page has one table that begins with {first}"
        page = page.replace(old[0], f"{new}\n")
        print(new, end="\n\n")
    PAGE.write_text(page)


if __name__ == "__main__":
    write_page()
