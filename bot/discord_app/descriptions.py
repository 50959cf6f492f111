"""What Discord shows of the commands while somebody chooses one, in the languages of those who read it."""

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes

from bot.languages import ENGLISH, _, nearest, speaking

SAID = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
)


class Descriptions(app_commands.Translator):
    """Says the descriptions of commands and options. Names stay, so that people can tell one another what to type."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """A description in the language of a locale; None where that is English, or nobody has said it yet."""
        spoken = nearest(locale.value)
        if spoken == ENGLISH or context.location not in SAID:
            return None
        with speaking(spoken):
            told = str(_(string.message))
        return told if told != string.message else None
