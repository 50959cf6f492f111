"""The layout keeps its promises: small files and folders, imports that run down, games that stay in their rooms."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from solver.games import GAMES

pytestmark = pytest.mark.texts

ROOT = Path(__file__).parents[1]
FILES = sorted(path.relative_to(ROOT) for room in ("solver", "bot") for path in (ROOT / room).rglob("*.py"))
MODULES = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}
MOST_LINES, MOST_MODULES, MOST_CHECKS = 400, 25, 15
FAMILIES = {kind.__name__ for game in GAMES for kind in get_args(game.battle_type) or (game.battle_type,)} | {
    *("Odds", "PathOdds", "AxisOdds", "WavesOdds", "RaidOdds", "Placements"),
    *("DiceFight", "PathFight", "AxisFight", "WavesFight", "RaidFight"),
}
LAYERS = (
    (
        "bot.background",
        "bot.derived",
        "bot.errors",
        "bot.host_files",
        "bot.languages",
        "bot.names",
        "bot.logs",
        "bot.pace",
        "bot.settings",
        "bot.version",
    ),
    (
        "bot.replies",
        "bot.packs",
        "bot.maps",
        "bot.editions",
        "bot.foreign",
        "bot.openings",
        "bot.words",
        "bot.notation",
        "bot.phrases",
        "bot.charts",
        "bot.work",
        "bot.live",
        "bot.store",
    ),
    ("bot.setting_kinds", "bot.place_settings", "bot.request"),
    ("bot.autocomplete", "bot.presets"),
    ("bot.games",),
    ("bot.rooms",),
    ("bot.commands",),
    ("bot.command_line", "bot.console", "bot.prompt", "bot.discord_app", "bot.upkeep"),
    ("bot.__main__", "bot.catalogues"),
)
"""Rooms from the lowest up. A room imports from its own layer and from those below it."""

FEW_KEYS = {
    "bot/games/dice/work.py _draw_first",
    *(f"bot/store/press_statements.py {n}" for n in ("append", "mark_seen")),
}
"""Functions whose cache has no limit, as there are few arguments to remember: languages, or yes and no."""


class Source(NamedTuple):
    """Facts about a module, without its syntax tree: all trees together take a hundred megabytes."""

    endless_caches: list[str]
    family_checks: int
    imports: set[str]


@pytest.fixture(scope="module")
def sources() -> dict[str, Source]:
    """What each module has; each file is parsed once."""
    return {module: _read_source(path) for module, path in MODULES.items()}


def test_files_keep_to_the_limit_of_lines() -> None:
    long = {str(path): n for path in FILES if (n := len((ROOT / path).read_text().splitlines())) > MOST_LINES}
    assert not long


def test_folders_keep_to_the_limit_of_files() -> None:
    crowded = Counter(path.parent for path in FILES if path.name != "__init__.py")
    assert not {str(folder): n for folder, n in crowded.items() if n > MOST_MODULES}


def test_every_cache_that_lives_with_the_program_has_a_limit(sources: dict[str, Source]) -> None:
    """So that a process stops growing, whatever it is asked."""
    assert {name for source in sources.values() for name in source.endless_caches} == FEW_KEYS


def test_nothing_outside_the_games_checks_which_game_it_is(sources: dict[str, Source]) -> None:
    """Outside its own rooms nothing asks of which game a battle, its odds or its fight is."""
    asked = Counter({module: source.family_checks for module, source in sources.items()})
    assert 0 < asked.total() <= MOST_CHECKS, +asked


def test_no_lower_package_imports_a_higher_package(sources: dict[str, Source]) -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, source in sources.items()
        for imported in source.imports
        if _layer(imported) > _layer(module)
    ]
    assert not wrong


def test_no_imports_form_a_circle(sources: dict[str, Source]) -> None:
    left = {module: source.imports & MODULES.keys() for module, source in sources.items()}
    while free := [module for module, imported in left.items() if not imported & left.keys()]:
        for module in free:
            del left[module]
    assert not left, "these are in a circle, or need one that is"


def test_a_game_imports_no_other_game_but_its_family(sources: dict[str, Source]) -> None:
    """Paths and conquests are made of battles with dice. Axis & Allies is a family of three games with one notation."""
    families = {"dice", "path", "conquest"}, {"axis", "raid", "placing"}
    wrong = [
        f"{module} imports {imported}"
        for module, source in sources.items()
        for imported in source.imports
        if (own := _game(module)) and (other := _game(imported)) and not any({own, other} <= one for one in families)
    ]
    assert not wrong


def test_no_test_module_imports_another_one() -> None:
    """So that a test can be changed without a look at all the others."""
    modules = [path for room in ("bot", "games", "solver") for path in (ROOT / "tests" / room).rglob("test_*.py")]
    wrong = [path.name for path in modules if re.search(r"^from tests\.\S*\btest_\w+ import", path.read_text(), re.M)]
    assert (len(modules) > 100, wrong) == (True, [])


def test_the_solver_needs_numpy_alone() -> None:
    code = (
        "import sys, solver; solver.solve;"
        " print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    own = {name for name in done.stdout.split() if not name.startswith("_")}
    assert own == {"numpy", "solver"}


def _read_source(path: Path) -> Source:
    text = (ROOT / path).read_text()
    tree = ast.parse(text)
    checks = 0 if _is_room_of_a_game(path) or "isinstance(" not in text else _family_checks(text, tree)
    return Source(_endless_caches(path, tree), checks, _imports(tree))


def _endless_caches(path: Path, tree: ast.Module) -> list[str]:
    """Return the functions with arguments that remember all their answers."""
    marks = {"cache", "lru_cache(None)", "lru_cache(maxsize=None)"}
    return [
        f"{path} {node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.decorator_list and ast.unparse(node.args)
        if marks & set(map(ast.unparse, node.decorator_list))
    ]


def _is_room_of_a_game(path: Path) -> bool:
    parts = path.parts
    return (parts[0] == "solver" and len(parts) > 2) or (parts[:2] == ("bot", "games") and len(parts) > 3)


def _family_checks(text: str, tree: ast.Module) -> int:
    """Count the calls of isinstance that name a family of games; pathlib's Path is no battle."""
    count, names = 0, set(FAMILIES)
    if re.search("^from pathlib import .*Path", text, re.MULTILINE):
        names.discard("Path")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            kinds = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
            count += bool(kinds & names)
    return count


def _imports(tree: ast.Module) -> set[str]:
    """Return the modules of ours that a module imports, wherever in it; those for type checkers alone do not count."""
    found: set[str] = set()
    for node in _run(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in MODULES else node.module)
    return {name for name in found if name.startswith(("bot", "solver"))}


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements that are run, which those below `if TYPE_CHECKING` are not."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case) and not (
            isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        ):
            yield child
            yield from _run(child)


def _layer(module: str) -> int:
    """Return how high a module stands; the solver is below all of the bot."""
    if module in ("bot.games.base", "bot.games.help", "bot.games.live"):
        return 1
    if module.startswith("bot.store.migrations.versions"):
        return len(LAYERS)  # a migration may need what reads old lines
    for height, rooms in enumerate(LAYERS):
        if any(module == room or module.startswith(f"{room}.") for room in rooms):
            return height
    assert module.startswith("solver") or module == "bot", f"{module} has no layer"
    return -1


def _game(module: str) -> str:
    """Return the game whose room a module is in, if it is in one."""
    found = re.match(r"(?:solver|bot\.games)\.(dice|path|conquest|axis|raid|placing)(?:\.|$)", module)
    return found[1] if found else ""
