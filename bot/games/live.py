"""The live battles of a game in words: `Live` holds its functions, `Choosing` those for what players decide."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from bot.languages import N_, _
from bot.replies import FormField
from solver.game import Die, Fight, SideName, Throw

TypedDice = tuple[tuple[int, ...], tuple[int, ...]]
"""The faces of the attacker's and of the defender's dice, as somebody typed them."""


AnyFight = TypeVar("AnyFight", bound=Fight)
AnyThrow = TypeVar("AnyThrow", bound=Throw)


class LiveStage(NamedTuple, Generic[AnyFight, AnyThrow]):
    """A live battle at one moment, with the throw that led there.

    Attributes:
        fight: The battle.
        throw: The throw; None before the first one, and for a choice or a retreat.
        chance: The attacker's chance to win from there; None if it is unknown.
        real: Whether players rolled the dice on their table and typed them.
        choice: The choice that led there, a JSON value; None if none did.
        taken_back: Whether that was taken back, or takes back what came before: it counts for nothing.
    """

    fight: AnyFight
    throw: AnyThrow | None = None
    chance: float | None = None
    real: bool = False
    choice: Any = None
    taken_back: bool = False


LACKS = N_("This doesn't work for that game.")
"""The refusal of a command, for games without a sentence of their own."""
LATE = N_("That round is already rolled; the result is in the message.")
"""Answers a press under an older frame: somebody was quicker, or the newest frame had not arrived."""


def usual_win_text(_fight: Any, chance: str, begins: bool) -> str:
    """Say how likely the attacker wins."""
    return _("Attacker wins {chance}", chance=chance) if begins else _("attacker wins {chance}", chance=chance)


def _is_never_share(_battle: Any) -> bool:
    """Return False: the chance of a battle is the chance to win."""
    return False


def text_without_dice(stage: LiveStage[Any, Any]) -> str:
    """Name in the table what led to a stage if it was no throw and no choice."""
    return _("taken back") if stage.taken_back else _("retreat")


def usual_round_name(_fight: Any, _throw: Any, number: int) -> str:
    """Name a round by its number in the battle."""
    return _("round {number}", number=number)


def dice_as_thrown(throw: Throw, _fight: Any) -> tuple[Sequence[Die], Sequence[Die]]:
    """Return the dice of both sides as they were thrown."""
    return throw.attack, throw.defence


class Advice(NamedTuple):
    """The odds of the choices that somebody has.

    Attributes:
        text: The text above the choices.
        table: The choices with their odds, the best first.
        options: Labels of buttons, each with the text of its choice: see `Choosing.read`.
        others: Labels of buttons that ask for another choice in a form, each with the beginning of its text.
        remarks: Remarks about the table.
    """

    text: str
    table: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choosing:
    """A game's choices in words. A fight is one in which people can choose; a text is what a button or a form says.

    Attributes:
        question: Says in any fight what is to be chosen and how it stands; "" if people are not asked.
        options: Returns labels of buttons on the message of the battle, each with its text, the best first; from the
            fight and the best choice, which is None if it is unknown.
        has_others: Tells whether there are more choices than these options, from the fight and their number.
        title: The title of the form for another choice, and the label of its button.
        field: Returns the field of the form, from the fight and the beginning of the text.
        read: Returns what a text wishes, as `Choices.best` takes it; UserError if that cannot be chosen.
        side: Returns the player whose choice a text is, from the fight and the text; UserError if it is none.
        first: The text for a press that cannot go on before something is chosen.
        refusal: The text for people who may not choose for a side.
        keep: The label of a button that makes the best choice, so that nobody else is asked; "" if there is none.
        keep_always: The label of a button that makes it to the end of the battle, where a roll waits for a choice.
        waiting: Says that the next roll waits for the defender's choice.
        advice: The label of a button that asks for the odds of the choices, and the function that finds them, which
            gets the `Engine`, the fight and the sides for which somebody may choose; None if there is none.
        late: The text for a choice that comes too late.
        luck: The texts for `choices_sentence`: for choices as good as the best, and for worse or better ones.
    """

    question: Callable[[Any], str]
    title: str
    field: Callable[[Any, str], FormField]
    read: Callable[[Any, str], Any]
    side: Callable[[Any, str], SideName]
    first: str
    refusal: str
    luck: tuple[str, str]
    late: str
    options: Callable[[Any, Any], Sequence[tuple[str, str]]] | None = None
    has_others: Callable[[Any, int], bool] | None = None
    keep: str = ""
    keep_always: str = ""
    waiting: str = ""
    advice: tuple[str, Callable[[Any, Any, Sequence[SideName]], Awaitable[Advice]]] | None = None


@dataclass(frozen=True)
class Live:
    """A game's live battles in words, and the checks before one begins. A fight is of the game's own type.

    Attributes:
        left: Says who is left in a fight: "8 against 5".
        outcome: Says how an ended fight ended; the second argument is the number of throws.
        rows: Returns the lines of the table of these `LiveStage`s: one or more for the start and for each throw.
        win_text: Says a chance of the attacker in a fight; the last argument is whether it begins a sentence.
        is_share: Tells whether the chance of a battle is an average share, such as of the targets taken, instead of the
            chance to win. Then it counts for no statistics of luck.
        choosing: The choices of people in words; None if they have none.
        hopes: Says in two or three words what the defender and what the attacker of a battle hope for; None for the
            usual "defender holds" and "attacker wins".
        mark: Writes in a few signs who is left in a fight, below the picture; None if that takes too much room.
        ending: Says in two or three words how a battle ended, in lists, from the battle and its end; returns None
            for the usual words.
        read_faces: Reads typed faces that are no numbers; returns None if they are numbers. UserError if they cannot be
            read. None if all faces are numbers.
        faces_hint: Says how the faces of a fight's dice are typed, "" if they are numbers in any order.
        dice_hints: Returns the rules that people may have forgotten when they type a wrong number of dice.
        check_plan: Raises UserError if a battle is not rolled in this form, or is too large to find the plan that its
            first moment needs. It gets the most work that is allowed, in the unit of `DiceChain.work`, and the battle.
        check_size: Raises UserError if the log of a battle takes too long to follow, with the same arguments.
        check_length: Raises UserError if a battle cannot be rolled to its end. It gets the `Engine` and the battle.
        dice: Returns the attacker's and the defender's dice in the order of the table, from a throw and the fight
            before it; None if their faces are no numbers.
        round_name: Names a round as the table does, from the fight before its last throw, that throw, and the number of
            the round in the battle.
        no_retreat: The text for an attacker whose units all have to stay.
        decisions: Says in a few words each what the line of a battle decides for its defender; None if it never does.
        seconds: Estimates how many seconds of a processor it takes to find the chances of a battle after a press; None
            if next to none.
    """

    left: Callable[[Any], str]
    outcome: Callable[[Any, int], str]
    rows: Callable[[Sequence[Any]], tuple[str, ...]]
    win_text: Callable[[Any, str, bool], str] = usual_win_text
    is_share: Callable[[Any], bool] = _is_never_share
    choosing: Choosing | None = None
    hopes: Callable[[Any], tuple[str, str]] | None = None
    mark: Callable[[Any], str] | None = None
    ending: Callable[[Any, str | None], str | None] | None = None
    read_faces: Callable[[str, Any], TypedDice | None] | None = None
    faces_hint: Callable[[Any], str] | None = None
    dice_hints: Callable[[Any], list[str]] | None = None
    check_plan: Callable[[Any, Any], None] | None = None
    check_size: Callable[[Any, Any], None] | None = None
    check_length: Callable[[Any, Any], Awaitable[None]] | None = None
    dice: Callable[[Any, Any], tuple[Sequence[Die], Sequence[Die]] | None] = dice_as_thrown
    round_name: Callable[[Any, Any, int], str] = usual_round_name
    no_retreat: str = LACKS
    decisions: Callable[[Any], Sequence[str]] | None = None
    seconds: Callable[[Any], float] | None = None
