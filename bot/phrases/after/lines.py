"""Changes the line of each kind of battle as a follow-up says: its armies, its territories and its options."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.languages import N_
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.phrases.after.armies import change_armies, count_after
from bot.phrases.after.context import Context, apply_change
from bot.phrases.after.said import KINDS, POINTS, Amount, Said
from bot.phrases.armies import gather
from bot.phrases.meaning import NotClearError
from bot.phrases.options import OF_ATTACKER, has_options_of_defender, options_of, stop_at_rest, unit_options
from bot.phrases.pieces import SHIPS, SIDES, pieces_of
from bot.phrases.tags import Tagger
from bot.phrases.tokens import tokens_of
from bot.phrases.words import Words

WHICH_PLACE = N_("Which territory is that about?")
NO_CHANGE = N_("I can't change that battle like that. Type it in full.")
INTERCEPTING = ("intercept", "abfang", "перехват")
"""How the words for fighters begin that intercept a raid."""
UNITS = re.compile(r"(\d+) (?!vs\b)([a-z]+)(?= |$)")
"""Units with their number in a line."""
_NUMBER, _OPTION_OF_MAP = re.compile(r"\d+"), re.compile(" (?:most|then|[a-z]+:)")
"""The numbers and the options of a line about a map, in which no name has a digit."""
_SHIP = re.compile(r"(?<= )(d?)(bombers|fighters|capitals):(\d+)")


def change_dice(context: Context, said: Said) -> str:
    """Change the numbers, ships and options of a battle with dice, or make a path of it."""
    armies = [amount for amount in said.amounts if not amount.unit]
    if names_all(armies) or any(amount.led == "then" and amount.mode == "set" for amount in armies):
        return change_path(replace(context, line=context.line.replace(" ", " > ", 1)), said)
    assert context.numbers
    before = {side: {"": number} for side, number in zip(SIDES, context.numbers, strict=True)}
    return apply_change(context, context.line, _dice_text(context, said, before, said.amounts))


def _dice_text(
    context: Context, said: Said, numbers: Mapping[str, Mapping[str, int]], amounts: Sequence[Amount]
) -> str:
    """Return the change of numbers, ships and options in notation: "15 bombers:1 stop:3 vs 11"."""
    if any(amount.unit not in ("", *SHIPS) for amount in amounts):
        raise NotClearError("which units")
    before = {side: dict(army) for side, army in numbers.items()}
    for theirs, ship, count in _SHIP.findall(context.line):
        before[SIDES[bool(theirs)]][KINDS[ship]] = int(count)
    after = change_armies(before, amounts, instead=True)
    attackers, defenders = (after[side].get("", 0) for side in SIDES)
    ships = [
        f"{'d' * (side == SIDES[1])}{SHIPS[unit]}:{count}"
        for side in SIDES
        if any(unit and count != before[side].get(unit, 0) for unit, count in after[side].items())
        for unit, count in after[side].items()
        if unit  # in notation the ships of a side take the place of all that were there
    ]
    ours = [str(attackers)] if attackers != before[SIDES[0]].get("", 0) else []
    theirs = ["vs", str(defenders)] if defenders != before[SIDES[1]].get("", 0) else []
    return " ".join([*ours, *ships, *dice_options(said, attackers), *theirs])


def dice_options(said: Said, attackers: int) -> list[str]:
    """Return the options of a battle with dice that a follow-up names, in notation."""
    options = [stop_at_rest(option, attackers) for option in options_of(said.tags)]
    theirs = {*said.owners} == {"other"} and not said.amounts and any(one.startswith(OF_ATTACKER) for one in options)
    if theirs or any("~" in option for option in options) or has_options_of_defender(said.tags, False):
        raise NotClearError("which side")
    return [option for option in options if option.partition(":")[0] not in ASKED_WITH_BATTLE]


def change_map(context: Context, said: Said) -> str:
    """Change the number of a territory on a map, of which there may be several: then it is asked back."""
    if any(amount.unit or amount.where for amount in said.amounts):
        raise NotClearError(WHICH_PLACE)
    line, side = context.line, int(any(amount.side == SIDES[1] for amount in said.amounts))
    options = _OPTION_OF_MAP.search(line)
    targets, end = line.index(" > "), options.start() if options else len(line)
    changed = []
    for number in _NUMBER.finditer(line, *((targets, end) if side else (0, targets))):
        after = change_armies({SIDES[side]: {"": int(number[0])}, SIDES[not side]: {}}, said.amounts)[SIDES[side]][""]
        changed.append(f"{line[: number.start()]}{after}{line[number.end() :]}")
    if said.amounts and len(changed) > 1:
        raise NotClearError(WHICH_PLACE, *map(context.as_asked, changed))
    return " ".join([changed[0], *dice_options(said, 0)])


# Paths ------------------------------------------------------------------------------------------------


def change_path(context: Context, said: Said) -> str:
    """Change the attackers, the territories, the ships and the options of a path."""
    first, *places = context.line.split(" > ")
    armies = [amount for amount in said.amounts if not amount.unit]
    if names_all(armies):
        options = places[-1].partition(" ")[2]
        places, armies = [str(amount.count) for amount in armies], []
        places[-1] = f"{places[-1]} {options}".strip()
    of_attacker = [amount for amount in said.amounts if amount.unit]
    for amount in _in_places(armies, first, places):
        if amount.led == "then" and amount.mode == "set" and not amount.where:
            last, _space, options = places[-1].partition(" ")
            places[-1:] = [last, f"{amount.count} {options}".strip()]
        elif amount.side == SIDES[1] or amount.where or amount.led == "has":
            places = _change_place(places, amount)
        else:
            of_attacker.append(amount)
    number, _space, options = first.partition(" ")
    numbers = {SIDES[0]: {"": int(number)}, SIDES[1]: {}}
    text = _dice_text(context, said, numbers, of_attacker).replace("behind:", "leave:")
    return apply_change(context, " > ".join([first, *places]), text)


def names_all(armies: Sequence[Amount]) -> bool:
    """Tell whether all territories of a path are named anew: "against 6, then 4 and 2"."""
    plain = all(amount.mode == "set" and not amount.where and amount.led in ("against", "then") for amount in armies)
    return plain and len(armies) > 1 and armies[0].led == "against"


def _in_places(armies: Sequence[Amount], first: str, places: Sequence[str]) -> Sequence[Amount]:
    """Return amounts with the place in a path of a number that another takes the place of: "6 instead of 5"."""
    old = [str(amount.count) for amount in armies if amount.mode == "old"]
    if not old:
        return armies
    numbers = [place.partition(" ")[0] for place in (first, *places)]
    if len(old) != 1 or len(armies) != len(old) + 1 or numbers.count(old[0]) != 1:
        raise NotClearError(WHICH_PLACE)
    new = next(amount for amount in armies if amount.mode != "old")
    at = numbers.index(old[0])
    return [replace(new, where=str(at))] if at else [replace(new, side=SIDES[0], led="have", where="")]


def _change_place(places: Sequence[str], amount: Amount) -> list[str]:
    """Return the territories of a path of which one has other defenders; NotClearError if nobody says which."""
    index = len(places) - 1 if amount.where == "last" else int(amount.where or 0) - 1
    if not 0 <= index < len(places):
        raise NotClearError(WHICH_PLACE)
    now, space, options = places[index].partition(" ")
    if amount.mode == "without" and len(places) > 1:
        left = [*places[:index], *places[index + 1 :]]  # "forget the last one"
        return [*left[:-1], f"{left[-1]}{space}{options}"]
    return [*places[:index], f"{count_after(amount, int(now))}{space}{options}", *places[index + 1 :]]


# Battles of units -------------------------------------------------------------------------------------


def change_units(context: Context, said: Said) -> str:
    """Change the units and options of the first wave of a battle, or add a wave."""
    first, then, _later = context.line.partition(" then ")
    before = _armies_of(first)
    if any(amount.led == "then" for amount in said.amounts):
        units = " ".join(f"{amount.count} {amount.unit}" for amount in said.amounts)
        if then or not all(amount.led == "then" and amount.unit for amount in said.amounts):
            raise NotClearError("what comes next")
        return apply_change(context, context.line, f"then {units}")
    after = change_armies(before, said.amounts, "instead" in said.marks)
    ours, theirs = (_difference(before[side], after[side]) for side in SIDES)
    of_ours, rest = _unit_options(said, before)
    text = " ".join([*ours, *of_ours, *(["vs", *theirs] if theirs else []), *rest])
    return apply_change(context, context.line, text)


def _armies_of(line: str) -> Mapping[str, dict[str, int]]:
    """Return the units of both sides of a line."""
    sides = line.split(" vs ")
    if len(sides) != len(SIDES):
        raise NotClearError(NO_CHANGE)
    counts = ({unit: int(count) for count, unit in UNITS.findall(side)} for side in sides)
    return dict(zip(SIDES, counts, strict=True))


def _difference(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Return the change of an army in notation: "+2 inf", "-1 aa"."""
    changes = {unit: after.get(unit, 0) - before.get(unit, 0) for unit in {**before, **after}}
    return [f"{'+' if more > 0 else '-'}{abs(more)} {unit}" for unit, more in changes.items() if more]


def _unit_options(said: Said, armies: Mapping[str, Mapping[str, int]]) -> tuple[list[str], list[str]]:
    """Return the options of the attacker that a follow-up names, and all others, in notation."""
    options = said.values("options", "variants")
    words = Words(tokens_of(" vs ".join(map(_text, armies.values()))), "en")
    sides, _after = gather(pieces_of(Tagger(words).tags()))
    ours, rest = unit_options(options, sides[0], sides[-1])
    return ours, [option for option in rest if option.partition(":")[0] not in ASKED_WITH_BATTLE]


def _text(army: Mapping[str, int]) -> str:
    return " ".join(f"{count} {unit}" for unit, count in army.items() if count)


def change_raid(context: Context, said: Said) -> str:
    """Change the planes of a raid, or the damage that the factory can take."""
    before = _armies_of(context.line)
    rest = re.sub(r"^.* vs (\d+ [a-z]+ )*", "", f"{context.line} ").split()
    if rest[:1] and rest[0].isdecimal():
        before[SIDES[1]][POINTS] = int(rest.pop(0))
    amounts = [_of_raid(amount, before) for amount in said.amounts]
    after = change_armies(before, amounts, instead=True)
    points = [str(count) for side in SIDES for unit, count in after[side].items() if unit == POINTS]
    ours, theirs = (_text({unit: after[side][unit] for unit in after[side] if unit != POINTS}) for side in SIDES)
    options = [option for option in options_of(said.tags) if option.partition(":")[0] not in ASKED_WITH_BATTLE]
    return " ".join(filter(None, [ours, "vs", theirs, *points, *rest, *options]))


def _of_raid(amount: Amount, armies: Mapping[str, Mapping[str, int]]) -> Amount:
    """Return an amount of a raid with its unit and side: interceptors defend, and numbers there are damage."""
    if amount.unit == POINTS or (not amount.unit and amount.side == SIDES[1]):
        return replace(amount, unit=POINTS, side=SIDES[1], led="have")
    if amount.text.startswith(INTERCEPTING):
        return replace(amount, side=SIDES[1], led="have")
    having = [side for side, army in armies.items() if amount.unit in army]
    alone = not amount.side and amount.unit and len(having) == 1
    return replace(amount, side=having[0], led="have") if alone else amount
