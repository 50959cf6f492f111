"""Battles in which each side has one kind of unit, so that choosing changes nothing: all answers are the usual ones."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.axis.casualties.limits import chosen_odds
from solver.axis.endings import endings_to_dict
from solver.axis.limits import battle_odds_within
from solver.axis.odds import AxisOdds
from solver.axis.sides import CHOOSERS, Aim, Chooses
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import battle_from_dict
from tests.helpers.extent import examples
from tests.helpers.solver.any_axis_battle import Document
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_chains import chain

KINDS = {
    "land": ["infantry", "artillery", "tank", "fighter", "bomber"],
    "sea": ["submarine", "destroyer", "carrier", "cruiser", "battleship", "damaged_battleship", "fighter", "transport"],
}
MUCH = 10**9


@st.composite
def of_one_kind(draw: st.DrawFn, most_waves: int, plan: Document) -> Document:
    """A battle on land or at sea in which each side has one kind of unit in all waves; ships may bombard."""
    theatre = draw(st.sampled_from(sorted(KINDS)))
    kinds = [draw(st.sampled_from(KINDS[theatre])) for _side in range(2)]
    waves: list[Document] = []
    for number in range(draw(st.integers(1, most_waves))):
        hold = bool(number) and draw(st.booleans())
        kinds = kinds[::-1] if hold else kinds
        ships: dict[str, int] = draw(st.dictionaries(st.just("cruiser"), st.just(1))) if theatre == "land" else {}
        crash = {"crash_stranded_fighters": draw(st.booleans()), "crash_attacking_fighters": draw(st.booleans())}
        waves.append(
            document(
                {kinds[0]: draw(st.integers(1, 4))} | ships,
                {kinds[1]: draw(st.integers(0, 4))},
                theatre=theatre,
                **plan | (crash if theatre == "sea" else {}) | ({"previous_attackers_defend": True} if hold else {}),
                round_limit=draw(st.sampled_from([None, None, 1, 2])),
            )
        )
    rules: Document = {"dice": draw(st.sampled_from(["standard", "low_luck"])), "decline_allowed": draw(st.booleans())}
    return chain(*waves, **rules, deadzone=draw(st.booleans()), territory_value=draw(st.sampled_from([0, -3.5, 6.5])))


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """All that a document says, each with its place; rows of a table are at the place of what they are about."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{name}.{key}")
    elif isinstance(value, list) and value and isinstance(value[0], list):
        for *said, chance in value:
            yield f"{name} {json.dumps(said, sort_keys=True)}", chance
    elif name.endswith(".endings") and isinstance(value, list):
        yield from leaves([[{**row, "chance": None}, row["chance"]] for row in value], name)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, f"{name}.{place}")
    else:
        yield name, value


def said_of(odds: AxisOdds | WavesOdds) -> dict[str, Any]:
    return dict(leaves(odds.to_dict() | endings_to_dict(odds)))


HALF = chain(document({"tank": 1}, {"infantry": 1}), document({"tank": 1}, {"infantry": 3}), dice="low_luck")
"""In its first wave a certain profit or less has a chance of just a half."""
CHOOSES = st.lists(st.sampled_from(sorted(CHOOSERS.values())), min_size=3, max_size=3)
AIMS: st.SearchStrategy[Aim] = st.sampled_from(["takes", "profit"])


@examples(60)
@given(of_one_kind(3, {}), CHOOSES, AIMS)
@example(HALF, [(False, True), (True, True)], "takes")
def test_without_a_choice_the_document_is_that_of_the_casualty_orders(
    battle: Document, chooses: list[Chooses], aim: Aim
) -> None:
    waves = battle_from_dict(battle, RULES)
    chosen = waves.with_choices(chooses[: len(waves.battles)], aim)
    usual = said_of(battle_odds_within(waves, 0.0, MUCH))
    assert said_of(chosen_odds(chosen, 0.0, MUCH)) == pytest.approx(usual, rel=0, abs=1e-8)


@examples(60)
@given(of_one_kind(1, {"retreat": {"profit_below": 0}}), st.sampled_from(sorted(CHOOSERS.values())))
@example(document({"infantry": 2}, {}, retreat={"profit_below": 0}, deadzone=True), (True, True))
def test_choosing_declines_the_battles_that_a_plan_for_profit_declines(battle: Document, chooses: Chooses) -> None:
    waves = battle_from_dict(battle, RULES)
    usual, chosen = (
        odds
        for odds in (
            battle_odds_within(waves, 0.0, MUCH),
            chosen_odds(waves.with_choices([chooses], "profit"), 0.0, MUCH),
        )
        if isinstance(odds, AxisOdds)
    )
    assert chosen.declined == usual.declined
    assert chosen.profits @ chosen.chances == pytest.approx(usual.profits @ usual.chances, rel=0, abs=1e-8)
    if usual.declined:  # Otherwise one stops where to go on is as good, and the other does not.
        assert said_of(chosen) == pytest.approx(said_of(usual), rel=0, abs=1e-8)
