"""Rows of the table of commands: what a command is, and what an option is that people give it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from bot.autocomplete import Suggestion
from bot.replies import Form, Reply
from bot.request import Request, Services

Run = Callable[[Request, Services], Awaitable[Reply | Form]]
Suggest = Callable[[Request, Services], Awaitable[list[Suggestion]]]


@dataclass(frozen=True)
class Option:
    """An option of a slash command.

    Attributes:
        name: Its name.
        about: Its description on Discord.
        kind: The kind of its value. A "flag" is only handed on if it is true, a "yes or no" in both cases. "privacy" is
            no option of the request, but decides whether the answer is private.
        required: Whether there is no command without it.
        lengths: The least and the most characters of a text; None if every length will do.
        suggests: The function that suggests values while somebody types.
        choices: The values to choose from, by their labels; empty if others can be given.
        for_all: Whether everybody sees the answer to a command with it.
    """

    name: str
    about: str
    kind: Literal["text", "flag", "yes or no", "privacy", "person", "role", "file"] = "text"
    required: bool = False
    lengths: tuple[int, int] | None = None
    suggests: Suggest | None = None
    choices: Mapping[str, str] | None = None
    for_all: bool = False


@dataclass(frozen=True)
class Command:
    """A command: a slash command, a button, an item of a message's menu, or a filled-in form.

    Attributes:
        name: Its name, such as "preset save".
        run: Answers it.
        about: Its description on Discord; empty if it is no slash command.
        options: Its options on Discord, in their order.
        typed_as: The options that follow its name in a line that is typed, in their order; the last one takes the rest
            of the line. None if these are its texts.
        press_needs: The content of its message that a press needs: a line, a file with presets, or nothing.
        private: Whether an answer in a message of its own is only for the person who asks; None if the place decides.
        asks_form: Whether it answers with a form.
        edits: Whether the answer to its button takes the place of the message with the button.
        live: Whether it answers with the next frame of the live battle in that message.
        help: The topic of the help about it; empty if that of the game in its line has it.
        anybody_may_press: Whether a button that everybody sees may ask it with any line. Such a command only answers a
            question: a player who presses it acts with their own rights, and somebody else may have written the line.
    """

    name: str
    run: Run
    about: str = ""
    options: tuple[Option, ...] = ()
    typed_as: tuple[str, ...] | None = None
    press_needs: Literal["line", "file", "nothing"] = "line"
    private: bool | None = False
    asks_form: bool = False
    edits: bool = False
    live: bool = False
    help: str = ""
    anybody_may_press: bool = False

    @property
    def typed(self) -> tuple[str, ...] | None:
        """The options that follow its name in a line that is typed; None if it cannot be typed."""
        if not self.about:
            return None
        texts = tuple(option.name for option in self.options if option.kind == "text")
        return texts if self.typed_as is None else self.typed_as

    @property
    def shows_battle(self) -> bool:
        """Whether it shows a live battle as it is for everybody, whatever a person chose for their own answers."""
        return self.live or (bool(self.about) and self.private is False)

    @property
    def suggests(self) -> Mapping[str, Suggest]:
        """The functions that suggest values while somebody types, by option."""
        return {option.name: option.suggests for option in self.options if option.suggests}
