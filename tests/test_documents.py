"""The README and the pages of docs/ tell the truth: every example in them runs, and nothing is left out."""

import doctest
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import numpy as np
import pytest
from PIL import Image

from bot.command_line import read_words
from bot.commands import live
from bot.commands.guide import topics
from bot.commands.run import run
from bot.commands.table import COMMANDS
from bot.commands.typed import TYPED, command_in
from bot.console import answer_lines, open_services, plain, solve_lines
from bot.discord_app import tree
from bot.games.axis.options import OPTIONS as AXIS_OPTIONS
from bot.notation.dice_options import OF_BOTH_SIDES, OF_SIDES, POOL
from bot.place_settings import ANYBODY, SETTINGS
from bot.replies import Reply
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.settings import NAMES, Settings
from tests.helpers import forked
from tests.helpers.cases import each
from tests.helpers.documents import DOCS, PAGES, README, ROOT, Page
from tests.helpers.phone import FILE, answered, phone

PRESETS = {"alamo": "12 9 bombers:2", "ukraine": "3 inf 2 arm 1 fig vs 4 inf", "ourgame": "indonesia 3"}
"""The presets that the pages use."""
NO_COMMANDS = ("/", "/data", "/metrics", "/usr/lib/postgresql/15/bin")
"""What begins with a slash in back-ticks and is no command."""
DICE = ("6 4 1 vs 5 3", "AAD A - vs D D")
"""What looks like a battle and is what people type as it lies on their table."""
IN_A_SHELL = ("sandtable ", "python3 fair.py ", "echo ")
"""How lines for the shell begin that run anywhere."""

every_page = each(PAGES)


# What players type -----------------------------------------------------------------------------------------


def is_line(code: str) -> bool:
    """Whether something in back-ticks is a battle, or two."""
    return bool(re.match(r"\d+ \d+( |$)", code) or re.search(r" (vs|>|\|\|) ", code)) and code not in DICE


def typed_lines(page: Page) -> list[str]:
    """Every command with its options and every battle of a page whose answer is not quoted.

    Settings come last, as they change what other lines mean.
    """
    quoted = [asked for asked, _said in page.answers]
    codes = [code.removeprefix("@Sandtable ") for code in page.codes]
    lines = [*page.lines_of(""), *codes]
    commands = [line for line in lines if line.startswith("/") and has_options(line)]
    battles = [line for line in codes if not line.startswith("/") and is_line(line)] + page.first_codes("Line")
    lines = [line for line in dict.fromkeys([*commands, *battles]) if line not in quoted]
    return sorted(lines, key=lambda line: line.startswith("/settings"))


def has_options(line: str) -> bool:
    """Whether a command is more than its name; an unknown one fails the test."""
    names = {name.partition(" ")[0] for name in TYPED} | set(TYPED)
    if line.removeprefix("/") in names or line in NO_COMMANDS:
        return False
    command, _options = command_in(line)
    assert line.startswith(f"/{command} "), f"{line} is no command"
    return "opponent:" not in line  # Only Discord knows who that is: see the live battle below.


@pytest.mark.parametrize("page", [page for page in PAGES if typed_lines(page)], ids=lambda page: page.name)
async def test_every_line_on_a_page_for_players_works(
    page: Page, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a new terminal without pictures that has a few presets; what an earlier page has too is typed there alone."""
    earlier = {line for other in PAGES[: PAGES.index(page)] for line in typed_lines(other)}
    lines = [line for line in typed_lines(page) if line not in earlier or line.startswith(("/preset", "/settings"))]
    saved = [f"/preset save {name} {line}" for name, line in PRESETS.items()]
    missing = [line for line in saved if not any(" ".join(line.split()[:3]) in typed for typed in lines)]
    status = await answer_lines(settings, echoed(["/settings show:words", *missing, *lines]))
    assert status == 0, capsys.readouterr().out


def echoed(lines: Iterable[str]) -> Iterator[str]:
    """Lines that are printed before their answers."""
    for line in lines:
        print(f"> {line}")
        yield line


def test_lines_are_extracted_from_the_pages() -> None:
    found = {page.name: len(typed_lines(page)) for page in PAGES}
    assert found["README.md"] >= 6
    assert found["docs/notation.md"] > 35
    assert found["docs/axis-and-allies.md"] > 40
    assert found["docs/commands.md"] > 30
    assert found["docs/settings.md"] > 2
    assert sum(line.startswith(IN_A_SHELL) for page in PAGES for line in page.lines_of("")) > 6


@pytest.mark.parametrize("page", [page for page in PAGES if page.answers], ids=lambda page: page.name)
async def test_quoted_answers_are_those_of_the_program(
    page: Page, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    for line, said in page.answers:
        if "opponent:" not in line:
            await answer_lines(settings, [line])
            printed = [row for row in capsys.readouterr().out.splitlines() if not row.startswith(str(settings.data))]
            assert printed == said.splitlines()


async def test_the_quoted_live_battle_is_that_of_the_chat(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    (asked, said), *_ = DOCS["live-battles.md"].answers
    matchup, _, opponent = asked.removeprefix("/roll ").partition(" opponent:")
    monkeypatch.setattr(live, "new_seed", lambda: "5eed" * 16)
    monkeypatch.setattr(live, "name_of", lambda _interaction: "aaaaaaaa")
    options = {"matchup": matchup, "opponent": "2", "opponent_name": opponent}
    frame = await run(Request("roll", "1", "Alice", "guild:1", options, interaction="1000"), services)
    for turn, dice in enumerate((None, DICE[0], None)):
        assert isinstance(frame, Reply)
        argument = next(button.argument for button in frame.buttons if button.command == "roll on")
        command, typed = ("real dice", {"dice": dice}) if dice else ("roll on", {})
        asks = Request(command, "1", "Alice", "guild:1", typed, argument=argument, interaction=f"{1001 + turn}")
        frame = await run(asks, services)
    assert isinstance(frame, Reply)
    assert [plain(frame.text), *frame.table] == said.splitlines()


async def test_the_picture_in_the_readme_is_current(settings: Settings) -> None:
    (picture,) = re.findall(r"!\[[^\]]+\]\((.*)\)", README.text)
    assert ROOT / picture == FILE
    async with open_services(settings) as services:
        now = phone(await answered(services))
    with Image.open(FILE) as then:
        assert then.size == now.size, "draw it anew: python -m tests.helpers.phone"
        difference = np.abs(np.asarray(now, int) - np.asarray(then.convert("RGB"), int))
    assert difference.mean() < 1, "fonts may differ by a hair between versions, the picture may not"


# What programmers write ------------------------------------------------------------------------------------


async def test_every_json_question_on_the_pages_is_answered(settings: Settings) -> None:
    lines = [line for page in PAGES for line in page.lines_of("json")]
    out = io.StringIO()
    await solve_lines(settings, lines, out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    wrong = [(line, answer) for line, answer in zip(lines, answers, strict=True) if set(answer) == {"error"}]
    assert wrong == []
    questions = {json.loads(line).get("question", "") for line in lines}
    assert questions == {"", *DOCS["api.md"].first_codes("`question`")}


@pytest.mark.parametrize("page", [page for page in PAGES if ">>>" in page.text], ids=lambda page: page.name)
def test_every_python_example_on_the_pages_works(page: Page) -> None:
    done = doctest.testfile(str(page.path), module_relative=False)
    assert done.attempted > 2
    assert done.failed == 0


# What hosts type -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(line.startswith(IN_A_SHELL) for line in page.lines_of(""))]
)
def test_every_shell_line_without_discord_works(page: Page, tmp_path: Path) -> None:
    logs = json.loads((ROOT / "tests" / "data" / "fair.json").read_text())
    (tmp_path / "battle.json").write_text(json.dumps(logs["classic Risk"]))
    shutil.copy(ROOT / "bot" / "live" / "fair.py", tmp_path)
    shutil.copy(ROOT / "tests" / "data" / "foreign" / "harbour.xml", tmp_path / "game.xml")
    lines = [line for line in page.lines_of("") if line.startswith(IN_A_SHELL)]
    if any(word in line for line in lines for word in ("/preset", "backup")):
        lines.insert(0, 'sandtable "/preset save alamo 12 9"')
    for line in lines:
        command, _, file = line.partition(" > ")
        done = run_in_a_shell(shlex.split(command), tmp_path)
        assert done.returncode == 0, (line, done)
        if file:
            (tmp_path / file).write_bytes(done.stdout)


def run_in_a_shell(words: list[str], folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run what a line for the shell says, in a folder that is also the home and has the data."""
    if words[0] == "python3":
        return subprocess.run([sys.executable, *words[1:]], cwd=folder, capture_output=True)
    environment = {"SANDTABLE_DATA": str(folder / "data"), "HOME": str(folder)}
    if words[0] == "echo":
        assert words[2:] == ["|", "sandtable", "solve"]
        return forked.run("bot", "solve", given=words[1].encode(), environment=environment)
    return forked.run("bot", *words[1:], environment=environment, folder=folder)


def test_other_shell_lines_are_parsed() -> None:
    commands = set()
    for page in PAGES:
        for line in page.lines_of(""):
            if "sandtable discord" in line:
                words = shlex.split(line)
                commands.add(read_words(words[words.index("discord") :]).command)
            if line.startswith("docker exec sandtable sandtable "):
                commands.add(read_words(shlex.split(line)[4:]).command)
    assert commands == {"discord", "backup"}


def test_every_page_builds_and_starts_the_image_alike() -> None:
    build, start = re.findall("docker .*", (ROOT / "Dockerfile").read_text())[:2]
    for page in (README, DOCS["hosting.md"]):
        assert {build, start} <= set(page.lines_of(""))


def test_every_environment_variable_on_the_pages_is_a_setting() -> None:
    names = {name.lower() for page in PAGES for name in re.findall(r"SANDTABLE_([A-Z_]+)", page.text)}
    assert len(names) > 4
    assert names <= set(NAMES)


def test_the_invite_link_asks_for_the_permissions_on_the_page() -> None:
    (link,) = [link for link in README.links if "/oauth2/authorize" in link]
    asked = parse_qs(urlsplit(link).query)
    permissions = DOCS["hosting.md"].first_cells("Permission")
    names = [name.lower().replace(" ", "_").replace("channels", "channel") for name in permissions]
    assert asked["scope"] == ["bot applications.commands"]
    assert asked["client_id"] == ["CLIENT_ID"]
    assert int(asked["permissions"][0]) == discord.Permissions(**dict.fromkeys(names, True)).value
    assert all(name in " ".join(README.text.split()) for name in permissions)


# What there is ---------------------------------------------------------------------------------------------


def test_every_setting_of_the_host_is_on_its_page() -> None:
    assert {*DOCS["hosting.md"].first_codes("Setting"), "token"} == set(NAMES)


def test_every_setting_of_a_server_is_on_its_page() -> None:
    page = DOCS["settings.md"]
    assert [name.removesuffix(":") for name in page.first_codes("Setting")] == [
        name for name, setting in SETTINGS.items() if not setting.only_personal
    ]
    personal = [name for name, setting in SETTINGS.items() if setting.exists(ANYBODY)]
    assert [name.removesuffix(":") for name in page.first_codes("Choice")] == personal


def test_every_option_of_a_line_is_on_its_page() -> None:
    pages = {"notation.md": (*OF_SIDES, POOL, *OF_BOTH_SIDES), "axis-and-allies.md": AXIS_OPTIONS}
    for name, options in pages.items():
        words = set(re.findall("[a-z]+", " ".join(DOCS[name].codes)))
        assert {row.word for row in options if not words & {row.word, f"a{row.word}", f"d{row.word}"}} == set(), name


def test_every_command_is_on_its_page() -> None:
    commands = {command.name for command in COMMANDS.values() if command.about}
    listed = {command_in(line)[0] for line in DOCS["commands.md"].first_codes("Command")}
    assert commands == listed
    assert f"**Apps → {tree.battle_odds.name}**" in DOCS["commands.md"].prose


def test_every_screen_of_the_help_is_on_the_page_of_commands() -> None:
    codes = {code.removeprefix("/help ") for code in DOCS["commands.md"].codes}
    assert set(topics(ROOMS)) <= codes


def test_the_layout_on_the_page_is_that_of_the_folders() -> None:
    told: set[str] = set()
    parents: dict[int, str] = {}
    for row in DOCS["contributing.md"].lines_of("text tree"):
        if found := re.match(r"((?:  )*)([a-z_]+(?:\.py|/))", row):
            depth = len(found[1]) // 2
            parents[depth] = parents.get(depth - 1, "") + found[2] if depth else found[2]
            told.add(parents[depth])
    for name in told:
        assert (ROOT / name).exists(), name
    packages = {path.parent for room in ("bot", "solver") for path in (ROOT / room).glob("*/**/__init__.py")}
    modules = {path for room in ("bot", "solver") for path in (ROOT / room).glob("*.py") if path.stem != "__init__"}
    migrations = {path for path in packages if "migrations" in path.parts}
    there = {f"{path.relative_to(ROOT)}/" for path in packages - migrations}
    assert there | {str(path.relative_to(ROOT)) for path in modules} <= told


def test_the_names_on_the_page_for_developers_are_in_the_sources() -> None:
    files = [path for room in ("bot", "solver", "tests") for path in (ROOT / room).rglob("*.py")]
    sources = "".join(path.name + path.read_text() for path in files)
    page = (ROOT / "docs" / "contributing.md").read_text()
    names = re.findall(r"`(_?[A-Z][A-Z_]{3,}|_?[a-z]+(?:_[a-z]+)+)`", page)
    assert (len(names) > 20, [name for name in names if name not in sources]) == (True, [])


# How the pages are made ------------------------------------------------------------------------------------


@every_page
def test_a_page_begins_with_one_sentence_about_what_it_is_for(page: Page) -> None:
    first = page.first_paragraph
    assert re.findall(r"[.!?](?: |$)", first) == ["."], first
    assert first.startswith("Sandtable is" if page is README else "This page")


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    assert len(README.text.splitlines()) <= 150
    assert {f"docs/{name}" for name in DOCS} <= set(README.links)


@every_page
def test_links_of_the_pages_lead_to_existing_targets(page: Page) -> None:
    pages = {other.path: other for other in PAGES}
    for link in page.links:
        address, _, anchor = link.partition("#")
        if not address.startswith("http"):
            file = (page.path.parent / address).resolve() if address else page.path
            assert file.exists(), link
            assert not anchor or anchor in pages[file].anchors, link


@every_page
def test_files_named_on_the_pages_exist(page: Page) -> None:
    words = {word for line in [*page.codes, *page.lines_of("")] for word in line.split()}
    for word in words:
        if re.match(r"(bot|solver|tests|config|docs)/|\.ci/", word):
            assert list(ROOT.glob(word)), word
