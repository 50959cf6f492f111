"""The interface of every game: the protocols of odds and of live battles, and `Game`, which holds its functions.

A capability that a game lacks is None in its `Game`; no function only refuses.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self

if TYPE_CHECKING:
    from solver.ends import EndRange

Source = Callable[[int], int]
"""Rolls one die: given its number of sides, returns a face from 1 to that number."""
SideName = Literal["attacker", "defender"]
SIDES: tuple[SideName, SideName] = ("attacker", "defender")
Ending = Literal["won", "lost", "nobody", "cleared", "stopped", "rounds", "deadlock", "retreat"]
"""How a live battle ended.

The attacker won or lost; nobody is left; the defender is beaten but the territory is not taken; a rule or a plan of the
line stopped the attack; the rounds ran out; neither side can hit the other; or the attacker retreated.
"""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it fell.

    Attributes:
        sides: Its number of sides.
        faces: Every face that it showed, in order: 1s that were rolled again come first. Icon dice have the number of
            the face.
        lowest: Whether the lowest of these counts: it stands for several dice, of which the best counts.
        throws: How many of the last of these add up: more than one if it exploded.
    """

    sides: int
    faces: tuple[int, ...]
    lowest: bool = False
    throws: int = 1

    @property
    def face(self) -> int:
        """The face that counts, or the sum of those that add up."""
        return min(self.faces) if self.lowest else sum(self.faces[-self.throws :])


class DiceToRoll(NamedTuple):
    """Equal dice of the next throw.

    Attributes:
        number: How many there are.
        sides: The sides of each.
        hits_at: The highest face that hits; None for dice that are compared and for icon dice.
    """

    number: int
    sides: int
    hits_at: int | None


class GameOdds(Protocol):
    """How a battle of any game may end. A class that inherits from it has odds that are solved exactly."""

    @property
    def success(self) -> float | None:
        """The chance that the attacker reaches the aim; None if nobody can win."""

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """The chance of each way to end, of which only one can happen."""

    @property
    def true_zeros(self) -> bool:
        """Whether a chance of 0 means that it cannot happen, rather than that it is too small to see."""
        return True

    @property
    def error(self) -> float:
        """The most that any chance may be off, beyond rounding; 0 means exact."""
        return 0.0

    @property
    def sampled(self) -> int:
        """How many battles were simulated for these odds; 0 if they were solved."""
        return 0

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory the odds take, with what is worked out of them."""

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""


class Throw(Protocol):
    """The dice of one throw as they fell."""

    @property
    def attack(self) -> tuple[Die, ...]:
        """The attacker's dice."""

    @property
    def defence(self) -> tuple[Die, ...]:
        """The defender's dice."""


class Fight(Protocol):
    """A live battle at one moment. A round is one throw, or several if some units fire before others.

    In a class that inherits from it every round is one throw, and the attack is always the attacker's.
    """

    __slots__ = ()

    @property
    def ended(self) -> Ending | None:
        """How the battle ended; None while it goes on."""

    @property
    def resting(self) -> bool:
        """Whether no round is under way, so that the attacker may retreat."""
        return True

    @property
    def attacking_side(self) -> SideName:
        """The side whose attack is under way. In a later wave it may be the side that defended first."""
        return "attacker"

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """Return the dice of the next throw, the attacker's and the defender's; none after the end.

        A defender who may choose how many dice to roll has the most that they can roll.
        """

    def throw(self, source: Source) -> tuple[Throw, Self]:
        """Roll the next throw; return it and the battle after it.

        Args:
            source: Rolls one die.
        """

    def retreat(self) -> Self:
        """Return the battle after every attacker that can has retreated."""


class Choices(NamedTuple):
    """The decisions of players between throws. A choice is a JSON value; a log has each one as an entry of its own.

    Attributes:
        due: Tells whether something has to be chosen before the next throw.
        choosers: Returns the sides whose players can choose something now, be it due or not.
        side: Returns the side whose player makes a choice, from the fight before it and a choice that the rules allow.
        chooser: Returns the side whose player is asked now; None if the best choice is made for both, or if nothing is
            due.
        best: Returns a choice: the best that is due, or the one that a player wishes, of which it fills in the rest. A
            wish is part of a choice, in a form of the game; None if nobody has one. The last argument is the most work,
            in the unit of `DiceChain.work`; TooLargeError if it is more.
        choose: Returns the battle after a choice, which may be any JSON value; BattleError if the rules forbid it.
        is_outdated: Tells whether the best choice is another one than before, though none is due, after a throw. The
            last argument is the most work. None if that never is.
    """

    due: Callable[[Any], bool]
    choosers: Callable[[Any], Sequence[SideName]]
    side: Callable[[Any, Any], SideName]
    chooser: Callable[[Any], SideName | None]
    best: Callable[[Any, Any, float], Any]
    choose: Callable[[Any, Any], Any]
    is_outdated: Callable[[Any, float], bool] | None = None


class QuestionKind(NamedTuple):
    """A kind of question of JSON documents.

    Its functions take the battle, and then the details of the question if it has any.

    Attributes:
        name: Its name, such as "odds" or "need".
        find: Finds the answer, however much work that is.
        to_dict: Returns the answer, its last argument, as a document; None if `find` returns a document.
        find_within: Finds the answer within a `limit` of work, in the unit of `Meter`, or raises TooLargeError. None if
            `find` serves there too.
    """

    name: str
    find: Callable[..., Any]
    to_dict: Callable[..., dict[str, Any]] | None = None
    find_within: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class OddsDetails:
    """Whether a question for odds wants the chance as a fraction too, and the ends whose chance it wants."""

    exact: bool
    ends: "tuple[EndRange, ...]" = ()


@dataclass(frozen=True)
class Question:
    """A question of a JSON document that was understood.

    Attributes:
        kind: The kind of the question.
        battle: The battle it is about; None for dice alone.
        details: The details of the question, in a form of its kind; None if it has none.
    """

    kind: QuestionKind
    battle: Any
    details: Any = None

    def work(self) -> dict[str, Any]:
        """Return the answer as a document, however much work that is."""
        return self._answer(self.kind.find)

    def work_within(self, limit: int) -> dict[str, Any]:
        """Return the answer as a document.

        Args:
            limit: The most work, in the unit of `Meter`.

        Raises:
            TooLargeError: It is more work.
        """
        return self._answer(partial(self.kind.find_within, limit=limit) if self.kind.find_within else self.kind.find)

    def _answer(self, find: Callable[..., Any]) -> dict[str, Any]:
        asked = (self.battle,) if self.details is None else (self.battle, self.details)
        answer: dict[str, Any] = find(*asked)
        return self.kind.to_dict(*asked, answer) if self.kind.to_dict else answer


@dataclass(frozen=True)
class Game:
    """The functions of one game.

    Attributes:
        key: The name of its folder, such as "dice".
        battle_type: The class of its battles, or several.
        ask: Reads a question from the fields of a JSON document, the kind of the question and the editions of Axis &
            Allies by game; None for a document of another game, BattleError for one that is wrong. None if all
            documents of the game are read by a related game.
        begin: Returns a live battle before its first throw; BattleError if it has no dice to roll. None if the game has
            no live battles, and then the next two are None too.
        chances: Returns the attacker's chance to win at each of these stages of one live battle, the earliest first.
            A chance is None if it is unknown: within the rounds of some games, or if it takes more work than the second
            argument, in the unit of `Meter`. None if nobody can win.
        percentile: Returns the share of all endings of these odds that are worse for the attacker than this ended
            battle, half of the equal ones included. None if the game cannot rank its endings.
        choices: The decisions of players between throws; None if dice alone decide.
    """

    key: str
    battle_type: type[Any] | UnionType
    ask: Callable[[dict[str, Any], Any, Mapping[str, Any]], Question | None] | None = None
    begin: Callable[[Any], Fight] | None = None
    chances: Callable[[Sequence[Any], float], list[float | None]] | None = None
    percentile: Callable[[Any, Any], float | None] | None = None
    choices: Choices | None = None


def group_dice(dice: Iterable[tuple[int, int | None]]) -> list[DiceToRoll]:
    """Count equal dice that stand next to each other.

    Args:
        dice: For each die its sides and the highest face that hits, or None.

    Returns:
        One `DiceToRoll` for each run of equal dice.
    """
    return [DiceToRoll(len(list(alike)), *kind) for kind, alike in groupby(dice)]
