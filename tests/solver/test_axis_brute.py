"""Small battles of Axis & Allies: the odds are those of every number of hits followed in fractions, rule by rule."""

from dataclasses import replace

import pytest
from hypothesis import given

from solver.axis.battle import AxisBattle
from solver.axis.live.fight import AxisFight
from solver.axis.solve import solve_axis
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import Document, at_sea, on_land
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_compare import agree, agree_with_each_kernel, ends_of
from tests.helpers.solver.axis_rules import End
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances


@examples(pick(50, 100), derandomize=True)
@given(on_land(retreats=False))
def test_battles_on_land_are_fought_as_the_rules_say(battle: Document) -> None:
    agree_with_each_kernel(battle)


@examples(pick(50, 100), derandomize=True)
@given(at_sea(retreats=False))
def test_battles_at_sea_are_fought_as_the_rules_say(battle: Document) -> None:
    agree_with_each_kernel(battle)


@examples(pick(62, 125), derandomize=True)
@given(on_land())
def test_attackers_on_land_retreat_as_they_plan(battle: Document) -> None:
    agree_with_each_kernel(battle)


@examples(pick(62, 125), derandomize=True)
@given(at_sea())
def test_attackers_at_sea_retreat_as_they_plan(battle: Document) -> None:
    agree_with_each_kernel(battle)


def test_without_attackers_no_round_is_fought_under_any_plan() -> None:
    assert agree(document({}, {"tank": 1}, retreat={"units_at_most": 2}, decline_allowed=False)).rounds == 0
    # A gun has shot down the only plane, or has not.
    odds = agree(
        document(
            {"fighter": 1},
            {"aa_gun": 1, "tank": 1},
            retreat={"win_chance_below": 0.01, "win_means": "take"},
            decline_allowed=False,
        )
    )
    assert odds.rounds == pytest.approx(5 / 6)


def test_no_plane_crashes_in_a_declined_battle() -> None:
    battle = document({"fighter": 1}, {"destroyer": 1, "bomber": 1}, theatre="sea", crash_stranded_fighters=True)
    battle["waves"][0]["retreat"] = {"win_chance_below": 0.85}
    odds = agree(battle)
    assert odds.declined
    assert (odds.defender_survives, odds.defender_loss) == (1, 0)


def test_attackers_have_not_withdrawn_if_all_defenders_crash() -> None:
    battle = document({"cruiser": 1}, {"fighter": 1}, theatre="sea", crash_stranded_fighters=True, round_limit=1)
    odds = agree(battle)
    alone = ends_of(odds)[End((("cruiser", 1),), (), (), (), (), (("fighter", 1),))]
    assert alone == pytest.approx(1 / 3), "whether the cruiser has hit or not, if only the fighter has not"


def test_planes_crash_before_the_winner_is_determined() -> None:
    battle = document(
        {"cruiser": 3, "battleship": 1},
        {"carrier": 1, "fighter": 2},
        theatre="sea",
        defence_order=["carrier", "fighter"],
        crash_stranded_fighters=True,
        round_limit=1,
    )
    assert agree(battle).wins == pytest.approx(23 / 24), "without the carrier, which no hit at all spares"


def test_attacking_fighters_without_a_carrier_crash() -> None:
    battle = document({"fighter": 2}, {"transport": 1}, theatre="sea", crash_attacking_fighters=True)
    odds = agree(battle)
    assert (odds.wins, odds.end_chances["nobody"]) == (0, 1)
    assert (odds.attacker_loss, odds.defender_loss) == (20, 7)
    declined = document({"fighter": 2}, {"destroyer": 9}, theatre="sea", crash_attacking_fighters=True)
    declined["waves"][0]["retreat"] = {"win_chance_below": 0.5}
    assert agree(declined).attacker_loss == 0, "who stays at home has somewhere to land"


def test_a_carrier_saves_the_last_two_planes_of_the_casualty_order() -> None:
    units = {"carrier": 1, "fighter": 3, "bomber": 1}
    order = ["fighter", "bomber", "carrier"]
    battle = document(units, {"transport": 1}, theatre="sea", attack_order=order, crash_attacking_fighters=True)
    (end,) = ends_of(agree(battle))
    assert end.attackers_left == (("bomber", 1), ("carrier", 1), ("fighter", 2)), "bombers land elsewhere"


@each([(1, 0), (0, 20)])
def test_attacking_bombers_need_no_carrier(carriers: int, lost: int) -> None:
    units = {"carrier": carriers, "destroyer": 1, "fighter": 2, "bomber": 2}
    battle = document(units, {"transport": 1}, theatre="sea", crash_attacking_fighters=True)
    odds = agree(battle)
    assert (odds.attacker_loss, odds.defender_loss) == (lost, 7)
    old = replace(AxisBattle.from_dict(battle, RULES), ruling=4)
    assert solve_axis(old).attacker_loss == lost + (20 if carriers else 24), "as old logs have it"


OURS, THEIRS = "crash_attacking_fighters", "crash_stranded_fighters"
STANDOFFS: list[tuple[str, str, str, Document, bool]] = [
    ("fighter", "submarine", OURS, {"profit_below": -3}, True),
    ("fighter", "submarine", OURS, {"profit_below": -20.5}, False),
    ("fighter", "submarine", OURS, {"win_chance_below": 0.1}, True),
    ("fighter", "submarine", OURS, {"units_at_most": 2}, True),
    ("fighter", "submarine", OURS, {"units_at_most": 1}, False),
    ("fighter", "submarine", THEIRS, {"units_at_most": 2}, False),
    ("bomber", "submarine", OURS, {"profit_below": -3}, False),
    ("fighter", "transport", OURS, {"units_at_most": 2}, False),
    ("fighter", "transport", OURS, {"profit_below": 0}, True),
    ("submarine", "fighter", THEIRS, {"profit_below": 20.5}, True),
    ("submarine", "fighter", THEIRS, {"profit_below": 19.5}, False),
    ("submarine", "fighter", OURS, {"units_at_most": 2}, False),
]
"""The kinds of two attackers and two defenders, whose planes crash, a rule, and whether the attackers stay at home."""


@each([(*case, submerge) for case in STANDOFFS for submerge in (False, True)])
def test_crashing_planes_count_for_the_decision_to_attack(
    ours: str, theirs: str, crash: str, retreat: Document, declined: bool, submerge: bool
) -> None:
    declined &= not (submerge and "win_chance_below" in retreat)  # no enemy is left in the fight
    flags = {"attacker": submerge, "defender": submerge}
    found = document({ours: 2}, {theirs: 2}, theatre="sea", retreat=retreat, submerge=flags, **{crash: True})
    battle, odds = AxisBattle.from_dict(found, RULES), agree(found)
    assert bool(odds.declined) is (AxisFight.begin(battle).ended == "stopped") is declined
    before = solve_axis(replace(battle, ruling=4)).declined
    assert before == (declined and theirs == "transport"), "as old logs have it"


def test_attackers_who_retreat_take_their_carriers_along() -> None:
    battle = document(
        {"carrier": 1, "fighter": 3}, {"battleship": 9}, theatre="sea", crash_attacking_fighters=True, round_limit=1
    )
    for end in ends_of(agree(battle)):
        gone = dict(end.attackers_gone)
        assert gone.get("fighter", 0) <= 2 * gone.get("carrier", 0)


PLANS: list[Document] = [{"profit_below": 0.017}, {"units_at_most": 3}, {}, {"win_chance_below": 0.5}]


@each(
    [
        (plan, attackers, defenders)
        for plan in PLANS[: pick(2, 4)]
        for attackers in [{"bomber": 1}, {"cruiser": 1}, {"submarine": 1}, {"submarine": 1, "fighter": 1}]
        for defenders in [{"transport": 1}, {"submarine": 2}, {"submarine": 1, "transport": 1}]
    ]
)
def test_submarines_submerge_before_anything_else(
    plan: Document, attackers: dict[str, int], defenders: dict[str, int]
) -> None:
    """Before a deadlock is one and before anybody retreats; transports alone are destroyed all the same."""
    flags = {"attacker": True, "defender": True}
    odds = agree(document(attackers, defenders, theatre="sea", submerge=flags, retreat=plan))
    assert odds.rounds == 0
    assert not odds.declined, "there is nobody to fight"
    assert odds.defender_survives == ("submarine" in defenders)


def test_submarines_do_not_submerge_from_transports_alone() -> None:
    """Those of the defender are destroyed at once, those of the attacker by submarines that they cannot hit."""
    both = {"attacker": True, "defender": True}
    alone = agree(document({"submarine": 1}, {"transport": 2}, theatre="sea", submerge=both))
    assert (alone.wins, alone.rounds, alone.defender_loss) == pytest.approx((1, 0, 14))
    sunk = agree(document({"transport": 2}, {"submarine": 1}, theatre="sea", submerge=both))
    assert (sunk.end_chances["holds"], sunk.attacker_loss) == pytest.approx((1, 14))
    order = ["destroyer", "submarine"]
    later = document(
        {"submarine": 2, "destroyer": 1},
        {"destroyer": 1, "transport": 3},
        theatre="sea",
        submerge=both,
        attack_order=order,
    )
    assert agree(later).wins == pytest.approx(0.984453, abs=1e-6)
    old = replace(AxisBattle.from_dict(later, RULES), ruling=4)
    assert solve_axis(old, 0).wins == pytest.approx(0.584689, abs=1e-3)
    escorted = document({"destroyer": 1, "transport": 2}, {"submarine": 2}, theatre="sea", submerge=both)
    agree(escorted)
    check_that_shares_are_chances(AxisBattle.from_dict(escorted, RULES), seed=1)


def test_retreat_rules_combined_leave_earlier_than_each() -> None:
    """Rules that plan do so together: with both the attacker leaves earlier than with one of them."""
    apart = []
    for retreat in ({"profit_below": 1.0}, {"win_chance_below": 0.6}, {"profit_below": 1.0, "win_chance_below": 0.6}):
        battle = document({"infantry": 3, "tank": 2}, {"infantry": 4}, retreat=retreat, decline_allowed=False)
        apart.append(agree(battle).takes)
    assert apart[2] < min(apart[:2]) - 0.1


@each(
    [
        (attackers, defenders, retreat, beside)
        for attackers, defenders, retreat in [
            ({"artillery": 3}, {"infantry": 2}, {"clear_chance_above": 7 / 27}),
            ({"infantry": 3, "artillery": 2}, {"infantry": 1}, {"clear_chance_above": 1 - (2 / 3) ** 4 * 5 / 6}),
            ({"infantry": 1, "fighter": 1}, {"infantry": 3}, {"air_loss_chance_above": 7 / 27}),
            ({"fighter": 2}, {"infantry": 3}, {"air_loss_chance_above": 19 / 27}),
            ({"tank": 1}, {"tank": 1}, {"profit_below": 0}),
            ({"tank": 1}, {"tank": 1}, {"win_chance_below": 1 / 3}),
            ({"infantry": 1}, {"infantry": 1}, {"win_chance_below": 1 / 4}),
        ]
        for beside in [0, -2e-16, 2e-16, -1e-10, 1e-10]
    ]
)
def test_a_threshold_met_exactly_is_no_reason_to_retreat(
    attackers: dict[str, int], defenders: dict[str, int], retreat: dict[str, float], beside: float
) -> None:
    close = {name: threshold + beside for name, threshold in retreat.items()}
    odds = agree(document(attackers, defenders, retreat=close))
    assert not odds.declined
    clear = {name: threshold + (-1e-6 if name.endswith("above") else 1e-6) for name, threshold in retreat.items()}
    assert agree(document(attackers, defenders, retreat=clear)).declined


def test_ships_alone_destroy_guns_alone() -> None:
    odds = agree(document({"cruiser": 2}, {"aa_gun": 1}))
    assert (odds.end_chances["nobody"], odds.defender_loss, odds.rounds) == (1, 5, 0)
    # Once they have fired, ships are away: the gun that outlives its infantry stays.
    left = agree(document({"cruiser": 2}, {"aa_gun": 1, "infantry": 1}, aa_second_last=True))
    assert left.defender_survives == pytest.approx(3 / 4)


def test_in_logs_of_the_first_rules_guns_hold_against_ships() -> None:
    battle = replace(AxisBattle.from_dict(document({"cruiser": 2}, {"aa_gun": 1}), RULES), ruling=1)
    assert solve_axis(battle).end_chances["holds"] == 1
    assert AxisFight.begin(battle).ended == "lost"
    assert AxisFight.begin(replace(battle, ruling=2)).ended == "nobody"


@each([(0, True), (-8.5, False), (-8.4, True)])
def test_a_plan_by_profit_may_spare_helpless_defenders(below: float, declined: bool) -> None:
    """What three tanks can be expected to lose in a deadzone is 13.5; the gun is worth 5."""
    battle = document({"tank": 3}, {"aa_gun": 1}, deadzone=True, retreat={"profit_below": below})
    odds = agree(battle)
    assert bool(odds.declined) is declined
    assert odds.defender_survives == declined
    assert odds.attacker_loss == (0 if declined else 13.5)
    old = replace(AxisBattle.from_dict(battle, RULES), ruling=1)
    assert (solve_axis(old).wins, AxisFight.begin(old).ended) == (1, "won")
    assert AxisFight.begin(replace(old, ruling=2)).ended == ("stopped" if declined else "won")
