"""Names and docstrings explain themselves: what a parser of the code can hold of docs/contributing.md's rules."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.documents import ROOT

pytestmark = pytest.mark.texts

Function = ast.FunctionDef | ast.AsyncFunctionDef
SOLVER, BOT = (sorted(file.relative_to(ROOT) for file in (ROOT / room).rglob("*.py")) for room in ("solver", "bot"))
IRREGULAR = re.compile(
    "begun|bought|built|chosen|done|drawn|fought|found|given|gone|held|kept|known|made|meant|said|seen|sent|shown|sold|"
    "taken|taught|thrown|told|written"
)
"""Past participles that do not end in "ed"; "read", "put" and "cut" are verbs too, "left" and "lost" adjectives."""
PARTICLES = re.compile("at|away|back|by|down|for|from|home|in|into|of|off|on|out|over|together|to|up|with")
"""After a participle these make no noun of a name: "moved_on" is one as "moved" is, "shared_cache" is none."""
NO_PARTICIPLES = frozenset({"need", "feed", "speed", "seed", "proceed", "embed", "shed"})
VALUES = frozenset({"quoted", "sorted"})
"""Participles that name the value that they return, as the built-in `sorted` does."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A module, a class or a function, without its syntax tree: all trees together take a hundred megabytes."""

    path: Path
    name: str
    docstring: str
    is_called_by_participle: bool


@dataclass(frozen=True, slots=True)
class Sources:
    """All definitions, the names at the top of the solver's modules, and where docstrings and arguments differ."""

    definitions: list[Definition]
    top: list[str]
    unexplained: dict[str, list[str]]
    unknown: dict[str, list[str]]


@pytest.fixture(scope="module")
def sources() -> Sources:
    """Each file is parsed once."""
    read = Sources([], [], {}, {})
    for path in [*SOLVER, *BOT]:
        tree = ast.parse((ROOT / path).read_text())
        read.definitions.extend(Definition(path, *described(node)) for node in (tree, *nested(tree)))
        read.unknown.update(
            {f"{path}: {node.name}": names for node in nested(tree) if (names := unknown_arguments(node))}
        )
        if path in SOLVER:
            read.unexplained.update({f"{path}: {name}": missing for name, missing in public_functions(tree.body)})
            read.top.extend(node.name for node in tree.body if isinstance(node, ast.ClassDef | Function))
    return read


def nested(node: ast.AST) -> Iterator[ast.ClassDef | Function]:
    """All classes and functions in a module or a statement; expressions have none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            if isinstance(child, ast.ClassDef | Function):
                yield child
            yield from nested(child)


def described(node: ast.Module | ast.ClassDef | Function) -> tuple[str, str, bool]:
    """Return the name and docstring of a definition, and whether it is a function whose name is a participle."""
    name, docstring = getattr(node, "name", ""), (ast.get_docstring(node, clean=False) or "").lstrip()
    return name, docstring, isinstance(node, Function) and is_participle(name) and not is_property(node)


def public_functions(body: list[ast.stmt], prefix: str = "", method: bool = False) -> Iterator[tuple[str, list[str]]]:
    """The functions and methods that lack an argument in their docstring, each with the arguments that are missing."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, f"{prefix}{node.name}.", method=True)
        elif isinstance(node, Function) and not node.name.startswith("_"):
            explained = (ast.get_docstring(node) or "").partition("Args:")[2]
            missing = [name for name in arguments(node, method) if not re.search(rf"\b{name}: ", explained)]
            if missing and not refers(ast.get_docstring(node) or ""):
                yield f"{prefix}{node.name}", missing


def arguments(node: Function, method: bool) -> list[str]:
    """The names of a function's arguments, without the object or the class of a method."""
    given = node.args
    names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    if method and not any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in node.decorator_list):
        names = names[1:]
    return names + [argument.arg for argument in (given.vararg, given.kwarg) if argument]


def unknown_arguments(node: ast.ClassDef | Function) -> list[str]:
    """The names that a docstring explains as arguments of a function, or of the `__init__` of a class, without any."""
    explained = re.search(r"^Args:\n((?: {4}.*\n?|\n)*)", ast.get_docstring(node) or "", re.MULTILINE)
    functions = [node] if isinstance(node, Function) else [part for part in node.body if isinstance(part, Function)]
    makers = [function for function in functions if function is node or function.name == "__init__"]
    if not explained or not makers:
        return []
    names = re.findall(r"^ {4}\*{0,2}(\w+(?:, \w+)*):", explained[1], re.MULTILINE)
    return [name for name in ", ".join(names).split(", ") if name and name not in arguments(makers[0], method=False)]


def refers(docstring: str) -> bool:
    """Whether a docstring leaves the arguments to the protocol that the function is part of."""
    return bool(re.search(r"[Ss]ee `[A-Z][\w.]+`", docstring)) and "Args:" not in docstring


def is_participle(name: str) -> bool:
    """Whether a name is a past participle, perhaps with a particle: "moved_on", but not "sorted_units"."""
    first, *others = name.strip("_").split("_")
    regular = first.endswith("ed") and len(first) > 4 and first not in NO_PARTICIPLES
    noun = any(not PARTICLES.fullmatch(other) for other in others)
    return bool(regular or IRREGULAR.fullmatch(first)) and not noun and name not in VALUES


def is_property(node: Function) -> bool:
    """Whether a function is read as an attribute: "ended" is a state, and no action."""
    marks = [mark.attr if isinstance(mark, ast.Attribute) else getattr(mark, "id", "") for mark in node.decorator_list]
    return bool({"property", "cached_property"}.intersection(marks))


def test_public_functions_of_the_solver_explain_every_argument(sources: Sources) -> None:
    assert sources.unexplained == {}


def test_docstrings_explain_no_argument_that_a_function_lacks(sources: Sources) -> None:
    assert sources.unknown == {}


def test_no_docstring_begins_with_the_words_the_same(sources: Sources) -> None:
    assert [one for one in sources.definitions if one.docstring.startswith("The same")] == []


def test_no_function_is_called_by_a_past_participle(sources: Sources) -> None:
    assert [one for one in sources.definitions if one.is_called_by_participle] == []


def test_participles_are_detected_as_function_names() -> None:
    assert [name for name in ("told", "_settled", "moved_on", "drawn", "_checked") if not is_participle(name)] == []
    assert [
        name for name in ("need", "compared_plan", "read_list", "embed", "shared_cache") if is_participle(name)
    ] == []


def test_public_names_of_the_solver_are_unique(sources: Sources) -> None:
    names = Counter(name for name in sources.top if not name.startswith("_"))
    assert [name for name, times in names.items() if times > 1] == []
