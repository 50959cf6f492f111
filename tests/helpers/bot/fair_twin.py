"""Fair dice a second time, from what is promised in words, with nothing of fair.py; it made tests/data/fair.json.

python -m tests.helpers.bot.fair_twin > tests/data/fair.json
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from math import inf
from typing import Any

from bot.notation.defaults import RULES
from solver.conquest.fight import ConquestFight
from solver.conquest.game import begin_conquest, best_choice
from solver.conquest.play import is_outdated
from tests.helpers.bot.lines import parse
from tests.helpers.solver.fights import begin

Log = dict[str, Any]
TURN = "9 siam, 8 china > 4 india, 1 indonesia"
CONQUEST = "14 siam > 2 indonesia, 1 new guinea, 1 china, 1 india"


def hexadecimal(text: str) -> str:
    return sha256(text.encode("utf-8")).digest().hex()


def keyed(key: bytes, text: str) -> bytes:
    """HMAC-SHA256 as RFC 2104 has it, for keys up to 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + text.encode("utf-8")).digest()
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def dice(seed: str, battle: str, message: str, n: int, interaction: str) -> Callable[[int], int]:
    """The dice of roll n, one a call."""
    key = bytes(int(seed[at : at + 2], 16) for at in range(0, 64, 2))

    def stream() -> Iterator[int]:
        block = 0
        while True:
            yield from keyed(key, "|".join(["sandtable-fair-1", battle, message, str(n), interaction, str(block)]))
            block += 1

    numbers = stream()

    def fall(sides: int) -> int:
        while True:
            byte = next(numbers)
            if byte < 256 - 256 % sides:
                return byte % sides + 1

    return fall


def written(value: Any) -> str:
    """JSON with keys sorted and no spaces, of what entries hold."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(key)}:{written(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        assert value.isascii()
        assert not set(value) & set('"\\')
        return f'"{value}"'
    assert isinstance(value, int)
    return str(value)


def sealed(log: Log) -> Log:
    """The log with its commitment, and with every hash as it must be for the entries as they are."""
    link = log["commitment"] = hexadecimal(f"sandtable-fair-1|{log['battle']}|{log['seed']}")
    for entry in log["rolls"]:
        entry.pop("hash", None)
        link = entry["hash"] = hexadecimal(f"{link}|{written(entry)}")
    return log


def begun(number: int, line: str, battle: str = "", message: str = "1439870123456789012") -> Log:
    """A log without rolls; a number makes its seed."""
    head = {"battle": battle or f"b{number}", "commitment": "", "message": message}
    return sealed({**head, "seed": hexadecimal(f"seed {number}"), "line": line, "rolls": []})


def roll(log: Log, throw: Callable[[Callable[[int], int]], Any], says_dice: bool = True, **more: Any) -> Any:
    """Write what a throw shows into the log; what comes after the throw."""
    n = len(log["rolls"]) + 1
    interaction = "1700000000000" if log["message"] == "0" else str(1439870999000000000 + 4194304 * n)
    source = dice(log["seed"], log["battle"], log["message"], n, interaction)
    asked: list[int] = []

    def recorded(sides: int) -> int:
        asked.append(sides)
        return source(sides)

    thrown, after = throw(recorded)
    attack, defence = ([face for die in side for face in die.faces] for side in (thrown.attack, thrown.defence))
    entry = {"n": n, "interaction": interaction, "user": "180000000000000001", "attack": attack, "defence": defence}
    if says_dice:
        entry["dice"] = [in_words(asked[: len(attack)]), in_words(asked[len(attack) :])]
    log["rolls"].append({**entry, **more})
    return after


def in_words(sides: list[int]) -> str:
    words: list[list[int]] = []
    for size in sides:
        if words and words[-1][1] == size:
            words[-1][0] += 1
        else:
            words.append([1, size])
    return "+".join(f"{many}d{size}" for many, size in words)


def rolled(
    number: int, line: str, most: int = 1000, says_dice: bool = True, message: str = "1439870123456789012"
) -> Log:
    """The log of a battle that was rolled to its end, or for so many rolls."""
    log = begun(number, line, message=message)
    battle: Any = parse(line).battle
    fight = begin(battle)
    while fight.ended is None and len(log["rolls"]) < most:
        fight = roll(log, fight.throw, says_dice)
    return sealed(log)


def conquered(number: int, line: str) -> Log:
    """The log of an old conquest to its end: the best choices, but as few as may move into the first territory."""
    log = begun(number, line)
    battle: Any = parse(line).battle
    fight: Any = ConquestFight.begin(replace(battle, to_the_end=True))
    while fight.ended is None:
        if fight.decision:
            few = fight.numbers[0] if fight.numbers and len(fight.taken) == 1 else None
            fight = choose(log, fight, best_choice(fight, few))
        else:
            fight = roll(log, fight.throw)
    return sealed(log)


def played(number: int, line: str) -> Log:
    """The log of a turn on a map to its end: the best choices, but the first throw from another front."""
    log = begun(number, line) | {"rules": 8}
    battle: Any = parse(line).battle
    fight: Any = begin_conquest(battle)
    while fight.ended is None:
        if fight.decision or is_outdated(fight, inf):
            fight = choose(log, fight, best_choice(fight, None if log["rolls"] else fight.throws[-1]))
        else:
            fight = roll(log, fight.throw)
    log["rolls"][0]["rules"] = log["rules"]
    return sealed(log)


def choose(log: Log, fight: Any, choice: Any) -> Any:
    """Write a choice into the log; what comes after it."""
    n = len(log["rolls"]) + 1
    entry = {"n": n, "interaction": str(1439870999000000000 + 4194304 * n), "user": "180000000000000001"}
    log["rolls"].append({**entry, "attack": [], "defence": [], "dice": ["", ""], "choice": choice})
    return fight.choose(choice)


def at_the_table() -> Log:
    """Two rolls with dice of their own, one with ours, then the attacker retreats."""
    log = rolled(6, "12 9", most=3)
    first, second, _ = log["rolls"]
    first |= {"real": True, "attack": [6, 5, 1], "defence": [6, 1]}
    second |= {"real": True, "attack": [2, 2, 2], "defence": [1, 6]}
    bare = {"n": 4, "interaction": "1439870999016777999", "user": "180000000000000002"}
    log["rolls"].append({**bare, "attack": [], "defence": [], "dice": ["", ""], "retreat": True})
    return sealed(log)


def log_of(line: str, *entries: dict[str, Any], rules: int = RULES) -> Log:
    """A log with dice from the table; an entry without dice is a choice, of which each is an entry of its own."""
    log = {**begun(7, line), "rules": rules}
    for number, entry in enumerate(entries, start=1):
        bare = {"attack": [], "defence": [], "dice": ["", ""]}
        told = {**entry, "real": True} if "attack" in entry else {**bare, "choice": entry}
        first = {"line": line, "message": log["message"], "rules": rules} if number == 1 else {}
        log["rolls"].append({"n": number, "interaction": "1", "user": "1", **told, **first})
    return sealed(log)


def logs() -> dict[str, Log]:
    """Logs of many kinds, all of them right."""
    unfinished = rolled(8, "12 9", most=4)
    unfinished["seed"] = None
    return {
        "classic Risk": rolled(1, "12 9"),
        "Star Wars, dice of 8 sides and ones that are rolled again": rolled(
            2, "12 fighters:2 bombers:1 vs 9 capitals:1"
        ),
        "a hundred sides, where many bytes are left out": rolled(3, "9 7 adice:100,20 ddice:20,12"),
        "many dice, so that a roll needs several blocks": rolled(4, "icons AAD,ADD,A,D,-,- 45 40"),
        "a path, in a terminal": rolled(5, "9 > 2 > 2 > 2 leave:1", message="0"),
        "dice from the table, and a retreat": at_the_table(),
        "rolls that do not say their dice": rolled(7, "5 4", says_dice=False),
        "rolls of Star Wars that do not say their dice": rolled(9, "6 fighters:2 vs 5 capitals:1", says_dice=False),
        "a battle that goes on": unfinished,
        "a conquest, with choices between the rolls": conquered(32, CONQUEST),
        "a turn on a map, throw by throw": played(33, TURN),
    }


if __name__ == "__main__":
    print(json.dumps(logs(), indent=1))
