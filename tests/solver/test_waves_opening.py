"""Several waves in an edition in which planes fight each other first: every wave has a battle in the air of its own."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.editions import editions
from solver.axis.best.wave_parts import wave_parts_odds
from solver.axis.packs import rules_of_pack
from solver.axis.units import Role
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.steps import START, PlaceWorths, waves_worth
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.progress import Meter
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_opening_brute as brute
from tests.helpers.solver.axis_battles import NUMBERS
from tests.helpers.solver.axis_fought import check_that_chances_are_means
from tests.helpers.solver.axis_opening_brute import OF_1914, OF_1942

OF = {"1914": editions()["1914"].rules, "1942": rules_of_pack("axis1942", NUMBERS | {"air_battle": 2})}
LAND = ("infantry", "artillery", "tank")


def waves(key: str, *every: tuple[dict[str, int], dict[str, int]], hold: bool = False, **more: Any) -> Waves:
    """Waves of attackers and of defenders who are there or join; perhaps the last one is a counter-attack."""
    given: list[dict[str, Any]] = [
        {"attacker": {"units": ours}, "defender": {"units": theirs}} for ours, theirs in every
    ]
    given[-1] |= {"previous_attackers_defend": True} if hold else {}
    read = battle_from_dict({"game": f"axis{key}", "theatre": "land", "waves": given, **more}, OF[key])
    assert isinstance(read, Waves)
    return read


def taken_by_ships(ours: dict[str, int], theirs: dict[str, int]) -> Fraction:
    """The chance of the second attack of two, after the first has left these defenders."""
    ends = brute.ends(OF_1942, ours, theirs)
    return sum((share for (left, there), share in ends.items() if not there and counts(left, LAND)), Fraction(0))


def test_ships_bombard_first_in_every_wave() -> None:
    first, again = {"infantry": 1, "cruiser": 2}, {"tank": 1, "battleship": 1}
    theirs = {"infantry": 2, "artillery": 1}
    chance = Fraction(0)
    for (left, there), share in brute.ends(OF_1942, first, theirs).items():
        captured = not there and bool(counts(left, LAND))
        chance += share * (1 if captured else taken_by_ships(again, counts(there)))
    rules = rules_of_pack("axis1942", NUMBERS | {"bombardment_first": True})
    given = [
        {"attacker": {"units": first}, "defender": {"units": theirs}},
        {"attacker": {"units": again}, "defender": {"units": {}}},
    ]
    both = battle_from_dict({"game": "axis1942", "theatre": "land", "waves": given}, rules)
    assert isinstance(both, Waves)
    wanted = pytest.approx(float(chance), abs=1e-9)
    assert solve_waves(both, 0).hold_chance(0) == wanted
    assert PlaceWorths(both, Meter()).find([START])[0, 0, 0] == wanted
    check_that_chances_are_means(both, float(chance))


def counts(side: brute.Side, kinds: tuple[str, ...] = (*LAND, "fighter")) -> dict[str, int]:
    return dict(Counter(name for name in side if name in kinds))


def taken(ours: dict[str, int], theirs: dict[str, int], dice: str) -> tuple[Fraction, brute.Law]:
    """The chance to take a territory, and the joint law of the ends."""
    law = brute.ends(OF_1914, ours, theirs, dice)
    return sum((share for (left, there), share in law.items() if not there and counts(left, LAND)), Fraction(0)), law


def hold_chance(first: Any, then: Any, hold: bool, dice: str) -> Fraction:
    """The chance that the first attacker holds the territory in the end, by the slow twin."""
    chance = Fraction(0)
    for (left, there), share in taken(first[0], first[1], dice)[1].items():
        captured = not there and bool(counts(left, LAND))
        if captured != hold:
            chance += share * captured
            continue
        defenders = counts(left, LAND) if hold else counts(there)
        joined = {name: defenders.get(name, 0) + then[1].get(name, 0) for name in (*LAND, "fighter")}
        won = taken(then[0], joined, dice)[0]
        chance += share * (1 - won if hold else won)
    return chance


side = st.fixed_dictionaries({name: st.integers(0, 1) for name in LAND} | {"fighter": st.integers(0, 2)}).filter(
    lambda units: any(units.values())
)


@examples(pick(40, 60), derandomize=True)
@given(side, side, side, st.integers(0, 1), st.booleans(), st.sampled_from(["standard", "low_luck"]))
def test_every_wave_has_a_battle_in_the_air(
    ours: dict[str, int], theirs: dict[str, int], then: dict[str, int], joins: int, hold: bool, dice: str
) -> None:
    every = (ours, theirs), (then, {"fighter": joins})
    there = waves("1914", *every, hold=hold, dice=dice)
    wanted = pytest.approx(float(hold_chance(*every, hold, dice)), abs=1e-9)
    assert solve_waves(there, 0).hold_chance(0) == wanted
    assert waves_worth(there, Meter()).holds == wanted
    assert PlaceWorths(there, Meter()).find([START])[0, 0, 0] == wanted


EVERY = ({"infantry": 2, "fighter": 2}, {"infantry": 1, "fighter": 1}), ({"tank": 1, "fighter": 2}, {"fighter": 1})


@each([(key, hold, role) for role in ["attack", "defence"] for hold in [False, True] for key in OF])
def test_every_part_of_an_army_in_waves_with_openings_has_its_odds(key: str, hold: bool, role: Role) -> None:
    there = waves(key, *EVERY, hold=hold)
    found = wave_parts_odds(there, role, 1e12)
    for units, chance in zip(found.units.tolist(), found.values["wins"].tolist(), strict=True):
        part = {name: count for name, count in zip(found.names, units, strict=True) if count}
        first = (part, EVERY[0][1]) if role == "attack" else (EVERY[0][0], part)
        alone = solve_waves(waves(key, first, EVERY[1], hold=hold), 0).hold_chance(0)
        assert chance == pytest.approx(alone, abs=1e-9)


@each([(key, hold) for hold in [False, True] for key in OF])
def test_chances_of_waves_after_an_opening_throw_average_out(key: str, hold: bool) -> None:
    small: Any = ({"infantry": 1, "fighter": 1}, {"fighter": 1}), ({"infantry": 1, "fighter": 1}, {})
    there = waves(key, *small, hold=hold)
    check_that_chances_are_means(there, solve_waves(there, 0).hold_chance(0))


def test_lookahead_counts_the_battle_in_the_air() -> None:
    plan = {"retreat": {"profit_below": 0.0}}
    given: list[dict[str, Any]] = [
        {"attacker": {"units": ours}, "defender": {"units": theirs}} for ours, theirs in EVERY
    ]
    given[0] |= plan
    given[1] |= {"previous_attackers_defend": True}
    there = battle_from_dict(
        {"game": "axis1914", "theatre": "land", "look_ahead": True, "territory_value": 9, "waves": given}, OF["1914"]
    )
    assert isinstance(there, Waves)
    odds = solve_waves(there, 0)
    assert odds.hold_chance(0) == pytest.approx(waves_worth(there, Meter()).holds, abs=1e-9)
