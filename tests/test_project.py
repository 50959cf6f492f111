"""What the project says about its set-up is true: the lines to start with, the lock file, the container."""

import os
import re
import subprocess
import sys
import time
import tomllib
from importlib.metadata import distribution, packages_distributions
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.version import version
from solver.compiled.build_hook import platform_tag, without_files
from tests.helpers.cases import each

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
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
    locked = dict(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    for text in PROJECT["dependencies"]:
        wanted = Requirement(text)
        assert wanted.specifier.contains(locked[wanted.name.lower().replace("_", "-").replace(".", "-")]), text


def test_the_changelog_begins_with_the_version_of_the_program() -> None:
    newest, *_ = re.findall(r"^## Version ([\d.]+)", (ROOT / "docs" / "changelog.md").read_text(), re.MULTILINE)
    assert newest == PROJECT["version"] == version()


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


@pytest.mark.texts
def test_every_package_that_the_program_imports_is_declared() -> None:
    wanted = {Requirement(text).name.lower() for text in PROJECT["dependencies"]}
    texts = (file.read_text() for room in ("bot", "solver") for file in (ROOT / room).rglob("*.py"))
    names = {
        name for text in texts for name in re.findall(r"^ *(?:import|from) (\w+)[\w.]*(?: import .*)?$", text, re.M)
    }
    others = names - {*sys.stdlib_module_names, "bot", "solver"}
    owners = packages_distributions()
    # These two are for the build alone, which declares them for itself.
    assert {owners[name][0].lower().replace("_", "-") for name in others - {"babel", "hatchling"}} <= wanted


def test_the_text_for_an_index_page_needs_no_other_file() -> None:
    text = without_files(README)
    assert "\nThe attacker wins 79.0%, the defender holds 21.0%; bars show how many armies are left\n" in text
    assert "| docs/commands.md | every command, with an example |" in text
    assert set(re.findall(r"\]\((\w*)", text)) == {"https"}


@each([(b"\0GLIBC_2.2.5\0GLIBC_2.14", "manylinux_2_17_x86_64"), (b"\0GLIBC_2.2.5\0GLIBC_2.38", "manylinux_2_38_x86_64"),
       (b"\0libc.musl-x86_64.so.1", "musllinux_1_2_x86_64"), (b"", "linux_x86_64")])  # fmt: skip
def test_a_wheel_is_tagged_with_the_c_library_that_its_kernel_needs(needed: bytes, tag: str) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr("sysconfig.get_platform", lambda: "linux-x86_64")
        library = Path(folder, "kernel.lib")
        library.write_bytes(needed)
        assert platform_tag([library]) == tag


@pytest.mark.texts
def test_the_installed_files_are_at_most_300_megabytes() -> None:
    """The program and all that it requires, as the container has it: with bytecode, and without tests."""
    names, sizes = {"sandtable"}, dict[str, int]()
    while new := names - sizes.keys():
        for name in new:
            found = distribution(name)
            files = [Path(str(file.locate())) for file in found.files or () if "tests" not in file.parts]
            compiled = [Path(cache_from_source(file)) for file in files if file.suffix == ".py"]
            sizes[name] = sum(file.stat().st_size for file in {*files, *compiled} if file.is_file())
            wanted = [Requirement(text) for text in found.requires or ()]
            names |= {
                canonicalize_name(one.name) for one in wanted if not one.marker or one.marker.evaluate({"extra": ""})
            }
    assert len(sizes) > 25
    # What is developed is no part of what was installed.
    ours = sum(file.stat().st_size for room in ("bot", "solver") for file in (ROOT / room).rglob("*.*"))
    assert ours + sum(sizes.values()) < 300_000_000
