"""The best orders of loss: every order followed in fractions says the same, and one sweep says what each alone does."""

from collections.abc import Mapping
from itertools import combinations, permutations, product
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.best import order_sweep
from solver.axis.best.order_names import with_order
from solver.axis.best.order_search import OrderSearch
from solver.axis.best.order_sweep import can_sweep, sweep_orders, sweep_work
from solver.axis.best.orders import best_orders, orders_to_dict
from solver.axis.best.ranking import SAME, BestOrder, SideOrders
from solver.axis.chain import AxisChain
from solver.axis.sides import Army
from solver.axis.solve import solve_axis
from solver.axis.units import ROLES, Role
from solver.axis.waves.waves import Waves
from solver.axis.worth import IPC, Worth
from solver.errors import BattleError
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute, axis_rules
from tests.helpers.solver.any_axis_battle import at_sea, on_land
from tests.helpers.solver.axis_battles import ATTACK, DEFENCE, RULES, document
from tests.helpers.solver.axis_compare import check_sweep

Document = dict[str, Any]
Values = dict[tuple[str, ...], tuple[float, float]]
"""The chance and the profit of a side under each order of its kinds."""

PLENTY = 10**9
SIDES: dict[Role, str] = {"attack": "attacker", "defence": "defender"}


def read(battle: Document) -> AxisBattle:
    return AxisBattle.from_dict(battle, RULES)


# One by one --------------------------------------------------------------------------------------------------


def brute_values(battle: Document, role: Role, names: tuple[str, ...]) -> Values:
    """What a side has of each order of these kinds, by the slow twin."""
    values: Values = {}
    for order in permutations(names):
        (wave,) = battle["waves"]
        rest = [name for name in wave[SIDES[role]]["loss_order"] if name not in order]
        side = wave[SIDES[role]] | {"loss_order": [*rest, *order]}
        answer = axis_brute.solve(battle | {"waves": [wave | {SIDES[role]: side}]})
        wins = float(answer.takes)
        if battle["theatre"] == "sea":
            alone = (
                chance
                for end, chance in answer.ends.items()
                if end.attackers_left and not end.defenders_left and not end.defenders_gone
            )
            wins = float(sum(alone))
        profit = float(answer.defender_loss - answer.attacker_loss)
        values[order] = (wins, profit) if role == "attack" else (1 - wins, -profit)
    return values


def check_best(best: BestOrder, values: Mapping[tuple[str, ...], float], given: tuple[str, ...]) -> None:
    """Compare what is said for one goal with what each order comes to."""
    most = max(values.values())
    assert values[best.order.names[0]] == pytest.approx(most, abs=2 * SAME)
    if values[given] > most - SAME / 10:
        assert best.order.names == (given,), "the order of the battle is not changed for nothing"
    less = [value for value in values.values() if value < most - 2 * SAME]
    assert (best.runner_up is None) is (not less)
    if best.runner_up:
        assert values[best.runner_up.names[0]] == pytest.approx(max(less), abs=2 * SAME)
    swaps = {}
    for one, other in combinations(given, 2):
        after = tuple({one: other, other: one}.get(name, name) for name in given)
        swaps[one, other] = values[after] - values[given]
    matters = max(swaps.values()) if max(swaps.values()) > SAME else min(swaps.values())
    assert (best.swap is None) is (abs(matters) <= SAME)
    if best.swap:
        assert swaps[best.swap[0]] == pytest.approx(matters, abs=2 * SAME)


def choice(battle: Document, role: Role) -> set[str]:
    """The kinds of a side whose place in the order is to be chosen."""
    side, land = battle["waves"][0][SIDES[role]], battle["theatre"] == "land"
    fixed = {"transport", *(axis_rules.SHIPS if land else ())}
    if side.get("aa_second_last"):
        fixed.add("aa_gun")
    return {name for name, count in side["units"].items() if count and name not in fixed}


def check_side(battle: Document, role: Role, side: SideOrders) -> None:
    """Compare everything that is said of a side with the slow twin."""
    (given,) = side.given.names
    values = brute_values(battle, role, given)
    assert side.tried == side.different, "small battles are tried whole"
    for place, best in enumerate((side.chance, side.profit)):
        check_best(best, {names: pair[place] for names, pair in values.items()}, given)
        orders = [side.given, best.order, *filter(None, [best.runner_up]), *([best.swap[1]] if best.swap else [])]
        for order in orders:
            assert (order.chance, order.profit) == pytest.approx(values[order.names[0]], rel=0, abs=1e-9)


@examples(pick(30, 60), derandomize=True)
@given(st.one_of(on_land(), at_sea()))
@example(document({"infantry": 1, "artillery": 1, "tank": 1}, {"aa_gun": 1, "infantry": 1, "tank": 1}, keep_land=1))
@example(document({"infantry": 2, "tank": 1}, {"aa_gun": 1, "infantry": 1, "tank": 1}, aa_second_last=True))
@example(document({"submarine": 1, "destroyer": 1, "fighter": 1}, {"submarine": 1, "destroyer": 1}, theatre="sea"))
def test_the_best_casualty_orders_agree_with_brute_force(battle: Document) -> None:
    choices = {role: choice(battle, role) for role in ROLES}
    if max(map(len, choices.values())) < 2:
        with pytest.raises(BattleError, match="there is no casualty order to choose"):
            best_orders(read(battle), PLENTY)
        return
    for role, side in zip(ROLES, best_orders(read(battle), PLENTY), strict=True):
        assert (side is None) is (len(choices[role]) < 2)
        if side:
            assert set(side.given.names[0]) == choices[role]
            check_side(battle, role, side)


# Many at once ------------------------------------------------------------------------------------------------


@examples(pick(60, 120), derandomize=True)
@example(document({"cruiser": 1}, {"aa_gun": 1}), "defence")
@given(st.one_of(on_land(retreats=False), at_sea(retreats=False)), st.sampled_from(ROLES))
def test_a_sweep_of_casualty_orders_agrees_with_single_battles(battle: Document, role: Role) -> None:
    whole = read(battle)
    assume(can_sweep(whole) and whole.segments(role))
    check_sweep(whole, role)


LARGER = {
    "guns and ships": document(
        {"infantry": 3, "artillery": 2, "fighter": 2, "bomber": 2, "cruiser": 1},
        {"aa_gun": 1, "infantry": 3, "tank": 2, "fighter": 1},
        deadzone=True,
        territory_value=4,
        worth={"measure": "power", "units": {"fighter": 7.5}},
    ),
    "planes alone, with ships": document({"fighter": 2, "bomber": 1, "battleship": 2}, {"aa_gun": 2, "infantry": 3}),
    "low luck": document({"infantry": 5, "artillery": 2, "tank": 2}, {"infantry": 4, "fighter": 2}, dice="low_luck"),
    "kept land": document({"infantry": 2, "tank": 2, "fighter": 2}, {"infantry": 4, "tank": 1}, keep_land=2),
    "fleets": document(
        {"destroyer": 2, "cruiser": 1, "fighter": 2, "battleship": 1, "transport": 1},
        {"destroyer": 1, "carrier": 1, "fighter": 3, "battleship": 1, "damaged_battleship": 1, "transport": 2},
        theatre="sea",
        crash_stranded_fighters=True,
        crash_attacking_fighters=True,
        dice="biased",
    ),
}


@each(list(product(LARGER, ROLES))[:: pick(3, 1)])
def test_a_sweep_of_larger_battles_agrees_with_single_battles(name: str, role: Role) -> None:
    battle = read(LARGER[name])
    assert can_sweep(battle)
    check_sweep(battle, role)


def test_a_sweep_of_casualty_orders_in_parts_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = read(LARGER["fleets"])
    orders = [with_order(battle, "attack", order).segments("attack") for order in permutations(ATTACK["sea"][1:5])]
    at_once = sweep_orders(battle, "attack", orders)
    monkeypatch.setattr(order_sweep, "MOST_NUMBERS", 7_000)
    monkeypatch.setattr(order_sweep, "ONE_THREAD", 50)
    assert sweep_orders(battle, "attack", orders) == pytest.approx(at_once, rel=1e-12)
    assert sweep_orders(battle, "attack", []).shape == (0, 2)


# What stays, and what is told --------------------------------------------------------------------------------


def battle_of(ours: Mapping[str, int], theirs: Mapping[str, int], **rules: Any) -> AxisBattle:
    return AxisBattle(RULES, rules.pop("theatre", "land"), Army.of(ours), Army.of(theirs), **rules)


def test_the_best_orders_keep_units_kept_to_the_last() -> None:
    ours = Army.of({"infantry": 2, "tank": 1, "fighter": 1}, keep_land=1)
    theirs = Army.of({"aa_gun": 1, "infantry": 2, "tank": 1}, aa_second_last=True)
    attacker, defender = best_orders(AxisBattle(RULES, "land", ours, theirs), PLENTY)
    assert attacker is not None
    assert defender is not None
    assert set(attacker.given.names[0]) == {"infantry", "tank", "fighter"}
    assert set(defender.given.names[0]) == {"infantry", "tank"}, "the guns have their place"
    assert defender.different == 2
    kept = with_order(AxisBattle(RULES, "land", ours, theirs), "attack", attacker.chance.order.names[0])
    assert kept.attacker.keep_land == 1


def test_equivalent_casualty_orders_are_tried_once() -> None:
    """With all land units kept only the order among these and among the planes counts."""
    ours = Army.of({"infantry": 1, "tank": 1, "fighter": 1, "bomber": 1}, keep_land=2)
    attacker, _ = best_orders(AxisBattle(RULES, "land", ours, Army.of({"infantry": 3})), PLENTY)
    assert attacker is not None
    assert (attacker.tried, attacker.different) == (4, 4)


def test_the_best_order_gives_planes_to_keep_a_land_unit() -> None:
    """The usual order keeps planes; to take the territory somebody must be left to stand in it."""
    battle = battle_of({"infantry": 2, "tank": 1, "fighter": 2}, {"infantry": 3, "tank": 1})
    attacker, _ = best_orders(battle, PLENTY)
    assert attacker is not None
    assert attacker.given.names == (("infantry", "tank", "fighter"),)
    assert attacker.chance.order.names[0][-1] == "tank"
    assert attacker.chance.order.chance > attacker.given.chance + 0.05
    assert attacker.profit.order.names[0][-1] == "fighter"


def test_transports_and_bombarding_ships_have_no_place_in_orders() -> None:
    battle = battle_of({"destroyer": 1, "cruiser": 1, "transport": 2}, {"transport": 2, "destroyer": 1}, theatre="sea")
    attacker, defender = best_orders(battle, PLENTY)
    assert attacker is not None
    assert set(attacker.given.names[0]) == {"destroyer", "cruiser"}
    assert defender is None
    with pytest.raises(BattleError, match="no casualty order to choose"):
        best_orders(battle_of({"infantry": 2, "cruiser": 1}, {"infantry": 2}), PLENTY)


def test_casualty_orders_of_worthless_units_gain_nothing() -> None:
    worthless = Worth("units", (("infantry", 0), ("tank", 0), ("fighter", 0)))
    attacker, _ = best_orders(battle_of({"infantry": 1, "tank": 1}, {"infantry": 3}, worth=worthless), PLENTY)
    assert attacker is not None
    assert attacker.profit == BestOrder(attacker.given, None, None)


@each([(role, priced) for role in ROLES for priced in [IPC, Worth("units", attacker=(("cruiser", 7.5),))]])
def test_rows_of_a_fleet_agree_with_battles_of_each_order(role: Role, priced: Worth) -> None:
    battle = battle_of({**FLEET, "transport": 2}, {**FLEET, "transport": 1}, theatre="sea", worth=priced)
    search = OrderSearch(Waves.one(battle), ROLES.index(role), [(True, True)])
    (usual,) = search.usual
    for names in list(permutations(usual))[:: pick(7, 1)]:
        assert search.key((names,)) == (with_order(battle, role, names).segments(role),)


FLEET = {"submarine": 2, "destroyer": 2, "fighter": 2, "carrier": 1, "cruiser": 1, "battleship": 1}


def test_a_search_of_orders_says_how_many_it_tried() -> None:
    battle = battle_of(FLEET, {"submarine": 2, "destroyer": 2, "cruiser": 1}, theatre="sea")
    attacker, defender = best_orders(battle, 5_000_000)
    assert attacker is not None
    assert defender is not None
    assert (defender.tried, defender.different) == (6, 6)
    assert 16 <= attacker.tried < attacker.different == 720
    assert attacker.chance.order.chance >= attacker.given.chance
    changed = with_order(battle, "attack", attacker.chance.order.names[0])
    assert solve_axis(changed, 0).wins == pytest.approx(attacker.chance.order.chance, abs=1e-12)


@each(
    [
        (battle_of(FLEET, FLEET, theatre="sea"), 100_000),
        (battle_of({"infantry": 90, "tank": 90}, {"infantry": 200}), 1_000_000),
        (battle_of({"infantry": 10_000, "tank": 10_000}, {"infantry": 10_000}), 200_000_000),
        (battle_of(*[dict.fromkeys(FLEET, 1_000)] * 2, theatre="sea"), 200_000_000),
    ]
)
def test_battles_too_large_for_casualty_orders_are_refused(battle: AxisBattle, most: int) -> None:
    with pytest.raises(BattleError, match="too large to try other casualty orders"):
        best_orders(battle, most)


def test_the_work_of_a_sweep_grows_with_its_orders() -> None:
    chain = AxisChain(battle_of({"infantry": 4, "tank": 2}, {"infantry": 5}))
    few, many = (sweep_work(chain, "attack", count) for count in (2, 200))
    assert 0 < few < many / 2


def test_every_order_in_the_answer_is_a_valid_casualty_order() -> None:
    battle = read(
        document(
            {"infantry": 2, "tank": 1, "fighter": 1, "cruiser": 1},
            {"aa_gun": 1, "infantry": 2, "tank": 1, "fighter": 1},
            aa_second_last=True,
            attack_order=ATTACK["land"],
            defence_order=DEFENCE["land"],
        )
    )
    told = orders_to_dict(Waves.one(battle), best_orders(battle, PLENTY))
    for role, side in SIDES.items():
        best = told[side]["chance"]["best"]
        written = battle.to_dict()
        written["waves"][0][side]["loss_order"] = best["loss_order"]
        odds = solve_axis(read(written), 0)
        assert best["chance"] == pytest.approx(odds.wins if role == "attack" else 1 - odds.wins, abs=1e-12)
        assert told[side]["chance"]["gain"] == pytest.approx(best["chance"] - told[side]["given"]["chance"], abs=1e-12)
        assert told[side]["tried"] == told[side]["orders"]
        assert told[side]["profit"]["swap"]["units"]
