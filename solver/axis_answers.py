"""Answers about battles of Axis & Allies of any size, within a limit of work: solved, or else simulated."""

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain
from solver.axis_matters import Change, changes, matters
from solver.axis_odds import AxisOdds, solve_chain
from solver.axis_sample import sample_axis
from solver.errors import BattleError

EXACT_CELLS = 5_000
"""In battles of up to so many cells nothing is dropped: that would save no time that anybody feels."""


def odds_within(battle: AxisBattle, dropped: float, most: int) -> AxisOdds:
    """The odds of a battle, where that is no more work than `most`; else those of many that are rolled.

    BattleError where it has rules that cannot be simulated.
    """
    try:
        chain = AxisChain(battle, dropped)
    except BattleError:
        return sample_axis(battle)
    if chain.work > most:
        return sample_axis(battle)
    if len(chain.attack.nodes) * len(chain.defence.nodes) <= EXACT_CELLS:
        return solve_chain(AxisChain(battle), 0.0)
    return solve_chain(chain, dropped)


def matters_within(battle: AxisBattle, most: int) -> tuple[float, list[Change]]:
    """Which unit matters; BattleError where the battles to be tried are more work than twice `most`."""
    if AxisChain(battle).work * len(changes(battle)) > 2 * most:
        raise BattleError("units", "this battle is too large to try one unit more or less of each kind")
    return matters(battle)
