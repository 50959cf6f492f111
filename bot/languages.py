"""Languages: English stands in the code, and is said here in the language of who reads it, numbers in its style.

    _("{left} left of {whole}", left=3, whole=8)    a text with its placeholders filled in
    _n("{n} round", "{n} rounds", rounds)           one for each number; {n} is the number
    _p("verb", "roll")                              where one English word is several in other languages
    N_("nobody left")                               only marks a text, for a table of texts; _ says it later

Whatever is marked so stands in the catalogues, catalogues/*.po; what is missing there is said in English. Who asks
decides: `speaking` sets the language for all that is said inside it. Never translated are commands and the notation.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, Self

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "es": "Español", "ru": "Русский"}
"""What can be spoken, by its code, and what it calls itself."""
CATALOGUES = Path(__file__).parent / "catalogues"

_spoken = ContextVar("language", default=ENGLISH)


class _Words(NamedTuple):
    """What is said: a text of the catalogues, its plural with the number, its context, and what is filled in."""

    one: str
    many: str = ""
    n: int = 0
    context: str | None = None
    values: dict[str, Any] | None = None
    sentence: bool = False

    def said(self) -> str:
        """In the language of the moment."""
        found = _catalogue(language())
        if not self.one:
            return ""  # Under nothing, catalogues keep what they say about themselves.
        if self.many:
            text = found.ngettext(self.one, self.many, self.n)
        else:
            text = found.pgettext(self.context, self.one) if self.context else found.gettext(self.one)
        if self.values is not None:
            text = text.format_map({name: _again(value) for name, value in self.values.items()})
        return f"{text[0].upper()}{text[1:]}." if self.sentence else text


class Said(str):
    """A text in one language that can be said `again` in another, so that a mistake is told to who made it."""

    _words: _Words

    def __new__(cls, words: _Words) -> Self:
        """Say it in the language of the moment."""
        told = super().__new__(cls, words.said())
        told._words = words
        return told

    def again(self) -> str:
        """The same in the language of this moment."""
        return self._words.said()

    def __reduce__(self) -> tuple[type["Said"], tuple[_Words]]:
        """How it crosses from one process to another."""
        return Said, (self._words,)


def _(text: str, /, **values: Any) -> Said:
    """A text in the language of the moment; with values its placeholders are filled in, such as {left}."""
    return Said(_Words(text, values=values or None))


def _n(one: str, many: str, n: int, /, **values: Any) -> Said:
    """The same by number, which fills in {n}."""
    return Said(_Words(one, many, n, values={"n": n, **values}))


def _p(context: str, text: str, /, **values: Any) -> Said:
    """The same for a text that means different things in different contexts, of which this is one."""
    return Said(_Words(text, context=context, values=values or None))


def N_(text: str) -> str:  # noqa: N802
    """Nothing but a mark: the text is in the catalogues, and `_` will say it."""
    return text


def sentence(part: str) -> Said:
    """A part of a sentence as a sentence of its own."""
    return Said(_Words("{part}", values={"part": part}, sentence=True))


def joined(shape: str, /, **values: Any) -> Said:
    """Texts put together in a shape that is the same in every language, such as "{what}: {reason}"."""
    return _(shape, **values)


def again(text: str) -> str:
    """A text in the language of the moment, as far as it can be said again."""
    return text.again() if isinstance(text, Said) else text


def _again(value: Any) -> Any:
    return again(value) if isinstance(value, str) else value


def number(of: float, digits: int = 1, sign: str = "") -> str:
    """A number with so many decimals in the reader's style: "3.4", "3,4"; `sign` is that of a format: "+", "z"."""
    return _styled(f"{of:{sign}.{digits}f}")


def shortest(of: float, digits: int = 10) -> str:
    """The same with no more decimals than it has: "3", "2.5"."""
    return _styled(f"{of:.{digits}g}")


def in_percent(written: str) -> str:
    """A number that is written already, as a percentage in the reader's style: "79.0%", "79,0 %"."""
    return f"{written}%" if language() == ENGLISH else f"{written} %"


def whole(of: float) -> str:
    """A whole number whose digits stand in groups: "12,000", "12.000"."""
    if language() == ENGLISH:
        return f"{of:,.0f}"
    from babel.numbers import format_decimal

    return format_decimal(round(of), locale=language())


def day(moment: datetime) -> str:
    """A day and its month, short: "22 Nov", "22. Nov."."""
    if language() == ENGLISH:
        return f"{moment:%d %b}"
    from babel.dates import format_skeleton

    return format_skeleton("MMMd", moment, locale=language())


def _styled(told: str) -> str:
    return told.replace("-", "−").replace(".", _point(language()))


def language() -> str:
    """The language of the moment."""
    return _spoken.get()


@contextmanager
def speaking(chosen: str) -> Iterator[None]:
    """Say everything inside in a language, one of LANGUAGES."""
    before = _spoken.set(chosen)
    try:
        yield
    finally:
        _spoken.reset(before)


def in_language(chosen: str, work: Callable[..., Any], *arguments: Any) -> Any:
    """The answer of a plain function that speaks a language: for another process, which hears of no `speaking`."""
    with speaking(chosen):
        return work(*arguments)


def nearest(locale: str | None) -> str:
    """The language for a locale of Discord's, such as "es-419": English where it is none of ours."""
    code = (locale or "").partition("-")[0]
    return code if code in LANGUAGES else ENGLISH


@lru_cache
def _catalogue(chosen: str) -> NullTranslations:
    if chosen == ENGLISH or not (CATALOGUES / f"{chosen}.po").exists():
        return NullTranslations()
    # Only who needs another language waits for the library.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with (CATALOGUES / f"{chosen}.po").open("rb") as file:
        catalogue = read_po(file, chosen, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


@lru_cache
def _point(chosen: str) -> str:
    if chosen == ENGLISH:
        return "."
    from babel.numbers import get_decimal_symbol

    return get_decimal_symbol(chosen)
