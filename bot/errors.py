"""The one kind of error that is meant for the person who asked: its text is shown to them, privately."""

from bot.languages import ENGLISH, N_, Said, _, again, sentence, speaking
from solver.errors import BattleError

RESTARTING = N_("I'm restarting. Ask again in a minute.")


class UserError(Exception):
    """Something the person can put right; the text says what, where, and what would be right.

    `instead` is a command's line that would be right, such as "need 9"; empty where there is none to offer.
    """

    def __init__(self, text: str, instead: str = "") -> None:
        super().__init__(text)
        self.text, self.instead = text, instead

    def __str__(self) -> str:
        """The text in English, for logs, whoever was told it in which language."""
        with speaking(ENGLISH):
            return str(again(self.text))


class TurnedAwayError(UserError):
    """A question was refused because of how much is asked by who asks it; the same question of others may be fine."""


def reason_of(error: BattleError) -> Said:
    """Why the solver takes no battle, as a part of a sentence."""
    return _(error.told, **{name: _(of) if isinstance(of, str) else of for name, of in error.values.items()})


def sentence_of(error: BattleError) -> Said:
    """The same as a sentence of its own."""
    return sentence(reason_of(error))
