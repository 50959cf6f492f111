"""Works out the odds of all plans of a comparison at the same time, or says what is wrong with which of them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.errors import UserError
from bot.games.base import Reading, require
from bot.languages import _, compose
from bot.notation.plans import PLAN_NAMES
from bot.request import Services
from bot.words.compared_plan import ComparedPlan


async def solve_plans(plans: Sequence[Reading], services: Services) -> list[Any]:
    """Return the odds of each plan; UserError says what is wrong with any."""
    odds = services.engine.odds
    results = await asyncio.gather(*(odds(plan.battle) for plan in plans), return_exceptions=True)
    wrong = {name: each.text for name, each in zip(PLAN_NAMES, results, strict=False) if isinstance(each, UserError)}
    if wrong:
        raise UserError(_refusal(wrong))
    for each in results:
        if isinstance(each, BaseException):
            raise each
    return results


def compare_plan(reading: Reading, odds: Any, services: Services) -> ComparedPlan:
    """Return how a plan turns out, and how likely the ends are that it asks about."""
    comparison = require(services.rooms.of(reading.battle).comparison)
    plan = comparison.compare(reading.battle, odds, services.rooms.write(reading.battle))
    return replace(plan, asked=comparison.asked_end(reading.battle, odds, reading) if comparison.asked_end else None)


def asked_facts(plans: Sequence[ComparedPlan]) -> tuple[str, ...]:
    """Say how likely in each plan the ends are that it asks about."""
    return tuple(f"{name}: {plan.asked.text}" for name, plan in zip(PLAN_NAMES, plans, strict=False) if plan.asked)


def _refusal(wrong: dict[str, str]) -> str:
    """Return the error about the plans of these names, in one sentence if all have one mistake."""
    if len(wrong) > 1 and len({*wrong.values()}) == 1:
        return next(iter(wrong.values()))
    first, *others = (_("Plan {plan}: {mistake}", plan=name, mistake=text) for name, text in wrong.items())
    for other in others:
        first = compose("{first}\n{second}", first=first, second=other)
    return first
