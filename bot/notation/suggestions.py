"""Suggestions for wrong values of options."""

import difflib
import re
from collections.abc import Sequence


def nearest_value(word: str, wrong: str, offers: Sequence[str]) -> str:
    """Return an option with the value nearest to a wrong one, or else the first; empty if it has no values to offer."""
    value = re.split("[:=]", wrong)[-1].strip()
    near = difflib.get_close_matches(value, offers, n=1) or offers[:1]
    return f"{word}:{near[0]}" if near else ""
