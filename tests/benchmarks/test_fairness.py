"""How long others wait while one account, or ten of one server, ask the dearest questions that they may ask.

    .venv/bin/pytest tests/benchmarks/test_fairness.py --benchmark-enable -s

The bot is a process of its own with the limits that it has by default. The stand-in runs on the same cores; without
gluttons it is seen what that takes by itself.
"""

import asyncio
import itertools
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.discord_app.frames import GAP
from bot.settings import NAMES, load
from tests.fake_discord import FakeDiscord, Interaction, Person, Shown
from tests.helpers.program import program

SECONDS = 30.0
LONGEST = 300.0
"""So long a glutton waits for an answer at the most."""
AT_ONCE = {1: 55, 10: 280}
"""How many questions that many gluttons ask in the first moment: nearly all that they may ask in a minute."""
OTHERS = 4
"""How many people in other servers do each of the three things that are measured."""
FLEETS = "{n} sub 15 des 15 cru 15 fig 15 acc 15 bat vs 15 sub 15 des 15 cru 15 fig 15 acc 15 bat"
DEAR = (
    ("need", "{n} 90%"),
    ("battle", FLEETS),
    ("need", "{n} 90% adice:12,10,8 ddice:12,10"),
    ("battle", "{n}0 1000000"),
    ("order", "4 sub 3 des 3 cru 3 fig 2 bat vs 4 sub 3 des 2 cru 3 fig 1 acc value:{n}"),
    ("place", "20 inf 10 art 10 arm 5 fig || 30 inf 10 arm vs 3 inf || 30 arm || 20 inf 20 art 5 fig value:{n}"),
    ("battle", "30 30 icons:AAD,ADD,A,D,-,- rounds:{rounds}"),
    ("table", "700 700 rounds:{rounds}"),
    ("need", "20 inf 10 art 10 arm 6 fig vs {small} inf 8 art 5 arm 5 fig"),
    ("roll", "{small} sub 12 des 12 cru 12 fig 4 bat vs 12 sub 12 des 12 cru 12 fig 4 bat"),
)
MOST_SECONDS = {"battle": 1.0, "press": 0.5, "suggestion": 0.2}
"""What 99 of 100 of these may take."""


def dear_lines() -> Iterator[tuple[str, str]]:
    """Questions that take seconds each, and of which none was asked before."""
    for n in itertools.count():
        for command, line in DEAR:
            yield command, line.format(n=19_999 - n, small=12 + n % 20, rounds=60 + n % 20)


def small_lines() -> Iterator[str]:
    """Battles that people ask for, and nobody has asked for yet."""
    for ours, theirs in itertools.product(range(5, 40), range(5, 40)):
        yield f"{ours} {theirs}"
        land = f"{ours % 12 + 1} inf {ours // 8 + 1} art {theirs % 6} arm {theirs // 8} fig"
        yield f"{land} vs {theirs} inf {ours % 5} arm"


class Evening:
    """What people do, and how long it takes."""

    def __init__(self, discord: FakeDiscord) -> None:
        self.discord, self.dear, self.small = discord, dear_lines(), small_lines()
        self.took: defaultdict[str, list[float]] = defaultdict(list)
        self.ends = time.monotonic() + SECONDS
        self._begun: list[Interaction] = []
        self._answered: list[str] = []
        self._refused: Counter[str] = Counter()

    async def gorge(self, glutton: Person, at_once: int) -> None:
        """Ask as much as one may: so many questions at once, then one a second."""
        for number in itertools.count():
            command, line = next(self.dear)
            self._begun.append(glutton.begins(command, matchup=line))
            if time.monotonic() > self.ends:
                return
            await asyncio.sleep(0.01 if number < at_once else 1.0)

    async def press(self, glutton: Person, pause: float) -> None:
        """Fight a large battle at sea, as quickly as one may."""
        line = "12 sub 12 des 12 cru 12 fig 4 bat vs 12 sub 12 des 12 cru 12 fig 4 bat rounds:9"
        while time.monotonic() < self.ends:
            shown = await glutton.sends("roll", matchup=line, within=LONGEST)
            await asyncio.sleep(pause)
            while "Roll" in shown.labels and time.monotonic() < self.ends:
                await glutton.begins_pressing(shown, "Roll").answered(within=LONGEST)
                await asyncio.sleep(pause)
                shown = self.discord.messages[shown.id]

    async def ask(self, person: Person) -> None:
        """Ask for small battles, one after the other."""
        await self._again("battle", lambda: person.sends("battle", matchup=next(self.small), within=60), 0.9)

    async def fight(self, person: Person) -> None:
        """Fight small battles, with as long a pause between presses as a message needs."""
        shown = await person.sends("roll", matchup="40 35", within=60)

        async def press() -> Shown:
            nonlocal shown
            if "Roll" not in shown.labels:
                shown = await person.sends("roll", matchup=next(self.small), within=60)
                await asyncio.sleep(2 * GAP)
            shown = await person.presses(shown, "Roll", within=60)
            return shown

        await self._again("press", press, 2 * GAP)

    async def type(self, person: Person) -> None:
        """Type a line, key by key."""
        numbers = itertools.count(20)
        await self._again("suggestion", lambda: person.types("battle", matchup=f"{next(numbers)} 1"), 0.4)

    async def _again(self, what: str, do: Callable[[], Awaitable[object]], pause: float) -> None:
        """Do something again and again, and note how long each time takes."""
        while time.monotonic() < self.ends:
            began = time.monotonic()
            await do()
            self.took[what].append(time.monotonic() - began)
            await asyncio.sleep(pause)

    async def end(self) -> None:
        """Wait until all dear questions have an answer."""
        shown = [await asked.answered(within=LONGEST) for asked in self._begun]
        self._answered = [one.content for one in shown if not one.private]
        self._refused = Counter(one.content for one in shown if one.private)

    def show(self, title: str) -> None:
        """Print how long everything took."""
        print(f"\n{title}: {len(self._answered)} of {len(self._begun)} dear questions were answered")
        print(*(f"{number} times {text[:110]}" for text, number in self._refused.most_common(6)), sep="\n")
        for what, seconds in sorted(self.took.items()):
            ordered = sorted(1000 * one for one in seconds)
            at = [ordered[min(len(ordered) - 1, int(part * len(ordered)))] for part in (0.5, 0.95, 0.99, 1)]
            print(f"{what:12} {len(ordered):5} {' '.join(f'{value:8.1f}' for value in at)} ms (50, 95, 99%, most)")


@asynccontextmanager
async def bot(folder: Path, workers: int) -> AsyncIterator[FakeDiscord]:
    """The bot with the limits that it has by default."""
    usual = load(data=folder)
    names = [name for name in NAMES if name.startswith("most_")]
    limits = {f"SANDTABLE_{name.upper()}": str(getattr(usual, name)) for name in names}
    more = limits | {"SANDTABLE_WORKERS": str(workers), "SANDTABLE_LOG": "ERROR"}
    async with FakeDiscord(openapi=False) as discord, program(discord.token, folder, discord, **more):
        await discord.ready(within=120)
        await discord.member("Alice").sends("battle", matchup="3 2", within=60)
        yield discord


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("gluttons", [0, 1, 10])
def test_other_people_hardly_wait_for_gluttons(
    benchmark: BenchmarkFixture, tmp_path: Path, gluttons: int, workers: int
) -> None:
    if benchmark.disabled:
        pytest.skip("takes minutes; tests/bot/test_turns.py has its rules without a clock")

    async def play() -> Evening:
        async with bot(tmp_path, workers) as discord:
            evening = Evening(discord)
            greedy = discord.world.add_guild("Greedy")
            people = [
                discord.member(f"{kind} {number}", guild=discord.world.add_guild(f"{kind} {number}"))
                for kind in ("asks", "fights", "types")
                for number in range(OTHERS)
            ]
            do = [evening.ask, evening.fight, evening.type]
            async with asyncio.TaskGroup() as tasks:
                for number in range(gluttons):
                    glutton = discord.member(f"Glutton {number}", guild=greedy)
                    tasks.create_task(evening.gorge(glutton, AT_ONCE[gluttons] // gluttons))
                if gluttons:
                    tasks.create_task(evening.press(discord.member("Admiral", guild=greedy), GAP))
                for number, person in enumerate(people):
                    tasks.create_task(do[number // OTHERS](person))
            await evening.end()
            evening.show(f"{gluttons} gluttons, {workers} workers")
        return evening

    evening = benchmark.pedantic(lambda: asyncio.run(play()), rounds=1)  # type: ignore[no-untyped-call]
    for what, most in MOST_SECONDS.items():
        took = sorted(evening.took[what])
        assert took[int(0.99 * len(took))] < most, what
