"""The names of people as they are shown: nothing invisible, nothing piled up, nothing that a chat takes for markup.

Discord lets people call themselves anything. Names in all scripts stay as they are; what is left of the others is safe
in every message, table and file.
"""

import unicodedata
from collections.abc import Iterator

from bot.languages import _

BLANK = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159"
"""Letters and signs that show nothing."""
UNSEEN = ("Cc", "Cf", "Cs")
"""Unicode's categories of what has no face of its own: controls, marks that turn the order of letters, halves."""
JOINERS = "\u200c\u200d"
"""These show nothing either, but Persian and Hindi spelling and many emoji need them."""
MOST_MARKS = 3
"""The most marks above and below one letter; Hebrew with all its points and Tibetan come to three."""
PUNCTUATION = " .-'’"
TONES = "🏻🏼🏽🏾🏿"


def safe_name(name: str) -> str:
    """The name of a person as a message shows it."""
    return bare_name(name) or _("someone")


def bare_name(name: str) -> str:
    """The same, which is empty where nothing of the name can be shown."""
    kept = (c for c in " ".join(name.split()) if c in PUNCTUATION or c in TONES or c in JOINERS or _is_plain(c))
    return " ".join(visible("".join(kept)).split())


def visible(text: str) -> str:
    """A text without what shows nothing, and with no more than a few marks on a letter; line breaks stay."""
    return "".join(_visible(text))


def _visible(text: str) -> Iterator[str]:
    letter, marks = False, 0
    for c, after in zip(text, f"{text} "[1:], strict=True):
        kind = unicodedata.category(c)
        if c in JOINERS:
            if letter and after not in BLANK and _is_plain(after):
                yield c
        elif c.isspace():
            letter = False
            yield c
        elif kind in ("Mn", "Me"):
            marks += 1
            if letter and marks <= MOST_MARKS and c not in BLANK:
                yield c
        elif kind not in UNSEEN and c not in BLANK:
            if kind != "Mc":
                letter, marks = True, 0
            yield c


def _is_plain(c: str) -> bool:
    """Whether this is a letter, a mark, a number or an emoji, of which none is markup."""
    return unicodedata.category(c)[0] in "LMN" or unicodedata.category(c) == "So"
