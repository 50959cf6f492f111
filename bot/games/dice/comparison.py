"""The result of a battle with dice, for a comparison of two plans."""

import numpy as np

from bot.games.dice.words import fates, game, matchup, neither
from bot.languages import _
from bot.words.compared_plan import HOLDS, NEITHER, WINS, ComparedPlan, law_by_winner, loss_figures, rounds_figures
from solver.dice.battle import Battle
from solver.dice.odds import Odds


def compared_plan(line: str, battle: Battle, odds: Odds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its battle and its odds."""
    standing = odds.defenders_end > 0
    rungs = np.where(standing, -odds.defenders_end, odds.attackers_end)
    alone = standing != (odds.attackers_end > 0)
    winner = np.select([alone & standing, alone], [HOLDS, WINS], NEITHER)
    lost = None if odds.never else odds.attackers - odds.attackers_left
    return ComparedPlan(
        line=line,
        description=matchup(battle),
        game=game(battle),
        odds=odds,
        attacker_result="wins",
        chances=(odds.attacker_wins, odds.beaten, neither(odds)),
        ends=fates(odds),
        law=law_by_winner(rungs, winner, odds.chances),
        gain=None if lost is None else -lost,
        figures=(*loss_figures(lost), *rounds_figures(odds.rounds)),
        error=odds.error,
        caveats=(_("It never ends once nobody can hit anything"),) if odds.never else (),
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are not numbers."""
    return [word for word in line.split() if not word.isdigit() and word not in ("vs", ">")]
