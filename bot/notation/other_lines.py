"""The lines that a preset can hold although they are no battles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.replies import Reply


@dataclass(frozen=True)
class OtherLines:
    """The lines of a game that a preset can hold although they are no battles, such as the garrisons of a map.

    Attributes:
        prefix: The beginning of their canonical form, with which no battle begins.
        keep: Returns the canonical form of a typed line, which may begin with the name of a preset; None if it is none
            of these lines. MatchupError points at a mistake.
        check_name: Raises UserError if no such line can have a name.
        show: Returns the answer about a preset, from its name and its line.
        about: The text that says what the preset `{name}` holds, and how it is used.
    """

    prefix: str
    keep: Callable[[str, Mapping[str, str]], str | None]
    check_name: Callable[[str], None]
    show: Callable[[str, str], Reply]
    about: str
