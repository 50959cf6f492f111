"""The start of the terminal: each answer loads what it needs, when it needs it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.commands.run import run
from bot.console import open_services, request_from
from bot.errors import UserError
from bot.place_settings import PlaceSettings
from bot.replies import Reply
from bot.settings import Settings
from bot.store.database import open_store
from bot.store.late import LateStore
from bot.store.records import Setup
from bot.store.unopened import read_lines, read_settings
from bot.work.engine import putting_off_pictures
from tests.helpers.bot.setups import setup

DATABASE, DRAWING = {"sqlalchemy", "alembic", "aiosqlite"}, {"matplotlib", "PIL"}
SELDOM = {"babel", "prompt_toolkit", "rapidfuzz", "pydantic", "discord", "prometheus_client"}
"""What no usual answer in English needs."""
LOADED = """
import io, sys
from bot.__main__ import main

def tell():
    print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)

class Printed(io.StringIO):
    def write(self, text):
        if text.strip():
            tell()
        return len(text)

sys.stdout = Printed()
try:
    main(sys.argv[1:])
finally:
    tell()
"""
"""A program that tells at each print, and at its end, which packages it has loaded."""


def loaded(data: Path, *arguments: str, given: str = "") -> list[set[str]]:
    """The packages that are loaded at each print of the terminal, and at its end."""
    environment: Mapping[str, str] = {**os.environ, "SANDTABLE_DATA": str(data)}
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, env=environment, input=given, check=True, capture_output=True, text=True)
    return [set(line.split()) for line in done.stderr.splitlines()]


PICTURED = ["/battle 3 inf 2 arm vs 4 inf", "/compare 12 9 or stop:4", "/table 12 9"]


@pytest.mark.whole
@pytest.mark.parametrize("line", PICTURED)
def test_the_terminal_prints_before_it_loads_drawing_modules(tmp_path: Path, line: str) -> None:
    words, picture, end = loaded(tmp_path, line)
    assert "numpy" in words
    assert not words & (DRAWING | DATABASE | SELDOM)
    assert picture >= DRAWING
    assert not end & (DATABASE | SELDOM)
    assert not (tmp_path / "sandtable.db").exists()


@pytest.mark.whole
@pytest.mark.parametrize("arguments", [("/help", "variants"), ("explain", "meine 12 gegen seine 9")])
def test_lines_without_a_picture_load_no_database_and_no_drawing(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    *_prints, end = loaded(tmp_path, *arguments)
    assert not end & (DRAWING | DATABASE | {"babel"})


def test_what_rows_name_is_loaded_with_its_first_use() -> None:
    program = """if True:
        import sys, bot.console, bot.commands.table
        from bot.editions import editions, rules_by_game
        from solver.late import load_all
        from solver.questions import read_question

        late = {"bot.games.dice.answers", "bot.games.axis.live.words", "bot.phrases.reader", "solver.axis.odds"}
        assert editions(), "most lines need no more of them than their words"
        assert not (late | {"numpy"}) & set(sys.modules)

        rules, before = rules_by_game(), set(sys.modules)
        side = {"units": {"infantry": 2}}
        battle = {"game": "axis1942", "theatre": "land", "waves": [{"attacker": side, "defender": side}]}
        assert read_question(battle, rules).work()
        assert set(sys.modules) == before, "the first battle does not wait for modules"

        load_all()
        assert late <= set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_json_lines_load_no_database_and_no_drawing(tmp_path: Path) -> None:
    first, *_more, end = loaded(tmp_path, "solve", given='{"text": "12 9"}\n')
    assert "numpy" in first
    assert not end & (DRAWING | DATABASE | SELDOM)


def test_the_version_loads_no_other_module(tmp_path: Path) -> None:
    *_prints, end = loaded(tmp_path, "--version")
    assert not end & (DRAWING | DATABASE | SELDOM | {"numpy", "asyncio"})


@pytest.mark.whole
async def test_a_preset_is_read_without_loading_the_database_modules(tmp_path: Path) -> None:
    async with open_store(tmp_path / "sandtable.db") as store:
        await store.save("terminal", setup("alamo", "12 9"), 10, True)
    assert set(sys.modules) >= DATABASE, "these are its names"
    words, picture, _end = loaded(tmp_path, "/battle alamo")
    assert not words & (DRAWING | DATABASE)
    assert picture >= DRAWING


# The database of a terminal -----------------------------------------------------------------------------


async def test_the_quick_reader_agrees_with_the_store(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    chosen = {"language": "de", "edition": "1942", "show": "words"}
    assert read_settings(file, "terminal") == read_lines(file, "terminal") == {}
    async with open_store(file) as store:
        for place, values in (("terminal", chosen), ("guild:1", {"language": "ru"})):
            await store.set_settings(place, values)
        for name in ("zulu", "alamo", "ärmel", "öland", "b-2", "a"):
            await store.save("terminal", setup(name, "12 9 stop:3"), 10, True)
        for place in ("terminal", "guild:1", "user:1"):
            assert read_settings(file, place) == await store.settings(place), "while it is open"
            lines = await store.lines(place)
            found = read_lines(file, place)
            assert found == lines
            assert list(found or ()) == list(lines)
    assert read_settings(file, "terminal") == chosen, "after it was closed"


async def test_settings_of_a_terminal_hold_without_loading_its_database(settings: Settings) -> None:
    async with open_store(settings.file) as store:
        await store.set_settings("terminal", {"language": "de", "show": "words"})
    async with open_services(settings) as services:
        reply = await run(request_from("/battle 12 9"), services)
        assert await services.place_settings("terminal") == PlaceSettings(language="de", show="words")
    assert isinstance(reply, Reply)
    assert reply.text.startswith("**Angreifer gewinnt: 79,0 %**")
    assert reply.picture is None


async def test_a_database_of_another_version_is_opened_first(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    file.write_bytes((Path(__file__).parents[1] / "data" / "revision_0001.db").read_bytes())
    assert read_settings(file, "terminal") is None
    async with LateStore(file) as late:
        assert await late.settings("terminal") == {}
    assert read_settings(file, "terminal") == {}, "it was migrated"


async def test_a_late_store_refuses_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    file.write_text("This is no database. " * 100)
    with pytest.raises(UserError, match=r"The database .* cannot be used: file is not a database"):
        async with LateStore(file):
            pass


async def test_the_first_write_of_a_late_store_makes_the_database(tmp_path: Path) -> None:
    file = tmp_path / "data" / "sandtable.db"
    alamo: Setup = setup("alamo")
    async with LateStore(file) as late:
        assert not file.exists()
        await late.store().save("terminal", alamo, 10, True)
        assert await late.store().setups("terminal") == [alamo]
    assert file.stat().st_mode & 0o777 == 0o600


async def test_a_late_store_reports_a_database_it_cannot_make(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    async with LateStore(file) as late:
        file.mkdir()
        with pytest.raises(UserError, match=r"The database .* cannot be used"):
            await late.store().setups("terminal")
        file.rmdir()
        assert await late.store().setups("terminal") == [], "it is tried again"


async def test_a_postponed_picture_is_the_same_picture(settings: Settings) -> None:
    async with open_services(settings) as services:
        now = await run(request_from("/battle 12 9"), services)
        with putting_off_pictures() as drawings:
            later = await run(request_from("/battle 12 9"), services)
        (drawing,) = drawings
        assert isinstance(now, Reply)
        assert isinstance(later, Reply)
        assert now.picture
        assert later.picture
        assert later.picture.png == b""
        assert await drawing() == now.picture.png
