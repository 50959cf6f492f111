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
from bot.matchup.changed_sides import changed_sides
from bot.matchup.habits import PLAIN, meaning, unsaid
from bot.matchup.mistakes import MatchupError, put_right
from bot.matchup.reading import LONGEST_LINE, LONGEST_TYPED, Reading, parse, strangers
from bot.matchup.writing import AnyBattle, write
from bot.words import CLASSIC, LONGEST_TEXT, OPTIONS, normal, tokens
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
        reason = _("Two plans have at most {most} characters together.", most=LONGEST_BOTH)
        raise MatchupError(line, min(LONGEST_BOTH, len(line)), len(line), reason)
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
        plans = Plans(first, _second(parts[1], first, saved))
    except MatchupError as error:
        raise _in_plan("B", error, f"{normal(parts[0])} {BETWEEN} ", "") from None
    longest = sum(len(write(plan.battle)) for plan in plans)
    if longest > LONGEST_BOTH - LONGEST_DROPPED and len(write_plans(plans)) > LONGEST_BOTH:
        reason = _("Both plans written out in full have more than {most} characters.", most=LONGEST_BOTH)
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
    """The second plan: the first with a change, or a battle of its own.

    By the first rules it was a battle of its own wherever it could be.
    """
    change = text
    if unsaid().rules > 1 and _keeps(text, first, saved):
        change = changed_sides(normal(text), first.battle)
        try:
            return _changed(change, first)
        except MatchupError:
            pass
    try:
        return parse(text, saved)
    except MatchupError:
        if not _is_change(text, first, saved):
            raise
    return _changed(change, first)


def _changed(text: str, first: Reading) -> Reading:
    """The first plan with a change, as after the name of a saved set-up."""
    kept = _without_ships(write(first.battle), text)
    try:
        reading = parse(f"{_FIRST} {text}", {_FIRST: kept})
    except MatchupError as error:
        gone = len(_FIRST) + 1 if error.line.startswith(_FIRST) else 0
        places = max(error.start - gone, 0), max(error.end - gone, 1)
        told = MatchupError(error.line[gone:], *places, error.reason)
        told.better = error.better.removeprefix(_FIRST).strip()
        raise told from None
    return reading._replace(of_words=tuple(remark for remark in reading.of_words if _FIRST not in remark))


def _without_ships(line: str, text: str) -> str:
    """The line of a first plan without the ships of a side for which the second names its own."""
    if unsaid().rules == 1 or is_armies(line) or " > " in line:
        return line
    theirs = False
    named = set()
    for token in tokens(normal(text)):
        theirs = theirs or token.kind == "versus"
        if token.kind != "option":
            continue
        side, _dot, kind = OPTIONS[token.text][0].format(side="defence" if theirs else "attack").partition(".")
        if kind in SHIPS:
            named.add("d" if side == "defence" else "")
    return " ".join(
        word
        for word in line.split()
        if not any(word.partition(":")[0] == f"{side}{kind}" for side in named for kind in SHIPS)
    )


def _keeps(text: str, first: Reading, saved: Mapping[str, str]) -> bool:
    """Whether the second plan has what it does not say from the first.

    It has not where it names its variant, and beside a path or several waves not where it is a battle by itself.
    """
    if not _is_change(text, first, saved) or re.search(r"(?<!\S)variant\b", normal(text)):
        return False
    if isinstance(first.battle, Path | Waves) or re.search(r"(?<!\S)then\b", normal(text)):
        try:
            parse(text, saved)
        except MatchupError:
            return True
        return False
    return True


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
