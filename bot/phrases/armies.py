"""Gathers the stacks of a phrase into armies, with the marks between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.phrases.meaning import Conditions, NotClearError, Rule, find_condition, find_rule
from bot.phrases.pieces import (
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
        """The meanings of the marks before it."""
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
    """A word behind an army, the words between, and what follows.

    `labels_first` tells whether a phrase begins with the name of a side: "def 7 att 11".
    """

    mark: Mark
    army: Army
    marks: Sequence[Mark]
    rest: Sequence[Piece]
    labels_first: bool

    @property
    def following(self) -> Mark:
        """The next word; one without text if an army follows, or nothing."""
        return self.rest[0] if self.rest and isinstance(self.rest[0], Mark) else Mark("", "")

    @property
    def before_army(self) -> bool:
        """Whether another army follows."""
        return bool(self.rest) and isinstance(self.rest[0], Stack)

    @property
    def near(self) -> bool:
        """Whether it stands right behind the army: "12 attackers", but not "15v12 attacker: 1 fighter"."""
        return self.mark.near and self.following.text != ":"

    @property
    def ends(self) -> bool:
        """Whether what follows is another clause, or nothing."""
        return not self.rest or self.following.role in ("pause", "end", "and")

    @property
    def is_doing(self) -> bool:
        """Whether it is a form such as "attacking", and the end of the clause of the army."""
        return self.near and self.mark.case == "doing" and self.ends

    @property
    def is_of_ships(self) -> bool:
        """Whether a side is named behind ships: "2 bombers for the attacker", "2 bombers on my side"."""
        roles, ships = roles_of(self.marks), self.army.stacks[-1].unit in SHIPS
        linked = roles in (["onto"], ["have"]) and ships and not self.before_army  # not "2 bombers / def 10"
        near = "with" not in roles and (ships or "pause" not in roles)  # not "12 vs 9, what is better for me"
        return self.mark.role in SUBJECTS and (linked or (roles[-1:] == ["for"] and near))

    @property
    def is_unclear(self) -> bool:
        """Whether nobody knows which army it names, where it is the only one: "12 defenders 9"."""
        return self.near and self.mark.role in SIDES and self.before_army and not self.labels_first

    @property
    def names_side(self) -> bool:
        """Whether it is the name of a side right behind the army."""
        clause = self.following.role == "have" and "against" in self.army.roles  # "12 vs 9 attacker has 2 bombers"
        return (
            self.near
            and (self.mark.case == "own" or (self.mark.role in SIDES and not self.labels_first))
            and not clause
        )


_NAMING: Sequence[Rule[Behind, bool]] = (
    Rule("2 bombers for the attacker", lambda it: it.is_of_ships, True),
    Rule("12 attackers", lambda it: it.names_side, False),
    Rule("12 is the attacker", lambda it: it.mark.role in ("is_attacker", "is_defender"), False),
    Rule("9 on defense", lambda it: it.mark.role == "as_defender" and it.near and not it.before_army, False),
    Rule("2 bombers each", lambda it: it.mark.role == "each" and bool(it.army.stacks[-1].unit), True),
    Rule("3 fighters attacking", lambda it: it.is_doing and it.army.stacks[-1].unit in SHIPS, True),
    Rule("12 attacking", lambda it: it.is_doing, False),
)
"""How a word behind an army names its side, and whether it may speak of the ships alone."""
_SIDE_OF = {"attack": "attacker", "hold": "defender", "as_defender": "defender"}
"""The sides that verbs name."""


def gather(pieces: Sequence[Piece], breaks: Sequence[str] = ()) -> tuple[list[Army], list[Mark]]:
    """Return the armies of a phrase, and the marks after the last one.

    Args:
        pieces: The stacks and marks.
        breaks: The roles of marks that end an army here, beside those that always do.
    """
    armies: list[Army] = []
    marks: list[Mark] = []
    sided = [isinstance(piece, Mark) for piece in pieces if isinstance(piece, Stack) or piece.role in SIDES]
    labels_first = sided[:1] == [True]
    for index, piece in enumerate(pieces):
        if isinstance(piece, Mark):
            word = Behind(piece, armies[-1] if armies else Army([]), marks, pieces[index + 1 :], labels_first)
            if sum(sided) == 1 and word.is_unclear:
                marks.append(Mark("unclear", piece.text))
            elif not (armies and _takes(armies, word)):
                marks.append(piece)
            continue
        if armies and not find_condition(_APART, Joint(armies[-1], piece, marks, {*roles_of(marks)}, breaks)):
            armies[-1].stacks.append(piece)
        else:
            armies.append(Army([piece], marks, _label_before(marks)))
        marks = []
    return armies, marks


def _takes(armies: list[Army], word: Behind) -> bool:
    """Let a word behind the last army name it, or its ships; tell whether it does."""
    if word.near and word.mark.role == "zombies":
        word.army.horde = True
    elif rule := find_rule(_NAMING, word):
        role = word.mark.role
        _name(armies, _SIDE_OF.get(role, role.removeprefix("is_")), last_only=rule.make)
    else:
        return False
    return True


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
    "from whom the army is defended": lambda it: "from" in it.roles and "hold" in it.army.roles,
    "another army, or said again": lambda it: it.is_named and not it.roles & {"and", "overland", "landed"},
    "a word ends the army": lambda it: bool(
        it.roles & {*_ALWAYS, *it.breaks} - ({"with"} if "and" in it.roles else set())
    ),
}
"""Why a stack does not belong to the army before it."""
