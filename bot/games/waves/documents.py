"""JSON questions about battles in several waves, within the limits of the host."""

from typing import Any

from bot.work.engine import Engine
from solver.game import Question
from solver.waves.questions import waves_odds_to_dict


async def odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how the waves end."""
    return waves_odds_to_dict(question.battle, await engine.odds(question.battle, exact=question.details == (0.0,)))
