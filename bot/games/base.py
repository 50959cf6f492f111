"""The protocol of a game of the bot: `GameRoom` holds the functions of one game, and `Rooms` finds it.

A capability that a game lacks is None, or a key that is missing; no function only refuses.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from bot.charts import Chart
from bot.errors import UserError
from bot.games.help import Help
from bot.games.live import LACKS, Live
from bot.languages import _
from bot.notation.asked_ends import asked_words
from bot.replies import Form, Reply
from bot.words.asked_ends import AskedChance
from bot.words.compared_plan import ComparedPlan
from bot.words.numbers import writing_decimals
from bot.words.result import Result
from solver.game import Game, Question

T = TypeVar("T")
AnyBattle = Any
"""A battle of any game."""
Answer = Callable[[Any, Any, Any, Any], Awaitable[Reply]]
"""Answers a question about one battle; it takes the battle, its `Reading`, the `Request` and the `Services`."""
Change = Callable[[Any], tuple[Any, tuple[str, ...]]]
"""Takes a battle and returns another with the remarks about the change; UserError if there is no such battle."""
Handler = Callable[[Any, Any], Awaitable[Reply | Form]]
"""Answers a `Request` with the `Services`, and reads the request's line itself."""


@dataclass(frozen=True)
class Words:
    """A game's battles and odds in words.

    Attributes:
        describe: Says in a few words who fights whom.
        titles: Returns titles of a picture, the longest first.
        brief: Says the odds in the few words of a suggestion.
        short_titles: Returns titles on one line, the longest first; None if they are those of `titles` on one line.
    """

    describe: Callable[[Any], str]
    titles: Callable[[Any], tuple[str, ...]]
    brief: Callable[[Any], str]
    short_titles: Callable[[Any], Sequence[str]] | None = None

    def one_line_titles(self, battle: Any) -> Sequence[str]:
        """Return titles on one line, the longest first."""
        if self.short_titles:
            return self.short_titles(battle)
        return [title for title in self.titles(battle) if "\n" not in title]


@dataclass(frozen=True)
class Comparison:
    """A game's part of a comparison of two plans.

    Attributes:
        compare: Returns how a plan turns out, from its battle, its odds and its canonical line.
        options: Returns the words of a canonical line that are neither numbers nor units.
        together: Simulates two battles with the same luck, in the engine: the odds of both, and the most that the
            differences of their chances and of their gains may be off; None if it cannot. None if no battle is
            simulated.
        whole: The options that stand in the first wave of a line but are about all of them.
        asked_end: Returns how likely the ends are that a plan asks about, from battle, odds and reading; None if none.
        alone: The text that refuses a plan of another game beside one of this; "" if they can be compared.
    """

    compare: Callable[[Any, Any, str], ComparedPlan]
    options: Callable[[str], list[str]]
    together: Callable[[Any, Any, Any], Awaitable[tuple[Any, Any, float, float] | None]] | None = None
    whole: Collection[str] = ()
    asked_end: Callable[[Any, Any, "Reading"], AskedChance | None] | None = None
    alone: str = ""


class Claim(IntEnum):
    """The claim of a game to a line; the strongest one wins.

    MAYBE is that to a line without words of any game. LIKELY is that to a line with words of this game, which people
    also use in phrases. YES is certain: the line is notation of this game, even if there is a mistake in it.
    """

    NO = 0
    MAYBE = 1
    LIKELY = 2
    YES = 3


class Reading(NamedTuple):
    """The meaning of a line.

    Attributes:
        battle: The battle of any game.
        of_words: Remarks about the words of the line.
        of_battle: Remarks about the battle itself.
        asked: The values of the options about the question rather than the battle, such as "exact".
        details: All else in the line, in a form of its game.
    """

    battle: Any
    of_words: tuple[str, ...] = ()
    of_battle: tuple[str, ...] = ()
    asked: Mapping[str, Any] = MappingProxyType({})
    details: Any = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """All remarks."""
        return *self.of_words, *self.of_battle

    @property
    def exact(self) -> bool:
        """Whether exact odds are asked for."""
        return bool(self.asked.get("exact"))

    @property
    def digits(self) -> int:
        """The decimals of chances in percent."""
        return int(self.asked.get("digits", 1))

    @property
    def in_full(self) -> bool:
        """Whether nothing may be left out that is too unlikely to be seen."""
        return self.exact or self.digits > 1

    @property
    def chance(self) -> float | None:
        """The chance to be reached; None if the line has none."""
        return self.asked.get("chance")

    @property
    def ends(self) -> str:
        """The order in which all ends are asked for, one of `dice_options.ENDS`; "" if they are not."""
        return str(self.asked.get("all", ""))

    def asked_words(self, besides: str = "") -> str:
        """Write the options about the question, as a canonical line has them, `besides` one."""
        return asked_words({name: value for name, value in self.asked.items() if value and name != besides})

    @property
    def question(self) -> str:
        """The question: "need" about money, "ends" for all ends of the battle, else "battle" for its odds."""
        return "need" if self.asked.get("money") else "ends" if self.asked.get("all") else "battle"


@dataclass(frozen=True)
class PlanChanges:
    """The changes of the first plan of `/compare` by the second.

    Attributes:
        rest: Returns what of the canonical line of the first plan the second keeps, a normal line that changes it.
        dropped: Options of a first plan, as `Comparison.options` names them, with what ends each in the second.
        variant: The value of `variant:` for the rules that canonical lines do not name.
        offers: Changes to suggest, the likeliest first.
        example: A change as an example, such as "rounds:2".
        starts_anew: Tells whether a second plan that can stand by itself does so although it names no variant, from
            both battles and its normal line. None if it never does.
        complete: Completes the last word of a change otherwise than to one of `offers`, which follow: from the battle
            of the first plan, the normal text before that word, and the word as far as it is typed.
    """

    rest: Callable[[str, str], str]
    dropped: Mapping[str, str]
    variant: str
    offers: tuple[str, ...]
    example: str
    starts_anew: Callable[[Any, Any, str], bool] | None = None
    complete: Callable[[Any, str, str], Iterable[str]] | None = None


@dataclass(frozen=True)
class OwnCommand:
    """The command of a game that is not asked about with `/battle` and the others alone.

    Attributes:
        name: The name of the command.
        refusal: The text that says why its lines cannot be saved; None if they are refused like mistakes.
        hint: The text that names the command to people who type such a line elsewhere; None if nothing does.
        ask: Returns the question of a battle from a line among JSON lines; None if the battle's document says it all.
    """

    name: str
    refusal: str | None = None
    hint: str | None = None
    ask: Callable[[Any], Question] | None = None


@dataclass(frozen=True)
class OtherLines:
    """The lines of a game that a preset can hold although they are no battles, such as the garrisons of a map.

    Attributes:
        has: Tells whether the canonical line of a preset is one of them.
        keep: Returns the canonical form of a typed line, which may begin with the name of a preset; None if it is none
            of these lines. MatchupError points at a mistake.
        show: Returns the answer about a preset, from its name and its line.
        about: Returns the text that says what the preset `{name}` with such a line holds, and how it is used.
        check_name: Raises UserError if no such line can have a name; None if each may have any.
        explicit: That of `Notation` for these lines.
    """

    has: Callable[[str], bool]
    keep: Callable[[str, Mapping[str, str]], str | None]
    show: Callable[[str, str], Reply]
    about: Callable[[str], str]
    check_name: Callable[[str], None] | None = None
    explicit: Callable[[str, Any], str] | None = None


@dataclass(frozen=True)
class Notation:
    """The reader and the writer of the lines of a game.

    Attributes:
        read: Reads a typed line; MatchupError points at a mistake. It gets the lines of presets by their names, the
            options about the question that have a meaning here, and the side of a lone number ("" if both numbers
            are needed). Games that share this function share a notation.
        write: Returns the canonical line of a battle.
        write_part: Returns the canonical line of a reading in which one side's number may be missing; the second
            argument is the side of a number that stands alone. None if no line lacks a number.
        claims: Tells, from a typed line and the presets, whether it is a line of the game. None if another room reads
            the lines.
        remarks: Returns the remarks about a battle itself; None if there are none.
        explicit: Returns a canonical line so that it means the same where these `NotationDefaults` hold; None if
            defaults make no difference.
        changes: The changes of a first plan by a second; None if a second plan is always a battle of its own.
        allow: Returns the reading of a typed line with the battle that the rulebook allows, and a remark, if a line can
            say what it forbids; None if no line can.
        complete: Completes the last word of a normal line in every way there is; the second argument tells whether
            options of `/need` are wanted too. None if nothing is suggested.
        reserved_words: Returns the words that mean something in the lines, so that no preset can have their names; None
            if only words that every game has are taken.
        own_command: Set for games that other commands than their own do not know.
        other_lines: The lines that presets can hold although they are no battles; None if there are none.
        phrase: Returns the canonical line that somebody means by a text; "" if the text is not about the game. None if
            `bot/phrases` reads all that people say about it.
        numbers_alone: Whether a line of numbers alone can be of the game; no other game is asked about such a line.
    """

    read: Callable[[str, Mapping[str, str], Collection[str], str], Reading]
    write: Callable[[Any], str]
    claims: Callable[[str, Mapping[str, str]], Claim] | None
    remarks: Callable[[Any], Iterable[str]] | None = None
    write_part: Callable[[Reading, str], str] | None = None
    explicit: Callable[[str, Any], str] | None = None
    changes: PlanChanges | None = None
    allow: Callable[[Reading], Reading] | None = None
    complete: Callable[[str, bool], Iterator[str]] | None = None
    reserved_words: Callable[[], Set[str]] | None = None
    own_command: OwnCommand | None = None
    other_lines: OtherLines | None = None
    phrase: Callable[[str], str] | None = None
    numbers_alone: bool = False


@dataclass(frozen=True)
class Solving:
    """The work for the odds of a game's battles.

    Attributes:
        work: Returns the function that a worker calls, and its arguments, which the odds are kept by. It gets the
            battle, whether nothing may be left out, and how much work a question may be.
        is_quick: Says whether the odds are found while somebody types.
        check: Raises UserError if a battle is more than so much work; None if the work itself refuses it.
    """

    work: Callable[[Any, bool, int], tuple[Callable[..., Any], tuple[Any, ...]]]
    is_quick: Callable[[Any], bool]
    check: Callable[[Any, int], None] | None = None


@dataclass(frozen=True)
class GameRoom:
    """All that the bot knows of one game.

    Attributes:
        game: The game of the solver.
        notation: The reader and the writer of its lines.
        words: Its battles and odds in words.
        comparison: Its part of `/compare`.
        questions: The questions of JSON documents, by the names of their kinds, that need checks of their own. Each
            takes the question and the `Engine`. All others are worked out as their kind says.
        live: Its live battles in words.
        solving: The work for its odds.
        charts: Its pictures, which workers are prepared for.
        drawing_work: The functions that workers call which also draw.
        find_result: Finds the end that somebody tells of, from the battle, its odds, whether the attacker has won, and
            what was left of the winner as it was typed, "" if nothing was said. UserError for what cannot be read. None
            if `/luck` knows no such ends.
        warm_up: Prepares a worker at its start, so that the first answer does not take longer than others.
        answers: The commands that every game may answer about its battle, such as "battle", "ends", "need", "table".
        changes: The buttons that make another battle of the one in the answer, such as "swap", "more", "fewer".
        commands: The commands of this game alone, such as "order" or "bombing more".
        help: Its part of the help.
        suggestions: The functions that suggest lines for commands of this game alone, by command.
        suggested: The questions, such as "need", for which the lines of the game are suggested.
        is_suggested: Tells whether a battle is suggested for these questions; None if all are.
        refusals: The sentence that refuses a command which `answers` or `changes` lacks, if the game has its own.
    """

    game: Game
    notation: Notation
    words: Words | None = None
    comparison: Comparison | None = None
    questions: Mapping[str, Callable[[Question, Any], Awaitable[dict[str, Any]]]] = field(default_factory=dict)
    live: Live | None = None
    solving: Solving | None = None
    charts: tuple[Chart, ...] = ()
    drawing_work: tuple[Callable[..., Any], ...] = ()
    find_result: Callable[[Any, Any, bool, str], Result] | None = None
    warm_up: Callable[[], None] | None = None
    answers: Mapping[str, Answer] = field(default_factory=dict)
    changes: Mapping[str, Change] = field(default_factory=dict)
    commands: Mapping[str, Handler] = field(default_factory=dict)
    help: Help | None = None
    suggestions: Mapping[str, Callable[[Any, Any], Awaitable[list[Any]]]] = field(default_factory=dict)
    suggested: tuple[str, ...] = ()
    is_suggested: Callable[[Any], bool] | None = None
    refusals: Mapping[str, str] = field(default_factory=dict)


def require(capability: T | None, refusal: str = "") -> T:
    """Return a capability of a game; UserError, with a refusal of its own if there is one, if the game lacks it."""
    if capability is None:
        raise UserError(_(refusal or LACKS))
    return capability


@dataclass(frozen=True, eq=False)
class Rooms:
    """The rooms of all games, in the order in which they are asked about a line."""

    rooms: tuple[GameRoom, ...]

    def __iter__(self) -> Iterator[GameRoom]:
        """Iterate over the rooms."""
        return iter(self.rooms)

    def write(self, battle: AnyBattle) -> str:
        """Write the canonical line of a battle: pasted anywhere, it means that battle again."""
        return self.of(battle).notation.write(battle)

    def with_remarks(self, reading: Reading) -> Reading:
        """Return a reading with the remarks about its battle, however it was asked for: by a line, or by a button."""
        remarks = self.of(reading.battle).notation.remarks
        return reading._replace(of_battle=tuple(remarks(reading.battle))) if remarks else reading

    def of(self, battle: AnyBattle) -> GameRoom:
        """Return the room of a battle's game."""
        return next(room for room in self.rooms if isinstance(battle, room.game.battle_type))

    async def answer(self, command: str, reading: Reading, request: Any, services: Any, refusal: str = "") -> Reply:
        """Let the game of a battle answer a command; UserError if it cannot.

        Args:
            command: The name of the command, such as "need".
            reading: The reading of the request's line.
            request: The `Request`.
            services: The `Services`.
            refusal: The text if the game has no function and no sentence of its own.
        """
        room = self.of(reading.battle)
        answer = _function(room.answers, command, room, refusal)
        with writing_decimals(reading.digits):
            reply = await answer(reading.battle, reading, request, services)
        if reading.asked and command in ("battle", "ends"):  # buttons and follow-ups ask it again
            return replace(reply, line=f"{reply.line} {reading.asked_words('all')}".rstrip())
        return reply

    def change(self, command: str, battle: Any) -> tuple[Any, tuple[str, ...]]:
        """Return the battle that a button makes of this one, and remarks; UserError if there is none."""
        room = self.of(battle)
        return _function(room.changes, command, room, "")(battle)

    def allow(self, reading: Reading) -> Reading:
        """Return the reading of a typed line with the battle that the rulebook allows."""
        allow = self.of(reading.battle).notation.allow
        return allow(reading) if allow else reading

    def suits(self, battle: Any, question: str) -> bool:
        """Tell whether the line of a battle is suggested for a question."""
        room = self.of(battle)
        return question in room.suggested and (room.is_suggested is None or room.is_suggested(battle))

    def command(self, name: str) -> Handler:
        """Return the function that answers a command of one game alone."""
        return next(room.commands[name] for room in self.rooms if name in room.commands)


def _function(functions: Mapping[str, T], command: str, room: GameRoom, refusal: str) -> T:
    """Return the function for a command; UserError with the sentence that refuses it if there is none."""
    if command not in functions:
        raise UserError(_(room.refusals[command]) if command in room.refusals else refusal or _(LACKS))
    return functions[command]
