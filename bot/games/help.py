"""The help about a game: `Help`, with its screens, its variants and right lines of its commands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Screen(NamedTuple):
    """A screen of the help. A row holds four buttons, so four or eight lines leave the rows below to other screens.

    Attributes:
        label: The label of the button that leads to it.
        lines: Its text; `{usual}` stands for the edition that is usual in the place.
        tries: The lines that can be tapped on it.
        leads: The topics of the screens that its buttons lead to.
        home: Whether the first screen leads to it.
    """

    label: str
    lines: tuple[str, ...]
    tries: tuple[str, ...] = ()
    leads: tuple[str, ...] = ("",)
    home: bool = False


class Variant(NamedTuple):
    """Rules with a name, such as a rule pack or an edition.

    Attributes:
        name: The name for people.
        about: Its differences from the usual rules.
        unsure: The part of it that is not certain; empty if all is.
        source: The source of its rules.
        line: A line with it that can be tapped.
        leads: The topics of the screens that its buttons lead to.
        table: More about it, in lines of one width.
        more: A sentence about what can be typed with it; empty if there is nothing to say.
    """

    name: str
    about: str
    unsure: str
    source: str
    line: str
    leads: tuple[str, ...]
    table: tuple[str, ...] = ()
    more: str = ""


@dataclass(frozen=True)
class Help:
    """The help about a game.

    Attributes:
        screens: Its screens, by topic.
        words: Words that people look for, with the topic that has them; a text with commas is a list of them, which
            languages translate.
        examples: A right line of each command, by the topic of the screen about that kind of battle.
        questions: The topic of the screen about other questions than the odds.
        guess: Returns the topic that a line with a mistake seems to be about; empty if none.
        variants: Returns its variants in words of the language of the moment, by their keys.
    """

    screens: Mapping[str, Screen] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    questions: str = "questions"
    guess: Callable[[str], str] | None = None
    variants: Callable[[], Mapping[str, Variant]] | None = None
