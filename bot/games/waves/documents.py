"""JSON questions about battles in several waves, within the limits of the host."""

from typing import Any

from bot.games.waves.work import find_armies, find_changes, find_orders
from bot.work.engine import Engine
from solver.axis.questions import armies_to_dict
from solver.game import Question
from solver.waves.orders import wave_orders_to_dict
from solver.waves.questions import wave_changes_to_dict, waves_odds_to_dict


async def odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how the waves end."""
    return waves_odds_to_dict(question.battle, await engine.odds(question.battle, exact=question.details == (0.0,)))


async def units(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer which unit matters most, and in which wave."""
    return wave_changes_to_dict(*await find_changes(engine, question.battle))


async def order(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer which casualty orders are best."""
    return wave_orders_to_dict(question.battle, await find_orders(engine, question.battle))


async def army(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer which army to bring to the first wave."""
    (goal,) = question.details
    return armies_to_dict(question.battle.battles[0], goal, await find_armies(engine, question.battle, goal))
