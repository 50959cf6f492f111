"""The questions of JSON documents about battles of Axis & Allies.

A battle has one wave or several. In each, casualties may be chosen round by round. What a usual battle does not need is
loaded when somebody asks for it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds
from solver.axis.own_units import take_rules
from solver.axis.sides import CHOOSERS, SIDES, Aim, Chooses
from solver.axis.solve import DROPPED, solve_axis
from solver.axis.units import ROLES, Rules
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.documents import read_part, take_flag
from solver.ends import EndRange, ends_to_dict, take_ranges
from solver.errors import BattleError, check_choice
from solver.game import Question, QuestionKind
from solver.late import LateModule

if TYPE_CHECKING:
    from solver.axis.waves.odds import WavesOdds

_armies, _orders = LateModule("solver.axis.best.armies"), LateModule("solver.axis.best.orders")
_casualties, _limits = LateModule("solver.axis.casualties.limits"), LateModule("solver.axis.limits")
_sensitivity, _throw = LateModule("solver.axis.sensitivity"), LateModule("solver.axis.throw")
_endings = LateModule("solver.axis.endings")
_waves = LateModule("solver.axis.waves.odds")

MOST_STEPS = 200_000_000
"""About how many steps may be taken to find the best order, if nobody says how many."""

# Reading -----------------------------------------------------------------------------------------------------


def read_axis_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Rules]) -> Question | None:
    """Read a question about a battle of Axis & Allies: see `Game`.

    "odds": how it ends. "units": which unit matters. "order": which casualty order is best. "army": what to bring.
    "casualties": what the best casualties bring, round by round.
    """
    if kind in OF_OTHERS:
        return None
    edition, kinds = take_rules(document, rules[document["game"]]), (*QUESTIONS, *OF_OTHERS)
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
    goal = read_part("recommend", partial(_armies.read_goal, asked, "target_survival" if waves.only else "target_wins"))
    if goal.of == "survives" and not waves.only:
        raise BattleError("recommend.goal", "with several waves this must be target_wins or max_profit")
    return Question(QUESTIONS["army"], waves, goal)


# Answering ---------------------------------------------------------------------------------------------------


def loss_orders_to_dict(battle: AxisBattle) -> dict[str, list[str]]:
    """Return the casualty orders of both sides as a JSON document.

    Args:
        battle: The battle of a wave.
    """
    return {side: list(battle.order_of_loss(role)) for side, role in zip(SIDES, ROLES, strict=True)}


def _solve(waves: Waves, dropped: float = DROPPED) -> "AxisOdds | WavesOdds":
    """The odds of a battle, however much work they are."""
    odds: AxisOdds | WavesOdds = solve_axis(waves.only, dropped) if waves.only else _waves.solve_waves(waves, dropped)
    return odds


def _odds_to_dict(waves: Waves, odds: "AxisOdds | WavesOdds") -> dict[str, Any]:
    """The odds as a JSON document, with the casualty orders, of several waves for each wave."""
    answer = odds.to_dict()
    for wave, battle in zip([answer] if waves.only else answer["waves"], waves.battles, strict=True):
        wave["loss_orders"] = loss_orders_to_dict(battle)
    return answer


def _with_endings_to_dict(waves: Waves, odds: "AxisOdds | WavesOdds") -> dict[str, Any]:
    """The odds as a JSON document, with all endings."""
    answer: dict[str, Any] = _odds_to_dict(waves, odds) | _endings.endings_to_dict(odds)
    return answer


def _with_chance_of_ends(
    to_dict: Callable[..., dict[str, Any]], ranges: Sequence[EndRange], waves: Waves, odds: "AxisOdds | WavesOdds"
) -> dict[str, Any]:
    """The odds as a JSON document, with the chance of the ends in some ranges; None if they are not kept apart."""
    law = odds if isinstance(odds, AxisOdds) else odds.joint
    if law is None:
        return to_dict(waves, odds) | {"ends_chance": None}
    count = partial(_endings.count_ends, waves, law)
    return to_dict(waves, odds) | ends_to_dict(ranges, count, law.chances)


# The rows ----------------------------------------------------------------------------------------------------

QUESTIONS = {
    "odds": QuestionKind("odds", _solve, _odds_to_dict, partial(_limits.battle_odds_within, dropped=DROPPED)),
    "units": QuestionKind(
        "units", _sensitivity.unit_sensitivity, _sensitivity.changes_to_dict, _limits.sensitivity_within
    ),
    "order": QuestionKind(
        "order", partial(_orders.best_orders, limit=MOST_STEPS), _orders.orders_to_dict, _orders.best_orders
    ),
    "army": QuestionKind("army", _armies.best_armies, _armies.armies_to_dict, _limits.armies_within),
    "throw": QuestionKind("throw", _throw.find_throw, _throw.throw_to_dict),
    "casualties": QuestionKind("casualties", _casualties.answer_casualties, find_within=_casualties.answer_casualties),
}
"""The questions about a battle. The details of "army" are its `ArmyGoal`."""
WITH_ENDINGS: dict[str, dict[str, Any]] = {
    "odds": {"to_dict": _with_endings_to_dict},
    "casualties": dict.fromkeys(("find", "find_within"), partial(_casualties.answer_casualties, every=True)),
}
"""The changes of a row if all endings are asked for."""
OF_OTHERS = "place", "bombing"
"""The questions with an edition that are about no such battle."""
EXACT_ODDS = QUESTIONS["odds"]._replace(
    find=partial(_solve, dropped=0.0), find_within=partial(_limits.battle_odds_within, dropped=0.0)
)
