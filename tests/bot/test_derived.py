"""What installing derives from words and texts: the same as deriving it anew, and known where it is old."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bot import derived, languages
from bot.languages import LANGUAGES, _, speaking
from bot.phrases import vocabulary
from bot.phrases.vocabulary import Vocabulary, vocabularies
from bot.phrases.vocabulary.deriving import derive
from tests.helpers import extent


def values(known: Vocabulary) -> dict[str, Any]:
    """All that a vocabulary knows, with patterns as tuples, which can be compared."""
    rows = {
        name: {
            word: [[getattr(row, field.name) for field in fields(row)] for row in some] for word, some in table.items()
        }
        for name, table in (("patterns", known.patterns), ("anchored", known.anchored))
    }
    return {field.name: getattr(known, field.name) for field in fields(known)} | rows


@pytest.mark.parametrize("code", extent.pick(["de"], sorted(LANGUAGES)))
def test_a_derived_vocabulary_equals_one_derived_anew(code: str) -> None:
    assert values(vocabularies()[code]) == values(derive(vocabulary.FOLDER / f"{code}.toml"))


def test_old_files_are_known_and_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(derived, "CATALOGUES", tmp_path)
    monkeypatch.setattr(vocabulary, "hash_of", lambda _sources: bytes(32))
    monkeypatch.setattr(languages, "_catalogue", languages._catalogue.__wrapped__)
    derived._warn.cache_clear()
    with speaking("de"):
        assert _("Too late") == "Too late", "there is no catalogue"
    known = vocabulary._vocabulary(vocabulary.FOLDER / "de.toml", bytes(32))
    assert "gegen" in known.words
    assert len(caplog.records) == 1
