"""The settings of a place: what a server, a channel, or a person in direct messages chose; answers adapted to it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Self

from bot.editions import USUAL, editions
from bot.games.base import Rooms
from bot.languages import LANGUAGES
from bot.notation.defaults import NotationDefaults
from bot.notation.explicit import explicit
from bot.notation.lexer import CLASSIC
from bot.packs import load
from bot.replies import Form, Picture, Reply

SHOWS = "both", "words", "pictures"


class PlaceSettings(NamedTuple):
    """The settings of a place or of a channel there, under the names that the database has for them.

    `game` and `edition` are what lines mean that say neither, `behind` whether their numbers count the army that stays
    behind. `show` is one of SHOWS, `private` whether answers are for those alone who ask, `setup_role` the id of a role
    whose members may change set-ups of others, `history` whether battles are kept, `language` what is spoken; "" is
    nothing that was chosen.
    """

    game: str = CLASSIC
    edition: str = USUAL
    behind: bool = False
    show: str = "both"
    private: bool = False
    setup_role: str = ""
    history: bool = True
    language: str = ""

    @classmethod
    def of(cls, *kept: Mapping[str, str]) -> Self:
        """Return the settings that the database has; those of a server come first, and its channel's go over them."""
        usual = cls()
        known: dict[str, Any] = {name: text for one in kept for name, text in legal(one).items()}
        flags = {name: text in YES for name, text in known.items() if isinstance(getattr(usual, name), bool)}
        return usual._replace(**known | flags)

    @property
    def line_defaults(self) -> NotationDefaults:
        """What lines mean here by what they do not say."""
        return NotationDefaults(self.game, self.edition, int(self.behind))


YES, NO = ("yes", "on"), ("no", "off")

LEGAL: dict[str, Callable[[str], bool]] = {
    "game": lambda text: text == CLASSIC or text in load(),
    "edition": lambda text: text in editions(),
    "behind": lambda text: text in ("yes", "no"),
    "show": lambda text: text in SHOWS,
    "private": lambda text: text in ("yes", "no"),
    "setup_role": lambda text: not text or text.isdecimal(),
    "history": lambda text: text in ("on", "off"),
    "language": lambda text: not text or text in LANGUAGES,
}
"""What the database may have of each setting."""


def legal(kept: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that count of those in the database: values that are no longer known were never chosen."""
    return {name: text for name, text in kept.items() if name in LEGAL and LEGAL[name](text)}


def adapt_to_place(rooms: Rooms, answer: Reply | Form, chosen: PlaceSettings) -> Reply | Form:
    """Return the answer with a picture, words or both as the place wants, and a line that means the same there."""
    defaults = chosen.line_defaults
    if isinstance(answer, Form):
        fields = (
            replace(field, value=explicit(rooms, field.value, defaults)) if field.option == "matchup" else field
            for field in answer.fields
        )
        return replace(answer, fields=tuple(fields))
    if chosen.show == "words":
        answer = replace(answer, picture=None)
    elif chosen.show == "pictures" and answer.picture and not answer.frame:
        answer = _beside(answer, answer.picture)
    return replace(answer, line=explicit(rooms, answer.line, defaults)) if answer.line else answer


def _beside(answer: Reply, picture: Picture) -> Reply:
    """Return the answer without the facts and the table that its picture repeats."""
    facts = tuple(fact for fact in answer.facts if fact in picture.beside)
    return replace(answer, facts=facts, table=() if picture.table else answer.table)
