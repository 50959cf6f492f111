"""JSON questions about battles of Axis & Allies, within the limits of the host."""

from typing import Any

from bot.games.axis.work import find_armies, find_changes, find_orders
from bot.work.engine import Engine
from solver.axis.best.orders import orders_to_dict
from solver.axis.questions import armies_to_dict, axis_odds_to_dict, changes_to_dict
from solver.game import Question


async def odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how a battle ends."""
    return axis_odds_to_dict(question.battle, await engine.odds(question.battle, exact=question.details == (0.0,)))


async def units(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer which unit matters most."""
    return changes_to_dict(*await find_changes(engine, question.battle))


async def order(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer which casualty order is best."""
    return orders_to_dict(question.battle, await find_orders(engine, question.battle))


async def army(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer which army to bring."""
    (goal,) = question.details
    return armies_to_dict(question.battle, goal, await find_armies(engine, question.battle, goal))
