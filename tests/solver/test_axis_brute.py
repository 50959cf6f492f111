"""Small battles of Axis & Allies: the odds are those of every number of hits followed in fractions, rule by rule."""

import pytest
from hypothesis import given

from tests.helpers.examples import examples
from tests.helpers.solver.any_axis_battle import Document, at_sea, on_land
from tests.helpers.solver.axis_battles import document
from tests.helpers.solver.axis_compare import agree, ends_of
from tests.helpers.solver.axis_rules import End


@examples(100, derandomize=True)
@given(on_land(retreats=False))
def test_battles_on_land_are_fought_as_the_rules_say(battle: Document) -> None:
    agree(battle)


@examples(100, derandomize=True)
@given(at_sea(retreats=False))
def test_battles_at_sea_are_fought_as_the_rules_say(battle: Document) -> None:
    agree(battle)


@examples(125, derandomize=True)
@given(on_land())
def test_attackers_on_land_retreat_as_they_plan(battle: Document) -> None:
    agree(battle)


@examples(125, derandomize=True)
@given(at_sea())
def test_attackers_at_sea_retreat_as_they_plan(battle: Document) -> None:
    agree(battle)


def test_where_nobody_attacks_no_round_is_fought_whatever_is_planned() -> None:
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


def test_nobody_crashes_in_a_battle_that_is_declined() -> None:
    battle = document({"fighter": 1}, {"destroyer": 1, "bomber": 1}, theatre="sea", crash_stranded_fighters=True)
    battle["waves"][0]["retreat"] = {"win_chance_below": 0.85}
    odds = agree(battle)
    assert odds.declined
    assert (odds.defender_survives, odds.defender_loss) == (1, 0)


def test_who_has_withdrawn_is_gone_even_where_all_defenders_crash() -> None:
    battle = document({"cruiser": 1}, {"fighter": 1}, theatre="sea", crash_stranded_fighters=True, round_limit=1)
    odds = agree(battle)
    crashed = (("fighter", 1),), (), ()
    both_there = ends_of(odds)[End((), (("cruiser", 1),), (), (), (), crashed[0])]
    assert both_there == pytest.approx(1 / 2 * 1 / 3), "after a round without a hit"


@pytest.mark.parametrize("plan", [{}, {"units_at_most": 3}, {"profit_below": 0.017}, {"win_chance_below": 0.5}])
@pytest.mark.parametrize("attackers", [{"bomber": 1}, {"cruiser": 1}, {"submarine": 1}, {"submarine": 1, "fighter": 1}])
@pytest.mark.parametrize("defenders", [{"transport": 1}, {"submarine": 2}, {"submarine": 1, "transport": 1}])
def test_submarines_are_gone_before_anything_else_happens(
    plan: Document, attackers: dict[str, int], defenders: dict[str, int]
) -> None:
    """Before a deadlock is one, before helpless defenders are destroyed, and before anybody retreats."""
    flags = {"attacker": True, "defender": True}
    odds = agree(document(attackers, defenders, theatre="sea", submerge=flags, retreat=plan))
    assert odds.rounds == 0
    assert not odds.declined, "there is nobody to fight"
    assert odds.defender_survives == (1 if "submarine" in defenders or attackers == {"submarine": 1} else 0)


def test_a_rule_may_call_off_what_another_would_have_gone_on_with() -> None:
    """Rules that plan do so together: with both the attacker leaves earlier than with one of them."""
    apart = []
    for retreat in ({"profit_below": 1.0}, {"win_chance_below": 0.6}, {"profit_below": 1.0, "win_chance_below": 0.6}):
        battle = document({"infantry": 3, "tank": 2}, {"infantry": 4}, retreat=retreat, decline_allowed=False)
        apart.append(agree(battle).takes)
    assert apart[2] < min(apart[:2]) - 0.1


@pytest.mark.parametrize(
    ("attackers", "defenders", "retreat"),
    [
        ({"artillery": 3}, {"infantry": 2}, {"clear_chance_above": 7 / 27}),
        ({"infantry": 3, "artillery": 2}, {"infantry": 1}, {"clear_chance_above": 1 - (2 / 3) ** 4 * 5 / 6}),
        ({"infantry": 1, "fighter": 1}, {"infantry": 3}, {"air_loss_chance_above": 7 / 27}),
        ({"fighter": 2}, {"infantry": 3}, {"air_loss_chance_above": 19 / 27}),
        ({"tank": 1}, {"tank": 1}, {"profit_below": 0}),
        ({"tank": 1}, {"tank": 1}, {"win_chance_below": 1 / 3}),
        ({"infantry": 1}, {"infantry": 1}, {"win_chance_below": 1 / 4}),
    ],
)
@pytest.mark.parametrize("beside", [0, -2e-16, 2e-16, -1e-10, 1e-10])
def test_where_a_threshold_is_met_to_a_hair_nobody_retreats(
    attackers: dict[str, int], defenders: dict[str, int], retreat: dict[str, float], beside: float
) -> None:
    close = {name: threshold + beside for name, threshold in retreat.items()}
    odds = agree(document(attackers, defenders, retreat=close))
    assert not odds.declined
    clear = {name: threshold + (-1e-6 if name.endswith("above") else 1e-6) for name, threshold in retreat.items()}
    assert agree(document(attackers, defenders, retreat=clear)).declined
