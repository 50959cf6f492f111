"""The words that phrases are made of, from config/words: one file for each language.

Installing the package derives the vocabularies (bot/catalogues/build.py). Where a source has changed since, or the host
has rule packs of its own, they are derived when they are first needed.
"""

import pickle
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from bot import packs
from bot.derived import CATALOGUES, hash_of, read_derived
from bot.host_files import data_folders
from bot.phrases.vocabulary.deriving import derive
from bot.phrases.vocabulary.patterns import Element, Pattern
from bot.phrases.vocabulary.rows import FIRST, SLOTS, Vocabulary
from bot.settings import CONFIG

__all__ = ["FIRST", "FOLDER", "SLOTS", "Element", "Pattern", "Vocabulary", "sources", "vocabularies", "word_files"]
FOLDER = CONFIG / "words"


@lru_cache
def vocabularies() -> Mapping[str, Vocabulary]:
    """Return the words of all languages by their codes, the first language first."""
    files = word_files()
    if len(data_folders(packs.FOLDER, packs.OWN)) > 1:
        return {file.stem: derive(file) for file in files}
    source_hash = hash_of(sources())
    return {file.stem: _vocabulary(file, source_hash) for file in files}


def word_files() -> list[Path]:
    """Return the files of words, that of the first language first."""
    return sorted(FOLDER.glob("*.toml"), key=lambda file: (file.stem != FIRST, file.stem))


def sources() -> list[Path]:
    """Return the files from which the vocabularies are derived: words, rules, translations and code."""
    data = [file for folder in (FOLDER, packs.FOLDER) for file in sorted(folder.glob("*.toml"))]
    code = [*sorted(Path(__file__).parent.glob("*.py")), Path(__file__).parents[1] / "tokens.py"]
    return [*data, *sorted(CATALOGUES.glob("*.po")), *code]


def _vocabulary(file: Path, source_hash: bytes) -> Vocabulary:
    packed, fresh = read_derived(f"{file.stem}.words", source_hash)
    if not fresh:
        return derive(file)
    known: Vocabulary = pickle.loads(packed)
    return known
