"""Logs, and changes of their bytes, with what fair.py says of each; the page that checks dice must say the same.

python -m tests.helpers.bot.verify_vectors      writes them to tests/data/verify.jsonl

A line of the file is a log, {"log": its text, "says": [...]}, or a change of one, [number of the log, where it begins,
how many signs go, what comes in their place, [...]]. Every sign is a byte. What fair.py says is the list of its lines.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from bot.live import fair
from bot.notation.defaults import RULES
from tests.helpers.bot.fair_twin import Log, begun, logs, rolled

VECTORS = Path(__file__).parents[2] / "data" / "verify.jsonl"
CHANGES = 25
"""For each log."""
TYPED = {"attack": [6, 4, 1], "defence": [5, 3], "dice": ["3d6", "2d6"], "real": True}
BARE: dict[str, Any] = {"attack": [], "defence": [], "dice": ["", ""]}
DUEL = {"attacker": "1", "defender": "2", "wait": 24}
STRANGE: dict[str, Any] = {
    "\ue000 before 🎲, by code point": [0, -1, 12345678901234567890123, True, None, {}],
    "🎲": '"\\/\b\f\n\r\t\x00\x1f\x7f\x80é\u2028\ud83d',
    "__proto__": {"constructor": [[[]]], "": "</script>"},
}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[-+.\w]+|[^\s\w]')
OTHERS = (
    *('""', "0", "1", "-0", "1.0", "1e2", "true", "false", "null", "[]", "{}", "NaN", "-Infinity", "01", "1.", "+1"),
    *(
        "[1]",
        '["1d6", "2d6"]',
        '{"a": 1}',
        '"everybody"',
        '"attacker"',
        "99999999999999999999",
        "100000000000000000000",
    ),
    *(
        '"\\u0031"',
        '"\\ud83d\\ude00"',
        '"\\x"',
        '"\t"',
        '"\xc3\xa9"',
        "\xff",
        '"\xed\xa0\x80"',
        "\x0b",
        "7",
        "257",
        "3",
    ),
)


def sealed(log: Log) -> Log:
    """The log with its commitment and its hashes, of entries of any kind."""
    link = log["commitment"] = fair.commitment(log["battle"], log["seed"])
    for entry in log["rolls"]:
        entry.pop("hash", None)
        link = entry["hash"] = fair.link(link, entry)
    return log


def entries(*rolls: dict[str, Any], over: bool = True, more: Any = None) -> Log:
    """A log of 12 against 9 with these entries, of one player, and with more fields."""
    log = begun(7, "12 9") | {"rules": RULES} | (more or {})
    for number, entry in enumerate(rolls, start=1):
        bound = {"line": "12 9", "message": log["message"], "rules": RULES} if number == 1 else {}
        log["rolls"].append({"n": number, "interaction": str(number), "user": "1", **bound, **entry})
    sealed(log)
    return log if over else log | {"seed": None}


def drawn(*codes: str, n: int = 1, **head: Any) -> Log:
    """A log with one fair roll of these dice."""
    log = begun(n, "12 9") | head
    dice = fair.Dice(log["seed"], log["battle"], log["message"], 1, 10**19)
    attack, defence = ([dice(size) for size in fair.dice_sides(code)] for code in codes)
    entry = {"n": 1, "interaction": 10**19, "user": 7, "attack": attack, "defence": defence, "dice": list(codes)}
    return sealed(log | {"rolls": [entry]})


def all_logs() -> list[Log]:
    """Logs of all kinds without problems for their dice, many with few rolls so that a change hits each part."""
    undone = {**BARE, "undo": 1}
    mark = {**BARE, "mistyped": True}
    duel: dict[str, Any] = {"press": DUEL, "side": "attacker"}
    return [
        *logs().values(),
        *(rolled(n, line, most=3) for n, line in enumerate(LINES, start=20)),
        *(drawn("1d2", f"2d{size}", n=size) for size in (2, 3, 7, 100, 129, 255, 256)),
        drawn("40d20+30d12", "9d8+1d4+2d6", n=60, battle=12345678901234567890, message=10**19 + 1),
        drawn("", "", n=61, battle="a" * 100, message=0),
        entries(),
        entries(over=False),
        entries(TYPED, undone, TYPED, TYPED, {**BARE, "undo": 4}, TYPED),
        entries(TYPED, undone, over=False),
        entries(TYPED, mark),
        entries(TYPED, undone, TYPED, {**mark, "moderator": True}, more={"ended": "moderator"}),
        entries(TYPED, {**BARE, "retreat": True}, more={"people": {"1": "Алиса 🎲"}}),
        entries({**TYPED, **duel}, TYPED, {**BARE, "keep": "defender", "side": "defender"}, more={"press": DUEL}),
        entries({**TYPED, "press": DUEL}, {**BARE, "keep": "attacker", "always": True}, more={"press": DUEL}),
        entries({**TYPED, "press": "everybody", "forgotten": True}, more={"press": "everybody", "people": {}}),
        entries({**BARE, "choice": {"side": "attacker", "lose": {"tank": 1}}}, over=False, more={"ended": "moderator"}),
        entries({**BARE, "choice": STRANGE}, {"choice": [], "n": 2}),
        entries({**TYPED, "note": STRANGE, "dice": None}, more={"more": [float("nan"), 1.5, 1e999]}),
        entries({**TYPED, "message": "5", "line": "9 12"}, more={"people": {"1": 5}}),
        entries({**TYPED, "rules": True, "message": 1}, more={"rules": 1, "message": 1}),
        entries(*[TYPED] * 25, more={"seed": "0" * 64}),
        entries(TYPED) | {"commitment": "0" * 64},
        entries(TYPED) | {"rolls": ["roll", None, {}]},
        entries(mark, TYPED),
        entries(*({**TYPED, "attack": [7, 7, 7]} for _ in range(3))),
        entries({**TYPED, "defence": [7, 256]}, {**TYPED, "dice": ["3d1", "2d257"]}, {**TYPED, "choice": []}),
    ]  # fmt: skip


LINES = ("3 2", "5 4 adice:20,6 ddice:8", "2 inf 1 arm vs 2 inf", "9 > 3", "12 9 late", "icons AD,A,D,-,-,- 4 3")


def expected_sayings() -> list[list[str]]:
    """What each line of the file says that fair.py says."""
    lines = map(json.loads, VECTORS.read_text().splitlines())
    return [line["says"] if isinstance(line, dict) else line[-1] for line in lines]


def said(data: bytes) -> list[str]:
    """The lines that fair.py says of a file."""
    with NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        try:
            log = fair.read(file.name)
        except ValueError as error:
            return [str(error)]
    wrong = fair.problems(log)
    return (fair.problem_list(wrong) if wrong else fair.report(log)).split("\n")


def changes(text: str, source: random.Random) -> Iterator[tuple[int, int, str]]:
    """Changes of a text: most make another token of one; others change a byte, leave signs out or write some twice."""
    tokens = [match.span() for match in TOKEN.finditer(text)]
    for _ in range(CHANGES):
        (start, end), other = source.choice(tokens), slice(*source.choice(tokens))
        yield source.choice(
            [
                *[(start, end - start, source.choice(OTHERS))] * 5,
                *[(start, end - start, text[other])] * 4,
                (start, 1, chr(source.randrange(32, 127))),
                (start, source.randrange(1, 40), ""),
                (start, 0, text[start : other.stop][:200]),
            ]
        )


def changed(text: str, at: int, gone: int, new: str) -> bytes:
    return (text[:at] + new + text[at + gone :]).encode("latin-1")


def lines() -> Iterator[str]:
    """The lines of the file."""
    texts = [json.dumps(log, separators=(", ", ": ")) for log in all_logs()]
    texts.append(
        json.dumps(next(log for log in all_logs() if log.get("people")), ensure_ascii=False).encode().decode("latin-1")
    )
    texts += [
        f"\xef\xbb\xbf \r\n\t{texts[0]}\n",
        f"{texts[0]} x",
        "[" * 101 + "]" * 101,
        "9" * 4301,
        f'{{"rolls": {"9" * 4300}}}',
    ]
    for text in texts:
        yield json.dumps({"log": text, "says": said(text.encode("latin-1"))})
    for number, text in enumerate(texts):
        source = random.Random(number)
        for change in changes(text, source):
            yield json.dumps([number, *change, said(changed(text, *change))])


if __name__ == "__main__":
    VECTORS.write_text("".join(f"{line}\n" for line in lines()))
