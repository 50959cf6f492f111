"""The package `solver` offers the names that docs/api.md lists, is quick to import, and keeps its games apart."""

import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import solver
from tests.helpers.cases import each
from tests.helpers.documents import DOCS


def test_the_public_names_are_those_on_the_page() -> None:
    page = DOCS["api.md"].text
    table = page[page.index("| Subject | Names |") :]
    assert sorted(solver.__all__) == sorted(table.split("`")[1::2])


def test_every_public_name_can_be_imported() -> None:
    for name in solver.__all__:
        value = getattr(solver, name)
        home = import_module(getattr(value, "__module__", "solver"))
        assert home.__name__.split(".")[0] in ("solver", "typing", "builtins")
    assert set(solver.__all__) <= set(dir(solver))


def test_an_unknown_name_of_the_solver_is_an_attribute_error() -> None:
    assert not hasattr(solver, "Nothing")


ADDED = """
import sys, numpy
before = {*sys.modules}
from solver import *
print(*{name.split(".")[0] for name in {*sys.modules} - before if not name.startswith("numpy.")})
"""
"""Prints the packages that all public names import beside numpy."""


def test_the_solver_imports_only_numpy_and_the_standard_library() -> None:
    # Parts of numpy bring helpers along that Cython made.
    assert {name for name in printed(ADDED) if "cython" not in name} - {*sys.stdlib_module_names} == {"solver"}


def test_importing_the_solver_imports_no_game() -> None:
    """All games together take several times as long to import as numpy."""
    assert not [name for name in printed("import solver, sys; print(*sys.modules)") if name.startswith("solver.")]


def printed(code: str) -> list[str]:
    """The words that a new interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


USES: dict[str, set[str]] = {
    "dice": set(),
    "path": {"dice"},
    "conquest": {"dice"},
    "axis": set(),
    "raid": {"axis"},
    "placing": {"axis"},
}
"""The other games that each game of the solver may import."""


@each(USES)
def test_a_game_imports_only_the_games_that_it_builds_on(game: str) -> None:
    imported = imported_rooms(Path(solver.__file__).with_name(game).rglob("*.py"))
    assert imported & USES.keys() - {game} == USES[game]


def test_shared_modules_of_the_solver_import_no_game() -> None:
    names = ("chain", "documents", "errors", "game", "luck")
    assert not imported_rooms(Path(solver.__file__).with_name(f"{name}.py") for name in names) & USES.keys()


def imported_rooms(paths: Iterable[Path]) -> set[str]:
    """The modules and folders of the solver that these files import."""
    found = (re.findall(r"^\s*from solver\.(\w+)", path.read_text(), re.M) for path in paths)
    return {name for names in found for name in names}
