"""Autocomplete for lines of games with dice: the options that the word being typed may become."""

from collections.abc import Iterator

from bot.notation.dice_options import OPTIONS
from bot.notation.lexer import CLASSIC
from bot.notation.options import complete_option
from bot.packs import load


def option_completions(typed: str, _questions: bool) -> Iterator[str]:
    """Complete the last word of a line to an option, with a value if it takes one."""
    begun = typed.split()[-1] if typed else ""
    words = complete_option(OPTIONS, begun, {"variant": (*load(), CLASSIC)}) if begun else ()
    return (f"{typed.removesuffix(begun).strip()} {word}" for word in words)
