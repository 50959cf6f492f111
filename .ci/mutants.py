"""Change one place of the product at a time, and see whether the tests notice: `.venv/bin/python .ci/mutants.py`.

Places are chosen by a seed, as many of each kind: a sign, a bound, a comparison, a forgotten await. For each, the tests
that name the changed module run first and stop at the first failure; all tests run only for a change that survives.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SIGNS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+")}
BOUNDS = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
COMPARISONS = {ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.Is: ("is", "is not"),
               ast.And: ("and", "or"), ast.Or: ("or", "and")}  # fmt: skip
KINDS = ("sign", "bound", "comparison", "await")


class Place(NamedTuple):
    """A piece of a file, and the text that takes its place; `start` and `end` count characters of the file."""

    kind: str
    file: Path
    line: int
    start: int
    end: int
    text: str

    def changed(self) -> str:
        """The file's text with the change."""
        text = (ROOT / self.file).read_text()
        return text[: self.start] + self.text + text[self.end :]

    @property
    def name(self) -> str:
        """The file, the line and the change, for people to read."""
        old = (ROOT / self.file).read_text()[self.start : self.end]
        return f"{self.file}:{self.line} {self.kind} {old.strip()!r} -> {self.text.strip()!r}"


def main() -> None:
    """Read the options, and try each place."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--places", type=int, default=60)
    parser.add_argument("--whole", action="store_true", help="a change that survives the usual run meets the whole one")
    options = parser.parse_args()
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "bot", "solver"], cwd=ROOT, check=False).returncode:
        sys.exit("There are uncommitted changes in bot or solver: commit them first.")
    survivors = 0
    for number, place in enumerate(choose_places(options.places, random.Random(options.seed)), 1):
        result = try_place(place, options.whole)
        survivors += result == "survived"
        print(f"{number} {place.name}: {result}", flush=True)
    print(f"{options.places - survivors} of {options.places} changes were noticed.")


def choose_places(number: int, luck: random.Random) -> list[Place]:
    """Choose places of all files of the product, as many of each kind."""
    files = sorted(path.relative_to(ROOT) for room in ("bot", "solver") for path in (ROOT / room).rglob("*.py"))
    places = [place for file in files for place in find_places(file)]
    return [
        luck.choice([place for place in places if place.kind == KINDS[turn % len(KINDS)]]) for turn in range(number)
    ]


def find_places(file: Path) -> Iterator[Place]:
    """Yield the places in the functions of a file."""
    text = (ROOT / file).read_text()
    lines = [0]
    for line in text.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def offset(line: int, column: int) -> int:
        return len(text.encode()[: lines[line - 1] + column].decode())

    def between(left: ast.expr, right: ast.expr, kind: str, swap: tuple[str, str], line: int) -> Iterator[Place]:
        start = offset(left.end_lineno or 0, left.end_col_offset or 0)
        gap = text[start : offset(right.lineno, right.col_offset)]
        signs = list(re.finditer(rf"(?<![^\s()]){re.escape(swap[0])}(?![^\s()])", gap))
        if len(signs) == 1 and "#" not in gap:
            yield Place(kind, file, line, start + signs[0].start(), start + signs[0].end(), swap[1])

    for node in nodes_in_functions(ast.parse(text)):
        match node:
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SIGNS:
                yield from between(left, right, "sign", SIGNS[type(op)], node.lineno)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in BOUNDS:
                yield from between(left, right, "bound", BOUNDS[type(op)], node.lineno)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
                yield from between(left, right, "comparison", COMPARISONS[type(op)], node.lineno)
            case ast.BoolOp(op=op, values=[left, right]):
                yield from between(left, right, "comparison", COMPARISONS[type(op)], node.lineno)
            case ast.Await():
                start = offset(node.lineno, node.col_offset)
                yield Place("await", file, node.lineno, start, start + len("await "), "")


def nodes_in_functions(tree: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """Yield the parts of functions; formatted strings are left out, as Python 3.11 does not know where they stand."""
    for node in ast.iter_child_nodes(tree):
        if inside and isinstance(node, ast.expr):
            yield node
        if not isinstance(node, ast.JoinedStr | ast.arguments):
            yield from nodes_in_functions(node, inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def try_place(place: Place, whole: bool) -> str:
    """Return which tests notice a change, in a copy of the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", copy], cwd=ROOT, check=True)
        try:
            for library in ROOT.glob("solver/compiled/*.lib"):
                shutil.copy(library, copy / library.relative_to(ROOT))
            (copy / place.file).write_text(place.changed())
            named = tests_of(place.file)
            if named and not passes(copy, ["-x", *named]):
                return "noticed by the tests of its module"
            if not passes(copy, ["-x", "-n", "2"]):
                return "noticed by other tests"
            if whole and not passes(copy, ["-x", "-n", "2", "--whole"]):
                return "noticed by the whole run"
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", copy], cwd=ROOT, check=True)
    return "survived"


def tests_of(file: Path) -> list[str]:
    """Return the test files that import a module or have its name; if there are none, those that import its package."""
    module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    package, _, name = module.rpartition(".")
    own = rf"(from|import) {re.escape(module)}\b|from {re.escape(package)} import .*\b{name}\b"
    tests = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if "benchmarks" not in path.parts]
    named = [path for path in tests if re.search(own, path.read_text()) or name.strip("_") in path.stem]
    named = named or [path for path in tests if re.search(rf"(from|import) {re.escape(package)}\b", path.read_text())]
    return [str(path.relative_to(ROOT)) for path in named]


def passes(checkout: Path, options: list[str]) -> bool:
    """Whether tests pass in a checkout; what takes ten times as long as all of them has failed."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", *options]
    # Programs that tests start elsewhere import the copy too.
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    try:
        return (
            subprocess.run(
                command, cwd=checkout, env=environment, capture_output=True, timeout=1800, check=False
            ).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    main()
