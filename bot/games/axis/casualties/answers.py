"""Battles with chosen casualties: the work for their odds, their answers, and a compared plan."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.games.axis.answers import compared_plan, picture
from bot.games.axis.best.order import answer_order
from bot.games.axis.bombardment import bombardment_remarks, other_bombardment
from bot.games.axis.casualties.words import gain_text, too_large_text
from bot.games.axis.words import answer
from bot.games.axis.work import is_quick as is_quick_battle
from bot.games.base import Reading
from bot.languages import _
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.compared_plan import ComparedPlan
from solver.axis.battle import AxisBattle
from solver.axis.casualties.limits import chosen_odds_within
from solver.axis.odds import AxisOdds

PREVIEW_UNITS = 6


def odds_work(battle: AxisBattle, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle; they are exact unless it is too large to choose in."""
    del exact
    return chosen_odds_within, (battle, most_work)


def is_quick(battle: AxisBattle) -> bool:
    """Say whether the odds are found while somebody types."""
    return is_quick_battle(battle, PREVIEW_UNITS)


async def answer_battle(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds if casualties are chosen in the best way, and with what that gains."""
    odds: AxisOdds = await services.engine.odds(battle, reading.exact)
    usual = await services.engine.odds(battle.in_order, reading.exact)
    too_large = [too_large_text(battle, odds.ordered, usual)] if odds.ordered else []
    reply = answer(battle, odds, [*reading.remarks, *too_large, *bombardment_remarks(battle)])
    return replace(
        reply,
        facts=(*reply.facts, *([] if odds.declined or odds.ordered else [gain_text(battle, odds, usual)])),
        picture=await picture(battle, odds, services),
        buttons=(
            Button(_("All endings"), "ends", enabled=not odds.declined),
            *other_bombardment(battle, reading),
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
        ),
        private=request.private,
    )


async def answer_order_without(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer which casualty orders are best if nobody chooses after each roll."""
    return await answer_order(battle.in_order, reading, request, services)


def chosen_plan(battle: AxisBattle, odds: AxisOdds, line: str) -> ComparedPlan:
    """Return the result of a plan with chosen casualties."""
    plan = compared_plan(battle, odds, line)
    return replace(plan, caveats=(*plan.caveats, too_large_text(battle, odds.ordered))) if odds.ordered else plan
