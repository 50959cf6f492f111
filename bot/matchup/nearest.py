"""What is wrong with a word of a line, and which right one was probably meant."""

import difflib
import re
from collections.abc import Mapping, Sequence

from bot.editions import USUAL, Edition, editions
from bot.languages import _, joined
from bot.matchup.mistakes import meant, unknown
from bot.packs import load
from bot.words import ALSO, CLASSIC, LISTS, OPTIONS
from solver.ships import SHIPS


def no_surplus(before: str, number: str) -> str:
    """What may stand in place of a number too many; empty where nobody knows."""
    if number in load():
        return f"variant:{number}"
    return f",{number}" if before in OPTIONS and OPTIONS[before][1] in LISTS else ""


def offered(word: str, wrong: str, offers: Sequence[str]) -> str:
    """An option with the value nearest to a wrong one, or else the first; empty where there is none to offer."""
    value = re.split("[:=]", wrong)[-1].strip()
    near = difflib.get_close_matches(value, offers, n=1) or offers[:1]
    return f"{word}:{near[0]}" if near else ""


def nearest(word: str, saved: Mapping[str, str]) -> str:
    """The word that was probably meant, with its value; empty where none is near."""
    if is_number(word):
        return ""
    found = re.match(r"(\d*)([^\d:=]+)[:=]?(.*)", word)
    before, name, after = found.groups() if found else ("", word, "")
    if setup := difflib.get_close_matches(word, saved, n=1, cutoff=0.7):
        return setup[0]
    if word in load():
        return f"variant:{word}"
    near = difflib.get_close_matches(name, [*OPTIONS, *ALSO], n=1, cutoff=0.7)
    if not near:
        return ""
    known, value = ALSO.get(near[0], near[0]), after or before
    return f"{known}{':' * bool(value)}{value}"


def is_number(word: str) -> bool:
    """Whether a word can only be meant as a number."""
    return bool(re.match(r"[+-]?\d", word) and not re.search(r"[^\W\d_]{2}", word))


def nearest_pack(name: str) -> str:
    """A rule pack of nearly this name, as an option; empty where none is near."""
    near = difflib.get_close_matches(name, (*load(), CLASSIC), n=1, cutoff=0.5)
    return f"variant:{near[0]}" if near else ""


def nearest_edition(name: str) -> str:
    """The same of an edition of Axis & Allies."""
    near = difflib.get_close_matches(name, editions(), n=1, cutoff=0.5)
    return f"variant:{near[0]}" if near else ""


def nearest_unit(word: str, edition: Edition) -> str:
    """The word for a unit that an edition has; empty where none is near."""
    near = difflib.get_close_matches(word, edition.words, n=1, cutoff=0.6)
    return near[0] if near else ""


def edition_with(word: str) -> str:
    """The edition that has a word for a unit, the best known one of several; empty where there is none."""
    return next((key for key in (USUAL, *editions()) if word in editions()[key].words), "")


def in_edition(line: str, edition: str) -> str:
    """A line of Axis & Allies in another edition than it is in."""
    said = rf"variant:{edition}"
    told, count = re.subn(r"(?<![^\s,;])variant ?[:= ] ?[a-z0-9-]+", said, line, count=1)
    return told if count else f"{line} {said}"


# What is said -------------------------------------------------------------------------------------------


def surplus(before: str, number: str) -> str:
    """What is wrong with a number too many, by the word before it."""
    if number in load():
        return _("A battle has two numbers. Did you mean `{near}`?", near=f"variant:{number}")
    if before in OPTIONS and OPTIONS[before][1] in LISTS:
        example = f"{before}:{OPTIONS[before][1].offers[0]}"
        return _("Use commas between the numbers of an option: `{example}`.", example=example)
    return _("What is the third number? Several territories: `20 > 5 > 4`; stop early: `20 5 stop:4`.")


def unknown_word(word: str, saved: Mapping[str, str]) -> str:
    """What is said of a word that means nothing."""
    if is_number(word):
        return _("`{word}` isn't a whole number of armies.", word=word)
    if near := nearest(word, saved):
        return unknown(word, near)
    words = ", ".join(f"`{name}`" for name in ("vs", *SHIPS, "stop", "rounds", "dice", "variant"))
    if saved:
        told = _("I read {words} and more (see `/help`), or the name of a preset.", words=words)
    else:
        told = _("I read {words} and more (see `/help`).", words=words)
    return joined("{what} {hint}", what=_("I don't know `{word}`.", word=word), hint=told)


def unknown_pack(name: str) -> str:
    """What is said of a name that no rule pack has."""
    near = nearest_pack(name)
    hint = meant(near) if near else _("`/help variants` lists them.")
    return joined("{what} {hint}", what=_("There is no variant called `{name}`.", name=name), hint=hint)
