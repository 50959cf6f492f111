"""A busy evening: people of many servers who come and ask, through restarts of the bot, and a note of it all.

The bot is a process of its own, as a host starts it. People come by the clock, but on a machine that is too slow for
all of them they wait outside: only so many are there at once. Who goes on from an answer does so when it has come.
"""

import asyncio
import os
import signal
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bot.background import cancel
from tests.fake_discord import FakeDiscord, Interaction, Person, Shown
from tests.fake_discord.board import Change
from tests.fake_discord.posts import Post
from tests.fake_discord.wire import Callback, Kind
from tests.fake_discord.world import Role
from tests.helpers.bot.evening_lines import BATTLES, QUESTIONS, Asked
from tests.helpers.bot.storm import Storm, unshown
from tests.helpers.memory import family, share
from tests.helpers.program import LONGEST, Program, children, program, until

LOCALES = ("en-US", "en-GB", "de", "ru", "es-ES")
SEATS = 8
COMMANDS_AN_ERRAND = 1.6
"""How many commands somebody who comes asks, on average; suggestions while typing are beside them."""
ROOM = 20
"""How many people are there at once, at most, each with an errand."""
SAMPLED = 250
"""After so many commands it is noted again how large the bot is."""


class LostError(Exception):
    """The bot ended before it answered."""


class Took(NamedTuple):
    """How long something took, in seconds from when Discord told the bot: until the first answer, and the last."""

    what: str
    heard: float
    answered: float


class Size(NamedTuple):
    """After so many commands: which process the bot is, megabytes, and its seconds of work.

    The megabytes are those of its main process, of each worker, and of all its processes together.
    """

    commands: int
    process: int
    bot: float
    workers: tuple[float, ...]
    together: float
    worked: float


class Table(NamedTuple):
    """A server, by the name the database has for it, and who plays there; the first of them manages it."""

    place: str
    people: list[Person]
    role: Role


class Book:
    """What must be in the database, by place and name: what was confirmed, or what was asked and never answered."""

    def __init__(self) -> None:
        self.certain: dict[tuple[str, str], str | None] = {}
        self.maybe: dict[tuple[str, str], set[str | None]] = {}

    def confirm(self, place: str, name: str, value: str | None) -> None:
        """It was said that this is there now, or with None that nothing is."""
        self.certain[place, name] = value
        self.maybe.pop((place, name), None)

    def doubt(self, place: str, name: str, value: str | None) -> None:
        """This was asked for, and no answer came."""
        self.maybe.setdefault((place, name), set()).add(value)

    def wrong(self, rows: Iterable[tuple[str, str, str]]) -> list[str]:
        """What rows of place, name and value have that they may not have, or have not."""
        found = {(place, name): value for place, name, value in rows}
        known = found.keys() | self.certain.keys() | self.maybe.keys()
        return [
            f"{key}: {found.get(key)!r}, not {self.certain.get(key)!r}"
            for key in sorted(known)
            if found.get(key) not in {self.certain.get(key)} | self.maybe.get(key, set())
        ]


class Evening:
    """Who comes, what was asked and answered, and what must be true of it afterwards.

    `rounds` is how often somebody presses under a live battle before he goes. After the last answer it is `calm` for so
    many seconds before the size of the bot is noted.
    """

    def __init__(
        self,
        discord: FakeDiscord,
        errands: Mapping["Errand", int],
        servers: int,
        seed: int,
        rounds: int = 4,
        calm: float = 0,
    ) -> None:
        self.rounds, self.calm = rounds, calm
        self.discord, self.chance, self.storm = discord, Random(seed), Storm(discord)
        self.setups, self.settings = Book(), Book()
        self.commands = self.suggestions = self.lost = 0
        self.alone: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.mine: defaultdict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
        self.numbers = count(1)
        self.battles: set[str] = set()
        self.took: list[Took] = []
        self.said: list[str] = []
        self.sizes: list[Size] = []
        self.lines = {name: Asked(lines(), self.chance) for name, lines in (BATTLES | QUESTIONS).items()}
        self.tables = [self._table(number) for number in range(servers)]
        self.loners = [discord.stranger(f"Loner {n}", group=n % 3 == 1, guild=n % 3 == 2) for n in range(servers)]
        self._kinds = errands
        self._errands: set[asyncio.Task[None]] = set()
        self._open: dict[int, Interaction] = {}
        self._heard: dict[int, asyncio.Future[float]] = {}
        self._up, self._room = asyncio.Event(), asyncio.Semaphore(ROOM)
        discord.board.listeners.append(self._see)

    def _table(self, number: int) -> Table:
        locale = self.chance.choice(LOCALES)
        guild = self.discord.add_guild(f"Table {number}", locale=locale)
        people = [
            self.discord.member(f"P{number} {seat}", locale=locale, guild=guild, manage_guild=not seat)
            for seat in range(SEATS)
        ]
        return Table(f"guild:{guild.id}", people, self.discord.role("Strategists", guild))

    def _see(self, change: Change, post: Post) -> None:
        if change == "created" and post.reply_to and (heard := self._heard.pop(post.reply_to.id, None)):
            heard.set_result(self.discord.clock.now())
        if change == "edited":
            for asked in self._open.values():
                if asked.source and asked.source.id == post.id:
                    asked.bell.ring()  # a frame answers all who pressed before it

    async def lasts(
        self,
        commands: int,
        rate: float,
        data: Path,
        ends: Sequence[tuple[int, signal.Signals]],
        start: Callable[..., AbstractAsyncContextManager[Program]] = program,
        **more: str,
    ) -> None:
        """Let people ask so many commands, so many a second; the program ends each time after so many of them.

        `start` is the way it is started, `more` its environment. At the end everybody has an answer, or lost it with
        the program.
        """
        coming = asyncio.create_task(self._come(commands, rate))
        for upto, end in (*ends, (commands, signal.SIGTERM)):
            async with start(self.discord.token, data, self.discord, **{"SANDTABLE_LOG": "WARNING", **more}) as process:
                # What it says is taken at once: a program whose words nobody takes stops sooner or later.
                listening = asyncio.create_task(process.communicate())
                await self.discord.ready()
                self._up.set()
                while self.commands < upto and not coming.done():
                    await asyncio.sleep(0.02)
                    self._measure(process, SAMPLED)
                if upto >= commands:
                    await coming
                    await asyncio.gather(*self._errands)
                    await asyncio.sleep(self.calm)
                    self._measure(process)
                    await until(lambda: not unshown(data / "sandtable.db"))
                await self._end(process, end, listening)
            self._lose()
        await asyncio.gather(*self._errands)

    @asynccontextmanager
    async def goes_on(self, rate: float) -> AsyncIterator[None]:
        """Let people ask so many commands a second of processes that come and go; in the end all are answered."""
        self._up.set()
        coming = asyncio.create_task(self._come(sys.maxsize, rate))
        try:
            yield
        finally:
            await cancel(coming)
        await asyncio.gather(*self._errands)

    async def _end(self, process: Program, end: signal.Signals, listening: asyncio.Task[tuple[bytes, bytes]]) -> None:
        """End the program; in order, or without warning. Whoever asked before an orderly end was answered."""
        before = [asked for asked in self._open.values() if asked.kind is not Kind.AUTOCOMPLETE]
        if end is signal.SIGKILL:
            self._up.clear()
        process.send_signal(end)
        said, errors = await asyncio.wait_for(listening, LONGEST)
        self._up.clear()
        self.said += (said + errors).decode().splitlines()
        if end is signal.SIGTERM:
            assert process.returncode == 0
            # What fell by a press may be shown after the next start.
            lost = [asked for asked in before if asked.result is None and asked.response is not Callback.UPDATE_LATER]
            assert not lost, f"lost by an orderly end: {lost}"

    def _lose(self) -> None:
        """Whatever is not answered by now never will be."""
        for asked in self._open.values():
            asked.excused = True
            asked.bell.ring()
        for heard in self._heard.values():
            heard.set_exception(LostError())
        self._heard.clear()

    def _measure(self, process: Program, after: int = 0) -> None:
        """Note how large the bot is, if so many commands came since that was noted."""
        if not self.sizes or self.commands - self.sizes[-1].commands >= after:
            bot, together = share(process.pid), sum(map(share, family(process.pid)))
            workers = tuple(sorted(share(child) for child in children(process.pid)))
            self.sizes.append(Size(self.commands, process.pid, bot, workers, together, worked(process.pid)))

    async def _come(self, commands: int, rate: float) -> None:
        """People come by the clock while there is room for them, each with an errand."""
        while self.commands < commands:
            await self._room.acquire()
            await self.here()
            errand = asyncio.create_task(self._errand())
            self._errands.add(errand)
            errand.add_done_callback(self._done)
            await asyncio.sleep(self.chance.expovariate(rate / COMMANDS_AN_ERRAND))

    def _done(self, errand: asyncio.Task[None]) -> None:
        self._room.release()
        if not errand.cancelled() and not errand.exception():
            self._errands.discard(errand)  # others are found by who waits for all

    async def _errand(self) -> None:
        """Somebody of somewhere, most often of the servers that play most, does this or that."""
        do = self.chance.choices(list(self._kinds), list(self._kinds.values()))[0]
        table = self.chance.choices(self.tables, [1 / (1 + rank / 8) for rank in range(len(self.tables))])[0]
        who = self.chance.choice(self.loners if self.chance.random() < 0.1 else table.people)
        try:
            await do(self, who, table)
        except LostError:
            self.lost += 1

    # What a person can do

    async def here(self) -> None:
        """Until the bot is there: who asks meanwhile hears from Discord that it is not."""
        while True:
            await self._up.wait()
            if self.discord.doors.addresses or any(
                session.connection for session in self.discord.gateway.sessions.values()
            ):
                return
            await asyncio.sleep(0.02)

    async def asks(self, what: str, begin: Callable[[], Interaction]) -> Interaction:
        """Ask when the bot is there, and wait for the answer; LostError where none will ever come."""
        await self.here()
        self.commands += what != "suggestions"
        asked = begin()
        self._open[asked.id] = asked
        try:
            await asked.bell.until(
                lambda: asked.is_seen or asked.excused,
                within=LONGEST,
                otherwise=lambda: f"no answer: {asked}",
            )
        except AssertionError:
            # A frame that waits when the bot is ended is shown by its next life, as `check` sees in the end.
            if asked.response is not Callback.UPDATE_LATER:
                raise
        del self._open[asked.id]
        if not asked.is_seen:
            raise LostError
        self.took.append(Took(what, asked.acknowledged_after or 0, asked.answered_after or 0))
        return asked

    async def runs(self, who: Person, command: str, **options: Any) -> Shown:
        """A command, and the message that answers it."""
        return _message(await self.asks(f"/{command}", lambda: who.begins(command, **options)))

    async def types(self, who: Person, command: str, line: str) -> None:
        """The line being typed, with suggestions here and there."""
        for end in sorted({self.chance.randint(1, max(1, len(line))), len(line)}):
            self.suggestions += 1
            await self.asks("suggestions", lambda end=end: who.begins_typing(command, matchup=line[:end]))  # type: ignore[misc]

    async def presses(self, who: Person, shown: Shown, *commands: str) -> Interaction | None:
        """One of the buttons that call these commands, if any of them works."""
        custom_ids = [custom_id for command in commands if (custom_id := button_of(shown, command))]
        if not custom_ids:
            return None
        custom_id = self.chance.choice(custom_ids)
        what = f"button: {custom_id.split(':')[1]}"
        return await self.asks(what, lambda: who.begins_pressing(shown, custom_id))

    async def says(self, who: Person, text: str) -> None:
        """A message that the bot reads, and the answer."""
        await self.here()
        self.commands += 1
        began = self.discord.clock.now()
        asked = await who.says(text, reply=False)
        self._heard[asked.id] = heard = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(LONGEST):
            took = await heard - began
        self.took.append(Took("message", took, took))

    def now(self, shown: Shown) -> Shown:
        """How a message looks now."""
        return self.discord.board.posts[shown.id].shown()


Errand = Callable[[Evening, Person, Table], Awaitable[None]]
"""What somebody comes for."""


def _message(asked: Interaction) -> Shown:
    assert isinstance(asked.result, Post), f"no message: {asked}"
    return asked.result.shown()


def button_of(shown: Shown, command: str) -> str | None:
    """The custom_id of the button that calls a command, whatever its label says, if it can be pressed."""
    for button in shown.buttons:
        if button.custom_id.split(":")[1] == command and not button.disabled:
            return button.custom_id
    return None


def worked(process: int) -> float:
    """Seconds a processor has worked for a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
