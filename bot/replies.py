"""What a command answers, before anybody has decided where it is shown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG with a file name and a sentence for those who cannot see it.

    Of its answer it tells so many `lines` below the first, and the `table` or not: where pictures are wanted, these
    are left out.
    """

    png: bytes
    name: str
    alternative: str
    lines: int = 99
    table: bool = True


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text of any length that goes beside an answer: a file in the chat.

    One `for_buttons` is there only to be read again by the command of a button under the answer.
    """

    name: str
    text: str
    for_buttons: bool = False


@dataclass(frozen=True, slots=True)
class Button:
    """Something to do next with the battle of the answer: the command it calls, and whether that can work now.

    `argument` is what the command must know beside the line of the answer: which battle, as it stood when.
    """

    label: str
    command: str
    enabled: bool = True
    argument: str = ""


ASK, ASK_ALL = "ask", "ask all"
"""What a button does that asks the line of a command: the answer is seen by who sees the button, or by all."""
HELP, TURN = "help", "turn to"
"""What a button does that shows a screen of the help: beside the message, or in its place."""
LINELESS = {ASK, ASK_ALL, HELP, TURN}
"""What works under any message: it is about no battle that stands there."""


def to_ask(line: str, everybody: bool = False) -> Button:
    """A button that asks the line of a command, such as "need 9", and is labelled with what one would type."""
    label = line.removeprefix("battle ")
    return Button(label if label != line else f"/{line}", ASK_ALL if everybody else ASK, argument=line)


class Frame(NamedTuple):
    """Which live battle an answer shows, and after how many entries of its log."""

    battle: str
    turn: int


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: text in Discord's markdown, a table in letters of one width, small print, a picture, buttons.

    `private` is for the eyes of the person alone; `failed` says that the text tells what went wrong. An answer that
    is a `frame` of a live battle takes the place of earlier ones; `aside` is said to the person alone beside it.
    """

    text: str
    table: tuple[str, ...] = ()
    note: str = ""
    file: TextFile | None = None
    picture: Picture | None = None
    buttons: tuple[Button, ...] = ()
    private: bool = False
    failed: bool = False
    frame: Frame | None = None
    aside: str = ""


class Choice(NamedTuple):
    """One of several values to choose from, how it is called, and in small print what it is."""

    value: str
    label: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A line to fill in, of at most `most` characters: it becomes the option `option` of the form's command.

    `hint` stands beside the label, in small print. With `choices`, 25 at the most, one of them is chosen rather than
    anything typed; with `role` a role of the server, whose id is the value, or none.
    """

    option: str
    label: str
    value: str = ""
    most: int = 100
    hint: str = ""
    choices: tuple[Choice, ...] = ()
    role: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A question back; what is filled in goes to `command`."""

    title: str
    command: str
    fields: tuple[Field, ...]
    argument: str = ""


def aligned(cells: Sequence[Sequence[str]], right: bool = False) -> tuple[str, ...]:
    """Rows of a table with its columns one below the other, words to the left or numbers to the right."""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    justified = str.rjust if right else str.ljust
    return tuple("  ".join(map(justified, row, widths)).rstrip() for row in cells)


def with_remarks(text: str, remarks: Iterable[str]) -> str:
    """A text with each remark in small print on a line of its own below it."""
    return "\n".join([text, *(f"-# {remark}" for remark in remarks)])


def whole(reply: Reply, table: Sequence[str] | None = None) -> str:
    """All that a reply says, its table whole or as given."""
    rows = reply.table if table is None else table
    block = ["```", *rows, "```"] if rows else []
    return "\n".join([reply.text, *block, *([f"-# {reply.note}"] if reply.note else [])])


def line_of(text: str) -> str | None:
    """The battle an answer is about: what stands in back-ticks at the end of all it says."""
    found = re.search(r"`([^`\n]+)`\s*$", text)
    return found[1] if found else None
