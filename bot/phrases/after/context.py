"""The question before a follow-up: its command and its line, and what all changes of such lines share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.base import Rooms
from bot.languages import N_
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.notation.plans import read_change
from bot.phrases.after.words import Amount
from bot.phrases.canonical import canonical
from bot.phrases.meaning import NotClearError

WHOSE = N_("Whose number is that?")
WHICH_PLACE = N_("Which territory is that about?")
_NUMBERS = re.compile(r"(\d+) (\d+)(?= [a-z]|$)")
_PATH = re.compile(r"\d+ > \d+")


@dataclass(frozen=True)
class Context:
    """The question that was answered: its command, the line of its battle, and the words about the question."""

    rooms: Rooms
    command: str
    line: str
    asked: str = ""

    @property
    def full(self) -> str:
        """The whole line, in canonical form."""
        return self.write(self.line)

    def write(self, line: str) -> str:
        """Return another line as the same question, in canonical form."""
        command = f"/{self.command} " if self.command else ""
        return canonical(self.rooms, f"{command}{line} {self.asked}".strip())

    @property
    def numbers(self) -> tuple[int, int] | None:
        """The numbers of a battle with dice; None for other lines."""
        match = _NUMBERS.match(self.line)
        return (int(match[1]), int(match[2])) if match else None

    @property
    def is_path(self) -> bool:
        """Whether the line is a path through several territories."""
        return bool(_PATH.match(self.line))

    @property
    def plans(self) -> Sequence[str]:
        """The two plans of a comparison; none for other lines."""
        return self.line.split(" or ") if self.command == "compare" else ()


def context_of(rooms: Rooms, after: str) -> Context:
    """Return the question that a line asks; UserError if it is none."""
    line = canonical(rooms, after)
    command, _space, rest = line[1:].partition(" ") if line.startswith("/") else ("", "", line)
    words = rest.split()
    at = next((index for index, word in enumerate(words) if word.partition(":")[0] in ASKED_WITH_BATTLE), len(words))
    return Context(rooms, command, " ".join(words[:at]), " ".join(words[at:]))


def as_asked(context: Context, line: str) -> str:
    """Return another line as the same question, as it is typed."""
    return f"/{context.command} {line}" if context.command else line


def apply_change(context: Context, line: str, text: str) -> str:
    """Return a line after a change in notation."""
    return context.rooms.write(read_change(context.rooms, line, text).battle) if text.strip() else line


def count_after(amount: Amount, now: int) -> int:
    """Return how many there are after a change."""
    if amount.count is None:
        raise NotClearError("how many")
    after = {"more": now + amount.count, "fewer": now - amount.count, "set": amount.count}.get(amount.mode)
    if after is None or after < 0 or (amount.mode == "fewer" and after < 1):
        raise NotClearError("a number is left")
    return after


def as_fewer(amount: Amount) -> Amount:
    """Return an amount that is gone as one that is fewer."""
    return replace(amount, mode="fewer" if amount.mode in ("without", "old") else amount.mode)
