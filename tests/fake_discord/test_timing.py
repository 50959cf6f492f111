"""Waiting and deadlines: who waits is woken by what he waits for, and a busy machine makes no bot late."""

from __future__ import annotations

import asyncio

import pytest

from .interactions import FIRST_ANSWER
from .timing import PATIENCE, Bell, Clock
from .tiny_bot import Table


async def test_a_refusal_wakes_a_test_that_waits_for_an_excuse(table: Table) -> None:
    route = "POST /interactions/{id}/{token}/callback"
    table.discord.fail_next(route, status=403)
    asked = table.discord.member("Alice").begins("battle", matchup="12 9")
    async with asyncio.timeout(PATIENCE):
        await asked.bell.until(lambda: asked.excused, within=100 * PATIENCE, otherwise=lambda: "nobody rang")


async def test_waiting_sees_a_fact_without_a_bell() -> None:
    true = False

    def say() -> bool:
        return true

    waiting = asyncio.create_task(Bell().until(say, within=0.05, otherwise=lambda: "never"))
    await asyncio.sleep(0)
    true = True
    assert await waiting
    with pytest.raises(AssertionError, match="never"):
        await Bell().until(lambda: False, within=0.01, otherwise=lambda: "never")


def test_slack_slows_deadlines_but_not_advanced_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr("time.monotonic", lambda: moment)
    strict, slack = Clock(), Clock(slack=10)
    born = [clock.deadlines() for clock in (strict, slack)]
    moment += FIRST_ANSWER
    assert strict.deadlines() - born[0] == pytest.approx(FIRST_ANSWER)
    assert slack.deadlines() - born[1] == pytest.approx(FIRST_ANSWER / 10)
    slack.advance(FIRST_ANSWER)
    assert slack.deadlines() - born[1] == pytest.approx(FIRST_ANSWER * 1.1)
    assert slack.now() == moment + FIRST_ANSWER
