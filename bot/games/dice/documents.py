"""JSON questions about battles with dice, within the limits of the host."""

from typing import Any

from bot.games.dice.limits import Limits
from bot.games.dice.work import find_need
from bot.work.engine import Engine
from solver.dice.questions import need_to_dict
from solver.game import Question


async def odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how a battle ends, if it is not too large."""
    Limits(engine.most_work).check_size(question.battle, grid=question.details)
    return await engine.answer(question)


async def on_grid(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer a question that takes a grid of the battle's size, if that is not too large."""
    Limits(engine.most_work).check_size(question.battle, grid=True)
    return await engine.answer(question)


async def need(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how many armies a chance takes."""
    return need_to_dict(await find_need(engine, question.battle, *question.details))
