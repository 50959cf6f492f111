"""Mistakes in a word of a dice line, the word that was probably meant, and what a begun word may become."""

import re
from collections.abc import Iterator, Mapping

from bot.editions import editions
from bot.languages import N_, _
from bot.names import nearest
from bot.notation.dice_options import CLASSIC, OPTIONS, SYNONYMS
from bot.notation.mistakes import did_you_mean, nearest_variant, nearest_word, unknown_word_hint, with_hint
from bot.notation.options import complete_option
from bot.packs import find, load
from solver.dice.ships import SHIPS
from solver.errors import BattleError

SHORT = 3
"""The most letters of a word that is no name with a mistake."""


def surplus_hint(before: str, number: str) -> str:
    """Return what may replace a number too many; empty if nothing does."""
    if number in load():
        return f"variant:{number}"
    return f",{number}" if before in OPTIONS and OPTIONS[before].value.is_list else ""


def nearest_option(word: str, saved: Mapping[str, str]) -> str:
    """Return the word that was probably meant, with its value; empty if none is near."""
    if is_number(word):
        return ""
    match = re.match(r"(\d*)([^\d:=]+)[:=]?(.*)", word)
    before, name, after = match.groups() if match else ("", word, "")
    if setup := nearest(word, saved, 0.7):
        return setup
    if word in load():
        return f"variant:{word}"
    near = nearest_word(name, [*OPTIONS, *SYNONYMS], 0.7)
    if not near:
        return ""
    known, value = SYNONYMS.get(near, near), after or before
    return f"{known}{':' * bool(value)}{value}"


def is_number(word: str) -> bool:
    """Return whether a word can only be meant as a number."""
    return bool(re.match(r"[+-]?\d", word) and not re.search(r"[^\W\d_]{2}", word))


def nearest_pack(name: str) -> str:
    """Return the rule pack of nearly this name, as an option; empty if none is near."""
    return "" if name in editions() else nearest_variant(name, (*load(), CLASSIC))


def nearest_stacked(named: str, word: str) -> str:
    """Return the rule pack of nearly this name that stacks with those named before it; empty if none is near.

    Of a word as short as "and" only the name itself is near.
    """
    keys = [names.rpartition(",")[2] for names in _stacks(named)]
    return nearest(word, keys, 0.6 if len(word) > SHORT else 1)


def _stacks(named: str) -> Iterator[str]:
    """Yield the names of rule packs with each that stacks with them, in full and as short as it may be."""
    family = f"{named.partition('-')[0]}-"
    for key in load():
        try:
            find(f"{named},{key}")
        except BattleError:
            continue
        yield from (f"{named},{short}" for short in dict.fromkeys((key.removeprefix(family), key)))


# Sentences -------------------------------------------------------------------------------------------


def surplus_text(before: str, number: str) -> str:
    """Explain a number too many by the word before it."""
    if number in load():
        return _("A battle has two numbers. Did you mean `{near}`?", near=f"variant:{number}")
    if before in OPTIONS and OPTIONS[before].value.is_list:
        example = f"{before}:{OPTIONS[before].offers[0]}"
        return _("Use commas between the numbers of an option: `{example}`.", example=example)
    return _("What is the third number? Several territories: `20 > 5 > 4`; stop early: `20 5 stop:4`.")


def unknown_word_text(word: str, saved: Mapping[str, str]) -> str:
    """Say that a word means nothing, with the word that was probably meant."""
    if is_number(word):
        return _("`{word}` isn't a whole number of armies.", word=word)
    words = ", ".join(f"`{name}`" for name in ("vs", *SHIPS, "stop", "rounds", "dice", "variant"))
    if saved:
        text = _("I read {words} and more (see `/help`), or the name of a preset.", words=words)
    else:
        text = _("I read {words} and more (see `/help`).", words=words)
    return unknown_word_hint(word, nearest_option(word, saved), text)


def unknown_pack_text(name: str) -> str:
    """Say that there is no rule pack of this name, or that it stands apart from the one before it."""
    if name in load():
        return _("Put a comma before the name of another variant.")
    if name in editions():
        example = f"3 inf vs 2 inf variant:{name}"
        text = N_("`{name}` is an edition of Axis & Allies, for units with names: `{example}`.")
        return _(text, name=name, example=example)
    near = nearest_pack(name)
    hint = did_you_mean(near) if near else _("`/help variants` lists them.")
    return with_hint(_("There is no variant called `{name}`.", name=name), hint)


def option_completions(typed: str, _questions: bool) -> Iterator[str]:
    """Complete the last word of a line to an option, with a value if it takes one."""
    begun = typed.split()[-1] if typed else ""
    named = begun.partition(":")[2].rpartition(",")[0]
    known = _stacks(named) if named else (*load(), CLASSIC)
    words = complete_option(OPTIONS, begun, {"variant": known}) if begun else ()
    return (f"{typed.removesuffix(begun).strip()} {word}" for word in words)
