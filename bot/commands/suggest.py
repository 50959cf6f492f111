"""Autocomplete: shows the meaning of a line, or of two plans, while somebody types, with the odds if at hand."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice

from bot.autocomplete import (
    LONGEST_SUGGESTION,
    MOST_CANDIDATES,
    MOST_SUGGESTIONS,
    Suggestion,
    for_typed_line,
    hints,
    hints_first,
    mistake_suggestion,
    readable_lines,
    saved_lines,
    short_correction,
    suggestion_label,
    understand_typed,
    with_place_defaults,
)
from bot.errors import UserError
from bot.games.axis.options import ARMIES
from bot.games.base import AnyBattle, Reading, Rooms
from bot.games.dice.rounds.words import ALL, take_all
from bot.notation.asked_ends import asks_more
from bot.notation.defaults import PLAIN, current_defaults
from bot.notation.dice_options import ASKED_WITH_BATTLE, THROW
from bot.notation.lexer import normal, take_defend, take_table, unknown_words
from bot.notation.mistakes import MatchupError, without_corrections
from bot.notation.old_lines import explicit
from bot.notation.plans import BETWEEN, LONGEST_PLANS, PLAN_NAMES, parse_plans, split_plans
from bot.notation.reading import has_own_words, is_notation, own_room, parse
from bot.phrases.questions import LINE_ALONE
from bot.presets import line_without_battle
from bot.request import Request, Services
from bot.words.numbers import victory
from solver import Battle

EXAMPLES = (
    *("12 9", "12 9 bombers:2", "12 fighters:1 vs 9 capitals:1", "12 9 stop:4", "8 8 dice:3v3"),
    *("20 > 5 > 4 > 2 leave:1", "icons aad,add,a,d,-,- 3 4", ARMIES, "4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat"),
)
CHOICE = "6 inf 4 art 3 arm 4 fig vs 5 inf 1 aa"
ASKED = {
    "need": (
        *("9", "12 9", "12 vs", "9 90%", "9 bombers:1", "12 9 variant:2210", f"80% {CHOICE}", CHOICE),
        *("vs 5 inf 1 aa 90%", "24 ipc vs 5 inf"),
    ),
    "table": ("12 9", "20 20 bombers:2", "12 9 variant:2210", "8 8 icons:AA,A,D,DD"),
    "order": (ARMIES, "4 inf 2 art 2 fig vs 4 inf 1 arm", "3 des 1 cru 2 fig vs 2 des 1 bat"),
    "dice": (
        "3 2",
        "3",
        "3 fighters:1",
        "3 2 bombers:1",
        "3 2 dbonus:1",
        "3 variant:2210",
        "all",
        "all bombers:1",
        "10 inf",
        "3 inf 2 arm vs 4 inf",
    ),
}
"""Examples of what the other questions take."""
QUESTIONS = (*ASKED_WITH_BATTLE, "hits", "chance", "side", "least", "survive")
"""Words that are no mistake while somebody types: which of them has a meaning is for the command to say."""
EXAMPLES_OF_PLANS = ("12 9 bombers:2 || bombers:1", "12 9 stop:4 || stop:6", "3 inf 2 arm vs 4 inf || retreat:profit<0")
"""Examples of pairs of plans."""
MOST_OF_ONE = 5
"""The most changes to suggest for each completion of the first plan."""

_HALF = re.compile(r"(?<=\s)o\s*$", re.IGNORECASE)
"""The beginning of "or"."""

Pair = tuple[AnyBattle, ...]


@for_typed_line
async def suggest(request: Request, services: Services, typed: str) -> list[Suggestion]:
    """Suggest lines for a typed text: the text itself, then completions, presets and examples.

    If no line begins with the typed text, its mistake comes first; choosing that sends the text as it is.
    """
    saved = await saved_lines(request, services)
    saves = request.command.startswith("preset ")
    other = _line_without_battle(services.rooms, typed, saved) if saves else ""
    whole = [Suggestion(f"{typed} → {other}"[:LONGEST_SUGGESTION] if other != typed else typed, typed)] if other else []

    def battle_of(line: str) -> AnyBattle | None:
        reading = read_typed(services.rooms, line, saved)
        return reading.battle if reading else None

    lines = await readable_lines(candidates(services.rooms, typed, saved), battle_of)
    in_own_room = own_room(services.rooms, typed) is not None
    completed = any(line.startswith(typed) for line in lines.values()) and not in_own_room
    mistake = None if completed or whole else _mistake(services.rooms, typed, saved)
    first: list[Suggestion] = []
    if mistake:
        is_said = not is_notation(services.rooms, typed, mistake) and not in_own_room
        meant, first = _help_with(mistake, typed, is_said, saved, request, services.rooms)
        lines = meant | lines
    # A preset keeps the line as it is typed; other commands answer it as the rulebook allows it.
    asked = [battle if saves else services.rooms.allow(Reading(battle)).battle for battle in lines]
    suggestions = await _with_odds(list(lines.values()), asked, services)
    return [*whole, *first, *suggestions[: MOST_SUGGESTIONS - len(whole)]]


def _help_with(
    mistake: MatchupError, typed: str, is_said: bool, saved: dict[str, str], request: Request, rooms: Rooms
) -> tuple[dict[AnyBattle, str], list[Suggestion]]:
    """Return the lines that a mistyped line may mean, by their battles, and the suggestions that stand before them.

    `is_said` is whether the text may be what people say, rather than notation.
    """
    if is_said:
        command = LINE_ALONE if request.command.startswith("preset ") else request.command
        readings, first = understand_typed(rooms, typed, saved, command, request.reader)
        if readings or first:
            return _by_battle(rooms, readings, saved, own_commands=True), first
    line = short_correction(mistake)
    lines = _by_battle(rooms, [line], saved) if line else {}
    return lines, [mistake_suggestion(rooms, typed, mistake)]


def _by_battle(
    rooms: Rooms, lines: list[str], saved: dict[str, str], own_commands: bool = False
) -> dict[AnyBattle, str]:
    """Return lines by the battles that they mean."""
    return {parse(rooms, line, saved, QUESTIONS, own_commands=own_commands).battle: line for line in lines}


async def _with_odds(lines: list[str], battles: list[AnyBattle], services: Services) -> list[Suggestion]:
    """Return lines as suggestions, with their canonical forms and with the odds of their battles."""
    rooms = services.rooms
    all_odds = await asyncio.gather(*map(services.engine.preview, battles))
    suggestions = []
    for line, battle, odds in zip(lines, battles, all_odds, strict=True):
        canonical = explicit(rooms, rooms.write(battle), current_defaults())
        suggestions.append(Suggestion(suggestion_label(line, canonical, rooms.of(battle), odds), line))
    return suggestions


def _line_without_battle(rooms: Rooms, typed: str, saved: dict[str, str]) -> str:
    """Return the canonical form of a line that can be saved although it is no battle; "" if it is none."""
    if read_typed(rooms, typed, saved) is not None:
        return ""
    with suppress(UserError):
        return line_without_battle(rooms, "", typed, saved) or ""
    return ""


@for_typed_line
async def suggest_questions(request: Request, services: Services, typed: str) -> list[Suggestion]:
    """Suggest lines, without odds, for a command that takes lines with a number missing."""
    saved = await saved_lines(request, services)
    examples = (line for line in ASKED.get(request.command, ()) if line.startswith(typed))
    completed = completions(services.rooms, typed, saved, request.command == "need")
    lines = islice(dict.fromkeys([typed, *completed, *examples]), MOST_CANDIDATES)
    short = (line for line in lines if len(line) <= LONGEST_SUGGESTION)
    suited = [line for line in short if _suits_command(services.rooms, line, saved, request.command)]
    if typed and not suited:
        return _suggest_for_mistake(typed, saved, request, services)
    return [Suggestion(line, line) for line in suited[:MOST_SUGGESTIONS]]


def _suggest_for_mistake(typed: str, saved: dict[str, str], request: Request, services: Services) -> list[Suggestion]:
    """Suggest what a typed text without a right line may mean, or say its mistake; nothing if it has none."""
    line, everything = _split_all(typed, request.command)
    mistake = _mistake(services.rooms, line, saved, _lone(request.command))
    if mistake is None:
        return []
    if not is_notation(services.rooms, typed, mistake):
        lines, first = understand_typed(services.rooms, typed, saved, request.command, request.reader)
        if lines or first:
            return [*first, *(Suggestion(line, line) for line in lines)]
    mistake.better = f"{ALL} {mistake.better}" if everything and mistake.better else mistake.better
    return hints(services.rooms, typed, mistake)


async def suggest_for_one_game(request: Request, services: Services) -> list[Suggestion]:
    """Let the only game with this command suggest lines; none if it suggests nothing."""
    for room in services.rooms:
        if request.command in room.suggestions:
            suggestions: list[Suggestion] = await room.suggestions[request.command](request, services)
            return suggestions
    return []


async def suggest_names(request: Request, services: Services) -> list[Suggestion]:
    """Suggest the presets with the typed text in their names."""
    typed = normal(request.options.get("name", ""))
    return [Suggestion(name, name) for name in await saved_lines(request, services) if typed in name][:25]


def candidates(rooms: Rooms, typed: str, saved: dict[str, str]) -> Iterator[str]:
    """Return lines to suggest for a typed text, best first; some of them may be no battles."""
    words = typed.split()
    reading = read_typed(rooms, typed, saved)
    if reading is not None:
        # A line with a set-up's name keeps it: the name is what its author wants to send; so with what else is asked.
        asks = asks_more(reading.asked) or reading.chance is not None
        # Where defaults are others, the canonical line would only add usual words.
        own = rooms.write(reading.battle) if current_defaults() == PLAIN else typed
        yield typed if asks or any(word in saved for word in words) else own
    yield from completions(rooms, typed, saved)
    if len(words) == 1 and typed.isdecimal():
        yield from (f"{typed} {max(int(typed) * part // 4, 1)}" for part in (2, 3, 4, 5))
    yield from (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
    yield from (example for example in EXAMPLES if example.startswith(typed))


def completions(rooms: Rooms, typed: str, saved: dict[str, str], questions: bool = False) -> Iterator[str]:
    """Complete the last word of a typed text to an option with a value, to a unit, or to the name of a preset.

    With `questions` also to the options that go with `/need`.
    """
    for room in reversed(rooms.rooms):  # what fits few games first
        if room.notation.complete:
            yield from room.notation.complete(typed, questions)
    begun = typed.split()[-1] if typed else ""
    before = typed.removesuffix(begun).strip()
    yield from (f"{before} {setup}".strip() for setup in saved if setup.startswith(begun))


def _words_about(lone: str) -> Sequence[str]:
    """Return the words about the question that are no mistake; with a `lone` number, those of `/need` or `/dice`."""
    return (*QUESTIONS, *{"defenders": ("money", "open"), "attackers": (THROW,)}.get(lone, ()))


def _lone(command: str) -> str:
    """Return the side of a number, or of an army, that stands alone behind a command; "" if both sides are named."""
    return {"dice": "attackers", "order": ""}.get(command, "defenders")


def read_typed(rooms: Rooms, line: str, saved: dict[str, str], lone: str = "") -> Reading | None:
    """Read a line that may be unfinished; None if it is no battle. `lone` is that of `parse`."""
    if not has_own_words(rooms, line) and not saved.keys() >= set(unknown_words(line)):
        return None  # The search for the nearest right word would take most of the time.
    try:
        with without_corrections():
            return parse(rooms, line, saved, _words_about(lone), lone)
    except MatchupError:
        return None


def _suits_command(rooms: Rooms, line: str, saved: dict[str, str], command: str) -> bool:
    """Return whether a command takes a line."""
    said, everything = _split_all(line, command)
    reading = read_typed(rooms, said, saved, _lone(command)) if line else None
    if reading is None or not rooms.suits(reading.battle, command):
        return False
    return not everything or (isinstance(reading.battle, Battle) and reading.battle.faces is None)


def _split_all(line: str, command: str) -> tuple[str, bool]:
    """Return a line without the words of /dice and /table that are no options, and whether it has `all`."""
    if command == "table":
        return take_table(line)[0], False
    if command != "dice":
        return line, False
    rest, everything = take_all(line)
    return take_defend(rest)[0], everything


def _mistake(rooms: Rooms, typed: str, saved: dict[str, str], lone: str = "") -> MatchupError | None:
    """Return the mistake of a line; None if it has none. `lone` is that of `parse`."""
    try:
        parse(rooms, typed, saved, _words_about(lone), lone)
    except MatchupError as error:
        return error
    return None


@with_place_defaults
async def suggest_plans(request: Request, services: Services) -> list[Suggestion]:
    """Suggest pairs of plans for a typed text; an unfinished plan is no mistake."""
    typed = request.options.get("matchup", "")[:LONGEST_PLANS]
    parts = split_plans(_HALF.sub("", typed.partition("→")[0]))
    begun = f" {BETWEEN} ".join(map(normal, parts)).strip()
    if len(begun) > LONGEST_SUGGESTION:
        return []
    saved = await saved_lines(request, services)

    def different_plans(line: str) -> Pair | None:
        pair = _read_pair(services.rooms, line, saved)
        return pair if pair and (pair[0] != pair[1] or line == begun) else None

    lines = await readable_lines(_lines_of_plans(services.rooms, parts, saved), different_plans)
    wrong = begun and not any(line.startswith(begun) for line in lines.values())
    if wrong and BETWEEN not in typed:
        said, first = understand_typed(services.rooms, typed, saved, "compare", request.reader)
        read = {pair: line for line in said if (pair := _read_pair(services.rooms, line, saved))}
        lines = read | lines
        if read or first:
            return hints_first(first, await _with_chances(lines, services))
    return hints_first(_hints(services.rooms, parts, saved) if wrong else [], await _with_chances(lines, services))


@with_place_defaults
async def suggest_battles(request: Request, services: Services) -> list[Suggestion]:
    """Suggest what `/battle` takes: battles, two plans, and lines of games with a command of their own."""
    typed = request.options.get("matchup", "")
    if BETWEEN in typed:
        return await suggest_plans(request, services)
    room = own_room(services.rooms, typed)
    if room and room.notation.own_command and read_typed(services.rooms, normal(typed), {}) is None:
        return await suggest_for_one_game(replace(request, command=room.notation.own_command.name), services)
    return await suggest(request, services)


async def _with_chances(lines: Mapping[Pair, str], services: Services) -> list[Suggestion]:
    """Label pairs of plans with the chances of both, if these are at hand."""
    battles = {battle for pair in lines for battle in pair}
    odds = dict(zip(battles, await asyncio.gather(*map(services.engine.preview, battles)), strict=True))
    suggestions = []
    for pair, line in lines.items():
        parts = [f"{name} {victory(odds[each])}" for name, each in zip(PLAN_NAMES, pair, strict=False) if odds[each]]
        label = f"{line} → {', '.join(parts)}" if len(parts) == len(pair) else line
        suggestions.append(Suggestion(label if len(label) <= LONGEST_SUGGESTION else line, line))
    return suggestions


def _lines_of_plans(rooms: Rooms, parts: list[str], saved: dict[str, str]) -> Iterator[str]:
    """Return lines to suggest for a typed text, best first; some of them may not be two plans."""
    first, *others = map(normal, parts)
    second = others.pop() if others else ""
    if not first:
        yield from EXAMPLES_OF_PLANS
    elif len(parts) == 1:
        yield from (example for example in EXAMPLES_OF_PLANS if example.startswith(first))
        for line in islice(candidates(rooms, first, saved), MOST_CANDIDATES):
            changes = islice(_changes(rooms, line, "", saved), MOST_OF_ONE)
            yield from (f"{line} {BETWEEN} {change}" for change in changes)
    else:
        lines = (second, *completions(rooms, second, saved), *_changes(rooms, first, second, saved))
        before = f" {BETWEEN} ".join([first, *others])
        yield from (f"{before} {BETWEEN} {line.strip()}" for line in lines if line.strip())


def _changes(rooms: Rooms, first: str, second: str, saved: dict[str, str]) -> Iterator[str]:
    """Complete the second plan as a change of the first; nothing if the first is no plan."""
    reading = read_typed(rooms, first, saved)
    begun = second.split()[-1] if second else ""
    before = second.removesuffix(begun)
    if reading is None:
        return
    if changes := rooms.of(reading.battle).notation.changes:
        words = changes.complete(reading.battle, before, begun) if changes.complete else ()
        offers = (word for word in changes.offers if word.startswith(begun))
        yield from (f"{before}{word}" for word in chain(words, offers))


def _read_pair(rooms: Rooms, line: str, saved: dict[str, str]) -> Pair | None:
    """Return the battles of the two plans of a line; None if it has no two plans."""
    if not has_own_words(rooms, line) and any(
        not saved.keys() >= set(unknown_words(part)) for part in split_plans(line)
    ):
        return None  # As in `read_typed`.
    try:
        with without_corrections():
            plans = parse_plans(rooms, line, saved)
    except MatchupError:
        return None
    return tuple(plan.battle for plan in plans)


def _hints(rooms: Rooms, parts: list[str], saved: dict[str, str]) -> list[Suggestion]:
    """Return the mistake of the line as a suggestion; none if the second plan is not begun."""
    typed = f" {BETWEEN} ".join(map(normal, parts)).strip()
    try:
        if len(parts) > 1:
            parse_plans(rooms, typed, saved)
        else:
            parse(rooms, typed, saved)
    except MatchupError as error:
        return hints(rooms, typed, error)
    return []
