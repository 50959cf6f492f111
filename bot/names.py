"""Makes names safe to show: without invisible characters, piles of marks, and markup; and mends misspelt names.
Discord allows any name. Names in all scripts stay as they are; the rest of a name is safe in every message, table and
file.
"""

import unicodedata
from collections.abc import Iterable, Iterator

from bot.languages import _

BLANK = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159"
"""Letters and signs that show nothing."""
UNSEEN = ("Cc", "Cf", "Cs")
"""Unicode's categories of invisible characters: controls, marks that turn the order of letters, halves of pairs."""
JOINERS = "\u200c\u200d"
"""Invisible characters that Persian and Hindi spelling and many emoji need."""
MOST_MARKS = 3
"""The most marks above and below one letter; Hebrew with all its points and Tibetan come to three."""
MOST_MARKS_BESIDE = 4
"""The most marks beside a letter; Burmese comes to four."""
PUNCTUATION = " .-'’"
TONES = "🏻🏼🏽🏾🏿"
SAFE = PUNCTUATION + TONES + JOINERS


def safe_name(name: str) -> str:
    """Return a person's name as messages show it; "someone" if nothing of it can be shown."""
    return bare_name(name) or _("someone")


def bare_name(name: str) -> str:
    """Return the safe part of a person's name; empty if nothing of it can be shown."""
    shown = (c for c in " ".join(name.split()) if c.isalnum() or c in SAFE or _is_plain(c))
    return " ".join(strip_invisible("".join(shown)).split())


def strip_invisible(text: str) -> str:
    """Remove invisible characters, and the marks of a letter that are more than the most; line breaks stay."""
    return text if text.isascii() and text.isprintable() else "".join(_visible_characters(text))


def _visible_characters(text: str) -> Iterator[str]:
    letter, marks, beside = False, 0, 0
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
            if kind == "Mc":
                beside += 1
            else:
                letter, marks, beside = True, 0, 0
            if beside <= MOST_MARKS_BESIDE:
                yield c


def _is_plain(c: str) -> bool:
    """Whether this is a letter, a mark, a number or an emoji; none of them is markup."""
    return unicodedata.category(c)[0] in "LMN" or unicodedata.category(c) == "So"


def nearest(typed: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the name most like what was typed: the first of several, or "" if none is like it.

    Two texts are as alike as the part of their letters that both have in the same order, from 0 to 1. None below the
    cutoff counts.
    """
    # Imported here: few answers need it, and a terminal starts anew for each.
    from rapidfuzz.distance import OSA, Indel

    def alike(name: str) -> tuple[float, float]:
        """How alike it is; of equally alike names that counts which needs fewer changes."""
        return round(Indel.normalized_similarity(typed, name), 9), OSA.normalized_similarity(typed, name)

    best = max(names, key=alike, default="")
    return best if best and alike(best)[0] >= cutoff else ""
