"""The chance to win after losses that a side chooses, if it goes on choosing, against every die and every choice."""

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from solver.axis.live.choices import way_chances
from solver.axis.live.foresight import MOST_FORESEEN, chances_with_choices
from solver.axis.sides import Retreat
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import battle, units
from tests.helpers.solver.axis_chosen import FOUGHT, best
from tests.helpers.solver.axis_fought import volleys
from tests.helpers.solver.axis_hits import chance, hit, loses, started


@each(pick(["guns", "kept", "leaving", "sea", "damaged"], FOUGHT))
def test_a_side_that_goes_on_choosing_has_its_best_chance(name: str) -> None:
    fought, hits = FOUGHT[name]
    after = hit(started(fought), *hits)
    assert after.choosers
    for side in after.choosers:
        found = way_chances(after, side)
        assert found.chooses
        assert found.complete
        assert after.volley
        toll = after.volley.toll(side)
        losses = [toll.read(way.choice["lose"], way.choice.get("damage", {})) for way in found.ways]
        expected = best([after.volley.outcome(side, toll.after(lost)) for lost in losses], side)
        assert [way.chance for way in found.ways] == pytest.approx(expected, abs=1e-9)


def test_foresight_covers_later_rounds_and_earlier_choices() -> None:
    after = hit(started(battle("land", pick("2 tank, 1 fighter", "3 tank, 1 fighter"), "2 infantry, 1 tank")), 1, 1)
    chosen = after.choose(loses("defender", tank=1))
    later = hit(chosen, 0, 1)
    for fight in (chosen, later):
        assert fight.volley
        ways, toll = way_chances(fight, "attacker").ways, fight.volley.toll("attacker")
        left = [toll.after(toll.read(way.choice["lose"], {})) for way in ways]
        expected = best([fight.volley.outcome("attacker", army) for army in left], "attacker")
        assert [way.chance for way in ways] == pytest.approx(expected, abs=1e-9)


def test_units_kept_to_the_last_stay_last_after_choices() -> None:
    kept = units("1 infantry, 2 tank, 1 fighter", keep_land=1)
    after = hit(started(battle("land", "3 tank, 1 fighter", kept)), 2, 1)
    chosen = after.choose(loses("defender", tank=2))
    assert way_chances(after, "attacker").chooses
    assert not way_chances(chosen, "attacker").chooses


@pytest.mark.whole
def test_a_side_that_goes_on_choosing_never_does_worse_than_its_order() -> None:
    compared = 0
    for fight in volleys(range(60)):
        assert fight.volley
        for side in fight.choosers:
            toll, sign = fight.volley.toll(side), 1 if side == "attacker" else -1
            outcomes = [fight.volley.outcome(side, toll.after(way)) for way in toll.ways]
            if not any(fight.battle.submerge):
                found = chances_with_choices(fight.volley.before, outcomes, side, inf)
                assert all(sign * (ours - chance(after)) > -1e-9 for ours, after in zip(found, outcomes, strict=True))
                compared += len(found) > 2
    assert compared > 10


@each([{"round_limit": 3}, {"retreat": Retreat(units_at_most=1)}, {"dice": "low_luck"}, {"submerge": (True, True)}])
def test_foresight_is_off_beside_retreats_and_other_decisions(more: dict[str, Any]) -> None:
    after = hit(started(replace(battle("land", "2 tank, 2 fighter", "2 infantry, 1 tank"), **more)), 1, 0)
    found = way_chances(after, "defender")
    assert not found.chooses
    for way in found.ways:
        assert way.now or chance(after.choose(way.choice)) == pytest.approx(way.chance, abs=1e-9)


def test_losses_of_a_large_battle_are_compared_by_casualty_orders() -> None:
    fleet = "5 submarine, 5 destroyer, 5 cruiser, 5 fighter, 5 carrier"
    after = hit(started(battle("sea", fleet, fleet)), 2, 2)
    assert not way_chances(after, "attacker", MOST_FORESEEN).chooses
