"""Two plans or more in one line: "12 9 bombers:2 || bombers:1" to the battles they mean, and back.

Each is a battle of any game. What a later one does not say is as in the first. On a phone `or`, one stroke or a new
line will do between them.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress

from bot.games.base import GameRoom, Reading, Rooms, require
from bot.languages import N_, _
from bot.notation.asked_ends import WORDS as ENDS
from bot.notation.defaults import PLAIN, current_defaults, reading_with
from bot.notation.lexer import (
    LONGEST_LINE,
    LONGEST_TEXT,
    RETREAT_RULE,
    VERSUS,
    names_variant,
    normal,
    tokens,
    unknown_words,
)
from bot.notation.mistakes import MatchupError, not_understood, with_correction
from bot.notation.reading import LONGEST_TYPED, check_length, is_claimed, own_room, parse, shares_notation

BETWEEN = "||"
LONGEST_BOTH = 1_500
"""Both plans written out: an answer carries them in full, and Discord's messages end at 2000 characters."""
LONGEST_SEVERAL = 1_000
"""The same for more plans, whose answer has more rows."""
LONGEST_DROPPED = 100
"""More than the words that say what the second plan drops."""
LONGEST_PLANS = LONGEST_BOTH + 2 * (LONGEST_TYPED - LONGEST_LINE)
"""With what lines say only if a place has settings of its own."""
PLANS = f"12 9 bombers:2 {BETWEEN} bombers:1"

_SIGNS = [
    re.compile(sign, re.IGNORECASE)
    for sign in (
        r"\|\s*\|+",
        r"(?<!\S)or(?!\S)",
        rf"\|(?!\s*{RETREAT_RULE})",
        r"\n",
    )  # rules for retreating have strokes too
]
_AGAINST_NUMBER = re.compile(rf"\d+ ?{VERSUS} ?\d+")
PLAN_NAMES = "ABCDE"
"""The names of plans; there are no more than these in a line."""
_FIRST = "plan-a"
"""The name of the first plan, which is read like a preset."""


class Plans(tuple[Reading, ...]):
    """The plans of a line, at least two; the first two have names of their own."""

    __slots__ = ()

    @property
    def first(self) -> Reading:
        """The plan that the others change."""
        return self[0]

    @property
    def second(self) -> Reading:
        """The second plan."""
        return self[1]


def parse_plans(rooms: Rooms, text: str, saved: Mapping[str, str] | None = None) -> Plans:
    """Read the plans of a line; `saved` is that of `parse`."""
    try:
        return _read_plans(rooms, text, saved or {})
    except MatchupError as error:
        raise with_correction(error, lambda line: _read_plans(rooms, line, saved or {})) from None


def _read_plans(rooms: Rooms, text: str, saved: Mapping[str, str]) -> Plans:
    parts, line = split_plans(text), normal(text)
    check_length(text, LONGEST_PLANS, LONGEST_BOTH, N_("Two plans together can have at most {most} characters."))
    if len(parts) < 2 or not all(map(normal, parts)):
        reason = _("Type two plans with `||` between them: `{example}`.", example=PLANS)
        raise MatchupError(line, len(line), len(line) + 1, reason)
    if len(parts) > len(PLAN_NAMES):
        reason = _("I can compare up to {most} plans at a time.", most=len(PLAN_NAMES))
        raise MatchupError(line, 0, len(line), reason)
    if _AGAINST_NUMBER.fullmatch(normal(parts[0])):  # "15 vs 9 or 7"
        parts = [parts[0], *(f"vs {part}" if part.isdecimal() else part for part in parts[1:])]
    plans = Plans(_read_each(rooms, parts, saved))
    games = [rooms.of(plan.battle) for plan in plans]
    if alone := _refusal_of_mixed(games):
        error = MatchupError(line, 0, len(line), _(alone))
        error.certain = True  # each plan has been read
        raise error
    length, most = sum(len(_line_of(rooms, plan)) for plan in plans), LONGEST_SEVERAL if games[2:] else LONGEST_BOTH
    if length > most - LONGEST_DROPPED * len(games[1:]) and len(write_plans(rooms, plans)) > most:
        reason = _("Written out in full, the plans have more than {most} characters.", most=most)
        raise MatchupError(line, 0, len(line), reason)
    return plans


def _refusal_of_mixed(games: Sequence[GameRoom]) -> str:
    """Return why plans of these games can't be compared; "" if they can."""
    alone = (game.comparison.alone for game in games if game.comparison and game.comparison.alone)
    return next(alone, "") if any(game is not games[0] for game in games) else ""


def _read_each(rooms: Rooms, parts: Sequence[str], saved: Mapping[str, str]) -> list[Reading]:
    """Read each plan; all behind the first may be changes of it."""
    readings: list[Reading] = []
    for place, part in enumerate(parts):
        try:
            if place:
                readings.append(_asking_alike(rooms, _second_plan(rooms, part, readings[0], saved), readings[0]))
            else:
                readings.append(_read_plan(rooms, part, saved))
        except MatchupError as error:
            before, after = (f" {BETWEEN} ".join(map(normal, some)) for some in (parts[:place], parts[place + 1 :]))
            before, after = before and f"{before} {BETWEEN} ", after and f" {BETWEEN} {after}"
            raise _in_plan(PLAN_NAMES[place], error, before, after) from None
    return readings


def split_plans(text: str) -> list[str]:
    """Split a text at the strokes; without strokes at the words `or`, or else at the ends of lines."""
    text = unicodedata.normalize("NFKC", text[:LONGEST_TEXT])[:LONGEST_TEXT].strip()
    sign = next((sign for sign in _SIGNS if sign.search(text)), None)
    return [part.strip() for part in sign.split(text)] if sign else [text]


def is_pair(rooms: Rooms, text: str) -> bool:
    """Tell whether a text with the sign between plans is such plans, rather than a line of a game that has it too."""
    return BETWEEN in text and own_room(rooms, text) is None


def write_plans(rooms: Rooms, plans: Plans) -> str:
    """Write the canonical line with all plans in full: pasted anywhere, it compares these again."""
    first, *others = plans
    lines = [rooms.write(first.battle), *(_write_after(rooms, first, other) for other in others)]
    return f" {BETWEEN} ".join(_with_ends(line, plan) for line, plan in zip(lines, plans, strict=True))


def _line_of(rooms: Rooms, plan: Reading) -> str:
    """Return the canonical line of a plan, with the ends that it asks about."""
    return _with_ends(rooms.write(plan.battle), plan)


def _with_ends(line: str, plan: Reading) -> str:
    """Return a line with the ends that a plan asks about."""
    return f"{line} {plan.asked_words()}".rstrip()


def _write_after(rooms: Rooms, first: Reading, second: Reading) -> str:
    """Write a plan so that it means the same behind the first one."""
    written = rooms.write(second.battle)
    lines = [written]
    if changes := rooms.of(first.battle).notation.changes:
        gone, named = (
            [word.partition(":")[0] for word in require(rooms.of(plan.battle).comparison).options(line)]
            for plan, line in ((first, rooms.write(first.battle)), (second, written))
        )
        dropped = [changes.dropped[word] for word in gone if word in changes.dropped.keys() - named]
        lines.append(" ".join([written, *dropped]))
    for line in lines:
        if _reads_as(rooms, line, first, second):
            return line
    # A plan that names its variant, or edition, has nothing of the first.
    own = rooms.of(second.battle).notation.changes
    return f"{written}{f' variant:{own.variant}' if own else ''}"


def _reads_as(rooms: Rooms, line: str, first: Reading, second: Reading) -> bool:
    """Return whether the line of a second plan, read after the first, means the second plan."""
    try:
        with reading_with(PLAIN):
            return rooms.write(_second_plan(rooms, line, first, {}).battle) == rooms.write(second.battle)
    except MatchupError:
        return False


def _second_plan(rooms: Rooms, text: str, first: Reading, saved: Mapping[str, str]) -> Reading:
    """Read the second plan: a battle of its own, or a change of the first."""
    if current_defaults().rules == 1:
        return _second_plan_by_first_rules(rooms, text, first, saved)
    if rooms.of(first.battle).notation.own_command:
        return _like_the_first(rooms, text, first, saved)
    if _is_another(rooms, text, first, saved) or _is_whole(rooms, text, first, saved):
        return _read_plan(rooms, text, saved)
    changes = require(rooms.of(first.battle).notation.changes)
    return _with_change(rooms, text, _with_ends(changes.rest(rooms.write(first.battle), normal(text)), first))


def read_change(rooms: Rooms, line: str, text: str) -> Reading:
    """Read what a text makes of the battle of a line: the second plan of a comparison with it."""
    return _second_plan(rooms, text, _read_plan(rooms, line, {}), {})


def _second_plan_by_first_rules(rooms: Rooms, text: str, first: Reading, saved: Mapping[str, str]) -> Reading:
    """Read the second plan by the first rules: as a battle of its own whenever that is possible."""
    try:
        return parse(rooms, text, saved)
    except MatchupError:
        if _is_another(rooms, text, first, saved):
            raise
    return _with_change(rooms, text, rooms.write(first.battle))


def _like_the_first(rooms: Rooms, text: str, first: Reading, saved: Mapping[str, str]) -> Reading:
    """Read a second plan of a game with a command of its own, in full."""
    try:
        return _read_plan(rooms, text, saved)
    except MatchupError as error:
        if own_room(rooms, text) is not None:
            raise
        reason = _("Type the second plan in full, like the first: `{line}`.", line=rooms.write(first.battle))
        raise MatchupError(normal(text), error.start, error.end, reason) from None


def _read_plan(rooms: Rooms, text: str, saved: Mapping[str, str]) -> Reading:
    """Read a battle of any game that can be compared, also of one with a command of its own."""
    own = own_room(rooms, text)
    return parse(rooms, text, saved, ENDS, own_commands=own is not None and own.comparison is not None)


def _with_change(rooms: Rooms, text: str, rest: str) -> Reading:
    """Read a change of a first plan, of which the line `rest` stays."""
    try:
        reading = parse(rooms, f"{_FIRST} {text}", {_FIRST: rest}, ENDS)
    except MatchupError as error:
        raise _in_change(error) from None
    return reading._replace(of_words=tuple(remark for remark in reading.of_words if _FIRST not in remark))


def _in_change(error: MatchupError) -> MatchupError:
    """Return an error with its place in the typed line; the whole line if that contradicts the first plan."""
    gone = len(_FIRST) + 1 if error.line.startswith(_FIRST) else 0
    line = error.line[gone:]
    places = (error.start - gone, error.end - gone) if error.start >= gone else (0, len(line))
    better = error.better.removeprefix(_FIRST).strip()
    reason = error.reason
    if _FIRST in reason:  # It offers the line with this name, which nobody typed.
        reason = not_understood(error.line[error.start : error.end], better)
    return MatchupError(line, *places, reason, better=better)


def _is_another(rooms: Rooms, text: str, first: Reading, saved: Mapping[str, str]) -> bool:
    """Tell whether a second plan can only be another battle: a path, a preset, or one in another notation."""
    line = normal(text)
    named = any(token.kind == "step" for token in tokens(line)) or any(word in saved for word in unknown_words(line))
    return named or is_claimed(rooms, text, besides=first)


def _is_whole(rooms: Rooms, text: str, first: Reading, saved: Mapping[str, str]) -> bool:
    """Tell whether a second plan is a battle by itself, in a notation or a game of its own."""
    changes = rooms.of(first.battle).notation.changes
    try:
        reading = _read_plan(rooms, text, saved)
    except MatchupError:
        return changes is None
    line = normal(text)
    if changes is None or not shares_notation(rooms, rooms.of(reading.battle), first) or names_variant(line):
        return True
    return changes.starts_anew is not None and changes.starts_anew(first.battle, reading.battle, line)


def _asking_alike(rooms: Rooms, plan: Reading, first: Reading) -> Reading:
    """Return a plan that asks about the ends of the first one where it asks about none, if its armies allow that."""
    if "end" in plan.asked or "end" not in first.asked:
        return plan
    with reading_with(PLAIN), suppress(MatchupError):
        return plan._replace(asked=parse(rooms, _with_ends(rooms.write(plan.battle), first), takes=ENDS).asked)
    return plan


def _in_plan(name: str, error: MatchupError, before: str, after: str) -> MatchupError:
    """Return an error with the name of its plan; `before` and `after` complete its corrected line."""
    reason = _("Plan {name}: {reason}", name=name, reason=error.reason)
    better = f"{before}{error.better}{after}" if error.better else ""
    return MatchupError(error.line, error.start, error.end, reason, better=better)
