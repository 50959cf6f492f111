"""What every command is given: who asks what, from where, and the services that can answer."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from cachetools import LRUCache

from bot.commands.habits import Habits
from bot.engine import Engine
from bot.errors import UserError
from bot.languages import ENGLISH, _
from bot.matchup import BETWEEN, AnyBattle, Reading, Unsaid, explicit, may_name_a_setup, meaning, parse
from bot.settings import Settings
from bot.store import Store
from solver import Battle
from solver.axis import AxisBattle
from solver.paths import Path
from solver.waves import Waves

log = logging.getLogger(__name__)

UNREAD = Habits()
"""The habits of a request before its place was asked for them."""
UNKNOWN = Habits(private=True, history=False)
"""Those of a place that cannot be asked, and was not before: what is shown or kept by mistake cannot be taken back."""
MOST_KNOWN = 10_000
"""Of how many places the habits are kept, for when they cannot be asked."""
DECIDING = 1.0
"""Seconds in which a place must have told its habits; Discord is told first of all whether an answer is private."""
SIZES = ("dice",)
"""Commands whose numbers are dice rather than armies, of which none stays behind."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question: the command's name ("preset save"), its options, and who asks.

    `place` is whose saved set-ups are meant: a server's ("guild:1") or a person's own ("user:2"). `manages` says
    whether the person manages that place, `moderates` whether the person keeps order there, `roles` are the ids of
    those the person has there, `known_roles` those of all that there are, None where nobody knows them. `argument` is
    that of the button pressed. `interaction` and `message` are the ids that Discord gave to the asking and to the
    message it was asked under; `channel` is where that stands, if we may write there by ourselves, and `shows` names
    the live battle that it shows. `reader` is the language of who asks, `here` that of the place where nothing else was
    chosen for it.

    `typed` says that a person has written the options, rather than we, in a message or a log; `by_place` that the
    place decides whether the answer is private. `habits` is what was chosen for the place, once that was `settled`.
    """

    command: str
    user: str
    user_name: str
    place: str
    options: Mapping[str, str] = field(default_factory=dict)
    manages: bool = False
    moderates: bool = False
    roles: frozenset[str] = frozenset()
    known_roles: frozenset[str] | None = None
    private: bool = False
    argument: str = ""
    interaction: str = "0"
    message: str = "0"
    channel: str | None = None
    shows: str = ""
    reader: str = ENGLISH
    here: str = ENGLISH
    typed: bool = True
    by_place: bool = False
    habits: Habits = UNREAD

    @property
    def in_server(self) -> bool:
        """Whether the place is a server, rather than somebody's own."""
        return self.place.startswith("guild:")

    @property
    def meant(self) -> Unsaid:
        """What the request's line means by what it does not say: what we have written ourselves says everything."""
        if not self.typed:
            return Unsaid()
        return self.habits.unsaid._replace(behind=0) if self.command in SIZES else self.habits.unsaid

    def stays_behind(self, reading: Reading) -> int:
        """Return how many of an attacker's number stay behind, as the line or else the place counts."""
        icons = isinstance(reading.battle, Battle) and reading.battle.faces
        return reading.behind or (0 if icons else self.habits.unsaid.behind)

    def shown(self, line: str) -> str:
        """A kept line as it is shown here."""
        return explicit(line, self.habits.unsaid)

    def offered(self, line: str) -> str:
        """A command's line of ours to be asked here: in the game and the edition that it was written for."""
        usual = self.habits.unsaid._replace(behind=0)
        command, _space, said = line.partition(" ")
        if command == "place":
            return explicit(line, usual)
        # A second plan says what is other than in the first.
        first, between, second = said.partition(f" {BETWEEN} ")
        return f"{command} {explicit(first, usual)}{between}{second}".strip()


@dataclass(frozen=True, slots=True)
class Services:
    """What commands work with; `presses` are the live battles in which somebody has pressed just now."""

    settings: Settings
    engine: Engine
    store: Store
    known: LRUCache[str, Habits] = field(default_factory=partial(LRUCache, MOST_KNOWN))
    presses: list[str] = field(default_factory=list)

    async def habits(self, place: str) -> Habits:
        """What was chosen for a place; where the database does not say so in time, what it said last."""
        try:
            # Shielded: a read that takes too long waits for somebody's write, and is best left to end by itself.
            return await asyncio.wait_for(asyncio.shield(self._asked(place)), DECIDING)
        except Exception as error:
            # Of a trouble with the database the log has a line already, and needs none for every request.
            ours = not isinstance(error, UserError | TimeoutError)
            level = logging.WARNING if ours else logging.INFO
            log.log(level, "an answer goes without settings: %s", str(error) or "the database is busy", exc_info=ours)
            return self.known.get(place, UNKNOWN)

    async def _asked(self, place: str) -> Habits:
        habits = self.known[place] = Habits.of(await self.store.settings(place))
        return habits


async def settled(request: Request, services: Services) -> Request:
    """The request with the habits of its place, which are read once."""
    if request.habits is not UNREAD:
        return request
    habits = await services.habits(request.place)
    private = request.private or (request.by_place and habits.private)
    return replace(
        request,
        habits=habits,
        private=private,
        channel=None if private else request.channel,
        reader=habits.language if habits.language and not request.in_server else request.reader,
    )


async def read(request: Request, services: Services, takes: tuple[str, ...] = (), lone: str = "") -> Reading:
    """What the request's line means; set-ups are looked up only where it has a word that is not notation.

    `takes` and `lone` are those of `parse`.
    """
    text = request.options["matchup"]
    saved = await services.store.setups(request.place) if may_name_a_setup(text) else []
    with meaning(request.meant):
        return parse(text, {setup.name: setup.line for setup in saved}, takes, lone)


async def read_battle(
    request: Request, services: Services, takes: tuple[str, ...] = (), lone: str = ""
) -> tuple[Battle, Reading]:
    """The same where only one battle makes sense, and that battle."""
    reading = await read(request, services, takes, lone)
    return only(reading.battle), reading


def only(battle: AnyBattle) -> Battle:
    """One battle with dice; UserError for a path, and for Axis & Allies."""
    if isinstance(battle, AxisBattle | Waves):
        raise UserError(_("That works for dice games such as `12 9`, not for Axis & Allies."))
    if isinstance(battle, Path):
        raise UserError(_("That works for a single battle such as `12 9`, not for a path."))
    return battle
