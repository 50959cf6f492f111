"""Autocomplete for lines of games with dice: the options that the word being typed may become."""

from collections.abc import Iterator

from bot.notation.dice_options import OPTIONS
from bot.notation.lexer import CLASSIC
from bot.packs import load


def option_completions(typed: str, _questions: bool) -> Iterator[str]:
    """Complete the last word of a line to an option, with a value if it takes one."""
    begun = typed.split()[-1] if typed else ""
    before = typed.removesuffix(begun).strip()
    name, colon, value = begun.partition(":")
    for word, option in OPTIONS.items():
        if begun and (word == name if colon else word.startswith(name)):
            offers = (*load(), CLASSIC) if word == "variant" else option.offers
            yield from (f"{before} {word}:{offer}" for offer in offers if offer.startswith(value))
            if option.value.flag and not colon:
                yield f"{before} {word}"
