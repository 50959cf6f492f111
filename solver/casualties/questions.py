"""The question about the best casualties as a JSON document."""

from functools import partial
from typing import Any, get_args

from solver.axis.battle import AxisBattle
from solver.axis.sides import SIDES
from solver.casualties.advice import casualties_to_dict, find_casualties
from solver.casualties.battle import Aim, Chooses
from solver.errors import BattleError, quoted
from solver.game import Question

MOST_WORK = 5e9
"""The most work, in the unit of `Meter`, if nobody says how much."""
CHOOSERS: dict[str, Chooses] = {"attacker": (True, False), "defender": (False, True), "both": (True, True)}


def ask_casualties(battle: AxisBattle, chooses: Chooses, aim: Aim) -> Question:
    """Return the question for the best casualties.

    Args:
        battle: The battle.
        chooses: Whether the attacker and whether the defender chooses.
        aim: "takes" or "profit".
    """
    return Question("casualties", battle, (chooses, aim), partial(answer_casualties, battle, chooses, aim))


def answer_casualties(battle: AxisBattle, chooses: Chooses, aim: Aim, most: float = MOST_WORK) -> dict[str, Any]:
    """Return the best casualties as a JSON document.

    Args:
        battle: The battle.
        chooses: Whether the attacker and whether the defender chooses.
        aim: "takes" or "profit".
        most: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: It takes more.
    """
    return casualties_to_dict(find_casualties(battle, chooses, aim, most), aim)


def read_choosers(document: dict[str, Any]) -> tuple[Chooses, Aim]:
    """Take the fields about choices out of a document: who chooses, and what they aim at.

    Args:
        document: The document.

    Raises:
        BattleError: A field is wrong; the error names it.
    """
    given = {"chooses": document.pop("chooses", "both"), "aim": document.pop("aim", "takes")}
    for name, known in (("chooses", (*SIDES, "both")), ("aim", get_args(Aim))):
        if not isinstance(given[name], str) or given[name] not in known:
            raise BattleError(
                name,
                "the {name} must be one of {known}, not {value}",
                name=name,
                known=", ".join(known),
                value=quoted(given[name]),
            )
    aim: Aim = "takes" if given["aim"] == "takes" else "profit"
    return CHOOSERS[given["chooses"]], aim
