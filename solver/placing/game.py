"""The entry of units to place in the registry of games, with their question: no battle, so nothing is rolled."""

from collections.abc import Mapping
from functools import partial
from math import prod
from typing import Any

from solver.axis.limits import TIMES
from solver.axis.own_units import take_rules
from solver.axis.solve import MOST_SECONDS, count_forces
from solver.axis.units import Rules
from solver.documents import clamp_chance, clamp_chances
from solver.errors import TooLargeError, explain_too_large
from solver.game import Game, Question, QuestionKind
from solver.placing.placements import Placement, Placements, place
from solver.placing.placing import Placing
from solver.progress import takes


def read_placing_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Rules]) -> Question | None:
    """Read the question "place", where to put units: see `Game`."""
    if kind != "place":
        return None
    return ask_placing(Placing.from_dict(document, take_rules(document, rules[document["game"]])))


def ask_placing(placing: Placing) -> Question:
    """Return the question for the best placements.

    Args:
        placing: The units and the territories.
    """
    return Question(PLACE, placing)


def _seconds(placing: Placing, _limit: int) -> float:
    shares = prod(count + 1 for _, count in placing.units)
    attacks = [territory.attack for territory in placing.territories]
    cells = sum(count_forces(attack.attacker, attack) for attack in attacks)
    return min(0.01 * len(attacks) + 2e-6 * shares * cells, 2 * MOST_SECONDS)


@takes(_seconds)
def placements_within(placing: Placing, limit: int) -> Placements:
    """Return the best placements of units: see `place`.

    Args:
        placing: The units and the territories.
        limit: The limit, in the unit of `Meter`; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    error = TooLargeError(
        "units", "there are too many placements to try them all; use up to 25 units against 20 in each territory"
    )
    with explain_too_large(error):
        return place(placing, TIMES * limit)


def _placements_to_dict(placing: Placing, answer: Placements) -> dict[str, Any]:
    """Return the best placements as a JSON document; "reached" is false if they cannot hold enough territories."""
    to_dict = partial(_placement_to_dict, placing)
    simple = {"without": to_dict(answer.without), "even": to_dict(answer.even), "together": to_dict(answer.together)}
    reached = placing.aim == "value" or answer.held == placing.wanted
    alike = [list(names) for names in answer.alike]
    return {"best": [to_dict(placement) for placement in answer.best], "reached": reached, **simple, "alike": alike}


def _placement_to_dict(placing: Placing, placement: Placement) -> dict[str, Any]:
    territories = [
        {"units": dict(units), "held": clamp_chance(chance), "value": territory.value}
        for units, chance, territory in zip(placement.shares, placement.chances, placing.territories, strict=True)
    ]
    return {
        "worth": placement.worth if placing.aim == "value" else clamp_chance(placement.worth),
        "territories": territories,
        "kept": dict(placement.kept),
        "exactly": clamp_chances(placement.law),
    }


PLACE = QuestionKind("place", place, _placements_to_dict, placements_within)
PLACING = Game("placing", Placing, ask=read_placing_question)
