"""Names of games and words of special rules choose a variant only if one fits; else they are asked back."""

import pytest

from bot.packs import load
from bot.phrases.canonical import canonical_or_none
from bot.phrases.reader import understand
from bot.phrases.special import MOST_VARIANTS, OPEN
from bot.phrases.vocabulary import vocabularies
from bot.rooms import ROOMS

ASKED = {
    "12 vs 9, he has a fortress": ("12 9 variant:lotr-stronghold", "12 9 variant:fortification", "12 9"),
    "12 gegen 9, er hat den Marschall": ("12 9 variant:marshal", "12 9"),
    "12 contra 9, tiene al mariscal": ("12 9 variant:marshal", "12 9"),
    "12 против 9, у него маршал": ("12 9 variant:marshal", "12 9"),
    "12 vs 9 Castle Risk": ("12 9", "12 9 variant:castle", "12 9 variant:general"),
}
CHOSEN = {
    "Castle Risk, 12 vs 9, he plays the marshal": "12 9 variant:marshal",
    "Castle Risk: 12 vs 9, he has the marshal in a castle": "12 9 variant:castle,marshal",
    "Castle Risk, 12 vs 9, I play the general, he plays the marshal": "12 9 variant:general,marshal",
    "2210: 12 vs 9, I have a naval commander, he has a space station": "12 9 variant:2210-station-one",
    "12 vs 9, no leader": "12 9",
    "12 gegen 9 ohne Anführer": "12 9",
    "12 contra 9 sin líder": "12 9",
    "12 против 9, лидера нет": "12 9",
}


@pytest.mark.parametrize("said", ASKED)
def test_a_word_of_a_special_rule_is_asked_back_with_its_variants(said: str) -> None:
    understood = understand(ROOMS, said)
    assert not understood.line
    assert {offer.line for offer in understood.offers} == {*ASKED[said]}


@pytest.mark.parametrize("said", CHOSEN)
def test_a_variant_is_chosen_where_the_words_leave_one(said: str) -> None:
    assert understand(ROOMS, said).line == CHOSEN[said]


@pytest.mark.parametrize("named", ["castle risk he has the general", "castle risk I play the marshal"])
def test_a_rule_of_the_other_side_is_asked_back(named: str) -> None:
    assert not understand(ROOMS, f"I attack 9 with 12, {named}").line


def test_the_words_of_special_rules_name_variants_and_options() -> None:
    rows = [row for known in vocabularies().values() for some in known.patterns.values() for row in some]
    named = {key for row in rows if row.table in OPEN for key in row.value.split()}
    assert named
    assert named & load().keys()
    assert all(canonical_or_none(ROOMS, f"12 9 {key}") for key in named - load().keys())
    assert max(len(row.value.split()) for row in rows if row.table in OPEN) > MOST_VARIANTS


def test_two_rules_are_joined_to_a_variant_that_exists() -> None:
    pairs = [pack.both.split() for pack in load().values() if pack.both]
    assert pairs
    assert all(len(pair) == 2 and {*pair} <= load().keys() for pair in pairs)
