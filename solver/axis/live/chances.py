"""The attacker's chance to win a live battle of Axis & Allies at any stage, with the orders of loss from there on.

All stages of one battle are cells of one lattice, so one sweep back over it gives the chances at all of them; one more
sweep gives those at stages that only players' choices have led to.
"""

from collections.abc import Callable, Sequence

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.course import last_round
from solver.axis.ends import AxisEnds
from solver.axis.kernel.ground import Choice
from solver.axis.live.stage import plan_of
from solver.axis.live.standings import Standing, StandingChain, chains_of
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.plans import RetreatPlans, worth_after_opening, worth_of_start
from solver.axis.solve import DROPPED, fight_after_opening, fight_on, solve_chain
from solver.chain import Chances, Grid, Mask, backward
from solver.progress import Meter

TOGETHER = 3
"""All stages of a battle together may take so many times the work of one."""

After = Callable[[AxisOdds], Chances]
"""Returns the chance to win after each end of a wave: [end]."""


def chances_from(battle: AxisBattle, standings: Sequence[Standing], limit: float, after: After | None) -> list[float]:
    """Return the attacker's chance to win at several stages of a battle, as `AxisOdds.wins` counts it.

    TooLargeError if it takes more work than the limit, or `TOGETHER` times as much if each stage has to be solved by
    itself.

    Args:
        battle: The battle.
        standings: The stages.
        limit: The most work, in the unit of `Meter`.
        after: The future, if there are later waves: then the chance is that of the first attacker.
    """
    limited = last_round(battle) is not None
    chances = [0.0] * len(standings)
    for cells, places in chains_of(battle, standings, Meter(TOGETHER * limit if limited else limit)):
        stops = _stops(cells)
        worth = None if limited else _worth_of_cells(cells.chain, stops, after)
        for place in places:
            if worth is None:
                odds = _odds_at(cells, stops, standings[place])
                chances[place] = float(odds.chances @ after(odds)) if after else odds.wins
            else:
                chances[place] = _chance_at(cells, worth, standings[place])
    return chances


def odds_from(battle: AxisBattle, standing: Standing, meter: Meter) -> AxisOdds:
    """Return the odds of a battle that has come to a stage: see `Standing`. TooLargeError if it is too much work."""
    ((cells, _place),) = chains_of(battle, [standing], meter)
    return _odds_at(cells, _stops(cells), standing)


def _chance_at(cells: StandingChain, worth: Grid, standing: Standing) -> float:
    """The chance to win at a stage, from the chances in all cells of a battle without a limit of rounds."""
    if standing.opening:
        law, first = cells.law(standing), cells.chain.bombardment_kernel()
        return float(worth_after_opening(cells.chain, first, worth, law)[0])
    if not standing.rounds_then:
        return float(worth_of_start(cells.chain, cells.chain.bombardment_kernel(), worth)[0])
    return float((cells.law(standing) * worth[0]).sum())


def _odds_at(cells: StandingChain, stops: Mask, standing: Standing) -> AxisOdds:
    """The odds at a stage."""
    chain, limit = cells.chain, last_round(cells.chain.battle)
    if not standing.rounds_then and not standing.opening:
        return solve_chain(chain, DROPPED)
    left = None if limit is None else max(limit - standing.rounds_then, 0)
    chain.eps = DROPPED / (2 * chain.cells * ((left or 0) + 1))
    law, then = cells.law(standing), standing.rounds_then
    rounds = fight_after_opening(chain, stops, law) if standing.opening else fight_on(chain, stops, law, then)
    law = law[: len(chain.attack)]
    rows, columns = np.nonzero(law)
    return odds_of_ends(chain.battle, chain.attack, chain.defence, rows, columns, law[rows, columns], rounds)


def _stops(cells: StandingChain) -> Mask:
    """Whether the attacker stops in each cell."""
    plan = plan_of(cells.chain.battle) if cells.usual else None
    return plan.usual_stops if plan else RetreatPlans(cells.chain).stops


def _worth_of_cells(chain: AxisChain, stops: Mask, after: After | None) -> Grid:
    """The chance to win from every cell of a battle without a limit of rounds: [0, row, column]."""
    kernel = chain.kernel()
    cells = chain.ends_after(stops)
    if after is None:
        wins = AxisEnds(chain.battle, chain.attack, chain.defence, *cells).wins.astype(float)
    else:
        over = ~chain.fights | stops
        rows, columns = (places[over] for places in cells)
        ends = odds_of_ends(chain.battle, chain.attack, chain.defence, rows, columns, np.zeros(len(rows)), 0.0)
        wins = np.zeros(chain.fights.shape)
        wins[over] = after(ends)
    worth = np.zeros((1, *kernel.empty().shape))
    worth[0, : wins.shape[0]] = wins

    if stops.any():
        kernel.choice = Choice(worth, wins[None], stops, stops, stops.copy(), stays=chain.stays)
    return backward(kernel, worth)
