"""No table is wider than a phone: whatever is asked, in every language, and whatever words a language has."""

import re
from dataclasses import replace
from functools import lru_cache
from gettext import NullTranslations

import pytest

from bot import languages
from bot.charts import RankedPlayer
from bot.commands.luck import _ranking_table
from bot.commands.run import run
from bot.console import press_request, request_from
from bot.editions import editions
from bot.games.axis.help import HELP
from bot.games.dice import chart
from bot.languages import LANGUAGES, _, speaking
from bot.replies import Reply, full_text, line_of
from bot.request import Services
from bot.words.narrow import WIDEST, fold, narrow, with_texts
from bot.work.engine import drawing
from solver.luck import TotalLuck
from tests.helpers.extent import pick

pytestmark = pytest.mark.texts

LAND = "3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa"
GREAT = "30 inf 12 art 10 arm 5 fig 3 bom vs 40 inf 6 art 4 arm 6 fig 2 aa"
SEA = "4 sub 2 des 3 fig 1 acc 2 bat vs 3 des 2 cru 1 bat 2 sub 2 fig 1 acc"
WAVES = (
    "6 inf 3 art 4 arm 2 fig 1 bom vs 6 inf 1 art 2 fig 1 aa then 5 inf 4 arm 2 fig then hold 8 inf 3 art 2 arm "
    "then 4 arm 3 fig"
)
PATH = "20 > 5 fighters:1 > 4 dbonus:1,1 dclamp:1..6 arerolls:2 ties:attacker > 3 dice:2v1"
SIX_TERRITORIES = (
    "8 inf 3 art 2 fig || 4 inf 2 arm 1 bom vs 1 inf 1 aa value:3 || 6 inf 3 art 2 fig vs 2 inf || 2 arm "
    "|| 3 inf 1 fig || 2 inf || 5 inf 1 arm vs 1 inf"
)
ARMIES = (
    "12 inf 4 art 3 arm 2 fig || 6 inf 4 art 4 arm 2 fig 1 bom vs 3 inf 1 art 1 aa 1 fig "
    "|| 6 inf 3 arm 2 fig vs 2 inf 1 art || 5 inf 4 art"
)
ICONS = "icons AAD,ADD,A,D,-,-"
ASKED = [
    "battle 12 9", "battle 1000 900", "battle 12 9 stop:4", "battle 20 > 5 > 4 > 2 leave:1", f"battle {PATH}",
    "battle 1000 > 500 > 200 > 7", f"battle {ICONS} 3 4", f"battle {LAND}", f"battle {GREAT}", f"battle {SEA}",
    "battle 200 inf 150 art 100 arm vs 300 inf 90 art", f"battle {WAVES}", "battle 2 ainf 1 arm 1 bat vs 3 inf",
    "battle 4 sub 2 des 3 fig vs 3 des 2 cru 1 sub then 3 sub 2 fig 1 bat then hold 2 sub 2 des",
    "battle 3 inf 2 arm vs 4 inf retreat:units<=2",
    "need 12 fighters:1 vs", "need 9 bombers:1", "need 6 inf 4 art 3 arm vs 5 inf", "need 99% 2 inf vs 5 inf",
    "need 90% 6 inf 5 art 4 arm 3 fig 2 bom vs 5 inf 2 art 2 fig side:defender",
    "need 60% 12 inf 5 art 4 arm 3 fig 2 bom vs 15 inf 2 art 2 fig 1 aa",
    "table", "table 12 9", "table 1000 1000", f"table {LAND}",
    "dice 3 2", "dice 3", "dice 6 dice:6v6", "dice 6 6 dice:6v6", f"dice {ICONS} 3 4", f"dice {ICONS} 12 12",
    f"dice {ICONS} 5", "dice all", "dice all dice:4v4 adice:20,20,20,20 ddice:8,8,8,8", "dice all bombers:1",
    "need 6 inf 4 art 3 arm vs 5 inf 2 art then hold 4 inf 1 arm",
    "need 3 sub 2 des vs 2 des 1 cru then 2 fig side:defender",
    "table 3 inf 2 arm vs 4 inf then hold 3 inf",
    "order 6 inf 4 art 3 arm 4 fig vs 5 inf 3 art 1 arm then hold 6 inf 3 arm 2 fig",
    f"order {LAND}", "order 2 sub 2 des 3 fig 1 acc vs 2 des 2 cru 1 bat 2 fig",
    "order 6 inf 3 art 4 arm 2 fig 1 bom vs 6 inf 1 art 2 fig 1 bom 2 arm",
    "order 5 inf 2 arm loss:arm,inf vs 4 inf 1 art retreat:profit<0",
    "place 8 inf 1 fig || 4 inf 2 arm vs 1 inf || 6 inf", f"place {SIX_TERRITORIES}", f"place {ARMIES}",
    "bombing 5 bom vs 20", "bombing 50 bom vs 20", "bombing 50 bom vs 100", "bombing 2 bom vs 20 variant:1940",
    "help 1914", "help 1940", "help 1942", "help packs", "help lotr",
    "battle 12 9 and_a_word_that_nobody_knows_in_a_line_which_is_very_long bombers:1 fighters:2",
]  # fmt: skip
COMPARED = ["12 9 stop:4 || stop:6", f"{GREAT} || lowluck", f"{SEA} || lowluck", f"{WAVES} || lowluck", f"{PATH} || 30"]
ROLLED = [
    "12 9", "1000 90", "12 9 dice:6v6 abonus:1 dclamp:2..5", "20 > 5 > 4 > 2", "100 > 20 > 10 dice:5v5 abonus:1",
    f"{ICONS} 3 4", f"{ICONS} 30 34", "icons AAAADDD,ADDDDD,AAAA,D,-,AADDDAA 7 7", LAND, GREAT, SEA, WAVES,
    "12 inf 8 arm 3 fig 2 bom 2 cru 2 bat vs 15 inf 3 art 2 arm 3 fig 2 aa",
    "3 inf 2 arm vs 4 inf retreat:units<=2", "5 bom vs 20", "50 bom vs 20",
    "120 siam, 90 peru > 13 indonesia, 12 new guinea, 11 western australia, 10 eastern australia, 12 brazil",
    "20 china, 12 siam > 3 afghanistan, 4 middle east, 3 india most",
]  # fmt: skip
SPOKEN = list(LANGUAGES)
LISTS = "history list", "luck", "luck everybody tonight", "history faces"
NAME = "Wilhelmina Featherstonehaugh-Cholmondeley"


def code_lines(reply: Reply) -> list[str]:
    """The lines in letters of one width."""
    blocks = full_text(reply).split("```")[1::2]
    return [line for block in blocks for line in block.strip("\n").splitlines()]


def too_wide(reply: Reply) -> list[str]:
    return [line for line in code_lines(reply) if len(line) > WIDEST]


async def answer(line: str, services: Services, language: str = "en") -> Reply:
    """The answer to a person with a long name in a language, a battle rolled to its end."""
    request = replace(request_from(line), user_name=NAME, reader=language, here=language)
    with speaking(language), drawing(False):
        reply = await run(request, services)
        while isinstance(reply, Reply) and (out := [one for one in reply.buttons if one.command == "roll out"]):
            reply = await run(press_request(out[0], request), services)
    assert isinstance(reply, Reply)
    return reply


async def all_ends(reply: Reply, services: Services, language: str = "en") -> list[Reply]:
    """All ends of the battle of an answer, in every order there is."""
    if not any(button.command == "ends" for button in reply.buttons):
        return []
    asked = request_from(f"battle {line_of(full_text(reply))}")
    with speaking(language), drawing(False):
        found = [await run(replace(asked, command=order), services) for order in ("ends", "ends money", "ends winner")]
    return [one for one in found if isinstance(one, Reply)]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_table_is_wider_than_a_phone(language: str, services: Services) -> None:
    for line in pick(ASKED[SPOKEN.index(language) :: 3 * len(SPOKEN)], ASKED):
        shown = await answer(line, services, language)
        answers = [shown, *await all_ends(shown, services, language)]
        assert any(map(code_lines, answers)), line
        for one in answers:
            assert not too_wide(one), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_of_a_unit_is_cut_in_the_help(language: str) -> None:
    with speaking(language):
        shown = HELP.variants() if HELP.variants else {}
        for edition in editions().values():
            words = " ".join(shown[edition.key].table).split()
            names = [_(unit.name.replace("_", " ")) for unit in edition.rules.units]
            assert not [name for name in names if not set(name.split()) <= set(words)], edition.key


async def test_no_table_of_two_plans_is_wider_than_a_phone(services: Services) -> None:
    for line in COMPARED:
        for language in pick(SPOKEN[COMPARED.index(line) % 4 :][:1], SPOKEN):
            shown = await answer(f"compare {line}", services, language)
            assert code_lines(shown)
            assert not too_wide(shown)


async def test_no_unit_of_an_ending_stands_alone_on_a_second_line(services: Services) -> None:
    """Without columns both sides fit on one line."""
    whole = "3 inf 1 art 1 arm 2 fig 1 bom"
    for language in LANGUAGES:
        lines = code_lines(await answer(f"battle {whole} vs 4 inf 1 art 1 arm 2 fig 1 bom 1 aa", services, language))
        assert lines[2].endswith("  – / 1 inf 1 art 1 arm 2 fig 1 bom")
        assert len(lines) == 8
    columns = code_lines(await answer("battle 3 inf 1 arm 2 fig vs 4 inf", services))
    assert columns[0].split() == ["attacker", "left", "defender", "left"]


async def test_no_live_battle_or_history_is_wider_than_a_phone(services: Services) -> None:
    for language in LANGUAGES:
        for line in pick(ROLLED[SPOKEN.index(language) :: 2 * len(SPOKEN)], ROLLED):
            over = await answer(f"roll {line}", services, language)
            assert code_lines(over)
            assert not too_wide(over)
    for language in LANGUAGES:
        for line in pick(LISTS[SPOKEN.index(language) :: len(SPOKEN)], LISTS):
            shown = await answer(line, services, language)
            assert len(code_lines(shown)) > (1 if "everybody" in line else 5)
            assert not too_wide(shown)


async def test_no_list_of_presets_is_wider_than_a_phone(services: Services) -> None:
    await answer(f"preset save a-name-of-thirty-two-letters-long {GREAT}", services)
    await answer("preset save alamo 12 9", services)
    await answer(f"preset note alamo {'remember ' * 20}", services)
    file = (await answer("preset export", services)).file
    assert file
    changed = file.text.replace("30 inf", "31 inf").replace("remember", "forget").replace('"alamo"', '"rorke"')
    for language in LANGUAGES:
        shown = await answer("preset list", services, language)
        assert len(code_lines(shown)) > 5
        assert not too_wide(shown)
        with speaking(language):
            plan = await run(
                replace(request_from("preset import"), options={"file": changed, "replace": "yes"}), services
            )
        assert isinstance(plan, Reply)
        assert len(code_lines(plan)) > 4
        assert not too_wide(plan)


class Wordy(NullTranslations):
    """English with very long words: each says itself twice."""

    def gettext(self, message: str) -> str:
        return re.sub(r"(?<![\w{])([a-z]{3,})(?![\w}])", r"\1\1", message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@pytest.fixture
def wordy(services: Services, monkeypatch: pytest.MonkeyPatch) -> Services:
    """The services of a bot whose words are all long; templates of pictures made with them are not left to others."""
    monkeypatch.setattr(languages, "_catalogue", lambda chosen: Wordy())
    monkeypatch.setattr(chart, "_chart", lru_cache(chart._chart.__wrapped__))
    return services


async def test_tables_with_long_words_are_no_wider_than_a_phone(wordy: Services) -> None:
    for line in [line for line in ASKED if not line.startswith("help")][:: pick(12, 1)]:
        shown = await answer(line, wordy)
        for one in (shown, *await all_ends(shown, wordy)):
            assert not too_wide(one), line


async def test_live_battles_with_long_words_are_no_wider_than_a_phone(wordy: Services) -> None:
    for line in (*(f"roll {line}" for line in ROLLED[:: pick(8, 1)]), *LISTS):
        assert not too_wide(await answer(line, wordy)), line


def test_a_table_that_fits_is_unchanged() -> None:
    assert narrow([["", "won", "left"], ["A", "79.0%", "4"], ["B", "9.0%", "12"]], "<>>") == (
        "     won  left",
        "A  79.0%     4",
        "B   9.0%    12",
    )


def test_headings_are_folded_first() -> None:
    cells = [["", "attacker takes it", "defender keeps what is theirs"], ["A", "79.0%", "2 inf 1 art"]]
    assert narrow(cells, "<><") == (
        "                      defender keeps what",
        "   attacker takes it  is theirs",
        "A              79.0%  2 inf 1 art",
    )


def test_cells_are_folded_and_a_number_stays_with_its_unit() -> None:
    cells = [["", "won", "left"], ["A", "79.0%", "12 inf 3 art 10 arm 12 fig 3 bom 2 sub"], ["B", "9.0%", "2 inf"]]
    assert narrow(cells, "<><") == (
        "     won  left",
        "A  79.0%  12 inf 3 art 10 arm 12 fig 3 bom",
        "            2 sub",
        "B   9.0%  2 inf",
    )


def test_columns_without_room_stand_below_their_row() -> None:
    heads = ["die", "highest", "second", "third", "fourth", "fifth", "sixth"]
    assert narrow([heads, ["6", *["99.9%"] * 6]], ">" * 7) == (
        "die  highest  second  third  fourth  fifth",
        "  6    99.9%   99.9%  99.9%   99.9%  99.9%",
        "",
        "die  sixth",
        "  6  99.9%",
    )


def test_texts_stand_behind_their_rows_or_below() -> None:
    numbers = [["win", "TUV"], ["79.0%", "+4.3"], ["100%", "−12.0"]]
    assert with_texts(numbers, ">>", ["order", "inf art", "art inf"]) == (
        "  win    TUV  order",
        "79.0%   +4.3  inf art",
        " 100%  −12.0  art inf",
    )
    long = " ".join(f"{count} inf" for count in range(1, 13))
    assert with_texts(numbers, ">>", ["order", "inf art", long]) == (
        "  win    TUV\n  order",
        "79.0%   +4.3\n  inf art",
        " 100%  −12.0\n  1 inf 2 inf 3 inf 4 inf 5 inf 6 inf\n    7 inf 8 inf 9 inf 10 inf 11 inf 12 inf",
    )


def test_a_word_longer_than_a_line_is_broken() -> None:
    assert fold("x" * 100) == ["x" * 42, "  " + "x" * 40, "  " + "x" * 18]


def test_a_ranking_of_many_battles_fits_a_phone_in_every_language() -> None:
    totals = TotalLuck(123_456, -1234.5, 100.0, -12.3, 1e-9), TotalLuck(5, 0.0, 1.0, 0.0, 0.99999)
    for language in LANGUAGES:
        with speaking(language):
            rows = _ranking_table([RankedPlayer(NAME, total) for total in totals], 7)
        assert max(map(len, rows)) <= WIDEST
        assert len(rows) >= 4
