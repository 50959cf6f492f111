"""Casualties chosen round by round: the worth is that of every hit and every choice followed in fractions."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.casualties.advice import FirstLosses, find_casualties
from solver.axis.casualties.forward import odds_of_game
from solver.axis.casualties.limits import answer_casualties, choices_within, chosen_odds_within
from solver.axis.casualties.solve import solve_casualties
from solver.axis.limits import battle_odds_within, odds_within
from solver.axis.sides import CHOOSERS, Aim, Retreat
from solver.axis.solve import DROPPED, solve_axis
from solver.axis.waves.waves import Waves
from solver.errors import BattleError, TooLargeError
from solver.games import GAMES
from solver.questions import read_question
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import LEAVES, Document, at_sea, on_land, where_defenders_leave
from tests.helpers.solver.axis_battles import RULES, battle, document
from tests.helpers.solver.axis_compare import ends_of
from tests.helpers.solver.axis_rules import Units, without
from tests.helpers.solver.casualties_brute import Chosen, FirstLoss, ways

ORACLES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "casualties.json").read_text())

CHOOSES = st.sampled_from([(True, False), (False, True), (True, True), (False, False)])
AIMS: st.SearchStrategy[Aim] = st.sampled_from(["takes", "profit"])


def agree(document: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    """Compare the worth with that of the slow twin, in which a side that chooses keeps nothing to the last."""
    battle = replace(AxisBattle.from_dict(document, RULES), chooses=chooses, aim=aim)
    for side, free in zip(("attacker", "defender"), chooses, strict=True):
        if free:
            document["waves"][0][side] |= {"keep_land": 0, "aa_second_last": False}
    twin = Chosen(document, *chooses, battle.aim).value()
    assert solve_casualties(battle).value == pytest.approx(float(twin), rel=0, abs=1e-9)


@examples(pick(40, 100), derandomize=True)
@given(on_land(retreats=False), CHOOSES, AIMS)
@example(document({"amphibious_infantry": 2}, {"infantry": 2}, round_limit=2), (True, False), "takes")
def test_losses_on_land_are_chosen_as_the_rules_say(battle: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    agree(battle, chooses, aim)


@examples(pick(40, 100), derandomize=True)
@given(at_sea(retreats=False), CHOOSES, AIMS)
@example(
    document({"cruiser": 2}, {"submarine": 2}, theatre="sea", submerge={"defender": 1}), (False, True), "profit"
).via("one of them submerges, and the other may still be lost")
def test_losses_at_sea_are_chosen_as_the_rules_say(battle: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    agree(battle, chooses, aim)


@examples(pick(40, 100), derandomize=True)
@given(on_land(), CHOOSES, AIMS)
def test_choosing_attackers_on_land_stop_at_the_best_point(
    battle: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    agree(battle, chooses, aim)


@examples(pick(40, 100), derandomize=True)
@given(at_sea(), CHOOSES, AIMS)
def test_choosing_attackers_at_sea_stop_at_the_best_point(
    battle: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    agree(battle, chooses, aim)


@examples(pick(30, 100), derandomize=True)
@given(st.one_of(on_land(retreats=False), at_sea()), LEAVES, CHOOSES, AIMS)
def test_losses_are_chosen_where_the_defender_may_leave(
    battle: Document, leaves: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    leaving = where_defenders_leave(battle, {"units_at_most": 2} if battle["theatre"] == "sea" else leaves)
    check_that_odds_have_best_worth(AxisBattle.from_dict(leaving, RULES), chooses, aim)
    agree(leaving, chooses, aim)


def agree_with_order(document: Document) -> None:
    """Compare the odds if nobody chooses with those of the battle as it stands."""
    battle = AxisBattle.from_dict(document, RULES)
    game = solve_casualties(battle)
    odds, usual = odds_of_game(game), solve_axis(battle, 0)
    assert ends_of(odds) == pytest.approx(ends_of(usual), rel=0, abs=1e-9)
    assert odds.rounds == pytest.approx(usual.rounds, rel=0, abs=1e-9)


@examples(pick(30, 50), derandomize=True)
@given(st.one_of(on_land(retreats=False), at_sea(retreats=False)))
def test_without_choices_the_odds_are_those_of_casualty_orders(battle: Document) -> None:
    agree_with_order(battle)


def test_units_that_have_captured_stay_when_the_rounds_are_over() -> None:
    agree_with_order(document({"amphibious_infantry": 1, "artillery": 1}, {"infantry": 1}, round_limit=1))


@examples(pick(40, 100), derandomize=True)
@given(st.one_of(on_land(), at_sea()), CHOOSES, AIMS)
def test_the_odds_of_chosen_casualties_have_their_best_worth(
    battle: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    check_that_odds_have_best_worth(AxisBattle.from_dict(battle, RULES), chooses, aim)


def check_that_odds_have_best_worth(battle: AxisBattle, chooses: tuple[bool, bool], aim: Aim) -> None:
    """Compare the odds, followed from the start, with the worth of the battle."""
    game = solve_casualties(replace(battle, chooses=chooses, aim=aim))
    odds = odds_of_game(game)
    assert float(odds.chances.sum()) == pytest.approx(1, rel=0, abs=1e-9)
    amounts, chances = odds.profit
    takes = game.battle.aim == "takes"
    worth = odds.wins if takes else float(amounts @ chances)
    assert worth == pytest.approx(game.value, rel=0, abs=1e-9 if takes else 2e-6)


@examples(pick(40, 100), derandomize=True)
@given(st.one_of(on_land(retreats=False), at_sea(retreats=False)), CHOOSES, AIMS)
def test_a_casualty_order_as_good_as_choosing_is_recommended(
    document: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    battle = AxisBattle.from_dict(document, RULES)
    attacker, defender = (
        replace(side, keep_land=0, aa_second_last=False) for side in (battle.attacker, battle.defender)
    )
    never = (False, False)
    free = replace(battle, attacker=attacker, defender=defender, submerge=never, keep_last_destroyer=never)
    assert_order_is_kept(free, chooses, aim)


def assert_order_is_kept(battle: AxisBattle, chooses: tuple[bool, bool], aim: Aim) -> bool:
    """Compare the odds with those of the orders if they are worth the same, and return whether they are."""
    game, usual = solve_casualties(replace(battle, chooses=chooses, aim=aim)), solve_axis(battle, 0)
    same = (
        abs(game.value - (usual.wins if game.battle.aim == "takes" else usual.defender_loss - usual.attacker_loss))
        < 1e-12
    )
    if same:
        assert ends_of(odds_of_game(game)) == pytest.approx(ends_of(usual), rel=0, abs=1e-9)
    return same


@pytest.mark.whole
def test_over_40_known_answers_recommend_their_casualty_order() -> None:
    kept = 0
    for case in ORACLES:
        question = read_question(question_of(case), {"axis1942": RULES}, GAMES)
        battle = question.battle.only
        kept += assert_order_is_kept(battle, battle.chooses, battle.aim)
    assert kept > 40


# The answers ------------------------------------------------------------------------------------------

FIRERS = ("submarines", "planes", "others")
SMALL = [
    document({"infantry": 2, "artillery": 1, "fighter": 1}, {"infantry": 1, "tank": 1, "fighter": 1}),
    document({"infantry": 1, "tank": 1, "fighter": 2}, {"infantry": 1, "aa_gun": 1, "fighter": 1}),
    document({"fighter": 1, "bomber": 1, "tank": 1}, {"infantry": 1, "aa_gun": 1}, dice="low_luck"),
    document({"infantry": 1, "tank": 2}, {"infantry": 2, "bomber": 1}, round_limit=2),
    document({"amphibious_infantry": 2, "tank": 1, "cruiser": 1}, {"infantry": 2, "fighter": 1}),
    document({"submarine": 1, "destroyer": 1, "battleship": 1}, {"submarine": 2, "cruiser": 1}, theatre="sea"),
    document({"submarine": 2, "fighter": 1}, {"destroyer": 1, "carrier": 1, "transport": 1}, theatre="sea"),
    document({"destroyer": 1, "fighter": 2}, {"submarine": 1, "battleship": 1}, theatre="sea"),
    document({"submarine": 2, "battleship": 1}, {"submarine": 1, "destroyer": 1, "fighter": 1}, theatre="sea"),
]


SUBMERGE: dict[str, dict[str, Any]] = {
    "attacker": {"submerge": {"attacker": True}},
    "defender": {"submerge": {"defender": True}},
}
SMALL += [
    document({"submarine": 1, "cruiser": 1, "fighter": 1}, {"submarine": 2, "cruiser": 1}, theatre="sea", **fields)
    for fields in (*SUBMERGE.values(), SUBMERGE["defender"] | {"retreat": {"units_at_most": 1}})
]
SMALL += [
    document({"cruiser": 1, "fighter": 1}, {"submarine": 1, "cruiser": 1}, theatre="sea", **SUBMERGE["defender"]),
    document({"submarine": 1, "cruiser": 1}, {"cruiser": 2}, theatre="sea", round_limit=3, **SUBMERGE["attacker"]),
    document({"infantry": 2, "fighter": 2}, {"infantry": 1, "tank": 1, "aa_gun": 1}, round_limit=2),
    document({"fighter": 2}, {"infantry": 1, "aa_gun": 1}),
    document({"infantry": 1, "tank": 1}, {"infantry": 1, "tank": 1}, defender_retreat={"units_at_most": 1}),
    document({"infantry": 1, "tank": 1}, {"infantry": 1, "artillery": 1}, defender_retreat={"rounds": 2}),
]


def left_of(units: Units, losses: FirstLosses) -> Units:
    """The units that losses leave; the first hit of a battleship that sinks is gone with it."""
    gone = [name for name, count in losses.lose.items() for _ in range(count)]
    spare = sum(losses.damage.values()) + min(losses.lose.get("battleship", 0), units.count("spare_hit"))
    return without(units, (*gone, *["spare_hit"] * spare))


CHOSEN = [
    (battle, chooses, aim)
    for number, battle in enumerate(SMALL)
    for place, chooses in enumerate(CHOOSERS.values())
    for turn, aim in enumerate(get_args(Aim))
    if (number + place + turn) % pick(3, 1) == 0
][:: pick(2, 1)]
"""In the usual run each battle with a sixth of the ways to choose and to aim, its neighbours with others."""


@each(CHOSEN)
def test_the_first_losses_have_their_worth_by_brute_force(
    battle: Document, chooses: tuple[bool, bool], aim: Aim
) -> None:
    found = find_casualties(replace(AxisBattle.from_dict(battle, RULES), chooses=chooses, aim=aim))
    twin = FirstLoss(battle, *chooses, aim)
    assert found.value == pytest.approx(float(twin.value()), rel=0, abs=1e-9)
    assert {losses.defends for losses in found.now} <= {
        side for side, free in zip((False, True), chooses, strict=True) if free
    }
    for losses in found.now:
        assert 0 not in (*losses.lose.values(), *losses.damage.values()), "only what is lost or damaged is told"
        if losses.order_value is not None and abs(losses.value - losses.order_value) < 1e-12:
            assert losses.lose == losses.order_lose
        side = int(losses.defends)
        shots = twin.begun()
        start = twin.wave.start if "guns" in losses.by else shots[0][1]
        before = start.defenders if losses.defends else start.attackers
        left = left_of(before, losses)
        if "guns" in losses.by:
            assert sum(losses.lose.values()) == losses.hits == losses.by["guns"]
            assert losses.value == pytest.approx(float(twin.after_guns(left)), rel=0, abs=1e-9)
            continue
        subs, planes, others = (losses.by.get(who, 0) for who in FIRERS) if losses.by else (0, 0, losses.hits)
        assert losses.hits == subs + planes + others
        assert Counter(left) in map(Counter, ways(before, (subs, planes, others), merged=False))
        hits = losses.hits
        if len(shots) > 1:
            assert losses.chance == pytest.approx(float(sum(twin.chances_of_hits(hits))), rel=0, abs=1e-12)
        least, most = (float(twin.after_hits(side, left, among, hits)) for among in (min, max))
        assert least - 1e-9 <= losses.value <= most + 1e-9
        options = ways(before, (subs, planes, others), merged=False)
        if losses.defends:
            assert losses.value <= min(float(twin.after_hits(1, other, max, hits)) for other in options) + 1e-9
        elif not chooses[1]:
            assert losses.value >= max(float(twin.after_hits(0, other, min)) for other in options) - 1e-9


def chosen(battle: Document, aim: Aim) -> list[FirstLosses]:
    """The first losses where both sides choose."""
    return find_casualties(replace(AxisBattle.from_dict(battle, RULES), chooses=(True, True), aim=aim)).now


def test_a_battle_without_a_round_has_no_losses_to_choose() -> None:
    quiet = document({"destroyer": 1, "cruiser": 1}, {"transport": 2}, theatre="sea", round_limit=3)
    declined = document({"infantry": 2}, {"infantry": 4}, retreat={"profit_below": 0})
    assert not chosen(quiet, "takes")
    assert not chosen(declined, "profit")


def test_losses_name_the_firing_units_only_if_that_matters() -> None:
    fleet = document({"submarine": 1, "destroyer": 1}, {"destroyer": 2, "cruiser": 1}, theatre="sea")
    now = chosen(fleet, "takes")
    assert {losses.defends for losses in now if losses.by} == set()
    planes = document({"submarine": 1, "destroyer": 1}, {"destroyer": 2, "fighter": 1}, theatre="sea")
    now = chosen(planes, "takes")
    assert {tuple(losses.by) for losses in now if losses.defends and losses.hits == 2} == {("submarines", "others")}
    assert all(not losses.by for losses in now if not losses.defends)


def question_of(case: dict[str, Any]) -> Document:
    """An answer from outside as the question that it answers."""
    given = case["battle"]
    sides = ((given[side], given[f"{side}_order"]) for side in ("attacker", "defender"))
    ours, theirs = ({"units": units, "loss_order": order} for units, order in sides)
    wave = {"attacker": ours, "defender": theirs}
    return {
        "question": "casualties",
        "game": "axis1942",
        "theatre": "land",
        "chooses": given["chooses"],
        "aim": given["aim"],
        "waves": [wave],
    }


def test_chosen_casualties_agree_with_known_answers() -> None:
    assert len(ORACLES) == 80
    for case in ORACLES[:: pick(2, 1)]:
        told = read_question(question_of(case), {"axis1942": RULES}, GAMES).work()
        assert told.keys() == {"value", "value_of_orders", "now", "error"}
        assert told["error"] == 0
        for name in ("value", "value_of_orders"):
            assert told[name] == pytest.approx(case[name], rel=0, abs=1e-9), case
        for losses in told["now"]:
            assert losses.keys() - {"by", "damage"} == {"side", "hits", "chance", "lose", "value"}
            assert case["battle"]["chooses"] in (losses["side"], "both")


def test_a_chosen_battle_survives_its_document() -> None:
    for case in ORACLES[::8]:
        question = read_question(question_of(case), {"axis1942": RULES}, GAMES)
        asked = question.battle.to_dict()
        again = read_question({**json.loads(json.dumps(asked)), "game": "axis1942"}, {"axis1942": RULES}, GAMES)
        assert (again.kind, again.battle) == (question.kind, question.battle)
        assert again.work()["value"] == pytest.approx(question.work()["value"], rel=0, abs=1e-12)


ONE = {"attacker": {"units": {"infantry": 2, "tank": 1}}, "defender": {"units": {"infantry": 2}}}


@each(
    [
        ({"chooses": "nobody"}, "`chooses` must be one of attacker, defender, both, not"),
        ({"chooses": ["both"]}, "`chooses` must be one of attacker, defender, both, not"),
        ({"aim": "win"}, "the aim must be one of takes, profit, not"),
        ({"aim": {}}, "the aim must be one of takes, profit, not"),
        ({"waves": [ONE, ONE], "chooses": "nobody"}, "`chooses` must be one of attacker, defender, both, not"),
        ({"waves": [ONE, ONE | {"chooses": []}]}, "`chooses` must be one of attacker, defender, both, nobody, not"),
        ({"exact": 1}, "this must be true or false, not 1"),
        ({"choses": "both"}, "there is no such field; the fields are aa_already_fired, aim, chooses, "),
        ({"waves": []}, "waves"),
    ]
)
def test_wrong_questions_about_casualties_are_refused(wrong: Document, told: str) -> None:
    right = {"question": "casualties", "game": "axis1942", "theatre": "land", "waves": [ONE]}
    assert read_question({**right}, {"axis1942": RULES}, GAMES).work()["value"] > 0
    with pytest.raises(BattleError, match=told):
        read_question({**right, **wrong}, {"axis1942": RULES}, GAMES)


def test_an_unknown_aim_of_choosing_is_refused() -> None:
    with pytest.raises(BattleError, match="the aim must be one of takes, profit"):
        replace(battle("land", "1 tank", "1 infantry"), chooses=(True, False), aim="win")  # type: ignore[arg-type]


def test_an_aim_without_choices_is_the_usual_one() -> None:
    plain = battle("land", "1 tank", "1 infantry")
    assert replace(plain, aim="profit") == plain
    assert replace(plain, chooses=(True, False), aim="profit").in_order == plain


def test_units_that_the_order_keeps_may_be_lost_by_choice() -> None:
    document_of_line = document({"infantry": 3, "fighter": 2}, {"infantry": 2, "aa_gun": 1})
    plain = AxisBattle.from_dict(document_of_line, RULES)
    kept = replace(plain, attacker=replace(plain.attacker, keep_land=1))
    answers = [answer_casualties(Waves.one(replace(one, chooses=(True, False)))) for one in (plain, kept)]
    assert answers[0]["value"] == answers[1]["value"]
    assert [one["value_of_orders"] for one in answers] == [
        pytest.approx(solve_axis(one, 0).wins, rel=0, abs=1e-12) for one in (plain, kept)
    ]
    assert answers[0]["value_of_orders"] < answers[1]["value_of_orders"] - 0.1
    assert replace(kept, chooses=(True, False)).in_order == kept


def test_a_battle_too_large_for_choosing_follows_the_best_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    armies = battle("land", "4 infantry, 2 artillery, 2 tank, 2 fighter", "5 infantry, 2 fighter")
    chosen = Waves.one(replace(armies, chooses=(True, False)))
    exact = chosen_odds_within(chosen, DROPPED, 10**7)
    assert exact.ordered is None
    monkeypatch.setattr("solver.axis.casualties.solve.MOST_CELLS", 100)
    large = chosen_odds_within(chosen, DROPPED, 10**7)
    assert large.ordered
    assert battle_odds_within(large.ordered, DROPPED, 10**7).success == large.success
    question = {**replace(armies, chooses=(True, False)).to_dict(), "game": "axis1942"}
    told = read_question(question, {"axis1942": RULES}, GAMES).work()
    assert told.keys() == {"value", "value_of_orders", "now", "error", "exact", "loss_orders"}
    assert (told["exact"], told["now"], told["error"]) == (False, [], 0)
    assert told["value"] == pytest.approx(large.success, rel=0, abs=1e-12)
    assert told["value_of_orders"] == pytest.approx(odds_within(armies, DROPPED, 10**7).wins, rel=0, abs=1e-12)
    assert tuple(told["loss_orders"]["attacker"]) == large.ordered.battles[0].attacker.loss_order
    assert odds_within(armies, DROPPED, 10**7).wins < large.success <= exact.success + 1e-9
    assert choices_within(armies, 10**7) is None


def test_choosing_casualties_with_too_much_work_is_refused() -> None:
    armies = battle("land", "4 infantry, 2 artillery, 2 tank, 2 fighter", "5 infantry, 2 fighter")
    assert choices_within(armies, 10**7) is not None
    assert choices_within(armies, 100) is None
    with pytest.raises(TooLargeError):
        find_casualties(replace(armies, chooses=(True, True)), 100)
    with pytest.raises(TooLargeError, match="too large to try other casualty orders"):
        chosen_odds_within(Waves.one(replace(armies, chooses=(True, True))), DROPPED, 100)


def test_a_battle_with_too_many_forces_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    every = "20 infantry, 20 artillery, 20 tank, 20 fighter, 20 bomber"
    with pytest.raises(TooLargeError, match="too many ways to lose these units"):
        solve_casualties(replace(battle("land", every, every), chooses=(True, True)))
    monkeypatch.setattr("solver.axis.casualties.sweep.MOST_NUMBERS", 400)
    few = battle("land", "3 infantry, 2 tank", "3 infantry, 1 fighter")
    with pytest.raises(TooLargeError, match="too many ways to lose these units"):
        solve_casualties(replace(few, chooses=(True, True)))


def test_huge_armies_of_six_kinds_are_refused_without_a_fault() -> None:
    ours = "90 infantry, 90 artillery, 90 tank, 90 fighter, 90 bomber, 90 amphibious_infantry"
    theirs = "900 infantry, 900 artillery, 900 tank, 3 fighter, 3 bomber"
    for attackers, defenders, plan in (
        ("30 tank", theirs, Retreat()),
        (ours, "1 infantry", Retreat()),
        (ours, "1 infantry", Retreat(units_at_most=1)),
    ):
        armies = battle("land", attackers, defenders, retreat=plan)
        chosen = replace(armies, chooses=(attackers == ours, defenders == theirs))
        with pytest.raises(TooLargeError, match="too many ways to lose these units"):
            solve_casualties(chosen)
