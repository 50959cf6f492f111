"""Languages: translates the English texts of the code into the reader's language, and writes numbers in its style.

    _("{left} left of {whole}", left=3, whole=8)    a text with its placeholders filled in
    _n("{n} round", "{n} rounds", rounds)           one for each number; {n} is the number
    _p("verb", "roll")                              where one English word is several in other languages
    N_("nobody left")                               only marks a text, for a table of texts; _ translates it later

The translations of marked texts are in the catalogues, catalogues/*.po, which are compiled when the package is
installed (catalogues/build.py); a text without a translation stays English.
`speaking` sets the current language for everything inside it. Commands and the notation are never translated.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import Any, NamedTuple, Self

from bot.derived import CATALOGUES, hash_of, read_derived


class Style(NamedTuple):
    """How a language names itself, and writes numbers and days; digits of numbers below `grouped` are in no groups."""

    name: str
    decimal: str
    group: str
    percent: str
    day: str
    months: str
    grouped: int = 1_000


ENGLISH = "en"
STYLES = {
    ENGLISH: Style("English", ".", ",", "%", "{day:02} {month}", "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
    "de": Style(
        *("Deutsch", ",", ".", " %", "{day}. {month}"),
        "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
    ),
    "es": Style(
        *("Español", ",", ".", " %", "{day} {month}"),
        "ene feb mar abr may jun jul ago sept oct nov dic",
        grouped=10_000,
    ),
    "ru": Style(
        *("Русский", ",", "\N{NO-BREAK SPACE}", " %", "{day} {month}"),
        "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.",
    ),
}
LANGUAGES = {code: style.name for code, style in STYLES.items()}
"""The languages of the bot: each code with the language's own name."""

_spoken = ContextVar("language", default=ENGLISH)


class _Source(NamedTuple):
    """The English source of a translation: the text, its plural and number, its context, and its placeholders."""

    singular: str
    plural: str = ""
    n: int = 0
    context: str | None = None
    values: dict[str, Any] | None = None
    sentence: bool = False

    def in_current_language(self) -> str:
        """Translate the text and fill in its placeholders."""
        catalogue = _catalogue(language())
        if not self.singular:
            return ""  # Catalogues keep their own header under the empty text.
        if self.plural:
            text = catalogue.ngettext(self.singular, self.plural, self.n)
        else:
            text = catalogue.pgettext(self.context, self.singular) if self.context else catalogue.gettext(self.singular)
        if self.values is not None:
            text = text.format_map({name: retranslate(value) for name, value in self.values.items()})
        return f"{text[0].upper()}{text[1:]}." if self.sentence else text


class _Texts(NamedTuple):
    """A text in each language."""

    texts: Mapping[str, str]

    def in_current_language(self) -> str:
        """Return the text of the current language."""
        return self.texts[language()]


class Translation(str):
    """A translated text that can be translated again, because an error may be shown to a reader of another language."""

    _source: _Source | _Texts

    def __new__(cls, source: "_Source | _Texts") -> Self:
        """Translate `source` into the current language."""
        text = super().__new__(cls, source.in_current_language())
        text._source = source
        return text

    def __reduce__(self) -> tuple[type["Translation"], tuple[_Source | _Texts]]:
        """Pickle the source, so that another process can translate it again."""
        return Translation, (self._source,)


def _(text: str, /, **values: Any) -> Translation:
    """Translate a text into the current language; `values` fill in its placeholders, such as {left}."""
    return Translation(_Source(text, values=values or None))


def _n(singular: str, plural: str, n: int, /, **values: Any) -> Translation:
    """Translate a text with singular and plural; the number `n` chooses the form and fills in {n}."""
    return Translation(_Source(singular, plural, n, values={"n": n, **values}))


def _p(context: str, text: str, /, **values: Any) -> Translation:
    """Translate a text that has several meanings; `context` says which one is meant."""
    return Translation(_Source(text, context=context, values=values or None))


def N_(text: str) -> str:  # noqa: N802
    """Mark a text for the catalogues and return it unchanged; `_` translates it later."""
    return text


def sentence(part: str) -> Translation:
    """Make a part of a sentence a whole sentence, with a capital letter and a full stop."""
    return Translation(_Source("{part}", values={"part": part}, sentence=True))


def compose(shape: str, /, **values: Any) -> Translation:
    """Put texts together in a shape that is equal in every language, such as "{what}: {reason}"."""
    return _(shape, **values)


def join_texts(between: str, parts: Sequence[str]) -> Translation:
    """Join texts with a sign that is equal in every language; the whole can be translated again."""
    named = {f"part{place}": part for place, part in enumerate(parts)}
    return compose(between.join(f"{{{name}}}" for name in named), **named)


def in_each_language(texts: Mapping[str, str]) -> Translation:
    """Return a text of which each language has one, such as a name on a map."""
    return Translation(_Texts(texts))


def retranslate(text: Any) -> Any:
    """Translate a text into the current language if it is a `Translation`; return anything else unchanged."""
    return text._source.in_current_language() if isinstance(text, Translation) else text


def number(of: float, digits: int = 1, sign: str = "", kind: str = "f") -> str:
    """Write a number with `digits` decimals in the reader's style: "3.4", "3,4".

    `sign` is a format sign: "+", "z". With the kind "g" they are digits in all, and no more than it needs.
    """
    return f"{of:{sign}.{digits}{kind}}".replace("-", "−").replace(".", _style().decimal)


def short_number(of: float, digits: int = 10) -> str:
    """Write a number in the reader's style with no more decimals than it needs: "3", "2.5"."""
    return number(of, digits, kind="g")


def in_percent(written: str) -> str:
    """Add the percent sign to a written number in the reader's style: "79.0%", "79,0 %"."""
    return written + _style().percent


def whole_number(of: float) -> str:
    """Write a whole number with its digits in groups, in the reader's style: "12,000", "12.000"."""
    style, whole = _style(), round(of)
    return f"{whole:,}".replace(",", style.group) if abs(whole) >= style.grouped else str(whole)


def day(moment: datetime) -> str:
    """Write a day and its month in short: "22 Nov", "22. Nov."."""
    style = _style()
    return style.day.format(day=moment.day, month=style.months.split()[moment.month - 1])


def language() -> str:
    """Return the code of the current language."""
    return _spoken.get()


@contextmanager
def speaking(chosen: str) -> Iterator[None]:
    """Make one of LANGUAGES the current language inside the block."""
    before = _spoken.set(chosen)
    try:
        yield
    finally:
        _spoken.reset(before)


def run_in_language(chosen: str, work: Callable[..., Any], *arguments: Any) -> Any:
    """Run a plain function with `chosen` as the current language, in a worker process that does not know it."""
    with speaking(chosen):
        return work(*arguments)


def load_languages() -> None:
    """Load the texts and the style of numbers of all languages, which happens otherwise when one is first spoken."""
    for code in LANGUAGES:
        with speaking(code):
            sentence(whole_number(1000) + number(0.5))


def language_for_locale(locale: str | None) -> str:
    """Return the language for a locale of Discord's, such as "es-419"; English if it is not one of ours."""
    code = (locale or "").partition("-")[0]
    return code if code in LANGUAGES else ENGLISH


@lru_cache
def _catalogue(chosen: str) -> NullTranslations:
    if chosen == ENGLISH or not (CATALOGUES / f"{chosen}.po").exists():
        return NullTranslations()
    content, _fresh = read_derived(f"{chosen}.mo", hash_of([CATALOGUES / f"{chosen}.po"]))
    return GNUTranslations(BytesIO(content)) if content else NullTranslations()


def _style() -> Style:
    return STYLES[language()]
