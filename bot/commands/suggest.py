"""Autocomplete: while somebody types, what their line would mean, with its odds where they are at hand."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from itertools import islice
from typing import Any, NamedTuple

from bot.commands.request import Request, Services, settled
from bot.commands.suggest_armies import army_completions
from bot.editions import editions
from bot.engine import AnyOdds
from bot.errors import UserError
from bot.languages import _, number
from bot.matchup import (
    CLASSIC,
    LONGEST_TYPED,
    OPTIONS,
    AnyBattle,
    MatchupError,
    Reading,
    explicit,
    meaning,
    normal,
    parse,
    strangers,
    write,
)
from bot.matchup.all_rounds import ALL, take_all
from bot.matchup.armies import may_be_armies
from bot.matchup.army_words import ARMIES
from bot.matchup.bombing import RAID, WORDS, ends_asked, pasted_raid, read_raid, write_raid
from bot.matchup.habits import PLAIN, unsaid
from bot.packs import load
from bot.wording import gained, victory
from solver import Battle
from solver.axis import AxisBattle
from solver.bombing import Raid, RaidOdds
from solver.paths import PathOdds
from solver.waves import Waves

log = logging.getLogger(__name__)

MOST_SUGGESTIONS = 8
MOST_CANDIDATES = 40
PATIENCE = 0.5
"""Seconds that suggestions wait for the saved set-ups."""
LONGEST_SUGGESTION = 100
EXAMPLES = (
    *("12 9", "12 9 bombers:2", "12 fighters:1 vs 9 capitals:1", "12 9 stop:4", "8 8 dice:3v3"),
    *("20 > 5 > 4 > 2 leave:1", "icons aad,add,a,d,-,- 3 4", ARMIES, "4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat"),
)
CHOICE = "6 inf 4 art 3 arm 4 fig vs 5 inf 1 aa"
ASKED = {
    "need": ("9", "12 9", "12 vs", "9 90%", "9 bombers:1", "12 9 variant:2210", f"80% {CHOICE}", CHOICE),
    "table": ("12 9", "20 20 bombers:2", "12 9 variant:2210", "8 8 icons:AA,A,D,DD"),
    "order": (ARMIES, "4 inf 2 art 2 fig vs 4 inf 1 arm", "3 des 1 cru 2 fig vs 2 des 1 bat"),
    "dice": ("3 2", "3", "3 fighters:1", "3 2 bombers:1", "3 2 dbonus:1", "3 variant:2210", "all", "all bombers:1"),
}
"""Examples of what the other questions take."""
RAIDS = (RAID, "2 bom vs 12", f"{RAID} lowluck", f"{RAID} aafired", f"{RAID} variant:1940")
FACTORIES = (20, 16, 12, 8)
"""Points that factories can often take."""
QUESTIONS = ("exact", "all", "advice", "chance", "side", "least", "survive")
"""Words that are no mistake while somebody types: which of them has a meaning is for the command to say."""


class Suggestion(NamedTuple):
    """What is shown and what is sent; the label begins with the line, as some clients send the label instead."""

    label: str
    line: str


Suggest = Callable[[Request, Services], Coroutine[Any, Any, list[Suggestion]]]


def as_meant(suggestions: Suggest) -> Suggest:
    """The same where lines mean what is usual in the place; what is chosen is read just so."""

    @wraps(suggestions)
    async def found(request: Request, services: Services) -> list[Suggestion]:
        request = await settled(request, services)
        with meaning(request.meant):
            return await suggestions(request, services)

    return found


@as_meant
async def suggest(request: Request, services: Services) -> list[Suggestion]:
    """Lines that what was typed so far may become: itself first, then completions, saved set-ups and examples.

    Where no line begins with what was typed, what is wrong with it comes first; to choose that sends it as it is.
    """
    typed = normal(request.options.get("matchup", "")[:LONGEST_TYPED])
    if len(typed) > LONGEST_SUGGESTION:
        return []
    saved = await saved_lines(request, services)
    found: dict[AnyBattle, str] = {}
    for line in islice(candidates(typed, saved), MOST_CANDIDATES):
        reading = read_typed(line, saved)
        if reading is not None and len(line) <= LONGEST_SUGGESTION:
            found.setdefault(reading.battle, line)
        if len(found) == MOST_SUGGESTIONS:
            break
    completed = any(line.startswith(typed) for line in found.values()) and not pasted_raid(typed)
    mistake = None if completed else _mistake(typed, saved)
    if mistake and (line := _better(mistake)):
        found = {parse(line, saved, QUESTIONS).battle: line} | found
    odds = await asyncio.gather(*(services.engine.preview(battle) for battle in found))
    suggestions = [
        Suggestion(_label(line, explicit(write(battle), unsaid()), known), line)
        for (battle, line), known in zip(found.items(), odds, strict=True)
    ]
    return [*([_hint(typed, mistake)] if mistake else []), *suggestions[:MOST_SUGGESTIONS]]


@as_meant
async def suggest_questions(request: Request, services: Services) -> list[Suggestion]:
    """The same for the command of the request, which takes lines with a number missing; without odds."""
    typed = normal(request.options.get("matchup", "")[:LONGEST_TYPED])
    if len(typed) > LONGEST_SUGGESTION:
        return []
    saved = await saved_lines(request, services)
    examples = (line for line in ASKED[request.command] if line.startswith(typed))
    completed = completions(typed, saved, request.command == "need")
    lines = islice(dict.fromkeys([typed, *completed, *examples]), MOST_CANDIDATES)
    found = [line for line in lines if len(line) <= LONGEST_SUGGESTION and _fits(line, saved, request.command)]
    said, everything = _said(typed, request.command)
    if typed and not found and (mistake := _mistake(said, saved, "defenders")):
        mistake.better = f"{ALL} {mistake.better}" if everything and mistake.better else mistake.better
        return hints(typed, mistake)
    return [Suggestion(line, line) for line in found[:MOST_SUGGESTIONS]]


@as_meant
async def suggest_raids(request: Request, services: Services) -> list[Suggestion]:
    """Bombing raids that what was typed so far may become, with what they do; where there is none, what is wrong."""
    typed = normal(request.options.get("matchup", "")[:LONGEST_TYPED])
    if len(typed) > LONGEST_SUGGESTION:
        return []
    if ends_asked(typed) and pasted_raid(typed):
        return [Suggestion(typed, typed)]
    lines = islice(_raid_lines(typed), MOST_CANDIDATES)
    raids = list(dict.fromkeys(raid for raid in map(_raid_in, lines) if raid is not None))[:MOST_SUGGESTIONS]
    if typed and not raids:
        try:
            read_raid(typed)
        except MatchupError as error:
            return hints(typed, error)
    odds = await asyncio.gather(*(services.engine.preview_raid(raid) for raid in raids))
    written = [explicit(write_raid(raid), unsaid()) for raid in raids]
    return [Suggestion(_label(line, line, known), line) for line, known in zip(written, odds, strict=True)]


async def suggest_names(request: Request, services: Services) -> list[Suggestion]:
    """The saved set-ups whose names hold what was typed so far."""
    typed = normal(request.options.get("name", ""))
    return [Suggestion(name, name) for name in await saved_lines(request, services) if typed in name][:25]


async def saved_lines(request: Request, services: Services) -> dict[str, str]:
    """The lines of the saved set-ups by their names; while somebody types, none are better than no suggestion."""
    try:
        # Shielded: a read that takes too long waits for somebody's write, and is best left to end by itself.
        setups = await asyncio.wait_for(asyncio.shield(services.store.setups(request.place)), PATIENCE)
    except Exception as error:
        level = logging.INFO if isinstance(error, UserError | TimeoutError) else logging.WARNING
        log.log(level, "suggestions go without presets: %s", str(error) or "the database is busy")
        return {}
    return {setup.name: setup.line for setup in setups}


def candidates(typed: str, saved: dict[str, str]) -> Iterator[str]:
    """Lines worth offering for what was typed, best first; not all of them need to be battles."""
    words = typed.split()
    reading = read_typed(typed, saved)
    if reading is not None:
        # A line with a set-up's name keeps it: the name is what its author wants to send; so with what else is asked.
        asks = reading.exact or reading.ends or reading.advice or reading.chance is not None
        yield typed if asks or any(word in saved for word in words) else _own(typed, reading)
    yield from completions(typed, saved)
    if len(words) == 1 and typed.isdecimal():
        yield from (f"{typed} {max(int(typed) * part // 4, 1)}" for part in (2, 3, 4, 5))
    yield from (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
    yield from (example for example in EXAMPLES if example.startswith(typed))


def _own(typed: str, reading: Reading) -> str:
    """The line for what was typed: in its one form, or as it is where that would have to say what is usual anyway."""
    return write(reading.battle) if unsaid() == PLAIN else typed


def completions(typed: str, saved: dict[str, str], questions: bool = False) -> Iterator[str]:
    """What was typed, its last word completed to an option with a value, to a unit, or to the name of a set-up.

    With `questions` also to the words that go with `/need`.
    """
    yield from army_completions(typed, questions)
    begun = typed.split()[-1] if typed else ""
    before = typed.removesuffix(begun).strip()
    name, colon, value = begun.partition(":")
    for word, (_field, option) in OPTIONS.items():
        if begun and (word == name if colon else word.startswith(name)):
            offers = (*load(), CLASSIC) if word == "variant" else option.offers
            yield from (f"{before} {word}:{offer}" for offer in offers if offer.startswith(value))
            if option.flag and not colon:
                yield f"{before} {word}"
    yield from (f"{before} {setup}".strip() for setup in saved if setup.startswith(begun))


def read_typed(line: str, saved: dict[str, str], lone: str = "") -> Reading | None:
    """What a line means, if it is a battle: half a word is no error while somebody types. `lone` as in `parse`."""
    if not may_be_armies(line) and not saved.keys() >= set(strangers(line)):
        return None  # The search for the nearest right word would take most of the time.
    try:
        return parse(line, saved, QUESTIONS, lone)
    except MatchupError:
        return None


def _raid_lines(typed: str) -> Iterator[str]:
    """Lines worth offering for what was typed about a raid; not all of them need to be raids."""
    begun = typed.split()[-1] if typed else ""
    name, colon, value = begun.partition(":")
    yield typed
    for word in WORDS:
        if word == "variant":
            offers = [key for key in editions() if key.startswith(value)] if begun and word.startswith(name) else []
            yield from (f"{typed.removesuffix(begun)}{word}:{key}" for key in offers)
        elif begun and word.startswith(begun):
            yield f"{typed.removesuffix(begun)}{word}"
    if typed and not colon:
        yield from (f"{typed} {points}" for points in FACTORIES)
        yield from (f"{typed} {word}" for word in WORDS)
    yield from (example for example in RAIDS if example.startswith(typed))


def _raid_in(line: str) -> Raid | None:
    try:
        return read_raid(line)
    except MatchupError:
        return None


def _fits(line: str, saved: dict[str, str], command: str) -> bool:
    """Whether a line is something that a command can be asked about."""
    said, everything = _said(line, command)
    reading = read_typed(said, saved, "defenders") if line else None
    if reading is None or isinstance(reading.battle, Waves):
        return False
    if everything and not (isinstance(reading.battle, Battle) and reading.battle.faces is None):
        return False
    return command != "order" or isinstance(reading.battle, AxisBattle)


def _said(line: str, command: str) -> tuple[str, bool]:
    """What a line says of a battle, and whether it has the word `all` of /dice beside it."""
    return take_all(line) if command == "dice" else (line, False)


def _label(line: str, canonical: str, odds: AnyOdds | RaidOdds | None) -> str:
    parts = [] if odds is None else [_odds(odds)]
    if canonical.casefold() != line.casefold():
        parts.append(canonical)
    label = f"{line} → {' · '.join(parts)}" if parts else line
    return label if len(label) <= LONGEST_SUGGESTION else line


def _odds(odds: AnyOdds | RaidOdds) -> str:
    """The odds in a few words."""
    if isinstance(odds, PathOdds):
        return _("{chance} to take all", chance=victory(odds))
    if isinstance(odds, RaidOdds):
        flight = odds.expected
        damage, lost = number(flight.damage), number(flight.loss)
        return _("{profit} IPC: {damage} damage, {lost} lost", profit=gained(flight.profit), damage=damage, lost=lost)
    return _("{chance} attacker", chance=victory(odds))


def hints(typed: str, mistake: MatchupError) -> list[Suggestion]:
    """What is wrong, where a suggestion would stand; then the line that was probably meant."""
    better = _better(mistake)
    return [_hint(typed, mistake), *([Suggestion(better, better)] if better else [])]


def offered(hints: list[Suggestion], found: list[Suggestion]) -> list[Suggestion]:
    """What is wrong and what would be right, then what was found: no more in all than one beside MOST_SUGGESTIONS."""
    return [*hints, *found][: MOST_SUGGESTIONS + 1]


def _hint(typed: str, mistake: MatchupError) -> Suggestion:
    reason = _("That is a bombing raid; use `/bombing`.") if pasted_raid(typed) else mistake.reason
    return Suggestion(f"{typed} → {reason}"[:LONGEST_SUGGESTION], typed)


def _better(mistake: MatchupError) -> str:
    return mistake.better if len(mistake.better) <= LONGEST_SUGGESTION else ""


def _mistake(typed: str, saved: dict[str, str], lone: str = "") -> MatchupError | None:
    """What is wrong with a line; `lone` as in `parse`."""
    try:
        parse(typed, saved, QUESTIONS, lone)
    except MatchupError as error:
        return error
    return None
