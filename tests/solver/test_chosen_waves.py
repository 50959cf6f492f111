"""Casualties chosen in several waves: the worth is that of every hit and every choice followed in fractions."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.axis.best.order_names import movable_units, roles_in_waves, with_orders
from solver.axis.best.ranking import WavesNames
from solver.axis.casualties.limits import chosen_odds_within, worth_of_odds
from solver.axis.limits import waves_within
from solver.axis.sides import CHOOSERS, Aim, Chooses
from solver.axis.units import ROLES
from solver.axis.waves.choices import ChosenWorths
from solver.axis.waves.odds import WavesOdds, solve_waves
from solver.axis.waves.steps import waves_worth
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.errors import BattleError, TooLargeError
from solver.progress import Meter
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import Document, where_defenders_leave
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_chains import any_chain, chain, chains
from tests.helpers.solver.chosen_waves_brute import ChosenChain

EVERY = st.lists(st.sampled_from([(True, False), (False, True), (True, True), (False, False)]), min_size=3, max_size=3)
AIMS: st.SearchStrategy[Aim] = st.sampled_from(["takes", "profit"])


def with_choices(waves: Waves, chooses: Sequence[Chooses], aim: Aim) -> Waves:
    battles = zip(waves.battles, chooses, strict=False)
    return replace(waves, battles=tuple(replace(battle, chooses=pair, aim=aim) for battle, pair in battles))


def read(battle: Document, chooses: Sequence[Chooses], aim: Aim) -> Waves:
    waves = battle_from_dict(deepcopy(battle), RULES)
    assert isinstance(waves, Waves)
    return with_choices(waves, chooses, aim)


def worth_of(odds: WavesOdds, aim: Aim) -> float:
    assert odds.joint
    return odds.hold_chance(0) if aim == "takes" else float(odds.joint.profits @ odds.joint.chances)


def check(battle: Document, chooses: Sequence[Chooses], aim: Aim) -> None:
    """Compare the worth with that of the slow twin, and with the mean of the law under these choices."""
    battle |= {"look_ahead": False}
    waves = read(battle, chooses, aim)
    worth = ChosenWorths(waves.free, Meter(), aim).value()
    twin = ChosenChain(deepcopy(battle), chooses[: len(waves.battles)], aim).worth()
    assert worth == pytest.approx(float(twin), rel=0, abs=1e-9)
    odds = solve_waves(waves, 0)
    if waves.has_choices:
        assert worth_of(odds, aim) == pytest.approx(worth, rel=0, abs=1e-7)
    assert odds.joint
    assert odds.joint.chances.sum() == pytest.approx(1, rel=0, abs=1e-9)


@examples(pick(30, 150), derandomize=True)
@given(chains("land", most=3), EVERY, AIMS)
def test_choices_on_land_are_the_best_for_all_waves(battle: Document, chooses: list[Chooses], aim: Aim) -> None:
    check(battle, chooses, aim)


@examples(pick(30, 150), derandomize=True)
@given(chains("sea", most=3), EVERY, AIMS)
def test_choices_at_sea_are_the_best_for_all_waves(battle: Document, chooses: list[Chooses], aim: Aim) -> None:
    check(battle, chooses, aim)


@examples(pick(20, 150), derandomize=True)
@given(st.one_of(chains("land", most=3), chains("sea", most=3)), EVERY, AIMS, st.integers(1, 2))
@example(
    chain(document({"tank": 2}, {"infantry": 1, "tank": 1}, defender_retreat={"rounds": 2}), document({"tank": 1}, {})),
    [(True, True), (False, False)],
    "takes",
    0,
)
def test_choices_in_waves_foresee_that_defenders_leave(
    battle: Document, chooses: list[Chooses], aim: Aim, units: int
) -> None:
    check(where_defenders_leave(battle, {"units_at_most": units}) if units else battle, chooses, aim)


@st.composite
def ordered_chains(draw: st.DrawFn) -> Document:
    """Waves against defenders of whom some differ only in their places in the orders of loss."""
    orders = st.permutations(["infantry", "artillery", "tank", "fighter"])
    first = document({"bomber": draw(st.integers(1, 2))}, dict.fromkeys(draw(orders)[:3], 1))
    later = []
    for number in range(draw(st.integers(1, 2))):
        attackers = {"infantry": draw(st.integers(1, 2)), "fighter": 1}
        wave = document(attackers, {}, defence_order=draw(orders))
        if number and draw(st.booleans()):
            wave["waves"][0]["previous_attackers_defend"] = True
        later.append(wave)
    return chain(first, *later)


@examples(pick(100, 400), derandomize=True)
@given(ordered_chains(), st.booleans(), EVERY, AIMS)
def test_who_chooses_prepares_for_the_orders_of_later_waves(
    battle: Document, both: bool, later: list[Chooses], aim: Aim
) -> None:
    check(battle, [(both, True), *later], aim)


@each(
    [
        (1, "infantry artillery fighter", "infantry fighter artillery", {"takes": 0.29326}),
        (2, "infantry artillery fighter", "infantry fighter artillery", {"takes": 0.68140, "profit": -10.7954}),
        (2, "infantry artillery tank", "infantry tank artillery", {"takes": 0.78113, "profit": -10.8005}),
        (2, "infantry tank fighter", "infantry fighter tank", {"profit": -10.2165}),
    ]
)
def test_the_weaker_unit_may_shield_others_in_a_later_wave(
    bombers: int, kinds: str, order: str, worths: dict[Aim, float]
) -> None:
    waves = chain(
        document({"bomber": bombers}, dict.fromkeys(kinds.split(), 1)),
        document({"infantry": 2, "fighter": 1}, {}, defence_order=order.split()),
    )
    for aim, worth in worths.items():
        check(waves, [(False, True), (False, False)], aim)
        odds = solve_waves(read(waves, [(False, True), (False, False)], aim))
        assert worth_of(odds, aim) == pytest.approx(worth, rel=0, abs=1e-4)


def test_submarines_that_are_not_chosen_submerge_when_the_rounds_are_over() -> None:
    destroyer, submarine = {"destroyer": 1}, {"submarine": 1}
    check(
        chain(
            document(destroyer, submarine, theatre="sea"),
            document(destroyer | submarine, {}, theatre="sea", round_limit=1, submerge={"defender": True}),
            document(destroyer, {}, theatre="sea"),
        ),
        [(True, False)] * 3,
        "takes",
    )


@examples(pick(20, 60), derandomize=True)
@given(any_chain)
def test_if_nobody_chooses_the_worth_is_that_of_the_orders(battle: Document) -> None:
    waves = read(battle | {"look_ahead": False}, [(False, False)] * 4, "takes")
    assert ChosenWorths(waves, Meter()).value() == pytest.approx(waves_worth(waves, Meter()).holds, rel=0, abs=1e-9)


CHOSEN = (
    "variant:1940 1 bat 1 des 1 sub vs 1 bat 1 sub then 1 des 1 sub 1 fig vs 1 des",  # damage stays
    "variant:1940 2 bat vs 1 bat then hold 1 bat then 1 bat",  # damaged or whole
    "variant:revised 4 inf 2 fig vs 2 inf 2 aa then hold 2 inf 1 arm 1 fig",  # guns change hands
    "variant:1940 1 bat 1 des 2 sub vs 2 des kamikaze:2 then 1 des 1 sub 1 fig vs 1 des",
    "3 inf 2 arm vs 3 inf 1 fig then hold 2 inf 2 arm then hold 2 inf 1 arm",
    "variant:1914 4 inf 2 art 1 fig vs 3 inf 1 art 1 fig then 3 inf 1 fig",  # one round
)


@each(list(product(CHOSEN, ("takes", "profit"), (0, 1)))[:: pick(3, 1)])
def test_the_law_under_the_best_choices_has_their_worth(line: str, aim: Aim, side: int) -> None:
    waves = parse(line).battle
    assert isinstance(waves, Waves)
    chosen = with_choices(waves, [(waves.side(number) == side, waves.side(number) != side) for number in range(3)], aim)
    worth, sign = ChosenWorths(chosen.free, Meter()).value(), -1 if side else 1
    assert worth_of(solve_waves(chosen, 0), aim) == pytest.approx(worth, rel=0, abs=1e-7)
    assert sign * worth >= sign * worth_of(solve_waves(waves, 0), aim) - 1e-9, "the order is one of the choices"


def test_choosing_gains_most_where_a_counter_attack_follows() -> None:
    first = document({"infantry": 6, "fighter": 4}, {"infantry": 5, "artillery": 1})
    waves = chain(first, document({"infantry": 4, "tank": 1}, {}, previous_attackers_defend=True))
    free = read(waves, [(True, False), (False, False)], "takes")
    assert solve_waves(free.in_order).hold_chance(0) == pytest.approx(0.198, abs=5e-4)
    assert solve_waves(free).hold_chance(0) == pytest.approx(0.691, abs=5e-4)


def test_waves_that_are_too_large_to_choose_in_are_refused_in_time() -> None:
    fleet = {"submarine": 6, "destroyer": 6, "cruiser": 6, "fighter": 6, "battleship": 6}
    waves = chain(document(fleet, fleet, theatre="sea"), document(fleet, fleet, theatre="sea"))
    with pytest.raises(TooLargeError, match="too large to choose"):
        waves_within(read(waves, [(True, False)] * 2, "takes"), 0.0, 200_000_000)
    few = chain(document({"infantry": 3, "tank": 1}, {"infantry": 3}), document({"tank": 2}, {}))
    for find in (waves_within, chosen_odds_within):
        with pytest.raises(TooLargeError, match="too large to choose"):
            find(read(few, [(True, False)] * 2, "takes"), 0.0, 100_000)


@each(
    [
        ("3 inf 2 art 2 fig loss:fig,art,inf vs 3 inf 1 arm then hold 2 inf 1 fig loss:fig,inf", ["attacker", ""]),
        ("3 inf 1 art 1 arm loss:arm,art,inf vs 3 inf then hold 2 inf 1 arm 1 fig loss:fig,arm,inf", ["", "attacker"]),
        ("3 inf 1 fig vs 3 inf 1 arm loss:arm,inf then 2 inf 1 fig loss:fig,inf", ["both", "defender"]),
        ("1 bat 1 des 1 sub loss:bat,des,sub vs 1 bat 1 sub then 1 des 1 sub 1 fig vs 1 des", ["attacker", "attacker"]),
    ]
)
def test_waves_too_large_to_choose_in_follow_the_best_orders_where_a_side_chooses(
    line: str, who: Sequence[str]
) -> None:
    plain, chooses = parse(line).battle, [CHOOSERS.get(name, (False, False)) for name in who]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.axis.casualties.solve.MOST_CELLS", 0)
        for aim in ("takes", "profit"):
            odds = chosen_odds_within(with_choices(plain, chooses, aim), 0.0, 10**9)
            assert odds.ordered
            best = plain
            for side in (0, 1):
                names, worth = best_by_trying(plain, chooses, side, aim)
                there = orders_where(odds.ordered, chooses, side)
                assert worth[there] == pytest.approx(worth[names], rel=0, abs=1e-9)
                best = with_orders(best, side, there)
            assert odds.ordered == best, "all else stays as it is"
            assert worth_of_odds(odds, aim) == pytest.approx(waves_worth(best, Meter())[aim == "profit"], abs=1e-9)


def best_by_trying(
    waves: Waves, chooses: Sequence[Chooses], side: int, aim: Aim
) -> tuple[WavesNames, dict[WavesNames, float]]:
    """The best orders of a side in the waves in which it chooses, and the worth of all of them."""
    every = product(*map(permutations, orders_where(waves, chooses, side)))
    worth = {names: waves_worth(with_orders(waves, side, names), Meter())[aim == "profit"] for names in every}
    return max(worth, key=lambda names: -worth[names] if side else worth[names]), worth


def orders_where(waves: Waves, chooses: Sequence[Chooses], side: int) -> WavesNames:
    """The orders of a side in the waves in which it chooses."""
    places = zip(waves.battles, roles_in_waves(waves, side), chooses, strict=True)
    return tuple(movable_units(battle, role) if may[ROLES.index(role)] else () for battle, role, may in places)


@each(
    [
        (["takes", "profit"], [(True, False), (False, True)], {}, "need the same aim"),
        (["takes"] * 2, [(False, False), (True, False)], {"profit_below": 0}, "can't look ahead"),
    ]
)
def test_impossible_choices_in_waves_are_refused(
    aims: list[Aim], chooses: list[Chooses], retreat: Document, message: str
) -> None:
    waves = chain(document({"tank": 2}, {"infantry": 1}, retreat=retreat), document({"tank": 2}, {}), look_ahead=True)
    battle = battle_from_dict(waves, RULES)
    assert isinstance(battle, Waves)
    values = [battle._values(number) for number in range(2)]
    every = [row | {"chooses": pair, "aim": aim} for row, pair, aim in zip(values, chooses, aims, strict=True)]
    with pytest.raises(BattleError, match=message):
        Waves.of(RULES, every, look_ahead=True)


@each(["then hold 3 arm", "then hold 3 arm then hold 3 inf"])
def test_the_worth_of_odds_counts_captors_of_a_deadzone_that_are_attacked_later(later: str) -> None:
    waves = parse(f"3 inf 2 fig deadzone vs 2 inf 1 fig {later}").battle
    assert worth_of_odds(solve_waves(waves, 0.0), "profit") == pytest.approx(
        waves_worth(waves, Meter()).profit, abs=1e-9
    )
