"""Phrases that people type, and what they mean: how many are understood, and how few wrongly."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.phrases.after.reader import document_after
from bot.phrases.canonical import canonical
from bot.phrases.reader import meaning_document
from bot.rooms import ROOMS
from solver.path.odds import PathOdds
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import pick

pytestmark = pytest.mark.texts

DATA = Path(__file__).parents[2] / "data"
COLLECTIONS = [
    ("phrases.jsonl", pick(3, 1), 0.97, 0.01),
    ("phrases_own.jsonl", pick(40, 1), 0.96, pick(0.005, 0.001)),
    # Written to be misread: asking back is enough.
    ("phrases_tricky.jsonl", pick(3, 1), 0.0, 0.0),
]
"""Each file, every which of its phrases is read, the least share to understand and the most to answer wrongly."""


def phrases_of(name: str, step: int) -> list[dict[str, str | None]]:
    """Phrases of a file, one a line: as said, and the line that they mean, or null where nobody could know."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines() if line.strip()][::step]


def heard(phrase: Mapping[str, str | None]) -> str:
    """The line that the reader understands; "" if it asks back."""
    return str(meaning_document(ROOMS, str(phrase["say"])).get("line", ""))


def is_same(line: str, meant: str) -> bool:
    """Tell whether two lines ask the same: two battles with the same odds are the same battle."""
    if line == meant:
        return True
    if line.startswith("/") or meant.startswith("/"):
        return False
    first, second = (parse(text, takes=("exact", "all", "advice")).battle for text in (line, meant))
    return type(first) is type(second) and bool(chances(first) == pytest.approx(chances(second), abs=1e-12))


def chances(battle: Any) -> list[float]:
    """The chances of both sides to win, or of the attacker to take the territories of a path."""
    solving = ROOMS.of(battle).solving
    assert solving
    function, arguments = solving.work(battle, False, 10**12)
    odds = function(*arguments)
    return [*odds.takes] if isinstance(odds, PathOdds) else [odds.attacker_wins, odds.defender_wins]


def test_follow_ups_change_the_battle_of_the_answer_before_them() -> None:
    right, phrases = 0, phrases_of("after.jsonl", pick(4, 1))
    for phrase in phrases:
        line = document_after(ROOMS, str(phrase["say"]), str(phrase["after"])).get("line")
        meant = canonical(ROOMS, phrase["means"]) if phrase["means"] else None
        assert line in (meant, None), phrase
        right += line == meant
    assert right >= 0.95 * len(phrases)


@each(COLLECTIONS)
def test_collected_phrases_are_hardly_ever_read_wrongly(name: str, step: int, least: float, most_wrong: float) -> None:
    phrases = phrases_of(name, step)
    lines = {str(phrase["say"]): heard(phrase) for phrase in phrases}
    clear = {str(phrase["say"]): canonical(ROOMS, phrase["means"]) for phrase in phrases if phrase["means"]}
    wrong = {say: lines[say] for say, meant in clear.items() if lines[say] and not is_same(lines[say], meant)}
    asked_back = [say for say in clear if not lines[say]]
    assert len(wrong) <= most_wrong * len(phrases), wrong
    assert len(asked_back) + len(wrong) <= (1 - least) * len(clear), asked_back
    assert {say: line for say, line in lines.items() if line and say not in clear} == {}, (
        "nobody can know what is meant"
    )
