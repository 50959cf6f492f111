"""The model of large bots: its formulas, and the tables of docs/scaling.md that it computes."""

from dataclasses import replace

import pytest

from tests.benchmarks.scaling import (
    KINDS,
    WAYS,
    Cost,
    Estimates,
    Measured,
    Plan,
    Way,
    evening_memory,
    identifies,
    peak,
    plan,
    rates,
    shards_of,
    start_with_shards,
    two_digits,
)
from tests.benchmarks.scaling_page import ADVICE, PAGE, SIZES, tables
from tests.helpers.cases import each

ROUND = Measured(
    costs={way: dict.fromkeys(KINDS, Cost(own=4, workers=2, database=1, turns=10, writes=1, redis=3)) for way in WAYS},
    start={"discord": 3, "http": 2},
    rest={"discord": 200, "http": 200},
    heard=0.1,
    told=1,
    held=40,
    identify=5,
)
FEW = Estimates(
    commands=36, evening=0.1, rush=1, new=0.5, known=0.25, rolls=0.25, suggestions=6, presses=2, messages=360, busy=0.5
)
"""One command a second for 1000 servers, nine questions in all, and ten messages."""


def planned(way: Way, servers: int) -> Plan:
    return plan(way, servers, ROUND, FEW, evening=300)


def test_the_page_has_the_tables_that_the_model_computes() -> None:
    page = PAGE.read_text()
    for table in tables(Measured.read(), Estimates(), evening_memory()):
        assert f"\n\n{table}\n\n" in page, "compute it anew: python -m tests.benchmarks.scaling_page"


def test_the_stored_measurements_are_those_of_the_page() -> None:
    measured = Measured.read()
    assert [list(measured.costs[way]) for way in WAYS] == [list(KINDS)] * 2
    numbers = measured.heard, measured.told, measured.held, measured.identify
    assert all(number > 0 and number == two_digits(number) for number in numbers)


def test_the_shares_of_kinds_of_commands_add_up_to_1() -> None:
    estimates = Estimates()
    assert estimates.new + estimates.known + estimates.rolls == pytest.approx(1)


def test_the_peak_is_the_share_of_a_day_in_its_busiest_seconds() -> None:
    assert peak(1000, 36, FEW) == pytest.approx(1)
    assert peak(1000, 36, replace(FEW, rush=3)) == pytest.approx(3)
    assert rates(1000, FEW) == pytest.approx({"new": 0.5, "known": 0.25, "suggestion": 6, "roll": 0.25, "press": 2})


def test_with_shards_the_model_counts_messages_servers_and_shards() -> None:
    one, ten = planned("discord", 1000), planned("discord", 100_000)
    assert (one.shards, one.starts, one.start, one.processes, one.cores) == (1, 1000, 3, 1, 1)
    assert one.own == pytest.approx(9 * 0.004 + 10 * 0.0001)
    assert (one.workers, one.database) == pytest.approx((9 * 0.002, 9 * 0.001))
    assert (one.turns, one.writes, one.redis) == pytest.approx((90, 9, 27))
    assert one.memory == 300 + 40
    assert (ten.shards, ten.starts, ten.start) == (100, 10, 3 + 99 * 5)
    assert (ten.processes, ten.cores, ten.connections) == (8, 13, 8 * 12)
    assert ten.memory == 8 * 300 + 100 * 40


def test_without_shards_there_are_two_processes_at_least() -> None:
    one, hundred = planned("http", 1000), planned("http", 100_000)
    assert (one.shards, one.start, one.processes, one.memory, one.connections) == (0, 2, 2, 600, 22)
    assert (hundred.start, hundred.processes, hundred.memory) == (2, 8, 2400)


@each(
    [
        (1, 1, 1000, 3),
        (1001, 2, 1000, 8),
        (149_000, 149, 1000, 3 + 148 * 5),
        (160_000, 160, 2000, 3 + 9 * 5),
        (1_000_000, 1000, 5000, 3 + 62 * 5),
    ]
)
def test_the_model_follows_the_limits_of_discord(servers: int, shards: int, allowed: int, start: float) -> None:
    assert (shards_of(servers), identifies(servers)) == (shards, allowed)
    assert start_with_shards(servers, ROUND) == start


def test_the_advice_covers_all_sizes() -> None:
    assert {servers for servers, _, _ in ADVICE} == set(SIZES)
