"""The page that checks dice, in a real browser: what people do with it, on a phone, in the dark, with keys alone."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.discord_app.http.server import InteractionServer
from bot.languages import LANGUAGES
from tests.catalogues import PAGE
from tests.helpers import browser as browsers
from tests.helpers.bot import verify_vectors
from tests.helpers.bot.fair_twin import logs, rolled
from tests.helpers.bot.verify_vectors import TYPED, VECTORS, entries, expected_sayings
from tests.helpers.browser import Tab
from tests.helpers.extent import pick
from tests.helpers.servers import free_port

pytestmark = pytest.mark.trial

HELPER = Path(verify_vectors.__file__).with_name("said_by_page.js")
AXE = Path(browsers.__file__).with_name("axe") / "node_modules" / "axe-core" / "axe.min.js"
VERDICT = "document.getElementById('verdict').textContent"


WRONG = "axe.run().then(({violations}) => violations.map(({id, nodes}) => [id, nodes[0].html]))"


@pytest.fixture(scope="module")
def browser() -> Iterator[str]:
    with browsers.browser() as address:
        yield address


@pytest.fixture
async def tab(browser: str) -> AsyncIterator[Tab]:
    """The page opened from a disk; at the end it has loaded nothing else, and nothing was wrong or forbidden."""
    async with browsers.new_tab(browser) as opened:
        await opened.open(PAGE.as_uri())
        yield opened
        await opened.run("1")
        assert (opened.requests, opened.faults) == ([PAGE.as_uri()], [])


def file_of(log: Any, folder: Path) -> Path:
    # Browsers do not report that the same file is chosen again.
    file = folder / f"battle-{len(list(folder.iterdir()))}.json"
    file.write_text(json.dumps(log, indent=1))
    return file


async def test_the_page_says_in_a_browser_what_fair_py_says(tab: Tab) -> None:
    await tab.run(HELPER.read_text())
    assert await tab.run(f"saidByPage({json.dumps(VECTORS.read_text())})") == expected_sayings()


async def test_a_log_is_chosen_dropped_or_pasted(tab: Tab, tmp_path: Path) -> None:
    log = logs()["classic Risk"]
    await tab.choose_file("file", file_of(log, tmp_path))
    await tab.until(f"{VERDICT} === '✓ All 35 dice are right.'")
    shown = await tab.run("document.querySelector('main').textContent")
    for value in (log["message"], log["commitment"], log["rolls"][-1]["hash"][:8], "b1", "12 9"):
        assert value in shown
    log["rolls"][2]["attack"][1] = 6
    await tab.drop(file_of(log, tmp_path))
    await tab.until(f"{VERDICT} === '✗ This log has problems:'")
    assert "roll 3: attacking die 2 should be 3, not 6" in await tab.run("document.querySelector('main').textContent")
    third = await tab.run("document.querySelectorAll('#rolls > li')[2].textContent")
    assert "✗ attacking die 2 should be 3, not 6" in third
    await tab.run("part('log').value = '[1'; part('log').dispatchEvent(new ClipboardEvent('paste'))")
    await tab.until(f'{VERDICT} === "✗ This can\'t be read: it is not JSON."')


async def test_without_scripts_the_page_says_what_to_do(tab: Tab) -> None:
    await tab.call("Emulation.setScriptExecutionDisabled", value=True)
    await tab.call("Page.reload")
    said = "Open this page in a browser: its script does not run here."
    await tab.until(f"document.querySelector('noscript p')?.innerText === '{said}'")
    tab.requests.pop()


async def test_keys_alone_are_enough(tab: Tab) -> None:
    await tab.press("Tab", "Tab")
    await tab.call("Input.insertText", text=json.dumps(logs()["a hundred sides, where many bytes are left out"]))
    await tab.press("Tab", "Enter")
    await tab.until("document.activeElement.id === 'verdict'")
    await tab.press("Tab", "Enter")
    await tab.until("document.querySelectorAll('details[open] li').length > 2")
    made = await tab.run("document.querySelector('details[open]').textContent")
    first = logs()["a hundred sides, where many bytes are left out"]["rolls"][0]
    assert f"|b3|{first['interaction']}"[3:] in made
    assert f"mod 100 + 1 = {first['attack'][0]}" in made


async def test_what_nobody_can_prove_is_said(tab: Tab, tmp_path: Path) -> None:
    ended = {"ended": "moderator", "people": {"1": "<b>Alice"}}
    undone = {"attack": [], "defence": [], "dice": ["", ""], "undo": 1}
    await tab.choose_file("file", file_of(entries(TYPED, undone, TYPED, more=ended), tmp_path))
    await tab.until(f"{VERDICT}.length")
    shown = await tab.run("document.querySelector('main').textContent")
    assert "A moderator ended it." in shown
    assert shown.count("Real dice, typed in: nobody can prove them.") == 2
    assert shown.count("Taken back: it counts for nothing.") == 1
    assert "Pressed by <b>Alice (1)" in shown
    await tab.choose_file("file", file_of(logs()["a battle that goes on"], tmp_path))
    await tab.until(f"{VERDICT} === \"… The battle isn't over, so its dice can't be checked yet.\"")


async def test_the_page_fits_a_phone_in_every_language(tab: Tab, tmp_path: Path) -> None:
    log = rolled(3, "icons AAD,ADD,A,D,-,- 45 40") | {"people": {"180000000000000001": "W" * 32}}
    log["rolls"][0]["choice"] = {"shares": {"a" * 40: ["b" * 40]}}
    await tab.choose_file("file", file_of(log, tmp_path))
    await tab.until(f"{VERDICT}.length")
    titles = set()
    for language in LANGUAGES:
        await tab.run(f"part('language').value = '{language}'; part('language').dispatchEvent(new Event('change'))")
        assert await tab.run("document.documentElement.lang") == language
        assert await tab.run("document.documentElement.scrollWidth") == browsers.PHONE["width"], language
        titles.add(await tab.run("document.title"))
    assert len(titles) == len(LANGUAGES)


async def test_the_page_is_accessible_in_the_light_and_in_the_dark(tab: Tab, tmp_path: Path) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/helpers/axe")
    await tab.run(AXE.read_text())
    backgrounds = set()
    log = logs()["dice from the table, and a retreat"]
    for scheme in ("light", "dark"):
        await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for sign, shown in (("✓", log), ("✗", log | {"message": "5"})):
            await tab.choose_file("file", file_of(shown, tmp_path))
            await tab.until(f"{VERDICT}.startsWith('{sign}')")
            await tab.run("for (const roll of part('rolls').children) roll.style.contentVisibility = 'visible'")
            await tab.run("for (const details of document.querySelectorAll('details')) details.open = true")
            assert await tab.run(WRONG) == []
        backgrounds.add(await tab.run("getComputedStyle(document.body).backgroundColor"))
    assert len(backgrounds) == 2


async def test_the_page_works_where_sandtable_http_shows_it(browser: str, tmp_path: Path) -> None:
    async def hear(_: dict[str, Any]) -> None:
        raise AssertionError("nothing is asked")

    server, port = InteractionServer("00" * 32, hear), free_port()
    async with server.serve("127.0.0.1", port), browsers.new_tab(browser) as tab:
        await tab.open(f"http://127.0.0.1:{port}/verify")
        await tab.choose_file("file", file_of(logs()["classic Risk"], tmp_path))
        await tab.until(f"{VERDICT} === '✓ All 35 dice are right.'")
        assert (tab.requests, tab.faults) == ([f"http://127.0.0.1:{port}/verify"], [])
    await server.close()


async def test_a_log_with_very_many_wrong_dice_takes_the_place_of_what_was_shown(tab: Tab, tmp_path: Path) -> None:
    log = logs()["classic Risk"]
    await tab.choose_file("file", file_of(log, tmp_path))
    await tab.until(f"{VERDICT} === '✓ All 35 dice are right.'")
    log["rolls"] = [
        {key: value for key, value in log["rolls"][0].items() if key != "dice"}
        | {"attack": [1] * pick(40_000, 200_000)}
    ]
    await tab.choose_file("file", file_of(log, tmp_path))
    await tab.until(f"{VERDICT} === '✗ This log has problems:'")
    assert await tab.run("document.querySelectorAll('.problems').length") == 2 * 21
    assert await tab.run("document.querySelectorAll('.attack b').length") == 5000
