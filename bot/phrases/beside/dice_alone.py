"""Reads phrases about dice without a battle, such as "3d6 against 2d6"."""

import re

from bot.games.base import Rooms
from bot.phrases.asking import DICE_ALONE, says_nothing
from bot.phrases.beside.rolled_dice import LETTERS
from bot.phrases.canonical import canonical_or_none
from bot.phrases.meaning import Offer, Understood
from bot.phrases.pieces import ATTACKS
from bot.phrases.tag import BATTLE, PARTING
from bot.phrases.tags import Tagger
from bot.phrases.tokens import tokens_of
from bot.phrases.words import Words

_ROLLED = rf"(?<![\w.,:=])(\d{{1,3}})[{''.join(LETTERS)}](\d{{1,3}})(?!\w)"
_DICE = re.compile(_ROLLED)
_DICE_OF_BOTH = re.compile(rf"{_ROLLED}\s+(?:vs?\.?|versus|against|gegen|contra|против)\s+{_ROLLED}")


def read_dice_alone(rooms: Rooms, phrase: str, language: str) -> Understood | None:
    """Read a phrase with dice such as "3d6": they are no battle, but two sides with their dice are a question.

    Returns:
        The meaning; None for a phrase without dice, and where they are those of a side in a battle.
    """
    rolled = _DICE.findall(phrase)
    if not rolled or _has_battle(_DICE.sub(" ", phrase), language):
        return None
    sixes = all(int(sides) == 6 for _dice, sides in rolled) and len(rolled) <= BATTLE
    line = canonical_or_none(rooms, f"/dice {' '.join(dice for dice, _sides in rolled)}") if sixes else ""
    sides = _DICE_OF_BOTH.search(phrase)
    rest = sides and f"{phrase[: sides.start()]} {phrase[sides.end() :]}"
    if rest is not None and says_nothing(Tagger(Words(tokens_of(rest), language)).tags()):
        return Understood(line, (), "" if line else DICE_ALONE)
    return Understood("", (Offer(line),) if line else (), DICE_ALONE)


def _has_battle(phrase: str, language: str) -> bool:
    """Tell whether a phrase without its dice has two armies, and a word between them."""
    words = Words(tokens_of(phrase), language)
    counted = [index for index, number in enumerate(words.numbers) if number is not None]
    between = range(counted[0], counted[-1]) if counted else ()
    return any(words.meaning(index, "roles") in (*PARTING, *ATTACKS, "with") for index in between)
