"""The JSON question about the best casualties, within the limits of the host."""

from typing import Any

from bot.work.engine import Engine
from solver.casualties.questions import answer_casualties
from solver.game import Question


async def casualties(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer what the best casualties bring."""
    found: dict[str, Any] = await engine.compute_or_explain(
        answer_casualties, question.battle, *question.details, engine.most_work
    )
    return found
