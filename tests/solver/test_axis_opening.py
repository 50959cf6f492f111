"""What happens before the first round: planes against planes, air supremacy, ships that bombard first.

The odds are those of every die followed in fractions; all other questions agree with the odds.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.editions import editions
from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import with_order
from solver.axis.best.order_sweep import can_sweep, sweep_orders
from solver.axis.best.orders import best_orders
from solver.axis.casualties.advice import find_casualties
from solver.axis.casualties.forward import odds_of_game
from solver.axis.casualties.solve import solve_casualties
from solver.axis.fates import Fate
from solver.axis.live.fight import AxisFight
from solver.axis.packs import rules_of_pack
from solver.axis.sides import Army, Retreat
from solver.axis.simulation import sample
from solver.axis.simulation.sample import sample_axis
from solver.axis.solve import solve_axis
from solver.axis.units import AMPHIBIOUS, ROLES, Role
from solver.errors import BattleError, TooLargeError
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_opening_brute as brute
from tests.helpers.solver.axis_battles import NUMBERS
from tests.helpers.solver.axis_compare import agree_on_parts
from tests.helpers.solver.axis_fought import check_that_chances_are_means
from tests.helpers.solver.axis_opening_brute import OF_1914, OF_1942, Edition
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances

RULES = {
    OF_1914: editions()["1914"].rules,
    OF_1942: rules_of_pack("axis1942", NUMBERS | {"bombardment_first": True}),
}
DICE = ("standard", "low_luck", "biased")


def battle(edition: Edition, ours: dict[str, int], theirs: dict[str, int], **more: Any) -> AxisBattle:
    return AxisBattle(RULES[edition], "land", Army.of(ours), Army.of(theirs), **more)


def land(ours: dict[str, int], each: int) -> dict[str, int]:
    """An army of which so many units of each kind, or all, are landed from the sea."""
    found: dict[str, int] = {}
    for name, count in ours.items():
        landed = min(count, each) if name in ("infantry", "artillery", "tank") else 0
        found |= {f"{AMPHIBIOUS}{name}": landed, name: count - landed} if landed else {name: count}
    return found


def agree(
    edition: Edition, ours: dict[str, int], theirs: dict[str, int], dice: Any = "standard", landed: int = 0
) -> None:
    """Compare the joint law of what is left, and the money, with the slow twin."""
    odds = solve_axis(battle(edition, land(ours, landed), theirs, dice=dice), 0)
    wanted: dict[Any, float] = {}
    taken = lost = beaten = Fraction(0)
    whole = [brute.price(edition, brute.line_up(edition, role, side)) for role, side in enumerate((ours, theirs))]
    for (left, there), chance in brute.ends(edition, ours, theirs, dice).items():
        key = tuple(tuple(sorted(Counter(name for name in side if name != "spare").items())) for side in (left, there))
        wanted[key] = wanted.get(key, 0.0) + float(chance)
        on_land = any(name not in (*brute.PLANES, "spare") for name in left)
        taken += chance * (not there and on_land)
        lost += chance * (whole[0] - brute.price(edition, left))
        beaten += chance * (whole[1] - brute.price(edition, there))
    found: dict[Any, float] = {}
    for row, column, chance in zip(odds.rows, odds.columns, odds.chances, strict=True):
        sides = (odds.attackers[row], 0), (odds.defenders[column], 1)
        key = tuple(
            tuple(sorted((name, count) for name, count in _plain(fate).items() if name in edition.order[role]))
            for fate, role in sides
        )
        found[key] = found.get(key, 0.0) + float(chance)
    assert found == pytest.approx({key: wanted.get(key, 0.0) for key in found | wanted}, abs=1e-12)
    assert (odds.takes, odds.attacker_loss, odds.defender_loss) == pytest.approx(
        (float(taken), float(lost), float(beaten)), abs=1e-9
    )


def _plain(fate: Fate) -> Counter[str]:
    """The units that are left, in the fight or gone, landed or not."""
    left: Counter[str] = Counter()
    for name, count in (*fate.left, *fate.gone):
        left[name.removeprefix(AMPHIBIOUS)] += count
    return left


def armies(kinds: tuple[str, ...], most: int, ships: tuple[str, ...] = ()) -> st.SearchStrategy[dict[str, int]]:
    counts = st.fixed_dictionaries(
        {name: st.integers(0, most) for name in kinds} | {name: st.integers(0, 1) for name in ships}
    )
    return counts.filter(lambda side: any(side.values()))


IN_1914 = OF_1914.order[0]
FIRST = armies(IN_1914, 2, ("battleship",)), armies(IN_1914, 2)
IN_1942 = armies(OF_1942.order[0], 1, ("cruiser", "battleship")), armies(OF_1942.order[1], 1)


@examples(pick(60, 200), derandomize=True)
@given(*FIRST, st.sampled_from(DICE), st.integers(0, 2))
def test_battles_of_1914_go_as_the_rules_say(
    ours: dict[str, int], theirs: dict[str, int], dice: str, landed: int
) -> None:
    agree(OF_1914, ours, theirs, dice, landed)


LANDED = (
    ({"amphibious_artillery": 2, "amphibious_tank": 1}, Fraction(1, 2)),
    ({"amphibious_infantry": 1, "infantry": 2}, Fraction(7, 27)),
)


@pytest.mark.parametrize(("ours", "takes"), LANDED)
def test_units_landed_in_1914_stop_after_the_round(ours: dict[str, int], takes: Fraction) -> None:
    """Two of three dice hit; in logs of before those who had landed fought on."""
    fought = battle(OF_1914, ours, {"infantry": 2})
    odds = solve_axis(fought, 0)
    assert (odds.takes, odds.rounds) == pytest.approx((float(takes), 1))
    assert solve_axis(replace(fought, ruling=4), 0).rounds > 1
    assert sample_axis(fought, 2_000, 1).takes == pytest.approx(float(takes), abs=0.04)
    check_that_chances_are_means(fought, float(takes))


def test_a_live_battle_of_1914_ends_after_its_round() -> None:
    fought = battle(OF_1914, LANDED[1][0], {"infantry": 2})
    _throw, after = AxisFight.begin(fought).throw(script(6, 6, 6, 6, 6))
    assert (after.ended, after.gone[0]) == ("rounds", {"amphibious_infantry": 1, "infantry": 2})
    _throw, after = AxisFight.begin(replace(fought, ruling=4)).throw(script(6, 6, 6, 6, 6))
    assert after.ended is None


def test_units_cannot_land_in_an_edition_of_two_land_rounds() -> None:
    two = rules_of_pack("two", NUMBERS | {"land_rounds": 2})
    with pytest.raises(BattleError, match="land from the sea"):
        AxisBattle(two, "land", Army.of({"amphibious_tank": 1}), Army.of({"tank": 1}))


@examples(pick(60, 200), derandomize=True)
@given(*IN_1942, st.sampled_from(DICE))
def test_units_hit_by_bombardment_do_not_fire(ours: dict[str, int], theirs: dict[str, int], dice: str) -> None:
    agree(OF_1942, ours, theirs, dice)


def test_a_battle_in_the_air_leaves_planes_of_at_most_one_side() -> None:
    """One fighter against one: each is lost alone with chance 2/5, both together with 1/5."""
    odds = solve_axis(battle(OF_1914, {"infantry": 1, "fighter": 1}, {"fighter": 1}), 0)
    assert odds.takes == pytest.approx(1 / 5 + 2 / 5 + 2 / 5 * (1 / 3 * 2 / 3))
    only = solve_axis(battle(OF_1914, {"fighter": 1}, {"fighter": 1}), 0)
    assert only.defender_loss == pytest.approx(6 * 3 / 5)
    assert only.rounds == 0, "what happens in the air is no round"


def test_artillery_with_air_supremacy_hits_with_4() -> None:
    for flies, hit in ((0, 3 / 6), (1, 1 - 2 / 6 * 4 / 6)):
        ours = solve_axis(battle(OF_1914, {"artillery": 1, "fighter": flies}, {"infantry": 1}), 0)
        assert ours.defender_loss == pytest.approx(3 * hit)
        theirs = solve_axis(battle(OF_1914, {"infantry": 1}, {"artillery": 1, "fighter": flies}), 0)
        assert theirs.attacker_loss == pytest.approx(3 * hit)


def test_in_older_logs_there_is_no_battle_in_the_air() -> None:
    """One fighter fires at the other in the only round, and artillery hits with 3."""
    old = battle(OF_1914, {"artillery": 1, "fighter": 1}, {"fighter": 1}, ruling=3)
    assert solve_axis(old, 0).defender_loss == pytest.approx(6 * (1 - 3 / 6 * 4 / 6))


# Other ways to the odds --------------------------------------------------------------------------------------

WHOLE = {
    "1914": battle(
        OF_1914,
        {"infantry": 3, "artillery": 2, "tank": 1, "fighter": 3, "battleship": 1},
        {"infantry": 2, "artillery": 2, "fighter": 2},
    ),
    "ships first": battle(
        OF_1942,
        {"infantry": 3, "tank": 2, "fighter": 2, "cruiser": 1, "battleship": 1},
        {"aa_gun": 1, "infantry": 3, "artillery": 1, "fighter": 1},
    ),
}


@each(list(product(WHOLE, DICE))[:: pick(4, 1)])
def test_shares_of_simulated_battles_are_their_chances(name: str, dice: Any) -> None:
    there = replace(WHOLE[name], dice=dice)
    check_that_shares_are_chances(there, seed=3)


@examples(pick(25, 40), derandomize=True)
@given(*FIRST, st.sampled_from(DICE), st.sampled_from(ROLES))
def test_every_part_of_an_army_of_1914_has_its_own_odds(
    ours: dict[str, int], theirs: dict[str, int], dice: Any, role: Role
) -> None:
    agree_on_parts(battle(OF_1914, ours, theirs, dice=dice), role)


@examples(pick(25, 40), derandomize=True)
@given(*IN_1942, st.sampled_from(DICE), st.sampled_from(ROLES), st.sampled_from([Retreat(), Retreat(profit_below=0.1)]))
def test_every_part_of_an_army_beside_bombardment_has_its_own_odds(
    ours: dict[str, int], theirs: dict[str, int], dice: Any, role: Role, retreat: Retreat
) -> None:
    agree_on_parts(battle(OF_1942, ours, theirs, dice=dice, retreat=retreat), role)


@each([(name, role) for role in ROLES for name in WHOLE])
def test_every_casualty_order_of_an_opening_has_its_own_odds(name: str, role: Role) -> None:
    there = WHOLE[name]
    changed = [with_order(there, role, order) for order in permutations(there.order_of_loss(role))]
    alone = {one.order_of_loss(role): solve_axis(one, 0) for one in changed}
    found = getattr(best_orders(there, 1e9), "attacker" if role == "attack" else "defender")
    best = max(odds.wins if role == "attack" else 1 - odds.wins for odds in alone.values())
    assert found.chance.order.chance == pytest.approx(best, abs=1e-9)
    if can_sweep(there):
        swept = sweep_orders(there, role, [one.segments(role) for one in changed])
        assert swept[:, 0] == pytest.approx(np.array([odds.wins for odds in alone.values()]), abs=1e-9)


def test_a_sweep_of_casualty_orders_counts_the_battle_in_the_air() -> None:
    """In an edition whose battles go on to the end."""
    rules = rules_of_pack("axis1942", NUMBERS | {"air_battle": 2, "bombardment_first": True})
    there = replace(WHOLE["ships first"], rules=rules)
    for role in ROLES:
        changed = [with_order(there, role, order) for order in permutations(there.order_of_loss(role))]
        swept = sweep_orders(there, role, [one.segments(role) for one in changed])
        alone = [(odds.wins, odds.defender_loss - odds.attacker_loss) for odds in map(solve_exactly, changed)]
        assert swept == pytest.approx(np.array(alone), abs=1e-9)
        agree_on_parts(there, role, every=7)


def solve_exactly(there: AxisBattle) -> Any:
    return solve_axis(there, 0)


# Chosen losses -----------------------------------------------------------------------------------------------


@each([(name, chooses) for chooses in [(True, False), (False, True), (True, True)] for name in WHOLE])
def test_chosen_losses_after_an_opening_do_no_worse_than_orders(name: str, chooses: tuple[bool, bool]) -> None:
    there = WHOLE[name]
    game = solve_casualties(replace(there, chooses=chooses))
    usual = solve_axis(there, 0).takes
    if chooses != (True, True):
        assert game.value >= usual - 1e-12 if chooses[0] else game.value <= usual + 1e-12
    value = game.value
    assert odds_of_game(game).takes == pytest.approx(value, abs=1e-9)


@examples(pick(40, 60), derandomize=True)
@given(*FIRST, st.sampled_from([(True, False), (False, True), (True, True)]))
def test_losses_of_1914_are_chosen_as_the_rules_say(
    ours: dict[str, int], theirs: dict[str, int], chooses: tuple[bool, bool]
) -> None:
    game = solve_casualties(replace(battle(OF_1914, ours, theirs), chooses=chooses))
    wanted = brute.chosen(OF_1914, ours, theirs, chooses)
    assert game.value == pytest.approx(float(wanted), abs=1e-12)
    assert odds_of_game(game).takes == pytest.approx(float(wanted), abs=1e-12)


def test_a_side_with_a_single_kind_of_unit_has_no_choice() -> None:
    for there in (
        battle(OF_1914, {"infantry": 3, "fighter": 2}, {"fighter": 2}),
        battle(OF_1942, {"infantry": 2, "tank": 1, "cruiser": 2}, {"infantry": 4}),
    ):
        game = solve_casualties(replace(there, chooses=(False, True)))
        assert game.value == pytest.approx(solve_axis(there, 0).takes, abs=1e-12)


def test_the_defender_chooses_what_ships_destroy() -> None:
    """Against one tank and a cruiser a defender with infantry and a fighter keeps the fighter, or not, as is best."""
    there = battle(OF_1942, {"tank": 1, "cruiser": 1}, {"infantry": 1, "fighter": 1})
    orders = ("infantry", "fighter"), ("fighter", "infantry")
    values = [solve_axis(with_order(there, "defence", order), 0).takes for order in orders]
    found = find_casualties(replace(there, chooses=(False, True)))
    assert found.value == pytest.approx(min(values), abs=1e-12)
    (told,) = found.now
    assert (told.defends, told.hits, told.chance) == (True, 1, 0.5)
    assert told.order_value is not None
    assert (sum(told.lose.values()), told.value) == (1, min(told.value, told.order_value))


# Live battles ------------------------------------------------------------------------------------------------

LIVE = {
    "1914": battle(OF_1914, {"infantry": 1, "artillery": 1, "fighter": 2}, {"infantry": 1, "fighter": 1}),
    "1914 with a ship": battle(OF_1914, {"infantry": 1, "fighter": 1, "battleship": 1}, {"artillery": 1, "fighter": 1}),
    "a tank": battle(OF_1914, {"tank": 1, "fighter": 1}, {"infantry": 1, "fighter": 1}),
    "planes alone": battle(OF_1914, {"fighter": 2}, {"fighter": 2}),
    "ships first": battle(OF_1942, {"tank": 1, "fighter": 1, "cruiser": 1}, {"aa_gun": 1, "infantry": 2}),
    "ships alone": battle(OF_1942, {"cruiser": 2}, {"aa_gun": 1, "infantry": 1}),
    "ships and guns alone": battle(OF_1942, {"cruiser": 2}, {"aa_gun": 2}),
}


@each(list(product(LIVE, DICE))[:: pick(4, 1)])
def test_chances_after_an_opening_throw_average_to_the_chance_before(name: str, dice: Any) -> None:
    there = replace(LIVE[name], dice=dice)
    check_that_chances_are_means(there, solve_axis(there, 0).wins)


def test_throws_of_a_battle_in_the_air_have_their_stage() -> None:
    """All miss, then the attacker hits: the other fighter is gone, and the first round begins."""
    fight = AxisFight.begin(battle(OF_1914, {"infantry": 1, "fighter": 1}, {"infantry": 1, "fighter": 1}))
    faces = iter([6, 6, 2, 5])
    first, fight = fight.throw(lambda _sides: next(faces))
    assert (first.stage, first.needs, first.hits, fight.rounds, fight.choosers) == ("air", ((2,), (2,)), (0, 0), 0, ())
    second, fight = fight.throw(lambda _sides: next(faces))
    assert (second.stage, second.lost) == ("air", ({}, {"fighter": 1}))
    assert fight.stage == "fire"
    assert not fight.resting, "nobody retreats between the air and the ground"


def test_a_declined_attack_has_no_battle_in_the_air() -> None:
    plan = Retreat(win_chance_below=0.9)
    there = battle(OF_1914, {"infantry": 1, "fighter": 2}, {"infantry": 3, "fighter": 3}, retreat=plan)
    odds = solve_axis(there, 0)
    assert (odds.declined, odds.attacker_loss, odds.defender_loss) == (1, 0, 0)
    assert AxisFight.begin(there).ended == "stopped"


# Rules -------------------------------------------------------------------------------------------------------


@each(
    [
        ({"air_battle": 0}, "air_battle: this must be 1 to 6, not 0"),
        ({"air_battle": "2"}, 'air_battle: this must be 1 to 6, not "2"'),
        ({"bombardment_first": 1}, "bombardment_first: this must be true or false, not 1"),
    ]
)
def test_wrong_opening_rules_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BattleError, match=message):
        rules_of_pack("axis1942", NUMBERS | fields)


@each([4, {"attack": 4}, {"attack": 7, "defence": 4}, {"attack": None, "defence": 4}])
def test_wrong_air_supremacy_strengths_are_refused(supremacy: Any) -> None:
    units = NUMBERS["units"] | {"artillery": NUMBERS["units"]["artillery"] | {"supremacy": supremacy}}
    with pytest.raises(BattleError, match=r"units\.artillery\.supremacy"):
        rules_of_pack("axis1942", NUMBERS | {"units": units})


@each(
    [
        ({"attack_dice": 2}, "a unit has this or a `boost`, `attack_dice` or `better_of_two`, not both"),
        ({"better_of_two": True}, "a unit has this or a `boost`, `attack_dice` or `better_of_two`, not both"),
        ({"boost": {"attack": 3, "by": ["tank"]}}, "a unit has this or a `boost`"),
        ({}, "this needs an edition with an `air_battle`"),
    ],
)
def test_unused_air_supremacy_strengths_are_refused(more: dict[str, Any], message: str) -> None:
    above = {"supremacy": {"attack": 4, "defence": 4}}
    units = NUMBERS["units"] | {"artillery": NUMBERS["units"]["artillery"] | above | more}
    pack = NUMBERS | {"units": units} | ({"air_battle": 2} if more else {})
    with pytest.raises(BattleError, match=rf"units\.artillery\.supremacy: {message}"):
        rules_of_pack("axis1942", pack)


def test_rounds_in_the_air_count_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle of 1914 has one round at most on land, and here several in the air."""
    monkeypatch.setattr(sample, "MOST_WORK", 3_000)
    there = battle(OF_1914, {"infantry": 3, "fighter": 20}, {"infantry": 3, "fighter": 20})
    assert sample_axis(there, 3_000, seed=1).sampled < 700
    alone = battle(OF_1914, {"infantry": 3}, {"infantry": 3})
    assert sample_axis(alone, 3_000, seed=1).sampled == 3_000


def test_battles_in_the_air_too_large_to_solve_are_simulated() -> None:
    many = battle(OF_1914, {"infantry": 3, "fighter": 300}, {"infantry": 3, "fighter": 300})
    with pytest.raises(TooLargeError):
        solve_axis(many)
    assert sample_axis(many, 100, seed=1).takes > 0.2
