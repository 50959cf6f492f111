"""The program that checks a log: the file by itself, and `sandtable verify`."""

import json
import os
import shutil
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.games.base import Rooms
from bot.live import fair
from bot.live.replay import check as check_by_rules
from bot.live.replay import report_lines
from bot.rooms import ROOMS
from solver import Battle
from solver.dice.fight import DiceFight
from solver.late import load
from tests.helpers import forked
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.frozen_logs import LOGS, a_log, reroll
from tests.helpers.cases import check_each
from tests.helpers.program import say


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))


def alone(folder: Path, text: bytes, *arguments: str) -> tuple[int, str, str]:
    """Exit status, output and errors of the file, copied to a folder with nothing but a log beside it."""
    shutil.copy(fair.__file__, folder / "dice check.py")
    (folder / "battle.json").write_bytes(text)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "dice check.py", *(arguments or ("battle.json",))],
        cwd=folder, input=text, capture_output=True, env={},
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_fair_py_finds_nothing_wrong_in_a_good_log(tmp_path: Path) -> None:
    log = a_log()
    short = b64encode(bytes.fromhex(log["commitment"]), altchars=b"-_").decode().rstrip("=")
    told = (
        'Battle b1, "12 9": no problems found.\n'
        "The dice match the seed: 7 rolls, 35 dice.\n"
        "To check that no roll is missing, use sandtable verify.\n"
        f"Compare with the chat: commitment {short} (in hex {log['commitment']}), "
        f"log {log['rolls'][-1]['hash'][:8]}, message {log['message']}.\n"
    )
    assert alone(tmp_path, json.dumps(log).encode()) == (0, told, "")
    assert alone(tmp_path, json.dumps(log).encode(), "-") == (0, told, "")


def test_a_fault_of_the_program_is_no_problem_of_a_log() -> None:
    def fails(_battle: Battle) -> DiceFight:
        raise AssertionError("a fault of ours")

    broken = Rooms(tuple(replace(room, game=replace(load(room.game), begin=fails)) for room in ROOMS))
    with pytest.raises(AssertionError, match="a fault of ours"):
        check_by_rules(broken, a_log(), 10**8)


def test_fair_py_says_what_it_cannot_check(tmp_path: Path) -> None:
    status, told, _ = alone(tmp_path, json.dumps(a_log("dice from the table, and a retreat")).encode())
    assert status == 0
    assert "The dice match the seed: 1 roll, 5 dice.\n" in told
    assert "Real dice, typed in, can't be checked: 2 rolls, 10 dice.\n" in told
    assert "The attacker retreated.\n" in told
    status, told, _ = alone(tmp_path, json.dumps(a_log("a battle that goes on")).encode())
    assert status == 0
    assert "The battle isn't over: its seed is still secret, so the dice can't be checked yet.\n" in told


UNPROVEN = "The players' names are not proven: no hash covers them."


def test_names_in_a_log_are_called_unproven(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "battle.json"
    for people in ({"1": "Alice", "2": "Bob"}, {"1": "Mallory"}):
        log = a_log() | {"people": people}
        status, told, _ = alone(tmp_path, json.dumps(log).encode())
        assert (status, told.splitlines().count(UNPROVEN)) == (0, 1)
        status, lines = verified(capsys, file, log)
        assert (status, lines.count(UNPROVEN)) == (0, 1)
        assert report_lines(log).count(UNPROVEN) == 1
    for log in (a_log(), a_log() | {"people": {}}):
        assert UNPROVEN not in verified(capsys, file, log)[1]
        assert UNPROVEN not in report_lines(log)


def test_fair_py_names_what_was_changed(tmp_path: Path) -> None:
    log = a_log()
    log["rolls"][2]["attack"][1] = 6
    told = (
        "This log has problems:\n"
        "- roll 3: attacking die 2 should be 3, not 6\n"
        "- roll 3: its hash doesn't match: this roll was changed, or one before it is missing\n"
    )
    assert alone(tmp_path, json.dumps(log).encode()) == (1, told, "")
    log["rolls"] = [{}] * 100
    status, told, _ = alone(tmp_path, json.dumps(log).encode())
    assert (status, len(told.splitlines())) == (1, 22)
    assert "more" in told.splitlines()[-1]


UNREADABLE = [b"", b"\xff\xfe\xfd", b"[" * 100_000, b"9" * 5000]


def test_an_unreadable_log_is_a_sentence(tmp_path: Path) -> None:
    def check(text: bytes) -> None:
        assert alone(tmp_path, text) == (2, "", "'battle.json' cannot be read: it is not JSON.\n")

    check_each(UNREADABLE, check)


def test_fair_py_without_a_file_is_a_sentence(tmp_path: Path) -> None:
    assert alone(tmp_path, b"", ".") == (2, "", "'.' cannot be read: Is a directory.\n")
    assert alone(tmp_path, b"", "a", "b") == (2, "", "Name the log to check: python3 fair.py battle.json\n")
    assert alone(tmp_path, b" " * 8_000_001) == (
        2,
        "",
        "'battle.json' cannot be read: it has more than 8000000 bytes.\n",
    )


def verified(capsys: pytest.CaptureFixture[str], file: Path, value: Any = None) -> tuple[int, list[str]]:
    """Exit status and printed lines of `sandtable verify`."""
    if value is not None:
        file.write_text(json.dumps(value))
    status, printed, errors = say(capsys, "verify", str(file))
    return status, (printed + errors).splitlines()


def test_sandtable_verify_checks_dice_and_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "my battle.json"
    for name in LOGS:
        status, lines = verified(capsys, file, a_log(name))
        assert status == 0
        assert "Every roll follows the rules, and none is missing." in lines
    log = a_log()
    reroll(log, 2, [6, 6], [6, 6])
    sentence = "roll 2: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 2 and 2"
    assert verified(capsys, file, twin.sealed(log)) == (1, ["This log has problems:", f"- {sentence}"])
    log = a_log()
    log["rolls"][0]["attack"][0] = 1
    assert verified(capsys, file, log)[0] == 1
    assert verified(capsys, file, [])[1] == ["This log has problems:", "- this is not the log of a battle"]


def test_sandtable_verify_says_what_it_cannot_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert verified(capsys, tmp_path) == (2, [f"{str(tmp_path)!r} cannot be read: Is a directory."])
    assert verified(capsys, tmp_path / "none")[0] == 2
    os.mkfifo(pipe := tmp_path / "pipe")
    assert say(capsys, "verify", str(pipe)) == (2, "", f"{str(pipe)!r} cannot be read: it is a pipe, and no file.\n")
    file = tmp_path / "battle.json"
    for text in UNREADABLE:
        file.write_bytes(text)
        assert verified(capsys, file) == (2, [f"{str(file)!r} cannot be read: it is not JSON."])


def test_sandtable_verify_reads_a_pipe_of_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    reads, writes = os.pipe()
    with os.fdopen(reads), os.fdopen(writes, "w") as pipe:
        json.dump(a_log(), pipe)
        pipe.close()
        assert say(capsys, "verify", f"/dev/fd/{reads}")[0] == 0


def test_sandtable_verify_reads_a_log_from_standard_input() -> None:
    done = forked.run("bot", "verify", "-", given=json.dumps(a_log()).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"no problems found" in done.stdout
