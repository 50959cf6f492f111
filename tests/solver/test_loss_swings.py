"""The TUV swing after losses that a side chooses, and of a retreat, against every die and every choice."""

from dataclasses import replace
from typing import Any

import pytest

from solver.axis.live import choices
from solver.axis.live.choices import AnyFight, WayChance, player_of, wave_of, way_chances
from solver.axis.live.fight import AxisFight
from solver.axis.sides import Retreat
from solver.axis.units import ROLES
from solver.axis.waves.fight import WavesFight
from solver.errors import TooLargeError
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import battle
from tests.helpers.solver.axis_chosen import FOUGHT, best, swing, swings_in_waves
from tests.helpers.solver.axis_hits import hit, loses, started
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin


def outcome_of(fight: AnyFight, way: WayChance) -> AxisFight:
    """Where a way to take the hits leads."""
    volley, choice = wave_of(fight).volley, way.choice
    assert volley
    toll = volley.toll(choice["side"])
    left = toll.after(toll.read(choice["lose"], choice.get("damage", {})))
    return volley.outcome(choice["side"], left)


def lost_before(fight: AnyFight) -> float:
    """The TUV swing of the attacker of a wave up to the last volley, counted unit by unit."""
    volley = wave_of(fight).volley
    assert volley
    battle, lost = volley.before.battle, []
    for role, army, left in zip(ROLES, (battle.attacker, battle.defender), volley.before.left, strict=True):
        before, after = (
            sum(count * battle.worth.of(battle.rules.table[name], role) for name, count in counted)
            for counted in (army.units, left.items())
        )
        lost.append(before - after)
    return lost[1] - lost[0]


@each(pick(["planes", "alike", "kept", "sea", "damaged", "carrier"], FOUGHT))
def test_the_swing_is_that_of_a_side_that_goes_on_choosing_for_it(name: str) -> None:
    fought, hits = FOUGHT[name]
    after = hit(started(fought), *hits)
    assert after.choosers
    for side in after.choosers:
        found = way_chances(after, side)
        assert found.chooses
        expected = best([outcome_of(after, way) for way in found.ways], side, swing)
        assert [way.swing for way in found.ways] == pytest.approx(expected, abs=1e-9)


def test_the_swing_counts_from_the_last_volley_on() -> None:
    first = hit(started(battle("land", "2 tank, 1 fighter", "2 infantry, 1 tank")), 1, 1)
    later = hit(first.choose(loses("defender", tank=1)), 0, 1)
    assert lost_before(later) == 6 - 6
    later = hit(first, 0, 1)
    assert lost_before(later) == 3 - 6
    ways = way_chances(later, "attacker").ways
    worths = best([outcome_of(later, way) for way in ways], "attacker", swing)
    assert [way.swing for way in ways] == pytest.approx([worth - lost_before(later) for worth in worths], abs=1e-9)


@each([{"round_limit": 3}, {"retreat": Retreat(units_at_most=1)}, {"dice": "low_luck"}])
def test_beside_other_decisions_the_swing_is_that_of_the_casualty_orders(more: dict[str, Any]) -> None:
    first = hit(started(replace(battle("land", "2 tank, 1 fighter", "2 infantry, 1 tank"), **more)), 1, 0)
    ways = []
    for after in (first, hit(first, 1, 1)):
        for side in after.choosers:
            found = way_chances(after, side)
            assert not found.chooses
            ways += [(after, way) for way in found.ways]
    worths = best([outcome_of(after, way) for after, way in ways], None, swing)
    for (after, way), worth in zip(ways, worths, strict=True):
        assert way.swing == pytest.approx(worth - lost_before(after), abs=1e-9)


def test_a_retreat_costs_what_is_lost_in_the_volley() -> None:
    after = hit(started(battle("land", "2 tank, 2 fighter", "2 infantry, 1 tank")), 1, 1)
    costs = {"tank": 6, "fighter": 10}
    for way in way_chances(after, "attacker").ways:
        (lost,) = way.choice["lose"]
        assert way.retreat == 3 - costs[lost]
    landed = hit(started(battle("land", "1 tank, 1 amphibious_tank, 1 fighter", "2 infantry, 1 tank")), 0, 1)
    retreats = {next(iter(way.choice["lose"])): way.retreat for way in way_chances(landed, "attacker").ways}
    assert retreats == {"amphibious_tank": -6, "tank": None, "fighter": None}, "landed units stay and fight on"


def test_without_work_for_swings_there_are_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    after = hit(started(FOUGHT["planes"][0]), 0, 1)
    known = {way.chance for way in way_chances(after, "attacker").ways}

    def refuse(*_given: object) -> None:
        raise TooLargeError("units", "too much")

    monkeypatch.setattr(choices, "swings_with_choices", refuse)
    found = way_chances(after, "attacker").ways
    assert {way.chance for way in found} == known
    assert {way.swing for way in found} == {None}


WAVES = {
    "hold": ("2 inf 1 arm vs 1 inf 1 art then hold 1 inf 1 arm loss:arm,inf", (1, 1, 6, 1, 6)),
    "captured": ("2 inf 1 arm vs 1 inf 1 art then hold 1 inf 1 arm loss:arm,inf", (1, 1, 1, 1, 6)),
    "another attack": ("1 inf 1 arm vs 1 inf 1 art 1 arm then 1 inf 1 fig", (1, 6, 1, 6, 6)),
    "orders": ("1 inf 1 arm rounds:2 vs 1 inf 1 art then hold 1 arm", (1, 6, 1, 6)),
}


@each(pick(["captured", "another attack", "orders"], WAVES))
def test_the_swing_in_waves_counts_all_that_follows(name: str) -> None:
    line, fallen = WAVES[name]
    start = begin(parse(line).battle)
    assert isinstance(start, WavesFight)
    after = start.throw(script(*fallen))[1]
    assert wave_of(after).choosers
    for side in wave_of(after).choosers:
        found = way_chances(after, side)
        assert found.chooses == (name != "orders")
        player = player_of(after, side) if found.chooses else None
        expected = swings_in_waves(after, [outcome_of(after, way) for way in found.ways], player)
        assert [way.swing for way in found.ways] == pytest.approx(expected, abs=1e-9)
