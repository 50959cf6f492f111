"""The errors about lines: each shows the line with a caret under the wrong word, and the corrected line."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from bot.errors import UserError
from bot.languages import _, compose
from bot.names import nearest

MOST_MISTAKES = 4
"""The most mistakes of a line that are corrected, one after another."""
_NAMES = re.compile(r"variant ?[:=] ?\S+|(?<![^\W\d_])[^\W\d_]++-\w+")
_OPEN_LIST = re.compile(r"(variant ?[:=] ?\S+?)[,+ ]+$")
_LOOSE_COMMA = re.compile(r" *,(?= *(?:>|$))")
LONGEST_SHOWN = 40
"""The most letters of a line around its mistake; a mark before and behind stands for the rest."""

_correcting = ContextVar("correcting", default=True)


@contextmanager
def without_corrections() -> Iterator[None]:
    """Look for no corrected lines inside: that takes longer than the reading, and nobody is shown these mistakes."""
    token = _correcting.set(False)
    try:
        yield
    finally:
        _correcting.reset(token)


class MatchupError(UserError):
    """The error for a line that is no battle: it has a caret under the wrong part, and the corrected line.

    `instead` may stand in place of the wrong part, empty where nobody knows; `better` is the line put right as far as
    that can be done, and empty where it cannot. `certain` says that the line can only be notation, whatever words are
    in it.
    """

    certain = False

    def __init__(self, line: str, start: int, end: int, reason: str, instead: str = "", better: str = "") -> None:
        self.line, self.start, self.end, self.reason = line, start, end, reason
        self.better = f"{line[:start]}{instead}{line[end:]}".replace(" ,", ",") if instead else better
        first = max(start - 20, 0)
        last = first + LONGEST_SHOWN
        before, after = "…" * (first > 0), "…" * (last < len(line))
        shown = f"{before}{line[first:last]}{after}"
        carets = " " * _width(before + line[first:start]) + "^" * max(_width(line[start : min(end, last)]), 1)
        shape = "```\n{shown}\n{carets}\n```\n{reason}"
        super().__init__(compose(shape, shown=shown, carets=carets, reason=reason) if line else reason)


class UnknownWordError(MatchupError):
    """The error for a word that means nothing."""


class WrongCommandError(MatchupError):
    """The error for a word that works only with another command."""


def _any_word(_word: str) -> bool:
    """Let every word go."""
    return True


def with_correction(
    error: MatchupError, read: Callable[[str], object], whole: str = "", may_go: Callable[[str], bool] = _any_word
) -> MatchupError:
    """Give an error a `better` line that `read` takes, with the other mistakes corrected too; empty if there is none.

    If nothing near the wrong word has a meaning, and the error is about the `whole` line, that is the line without the
    words that mean nothing. Its numbers stay: without one of them it would be another battle. So do the words that
    cannot go, such as those of other games: somebody asks for them.
    """
    if not _correcting.get():
        return error
    error.better = _readable(error.better, read)
    if replaces_numbers(whole or error.line, error.better):
        error.better = ""
    if not error.better and error.line == whole:
        drops = may_go if isinstance(error, UnknownWordError) else None
        error.better = _readable(_line_without(error, drops or _any_word), read, drops)
        if error.better and isinstance(error, UnknownWordError):
            reason = not_understood(whole[error.start : error.end], error.better)
            return MatchupError(error.line, error.start, error.end, reason, better=error.better)
    return error


def replaces_numbers(line: str, better: str) -> bool:
    """Tell whether a corrected line has other numbers in place of those typed: that is another battle."""
    typed, written = numbers_of(line), numbers_of(better)
    return bool(typed - written and written - typed)


def numbers_of(line: str) -> Counter[str]:
    """Return the numbers of a line except those in the names of variants and presets."""
    numbers = re.findall(r"\d{1,3}(?:[.,]\d{3})+(?!\d)|\d+\.\d+|\d+", _NAMES.sub("", line))
    return Counter(re.sub(r"[.,](?=\d{3})", "", number) for number in numbers)


def not_understood(word: str, near: str) -> str:
    """Say that a word means nothing, and offer the line without it where there is one."""
    if not near:
        return _("I don't know `{word}`.", word=word)
    return _("I didn't understand `{word}`. Did you mean `{near}`?", word=word, near=near)


def _readable(line: str, read: Callable[[str], object], drops: Callable[[str], bool] | None = None) -> str:
    """Correct the mistakes of a line one after another; empty if it still cannot be read.

    Words that mean nothing and are near nothing go if `drops` lets them.
    """
    for _attempt in range(MOST_MISTAKES):
        if not line:
            return ""
        try:
            read(line)
        except MatchupError as error:
            line = error.better or (_line_without(error, drops) if drops and error.line == line else "")
        else:
            return line
    return ""


def _line_without(error: MatchupError, may_go: Callable[[str], bool]) -> str:
    """Return the line of an error without the wrong word; empty if that cannot go, or says something about a number."""
    word = error.line[error.start : error.end]
    if any(map(str.isdecimal, word)) or re.match(r" *[:=]? *\d", error.line[error.end :]) or not may_go(word):
        return ""
    before = _OPEN_LIST.sub(r"\1", error.line[: error.start])
    return _LOOSE_COMMA.sub("", " ".join(f"{before} {error.line[error.end :]}".split()))


def did_you_mean(word: str) -> str:
    """Offer a word in place of a similar one that is not allowed there."""
    return _("Did you mean `{near}`?", near=word)


def with_hint(what: str, hint: str) -> str:
    """Return a sentence about a mistake, and what to type instead."""
    return compose("{what} {hint}", what=what, hint=hint)


def unknown_word_hint(word: str, near: str, hint: str = "") -> str:
    """Say that a word means nothing, and offer a similar one; the hint if none is near."""
    if near:
        return _("I don't know `{word}`. Did you mean `{near}`?", word=word, near=near)
    return with_hint(_("I don't know `{word}`.", word=word), hint)


def _width(text: str) -> int:
    """Return how many columns a text takes; a wide letter takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def nearest_word(word: str, known: Iterable[str], cutoff: float) -> str:
    """Return the known word that was probably mistyped, which begins with the same letter; empty if none is near.

    Of several that are equally near it is the first.
    """
    alike = [candidate for candidate in known if candidate[:1] == word[:1]]
    return nearest(word, alike, cutoff)


def nearest_variant(name: str, known: Iterable[str]) -> str:
    """Return the option for the variant, or the edition, of nearly this name; empty if none is near."""
    near = nearest(name, known, 0.5)
    return f"variant:{near}" if near else ""


def nearest_value(word: str, wrong: str, offers: Sequence[str]) -> str:
    """Return an option with the value nearest to a wrong one, or else the first; empty if it has no values to offer."""
    value = re.split("[:=]", wrong)[-1].strip()
    near = nearest(value, offers) or next(iter(offers), "")
    return f"{word}:{near}" if near else ""
