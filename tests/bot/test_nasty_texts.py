"""Texts that are made to hold the event loop, which all people share: the work for each is bounded."""

import asyncio
import time
from collections.abc import Callable
from itertools import cycle, islice
from typing import Any

import pytest

from bot.commands.battle import MOST_PIECES
from bot.commands.error_help import guess_topic
from bot.commands.suggest import suggest
from bot.games.conquest.notation import changes
from bot.games.conquest.notation.map_line import MOST_WORDS
from bot.games.placing.notation import parse_placing
from bot.maps import map as maps
from bot.notation import reading
from bot.notation.lexer import LONGEST_LINE, LONGEST_TEXT, normal
from bot.notation.mistakes import MatchupError, numbers_of
from bot.notation.reading import is_notation
from bot.phrases import spelling
from bot.phrases.reader import understand
from bot.phrases.spelling import MOST_COMPARED
from bot.phrases.tokens import LONGEST_PHRASE, MOST_TOKENS
from bot.phrases.vocabulary import vocabularies
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.work.limits import Slots
from tests.helpers.bot.asked_texts import LONGEST_MESSAGE, timed_turns, ways
from tests.helpers.bot.lines import parse, parse_plans, read_raid
from tests.helpers.bot.nasty_texts import nasty_texts
from tests.helpers.cases import each
from tests.helpers.extent import pick

GROWS = "\ufdfa"
"""A character that is read as 18 letters."""
SHARE = pick(1, 11)
"""The number of texts for each way of asking."""
PLENTY = 2.0
"""Processor seconds for work that takes a hundredth of that, unless it grows with the square of a text."""


def count_calls(monkeypatch: pytest.MonkeyPatch, where: object, name: str) -> list[tuple[Any, ...]]:
    """Collect the arguments of all calls of a function."""
    calls: list[tuple[Any, ...]] = []
    function = getattr(where, name)

    def counted(*given: Any) -> Any:
        calls.append(given)
        return function(*given)

    monkeypatch.setattr(where, name, counted)
    return calls


@each(
    [
        (read, text)
        for read in [parse, parse_plans, read_raid, lambda text: changes.read_board_line(text, {})]
        for text in [GROWS * 400, f"12 siam > {GROWS * 400}", f"12 9 {GROWS * 400}"]
    ]
)
def test_a_line_that_grows_by_normalizing_is_too_long(read: Callable[[str], object], text: str) -> None:
    assert len(text) < LONGEST_LINE
    with pytest.raises(MatchupError, match="at most"):
        read(text)


def test_a_normalized_line_keeps_the_limit_of_length() -> None:
    assert len(normal(GROWS * LONGEST_TEXT)) <= LONGEST_TEXT


def test_few_words_are_compared_to_tell_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finding the language of mistyped words compares the first of them with all words, the rest with few."""
    calls = count_calls(monkeypatch, spelling, "similar")
    for name, text in nasty_texts(LONGEST_PHRASE, seed=3):
        calls.clear()
        understand(ROOMS, text)
        assert len(calls) <= len(vocabularies()) * MOST_COMPARED + 2 * MOST_TOKENS, name
        assert sum(len(words) for _text, words, _most in calls) < 400_000, name


def test_a_phrase_of_too_many_words_is_refused() -> None:
    assert understand(ROOMS, "> " * (MOST_TOKENS + 1)).why == "too long"


@each(["a" * 30_000, "a-" * 15_000, "ab" * 15_000 + "=", "9" * 30_000, "a " * 15_000])
def test_long_words_are_read_quickly(text: str) -> None:
    begun = time.thread_time()
    numbers_of(text)
    is_notation(ROOMS, text, MatchupError("", 0, 0, ""))
    guess_topic(ROOMS, text)
    assert time.thread_time() - begun < PLENTY


@each(["\n" * 30_000, " /" * 15_000])
def test_long_gaps_are_read_quickly(text: str) -> None:
    begun = time.thread_time()
    with pytest.raises(MatchupError):
        parse_placing(text)
    assert time.thread_time() - begun < PLENTY


def test_a_long_name_is_compared_by_its_first_words(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_calls(monkeypatch, maps, "common_form")
    line = "12 siam > " + "austrailia " * 90
    with pytest.raises(MatchupError):
        reading.read_in_room(ROOMS, next(room for room in ROOMS if "conquer" in room.commands), line, {})
    letters = sum(len(text) for (text,) in calls if "austrailia" in text)
    assert letters < 20 * MOST_WORDS * len(line)


async def test_suggestions_correct_only_the_typed_line(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of forty candidates is read once, and only the typed line is corrected."""
    calls = count_calls(monkeypatch, reading, "_read_battle")
    await suggest(Request("battle", "1", "Alice", "user:1", {"matchup": "9 " * 45}), services)
    assert len(calls) < 60


async def test_the_menu_of_a_message_does_not_block_the_loop(services: Services) -> None:
    """The menu of a message tries each sentence; the loop turns in between."""
    find = next(way for way in ways() if way.name == "the menu of a message")
    with timed_turns() as turns:
        await find.ask(services, "3 bombrs agianst 4 tnaks. " * MOST_PIECES)
    assert turns.number >= MOST_PIECES


async def test_texts_of_one_person_hold_up_no_other_person(services: Services) -> None:
    """Twenty messages of one person take turns with what another asks."""
    slots, answered = Slots(), list[str]()
    by_name = {way.name: way for way in ways()}

    async def ask(person: str, way: str, text: str) -> None:
        async with slots.slot(person):
            await by_name[way].ask(services, text)
        answered.append(person)

    text = "3 bombrs agianst 4 tnaks. " * MOST_PIECES
    flood = [asyncio.create_task(ask("Mallory", "the menu of a message", text)) for _message in range(20)]
    await asyncio.sleep(0)
    with timed_turns() as turns:
        await ask("Alice", "a line as JSON", "12 9")
    assert turns.number <= 3
    assert "Mallory" not in answered
    await asyncio.gather(*flood)
    assert len(answered) == 21


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [text for _name, text in nasty_texts(LONGEST_MESSAGE, seed=2)]


@pytest.mark.parametrize("part", range(4))
async def test_every_nasty_text_is_answered_soon(part: int, texts: list[str], services: Services) -> None:
    """Each way gets its share of the texts here; the benchmarks ask everything, and know how soon."""
    for place, way in [*enumerate(ways())][part::4]:
        some = [*islice(cycle(texts), SHARE * place, SHARE * (place + 1))]
        begun = time.thread_time()
        for text in some:
            for size in way.sizes:
                await way.ask(services, text[:size])
        assert time.thread_time() - begun < len(some) * PLENTY, way.name
