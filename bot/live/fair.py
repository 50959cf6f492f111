"""Fair dice: draw them, record them and check them. Python and this file check a log: python3 fair.py battle.json

The promise uses standard SHA-256 and HMAC; "|" is that character, and hashes are lower-case hex:

    Before the first roll everyone sees the commitment, the SHA-256 of   sandtable-fair-1|BATTLE|SEED
    The log writes it in hex, the chat in base64url: the same 256 bits in 43 characters. Older chats have hex, too.
    The seed is 32 random bytes as 64 hex digits. It is in the log when the battle is over.
    Roll N takes its bytes from HMAC-SHA256, keyed with the seed's 32 bytes, over
                                          sandtable-fair-1|BATTLE|MESSAGE|N|INTERACTION|BLOCK
    MESSAGE and INTERACTION are ids that Discord assigned after the commitment was shown (in a terminal 0, and the
    time in milliseconds). BLOCK is 0, then 1, ... as more bytes are needed.
    A byte b is used for a die of S sides only if b < 256 - 256 mod S; the die then shows b mod S + 1.
    The attacker's dice come first, the largest first; rerolls and further throws of a die come right after it.
    The hash of a roll is the SHA-256 of   HASH OF THE ROLL BEFORE (at first the commitment)|ROLL
    where ROLL is its entry in the log as JSON without "hash", keys sorted, no spaces, ASCII. All its numbers are whole.

A roll may name its dice in the order they fell, "dice": ["1d8+2d6", "2d6"]; otherwise all of them have six sides.
It may name the "line" and the "message" of the battle, as the first roll does, so that the hashes cover these too.
"rules" is the version of Sandtable's rules that the battle follows; a log without it follows the first version.
"real": true marks dice that players rolled on their table and typed in; "retreat": true marks the attacker's retreat.
"press" says who may press: "everybody", or the "user" of each side, {"attacker": "1", "defender": "2", "wait": 24}; the
other one may after so many hours. Without it both named players may press, or else everybody. "side" is the side that
somebody pressed for; older versions write none. "keep" is a side that keeps its losses, "always": true its order to the
end. "forgotten": true marks presses after a player's name was removed: then others may press for that player.
"choice" is what a player, or the best plan, chose between two rolls: such an entry has no dice, but counts as a roll N.
"undo" is the number of a roll of real dice that its user takes back before anybody goes on: it counts for nothing.
"mistyped": true, in the last entry alone, says that real dice were mistyped; "moderator": true if a moderator says so.
"ended": "moderator" in a log means that a moderator ended the battle early.
"people" has the names of those who pressed. No hash covers it, so that a name can be removed: it proves nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

SCHEME, MODERATOR, EVERYBODY = "sandtable-fair-1", "moderator", "everybody"
MOST_BYTES, MOST_SHOWN, MOST_DEEP = 8_000_000, 20, 100
_Checks = Mapping[str, Callable[[Any], bool]]


def commitment(battle: str | int, seed: str) -> str:
    """Return the commitment that everyone sees before the first roll: it fits this seed alone and hides it."""
    return hashlib.sha256(f"{SCHEME}|{battle}|{seed}".encode()).hexdigest()


def base64url(digits: str) -> str:
    """Write a commitment, given as hex digits, as the chat shows it: all of its 256 bits in 43 characters."""
    return base64.urlsafe_b64encode(bytes.fromhex(digits)).decode().rstrip("=")


class Dice:
    """The dice of roll `n`: called with a number of sides, 2 to 256, it gives the face of the next die."""

    def __init__(self, seed: str, battle: str | int, message: str | int, n: int, interaction: str | int) -> None:
        self._key, self._text = bytes.fromhex(seed), f"{SCHEME}|{battle}|{message}|{n}|{interaction}"
        self._bytes = self._stream()

    def __call__(self, sides: int) -> int:
        """Return the next face. Bytes beyond the last whole multiple of the sides would favour low faces: skip them."""
        if not 2 <= sides <= 256:
            raise ValueError(f"a die must have 2 to 256 sides, not {sides}")
        return next(byte for byte in self._bytes if byte < 256 - 256 % sides) % sides + 1

    def _stream(self) -> Iterator[int]:
        for block in count():
            yield from hmac.new(self._key, f"{self._text}|{block}".encode(), hashlib.sha256).digest()


def link(previous: str, entry: Mapping[str, Any]) -> str:
    """Hash an entry after the hash before it; raise ValueError if JSON can't express it, or if it has floats."""
    bare = {name: value for name, value in entry.items() if name != "hash"}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"), allow_nan=False)
    json.loads(text, parse_float=int)  # int() refuses the text of a float, which other programs write in other ways.
    return hashlib.sha256(f"{previous}|{text}".encode()).hexdigest()


def dice_sides(text: str) -> list[int]:
    """Return the sides of each of the dice in an entry: "1d8+2d6" is [8, 6, 6]."""
    return [size for number, size in _terms(text) for _ in range(number)]


class Finding(str):
    """A sentence about a log; `text` and `values` are its parts, for those who say it in another language."""

    text: str
    values: dict[str, Any]

    def __new__(cls, text: str, **values: Any) -> Finding:
        """Fill in the placeholders of the text, if there are values for them."""
        finding = super().__new__(cls, text.format_map(values) if values else text)
        finding.text, finding.values = text, values
        return finding

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Return what makes a copy in another process."""
        return (self.text,), self.values


class Count(NamedTuple):
    """The number of some rolls and of their dice."""

    rolls: int
    dice: int

    def __str__(self) -> str:
        """Return both in words."""
        return f"{self.rolls} {'roll' if self.rolls == 1 else 'rolls'}, {self.dice} dice"


def problems(log: Any, known: Sequence[Sequence[str]] | None = None) -> list[str]:
    """List all problems of a log, which may be anything; the list is empty if everything fits.

    Before the battle is over the log has no seed, so only its hashes are checked. `known` are the dice of each roll by
    the rules, for rolls that do not name theirs; past its end such dice are left unchecked.
    """
    if not isinstance(log, dict):
        return [Finding("this is not the log of a battle")]
    # No field may be missing; Ellipsis is right for none of them.
    if wrong := _garbled_fields(log, _LOG, ...):
        return wrong
    previous = log["commitment"]
    if log["seed"] is not None and commitment(log["battle"], log["seed"]) != previous:
        wrong.append(Finding("the seed doesn't match the commitment"))
    for number, entry in enumerate(log["rolls"], start=1):
        faults = entry_problems(log["rolls"], number) or dice_problems(log, number, known)
        if isinstance(entry, dict):
            faults += _other_battle_problems(log, entry, number)
            try:
                expected = link(previous, entry)
                if entry.get("hash") != expected:
                    faults.append(Finding("its hash doesn't match: this roll was changed, or one before it is missing"))
                previous = entry["hash"] if _is_hex(entry.get("hash")) else expected
            except (ValueError, RecursionError):
                faults.append(Finding("it can't be hashed: it has a number that is not whole, or is nested too deeply"))
        wrong += [Finding("roll {number}: {problem}", number=number, problem=problem) for problem in faults]
    return wrong


def _other_battle_problems(log: Mapping[str, Any], entry: Mapping[str, Any], number: int) -> Iterator[str]:
    """Yield what shows that a roll belongs to another battle than that of the log."""
    if entry.get("line", log["line"]) != log["line"]:
        yield Finding("it was rolled for another line")
    if entry.get("message", log["message"]) != log["message"]:
        yield Finding("it was rolled for another message")
    # An old log has no rules; the first roll binds those of a log that has some.
    if (number == 1 or "rules" in entry) and entry.get("rules", 1) != log.get("rules", 1):
        yield Finding("it was rolled under other rules")
    if (number == 1 or "press" in entry) and entry.get("press") != log.get("press"):
        yield Finding("it was rolled while others could press")


def entry_problems(rolls: Sequence[Any], number: int) -> list[str]:
    """List what makes an entry unreadable as that of roll `number`."""
    entry = rolls[number - 1]
    if not isinstance(entry, dict):
        return [Finding("it is garbled")]
    kinds, wrong = kinds_of(entry), _garbled_fields(entry, _ENTRY)
    if (type(entry.get("n")), entry.get("n")) != (int, number):
        wrong.append(Finding('its number "n" should be {number}', number=number))
    faces: list[Any] = [entry.get(side, [] if kinds else None) for side in _WRONG_FACES]
    if not all(isinstance(side, list) and all(type(n) is int and 1 <= n <= 256 for n in side) for side in faces):
        wrong.append(Finding("its faces are missing or garbled"))
    if wrong:
        return wrong
    dice = [sum(map(int, re.findall(r"(\d+)d", code))) for code in entry.get("dice") or []]
    if len(kinds) + any(faces) > 1:
        wrong.append(_MIXED)
    if dice not in ([], [*map(len, faces)]):
        wrong.append(Finding("its numbers of dice and faces differ"))
    return [*wrong, *_place_problems(rolls, number)]


def _place_problems(rolls: Sequence[Any], number: int) -> Iterator[str]:
    """Yield why an entry may not stand at its place."""
    entry = rolls[number - 1]
    if "undo" in entry and last_typed(rolls, number - 1) != (entry["undo"], entry.get("user")):
        yield Finding("it takes back what is not the last roll, or not real dice of the same player")
    if entry.get("mistyped") and (number < len(rolls) or not typed_rolls(rolls[:-1])):
        yield Finding("it marks the battle as mistyped, but is not the last, or no real dice stand before it")


def kinds_of(entry: Mapping[str, Any]) -> list[str]:
    """Return what an entry is other than a roll: a retreat, a mark as mistyped, or what was chosen, kept or undone."""
    flags = [name for name in ("retreat", "mistyped") if entry.get(name)]
    return flags + [name for name in ("choice", "keep", "undo") if name in entry]


def last_typed(rolls: Sequence[Any], end: int) -> tuple[int, str] | None:
    """Return number and user of the last of the first `end` rolls if it can be taken back: somebody typed it."""
    for entry in map(rolls.__getitem__, reversed(range(end))):
        is_other = not isinstance(entry, dict) or entry.get("interaction") != rolls[end - 1].get("interaction")
        if is_other or "undo" in entry:  # so a log with very many of these takes no longer
            return None
        if not kinds_of(entry):
            return (entry.get("n", 0), entry.get("user", "")) if entry.get("real") else None
    return None


def typed_rolls(rolls: Sequence[Any]) -> list[Mapping[str, Any]]:
    """Return the rolls of real dice that stand: nobody took them back."""
    readable = [(n, entry) for n, entry in enumerate(rolls, start=1) if isinstance(entry, dict)]
    back = {entry["undo"] for _n, entry in readable if type(entry.get("undo")) is int}
    return [entry for n, entry in readable if entry.get("real") and not kinds_of(entry) and n not in back]


def dice_problems(log: Mapping[str, Any], number: int, known: Sequence[Sequence[str]] | None = None) -> list[str]:
    """List the dice of a roll that show an impossible face or not the one the seed gives; the log is readable."""
    entry, sizes = log["rolls"][number - 1], _sizes(log["rolls"][number - 1], number, known)
    if impossible := [size for size in sizes if not 2 <= size <= 256]:
        return [Finding("a die can't have {sides} sides", sides=impossible[0])]
    fallen = [(side, place, face) for side in _WRONG_FACES for place, face in enumerate(entry.get(side, []), start=1)]
    is_drawn = log["seed"] is not None and not entry.get("real")
    drawn = Dice(log["seed"], log["battle"], log["message"], number, entry["interaction"]) if is_drawn else None
    guess = ", if it has six sides" if not entry.get("dice") and known is None else ""
    wrong: list[str] = []
    for (side, place, face), size in zip(fallen, sizes, strict=False):
        right, (unlike_seed, too_high) = drawn(size) if drawn else face, _WRONG_FACES[side]
        checks = (face != right, unlike_seed + guess), (face > size, too_high)
        texts = [text for is_wrong, text in checks if is_wrong]
        wrong += [Finding(text, place=place, right=right, sides=size, face=face) for text in texts[:1]]
    return wrong


def _sizes(entry: Mapping[str, Any], number: int, known: Sequence[Sequence[str]] | None) -> list[int]:
    """Return the sides of each of the dice of a roll; none if nobody says them."""
    if not entry.get("dice") and known is None:
        return [6] * sum(len(entry.get(side, [])) for side in _WRONG_FACES)
    codes = entry.get("dice") or [code for dice in (known or [])[number - 1 : number] for code in dice]
    return [size for code in codes for size in dice_sides(code)]


def report(log: Mapping[str, Any], by_rules: bool = False) -> str:
    """Say what was checked of a log without problems, `by_rules` too, and what only the reader can check."""
    promise = f"{base64url(log['commitment'])} (in hex {log['commitment']})"
    last = log["rolls"][-1]["hash"][:8] if log["rolls"] else "none"
    compare = f"Compare with the chat: commitment {promise}, log {last}, message {log['message']}."
    return "\n".join([*results(log, by_rules), compare])


def results(log: Mapping[str, Any], by_rules: bool) -> Iterator[str]:
    """Yield what a check without problems has proven, and what it cannot prove."""
    drawn = _count([entry for entry in log["rolls"] if not kinds_of(entry) and not entry.get("real")])
    yield Finding("Battle {battle}, {line}: no problems found.", battle=log["battle"], line=json.dumps(log["line"]))
    if log["seed"] is None:
        yield Finding("The battle isn't over: its seed is still secret, so the dice can't be checked yet.")
        yield Finding("The hashes match: {rolls}.", rolls=drawn)
    else:
        yield Finding("The dice match the seed: {rolls}.", rolls=drawn)
        if not by_rules:
            yield "To check that no roll is missing, use sandtable verify."
    if log.get("ended") == MODERATOR:
        yield Finding("A moderator ended this battle: only the log hash in the chat shows that no roll is missing.")
    elif by_rules and not any(entry.get("mistyped") for entry in log["rolls"]):
        yield Finding("Every roll follows the rules, and none is missing.")
    yield from _notes(log, log["rolls"])


def _notes(log: Mapping[str, Any], rolls: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what no check can prove, and what is rare."""
    choices = sum("choice" in entry for entry in rolls)
    unchecked = sum("side" not in entry for entry in rolls) if isinstance(log.get("press"), dict) else 0
    flags = {flag for flag in _FLAGS for entry in rolls if entry.get(flag)}
    undone, real = [rolls[entry["undo"] - 1] for entry in rolls if "undo" in entry], typed_rolls(rolls)
    notes = (
        (real, Finding("Real dice, typed in, can't be checked: {rolls}.", rolls=_count(real))),
        (undone, Finding("Real dice, taken back, that count for nothing: {rolls}.", rolls=_count(undone))),
        (choices, Finding("Choices between the rolls: {n}.", n=choices)),
        ("retreat" in flags, Finding("The attacker retreated.")),
        ("mistyped" in flags, _MISTYPED),
        ("moderator" in flags, Finding("A moderator marked it, which nobody can check.")),
        ("forgotten" in flags, Finding("Somebody went on for a player whose name was removed.")),
        (unchecked, Finding("Taken by an older version, which did not check who pressed: {n}.", n=unchecked)),
        (log.get("people"), Finding("The players' names are not proven: no hash covers them.")),
    )
    yield from (note for is_due, note in notes if is_due)


def read(file: str) -> Any:
    """Read JSON from a file, "-" is standard input; raise OSError, or ValueError with a sentence, if it fails."""
    with open(0, "rb") if file == "-" else Path(file).open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES} bytes")
    with suppress(ValueError, RecursionError):
        if not _is_deep(value := json.loads(data.decode("utf-8-sig")), MOST_DEEP):
            return value
    raise ValueError("it is not JSON")


def main(arguments: Sequence[str], check: Callable[[Any], list[str]] = problems) -> int:
    """Check one file: return 0 if it has no problems, 1 if it has some, 2 if it can't be read."""
    if len(arguments) != 1:
        print("Name the log to check: python3 fair.py battle.json", file=sys.stderr)
        return 2
    try:
        log = read(arguments[0])
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"{arguments[0]!a} cannot be read: {reason}.", file=sys.stderr)
        return 2
    wrong = check(log)
    print(problem_list(wrong) if wrong else report(log, by_rules=check is not problems))
    return 1 if wrong else 0


def problem_list(wrong: Sequence[str]) -> str:
    """Write problems as a list, at most MOST_SHOWN of them."""
    more = [f"... and {len(wrong) - MOST_SHOWN} more"] if len(wrong) > MOST_SHOWN else []
    return "\n- ".join(["This log has problems:", *wrong[:MOST_SHOWN], *more])


def _is_deep(value: Any, left: int) -> bool:
    """Return whether lists and objects are nested more than so many deep. Versions of Python have other limits."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inside is not None and (left == 0 or any(_is_deep(each, left - 1) for each in inside))


def _count(rolls: Sequence[Mapping[str, Any]]) -> Count:
    return Count(len(rolls), sum(len(entry["attack"]) + len(entry["defence"]) for entry in rolls))


def _terms(text: str) -> list[tuple[int, int]]:
    """Return numbers of dice and their sides: "1d8+2d6" is [(1, 8), (2, 6)]."""
    return [(int(number), int(size)) for number, size in re.findall(r"(\d+)d(\d+)", text)]


def _garbled_fields(table: Mapping[str, Any], checks: _Checks, missing: Any = None) -> list[str]:
    """Return a finding for each field that its check refuses; `missing` is checked where there is none."""
    wrong = [name for name, check in checks.items() if not check(table.get(name, missing))]
    return [Finding('"{name}" is missing or garbled', name=name) for name in wrong]


def _matches(pattern: str, value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


_is_hex = partial(_matches, "[0-9a-f]{64}")
_is_dice = partial(_matches, "([1-9][0-9]{0,6}d[1-9][0-9]{0,2}([+][1-9][0-9]{0,6}d[1-9][0-9]{0,2})*)?")


def is_id(value: Any) -> bool:
    """Return whether a value is a decimal id, as a number or as text."""
    return _matches("0|[1-9][0-9]{0,19}", value) or (type(value) is int and 0 <= value < 10**20)


def is_press(value: Any) -> bool:
    """Return whether a value says who may press; a log without it says nothing."""
    if not isinstance(value, dict):
        return value in (None, EVERYBODY) or value is ...
    hours, has_tags = value.get("wait"), all(isinstance(value.get(side), str) for side in _SIDES)
    return len(value) == 3 and has_tags and type(hours) is int and hours > 0


_SIDES = ("attacker", "defender")
_FLAGS = ("real", "retreat", "always", "forgotten", "mistyped", "moderator")
_LOG: _Checks = {
    "battle": lambda value: is_id(value) or _matches("[0-9A-Za-z_-]{1,100}", value),
    "commitment": _is_hex,
    "message": is_id,
    "seed": lambda value: value is None or _is_hex(value),
    "line": lambda value: isinstance(value, str) and len(value) <= 2000,
    "rolls": lambda value: isinstance(value, list),
    "press": is_press,
}
_ENTRY: _Checks = {
    "interaction": is_id,
    "user": lambda value: is_id(value) or isinstance(value, str),
    "press": is_press,
    "undo": lambda value: value is None or type(value) is int,
    "dice": lambda value: value is None or (isinstance(value, list) and len(value) == 2 and all(map(_is_dice, value))),
    **dict.fromkeys(_FLAGS, lambda value: value is None or type(value) is bool),
    **dict.fromkeys(("side", "keep"), lambda value: value is None or value in _SIDES),
}
_WRONG_FACES = {
    "attack": (
        Finding("attacking die {place} should be {right}, not {face}"),
        Finding("attacking die {place} has {sides} sides and can't show {face}"),
    ),
    "defence": (
        Finding("defending die {place} should be {right}, not {face}"),
        Finding("defending die {place} has {sides} sides and can't show {face}"),
    ),
}
"""For the dice of both sides: what is said of a face that the seed does not give, and of an impossible one."""
_MIXED = Finding("it is more than one of these: dice, a retreat, a choice, losses kept, a roll taken back, mistyped")
_MISTYPED = Finding("Marked as mistyped: if it was not over, only the log hash in the chat shows if a roll is missing.")

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
