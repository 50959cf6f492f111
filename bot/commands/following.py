"""Answers follow-ups, such as "and with 3 more?": texts that go on from the answer with the line `Request.after`."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from bot.commands.freely import ask_back, check_players, request_for, understand_here
from bot.commands.table import COMMANDS
from bot.errors import UserError
from bot.languages import N_, _, join_texts, language, speaking
from bot.notation.defaults import PLAIN, reading_with
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.notation.reading import parse
from bot.phrases.after.reader import read_after
from bot.phrases.canonical import canonical_or_none
from bot.phrases.meaning import Understood
from bot.replies import Form, Reply
from bot.request import Request, Services
from bot.words.numbers import victory
from solver.game import GameOdds

_DICE = re.compile(r"\d+ (\d|>)")
_UNITS = re.compile(r"(?<!\S)(\d+) ([a-z]+)(?!\S)")


async def answer_follow_up(request: Request, services: Services) -> Reply | Form | None:
    """Answer a text that goes on from an answer; None if it is a question by itself."""
    phrase = await _read(request, services)
    if phrase is None:
        return None
    if not phrase.line:
        return await ask_back(phrase, replace(request, command="battle"), services)
    asked = request_for(phrase.line, replace(request, private=request.private or phrase.is_private))
    with speaking(phrase.language or language()):
        reply = await COMMANDS[asked.command].run(asked, services)
        if isinstance(reply, Form) or reply.failed:
            return reply
        changes = await _changes_said(request.after, phrase.line, services)
        return replace(reply, remarks=(*changes, *reply.remarks), private=asked.private or reply.private)


async def _read(request: Request, services: Services) -> Understood | None:
    """Read a text as a follow-up; None if it is none."""
    typed = request.options.get("matchup")
    if typed is None:
        return None
    text = typed if request.command == "battle" else f"{request.command} {typed}".strip()
    saved = await services.saved_lines(request.place)
    with reading_with(request.line_defaults):
        if canonical_or_none(services.rooms, typed if text is typed else f"/{text}", saved):
            return None
    whole = understand_here(replace(request, command="battle"), services, text, saved)
    await asyncio.sleep(0)  # others are answered in between
    with reading_with(PLAIN):
        phrase = read_after(services.rooms, text, request.after, whole, request.reader)
    if phrase is whole:
        return None
    check_players(text, phrase)
    return phrase


async def _changes_said(before: str, after: str, services: Services) -> list[str]:
    """Say what a follow-up has changed, and what that makes of the chance; nothing about another question."""
    with reading_with(PLAIN):
        before = canonical_or_none(services.rooms, before)
    changes = join_texts(", ", [*differences(before, after)])
    if "/" in before[:1] + after[:1] or not changes:
        return []
    chances = [await _chance_of(line, services) for line in (before, after)]
    if not all(chances) or _without_question(before) == _without_question(after):
        return [changes]
    return [_("{changes}: {before} → {after}", changes=changes, before=chances[0], after=chances[1])]


def _without_question(line: str) -> str:
    """Return a line without the options about the question, which change no chance to win."""
    return " ".join(word for word in line.split() if word.partition(":")[0] not in ASKED_WITH_BATTLE)


def differences(before: str, after: str) -> Iterator[str]:
    """Yield what is different in two canonical lines: numbers, units and options; nothing if all else is, too."""
    (numbers, old), (others, new) = map(_parts_of, (before, after))
    if numbers.keys() & others.keys():
        for side, unit in numbers | others:
            now, then = others.get((side, unit), 0), numbers.get((side, unit), 0)
            if now != then:
                yield _(_SIDES[side], before=then, after=now, unit=unit)
        yield from (f"`{word}`" for word in new if word not in old)
        yield from (_("without `{word}`", word=word) for word in old if not _is_replaced(word, new))


def _is_replaced(word: str, new: list[str]) -> bool:
    """Tell whether an option stands in the new line, perhaps with another value."""
    return any(word.partition(":")[0] == other.partition(":")[0] for other in new)


_SIDES = {
    "attacker": N_("{before} → {after} {unit} of the attacker"),
    "defender": N_("{before} → {after} {unit} of the defender"),
    "attackers": N_("{before} → {after} attackers"),
    "defenders": N_("{before} → {after} defenders"),
}
"""How a change is said, by the side, with units or with armies."""


def _parts_of(line: str) -> tuple[dict[tuple[str, str], int], list[str]]:
    """Return the numbers of a line by their side and unit, and its options; none of several waves or a map."""
    words = line.replace(" > ", " ").split()
    if " then " in line or not line[:1].isdigit():
        return {}, []
    options = [word for word in words if not word.isdecimal()]
    if units := not _DICE.match(line) and _UNITS.findall(line):
        ours, _versus, theirs = line.partition(" vs ")
        sides = (("attacker", ours), ("defender", theirs))
        counts = {(side, unit): int(count) for side, text in sides for count, unit in _UNITS.findall(text)}
        named = {"vs", *(unit for _count, unit in units)}
        return counts, [word for word in options if word not in named]
    numbers = [int(word) for word in words if word.isdecimal()]
    counts = {("defenders", str(place)): number for place, number in enumerate(numbers[1:])}
    return {("attackers", ""): int(words[0]), **counts}, options


async def _chance_of(line: str, services: Services) -> str:
    """Return the chance of the battle of a canonical line; "" where nobody wins, or where it takes long."""
    with suppress(UserError):
        with reading_with(PLAIN):
            battle = services.rooms.allow(parse(services.rooms, line, takes=ASKED_WITH_BATTLE)).battle
        room = services.rooms.of(battle)
        if room.solving and room.solving.is_quick(battle):
            odds: GameOdds = await services.engine.odds(battle)
            return "" if odds.success is None else victory(odds)
    return ""
