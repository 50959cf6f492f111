"""What JSON documents may ask about units to place, and the answer as a document."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from solver.axis.units import Rules
from solver.documents import clamp_chance, clamp_chances
from solver.game import Question, QuestionKind
from solver.placing.limits import placements_within
from solver.placing.placements import Placement, Placements, place
from solver.placing.placing import Placing


def read_placing_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Rules]) -> Question | None:
    """Read the question "place", where to put units: see `Game`."""
    game = document.get("game")
    if kind != "place" or not isinstance(game, str) or game not in rules:
        return None
    return ask_placing(Placing.from_dict(document, rules[game]))


def ask_placing(placing: Placing) -> Question:
    """Return the question for the best placements.

    Args:
        placing: The units and the territories.
    """
    return Question(PLACE, placing)


def placements_to_dict(placing: Placing, found: Placements) -> dict[str, Any]:
    """Return the best placements as a JSON document.

    Args:
        placing: The units and the territories.
        found: The best placements; "reached" is false if they cannot hold enough territories.
    """
    to_dict = partial(_placement_to_dict, placing)
    simple = {"without": to_dict(found.without), "even": to_dict(found.even), "together": to_dict(found.together)}
    reached = placing.aim == "value" or found.held == placing.wanted
    alike = [list(names) for names in found.alike]
    return {"best": [to_dict(one) for one in found.best], "reached": reached, **simple, "alike": alike}


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


PLACE = QuestionKind("place", place, placements_to_dict, placements_within)
