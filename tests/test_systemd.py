"""The unit for systemd in docs/hosting.md starts the program as it is, with settings that exist."""

import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from bot.__main__ import SETTINGS_WRONG
from bot.command_line import read_words
from bot.settings import NAMES, PREFIX
from tests.helpers.documents import DOCS

(UNIT,) = ["\n".join(block.lines) for block in DOCS["hosting.md"].blocks if "[Service]" in block.lines]
PROGRAM = "/opt/sandtable/bin/sandtable"


@pytest.fixture
def service() -> dict[str, str]:
    unit = ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(UNIT)
    return dict(unit["Service"])


def test_the_unit_starts_the_bot_where_the_page_installs_it(service: dict[str, str]) -> None:
    program, *arguments = shlex.split(service["ExecStart"])
    assert program == PROGRAM
    assert read_words(arguments).command == "discord"
    assert any(line.startswith("python3 -m venv /opt/sandtable ") for line in DOCS["hosting.md"].lines_of(""))


def test_the_unit_does_not_restart_what_no_start_can_mend(service: dict[str, str]) -> None:
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("on-failure", str(SETTINGS_WRONG))


def test_the_unit_may_write_to_its_data_folder(service: dict[str, str]) -> None:
    variables = dict(pair.split("=") for pair in service["Environment"].split())
    assert variables["SANDTABLE_DATA"] == service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"
    assert variables["MPLCONFIGDIR"] == f"/var/cache/{service['CacheDirectory']}"
    assert {name.removeprefix(PREFIX).lower() for name in variables if name.startswith(PREFIX)} <= set(NAMES)


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd-analyze on the path")
    installed = UNIT.replace(PROGRAM, str(Path(sys.executable).with_name("sandtable")))
    right, wrong = tmp_path / "right.service", tmp_path / "wrong.service"
    right.write_text(installed)
    wrong.write_text(installed.replace("RestartSec=", "RestartSecs="))
    done = subprocess.run(["systemd-analyze", "verify", right, wrong], capture_output=True, text=True)
    assert "RestartSecs" in done.stderr, done.stderr
    assert "right.service" not in done.stderr, done.stderr
