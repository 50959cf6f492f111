"""What JSON documents may ask about battles of Axis & Allies, and how their live battles begin and end.

A battle has one wave or several. In each, casualties may be chosen round by round.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from solver.axis.battle import AxisBattle
from solver.axis.best.armies import Armies, ArmyGoal, RankedArmy, best_armies
from solver.axis.best.orders import best_orders, orders_to_dict
from solver.axis.best.parts import Wanted
from solver.axis.casualties.advice import casualties_to_dict, find_casualties
from solver.axis.casualties.limits import chosen_odds, ordered_odds, worth_of_odds
from solver.axis.end_counts import count_ends
from solver.axis.endings import endings_to_dict
from solver.axis.limits import armies_within, battle_odds_within, sensitivity_within
from solver.axis.live.choices import axis_percentile
from solver.axis.live.fight import AxisFight
from solver.axis.odds import AxisOdds
from solver.axis.own_units import take_rules
from solver.axis.sensitivity import UnitChange, unit_sensitivity
from solver.axis.sides import CHOOSERS, SIDES, Aim, Chooses
from solver.axis.solve import DROPPED, solve_axis
from solver.axis.throw import find_throw, throw_to_dict
from solver.axis.units import ROLES, Rules
from solver.axis.waves.choices import find_wave_casualties
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.odds import WavesOdds, solve_waves
from solver.axis.waves.steps import waves_worth
from solver.axis.waves.waves import Waves, as_waves, battle_from_dict
from solver.documents import check_fields, clamp_chance, read_object, read_part, take_flag
from solver.ends import EndRange, ends_to_dict, take_ranges
from solver.errors import BattleError, TooLargeError, check_choice, quoted
from solver.game import Question, QuestionKind
from solver.progress import Meter

MOST_STEPS = 200_000_000
"""About how many steps may be taken to find the best order, if nobody says how many."""
MOST_WORK = 5e9
"""The most work to find the best casualties, in the unit of `Meter`, if nobody says how much."""
GOALS: dict[str, Wanted] = {"target_survival": "survives", "target_wins": "wins", "max_profit": "profit"}

# Reading -----------------------------------------------------------------------------------------------------


def read_axis_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Rules]) -> Question | None:
    """Read a question about a battle of Axis & Allies: see `Game`.

    "odds": how it ends. "units": which unit matters. "order": which casualty order is best. "army": what to bring.
    "casualties": what the best casualties bring, round by round.
    """
    game = document.get("game")
    if not isinstance(game, str) or game not in rules or kind in OF_OTHERS:
        return None
    edition, kinds = take_rules(document, rules[game]), (*QUESTIONS, *OF_OTHERS)
    check_choice("question", kind, kinds, "for this game the question must be one of {known}, not {value}")
    if kind == "army":
        return _read_army_question(document, edition)
    exact = take_flag(document, "exact")
    every = kind in ("odds", "casualties") and take_flag(document, "all")
    ranges = take_ranges(document) if kind == "odds" else ()
    if kind == "casualties":
        chooses, aim = _read_choices(document)
        waves = battle_from_dict(document, edition, ("aim", "chooses")).with_choices(chooses, aim)
    else:
        waves = battle_from_dict(document, edition)
    row = EXACT_ODDS if kind == "odds" and exact else QUESTIONS[kind]
    row = row._replace(**WITH_ENDINGS[kind]) if every else row
    if ranges and row.to_dict:
        row = row._replace(to_dict=partial(_with_chance_of_ends, row.to_dict, ranges))
    return Question(row, waves)


def _read_choices(document: dict[str, Any]) -> tuple[list[Chooses], Aim]:
    """Take the fields about choices out of a document, and return who chooses in each wave, and for what."""
    waves = document.get("waves")
    parts = list(waves) if isinstance(waves, list) else []
    own = {number: wave["chooses"] for number, wave in enumerate(parts) if isinstance(wave, dict) and "chooses" in wave}
    aim, usual = document.pop("aim", "takes"), document.pop("chooses", "nobody" if own else "both")
    for field, chooses in {"chooses": usual, **{f"waves.{number}.chooses": own[number] for number in own}}.items():
        known = (*CHOOSERS, *(["nobody"] if own else []))
        check_choice(field, chooses, known, "`chooses` must be one of {known}, not {value}")
    check_choice("aim", aim, get_args(Aim), "the {name} must be one of {known}, not {value}")
    for number in own:
        parts[number] = {name: value for name, value in parts[number].items() if name != "chooses"}
    document |= {"waves": parts} if own else {}
    return [CHOOSERS.get(own.get(number, usual), (False, False)) for number in range(len(parts))], aim


def _read_army_question(document: dict[str, Any], rules: Rules) -> Question:
    """Read the question for the best army to bring, by default one that survives, with several waves one that wins."""
    asked = document.pop("recommend", {})
    waves = battle_from_dict(document, rules)
    goal = read_part("recommend", partial(_read_goal, asked, "target_survival" if waves.only else "target_wins"))
    if goal.of == "survives" and not waves.only:
        raise BattleError("recommend.goal", "with several waves this must be target_wins or max_profit")
    return Question(QUESTIONS["army"], waves, goal)


def _read_goal(document: Any, usual: str) -> ArmyGoal:
    """Read the goal of an army: by default the cheapest attacker that reaches the usual goal with a chance of 0.8."""
    check_fields(read_object(document), {"side", "goal", "target", "how_many", "minimum", "any_units", "money"})
    side, goal = document.get("side", "attacker"), document.get("goal", usual)
    for name, value, known in (("side", side, SIDES), ("goal", goal, tuple(GOALS))):
        check_choice(name, value, known, "the {name} must be one of {known}, not {value}")
    minimum = document.get("minimum")
    if not isinstance(minimum, Mapping | None):
        raise BattleError("minimum", "this must be an object, not {value}", value=quoted(minimum))
    more = {name: document[name] for name in ("target", "how_many", "any_units", "money") if name in document}
    return ArmyGoal(ROLES[SIDES.index(side)], GOALS[goal], minimum=tuple((minimum or {}).items()), **more)


# Answering ---------------------------------------------------------------------------------------------------


def _loss_orders_to_dict(battle: AxisBattle) -> dict[str, list[str]]:
    """The casualty orders of both sides as a JSON document."""
    return {side: list(battle.order_of_loss(role)) for side, role in zip(SIDES, ROLES, strict=True)}


def _solve(waves: Waves, dropped: float = DROPPED) -> AxisOdds | WavesOdds:
    """The odds of a battle, however much work they are."""
    return solve_axis(waves.only, dropped) if waves.only else solve_waves(waves, dropped)


def _odds_to_dict(waves: Waves, odds: AxisOdds | WavesOdds) -> dict[str, Any]:
    """The odds as a JSON document, with the casualty orders, of several waves for each wave."""
    answer = odds.to_dict()
    for wave, battle in zip([answer] if waves.only else answer["waves"], waves.battles, strict=True):
        wave["loss_orders"] = _loss_orders_to_dict(battle)
    return answer


def _with_endings_to_dict(waves: Waves, odds: AxisOdds | WavesOdds) -> dict[str, Any]:
    """The odds as a JSON document, with all endings."""
    return _odds_to_dict(waves, odds) | endings_to_dict(odds)


def _with_chance_of_ends(
    to_dict: Callable[..., dict[str, Any]], ranges: Sequence[EndRange], waves: Waves, odds: AxisOdds | WavesOdds
) -> dict[str, Any]:
    """The odds as a JSON document, with the chance of the ends in some ranges; None if they are not kept apart."""
    law = odds if isinstance(odds, AxisOdds) else odds.joint
    chance = (
        {"ends_chance": None} if law is None else ends_to_dict(ranges, partial(count_ends, waves, law), law.chances)
    )
    return to_dict(waves, odds) | chance


def _changes_to_dict(waves: Waves, answer: tuple[float, list[UnitChange]]) -> dict[str, Any]:
    """The chance as it is, and after one unit more or less, as a JSON document."""
    rows = []
    for role, unit, more, wins, wave in answer[1]:
        place = {"role": role} if waves.only else {"side": SIDES[ROLES.index(role)], "wave": wave}
        rows.append({**place, "unit": unit, "more": more, "wins": clamp_chance(wins)})
    return {"wins": clamp_chance(answer[0]), "changes": rows}


def armies_to_dict(waves: Waves, goal: ArmyGoal, armies: Armies) -> dict[str, Any]:
    """Return the best armies, of several waves for the first, as a JSON document: see `Armies`.

    It has "best", which is empty if no army is good enough; "reached"; and "closest", the nearest ones. Each army has
    its side's chances that were asked for, such as to survive and to win, and the chance that the territory is taken.
    """
    first, found = waves.battles[0], (armies.best, armies.closest)
    best, closest = ([_army_to_dict(first, goal, army) for army in some] for some in found)
    return {"best": best, "reached": bool(best), "closest": closest}


def _army_to_dict(battle: AxisBattle, goal: ArmyGoal, army: RankedArmy) -> dict[str, Any]:
    wins = army.odds["wins"] if goal.role == "attack" else 1 - army.odds["wins"]
    takes = clamp_chance(wins) if battle.theatre == "land" else 0.0
    odds = {name: value if name == "profit" else clamp_chance(value) for name, value in army.odds.items()}
    return {"army": dict(army.units), "cost": army.cost, "takes": takes} | odds


def answer_casualties(waves: Waves, limit: float = MOST_WORK, every: bool = False) -> dict[str, Any]:
    """Return the best casualties as a JSON document; for a battle that is too large the best orders of loss.

    TooLargeError if the best orders take more work, too: see `QuestionKind.find_within`. `every` adds all endings.
    """
    battle = waves.only
    try:
        if battle:
            best = find_casualties(battle, limit)
            usual = worth_of_odds(solve_axis(battle, 0.0), battle.aim)
        else:
            best, worth = find_wave_casualties(waves, limit), waves_worth(waves.in_order, Meter(limit))
            usual = worth.holds if waves.aim == "takes" else worth.profit
        endings = endings_to_dict(chosen_odds(waves, DROPPED, int(limit))) if every else {}
    except TooLargeError:
        return _answer_in_order(waves, int(limit), every)
    return casualties_to_dict(best, usual, waves.aim) | endings


def _answer_in_order(waves: Waves, limit: int, every: bool) -> dict[str, Any]:
    """The worth of a battle in which those who choose follow their best orders of loss, and these orders."""
    best, usual = ordered_odds(waves, DROPPED, limit), battle_odds_within(waves.in_order, DROPPED, limit)
    assert best.ordered, "these are odds with orders"
    orders = [_loss_orders_to_dict(battle) for battle in best.ordered.battles]
    return {
        "value": worth_of_odds(best, waves.aim),
        "value_of_orders": worth_of_odds(usual, waves.aim),
        "exact": False,
        "loss_orders": orders[0] if waves.only else orders,
        "now": [],
        "error": max(best.error, usual.error),
    } | (endings_to_dict(best) if every else {})


# The rows ----------------------------------------------------------------------------------------------------

QUESTIONS = {
    "odds": QuestionKind("odds", _solve, _odds_to_dict, partial(battle_odds_within, dropped=DROPPED)),
    "units": QuestionKind("units", unit_sensitivity, _changes_to_dict, sensitivity_within),
    "order": QuestionKind("order", partial(best_orders, limit=MOST_STEPS), orders_to_dict, best_orders),
    "army": QuestionKind("army", best_armies, armies_to_dict, armies_within),
    "throw": QuestionKind("throw", find_throw, throw_to_dict),
    "casualties": QuestionKind("casualties", answer_casualties, find_within=answer_casualties),
}
"""The questions about a battle. The details of "army" are its `ArmyGoal`."""
WITH_ENDINGS: dict[str, dict[str, Any]] = {
    "odds": {"to_dict": _with_endings_to_dict},
    "casualties": dict.fromkeys(("find", "find_within"), partial(answer_casualties, every=True)),
}
"""What changes in a row if all endings are asked for."""
OF_OTHERS = "place", "bombing"
"""The questions with an edition that are about no such battle."""
EXACT_ODDS = QUESTIONS["odds"]._replace(
    find=partial(_solve, dropped=0.0), find_within=partial(battle_odds_within, dropped=0.0)
)

# Live battles ------------------------------------------------------------------------------------------------


def begin(battle: AxisBattle | Waves) -> AxisFight | WavesFight:
    """Return a battle before its first throw: see `Game`."""
    waves = as_waves(battle)
    return AxisFight.begin(waves.only) if waves.only else WavesFight.begin(waves)


def percentile(odds: AxisOdds | WavesOdds, fight: AxisFight | WavesFight) -> float | None:
    """Return the percentile of an ended battle of one wave; None for several: see `Game`."""
    if isinstance(odds, WavesOdds) or isinstance(fight, WavesFight):
        return None
    return axis_percentile(odds, fight)
