"""Losses that players chose, in the logs of live battles: they are followed by the rules, and forged ones are found."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.games.axis.live.words import move_rows
from bot.games.base import require
from bot.games.live import LiveStage
from bot.live.fair import problems
from bot.live.replay import replay
from bot.live.rolling import next_dice_text, read_faces
from bot.notation.defaults import RULES
from bot.rooms import ROOMS
from solver.axis.live.fight import AxisFight
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log, log_of
from tests.helpers.bot.lines import battle_of, check
from tests.helpers.cases import each
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin

LINE = "2 inf 2 arm 1 fig vs 3 inf 1 arm"
DICE = {"attack": [3, 6, 6, 6, 6], "defence": [3, 6, 6, 2], "dice": ["5d6", "4d6"]}
OVER = {"attack": [1, 1, 1], "defence": [6, 6, 6], "dice": ["3d6", "3d6"]}
OURS = {"side": "attacker", "lose": {"infantry": 1, "fighter": 1}}
THEIRS = {"side": "defender", "lose": {"tank": 1}}
LOG = log_of(LINE, DICE, THEIRS, OURS, OVER)
WAITING = ({"attack": [3, 6], "defence": [2], "dice": ["2d6", "1d6"]}, "1 inf 1 fig vs 1 inf")
"""A throw after which the attacker clears the territory with a fighter, or takes it with an infantry."""


def test_verifying_follows_chosen_losses(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert check(LOG) == []
    battle = battle_of(LINE, RULES)
    fights: list[Any] = [step.fight for step in replay(ROOMS.of(battle).game, battle, LOG["rolls"])]
    assert [fight.left for fight in fights[1:]] == [
        ({"tank": 2, "fighter": 1}, {"infantry": 2, "tank": 1}),
        ({"tank": 2, "fighter": 1}, {"infantry": 3}),
        ({"infantry": 1, "tank": 2}, {"infantry": 3}),
        ({"infantry": 1, "tank": 2}, {}),
    ]
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(LOG))
    assert main(["verify", str(file)]) == 0
    assert "Choices between the rolls: 2." in capsys.readouterr().out


def forged(tamper: Callable[[Log], Any]) -> Log:
    """A log with right hashes, after something against the rules."""
    log = copy.deepcopy(LOG)
    tamper(log)
    return twin.sealed(log)


def chooses(choice: Any, number: int = 3) -> Callable[[Log], Any]:
    return lambda log: log["rolls"][number - 1].update(choice=choice)


@each(
    [
        (chooses({"side": "attacker", "lose": {"infantry": 1}}), "3: by the rules these losses don't fit the hits"),
        (chooses({"side": "attacker", "lose": {"infantry": 2}}), "3: by the rules these are the losses already"),
        (chooses({"side": "attacker", "lose": {"bomber": 2}}), '3: by the rules there is no "bomber" that could be'),
        (chooses({"side": "attacker", "lose": {"tank": -1}}), "3: by the rules a choice of losses names units and"),
        (chooses({"lose": {"tank": 2}}), "3: by the rules here a side chooses its losses"),
        (chooses({"attack": "china"}), "3: by the rules here a side chooses its losses"),
        (chooses(False), "3: by the rules here a side chooses its losses"),
        (chooses([[[{}]]]), "3: by the rules here a side chooses its losses"),
        (lambda log: log["rolls"][0].update(LOG["rolls"][2], n=1, line=LINE, rules=RULES), "1: by the rules there is"),
    ]
)
def test_forbidden_losses_in_a_log_are_named(tamper: Callable[[Log], Any], sentence: str) -> None:
    log = forged(tamper)
    found = check(log)
    assert any(told.startswith(f"roll {sentence}") for told in found), found


def test_a_changed_or_missing_choice_of_losses_breaks_the_hashes() -> None:
    log = copy.deepcopy(LOG)
    log["rolls"][2]["choice"]["lose"] = {"tank": 2}
    assert problems(log) == ["roll 3: its hash doesn't match: this roll was changed, or one before it is missing"]


def test_a_log_lacks_the_choice_before_an_end_losses_can_change() -> None:
    throw, line = WAITING
    missing = log_of(line, throw)
    assert check(missing) == ["the seed is there, but by the rules the battle is not over: rolls are missing"]
    assert check(log_of(line, throw, OVER))[0].startswith("roll 2: by the rules something has to be chosen")
    for unit in ("infantry", "fighter"):
        assert check(log_of(line, throw, {"side": "attacker", "lose": {unit: 1}})) == []


@pytest.mark.parametrize("rules", [6, 7])
def test_the_rules_of_a_log_decide_whether_cheaper_losses_are_chosen(rules: int) -> None:
    throw = {"attack": [3, 6], "defence": [1, 1, 6], "dice": ["2d6", "3d6"]}
    line = "1 inf 1 arm loss:arm,inf vs 2 inf 1 arm loss:arm,inf"
    found = check(log_of(line, throw, rules=rules))
    assert found == (
        [] if rules == 6 else ["the seed is there, but by the rules the battle is not over: rolls are missing"]
    )
    chosen = log_of(line, throw, {"side": "defender", "lose": {"infantry": 1}}, rules=rules)
    assert check(chosen) == ([] if rules == 7 else ["roll 2: by the rules the battle is already over"])


@pytest.mark.parametrize("rules", [1, 2])
def test_logs_of_older_rules_end_by_the_casualty_order(rules: int) -> None:
    throw, line = WAITING
    old = log_of(line, throw, rules=rules)
    if rules == 1:
        del old["rules"], old["rolls"][0]["rules"]
        old = twin.sealed(old)
    assert check(old) == []
    more = log_of(line, throw, {"side": "attacker", "lose": {"fighter": 1}}, rules=rules)
    assert check(more) == ["roll 2: by the rules the battle is already over"]
    on = log_of(LINE, DICE, OURS, rules=rules)
    assert check(on)[0] == "roll 2: by the rules there is nothing to choose"


# Planes that are drawn ---------------------------------------------------------------------------------------

DRAWN = "1 fig 1 bom vs 1 inf 1 aa variant:aa50 rule:aa-at-random"


def drawn_log() -> Log:
    """The log of a battle whose guns hit one of two planes, rolled by the twin of fair dice."""
    for number in range(100):
        log, fight = twin.begun(number, DRAWN) | {"rules": RULES}, begin(battle_of(DRAWN, RULES))
        first = {"line": DRAWN, "message": log["message"], "rules": RULES}
        while not fight.ended:
            fight = twin.roll(log, fight.throw, **({} if log["rolls"] else first))
        if log["rolls"][0]["dice"][1] == "2d6+1d2":
            return twin.sealed(log)
    raise AssertionError("guns hit")


def test_planes_that_guns_hit_at_random_are_drawn_from_the_seed() -> None:
    log = drawn_log()
    assert check(log) == []
    entry = log["rolls"][0]
    right = entry["defence"][2]
    entry["defence"][2] = 3 - right
    assert check(twin.sealed(log))[0] == f"roll 1: defending die 3 should be {right}, not {3 - right}"
    entry |= {"defence": entry["defence"][:2], "dice": ["", "2d6"]}
    assert check(twin.sealed(log))[0].startswith("roll 1: by the rules the attacker rolls 0 dice")


def test_a_plane_is_typed_behind_the_real_dice_that_hit() -> None:
    battle = battle_of(DRAWN, RULES)
    live, fight = require(ROOMS.of(battle).live), AxisFight.begin(battle.battles[0])
    hint = "then for each hit the number of a plane that is left, of 1 fig 1 bom"
    assert str(next_dice_text(live, fight)) == f"attacker none; defender 2 at 1; {hint}"
    typed = read_faces(live, "1 6 2", fight)
    assert typed == ((), (1, 6, 2))
    throw, after = fight.throw(script(*typed[1]))
    assert move_rows(LiveStage(after, throw=throw, real=True), battle.battles[0].rules.key) == [
        "1* guns @1 1 6  plane 2 → 1 hit: 1 bom"
    ]
