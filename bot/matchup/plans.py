"""Two plans in one line: "12 9 bombers:2 || bombers:1" to the battles they mean, and back.

Each is a battle of any game. The second may say only what it changes of the first, as after the name of a saved set-up.
On a phone `or`, one stroke or a new line will do between them.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from bot.languages import _
from bot.matchup.armies import is_armies
from bot.matchup.army_words import RULE
from bot.matchup.mistakes import MatchupError, put_right
from bot.matchup.reading import LONGEST_TYPED, Reading, parse, strangers
from bot.matchup.writing import write
from bot.words import LONGEST_TEXT, normal, tokens
from solver.axis import AxisBattle
from solver.waves import Waves

BETWEEN = "||"
LONGEST_PLANS = 2 * LONGEST_TYPED + len(f" {BETWEEN} ")
PLANS = f"12 9 bombers:2 {BETWEEN} bombers:1"

_SIGNS = [
    re.compile(sign, re.IGNORECASE)
    for sign in (r"\|\s*\|+", r"(?<!\S)or(?!\S)", rf"\|(?!\s*{RULE})", r"\n")  # rules for retreating have strokes too
]
_FIRST = "plan-a"
"""The first plan, as if it were a saved set-up of that name."""


class Plans(NamedTuple):
    """What a line of two plans means."""

    first: Reading
    second: Reading


def parse_plans(text: str, saved: Mapping[str, str] | None = None) -> Plans:
    """The two plans of a line; `saved` as in `parse`."""
    try:
        return _parsed(text, saved or {})
    except MatchupError as error:
        raise put_right(error, lambda line: _parsed(line, saved or {})) from None


def _parsed(text: str, saved: Mapping[str, str]) -> Plans:
    parts, line = split_plans(text), normal(text)
    if len(parts) < 2 or not all(map(normal, parts)):
        reason = _("Two plans are wanted, with `||` between them: `{example}`.", example=PLANS)
        raise MatchupError(line, len(line), len(line) + 1, reason)
    if len(parts) > 2:
        raise MatchupError(line, 0, len(line), _("Two plans at a time: `{example}`.", example=PLANS))
    try:
        first = parse(parts[0], saved)
    except MatchupError as error:
        raise _in_plan("A", error, "", f" {BETWEEN} {normal(parts[1])}") from None
    try:
        return Plans(first, _second(parts[1], first, saved))
    except MatchupError as error:
        raise _in_plan("B", error, f"{normal(parts[0])} {BETWEEN} ", "") from None


def split_plans(text: str) -> list[str]:
    """The pieces of a text between the strokes; without any, between words `or`, or else its lines."""
    text = unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).strip()
    sign = next((sign for sign in _SIGNS if sign.search(text)), None)
    return [part.strip() for part in sign.split(text)] if sign else [text]


def write_plans(plans: Plans) -> str:
    """The canonical line: pasted anywhere, these two plans are compared again."""
    return f" {BETWEEN} ".join(write(reading.battle) for reading in plans)


def _second(text: str, first: Reading, saved: Mapping[str, str]) -> Reading:
    """The second plan: a battle of its own, or the first with a change."""
    try:
        return parse(text, saved)
    except MatchupError:
        if not _is_change(text, first, saved):
            raise
    try:
        reading = parse(f"{_FIRST} {text}", {_FIRST: write(first.battle)})
    except MatchupError as error:
        gone = len(_FIRST) + 1 if error.line.startswith(_FIRST) else 0
        places = max(error.start - gone, 0), max(error.end - gone, 1)
        told = MatchupError(error.line[gone:], *places, error.reason)
        told.better = error.better.removeprefix(_FIRST).strip()
        raise told from None
    return reading._replace(remarks=tuple(remark for remark in reading.remarks if _FIRST not in remark))


def _is_change(text: str, first: Reading, saved: Mapping[str, str]) -> bool:
    """Whether it may be meant as a change: a path, a set-up, or another game is a battle of its own."""
    line = normal(text)
    own = any(token.kind == "step" for token in tokens(line)) or any(word in saved for word in strangers(line))
    return bool(line) and not own and (not is_armies(line) or isinstance(first.battle, AxisBattle | Waves))


def _in_plan(name: str, error: MatchupError, before: str, after: str) -> MatchupError:
    """The error with the name of its plan; `before` and `after` are the rest of the line as it is put right."""
    reason = _("Plan {name}: {reason}", name=name, reason=error.reason)
    told = MatchupError(error.line, error.start, error.end, reason)
    told.better = f"{before}{error.better}{after}" if error.better else ""
    return told
