"""Changes the battle of a line as a follow-up says: finds the kind of line, and offers lines where that is open."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from bot.phrases.after.armies import ADDED_OR_ALL, WHOSE
from bot.phrases.after.context import Context
from bot.phrases.after.lines import (
    NO_CHANGE,
    WHICH_PLACE,
    change_dice,
    change_map,
    change_path,
    change_raid,
    change_units,
)
from bot.phrases.after.said import HOLDS, Amount, Said
from bot.phrases.canonical import canonical
from bot.phrases.meaning import NotClearError
from bot.phrases.pieces import SIDES

PERCENT = range(50, 100)
"""The numbers that may be chances, too."""
_LONE = re.compile(r"\d+( vs)?( \S+[:%]\S*)*")
_MAP = re.compile(r"\d+(?: [a-z ]+)?(?:, \d+(?: [a-z ]+)?)* > ")


def change(context: Context, said: Said) -> str:
    """Return the line of a battle after a change of its armies and options; NotClearError if that is open."""
    if context.plans:
        return _change_plans(context, said)
    if likely := _chances(context, said):
        raise NotClearError("a chance beside a battle", *likely)
    make = next(make for fits, make in _KINDS if fits(context))
    try:
        return make(context, said)
    except NotClearError as error:
        readings = list[str]()
        for amount in _variants(error.why, said.amounts):
            with suppress(NotClearError):
                readings.append(context.as_asked(make(context, replace(said, amounts=[amount]))))
        raise NotClearError(error.why, *error.readings, *readings) from None


def _chances(context: Context, said: Said) -> Sequence[str]:
    """Return what "make it 95" may mean beside a small battle, such as the one that answers "how many for 90%"."""
    bare = [(amount.led, amount.unit, amount.side) for amount in said.amounts] == [("make", "", "")]
    if not (bare and said.amounts[0].count in PERCENT and context.numbers and max(context.numbers) < PERCENT.start):
        return []
    count = said.amounts[0].count
    battle = context.line.replace(str(context.numbers[0]), str(count), 1)
    return [f"/need {context.numbers[1]} {count}%", battle]


def _variants(why: str, amounts: Sequence[Amount]) -> Iterator[Amount]:
    """Yield what the only amount of a follow-up may mean where something is open."""
    if len(amounts) != 1:
        return
    if why == WHOSE:
        yield from (replace(amounts[0], side=side, led="have") for side in SIDES)
    elif why == ADDED_OR_ALL:
        yield from (replace(amounts[0], side=SIDES[0], led="have", mode=mode) for mode in ("set", "more"))
    elif why == WHICH_PLACE:
        yield from (replace(amounts[0], where=str(place)) for place in (1, 2, 3))


def _change_plans(context: Context, said: Said) -> str:
    """Change all plans of a comparison, which stay different."""
    plans = [change(Context(context.rooms, "", plan), said) for plan in context.plans]
    if len({canonical(context.rooms, plan) for plan in plans}) < len(plans):
        raise NotClearError("the second plan", f"/compare {' || '.join([*context.plans[:-1], plans[-1]])}")
    return " || ".join(plans)


def _change_need(context: Context, said: Said) -> str:
    """Change the number that somebody wants to beat, or to hold against."""
    number, *rest = context.line.split()
    if said.roles & {*HOLDS} and "vs" not in rest:
        against = replace(said, amounts=[replace(amount, side="") for amount in said.amounts])
        return _change_need(replace(context, line=" ".join([number, "vs", *rest])), against)  # "to hold against 12"
    holds = "vs" in rest
    side = SIDES[not holds]
    if any(amount.side not in ("", side) for amount in said.amounts if not amount.unit):
        raise NotClearError("another command")
    if line := _other_chance(number, rest, said.amounts):
        return line
    amounts = [replace(amount, side=side, led="have") if not amount.unit else amount for amount in said.amounts]
    chances = [word for word in rest if "%" in word]
    options = [word for word in rest if word not in ("vs", *chances)]
    whole, lone = ("{0} 1", "{0} vs") if holds else ("1 {0}", "{1}")
    battle = Context(context.rooms, "", " ".join([whole.format(number), *options]))
    one, two, *words = change_dice(battle, replace(said, amounts=amounts)).split()
    return " ".join([lone.format(one, two), *words, *chances])


def _other_chance(number: str, rest: Sequence[str], amounts: Sequence[Amount]) -> str:
    """Return the line of a need with another chance; "" if nobody says one, NotClearError if it may be an army."""
    bare = [amount for amount in amounts if (amount.mode, amount.unit, amount.side) == ("set", "", "")]
    likely = next((amount for amount in bare if amount.count in PERCENT), None)
    if likely is None:
        return ""
    if rest and rest[-1].endswith("%") and int(number) not in PERCENT and likely.led != "against":
        return " ".join([number, *rest[:-1], f"{likely.count}%"])  # "make it 90"
    lines = [f"/need {number} {likely.count}%", f"/need {likely.count}"]
    raise NotClearError("a chance beside a battle", *lines)  # "for 95"


def _refuse(_context: Context, _said: Said) -> str:
    raise NotClearError(NO_CHANGE)


_KINDS: Sequence[tuple[Callable[[Context], bool], Callable[[Context, Said], str]]] = (
    (lambda it: it.command == "need" and bool(_LONE.fullmatch(it.line)), _change_need),
    (lambda it: it.command == "bombing", change_raid),
    (lambda it: it.command == "place", _refuse),
    (lambda it: it.numbers is not None, change_dice),
    (lambda it: it.is_path, change_path),
    (lambda it: bool(_MAP.match(it.line)), change_map),
    (lambda it: " vs " in it.line, change_units),
    (lambda _it: True, _refuse),
)
"""The functions that change the lines of each kind."""
