"""How long the terminal takes from its start to its words and to its end, beside a bare start of Python with numpy."""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROUNDS = 9
BARE = ["-c", "import numpy"]
STARTS: dict[str, tuple[list[str], float, float]] = {
    "/battle 12 9": (["-m", "bot", "/battle 12 9"], 4, 9),
    "/help": (["-m", "bot", "/help"], 4, 4),
    "--version": (["-m", "bot", "--version"], 1, 1),
    "solve": (["-m", "bot", "solve"], 4, 4),
}
"""The arguments of each start, and how many bare starts it may take to its first words and in all."""


class Took(NamedTuple):
    """Seconds: to the first words, in all, and of a processor."""

    words: float
    whole: float
    processor: float


def run(arguments: Sequence[str], data: Path) -> Took:
    environment = {**os.environ, "SANDTABLE_DATA": str(data), "OPENBLAS_NUM_THREADS": "1"}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        os.read(process.stdout.fileno(), 1)
        words = time.perf_counter() - begun
        process.communicate()
    whole, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(words, whole, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def test_the_terminal_starts_quickly(tmp_path: Path) -> None:
    """All take turns, so that a busy moment of the machine meets each of them."""
    took: dict[str, list[Took]] = {name: [] for name in ("bare", *STARTS)}
    for _ in range(ROUNDS + 1):
        for name in took:
            took[name].append(run(STARTS[name][0] if name in STARTS else BARE, tmp_path))
    median = {name: Took(*map(statistics.median, zip(*rounds[1:], strict=True))) for name, rounds in took.items()}
    for name, times in median.items():
        words, whole, processor = (round(1000 * seconds) for seconds in times)
        print(f"{name:14} words {words:5} ms, whole {whole:5} ms, processor {processor:5} ms")
    bare = median["bare"].whole
    for name, (_arguments, most_for_words, most_in_all) in STARTS.items():
        assert median[name].words < most_for_words * bare
        assert median[name].whole < most_in_all * bare
