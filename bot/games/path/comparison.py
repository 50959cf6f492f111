"""The result of a path, for a comparison of two plans."""

import numpy as np

from bot.games.dice.words import game
from bot.games.path.battle import march_text
from bot.words.compared_plan import (
    HOLDS,
    NEITHER,
    STOPPED,
    TAKEN,
    WINS,
    ComparedPlan,
    Figure,
    law_by_winner,
    loss_figures,
)
from bot.words.numbers import CALLED_OFF, NEVER, tenths
from solver.path.path import Path, PathOdds


def compared_plan(line: str, path: Path, odds: PathOdds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its path and its odds."""
    ahead = np.cumsum([0, *(leg.defenders for leg in path.legs[:0:-1])])[::-1]
    waiting = np.append(ahead, 0)[odds.taken]
    through = odds.taken == odds.legs
    rungs = np.where(through, odds.attackers_end, -(odds.defenders_end + waiting))
    winner = np.where(through, WINS, np.where(odds.attackers_end > 0, NEITHER, HOLDS))
    ends = {STOPPED: odds.beaten, CALLED_OFF: odds.called_off, NEVER: odds.never}
    fallen = float(odds.taken @ odds.chances)
    return ComparedPlan(
        line=line,
        description=march_text(path),
        game=", ".join(dict.fromkeys(game(leg) for leg in path.legs)),
        odds=odds,
        attacker_result="takes all" if odds.legs > 1 else "takes it",
        defender_result=STOPPED,
        chances=(odds.takes_all, odds.beaten, odds.called_off + odds.never),
        ends={name: chance for name, chance in ends.items() if chance},
        law=law_by_winner(rungs, winner, odds.chances),
        gain=None if odds.lost is None else -odds.lost,
        figures=(*loss_figures(odds.lost), Figure(TAKEN, fallen, tenths(fallen))),
    )
