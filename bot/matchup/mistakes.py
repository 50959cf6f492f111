"""A line that is no battle: the line with a caret under what is wrong, and what would be right."""

import unicodedata

from bot.errors import UserError
from bot.languages import _, joined


class MatchupError(UserError):
    """A line that is no battle: the line with a caret under the wrong part, and what would be right."""

    def __init__(self, line: str, start: int, end: int, reason: str) -> None:
        self.line, self.start, self.end, self.reason = line, start, end, reason
        window = max(start - 30, 0)
        shown = line[window : window + 60]
        carets = " " * _width(line[window:start]) + "^" * max(_width(line[start : min(end, window + 60)]), 1)
        shape = "```\n{shown}\n{carets}\n```\n{reason}"
        super().__init__(joined(shape, shown=shown, carets=carets, reason=reason) if line else reason)


def meant(word: str) -> str:
    """What is said of a word that is not meant to be there, but looks like one that may be."""
    return _("Did you mean `{near}`?", near=word)


def unknown(word: str, near: str) -> str:
    """The same of one that means nothing."""
    return _("I do not know `{word}`. Did you mean `{near}`?", word=word, near=near)


def _width(text: str) -> int:
    """How many columns a text takes where every letter is equally wide, or twice that."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
