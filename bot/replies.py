"""Replies: the answer of a command as data, before Discord or the terminal shows it."""

import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple
from zlib import crc32

LONGEST_NAME, LONGEST_BUTTON = 100, 80
"""The most characters of a file's name and of a button's label."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG with a file name and an alternative text for people who cannot see it.

    The picture repeats the facts of its answer except those in `beside`, and the table if `table` is true. A place that
    wants pictures leaves out what they repeat.
    """

    png: bytes
    name: str
    alternative: str
    beside: tuple[str, ...] = ()
    table: bool = True


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text of any length beside an answer: a file in the chat.

    A file `for_buttons` is only input for the command of a button under the answer.
    """

    name: str
    text: str
    for_buttons: bool = False


@dataclass(frozen=True, slots=True)
class Button:
    """A next step under an answer: the command that the button calls, and whether it can work now.

    `argument` is the command's input beside the battle line of the answer, such as the id and turn of a live battle.
    """

    label: str
    command: str
    enabled: bool = True
    argument: str = ""


ASK, ASK_ALL = "ask", "ask all"
"""The commands of buttons that ask a typed line: the answer is as private as the button's message, or for all."""
ASK_ON = "ask on"
"""The command of the button that asks for a follow-up with a form."""
HELP, TURN = "help", "turn to"
"""The commands of buttons that show a screen of the help: in a new message, or in place of this one."""
IMPORT = "import setups"
"""The command of the button that takes the presets of a file."""
LINELESS = {ASK, ASK_ALL, HELP, TURN}
"""The commands of buttons that need no battle line in their message."""


def ask_button(line: str, everybody: bool = False) -> Button:
    """Return a button that asks a command line, such as "need 9", and has that line as its label."""
    label = line.removeprefix("battle ")
    return Button(label if label != line else f"/{line}", ASK_ALL if everybody else ASK, argument=line)


class Frame(NamedTuple):
    """The live battle that an answer shows, and the number of log entries so far."""

    battle: str
    turn: int


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in its parts, which `full_text` joins once: texts in Discord's markdown, a table, a picture, buttons.

    Only the asker sees a `private` answer. The text of a `failed` answer is an error. A `frame` of a live battle
    replaces earlier frames; `aside` is a private message to the asker beside it. `question` mentions a person, whom
    Discord notifies of that.

    Attributes:
        text: The whole message, or the headline where facts stand below it.
        facts: Lines below the headline, such as the losses.
        remarks: Lines in small print, such as what the bot made of the request.
        table: Rows in letters of one width.
        note: The last line in small print, such as how sure the numbers are.
        line: The battle, as a line in back-ticks at the end of the note; the buttons read it there.
        page: A page for browsers, beside the file.
    """

    text: str
    _: KW_ONLY
    facts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    note: str = ""
    line: str = ""
    file: TextFile | None = None
    page: TextFile | None = None
    picture: Picture | None = None
    buttons: tuple[Button, ...] = ()
    private: bool = False
    failed: bool = False
    frame: Frame | None = None
    aside: str = ""
    question: "Question | None" = None


class Question(NamedTuple):
    """A sentence that mentions one person, the id of that person, and what a message of its own says besides."""

    text: str
    user: str
    besides: str = ""


class Choice(NamedTuple):
    """A value to choose in a form, with its label and an explanation in small print."""

    value: str
    label: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form, of at most `most` characters; its value becomes `option` of the form's command.

    `hint` is small print below the label. With `choices`, at most 25, people choose one of them instead of typing. With
    `role` they choose a role of the server or none; its id is the value.
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
    """A form that people fill in; its values go to `command`."""

    title: str
    command: str
    fields: tuple[FormField, ...]
    argument: str = ""


def align_columns(cells: Sequence[Sequence[str]], right: bool = False) -> tuple[str, ...]:
    """Return the rows of a table as lines with aligned columns, flush left or flush right."""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    justified = str.rjust if right else str.ljust
    return tuple("  ".join(map(justified, row, widths)).rstrip() for row in cells)


def text_above_table(reply: Reply) -> str:
    """Return the headline, the facts and the remarks of a reply, each on a line of its own."""
    return "\n".join([reply.text, *reply.facts, *(f"-# {remark}" for remark in reply.remarks)])


def small_print(reply: Reply) -> str:
    """Return the last line of a reply: its note, and the battle line in back-ticks at the end; "" if it has neither."""
    return " · ".join(filter(None, [reply.note, reply.line and f"`{reply.line}`"]))


def full_text(reply: Reply, table: Sequence[str] | None = None) -> str:
    """Return all texts of a reply as one text, as people see them; `table` may replace its table."""
    rows = reply.table if table is None else table
    block = ["```", *rows, "```"] if rows else []
    last = small_print(reply)
    return "\n".join([text_above_table(reply), *block, *([f"-# {last}"] if last else [])])


def without_marks(text: str) -> str:
    """Return a text without the marks of bold and code, for files and for alternative texts."""
    return text.replace("*", "").replace("`", "")


def line_of(text: str) -> str | None:
    """Return the battle line at the end of a message in a chat, which stands in back-ticks; None without one."""
    match = re.search(r"`([^`\n]+)`\s*$", text)
    return match[1] if match else None


def picture_name(text: str) -> str:
    """Return a name for the file of a picture about a line; a line too long for a name ends in its checksum."""
    name = "".join(c if c.isalnum() else "-" for c in text)
    return f"{name}.png" if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}-{crc32(text.encode()):08x}.png"
