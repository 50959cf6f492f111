"""Questions about battles of Axis & Allies as JSON documents; solver/waves/questions.py reads which one is asked."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from solver.axis.battle import AxisBattle
from solver.axis.best.armies import Armies, ArmyGoal, RankedArmy, best_armies
from solver.axis.best.orders import best_orders, orders_to_dict
from solver.axis.best.parts import Wanted
from solver.axis.limits import armies_within, odds_within, sensitivity_within
from solver.axis.odds import AxisOdds
from solver.axis.sensitivity import UnitChange, unit_sensitivity
from solver.axis.sides import SIDES
from solver.axis.solve import DROPPED, solve_axis
from solver.documents import check_fields, clamp_chance, read_object
from solver.errors import BattleError, quoted
from solver.game import QuestionKind

MOST_STEPS = 200_000_000
"""About how many steps may be taken to find the best order, if nobody says how many."""
GOALS: dict[str, Wanted] = {"target_survival": "survives", "target_wins": "wins", "max_profit": "profit"}


def axis_odds_to_dict(battle: AxisBattle, odds: AxisOdds) -> dict[str, Any]:
    """Return the odds of a battle as a JSON document, with the casualty orders.

    Args:
        battle: The battle.
        odds: Its odds.
    """
    return {**odds.to_dict(), "loss_orders": loss_orders_to_dict(battle)}


def loss_orders_to_dict(battle: AxisBattle) -> dict[str, list[str]]:
    """Return the casualty orders of both sides as a JSON document.

    Args:
        battle: The battle.
    """
    orders = {"attacker": battle.order_of_loss("attack"), "defender": battle.order_of_loss("defence")}
    return {side: list(order) for side, order in orders.items()}


def changes_to_dict(_battle: AxisBattle, found: tuple[float, list[UnitChange]]) -> dict[str, Any]:
    """Return the effect of one unit more or less as a JSON document.

    Args:
        _battle: The battle.
        found: The attacker's chance to win as it is, and after each change.
    """
    wins, changes = found
    changed = [change._asdict() | {"wins": clamp_chance(change.wins)} for change in changes]
    return {"wins": clamp_chance(wins), "changes": changed}


def read_goal(document: Any, usual: str = "target_survival") -> ArmyGoal:
    """Read the goal of an army: by default the cheapest attacker that survives with a chance of 0.8.

    Args:
        document: The fields of the goal.
        usual: The goal if the document names none.

    Raises:
        BattleError: The document is wrong; the error names the field.
    """
    check_fields(read_object(document), {"side", "goal", "target", "how_many", "minimum"})
    side, goal = document.get("side", "attacker"), document.get("goal", usual)
    for name, value, known in (("side", side, SIDES), ("goal", goal, GOALS)):
        if not isinstance(value, str) or value not in known:
            raise BattleError(
                name,
                "the {name} must be one of {known}, not {value}",
                name=name,
                known=", ".join(known),
                value=quoted(value),
            )
    minimum = document.get("minimum")
    if not isinstance(minimum, Mapping | None):
        raise BattleError("minimum", "this must be an object, not {value}", value=quoted(minimum))
    given = {name: document[name] for name in ("target", "how_many") if name in document}
    least = tuple((minimum or {}).items())
    return ArmyGoal("attack" if side == "attacker" else "defence", GOALS[goal], minimum=least, **given)


def armies_to_dict(battle: AxisBattle, goal: ArmyGoal, found: Armies) -> dict[str, Any]:
    """Return the best armies as a JSON document.

    Args:
        battle: The battle; for several waves the battle of the first.
        goal: What the army must achieve.
        found: The best armies.

    Returns:
        "best", which is empty if no army is good enough; "reached"; and "closest", the nearest ones. Each army has its
        side's chances that were asked for, such as to survive and to win, and the chance that the territory is taken.
    """
    best, closest = ([_army_to_dict(battle, goal, army) for army in armies] for armies in (found.best, found.closest))
    return {"best": best, "reached": bool(best), "closest": closest}


def _army_to_dict(battle: AxisBattle, goal: ArmyGoal, army: RankedArmy) -> dict[str, Any]:
    wins = army.odds["wins"] if goal.role == "attack" else 1 - army.odds["wins"]
    takes = clamp_chance(wins) if battle.theatre == "land" else 0.0
    known = {name: of if name == "profit" else clamp_chance(of) for name, of in army.odds.items()}
    return {"army": dict(army.units), "cost": army.cost, "takes": takes} | known


QUESTIONS = {
    "odds": QuestionKind("odds", solve_axis, axis_odds_to_dict, partial(odds_within, dropped=DROPPED)),
    "units": QuestionKind("units", unit_sensitivity, changes_to_dict, sensitivity_within),
    "order": QuestionKind("order", partial(best_orders, most=MOST_STEPS), orders_to_dict, best_orders),
    "army": QuestionKind("army", best_armies, armies_to_dict, armies_within),
}
"""The questions about a battle of one wave; the details of "army" are its `ArmyGoal`."""
EXACT_ODDS = QuestionKind(
    "odds", partial(solve_axis, dropped=0.0), axis_odds_to_dict, partial(odds_within, dropped=0.0)
)
