"""Fair dice: what they promise, that they keep it, that whoever changes a log is found out; and the file by itself."""

import copy
import json
import os
import random
import shutil
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import erfc, exp, pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.live import new_seed
from bot.games.base import Rooms
from bot.live import fair
from bot.live.fair import Dice, commitment, link, problems
from bot.live.replay import ReplayError, dice_code, replay, report_lines, throw_entry
from bot.live.replay import check as check_by_rules
from bot.notation.defaults import RULES
from bot.rooms import ROOMS
from solver import Battle
from solver.dice.fight import DiceFight
from solver.dice.game import DICE
from solver.late import load
from tests.helpers import forked
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log
from tests.helpers.bot.lines import check, parse
from tests.helpers.cases import check_each, each
from tests.helpers.extent import pick
from tests.helpers.program import say

LOGS: dict[str, Log] = json.loads((Path(__file__).parents[1] / "data" / "fair.json").read_text())
UNSAID = "rolls of Star Wars that do not say their dice"


def a_log(name: str = "classic Risk") -> Log:
    return copy.deepcopy(LOGS[name])


# What is promised ---------------------------------------------------------------------------------------


def test_the_twin_rolls_the_frozen_logs() -> None:
    assert twin.logs() == LOGS


@each(LOGS)
def test_the_frozen_logs_are_right(name: str) -> None:
    log = a_log(name)
    assert check(log) == []
    assert bool(problems(log)) is (name == UNSAID)
    for entry in log["rolls"]:
        for field in ("interaction", "user"):
            assert isinstance(entry[field], str)


def test_the_frozen_logs_have_rejected_bytes_and_many_blocks() -> None:
    bytes_used = {name: _bytes_used(log) for name, log in LOGS.items() if log["seed"]}
    assert max(bytes_used["many dice, so that a roll needs several blocks"]) > 64
    hundreds = LOGS["a hundred sides, where many bytes are left out"]
    assert sum(_bytes_used(hundreds)) > sum(len(e["attack"]) + len(e["defence"]) for e in hundreds["rolls"])
    stars = LOGS["Star Wars, dice of 8 sides and ones that are rolled again"]["rolls"]
    assert any(1 in entry["attack"] and len(entry["attack"]) > 3 for entry in stars)
    assert any("1d8" in entry["dice"][1] for entry in stars)


def _bytes_used(log: Log) -> list[int]:
    """How many bytes each roll took, dice that are not said apart."""

    class Counting(Dice):
        used = 0

        def _stream(self) -> Iterator[int]:
            for byte in super()._stream():
                self.used += 1
                yield byte

    used = []
    for entry in log["rolls"]:
        dice = Counting(log["seed"], log["battle"], log["message"], entry["n"], entry["interaction"])
        for text in entry.get("dice", []):
            for many, sides in (term.split("d") for term in text.split("+") if term):
                for _ in range(int(many)):
                    dice(int(sides))
        used.append(dice.used)
    return used


seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)
battles = st.from_regex(r"[0-9A-Za-z_-]{1,20}", fullmatch=True)
ids = st.integers(0, 2**64 - 1).map(str)


@given(seeds, battles, ids, st.integers(1, 1000), ids, st.lists(st.integers(2, 256), max_size=80))
def test_dice_agree_with_the_twin(
    seed: str, battle: str, message: str, n: int, interaction: str, sides: list[int]
) -> None:
    ours, theirs = Dice(seed, battle, message, n, interaction), twin.dice(seed, battle, message, n, interaction)
    assert [ours(size) for size in sides] == [theirs(size) for size in sides]
    assert dice_code(sides) == twin.in_words(sides)
    assert commitment(battle, seed) == twin.hexadecimal(f"sandtable-fair-1|{battle}|{seed}")


@given(seeds, st.dictionaries(battles, st.integers() | battles | st.booleans() | st.lists(st.integers())))
def test_hashes_agree_with_the_twin(previous: str, entry: dict[str, Any]) -> None:
    bare = {name: value for name, value in entry.items() if name != "hash"}
    assert link(previous, entry) == twin.hexadecimal(f"{previous}|{twin.written(bare)}")


def test_a_seed_is_32_bytes_and_never_the_same() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(bytes.fromhex(seed)) == 32 and seed == seed.lower() for seed in seeds)


@each([-6, 0, 1, 257])
def test_dice_of_impossible_size_are_refused(sides: int) -> None:
    with pytest.raises(ValueError, match=f"a die must have 2 to 256 sides, not {sides}"):
        Dice("00" * 32, "b", "1", 1, "1")(sides)


# All faces alike ----------------------------------------------------------------------------------------


class EveryByte(Dice):
    """Dice that are made of each byte once."""

    def _stream(self) -> Iterator[int]:
        yield from range(256)


@each(range(2, 257))
def test_each_face_belongs_to_equally_many_bytes(sides: int) -> None:
    dice, faces = EveryByte("00" * 32, "b", "1", 1, "1"), Counter[int]()
    try:
        while True:
            faces[dice(sides)] += 1
    except StopIteration:
        assert faces == dict.fromkeys(range(1, sides + 1), 256 // sides)


ERROR = 0.001
"""How often a test below would fail with seeds drawn anew, though all dice are fair. Its seeds are fixed."""


def chi_square(counts: Counter[int], cells: int) -> float:
    """The chance that fair dice stray as far as these counts or farther; for an even number of cells."""
    expected = sum(counts.values()) / cells
    x = sum((counts[cell] - expected) ** 2 for cell in range(1, cells + 1)) / expected
    term = tail = 0.0
    for k in range(1, cells // 2):  # erfc(sqrt(x/2)) + sqrt(2x/pi) exp(-x/2) (1 + x/3 + x^2/(3*5) + ...)
        term = term * x / (2 * k - 1) if term else 1.0
        tail += term
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * tail


def fixed_dice(sides: int, many: int = 20_000) -> Iterator[int]:
    """Faces of many rolls of 40 dice, each of another seed, battle, message, number and interaction."""
    source = random.Random(sides)
    for n in range(1, many // 40 + 1):
        ids = [str(source.getrandbits(63)) for _ in range(2)]
        dice = Dice(source.randbytes(32).hex(), f"b{n}", ids[0], n, ids[1])
        yield from (dice(sides) for _ in range(40))


def test_chi_square_agrees_with_printed_tables() -> None:
    # The 5% points of printed tables, for 5 and for 99 degrees of freedom: counts made to stray just so far.
    for cells, x in ((6, 11.0705), (100, 123.2252)):
        expected = 10**6
        off = round(sqrt(x * expected / cells))
        counts = Counter({cell: expected + (off if cell % 2 else -off) for cell in range(1, cells + 1)})
        assert chi_square(counts, cells) == pytest.approx(0.05, abs=1e-3)


@each([6, 8, 10, 20, 100])
def test_faces_are_equally_frequent(sides: int) -> None:
    assert chi_square(Counter(fixed_dice(sides)), sides) > ERROR


@each([6, 10])
def test_a_die_is_independent_of_the_die_before(sides: int) -> None:
    faces = list(fixed_dice(sides))
    pairs = Counter((first - 1) * sides + second for first, second in zip(faces[::2], faces[1::2], strict=True))
    assert chi_square(pairs, sides * sides) > ERROR


def test_chi_square_detects_dice_that_reject_no_byte() -> None:
    source = random.Random(1)
    assert chi_square(Counter(byte % 100 + 1 for byte in source.randbytes(20_000)), 100) < 1e-9


# Whoever changes a log is found out ---------------------------------------------------------------------


def change(name: str, value: Any) -> Callable[[Log], Any]:
    return lambda log: log.update({name: value})


def change_roll(number: int, name: str, value: Any) -> Callable[[Log], Any]:
    return lambda log: log["rolls"][number - 1].update({name: value})


@each(
    [
        (change("seed", "0" * 64), "the seed doesn't match the commitment"),
        (change("battle", "other"), "the seed doesn't match the commitment"),
        (change("message", "1439870123456789013"), "roll 1: attacking die 1 should be 5, not 6"),
        (change("seed", "ab"), '"seed" is missing or garbled'),
        (change("commitment", 7), '"commitment" is missing or garbled'),
        (change("rolls", {}), '"rolls" is missing or garbled'),
        (lambda log: log.pop("line"), '"line" is missing or garbled'),
        (lambda log: log.pop("seed"), '"seed" is missing or garbled'),
        (change_roll(3, "attack", [4, 6, 1]), "roll 3: attacking die 2 should be 3, not 6"),
        (change_roll(3, "defence", [6, 9]), "roll 3: defending die 2 should be 4, not 9"),
        (change_roll(3, "attack", [5, 5]), "roll 3: its numbers of dice and faces differ"),
        (change_roll(3, "attack", [5, 5, 1, 1]), "roll 3: its numbers of dice and faces differ"),
        (change_roll(3, "attack", [5, 5, True]), "roll 3: its faces are missing or garbled"),
        (change_roll(3, "attack", "551"), "roll 3: its faces are missing or garbled"),
        (change_roll(3, "dice", ["3d6", "2d8"]), "roll 3: defending die 1 should be 4, not 6"),
        (change_roll(3, "dice", ["3d6"]), 'roll 3: "dice" is missing or garbled'),
        (change_roll(3, "dice", ["3d6", "2d1"]), "roll 3: a die can't have 1 sides"),
        (change_roll(3, "dice", ["9999999d6", "2d6"]), "roll 3: its numbers of dice and faces differ"),
        (
            change_roll(3, "retreat", True),
            "roll 3: it is more than one of these: dice, a retreat, a choice, losses kept, a roll taken back, mistyped",
        ),
        (
            change_roll(3, "real", True),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (change_roll(3, "real", 1), 'roll 3: "real" is missing or garbled'),
        (
            change_roll(3, "user", "1"),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (
            change_roll(3, "note", 1),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (
            change_roll(3, "hash", None),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (change_roll(3, "interaction", "12"), "roll 3: attacking die 1 should be 3, not 4"),
        (change_roll(3, "interaction", "012"), 'roll 3: "interaction" is missing or garbled'),
        (change_roll(3, "n", 4), 'roll 3: its number "n" should be 3'),
        (lambda log: log["rolls"].pop(2), 'roll 3: its number "n" should be 3'),
        (lambda log: log["rolls"].insert(2, log["rolls"][2]), 'roll 4: its number "n" should be 4'),
        (lambda log: log["rolls"].reverse(), 'roll 1: its number "n" should be 1'),
        (lambda log: log["rolls"].insert(2, "roll"), "roll 3: it is garbled"),
    ]
)
def test_a_changed_log_has_its_problem_named(tamper: Callable[[Log], Any], sentence: str) -> None:
    log = a_log()
    tamper(log)
    assert sentence in problems(log)
    assert sentence in check(log)


def test_faces_are_checked_where_an_entry_names_no_dice() -> None:
    log = a_log()
    log["rolls"][2] |= {"attack": [4, 6, 1], "dice": None}
    assert "roll 3: attacking die 2 should be 3, not 6, if it has six sides" in problems(log)


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield (*at, key)
        yield from _places(one, (*at, key))


def _another(value: Any) -> Any:
    """Something like it: the next number, the last sign of a text changed, a list without its end."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("1" if value.endswith("0") else "0")
    if isinstance(value, list):
        return value[:-1] if value else [1]
    return {}


@each([name for name in LOGS if name != UNSAID])
def test_every_change_to_a_log_is_noticed(name: str) -> None:
    places = [place for place in _places(LOGS[name]) if place != ("line",) and LOGS[name][place[0]] is not None]
    if LOGS[name]["seed"] is None:
        places = [place for place in places if place not in (("battle",), ("message",))]  # They are in the dice.
    for number, place in [*enumerate(places)][:: pick(3, 1)]:
        for leave_out in pick([number % 2 == 1], [False, True]):
            log = a_log(name)
            room: Any = log
            for key in place[:-1]:
                room = room[key]
            if leave_out:
                del room[place[-1]]
            else:
                room[place[-1]] = _another(room[place[-1]])
            # Hashes do not tell that the last rolls are missing, only the rules do.
            cut = (
                len(place) == 1 + leave_out
                and place[0] == "rolls"
                and place[-1] in ("rolls", len(LOGS[name]["rolls"]) - 1)
            )
            assert bool(problems(log)) or cut, (place, leave_out)
            assert check(log) or log["seed"] is None, (place, leave_out)


def test_ids_may_be_numbers_and_fields_outside_hashes_are_ignored() -> None:
    log = a_log()
    log["message"], log["more"] = int(log["message"]), [float("nan")]
    for entry in log["rolls"]:
        entry["interaction"], entry["user"] = int(entry["interaction"]), int(entry["user"])
    assert check(twin.sealed(log)) == []


@each([True, -1, 1.5, 10**20, "", "1" * 21, "+1", "１", " 1", None, [1]])
def test_a_garbled_id_is_named(garbled: Any) -> None:
    log = a_log()
    log["rolls"][2]["interaction"] = garbled
    assert 'roll 3: "interaction" is missing or garbled' in problems(log)
    log["message"] = garbled
    assert problems(log) == ['"message" is missing or garbled']


def test_a_missing_hash_is_a_single_problem() -> None:
    log = a_log()
    del log["rolls"][2]["hash"]
    assert problems(log) == ["roll 3: its hash doesn't match: this roll was changed, or one before it is missing"]


def test_without_a_seed_only_hashes_are_checked() -> None:
    log = a_log("a battle that goes on")
    log["rolls"][2]["attack"][0] = 3
    assert problems(log) == ["roll 3: its hash doesn't match: this roll was changed, or one before it is missing"]
    log["rolls"][2]["attack"][0] = 7
    assert problems(log)[0] == "roll 3: attacking die 1 has 6 sides and can't show 7"


def test_changing_a_typed_roll_changes_the_last_hash() -> None:
    log = a_log("dice from the table, and a retreat")
    log["rolls"][0]["attack"] = [6, 6, 6]
    log = twin.sealed(log)
    assert check(log) == []
    assert log["rolls"][-1]["hash"] != a_log("dice from the table, and a retreat")["rolls"][-1]["hash"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([10**4000, -1, 2**70]),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=8,
)


@given(anything)
def test_any_other_json_is_no_log(value: Any) -> None:
    assert problems(value)
    assert check(value)


@given(st.data(), st.sampled_from(sorted(LOGS)), anything)
def test_a_log_with_any_value_inside_is_checked(data: st.DataObject, name: str, value: Any) -> None:
    log = a_log(name)
    place = data.draw(st.sampled_from(list(_places(log))))
    room: Any = log
    for key in place[:-1]:
        room = room[key]
    room[place[-1]] = value
    for sentence in (*problems(log), *check(log)):
        assert len(sentence) < 1000


def test_deep_and_infinite_values_in_a_log_are_named() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, float("inf"), float("nan")):
        log = a_log()
        log["rolls"][1]["more"] = value
        assert "roll 2: it can't be hashed: it has a number that is not whole, or is nested too deeply" in problems(log)


# The rules ----------------------------------------------------------------------------------------------


def breach(name: str, tamper: Callable[[Log], Any]) -> list[str]:
    """What is wrong with a log whose hashes and dice are right, after something against the rules."""
    log = a_log(name)
    tamper(log)
    log = twin.sealed(log)
    assert problems(log) == []
    return check(log)


def reroll(log: Log, number: int, attack: list[int], defence: list[int]) -> None:
    """Roll again in the log with other dice."""
    entry = log["rolls"][number - 1]
    dice = twin.dice(log["seed"], log["battle"], log["message"], number, entry["interaction"])
    entry |= {"attack": [dice(sides) for sides in attack], "defence": [dice(sides) for sides in defence]}
    entry["dice"] = [twin.in_words(attack), twin.in_words(defence)]


RETREAT = {"interaction": "1", "user": "1", "attack": [], "defence": [], "retreat": True}


@each(
    [
        (
            lambda log: reroll(log, 2, [6, 6], [6, 6]),
            "roll 2: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 2 and 2",
        ),
        (
            lambda log: reroll(log, 2, [6, 6, 6], [6, 6, 6]),
            "roll 2: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 3 and 3",
        ),
        (
            lambda log: reroll(log, 2, [6, 6, 4], [6, 6]),
            "roll 2: by the rules its dice are ['3d6', '2d6'], not ['2d6+1d4', '2d6']",
        ),
        (
            lambda log: reroll(log, 2, [100, 100, 100], [6, 6]),
            "roll 2: by the rules this die has 6 sides and can't show 36",
        ),
        (
            lambda log: log["rolls"].append({"n": 8, **RETREAT}),
            "roll 8: by the rules the battle is already over",
        ),
        (
            lambda log: log["rolls"].pop(),
            "the seed is there, but by the rules the battle is not over: rolls are missing",
        ),
        (
            change("line", "icons AAD,ADD,A,D,-,- 1000000 1000000 rounds:1000000"),
            "this line can't be replayed here: 1000000 against 1000000 is too large",
        ),
        (change("line", "12 bombs"), "this line can't be replayed here: I don't know `bombs`"),
        (change("line", "9 > 2 > 1000000"), "this line can't be replayed here: 8 against 1000000 is too"),
        (
            change("line", "12 9 variant:blitz"),
            "this line can't be replayed here: Reshaped odds have no dice to roll",
        ),
        (
            change("line", "3 inf vs 2 inf then 2 arm"),
            "roll 3: by the rules the attacker rolls 2 dice and the defender 2",
        ),
    ]
)
def test_a_roll_against_the_rules_is_named(tamper: Callable[[Log], Any], sentence: str) -> None:
    (told,) = breach("classic Risk", tamper)
    assert told.startswith(sentence)


def test_the_line_in_the_first_roll_cannot_be_changed() -> None:
    log = sealed_anew({**LOGS["classic Risk"], "rolls": [dict(roll) for roll in LOGS["classic Risk"]["rolls"]]}, "12 9")
    assert not problems(log)
    assert problems({**log, "line": "12 9 stop:1"}) == ["roll 1: it was rolled for another line"]


def test_the_rules_in_the_first_roll_cannot_be_changed() -> None:
    log = a_log()
    log["rules"] = 2
    log["rolls"][0]["rules"] = 2
    log = twin.sealed(log)
    assert not problems(log)
    del log["rules"]
    assert problems(log) == ["roll 1: it was rolled under other rules"]


@each([0, RULES + 1, 10**30, "2", None, True, [2]])
def test_unknown_rules_of_a_log_are_named(rules: object) -> None:
    told = check({**a_log(), "rules": rules})
    unknown = "this version doesn't know its rules; a newer Sandtable may"
    assert told[-1] == unknown


def test_a_log_of_todays_rules_does_not_pass_for_older_rules() -> None:
    assert check({**a_log(), "rules": 2}) == ["roll 1: it was rolled under other rules"]


def sealed_anew(log: Log, line: str) -> Log:
    """The log with the line in its first roll."""
    log["rolls"][0]["line"] = line
    head = log["commitment"]
    for roll in log["rolls"]:
        del roll["hash"]
        head = roll["hash"] = link(head, roll)
    return log


def test_a_log_of_a_finished_battle_needs_its_seed() -> None:
    log = a_log()
    log["seed"] = None
    assert check(log) == ["by the rules the battle is over, but its seed is missing"]


def test_a_retreat_in_the_middle_of_a_round_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DiceFight, "resting", False)
    told = check(a_log("dice from the table, and a retreat"))
    assert told == ["roll 4: by the rules the attacker can't retreat in the middle of a round"]


def test_missing_dice_in_a_log_are_counted() -> None:
    name = "Star Wars, dice of 8 sides and ones that are rolled again"
    (told,) = breach(name, lambda log: reroll(log, 1, [], []))
    assert told.startswith("roll 1: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 0")


def test_a_retreat_ends_the_battle() -> None:
    told = breach("dice from the table, and a retreat", lambda log: log["rolls"].append({"n": 5, **RETREAT}))
    assert told == ["roll 5: by the rules the battle is already over"]


def test_dice_without_sides_in_a_log_take_those_of_the_rules() -> None:
    log = a_log(UNSAID)
    assert "should be" in problems(log)[0]
    assert problems(log)[0].endswith(", if it has six sides")
    battle = parse(log["line"]).battle
    steps = replay(ROOMS.of(battle).game, battle, log["rolls"])[1:]
    dice = [throw_entry(step.throw)["dice"] for step in steps if step.throw]
    assert any("1d8" in theirs for _, theirs in dice)
    last = log["rolls"][-1]
    was = last["defence"][0]
    last["defence"][0] = now = was - 1 if was > 1 else 2
    told = f"roll {last['n']}: defending die 1 should be {was}, not {now}"
    assert told in check(twin.sealed(log))


def test_replaying_a_log_leads_to_its_stages() -> None:
    log = a_log()
    stages = replay(DICE, parse("12 9").battle, log["rolls"])
    assert len(stages) == len(log["rolls"]) + 1
    assert stages[0].throw is None
    armies = [(s.fight.attackers, s.fight.defenders) for s in stages if isinstance(s.fight, DiceFight)]
    assert armies[:3] == [(12, 9), (11, 8), (10, 7)]
    assert armies[-1] == (7, 0)
    assert stages[-1].fight.ended == "won"
    assert all(
        throw_entry(s.throw)["attack"] == e["attack"] for s, e in zip(stages[1:], log["rolls"], strict=True) if s.throw
    )
    with pytest.raises(ReplayError, match="roll 1: its faces are missing or garbled"):
        replay(DICE, parse("12 9").battle, [{**log["rolls"][0], "attack": None}])


# The file by itself, and the program --------------------------------------------------------------------


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))


def alone(folder: Path, text: bytes, *arguments: str) -> tuple[int, str, str]:
    """Exit status, output and errors of the file, copied to a folder with nothing but a log beside it."""
    shutil.copy(fair.__file__, folder / "dice check.py")
    (folder / "battle.json").write_bytes(text)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "dice check.py", *(arguments or ("battle.json",))],
        cwd=folder, input=text, capture_output=True, env={},
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_fair_py_finds_nothing_wrong_in_a_good_log(tmp_path: Path) -> None:
    log = a_log()
    short = b64encode(bytes.fromhex(log["commitment"]), altchars=b"-_").decode().rstrip("=")
    told = (
        'Battle b1, "12 9": no problems found.\n'
        "The dice match the seed: 7 rolls, 35 dice.\n"
        "To check that no roll is missing, use sandtable verify.\n"
        f"Compare with the chat: commitment {short} (in hex {log['commitment']}), "
        f"log {log['rolls'][-1]['hash'][:8]}, message {log['message']}.\n"
    )
    assert alone(tmp_path, json.dumps(log).encode()) == (0, told, "")
    assert alone(tmp_path, json.dumps(log).encode(), "-") == (0, told, "")


def test_a_fault_of_the_program_is_no_problem_of_a_log() -> None:
    def fails(_battle: Battle) -> DiceFight:
        raise AssertionError("a fault of ours")

    broken = Rooms(tuple(replace(room, game=replace(load(room.game), begin=fails)) for room in ROOMS))
    with pytest.raises(AssertionError, match="a fault of ours"):
        check_by_rules(broken, a_log(), 10**8)


def test_fair_py_says_what_it_cannot_check(tmp_path: Path) -> None:
    status, told, _ = alone(tmp_path, json.dumps(a_log("dice from the table, and a retreat")).encode())
    assert status == 0
    assert "The dice match the seed: 1 roll, 5 dice.\n" in told
    assert "Real dice, typed in, can't be checked: 2 rolls, 10 dice.\n" in told
    assert "The attacker retreated.\n" in told
    status, told, _ = alone(tmp_path, json.dumps(a_log("a battle that goes on")).encode())
    assert status == 0
    assert "The battle isn't over: its seed is still secret, so the dice can't be checked yet.\n" in told


UNPROVEN = "The players' names are not proven: no hash covers them."


def test_names_in_a_log_are_called_unproven(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "battle.json"
    for people in ({"1": "Alice", "2": "Bob"}, {"1": "Mallory"}):
        log = a_log() | {"people": people}
        status, told, _ = alone(tmp_path, json.dumps(log).encode())
        assert (status, told.splitlines().count(UNPROVEN)) == (0, 1)
        status, lines = verified(capsys, file, log)
        assert (status, lines.count(UNPROVEN)) == (0, 1)
        assert report_lines(log).count(UNPROVEN) == 1
    for log in (a_log(), a_log() | {"people": {}}):
        assert UNPROVEN not in verified(capsys, file, log)[1]
        assert UNPROVEN not in report_lines(log)


def test_fair_py_names_what_was_changed(tmp_path: Path) -> None:
    log = a_log()
    log["rolls"][2]["attack"][1] = 6
    told = (
        "This log has problems:\n"
        "- roll 3: attacking die 2 should be 3, not 6\n"
        "- roll 3: its hash doesn't match: this roll was changed, or one before it is missing\n"
    )
    assert alone(tmp_path, json.dumps(log).encode()) == (1, told, "")
    log["rolls"] = [{}] * 100
    status, told, _ = alone(tmp_path, json.dumps(log).encode())
    assert (status, len(told.splitlines())) == (1, 22)
    assert "more" in told.splitlines()[-1]


UNREADABLE = [b"", b"\xff\xfe\xfd", b"[" * 100_000, b"9" * 5000]


def test_an_unreadable_log_is_a_sentence(tmp_path: Path) -> None:
    def check(text: bytes) -> None:
        assert alone(tmp_path, text) == (2, "", "'battle.json' cannot be read: it is not JSON.\n")

    check_each(UNREADABLE, check)


def test_fair_py_without_a_file_is_a_sentence(tmp_path: Path) -> None:
    assert alone(tmp_path, b"", ".") == (2, "", "'.' cannot be read: Is a directory.\n")
    assert alone(tmp_path, b"", "a", "b") == (2, "", "Name the log to check: python3 fair.py battle.json\n")
    assert alone(tmp_path, b" " * 8_000_001) == (
        2,
        "",
        "'battle.json' cannot be read: it has more than 8000000 bytes.\n",
    )


def verified(capsys: pytest.CaptureFixture[str], file: Path, value: Any = None) -> tuple[int, list[str]]:
    """Exit status and printed lines of `sandtable verify`."""
    if value is not None:
        file.write_text(json.dumps(value))
    status, printed, errors = say(capsys, "verify", str(file))
    return status, (printed + errors).splitlines()


def test_sandtable_verify_checks_dice_and_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "my battle.json"
    for name in LOGS:
        status, lines = verified(capsys, file, a_log(name))
        assert status == 0
        assert "Every roll follows the rules, and none is missing." in lines
    log = a_log()
    reroll(log, 2, [6, 6], [6, 6])
    sentence = "roll 2: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 2 and 2"
    assert verified(capsys, file, twin.sealed(log)) == (1, ["This log has problems:", f"- {sentence}"])
    log = a_log()
    log["rolls"][0]["attack"][0] = 1
    assert verified(capsys, file, log)[0] == 1
    assert verified(capsys, file, [])[1] == ["This log has problems:", "- this is not the log of a battle"]


def test_sandtable_verify_says_what_it_cannot_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert verified(capsys, tmp_path) == (2, [f"{str(tmp_path)!r} cannot be read: Is a directory."])
    assert verified(capsys, tmp_path / "none")[0] == 2
    os.mkfifo(pipe := tmp_path / "pipe")
    assert say(capsys, "verify", str(pipe)) == (2, "", f"{str(pipe)!r} cannot be read: it is a pipe, and no file.\n")
    file = tmp_path / "battle.json"
    for text in UNREADABLE:
        file.write_bytes(text)
        assert verified(capsys, file) == (2, [f"{str(file)!r} cannot be read: it is not JSON."])


def test_sandtable_verify_reads_a_pipe_of_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    reads, writes = os.pipe()
    with os.fdopen(reads), os.fdopen(writes, "w") as pipe:
        json.dump(a_log(), pipe)
        pipe.close()
        assert say(capsys, "verify", f"/dev/fd/{reads}")[0] == 0


def test_sandtable_verify_reads_a_log_from_standard_input() -> None:
    done = forked.run("bot", "verify", "-", given=json.dumps(a_log()).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"no problems found" in done.stdout
