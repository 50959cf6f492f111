"""Losses that players choose in live battles of Axis & Allies: every way, the chance after each, and the end."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver.axis.live.choices import CHOICES, order_or_wish, way_chances
from solver.axis.live.fight import MOST_CHOICES, AxisFight
from solver.axis.live.losses import MOST_WAYS, Toll
from solver.axis.sides import Retreat, Ruling
from solver.errors import BattleError
from solver.game import SIDES
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import battle
from tests.helpers.solver.axis_chosen import swing
from tests.helpers.solver.axis_fought import any_battle, by_order, dice, volleys
from tests.helpers.solver.axis_hits import FOUGHT, after_first, chance, loses, started, thrown

# Every way against hits that fall one by one ---------------------------------------------------------------

Ship = tuple[str, int]
"""A unit and how many hits it still takes."""


def individuals(toll: Toll, left: tuple[int, ...], segments: Any) -> tuple[Ship, ...]:
    """Every unit that is left, each by itself."""
    spare = Counter({s.unit.name: count for s, count in zip(segments, left, strict=True) if s.spare})
    found: list[Ship] = []
    for segment, count in zip(segments, left, strict=True):
        for _ in range(0 if segment.spare else count):
            name = segment.unit.repaired or segment.unit.name
            whole = not segment.unit.repaired and spare[name] > 0
            spare[name] -= whole
            found.append((name, 1 + whole))
    return tuple(sorted(found))


def may_take(reach: str, name: str) -> bool:
    """Who may be hit by whom, by the rulebook."""
    plane, sub = name in ("fighter", "bomber"), name == "submarine"
    return {"any": True, "ships": not plane, "surface": not sub, "planes": plane}[reach]


def one_by_one(ships: tuple[Ship, ...], hits: list[str]) -> set[tuple[Ship, ...]]:
    """What may be left when each hit takes any unit that it may take, transports last."""
    found = {ships}
    for reach in hits:
        after = set()
        for here in found:
            legal = {ship for ship in here if may_take(reach, ship[0])}
            legal = {ship for ship in legal if ship[0] != "transport"} or legal
            for ship in legal:
                rest = list(here)
                rest.remove(ship)
                after.add(tuple(sorted([*rest, (ship[0], 1)] if ship[1] > 1 else rest)))
            after |= set() if legal else {here}
        found = after
    return found


@pytest.mark.whole
def test_the_choices_of_losses_are_those_of_single_hits() -> None:
    stages, many = Counter[str](), 0
    for fight in volleys(range(350)):
        assert fight.volley
        before = fight.volley.before
        for place, side in enumerate(SIDES):
            toll, segments = fight.volley.toll(side), before.segments[place]
            salvo, counts = before.salvos()[1 - place], fight.volley.hits[1 - place]
            shots = salvo.shots([np.array([count]) for count in counts])
            hits = [reach for reach, number in shots for _ in range(int(number[0]))]
            there = individuals(toll, (before.attack, before.defence)[place].active, segments)
            expected = one_by_one(there, hits)
            found = [individuals(toll, toll.after(way), segments) for way in toll.ways]
            assert len(set(found)) == len(found) == len(expected)
            assert set(found) == expected
            assert all(toll.allows(way) for way in toll.ways)
            assert toll.ways[0] == toll.order
            many += len(expected) > 4
            stages[before.stage] += len(expected) > 1
            for kind in range(len(toll.kinds)):
                wrong = [*toll.order]
                wrong[kind] = wrong[kind][0] + 1, wrong[kind][1]
                assert not toll.allows(tuple(wrong))
    assert many > 50
    assert min(stages[stage] for stage in ("guns", "strike", "fire")) > 5


def test_choices_of_losses_near_the_casualty_order_are_listed() -> None:
    fleet = "6 submarine, 6 destroyer, 6 cruiser, 6 fighter, 6 carrier, 6 battleship"
    start = started(battle("sea", fleet, fleet))
    after = start.throw(lambda _sides: 1)[1]
    assert after.volley
    toll = after.volley.toll("attacker")
    assert len(toll.ways) == MOST_WAYS
    assert len(set(toll.ways)) == MOST_WAYS
    left = 7 * 6 - sum(after.volley.hits[1])
    choice = loses("attacker", {"battleship": 6}, submarine=6, destroyer=6, cruiser=6, fighter=5, battleship=6)
    choice["lose"] |= {"carrier": 6 - (left - 1)}
    assert toll.read(choice["lose"], choice["damage"]) not in toll.ways
    chosen = after.choose(choice)
    assert chosen.left[0] == {"fighter": 1, "carrier": left - 1}
    assert len(way_chances(after, "defender", 10**8).ways) >= 12


@each([(22, True), (23, True), (24, False)])
def test_a_full_list_of_choices_of_losses_is_complete(hits: int, complete: bool) -> None:
    fought = battle("land", "30 infantry, 30 tank, 30 fighter", "1 infantry")
    toll = Toll(fought.segments("attack"), (30, 30, 30), (30 - hits, 30, 30), (("any", hits),))
    assert len(toll.ways) == min((hits + 1) * (hits + 2) // 2, MOST_WAYS)
    assert toll.complete == complete


def test_800_units_choose_losses_from_400_surprise_hits() -> None:
    fleet = "400 submarine, 400 fighter"
    after = started(battle("sea", f"{fleet}, 1 cruiser", f"{fleet}, 1 destroyer")).throw(lambda _sides: 1)[1]
    # Only the defender has a destroyer, so that only its submarines hit by surprise, and they cannot hit planes.
    assert after.choosers == ("attacker",)
    assert after.volley
    assert len(after.volley.toll("attacker").ways) == 2, "all submarines, or the cruiser and all submarines but one"


# Choosing --------------------------------------------------------------------------------------------------


def test_the_last_choice_of_losses_before_a_throw_counts() -> None:
    after, choice = after_first(FOUGHT["land"]), FOUGHT["land"][2]
    assert after.choosers == ("attacker", "defender")
    twice = after.choose(choice).choose(loses("defender", tank=1)).choose(loses("attacker", fighter=1, tank=1))
    assert twice.left == ({"infantry": 2, "tank": 1}, {"infantry": 3})
    assert twice.volley
    assert twice.volley.choices == 3
    next_one = twice.throw(dice(1))[1]
    assert next_one.volley is None or next_one.volley.before.left == twice.left


@each(
    [
        ({}, "here a side chooses its losses"),
        (None, "here a side chooses its losses"),
        ([["side"]], "here a side chooses its losses"),
        ({"side": "attacker"}, "here a side chooses its losses"),
        ({"side": ["attacker"], "lose": {}}, "here a side chooses its losses"),
        ({"side": "nobody", "lose": {"tank": 2}}, "here a side chooses its losses"),
        ({"side": "attacker", "lose": {"tank": 2}, "damage": {}}, "here a side chooses its losses"),
        ({"side": "attacker", "lose": {"tank": 2}, "more": 1}, "here a side chooses its losses"),
        ({"side": "attacker", "lose": {"tank": True}}, "a choice of losses names units and how many of each"),
        ({"side": "attacker", "lose": {"tank": -2}}, "a choice of losses names units and how many of each"),
        ({"side": "attacker", "lose": {"tank": 2.0}}, "a choice of losses names units and how many of each"),
        ({"side": "attacker", "lose": [2]}, "a choice of losses names units and how many of each"),
        ({"side": "attacker", "lose": {"atlantis": 2}}, 'there is no "atlantis" that could be lost here'),
        ({"side": "attacker", "lose": {"tank": 1}}, "these losses don't fit the hits"),
        ({"side": "attacker", "lose": {"tank": 3}}, "these losses don't fit the hits"),
        ({"side": "attacker", "lose": {"tank": 10**30}}, "these losses don't fit the hits"),
        ({"side": "attacker", "lose": {"tank": 1}, "damage": {"tank": 1}}, "these losses don't fit the hits"),
        ({"side": "attacker", "lose": {"infantry": 2}}, "these are the losses already"),
    ]
)
def test_forbidden_losses_are_refused_with_a_reason(choice: Any, reason: str) -> None:
    after = after_first(FOUGHT["land"])
    with pytest.raises(BattleError) as error:
        after.choose(choice)
    assert error.value.reason == reason


def test_losses_are_not_chosen_before_a_throw_or_after_a_retreat() -> None:
    start, after, choice = started(FOUGHT["land"][0]), after_first(FOUGHT["land"]), FOUGHT["land"][2]
    for fight in (start, after.retreat()):
        assert fight.choosers == ()
        with pytest.raises(BattleError):
            fight.choose(choice)
    for again in range(MOST_CHOICES):
        after = after.choose(choice if again % 2 == 0 else loses("attacker", infantry=2))
    with pytest.raises(BattleError):
        after.choose(choice)


# The end ---------------------------------------------------------------------------------------------------


def test_a_battle_waits_for_a_choice_that_can_change_its_end() -> None:
    start = started(battle("land", "1 infantry, 1 fighter", "1 infantry"))
    after = thrown(start, 3, 6, 2)
    assert (after.ended, after.pending, after.asked, after.resting) == (None, "cleared", ("attacker",), True)
    assert (chance(after), after.next_dice(), after.retreat()) == (0, ([], []), after)
    assert CHOICES.due(after)
    assert CHOICES.chooser(after) == "attacker"
    kept = after.choose(order_or_wish(after))
    assert (kept.ended, kept.left) == ("cleared", ({"fighter": 1}, {}))
    other = after.choose(loses("attacker", fighter=1))
    assert (other.ended, other.left) == ("won", ({"infantry": 1}, {}))
    assert [round(way.chance) for way in way_chances(after, "attacker").ways] == [1, 0]


def test_a_battle_ends_at_once_if_no_choice_changes_its_end() -> None:
    won = thrown(started(battle("land", "2 tank, 1 infantry", "1 infantry")), 3, 6, 6, 2)
    assert (won.ended, won.volley, won.choosers) == ("won", None, ())
    gone = thrown(started(battle("land", "1 tank, 1 infantry", "2 infantry")), 6, 6, 1, 2)
    assert gone.ended == "lost"


@pytest.mark.parametrize("ruling", [Ruling.CHOSEN_IN_WAVES, Ruling.CHOSEN_TO_THE_END])
def test_a_battle_waits_for_losses_that_cost_less_since_the_rules_say_so(ruling: Ruling) -> None:
    waits = ruling == Ruling.CHOSEN_TO_THE_END
    state = (None, "lost", ("defender",)) if waits else ("lost", None, ())
    guns = started(battle("land", "1 fighter, 1 cruiser", "1 aa_gun, 1 infantry", ruling=ruling))
    after = thrown(thrown(guns, 1), 3)
    assert (after.ended, after.pending, after.asked) == state
    deck = started(
        battle("sea", "1 cruiser", "1 carrier, 1 fighter, 1 cruiser", crash_stranded_fighters=True, ruling=ruling)
    )
    after = thrown(deck, 3, 2, 6, 6)
    assert (after.ended, after.pending, after.asked) == state
    assert after.left[1] == {"cruiser": 1}, "without the carrier the fighter is lost, too"
    if waits:
        kept = after.choose(loses("defender", fighter=1))
        assert (kept.ended, kept.left[1]) == ("lost", {"carrier": 1, "cruiser": 1})


def test_a_battle_that_ends_at_once_could_not_end_better() -> None:
    ended = 0
    for seed in range(pick(40, 200)):
        fight, throw = started(any_battle(random.Random(seed))), 1000 * seed
        while not fight.ended:
            throw += 1
            after = fight.throw(dice(throw))[1]
            # In one of several waves every choice is asked for, so that its losses are still open.
            open_end = replace(fight, in_waves=True).throw(dice(throw))[1]
            for side in open_end.choosers if after.ended else ():
                assert open_end.volley
                toll, sign = open_end.volley.toll(side), 1 if side == "attacker" else -1
                ends = [open_end.volley.outcome(side, toll.after(way)) for way in toll.ways]
                assert {end.ended for end in ends} == {after.ended}
                assert sign * swing(after) >= max(sign * swing(end) for end in ends) - 1e-9
                ended += 1
            fight = by_order(after)
    assert ended > 5


def test_retreat_rules_follow_the_chosen_losses() -> None:
    few = replace(battle("sea", "2 battleship, 1 cruiser", "2 cruiser"), retreat=Retreat(units_at_most=2))
    after = thrown(started(few), 6, 6, 6, 1, 6)
    assert after.ended is None
    assert after.left[0] == {"battleship": 1, "damaged_battleship": 1, "cruiser": 1}
    lost = after.choose(loses("attacker", cruiser=1))
    assert (lost.ended, lost.gone[0]) == ("stopped", {"battleship": 2})


def test_after_one_side_chose_the_other_may_change_the_end() -> None:
    start = started(battle("sea", "1 submarine, 1 cruiser", "1 submarine, 1 fighter"))
    assert start.ended is None
    found = set()
    for seed in range(pick(40, 200)):
        fight, source = started(start.battle), dice(seed)
        while not fight.ended and not fight.pending:
            fight = fight.throw(source)[1]
        found.add(fight.asked)
        for _ in fight.asked:
            fight = fight.choose(order_or_wish(fight))
        assert fight.ended
    assert found >= {(), ("attacker",)} or found >= {(), ("defender",)}


def test_in_logs_of_earlier_rules_losses_are_not_chosen() -> None:
    for ruling in (1, 2):
        start = started(battle("land", "1 infantry, 1 fighter", "1 infantry", ruling=ruling))
        after = thrown(start, 3, 6, 2)
        assert (after.ended, after.volley, after.choosers) == ("cleared", None, ())
        on = thrown(start, 6, 6, 2)
        assert (on.ended, on.volley) == (None, None)
        with pytest.raises(BattleError):
            on.choose(loses("attacker", fighter=1))


def test_equal_dice_lead_to_equal_stages_by_old_and_new_rules() -> None:
    for seed in range(pick(20, 60)):
        fought = any_battle(random.Random(seed))
        new, old = started(fought), started(replace(fought, ruling=2))
        one, other = dice(seed), dice(seed)
        while not old.ended:
            kept = by_order(new.throw(one)[1])
            assert isinstance(kept, AxisFight)
            new, old = kept, old.throw(other)[1]
            assert (new.left, new.gone, new.rounds, new.ended) == (old.left, old.gone, old.rounds, old.ended)
