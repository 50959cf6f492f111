"""The canonical line of a battle with dice, and its parts."""

from collections.abc import Iterable

from bot.games.base import Reading
from bot.notation.dice_options import OF_DICE, PLANS, POOL, RULES, SHIPS
from bot.notation.options import Option
from bot.packs import load
from solver import Battle

PLAIN = Battle(1, 1)


def write_dice(battle: Battle) -> str:
    """Write the canonical line of a battle with dice."""
    return " ".join([f"{battle.attackers} {battle.defenders}", *option_words(battle)])


def write_part(reading: Reading, lone: str) -> str:
    """Write the canonical line of a reading in which one number may be missing; `lone` is the side of a bare number."""
    attackers, defenders, *options = write_dice(reading.battle).split()
    given = reading.details.given
    numbers = [attackers, defenders]
    if given == {"attackers"}:
        numbers = [attackers] if lone == "attackers" else [attackers, "vs"]
    elif given == {"defenders"}:
        numbers = [defenders] if lone == "defenders" else ["vs", defenders]
    return " ".join([*numbers, *options])


def usual_rules(variant: str) -> Battle:
    """Return a battle with the rules of a rule pack, or of classic Risk, to which the options of a line are added."""
    pack = load().get(variant)
    return pack.usual if pack else PLAIN


def option_words(battle: Battle) -> list[str]:
    """Write all options of a battle: its rules, its ships and the attacker's plans."""
    base = usual_rules(battle.variant)
    ships = [f"{'d' * side}{word}" for side in (0, 1) for word in _of_side(SHIPS, battle, side, base)]
    rules = [word for option in (*RULES, *PLANS) if (word := option.write([battle], base=base))]
    return [*([f"variant:{battle.variant}"] if base.variant else []), *_dice(battle, base), *ships, *rules]


def _of_side(options: Iterable[Option], battle: Battle, side: int, base: Battle) -> list[str]:
    """Write options that a side has, without its letter."""
    return [word for option in options if (word := option.write([battle], side, base))]


def _dice(battle: Battle, base: Battle) -> list[str]:
    """Return the options for the dice, where they are not those of the rules."""
    words = []
    if battle.faces and battle.faces != base.faces:
        ours, theirs = (",".join(word or "-" for word in faces.words) for faces in battle.faces)
        words += [f"icons:{ours}", *([f"dicons:{theirs}"] if theirs != ours else [])]
    counts = len(battle.attack.dice), len(battle.defence.dice)
    plain = all(set(one.attack.dice + one.defence.dice) == {6} for one in (battle, base))
    if plain and counts != (len(base.attack.dice), len(base.defence.dice)):
        words.append(f"dice:{counts[0]}v{counts[1]}")
    own = OF_DICE if plain else (POOL, *OF_DICE)
    return words + [f"{'ad'[side]}{word}" for side in (0, 1) for word in _of_side(own, battle, side, base)]
