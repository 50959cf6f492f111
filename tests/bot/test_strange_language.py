"""In a language in which every marked text looks strange, nothing that people read is English: no text was forgotten.

What stays: the notation in back-ticks, names of games and people, and what a log holds.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot import languages
from bot.commands.run import run
from bot.console import open_services
from bot.games.axis.help import _variant
from bot.games.dice.chart import _chart
from bot.phrases.pasted_answers import _in_all_languages, game_names
from bot.replies import Form, Reply
from bot.request import Request, Services
from bot.settings import load
from tests.catalogues import Strange, english_in
from tests.helpers.bot.strange_answers import NAMES, UNITS, told

MADE_ONCE = _chart, _in_all_languages, _variant, game_names
BATTLES = [
    "12 9", "12 fighters:1 vs 9 capitals:1", "12 9 stop:4", "12 9 rounds:3 reserve:2", "3 0", "0 3",
    "12 9 value:6", "12 10 capitals:1 advice", "12 9 advice", "12 9 late advice", "1000 1000 exact",
    "12 9 variant:2210", "12 9 late adice:8,6,6", "12 9 ties:both", "2 2 ties:neither",
    "icons AAD,ADD,A,D,-,- 3 4", "icons AA,- 3 4 rounds:2", "3 3 variant:balanced-blitz", "12 9 bombers:9",
    "20 > 5 > 4 > 2 leave:1", "20 > 5 fighters:1 > 4 exact", "3 inf 2 arm 3 fig vs 5 inf 1 aa",
    "4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat", "2 ainf 1 arm 1 bat vs 3 inf",
    "3 inf 2 arm vs 4 inf retreat:units<=2",
    "3 inf 2 arm vs 4 inf then 2 arm then hold 5 inf", "3 inf vs 5 inf deadzone value:4",
    "1 inf vs 1 inf variant:1914",
    "3 inf vs 5 inf retreat:profit<0", "30 inf vs 30 inf lowluck", "12 9 dbonus:1 dclamp:1..6", "2000 2000",
]  # fmt: skip
WRONG = [
    "", "12", "12 9 9", "12 9 bombrs:2", "12 9 stop:x", "12 9 variant:nope", "999999999999 3", "12 9 dice:9v1",
    "foo bar",
    "20 > > 3", "20 > 5 leave:1,2,3", "3 inf vs", "3 inf vs 5 xyz", "3 inf 3 inf vs 5 inf", "12 9 || 3 3 || 4 4",
    "3 inf vs 5 inf loss:arm", "3 inf vs 5 inf retreat:units", "1 sub vs 1 inf", "icons A 3 4", "12 9 clamp:3..1",
    "12 9 abonus:1,1,1,1,1,1", "12 9 90%", "3 inf vs 2 inf keep:9", "12 9 leave:1", "12 9 reshape:0,0,0,0",
]  # fmt: skip
LINES = {
    "battle": [*BATTLES, *WRONG, "12 9 stop:4 || stop:6", "3 inf vs 2 inf || lowluck"],
    "need": ["9", "12 vs", "12 9", "12 9 90%", "9 bombers:1", "6 inf 4 art 3 arm vs 5 inf",
    "90% 6 inf vs 5 inf side:defender", *WRONG[1::6]],
    "table": ["", "12 9", "12 9 bombers:2", "3 inf 2 arm vs 4 inf", *WRONG[2::6]],
    "dice": ["", "3 2", "all bombers:1", "all dice:6v2", "all icons A,D", "3 fighters:1", "3 2 bombers:1",
    "icons AAD,ADD,A,D,-,- 3 4", *WRONG[3::6]],
    "compare": ["12 9 stop:4 || stop:6", "12 9 || 11 9", "5 inf 2 arm vs 4 inf || retreat:profit<0", "12 9",
    "12 9 || 3 inf vs 2 inf",
                "20 > 5 > 4 || 19 > 5 > 4", "3 inf vs 2 inf then hold 2 inf || lowluck"],
    "order": ["3 inf 2 arm 3 fig vs 5 inf 1 aa", "12 9", "3 inf vs 2 inf"],
    "place": ["8 inf 1 fig || 4 inf 2 arm vs 1 inf || 6 inf", "8 inf", "8 inf || 4 inf value:3 || 2 arm hold:2",
    "8 xyz || 3 inf"],
    "bombing": ["5 bom vs 20", "5 bom vs 20 lowluck", "5 bom", "5 vs x", "2 bom vs 20 variant:1940"],
    "roll": ["12 9", "20 > 5 > 4 > 2", "3 inf 2 arm vs 4 inf", "5 bom vs 20", "icons AAD,ADD,A,D,-,- 3 4", "3 0",
             "3 inf vs 2 inf then hold 2 inf", *WRONG[4::6]],
    "help": ["", "axis", "armies", "rolling", "fairness", "setups", "packs", "2210", "1942", "xyz"],
    "preset save": ["alamo 12 9", "alamo 12 8", "x 12 9", "12 9", "inf 12 9"],
    "preset list": [""],
    "preset show": ["alamo", "nobody"],
    "preset change": ["alamo 13 9", "nobody 12 9"],
    "preset note": ["alamo the stand", "alamo"],
    "preset rename": ["alamo rorke", "nobody x"],
    "preset delete": ["rorke", "nobody"],
    "preset export": [""],
    "preset import": ["{}", "nonsense", '{"sandtable": 1}'],
    "luck": ["", "everybody", "everybody tonight", "since:3h", "since:soon"],
    "history list": [""],
    "history open": ["", "abcdefgh"],
    "history export": ["abcdefgh"],
    "history faces": [""],
    "history forget": [""],
    "privacy": [""],
    "verify": ["", "abcdefgh"],
    "settings": ["", "history:off", "history:maybe", "nonsense:1", "game:2210 behind:yes", "show:pictures", "game:221",
    "edition:x", "game:qqqqq", "show:x", "behind:x", "language:x", "setup_role:1", "show:words", "private:yes"],
    "settings games": [""],
    "settings answers": [""],
    "settings records": [""],
}  # fmt: skip


@pytest.fixture(autouse=True)
def strange(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every language is that one here; what was made in it is not left to other tests."""
    monkeypatch.setattr(languages, "_catalogue", lambda _language: Strange())
    for made in MADE_ONCE:
        made.cache_clear()
    yield
    for made in MADE_ONCE:
        made.cache_clear()


@pytest.fixture
async def services(tmp_path: Path, unpainted: None) -> AsyncIterator[Services]:
    async with open_services(load(data=tmp_path)) as opened:
        yield opened


QUESTIONS = ("battle", "need", "table", "dice", "compare", "order", "place", "bombing", "help", "privacy")
"""Commands that leave nothing behind for others."""


@pytest.mark.parametrize(
    "commands",
    [QUESTIONS, *((command,) for command in LINES if command not in QUESTIONS)],
    ids=lambda commands: commands[0],
)
async def test_no_answer_has_english_words_in_another_language(
    commands: tuple[str, ...], services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    english = {}
    if commands == ("preset change",):
        await ask("preset save", "alamo 12 9", services)
    for command in commands:
        for line in LINES[command]:
            found = [*told(await ask(command, line, services))]
            words = [word for text in found for word in english_in(text) if word not in NAMES | UNITS]
            if words:
                english[f"/{command} {line}"] = words
    assert "Traceback" not in caplog.text, "what went wrong is said in any language"
    assert not english, "\n".join(f"{line}: {' '.join(words)}" for line, words in english.items())


async def ask(command: str, line: str, services: Services) -> Reply | Form:
    from bot.commands.typed import TYPED

    options = TYPED.get(command, ())
    values = line.split(maxsplit=len(options) - 1) if len(options) > 1 else [line]
    given = dict(zip(options, [*values, *[""] * len(options)], strict=False))
    request = Request(
        command, "user", "tester", "terminal", given, manages=True, interaction="1", reader="de", here="de"
    )
    return await run(request, services)
