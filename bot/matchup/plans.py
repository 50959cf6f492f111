"""Two plans in one line: "12 9 bombers:2 || bombers:1" to the battles they mean, and back.

Each is a battle of any game. What the second does not say is as in the first. On a phone `or`, one stroke or a new line
will do between them.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from bot.editions import USUAL
from bot.languages import _
from bot.matchup.armies import is_armies
from bot.matchup.army_words import RULE, WORDS
from bot.matchup.habits import PLAIN, meaning, unsaid
from bot.matchup.kept import kept_line, names_variant
from bot.matchup.mistakes import MatchupError, not_understood, put_right
from bot.matchup.reading import LONGEST_LINE, LONGEST_TYPED, Reading, parse, strangers
from bot.matchup.writing import AnyBattle, write
from bot.words import CLASSIC, LONGEST_TEXT, normal, tokens
from solver import Battle
from solver.axis import AxisBattle
from solver.paths import Path
from solver.ships import SHIPS
from solver.waves import Waves

BETWEEN = "||"
LONGEST_BOTH = 1_500
"""Both plans written out: an answer carries them in full, and Discord's messages end at 2000 characters."""
LONGEST_DROPPED = 100
"""More than the words that say what the second plan drops."""
LONGEST_PLANS = LONGEST_BOTH + 2 * (LONGEST_TYPED - LONGEST_LINE)
"""With what lines say only where a place has habits of its own."""
PLANS = f"12 9 bombers:2 {BETWEEN} bombers:1"

_SIGNS = [
    re.compile(sign, re.IGNORECASE)
    for sign in (r"\|\s*\|+", r"(?<!\S)or(?!\S)", rf"\|(?!\s*{RULE})", r"\n")  # rules for retreating have strokes too
]
_DROPPED = {
    **dict.fromkeys((*SHIPS, *(f"d{ships}" for ships in SHIPS), "stop", "reserve"), "0"),
    **{word: "no" for word, said in WORDS.items() if said.flag},
    "rounds": "all",
}
"""Words of a first plan with the value by which the second has nothing of it."""
_FIRST = "plan-a"
"""The first plan, as if it were a saved set-up of that name."""


_GAMES = {f"{side}{word}" for side in ("", "a", "d") for word in (*SHIPS, "icons", "dice")}
"""Words that tell whether dice have faces of their own."""


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
    if len(line) > LONGEST_PLANS or len(text.partition("→")[0]) > LONGEST_TEXT:
        reason = _("Two plans together can have at most {most} characters.", most=LONGEST_BOTH)
        raise MatchupError(line, min(LONGEST_BOTH, len(line)), len(line), reason)
    if len(parts) < 2 or not all(map(normal, parts)):
        reason = _("Type two plans with `||` between them: `{example}`.", example=PLANS)
        raise MatchupError(line, len(line), len(line) + 1, reason)
    if len(parts) > 2:
        raise MatchupError(line, 0, len(line), _("I can compare two plans at a time: `{example}`.", example=PLANS))
    try:
        first = parse(parts[0], saved)
    except MatchupError as error:
        raise _in_plan("A", error, "", f" {BETWEEN} {normal(parts[1])}") from None
    try:
        plans = Plans(first, _second(parts[1], first, saved))
    except MatchupError as error:
        raise _in_plan("B", error, f"{normal(parts[0])} {BETWEEN} ", "") from None
    longest = sum(len(write(plan.battle)) for plan in plans)
    if longest > LONGEST_BOTH - LONGEST_DROPPED and len(write_plans(plans)) > LONGEST_BOTH:
        reason = _("Written out in full, the two plans have more than {most} characters.", most=LONGEST_BOTH)
        raise MatchupError(line, 0, len(line), reason)
    return plans


def split_plans(text: str) -> list[str]:
    """The pieces of a text between the strokes; without any, between words `or`, or else its lines."""
    text = unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).strip()
    sign = next((sign for sign in _SIGNS if sign.search(text)), None)
    return [part.strip() for part in sign.split(text)] if sign else [text]


def write_plans(plans: Plans) -> str:
    """The canonical line, with both plans in full: pasted anywhere, these two are compared again."""
    first, second = write(plans.first.battle), write(plans.second.battle)
    named = {word.partition(":")[0] for word in second.split()}
    gone = [word.partition(":")[0] for word in first.split()]
    dropped = " ".join([second, *(f"{word}:{_DROPPED[word]}" for word in gone if word in _DROPPED.keys() - named)])
    # A plan that names its variant, or edition, has nothing of the first.
    whole = f"{second} variant:{_variant(plans.second.battle)}"
    for line in (second, dropped):
        if _reads_as(line, plans):
            return f"{first} {BETWEEN} {line}"
    return f"{first} {BETWEEN} {whole}"


def _variant(battle: AnyBattle) -> str:
    """The edition of a battle of Axis & Allies whose line does not say it; else classic Risk."""
    return USUAL if isinstance(battle, AxisBattle | Waves) else CLASSIC


def _reads_as(line: str, plans: Plans) -> bool:
    """Whether the line of a second plan means that after the first one."""
    try:
        with meaning(PLAIN):
            return write(_second(line, plans.first, {}).battle) == write(plans.second.battle)
    except MatchupError:
        return False


def _second(text: str, first: Reading, saved: Mapping[str, str]) -> Reading:
    """The second plan: a battle of its own, or the first with a change."""
    if unsaid().rules == 1:
        return _second_by_first_rules(text, first, saved)
    if _is_another(text, first, saved) or _is_whole(text, first, saved):
        return parse(text, saved)
    return _changed(text, kept_line(first.battle, text))


def _second_by_first_rules(text: str, first: Reading, saved: Mapping[str, str]) -> Reading:
    """The second plan when it was a battle of its own wherever it could be."""
    try:
        return parse(text, saved)
    except MatchupError:
        if _is_another(text, first, saved):
            raise
    return _changed(text, write(first.battle))


def _changed(text: str, kept: str) -> Reading:
    """The line of a first plan with a change, as after the name of a saved set-up."""
    try:
        reading = parse(f"{_FIRST} {text}", {_FIRST: kept})
    except MatchupError as error:
        raise _in_change(error) from None
    return reading._replace(of_words=tuple(remark for remark in reading.of_words if _FIRST not in remark))


def _in_change(error: MatchupError) -> MatchupError:
    """The error with its place in the typed line, or all of that line where it contradicts the first plan."""
    gone = len(_FIRST) + 1 if error.line.startswith(_FIRST) else 0
    line = error.line[gone:]
    places = (error.start - gone, error.end - gone) if error.start >= gone else (0, len(line))
    better = error.better.removeprefix(_FIRST).strip()
    reason = error.reason
    if _FIRST in reason:  # It offers the line with this name, which nobody typed.
        reason = not_understood(error.line[error.start : error.end], better)
    told = MatchupError(line, *places, reason)
    told.better = better
    return told


def _is_another(text: str, first: Reading, saved: Mapping[str, str]) -> bool:
    """Whether it can only be another battle: a path, a set-up, or one of Axis & Allies beside dice."""
    line = normal(text)
    named = any(token.kind == "step" for token in tokens(line)) or any(word in saved for word in strangers(line))
    return named or (is_armies(line) and not isinstance(first.battle, AxisBattle | Waves))


def _is_whole(text: str, first: Reading, saved: Mapping[str, str]) -> bool:
    """Whether it is a battle by itself, and says that it is in a game of its own."""
    try:
        battle = parse(text, saved).battle
    except MatchupError:
        return False
    games = [isinstance(one, AxisBattle | Waves) for one in (battle, first.battle)]
    if games[0] != games[1] or isinstance(first.battle, Path) or names_variant(normal(text)):
        return True
    faces = [isinstance(one, Battle) and one.faces is not None for one in (battle, first.battle)]
    return faces[0] != faces[1] and any(token.text in _GAMES for token in tokens(normal(text)))


def _in_plan(name: str, error: MatchupError, before: str, after: str) -> MatchupError:
    """The error with the name of its plan; `before` and `after` are the rest of the line as it is put right."""
    reason = _("Plan {name}: {reason}", name=name, reason=error.reason)
    told = MatchupError(error.line, error.start, error.end, reason)
    told.better = f"{before}{error.better}{after}" if error.better else ""
    return told
