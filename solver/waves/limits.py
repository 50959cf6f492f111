"""Answers about several waves within a limit of work, in the unit of `Meter`."""

from math import prod

from solver.axis.battle import AxisBattle
from solver.axis.best.armies import Armies, ArmyGoal, Survey
from solver.axis.limits import EXACT_CELLS, MOST_NUMBERS, TIMES
from solver.axis.sides import Army
from solver.errors import TooLargeError, explain_too_large
from solver.waves.armies import best_wave_armies, survey_waves
from solver.waves.odds import WavesOdds, solve_waves
from solver.waves.sensitivity import WaveChange, wave_sensitivity
from solver.waves.waves import Waves


def waves_within(waves: Waves, dropped: float, most: int) -> WavesOdds:
    """Return the odds of several waves: see `solve_waves`.

    Args:
        waves: The waves.
        dropped: The most probability, of 1, that may be dropped to save work.
        most: The limit, in the unit of `Meter`; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    if all(
        _forces(battle.attacker, battle) * _forces(battle.defender, battle) <= EXACT_CELLS for battle in waves.battles
    ):
        dropped = 0.0
    error = TooLargeError("waves", "these waves are too large for me; try up to 100 units a side on land, 40 at sea")
    with explain_too_large(error):
        return solve_waves(waves, dropped, TIMES * most, MOST_NUMBERS)


def wave_sensitivity_within(waves: Waves, most: int) -> tuple[float, list[WaveChange]]:
    """Return the effect of each unit on the attacker's chance: see `wave_sensitivity`.

    Args:
        waves: The waves.
        most: The limit; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    error = TooLargeError(
        "waves", "these waves are too large to try one unit more or less of each kind; use fewer waves or units"
    )
    with explain_too_large(error):
        return wave_sensitivity(waves, TIMES * most)


def wave_armies_within(waves: Waves, goal: ArmyGoal, most: int) -> Armies:
    """Return the best armies for a goal: see `best_wave_armies`.

    Args:
        waves: The waves.
        goal: The goal.
        most: The limit; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    with explain_too_large(_too_many_parts()):
        return best_wave_armies(waves, goal, TIMES * most)


def wave_survey_within(waves: Waves, goal: ArmyGoal, most: int) -> Survey:
    """Return the survey of the parts of an army: see `survey_waves`.

    Args:
        waves: The waves.
        goal: The goal.
        most: The limit; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    with explain_too_large(_too_many_parts()):
        return survey_waves(waves, goal, TIMES * most)


def _too_many_parts() -> TooLargeError:
    return TooLargeError(
        "units", "this army is too large to try every part of it in several waves; use fewer units or kinds, or `least`"
    )


def _forces(side: Army, battle: AxisBattle) -> int:
    """Return about how many forces a side can be reduced to."""
    counts = [count for _, count in side.units]
    return 1 + sum(counts) if battle.theatre == "land" else prod(count + 1 for count in counts)
