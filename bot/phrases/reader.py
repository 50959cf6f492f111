"""Reads a line: as the notation has it if that can be, else as people say it."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.errors import UserError
from bot.games.base import Rooms
from bot.languages import _
from bot.notation.plans import parse_plans, write_plans
from bot.notation.reading import parse, read_in_room
from bot.notation.writing import write
from bot.phrases.lines import Meaning, NotClearError, compose_battle
from bot.phrases.questions import WITHOUT_LINE, compose
from bot.phrases.sides import Evidence
from bot.phrases.tags import Tag, Tagger
from bot.phrases.tokens import LONGEST_PHRASE, normal_phrase, tokens_of
from solver import BattleError

DOUBTFUL = ("vague", "at_least", "approximate")
"""The roles of words that may make a difference."""
ASKED = ("exact", "all", "advice")
"""Options about the question that go with a battle."""


@dataclass(frozen=True)
class Understood:
    """The meaning of a phrase.

    Attributes:
        line: The line in canonical notation, with its command unless that is `/battle`; "" if nobody could know.
        readings: The lines it may mean, where nobody could know.
        why: What is missing or not clear then.
        tags: The words with their tags.
        reasons: Why an army attacks or defends.
    """

    line: str = ""
    readings: tuple[str, ...] = ()
    why: str = ""
    tags: tuple[Tag, ...] = ()
    reasons: tuple[Evidence, ...] = ()


def understand(rooms: Rooms, text: str, language: str = "", saved: Mapping[str, str] | None = None) -> Understood:
    """Read a phrase freely; it never raises."""
    phrase = normal_phrase(text)
    if len(phrase) > LONGEST_PHRASE:
        return Understood(why="too long")
    tokens = tokens_of(phrase)
    tags = tuple(Tagger(tokens, language).tags())
    try:
        meaning = _meaning(rooms, tags)
    except NotClearError as error:
        readings = [reading for reading in error.readings if _canonical_or_none(rooms, reading)]
        return Understood("", tuple(dict.fromkeys(readings)), error.why, tags)
    return Understood(meaning.line, (), "", tags, meaning.reasons)


def _meaning(rooms: Rooms, tags: tuple[Tag, ...]) -> Meaning:
    """Return the meaning of tagged words, in canonical notation."""
    lost = [
        tag
        for index, tag in enumerate(tags)
        if tag.table == "unknown" or (tag.is_role(*DOUBTFUL) and not _counts(tags, index))
    ]
    if lost:
        raise NotClearError(f"what is {lost[0].text}")
    asked = sorted((tag for tag in tags if tag.table == "questions"), key=lambda tag: tag.start - tag.end)
    first: NotClearError | None = None
    questions = list(dict.fromkeys(tag.value for tag in asked))
    if "compare" not in questions and any(tag.is_role("or") for tag in tags):
        questions.insert(0, "compare")
    for question in [*questions, "battle"]:
        if question == "battle" and ({"compare", "need"} & {*questions} or any(" " in tag.text for tag in asked)):
            break
        try:
            meaning = _compose(question, tags)
            _check_numbers(tags, meaning.line)
            line = canonical(rooms, meaning.line)
            return Meaning(line, meaning.reasons, meaning.other)
        except NotClearError as error:
            first = first or error
        except (UserError, BattleError) as error:
            first = first or NotClearError(str(error))
    assert first is not None
    raise first


def _check_numbers(tags: tuple[Tag, ...], line: str) -> None:
    """Raise NotClearError unless every number of the phrase is in the line; units of a kind may be added up."""
    given = [
        int(number)
        for tag in tags
        for number in (tag.numbers if tag.table == "number" else tag.slots)
        if str(number).isdecimal()
    ]
    written = [int(number) for number in re.findall(r"\d+", line)]
    lost = Counter(given) - Counter(written)
    if lost and sum(lost.values()) > 1 + (sum(given) > sum(written)):
        raise NotClearError("a number is left")


def _counts(tags: tuple[Tag, ...], index: int) -> bool:
    """Tell whether a vague word does no harm, as in "2 more inf"."""
    before, after = tags[index - 1 : index], tags[index + 1 : index + 2]
    if tags[index].is_role("at_least"):
        return bool(after) and after[0].table == "chance"
    if tags[index].is_role("approximate"):
        return not after or after[0].table != "number"
    unit = bool(after) and (after[0].table in ("units", "ships") or after[0].is_role("points"))
    return tags[index].text == "more" and bool(before) and before[0].table == "number" and unit


def _compose(question: str, tags: tuple[Tag, ...]) -> Meaning:
    if question != "battle":
        return compose(question, tags)
    if any(tag.table == "chance" for tag in tags):
        raise NotClearError("a chance beside a battle")
    return compose_battle(tags)


def canonical(rooms: Rooms, line: str) -> str:
    """Return a line of notation, with or without its command, in canonical form; UserError if it is none."""
    command, _space, rest = line[1:].partition(" ") if line.startswith("/") else ("battle", "", line)
    if line.removeprefix("/") in WITHOUT_LINE:
        return line
    if line == "/help variants":
        return "/help packs"
    if command == "compare":
        return f"/compare {write_plans(rooms, parse_plans(rooms, rest)).replace('||', 'or')}"
    if command in ("need", "dice"):
        reading = parse(
            rooms,
            rest,
            takes=("chance", "side", "least", "survive"),
            lone="defenders" if command == "need" else "attackers",
        )
        given = getattr(reading.details, "given", None)
        text = write(rooms, reading.battle)
        if given is not None and len(given) == 1:
            attackers, defenders, *options = text.split()
            text = " ".join(
                [
                    f"{attackers} vs"
                    if "attackers" in given and command == "need"
                    else attackers
                    if "attackers" in given
                    else defenders,
                    *options,
                ]
            )
        chance = [f"{100 * reading.chance:.10g}%"] if reading.chance is not None else []
        return " ".join([f"/{command}", text, *chance])
    commands = {room.notation.own_command.name: room for room in rooms if room.notation.own_command}
    if command in commands:
        text = write(rooms, read_in_room(rooms, commands[command], rest, {}).battle)
        return f"/{command} {text.removeprefix(command).strip()}"
    reading = parse(rooms, rest, takes=ASKED, own_commands=True)
    text = " ".join([write(rooms, reading.battle), *_asked(reading.asked)])
    own = rooms.of(reading.battle).notation.own_command
    if own:
        command = own.name
    return text if command == "battle" else f"/{command} {text}"


def _asked(asked: Mapping[str, object]) -> Collection[str]:
    return [name if value is True or name == "all" else f"{name}:{value}" for name, value in asked.items() if value]


def _canonical_or_none(rooms: Rooms, line: str) -> str:
    try:
        return canonical(rooms, line)
    except (UserError, BattleError):
        return ""


def meaning_document(rooms: Rooms, text: str, language: str = "") -> dict[str, object]:
    """Answer the JSON question "meaning"."""
    stripped = text.strip()
    if line := _canonical_or_none(rooms, stripped):
        return {"line": line}
    found = understand(rooms, stripped, language)
    if found.line:
        return {"line": found.line}
    if found.readings:
        return {"readings": list(found.readings)}
    return {"error": found.why or _("I don't understand that.")}
