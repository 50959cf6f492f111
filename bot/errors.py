"""UserError, the error whose text is shown privately to the person who asked; and the solver's errors in words."""

from bot.languages import ENGLISH, N_, Translation, _, retranslate, sentence, speaking
from solver.errors import BattleError

RESTARTING = N_("I'm restarting. Ask again in a minute.")


class UserError(Exception):
    """A mistake that the person can correct; `text` says what is wrong, where, and what would be right.

    `instead` is a corrected command line, such as "need 9"; empty if there is none. `label` is the label of its button;
    empty for the line itself.
    """

    def __init__(self, text: str, instead: str = "", label: str = "") -> None:
        super().__init__(text)
        self.text, self.instead, self.label = text, instead, label

    def __str__(self) -> str:
        """Return the text in English, for logs."""
        with speaking(ENGLISH):
            return str(retranslate(self.text))


class LaterError(UserError):
    """Something that a start needs and lacks just now, and may have later without a change of the settings."""


class AwayError(LaterError):
    """Discord or the database does not answer."""


class TurnedAwayError(UserError):
    """The asker has too many questions open or has used up their time; other people may still ask this question."""


def reason_of(error: BattleError) -> Translation:
    """Why the solver takes no battle, as a part of a sentence."""
    # Texts that are no plain `str` are translations already.
    values = {name: _(of) if type(of) is str else of for name, of in error.values.items()}
    return _(error.text, **values)


def sentence_of(error: BattleError) -> Translation:
    """Return why the solver refuses a battle, as a sentence."""
    return sentence(reason_of(error))
