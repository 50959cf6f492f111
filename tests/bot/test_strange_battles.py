"""Live battles in other languages: all see the frames in that of the place, who pressed hears the rest in their own;
what is logged is the same in all, and what bot/live/fair.py finds in a log can be said in them.
"""

import re
from collections.abc import AsyncIterator
from copy import deepcopy
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot import languages
from bot.commands.live import log_of, render_frame
from bot.commands.run import run
from bot.console import open_services
from bot.games.live import LATE
from bot.languages import day, speaking
from bot.live import fair, replay
from bot.replies import Form, Reply
from bot.request import Request, Services
from bot.settings import load
from tests.catalogues import Strange, english_in, texts_in
from tests.helpers.bot.frozen_logs import LOGS
from tests.helpers.bot.lines import check
from tests.helpers.bot.strange_answers import NAMES, UNITS, told

ASKED = count(8)
"""The ids of what is asked."""


@pytest.fixture(autouse=True)
def strange(monkeypatch: pytest.MonkeyPatch) -> None:
    """German is a language in which every text looks strange."""
    real = languages._catalogue
    monkeypatch.setattr(languages, "_catalogue", lambda chosen: Strange() if chosen == "de" else real(chosen))


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    async with open_services(load(data=tmp_path)) as opened:
        yield opened


async def asks(
    services: Services, command: str, argument: str = "", reader: str = "de", **options: str
) -> Reply | Form:
    """Somebody's answer where German is spoken."""
    request = Request(command, reader, "tester", "guild:1", options, argument=argument, reader=reader, here="de")
    return await run(replace(request, message="7", interaction=str(next(ASKED))), services)


def pressed(reply: Reply | Form, command: str) -> str:
    """What a button of a frame knows."""
    assert isinstance(reply, Reply), "frames are no forms"
    return next(button.argument for button in reply.buttons if button.command == command)


def assert_all_is_strange(reply: Reply | Form, *same: str) -> None:
    """Nothing is English, but for names, for what is the same everywhere, and for hashes."""
    texts = [re.sub("|".join(["[0-9a-f]{8,}", *map(re.escape, same)]), " ", text) for text in told(reply)]
    words = [word for text in texts for word in english_in(text) if word not in NAMES | UNITS]
    assert not words, " ".join(words)


@pytest.mark.parametrize(
    ("line", "ending"),
    [("3 2", "roll out"), ("3 inf 2 arm vs 4 inf", "retreat"), ("2 sub 1 des vs 2 cru", "roll out")],
)
async def test_a_live_battle_is_in_the_language_of_its_place(line: str, ending: str, services: Services) -> None:
    begun = await asks(services, "roll", matchup=line)
    form = await asks(services, "ask dice", pressed(begun, "ask dice"))
    frames = [begun, form]
    if ending == "roll out":
        frames.append(await asks(services, "roll on", pressed(begun, "roll on")))
    name = pressed(begun, "roll on").split(":")[0]
    turn = len((await services.store.battles.find(name)).rolls)  # type: ignore[union-attr]
    over = await asks(services, ending, f"{name}:{turn}")
    frames += [over, await asks(services, "verify", battle=name), await asks(services, "history list")]
    frames += [await asks(services, "history open", battle=name), await asks(services, "history export", battle=name)]
    record = await services.store.battles.find(name)
    assert record
    with speaking("de"):
        today = day(record.battle.started_at)
    for shown in frames:
        assert_all_is_strange(shown, name, line, today)
    assert record.battle.ended
    log = log_of(record)
    assert check(log) == []
    with speaking("de"):
        assert log_of(record) == log


async def test_a_late_press_is_refused_in_the_readers_language(services: Services) -> None:
    begun = await asks(services, "roll", matchup="3 2", open="yes")
    await asks(services, "roll on", pressed(begun, "roll on"))
    late = await asks(services, "roll on", pressed(begun, "roll on"), reader="en")
    assert isinstance(late, Reply)
    assert late.aside == LATE
    assert not english_in(late.text)


async def test_a_refreshed_battle_is_in_the_language_of_its_place(services: Services) -> None:
    begun = await asks(services, "roll", matchup="3 inf vs 2 inf")
    name = pressed(begun, "roll on").split(":")[0]
    english = await render_frame(name, services)
    assert english
    assert english.text.startswith("⚔️ **Attacker takes it")
    await services.store.set_settings("guild:1", {"language": "de"})
    strange = await render_frame(name, services)
    assert strange
    assert_all_is_strange(strange, name)


async def test_wrong_dice_are_refused_in_the_readers_language(services: Services) -> None:
    for dice in ["6 6 6 6 vs 1", "1 2", "x", "7 1 1 vs 1 1"]:
        begun = await asks(services, "roll", matchup="12 9 bombers:1 late", open="yes")
        refused = await asks(services, "real dice", pressed(begun, "ask dice"), reader="en", dice=dice)
        assert isinstance(refused, Reply)
        assert refused.failed
        assert english_in(refused.text)
        assert refused.text.isascii()
        assert_all_is_strange(await asks(services, "real dice", pressed(begun, "ask dice"), dice=dice))


async def test_an_erased_name_is_the_same_in_every_log(services: Services) -> None:
    begun = await asks(services, "roll", matchup="3 2")
    name = pressed(begun, "roll on").split(":")[0]
    await asks(services, "roll out", f"{name}:0")
    await asks(services, "history forget")
    record = await services.store.battles.find(name)
    assert record
    with speaking("de"):
        assert log_of(record)["people"] == {"1": "somebody"}


# What is found in a log ------------------------------------------------------------------------------------


def test_the_english_verdict_on_a_log_is_that_of_fair_py() -> None:
    """In the chat hashes stand in back-ticks, so that no sign in them is taken for markup."""
    for log in LOGS.values():
        assert "\n".join(replay.report_lines(log)).replace("`", "") == fair.report(log, by_rules=True)


def test_the_english_problems_of_a_log_are_those_of_fair_py() -> None:
    for wrong in (["it is garbled"], _everything_wrong(), 40 * ["roll 3: it is garbled"]):
        assert replay.problem_list(wrong) == fair.problem_list(wrong)


def test_every_problem_of_a_log_can_be_translated() -> None:
    found = _everything_wrong()
    assert [replay.translate_finding(finding) for finding in found] == found
    with speaking("de"):
        said = [replay.translate_finding(finding) for finding in found]
        verdicts = ["\n".join(replay.report_lines(log)) for log in LOGS.values()]
    fields = {*LOGS["classic Risk"], *LOGS["classic Risk"]["rolls"][0], "real", "retreat", "press", "keep"}
    for told_wrong in said:
        assert set(english_in(told_wrong)) <= fields
    for verdict in verdicts:
        assert not english_in(verdict.split("\n", 1)[1].rsplit("\n", 1)[0])


def test_problems_of_logs_of_every_kind_are_tested() -> None:
    problems = {text for finding in _everything_wrong() for text in _texts(finding)}
    texts = {text for text, _context, _line in texts_in(Path(fair.__file__))}
    unfinished = {**LOGS["classic Risk"], "seed": None, "ended": fair.MODERATOR, "people": {"1": "Alice"}}
    first = unfinished["rolls"][0]
    undone = [{**first, "forgotten": True}, {**first, "real": True}, {"undo": 2}]
    unfinished |= {"press": {}, "rolls": [*undone, {"mistyped": True, "moderator": True}]}
    results = [finding for log in (*LOGS.values(), unfinished) for finding in fair.results(log, by_rules=True)]
    reports = {text for finding in results for text in _texts(finding)}
    assert problems | reports == texts


def _texts(finding: Any) -> list[str]:
    if not isinstance(finding, fair.Finding):
        return []
    return [finding.text, *(text for value in finding.values.values() for text in _texts(value))]


def _everything_wrong() -> list[str]:
    """Findings of every kind."""
    found = [*fair.problems([]), *fair.problems({**LOGS["classic Risk"], "battle": None})]
    found += fair.problems({**LOGS["classic Risk"], "seed": 64 * "0"}, [["3d6", "2d6"]])
    changes: list[dict[str, Any]] = [
        {"line": "1 1"}, {"message": "0"}, {"rules": 3}, {"more": float("nan")}, {"n": 9}, {"attack": "x"},
        {"retreat": True}, {"choice": {}},
        {"choice": {}, "retreat": True, "attack": [], "defence": [], "dice": ["", ""]},
        {"dice": 1}, {"dice": ["1d6", "1d6"]}, {"dice": ["3d1", "2d6"]}, {"attack": [7, 1, 1]}, {"real": 1},
        {"defence": [7, 7], "real": True}, {"attack": [7, 7, 7], "real": True}, {"defence": [1, 6]},
        {"defence": [6, 1]}, {"attack": [1, 2, 3]}, {"attack": [3, 2, 1]}, {"press": "everybody"}, {"keep": "attacker"},
        {"undo": 1, "attack": [], "defence": [], "dice": ["", ""]},
        {"mistyped": True, "attack": [], "defence": [], "dice": ["", ""]},
    ]  # fmt: skip
    for change in changes:
        log = deepcopy(LOGS["classic Risk"])
        log["rolls"][0] |= change
        found += fair.problems(log, [["3d6", "2d6"]])
    log = deepcopy(LOGS["classic Risk"])
    log["rolls"].append(None)
    return list(dict.fromkeys([*found, *fair.problems(log, [["3d6", "2d6"]])]))
