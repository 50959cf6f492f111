"""JSON questions about units to place, within the limits of the host."""

from typing import Any

from bot.work.engine import Engine
from solver.game import Question
from solver.placing.limits import placements_within
from solver.placing.questions import placements_to_dict


async def place(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer where to place units."""
    return placements_to_dict(
        question.battle, await engine.compute_or_explain(placements_within, question.battle, engine.most_work)
    )
