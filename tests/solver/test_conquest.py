"""Conquests: against right answers, against every plan in fractions, and what is true of any conquest."""

import json
import pickle
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solver import Battle, BattleError, Conquest, Faces, Pool, Ships, TooLargeError, conquer, march, read_question
from solver.conquest import shares, whole_fights
from solver.conquest.board import Board
from solver.conquest.fronts import Fronts, attack_laws, target_laws
from solver.conquest.odds import MOST_WORK
from solver.conquest.phase import TAKEN, MapThrow, State, Worths, first_state, outcomes
from solver.conquest.shares import share_targets
from solver.conquest.turn import SLACK, MapFight, Rule, typical_turn
from solver.conquest.worths import worths_of
from solver.path.path import Path as March
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.conquest_brute import Asked, any_conquest, best, survivors
from tests.helpers.solver.phase_brute import best_of_turn

CASES = json.loads((Path(__file__).parents[1] / "data" / "conquer.json").read_text())
RULES = [
    Battle(0, 0),
    Battle(0, 0, ties="both"),
    Battle(0, 0, ties="neither"),
    Battle(0, 0, defence=Pool((6, 6, 6))),
    Battle(0, 0, attack=Pool((8, 6)), defence=Pool((8, 6), bonus=(1,))),
    Battle(0, 0, attack=Pool((4, 4), clamp=(2, 2)), defence=Pool((4,), clamp=(2, 2)), ties="neither"),
    Battle(0, 0, attack_ships=Ships(1, 1, 0), defence_ships=Ships(0, 0, 1)),
    Battle(0, 0, faces=(Faces.of(["A", "D"]), Faces.of(["AA", "D", ""]))),
    Battle(0, 0, late=True),
]
LINE = {"a": ["b"], "b": ["c"], "c": ["d"]}


def worth_of_plans(conquest: Conquest) -> float:
    """What the best plan is worth that gives each target to one front, and fights each attack to its end."""
    return share_targets(Fronts(Board(conquest), target_laws(conquest), MOST_WORK))[0]


# Right answers ------------------------------------------------------------------------------------------


@each(range(len(CASES)))
def test_plans_that_fight_to_the_end_agree_with_known_answers(number: int) -> None:
    case = CASES[number]
    conquest = Conquest.from_dict(case["battle"])
    right = case.get("takes_all", case.get("expected"))
    assert worth_of_plans(conquest) == pytest.approx(right, abs=1e-12)
    assert conquer(conquest).bound >= right - 1e-12


@each(RULES)
def test_the_law_of_an_attack_agrees_with_its_battles(rules: Battle) -> None:
    most = pick(3, 5)
    laws = attack_laws(rules, most, {0, 1, 3, pick(2, 4)})
    for garrison, law in laws.items():
        for attackers in range(most + 1):
            expected = {left: float(chance) for left, chance in survivors(rules, attackers, garrison).items()}
            found = {left: chance for left, chance in enumerate(law[attackers].tolist()) if chance}
            assert found == pytest.approx(expected, rel=1e-12), (garrison, attackers)


@given(any_conquest())
def test_the_plan_of_a_conquest_is_the_best_by_brute_force(asked: Asked) -> None:
    assert worth_of_plans(asked.conquest()) == pytest.approx(float(best(asked)), rel=1e-11, abs=1e-300)


@examples(pick(25, 50))
@given(any_conquest(most_targets=3, most_armies=5), st.sampled_from(RULES))
def test_the_plan_is_the_best_by_brute_force_under_any_rules(asked: Asked, rules: Battle) -> None:
    asked = replace(asked, rules=rules)
    assert worth_of_plans(asked.conquest()) == pytest.approx(float(best(asked)), rel=1e-11, abs=1e-300)


@examples(pick(30, 60))
@given(any_conquest(most_targets=5, most_armies=10, starts=5))
def test_sharing_targets_among_starts_is_the_best_by_brute_force(asked: Asked) -> None:
    conquest = asked.conquest()
    worth, shares = share_targets(Fronts(Board(conquest), target_laws(conquest), MOST_WORK))
    assert worth == pytest.approx(float(best(asked)), rel=1e-11, abs=1e-300)
    assert sum(share.targets for share in shares).bit_count() == sum(share.targets.bit_count() for share in shares)


# Work ---------------------------------------------------------------------------------------------------


def _stars(starts: int, targets: int) -> Conquest:
    """Starts that each have so many targets of their own around them."""
    names = {f"s{start}": [f"t{start}_{number:02}" for number in range(targets)] for start in range(starts)}
    every = dict.fromkeys((target for near in names.values() for target in near), 1)
    return Conquest.of(names, dict.fromkeys(names, 5), every, aim="most")


def _wheel(starts: int, targets: int) -> Conquest:
    """Starts that can all attack the same targets."""
    names = [f"t{number:02}" for number in range(targets)]
    near = {f"s{start}": names for start in range(starts)}
    return Conquest.of(near, dict.fromkeys(near, 5), dict.fromkeys(names, 1), aim="most")


def test_starts_without_common_targets_are_solved_separately(monkeypatch: pytest.MonkeyPatch) -> None:
    joined = _count_joined(monkeypatch)
    assert worth_of_plans(_stars(3, 11)) == pytest.approx(3 * worth_of_plans(_stars(1, 11)))
    assert max(joined) == 1, "each start has only one share"


def test_the_sets_of_several_starts_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    joined = _count_joined(monkeypatch)
    worth_of_plans(_wheel(5, 6))
    assert max(joined) == 2**6
    for name, limit in (("MOST_SETS", 2**6 - 1), ("SET_WORK", MOST_WORK)):
        with monkeypatch.context() as patch:
            patch.setattr(shares, name, limit)
            with pytest.raises(TooLargeError):
                worth_of_plans(_wheel(5, 6))


def _count_joined(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note how many sets there are after each merge of sets."""
    found: list[int] = []
    merge = shares._merge

    def counted(parts: list[Any]) -> Any:
        merged = merge(parts)
        found.append(len(merged.sets))
        return merged

    monkeypatch.setattr(shares, "_merge", counted)
    return found


# The plan -----------------------------------------------------------------------------------------------


@given(any_conquest(most_targets=3, most_armies=7))
def test_each_fight_of_a_typical_turn_gives_up_as_little_as_it_says(asked: Asked) -> None:
    """Its rule is followed by hand, throw by throw, and then best play."""
    board = Board(asked.conquest())
    worths, state, names = worths_of(board), first_state(board), board.names
    for fight in typical_turn(worths, state):
        throw = MapThrow(names.index(fight.origin), names.index(fight.to))
        here = state.free[throw.place], state.garrisons[throw.target]
        assert here == (fight.armies, fight.garrison)
        reached = follow_rule(worths, state, throw, fight.rule)
        assert reached == pytest.approx(worths.worth(state) - fight.gives_up, rel=1e-9)
        assert fight.gives_up <= SLACK * worths.worth(state)
        state = after_fight(worths, state, throw, fight)
        assert fight.moving == dict(fight.moves).get(fight.left, 0) or fight.garrison_left


def test_a_large_turn_has_few_steps() -> None:
    """A front of 75 leaves the last two of 75 to the other one, which goes on from there."""
    near = {"a": ["c"], "b": ["c"], "c": ["d"]}
    fights = conquer(Conquest.of(near, {"a": 75, "b": 75}, {"c": 75, "d": 75})).fights
    assert [(fight.to, fight.rule.garrison) for fight in fights] == [("c", 3), ("c", 1), ("d", 1)]


def follow_rule(worths: Worths, state: State, throw: MapThrow, rule: Rule) -> float:
    """What is reached on average by this throw, and others like it as the rule says, and then best play."""
    gain = worths.board.conquest.targets[throw.target].worth if worths.board.conquest.aim != "all" else 0

    @cache
    def reached(here: State) -> float:
        total = 0.0
        for chance, after in outcomes(worths, here, throw):
            left, holds = after.free[throw.place], after.garrisons[throw.target]
            if holds == TAKEN:
                total += chance * (gain + worths.worth(after))
            else:
                goes_on = left >= rule.armies and holds >= rule.garrison
                total += chance * (reached(after) if goes_on else worths.worth(after))
        return total

    return reached(state)


def after_fight(worths: Worths, state: State, throw: MapThrow, fight: MapFight) -> State:
    """The state after a fight of a typical turn."""
    free, garrisons = list(state.free), list(state.garrisons)
    free[throw.place], garrisons[throw.target] = fight.left, fight.garrison_left
    after = State(tuple(free), tuple(garrisons))
    if fight.garrison_left:
        return after
    return after.after_capture(
        throw.place, throw.target, fight.moving, worths.board.conquest.targets[throw.target].leave
    )


def test_two_territories_against_one_go_on_one_after_the_other() -> None:
    odds = conquer(Conquest.of({"siam": ["india"], "china": ["india"]}, {"siam": 12, "china": 8}, {"india": 9}))
    (fight,) = odds.fights
    assert (fight.origin, fight.rule, fight.otherwise) == ("siam", (1, 1), ("china", "india"))
    assert fight.takes == pytest.approx(0.789881, abs=1e-6)
    assert odds.takes_all == pytest.approx(0.979641, abs=1e-6)


def test_a_fight_is_broken_off_for_another() -> None:
    """What is left of Indonesia waits, as three armies would have to move in."""
    odds = conquer(Conquest.of({"siam": ["india", "indonesia"]}, {"siam": 9}, {"india": 9, "indonesia": 3}, aim="most"))
    first, second, *_others = odds.fights
    assert (first.to, first.rule.garrison, first.garrison_left, first.takes > 0) == ("indonesia", 2, 1, True)
    assert second.to == "india"


def test_an_answer_to_a_conquest_is_small_enough_to_send_and_cache() -> None:
    """The worths of its states take megabytes."""
    names = [f"t{garrison:02}" for garrison in range(1, pick(11, 21))]
    line = {one: [other] for one, other in pairwise(["a", *names])}
    odds = conquer(
        Conquest.of(line, {"a": pick(100, 220)}, {name: garrison for garrison, name in enumerate(names, start=1)})
    )
    sent = pickle.dumps(odds)
    assert len(sent) < 1_000_000
    assert len(sent) < odds.nbytes < 20 * len(sent), "numbers are larger in memory"
    assert pickle.loads(sent).to_dict() == odds.to_dict()


# Where there are too many plans to try them all -----------------------------------------------------------


@given(any_conquest(most_targets=6, most_armies=14, starts=3))
def test_a_plan_that_may_not_be_the_best_has_an_error_bound(asked: Asked) -> None:
    best_odds, odds = conquer(asked.conquest()), conquer(asked.conquest(), most_work=0)
    assert odds.worth <= best_odds.worth * (1 + 1e-11)
    assert odds.worth + odds.error >= best_odds.worth * (1 - 1e-11)
    assert odds.exact == (odds.error == 0)


@examples(pick(25, 50))
@given(any_conquest(most_targets=3, most_armies=5), st.sampled_from(RULES))
def test_bounds_of_a_quick_plan_hold_under_any_rules(asked: Asked, rules: Battle) -> None:
    asked = replace(asked, rules=rules)
    odds, right = conquer(asked.conquest(), most_work=0), float(best_of_turn(asked))
    assert odds.worth * (1 - 1e-11) <= right <= odds.bound * (1 + 1e-11)


@given(any_conquest(most_targets=6, most_armies=14, starts=3))
def test_a_quick_plan_is_worth_what_it_promises(asked: Asked) -> None:
    odds = conquer(asked.conquest(), most_work=0)
    if asked.aim == "all":
        assert odds.takes_all == odds.worth
    else:
        values = asked.values if asked.aim == "value" else dict.fromkeys(asked.targets, 1)
        assert odds.worth == pytest.approx(sum(odds.fall[name] * values[name] for name in odds.fall), rel=1e-9)


def test_a_large_map_is_answered_with_an_error() -> None:
    """Each territory is next to all others: with twenty there are thousands of millions of ways to split up."""
    names = [f"t{number:02}" for number in range(pick(12, 20))]
    everywhere = {name: [other for other in ("a", *names) if other != name] for name in ("a", *names)}
    conquest = Conquest.of(everywhere, {"a": pick(37, 60)}, {name: 1 + number % 4 for number, name in enumerate(names)})
    with patch.multiple(whole_fights, LARGE=pick(10_000, whole_fights.LARGE), PART=pick(10_000, whole_fights.PART)):
        answer = conquer(conquest, most_work=pick(0, MOST_WORK)).to_dict()
    assert 0.6 < answer["takes_all"] < 0.7
    assert not answer["exact"]
    assert answer["at_least"] == answer["takes_all"]
    assert answer["at_most"] == pytest.approx(answer["at_least"] + answer["error"])
    assert sum(answer["fall"].values()) == pytest.approx(answer["expected"])


def test_a_line_of_60_territories_is_solved() -> None:
    names = [f"t{number}" for number in range(pick(30, 60))]
    line = {one: [other] for one, other in zip(["a", *names], names, strict=False)}
    odds = conquer(Conquest.of(line, {"a": 80}, dict.fromkeys(names, 0)))
    assert (odds.takes_all, odds.error, len(odds.fall)) == (1, 0, len(names))
    assert [fight.to for fight in odds.fights] == names


def test_a_conquest_of_too_much_work_for_its_dice_is_refused() -> None:
    dice = Battle(0, 0, faces=(Faces.of(["A", ""]), Faces.of(["A", ""])))
    with pytest.raises(TooLargeError, match=r"^starts: with these dice, so many armies take too much work$"):
        conquer(Conquest.of({"a": ["b"]}, {"a": 500}, {"b": 300}, rules=dice))


# What is true of any conquest -----------------------------------------------------------------------------


@examples(pick(50, 100))
@given(any_conquest(most_targets=5), st.data())
def test_further_armies_never_worsen_a_conquest(asked: Asked, data: st.DataObject) -> None:
    more = {name: armies + data.draw(st.integers(0, 3)) for name, armies in asked.starts.items()}
    worth = conquer(asked.conquest()).worth
    assert conquer(replace(asked, starts=more).conquest()).worth >= worth * (1 - 1e-12)


@examples(pick(50, 100))
@given(any_conquest(most_targets=5), st.randoms())
def test_the_order_of_territories_in_a_conquest_does_not_matter(asked: Asked, random: Any) -> None:
    def shuffled(given: Any) -> dict[str, Any]:
        items = list(given.items())
        random.shuffle(items)
        return dict(items)

    half = {
        name: [other for other in others if name < other or random.random() < 0.5]
        for name, others in shuffled(asked.neighbours).items()
    }
    other = replace(asked, neighbours=half, starts=shuffled(asked.starts), targets=shuffled(asked.targets))
    assert other.conquest() == asked.conquest()
    assert conquer(other.conquest()).to_dict() == conquer(asked.conquest()).to_dict()


@examples(pick(50, 100))
@given(any_conquest(most_targets=5), st.permutations(range(5)))
def test_names_of_territories_do_not_matter(asked: Asked, order: list[int]) -> None:
    new = {f"t{number}": f"t{order[number]}" for number in range(5)} | {name: name for name in asked.starts}

    def renamed(given: Any) -> dict[str, Any]:
        return {new[name]: value for name, value in given.items()}

    other = Asked(
        {new[name]: [new[one] for one in others] for name, others in asked.neighbours.items()},
        renamed(asked.starts),
        renamed(asked.targets),
        renamed(asked.leave),
        asked.aim,
        renamed(asked.values),
    )
    assert conquer(other.conquest()).worth == pytest.approx(conquer(asked.conquest()).worth, rel=1e-11)


@examples(pick(50, 100))
@given(any_conquest(), st.integers(0, 3))
def test_a_territory_out_of_reach_falls_to_nobody(asked: Asked, garrison: int) -> None:
    far = replace(
        asked,
        neighbours={**asked.neighbours, "far": []},
        targets={**asked.targets, "far": garrison},
        leave={**asked.leave, "far": 1},
        values={**asked.values, "far": 9},
    )
    odds, near = conquer(far.conquest()), conquer(asked.conquest())
    assert odds.takes_all == odds.fall["far"] == 0
    assert odds.worth == (0 if asked.aim == "all" else pytest.approx(near.worth, rel=1e-12))
    assert bool(odds.fights) == (asked.aim != "all" and bool(near.fights))


@examples(pick(50, 100))
@given(st.integers(0, 12), st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2)), min_size=1, max_size=4))
def test_a_line_of_territories_is_a_path(armies: int, line: list[tuple[int, int]]) -> None:
    names = "bcde"[: len(line)]
    neighbours = {one: [other] for one, other in zip("abcd", names, strict=False)}
    garrisons, stays = ({name: pair[part] for name, pair in zip(names, line, strict=True)} for part in (0, 1))
    odds = conquer(Conquest.of(neighbours, {"a": armies}, garrisons, stays))
    path = March.of([Battle(armies, garrison) for garrison, _ in line], leave=[stay for _, stay in line[:-1]])
    assert odds.takes_all == pytest.approx(march(path).takes_all, rel=1e-11)


@examples(pick(50, 100))
@given(any_conquest())
def test_a_conquest_survives_its_document(asked: Asked) -> None:
    conquest = asked.conquest()
    document = json.loads(json.dumps(conquest.to_dict()))
    assert document.pop("question") == "conquer"
    assert Conquest.from_dict(document) == conquest


def test_an_empty_territory_is_entered_without_a_battle() -> None:
    odds = conquer(Conquest.of(LINE, {"a": 3}, {"b": 0, "c": 0, "d": 0}))
    assert (odds.takes_all, odds.fall) == (1, {"b": 1, "c": 1, "d": 1})
    assert conquer(Conquest.of(LINE, {"a": 2}, {"b": 0, "c": 0, "d": 0})).fall == {"b": 0, "c": 0, "d": 0}
    few = conquer(Conquest.of(LINE, {"a": 2}, {"b": 0, "c": 0, "d": 0}, aim="most"))
    assert (few.expected, few.takes_all, few.fall) == (2, 0, {"b": 1, "c": 1, "d": 0})
    assert conquer(Conquest.of(LINE, {"a": 0}, {"b": 0})).takes_all == 0


def test_with_icon_dice_all_survivors_move_in() -> None:
    """Every unit rolls, so every unit that is left has rolled."""
    star = {"a": ["b", "c"]}
    dice = Battle(0, 0, faces=(Faces.of(["A", "A"]), Faces.of(["", ""])))
    assert conquer(Conquest.of(star, {"a": 20}, {"b": 1, "c": 1}, rules=dice)).takes_all == 0
    assert conquer(Conquest.of(star, {"a": 20}, {"b": 1}, rules=dice)).takes_all == 1


@examples(pick(50, 100))
@given(any_conquest(starts=2))
def test_a_start_without_armies_makes_no_difference(asked: Asked) -> None:
    assume(len(asked.starts) == 2)
    idle = replace(asked, starts={**asked.starts, "s1": 0})
    alone = replace(asked, starts={"s0": asked.starts["s0"]})
    assert conquer(idle.conquest()).worth == pytest.approx(conquer(alone.conquest()).worth, rel=1e-12)


# Wrong questions ----------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "question": "conquer",
    "neighbours": {"a": ["b", "c"], "b": ["c"]},
    "starts": {"a": 9},
    "targets": {"b": 3, "c": 2},
}


@each(
    [
        ({"neighbours": []}, "neighbours: this must be an object, not []"),
        ({"neighbours": {}}, "neighbours: the number of territories must be 1 to 1000, not 0"),
        ({"neighbours": {"a": "b"}}, 'neighbours.a: this must be a list of names, not "b"'),
        ({"neighbours": {"a": [1]}}, "neighbours.a: this must be a list of names, not [1]"),
        ({"neighbours": {"a": ["a", "b", "c"]}}, "neighbours.a: a territory can't be its own neighbour"),
        ({"neighbours": {"a": ["b"]}}, "targets.c: the map has no such territory"),
        ({"starts": 3}, "starts: this must be an object, not 3"),
        ({"starts": {}}, "starts: the number of territories must be 1 to 60, not 0"),
        ({"starts": {"z": 1}}, "starts.z: the map has no such territory"),
        ({"starts": {"a": -1}}, "starts.a: the number of armies must be 0 to 500, not -1"),
        ({"starts": {"a": 501}}, "starts.a: the number of armies must be 0 to 500, not 501"),
        ({"starts": {"a": 2.5}}, "starts.a: the number of armies must be 0 to 500, not 2.5"),
        ({"starts": {"a": True}}, "starts.a: the number of armies must be 0 to 500, not true"),
        ({"starts": {"a": None}}, "starts.a: this needs a value, not null"),
        ({"starts": {"b": 3}}, "targets.b: each territory can be named once, as a start or as a target"),
        ({"targets": {}}, "targets: the number of territories must be 1 to 60, not 0"),
        ({"targets": {"b": -2}}, "targets.b: the number of armies must be 0 to 500, not -2"),
        ({"targets": {"b": "3"}}, 'targets.b: the number of armies must be 0 to 500, not "3"'),
        ({"leave": -1}, "leave: the number of armies must be 0 to 500, not -1"),
        ({"leave": "1"}, 'leave: the number of armies must be 0 to 500, not "1"'),
        ({"leave": {"b": -1}}, "leave.b: the number of armies must be 0 to 500, not -1"),
        ({"leave": {"a": 1}}, "leave.a: this territory isn't one of the targets"),
        ({"aim": "some"}, 'aim: the aim must be one of all, most, value, not "some"'),
        ({"aim": ["all"]}, 'aim: the aim must be one of all, most, value, not ["all"]'),
        ({"values": {"b": 2}}, 'values: this works only with the aim "value"'),
        ({"aim": "value", "values": 2}, "values: this must be an object, not 2"),
        ({"aim": "value", "values": {"a": 2}}, "values.a: this territory isn't one of the targets"),
        ({"aim": "value", "values": {"b": -2}}, "values.b: a territory's value must be 0 to 1000000, not -2"),
        ({"attackers": 3}, "attackers: a conquest has its armies in `starts` and `targets`"),
        ({"defenders": 3}, "defenders: a conquest has its armies in `starts` and `targets`"),
        ({"stop": 3}, "stop: in a conquest best play decides when an attack ends, so this doesn't work here"),
        ({"rounds": 3}, "rounds: in a conquest best play decides when an attack ends, so this doesn't work here"),
        ({"reshape": {}}, "reshape: in a conquest best play decides when an attack ends, so this doesn't work here"),
        ({"game": "chess"}, 'game: the game must be one of risk, starwars, icons, not "chess"'),
        ({"ties": "nobody"}, 'ties: ties must be one of defender, attacker, both, neither, not "nobody"'),
        (
            {"map": "classic"},
            "map: there is no such field; the fields are aim, attack, defence, game, late, leave, neighbours, starts,"
            " targets, ties, totals, values",
        ),
    ]
)
def test_a_wrong_document_of_a_conquest_names_its_field(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(BattleError) as caught:
        read_question({**GOOD, **wrong})
    assert str(caught.value) == told


@each(["neighbours", "starts", "targets"])
def test_a_missing_field_of_a_conquest_is_named(name: str) -> None:
    with pytest.raises(BattleError, match=f"^{name}: this is missing$"):
        read_question({field: value for field, value in GOOD.items() if field != name})


def test_a_territory_may_not_be_its_own_neighbour() -> None:
    with pytest.raises(BattleError, match=r"^neighbours\.b: a territory can't be its own neighbour$"):
        Conquest.of({"a": ["b"], "b": ["b"]}, {"a": 9}, {"b": 3})


def test_too_many_territories_are_refused() -> None:
    names = [f"t{number}" for number in range(61)]
    many = {**GOOD, "neighbours": {"a": names}, "targets": dict.fromkeys(names, 1)}
    with pytest.raises(BattleError, match=r"^targets: the number of territories must be 1 to 60, not 61$"):
        read_question(many)
    long = {**GOOD, "neighbours": {"a": ["b" * 61]}, "targets": {"b" * 61: 1}}
    with pytest.raises(BattleError, match=r"^neighbours: a name can have up to 60 letters$"):
        read_question(long)
