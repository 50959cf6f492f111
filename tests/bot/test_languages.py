"""Everybody reads their own language: by their locale, in public by that of the place; numbers in its style."""

import pickle
from datetime import UTC, datetime

import pytest
from babel.dates import format_skeleton
from babel.numbers import format_decimal

from bot.errors import RESTARTING, UserError, reason_of, sentence_of
from bot.languages import (
    LANGUAGES,
    _,
    _n,
    compose,
    day,
    language,
    language_for_locale,
    number,
    retranslate,
    run_in_language,
    sentence,
    short_number,
    speaking,
    whole_number,
)
from solver import Battle, BattleError
from tests import catalogues
from tests.catalogues import Strange, english_in
from tests.helpers.cases import each


@pytest.fixture(autouse=True)
def strange(monkeypatch: pytest.MonkeyPatch) -> None:
    """German is a language in which every text looks strange, whatever the catalogue has."""
    from bot import languages

    real = languages._catalogue
    monkeypatch.setattr(languages, "_catalogue", lambda chosen: Strange() if chosen == "de" else real(chosen))


def test_english_texts_are_those_of_the_code() -> None:
    assert language() == "en"
    assert _("Too late") == "Too late"
    assert _n("{n} round", "{n} rounds", 1) == "1 round"
    assert _n("{n} round", "{n} rounds", 3) == "3 rounds"
    assert (number(3.25), number(-0.04, 1, "z"), number(2, 2, "+"), whole_number(12000)) == (
        "3.2",
        "0.0",
        "+2.00",
        "12,000",
    )
    assert (short_number(80.0), short_number(79.5), number(-3.2)) == ("80", "79.5", "−3.2")


def test_numbers_are_in_the_readers_style() -> None:
    with speaking("ru"):
        assert (number(3.25), short_number(79.5), whole_number(12000)) == ("3,2", "79,5", "12\N{NO-BREAK SPACE}000")
    with speaking("es"):
        assert (number(3.25), whole_number(120000), whole_number(-10000), whole_number(9999)) == (
            *("3,2", "120.000", "-10.000", "9999"),
        )


@each(LANGUAGES)
def test_numbers_and_days_are_as_babel_writes_them(code: str) -> None:
    with speaking(code):
        for month in range(1, 13):
            moment = datetime(2026, month, 5, tzinfo=UTC)
            assert day(moment) == (f"{moment:%d %b}" if code == "en" else format_skeleton("MMMd", moment, locale=code))
        for n in (0, 999, -10_000, 12_000, 1_234_567):
            assert whole_number(n) == format_decimal(n, locale=code)
        assert number(2.5) == format_decimal(2.5, locale=code)


def test_a_mistake_stands_in_the_log_in_english() -> None:
    with speaking("de"):
        error = UserError(_(RESTARTING))
        assert not english_in(error.text)
        assert f"{error}" == RESTARTING


def test_a_translated_text_can_be_translated_back() -> None:
    with speaking("de"):
        told = compose("{what}: {reason}", what=_("draw"), reason=_(RESTARTING))
        assert not english_in(told)
    assert retranslate(told) == "draw: I'm restarting. Ask again in a minute."
    assert retranslate(pickle.loads(pickle.dumps(told))) == retranslate(told)
    assert retranslate("as it is") == "as it is"
    assert sentence(_("nobody left")) == "Nobody left."


def test_an_error_is_translated_and_kept_in_english() -> None:
    with speaking("de"), pytest.raises(UserError) as caught:
        raise UserError(_("There is no help on that."))
    assert retranslate(caught.value.text) == "There is no help on that."


def test_errors_of_the_solver_are_translated() -> None:
    with pytest.raises(BattleError) as caught:
        Battle(-1, 9)
    error = pickle.loads(pickle.dumps(caught.value))
    assert sentence_of(error) == error.sentence
    with speaking("de"):
        assert not english_in(reason_of(error))


def test_an_empty_text_stays_empty_in_every_language() -> None:
    with speaking("ru"):
        assert _("") == ""


def test_braces_in_a_persons_text_are_not_filled_in() -> None:
    assert _("{name} is taken", name="{0.__class__}") == "{0.__class__} is taken"


def test_locales_find_their_language() -> None:
    assert [language_for_locale(one) for one in ("de", "es-ES", "es-419", "ru", "en-GB", "fr", "", None)] == [
        *("de", "es", "es", "ru", "en", "en", "en", "en")
    ]


def test_a_worker_gets_the_language_of_its_question() -> None:
    assert run_in_language("de", language) == "de"
    assert language() == "en"


@each(catalogues.FOREIGN)
def test_every_translation_keeps_placeholders_and_notation(code: str) -> None:
    assert catalogues.broken(code) == []


def test_every_text_has_a_translation_in_every_language() -> None:
    assert [(code, catalogues.lacking(code)) for code in catalogues.FOREIGN] == [
        (code, []) for code in catalogues.FOREIGN
    ]
