"""The result of a conquest, for a comparison of two plans."""

import numpy as np

from bot.games.conquest.notation.pieces import MOST
from bot.games.conquest.words import describe, game_text
from bot.words.compared_plan import STOPPED, TAKEN, ComparedPlan, Figure
from bot.words.numbers import exactness, percent, tenths
from solver.conquest.conquest import Conquest
from solver.conquest.odds import ConquestOdds


def compared_plan(line: str, conquest: Conquest, odds: ConquestOdds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its conquest and its odds."""
    stopped = max(1 - odds.takes_all, odds.fate_chances[1])
    taken = odds.expected if conquest.aim != "value" else float(odds.plan.fall.sum())
    return ComparedPlan(
        line,
        describe(conquest),
        game_text(conquest),
        "takes all" if len(conquest.targets) > 1 else "takes it",
        STOPPED,
        (odds.takes_all, stopped, 0.0),
        (percent(odds.takes_all, odds, stopped), percent(stopped, odds), percent(0.0, odds)),
        np.zeros(0),
        None,
        "value" if conquest.aim == "value" else "territories",
        odds.worth if conquest.aim == "value" else taken,
        (Figure(STOPPED, stopped, percent(stopped, odds)),),
        (Figure(TAKEN, taken, tenths(taken)),),
        exactness(0),
        by_gain=conquest.aim != "all",
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are neither numbers nor territories."""
    return [word for word in line.split() if ":" in word or word == MOST]
