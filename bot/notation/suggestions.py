"""Suggestions for words that are mistyped, and for wrong values of options."""

import difflib
import re
from collections.abc import Iterable, Sequence


def nearest_word(word: str, known: Iterable[str], cutoff: float) -> str:
    """Return the known word that was probably mistyped, which begins with the same letter; empty if none is near."""
    near = difflib.get_close_matches(word, [one for one in known if one[:1] == word[:1]], n=1, cutoff=cutoff)
    return near[0] if near else ""


def nearest_value(word: str, wrong: str, offers: Sequence[str]) -> str:
    """Return an option with the value nearest to a wrong one, or else the first; empty if it has no values to offer."""
    value = re.split("[:=]", wrong)[-1].strip()
    near = difflib.get_close_matches(value, offers, n=1) or offers[:1]
    return f"{word}:{near[0]}" if near else ""
