"""Whatever somebody types is a reading, a question back or an error of ours; small talk changes no meaning."""

import re
from functools import lru_cache
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from bot.phrases.after.reader import understand_after
from bot.phrases.asking import sentence_for
from bot.phrases.canonical import canonical
from bot.phrases.matching import MOST_SKIPPED
from bot.phrases.meaning import Understood
from bot.phrases.reader import understand
from bot.phrases.tokens import LONGEST_PHRASE, normal_phrase, tokens_of
from bot.phrases.vocabulary import vocabularies
from bot.rooms import ROOMS
from tests.helpers.cases import each
from tests.helpers.extent import examples

CLAUSES = {
    "en": ("my 12 against his 9", "12 9", "I have 2 bombers", "12 9 bombers:2"),
    "de": ("meine 12 gegen seine 9", "12 9", "Stopp bei 4", "12 9 stop:4"),
    "es": ("mis 12 contra sus 9", "12 9", "parar en 4", "12 9 stop:4"),
    "ru": ("мои 12 против его 9", "12 9", "стоп при 4", "12 9 stop:4"),
}
"""A battle in a language and its line; a clause that goes on, and the line of both."""
POLITE = {
    "en": ("please", "hey guys", "thanks"),
    "de": ("bitte", "hallo", "danke"),
    "es": ("por favor", "hola", "gracias"),
    "ru": ("пожалуйста", "привет", "спасибо"),
}
numbers = st.integers(1, 1000)
words = st.deferred(
    lambda: st.sampled_from(sorted(set().union(*(one.words - one.chatter for one in vocabularies().values()))))
)
pieces = words | st.integers(0, 60).map(str) | st.sampled_from([*",.?!>/-:()%&+→⚔🎲", "vs", "d8", "90%"])
# Named by ranges, as hypothesis takes a second to find out which characters there are.
signs = st.sampled_from([*map(chr, [*range(0x500), *range(0x2000, 0x2100), *range(0x1F600, 0x1F650)])])
phrases = st.lists(pieces, max_size=14).map(" ".join) | st.text(signs, max_size=60)


@lru_cache
def noise_of(language: str) -> list[str]:
    """The words that mean nothing, but for those that mean something where they stand alone: "everyone", "roll"."""
    known = vocabularies()[language]
    return sorted(
        known.noise - {word for word, some in known.patterns.items() if any(len(one.elements) == 1 for one in some)}
    )


def check(found: Understood) -> None:
    """A reading is a line that the notation reads as it stands; a question back says what is missing."""
    if found.line:
        assert canonical(ROOMS, found.line) == found.line
    else:
        assert sentence_for(found.why)
    for line, _without in found.offers:
        assert canonical(ROOMS, line) == line


@given(phrases)
def test_any_text_is_read_or_asked_back(text: str) -> None:
    check(understand(ROOMS, text))


@given(
    st.lists(pieces | st.sampled_from(["and with", "more", "he has", "instead", "no", "then", "swap"]), max_size=6),
    st.sampled_from(
        ["12 9 stop:3", "20 > 5 > 4", "3 inf 2 arm vs 4 inf 1 aa", "/bombing 5 bom vs 20", "/compare 9 9 or 8 9 or 7 9"]
    ),
)
def test_any_text_after_an_answer_is_read_or_asked_back(said: list[str], after: str) -> None:
    check(understand_after(ROOMS, " ".join(said), after))


@given(st.text(min_size=LONGEST_PHRASE, max_size=LONGEST_PHRASE * 3))
@examples(30)
def test_a_long_text_is_not_read_at_all(text: str) -> None:
    found = understand(ROOMS, f"12 {text} 9")
    assert (found.line, found.tags) == ("", ()) or len(normal_phrase(f"12 {text} 9")) <= LONGEST_PHRASE


def test_the_work_for_a_phrase_is_bounded() -> None:
    """A pattern looks only so far, and a phrase has only so many words."""
    assert len(tokens_of(normal_phrase("9 " * 5000))) <= LONGEST_PHRASE
    longest = max(
        len(one.elements) for voc in vocabularies().values() for some in voc.patterns.values() for one in some
    )
    assert (longest, MOST_SKIPPED) <= (15, 8)


@each(CLAUSES)
def test_a_battle_with_a_clause_behind_it_is_read(language: str) -> None:
    battle, line, clause, both = CLAUSES[language]
    assert (understand(ROOMS, battle).line, understand(ROOMS, f"{battle}, {clause}").line) == (line, both)


@given(st.sampled_from(list(CLAUSES)), st.data())
def test_noise_between_clauses_does_not_change_the_battle(language: str, data: st.DataObject) -> None:
    battle, _line, clause, both = CLAUSES[language]
    noise = data.draw(st.sampled_from(noise_of(language)))
    for said in (f"{noise} {battle}, {clause}", f"{battle}, {noise}, {clause}", f"{battle}, {clause} {noise}"):
        assert understand(ROOMS, said, language).line in (both, ""), said


@each(CLAUSES)
def test_the_order_of_polite_words_makes_no_difference(language: str) -> None:
    battle, _line, clause, both = CLAUSES[language]
    for first, second, third in permutations(POLITE[language]):
        said = f"{first}, {second} {battle}, {clause} {third}"
        assert understand(ROOMS, said, language).line == both, said


@given(st.sampled_from(list(CLAUSES)), numbers, numbers)
def test_the_line_has_the_numbers_of_the_phrase(language: str, ours: int, theirs: int) -> None:
    said = CLAUSES[language][0].replace("12", str(ours), 1).removesuffix("9") + str(theirs)
    assert understand(ROOMS, said).line == f"{ours} {theirs}"


@given(phrases)
def test_no_line_has_a_number_that_the_phrase_lacks(text: str) -> None:
    found = understand(ROOMS, text)
    if found.line and not found.line.startswith(("/compare", "/place")):
        armies = re.match(r"(?:/\w+ )?(\d+)(?: vs| \d+)", found.line)
        said = [number for tag in found.tags for number in tag.numbers] + [
            int(slot) for tag in found.tags for slot in tag.slots if slot.isdecimal()
        ]
        assert not armies or int(armies[1]) <= sum(said)
