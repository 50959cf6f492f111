"""Logs in which real dice are taken back or their battle is marked as mistyped, and what is said of forged entries."""

import copy
from collections.abc import Callable
from typing import Any

from bot.live.fair import problems
from bot.notation.defaults import RULES
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log
from tests.helpers.bot.lines import check
from tests.helpers.cases import each

TYPED_ROLL = {"attack": [6, 4, 1], "defence": [5, 3], "dice": ["3d6", "2d6"], "real": True}
BARE: dict[str, Any] = {"attack": [], "defence": [], "dice": ["", ""]}
UNDONE, MARKS = {**BARE, "undo": 1}, {**BARE, "mistyped": True}
MISPLACED = "it marks the battle as mistyped, but is not the last, or no real dice stand before it"


def log_with(*entries: dict[str, Any], seed: bool = False) -> Log:
    """A log of 12 against 9 with these entries, of one player; with the seed it is over."""
    log = {**twin.begun(7, "12 9"), "rules": RULES}
    for number, entry in enumerate(entries, start=1):
        first = {"line": "12 9", "message": log["message"], "rules": RULES} if number == 1 else {}
        log["rolls"].append({"n": number, "interaction": str(number), "user": "1", **first, **copy.deepcopy(entry)})
    log = twin.sealed(log)
    log["seed"] = log["seed"] if seed else None
    return log


def test_a_log_may_take_back_what_was_typed_last() -> None:
    log = log_with(TYPED_ROLL, {**BARE, "undo": 1}, TYPED_ROLL, TYPED_ROLL, {**BARE, "undo": 4}, TYPED_ROLL)
    assert problems(log) == check(log) == []


NOT_LAST = "it takes back what is not the last roll, or not real dice of the same player"


@each(
    [
        ((TYPED_ROLL, {**BARE, "undo": 1, "user": "2"}), 2, NOT_LAST),
        ((TYPED_ROLL, TYPED_ROLL, {**BARE, "undo": 1}), 3, NOT_LAST),
        ((TYPED_ROLL, {**BARE, "undo": 1}, {**BARE, "undo": 1}), 3, NOT_LAST),
        ((TYPED_ROLL, {**BARE, "undo": 2}), 2, NOT_LAST),
        (({**BARE, "undo": 1},), 1, NOT_LAST),
        (({**TYPED_ROLL, "real": False}, {**BARE, "undo": 1}), 2, NOT_LAST),
        ((TYPED_ROLL, {**BARE, "undo": True}), 2, '"undo" is missing or garbled'),
        (
            (TYPED_ROLL, {**TYPED_ROLL, "undo": 1}),
            2,
            "it is more than one of these: dice, a retreat, a choice, losses kept, a roll taken back, mistyped",
        ),
    ]
)
def test_a_log_that_takes_back_another_roll_is_refused(entries: Any, number: int, problem: str) -> None:
    log = log_with(*entries)
    assert f"roll {number}: {problem}" in problems(log)
    assert f"roll {number}: {problem}" in check(log)


@each([lambda log: log["rolls"].pop(1), lambda log: log["rolls"][1].pop("undo"), lambda log: log["rolls"].pop(0)])
def test_a_log_that_hides_what_was_taken_back_is_refused(tamper: Callable[[Log], Any]) -> None:
    log = log_with(TYPED_ROLL, {**BARE, "undo": 1}, TYPED_ROLL)
    tamper(log)
    assert problems(log)


def test_a_log_may_end_with_a_mark() -> None:
    for entries in ((TYPED_ROLL, MARKS), (TYPED_ROLL, UNDONE, TYPED_ROLL, MARKS)):
        log = log_with(*entries, seed=True)
        assert problems(log) == check(log) == []
    unfinished = log_with(TYPED_ROLL, MARKS)
    assert check(unfinished) == ["by the rules the battle is over, but its seed is missing"]
    cut = log_with(TYPED_ROLL, seed=True)
    assert check(cut) == ["the seed is there, but by the rules the battle is not over: rolls are missing"]


@each(
    [
        ((MARKS,), 1, MISPLACED),
        ((TYPED_ROLL, UNDONE, MARKS), 3, MISPLACED),
        (({**TYPED_ROLL, "real": False}, MARKS), 2, MISPLACED),
        ((TYPED_ROLL, MARKS, TYPED_ROLL), 2, MISPLACED),
        ((TYPED_ROLL, MARKS, MARKS), 2, MISPLACED),
        ((TYPED_ROLL, MARKS, {**BARE, "undo": 1}), 2, MISPLACED),
        ((TYPED_ROLL, {**BARE, "mistyped": 1}), 2, '"mistyped" is missing or garbled'),
        ((TYPED_ROLL, {**MARKS, "moderator": 1}), 2, '"moderator" is missing or garbled'),
        (
            (TYPED_ROLL, {**TYPED_ROLL, "mistyped": True}),
            2,
            "it is more than one of these: dice, a retreat, a choice, losses kept, a roll taken back, mistyped",
        ),
    ]
)
def test_a_forged_mark_is_refused(entries: Any, number: int, problem: str) -> None:
    log = log_with(*entries, seed=True)
    assert f"roll {number}: {problem}" in problems(log)
    assert f"roll {number}: {problem}" in check(log)


def test_a_mark_by_somebody_without_a_right_is_named() -> None:
    press = {"attacker": "1", "defender": "2", "wait": 24}
    rights = {"press": press, "side": "attacker"}
    for user, more, wrong in (
        ("1", {}, []),
        ("2", {}, ["roll 2: player 2 made it, but only player 1 had the right to"]),
        ("2", {"moderator": True}, []),
        ("2", {"forgotten": True}, []),
    ):
        log = log_with({**TYPED_ROLL, **rights}, {**MARKS, "side": "attacker", "user": user, **more}, seed=True)
        log["press"] = press
        assert problems(log) == []
        assert check(log) == wrong
