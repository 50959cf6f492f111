"""Changes battles with dice, paths and attacks on a map as a follow-up says: numbers, ships and options."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.phrases.after.context import WHICH_PLACE, WHOSE, Context, apply_change, as_asked, as_fewer, count_after
from bot.phrases.after.words import Amount, Said
from bot.phrases.meaning import NotClearError
from bot.phrases.options import has_options_of_defender, options_of, stop_at_rest
from bot.phrases.pieces import SHIPS


def change_dice(context: Context, said: Said) -> str:
    """Change the numbers, ships and options of a battle with dice, or make a path of it."""
    assert context.numbers
    attackers, defenders = context.numbers
    armies = [amount for amount in said.amounts if not amount.unit]
    if _names_all(armies):
        return change_path(replace(context, line=context.line.replace(" ", " > ", 1)), said)
    armies = _with_sides(armies, context, attackers, defenders)
    new = {"attacker": attackers, "defender": defenders}
    for amount in armies:
        if amount.led == "then" and amount.mode == "set":
            return change_path(replace(context, line=context.line.replace(" ", " > ", 1)), said)
        if not amount.side:
            raise NotClearError(WHOSE)
        new[amount.side] = count_after(amount, new[amount.side])
    text = [str(new["attacker"])] if new["attacker"] != attackers else []
    text += _ships(context, said)
    text += dice_options(said, new["attacker"])
    text += ["vs", str(new["defender"])] if new["defender"] != defenders else []
    return apply_change(context, context.line, " ".join(text))


def _with_sides(amounts: Sequence[Amount], context: Context, attackers: int, defenders: int) -> list[Amount]:
    """Return amounts of armies, each with its side; NotClearError if nobody says whose a number is."""
    old = {amount.count for amount in amounts if amount.mode == "old"}
    said = [amount for amount in amounts if amount.mode != "old"]
    if old and (len(old) > 1 or len(said) != 1):
        raise NotClearError("a number is left")
    sides = {(attackers, "attacker"), (defenders, "defender")}
    replaced = [side for count, side in sides if count in old]
    if old and not replaced:
        raise NotClearError("a number is left")
    for amount in said:
        if len(replaced) == 1:
            amount.side = amount.side or replaced[0]
        if not amount.side and amount.led != "then":
            amount.side = _side_of(amount, context, said, attackers, defenders)
    if len({amount.side for amount in said}) < len(said):
        raise NotClearError("a number is left")
    return said


def _side_of(amount: Amount, context: Context, said: Sequence[Amount], attackers: int, defenders: int) -> str:
    """Return the side of a number of which no word says whose it is: the attacker's, where that is sure."""
    others = [other.side for other in said if other is not amount]
    if len(others) == 1 and others[0]:
        return "defender" if others[0] == "attacker" else "attacker"  # "15 against 10"
    near = amount.led == "corrects" and abs(attackers - (amount.count or 0)) < abs(defenders - (amount.count or 0))
    if len(said) == 1 and amount.led != "has" and (amount.mode in ("more", "fewer") or amount.led == "make" or near):
        return "attacker"
    rest = context.line.removeprefix(f"{attackers} {defenders}")
    lines = [f"{amount.count} {defenders}{rest}", f"{attackers} {amount.count}{rest}"] if len(said) == 1 else []
    raise NotClearError(WHOSE, *filter(None, (as_asked(context, line) for line in lines)))


def _ships(context: Context, said: Said) -> list[str]:
    """Return the options for the ships that a follow-up names."""
    words = []
    there = dict(re.findall(r"(?<= )(d?(?:bombers|fighters|capitals)):(\d+)", context.line))
    for amount in said.amounts:
        if not amount.unit:
            continue
        if amount.unit not in SHIPS:
            raise NotClearError("which units")
        names = [f"{side}{SHIPS[amount.unit]}" for side in ("", "d")]
        gone = amount.mode in ("without", "old")
        having = [name for name in names if name in there]
        if not amount.side and (gone or amount.mode == "fewer"):
            if len(having) != 1:
                raise NotClearError("which side")
            name = having[0]
        else:
            name = names[amount.side == "defender"]
        now = int(there.get(name, 0))
        if gone and amount.count is not None and amount.mode == "without":
            amount = replace(amount, mode="fewer")
        words.append(f"{name}:{0 if gone and amount.count is None else count_after(as_fewer(amount), now)}")
    return words


def dice_options(said: Said, attackers: int) -> list[str]:
    """Return the options of a battle with dice that a follow-up names, in notation."""
    options = [stop_at_rest(option, attackers) for option in options_of(said.tags)]
    if any("~" in option for option in options) or has_options_of_defender(said.tags, False):
        raise NotClearError("which side")
    return [option for option in options if option.partition(":")[0] not in ASKED_WITH_BATTLE]


def change_path(context: Context, said: Said) -> str:
    """Change the attackers, the territories and the options of a path."""
    first, *places = context.line.split(" > ")
    attackers, text = int(first), list[str]()
    armies = [amount for amount in said.amounts if not amount.unit]
    if _names_all(armies):
        options = places[-1].partition(" ")[2]
        places, armies = [str(amount.count) for amount in armies], []
        places[-1] = f"{places[-1]} {options}".strip()
    for amount in _in_places(armies, first, places):
        if amount.led == "then" and amount.mode == "set" and not amount.where:
            last, _space, options = places[-1].partition(" ")
            places[-1:] = [last, f"{amount.count} {options}".strip()]
        elif amount.side == "defender" or amount.where:
            places = _change_place(context, places, amount)
        elif amount.side == "attacker" or amount.led == "make" or amount.mode in ("more", "fewer"):
            attackers = count_after(amount, attackers)
        else:
            raise NotClearError(WHOSE)
    text = [*_ships(context, said), *(option.replace("behind:", "leave:") for option in dice_options(said, attackers))]
    return apply_change(context, " > ".join([str(attackers), *places]), " ".join(text))


def _names_all(armies: Sequence[Amount]) -> bool:
    """Tell whether all territories of a path are named anew: "against 6, then 4 and 2"."""
    plain = all(amount.mode == "set" and not amount.where and amount.led in ("against", "then") for amount in armies)
    return plain and len(armies) > 1 and armies[0].led == "against"


def _in_places(armies: Sequence[Amount], first: str, places: Sequence[str]) -> Sequence[Amount]:
    """Return amounts with the place in a path of a number that another takes the place of: "6 instead of 5"."""
    old = [str(amount.count) for amount in armies if amount.mode == "old"]
    if not old:
        return armies
    numbers = [first, *(place.partition(" ")[0] for place in places)]
    if len(old) != 1 or len(armies) != len(old) + 1 or numbers.count(old[0]) != 1:
        raise NotClearError(WHICH_PLACE)
    new = next(amount for amount in armies if amount.mode != "old")
    at = numbers.index(old[0])
    return [replace(new, where=str(at))] if at else [replace(new, side="attacker", where="")]


def _change_place(context: Context, places: Sequence[str], amount: Amount) -> list[str]:
    """Return the territories of a path of which one has other defenders; NotClearError if nobody says which."""

    def change_at(index: int) -> list[str]:
        now, space, options = places[index].partition(" ")
        return [*places[:index], f"{count_after(amount, int(now))}{space}{options}", *places[index + 1 :]]

    if not amount.where:
        first = context.line.partition(" > ")[0]
        lines = [" > ".join([first, *change_at(index)]) for index in range(len(places))]
        raise NotClearError(WHICH_PLACE, *(as_asked(context, line) for line in lines))
    index = len(places) - 1 if amount.where == "last" else int(amount.where) - 1
    if index >= len(places):
        raise NotClearError(WHICH_PLACE)
    return change_at(index)


def change_map(context: Context, said: Said) -> str:
    """Change the number of those who attack on a map."""
    armies = [amount for amount in said.amounts if not amount.unit and amount.side != "defender" and not amount.where]
    if len(armies) != len(said.amounts) or len(armies) > 1:
        raise NotClearError(WHICH_PLACE)
    line = context.line
    for amount in armies:
        if amount.mode == "set" and not amount.side and amount.led not in ("make", "corrects"):
            raise NotClearError(WHOSE)
        number, _space, rest = line.partition(" ")
        line = f"{count_after(amount, int(number))} {rest}"
    return " ".join([line, *dice_options(said, 0)])
