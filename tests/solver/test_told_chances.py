"""Chances in documents are between 0 and 1, whatever rounding does to a sum."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.questions import read_question
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import RULES

FILES = ("armies", "axis1942", "axis1942_waves", "bombing", "dice_battles")
ROUNDED = 1e-9
"""A number this near to 0 or 1 that is outside of both is a chance that rounding has spoiled."""
LOSSES = {"attacker_loss", "defender_loss", "loss", "damage", "units_lost"}
AMOUNTS = LOSSES | {"rounds", "attackers_left", "defenders_left"}


def numbers(value: Any) -> Iterator[float]:
    """All numbers of a document but those that are amounts."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name not in AMOUNTS:
                yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, float):
        yield value


@each(FILES)
def test_no_chance_in_a_document_is_less_than_0_or_more_than_1(name: str) -> None:
    cases = json.loads((Path(__file__).parents[1] / "data" / f"{name}.json").read_text())
    for case in cases[: pick(12, 60)]:
        found = read_question(case["battle"], {"axis1942": RULES}).work()
        spoiled = [number for number in numbers(found) if -ROUNDED < number < 0 or 1 < number < 1 + ROUNDED]
        assert not spoiled, case["id"]
