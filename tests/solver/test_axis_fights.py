"""Battles of Axis & Allies on the table: scripted dice by the rulebook, and dice against odds."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from math import sqrt
from typing import Any

import pytest

from solver.axis.battle import AxisBattle
from solver.axis.live.choices import axis_chances
from solver.axis.live.fight import AxisFight
from solver.axis.live.throws import AxisThrow
from solver.axis.sides import Retreat
from solver.axis.solve import solve_axis
from solver.errors import BattleError
from solver.game import Fight, Source
from tests.helpers.bot.lines import wave_of
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver import axis_dice as referee
from tests.helpers.solver import axis_rules
from tests.helpers.solver.axis_battles import DESTROYERS_FIRST, RULES, battle, document, units
from tests.helpers.solver.axis_fought import by_order, check_that_chances_are_means, dice, stages_from
from tests.helpers.solver.axis_hits import started
from tests.helpers.solver.chance_tests import sequential_test
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin, chances, next_dice


def faces(volley: AxisThrow) -> tuple[list[int], list[int]]:
    return [die.face for die in volley.attack], [die.face for die in volley.defence]


def thrown(fight: AxisFight, *dice: int) -> tuple[AxisThrow, AxisFight]:
    """One throw that takes exactly these dice."""
    source = script(*dice)
    volley, after = fight.throw(source)
    with pytest.raises(StopIteration):
        source(6)
    return volley, after


# By the rulebook ------------------------------------------------------------------------------------------


def test_the_strongest_fire_first_and_the_cheapest_fall() -> None:
    start = started(battle("land", "2 infantry, 1 artillery, 1 tank", "2 infantry, 1 fighter"))
    assert next_dice(start) == ([(1, 6, 3), (2, 6, 2), (1, 6, 1)], [(1, 6, 4), (2, 6, 2)])
    first, after = thrown(start, 3, 3, 2, 1, 4, 3, 3)
    assert first.needs == ((3, 2, 2, 1), (4, 2, 2))
    assert faces(first) == ([3, 3, 2, 1], [4, 3, 3])
    assert (first.number, first.stage, first.hits) == (1, "fire", (3, 1))
    assert first.lost == ({"infantry": 1}, {"infantry": 2, "fighter": 1})
    assert after.left == ({"infantry": 1, "artillery": 1, "tank": 1}, {})
    assert (after.ended, after.rounds, after.resting) == ("won", 1, True)
    assert next_dice(after) == ([], [])


def test_guns_fire_at_planes_before_the_first_round() -> None:
    start = started(battle("land", "1 infantry, 1 fighter, 1 bomber", "2 infantry, 1 aa_gun"))
    assert next_dice(start) == ([], [(2, 6, 1)])
    guns, between = thrown(start, 1, 2)
    assert (guns.stage, guns.number, guns.attack, guns.lost) == ("guns", 1, (), ({"fighter": 1}, {}))
    assert (between.resting, between.rounds) == (False, 0)
    silent = battle("land", "1 infantry, 1 bomber", "2 infantry, 1 aa_gun", aa_already_fired=True)
    assert chances([start, between])[1] == pytest.approx(solve_axis(silent, 0).wins, abs=1e-9)
    fire, after = thrown(between, 4, 2, 6, 6)
    assert (fire.stage, fire.number, fire.needs) == ("fire", 1, ((4, 1), (2, 2)))
    assert fire.lost == ({}, {"aa_gun": 1})
    assert (after.resting, after.rounds) == (True, 1)
    # No guns are left; another volley would not come anyway.
    assert after.throw(dice(1))[0].stage == "fire"


def test_ships_bombard_in_the_first_round_only_and_cannot_be_hit() -> None:
    start = started(battle("land", "1 infantry, 1 cruiser, 1 battleship", "3 infantry"))
    first, after = thrown(start, 4, 3, 2, 6, 6, 6)
    assert (first.needs[0], first.hits[0]) == ((4, 3, 1), 2)
    assert after.left == ({"infantry": 1}, {"infantry": 1})
    assert next_dice(after) == ([(1, 6, 1)], [(1, 6, 2)])
    # Ships fire on when all who were landed have been shot down.
    alone = started(battle("land", "1 fighter, 1 cruiser", "1 aa_gun, 1 infantry"))
    _, alone = thrown(alone, 1)
    fire, alone = thrown(alone, 3)
    assert (fire.needs, alone.pending) == (((3,), ()), "lost")


def test_submarines_strike_first_and_their_victims_do_not_fire() -> None:
    start = started(battle("sea", "1 submarine, 1 cruiser", "2 cruiser"))
    strike, between = thrown(start, 2)
    assert (strike.stage, strike.number, strike.lost) == ("strike", 1, ({}, {"cruiser": 1}))
    assert not between.resting
    fire, after = thrown(between, 4, 3)
    assert (fire.stage, fire.needs, fire.lost) == ("fire", ((3,), (3,)), ({"submarine": 1}, {}))
    assert after.left == ({"cruiser": 1}, {"cruiser": 1})
    # A destroyer takes the surprise away: all fire together, and the dice of submarines come first.
    screened = started(battle("sea", "1 submarine, 1 cruiser", "1 destroyer, 1 cruiser"))
    assert next_dice(screened) == ([(1, 6, 2), (1, 6, 3)], [(1, 6, 3), (1, 6, 2)])


def test_a_surprise_strike_that_sinks_all_ends_the_round() -> None:
    strike, after = thrown(started(battle("sea", "2 submarine, 1 carrier", "1 cruiser")), 6, 2)
    assert (strike.stage, after.ended, after.rounds, after.resting) == ("strike", "won", 1, True)


def test_dice_without_a_target_are_not_rolled() -> None:
    start = started(battle("sea", "1 submarine, 1 carrier", "2 fighter"))
    assert next_dice(start) == ([(1, 6, 1)], [(2, 6, 4)])
    _, after = thrown(start, 2, 4, 5)
    assert after.left == ({"submarine": 1}, {"fighter": 2})
    assert (after.ended, chances([start, after])[1]) == ("deadlock", 0)


def test_the_first_hit_of_a_battleship_is_free_and_listed() -> None:
    start = started(battle("sea", "2 battleship", "1 battleship, 1 fighter"))
    first, after = thrown(start, 5, 5, 4, 4)
    assert (first.lost, first.damaged) == (({}, {}), ({"battleship": 2}, {}))
    assert after.left == ({"damaged_battleship": 2}, {"battleship": 1, "fighter": 1})
    second, after = thrown(after, 4, 4, 4, 5)
    assert (second.lost, second.damaged) == (({"battleship": 1}, {"fighter": 1}), ({}, {"battleship": 1}))
    assert after.left == ({"damaged_battleship": 1}, {"damaged_battleship": 1})


def test_submarines_submerge_once_no_enemy_destroyer_is_left() -> None:
    fight = started(battle("sea", "1 destroyer, 2 cruiser", "2 submarine, 1 destroyer", submerge=(False, True)))
    assert fight.gone == ({}, {})
    _, fight = thrown(fight, 6, 6, 6, 1, 6, 2)
    assert fight.left == ({"cruiser": 1}, {"destroyer": 1})
    assert fight.gone == ({}, {"submarine": 2})
    assert thrown(fight, 3, 6)[1].ended == "cleared"
    at_once = started(battle("sea", "3 cruiser", "2 submarine", submerge=(False, True)))
    assert (at_once.ended, at_once.rounds) == ("cleared", 0)


def test_keepdestroyer_spares_the_last_destroyer() -> None:
    theirs = units("1 destroyer, 1 cruiser", *DESTROYERS_FIRST)
    for keeps, falls in ((False, "destroyer"), (True, "cruiser")):
        fight = started(battle("sea", "1 submarine, 1 battleship", theirs, keep_last_destroyer=(False, keeps)))
        assert thrown(fight, 2, 5, 6, 6)[0].lost[1] == {falls: 1}


def test_helpless_ships_are_destroyed_and_stranded_planes_crash() -> None:
    fight = started(battle("sea", "1 destroyer, 1 cruiser", "1 destroyer, 3 transport"))
    volley, fight = thrown(fight, 3, 6, 6)
    assert (volley.lost[1], fight.ended) == ({"destroyer": 1, "transport": 3}, "won")
    start = started(battle("sea", "2 cruiser", "1 fighter", crash_stranded_fighters=True, round_limit=1))
    volley, fight = thrown(start, 6, 6, 6)
    assert (volley.lost[1], fight.ended, fight.left[0]) == ({"fighter": 1}, "won", {"cruiser": 2})
    assert axis_chances([fight]) == [1]


def test_attackers_do_not_retreat_from_planes_that_crash() -> None:
    start = started(battle("sea", "2 cruiser", "2 fighter", crash_stranded_fighters=True))
    _, after = thrown(start, 6, 6, 6, 6)
    left = after.retreat()
    assert (left.ended, left.left, left.gone) == ("won", ({"cruiser": 2}, {}), ({}, {}))
    assert start.retreat().ended == "retreat", "an attack that is not made"


def test_in_logs_of_the_first_rules_attackers_retreat_from_planes() -> None:
    one = battle("sea", "2 cruiser", "1 fighter", crash_stranded_fighters=True, round_limit=1, ruling=1)
    volley, fight = thrown(started(one), 6, 6, 6)
    assert (volley.lost[1], fight.ended, fight.gone[0]) == ({"fighter": 1}, "rounds", {"cruiser": 2})
    assert axis_chances([fight]) == [0]
    odds = solve_axis(one)
    assert odds.end_chances["cleared"] > 0.2 > solve_axis(replace(one, ruling=2)).end_chances["cleared"] == 0


def test_units_landed_from_the_sea_stay_in_a_retreat() -> None:
    start = started(battle("land", "1 amphibious_tank, 1 tank, 1 fighter", "3 infantry", round_limit=1))
    _, after = thrown(start, 3, 4, 4, 3, 3, 3)
    assert after.left == ({"amphibious_tank": 1}, {"infantry": 2})
    assert after.gone == ({"tank": 1, "fighter": 1}, {})
    assert (after.ended, after.reason, after.resting) == (None, "rounds", True)
    assert thrown(after, 6, 2, 6)[1].ended == "rounds"
    assert thrown(after, 3, 6, 6)[1].left == ({"amphibious_tank": 1}, {"infantry": 1})


def test_retreating_between_rounds_leaves_landed_units_to_fight() -> None:
    start = started(battle("land", "1 amphibious_infantry, 2 tank", "3 infantry"))
    assert (start.retreat().ended, start.retreat().gone[0]) == ("retreat", {"amphibious_infantry": 1, "tank": 2})
    _, after = thrown(start, 3, 6, 6, 6, 6, 6)
    fewer = after.retreat()
    assert (fewer.ended, fewer.left[0], fewer.gone[0]) == (None, {"amphibious_infantry": 1}, {"tank": 2})
    assert fewer.retreat() == fewer
    alone = solve_axis(battle("land", "1 amphibious_infantry", "2 infantry"), 0).wins
    assert chances([start, after, fewer])[2] == pytest.approx(alone, abs=1e-12)
    assert thrown(fewer, 6, 2, 6)[1].ended == "retreat"
    fight = thrown(started(battle("sea", "2 cruiser", "1 battleship")), 6, 6, 6)[1].retreat()
    assert (fight.ended, fight.left[0], fight.gone[0], fight.retreat()) == ("retreat", {}, {"cruiser": 2}, fight)


def test_biased_dice_have_ten_sides() -> None:
    start = started(battle("land", "1 tank, 1 bomber", "1 infantry, 1 artillery", dice="biased"))
    assert next_dice(start) == ([(1, 10, 8), (1, 10, 6)], [(2, 10, 3)])
    volley, _ = thrown(start, 9, 6, 3, 4)
    assert volley.hits == (1, 1)


def test_low_luck_rolls_only_the_remainder() -> None:
    start = started(battle("land", "2 tank, 1 artillery", "3 infantry", dice="low_luck"))
    assert next_dice(start) == ([(1, 6, 2)], [])
    volley, after = thrown(start, 2)
    assert (volley.hits, volley.needs) == ((2, 1), ((2,), ()))
    assert after.left == ({"tank": 2}, {"infantry": 1})
    # Two tanks are sure to hit one infantry in each round; no die decides whether they win.
    assert next_dice(started(battle("land", "2 tank", "1 infantry", dice="low_luck"))) == ([], [(1, 6, 2)])


def test_rounds_without_dice_belong_to_a_throw_or_to_the_end() -> None:
    certain = started(battle("land", "6 tank", "3 infantry", dice="low_luck"))
    assert (certain.ended, certain.rounds, certain.left) == ("won", 1, ({"tank": 5}, {}))
    # In the first round each side is sure to hit; the dice are those of the second.
    later = started(battle("land", "2 tank", "3 infantry", dice="low_luck"))
    assert (later.rounds, later.left, next_dice(later)) == (
        0,
        ({"tank": 2}, {"infantry": 3}),
        ([(1, 6, 3)], [(1, 6, 4)]),
    )
    volley, after = thrown(later, 3, 5)
    assert (volley.number, volley.hits, volley.lost) == (2, (1, 0), ({"tank": 1}, {"infantry": 2}))
    assert after.left == ({"tank": 1}, {"infantry": 1})


def test_retreat_rules_stop_a_battle_before_or_between_rounds() -> None:
    few = started(battle("land", "3 infantry", "3 infantry", retreat=Retreat(units_at_most=2)))
    assert few.ended is None
    assert thrown(few, 6, 6, 6, 1, 6, 6)[1].ended == "stopped"
    declined = started(battle("land", "2 infantry", "3 infantry", retreat=Retreat(units_at_most=2)))
    assert (declined.ended, declined.gone[0], declined.rounds) == ("stopped", {"infantry": 2}, 0)
    plan = Retreat(win_chance_below=0.4)
    planned = started(battle("land", "4 infantry, 1 tank", "3 infantry", retreat=plan))
    lucky, unlucky = (thrown(planned, *fell)[1] for fell in ((3, 1, 6, 6, 6, 6, 6, 6), (6, 6, 6, 6, 6, 1, 1, 1)))
    assert lucky.ended is None
    assert (unlucky.ended, unlucky.gone[0]) == ("stopped", {"infantry": 1, "tank": 1})
    hopeless = battle("land", "2 infantry", "4 infantry", retreat=plan)
    assert started(hopeless).ended == "stopped"
    assert started(replace(hopeless, decline_allowed=False)).ended is None
    home = started(battle("sea", "1 cruiser", "1 fighter, 1 cruiser", crash_stranded_fighters=True)).retreat()
    assert home.left[1] == {"fighter": 1, "cruiser": 1}


def test_plans_too_large_are_refused_and_their_chances_unknown() -> None:
    fleet = "99 submarine, 99 destroyer, 99 fighter, 99 carrier, 99 cruiser"
    with pytest.raises(BattleError):
        begin(battle("sea", fleet, fleet, retreat=Retreat(profit_below=0)))
    start = begin(battle("sea", fleet, fleet))
    assert chances([start], 10**6) == [None]
    assert chances([start, start.retreat()], 10**6) == [None, 0]


# Dice and odds --------------------------------------------------------------------------------------------


MORE = pick(("2 infantry, 1 tank", "2 infantry"), ("3 infantry, 1 tank", "3 infantry"))
SMALL: dict[str, AxisBattle] = {
    "land": battle("land", units("2 infantry, 1 artillery", "artillery", "infantry"), "2 infantry"),
    "guns": battle("land", "1 infantry, 1 fighter, 1 bomber", f"{pick(1, 2)} infantry, 1 aa_gun"),
    "guns with low luck": battle("land", "2 infantry, 7 fighter", "2 infantry, 3 aa_gun", dice="low_luck"),
    "guns last but one": battle("land", "3 infantry", units("1 infantry, 1 aa_gun", aa_second_last=True)),
    "bombardment": battle("land", "1 fighter, 1 infantry, 1 cruiser", "1 infantry, 1 tank, 1 aa_gun", dice="biased"),
    "landing": battle("land", "2 amphibious_infantry, 1 tank", "2 infantry", round_limit=2),
    "few left": battle("land", "1 amphibious_tank, 2 infantry", "2 infantry", retreat=Retreat(units_at_most=2)),
    "raid": battle("land", f"{pick(2, 3)} infantry, 1 cruiser", "3 infantry", retreat=Retreat(clear_chance_above=0.1)),
    "planes": battle("land", "2 infantry, 1 fighter", "2 infantry", retreat=Retreat(air_loss_chance_above=0.1)),
    "profit": battle("land", *MORE, retreat=Retreat(profit_below=0), territory_value=3),
    "win": battle(
        "land",
        *pick(("1 amphibious_tank, 1 tank", "2 infantry"), ("1 amphibious_tank, 2 infantry, 1 tank", "3 infantry")),
        retreat=Retreat(win_chance_below=0.5),
    ),
    "planned with a limit": battle("land", *MORE, retreat=Retreat(win_chance_below=0.3), round_limit=2),
    "low luck": battle("land", "2 infantry, 2 tank", "3 infantry, 1 fighter", dice="low_luck"),
    "sea": battle("sea", "2 submarine, 1 destroyer", "1 submarine, 1 battleship"),
    "planes at sea": battle(
        "sea", "2 fighter, 1 carrier", f"{pick(1, 2)} submarine, 1 cruiser", crash_stranded_fighters=True
    ),
    "both submerge": battle("sea", "1 submarine, 1 destroyer", "1 submarine, 1 destroyer", submerge=(True, True)),
    "keeping": battle(
        "sea",
        units(f"1 submarine, 1 destroyer, {pick(0, 1)} cruiser", *DESTROYERS_FIRST),
        units("1 submarine, 1 destroyer", *DESTROYERS_FIRST),
        keep_last_destroyer=(True, True),
    ),
    "crash": battle("sea", "2 cruiser", "2 fighter, 1 carrier", crash_stranded_fighters=True, round_limit=2),
    "attackers crash": battle(
        "sea",
        pick("2 fighter, 1 carrier", "3 fighter, 1 carrier"),
        "2 cruiser",
        crash_attacking_fighters=True,
        round_limit=2,
    ),
    "fleets with low luck": battle("sea", "2 submarine, 1 fighter", "1 submarine, 1 cruiser", dice="low_luck"),
}


SEEN_ELSEWHERE = {"land", "guns", "bombardment", "landing", "profit", "sea"}
"""Rules that live battles of other modules' tests follow too."""


@each([name for name in SMALL if name not in pick(SEEN_ELSEWHERE, set())])
def test_the_chance_now_is_the_mean_of_the_chances_after_the_throw(name: str) -> None:
    check_that_chances_are_means(SMALL[name], solve_axis(SMALL[name], 0).wins)


def test_a_first_round_apart_is_whole_after_a_strike() -> None:
    """After kamikaze attacks all others fire, too; planes hit submarines that submerge late before they do."""
    attacked = wave_of("1 sub 1 des vs 1 sub variant:1940 kamikaze:1des")
    check_that_chances_are_means(attacked, solve_axis(attacked, 0).wins)
    late = wave_of("2 sub 1 bom vs 1 sub submerge variant:revised retreat:win<80%")
    check_that_chances_are_means(late, 1 - 4 / 9 * 1 / 3)
    assert solve_axis(late, 0).wins == pytest.approx(1 - 4 / 9 * 1 / 3), "the plan sees that, too"


@each(["low luck", "sea", "both submerge", *pick((), ("land", "planes at sea"))])
def test_the_chance_of_a_stage_is_that_of_the_units_left(name: str) -> None:
    stages = [fight for fight, _ in stages_from(begin(SMALL[name])).values() if fight.resting and not fight.ended]
    for fight, chance in zip(stages, chances(stages), strict=True):
        assert isinstance(fight, AxisFight)
        ours, theirs = (units(", ".join(f"{count} {unit}" for unit, count in side.items())) for side in fight.left)
        start = SMALL[name]
        left = replace(
            start,
            attacker=replace(ours, loss_order=start.attacker.loss_order),
            defender=replace(theirs, loss_order=start.defender.loss_order),
        )
        # Those who have submerged are not there; who could not win before cannot win where they still are.
        if not fight.gone[1]:
            assert chance == pytest.approx(solve_axis(left, 0).wins, abs=1e-9)


LARGER: dict[str, AxisBattle] = pick(
    {
        "land": battle("land", "3 infantry, 1 artillery, 1 tank, 1 fighter", "4 infantry, 1 fighter, 1 aa_gun"),
        "landing": battle("land", "3 amphibious_infantry, 1 tank, 1 battleship", "4 infantry", round_limit=3),
        "biased": battle("land", "4 infantry, 2 tank", "5 infantry, 1 tank", dice="biased"),
        "low luck": battle("land", "4 infantry, 1 tank, 2 fighter", "5 infantry, 2 aa_gun", dice="low_luck"),
        "fleets": battle(
            "sea",
            "2 submarine, 1 destroyer, 2 fighter, 1 battleship",
            "1 submarine, 1 destroyer, 2 fighter, 1 carrier, 1 battleship, 1 transport",
            submerge=(True, True),
        ),
        "planned": battle("land", "4 infantry, 2 tank", "4 infantry, 1 tank", retreat=Retreat(profit_below=-3)),
    },
    {
        "land": battle("land", "9 infantry, 3 artillery, 4 tank, 2 fighter", "14 infantry, 2 fighter, 1 aa_gun"),
        "landing": battle("land", "6 amphibious_infantry, 4 tank, 1 battleship", "8 infantry, 1 tank", round_limit=3),
        "biased": battle("land", "7 infantry, 3 tank", "9 infantry", dice="biased"),
        "low luck": battle("land", "6 infantry, 2 tank, 3 fighter", "9 infantry, 2 aa_gun", dice="low_luck"),
        "fleets": battle(
            "sea",
            "3 submarine, 2 destroyer, 3 fighter, 1 carrier, 1 battleship",
            "3 submarine, 1 destroyer, 2 fighter, 1 carrier, 1 battleship, 1 transport",
            submerge=(True, True),
        ),
        "planned": battle("land", "8 infantry, 3 tank", "8 infantry, 1 tank", retreat=Retreat(profit_below=-3)),
    },
)


@pytest.mark.parametrize("name", pick(["landing"], LARGER))
def test_live_battles_end_as_often_as_the_odds_say(name: str) -> None:
    """A sequential test of Wald's: right odds are refused, and odds off by 15 points passed, as rarely as `error`."""
    win, error = solve_axis(LARGER[name]).wins, pick(1e-2, 1e-3)
    assert 0.18 < win < 0.82
    played = cache(lambda seed: wins(LARGER[name], dice(seed)))
    for wrong in (win - 0.15, win + 0.15):
        assert sequential_test(map(played, range(10**6)), win, wrong, error)


def wins(fought: AxisBattle, source: Source) -> bool:
    fight = begin(fought)
    while not fight.ended:
        fight = by_order(fight.throw(source)[1])
    return fight.ended == "won"


REFEREED: dict[str, dict[str, Any]] = {
    "landing": document(
        {"amphibious_infantry": 2, "tank": 2, "fighter": 2, "cruiser": 1},
        {"infantry": 4, "aa_gun": 1},
        round_limit=2,
        retreat={"units_at_most": 2},
    ),
    "sea": document(
        {"submarine": 2, "destroyer": 1, "fighter": 1},
        {"submarine": 1, "destroyer": 1, "cruiser": 1, "transport": 1},
        theatre="sea",
        submerge={"attacker": False, "defender": True},
    ),
}


@pytest.mark.whole
@pytest.mark.parametrize("name", REFEREED)
def test_a_referee_by_the_rules_sees_the_ends_of_live_battles(name: str) -> None:
    read, wave, battles = AxisBattle.from_dict(REFEREED[name], RULES), axis_rules.read(REFEREED[name]), 500
    shown, expected = Counter[Any](), Counter[Any]()
    for seed in range(battles):
        fight, source = started(read), dice(seed)
        while not fight.ended:
            after = by_order(fight.throw(source)[1])
            assert isinstance(after, AxisFight)
            fight = after
        alive = [Counter(left) + Counter(gone) for left, gone in zip(fight.left, fight.gone, strict=True)]
        shown[str([sorted(side.items()) for side in alive]), fight.rounds] += 1
        end = referee.fight(wave, random.Random(-seed))
        alive = [
            Counter(end.attackers_left) + Counter(end.attackers_gone),
            Counter(end.defenders_left) + Counter(end.defenders_gone),
        ]
        expected[str([sorted(side.items()) for side in alive]), end.rounds] += 1
    for place in shown | expected:
        assert abs(shown[place] - expected[place]) <= 5 * sqrt(shown[place] + expected[place]), place
    assert sum((shown & expected).values()) > battles / 2


@each(LARGER)
def test_equal_dice_lead_to_equal_stages(name: str) -> None:
    fight: Fight = begin(LARGER[name])
    fallen: list[int] = []
    stages, source = [fight], dice(7)
    while not fight.ended:
        to_roll = next_dice(fight)
        throw, fight = fight.throw(source)
        fight = by_order(fight)
        assert [sum(kind.number for kind in side) for side in to_roll] == [len(throw.attack), len(throw.defence)]
        fallen += [die.face for die in (*throw.attack, *throw.defence)]
        stages.append(fight)
    again, followed = begin(LARGER[name]), script(*fallen)
    for stage in stages:
        assert again == stage
        if not again.ended:
            again = by_order(again.throw(followed)[1])
