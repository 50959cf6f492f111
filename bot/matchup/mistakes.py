"""A line that is no battle: the line with a caret under what is wrong, and what would be right."""

import unicodedata
from collections.abc import Callable

from bot.errors import UserError
from bot.languages import joined

MOST_MISTAKES = 4
"""How many mistakes of a line are put right, one after the other."""


class MatchupError(UserError):
    """A line that is no battle: the line with a caret under the wrong part, and what would be right.

    `instead` is what was probably meant in place of the wrong part; `better` the line with that, empty where nobody
    knows.
    """

    def __init__(self, line: str, start: int, end: int, reason: str, instead: str = "") -> None:
        self.line, self.start, self.end, self.reason = line, start, end, reason
        self.better = f"{line[:start]}{instead}{line[end:]}".replace(" ,", ",") if instead else ""
        window = max(start - 30, 0)
        shown = line[window : window + 60]
        carets = " " * _width(line[window:start]) + "^" * max(_width(line[start : min(end, window + 60)]), 1)
        shape = "```\n{shown}\n{carets}\n```\n{reason}"
        super().__init__(joined(shape, shown=shown, carets=carets, reason=reason) if line else reason)


def put_right(error: MatchupError, read: Callable[[str], object]) -> MatchupError:
    """The same error, its `better` with the other mistakes of the line put right too; empty where `read` refuses it."""
    for _attempt in range(MOST_MISTAKES):
        if not error.better:
            return error
        try:
            read(error.better)
        except MatchupError as another:
            error.better = another.better
        else:
            return error
    error.better = ""
    return error


def _width(text: str) -> int:
    """How many columns a text takes where every letter is equally wide, or twice that."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
