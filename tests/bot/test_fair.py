"""Fair dice: what they promise, and that all faces are equally frequent."""

import random
from collections import Counter
from collections.abc import Iterator
from math import erfc, exp, pi, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.live import new_seed
from bot.live.fair import Dice, commitment, link, problems
from bot.live.replay import dice_code
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log
from tests.helpers.bot.frozen_logs import LOGS, UNSAID, a_log
from tests.helpers.bot.lines import check
from tests.helpers.cases import each

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
