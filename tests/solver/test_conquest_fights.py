"""Conquests on the table: throw by throw and choice by choice, what is left to hope for, and how they end."""

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Conquest, Faces, Pool, TooLargeError
from solver.conquest import shares
from solver.conquest.fight import ConquestFight
from solver.conquest.game import CONQUEST, best_choice, conquest_chances
from solver.game import Source
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.conquest_brute import (
    LIVE_RULES,
    Asked,
    any_conquest,
    best,
    choices,
    from_siam,
    worth_of_stage,
)
from tests.helpers.solver.dice_rolled import by_chance, script

RULES = [*LIVE_RULES, Battle(0, 0, late=True)]


def played(asked: Conquest, seed: int) -> Iterator[ConquestFight]:
    """Every stage of a conquest in which players choose at random among all that they may do."""
    stage, source, generator = ConquestFight.begin(asked), by_chance(seed), random.Random(seed)
    yield stage
    while stage.ended is None:
        if stage.decision:
            stage = stage.choose(generator.choice(choices(stage)))
        else:
            _, stage = stage.throw(source)
        yield stage


def worth(*stages: ConquestFight) -> list[float | None]:
    return conquest_chances(stages)


# What is left to hope for -------------------------------------------------------------------------------


@examples(pick(50, 100))
@given(any_conquest(most_targets=3, most_armies=8), st.sampled_from(RULES), st.integers(0, 9))
def test_each_stage_of_a_turn_has_the_worth_of_its_best_plan(asked: Asked, rules: Battle, seed: int) -> None:
    asked = replace(asked, rules=rules)
    stages = list(played(asked.conquest(), seed))
    expected = [float(worth_of_stage(asked, stage)) for stage in stages]
    assert worth(*stages) == pytest.approx(expected, rel=1e-11, abs=1e-14)
    assert worth(*stages[-2:]) == pytest.approx(expected[-2:], rel=1e-11, abs=1e-14), "whichever stages are asked for"


@given(any_conquest())
def test_the_worth_of_a_turn_at_its_start_is_its_odds(asked: Asked) -> None:
    question = asked.conquest()
    (found,) = worth(ConquestFight.begin(question))
    whole = 1.0 if asked.aim == "all" else sum(target.worth for target in question.targets)
    assert found == pytest.approx(float(best(asked)) / (whole or 1), rel=1e-11, abs=1e-300)


FEW_FACES = [
    Battle(0, 0, attack=Pool((4, 3)), defence=Pool((3, 2)), ties="both"),
    Battle(0, 0, attack=Pool((3, 3, 2)), defence=Pool((3,), bonus=(1,)), late=True),
    Battle(0, 0, faces=(Faces.of(["A", "D"]), Faces.of(["AA", "D", ""]))),
]


@examples(pick(25, 50))
@given(any_conquest(most_targets=3, most_armies=6), st.sampled_from(FEW_FACES), st.integers(0, 9))
def test_dice_change_the_worth_of_a_turn_by_0_on_average(asked: Asked, rules: Battle, seed: int) -> None:
    stages = [stage for stage in played(replace(asked, rules=rules).conquest(), seed) if stage.next_dice() != ([], [])]
    for stage in stages[:2]:
        ends = Counter[ConquestFight]()
        for chance, after in every_throw(stage):
            ends[after] += chance  # type: ignore[assignment]
        before, *after_each = worth(stage, *ends)
        mean = sum(chance * (found or 0) for chance, found in zip(ends.values(), after_each, strict=True))
        assert mean == pytest.approx(before, abs=1e-12)


def every_throw(stage: ConquestFight) -> Iterator[tuple[float, ConquestFight]]:
    """Every way in which the dice of a throw can fall, with its chance."""
    open_ways: list[tuple[int, ...]] = [()]
    while open_ways:
        way, asked = open_ways.pop(), list[int]()

        class Undecided(Exception):  # noqa: N818
            """The next die has not fallen."""

        def source(sides: int, way: tuple[int, ...] = way, asked: list[int] = asked) -> int:
            asked.append(sides)
            if len(asked) > len(way):
                raise Undecided
            return way[len(asked) - 1]

        try:
            _, after = stage.throw(source)
        except Undecided:
            open_ways += [(*way, face) for face in range(1, asked[-1] + 1)]
        else:
            chance = 1.0
            for sides in asked:
                chance /= sides
            yield chance, after


@examples(pick(50, 100))
@given(any_conquest(most_targets=3, most_armies=8), st.integers(0, 9))
def test_only_the_best_choice_keeps_the_worth_of_a_turn(asked: Asked, seed: int) -> None:
    for stage in played(asked.conquest(), seed):
        if stage.decision:
            before, best, *others = worth(
                stage, stage.choose(best_choice(stage)), *(stage.choose(choice) for choice in choices(stage))
            )
            assert best == pytest.approx(before, rel=1e-11, abs=1e-300)
            assert max(other or 0 for other in others) == pytest.approx(before, rel=1e-11, abs=1e-300)


@examples(pick(50, 100))
@given(any_conquest(most_targets=4, most_armies=10), st.integers(0, 9))
def test_another_number_of_armies_goes_on_to_the_best_territories(asked: Asked, seed: int) -> None:
    for stage in played(asked.conquest(), seed):
        for number in stage.numbers or ():
            allowed = [choice for choice in choices(stage) if choice["move"] == number]
            best, *others = worth(
                stage.choose(best_choice(stage, number)), *(stage.choose(choice) for choice in allowed)
            )
            assert best == pytest.approx(max(other or 0 for other in others), rel=1e-11, abs=1e-300)


def test_the_worth_of_a_stage_with_too_much_work_is_unknown() -> None:
    stages = list(played(from_siam(), 1))
    assert conquest_chances(stages, 0) == [None] * (len(stages) - 1) + [float(stages[-1].ended == "won")]


# The order of things ------------------------------------------------------------------------------------


def test_the_front_opened_last_acts_first() -> None:
    stage = ConquestFight.begin(
        from_siam(starts={"siam": 12, "peru": 4}, targets={"china": 1, "india": 1, "indonesia": 1, "brazil": 1})
    )
    assert stage.decision == "attack", "no territory can be reached from both, so there is nothing to share"
    assert where(stage) == [("peru", ["brazil"], 4), ("siam", ["china", "india", "indonesia"], 12)]
    _, stage = stage.choose({"attack": "brazil"}).throw(script(6, 6, 6, 1))
    assert where(stage) == [("siam", ["china", "india", "indonesia"], 12)], "nobody has to move where nothing is left"
    _, stage = stage.choose({"attack": "indonesia"}).throw(script(6, 6, 6, 1))
    assert (stage.decision, stage.numbers) == ("move", range(3, 13))
    stage = stage.choose({"move": 5, "onward": ["india"]})
    assert where(stage) == [("indonesia", ["india"], 4), ("siam", ["china"], 7)], "one stays in Indonesia"
    _, stage = stage.choose({"attack": "india"}).throw(script(1, 1, 1, 6))
    _, stage = stage.throw(script(6, 6, 6, 1))
    assert where(stage) == [("siam", ["china"], 7)]
    _, stage = stage.choose({"attack": "china"}).throw(script(6, 6, 6, 1))
    assert (stage.ended, [stage.board.names[target] for target in stage.taken]) == (
        "won",
        ["brazil", "indonesia", "india", "china"],
    )


def where(stage: ConquestFight) -> list[tuple[str, list[str], int]]:
    names = stage.board.names
    return [(names[front.place], stage.names(front.targets), front.armies) for front in stage.fronts]


def test_an_empty_territory_is_entered_at_once() -> None:
    stage = ConquestFight.begin(from_siam(targets={"indonesia": 0, "new guinea": 0}))
    stage = stage.choose({"attack": "indonesia"})
    assert (stage.decision, stage.numbers) == ("move", range(3, 13))
    stage = stage.choose({"move": 12, "onward": ["new guinea"]}).choose({"attack": "new guinea"})
    assert stage.ended == "won"


def test_three_survivors_must_all_move_in() -> None:
    stage = ConquestFight.begin(from_siam(starts={"siam": 4}, targets={"china": 1, "india": 1}))
    stage = rolls(stage.choose({"attack": "china"}), script(1, 1, 1, 6, 6, 6, 6, 1))
    assert (stage.decision, stage.numbers) == ("move", None)
    assert best_choice(stage) == {"move": 3, "onward": ["india"]}


def rolls(stage: ConquestFight, source: Source) -> ConquestFight:
    """The stage at the next choice, or the end."""
    while stage.next_dice() != ([], []):
        _, stage = stage.throw(source)
    return stage


def test_too_many_ways_to_share_leave_the_worth_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = {"siam": 4, "india": 2, "korea": 3}
    near = {start: ["china", "japan"] for start in starts}
    stage = ConquestFight.begin(Conquest.of(near, starts, {"china": 1, "japan": 1}))
    assert worth(stage) != [None]
    monkeypatch.setattr(shares, "MOST_SETS", 1)
    assert worth(stage) == [None]
    with pytest.raises(TooLargeError):
        best_choice(stage)


def test_two_starts_share_what_both_can_reach() -> None:
    stage = ConquestFight.begin(from_siam(starts={"siam": 4, "india": 2}, targets={"china": 1, "indonesia": 1}))
    assert (stage.decision, stage.numbers, stage.next_dice()) == ("shares", None, ([], []))
    assert best_choice(stage) == {"shares": {"india": ["indonesia"], "siam": ["china"]}}
    stage = stage.choose({"shares": {"india": [], "siam": ["china", "indonesia"]}})
    assert where(stage) == [("siam", ["china", "indonesia"], 4)]


# How it ends ----------------------------------------------------------------------------------------------


def test_a_turn_for_all_targets_is_lost_with_its_first_front() -> None:
    stage = ConquestFight.begin(from_siam(targets={"china": 1, "india": 1}))
    _, stage = stage.choose({"attack": "china"}).throw(script(6, 6, 6, 1))
    assert stage.choose({"move": 12, "onward": ["india"]}).ended is None
    stage = rolls(stage.choose({"move": 3, "onward": ["india"]}).choose({"attack": "india"}), lambda sides: 1)
    assert (stage.ended, stage.taken) == ("lost", (0,))
    assert worth(stage) == [0]


def test_a_front_without_armies_is_lost_at_once() -> None:
    stage = ConquestFight.begin(from_siam(targets={"china": 1, "indonesia": 1}))
    _, stage = stage.choose({"attack": "china"}).throw(script(6, 6, 6, 1))
    assert stage.choose({"move": 12, "onward": []}).ended == "lost", "nobody is left in Siam to take Indonesia"
    assert stage.choose({"move": 11, "onward": []}).ended is None
    assert ConquestFight.begin(from_siam(starts={"siam": 0})).ended == "lost"
    assert ConquestFight.begin(from_siam(targets={"china": 1, "brazil": 1})).ended == "lost", "no way leads to Brazil"


@pytest.mark.parametrize("aim", ["most", "value"])
def test_a_turn_for_the_most_targets_goes_on_after_a_lost_front(aim: Any) -> None:
    values = {"china": 1, "india": 2, "indonesia": 5}
    asked = from_siam(targets=dict.fromkeys(values, 1), aim=aim, values=values)
    stage = ConquestFight.begin(asked)
    assert stage.retreat().ended == "retreat"
    assert stage.choose({"stop": True}).ended == "lost"
    _, stage = stage.choose({"attack": "china"}).throw(script(6, 6, 6, 1))
    stage = stage.choose({"move": 6, "onward": ["india"]}).choose({"attack": "india"})
    stage = rolls(stage, lambda sides: 1)
    assert (stage.ended, where(stage)) == (None, [("siam", ["indonesia"], 6)])
    assert stage.choose({"stop": True}).ended == "stopped"
    assert (
        worth(stage.choose({"stop": True}), stage.retreat()) == [pytest.approx(1 / 3 if aim == "most" else 1 / 8)] * 2
    )
    _, stage = stage.choose({"attack": "indonesia"}).throw(script(6, 6, 6, 1))
    assert stage.ended == "stopped"
    assert worth(stage) == [pytest.approx(2 / 3 if aim == "most" else 6 / 8)]


def test_stages_of_a_turn_can_be_pickled_with_their_game() -> None:
    game, *stages = pickle.loads(pickle.dumps([CONQUEST, *played(from_siam(), 2)]))
    assert (game, stages) == (CONQUEST, list(played(from_siam(), 2)))
    assert len({*stages}) > 3, "answers are kept by them"


def test_an_ended_turn_has_no_choices_and_no_dice() -> None:
    stage = ConquestFight.begin(from_siam()).retreat()
    assert (stage.ended, stage.decision, stage.numbers, stage.next_dice()) == ("retreat", None, None, ([], []))
    assert stage.retreat() is stage
    with pytest.raises(BattleError, match="nothing to choose"):
        stage.choose({"attack": "china"})


# What the rules forbid --------------------------------------------------------------------------------------

DEEP: Any = []
for _ in range(10_000):
    DEEP = [DEEP]
GARBAGE = [None, 0, "china", [], {}, DEEP, {"attack": DEEP}, {"move": DEEP, "onward": []}, {"shares": DEEP}]


@each(
    [
        *((choice, "the attacker chooses the next target") for choice in GARBAGE),
        ({"attack": "india"}, '"india" can\'t be attacked from siam'),
        ({"attack": "siam"}, '"siam" isn\'t one of the targets'),
        ({"attack": "atlantis" * 9}, "isn't one of the targets"),
        ({"attack": "china", "stop": True}, "the attacker chooses the next target"),
        ({"stop": True}, "the attacker chooses the next target"),
        ({"move": 3, "onward": []}, "the attacker chooses the next target"),
    ]
)
def test_a_target_that_cannot_be_attacked_is_refused(choice: Any, why: str) -> None:
    with pytest.raises(BattleError, match=why):
        ConquestFight.begin(from_siam()).choose(choice)


@each([False, 1, "yes", None, DEEP])
def test_only_true_is_accepted_for_stop(stop: Any) -> None:
    with pytest.raises(BattleError, match="the next target"):
        ConquestFight.begin(from_siam(aim="most")).choose({"stop": stop})


@each(
    [
        *((choice, "the attacker chooses how many armies move in") for choice in GARBAGE),
        ({"move": 2, "onward": ["india"]}, "of 12 armies 3 to 12 move in, not 2"),
        ({"move": 13, "onward": ["india"]}, "of 12 armies 3 to 12 move in, not 13"),
        ({"move": 10**4000, "onward": ["india"]}, "of 12 armies 3 to 12 move in, not 1000"),
        ({"move": -1, "onward": []}, "of 12 armies 3 to 12 move in, not -1"),
        ({"move": True, "onward": []}, "how many armies move in"),
        ({"move": 9.0, "onward": []}, "how many armies move in"),
        ({"move": 9, "onward": "india"}, "how many armies move in"),
        ({"move": 9, "onward": [["india"]]}, "how many armies move in"),
        ({"move": 9, "onward": ["atlantis"]}, '"atlantis" isn\'t one of the targets'),
        ({"move": 9, "onward": ["china"]}, "can't be shared like that"),
        ({"move": 9, "onward": ["india", "india"]}, "can't be shared like that"),
        ({"move": 9, "onward": ["new guinea"]}, "can't be shared like that"),
        ({"move": 9, "onward": ["india", "indonesia"]}, "can't be shared like that"),
    ]
)
def test_a_forbidden_move_of_armies_is_refused(choice: Any, why: str) -> None:
    _, stage = ConquestFight.begin(from_siam()).choose({"attack": "china"}).throw(script(6, 6, 1, 1, 1))
    assert stage.numbers == range(3, 13)
    with pytest.raises(BattleError, match=why):
        stage.choose(choice)


@each(
    [
        *GARBAGE,
        {"siam": ["china"]},
        {"siam": ["china", "indonesia"], "india": [], "peru": []},
        {"siam": ["china"], "india": []},
        {"siam": ["china", "indonesia"], "india": ["china"]},
        {"siam": ["china", "china"], "india": ["indonesia"]},
        {"siam": ["china", "india"], "india": ["indonesia"]},
        {"siam": DEEP, "india": DEEP},
        {"siam": None, "india": None},
    ]
)
def test_incomplete_and_double_shares_are_refused(shares: Any) -> None:
    stage = ConquestFight.begin(from_siam(starts={"siam": 4, "india": 2}, targets={"china": 1, "indonesia": 1}))
    for choice in (shares, {"shares": shares}, {"shares": shares, "more": 1}):
        with pytest.raises(BattleError):
            stage.choose(choice)
