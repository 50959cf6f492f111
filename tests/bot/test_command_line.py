"""The command line: which words are a command, which are a line for the terminal, and the help of each command."""

from pathlib import Path

import pytest

from bot.__main__ import STARTS, main
from bot.command_line import ALONE, TAKING, TERMINAL, read_words
from tests.catalogues import PAGE
from tests.helpers.cases import each


@each(
    [
        ["/battle 12 9"],
        ["12", "9"],
        ["12", "9", "leave:1"],
        ["icons", "AAD,A,D,-", "3", "4"],
        ["6", "-", "v", "3"],
        ["12", "-9"],
        ["-3"],
        ["-1 9"],
        ["@3"],
        ["solve", "my", "12", "against", "9"],
        ["check my 12 vs his 9"],
        ["Solve"],
        ["/verify"],
        [TERMINAL],
        [""],
        [],
    ]
)
def test_words_that_are_no_command_are_a_line(words: list[str]) -> None:
    given = read_words(words)
    assert (given.command, given.line, given.chart) == (TERMINAL, words, None)


@each(
    [
        (["--", "-3"], ["-3"]),
        (["--", "12", "9", "--chart"], ["12", "9", "--chart"]),
        (["--", "backup", "f"], ["backup", "f"]),
        (["12", "--", "9"], ["12", "9"]),
    ]
)
def test_words_after_two_dashes_are_a_line(words: list[str], line: list[str]) -> None:
    given = read_words(words)
    assert (given.command, given.line) == (TERMINAL, line)


@each([["--chart", "odds.png", "12", "9"], ["--chart=odds.png", "12", "9"], ["12", "9", "--chart", "odds.png"]])
def test_the_file_of_the_picture_comes_before_the_line_or_after_it(words: list[str]) -> None:
    given = read_words(words)
    assert (given.command, given.line, given.chart) == (TERMINAL, ["12", "9"], Path("odds.png"))


@each(
    [
        (["solve"], "solve", {"like_input": False}),
        (["solve", "--like-input"], "solve", {"like_input": True}),
        (["discord"], "discord", {}),
        (["http"], "http", {}),
        (["check"], "check", {}),
        (["register"], "register", {"installs": False, "emoji": False}),
        (["register", "--installs"], "register", {"installs": True, "emoji": False}),
        (["register", "--emoji"], "register", {"installs": False, "emoji": True}),
        (["verify", "my battle.json"], "verify", {"file": "my battle.json"}),
        (["verify battle.json"], "verify", {"file": "battle.json"}),
        (["verify", "-"], "verify", {"file": "-"}),
        (["verify", "--page", "verify.html"], "verify", {"file": None, "page": "verify.html"}),
        (["edition", "war.xml"], "edition", {"file": "war.xml", "to": None, "opening": None}),
        (
            ["edition", "a.xml", "--to", "b.toml", "--opening", "c.toml"],
            "edition",
            {"to": "b.toml", "opening": "c.toml"},
        ),
        (["backup", "monday.db"], "backup", {"file": "monday.db"}),
        (["move-to", "postgresql://host/name"], "move-to", {"address": "postgresql://host/name"}),
        (["explain", "my", "12", "vs", "his", "9"], "explain", {"line": ["my", "12", "vs", "his", "9"]}),
        (["explain", "-1", "9"], "explain", {"line": ["-1", "9"]}),
        (["explain my 12 vs his 9"], "explain", {"line": ["my 12 vs his 9"]}),
    ]
)
def test_each_command_reads_its_arguments(words: list[str], command: str, taken: dict[str, object]) -> None:
    given = vars(read_words(words))
    assert given["command"] == command
    assert taken.items() <= given.items()


def test_every_command_of_the_program_has_an_action() -> None:
    assert STARTS.keys() == {TERMINAL, *ALONE, *TAKING}


def test_wrong_words_are_a_sentence_below_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for words, wrong in [
        (["verify"], "sandtable verify: error: one of the arguments FILE --page is required"),
        (["backup"], "sandtable backup: error: the following arguments are required: FILE"),
        (["move-to"], "sandtable move-to: error: the following arguments are required: ADDRESS"),
        (["explain"], "sandtable explain: error: the following arguments are required: LINE"),
        (["verify", "a.json", "--chart", "odds.png"], "sandtable: error: unrecognized arguments: --chart odds.png"),
        (["discord", "--installs"], "sandtable: error: unrecognized arguments: --installs"),
        (["12", "9", "--installs"], "sandtable: error: unrecognized arguments: --installs"),
        (["--chart"], "sandtable: error: argument --chart: expected one argument"),
    ]:
        with pytest.raises(SystemExit) as ended:
            main(words)
        usage, *_, said = capsys.readouterr().err.splitlines()
        assert (ended.value.code, said) == (2, wrong)
        assert usage.startswith("usage: sandtable ")


@pytest.mark.parametrize("words", [["solve"], ["verify", "battle.json"], []])
def test_only_a_battle_has_a_picture(words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "odds.png"
    assert main(["--chart", str(file), *words]) == 2
    assert capsys.readouterr().err == "--chart goes with one battle: sandtable --chart odds.png 12 9\n"
    assert not file.exists()


def test_an_empty_line_is_no_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["", " "]) == 2
    assert capsys.readouterr().err.startswith("There is no question in an empty line: ")


def test_verify_writes_the_page_to_a_new_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "verify.html"
    assert main(["verify", "--page", str(file)]) == 0
    assert file.read_text() == PAGE.read_text()
    file.write_text("a log")
    for name in (file, tmp_path / "none" / "verify.html"):
        assert main(["verify", "--page", str(name)]) == 2
    assert file.read_text() == "a log"
    taken, nowhere = capsys.readouterr().err.splitlines()
    assert taken == f"{file} is there already, and the page takes nothing's place. Give another name."
    assert nowhere == f"The page can't be written to {tmp_path / 'none' / 'verify.html'}: No such file or directory."


def shown(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed before the program ends in order."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert not ended.value.code
    return capsys.readouterr().out


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words in (["-h"], ["--help"]):
        rows = shown(words, capsys).splitlines()
        listed = [row.split()[0] for row in rows[rows.index("  COMMAND") :] if row.startswith("    ") and row[4] != " "]
        assert sorted(listed) == sorted([*ALONE, *TAKING])
        assert any(row.startswith("  --chart FILE ") for row in rows)


def test_every_command_has_help_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for command in [*ALONE, *TAKING]:
        needs = {
            "verify": "FILE",
            "edition": "FILE",
            "backup": "FILE",
            "move-to": "ADDRESS",
            "explain": "LINE",
            "register": "--installs",
        }
        takes = needs.get(command, "")
        usage, _empty, about, *rest = shown([command, "--help"], capsys).splitlines()
        assert usage.startswith(f"usage: sandtable {command} [-h]")
        assert takes in usage
        assert about[0].isupper()
        assert not takes or any(row.split()[:1] == [takes] for row in rest), f"{takes} is explained"
        assert "--chart" not in usage


def test_help_and_version_may_follow_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--chart FILE" in shown(["12", "9", "--help"], capsys)
    assert shown(["12", "9", "--version"], capsys) == shown(["--version"], capsys)
