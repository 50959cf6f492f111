"""Autocomplete for two plans: the first is offered with changes to it, then the second as far as it is typed."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from bot.commands.request import Request, Services
from bot.commands.suggest import (
    LONGEST_SUGGESTION,
    MOST_CANDIDATES,
    MOST_SUGGESTIONS,
    Suggestion,
    as_meant,
    candidates,
    completions,
    hints,
    offered,
    read_typed,
    saved_lines,
    suggest,
    suggest_raids,
)
from bot.editions import editions
from bot.matchup import (
    BETWEEN,
    LONGEST_PLANS,
    AnyBattle,
    MatchupError,
    Plans,
    normal,
    parse,
    parse_plans,
    split_plans,
    strangers,
)
from bot.matchup.armies import may_be_armies
from bot.matchup.bombing import pasted_raid
from bot.wording import victory
from solver.axis import AxisBattle
from solver.paths import Path
from solver.waves import Waves

EXAMPLES = ("12 9 bombers:2 || bombers:1", "12 9 stop:4 || stop:6", "3 inf 2 arm vs 4 inf || retreat:profit<0")
"""What may be typed, as examples."""
DICE_CHANGES = ("stop:4", "bombers:1", "rounds:3", "dice:2v2", "ties:attacker")
PATH_CHANGES = ("leave:2", "stop:4", "bombers:1")
ARMY_CHANGES = (
    *("retreat:profit<0", "retreat:units<=2", "retreat:win<40%", "retreat:air>20%", "rounds:2", "keep:1"),
    *("lowluck", "submerge", "dsubmerge", "gunslast", "deadzone", "value:4", "decline:no"),
)
"""What may be changed about the first plan, the likeliest first."""
MOST_OF_ONE = 5
"""How many changes are offered for each of the plans that the first may become."""

_HALF = re.compile(r"(?<=\s)o\s*$", re.IGNORECASE)
"""The beginning of "or"."""

Pair = tuple[AnyBattle, ...]


@as_meant
async def suggest_plans(request: Request, services: Services) -> list[Suggestion]:
    """Pairs of plans that what was typed so far may become; half a plan is no mistake while somebody types."""
    typed = request.options.get("matchup", "")[:LONGEST_PLANS]
    parts = split_plans(_HALF.sub("", typed.partition("→")[0]))
    begun = f" {BETWEEN} ".join(map(normal, parts)).strip()
    if len(begun) > LONGEST_SUGGESTION:
        return []
    saved = await saved_lines(request, services)
    found: dict[Pair, str] = {}
    for line in islice(_lines(parts, saved), MOST_CANDIDATES):
        plans = _read(line, saved)
        if plans is None or len(line) > LONGEST_SUGGESTION:
            continue
        pair = plans.first.battle, plans.second.battle
        if pair[0] != pair[1] or line == begun:
            found.setdefault(pair, line)
        if len(found) == MOST_SUGGESTIONS:
            break
    wrong = begun and not any(line.startswith(begun) for line in found.values())
    return offered(_hints(parts, saved) if wrong else [], await _labelled(found, services))


@as_meant
async def suggest_battles(request: Request, services: Services) -> list[Suggestion]:
    """What `/battle` answers: battles, and also two plans and bombing raids."""
    typed = request.options.get("matchup", "")
    if BETWEEN in typed:
        return await suggest_plans(request, services)
    raid = pasted_raid(typed) and read_typed(normal(typed), {}) is None
    return await (suggest_raids if raid else suggest)(request, services)


async def _labelled(found: Mapping[Pair, str], services: Services) -> list[Suggestion]:
    """The pairs of plans with the chances of both, where they are at hand."""
    odds = await asyncio.gather(*(services.engine.preview(battle) for pair in found for battle in pair))
    suggestions = []
    for place, line in enumerate(found.values()):
        told = [victory(one) for one in odds[2 * place : 2 * place + 2] if one is not None]
        label = f"{line} → A {told[0]}, B {told[1]}" if len(told) == 2 else line
        suggestions.append(Suggestion(label if len(label) <= LONGEST_SUGGESTION else line, line))
    return suggestions


def _lines(parts: list[str], saved: dict[str, str]) -> Iterator[str]:
    """Lines worth offering for what was typed, best first; not all of them need to be two plans."""
    first, second = normal(parts[0]), " ".join(map(normal, parts[1:]))
    if not first:
        yield from EXAMPLES
    elif len(parts) == 1:
        yield from (example for example in EXAMPLES if example.startswith(first))
        for line in islice(candidates(first, saved), MOST_CANDIDATES):
            yield from (f"{line} {BETWEEN} {change}" for change in islice(_changes(line, "", saved), MOST_OF_ONE))
    else:
        lines = (second, *completions(second, saved), *_changes(first, second, saved))
        yield from (f"{first} {BETWEEN} {line.strip()}" for line in lines if line.strip())


def _changes(first: str, second: str, saved: dict[str, str]) -> Iterator[str]:
    """What the second plan may become that is begun so, as a change of the first; nothing where that is no plan."""
    reading = read_typed(first, saved)
    begun = second.split()[-1] if second else ""
    before = second.removesuffix(begun)
    if reading is None:
        return
    if isinstance(reading.battle, AxisBattle | Waves):
        battle = reading.battle.battles[0] if isinstance(reading.battle, Waves) else reading.battle
        yield from (f"{before}{word}" for word in _units(battle, before, begun))
        words: tuple[str, ...] = ARMY_CHANGES
    else:
        words = PATH_CHANGES if isinstance(reading.battle, Path) else DICE_CHANGES
    yield from (f"{before}{word}" for word in words if word.startswith(begun))


def _units(battle: AxisBattle, before: str, begun: str) -> list[str]:
    """The units that a number may be of, or that are begun behind one."""
    short = editions()[battle.rules.key].short
    if begun.isdecimal():
        return [f"{begun} {short[name]}" for name, _ in battle.attacker.units]
    counted = before.split()[-1:]
    return [word for word in short.values() if counted and counted[0].isdecimal() and word.startswith(begun)]


def _read(line: str, saved: dict[str, str]) -> Plans | None:
    """The two plans of a line, if they are such."""
    if not may_be_armies(line) and any(not saved.keys() >= set(strangers(part)) for part in split_plans(line)):
        return None  # As in `read_typed`.
    try:
        return parse_plans(line, saved)
    except MatchupError:
        return None


def _hints(parts: list[str], saved: dict[str, str]) -> list[Suggestion]:
    """What is wrong, where a suggestion would stand; nothing is about a first plan to which the second is missing."""
    typed = f" {BETWEEN} ".join(map(normal, parts)).strip()
    try:
        if len(parts) > 1:
            parse_plans(typed, saved)
        else:
            parse(typed, saved)
    except MatchupError as error:
        return hints(typed, error)
    return []
