"""The page that checks dice in a browser says the same as fair.py; this is tested without a browser."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.live import fair
from bot.live.fair import link, problems
from bot.live.page import page, page_headers
from tests.catalogues import PAGE, renewed_page, texts_in
from tests.helpers.bot import verify_vectors
from tests.helpers.bot.verify_vectors import VECTORS, expected_sayings
from tests.helpers.cases import each

HELPER = Path(verify_vectors.__file__).with_name("said_by_page.js")
IN_NODE = """
const {readFileSync} = require("fs"), {runInThisContext} = require("vm");
const [page, helper, vectors] = process.argv.slice(1).map(name => readFileSync(name, "utf8"));
runInThisContext(page.match(/<script>([^]*)<\\/script>/)[1] + helper);
console.log(JSON.stringify(saidByPage(vectors)));
"""


def test_fair_py_says_of_each_log_what_the_file_says() -> None:
    lines = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    logs = [line["log"] for line in lines if isinstance(line, dict)]
    changed = [line for line in lines if isinstance(line, list)]
    assert len(logs) >= 40
    assert len({tuple(line[:4]) for line in changed}) >= 1000
    texts = [*((text, 0, 0, "") for text in logs), *((logs[line[0]], *line[1:4]) for line in changed)]
    assert [verify_vectors.said(verify_vectors.changed(*text)) for text in texts] == expected_sayings()


def test_the_file_has_each_sentence_of_fair_py() -> None:
    every = "\n".join(line for lines in expected_sayings() for line in lines)
    sentences = [text for text, _context, _line in texts_in(Path(fair.__file__)) if isinstance(text, str)]
    patterns = {text: re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)) for text in sentences}
    missing = {text for text, pattern in patterns.items() if not re.search(pattern, every)}
    assert missing == {"Every roll follows the rules, and none is missing."}, "only that needs the rules of games"


@pytest.mark.trial
def test_the_page_says_the_same_in_node() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    done = subprocess.run([node, "-e", IN_NODE, PAGE, HELPER, VECTORS], capture_output=True, check=True)
    assert json.loads(done.stdout) == expected_sayings()


def test_the_page_has_its_texts_in_all_languages_and_the_hash_of_its_script() -> None:
    assert PAGE.read_text() == renewed_page(), "python -m tests.catalogues writes them"


def test_the_page_asks_for_nothing_and_runs_only_its_own_script() -> None:
    text = page().text
    assert not re.search(r"\bon\w+=|https?:|\bsrc=|<link|@import|\burl\(|fetch|XMLHttp|innerHTML|eval\(", text)
    policy = page_headers()["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


@each([1.0, -0.0, 1e300, [1, {"a": [0.5]}], float("nan"), float("inf")])
def test_an_entry_with_a_float_has_no_hash(value: Any) -> None:
    with pytest.raises(ValueError, match=r"float|int"):
        link("0" * 64, {"n": 1, "choice": value})
    log = verify_vectors.entries(verify_vectors.TYPED)
    log["rolls"][0]["note"] = value
    assert "roll 1: it can't be hashed: it has a number that is not whole, or is nested too deeply" in problems(log)


def test_a_roll_is_taken_back_once_even_by_one_press() -> None:
    undone = {**verify_vectors.BARE, "undo": 1, "interaction": "1"}
    twice = "roll 3: it takes back what is not the last roll, or not real dice of the same player"
    assert problems(verify_vectors.entries(verify_vectors.TYPED, undone)) == []
    assert problems(verify_vectors.entries(verify_vectors.TYPED, undone, undone)) == [twice]
