"""Who may press, in the logs of live battles: entries of others are found, and so are rights that were changed."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.live import fair
from bot.live.fair import problems
from bot.notation.defaults import RULES
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log
from tests.helpers.bot.lines import check
from tests.helpers.cases import each

HOURS = 3_600_000 << 22
"""An hour in Discord's ids."""
START = 1439870123456789012
DUEL = {"attacker": "1", "defender": "2", "wait": 24}
LINE = "4 inf vs 4 inf 2 arm loss:arm,inf"
ROLLS = (
    {"attack": [1, 6, 6, 6], "defence": [6] * 6, "dice": ["4d6", "6d6"]},
    {"attack": [1, 6, 6, 6], "defence": [6] * 5, "dice": ["4d6", "5d6"]},
    {"attack": [1, 6, 6, 6], "defence": [6] * 4, "dice": ["4d6", "4d6"]},
)
"""Throws of dice from the table, each of which makes the defender choose."""
KEEP = {"keep": "defender"}
ALWAYS = {"keep": "defender", "always": True}
INFANTRY = {"side": "defender", "lose": {"infantry": 1}}


def log_of(*entries: tuple[str, float, dict[str, Any]], press: Any = DUEL, line: str = LINE) -> Log:
    """A log of entries, each with who made it and how many hours after the battle began."""
    log = {**twin.begun(7, line), "rules": RULES, "press": copy.deepcopy(press), "seed": None}
    for number, (user, hours, entry) in enumerate(entries, start=1):
        bare: dict[str, Any] = {"attack": [], "defence": [], "dice": ["", ""]}
        said = {"real": True, **entry} if "attack" in entry else {**bare, **entry}
        said["side"] = "defender" if "keep" in entry or "choice" in entry else "attacker"
        first = (
            {"line": line, "message": log["message"], "rules": RULES, "press": copy.deepcopy(press)}
            if number == 1
            else {}
        )
        when = str(START + int(hours * HOURS) + number)
        log["rolls"].append({"n": number, "interaction": when, "user": user, **said, **first})
    return sealed(log)


def sealed(log: Log) -> Log:
    """The log with every hash as it must be for its entries."""
    link = log["commitment"]
    for entry in log["rolls"]:
        entry.pop("hash", None)
        link = entry["hash"] = fair.link(link, entry)
    return log


@each(
    [
        (log_of(("1", 0, ROLLS[0]), ("2", 1, KEEP), ("1", 2, ROLLS[1])),),
        (log_of(("1", 0, ROLLS[0]), ("2", 1, {"choice": INFANTRY}), ("1", 2, ROLLS[1])),),
        (log_of(("1", 0, ROLLS[0]), ("2", 1, ALWAYS), ("1", 2, ROLLS[1]), ("1", 2, ROLLS[2])),),
        (log_of(("1", 0, ROLLS[0]), ("1", 24, KEEP), ("1", 24, ROLLS[1]), ("1", 25, KEEP)),),
        (log_of(("2", 24, ROLLS[0]), ("2", 24, KEEP), ("2", 25, ROLLS[1])),),
        (log_of(("1", 0, ROLLS[0]), ("1", 1, {**KEEP, "forgotten": True}), ("1", 1, ROLLS[1])),),
        (log_of(("1", 0, ROLLS[0]), ("2", 1, KEEP), ("2", 2, {"choice": INFANTRY}), ("1", 2, {"retreat": True})),),
        (log_of(("1", 0, ROLLS[0]), ("1", 1, ROLLS[1]), press={"attacker": "1", "defender": "1", "wait": 1}),),
        (log_of(("1", 0, ROLLS[0]), ("3", 0, ROLLS[1]), press="everybody"),),
        (log_of(("1", 0, ROLLS[0]), ("3", 0, ROLLS[1]), press=None),),
    ]
)
def test_presses_with_a_right_are_no_problem(log: Log) -> None:
    log = copy.deepcopy(log)
    if log["press"] is None:
        del log["press"], log["rolls"][0]["press"]
        sealed(log)
    ended = log["rolls"][-1].get("retreat")
    assert problems(log) == []
    assert check(log) == (["by the rules the battle is over, but its seed is missing"] if ended else [])


@each(
    [
        (log_of(("2", 0, ROLLS[0])), "roll 1: player 2 made it, but only player 1 had the right to"),
        (log_of(("2", 23.9, ROLLS[0])), "roll 1: player 2 made it, but only player 1 had the right to"),
        (log_of(("3", 30, ROLLS[0])), "roll 1: player 3 made it, but only player 1 had the right to"),
        (log_of(("1", 0, ROLLS[0]), ("1", 1, KEEP)), "roll 2: player 1 made it, but only player 2 had the right to"),
        (
            log_of(("1", 0, ROLLS[0]), ("1", 1, {"choice": INFANTRY})),
            "roll 2: player 1 made it, but only player 2 had the right to",
        ),
        (
            log_of(("1", 0, ROLLS[0]), ("1", 1, ROLLS[1])),
            "roll 2: by the rules something has to be chosen before the next roll",
        ),
        (
            log_of(("1", 0, ROLLS[0]), ("1", 1, {**ROLLS[1], "mistyped": False})),
            "roll 2: by the rules something has to be chosen before the next roll",
        ),
        (
            log_of(("2", 0, {**ROLLS[0], "moderator": True})),
            "roll 1: player 2 made it, but only player 1 had the right to",
        ),
        (
            log_of(("1", 0, ROLLS[0]), ("1", 30, ROLLS[1])),
            "roll 2: by the rules something has to be chosen before the next roll",
        ),
        (
            log_of(("1", 0, ROLLS[0]), ("2", 2, KEEP), ("2", 25, ROLLS[1])),
            "roll 3: player 2 made it, but only player 1 had the right to",
        ),
        (
            log_of(
                ("1", 0, ROLLS[0]),
                ("1", 24, KEEP),
                ("2", 24, {"choice": INFANTRY}),
                ("1", 25, ROLLS[1]),
                ("1", 26, KEEP),
            ),
            "roll 5: player 1 made it, but only player 2 had the right to",
        ),
        (
            log_of(("1", 0, ROLLS[0]), ("2", 1, ALWAYS), ("1", 2, {"choice": INFANTRY})),
            "roll 3: player 1 made it, but only player 2 had the right to",
        ),
        (log_of(("1", 0, {"keep": "attacker"})), "roll 1: by the rules there is nothing to choose"),
    ]
)
def test_presses_without_a_right_are_found(log: Log, problem: str) -> None:
    assert problems(log) == [], "fair.py knows no rules of games"
    assert check(log) == [problem]


WAVES = "2 inf 1 arm vs 3 inf 3 arm then 4 arm"
BEFORE_THE_END = (
    ("1", 0, {"attack": [1, 6, 6], "defence": [6] * 6, "dice": ["3d6", "6d6"]}),
    ("2", 1, ALWAYS),
    ("1", 2, {"attack": [1, 1, 6], "defence": [1, 1, 1, 6, 6], "dice": ["3d6", "5d6"]}),
)
"""Here the first wave waits for its end, as the defender could choose with what to meet the next one."""


@each(
    [
        ("1", "infantry", []),
        ("2", "tank", []),
        ("1", "tank", ["roll 4: player 1 made it, but only player 2 had the right to"]),
        ("3", "tank", ["roll 4: player 3 made it, but only player 2 had the right to"]),
    ]
)
def test_who_keeps_the_order_to_the_end_has_it_kept_by_others(user: str, lost: str, wrong: list[str]) -> None:
    choice = {"choice": {"side": "defender", "lose": {lost: 2}}}
    assert check(log_of(*BEFORE_THE_END, (user, 2, choice), line=WAVES)) == wrong


def changed(change: Callable[[Log], Any], seals: bool = True) -> Log:
    log = log_of(("1", 0, ROLLS[0]), ("2", 1, KEEP))
    change(log)
    return sealed(log) if seals else log


@each(
    [
        (changed(lambda log: log.update(press="everybody")), "roll 1: it was rolled while others could press"),
        (changed(lambda log: log.pop("press")), "roll 1: it was rolled while others could press"),
        (changed(lambda log: log["press"].update(wait=1)), "roll 1: it was rolled while others could press"),
        (
            changed(lambda log: log["rolls"][0].update(press={**DUEL, "wait": 1})),
            "roll 1: it was rolled while others could press",
        ),
        (changed(lambda log: log["rolls"][1].update(press="everybody")), "roll 2: it was rolled while others could"),
        (changed(lambda log: log.update(press="nobody")), '"press" is missing or garbled'),
        (changed(lambda log: log.update(press={**DUEL, "wait": 0})), '"press" is missing or garbled'),
        (changed(lambda log: log.update(press={"attacker": "1"})), '"press" is missing or garbled'),
        (changed(lambda log: log.update(press={**DUEL, "attacker": 1})), '"press" is missing or garbled'),
        (changed(lambda log: log["rolls"][1].update(keep="both")), 'roll 2: "keep" is missing or garbled'),
        (changed(lambda log: log["rolls"][1].update(always="yes")), 'roll 2: "always" is missing or garbled'),
        (changed(lambda log: log["rolls"][1].update(forgotten=1)), 'roll 2: "forgotten" is missing or garbled'),
        (
            changed(lambda log: log["rolls"][1].update(retreat=True)),
            "roll 2: it is more than one of these: dice, a retreat, a choice, losses kept, a roll taken back, mistyped",
        ),
        (changed(lambda log: log["rolls"][1].update(user="1"), seals=False), "roll 2: its hash doesn't match"),
    ]
)
def test_changed_rights_are_found(log: Log, problem: str) -> None:
    for found in (problems(log), check(log)):
        assert any(text.startswith(problem) for text in found), found


def test_presses_that_an_older_version_took_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = log_of(("1", 0, ROLLS[0]), ("2", 1, ROLLS[1]))
    del log["rolls"][1]["side"]
    assert check(sealed(log)) == []
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(log))
    assert main(["verify", str(file)]) == 0
    assert "Taken by an older version, which did not check who pressed: 1." in capsys.readouterr().out


def test_program_and_fair_py_verify_a_duel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "battle.json"
    for log, wrong in (
        (log_of(("1", 0, ROLLS[0]), ("1", 1, {**KEEP, "forgotten": True})), ""),
        (log_of(("1", 0, ROLLS[0]), ("3", 1, KEEP)), "roll 2: player 3 made it, but only player 2 had the right to"),
    ):
        file.write_text(json.dumps(log))
        assert main(["verify", str(file)]) == bool(wrong)
        told = capsys.readouterr().out
        assert (wrong or "Somebody went on for a player whose name was removed.") in told
        alone = subprocess.run([sys.executable, "-I", fair.__file__, str(file)], capture_output=True, check=False)
        assert (alone.returncode, alone.stderr) == (0, b"")
