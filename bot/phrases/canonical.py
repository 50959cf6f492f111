"""Writes lines of any command in one form, so that two lines with one meaning are equal."""

import re
from collections.abc import Iterator, Mapping

from bot.editions import editions
from bot.errors import UserError
from bot.games.base import Reading, Rooms
from bot.notation.asked_ends import write_spans
from bot.notation.defaults import current_defaults, reading_with
from bot.notation.dice_options import ASKED_OF_BATTLE, ASKED_WITH_BATTLE, ASKED_WITH_NEED, THROW
from bot.notation.lexer import take_defend, take_table
from bot.notation.mistakes import without_corrections
from bot.notation.plans import BETWEEN, is_pair, parse_plans, write_plans
from bot.notation.reading import parse, read_in_room
from bot.packs import load
from bot.phrases.questions import WITHOUT_LINE
from solver import BattleError

ENDED = ("won", "lost")
END = re.compile(rf" ({'|'.join(ENDED)})\b")
"""The words behind a battle that say how it ended."""
_BETWEEN_TWO = re.compile(r"(\d+) [a-z ]+ > (\d+) [a-z ]+")
LONE = {"need": "defenders", "dice": "attackers"}
"""The side of a number that stands alone behind a command."""


def canonical(rooms: Rooms, line: str, saved: Mapping[str, str] | None = None) -> str:
    """Return a line of notation, with or without its command, in canonical form; UserError if it is none."""
    command, _space, rest = line[1:].partition(" ") if line.startswith("/") else ("battle", "", line)
    if line.removeprefix("/") in WITHOUT_LINE:
        return line
    if command == "help" and rest in ("variants", *load(), *editions()):
        return f"/help {rest.replace('variants', 'packs')}"
    if command == "compare" or (command == "battle" and is_pair(rooms, rest)):
        return f"/compare {write_plans(rooms, parse_plans(rooms, rest, saved)).replace(BETWEEN, 'or')}"
    if command == "table":
        text, word = take_table(rest)
        return f"{_canonical(rooms, command, text, saved)} {word}".strip()
    if command == "all":  # the same question as with that option
        return _canonical(rooms, "battle", f"{rest} all", saved)
    if command == "luck" and (end := END.search(rest)) and ";" not in rest:
        return f"/luck {_canonical(rooms, 'battle', rest[: end.start()], saved)}{rest[end.start() :]}"
    if command == "dice":  # of dice nobody stays behind
        with reading_with(current_defaults()._replace(behind=0)):
            return _canonical(rooms, command, rest, saved)
    return _canonical(rooms, command, rest, saved)


def without_places(line: str) -> str:
    """Return the battle that the canonical line of a conquest of one territory from one other is; "" for others."""
    match = _BETWEEN_TWO.fullmatch(line)
    return match.expand(r"\1 \2") if match else ""


def _canonical(rooms: Rooms, command: str, rest: str, saved: Mapping[str, str] | None) -> str:
    """Return the canonical form of a line of a command."""
    if command == "dice":
        return _write_throw(rooms, rest, saved)
    if command in LONE:
        return " ".join([f"/{command}", *_write_asked(rooms, rest, saved, LONE[command])])
    if command == "conquer":  # the same question as without it
        of_maps = next(filter(lambda room: command in room.commands, rooms))
        reading = read_in_room(rooms, of_maps, rest, saved or {}, takes=ASKED_OF_BATTLE)
        return _write_lone(rooms, reading, "")
    if room := next((room for room in rooms if getattr(room.notation.own_command, "name", "") == command), None):
        reading = read_in_room(rooms, room, rest, saved or {}, takes=("all",))
        return f"/{command} {_write_battle(rooms, reading).removeprefix(f'{command} ')}"
    takes = ASKED_OF_BATTLE if command == "battle" else ASKED_WITH_BATTLE
    reading = parse(rooms, rest, saved, takes=takes, own_commands=True)
    if reading.question == "need":
        return _canonical(rooms, "need", rest, saved)
    own = rooms.of(reading.battle).notation.own_command
    command = own.name if own and command != "roll" else command
    on_map = "conquer" in rooms.of(reading.battle).commands
    text = _write_lone(rooms, reading, "") if on_map else _write_battle(rooms, reading)
    return text if command == "battle" else f"/{command} {text}"


def _write_battle(rooms: Rooms, reading: Reading) -> str:
    """Write a battle with what is asked about it."""
    return f"{rooms.write(reading.battle)} {reading.asked_words()}".rstrip()


def _write_throw(rooms: Rooms, rest: str, saved: Mapping[str, str] | None) -> str:
    """Write a line of `/dice`, with the hits that it asks about."""
    text, defends = take_defend(rest)
    reading = parse(rooms, text, saved, (THROW, "hits"), "defenders" if defends else LONE["dice"])
    hits = [f"hits:{write_spans(reading.asked['hits'])}"] if "hits" in reading.asked else []
    return " ".join(["/dice", _write_lone(rooms, reading, LONE["dice"]), *hits])


def _write_asked(rooms: Rooms, line: str, saved: Mapping[str, str] | None, lone: str) -> Iterator[str]:
    """Write a line in which a number may be missing, with the ends that it asks about and its chance."""
    reading = parse(rooms, line, saved, takes=ASKED_WITH_NEED, lone=lone)
    yield _write_lone(rooms, reading, lone)
    if "end" in reading.asked:
        yield str(reading.asked["end"])
    if reading.chance is not None:
        yield f"{100 * reading.chance:.10g}%"


def _write_lone(rooms: Rooms, reading: Reading, lone: str) -> str:
    """Write a line in which a number, or an army, may be missing."""
    notation = rooms.of(reading.battle).notation
    return notation.write_part(reading, lone) if notation.write_part else rooms.write(reading.battle)


def canonical_or_none(rooms: Rooms, line: str, saved: Mapping[str, str] | None = None) -> str:
    """Return a line of notation in canonical form; "" if it is none."""
    try:
        with without_corrections():
            return canonical(rooms, line, saved)
    except (UserError, BattleError):
        return ""
