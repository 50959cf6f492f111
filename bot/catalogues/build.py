"""Compiles the catalogues and derives the vocabularies while the package is installed.

    python -m bot.catalogues.build

The build hook runs it (solver/compiled/build_hook.py), and tests run it where a source has changed.
"""

import pickle
from io import BytesIO

from bot.derived import CATALOGUES, hash_of, is_fresh, write_derived
from bot.languages import ENGLISH, LANGUAGES
from bot.phrases.vocabulary import sources, word_files
from bot.phrases.vocabulary.deriving import derive


def build() -> None:
    """Make each file that is old or not there."""
    for language in LANGUAGES:
        if language != ENGLISH:
            _compile_catalogue(language)
    source_hash = hash_of(sources())
    for file in word_files():
        if not is_fresh(f"{file.stem}.words", source_hash):
            write_derived(f"{file.stem}.words", source_hash, pickle.dumps(derive(file)))


def _compile_catalogue(language: str) -> None:
    source = CATALOGUES / f"{language}.po"
    source_hash = hash_of([source])
    if is_fresh(f"{language}.mo", source_hash):
        return
    # Only this needs Babel, which the program itself does without.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        catalogue = read_po(file, language, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    write_derived(f"{language}.mo", source_hash, compiled.getvalue())


if __name__ == "__main__":
    build()
