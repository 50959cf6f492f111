"""Answers about battles of Axis & Allies within a limit of work: larger battles are simulated or refused.

Work is counted in the unit of `Meter`.
"""

from dataclasses import replace

from solver.axis.battle import AxisBattle
from solver.axis.best.armies import Armies, ArmyGoal, Survey, best_armies, survey
from solver.axis.chain import AxisChain
from solver.axis.odds import AxisOdds
from solver.axis.sensitivity import ROUGHLY, UnitChange, unit_changes, unit_sensitivity
from solver.axis.simulation.rare import with_rare_end
from solver.axis.simulation.sample import sample_axis
from solver.axis.solve import solve_chain
from solver.errors import TooLargeError, explain_too_large

EXACT_CELLS = 5_000
"""Battles with up to so many cells drop no probability: that would save no time that anybody notices."""
MOST_NUMBERS = 12_000_000
TIMES = 2.5
"""How many times a limit of work may be exceeded."""


def odds_within(battle: AxisBattle, dropped: float, most: int) -> AxisOdds:
    """Return the odds of a battle: solved within a limit of work, else from simulated battles.

    Simulated battles leave out rules that plan to the end: see `AxisOdds.unplanned`.

    Args:
        battle: The battle.
        dropped: The most probability, of 1, that may be dropped to save work.
        most: The limit; `TIMES` as much work is done before the battle is simulated.

    Raises:
        TooLargeError: The battle lasts too long to be simulated.
    """
    try:
        chain = AxisChain(battle, TIMES * most)
        if chain.numbers <= MOST_NUMBERS:
            small = len(chain.attack) * len(chain.defence) <= EXACT_CELLS
            return solve_chain(chain, 0.0 if small else dropped)
    except TooLargeError:
        pass
    plain = replace(battle.retreat, profit_below=None, win_chance_below=None)
    if plain != battle.retreat:
        return replace(odds_within(replace(battle, retreat=plain), dropped, most), unplanned=True)
    return with_rare_end(battle, sample_axis(battle))


def sensitivity_within(battle: AxisBattle, most: int) -> tuple[float, list[UnitChange]]:
    """Return the effect of each unit on the attacker's chance: see `unit_sensitivity`.

    Args:
        battle: The battle.
        most: The limit; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    try:
        chain = AxisChain(battle, TIMES * most / (1 + len(unit_changes(battle))))
        if chain.numbers <= MOST_NUMBERS:
            solve_chain(chain, ROUGHLY)
            return unit_sensitivity(battle)
    except TooLargeError:
        pass
    raise TooLargeError(
        "units",
        "this battle is too large to try one unit more or less of each kind; try up to 30 units a side",
    )


def armies_within(battle: AxisBattle, goal: ArmyGoal, most: int) -> Armies:
    """Return the best armies for a goal: see `best_armies`.

    Args:
        battle: The battle.
        goal: The goal.
        most: The limit; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    with explain_too_large(_too_many_parts()):
        return best_armies(battle, goal, TIMES * most)


def survey_within(battle: AxisBattle, goal: ArmyGoal, most: int) -> Survey:
    """Return the survey of the parts of an army: see `survey`.

    Args:
        battle: The battle.
        goal: The goal.
        most: The limit; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    with explain_too_large(_too_many_parts()):
        return survey(battle, goal, TIMES * most)


def _too_many_parts() -> TooLargeError:
    return TooLargeError(
        "units", "this army is too large to try every part of it; try up to 30 units a side on land, 15 at sea"
    )
