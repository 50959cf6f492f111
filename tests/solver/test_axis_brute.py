"""Small battles of Axis & Allies: the odds are those of every number of hits followed in fractions, rule by rule."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.axis import AxisBattle
from solver.axis_odds import AxisOdds, solve_axis
from tests.solver import axis_brute
from tests.solver.axis_battles import ATTACK, DEFENCE, RULES, document
from tests.solver.axis_rules import End

Document = dict[str, Any]

# Nothing comes to exactly one of these.
CHANCES = st.sampled_from([0.0101, 0.0707, 0.1503, 0.3001, 0.4507, 0.6203, 0.8501, 0.9701])
PROFITS = st.sampled_from([-20.013, -9.037, -4.071, -1.013, -0.013, 0.017, 1.031, 3.057, 8.023])
VALUES = st.sampled_from([-3, 0, 2, 6, 7.5, 30])
MEASURES = st.sampled_from(["ipc", "units", "power"])
PRICES = st.sampled_from([0, 0.25, 1, 2.5, 7, 14])

SHIPS = ["submarine", "destroyer", "carrier", "cruiser", "damaged_battleship", "battleship", "transport"]
PLANES = ["fighter", "bomber"]
NEVER: dict[str, Any] = {}


def armies(kinds: list[str], most: int) -> st.SearchStrategy[dict[str, int]]:
    """A few units of some of these kinds."""
    one = st.sampled_from(kinds)
    return st.lists(one, max_size=most).map(lambda names: {name: names.count(name) for name in names})


@st.composite
def plans(draw: st.DrawFn, theatre: str) -> Document:
    """The attacker's plans: mostly one rule, sometimes several, sometimes a limit of rounds."""
    rules: dict[str, st.SearchStrategy[Any]] = {
        "units_at_most": st.integers(1, 3),
        "profit_below": PROFITS,
        "win_chance_below": CHANCES,
    }
    if theatre == "land":
        rules |= {"clear_chance_above": CHANCES, "air_loss_chance_above": CHANCES}
    chosen = draw(st.lists(st.sampled_from(sorted(rules)), max_size=2, unique=True))
    retreat: Document = {name: draw(rules[name]) for name in chosen}
    if "win_chance_below" in retreat:
        retreat["win_means"] = draw(st.sampled_from(["take", "destroy"]))
    plan: Document = {"retreat": retreat, "decline_allowed": draw(st.booleans())}
    if draw(st.booleans()):
        plan["round_limit"] = draw(st.integers(1, 4))
    if "profit_below" in retreat and draw(st.booleans()):
        plan["retreat_ev_override"] = {"deadzone": draw(st.booleans()), "territory_value": draw(VALUES)}
    return plan


def worths(kinds: list[str]) -> st.SearchStrategy[Document]:
    """What units of these kinds count: their cost more often than not, else another measure, or some own prices."""
    prices = st.dictionaries(st.sampled_from(kinds), PRICES, max_size=3)
    other: st.SearchStrategy[Document] = st.fixed_dictionaries({"measure": MEASURES, "units": prices})
    return st.one_of(st.just(NEVER), st.just(NEVER), other)


@st.composite
def on_land(draw: st.DrawFn, retreats: bool = True) -> Document:
    """A small battle on land."""
    attackers = draw(armies([*ATTACK["land"], *PLANES], 4))
    defenders = draw(armies(["aa_gun", *DEFENCE["land"]], 4))
    if attackers or defenders.keys() != {"aa_gun"}:  # whether ships alone destroy guns the rules do not say
        attackers |= draw(armies(["cruiser", "battleship", "damaged_battleship"], 1))
    return document(
        attackers,
        defenders,
        **(draw(plans("land")) if retreats else NEVER),
        dice=draw(st.sampled_from(["standard", "low_luck", "biased"])),
        attack_order=draw(st.permutations(ATTACK["land"])),
        defence_order=draw(st.permutations(DEFENCE["land"])),
        keep_land=draw(st.integers(0, 2)),
        aa_second_last=draw(st.booleans()),
        aa_already_fired=draw(st.booleans()),
        deadzone=draw(st.booleans()),
        territory_value=draw(VALUES),
        worth=draw(worths(["aa_gun", *ATTACK["land"], *PLANES])),
    )


both = st.fixed_dictionaries({"attacker": st.booleans(), "defender": st.booleans()})


@st.composite
def at_sea(draw: st.DrawFn, retreats: bool = True) -> Document:
    """A small battle at sea: submarines, destroyers and planes are there more often than others."""
    often = ["submarine", "submarine", "destroyer", "fighter", *PLANES, *SHIPS]
    return document(
        draw(armies(often, 4)),
        draw(armies(often, 4)),
        theatre="sea",
        **(draw(plans("sea")) if retreats else NEVER),
        dice=draw(st.sampled_from(["standard", "low_luck", "biased"])),
        attack_order=draw(st.permutations(ATTACK["sea"])),
        defence_order=draw(st.permutations(DEFENCE["sea"])),
        submerge=draw(both),
        keep_last_destroyer=draw(both),
        crash_stranded_fighters=draw(st.booleans()),
        worth=draw(worths([*SHIPS, *PLANES])),
    )


def ends_of(odds: AxisOdds) -> dict[End, float]:
    """The joint law of what becomes of both sides."""
    law: dict[End, float] = {}
    for row, column, chance in zip(odds.rows.tolist(), odds.columns.tolist(), odds.chances.tolist(), strict=True):
        ours, theirs = odds.attackers[row], odds.defenders[column]
        end = End(ours.left, ours.gone, ours.lost, theirs.left, theirs.gone, theirs.lost)
        law[end] = law.get(end, 0.0) + chance
    return law


def agree(battle: Document) -> AxisOdds:
    """Compare everything that is said of a battle; returns its odds."""
    odds, answer = solve_axis(AxisBattle.from_dict(battle, RULES), 0), axis_brute.solve(battle)
    given, wanted = ends_of(odds), {end: float(chance) for end, chance in answer.ends.items()}
    assert given == pytest.approx({end: wanted.get(end, 0.0) for end in given.keys() | wanted.keys()}, rel=0, abs=1e-9)
    for name in ("takes", "attacker_survives", "defender_survives", "attacker_loss", "defender_loss", "rounds"):
        assert getattr(odds, name) == pytest.approx(float(getattr(answer, name)), rel=0, abs=1e-9), name
    profits: dict[float, float] = {}
    for amount, chance in answer.profit.items():
        rounded = round(float(amount), 6) + 0.0
        profits[rounded] = profits.get(rounded, 0.0) + float(chance)
    amounts, chances = odds.profit
    assert dict(zip(amounts.round(6).tolist(), chances.tolist(), strict=True)) == pytest.approx(
        profits, rel=0, abs=1e-9
    )
    return odds


@settings(derandomize=True, max_examples=100)
@given(on_land(retreats=False))
def test_battles_on_land_are_fought_as_the_rules_say(battle: Document) -> None:
    agree(battle)


@settings(derandomize=True, max_examples=100)
@given(at_sea(retreats=False))
def test_battles_at_sea_are_fought_as_the_rules_say(battle: Document) -> None:
    agree(battle)


@settings(derandomize=True, max_examples=125)
@given(on_land())
def test_attackers_on_land_retreat_as_they_plan(battle: Document) -> None:
    agree(battle)


@settings(derandomize=True, max_examples=125)
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
