"""Turns on a map on the table, throw by throw: what is left to hope for, best play, what may be chosen, the end."""

import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Conquest, TooLargeError
from solver.conquest.fight import ConquestFight
from solver.conquest.game import CHOICES, CONQUEST, begin_conquest, best_choice, conquest_chances
from solver.conquest.live_turn import LiveTurn
from solver.conquest.phase import MapThrow
from solver.conquest.play import is_outdated, throw_chances
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.conquest_brute import LIVE_RULES, Asked, any_conquest, from_siam, is_allowed
from tests.helpers.solver.dice_rolled import by_chance, script
from tests.helpers.solver.phase_brute import worths_of_stages

TWO_FRONTS = Conquest.of({"siam": ["india"], "china": ["india"]}, {"siam": 12, "china": 8}, {"india": 9})
SIAM_TO_CHINA = {"attack": {"from": "siam", "to": "china"}}


def turn(**given: Any) -> LiveTurn:
    """The beginning of a turn from Siam."""
    return LiveTurn.begin(from_siam(**given))


def choices(stage: LiveTurn) -> list[Any]:
    """Every choice that the rules allow, found by trying all that can be said with the names on the map."""
    names = stage.board.names
    tried = [
        {"stop": True},
        *({"attack": {"from": place, "to": target}} for place in names for target in names),
        *({"move": moving} for moving in range(14)),
    ]
    return [choice for choice in tried if is_allowed(stage, choice)]


def played(asked: Conquest, seed: int) -> Iterator[LiveTurn]:
    """Every stage of a turn in which players choose at random among all that they may do, now and then too often."""
    stage, source, generator = LiveTurn.begin(asked), by_chance(seed), random.Random(seed)
    yield stage
    while stage.ended is None:
        if stage.decision or generator.random() < 0.2:
            allowed = [choice for choice in choices(stage) if "stop" not in choice] or choices(stage)
            stage = stage.choose(generator.choice(allowed))
        else:
            _, stage = stage.throw(source)
        yield stage


# What is left to hope for -------------------------------------------------------------------------------


@examples(pick(40, 100))
@given(any_conquest(most_targets=3, most_armies=7), st.sampled_from(LIVE_RULES), st.integers(0, 9))
def test_each_stage_of_a_turn_has_the_worth_of_best_play(asked: Asked, rules: Battle, seed: int) -> None:
    asked = replace(asked, rules=rules)
    stages = list(played(asked.conquest(), seed))
    expected = [float(worth) for worth in worths_of_stages(asked, stages)]
    assert conquest_chances(stages) == pytest.approx(expected, rel=1e-11, abs=1e-14)


@examples(pick(40, 100))
@given(any_conquest(most_targets=3, most_armies=8), st.integers(0, 9))
def test_only_the_best_choice_keeps_the_worth_of_a_turn(asked: Asked, seed: int) -> None:
    for stage in played(asked.conquest(), seed):
        if stage.ended:
            continue
        before, *after = conquest_chances([stage, *(stage.choose(choice) for choice in choices(stage))])
        (best,) = conquest_chances([stage.choose(best_choice(stage))])
        assert best == pytest.approx(max(other or 0 for other in after), rel=1e-11, abs=1e-300)
        if not stage.chosen or stage.decision:
            assert best == pytest.approx(before, rel=1e-11, abs=1e-300)
        if stage.decision is None and stage.attack:
            names = stage.board.names
            same = {"attack": {"from": names[stage.attack.place], "to": names[stage.attack.target]}}
            (before,) = conquest_chances([stage.choose(same)])
            assert is_outdated(stage, 1e9) == ((before or 0) < (best or 0) * (1 - 1e-11) or not best)
        listed = [found.chance for found in throw_chances(stage)]
        assert listed == sorted((worth or 0 for worth in after[-len(listed) :]), reverse=True) or not listed


def test_best_play_changes_the_front_when_another_is_better() -> None:
    stage, wish = begin_conquest(TWO_FRONTS), MapThrow(1, 0)
    assert isinstance(stage, LiveTurn)
    assert best_choice(stage) == {"attack": {"from": "siam", "to": "india"}}
    chosen = stage.choose(best_choice(stage, wish))
    assert chosen.choose(best_choice(chosen)).attack == MapThrow(2, 0)
    _, after = chosen.throw(script(1, 1, 1, 6, 6))
    assert (after.decision, after.attack, after.state.free) == (None, wish, (0, 6, 12)), "the next throw is from there"
    assert is_outdated(after, 1e9)


def test_the_worth_of_a_turn_with_too_much_work_is_unknown_until_little_is_left() -> None:
    stages = list(played(turn().conquest, 1))
    assert conquest_chances(stages, 0)[:3] == [None] * 3
    with pytest.raises(TooLargeError):
        throw_chances(stages[0], 0)
    assert not is_outdated(stages[1], 0)
    whole, kinds = conquest_chances(stages), set[bool]()
    for limit in (2**power for power in range(6, 40, 2)):
        found = conquest_chances(stages, limit)
        known = [chance for chance in found if chance is not None]
        assert known == whole[len(whole) - len(known) :]
        kinds |= {0 < len(known) < len(whole)}
    assert kinds == {False, True}


@examples(pick(20, 40))
@given(any_conquest(most_targets=4, most_armies=12), st.integers(0, 9))
def test_a_turn_too_large_for_best_play_goes_on_by_plans(asked: Asked, seed: int) -> None:
    stage, source = LiveTurn.begin(asked.conquest()), by_chance(seed)
    while not stage.ended:
        assert not is_outdated(stage, 0)
        stage = stage.choose(best_choice(stage, None, 0)) if stage.decision else stage.throw(source)[1]


def test_a_turn_with_very_many_targets_is_only_played_if_it_is_small_enough_for_best_play() -> None:
    names = [f"t{number}" for number in range(20)]
    wheel = LiveTurn.begin(Conquest.of({"siam": names}, {"siam": 4}, dict.fromkeys(names, 1), aim="most"))
    assert "attack" in best_choice(wheel)
    with pytest.raises(TooLargeError):
        best_choice(wheel, None, 0)


# By the rules -------------------------------------------------------------------------------------------


def test_a_front_that_is_lost_leaves_the_turn_to_the_others() -> None:
    stage = LiveTurn.begin(replace(TWO_FRONTS, starts=(("china", 1), ("siam", 2))))
    _, stage = stage.choose({"attack": {"from": "china", "to": "india"}}).throw(script(1, 6, 1))
    assert (stage.ended, stage.decision, stage.armies) == (None, "attack", [(2, 2)])
    _, stage = stage.choose({"attack": {"from": "siam", "to": "india"}}).throw(script(1, 1, 6, 6))
    assert (stage.ended, stage.taken, CHOICES.choosers(stage)) == ("lost", (), ())


def test_armies_move_in_after_a_capture_and_an_empty_territory_is_entered() -> None:
    _, stage = turn().choose({"attack": {"from": "siam", "to": "indonesia"}}).throw(script(6, 6, 1, 1, 1))
    assert (stage.decision, stage.numbers, stage.next_dice()) == ("move", range(3, 13), ([], []))
    stage = stage.choose({"move": 5})
    assert (stage.decision, stage.armies) == ("attack", [(2, 4), (4, 7)]), "one stays in Indonesia"
    stage = stage.choose({"attack": {"from": "indonesia", "to": "new guinea"}})
    assert (stage.decision, stage.numbers, stage.taken) == ("move", range(3, 5), (2, 3))


def test_nobody_is_asked_how_many_move_in_where_nothing_is_left_to_take() -> None:
    stage = turn(starts={"siam": 4, "peru": 4}, targets={"brazil": 1, "china": 1})
    _, stage = stage.choose({"attack": {"from": "peru", "to": "brazil"}}).throw(script(6, 6, 6, 1))
    assert (stage.decision, stage.numbers, stage.moves) == ("move", None, range(3, 5))
    assert stage.choose(best_choice(stage)).decision == "attack"


def test_two_armies_left_move_in_together() -> None:
    _, stage = turn(starts={"siam": 2}, targets={"china": 1, "india": 1}).choose(SIAM_TO_CHINA).throw(script(6, 6, 1))
    assert (stage.decision, stage.numbers, best_choice(stage)) == ("move", None, {"move": 2})


@each(
    [
        ({"starts": {"siam": 0}}, "lost"),
        ({"targets": {"china": 1, "brazil": 1}}, "lost"),
        ({"targets": {"china": 1, "brazil": 1}, "aim": "most"}, None),
    ]
)
def test_a_turn_is_lost_where_no_way_leads_to_a_target(given: Any, ended: str | None) -> None:
    assert turn(**given).ended == ended


def test_who_stops_or_retreats_keeps_what_is_taken() -> None:
    start = turn(targets={"china": 1, "indonesia": 1}, aim="most")
    assert start.choose({"stop": True}).ended == "lost"
    _, stage = start.choose(SIAM_TO_CHINA).throw(script(6, 6, 6, 1))
    assert [stage.retreat().ended, stage.retreat().retreat().taken] == ["retreat", (0,)]
    stage = stage.choose({"move": 3}).choose({"stop": True})
    assert (stage.ended, conquest_chances([stage]), stage.next_dice()) == ("stopped", [0.5], ([], []))
    with pytest.raises(BattleError, match="nothing to choose"):
        stage.choose(SIAM_TO_CHINA)


def test_nothing_is_thrown_where_nothing_can_be_gained() -> None:
    start = turn(targets={"china": 1}, aim="value", values={"china": 0})
    assert best_choice(start) == {"stop": True}
    few = turn(starts={"siam": 1}, targets={"china": 1, "india": 1})
    assert (best_choice(few), few.choose({"stop": True}).ended) == ({"stop": True}, "lost")


def test_old_turns_and_dice_that_the_defender_chooses_are_fought_to_the_end() -> None:
    assert isinstance(begin_conquest(replace(TWO_FRONTS, to_the_end=True)), ConquestFight)
    assert isinstance(begin_conquest(replace(TWO_FRONTS, rules=Battle(0, 0, late=True))), ConquestFight)


def test_stages_of_a_turn_can_be_pickled_with_their_game() -> None:
    game, *stages = pickle.loads(pickle.dumps([CONQUEST, *played(turn().conquest, 2)]))
    assert (game, stages) == (CONQUEST, list(played(turn().conquest, 2)))
    assert len({*stages}) > 3, "answers are kept by them"


DEEP: Any = []
for _ in range(10_000):
    DEEP = [DEEP]
GARBAGE: list[Any] = [None, 0, "china", [], {}, DEEP, {"attack": DEEP}]
NEXT, MOVE = "here the attacker chooses the next throw", "here the attacker chooses how many armies move in"


@each(
    [
        *((choice, NEXT) for choice in [*GARBAGE, {"move": 3}]),
        ({"attack": "china"}, NEXT),
        ({"attack": {"from": "siam"}}, NEXT),
        ({"attack": {"from": "siam", "to": "china", "with": 3}}, NEXT),
        ({**SIAM_TO_CHINA, "stop": True}, NEXT),
        *(({"stop": stop}, NEXT) for stop in (False, 1, "yes", None)),
        ({"attack": {"from": "siam", "to": "india"}}, '"india" can\'t be attacked from "siam"'),
        ({"attack": {"from": "china", "to": "india"}}, '"india" can\'t be attacked from "china"'),
        ({"attack": {"from": "siam", "to": "siam"}}, '"siam" can\'t be attacked from "siam"'),
        ({"attack": {"from": DEEP, "to": "china"}}, NEXT),
        ({"attack": {"from": "siam", "to": "atlantis" * 9}}, "isn't one of the territories"),
    ]
)
def test_a_throw_that_the_rules_forbid_is_refused(choice: Any, why: str) -> None:
    with pytest.raises(BattleError, match=why):
        turn().choose(choice)


@each(
    [
        *((choice, MOVE) for choice in [*GARBAGE, SIAM_TO_CHINA, {"stop": True}, {"move": DEEP}, {"move": True}]),
        ({"move": 9.0}, MOVE),
        ({"move": 9, "onward": []}, MOVE),
        *(({"move": count}, "of 12 armies 3 to 12 move in, not") for count in (2, 13, -1, 10**4000)),
    ]
)
def test_a_forbidden_move_of_armies_is_refused(choice: Any, why: str) -> None:
    _, stage = turn().choose(SIAM_TO_CHINA).throw(script(6, 6, 1, 1, 1))
    with pytest.raises(BattleError, match=why):
        stage.choose(choice)
