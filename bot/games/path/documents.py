"""JSON questions about paths, within the limits of the host."""

from typing import Any

from bot.games.path.limits import check_march
from bot.work.engine import Engine
from solver.game import Question


async def odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how a path ends, if it is not too large."""
    check_march(question.battle, engine.most_work)
    return await engine.answer(question)
