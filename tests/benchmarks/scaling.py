"""The model of large bots: from what was measured and estimated to shards, processes, memory and turns at the database.

The measured numbers are in tests/data/scaling.json, which `test_scaling.py` writes; the estimates are in `Estimates`.
`scaling_page.py` shows the model as the tables of docs/scaling.md.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import ceil, floor, log10
from typing import Literal, Self

from bot.store.database import MOST_CONNECTIONS
from tests.helpers.documents import ROOT

MEASURED = ROOT / "tests" / "data" / "scaling.json"
HOUR = 3600

Way = Literal["discord", "http"]
WAYS: tuple[Way, ...] = "discord", "http"
KINDS = "new", "known", "suggestion", "roll", "press"
"""What people do; each kind has its own cost."""

SERVERS_A_SHARD = 1000
"""What Discord recommends; it refuses more than 2500."""
LARGE, LARGE_AT_ONCE = 150_000, 16
"""From so many servers on Discord lets several shards identify at once; the number is the one of its example."""
MORE_CONNECTIONS: Mapping[Way, int] = {"discord": 2, "http": 1}
"""Connections to PostgreSQL besides `most_connections`: for shards and turns to identify, or for the presence."""


@dataclass(frozen=True)
class Cost:
    """What one question takes.

    The first three are milliseconds of a processor: of the bot's own process, of its workers, and of PostgreSQL. A turn
    is a message to PostgreSQL that waits for its answer, a write a transaction that is committed.
    """

    own: float
    workers: float
    database: float
    turns: float
    writes: float
    redis: float

    def since(self, before: Self, number: int) -> "Cost":
        """The cost of each of so many questions, from what all had cost before them and what all have cost now."""
        return Cost(*((getattr(self, one.name) - getattr(before, one.name)) / number for one in fields(self)))


@dataclass(frozen=True)
class Measured:
    """What was measured.

    Attributes:
        costs: What each kind of question costs, with shards ("discord") and without ("http").
        start: Seconds of a processor until a process answers.
        rest: Megabytes of a process at rest, with its workers.
        heard: Milliseconds of a processor for a message that people write to each other.
        told: Seconds of a processor for 1000 servers that Discord tells of at the start.
        held: Megabytes of 1000 servers.
        identify: Seconds from one identify to the next.
    """

    costs: Mapping[Way, Mapping[str, Cost]]
    start: Mapping[Way, float]
    rest: Mapping[Way, float]
    heard: float
    told: float
    held: float
    identify: float

    @classmethod
    def read(cls) -> Self:
        """What was measured last."""
        kept = json.loads(MEASURED.read_text())
        costs = {way: {kind: Cost(**cost) for kind, cost in kinds.items()} for way, kinds in kept.pop("costs").items()}
        return cls(costs=costs, **kept)

    def keep(self) -> None:
        """Write this down, with two digits each, as the page shows it, so that its sums can be checked by hand."""
        rounded = json.loads(json.dumps(asdict(self)), parse_float=lambda number: two_digits(float(number)))
        MEASURED.write_text(json.dumps(rounded, indent=2) + "\n")


def estimate(value: float, what: str, reason: str) -> float:
    """An estimate as a field: its value, what it is of, and why it is so large."""
    made: float = field(default=value, metadata={"what": what, "reason": reason})
    return made


@dataclass(frozen=True)
class Estimates:
    """What nobody has measured: how much people ask, and how busy a process may be."""

    commands: float = estimate(3, "commands of a server in a day", "one server in ten plays, and asks 30 times")
    evening: float = estimate(
        0.15, "part of a day's commands in the busiest hour", "people play after work, in two or three time zones"
    )
    rush: float = estimate(3, "the busiest seconds, against the mean of that hour", "people come and go as they like")
    new: float = estimate(0.4, "part of the commands: battles nobody asked before", "people try what comes to mind")
    known: float = estimate(0.4, "part of the commands: battles asked before", "small battles come again and again")
    rolls: float = estimate(0.2, "part of the commands: new live battles", "most people ask for odds alone")
    suggestions: float = estimate(6, "suggestions for a command", "Discord asks whenever somebody stops to type")
    presses: float = estimate(2, "presses for a command", "ten for a live battle")
    messages: float = estimate(200, "messages of a server in a day", "few are lively, most are quiet")
    busy: float = estimate(0.5, "largest share of time that a process or core is busy", "nobody waits long then")


@dataclass(frozen=True)
class Plan:
    """What so many servers need. `busy` are processor cores at work at the peak, `cores` those to rent."""

    shards: int
    starts: int
    start: float
    own: float
    workers: float
    database: float
    processes: int
    busy: float
    cores: int
    memory: float
    turns: float
    writes: float
    connections: int
    redis: float


def peak(servers: int, each_day: float, estimates: Estimates) -> float:
    """How many a second there are in the busiest seconds of the evening, if each server has so many in a day."""
    return servers * each_day * estimates.evening / HOUR * estimates.rush


def rates(servers: int, estimates: Estimates) -> dict[str, float]:
    """How many there are of each kind of question a second."""
    commands = peak(servers, estimates.commands, estimates)
    parts = estimates.new, estimates.known, estimates.suggestions, estimates.rolls, estimates.presses
    return {kind: commands * part for kind, part in zip(KINDS, parts, strict=True)}


def shards_of(servers: int) -> int:
    """How many shards Discord recommends."""
    return ceil(servers / SERVERS_A_SHARD)


def identifies(servers: int) -> int:
    """How many identifies Discord allows in a day."""
    return 1000 if servers < LARGE else max(2000, servers * 5 // 1000)


def start_with_shards(servers: int, measured: Measured) -> float:
    """Seconds from the start until the last shard has identified, where all processes start at once."""
    at_once = 1 if servers < LARGE else LARGE_AT_ONCE
    return measured.start["discord"] + (ceil(shards_of(servers) / at_once) - 1) * measured.identify


def plan(way: Way, servers: int, measured: Measured, estimates: Estimates, evening: float) -> Plan:
    """What so many servers need, with or without shards; `evening` are the megabytes of a process that was busy."""
    asked = rates(servers, estimates)
    has_shards = way == "discord"

    def each_second(what: str) -> float:
        return sum(rate * float(getattr(measured.costs[way][kind], what)) for kind, rate in asked.items())

    heard = peak(servers, estimates.messages, estimates) * measured.heard if has_shards else 0
    own, workers = (each_second("own") + heard) / 1000, each_second("workers") / 1000
    database = each_second("database") / 1000
    processes = max(1 if has_shards else 2, ceil(own / estimates.busy))
    busy = own + workers + database
    shards = shards_of(servers) if has_shards else 0
    return Plan(
        shards=shards,
        starts=identifies(servers) // shards if has_shards else 0,
        start=start_with_shards(servers, measured) if has_shards else measured.start[way],
        own=own,
        workers=workers,
        database=database,
        processes=processes,
        busy=busy,
        cores=ceil(busy / estimates.busy),
        memory=processes * evening + (servers / 1000 * measured.held if has_shards else 0),
        turns=each_second("turns"),
        writes=each_second("writes"),
        connections=processes * (MOST_CONNECTIONS + MORE_CONNECTIONS[way]),
        redis=each_second("redis"),
    )


def evening_memory() -> float:
    """Megabytes of a bot after a busy evening, as `test_memory.py` measures them."""
    found = re.search(
        r"after an evening of 10 000 commands \| (\d+) MB", (ROOT / "docs" / "performance.md").read_text()
    )
    assert found, "docs/performance.md says how much memory the bot has after an evening"
    return float(found[1])


def two_digits(value: float) -> float:
    """A number with its first two digits alone."""
    return round(value, 1 - floor(log10(abs(value)))) if value else 0.0
