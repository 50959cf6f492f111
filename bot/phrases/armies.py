"""Gathers the stacks of a phrase into armies, with the marks between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.phrases.meaning import Conditions, NotClearError, find_condition
from bot.phrases.pieces import (
    ARE,
    ARROWS,
    FRONT,
    OR,
    SHIPS,
    SIDES,
    SUBJECTS,
    VERBS,
    Mark,
    Piece,
    Stack,
    roles_behind,
    roles_of,
)


@dataclass
class Army:
    """Stacks that fight together.

    Attributes:
        stacks: The stacks.
        before: The marks before the army, after the army before it.
        label: The side that a word names: "attacker", "defender", "self", "other" or "each"; "" if none does.
        closed: Whether a word behind it named its side, so that nothing joins it any more.
        horde: Whether it is of zombies.
    """

    stacks: list[Stack]
    before: list[Mark] = field(default_factory=list)
    label: str = ""
    closed: bool = False
    horde: bool = False

    @property
    def roles(self) -> list[str]:
        """What the marks before it say."""
        return roles_of(self.before)

    @property
    def numbers(self) -> list[int]:
        """The numbers of armies without a unit."""
        return [stack.count for stack in self.stacks if not stack.unit]

    @property
    def is_of_ships(self) -> bool:
        """Whether there are only ships, which join an army."""
        return all(stack.unit in SHIPS for stack in self.stacks)

    @property
    def units(self) -> str:
        """The units, as the notation writes them."""
        together: dict[str, int] = {}
        for stack in self.stacks:
            together[stack.unit] = together.get(stack.unit, 0) + stack.count
        return " ".join(f"{count} {unit}" for unit, count in together.items())


def check_end(after: Iterable[Mark]) -> None:
    """Raise NotClearError if a word behind the last army wants another one behind it."""
    if any(mark.role in ("then", "counter", "against", *OR, "through") or mark.text in ARROWS for mark in after):
        raise NotClearError("what comes next")


class Behind(NamedTuple):
    """A word behind an army, the words between, what follows, and whether the word stands right behind the army."""

    mark: Mark
    army: Army
    marks: Sequence[Mark]
    rest: Sequence[Piece]
    near: bool


def gather(pieces: Sequence[Piece], breaks: Sequence[str] = ()) -> tuple[list[Army], list[Mark]]:
    """Return the armies of a phrase, and the marks after the last one.

    Args:
        pieces: The stacks and marks.
        breaks: The roles of marks that end an army here, beside those that always do.
    """
    armies: list[Army] = []
    marks: list[Mark] = []
    sided = [piece for piece in pieces if isinstance(piece, Stack) or piece.role in SIDES]
    labels_first = isinstance(sided[0], Mark) if sided else False  # "def 7 att 11"
    alone = not labels_first and sum(isinstance(piece, Mark) for piece in sided) == 1
    for index, piece in enumerate(pieces):
        if isinstance(piece, Stack):
            if armies and not find_condition(_APART, Joint(armies[-1], piece, marks, {*roles_of(marks)}, breaks)):
                armies[-1].stacks.append(piece)
            else:
                armies.append(Army([piece], marks, _label_before(marks)))
            marks = []
            continue
        rest = pieces[index + 1 :]
        following = rest[0] if rest else None
        near = piece.near and not (isinstance(following, Mark) and following.text == ":")  # "15v12 attacker: 1 fighter"
        if near and alone and piece.role in SIDES and isinstance(following, Stack):
            marks.append(Mark("unclear", piece.text))
        elif not (armies and _name_behind(armies, Behind(piece, armies[-1], marks, rest, near), labels_first)):
            marks.append(piece)
    return armies, marks


def _name_behind(armies: list[Army], word: Behind, labels_first: bool) -> bool:
    """Name the last army, or its ships, as a word behind them says; tell whether it is said of them."""
    mark, army, near = word.mark, word.army, word.near
    if near and (mark.case == "own" or (mark.role in SIDES and not labels_first)):
        _name(armies, mark.role, last_only=False)
    elif near and mark.role == "zombies":
        army.horde = True
    elif mark.role in ("is_attacker", "is_defender"):
        army.label = mark.role.removeprefix("is_")
    elif mark.role == "as_defender":
        if not near or (word.rest and isinstance(word.rest[0], Stack)):  # "on defense 9"
            return False
        army.label = "defender"
    elif (mark.role in SUBJECTS and _is_said_of_ships(word)) or (mark.role == "each" and army.stacks[-1].unit):
        _name(armies, mark.role, last_only=True)
    elif mark.role in ("self", "other") and roles_of(word.marks) == ["have"] and _ends(word.rest):
        army.label = mark.role  # "9 hat er, 12 hab ich"
    elif near and mark.text in ("attacking", "defending") and _ends(word.rest):
        _name(armies, "attacker" if mark.role == "attack" else "defender", last_only=len(armies) > 1)
    else:
        return False
    return True


def _is_said_of_ships(word: Behind) -> bool:
    """Tell whether a side is named behind ships: "2 bombers for the attacker", "2 bombers on my side"."""
    roles = roles_of(word.marks)
    ships = word.army.stacks[-1].unit in SHIPS
    own = bool(word.rest) and isinstance(word.rest[0], Stack)  # "2 bombers / def 10"
    linked = roles == ["onto"] or (roles == ["have"] and word.marks[0].text in ARE)  # "the bombers are mine"
    near = ships or "pause" not in roles  # not "12 vs 9, what is better for me"
    return (roles[-1:] == ["for"] and near) or (linked and ships and not own)


def _ends(rest: Sequence[Piece]) -> bool:
    """Tell whether what follows is another clause, or nothing."""
    return not rest or (isinstance(rest[0], Mark) and rest[0].role in ("pause", "end", "and"))


def _label_before(marks: Sequence[Mark]) -> str:
    """Return the side that the marks before an army name."""
    roles = ["", *roles_of(marks)]
    if "each" in roles:
        return "each"
    for before, mark in zip(roles[-2::-1], reversed(marks), strict=True):
        if mark.role == "onto" and before in (*SUBJECTS, "have"):
            continue  # "he's on 19"
        if mark.role in SUBJECTS:
            # Neither in "ahead of me: 6" nor in "attack me with 6".
            return "" if before == "for" or (before in ("attack", FRONT) and mark.text) else mark.role
        if mark.role in (*VERBS, "goes", "outcome", "against", "onto", "by", "counter"):
            return ""
    return ""


def _name(armies: list[Army], label: str, last_only: bool) -> None:
    """Give the last army a label; with `last_only` its ships alone, if it has more."""
    army = armies[-1]
    ships = [stack for stack in army.stacks if stack.unit in SHIPS]
    if last_only and ships and army.numbers:
        army.stacks = [stack for stack in army.stacks if stack not in ships]
        armies.append(Army(ships, [], label, closed=True))
    elif not army.label or not last_only or army.is_of_ships:
        army.label, army.closed = label, last_only


_ALWAYS = {
    *(*VERBS, "against", "by", "then", "through", "counter", "have", *OR, *SUBJECTS, "each"),
    *("wave", "afterwards", "held", "row", "reinforces", "colon", "send", "faces"),
}
"""The roles of marks that always end an army."""


def _is_object(roles: Sequence[str]) -> bool:
    """Tell whether an army is attacked by the verb before it: "hit 6 inf with ..."."""
    return "attack" in roles and "with" not in roles_behind(roles, "attack")


class Joint(NamedTuple):
    """A stack behind an army, the words between with their roles, and the roles that end an army here."""

    army: Army
    stack: Stack
    marks: Sequence[Mark]
    roles: set[str]
    breaks: Sequence[str]

    @property
    def is_named(self) -> bool:
        """Whether the army has the same unit already."""
        return any(self.stack.unit == own.unit for own in self.army.stacks)


_APART: Conditions[Joint] = {
    "a number of armies begins its own": lambda it: not it.stack.unit,
    "the army is complete": lambda it: it.army.closed,
    "with what the army is attacked": lambda it: (
        "with" in it.roles and it.stack.unit not in SHIPS and _is_object(it.army.roles)
    ),
    "from whom the army is defended": lambda it: "from" in it.roles and "hold" in it.army.roles,
    "another army, or said again": lambda it: it.is_named and not it.roles & {"and", "overland", "landed"},
    "the army of somebody": lambda it: it.is_named and "for" in it.roles,
    "a word ends the army": lambda it: bool(
        it.roles & {*_ALWAYS, *it.breaks} - ({"with"} if "and" in it.roles else set())
    ),
    "units beside a number": lambda it: bool(it.army.numbers) and it.stack.unit not in SHIPS,
    "what the number attacks": lambda it: (
        bool(it.army.numbers) and it.roles == {"onto"} and all(mark.text != ":" for mark in it.marks)
    ),
}
"""Why a stack does not belong to the army before it."""
