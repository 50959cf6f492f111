"""What a command answers, before anybody has decided where it is shown."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG with a file name and a sentence for those who cannot see it."""

    png: bytes
    name: str
    alternative: str


@dataclass(frozen=True, slots=True)
class Button:
    """Something to do next with the battle of the answer: the command it calls, and whether that can work now."""

    label: str
    command: str
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: text in Discord's markdown, perhaps a picture, a log of what the text leaves out, and buttons.

    `private` is for the eyes of the person alone; `failed` says that the text tells what went wrong.
    """

    text: str
    picture: Picture | None = None
    log: str | None = None
    buttons: tuple[Button, ...] = ()
    private: bool = False
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A question for a line of at most `most` characters; it goes to `command` as its option `option`."""

    title: str
    label: str
    command: str
    option: str
    value: str = ""
    most: int = 100


def line_of(text: str) -> str | None:
    """The battle an answer is about: what stands in back-ticks at the end of its text."""
    found = re.search(r"`([^`\n]+)`\s*$", text)
    return found[1] if found else None
