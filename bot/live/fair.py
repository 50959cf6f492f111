"""Fair dice: draw them, record them and check them. This one file needs only Python to check the log of a battle:

    python3 fair.py battle.json

The promise uses standard SHA-256 and HMAC; "|" is that character, and hashes are lower-case hex:

    Before the first roll everyone sees the commitment, the SHA-256 of   sandtable-fair-1|BATTLE|SEED
    The log writes it in hex, the chat in base64url: the same 256 bits in 43 characters. Older chats have hex, too.
    The seed is 32 random bytes as 64 hex digits. It is in the log when the battle is over.
    Roll N takes its bytes from HMAC-SHA256, keyed with the seed's 32 bytes, over
                                          sandtable-fair-1|BATTLE|MESSAGE|N|INTERACTION|BLOCK
    MESSAGE and INTERACTION are ids that Discord assigned after the commitment was shown (in a terminal 0, and the
    time in milliseconds). BLOCK is 0, then 1, ... as more bytes are needed.
    A byte b is used for a die of S sides only if b < 256 - 256 mod S; the die then shows b mod S + 1.
    The attacker's dice come first, the largest first; a reroll comes right after the die it replaces.
    The hash of a roll is the SHA-256 of   HASH OF THE ROLL BEFORE (at first the commitment)|ROLL
    where ROLL is its entry in the log as JSON without "hash", keys sorted, no spaces.

A roll may name its dice in the order they fell, "dice": ["1d8+2d6", "2d6"]; otherwise all of them have six sides.
It may name the "line" and the "message" of the battle, as the first roll does, so that the hashes cover these too.
"rules" is the version of Sandtable's rules that the battle follows; a log without it follows the first version.
"real": true marks dice that players rolled on their table and typed in; "retreat": true marks the attacker's retreat.
"choice" is what a player, or the best plan, chose between two rolls: such an entry has no dice, but counts as a roll N.
"ended": "moderator" in a log means that a moderator ended the battle early.
"people" has the names of those who pressed. No hash covers it, so that a name can be removed: it proves nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, groupby
from pathlib import Path
from typing import Any

SCHEME = "sandtable-fair-1"
MODERATOR = "moderator"
MOST_BYTES = 8_000_000
MOST_SHOWN = 20


def new_seed() -> str:
    """Draw a seed from the system's randomness: 32 bytes as 64 hex digits."""
    return secrets.token_hex(32)


def commitment(battle: str | int, seed: str) -> str:
    """Return the commitment that everyone sees before the first roll: it fits this seed alone and hides it."""
    return _sha256(f"{SCHEME}|{battle}|{seed}")


def base64url(digits: str) -> str:
    """Write a commitment, given as hex digits, as the chat shows it: all of its 256 bits in 43 characters."""
    return base64.urlsafe_b64encode(bytes.fromhex(digits)).decode().rstrip("=")


class Dice:
    """The dice of roll `n`: called with a number of sides, 2 to 256, it gives the face of the next die."""

    def __init__(self, seed: str, battle: str | int, message: str | int, n: int, interaction: str | int) -> None:
        self._key = bytes.fromhex(seed)
        self._text = f"{SCHEME}|{battle}|{message}|{n}|{interaction}"
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
    """Hash an entry after the hash before it; raise ValueError if JSON can't express the entry."""
    bare = {name: value for name, value in entry.items() if name != "hash"}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return _sha256(f"{previous}|{text}")


def dice_code(sides: Sequence[int]) -> str:
    """Write the dice of one side as entries have them: [8, 6, 6] is "1d8+2d6", no dice are an empty text."""
    return "+".join(f"{len(list(dice))}d{size}" for size, dice in groupby(sides))


def dice_sides(text: str) -> list[int]:
    """Return the sides of each of the dice in an entry: "1d8+2d6" is [8, 6, 6]."""
    return [size for many, size in _terms(text) for _ in range(many)]


def problems(log: Any, known: Sequence[Sequence[str]] | None = None) -> list[str]:
    """List all problems of a log, which may be anything; the list is empty if everything fits.

    Before the battle is over the log has no seed, so only its hashes are checked. `known` are the dice of each roll by
    the rules, for rolls that do not name theirs; past its end such dice are left unchecked.
    """
    if not isinstance(log, dict):
        return ["this is not the log of a battle"]
    wrong = [name for name, right in _LOG.items() if name not in log or not right(log[name])]
    if wrong:
        return [f'"{name}" is missing or garbled' for name in wrong]
    previous = log["commitment"]
    if log["seed"] is not None and commitment(log["battle"], log["seed"]) != previous:
        wrong.append("the seed doesn't match the commitment")
    for number, entry in enumerate(log["rolls"], start=1):
        found = entry_problems(entry, number) or dice_problems(log, number, known)
        if isinstance(entry, dict):
            bound = [name for name in ("line", "message") if entry.get(name, log[name]) != log[name]]
            found += [f"it was rolled for another {name}" for name in bound]
            # An old log has no rules; the first roll binds those of a log that has some.
            if (number == 1 or "rules" in entry) and entry.get("rules", 1) != log.get("rules", 1):
                found.append("it was rolled under other rules")
            try:
                expected = link(previous, entry)
                if entry.get("hash") != expected:
                    found.append("its hash doesn't match: this roll was changed, or one before it is missing")
                previous = entry["hash"] if _is_hex(entry.get("hash")) else expected
            except (ValueError, RecursionError):
                found.append("it can't be hashed")
        wrong += [f"roll {number}: {what}" for what in found]
    return wrong


def entry_problems(entry: Any, number: int) -> list[str]:
    """List what makes an entry unreadable as that of roll `number`."""
    if not isinstance(entry, dict):
        return ["it is garbled"]
    wrong = [f'"{name}" is missing or garbled' for name, right in _ENTRY.items() if not right(entry.get(name))]
    if type(entry.get("n")) is not int or entry["n"] != number:
        wrong.append(f'its number "n" should be {number}')
    diceless: list[int] | None = [] if entry.get("retreat") or "choice" in entry else None
    faces: list[Any] = [entry.get(side, diceless) for side in ("attack", "defence")]
    if not all(isinstance(one, list) and all(type(face) is int and 1 <= face <= 256 for face in one) for one in faces):
        return [*wrong, "its faces are missing or garbled"]
    if entry.get("retreat") and any(faces):
        wrong.append("it is a retreat, but it has dice")
    if "choice" in entry and (any(faces) or entry.get("retreat")):
        wrong.append("it is a choice, but it has dice, too" if any(faces) else "it is a choice and a retreat")
    dice = entry.get("dice", [dice_code([6] * len(one)) for one in faces])
    if not (isinstance(dice, list) and len(dice) == 2 and all(_matches(_DICE, text) for text in dice)):
        wrong.append('"dice" is garbled')
    elif [sum(many for many, _ in _terms(text)) for text in dice] != [len(one) for one in faces]:
        wrong.append("its numbers of dice and faces differ")
    return wrong


def dice_problems(log: Mapping[str, Any], number: int, known: Sequence[Sequence[str]] | None = None) -> list[str]:
    """List the dice of a roll that show an impossible face or not the one the seed gives; the log is readable."""
    entry = log["rolls"][number - 1]
    fallen = {"attacking": entry.get("attack", []), "defending": entry.get("defence", [])}
    if "dice" in entry or known is None:
        dice = entry.get("dice") or [dice_code([6] * len(faces)) for faces in fallen.values()]
    elif number <= len(known):
        dice = known[number - 1]
    else:
        return []
    drawn = None
    if log["seed"] is not None and not entry.get("real"):
        drawn = Dice(log["seed"], log["battle"], log["message"], number, entry["interaction"])
    guess = ", if it has six sides" if "dice" not in entry and known is None else ""
    wrong: list[str] = []
    sizes = (size for text in dice for size in dice_sides(text))
    for name, faces in fallen.items():
        for place, face in enumerate(faces, start=1):
            size = next(sizes)
            if not 2 <= size <= 256:
                return [*wrong, f"a die can't have {size} sides"]
            right = drawn(size) if drawn else face
            if face != right:
                wrong.append(f"{name} die {place} should be {right}, not {face}{guess}")
            elif face > size:
                wrong.append(f"{name} die {place} has {size} sides and can't show {face}")
    return wrong


def report(log: Mapping[str, Any], by_rules: bool = False) -> str:
    """Say what was checked of a log without problems, `by_rules` too, and what only the reader can check."""
    rolls, last = log["rolls"], log["rolls"][-1]["hash"][:8] if log["rolls"] else "none"
    thrown = [entry for entry in rolls if not entry.get("retreat") and "choice" not in entry]
    choices = sum("choice" in entry for entry in rolls)
    real = [entry for entry in thrown if entry.get("real")]
    drawn = [entry for entry in thrown if not entry.get("real")]
    lines = [f"Battle {log['battle']}, {json.dumps(log['line'])}: no problems found."]
    if log["seed"] is None:
        lines.append("The battle isn't over: its seed is still secret, so the dice can't be checked yet.")
        lines.append(f"The hashes match: {_counts(drawn)}.")
    else:
        lines.append(f"The dice match the seed: {_counts(drawn)}.")
        if not by_rules:
            lines.append("To check that no roll is missing, use sandtable verify.")
    if log.get("ended") == MODERATOR:
        lines.append("A moderator ended this battle: only the log hash in the chat shows that no roll is missing.")
    elif by_rules:
        lines.append("Every roll follows the rules, and none is missing.")
    if real:
        lines.append(f"Real dice, typed in, can't be checked: {_counts(real)}.")
    if choices:
        lines.append(f"Choices between the rolls: {choices}.")
    if any(entry.get("retreat") for entry in rolls):
        lines.append("The attacker retreated.")
    if log.get("people"):
        lines.append("The players' names are not proven: no hash covers them.")
    promise = f"{base64url(log['commitment'])} (in hex {log['commitment']})"
    lines.append(f"Compare with the chat: commitment {promise}, log {last}, message {log['message']}.")
    return "\n".join(lines)


def read(file: str) -> Any:
    """Read JSON from a file, "-" is standard input; raise OSError, or ValueError with a sentence, if it fails."""
    with open(0, "rb") if file == "-" else Path(file).open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES} bytes")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None


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


def _counts(rolls: Sequence[Mapping[str, Any]]) -> str:
    dice = sum(len(entry["attack"]) + len(entry["defence"]) for entry in rolls)
    return f"{len(rolls)} {'roll' if len(rolls) == 1 else 'rolls'}, {dice} dice"


def _terms(text: str) -> list[tuple[int, int]]:
    """Return numbers of dice and their sides: "1d8+2d6" is [(1, 8), (2, 6)]."""
    terms = [term.split("d") for term in text.split("+") if term]
    return [(int(many), int(size)) for many, size in terms]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _matches(pattern: str, value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _is_hex(value: Any) -> bool:
    return _matches("[0-9a-f]{64}", value)


def _is_id(value: Any) -> bool:
    """Return whether a value is a decimal id, as a number or as text."""
    return _matches("0|[1-9][0-9]{0,19}", value) or (type(value) is int and 0 <= value < 10**20)


def _is_flag(value: Any) -> bool:
    return value is None or type(value) is bool


_DICE = "([1-9][0-9]{0,6}d[1-9][0-9]{0,2}([+][1-9][0-9]{0,6}d[1-9][0-9]{0,2})*)?"
_LOG: dict[str, Callable[[Any], bool]] = {
    "battle": lambda value: _is_id(value) or _matches("[0-9A-Za-z_-]{1,100}", value),
    "commitment": _is_hex,
    "message": _is_id,
    "seed": lambda value: value is None or _is_hex(value),
    "line": lambda value: isinstance(value, str) and len(value) <= 2000,
    "rolls": lambda value: isinstance(value, list),
}
_ENTRY: dict[str, Callable[[Any], bool]] = {
    "interaction": _is_id,
    "user": lambda value: _is_id(value) or isinstance(value, str),
    "real": _is_flag,
    "retreat": _is_flag,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
