"""What the project says about its set-up is true: the lines to start with, the lock file, the container."""

import os
import re
import subprocess
import time
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from bot.version import version

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_the_readme_has_the_lines_that_ci_runs() -> None:
    assert (
        'python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/sandtable "/battle 12 9 bombers:2"' in README
    )
    line = 'python3 -m venv .venv && .venv/bin/pip install -q -e ".[test]" && .venv/bin/pytest -n 3'
    assert f"    {line}\n" in README
    # It installs the same in another way, which takes a fifth of the time.
    assert f"\n{line.rpartition(' && ')[2]}\n" in (ROOT / ".ci" / "run").read_text()


def test_the_lock_holds_everything_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = dict(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    for text in project["dependencies"]:
        wanted = Requirement(text)
        assert wanted.specifier.contains(locked[wanted.name.lower().replace("_", "-").replace(".", "-")]), text


def test_the_changelog_begins_with_the_version_of_the_program() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    newest, *_ = re.findall(r"^## Version ([\d.]+)", (ROOT / "docs" / "changelog.md").read_text(), re.MULTILINE)
    assert newest == project["version"] == version()


def test_the_dockerfile_copies_existing_files() -> None:
    for sources in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists(), source
            assert f"!{source}\n" in (ROOT / ".dockerignore").read_text(), source


@pytest.mark.parametrize(("age", "healthy"), [(None, False), (0, True), (120, False)])
def test_the_health_check_needs_a_fresh_health_file(tmp_path: Path, age: int | None, healthy: bool) -> None:
    (command,) = re.findall(r"^HEALTHCHECK .* CMD (.*)$", DOCKERFILE, re.MULTILINE)
    if age is not None:
        (tmp_path / "alive").touch()
        os.utime(tmp_path / "alive", (time.time() - age,) * 2)
    done = subprocess.run(["sh", "-c", command.replace("/data", str(tmp_path))], capture_output=True)
    assert (done.returncode == 0) is healthy
