"""Choices in the logs of live battles: they are followed by the rules, and whoever forges one is found out."""

import copy
from collections.abc import Callable
from typing import Any

from bot.live.fair import problems, report
from bot.live.replay import battle_of, replay, report_lines
from bot.rooms import ROOMS
from solver.conquest.fight import ConquestFight
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log
from tests.helpers.bot.frozen_logs import LOGS
from tests.helpers.bot.lines import check
from tests.helpers.cases import each

LOG, TODAY = LOGS["a conquest, with choices between the rolls"], LOGS["a turn on a map, throw by throw"]
ATTACK, ROLL, MOVE = 1, 2, 4
"""The first entries of the log that choose a target, have dice, and say how many move in."""


def kinds() -> list[str]:
    """What each entry of the log is."""
    return [next(iter(entry["choice"])) if "choice" in entry else "roll" for entry in LOG["rolls"]]


def test_the_log_of_the_test_has_choices() -> None:
    assert kinds()[:5] == ["attack", "roll", "roll", "move", "attack"]
    assert {"attack", "move"} <= set(kinds())
    assert LOG["rolls"][MOVE - 1]["choice"] == {"move": 3, "onward": ["new_guinea"]}
    stages = replay(ROOMS.of(battle()).game, battle(), LOG["rolls"])
    assert stages[-1].fight.ended is not None
    assert [step.throw is None for step in stages[1:]] == [kind != "roll" for kind in kinds()]


def battle() -> Any:
    return battle_of(ROOMS, LOG["line"], 1)


def test_choices_are_no_rolls_and_are_counted_apart() -> None:
    rolls = kinds().count("roll")
    dice = sum(len(entry["attack"]) + len(entry["defence"]) for entry in LOG["rolls"])
    told = report(LOG, by_rules=True).splitlines()
    assert f"The dice match the seed: {rolls} rolls, {dice} dice." in told
    assert f"Choices between the rolls: {len(kinds()) - rolls}." in told
    assert "The attacker retreated." not in told
    assert f"Choices between the rolls: {len(kinds()) - rolls}." in report_lines(LOG)


def forged(tamper: Callable[[Log], Any], genuine: Log = LOG) -> Log:
    """A log with right dice and right hashes, after something against the rules."""
    log = copy.deepcopy(genuine)
    tamper(log)
    return twin.sealed(log)


def chooses(number: int, choice: Any) -> Callable[[Log], Any]:
    return lambda log: log["rolls"][number - 1].update(choice=choice)


def rolls_instead(number: int) -> Callable[[Log], Any]:
    """Dice that the seed gives, where something is to be chosen."""

    def tamper(log: Log) -> None:
        entry = log["rolls"][number - 1]
        dice = twin.dice(log["seed"], log["battle"], log["message"], number, entry["interaction"])
        del entry["choice"]
        entry |= {"attack": [dice(6) for _ in range(3)], "defence": [dice(6)], "dice": ["3d6", "1d6"]}

    return tamper


def chooses_instead(number: int, choice: Any) -> Callable[[Log], Any]:
    """A choice where dice should fall."""
    bare = {"attack": [], "defence": [], "dice": ["", ""], "choice": choice}
    return lambda log: log["rolls"][number - 1].update(bare)


@each(
    [
        (chooses(MOVE, {"move": 2, "onward": ["new_guinea"]}), "of {left} armies 3 to {left} move in, not 2"),
        (chooses(MOVE, {"move": 15, "onward": ["new_guinea"]}), "of {left} armies 3 to {left} move in, not 15"),
        (chooses(MOVE, {"move": 9, "onward": ["atlantis"]}), '"atlantis" isn\'t one of the targets'),
        (chooses(MOVE, {"move": 9, "onward": []}), "these targets can't be shared like that"),
        (chooses(MOVE, {"move": 9}), "here the attacker chooses how many armies move in"),
        (chooses(MOVE, {"attack": "china"}), "here the attacker chooses how many armies move in"),
        (chooses(MOVE, [[[{"move": [{}]}]]]), "here the attacker chooses how many armies move in"),
        (
            chooses(MOVE, {"move": {"move": 9}, "onward": {"a": []}}),
            "here the attacker chooses how many armies move in",
        ),
        (chooses(ATTACK, {"attack": "new_guinea"}), '"new_guinea" can\'t be attacked from siam'),
        (chooses(ATTACK, {"attack": "atlantis"}), '"atlantis" isn\'t one of the targets'),
        (chooses(ATTACK, {"stop": True}), "here the attacker chooses the next target"),
        (chooses(ATTACK, False), "here the attacker chooses the next target"),
        (chooses_instead(ROLL, {"attack": "china"}), "there is nothing to choose"),
        (rolls_instead(MOVE), "something has to be chosen before the next roll"),
        (rolls_instead(ATTACK), "something has to be chosen before the next roll"),
    ]
)
def test_a_forbidden_choice_in_a_log_is_named(tamper: Callable[[Log], Any], sentence: str) -> None:
    log = forged(tamper)
    assert problems(log) == [], "its hashes and its dice are right"
    (number,) = (entry["n"] for entry, old in zip(log["rolls"], LOG["rolls"], strict=True) if what(entry) != what(old))
    left = replay(ROOMS.of(battle()).game, battle(), LOG["rolls"][: MOVE - 1])[-1].fight
    assert isinstance(left, ConquestFight)
    told = sentence.format(left=left.assault and left.assault.fight.attackers)
    assert check(log) == [f"roll {number}: by the rules {told}"]


@each(
    [
        (1, {"attack": {"from": "siam", "to": "siam"}}, '"siam" can\'t be attacked from "siam"'),
        (1, {"attack": "indonesia"}, "here the attacker chooses the next throw"),
        (1, {"shares": {"siam": ["indonesia"], "china": ["india"]}}, "here the attacker chooses the next throw"),
        (7, {"move": 2}, "of 5 armies 3 to 5 move in, not 2"),
        (7, {"move": 3, "onward": ["indonesia"]}, "here the attacker chooses how many armies move in"),
    ]
)
def test_a_forbidden_choice_in_a_log_of_throws_is_named(number: int, choice: Any, sentence: str) -> None:
    log = forged(chooses(number, choice), TODAY)
    assert (check(TODAY), problems(log)) == ([], []), "its hashes and its dice are right"
    assert check(log) == [f"roll {number}: by the rules {sentence}"]


def test_the_rules_of_a_log_decide_whether_each_throw_may_come_from_any_front() -> None:
    def follows(genuine: Log, rules: int) -> bool:
        log = copy.deepcopy(genuine) | {"rules": rules}
        log["rolls"][0]["rules"] = rules
        return check(twin.sealed(log)) == []

    assert [follows(LOG, 7), follows(LOG, 8), follows(TODAY, 7), follows(TODAY, 8)] == [True, False, False, True]


SEVERAL = "it is more than one of these: dice, a retreat, a choice, losses kept, a roll taken back, mistyped"


def what(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "hash"}


@each(
    [
        (lambda log: log["rolls"][MOVE - 1].update(attack=[6], dice=["1d6", ""]), SEVERAL),
        (lambda log: log["rolls"][MOVE - 1].update(retreat=True), SEVERAL),
        (lambda log: log["rolls"][ROLL - 1].update(choice={}), SEVERAL),
    ]
)
def test_an_entry_with_a_choice_and_dice_or_retreat_is_refused(tamper: Callable[[Log], Any], sentence: str) -> None:
    for found in (problems(forged(tamper)), check(forged(tamper))):
        assert [told.partition(": ")[2] for told in found] == [sentence]


def test_a_choice_that_is_missing_or_changed_breaks_the_hashes() -> None:
    log = copy.deepcopy(LOG)
    log["rolls"][MOVE - 1]["choice"]["move"] += 1
    assert problems(log) == [f"roll {MOVE}: its hash doesn't match: this roll was changed, or one before it is missing"]


def test_a_changed_number_of_moved_armies_leads_to_another_end() -> None:
    log = forged(lambda log: log["rolls"].__setitem__(slice(MOVE, None), []))
    log["rolls"][MOVE - 1]["choice"]["move"] += 1
    assert check(twin.sealed(log)) == ["the seed is there, but by the rules the battle is not over: rolls are missing"]


def test_a_choice_in_a_log_of_dice_is_refused() -> None:
    log = twin.rolled(1, "12 9", most=2)
    bare = {"interaction": "1", "user": "1", "attack": [], "defence": [], "choice": {"move": 3}}
    log["rolls"].append({"n": 3, **bare})
    assert "roll 3: by the rules there is nothing to choose" in check(twin.sealed(log))


def test_a_deep_or_infinite_choice_in_a_log_is_named() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, {"move": deep, "onward": []}, {"move": float("inf"), "onward": []}):
        log = copy.deepcopy(LOG)
        log["rolls"][MOVE - 1]["choice"] = value
        told = check(log)
        assert f"roll {MOVE}: it can't be hashed: it has a number that is not whole, or is nested too deeply" in told
        assert f"roll {MOVE}: by the rules here the attacker chooses how many armies move in" in told
