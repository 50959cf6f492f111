"""The files of config/words: every pattern can be filled, and everything in them exists in the notation."""

import tomllib
from collections import Counter
from collections.abc import Callable
from functools import wraps

from bot.editions import editions
from bot.errors import UserError
from bot.packs import load
from bot.phrases.canonical import canonical
from bot.phrases.pieces import SHIPS
from bot.phrases.tag import CHOICES
from bot.phrases.vocabulary import FOLDER, SLOTS, Pattern, Vocabulary, vocabularies
from bot.rooms import ROOMS
from solver import BattleError
from tests.helpers.cases import each

LANGUAGES = sorted(file.stem for file in FOLDER.glob("*.toml"))
NEEDED = {
    *("attacker", "defender", "self", "other", "hold", "with", "against", "onto", "and", "or", "then"),
    *("through", "have", "each", "vague", "men", "unit", "territory"),
}
"""The roles without which nobody can say who attacks whom with what."""
EXAMPLES = {
    "{n}": "2",
    "{n1}": "2",
    "{n-1}": "1",
    "{n+1}": "3",
    "{n2}": "2",
    "{p}": "40%",
    "{d}": "8",
    "{side}": "attacker",
}
UNITS = ("inf", "art", "arm", "fig")
ASKED = (
    *("12 9 {}", "3 4 {}", "20 > 5 > 4 {}", "20 > 5 > 4 > 3 > 2 {}"),
    *("4 inf 3 art 2 arm 2 fig {} vs 5 inf", "3 inf vs 3 inf 2 art 2 arm 2 fig {}", "3 inf 1 fig vs 2 inf 1 aa {}"),
    *("2 sub 2 des {} vs 2 sub 1 acc 1 fig", "2 fig 1 des vs 1 fig 1 sub 1 des 1 acc {}"),
    *(
        "2 des vs 1 sub variant:1940 {}",
        "2 fig vs 1 aa variant:revised {}",
        "/compare 12 9 {}",
        "/dice 10 inf {}",
        "7 4 icons:60% {}",
    ),
)
"""Battles to try an option on."""


def every_language(check: Callable[[Vocabulary], None]) -> Callable[[], None]:
    """Make one test of a check of the words of each language."""

    @wraps(check)
    def check_language(code: str) -> None:
        check(vocabularies()[code])

    return each(LANGUAGES)(check_language)


def patterns(known: Vocabulary, *tables: str) -> list[Pattern]:
    """The patterns of some tables."""
    found = {id(one): one for some in known.patterns.values() for one in some if one.table in tables}
    return list(found.values())


def is_read(line: str) -> bool:
    try:
        return bool(canonical(ROOMS, line))
    except (UserError, BattleError):
        return False


@every_language
def test_every_pattern_fills_every_slot_of_its_option(known: Vocabulary) -> None:
    for pattern in patterns(known, "options"):
        filled = Counter(element.slot for element in pattern.elements if element.slot)
        for slot in SLOTS:
            asked = pattern.value.count(slot)
            assert not asked or filled[slot] in (1, asked), f"{pattern.value}: {pattern.elements}"


@every_language
def test_every_option_of_the_word_files_is_in_the_notation(known: Vocabulary) -> None:
    values = {pattern.value for pattern in patterns(known, "options")}
    for option in {option for value in values for option in value.split(CHOICES)}:
        text = (
            option.rpartition("~")[2]
            .replace("last:air", "loss:fig")
            .replace("last:", "loss:fig,")
            .replace("before:", "loss:")
            .replace("kept:", "loss:")
            .replace("kamikaze:{n}{u}", "kamikaze:{n}")
            .replace("kamikaze:2{u}", "kamikaze:2")
            .replace("losses:", "stop:")
            .replace("loss:air", "loss:fig")
            .replace("scramble:{n}{u}", "scramble:{n}fig")
            .replace("unit:{n1}={n2}/{n3}/{n4}", "unit:arm=2/2/2")
        )
        for unit in UNITS:
            text = text.replace("{u}", unit, 1)
        for slot, example in EXAMPLES.items():
            text = text.replace(slot, example)
        assert any(is_read(line.format(text)) for line in ASKED), option


@every_language
def test_every_variant_of_the_word_files_exists(known: Vocabulary) -> None:
    named = {pattern.value for pattern in patterns(known, "variants")}
    parts = {part for key in load() for part in key.split("-")}  # "lotr" and "stronghold" are "lotr-stronghold"
    assert named <= {"classic", *load(), *editions(), *parts}


@every_language
def test_every_unit_and_ship_exists(known: Vocabulary) -> None:
    short = {unit for edition in editions().values() for unit in edition.words}
    assert {pattern.value for pattern in patterns(known, "units")} <= short
    assert {pattern.value for pattern in patterns(known, "ships")} <= set(SHIPS.values())


@every_language
def test_no_word_is_both_a_unit_and_noise(known: Vocabulary) -> None:
    single = {
        word
        for pattern in patterns(known, "units", "ships")
        if len(pattern.elements) == 1
        for word in pattern.elements[0].words
    }
    assert single & (known.noise | known.chatter) == set()


@every_language
def test_noise_is_made_of_single_words(known: Vocabulary) -> None:
    assert [word for word in known.noise | known.light | known.chatter if "_" in word] == []


@every_language
def test_a_language_has_the_roles_that_every_language_needs(known: Vocabulary) -> None:
    roles = {pattern.value for pattern in patterns(known, "roles")}
    assert NEEDED - roles == set()
    assert any(role.startswith("attack-") for role in roles) or "attack" in roles


@every_language
def test_a_language_knows_its_numbers(known: Vocabulary) -> None:
    assert set(range(1, 21)) <= set(known.numbers.values())


@each(LANGUAGES)
def test_no_entry_of_a_word_file_has_a_word_twice(code: str) -> None:
    tables = tomllib.loads((FOLDER / f"{code}.toml").read_text())
    for name, table in tables.items():
        for key, entry in table.items():
            words = entry.split() if isinstance(entry, str) else entry
            assert [word for word, count in Counter(words).items() if count > 1] == [], f"[{name}] {key}"
