"""What the project says of itself is true: README, Dockerfile, lock file, CI."""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from PIL import Image

from bot.charts import draw_battle
from bot.matchup import parse, parse_plans
from bot.matchup.placing import parse_placing
from bot.wording import answer
from solver import Battle, solve
from tests.helpers import forked

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_every_line_in_the_readme_is_a_battle() -> None:
    section = README.partition("## What you can type")[2].partition("\n## ")[0]
    lines = [line for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for line in re.findall("`(.*?)`", row)]
    assert len(lines) > 15
    for line in lines:
        parse(line, {"ukraine": "12 9 bombers:2"}, takes=("exact", "all", "advice"))


def test_every_pair_of_plans_in_the_readme_is_one() -> None:
    lines = re.findall(r"`/compare (.*?)`", README) + re.findall(r"`([^`\n]+ \|\| [^`\n]+)`", README)
    lines = [line for line in lines if not line.startswith("/place")]
    assert len(lines) >= 3
    for line in lines:
        parse_plans(line)


def test_every_placing_in_the_readme_is_one() -> None:
    lines = [line.replace("\\|", "|") for line in re.findall(r"(?:^    |`)/place (.*?)(?:`|$)", README, re.MULTILINE)]
    assert len(lines) >= 5
    for line in lines:
        assert parse_placing(line, {"ukraine": "3 inf 2 arm vs 4 inf"}).units


def test_the_answer_in_the_readme_is_the_answer(tmp_path: Path) -> None:
    battle = Battle(12, 9)
    assert parse("12 9").battle == battle
    odds = solve(battle)
    shown = answer(battle, odds).replace("**", "").replace("`", "").replace("-# ", "")
    assert "\n".join(f"    {line}" for line in shown.splitlines()) in README
    (tmp_path / "now.png").write_bytes(draw_battle(battle, odds))
    with Image.open(tmp_path / "now.png") as now, Image.open(ROOT / "tests" / "data" / "answer.png") as then:
        difference = np.abs(np.asarray(now.convert("RGB"), int) - np.asarray(then.convert("RGB"), int))
    assert difference.mean() < 1, "fonts may differ by a hair between versions, the picture may not"


def test_the_lines_in_the_readme_are_the_ones_that_are_run() -> None:
    assert (
        'python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/sandtable "/battle 12 9 bombers:2"' in README
    )
    line = 'python3 -m venv .venv && .venv/bin/pip install -q -e ".[test]" && .venv/bin/pytest -n 2'
    assert f"    {line}\n" in README
    assert f"\n{line}\n" in (ROOT / ".ci" / "run").read_text()


def test_the_json_line_in_the_readme_is_answered() -> None:
    (line,) = re.findall(r"echo '(.*)' \| sandtable solve", README)
    done = forked.run("bot", "solve", given=line.encode())
    assert done.returncode == 0
    assert json.loads(done.stdout) == solve(Battle.from_dict(json.loads(line))).to_dict()


def test_the_ways_to_check_dice_in_the_readme_work(tmp_path: Path) -> None:
    section = README.partition("## Fair dice")[2].partition("\n## ")[0]
    (file,) = re.findall(r"\(bot/(.*?)\)", section)
    logs = json.loads((ROOT / "tests" / "data" / "fair.json").read_text())
    (tmp_path / "battle.json").write_text(json.dumps(logs["classic Risk"]))
    shutil.copy(ROOT / "bot" / file, tmp_path)
    lines = re.findall("^    (.*)$", section, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        program, *rest = line.split()
        if program == "sandtable":
            done = forked.run("bot", *rest, folder=tmp_path)
        else:
            assert program == "python3"
            done = subprocess.run([sys.executable, *rest], cwd=tmp_path, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"no problems found" in done.stdout


def test_the_library_example_in_the_readme_works() -> None:
    done = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert done.attempted > 8
    assert done.failed == 0


def test_the_layout_in_the_readme_is_the_layout() -> None:
    section = README.partition("Nothing flows back.")[2]
    names = re.findall(r"^ {4,6}([a-z_]+(?:\.py|/))", section.partition("The notation is public")[0], re.MULTILINE)
    for name in names:
        assert list(ROOT.glob(f"*/{name}")) or list(ROOT.glob(name)), name
    rooms = {path.name for folder in ("bot", "solver") for path in (ROOT / folder).glob("*.py")} - {"__init__.py"}
    assert rooms <= set(names), "a room that nobody is told of"


def test_the_lock_holds_everything_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = dict(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    for text in project["dependencies"]:
        wanted = Requirement(text)
        assert wanted.specifier.contains(locked[wanted.name.lower().replace("_", "-").replace(".", "-")]), text


def test_the_dockerfile_copies_what_there_is() -> None:
    for sources in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists(), source
            assert f"!{source}\n" in (ROOT / ".dockerignore").read_text(), source


@pytest.mark.parametrize(("age", "healthy"), [(None, False), (0, True), (120, False)])
def test_the_health_check_believes_only_a_fresh_sign_of_life(tmp_path: Path, age: int | None, healthy: bool) -> None:
    (command,) = re.findall(r"^HEALTHCHECK .* CMD (.*)$", DOCKERFILE, re.MULTILINE)
    if age is not None:
        (tmp_path / "alive").touch()
        os.utime(tmp_path / "alive", (time.time() - age,) * 2)
    done = subprocess.run(["sh", "-c", command.replace("/data", str(tmp_path))], capture_output=True)
    assert (done.returncode == 0) is healthy
