"""Several waves of Axis & Allies, and bombing raids, on the table: scripted dice, and dice against odds."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import sqrt
from typing import Any

import pytest

from solver.axis.sides import Retreat
from solver.axis.units import Theatre
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves
from solver.raid.game import RaidFight
from solver.raid.raid import Raid
from solver.raid.solve import solve_raid
from tests.helpers.cases import each
from tests.helpers.solver.axis_battles import RULES, units
from tests.helpers.solver.axis_fought import check_that_chances_are_means, dice
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin, chances, next_dice


def waves(theatre: Theatre, *given: tuple[str, str, dict[str, Any]], look_ahead: bool = False) -> Waves:
    """Waves of an attack, who is fresh in the defence, and rules."""
    fields = [
        {"theatre": theatre, "attacker": units(attack), "defender": units(fresh), **rules}
        for attack, fresh, rules in given
    ]
    return Waves.of(RULES, fields, look_ahead)


def started(fought: Waves) -> WavesFight:
    fight = begin(fought)
    assert isinstance(fight, WavesFight)
    return fight


def thrown(fight: WavesFight, *fallen: int) -> WavesFight:
    """The waves after one throw that takes exactly these dice."""
    source = script(*fallen)
    _, after = fight.throw(source)
    with pytest.raises(StopIteration):
        source(6)
    return after


# Waves ----------------------------------------------------------------------------------------------------


def test_survivors_and_reinforcements_defend_in_the_next_wave() -> None:
    start = started(waves("land", ("1 infantry", "2 infantry", {}), ("2 tank", "1 fighter", {})))
    after = thrown(start, 1, 2, 6)
    assert (after.wave, after.side, after.resting, after.ended) == (1, 0, True, None)
    assert after.fight.left == ({"tank": 2}, {"infantry": 1, "fighter": 1})
    assert next_dice(after) == ([(2, 6, 3)], [(1, 6, 4), (1, 6, 2)])
    assert thrown(after, 3, 3, 4, 2).ended == "lost", "the territory stays with those who held it last"
    assert thrown(after, 3, 3, 4, 6).ended == "won"


def test_in_logs_of_the_first_rules_empty_territory_has_no_holder() -> None:
    today = waves("land", ("1 infantry", "2 infantry", {}), ("2 tank", "1 fighter", {}))
    old, second = (
        replace(today, battles=tuple(replace(battle, ruling=ruling) for battle in today.battles)) for ruling in (1, 2)
    )
    assert thrown(thrown(started(old), 1, 2, 6), 3, 3, 4, 2).ended == "nobody"
    assert solve_waves(old).hold_chance(None) > 0
    assert solve_waves(second).hold_chance(None) == solve_waves(today).hold_chance(None) == 0


def test_captors_defend_against_a_counter_attack_in_live_waves() -> None:
    start = started(
        waves("land", ("1 amphibious_tank, 2 infantry, 1 fighter", "1 infantry", {}), ("2 tank", "", {"hold": "any"}))
    )
    taken = thrown(start, 3, 6, 6, 6, 6)
    assert (taken.wave, taken.side) == (1, 1)
    # Those landed are ordinary units now, and planes have flown home.
    assert taken.fight.left == ({"tank": 2}, {"infantry": 2, "tank": 1})
    assert thrown(taken, 6, 6, 3, 2, 6).ended == "won"
    retaken = thrown(thrown(taken, 3, 3, 6, 6, 6), 3, 6, 6)
    assert (retaken.ended, retaken.fight.left[0]) == ("lost", {"tank": 2})
    # Who was landed cannot leave. Where nobody takes the territory there is nobody for the counter-attack.
    alone = thrown(start, 6, 6, 6, 6, 6).retreat()
    assert alone.fight.left == ({"amphibious_tank": 1}, {"infantry": 1})
    lost = thrown(alone, 6, 2)
    assert (lost.wave, lost.ended) == (0, "lost")


def test_battleships_are_repaired_and_a_retreat_ends_only_its_wave() -> None:
    start = started(waves("sea", ("2 cruiser", "1 battleship", {}), ("1 cruiser", "", {})))
    after = thrown(start, 3, 6, 6).retreat()
    assert (after.wave, after.fight.left) == (1, ({"cruiser": 1}, {"battleship": 1}))
    assert after.retreat().ended == "lost"


def test_lasting_damage_stays_in_the_next_live_wave() -> None:
    whole = waves("sea", ("2 cruiser", "1 battleship", {}), ("1 cruiser", "", {}))
    edition = replace(RULES, damage_stays=True)
    staying = replace(whole, battles=tuple(replace(battle, rules=edition) for battle in whole.battles))
    after = thrown(started(staying), 3, 6, 6).retreat()
    assert (after.wave, after.fight.left) == (1, ({"cruiser": 1}, {"damaged_battleship": 1}))
    assert thrown(after, 3, 6).ended == "won", "one hit sinks it"
    old = replace(staying, battles=tuple(replace(battle, ruling=3) for battle in staying.battles))
    assert thrown(started(old), 3, 6, 6).retreat().fight.left[1] == {"battleship": 1}, (
        "as logs of the third rules have it"
    )


SMALL = {
    "again": waves("land", ("2 infantry", "1 infantry, 1 aa_gun", {}), ("1 tank, 1 fighter", "1 infantry", {})),
    "hold": waves(
        "land",
        ("1 amphibious_tank, 1 infantry", "1 infantry", {"round_limit": 1}),
        ("1 infantry", "", {"hold": "any"}),
        ("1 tank", "", {"hold": "any"}),
    ),
    "last": waves(
        "land",
        ("1 tank", "1 infantry", {}),
        ("1 infantry", "1 infantry", {"retreat": Retreat(win_chance_below=0.2)}),
        ("1 tank", "", {"hold": "last"}),
    ),
    "sea": waves(
        "sea",
        ("1 battleship", "1 battleship", {}),
        ("1 submarine", "1 transport", {"submerge": (True, False)}),
        ("1 cruiser", "", {"hold": "any"}),
    ),
}


@each(SMALL)
def test_chances_after_a_throw_average_to_the_chance_of_all_waves(name: str) -> None:
    check_that_chances_are_means(SMALL[name], solve_waves(SMALL[name], 0).hold_chance(0))


def test_live_waves_with_lookahead_have_no_shown_chance() -> None:
    given = ("3 infantry", "1 infantry", {"retreat": Retreat(profit_below=0)}), ("2 tank", "", {"hold": "any"})
    start = started(waves("land", *given, look_ahead=True))
    assert (start.ended, chances([start])) == (None, [None])


def test_live_waves_of_too_much_work_have_no_chance() -> None:
    assert chances([begin(waves("land", ("90 tank", "99 infantry", {}), ("90 tank", "", {})))], 1e4) == [None]


# Raids ----------------------------------------------------------------------------------------------------


def test_a_live_raid_rolls_flak_and_then_bombs() -> None:
    start = begin(Raid(RULES, 3, 8))
    assert next_dice(start) == ([], [(3, 6, 1)])
    flak, between = start.throw(script(1, 2, 6))
    assert ([die.face for die in flak.defence], flak.attack, between.resting) == ([1, 2, 6], (), False)
    assert next_dice(between) == ([(2, 6, None)], [])
    _, after = between.throw(script(5, 4))
    assert isinstance(after, RaidFight)
    assert (after.bombers, after.damage, after.ended, after.resting) == (2, 8, "rounds", True)
    assert next_dice(after) == ([], [])
    assert chances([start, between, after]) == [None, None, None]
    _, lost = start.throw(script(1, 1, 1))
    assert lost.ended == "lost"
    assert start.retreat().ended == "retreat"


def test_a_live_raid_with_low_luck_loses_2_of_12_bombers() -> None:
    start = begin(Raid(RULES, 12, 40, dice="low_luck"))
    assert next_dice(start) == ([(10, 2, None)], [])
    _, after = start.throw(script(*[1, 2] * 5))
    assert isinstance(after, RaidFight)
    assert (after.bombers, after.damage) == (10, 35)


@pytest.mark.whole
@pytest.mark.parametrize(
    "raid", [Raid(RULES, 2, 7), Raid(RULES, 2, 5, dice="biased"), Raid(RULES, 7, 9, dice="low_luck")]
)
def test_live_raids_end_as_often_as_the_odds_say(raid: Raid) -> None:
    odds, counts, raids = solve_raid(raid), Counter[tuple[int, int]](), 3_000
    for seed in range(raids):
        fight, source = begin(raid), dice(seed)
        while not fight.ended:
            _, fight = fight.throw(source)
        assert isinstance(fight, RaidFight)
        counts[raid.bombers - fight.bombers, fight.damage] += 1
    assert sum(counts.values()) == raids
    for lost, damage in product(range(odds.chances.shape[0]), range(odds.chances.shape[1])):
        chance = float(odds.chances[lost, damage])
        spread = 5 * sqrt(chance * (1 - chance) / raids)
        assert abs(counts[lost, damage] / raids - chance) <= spread + 1e-3 * (chance > 0), (lost, damage)
