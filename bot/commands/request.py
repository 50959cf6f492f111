"""What every command is given: who asks what, from where, and the services that can answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.commands.habits import Habits
from bot.engine import Engine
from bot.errors import UserError
from bot.languages import ENGLISH
from bot.matchup import AnyBattle, Reading, Unsaid, explicit, may_name_a_setup, meaning, parse
from bot.settings import Settings
from bot.store import Store
from solver import Battle
from solver.axis import AxisBattle
from solver.paths import Path
from solver.waves import Waves

UNREAD = Habits()
"""The habits of a request before its place was asked for them."""
SIZES = ("dice",)
"""Commands whose numbers are dice rather than armies, of which none stays behind."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question: the command's name ("preset save"), its options, and who asks.

    `place` is whose saved set-ups are meant: a server's ("guild:1") or a person's own ("user:2"). `manages` says
    whether the person manages that place, `roles` are the ids of those the person has there. `argument` is that of the
    button pressed. `interaction` and `message` are the ids that Discord gave to the asking and to the message it was
    asked under; `channel` is where that stands, if we may write there by ourselves. `reader` is the language of who
    asks, `here` that of the place where nothing else was chosen for it.

    `typed` says that a person has written the options, rather than we, in a message or a log; `by_place` that the
    place decides whether the answer is private. `habits` is what was chosen for the place, once that was `settled`.
    """

    command: str
    user: str
    user_name: str
    place: str
    options: Mapping[str, str] = field(default_factory=dict)
    manages: bool = False
    roles: frozenset[str] = frozenset()
    private: bool = False
    argument: str = ""
    interaction: str = "0"
    message: str = "0"
    channel: str | None = None
    reader: str = ENGLISH
    here: str = ENGLISH
    typed: bool = True
    by_place: bool = False
    habits: Habits = UNREAD

    @property
    def meant(self) -> Unsaid:
        """What the request's line means by what it does not say: what we have written ourselves says everything."""
        if not self.typed:
            return Unsaid()
        return self.habits.unsaid._replace(behind=0) if self.command in SIZES else self.habits.unsaid

    def shown(self, line: str) -> str:
        """A kept line as it is shown here."""
        return explicit(line, self.habits.unsaid)


@dataclass(frozen=True, slots=True)
class Services:
    """What commands work with."""

    settings: Settings
    engine: Engine
    store: Store


async def settled(request: Request, services: Services) -> Request:
    """The request with the habits of its place, which are read once."""
    if request.habits is not UNREAD:
        return request
    habits = Habits.of(await services.store.settings(request.place))
    own = not request.place.startswith("guild:")
    private = request.private or (request.by_place and habits.private)
    return replace(
        request,
        habits=habits,
        private=private,
        channel=None if private else request.channel,
        reader=habits.language if own and habits.language else request.reader,
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
        raise UserError("That goes with dice games such as `12 9`, not with Axis & Allies.")
    if isinstance(battle, Path):
        raise UserError("That goes with a single battle such as `12 9`, not with a path.")
    return battle
