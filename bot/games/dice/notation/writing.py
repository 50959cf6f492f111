"""The canonical line of a battle with dice, and its parts."""

from dataclasses import astuple
from decimal import Decimal

from bot.games.base import Reading
from bot.notation.dice_options import PLANS
from bot.packs import load
from solver import Battle, Pool

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
    words = [f"variant:{battle.variant}"] if base.variant else []
    words += _dice(battle, base)
    for prefix, ours, theirs in (
        ("", battle.attack_ships, base.attack_ships),
        ("d", battle.defence_ships, base.defence_ships),
    ):
        before = theirs.to_dict()
        words += [f"{prefix}{kind}:{count}" for kind, count in ours.to_dict().items() if count != before[kind]]
    if battle.ties != base.ties:
        words.append(f"ties:{battle.ties}")
    if battle.late != base.late:
        words.append("late" if battle.late else "late:no")
    if battle.reshape != base.reshape:
        words.append(f"reshape:{_decimals(astuple(battle.reshape)) if battle.reshape else 'none'}")
    return words + [word for option in PLANS if (word := option.write([battle]))]


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
    for prefix, pool, before in (("a", battle.attack, base.attack), ("d", battle.defence, base.defence)):
        words += _pool(prefix, pool, before, plain)
    return words


def _pool(prefix: str, pool: Pool, before: Pool, plain: bool) -> list[str]:
    words = []
    if not plain and pool.dice != before.dice:
        words.append(f"{prefix}dice:{commas(pool.dice)}")
    if pool.rerolls != before.rerolls:
        words.append(f"{prefix}rerolls:{pool.rerolls}")
    if pool.bonus != before.bonus:
        words.append(f"{prefix}bonus:{commas(pool.bonus or (0,))}")
    if pool.clamp != before.clamp:
        words.append(f"{prefix}clamp:{f'{pool.clamp[0]}..{pool.clamp[1]}' if pool.clamp else 'none'}")
    return words


def _decimals(numbers: tuple[float, ...]) -> str:
    """Join numbers, without powers of ten, which the notation does not read: 0.00001, not 1e-05."""
    return ",".join(f"{Decimal(str(number)):f}" for number in numbers)


def commas(numbers: tuple[int, ...]) -> str:
    """Join numbers with commas."""
    return ",".join(str(number) for number in numbers)
