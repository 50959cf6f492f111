"""Reads the bot's own answers where people paste them: the line in small print, the headline or the description."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from bot.languages import LANGUAGES, _, speaking
from bot.notation.dice_options import CLASSIC
from bot.packs import STACKED
from bot.phrases.pieces import SHIPS
from bot.phrases.vocabulary.deriving import names_of_games
from bot.words.numbers import MARKS

DOT = " · "
"""Stands between the parts of a line of an answer."""
FEWEST_PARTS = 3
"""A headline has the verdict, the description of the battle and the name of its game."""
UNSAID_RULES = "which rules"
"""The reason to ask back where a headline or a description does not say all rules."""
STARWARS = "starwars"
_MARKS = re.compile(r"^(?:> |-# |#+ )+|[*`]", re.MULTILINE)
_VARIANT = re.compile(r" variant:\S+")


class Headline(NamedTuple):
    """A headline of an answer.

    Attributes:
        description: The battle in words.
        key: The key of its variant or edition; "" where the headline does not say all rules: "Risk with house rules".
    """

    description: str
    key: str

    def complete(self, line: str) -> str:
        """Return the line of the description with the variant or edition; "" if the battle may be another.

        Ships tell Star Wars Risk by themselves; of a path no headline says them.
        """
        if not self.key or (self.key == STARWARS and ">" in line):
            return ""
        if self.key == STARWARS and any(f"{ship}:" in line for ship in SHIPS.values()):
            return line
        line = _VARIANT.sub("", line)
        return line.replace(" ", f" variant:{self.key} ", 1) if ">" in line else f"{line} variant:{self.key}"


def find_line(text: str) -> str:
    """Return what stands last in the small print of a pasted answer, where its battle line is; "" without dots."""
    before, dot, last = _MARKS.sub("", text).rstrip().rpartition(DOT)
    return last.strip() if dot and before else ""


def find_headline(text: str) -> Headline | None:
    """Return the headline with which a text begins; None if it begins with none."""
    first, _end, _rest = _MARKS.sub("", text).strip().partition("\n")
    parts = first.split(DOT)
    name = parts[-1].strip().casefold()
    if len(parts) < FEWEST_PARTS or not any(known in name for known in game_names()):
        return None
    keys = [game_names().get(part, "") for part in name.split(STACKED)]
    return Headline(DOT.join(parts[1:-1]), ",".join(keys) if all(keys) else "")


def leaves_out_options(text: str) -> bool:
    """Tell whether a text is a description of a battle, or begins with one, that says of itself that it is not all."""
    first, _end, _rest = _MARKS.sub("", text).strip().partition("\n")
    parts = [part.strip(" .").casefold() for part in first.split(DOT)]
    named = len(parts) > 1 and parts[-1].endswith(_in_all_languages("{game} with house rules"))
    # Each mark begins with a comma; without one a terminal need not read the texts of all languages.
    return named or any(", " in part and part.endswith(_in_all_languages(*MARKS)) for part in parts)


@lru_cache
def _in_all_languages(*texts: str) -> tuple[str, ...]:
    """Return texts in all languages, in small letters, without what fills their places."""
    ends: set[str] = set()
    for language in LANGUAGES:
        with speaking(language):
            ends |= {str(_(text, battle="", game="")).casefold() for text in texts}
    return tuple(ends)


@lru_cache
def game_names() -> Mapping[str, str]:
    """Return the key of each game by its name in any language, in small letters; "" for names that need more words."""
    keys: dict[str, str] = {}
    for language in LANGUAGES:
        with speaking(language):
            keys |= {name.casefold(): key for key, name in names_of_games(language).items()}
            keys |= {str(_("classic Risk")).casefold(): CLASSIC}
            keys |= dict.fromkeys((str(_("icon dice")).casefold(), str(_("Risk")).casefold()), "")
    return keys
