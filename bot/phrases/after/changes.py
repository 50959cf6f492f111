"""Changes the battle of a line as a follow-up says: finds the kind of line, and what changes such lines."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.phrases.after.context import Context
from bot.phrases.after.dice import change_dice, change_map, change_path
from bot.phrases.after.units import NO_CHANGE, UNITS, change_raid, change_units
from bot.phrases.after.words import Said
from bot.phrases.canonical import canonical
from bot.phrases.meaning import NotClearError

_MAP = re.compile(r"(\d+) [a-z ]+ > ")


def change(context: Context, said: Said) -> str:
    """Return the line of a battle after a change of its armies and options; NotClearError if that is open."""
    if context.plans:
        return _change_plans(context, said)
    return next(make for fits, make in _KINDS if fits(context))(context, said)


def _change_plans(context: Context, said: Said) -> str:
    """Change both plans of a comparison, which stay two."""
    first, second = (change(Context(context.rooms, "", plan), said) for plan in context.plans)
    if canonical(context.rooms, first) == canonical(context.rooms, second):
        raise NotClearError("the second plan", f"/compare {context.plans[0]} || {second}")
    return f"{first} || {second}"


def _change_need(context: Context, said: Said) -> str:
    """Change the number that somebody wants to beat, or to hold against."""
    side = "attacker" if re.match(r"\d+ vs\b", context.line) else "defender"
    number, _space, rest = context.line.partition(" ")
    battle = Context(context.rooms, "", f"1 {number}" if side == "defender" else f"{number} 1")
    if any(amount.side not in ("", side) for amount in said.amounts if not amount.unit):
        raise NotClearError("another command")
    for amount in said.amounts:
        amount.side = amount.side or side if not amount.unit else amount.side
    options = " ".join(word for word in rest.split() if word != "vs" and "%" not in word)
    chances = [word for word in rest.split() if "%" in word]
    changed = change(replace(battle, line=f"{battle.line} {options}".strip()), said)
    one, two, *words = changed.split()
    return " ".join([*([two] if side == "defender" else [one, "vs"]), *words, *chances])


def _refuse(_context: Context, _said: Said) -> str:
    raise NotClearError(NO_CHANGE)


_KINDS: Sequence[tuple[Callable[[Context], bool], Callable[[Context, Said], str]]] = (
    (lambda it: it.command == "need" and not UNITS.match(it.line) and it.numbers is None, _change_need),
    (lambda it: it.command == "bombing", change_raid),
    (lambda it: it.command == "place", _refuse),
    (lambda it: it.numbers is not None, change_dice),
    (lambda it: it.is_path, change_path),
    (lambda it: bool(_MAP.match(it.line)), change_map),
    (lambda it: " vs " in it.line, change_units),
    (lambda _it: True, _refuse),
)
"""What changes the lines of each kind."""
