"""The question before a follow-up: its command, its line, and that line after a change."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.games.base import Rooms
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.notation.lexer import TABLES
from bot.notation.plans import read_change
from bot.phrases.canonical import ENDED, canonical

OF_COMMANDS = {"table": TABLES, "luck": ENDED}
"""The words behind a battle that are the question of a command."""
_NUMBERS = re.compile(r"(\d+) (\d+)(?= [a-z]|$)")
_PATH = re.compile(r"\d+ > \d+")


@dataclass(frozen=True)
class Context:
    """The question that was answered: its command, the line of its battle, and the words about the question."""

    rooms: Rooms
    command: str
    line: str
    asked: str = ""

    def as_asked(self, line: str) -> str:
        """Return another line as the same question, as it is typed."""
        command = f"/{self.command} " if self.command else ""
        return f"{command}{line} {self.asked}".strip()

    def write(self, line: str) -> str:
        """Return another line as the same question, in canonical form."""
        return canonical(self.rooms, self.as_asked(line))

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
        """The plans of a comparison; none for other lines."""
        return self.line.split(" or ") if self.command == "compare" else ()


def context_of(rooms: Rooms, after: str) -> Context:
    """Return the question that a line asks; UserError if it is none."""
    line = canonical(rooms, after)
    command, _space, rest = line[1:].partition(" ") if line.startswith("/") else ("", "", line)
    words = rest.split()
    names = {*ASKED_WITH_BATTLE, *OF_COMMANDS.get(command, ())}
    at = next((index for index, word in enumerate(words) if word.partition(":")[0] in names), len(words))
    return Context(rooms, command, " ".join(words[:at]), " ".join(words[at:]))


def apply_change(context: Context, line: str, text: str) -> str:
    """Return a line after a change in notation."""
    return context.rooms.write(read_change(context.rooms, line, text).battle) if text.strip() else line
