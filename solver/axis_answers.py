"""Answers about battles of Axis & Allies of any size, within a limit of work: solved, else simulated or refused."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod
from typing import TypeVar

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain
from solver.axis_matters import ROUGHLY, Change, changes, matters
from solver.axis_needs import Armies, Goal, Survey, best_armies, survey
from solver.axis_odds import AxisOdds, solve_chain
from solver.axis_sample import sample_axis
from solver.errors import TooLargeError
from solver.placing import Placements, Placing, place
from solver.sides import Side
from solver.waves import Waves
from solver.waves_odds import WavesOdds, solve_waves

Found = TypeVar("Found")

EXACT_CELLS = 5_000
"""In battles of up to so many cells nothing is dropped: that would save no time that anybody feels."""
MOST_NUMBERS = 12_000_000
TIMES = 2.5
"""How much more work than for other battles may be done before it is given up for something else."""


def odds_within(battle: AxisBattle, dropped: float, most: int) -> AxisOdds:
    """The odds of a battle, where that is no more work than `TIMES` that of `most`; else those of many that are rolled.

    What cannot be rolled, rules that plan to the end, is then left out: see `AxisOdds.unplanned`. TooLargeError where
    it lasts too long to be rolled.
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
    return sample_axis(battle)


def waves_within(waves: Waves, dropped: float, most: int) -> WavesOdds:
    """The odds of several waves; TooLargeError where that is more work than `TIMES` that of `most`."""
    if all(
        _forces(battle.attacker, battle) * _forces(battle.defender, battle) <= EXACT_CELLS for battle in waves.battles
    ):
        dropped = 0.0
    try:
        return solve_waves(waves, dropped, TIMES * most, MOST_NUMBERS)
    except TooLargeError:
        raise TooLargeError(
            "waves",
            "these waves are too large for me; try up to 100 units a side on land, 40 at sea",
        ) from None


def _forces(side: Side, battle: AxisBattle) -> int:
    """About how many forces a side can be reduced to."""
    counts = [count for _, count in side.units]
    return 1 + sum(counts) if battle.theatre == "land" else prod(count + 1 for count in counts)


def matters_within(battle: AxisBattle, most: int) -> tuple[float, list[Change]]:
    """Which unit matters; TooLargeError where to try that is more work than `TIMES` that of `most`."""
    try:
        chain = AxisChain(battle, TIMES * most / (1 + len(changes(battle))))
        if chain.numbers <= MOST_NUMBERS:
            solve_chain(chain, ROUGHLY)
            return matters(battle)
    except TooLargeError:
        pass
    raise TooLargeError(
        "units",
        "this battle is too large to try one unit more or less of each kind; try up to 30 units a side",
    )


def armies_within(battle: AxisBattle, goal: Goal, most: int) -> Armies:
    """The best armies for a goal; TooLargeError where that is more work than `TIMES` that of `most`."""
    return _of_parts(partial(best_armies, battle, goal, TIMES * most))


def survey_within(battle: AxisBattle, goal: Goal, most: int) -> Survey:
    """All that there is to say about the parts of an army, within the same limit."""
    return _of_parts(partial(survey, battle, goal, TIMES * most))


def _of_parts(work: Callable[[], Found]) -> Found:
    try:
        return work()
    except TooLargeError:
        raise TooLargeError(
            "units",
            "this army is too large to try every part of it; try up to 30 units a side on land, 15 at sea",
        ) from None


def placements_within(placing: Placing, most: int) -> Placements:
    """The best placements of units; TooLargeError where finding them is more work than `TIMES` that of `most`."""
    try:
        return place(placing, TIMES * most)
    except TooLargeError:
        raise TooLargeError(
            "units",
            "there are too many placements to try them all; use up to 25 units against 20 in each territory",
        ) from None
