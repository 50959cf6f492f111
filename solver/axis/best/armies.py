"""The best army to bring: the cheapest parts of an army with a chance, or the parts with the highest profit.

So are armies of any units, and those that money buys (buying.py). Every part is solved (part_odds.py, wave_parts.py),
of one wave cheapest first. The search for a chance ends once no cheaper part can be missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.best.buying import iterate_army_odds, purchases_odds
from solver.axis.best.part_odds import iterate_parts_odds
from solver.axis.best.parts import PartsOdds, Values, Wanted
from solver.axis.best.wave_parts import wave_parts_odds
from solver.axis.kernel.forces import Nodes
from solver.axis.sides import MOST_BUDGET, MOST_UNITS, SIDES
from solver.axis.units import AMPHIBIOUS, ROLES, Role
from solver.axis.waves.waves import Waves, as_waves
from solver.chain import Mask
from solver.documents import check_fields, clamp_chance, read_object
from solver.errors import BattleError, TooLargeError, check_choice, check_count, check_flag, check_number, quoted

GOALS: dict[str, Wanted] = {"target_survival": "survives", "target_wins": "wins", "max_profit": "profit"}
"""The goals by their names in documents."""
MOST_ARMIES = 100
"""The most armies that a goal may ask for."""
ROUNDING = 1e-12
"""Rounding may put a chance below its target by this much."""
HOPELESS = 1e-9
"""Chances below this count as none, and as equal."""
SAME, SEEN = 1e-9, 0.05
"""Profits that differ by less than the first count as equal; people see no difference below the second."""


class RankedArmy(NamedTuple):
    """A part of an army, and how the battle with it goes.

    Attributes:
        units: The number of units of each kind.
        cost: Their worth in money.
        odds: By name, for the side of the army: its chance that it "survives" with units in the fight or gone from it;
            its chance that it "wins" (for a defender: that the attacker does not); its expected "profit" in money.
    """

    units: tuple[tuple[str, int], ...]
    cost: float
    odds: dict[Wanted, float]


@dataclass(frozen=True)
class Armies:
    """The best armies for a goal.

    Attributes:
        best: The armies that meet the goal, best first.
        closest: If none meets it, the armies that come closest: the highest chance first, or the cheapest first if no
            army has more than a `HOPELESS` chance.
    """

    best: tuple[RankedArmy, ...]
    closest: tuple[RankedArmy, ...] = ()


@dataclass(frozen=True)
class ArmyGoal:
    """The goal for which an army is chosen.

    Attributes:
        role: The role of the army.
        of: "survives" or "wins" for the cheapest parts with a chance of `target` to do so, "profit" for the parts with
            the highest expected profit.
        target: The chance, above 0 and at most 1.
        how_many: How many armies to return, at most `MOST_ARMIES`.
        minimum: The least number of units of each kind.
        ships: The kinds of ships of which an army has at most as many as units that land from the sea.
        any_units: Whether all units of the edition are there to choose from, as the side has none. Then each army that
            is returned has other kinds of units.
        money: The money that buys units beside those that are there, which all take part; None if there is none. The
            target does not matter then: the best army is that with the highest chance.

    Raises:
        BattleError: If a value is out of range; it names the field.
    """

    role: Role
    of: Wanted
    target: float = 0.8
    how_many: int = 3
    minimum: tuple[tuple[str, int], ...] = ()
    ships: tuple[str, ...] = ()
    any_units: bool = False
    money: float | None = None

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        check_count(
            "how_many", self.how_many, 1, MOST_ARMIES, "the number of armies must be {least} to {most}, not {value}"
        )
        if type(self.target) not in (int, float) or not 0 < self.target <= 1:
            raise BattleError(
                "target", "the chance must be above 0 and at most 1, not {value}", value=quoted(self.target)
            )
        check_flag("any_units", self.any_units)
        if self.money is not None:
            check_number("money", self.money, 0, MOST_BUDGET, "the money must be {least} to {most}, not {value}")
        for name, count in self.minimum:
            check_count(
                f"minimum.{quoted(name)[1:-1]}",
                count,
                0,
                MOST_UNITS,
                "the number of units must be {least} to {most}, not {value}",
            )


def best_armies(battle: AxisBattle | Waves, goal: ArmyGoal, limit: float = inf) -> Armies:
    """Return the parts of an army that are best for a goal, of several waves of the army in the first.

    Among parts of equal cost the likeliest comes first, among parts of equal profit the cheapest. To win several waves
    is to hold the field at the end. With `money` the best purchases are returned.

    Args:
        battle: The battle with the whole army.
        goal: The goal.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If it takes more work or memory.
        BattleError: If the army lacks units for the goal, or is to survive in several waves.

    Example:
        >>> from solver.axis.sides import Army
        >>> from solver.axis.units import Rules, Unit
        >>> infantry, tank = Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6)
        >>> rules = Rules("1942", (infantry, tank), (("infantry", "tank"),) * 4)
        >>> battle = AxisBattle(rules, "land", Army.of({"infantry": 6, "tank": 6}), Army.of({"infantry": 4}))
        >>> army = best_armies(battle, ArmyGoal("attack", "wins", target=0.9)).best[0]
        >>> army.units, army.cost, round(army.odds["wins"], 3)
        ((('infantry', 6), ('tank', 1)), 24.0, 0.919)
    """
    waves = as_waves(battle)
    goal = _with_own_units(waves, goal)
    wanted: Sequence[Wanted] = ("survives", "wins", "profit") if goal.of == "profit" else ("survives", "wins")
    for odds in _iterate_odds(waves, goal, wanted, limit):
        if goal.of != "profit" and _is_enough(odds, goal):
            break
    return _best_parts(odds, goal)


def _with_own_units(waves: Waves, goal: ArmyGoal) -> ArmyGoal:
    """The goal for a side with money: all units that it has take part."""
    return goal if goal.money is None else replace(goal, minimum=waves.battles[0].army(goal.role).units)


@dataclass(frozen=True)
class Survey:
    """The answers about all parts of an army.

    Attributes:
        cheapest: The cheapest armies with the chance asked for.
        profitable: The armies with the highest profit; of profits that people do not tell apart (`SEEN`), the cheapest
            first. None if there are too many parts to try them all.
        frontier: The highest chance for so much money: pairs of money and chance, both rising. It ends early if there
            are too many parts.
        kinds: The most kinds of units in an army that was tried; None if every mix was.
    """

    cheapest: Armies
    profitable: Armies | None
    frontier: tuple[tuple[float, float], ...]
    kinds: int | None = None


def survey(battle: AxisBattle | Waves, goal: ArmyGoal, limit: float = inf) -> Survey:
    """Return the best armies for a chance, and what else the sweep over all parts shows.

    Args:
        battle: The battle with the whole army.
        goal: The goal: a chance to survive or to win.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If not even the cheapest armies can be found with so much work.
        BattleError: If the army lacks units for the goal, or is to survive in several waves.
    """
    waves, odds = as_waves(battle), None
    goal = _with_own_units(waves, goal)
    try:
        for more in _iterate_odds(waves, goal, (goal.of, "profit"), limit):
            odds = more
            if goal.any_units and _is_enough(odds, goal):
                break
    except TooLargeError:
        if odds is None or not len(_good_parts(odds, goal)):
            raise
    assert odds is not None, "there is a part"
    profitable = _best_parts(odds, replace(goal, of="profit"), SEEN) if odds.sure == inf else None
    return Survey(_best_parts(odds, goal), profitable, _frontier(odds, goal), odds.kinds)


def _iterate_odds(waves: Waves, goal: ArmyGoal, wanted: Sequence[Wanted], limit: float) -> Iterator[PartsOdds]:
    """Yield the wanted odds with more and more parts, of several waves all at once: see `iterate_parts_odds`."""
    _check_goal(waves, goal)
    battle = waves.only
    if battle and goal.money is not None:
        yield purchases_odds(battle, goal.role, goal.money, wanted, limit)
    elif battle and goal.any_units:
        yield from iterate_army_odds(battle, goal.role, wanted, lambda odds: len(_good_parts(odds, goal)) > 0, limit)
    elif battle:
        yield from iterate_parts_odds(battle, goal.role, wanted, limit)
    else:
        yield wave_parts_odds(waves, goal.role, limit, goal.minimum)


def _frontier(odds: PartsOdds, goal: ArmyGoal) -> tuple[tuple[float, float], ...]:
    """The highest chance for so much money: pairs of money and chance."""
    chance = _own_values(odds, goal.role, goal.of)
    some = np.flatnonzero(_allowed_mask(odds, goal) & (odds.cost < odds.sure))
    some = some[np.lexsort((-chance[some], odds.cost[some]))]
    highest = np.maximum.accumulate(chance[some])
    rises = np.flatnonzero(np.diff(highest, prepend=-1.0) > ROUNDING)
    return tuple(zip(odds.cost[some[rises]].tolist(), highest[rises].tolist(), strict=True))


def _good_parts(odds: PartsOdds, goal: ArmyGoal) -> Nodes:
    """The parts with the chance, among those for which nothing cheaper is missing."""
    good = _allowed_mask(odds, goal) & (_own_values(odds, goal.role, goal.of) >= goal.target - ROUNDING)
    return np.flatnonzero(good & (odds.cost < odds.sure))


def _is_enough(odds: PartsOdds, goal: ArmyGoal) -> bool:
    """Whether as many armies reach the goal as are asked for."""
    good = _good_parts(odds, goal)
    return len(good) >= goal.how_many and (not goal.any_units or len(_first_of_mixes(odds, good)) >= goal.how_many)


def _first_of_mixes(odds: PartsOdds, ranked: Nodes) -> Nodes:
    """The first of these parts with each set of kinds of units."""
    _sets, first = np.unique(odds.units[ranked] > 0, axis=0, return_index=True)
    return np.asarray(ranked[np.sort(first)])


def _best_parts(odds: PartsOdds, goal: ArmyGoal, same: float = SAME) -> Armies:
    """The best parts for a goal. Hopeless chances, and profits nearer than `same`, are equal: the cheapest wins."""
    chance = _own_values(odds, goal.role, goal.of)
    allowed = np.flatnonzero(_allowed_mask(odds, goal))
    if goal.of == "profit":
        less = (chance[allowed].max(initial=-inf) - chance[allowed]) // same
        return Armies(_rank(odds, goal, allowed[np.lexsort((odds.cost[allowed], less))]))
    good = _good_parts(odds, goal)
    if goal.money is None and len(good):
        ranked = good[np.lexsort((-chance[good], odds.cost[good]))]
        return Armies(_rank(odds, goal, _first_of_mixes(odds, ranked) if goal.any_units else ranked))
    likely = chance[allowed].round(12) * (chance[allowed] >= HOPELESS)
    closest = allowed[np.lexsort((odds.cost[allowed], -likely))]
    armies = _rank(odds, goal, closest)
    return Armies(armies) if goal.money is not None and likely.any() else Armies((), armies)


def _own_values(odds: PartsOdds, role: Role, name: Wanted) -> Values:
    """The chance or the profit of each part from the view of its own side."""
    values = odds.values[name]
    if role == "attack" or name == "survives":
        return values
    return 1 - values if name == "wins" else -values


def _allowed_mask(odds: PartsOdds, goal: ArmyGoal) -> Mask:
    """Whether each part is allowed: it has a unit, the minimum of each kind, and no more ships than may bombard."""
    allowed = odds.units.any(axis=1)
    ships = np.isin(odds.names, goal.ships)
    landing = [name.startswith(AMPHIBIOUS) for name in odds.names]
    allowed &= (odds.units[:, ships].sum(axis=1) <= odds.units[:, landing].sum(axis=1)) | (not goal.ships)
    for name, count in goal.minimum:
        if count:
            allowed = allowed & (odds.units[:, odds.names.index(name)] >= count)
    return np.asarray(allowed)


def _rank(odds: PartsOdds, goal: ArmyGoal, ranked: Nodes) -> tuple[RankedArmy, ...]:
    """The first of these parts, with their odds."""
    armies = []
    for part in ranked[: goal.how_many].tolist():
        units = tuple((name, count) for name, count in zip(odds.names, odds.units[part].tolist(), strict=True) if count)
        known = {name: float(_own_values(odds, goal.role, name)[part]) for name in odds.values}
        armies.append(RankedArmy(units, float(odds.cost[part]), known))
    return tuple(armies)


def _check_goal(waves: Waves, goal: ArmyGoal) -> None:
    """Refuse a goal for which this army lacks units, or which an army of several waves cannot have."""
    side = waves.battles[0].army(goal.role)
    chosen = not goal.any_units and goal.money is None
    if not chosen and not waves.only:
        raise BattleError("units", "with several waves, give units to choose from instead of money")
    if goal.any_units and (side.units or goal.of == "profit"):
        raise BattleError("any_units", "this works only for a side without units, and with a chance")
    if not chosen:
        return
    if not side.units:
        raise BattleError("units", "there are no units to choose from")
    for name, count in goal.minimum:
        if not side.count(name):
            raise BattleError(f"minimum.{quoted(name)[1:-1]}", "you have no such unit to choose from")
        check_count(
            f"minimum.{name}", count, 0, side.count(name), "you can bring {least} to {most} of these units, not {value}"
        )
    if goal.of == "survives" and not waves.only:
        raise BattleError("goal", "with several waves this must be target_wins or max_profit")


# Documents ---------------------------------------------------------------------------------------------------


def read_goal(document: Any, usual: str) -> ArmyGoal:
    """Read the goal of an army: by default the cheapest attacker that reaches the usual goal with a chance of 0.8.

    Args:
        document: The fields of the goal.
        usual: The usual goal, one of `GOALS`.

    Raises:
        BattleError: A field is unknown or wrong; the error names it.
    """
    check_fields(read_object(document), {"side", "goal", "target", "how_many", "minimum", "any_units", "money"})
    side, goal = document.get("side", "attacker"), document.get("goal", usual)
    for name, value, known in (("side", side, SIDES), ("goal", goal, tuple(GOALS))):
        check_choice(name, value, known, "the {name} must be one of {known}, not {value}")
    minimum = document.get("minimum")
    if not isinstance(minimum, Mapping | None):
        raise BattleError("minimum", "this must be an object, not {value}", value=quoted(minimum))
    more = {name: document[name] for name in ("target", "how_many", "any_units", "money") if name in document}
    return ArmyGoal(ROLES[SIDES.index(side)], GOALS[goal], minimum=tuple((minimum or {}).items()), **more)


def armies_to_dict(waves: Waves, goal: ArmyGoal, armies: Armies) -> dict[str, Any]:
    """Return the best armies, of several waves for the first, as a JSON document: see `Armies`.

    It has "best", which is empty if no army is good enough; "reached"; and "closest", the nearest ones. Each army has
    its side's chances that were asked for, such as to survive and to win, and the chance that the territory is taken.
    """
    first, lists = waves.battles[0], (armies.best, armies.closest)
    best, closest = ([_army_to_dict(first, goal, army) for army in some] for some in lists)
    return {"best": best, "reached": bool(best), "closest": closest}


def _army_to_dict(battle: AxisBattle, goal: ArmyGoal, army: RankedArmy) -> dict[str, Any]:
    wins = army.odds["wins"] if goal.role == "attack" else 1 - army.odds["wins"]
    takes = clamp_chance(wins) if battle.theatre == "land" else 0.0
    odds = {name: value if name == "profit" else clamp_chance(value) for name, value in army.odds.items()}
    return {"army": dict(army.units), "cost": army.cost, "takes": takes} | odds
