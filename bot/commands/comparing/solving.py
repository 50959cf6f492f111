"""Works out the odds of all plans of a comparison at the same time, or says what is wrong with which of them."""

import asyncio
from collections.abc import Sequence
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


def asked_facts(plans: Sequence[Reading], compared: Sequence[ComparedPlan], services: Services) -> tuple[str, ...]:
    """Say how likely in each plan the ends are that it asks about."""
    facts = []
    for name, reading, plan in zip(PLAN_NAMES, plans, compared, strict=False):
        say = require(services.rooms.of(reading.battle).comparison).asked_facts
        facts += [f"{name}: {fact}" for fact in (say(reading.battle, plan.odds, reading) if say else ())]
    return tuple(facts)


def _refusal(wrong: dict[str, str]) -> str:
    """Return the error about the plans of these names, in one sentence if all have one mistake."""
    if len(wrong) > 1 and len({*wrong.values()}) == 1:
        return next(iter(wrong.values()))
    first, *others = (_("Plan {plan}: {mistake}", plan=name, mistake=text) for name, text in wrong.items())
    for other in others:
        first = compose("{first}\n{second}", first=first, second=other)
    return first
