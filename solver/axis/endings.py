"""All endings of a battle of Axis & Allies: as a JSON document, and what a side has left or lost in each."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.odds import DOCUMENT_NAMES, AxisOdds
from solver.axis.sides import SIDES
from solver.axis.units import AMPHIBIOUS, ROLES, Kind, Rules
from solver.axis.waves.joint import JointOdds
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves
from solver.chain import Chances
from solver.documents import MOST_LISTED, clamp_chance, clamp_chances
from solver.ends import EndRange, lacking

TOO_MANY = "there are too many endings to list them"
Values = npt.NDArray[Any]
ALL_OF = *get_args(Kind), "money"
"""The subjects of a range besides one kind of unit."""


def merge_alike(codes: Iterable[Values], chances: Chances) -> tuple[Nodes, Chances]:
    """Merge the endings with equal codes, without those of no chance.

    Args:
        codes: Values of each ending, which tell endings apart.
        chances: The chance of each ending.

    Returns:
        The place of the first ending of each kind, and the chance of each kind.
    """
    there = np.flatnonzero(chances > 0)
    joint = np.zeros(len(there), np.int64)
    for code in codes:
        different, place = np.unique(code[there], return_inverse=True)
        _values, joint = unique_inverse(joint * len(different) + place)
    _values, first = np.unique(joint, return_index=True)
    return there[first], np.asarray(np.bincount(joint, chances[there], len(first)), float)


def endings_to_dict(odds: AxisOdds | WavesOdds) -> dict[str, Any]:
    """Return the endings of one wave or several as a JSON document: "endings", the likeliest first, and "left_out".

    "endings" is None if several waves have too many to keep apart; "caveat" says so.

    Args:
        odds: The odds of the battle.
    """
    if not isinstance(odds, WavesOdds):
        profits = np.round(odds.profits, 6)
        codes: tuple[Values, ...] = (odds.rows, odds.columns, odds.ways, profits)
        names = "wins", *(DOCUMENT_NAMES.get(name, name) for name in odds.ends_without_win)
        return _list_likeliest(codes, odds.chances, partial(_row_of_wave, odds, names, profits))
    if odds.joint is None:
        return {"endings": None, "caveat": TOO_MANY}
    profits = np.round(odds.joint.profits, 6)
    codes = (*odds.joint.lost, odds.joint.at, profits)
    return _list_likeliest(codes, odds.joint.chances, partial(_row_of_waves, odds.joint, profits))


def _list_likeliest(
    codes: Iterable[Values], chances: Chances, row_of: Callable[[int], dict[str, Any]]
) -> dict[str, Any]:
    places, chances = merge_alike(codes, chances)
    ranked = np.argsort(-chances, kind="stable")
    listed, others = ranked[:MOST_LISTED], ranked[MOST_LISTED:]
    pairs = zip(places[listed].tolist(), clamp_chances(chances[listed]), strict=True)
    return {
        "endings": [row_of(place) | {"chance": chance} for place, chance in pairs],
        "left_out": {"endings": len(others), "chance": clamp_chance(float(chances[others].sum()))},
    }


def _row_of_wave(odds: AxisOdds, names: Sequence[str], profits: Chances, place: int) -> dict[str, Any]:
    """An ending of one wave: units that are gone have left the fight alive."""
    fates = odds.attackers[odds.rows[place]], odds.defenders[odds.columns[place]]
    return {
        "ending": names[odds.ways[place]],
        **{f"{side}_lost": dict(fate.lost) for side, fate in zip(SIDES, fates, strict=True)},
        "left": {side: dict(fate.left) for side, fate in zip(SIDES, fates, strict=True)},
        "gone": {side: dict(fate.gone) for side, fate in zip(SIDES, fates, strict=True)},
        "profit": float(profits[place]),
    }


def _row_of_waves(joint: JointOdds, profits: Chances, place: int) -> dict[str, Any]:
    """An ending of several waves; the sides are those of the first wave."""
    lost = (dict(joint.losses[side][joint.lost[side, place]]) for side in (0, 1))
    return {
        **{f"{side}_lost": units for side, units in zip(SIDES, lost, strict=True)},
        "left": joint.fields[joint.at[place]].to_dict(),
        "profit": float(profits[place]),
    }


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
