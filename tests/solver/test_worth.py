"""What units count in the money of a battle: measures, own prices, and that they change nothing but money."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from solver.axis.battle import AxisBattle
from solver.axis.fates import Fate
from solver.axis.odds import AxisOdds, percentiles
from solver.axis.sides import Army, Retreat
from solver.axis.solve import solve_axis
from solver.axis.units import Role
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.axis.worth import IPC, Measure, Worth
from solver.errors import BattleError
from tests.helpers.cases import each
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_compare import agree

ATTACKERS = {"infantry": 3, "artillery": 1, "tank": 2, "fighter": 1}
DEFENDERS = {"aa_gun": 1, "infantry": 4, "tank": 1}
BATTLE = AxisBattle(RULES, "land", Army.of(ATTACKERS), Army.of(DEFENDERS))


def counting(measure: Measure = "ipc", **prices: float) -> AxisBattle:
    return AxisBattle(
        RULES, "land", Army.of(ATTACKERS), Army.of(DEFENDERS), worth=Worth(measure, tuple(prices.items()))
    )


def by_hand(odds: AxisOdds, price: Mapping[str, float], defenders: bool) -> float:
    """What a side loses on average, from the units that it loses."""
    return sum(price[name] * count for name, count in odds.lost_units(defenders).items())


def test_the_swing_of_1_against_1_agrees_with_a_hand_computation() -> None:
    """One tank against one infantry: a round ends it with 2/3, in which the tank hits with 1/2, and is hit with 1/3."""
    chance = {"taken": (1 / 2 * 2 / 3) / (2 / 3), "lost": (1 / 2 * 1 / 3) / (2 / 3), "both": (1 / 2 * 1 / 3) / (2 / 3)}
    for worth, tank, infantry in (
        (IPC, 6, 3),
        (Worth("units"), 1, 1),
        (Worth("power"), 3, 2),
        (Worth("power", (("infantry", 2.5),)), 3, 2.5),
        (Worth("ipc", (("tank", 7.25),)), 7.25, 3),
    ):
        battle = AxisBattle(RULES, "land", Army.of({"tank": 1}), Army.of({"infantry": 1}), worth=worth)
        odds = solve_axis(battle, 0)
        assert odds.attacker_loss == pytest.approx(tank * (chance["lost"] + chance["both"]))
        assert odds.defender_loss == pytest.approx(infantry * (chance["taken"] + chance["both"]))
        assert dict(zip(*(one.tolist() for one in odds.profit), strict=True)) == pytest.approx(
            {-tank: chance["lost"], infantry - tank: chance["both"], infantry: chance["taken"]}
        )


@each(["ipc", "units", "power"])
def test_prices_change_only_the_money(measure: Measure) -> None:
    usual, odds = solve_axis(BATTLE, 0), solve_axis(counting(measure, fighter=14, artillery=0), 0)
    assert odds.chances.tolist() == usual.chances.tolist()
    assert tuple(odds.attackers) == tuple(usual.attackers)
    price: dict[str, dict[str, float]] = {
        "ipc": {"infantry": 3, "tank": 6, "aa_gun": 5},
        "units": {"infantry": 1, "tank": 1, "aa_gun": 1},
        "power": {"infantry": 1, "tank": 3, "aa_gun": 0},
    }
    ours = price[measure] | {"fighter": 14, "artillery": 0}
    theirs = price[measure] | ({"infantry": 2} if measure == "power" else {})
    assert odds.attacker_loss == pytest.approx(by_hand(odds, ours, defenders=False))
    assert odds.defender_loss == pytest.approx(by_hand(odds, theirs, defenders=True))


def test_prices_go_before_measures_and_apply_to_forms_of_a_unit() -> None:
    worth = Worth("units", (("tank", 5), ("amphibious_infantry", 2), ("battleship", 9)))
    table = RULES.table
    told = {
        name: worth.of(table[name], "attack")
        for name in ("infantry", "amphibious_infantry", "tank", "amphibious_tank", "battleship", "damaged_battleship")
    }
    assert told == {
        "infantry": 1,
        "amphibious_infantry": 2,
        "tank": 5,
        "amphibious_tank": 5,
        "battleship": 9,
        "damaged_battleship": 9,
    }
    both: tuple[Role, Role] = ("attack", "defence")
    assert [Worth("power").of(table["fighter"], role) for role in both] == [3, 4]


def test_a_damaged_ship_may_have_its_own_price() -> None:
    units = {"battleship": 1, "damaged_battleship": 1}, {"cruiser": 2, "submarine": 1}
    worth = {"measure": "power", "units": {"damaged_battleship": 0.25}}
    odds = agree(document(*units, theatre="sea", worth=worth))
    assert float(odds.attacker_loss_at.max()) == 4.25


def test_a_plan_for_profit_uses_the_given_prices() -> None:
    """The fighters are not worth the risk at 10, and are as expendable as infantry at 3."""
    dear, cheap = (
        agree(
            document(
                {"infantry": 1, "fighter": 2},
                {"infantry": 3},
                retreat={"profit_below": -1.013},
                worth={"units": {"fighter": price}},
            )
        )
        for price in (14, 3)
    )
    assert dear.declined
    assert not cheap.declined


def test_captors_of_a_deadzone_count_as_lost_at_any_price() -> None:
    """A unit there is lost, after one shot at infantry: tank 1 - 3/6, infantry 1 - 2/6."""
    worth = {"measure": "units"}
    odds = agree(document({"infantry": 1, "tank": 1}, {"aa_gun": 1}, deadzone=True, territory_value=2, worth=worth))
    assert odds.attacker_loss == pytest.approx(1 - 3 / 6 + 1 - 2 / 6 - 2)
    assert odds.territory == pytest.approx(-odds.attacker_loss)


def test_prices_of_one_side_do_not_change_the_other_side() -> None:
    """Fighters count 14 to the defender; the attacker's stay at 10."""
    units = {"infantry": 2, "fighter": 1}
    odds = agree(document(units, units, worth={"defender": {"fighter": 14}, "units": {"infantry": 2}}))
    attackers, defenders = {"infantry": 2, "fighter": 10}, {"infantry": 2, "fighter": 14}
    assert odds.attacker_loss == pytest.approx(by_hand(odds, attackers, defenders=False))
    assert odds.defender_loss == pytest.approx(by_hand(odds, defenders, defenders=True))


def test_prices_stay_with_their_side_in_a_hold() -> None:
    """The captors' tanks count 9 wherever they fight, those who come to take the territory back 6."""
    waves: list[dict[str, Any]] = [{"attacker": {"units": {"tank": 3}}, "defender": {"units": {"infantry": 1}}}]
    waves += [{"attacker": {"units": {"tank": 2}}, "defender": {"units": {}}, "previous_attackers_defend": True}]
    own = {"theatre": "land", "waves": waves, "worth": {"measure": "ipc", "attacker": {"tank": 9}}}
    battle = battle_from_dict({"game": "axis1942", **own}, RULES)
    assert isinstance(battle, Waves)
    assert [one.worth for one in battle.battles] == [Worth(attacker=(("tank", 9),)), Worth(defender=(("tank", 9),))]
    assert battle_from_dict(battle.to_dict(), RULES) == battle


# One form, and what is refused --------------------------------------------------------------------------------


def test_prices_without_effect_are_left_out() -> None:
    assert counting("ipc", tank=6, infantry=3.0) == BATTLE
    assert hash(counting("ipc", tank=6)) == hash(BATTLE)
    assert counting("units", fighter=1) == counting("units")
    assert counting("power", infantry=2) != counting("power"), "attacking infantry has 1"
    assert counting("ipc", amphibious_tank=7, tank=7) == counting("ipc", tank=7)
    assert counting("ipc", amphibious_tank=6, tank=7) != counting("ipc", tank=7)
    fighter = (("fighter", 14),)
    same = Worth("ipc", attacker=fighter, defender=fighter)
    assert replace(BATTLE, worth=same) == counting("ipc", fighter=14), "prices of both sides"
    more = replace(BATTLE, worth=Worth("ipc", fighter, defender=(("fighter", 10),)))
    assert more.worth == Worth("ipc", attacker=fighter), "10 is what it costs"
    assert counting("ipc", tank=7, fighter=14) == counting("ipc", fighter=14.0, tank=7.0)


def test_worth_survives_the_document_and_swapped_sides() -> None:
    battle = counting("units", fighter=2.5, bomber=0)
    written = battle.to_dict()
    assert written["worth"] == {"measure": "units", "units": {"fighter": 2.5, "bomber": 0}}
    assert AxisBattle.from_dict(written, RULES) == battle
    assert battle.swap_sides().worth == battle.worth
    assert AxisBattle.from_dict({name: written[name] for name in written if name != "worth"}, RULES) == BATTLE


WRONG: list[tuple[Any, str]] = [
    ("units", "worth"),
    ({"measure": "gold"}, "worth.measure"),
    ({"measure": None}, "worth.measure"),
    ({"measure": []}, "worth.measure"),
    ({"prices": {}}, "worth.prices"),
    ({"units": ["tank"]}, "worth.units"),
    ({"units": {"zeppelin": 1}}, "worth.units.zeppelin"),
    ({"units": {"tank": -0.5}}, "worth.units.tank"),
    ({"units": {"tank": 1_000.01}}, "worth.units.tank"),
    ({"units": {"tank": 10**400}}, "worth.units.tank"),
    ({"units": {"tank": float("nan")}}, "worth.units.tank"),
    ({"units": {"tank": 1.005}}, "worth.units.tank"),
    ({"units": {"tank": True}}, "worth.units.tank"),
    ({"units": {"tank": "6"}}, "worth.units.tank"),
]


@each(WRONG)
def test_a_wrong_worth_names_its_field(worth: Any, field: str) -> None:
    with pytest.raises(BattleError) as error:
        AxisBattle.from_dict(BATTLE.to_dict() | {"worth": worth}, RULES)
    assert error.value.field == field
    assert error.value.sentence.endswith(".")


def test_units_without_worth_fight_as_usual() -> None:
    free = counting("ipc", **dict.fromkeys([*ATTACKERS, *DEFENDERS], 0))
    odds, usual = solve_axis(free, 0), solve_axis(BATTLE, 0)
    assert odds.attacker_survives == usual.attacker_survives
    assert (odds.attacker_loss, odds.defender_loss) == (0, 0)
    assert percentiles(*odds.profit) == (0, 0, 0)
    assert odds.attackers[0] == usual.attackers[0]
    assert isinstance(odds.attackers[0], Fate)


def test_a_plan_for_profit_works_with_worthless_units() -> None:
    free = counting("ipc", **dict.fromkeys([*ATTACKERS, *DEFENDERS], 0))
    planned = AxisBattle(RULES, "land", free.attacker, free.defender, retreat=Retreat(profit_below=0), worth=free.worth)
    assert not solve_axis(planned, 0).declined, "nothing is no less than nothing"
