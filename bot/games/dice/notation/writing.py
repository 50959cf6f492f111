"""The canonical line of a battle with dice, its parts, and what a second plan changes of it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from bot.games.base import PlanChanges, Reading
from bot.notation.dice_options import CLASSIC, FIELDS, OF_DICE, OF_SIDES, PLANS, POOL, RULES, SHIPS
from bot.notation.lexer import names_variant, tokens
from bot.notation.options import Option, dropped_words
from bot.packs import find, rules_with_dice
from solver import Battle, BattleError, Pool
from solver.dice.changes import USUAL_DICE
from solver.dice.pools import DiceKept

PLAIN = Battle(1, 1)


def write_dice(battle: Battle) -> str:
    """Write the canonical line of a battle with dice."""
    return " ".join([f"{battle.attackers} {battle.defenders}", *option_words(battle)])


def write_part(reading: Reading, lone: str) -> str:
    """Write the canonical line of a reading in which one number may be missing; `lone` is the side of a bare number."""
    attackers, defenders, *options = write_dice(reading.battle).split()
    sides = reading.details.given
    numbers = [attackers, defenders]
    if sides == {"attackers"}:
        numbers = [attackers] if lone == "attackers" else [attackers, "vs"]
    elif sides == {"defenders"}:
        numbers = [defenders] if lone == "defenders" else ["vs", defenders]
    return " ".join([*numbers, *options])


def usual_rules(variant: str) -> Battle:
    """Return a battle with the rules of a rule pack, or of classic Risk, to which the options of a line are added."""
    pack = find(variant)
    return pack.usual if pack else PLAIN


def option_words(battle: Battle) -> list[str]:
    """Write all options of a battle: its rules, its ships and the attacker's plans."""
    base = usual_rules(battle.variant)
    ships = [f"{'d' * side}{word}" for side in (0, 1) for word in _of_side(SHIPS, battle, side, base)]
    rules = [word for option in (*RULES, *PLANS) if (word := option.write([battle], base=base))]
    return [*([f"variant:{battle.variant}"] if base.variant else []), *_dice(battle, base), *ships, *rules]


def plan_words(battle: Battle) -> list[str]:
    """Write the attacker's plans of a battle, but for the armies that never roll."""
    base = usual_rules(battle.variant)
    return [word for option in PLANS if option.field != "reserve" and (word := option.write([battle], base=base))]


def _pools(battle: Battle) -> tuple[Pool, Pool]:
    return battle.attack, battle.defence


def _of_side(options: Iterable[Option], battle: Battle, side: int, base: Any) -> list[str]:
    """Write options that a side has, without its letter."""
    return [word for option in options if (word := option.write([battle], side, base))]


def _dice(battle: Battle, base: Battle) -> list[str]:
    """Return the options for the dice, where they are not those of the rules."""
    words = []
    if battle.faces and battle.faces != base.faces:
        ours, theirs = (",".join(word or "-" for word in faces.words) for faces in battle.faces)
        words += [f"icons:{ours}", *([f"dicons:{theirs}"] if theirs != ours else [])]
    counts = len(battle.attack.dice), len(battle.defence.dice)
    plain = all(pool.kept == DiceKept((6,) * pool.units) for rules in (battle, base) for pool in _pools(rules))
    if plain and counts != (len(base.attack.dice), len(base.defence.dice)):
        words.append(f"dice:{counts[0]}v{counts[1]}")
    usual = _Pools(*(_usual_pool(battle, base, side) for side in USUAL_DICE))
    for side, letter in enumerate("ad"):
        own = [*([] if plain else _of_side([POOL], battle, side, base)), *_of_side(OF_DICE, battle, side, usual)]
        words += [f"{letter}{word}" for word in own]
    return words


class _Pools(NamedTuple):
    """The dice of both sides."""

    attack: Pool
    defence: Pool


def _usual_pool(battle: Battle, base: Battle, side: str) -> Pool:
    """Return the dice of a side if a line says no more of them than which they are, and how often they explode."""
    pool: Pool = getattr(battle, side)
    usual: Pool = getattr(base, side)
    own: dict[str, Any] = {"dice": [*pool.dice]} if pool.kept != usual.kept else {}
    if pool.explosions != usual.explosions:
        own["explosions"] = pool.explosions
    if not own:
        return usual
    rules = rules_with_dice(battle.variant, side, own)
    bonus, clamp = rules.get("bonus", usual.bonus)[: pool.units], rules.get("clamp", usual.clamp)
    fields = {"bonus": bonus, "clamp": clamp, "rerolls": rules.get("rerolls", usual.rerolls)}
    try:
        return replace(usual, **pool.kept._asdict(), **fields)
    except BattleError:  # these dice have too many rolls with the variant's rerolls, which the battle leaves out
        return usual


_SHIPS = [option.word for option in SHIPS]
_PLANS = *(option.word for option in PLANS), "leave"
"""Options that are no rules: a plan keeps them in another variant too."""
_DICE_WORDS = {f"{side}{word}" for side in ("", "a", "d") for word in (*_SHIPS, "icons", "dice")}
"""Options that tell whether dice have faces of their own."""


def rest_of_line(line: str, change: str) -> str:
    """Return what a second plan keeps of the canonical line of the first, where the second is a change of it."""
    return _without_rules(line) if names_variant(change) else _without_ships(line, change)


def starts_anew(first: Battle, second: Battle, line: str) -> bool:
    """Tell whether a second plan that can stand by itself does: one of both has icon dice, and its line names dice."""
    faces = [battle.faces is not None for battle in (first, second)]
    return faces[0] != faces[1] and any(token.text in _DICE_WORDS for token in tokens(line))


def _without_rules(line: str) -> str:
    """Return a line with its numbers and plans alone."""
    return " ".join(
        word for word in line.split() if word in ">" or word.isdecimal() or word.partition(":")[0] in _PLANS
    )


def _without_ships(line: str, change: str) -> str:
    """Return a line without the ships of a side for which the change has others."""
    theirs = False
    named = set()
    for token in tokens(change):
        theirs = theirs or token.kind == "versus"
        if token.kind != "option" or not token.value:
            continue
        side, _dot, kind = FIELDS[token.text].format(side="defence" if theirs else "attack").partition(".")
        if kind in _SHIPS:
            named.add("d" if side == "defence" else "")
    gone = {f"{side}{kind}" for side in named for kind in _SHIPS}
    return " ".join(word for word in line.split() if word.partition(":")[0] not in gone)


CHANGES = PlanChanges(
    rest=rest_of_line,
    dropped=dropped_words((*OF_SIDES, *PLANS), ""),
    variant=CLASSIC,
    offers=("stop:4", "bombers:1", "rounds:3", "dice:2v2", "ties:attacker"),
    example="stop:3",
    starts_anew=starts_anew,
)
