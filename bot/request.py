"""The request and the services that every command gets: who asks what, from where, and who can answer."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache, TTLCache

from bot.background import run_to_end
from bot.errors import UserError
from bot.games.base import Reading, Rooms
from bot.languages import ENGLISH
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.notation.lexer import may_name_a_preset
from bot.notation.old_lines import explicit
from bot.notation.plans import BETWEEN
from bot.notation.reading import parse
from bot.place_settings import PlaceSettings, personal
from bot.settings import Settings

if TYPE_CHECKING:  # workers load the games without the database
    from bot.store.database import Store
    from bot.store.late import LateStore
    from bot.work.engine import Engine

log = logging.getLogger(__name__)

UNREAD = PlaceSettings()
"""The settings of a request before its place was asked for them."""
UNKNOWN = PlaceSettings(private=True, history=False)
"""The settings of a place whose own ones can't be read: an answer shown or kept by mistake can't be taken back."""
MOST_KNOWN = 10_000
"""The most places and channels whose settings are kept."""
RECENT = 2.0
"""Seconds for which suggestions know a place's settings and presets: people type several letters in that time. Settings
that another process may change are kept as long."""
DECIDING = 1.0
"""Seconds within which the settings of a place must be known: Discord asks first whether an answer is private."""
TERMINAL = "terminal"
"""The place of a terminal."""
UNNAMED = "0"
"""The id of the asking outside of Discord."""
SIZES = ("dice",)
"""Commands whose numbers are dice rather than armies, so that nobody stays behind."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question, and all that is known of its asker.

    Attributes:
        command: The name of the command, such as "preset save".
        user: The id of the asker.
        user_name: The name of the asker.
        place: The owner of the presets: a server ("guild:1") or a person ("user:2").
        options: The options of the command.
        manages: Whether the asker manages the place.
        moderates: Whether the asker keeps order in the place.
        roles: The ids of the asker's roles.
        known_roles: The ids of all roles of the place; None where nobody knows them.
        private: Whether the answer is private.
        argument: The argument of the button pressed.
        after: The line of the answer that a text may go on from; "" if it stands by itself.
        interaction: Discord's id of the asking.
        message: Discord's id of the message it was asked under.
        channel: The channel of that message; None if we may not write there by ourselves.
        settings_channel: The channel whose own settings go over the server's: for a thread the one that it stands in,
            for a post its forum.
        shows: The id of the live battle that the message shows.
        reader: The asker's language.
        here: The language of the place where nothing else was chosen for it.
        typed: Whether a person has written the options, rather than we, in a message or a log.
        in_own_words: Whether the line is what we read in the words of a person.
        by_place: Whether the place decides whether the answer is private.
        by_person: Whether the asker has a say in that.
        place_settings: The settings of the place with the asker's own, which `with_place_settings` adds.
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
    after: str = ""
    interaction: str = UNNAMED
    message: str = "0"
    channel: str | None = None
    settings_channel: str = ""
    shows: str = ""
    reader: str = ENGLISH
    here: str = ENGLISH
    typed: bool = True
    in_own_words: bool = False
    by_place: bool = False
    by_person: bool = False
    place_settings: PlaceSettings = UNREAD

    @property
    def is_new(self) -> bool:
        """Whether it is a new question of a person, rather than a button about the battle of an answer."""
        return self.typed or self.in_own_words

    @property
    def in_server(self) -> bool:
        """Whether the place is a server, rather than somebody's own."""
        return self.place.startswith("guild:")

    @property
    def line_defaults(self) -> NotationDefaults:
        """The defaults for the request's line; lines of our own need none."""
        if not self.typed:
            return NotationDefaults()
        defaults = self.place_settings.line_defaults
        return defaults._replace(behind=0) if self.command in SIZES else defaults

    def line_for_here(self, rooms: Rooms, line: str) -> str:
        """Return a canonical line so that it means the same battle if it is typed in this place."""
        return explicit(rooms, line, self.place_settings.line_defaults)

    def as_example_here(self, rooms: Rooms, line: str) -> str:
        """Return an example with its command so that it keeps its game and edition if it is typed in this place."""
        usual = self.place_settings.line_defaults._replace(behind=0)
        command, _space, said = line.partition(" ")
        if command == "place":
            return explicit(rooms, line, usual)
        # A second plan says what is other than in the first.
        first, between, second = said.partition(f" {BETWEEN} ")
        return f"{command} {explicit(rooms, first, usual)}{between}{second}".strip()


class Known(NamedTuple):
    """Settings as they were read last: after how many changes by this process, and when."""

    chosen: PlaceSettings
    changes: int
    at: float


@dataclass(frozen=True, slots=True)
class Services:
    """The services of all commands.

    Attributes:
        settings: The settings of the host.
        engine: The solver.
        find_store: Returns the database, which a terminal loads with the first call.
        rooms: The games.
        late: Reads what it can without the database; None outside a terminal.
        known: The settings that were read last, by their owners.
        presses: The live battles in which somebody has just pressed.
        seers: The channels with opponents of whom Discord has said that they see them.
        dice: The text that shows a die as a picture, by the name of the picture; empty where there are no pictures.
        recent: The presets and settings of each place that suggestions have just read.
    """

    settings: Settings
    engine: "Engine"
    find_store: Callable[[], "Store"]
    rooms: Rooms
    late: "LateStore | None" = None
    known: LRUCache[tuple[str, str, str], Known] = field(default_factory=partial(LRUCache, MOST_KNOWN))
    presses: list[str] = field(default_factory=list)
    seers: LRUCache[tuple[str, str], bool] = field(default_factory=partial(LRUCache, MOST_KNOWN))
    dice: dict[str, str] = field(default_factory=dict)
    recent: TTLCache[str, dict[str, Any]] = field(default_factory=partial(TTLCache, MOST_KNOWN, RECENT))

    @property
    def store(self) -> "Store":
        """The database."""
        return self.find_store()

    async def saved_lines(self, place: str) -> dict[str, str]:
        """Return the lines of the presets of a place by their names."""
        return await (self.late or self.store).lines(place)

    async def place_settings(self, place: str, channel: str = "", user: str = "") -> PlaceSettings:
        """Return the settings of a place and channel; the last known ones if the database takes too long.

        With a `user` they have what that person chose for themselves. What another process changes counts RECENT
        seconds later.
        """
        known = self.known.get((place, channel, user))
        if known and self._is_fresh(known):
            return known.chosen
        try:
            # Not broken off: a read that takes too long waits for somebody's write, and is best left to end by itself.
            return await asyncio.wait_for(run_to_end(self.read_settings(place, channel, user)), DECIDING)
        except Exception as error:
            # Of a trouble with the database the log has a line already, and needs none for every request.
            ours = not isinstance(error, UserError | TimeoutError)
            level = logging.WARNING if ours else logging.INFO
            log.log(level, "an answer goes without settings: %s", str(error) or "the database is busy", exc_info=ours)
            return known.chosen if (known := self.known.get((place, channel, user))) else UNKNOWN

    def _is_fresh(self, known: Known) -> bool:
        """Tell whether settings are still as they were read; a terminal reads them anew, which loads no database."""
        if self.late or known.changes != self.store.settings_changes:
            return False
        return self.store.is_file or time.monotonic() - known.at < RECENT

    async def read_settings(self, place: str, channel: str = "", user: str = "") -> PlaceSettings:
        """Return the settings of a place, channel and person, as the database has them now."""
        changes = 0 if self.late else self.store.settings_changes  # before this reads: one may come meanwhile
        if channel or user:
            server, own, mine = await self.store.settings_with_own(place, channel, user)
            chosen = PlaceSettings.of(server, own)._replace(mine=personal(mine))
        else:
            chosen = PlaceSettings.of(await (self.late or self.store).settings(place))
        self.known[place, channel, user] = Known(chosen, changes, time.monotonic())
        return chosen

    def forget_known_settings(self, changed: str) -> None:
        """Forget what is known of the settings of a place and of its channels, or of a person, as they have changed."""
        for known in [known for known in self.known if changed in (known[0], f"user:{known[2]}")]:
            self.known.pop(known, None)
        self.store.settings_changes += 1

    async def read_recently(self, place: str, what: str, read: Callable[[], Awaitable[Any]]) -> Any:
        """Return something of a place that `read` returns, as it was at most RECENT seconds ago."""
        recent = self.recent.setdefault(place, {})
        if what not in recent:
            recent[what] = await read()
        return recent[what]


async def with_place_settings(request: Request, services: Services, recent: bool = False) -> Request:
    """Return the request with the settings of its place, which are read only once.

    With `recent` they are as they were a moment ago, which will do for suggestions.
    """
    if request.place_settings is not UNREAD:
        return request
    user = "" if recent or request.place == TERMINAL else request.user  # suggestions need only what lines mean
    ask = partial(services.place_settings, request.place, request.settings_channel, user)
    what = f"settings {request.settings_channel}"
    chosen = await (services.read_recently(request.place, what, ask) if recent else ask())
    if request.by_person and "private" in chosen.mine:
        private = request.private or chosen.for_person().private
    else:
        private = request.private or (request.by_place and chosen.private)
    own_language = chosen.mine.get("language", "" if request.in_server else chosen.language)
    return replace(
        request,
        place_settings=chosen,
        private=private,
        channel=None if private else request.channel,
        reader=own_language or request.reader,
    )


async def read(
    request: Request,
    services: Services,
    takes: tuple[str, ...] = (),
    lone: str = "",
    own_commands: bool = False,
    as_allowed: bool = False,
) -> Reading:
    """Read the request's line; presets are looked up only if it has a word that may name one.

    `takes`, `lone` and `own_commands` are those of `parse`. With `as_allowed` a line that somebody types, in notation
    or not, is asked as the rulebook allows it.
    """
    text = request.options["matchup"]
    saved = await services.saved_lines(request.place) if may_name_a_preset(text) else {}
    with reading_with(request.line_defaults):
        # The line of an answer may ask more than a button is about.
        more = () if request.is_new else ASKED_WITH_BATTLE
        reading = parse(services.rooms, text, saved, (*takes, *more), lone, own_commands)
    return services.rooms.allow(reading) if as_allowed and request.is_new else reading


read_question = partial(read, as_allowed=True)
"""Reads the line of a question."""
