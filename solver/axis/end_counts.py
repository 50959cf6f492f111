"""Counts what a side has left or has lost in each end of a battle of Axis & Allies: units, kinds of units, or money."""

from collections.abc import Callable, Iterable
from typing import get_args

import numpy as np

from solver.axis.odds import AxisOdds
from solver.axis.sides import SIDES
from solver.axis.units import AMPHIBIOUS, ROLES, Kind, Rules
from solver.axis.waves.joint import JointOdds
from solver.axis.waves.waves import Waves
from solver.chain import Chances
from solver.ends import EndRange, lacking

ALL_OF = *get_args(Kind), "money"
"""What a range can count besides one kind of unit."""


def count_ends(waves: Waves, law: AxisOdds | JointOdds, asked: EndRange) -> Chances:
    """Return what a range counts in each end.

    Units that have left the fight alive count as left, and damaged ships as whole ones. Of several waves all units of
    a side count; the sides are those of the first wave. Guns that cannot be hit and ships that only bombard never do.

    Args:
        waves: The battle.
        law: The law of its ends.
        asked: The range.

    Raises:
        BattleError: The side has no such unit that can be lost.
    """
    side, rules = SIDES.index(asked.side), waves.battles[0].rules
    if isinstance(law, AxisOdds):
        fates, places = ((law.attackers, law.rows), (law.defenders, law.columns))[side]
        sets = [fate.lost for fate in fates]
        whole = [pair for fate in fates[:1] for pairs in fate for pair in pairs]
    else:
        sets, places = list(law.losses[side]), law.lost[side]
        whole = list(waves.most_lost()[side].items())
    if asked.of and asked.of not in ALL_OF and all(_plain(name, rules) != asked.of for name, _count in whole):
        raise lacking(asked.side, asked.of)
    worth = _worth_of_one(waves, side, asked.of)
    lost = np.array([_total(units, worth) for units in sets], float)[places]
    return lost if asked.lost else _total(whole, worth) - lost


def _total(units: Iterable[tuple[str, int]], worth: Callable[[str], float]) -> float:
    return sum(worth(name) * count for name, count in units)


def _worth_of_one(waves: Waves, side: int, of: str) -> Callable[[str], float]:
    """The function that says how much one unit counts."""
    battle = waves.battles[0]
    table = battle.rules.table
    if of == "money":
        return lambda name: battle.worth.of(table[name], ROLES[side])
    if of in get_args(Kind):
        return lambda name: float(table[name].kind == of)
    return lambda name: float(not of or _plain(name, battle.rules) == of)


def _plain(name: str, rules: Rules) -> str:
    """The name of a unit wherever it came from, and of a whole ship in place of a damaged one."""
    return rules.table[name].repaired or name.removeprefix(AMPHIBIOUS)
