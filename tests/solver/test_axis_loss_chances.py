"""The chance to win a live battle of Axis & Allies after losses that players choose, against slow twins."""

from dataclasses import replace
from typing import Any

import pytest

from solver.axis.live.choices import axis_chances, way_chances
from solver.axis.live.fight import AxisFight
from solver.axis.live.stage import plan_of
from solver.axis.sides import Retreat
from solver.axis.solve import solve_axis
from solver.errors import TooLargeError
from solver.game import SIDES
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import battle, units
from tests.helpers.solver.axis_fought import by_order, dice, key, ways
from tests.helpers.solver.axis_hits import FOUGHT, Case, after_first, chance, hit, loses, started


@each(FOUGHT)
def test_the_chance_after_chosen_losses_is_that_of_the_units_left(name: str) -> None:
    fought, _, choice = FOUGHT[name]
    after = after_first(FOUGHT[name])
    chosen = after.choose(choice)
    assert chosen != after
    while not chosen.resting:
        chosen = hit(chosen, 0, 0)
    ours, theirs = (
        units(", ".join(f"{count} {unit}" for unit, count in side.items()), *army.loss_order)
        for side, army in zip(chosen.left, (fought.attacker, fought.defender), strict=True)
    )
    ours = replace(ours, keep_land=fought.attacker.keep_land and min(1, ours.count("infantry")))
    fresh = replace(fought, attacker=ours, defender=theirs, aa_already_fired=True)
    if name in ("kept", "guns last but one"):
        # The units that are lost last keep their places in the order of loss that was fixed before the battle.
        fresh = replace(fresh, defender=replace(theirs, loss_order=("infantry", "aa_gun", "tank")))
    assert chance(chosen) == pytest.approx(solve_axis(fresh, 0).wins, abs=1e-9)


def means(fight: AxisFight) -> dict[Any, float]:
    """The chance to win in every stage that may follow, from every way in which the dice can fall: a slow twin."""
    waiting, stages = [fight], {}
    while waiting:
        here = waiting.pop()
        if key(here) not in stages:
            following = [] if here.ended else list(ways(here))
            stages[key(here)] = here, following
            waiting += [after for _, after in following if isinstance(after, AxisFight)]
    found = {place: float(here.ended == "won") for place, (here, _) in stages.items()}
    change = 1.0
    while change > 1e-14:
        change = 0.0
        for place, (here, following) in stages.items():
            if not here.ended:
                now = sum(share * found[key(after)] for share, after in following)
                change, found[place] = max(change, abs(now - found[place])), now
    return found


PLANNED = battle("land", "3 infantry, 2 tank, 1 fighter", "3 infantry, 1 tank", retreat=Retreat(win_chance_below=0.3))
TWINS: dict[str, Case] = {
    **{name: FOUGHT[name] for name in ("guns", "strike", "land", "kept", "damaged", "sea")},
    "limit": (replace(FOUGHT["land"][0], round_limit=3), *FOUGHT["land"][1:]),
    "limit in a round": (replace(FOUGHT["guns"][0], round_limit=2), *FOUGHT["guns"][1:]),
    "planned": (PLANNED, (2, 2), loses("attacker", tank=1, fighter=1)),
    "low luck": (replace(FOUGHT["land"][0], dice="low_luck"), (1, 0), loses("attacker", tank=1)),
    "landed": (
        battle("land", "2 amphibious_infantry, 2 tank, 1 fighter", "3 infantry", round_limit=3),
        (1, 2),
        loses("attacker", tank=1, amphibious_infantry=1),
    ),
}


@each(pick(["guns", "strike", "sea", "low luck", "landed"], TWINS))
def test_the_chance_after_chosen_losses_is_the_mean_over_all_dice(name: str) -> None:
    chosen = after_first(TWINS[name]).choose(TWINS[name][2])
    assert not chosen.ended
    expected = means(chosen)
    assert chance(chosen) == pytest.approx(expected[key(chosen)], abs=1e-9)
    follow = by_order(chosen.throw(dice(5))[1])
    assert isinstance(follow, AxisFight)
    if not follow.ended:
        assert chance(follow) == pytest.approx(expected[key(follow)], abs=1e-9)


def test_stages_asked_together_have_the_chances_of_single_stages() -> None:
    start, after = started(FOUGHT["sea"][0]), after_first(FOUGHT["sea"])
    stages = [start, after, after.choose(FOUGHT["sea"][2]), after.choose(loses("defender", destroyer=1))]
    assert axis_chances(stages) == pytest.approx([chance(stage) for stage in stages], abs=1e-9)


# The best ways ---------------------------------------------------------------------------------------------


def test_choices_of_losses_are_listed_best_first() -> None:
    fought = battle("land", "2 infantry, 2 tank, 1 fighter", "4 infantry, 1 fighter", round_limit=100)
    after = hit(started(fought), 1, 2)
    assert after.choosers == SIDES
    for side, sign in zip(SIDES, (-1, 1), strict=True):
        found = way_chances(after, side).ways
        chances = [way.chance for way in found]
        assert chances == sorted(chances, key=lambda one: sign * one)
        assert sum(way.by_order for way in found) == sum(way.now for way in found) == 1
        for way in found:
            if not way.now:
                assert chance(after.choose(way.choice)) == pytest.approx(way.chance, abs=1e-9)


def test_large_battles_compare_fewer_choices_of_losses() -> None:
    fleet = "9 submarine, 9 destroyer, 9 cruiser, 9 fighter, 9 carrier"
    after = started(battle("sea", fleet, fleet)).throw(lambda _sides: 2)[1]
    with pytest.raises(TooLargeError):
        way_chances(after, "attacker", 10**4)


def test_the_plan_for_known_forces_is_computed_once() -> None:
    after = after_first(TWINS["planned"])
    assert after.volley
    toll, plan = after.volley.toll("attacker"), plan_of(after.battle)
    assert plan
    lefts = [toll.after(way) for way in toll.ways]
    after.volley.plan_for("attacker", lefts)
    known = plan._parts
    after.volley.plan_for("attacker", lefts)
    after.volley.plan_for("attacker", lefts[:2])
    assert plan._parts is known
