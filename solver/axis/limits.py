"""Answers about battles of Axis & Allies within a limit of work: larger battles are simulated or refused.

The last argument of each function is the limit, in the unit of `Meter`; up to `TIMES` as much work is done.
"""

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from solver.axis.at_once import solve_at_once
from solver.axis.battle import AxisBattle
from solver.axis.chain import MOST_NUMBERS, AxisChain
from solver.axis.odds import AxisOdds
from solver.axis.sides import Army
from solver.axis.solve import MOST_SECONDS, army_seconds, count_forces, solve_chain
from solver.axis.waves.odds import WavesOdds, solve_waves
from solver.axis.waves.steps import waves_seconds
from solver.axis.waves.waves import Waves
from solver.errors import TooLargeError, explain_too_large
from solver.late import LateModule
from solver.progress import Meter, takes

if TYPE_CHECKING:
    from solver.axis.best.armies import Armies, ArmyGoal, Survey
    from solver.axis.sensitivity import UnitChange

_armies, _wave_parts = LateModule("solver.axis.best.armies"), LateModule("solver.axis.best.wave_parts")
_rare, _sample = LateModule("solver.axis.simulation.rare"), LateModule("solver.axis.simulation.sample")
_sensitivity = LateModule("solver.axis.sensitivity")

EXACT_CELLS = 5_000
"""Battles with up to so many cells drop no probability: that would save no time that anybody notices."""
EACH_PART = 0.003
"""Seconds for the odds of a part of an army that is solved by itself."""
TIMES = 2.5
"""How many times a limit of work may be exceeded."""


@takes(army_seconds)
def odds_within(battle: AxisBattle, dropped: float, limit: int) -> AxisOdds:
    """Return the odds of a battle: solved within a limit of work, else from simulated battles.

    Simulated battles leave out rules that plan to the end: see `AxisOdds.unplanned`.

    Args:
        battle: The battle.
        dropped: The most probability, of 1, that may be dropped to save work.
        limit: The limit; `TIMES` as much work is done before the battle is simulated.

    Raises:
        TooLargeError: The battle lasts too long to be simulated.
    """
    meter = Meter(TIMES * limit)
    try:
        if odds := solve_at_once(battle, dropped, meter, EXACT_CELLS):
            return odds
        chain = AxisChain(battle, meter.limit)
        if chain.numbers <= MOST_NUMBERS:
            small = len(chain.attack) * len(chain.defence) <= EXACT_CELLS
            return solve_chain(chain, 0.0 if small else dropped)
    except TooLargeError:
        pass
    plain = replace(battle.retreat, profit_below=None, win_chance_below=None)
    if plain != battle.retreat:
        return replace(odds_within(replace(battle, retreat=plain), dropped, limit), unplanned=True)
    rolled: AxisOdds = _rare.with_rare_end(battle, _sample.sample_axis(battle))
    return rolled


@takes(waves_seconds)
def waves_within(waves: Waves, dropped: float, limit: int) -> WavesOdds:
    """Return the odds of several waves, small ones without a loss, as `solve_waves`; see `QuestionKind.find_within`."""
    sizes = (_forces(battle.attacker, battle) * _forces(battle.defender, battle) for battle in waves.battles)
    with explain_too_large(too_large_waves(waves)):
        return solve_waves(waves, dropped if max(sizes) > EXACT_CELLS else 0.0, TIMES * limit, MOST_NUMBERS)


def battle_odds_within(waves: Waves, dropped: float, limit: int) -> AxisOdds | WavesOdds:
    """Return the odds of a battle of one wave, as `odds_within`, or of several; see `QuestionKind.find_within`."""
    return odds_within(waves.only, dropped, limit) if waves.only else waves_within(waves, dropped, limit)


def too_large_waves(waves: Waves) -> TooLargeError:
    """Return the error that says that several waves are too large.

    Args:
        waves: The waves.
    """
    if waves.has_choices:
        return TooLargeError(
            "waves", "these waves are too large to choose casualties in; try fewer units or fewer sides that choose"
        )
    return TooLargeError("waves", "these waves are too large for me; try up to 100 units a side on land, 40 at sea")


def _sensitivity_seconds(waves: Waves, _limit: int) -> float:
    if waves.only:
        return min(30 * army_seconds(waves.only), MOST_SECONDS)
    return min(15 * len(waves.battles) * waves_seconds(waves), MOST_SECONDS)


@takes(_sensitivity_seconds)
def sensitivity_within(waves: Waves, limit: int) -> "tuple[float, list[UnitChange]]":
    """Return the effect of each unit, as `unit_sensitivity`; see `QuestionKind.find_within`."""
    error = TooLargeError(
        "waves", "these waves are too large to try one unit more or less of each kind; use fewer waves or units"
    )
    if waves.only:
        error = TooLargeError(
            "units", "this battle is too large to try one unit more or less of each kind; try up to 30 units a side"
        )
    with explain_too_large(error):
        changes: tuple[float, list[UnitChange]] = _sensitivity.unit_sensitivity(waves, TIMES * limit)
        return changes


def armies_within(waves: Waves, goal: "ArmyGoal", limit: int) -> "Armies":
    """Return the best armies for a goal, as `best_armies`; see `QuestionKind.find_within`."""
    with explain_too_large(_too_many_parts(waves, goal)):
        armies: Armies = _armies.best_armies(waves, goal, TIMES * limit)
        return armies


def _parts_seconds(waves: Waves, goal: "ArmyGoal", _limit: int) -> float:
    first = waves.battles[0]
    parts = prod(count + 1 for _, count in first.army(goal.role).units)
    free = goal.money is not None or goal.any_units
    if free:
        return min(
            0.05 + 0.001 * _forces(first.army("defence" if goal.role == "attack" else "attack"), first) ** 2,
            MOST_SECONDS,
        )
    if waves.only:
        other = first.defender if goal.role == "attack" else first.attacker
        return min(0.004 + 1.2e-6 * (parts * count_forces(other, first)), MOST_SECONDS)
    each = 1e-4 if _wave_parts.can_take_together(waves, goal.role) else EACH_PART
    return min(waves_seconds(waves) + each * parts, MOST_SECONDS)


@takes(_parts_seconds)
def survey_within(waves: Waves, goal: "ArmyGoal", limit: int) -> "Survey":
    """Return what to say about the parts of an army, as `survey`; see `QuestionKind.find_within`."""
    with explain_too_large(_too_many_parts(waves, goal)):
        answer: Survey = _armies.survey(waves, goal, TIMES * limit)
        return answer


def _too_many_parts(waves: Waves, goal: "ArmyGoal") -> TooLargeError:
    if goal.money is not None:
        return TooLargeError("money", "there are too many ways to spend that money; try less of it, or fewer units")
    if goal.any_units:
        return TooLargeError(
            "units", "this battle is too large to try all armies; type the units to choose from, or try up to 40 units"
        )
    if waves.only:
        return TooLargeError(
            "units", "this army is too large to try every part of it; try up to 30 units a side on land, 15 at sea"
        )
    return TooLargeError(
        "units",
        "this army is too large to try every part of it in several waves; use fewer units or kinds, or `least`",
    )


def _forces(side: Army, battle: AxisBattle) -> int:
    """Return about how many forces a side can be reduced to."""
    counts = [count for _, count in side.units]
    return 1 + sum(counts) if battle.theatre == "land" else prod(count + 1 for count in counts)
