"""The result of a conquest, for a comparison of two plans."""

from bot.games.conquest.notation.pieces import MOST
from bot.games.conquest.words import describe, game_text
from bot.words.compared_plan import STOPPED, TAKEN, ComparedPlan, Figure
from bot.words.numbers import tenths
from solver.conquest.conquest import Conquest
from solver.conquest.odds import ConquestOdds


def compared_plan(line: str, conquest: Conquest, odds: ConquestOdds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its conquest and its odds."""
    stopped = max(1 - odds.takes_all, odds.fate_chances[1])
    taken = odds.expected if conquest.aim != "value" else float(odds.plan.fall.sum())
    return ComparedPlan(
        line=line,
        description=describe(conquest),
        game=game_text(conquest),
        odds=odds,
        attacker_result="takes all" if len(conquest.targets) > 1 else "takes it",
        defender_result=STOPPED,
        chances=(odds.takes_all, stopped, 0.0),
        ends={STOPPED: stopped},
        measure="value" if conquest.aim == "value" else "territories",
        gain=odds.worth if conquest.aim == "value" else taken,
        figures=(Figure(TAKEN, taken, tenths(taken)),),
        by_gain=conquest.aim != "all",
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are neither numbers nor territories."""
    return [word for word in line.split() if ":" in word or word == MOST]
