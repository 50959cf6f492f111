"""Changes battles of units and bombing raids as a follow-up says: units, planes, damage and options."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.languages import N_
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.phrases.after.context import WHOSE, Context, apply_change, as_fewer, count_after
from bot.phrases.after.words import POINTS, Amount, Said
from bot.phrases.armies import gather
from bot.phrases.meaning import NotClearError
from bot.phrases.options import options_of, unit_options
from bot.phrases.pieces import SIDES, pieces_of
from bot.phrases.tags import Tagger
from bot.phrases.tokens import tokens_of
from bot.phrases.words import Words

ADDED_OR_ALL = N_("Are these all there are, or are they added?")
NO_CHANGE = N_("I can't change that battle so. Type it in full.")
INTERCEPTING = ("intercept", "abfang", "перехват")
"""How the words for fighters begin that intercept a raid."""
UNITS = re.compile(r"(\d+) (?!vs\b)([a-z]+)(?= |$)")
"""Units with their number in a line."""


def change_units(context: Context, said: Said) -> str:
    """Change the units and options of the first wave of a battle."""
    first = context.line.partition(" then ")[0]
    armies = [{unit: int(count) for count, unit in UNITS.findall(side)} for side in first.split(" vs ")]
    if len(armies) != 2:
        raise NotClearError(NO_CHANGE)
    if any(amount.led == "then" for amount in said.amounts):
        units = " ".join(f"{amount.count} {amount.unit}" for amount in said.amounts)
        if " then " in context.line or not all(amount.led == "then" and amount.unit for amount in said.amounts):
            raise NotClearError("what comes next")
        return apply_change(context, context.line, f"then {units}")
    ours, theirs = list[str](), list[str]()
    amounts: Sequence[Amount] = said.amounts
    if replaced := [amount for amount in amounts if amount.mode == "old"]:
        amounts = _replace_units(replaced, [amount for amount in amounts if amount.mode != "old"], armies)
    for amount in amounts:
        side = _side_of_units(amount, armies)
        (theirs if side else ours).append(_unit_change(amount, armies[side], said))
    options = [tag for tag in said.tags if tag.table in ("options", "variants")]
    tags = Tagger(Words(tokens_of(" vs ".join(_text(army) for army in armies)), "en")).tags()
    sides, _after = gather(pieces_of(tags))
    of_ours, rest = unit_options(options, sides[0], sides[-1])
    rest = [option for option in rest if option.partition(":")[0] not in ASKED_WITH_BATTLE]
    text = " ".join([*ours, *of_ours, *(["vs", *theirs] if theirs else []), *rest])
    return apply_change(context, context.line, text)


def _replace_units(
    old: Sequence[Amount], new: Sequence[Amount], armies: Sequence[Mapping[str, int]]
) -> Sequence[Amount]:
    """Return the changes of an army in which units take the place of others; NotClearError unless these are there."""
    if not len(old) == len(new) == 1:
        raise NotClearError("a number is left")
    gone, come = old[0], new[0]
    if not gone.unit:  # "7 inf instead of 5"
        there = [side for side, army in enumerate(armies) if gone.count and army.get(come.unit) == gone.count]
        if len(there) != 1:
            raise NotClearError("which side")
        return [replace(come, side=SIDES[there[0]], led="have")]
    side = SIDES[_side_of_units(gone, armies)]
    return [gone, replace(come, side=side, led="have", mode="more")]


def _text(army: Mapping[str, int]) -> str:
    return " ".join(f"{count} {unit}" for unit, count in army.items())


def _side_of_units(amount: Amount, armies: Sequence[Mapping[str, int]]) -> int:
    """Return the army that a change is about, 0 for the attacker's: that with the units, where they are gone."""
    if not amount.unit:
        kinds = armies[amount.side == "defender"]
        if len(kinds) != 1:
            raise NotClearError("which units")
        amount.unit = next(iter(kinds))
        if not amount.side and not (amount.mode in ("more", "fewer") or amount.led == "make"):
            raise NotClearError(WHOSE)
    if amount.side and amount.led not in ("with", "make"):
        return int(amount.side == "defender")
    having = [side for side, army in enumerate(armies) if amount.unit in army]
    if amount.mode in ("without", "fewer", "old") or amount.led == "corrects":
        if not having or (len(having) > 1 and not amount.side):
            raise NotClearError("which side")
        return having[0]
    if not amount.side and amount.mode == "set" and amount.led != "make":
        raise NotClearError("which side")
    return int(amount.unit == "aa")


def _unit_change(amount: Amount, army: Mapping[str, int], said: Said) -> str:
    """Return the change of an army in notation: "+2 inf"."""
    now = army.get(amount.unit, 0)
    if amount.mode in ("without", "old"):
        gone = now if amount.count is None else amount.count
        if not now or gone > now:
            raise NotClearError("which units")
        return f"-{gone} {amount.unit}"
    if amount.led == "against":
        return f"{ {'more': '+', 'fewer': '-'}.get(amount.mode, '') }{amount.count} {amount.unit}"
    if amount.mode == "set" and now and amount.led == "with" and "instead" not in said.marks:
        raise NotClearError(ADDED_OR_ALL)
    more = count_after(amount, now) - now
    return f"{'+' if more >= 0 else '-'}{abs(more)} {amount.unit}"


def change_raid(context: Context, said: Said) -> str:
    """Change the planes of a raid, or the damage that the factory can take."""
    sides = context.line.split(" vs ")
    armies = [{unit: int(count) for count, unit in UNITS.findall(side)} for side in sides]
    rest = re.sub(r"^(\d+ [a-z]+ )*", "", f"{sides[1]} ").strip()
    for amount in said.amounts:
        if amount.unit in ("", POINTS):
            if (amount.side != "defender" and not amount.unit) or amount.mode == "old" or not rest[:1].isdigit():
                raise NotClearError("a raid")
            now, _space, words = rest.partition(" ")
            rest = f"{count_after(amount, int(now))} {words}".strip()
            continue
        army = armies[_side_of_planes(amount, armies)]
        army[amount.unit] = count_after(as_fewer(amount), army.get(amount.unit, 0)) if amount.count is not None else 0
    options = [option for option in options_of(said.tags) if option.partition(":")[0] not in ASKED_WITH_BATTLE]
    ours, theirs = (_text({unit: count for unit, count in army.items() if count}) for army in armies)
    return " ".join(filter(None, [ours, "vs", theirs, rest, *options]))


def _side_of_planes(amount: Amount, armies: Sequence[Mapping[str, int]]) -> int:
    """Return whose planes a change of a raid is about: 0 for those who attack."""
    if amount.text.startswith(INTERCEPTING) or amount.side == "defender":
        return 1
    having = [side for side, army in enumerate(armies) if amount.unit in army]
    if amount.mode in ("without", "fewer", "old") or (not amount.side and amount.mode != "more"):
        if len(having) != 1:
            raise NotClearError("a raid")
        return having[0]
    return 0
