"""Translates the descriptions of commands and options that Discord shows while people type."""

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes

from bot.languages import ENGLISH, _, language_for_locale, speaking

TRANSLATED = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
)


class Descriptions(app_commands.Translator):
    """Translates descriptions. The names of commands stay English, so people can tell one another what to type."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return a description in the language of a locale; None for English or without a translation."""
        spoken = language_for_locale(locale.value)
        if spoken == ENGLISH or context.location not in TRANSLATED:
            return None
        with speaking(spoken):
            translation = str(_(string.message))
        return translation if translation != string.message else None
