"""The question about the best casualties as a JSON document."""

from typing import Any, NamedTuple

from solver.axis.battle import AxisBattle
from solver.axis.limits import odds_within
from solver.axis.questions import loss_orders_to_dict
from solver.axis.solve import DROPPED
from solver.casualties.advice import casualties_to_dict, find_casualties, worth_of_odds
from solver.casualties.battle import Aim, Chooses, ChosenBattle, check_aim
from solver.casualties.limits import ordered_odds
from solver.errors import TooLargeError, check_choice
from solver.game import QuestionKind

MOST_WORK = 5e9
"""The most work, in the unit of `Meter`, if nobody says how much."""
CHOOSERS: dict[str, Chooses] = {"attacker": (True, False), "defender": (False, True), "both": (True, True)}
"""The values of the field `chooses`: whether the attacker and whether the defender chooses."""


class Choosing(NamedTuple):
    """Whether the attacker and whether the defender chooses casualties, and what they aim at."""

    chooses: Chooses
    aim: Aim


def answer_casualties(battle: AxisBattle, asked: Choosing, most: float = MOST_WORK) -> dict[str, Any]:
    """Return the best casualties as a JSON document; for a battle that is too large the best orders of loss.

    Args:
        battle: The battle.
        asked: Who chooses, and the aim.
        most: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: The best orders take more work, too.
    """
    try:
        return casualties_to_dict(find_casualties(battle, *asked, most), battle, asked.aim)
    except TooLargeError:
        return _answer_in_order(ChosenBattle.of(battle, *asked), int(most))


def _answer_in_order(battle: ChosenBattle, most: int) -> dict[str, Any]:
    """The worth of a battle in which those who choose follow their best order of loss, and these orders."""
    best, usual = ordered_odds(battle, most), odds_within(battle.in_order, DROPPED, most)
    assert best.ordered, "these are odds with orders"
    return {
        "value": worth_of_odds(best, battle.aim),
        "value_of_orders": worth_of_odds(usual, battle.aim),
        "exact": False,
        "loss_orders": loss_orders_to_dict(best.ordered),
        "now": [],
        "error": max(best.error, usual.error),
    }


CASUALTIES = QuestionKind("casualties", answer_casualties, find_within=answer_casualties)


def read_choosers(document: dict[str, Any]) -> Choosing:
    """Take the fields about choices out of a document: who chooses, and what they aim at.

    Args:
        document: The document.

    Raises:
        BattleError: A field is wrong; the error names it.
    """
    chooses, aim = document.pop("chooses", "both"), document.pop("aim", "takes")
    check_choice("chooses", chooses, tuple(CHOOSERS), "`chooses` must be one of {known}, not {value}")
    return Choosing(CHOOSERS[chooses], check_aim(aim))
