"""Kamikaze attacks before a battle at sea: the odds are those of every die followed in fractions."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import comb, prod
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.editions import editions
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.mistakes import MatchupError
from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import movable_units, with_order
from solver.axis.best.orders import best_orders
from solver.axis.best.part_odds import parts_odds
from solver.axis.best.parts import Wanted, with_units
from solver.axis.best.wave_parts import wave_parts_odds
from solver.axis.casualties.advice import find_casualties
from solver.axis.casualties.forward import odds_of_game
from solver.axis.casualties.limits import worth_of_odds
from solver.axis.casualties.solve import solve_casualties
from solver.axis.checks import usual_kamikaze
from solver.axis.live.fight import AxisFight
from solver.axis.packs import rules_of_pack
from solver.axis.sides import CHOOSERS, Aim, Army
from solver.axis.simulation import sample
from solver.axis.simulation.sample import sample_axis
from solver.axis.solve import solve_axis
from solver.axis.units import ROLES
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.errors import BattleError
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute, axis_rules
from tests.helpers.solver.axis_battles import NUMBERS, document
from tests.helpers.solver.axis_fought import check_that_chances_are_means
from tests.helpers.solver.casualties_brute import Chosen
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances

RULES = rules_of_pack("axis1942", NUMBERS | {"kamikaze": 6})
OF_1940 = editions()["1940"].rules
SHIPS = ("destroyer", "cruiser", "carrier", "battleship", "damaged_battleship")
ALL = ("submarine", "destroyer", "cruiser", "carrier", "fighter", "battleship", "damaged_battleship", "transport")


def after_attacks(ours: dict[str, int], aims: dict[str, int], dice: str) -> Iterator[tuple[dict[str, int], Fraction]]:
    """What every fall of the dice leaves of a fleet, and how likely it is; attacks on a kind are shared out evenly."""
    targets = [name for name, count in aims.items() for _ in range(min(count, ours[name]))]
    dealt = [(name, ship % ours[name]) for name, count in aims.items() for ship in range(count)]
    assert len(set(dealt)) == len(targets)
    hit = axis_rules.BIASED[2] if dice == "biased" else Fraction(2, 6)
    for fallen in product((False, True), repeat=len(dealt)):
        chance, left = Fraction(1), dict(ours)
        for ship in dict.fromkeys(dealt):
            hits = sum(fell for one, fell in zip(dealt, fallen, strict=True) if one == ship)
            left[ship[0]] -= hits > 0
            left["damaged_battleship"] = left.get("damaged_battleship", 0) + (ship[0] == "battleship" and hits == 1)
        for fell in fallen:
            chance *= hit if fell else 1 - hit
        yield {name: count for name, count in left.items() if count}, chance


def agree(ours: dict[str, int], theirs: dict[str, int], aims: dict[str, int], dice: Any) -> None:
    """Compare the odds with the mean over every fall of the dice, each battle solved by the slow twin."""
    given = document(ours, theirs, theatre="sea", dice=dice)
    given["waves"][0]["kamikaze"] = aims
    odds = solve_axis(AxisBattle.from_dict(given, RULES), 0)
    whole = axis_rules.cost(name for name, count in ours.items() for _ in range(count))
    wanted = [Fraction(0)] * 4
    for left, chance in after_attacks(ours, aims, dice):
        price = axis_rules.cost(name for name, count in left.items() for _ in range(count))
        found = [Fraction(0), Fraction(1), whole - price, Fraction(0)]
        if left:
            answer = axis_brute.solve(document(left, theirs, theatre="sea", dice=dice))
            found = [answer.attacker_survives, answer.defender_survives, found[2] + answer.attacker_loss]
            found.append(answer.defender_loss)
        wanted = [total + chance * one for total, one in zip(wanted, found, strict=True)]
    names = ("attacker_survives", "defender_survives", "attacker_loss", "defender_loss")
    assert [getattr(odds, name) for name in names] == pytest.approx([float(one) for one in wanted], abs=1e-9)


fleets = st.fixed_dictionaries({name: st.integers(0, 1) for name in ALL}).filter(
    lambda fleet: any(fleet[name] for name in SHIPS)
)
against = st.fixed_dictionaries({name: st.integers(0, 1) for name in ALL[:5]}).filter(lambda fleet: any(fleet.values()))


@examples(pick(40, 100), derandomize=True)
@given(fleets, against, st.integers(1, 6), st.integers(1, 2), st.sampled_from(["standard", "biased"]))
def test_kamikaze_attacks_agree_with_every_die(
    ours: dict[str, int], theirs: dict[str, int], count: int, more: int, dice: str
) -> None:
    there = {name: number * (more if name == "destroyer" else 1) for name, number in ours.items() if number}
    agree(there, theirs, dict(usual_kamikaze(count, Army.of(there), RULES)), dice)


@each([{"battleship": 4}, {"battleship": 1, "destroyer": 3}, {"battleship": 3, "carrier": 1}])
def test_kamikaze_attacks_hit_the_named_ships(aims: dict[str, int]) -> None:
    agree({"battleship": 2, "destroyer": 1, "carrier": 1}, {"cruiser": 1, "submarine": 1}, aims, "standard")


def test_a_ship_hit_by_kamikaze_does_not_fire() -> None:
    """One destroyer against one, which is sunk first with 1 chance in 3."""
    there = AxisBattle(RULES, "sea", Army.of({"destroyer": 1}), Army.of({"destroyer": 1}), kamikaze=(("destroyer", 1),))
    plain = solve_axis(AxisBattle(RULES, "sea", there.attacker, there.defender), 0)
    odds = solve_axis(there, 0)
    assert odds.wins == pytest.approx(plain.wins * 2 / 3)
    assert odds.attacker_loss == pytest.approx(8 / 3 + plain.attacker_loss * 2 / 3)


def test_kamikaze_aims_at_carriers_and_then_the_dearest_ships() -> None:
    fleet = Army.of({"submarine": 1, "destroyer": 1, "carrier": 2, "battleship": 1, "transport": 1})
    told = {count: dict(usual_kamikaze(count, fleet, OF_1940)) for count in (1, 2, 3, 4, 6)}
    assert told[1] == {"carrier": 1}
    assert told[3] == {"carrier": 2, "battleship": 1}
    assert told[4] == {"carrier": 2, "battleship": 1, "destroyer": 1}
    assert told[6] == {"carrier": 4, "battleship": 1, "destroyer": 1}


def battle_of_1940(dice: Any = "standard", **aims: int) -> AxisBattle:
    ours = Army.of({"submarine": 1, "destroyer": 2, "fighter": 2, "carrier": 2, "battleship": 1, "cruiser": 1})
    theirs = Army.of({"submarine": 1, "destroyer": 2, "fighter": 2, "carrier": 1, "transport": 1})
    return AxisBattle(OF_1940, "sea", ours, theirs, dice=dice, kamikaze=tuple(aims.items()))


AIMS = [{"carrier": 3}, {"carrier": 4, "battleship": 2}, {"destroyer": 3, "cruiser": 1}]


@pytest.mark.whole
@pytest.mark.parametrize(("aims", "dice"), list(product(AIMS, ["standard", "low_luck", "biased"])))
def test_shares_of_simulated_kamikaze_battles_agree_with_the_odds(aims: dict[str, int], dice: Any) -> None:
    there = battle_of_1940(dice, **aims)
    check_that_shares_are_chances(there, seed=2)
    assert solve_axis(there, 0).wins < solve_axis(battle_of_1940(dice), 0).wins


@each(
    [
        (aims, dice)
        for dice in ["standard", "low_luck", "biased"]
        for aims in [{"carrier": 2}, {"carrier": 3, "destroyer": 1}]
    ]
)
def test_chances_after_a_kamikaze_throw_average_to_the_chance_before(aims: dict[str, int], dice: Any) -> None:
    ours, theirs = Army.of({"destroyer": 1, "carrier": 1}), Army.of({"destroyer": 1})
    there = AxisBattle(OF_1940, "sea", ours, theirs, dice=dice, kamikaze=tuple(aims.items()))
    check_that_chances_are_means(there, solve_axis(there, 0).wins)


def test_a_throw_of_kamikaze_attacks_has_no_choice_of_losses() -> None:
    fight = AxisFight.begin(battle_of_1940(carrier=3, destroyer=1))
    assert [len(side) for side in fight.next_dice()] == [0, 1]
    faces = iter([2, 1, 6, 2])
    throw, fight = fight.throw(lambda _sides: next(faces))
    assert (throw.stage, throw.hits) == ("kamikaze", (0, 3))
    assert (throw.lost[0], throw.damaged[0]) == ({"destroyer": 1}, {"carrier": 2})
    assert (fight.rounds, fight.choosers, fight.stage != "kamikaze") == (0, (), True)


def test_forty_kamikaze_attacks_have_the_law_of_40_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """One attack on each destroyer and then nobody else fires: the number that is left is that of 40 dice."""
    rules = rules_of_pack("axis1942", NUMBERS | {"kamikaze": 40})
    there = AxisBattle(
        rules, "sea", Army.of({"destroyer": 40}), Army.of({"transport": 1}), kamikaze=(("destroyer", 40),)
    )
    monkeypatch.setattr(sample, "PARTS", pick(2, sample.PARTS))
    rolled = sample_axis(there, 4_000, seed=1)
    lost = {left.get("destroyer", 0): chance for _, left, _, chance in rolled.to_dict()["waves"][0]["attackers"]}
    for count in range(20, 34):
        assert lost.get(count, 0.0) == pytest.approx(comb(40, count) * 2**count / 3**40, abs=0.03)
    assert solve_axis(there).attacker_loss == pytest.approx(40 / 3 * 8)


def wave(ours: dict[str, int], theirs: dict[str, int], **more: Any) -> dict[str, Any]:
    """A wave of a document."""
    return {"attacker": {"units": ours}, "defender": {"units": theirs}, **more}


def test_kamikaze_attacks_of_a_side_count_in_all_waves() -> None:
    def waves(*attacks: int, hold: int = 9) -> dict[str, Any]:
        every = [wave({"cruiser": 2}, {"destroyer": 1}, kamikaze={"cruiser": count}) for count in attacks]
        for number, fields in enumerate(every):
            fields["previous_attackers_defend"] = number == hold
        return {"game": "axis1940", "theatre": "sea", "waves": every}

    for enough in (waves(4, 0, 2), waves(4, 3, hold=1)):
        battle_from_dict(enough, OF_1940)
    for wrong, place in ((waves(4, 3), 1), (waves(4, 0, 3), 2), (waves(4, 3, 4, hold=1), 2)):
        with pytest.raises(BattleError, match="must be 0 to 6, not 7") as told:
            battle_from_dict(wrong, OF_1940)
        assert told.value.field == f"waves.{place}.kamikaze"


def test_a_log_of_old_rules_may_have_more_kamikaze_attacks_in_its_waves() -> None:
    line = "2 cru vs 1 des kamikaze:4 variant:1940 then 2 cru kamikaze:3"
    with reading_with(NotationDefaults(rules=4)):
        assert isinstance(parse(line).battle, Waves)
    with pytest.raises(MatchupError, match="must be 0 to 6, not 7"):
        parse(line)


def test_every_wave_has_its_own_kamikaze_attacks() -> None:
    first = wave({"destroyer": 1, "submarine": 1}, {"destroyer": 1}, kamikaze={"destroyer": 1})
    again = wave({"cruiser": 1}, {}, kamikaze={"cruiser": 2})
    there = battle_from_dict({"game": "axis1940", "theatre": "sea", "waves": [first, again]}, OF_1940)
    assert isinstance(there, Waves)
    odds = solve_waves(there, 0)
    alone = solve_axis(there.battles[0], 0)
    assert odds.waves[0].own.defender_survives == pytest.approx(alone.defender_survives)
    assert battle_from_dict(there.to_dict() | {"game": "axis1940"}, OF_1940) == there


def test_a_kamikaze_battle_survives_its_document() -> None:
    there = battle_of_1940(carrier=2, battleship=1)
    assert AxisBattle.from_dict(there.to_dict(), OF_1940) == there
    assert "kamikaze" not in battle_of_1940().to_dict()["waves"][0]


@each(
    [
        ("1942", "sea", {"destroyer": 1}, {"destroyer": 1}, "these rules have no kamikaze attacks"),
        ("1940-europe", "sea", {"destroyer": 1}, {"destroyer": 1}, "these rules have no kamikaze attacks"),
        ("1940", "land", {"infantry": 1}, {"infantry": 1}, "kamikaze attacks need a battle at sea"),
        ("1940", "sea", {"destroyer": 3}, {"destroyer": 7}, "must be 0 to 6, not 7"),
        ("1940", "sea", {"destroyer": 3, "cruiser": 1}, {"destroyer": 4, "cruiser": 3}, "must be 0 to 6, not 7"),
        ("1940", "sea", {"destroyer": 3}, {"destroyer": -1}, "must be 0 to 6, not -1"),
        ("1940", "sea", {"destroyer": 3, "cruiser": 1}, {"destroyer": -1, "cruiser": 2}, "must be 0 to 6, not -1"),
        ("1940", "sea", {"destroyer": 3}, {"destroyer": 1.5}, "must be 0 to 6, not 1.5"),
        ("1940", "sea", {"destroyer": 3}, {"destroyer": True}, "must be 0 to 6, not true"),
        ("1940", "sea", {"submarine": 1, "transport": 1}, {"submarine": 1}, "the attacker has none"),
        ("1940", "sea", {"submarine": 1, "cruiser": 1}, {"submarine": 1}, "can't be aimed at submarine"),
        ("1940", "sea", {"cruiser": 1}, {"battleship": 1}, "can't be aimed at battleship"),
        ("1940", "sea", {"cruiser": 1}, {"zeppelin": 1}, "can't be aimed at zeppelin"),
        ("1940", "sea", {"cruiser": 1}, [1], "this must be an object"),
    ]
)
def test_impossible_kamikaze_attacks_are_refused(
    rules: str, theatre: str, ours: dict[str, int], aims: Any, message: str
) -> None:
    theirs = {"infantry" if theatre == "land" else "destroyer": 1}
    wave = {"attacker": {"units": ours}, "defender": {"units": theirs}, "kamikaze": aims}
    with pytest.raises(BattleError, match=message) as told:
        AxisBattle.from_dict({"theatre": theatre, "waves": [wave]}, editions()[rules].rules)
    assert told.value.field == "waves.0.kamikaze"


# Questions ---------------------------------------------------------------------------------------------

QUESTIONS = [
    ({"destroyer": 1, "carrier": 1, "fighter": 1}, {"destroyer": 1, "fighter": 1}, {"carrier": 1, "destroyer": 1}),
    ({"battleship": 1, "cruiser": 1, "submarine": 1}, {"destroyer": 1, "submarine": 1}, {"battleship": 2}),
    ({"destroyer": 2, "cruiser": 1}, {"cruiser": 1, "fighter": 1}, {"destroyer": 2, "cruiser": 1}),
    ({"carrier": 1, "battleship": 1, "fighter": 1}, {"destroyer": 1, "cruiser": 1}, {"carrier": 1, "battleship": 1}),
    ({"cruiser": 2, "damaged_battleship": 1}, {"destroyer": 1, "submarine": 1}, {"damaged_battleship": 1}),
]

PLANS: list[dict[str, Any]] = [
    {},
    {"round_limit": 2},
    {"retreat": {"profit_below": 0}},
    {"retreat": {"units_at_most": 1}},
]


def with_aims(ours: dict[str, int], theirs: dict[str, int], aims: dict[str, int], **fields: Any) -> AxisBattle:
    given = document(ours, theirs, theatre="sea", **fields)
    given["waves"][0]["kamikaze"] = aims
    return AxisBattle.from_dict(given, RULES)


def chosen_worth(
    ours: dict[str, int], theirs: dict[str, int], aims: dict[str, int], chooses: tuple[bool, bool], aim: Aim
) -> Fraction:
    """The mean worth over every fall of the dice, with the best choices after each."""
    whole = axis_rules.cost(name for name, count in ours.items() for _ in range(count))
    worth = Fraction(0)
    for left, chance in after_attacks(ours, aims, "standard"):
        value = Chosen(document(left, theirs, theatre="sea"), *chooses, aim).value() if left else Fraction(0)
        sunk = whole - axis_rules.cost(name for name, count in left.items() for _ in range(count))
        worth += chance * (value - (sunk if aim == "profit" else 0))
    return worth


@each(
    [
        (fleets, chooses, aim)
        for number, fleets in enumerate(QUESTIONS)
        for place, chooses in enumerate(CHOOSERS.values())
        for turn, aim in enumerate(get_args(Aim))
        if (number + place + turn) % pick(3, 1) == 0
    ]
)
def test_casualties_chosen_after_kamikaze_attacks_agree_with_every_die(
    fleets: tuple[dict[str, int], ...], chooses: tuple[bool, bool], aim: Aim
) -> None:
    ours, theirs, aims = fleets
    there = replace(with_aims(ours, theirs, aims), chooses=chooses, aim=aim)
    game = solve_casualties(there)
    assert game.value == pytest.approx(float(chosen_worth(ours, theirs, aims, chooses, aim)), rel=0, abs=1e-9)
    assert worth_of_odds(odds_of_game(game), aim) == pytest.approx(game.value, rel=0, abs=1e-9)
    advice = find_casualties(there)
    assert (advice.value, advice.now) == (game.value, [])


@each(QUESTIONS)
def test_the_best_orders_after_kamikaze_attacks_are_the_best_of_all(
    ours: dict[str, int], theirs: dict[str, int], aims: dict[str, int]
) -> None:
    there = with_aims(ours, theirs, aims)
    orders = best_orders(there, 1e9)
    for role, side, sign in zip(ROLES, orders, (1, -1), strict=True):
        assert side is not None
        names = list(permutations(movable_units(there, role)))
        odds = [solve_axis(with_order(there, role, order), 0) for order in names]
        assert side.different == side.tried == len(names)
        wins = max(one.wins if sign > 0 else 1 - one.wins for one in odds)
        assert side.chance.order.chance == pytest.approx(wins, rel=0, abs=1e-12)
        swing = max(sign * (one.defender_loss - one.attacker_loss) for one in odds)
        assert side.profit.order.profit == pytest.approx(swing, rel=0, abs=1e-9)


@each(product(QUESTIONS, PLANS))
def test_every_part_of_a_defender_with_kamikaze_attacks_has_the_odds_of_its_battle(
    fleets: tuple[dict[str, int], ...], fields: dict[str, Any]
) -> None:
    ours, theirs, aims = fleets
    there = with_aims(ours, theirs, aims, **fields)
    known = parts_odds(there, "defence")
    assert len(known.units) == prod(count + 1 for count in theirs.values())
    for place, counts in enumerate(known.units.tolist()):
        alone = solve_axis(with_units(there, "defence", tuple(zip(known.names, counts, strict=True))), 0)
        wanted = alone.defender_survives, alone.wins, alone.defender_loss - alone.attacker_loss
        values = [known.values[name][place] for name in get_args(Wanted)]
        assert values == pytest.approx(wanted, rel=0, abs=1e-9)


@each(product(QUESTIONS, PLANS))
def test_every_part_of_an_attacker_meets_the_usual_kamikaze_attacks(
    fleets: tuple[dict[str, int], ...], fields: dict[str, Any]
) -> None:
    ours, theirs, aims = fleets
    count = sum(aims.values())
    there = with_aims(ours, theirs, dict(usual_kamikaze(count, Army.of(ours), RULES)), **fields)
    known = parts_odds(there, "attack")
    assert len(known.units) == prod(count + 1 for count in ours.values())
    for place, counts in enumerate(known.units.tolist()):
        part = dict(zip(known.names, counts, strict=True))
        alone = solve_axis(with_aims(part, theirs, dict(usual_kamikaze(count, Army.of(part), RULES)), **fields), 0)
        wanted = alone.attacker_survives, alone.wins, alone.defender_loss - alone.attacker_loss
        values = [known.values[name][place] for name in get_args(Wanted)]
        assert values == pytest.approx(wanted, rel=0, abs=1e-9)


@each(
    [
        ({"destroyer": 3}, {"destroyer": 2, "carrier": 1}, {"destroyer": 3}),
        ({"destroyer": 3}, {"carrier": 1, "cruiser": 1}, {"carrier": 2, "cruiser": 1}),
        ({"carrier": 1, "destroyer": 2}, {"destroyer": 1, "battleship": 1}, {"battleship": 1, "destroyer": 2}),
        ({"carrier": 2}, {"submarine": 1}, {}),
    ]
)
def test_kamikaze_attacks_at_ships_that_stay_behind_get_the_usual_aims(
    aims: dict[str, int], part: dict[str, int], expected: dict[str, int]
) -> None:
    whole = Army.of({"submarine": 1, "destroyer": 3, "cruiser": 1, "carrier": 2, "battleship": 1})
    there = AxisBattle(RULES, "sea", whole, Army.of({"destroyer": 1}), kamikaze=tuple(aims.items()))
    assert dict(with_units(there, "attack", tuple(part.items())).kamikaze) == expected
    known = parts_odds(there, "attack")
    place = known.units.tolist().index([part.get(name, 0) for name in known.names])
    assert known.values["wins"][place] == pytest.approx(solve_axis(with_aims(part, {"destroyer": 1}, expected), 0).wins)


def test_the_first_of_two_waves_meets_the_aims_of_each_army() -> None:
    ours = {"destroyer": 1, "carrier": 1}
    first = wave(ours, {"destroyer": 1}, kamikaze={"carrier": 1})
    later = wave({"cruiser": 1}, {}, kamikaze={"cruiser": 1})
    waves = battle_from_dict({"game": "axis1942", "theatre": "sea", "waves": [first, later]}, RULES)
    assert isinstance(waves, Waves)
    known = wave_parts_odds(waves, "attack", 1e9)
    for place, counts in enumerate(known.units.tolist()):
        part = {name: count for name, count in zip(known.names, counts, strict=True) if count}
        aims = {"carrier" if "carrier" in part else "destroyer": 1}
        own = wave(part, {"destroyer": 1}, kamikaze=aims)
        alone = battle_from_dict({"game": "axis1942", "theatre": "sea", "waves": [own, later]}, RULES)
        assert isinstance(alone, Waves)
        assert known.values["wins"][place] == pytest.approx(solve_waves(alone, 0).hold_chance(0), rel=0, abs=1e-9)
