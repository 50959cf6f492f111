"""What a server, or a person in direct messages, has chosen, as one value, and how every answer there follows it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Self

from bot.editions import USUAL, editions
from bot.languages import LANGUAGES
from bot.matchup import CLASSIC, Unsaid, explicit
from bot.packs import load
from bot.replies import Form, Reply, line_of, whole

SHOWS = "both", "words", "pictures"


class Habits(NamedTuple):
    """The settings of a place, under the names that the database has for them.

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
    def of(cls, kept: Mapping[str, str]) -> Self:
        """The settings that are kept of a place; what is unknown by now is as if nothing had been chosen."""
        usual = cls()
        known: dict[str, Any] = {name: text for name, text in kept.items() if name in LEGAL and LEGAL[name](text)}
        flags = {name: text in YES for name, text in known.items() if isinstance(getattr(usual, name), bool)}
        return usual._replace(**known | flags)

    @property
    def unsaid(self) -> Unsaid:
        """What lines mean here by what they do not say."""
        return Unsaid(self.game, self.edition, int(self.behind))


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


def as_shown(answer: Reply | Form, habits: Habits) -> Reply | Form:
    """An answer as it is shown in a place: with what is shown there, and a line that means the same if pasted there."""
    if isinstance(answer, Form):
        fields = (
            replace(field, value=explicit(field.value, habits.unsaid)) if field.option == "matchup" else field
            for field in answer.fields
        )
        return replace(answer, fields=tuple(fields))
    if habits.show == "words":
        answer = replace(answer, picture=None)
    elif habits.show == "pictures" and answer.picture and not answer.frame:
        answer = _beside(answer)
    line = None if answer.failed else line_of(whole(answer))
    if not line:
        return answer
    said = explicit(line, habits.unsaid)
    if said == line:
        return answer
    before, _line, after = (answer.note or answer.text).rpartition(f"`{line}`")
    told = f"{before}`{said}`{after}"
    return replace(answer, note=told) if answer.note else replace(answer, text=told)


def _beside(answer: Reply) -> Reply:
    """What of an answer stands beside its picture: the verdict, what is bold or small, and what that does not tell."""
    assert answer.picture is not None, "this is for answers that have one"
    first, *rest = answer.text.splitlines()
    kept = [line for line in rest[: answer.picture.lines] if line.startswith(("**", "-# "))]
    text = "\n".join([first, *kept, *rest[answer.picture.lines :]])
    return replace(answer, text=text, table=() if answer.picture.table else answer.table)
