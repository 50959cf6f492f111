"""The bot reads its own words: answers pasted whole, their lines, their headlines and their descriptions of battles."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.commands.run import run
from bot.console import request_from
from bot.editions import editions
from bot.games.axis.options import WORDS
from bot.languages import LANGUAGES, speaking
from bot.maps.reading import load_maps
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.dice_options import OPTIONS, QUESTION_WORDS
from bot.phrases.canonical import canonical, canonical_or_none
from bot.phrases.reader import meaning_document, understand
from bot.replies import Reply, full_text
from bot.request import Services
from bot.rooms import ROOMS
from bot.work.engine import drawing
from solver.axis.waves.waves import Waves
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import pick

pytestmark = pytest.mark.texts

NOTATION = Path(__file__).parents[1] / "data" / "notation.txt"
SHIPS = {f"{side}{ship}" for side in ("", "d") for ship in ("fighters", "bombers", "capitals")}
SAID = {
    "Battle": {"stop", "reserve", "rounds", "value", "variant", "luckmodifier", *SHIPS},
    "Path": {"leave", "stop", "variant"},
    "AxisBattle": {"variant", "lowluck", "rounds", "choose"},
    "Waves": {"variant", "lowluck"},
    "Raid": {"variant", "lowluck"},
    "Conquest": set(),
    "Holding": {"hold", "counter"},
}
"""The options that headlines say, by the kinds of battles; what a description says is the same without the variant."""
OTHERWISE_WRITTEN = {
    "behind",
    "bonus",
    "clamp",
    "rerolls",
    "scramble",
    "rerollonce",
    "explosions",
    "leaderbonus",
    "afighters",
    "abombers",
    "acapitals",
    "tech",
}
"""Options that canonical lines have in other words, such as `abonus`, or as units."""
UNITS = {word for edition in editions().values() for word in edition.words}
PLACES = {word for key in load_maps()["classic"].territories for word in key.split("_")}
MORE = (
    "12 9",
    "12 9 stop:4",
    "12 9 dbombers:2",
    "20 > 5 > 4",
    "3 inf 2 arm vs 4 inf",
    "2 des 1 acc vs 2 des variant:1940 kamikaze:2",
    "2 sub 1 des vs 2 des 1 tra",
    "3 inf vs 2 inf then 4 arm",
    "5 bom vs 20",
    "12 fighters:2 bombers:1 vs 9 capitals:3 stop:2 reserve:1 rounds:5",
    "12 9 stop:2 value:6",
    "20 > 5 > 4 leave:0",
    "20 > 5 > 4 > 3 > 2 leave:1,2,3",
    "20 variant:wall > 5 > 4",
    "12 9 variant:lotr-siege",
    "12 9 variant:starwars",
    "6 inf 3 art 4 arm 2 fig 1 bom 1 cru vs 6 inf 1 art 2 fig 1 aa 2 arm 1 bom",
    "3 sub 2 des 1 cru 1 acc 2 fig 1 bat vs 3 des 2 cru 1 bat 2 sub 2 fig 1 acc 3 tra",
    "6 inf 3 art 4 arm 2 fig 1 bom vs 6 inf 1 art 2 fig 1 aa then 5 inf 4 arm 2 fig then hold 8 inf 3 art 2 arm",
    "5 mec 2 tac vs 3 inf variant:1940-pacific",
    "5 bom vs 20 variant:1940",
    "12 9 aclamp:2..5",
    "2 cru vs 2 fig land",
    "3 inf vs 2 inf rounds:1 lowluck",
    "3 inf vs 2 inf rounds:5 lowluck retreat:units<=1",
    "3 inf vs 2 inf rounds:2 then 4 arm",
    "3 inf vs 2 inf lowluck then 4 arm vs 1 fig then hold:last 2 inf",
    "5 bom vs 20 lowluck",
    "6 inf 3 art 4 arm 2 fig 1 bom 1 cru vs 6 inf 1 art 2 fig 1 aa 2 arm 1 bom lowluck rounds:2",
    "20 > 5 > 4 stop:2 late",
    "12 fighters:2 bombers:1 vs 9 capitals:3 late",
    "3 inf vs 2 inf variant:1914 rounds:all",
    "3 inf vs 2 inf variant:1914 rounds:2",
    "2 inf 1 arm choose vs 2 inf 1 fig",
    "2 inf 1 arm vs 2 inf 1 fig choose",
    "2 inf 1 arm choose vs 2 inf 1 fig choose",
    "2 inf 1 arm choose:tuv vs 2 inf 1 fig",
    "2 inf 1 arm vs 2 inf 1 fig choose:tuv",
    "2 inf 1 arm choose:tuv vs 2 inf 1 fig choose:tuv lowluck",
    "2 sub 1 des choose vs 2 des 1 cru rounds:2",
    "2 inf 1 tac vs 2 inf 1 fig choose variant:1940",
)
"""Plain battles, and some that the table of the notation lacks, such as armies too large for a headline."""


ASKED_BACK = (
    "7 4 variant:warzone luckmodifier:16%",
    "3 inf vs 2 inf lowluck then 4 arm vs 1 fig then hold:last 2 inf",
    "20 > 5 variant:wall > 4 leave:1",
    "6 inf 3 art 4 arm 2 fig 1 bom vs 6 inf 1 art 1 aa 2 fig then 5 inf 4 arm 2 fig then hold 8 inf 3 art 2 arm",
)
"""Lines whose headlines are asked back although they have no options that no headline says."""
UNITS_TELL = ("5 mec 2 tac vs 3 inf variant:1940",)
"""Lines of editions that their units tell."""


class Answered(NamedTuple):
    """An answer to a line, in a language."""

    line: str
    language: str
    reply: Reply

    @property
    def kind(self) -> str:
        """The kind of its battle."""
        return kind_of(self.reply.line)

    @property
    def headline(self) -> str:
        """Its first line."""
        return self.reply.text.partition("\n")[0]

    @property
    def description(self) -> str:
        """Its battle in words."""
        return self.headline.split(" · ")[1]

    def hears(self, text: str) -> str:
        """The line that a text means to who speaks its language; "" if that is asked back."""
        return hear(text, self.language)


def kind_of(line: str) -> str:
    """The kind of the battle of a line."""
    battle = parse(line, own_commands=True).battle
    return type(battle.battles[0] if isinstance(battle, Waves) and battle.only else battle).__name__


@cache
def hear(text: str, language: str) -> str:
    """The line that a text means; "" if it is asked back."""
    return canonical_or_none(ROOMS, text.strip()) or understand(ROOMS, text.strip(), language).line


def options_of(line: str) -> set[str]:
    """The options of a line."""
    words = {re.split("[:<>=]", word)[0] for word in line.split()}
    return {word for word in words if word.isalpha()} - UNITS - PLACES - {"vs", "then", "hold"}


@cache
def sample() -> list[str]:
    """Lines of the table of the notation until every option of every game has been there, and some more."""
    seen: set[tuple[str, str]] = set()
    found = []
    rows = [row for row in NOTATION.read_text().splitlines() if not row.startswith("#")]
    for row in sorted(rows, key=lambda row: -len(options_of(row.rpartition(" = ")[2]))):
        typed, sign, line = row.rpartition(" = ")
        if not sign or "place" in typed:
            continue
        has = {(kind_of(line), option) for option in {"", *options_of(line)}}
        if not has <= seen:
            seen |= has
            found.append(line.strip())
    return [*found, *MORE]


@pytest.fixture(scope="module")
def answered() -> Iterator[dict[str, list[Answered]]]:
    """The answers of the languages that were asked for: every test reads the same ones."""
    yield {}
    hear.cache_clear()


@pytest.fixture(params=LANGUAGES)
async def answers(
    request: pytest.FixtureRequest, services: Services, answered: dict[str, list[Answered]]
) -> list[Answered]:
    """The answers to the sample in a language; usually to a part of it, with every kind of battle."""
    if request.param in answered:
        return answered[request.param]
    found = answered.setdefault(request.param, [])
    lines = sample()
    kinds = {kind_of(line): line for line in lines}.values()
    for line in pick([*kinds, *lines[list(LANGUAGES).index(request.param) :: 5 * len(LANGUAGES)]], lines):
        command = "bombing" if line.startswith("5 bom vs 20") else "battle"
        asked = replace(request_from(f"{command} {line}"), reader=request.param, here=request.param)
        with speaking(request.param), drawing(False):
            reply = await run(asked, services)
        assert isinstance(reply, Reply)
        found.append(Answered(canonical(ROOMS, line), request.param, reply))
    return found


def without_marks(text: str) -> str:
    """A text as it is copied from the screen."""
    lines = (line.removeprefix("-# ") for line in re.sub("[*`]", "", text).splitlines())
    return "\n".join(line for line in lines if line)


def test_the_sample_of_answers_has_every_kind_of_question() -> None:
    assert {kind_of(line) for line in sample()} == SAID.keys()


def test_the_sample_of_answers_has_every_option() -> None:
    written = {option for line in sample() for option in options_of(line)}
    absent = {*OPTIONS, *WORDS} - (written | UNITS | OTHERWISE_WRITTEN | QUESTION_WORDS.keys())
    assert not absent, f"no line of {NOTATION.name} has {absent}"


async def test_a_pasted_answer_is_read_as_its_line(answers: list[Answered]) -> None:
    for number, answer in enumerate(answers):
        whole = full_text(answer.reply)
        small_print = whole.rpartition("\n")[2]
        plain = without_marks(whole)
        quoted = "\n".join(f"> {line}" for line in whole.splitlines())
        ways = [whole, plain, quoted, plain.replace("\n", " "), without_marks(small_print)]
        for pasted in pick([ways[number % len(ways)]], ways):
            assert answer.hears(pasted) == answer.line, pasted


async def test_the_line_of_an_answer_is_read_with_and_without_back_ticks(answers: list[Answered]) -> None:
    for answer in answers:
        assert answer.hears(answer.reply.line) == answer.hears(f"`{answer.reply.line}`") == answer.line


async def test_a_pasted_headline_is_read_as_its_battle(answers: list[Answered]) -> None:
    for answer in answers:
        if options_of(answer.line) <= SAID[answer.kind] and answer.line not in ASKED_BACK:
            assert answer.hears(answer.headline) == answer.line, answer.headline
            assert answer.hears(without_marks(answer.headline)) == answer.line


async def test_a_pasted_description_is_read_as_its_battle(answers: list[Answered]) -> None:
    for answer in answers:
        usual = "variant" not in options_of(answer.line) or answer.line in UNITS_TELL
        if options_of(answer.line) <= SAID[answer.kind] and usual and answer.line not in ASKED_BACK:
            assert answer.hears(answer.description) == answer.line, answer.description


async def test_no_pasted_headline_is_read_as_another_battle(answers: list[Answered]) -> None:
    for answer in answers:
        verdict, dot, rest = answer.headline.partition(" · ")
        for text in (answer.headline, without_marks(answer.headline), rest):
            assert answer.hears(text) in ("", answer.line), f"{answer.line}: {text}"
        assert dot, verdict


async def test_no_pasted_description_is_read_as_another_battle(answers: list[Answered]) -> None:
    for answer in answers:
        heard = answer.hears(answer.description)
        by_usual_rules = without_variant(heard) == without_variant(answer.line)
        assert not heard or by_usual_rules, f"{answer.line}: {answer.description}"


def without_variant(line: str) -> str:
    """A line without its game or edition, which a description leaves to the name that stands behind it."""
    return re.sub(r" variant:\S+", "", line)


async def test_a_pasted_answer_works_in_a_command(services: Services) -> None:
    shown = await run(request_from("battle 12 9 bombers:2"), services)
    assert isinstance(shown, Reply)
    again = await run(request_from(f"battle {full_text(shown)}"), services)
    assert isinstance(again, Reply)
    assert (again.line, again.remarks[0]) == (shown.line, "Read as `12 9 bombers:2`.")


@each(
    [
        ("**Attacker wins 78.1%** · 12 against 9 · 2210, commanders 1 v 1", "12 9 variant:2210"),
        ("**Angreifer gewinnt: 50,9 %** · 12 gegen 9 · Legacy, Bunker", "12 9 variant:bunker"),
        ("12 gegen 9, Legacy, Bunker", "12 9 variant:bunker"),
        ("12 vs 9, Castle Risk general", "12 9 variant:general"),
        ("**Takes both territories: 88.4%** · 20 > 5 > 4, leave 1 in each · Wall", "20 variant:wall > 5 > 4 leave:1"),
        ("**Attacker wins 90.1%** · 12 against 9 · Risk with house rules", ""),
        ("**Angreifer gewinnt: 22,1 %** · 3 gegen 4 · Symbolwürfel", ""),
        ("12 against 9, stop at 4 · Legacy, Bunker with house rules", ""),
        ("12 gegen 9, Stopp bei 4, Hausregeln", ""),
        ("12 on 12, ties to the attacker (house rule)", "12 12 ties:attacker"),
        ("40 units against 30 units", ""),
        ("40 юнитов против 30 юнитов", ""),
        ("exact · about 8 rounds · 12 9", "12 9"),
    ]
)
def test_names_of_variants_and_games_are_read_in_every_language(text: str, line: str) -> None:
    assert meaning_document(ROOMS, text).get("line", "") == line


async def test_a_pasted_answer_ignores_the_settings_of_its_new_place() -> None:
    with reading_with(NotationDefaults(game="2210", edition="1940", behind=1)):
        said = understand(ROOMS, "**Attacker wins 79.0%** · 12 against 9 · classic Risk")
        assert said.line == "12 9"
        assert (
            understand(ROOMS, "**Attacker takes it: 79.4%** · 3 inf against 2 inf · A&A 1942").line == "3 inf vs 2 inf"
        )
