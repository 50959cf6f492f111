"""The terminal: one answer, and JSON lines for programs."""

import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot import languages
from bot.__main__ import main
from bot.console import plain, request_from, solve_lines
from bot.errors import UserError
from bot.live.fair import base64url
from bot.phrases.meaning import weights
from bot.settings import Settings
from solver import Battle, solve
from solver.dice import questions
from tests.catalogues import PAGE, Strange, english_in
from tests.helpers import forked, program
from tests.helpers.extent import pick

CASES = json.loads((Path(__file__).parents[1] / "data" / "dice_battles.json").read_text())[:: pick(9, 1)]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unpainted: None) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("SANDTABLE_DATA", str(folder))
    return folder


def say(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Exit status and lines of what is printed, errors included."""
    status, printed, errors = program.say(capsys, *arguments)
    return status, (printed + errors).splitlines()


def test_a_command_prints_the_answer_and_the_path_of_the_picture(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    status, lines = say(capsys, "/battle 12 9 bombers:2")
    assert status == 0
    assert lines == [
        "Attacker wins 99.4% · 12 with 2 bombers against 9 · Star Wars Risk",
        "8 battles in 10 end between 6 and 12 attackers left"
        " · average losses: attacker 3.0 of 12, defender 9.0 of 9 (nearly all)",
        "exact · about 6 rounds · 12 9 bombers:2",
        str(data / "pictures" / "12-9-bombers-2.png"),
    ]
    with Image.open(lines[-1]) as picture:
        assert picture.size == (800, 640)


def test_a_line_needs_neither_slash_nor_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, "12", "9")[1][0].startswith("Attacker wins 79.0%")
    assert say(capsys, "roll", "3", "2")[1][0].startswith("⚔️ Attacker wins 65.6% · 3 against 2")


def test_every_question_has_a_picture_of_its_own(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    army = "10 inf 10 art 10 arm 10 fig 10 bom vs 10 inf 10 art 10 arm 10 fig 10 bom 3 aa lowluck"
    lines = (
        *("/compare 12 9 or stop:4", "/compare 12 9 or stop:3", "/need 9", "/need 9 90%", "/need 12 vs"),
        *("/need 4 inf vs 2 inf", "/need 4 inf vs 2 inf side:defender", "/need 4 inf vs 2 inf least:1inf"),
        *(f"/battle {army} rounds:1 retreat:units<={count}" for count in (10, 11)),
    )
    names = [say(capsys, line)[1][-1] for line in lines]
    assert names[0] == str(data / "pictures" / "compare-12-9----12-9-stop-4.png")
    assert len(set(names)) == len(names)
    assert all(Path(name).exists() and len(Path(name).name) < 120 for name in names)


def test_the_option_chart_says_where_the_picture_goes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "charts" / "mine.png"
    assert say(capsys, "/battle 12 9", "--chart", str(file))[1][-1] == str(file)
    assert file.read_bytes().startswith(b"\x89PNG")
    status, lines = say(capsys, "/battle 12 9", "--chart", str(file / "below.png"))
    assert (status, lines[-1]) == (1, f"I can't write the picture to {file / 'below.png'}: File exists.")


def test_the_option_chart_is_refused_where_there_is_no_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.png"
    for line in ("/help", "/roll 3 0"):
        status, lines = say(capsys, line, "--chart", str(file))
        assert (status, lines[-1]) == (1, f"That has no picture, so nothing was written to {file}.")
    assert say(capsys, "solve", "--chart", str(file))[0] == 2
    assert not file.exists()


def test_a_battle_is_shown_before_it_is_rolled_and_then_to_its_end(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "ribbon.png"
    status, lines = say(capsys, "/roll 150 150", "--chart", str(file))
    assert status == 0
    assert lines[0].startswith("⚔️ Attacker wins 87.7% · 150 against 150")
    committed = lines[1].removeprefix("commitment ")
    assert len(committed) == 43
    assert lines[2].endswith("· 150 150")
    assert lines[3].startswith("🎲 ")
    assert len(lines) > 100, "every round is printed"
    assert lines[-3].startswith(f"commitment {committed} · log ")
    assert lines[-1] == str(file)
    assert file.read_bytes().startswith(b"\x89PNG")


def test_a_log_written_to_a_file_fits_the_printed_battle(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = time.time_ns() // 1_000_000
    _, lines = say(capsys, "/roll 6 4")
    assert main(["/history export"]) == 0
    printed = capsys.readouterr()
    log = json.loads(printed.out)
    assert "The log of battle" in printed.err
    assert (log["line"], log["message"]) == ("6 4", "0")
    assert all(before <= int(entry["interaction"]) <= time.time_ns() // 1_000_000 for entry in log["rolls"])
    assert lines[1] == f"commitment {base64url(log['commitment'])}"
    assert not any(log["seed"] in line for line in lines)
    file = tmp_path / "battle.json"
    file.write_text(printed.out)
    status, told = say(capsys, "verify", str(file))
    assert status == 0
    assert "Every roll follows the rules, and none is missing." in told
    status, told = say(capsys, "/verify")
    assert (status, told[0]) == (0, f'✅ Battle {log["battle"]}, "6 4": no problems found.')
    assert f"seed {log['seed']}" in told
    assert json.loads(Path(told[-2]).read_text()) == log
    assert Path(told[-1]).read_text() == PAGE.read_text()


def test_history_luck_and_settings_work_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, "/history list")[1] == ['No battles here yet. Start one with "/roll 12 9".']
    say(capsys, "/roll 6 4")
    assert "6 4" in say(capsys, "/history list")[1][-1]
    assert "in 1 battle" in say(capsys, "/luck")[1][0]
    assert say(capsys, "/luck everybody")[1][0] == "Luck of 1 player"
    assert say(capsys, "/luck tonight")[1][0].endswith("in 1 battle · last 12 hours")
    assert say(capsys, "/luck everybody since:2d")[1][0] == "Luck of 1 player · last 2 days"
    assert say(capsys, "/luck Bob") == (
        1,
        [
            'Type one of these: "/luck", "/luck everybody", "/luck tonight", "/luck since:3h", "/luck 12 9 '
            'lost 4". In Discord it has options.'
        ],
    )
    assert say(capsys, "/settings history:off")[1][5].startswith("History is off: ")
    assert say(capsys, "/history forget")[1] == [
        "Your name was removed from 1 battle on all servers. Private battles are deleted; other battles stay without "
        "your name."
    ]


def test_presets_stay_between_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, "/preset save ukraine 12 9 bombers:2")[0] == 0
    assert say(capsys, "/preset note ukraine the last stand")[1] == ['Note for "ukraine": "the last stand".']
    told, row, aside = say(capsys, "/preset list")[1]
    assert (told, row) == ('Presets here: 1. Use one by name after "/battle".', "ukraine  12 9 bombers:2")
    assert aside.endswith(" · the last stand")


def test_presets_are_exported_to_a_file_and_imported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(capsys, "/preset save ukraine 12 9 bombers:2")
    say(capsys, "/preset save alamo 3 2")
    assert main(["/preset export"]) == 0
    printed = capsys.readouterr()
    file = tmp_path / "my set-ups.json"
    file.write_text(printed.out, encoding="utf-8")
    assert "2 presets in one file" in printed.err
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "elsewhere"))
    say(capsys, "/preset save alamo 9 9")
    status, lines = say(capsys, f"/preset import {file}")
    assert status == 0
    assert lines[0] == "This file has: 1 new, 1 kept as it is here."
    assert lines[-4:] == ["Imported: 1 new, 1 kept as it is here.", *lines[-3:]]
    assert lines[-3:] == ["new  ukraine  12 9 bombers:2", "kept  alamo  9 9", "  in the file  3 2"]
    assert say(capsys, f"/preset import {file} replace")[1][-3] == "Imported: 1 changed, 1 the same in both."
    assert "alamo  3 2" in say(capsys, "/preset list")[1]
    assert not (tmp_path / "elsewhere" / "files").exists()
    status, lines = say(capsys, f"/preset import {tmp_path / 'none.json'}")
    assert (status, lines) == (1, [f"I can't read the file {tmp_path / 'none.json'}: No such file or directory."])
    file.write_bytes(b"\xff" * 500_000)
    assert say(capsys, f"/preset import {file}")[0] == 1
    os.mkfifo(pipe := tmp_path / "pipe")
    assert say(capsys, f"/preset import {pipe}")[1] == [f"I can't read the file {pipe}: it is a pipe, and no file."]
    assert say(capsys, "/preset import")[1][0].startswith("Which file?")


def test_a_mistake_in_the_terminal_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for line, status, sentence in [
        ("/battle 12 9 12bombers stop:4", 1, "Try: 12 9 bombers:12 stop:4"),
        ("/battle nonsense", 1, "Try: 12 9"),
        ("/batle 12 9", 1, "I don't know that command. Did you mean /battle?"),
        ("/xyzzy", 1, "I don't know that command. The commands are /battle, /roll, /need"),
        ("/preset", 1, "I don't know that command. Did you mean /preset"),
    ]:
        found, lines = say(capsys, line)
        assert found == status
        assert lines[-1].replace('"', "").startswith(sentence)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SANDTABLE_WORKERS", "many", "The setting `workers` (config/sandtable.toml or SANDTABLE_WORKERS) is wrong"),
        ("SANDTABLE_WORKERS", "0", "it is a whole number from 1 to 64, or empty"),
        ("SANDTABLE_LOG", "loud", "it is `DEBUG`, `INFO`, `WARNING` or `ERROR`."),
        ("SANDTABLE_DATA", "/dev/null/x", "The data folder /dev/null/x cannot be made: Not a directory."),
    ],
)
def test_a_wrong_setting_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    status, lines = say(capsys, "/preset list")
    assert (status, len(lines)) == (2, 1)
    assert sentence in lines[0]


async def answers(settings: Settings, *lines: Any) -> tuple[int, list[dict[str, Any]]]:
    out = io.StringIO()
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    status = await solve_lines(settings, texts, out)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


async def test_json_lines_are_answered_in_order(settings: Settings) -> None:
    status, found = await answers(settings, *(case["battle"] for case in CASES))
    assert status == 0
    for case, odds in zip(CASES, found, strict=True):
        assert odds == solve(Battle.from_dict(case["battle"])).to_dict()
        assert odds["attacker_wins"] == pytest.approx(case["odds"]["attacker_wins"], abs=1e-12)


async def test_json_lines_ask_for_fractions(settings: Settings) -> None:
    cases = [case for case in CASES if "attacker_wins_exact" in case["odds"]][: pick(3, None)]
    status, found = await answers(settings, *({**case["battle"], "exact": True} for case in cases))
    assert status == 0
    for case, odds in zip(cases, found, strict=True):
        assert odds["attacker_wins_exact"] == case["odds"]["attacker_wins_exact"]
    risk = {"game": "risk", "attackers": 1000, "defenders": 1000}
    status, found = await answers(settings, {**risk, "exact": True}, {**risk, "exact": 1}, {**risk, "exact": False})
    assert "1000 against 1000 is too large for a fraction" in str(found[0]["error"])
    assert found[1] == {"error": "exact: this must be true or false, not 1"}
    assert found[2] == solve(Battle(1000, 1000)).to_dict()


async def test_a_json_line_may_hold_text_in_the_notation(settings: Settings) -> None:
    assert await answers(settings, {"text": "12 9 bombers:2"}) == (
        0,
        [
            solve(
                Battle.from_dict({"game": "starwars", "attackers": 12, "defenders": 9, "attack": {"bombers": 2}})
            ).to_dict()
        ],
    )


async def test_a_bad_json_line_does_not_stop_later_lines(settings: Settings) -> None:
    good = {"game": "risk", "attackers": 1, "defenders": 1}
    bad: list[Any] = [
        "",
        "{",
        "[" * 100_000,
        "NaN",
        [1],
        {},
        {"text": 7},
        {"text": "12 9 bomers:2"},
        {"text": "12 9", "more": 1},
        {"game": "chess", "attackers": 1, "defenders": 1},
        {**good, "attackers": "9" * 5000},
        {**good, "attackers": 10**6, "defenders": 10**6, "ties": "both"},
        {**good, "attackers": 10**6, "defenders": 10**6, "question": "table"},
        {**good, "question": "chess"},
        {**good, "path": [1] * 100},
        {**good, "variant": "chess"},
    ]
    status, found = await answers(settings, *bad, good)
    assert status == 1
    assert all(list(answer) == ["error"] and len(answer["error"]) < 300 for answer in found[:-1])
    assert found[7]["error"] == "I don't know `bomers:2`. Did you mean `bombers:2`?"
    assert found[-1]["attacker_wins"] == pytest.approx(15 / 36)


async def test_an_error_of_json_says_where_in_the_line(settings: Settings) -> None:
    _, found = await answers(settings, '{"text": 12 9}', '{"attackers": ' + "9" * 5000 + "}")
    assert [answer["error"] for answer in found] == [
        "This line is not JSON: Expecting ',' delimiter at character 13.",
        "This line holds a number that is too long, or too much inside each other.",
    ]


async def test_a_fault_at_a_json_line_does_not_stop_later_lines(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(questions, "solve", lambda battle: 1 / 0 if battle.attackers == 3 else solve(battle))
    status, found = await answers(settings, {"text": "3 2"}, {"text": "4 2"})
    assert (status, found[0]) == (1, {"error": "Something went wrong here, not with this line."})
    assert found[1]["attacker_wins"] == solve(Battle(4, 2)).attacker_wins
    assert "ZeroDivisionError" in caplog.text


def test_the_program_reads_lines_from_a_pipe(data: Path) -> None:
    lines = '{"text": "12 9"}\n\udcff\n{"text": "3 2"}\n'
    done = forked.run("bot", "solve", given=lines.encode(errors="surrogateescape"))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [isinstance(answer["error"], str) for answer in found] == [False, True, False]
    assert (done.returncode, done.stderr) == (1, b"")


def test_lines_from_a_file_are_answered_one_after_another(data: Path) -> None:
    done = forked.run("bot", given=b"12 9\n\n/batle\n3 2\n")
    printed = done.stdout.decode()
    assert [word in printed for word in ("79.0%", 'Did you mean "/battle"?', "65.6%")] == [True] * 3
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_terminal_without_unicode_gets_its_answer(data: Path) -> None:
    done = forked.run("bot", "12 9", environment={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Attacker wins 79.0% ? 12 against 9" in done.stdout


@pytest.mark.whole
def test_a_reader_that_closes_the_pipe_early_is_no_error(data: Path) -> None:
    with subprocess.Popen(["head", "-n", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin
        assert reader.stdout
        # A fresh start, as what is written at the very end of Python counts.
        command, lines = [sys.executable, "-m", "bot", "solve"], b'{"text": "12 9"}\n' * 500
        done = subprocess.run(command, input=lines, stdout=reader.stdin, stderr=subprocess.PIPE)
        assert (len(reader.stdout.readlines()), done.returncode, done.stderr) == (1, 1, b"")


def test_markup_becomes_what_the_terminal_can_show() -> None:
    text = "**Bold** and `line`\n```\n^^^\n```\n-# small"
    assert plain(text, colour=False) == 'Bold and "line"\n^^^\nsmall'
    assert plain(text, colour=True) == '\033[1mBold\033[0m and "line"\n^^^\n\033[2msmall\033[0m'


def test_text_in_back_ticks_keeps_its_asterisks() -> None:
    assert plain("**Noted** `a **bold** note`", colour=False) == 'Noted "a **bold** note"'
    assert plain("**`12 9` wins**", colour=True) == '\033[1m"12 9" wins\033[0m'


def test_the_terminal_answers_in_the_language_of_its_settings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = languages._catalogue
    monkeypatch.setattr(languages, "_catalogue", lambda chosen: Strange() if chosen == "de" else real(chosen))
    say(capsys, "/settings language:de")
    monkeypatch.setattr(sys, "stdin", io.StringIO("12 9 stp:4\n12 9 12\n/batle 12 9\n"))
    status, lines = say(capsys)
    assert status == 1
    spoken = [re.sub('"[^"]*"', "", line) for line in lines if "^" not in line and "12 9" not in line]
    assert not english_in(" ".join(spoken)), spoken
    assert "can't read" not in say(capsys, f"/preset import {tmp_path / 'nothing'}")[1][0]
    assert "no picture" not in say(capsys, "--chart", "odds.png", "/preset list")[1][-1]
    assert say(capsys, "/settings language:")[1][-2] == "Language: English."


def test_only_the_last_option_takes_the_rest_of_the_line() -> None:
    assert request_from("/preset save ukraine 12 9 stop:3").options == {"name": "ukraine", "matchup": "12 9 stop:3"}
    assert request_from("/Preset Show ukraine").options == {"name": "ukraine"}
    assert request_from("12 9").command == "battle"
    with pytest.raises(UserError):
        request_from("/nothing")


def test_explain_shows_how_a_line_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "my", "twelve", "vs", "his", "9"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "my      the player who asks",
        "twelve  a number, 12",
        "vs      between the two sides",
        "his     the other player",
        "9       a number",
        f"the first army attacks: “first”, order ({weights()['order']:g})",
        f"together: the first army attacks ({weights()['order']:g}); runner-up: the second (0)",
        "read as: 12 9",
    ]
    assert main(["explain", "12 9 bombers:2"]) == 0
    assert capsys.readouterr().out == "This is notation.\nread as: 12 9 bombers:2\n"
    assert main(["explain", "so", "my", "15"]) == 1
    assert capsys.readouterr().out.endswith("it may be: /need 15\n")
    assert main(["explain", "12 against 9, retreat after 2 rounds"]) == 0
    assert "retreat after 2 rounds  option `rounds:2`" in capsys.readouterr().out
