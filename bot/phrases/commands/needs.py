"""Composes the lines of /need: how many armies are needed to take what others have, or to hold off who attacks."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.armies import Army, gather
from bot.phrases.comparisons.plans import leaves_ships_open
from bot.phrases.dice_lines import counts_of_territories, list_ships
from bot.phrases.lines import compose_battle, exchange_ships
from bot.phrases.meaning import Meaning, NotClearError, Rule, find_rule
from bot.phrases.options import options_of, unit_options, without_implied
from bot.phrases.pieces import (
    ATTACK_LAST,
    FRONT,
    HOLD_LAST,
    SHIPS,
    Mark,
    Stack,
    pieces_of_armies,
    roles_behind,
    roles_of,
    stacks_of,
)
from bot.phrases.tag import OF_ARMIES, Tag, has_role, has_table, tags_of, values_of


def compose_need(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question how many armies are needed."""
    chances = values_of(tags, "chance")
    pieces = pieces_of_armies(tags, "chance")
    stacks = stacks_of(pieces)
    if any(stack.vague for stack in stacks):
        raise NotClearError("need against how many")
    if any(stack.unit and stack.unit not in SHIPS for stack in stacks):
        if any(tag.value == "need" and unit.table == "units" for tag, unit in pairwise(tags)):
            raise NotClearError("which units")  # "how many inf do I need"
        if line := line_against_units(tags):
            return Meaning(" ".join(["/need", line, *chances]))
        meaning = compose_battle([tag for tag in tags if not tag.is_role("send")])  # "to send against 9 inf"
        own = _own_army(tags)
        lines = [_need_of_army(line, own, chances) for line in (meaning.line, meaning.other)]
        return Meaning(lines[0], meaning.reasons, lines[1])
    if row := _row_of_territories(tags):
        return Meaning(" ".join(["/need", " > ".join(row), *options_of(tags), *chances]))
    return _need_of_number(*gather(pieces), tags, chances)


def _own_army(tags: Sequence[Tag]) -> str:
    """Return the units of which some are needed: the player's, else those behind the question; "" for all."""
    armies, _after = gather(pieces_of_armies(tags, "chance"))
    asked = next(tag.table for tag in tags if tag.table in ("questions", *OF_ARMIES)) == "questions"
    own = [army for army in armies[:1] if asked and {"attack", "onto", "against"}.isdisjoint(army.roles)]
    own += [army for army in armies if "self" in (army.label, *army.roles[-1:])]
    return own[-1].units if own else ""


def _need_of_army(line: str, own: str, chances: Sequence[str]) -> str:
    """Return the question which of its own units a side of a battle needs; "" if there is no battle."""
    attack, _vs, defence = line.partition(" vs ")
    holds = bool(own) and defence.startswith(own)
    lines = [" ".join([f"/need {line}", *side, *chances]) for side in ([], ["side:defender"])]
    if holds and attack.startswith(own):
        raise NotClearError("which side", *lines)
    return lines[holds] if line else ""


def _row_of_territories(tags: Sequence[Tag]) -> list[str]:
    """Return the defenders of several territories that are to be taken in a row: "for 5, 4 and 2"; [] if it is none."""
    places = [index for index, tag in enumerate(tags) if tag.table == "number"]
    least = 2 if has_role(tags, "through", "attack through") else SURELY_A_ROW
    if len(places) < least or has_role(tags, *DEFENCE, "against", "self attack"):
        return []
    between = [tag for tag in tags[places[0] : places[-1]] if tag.table != "number"]
    apart = any(not (tag.text == "," or tag.is_role("and", "then") or tag.means_nothing) for tag in between)
    asked = "need" in values_of(tags, "questions")
    return [] if apart or not asked else [tags[index].text for index in places]


SURELY_A_ROW = 3
"""How many numbers are surely those of territories in a row: two may be one army."""


def line_against_units(tags: Sequence[Tag], money: str = "") -> str:
    """Return the line against an army of units for a side that may have any, or this money; "" if there are more."""
    tags, stops = _with_number_to_stop(tags)
    armies, after = gather(pieces_of_armies([tag for tag in tags if tag.table != "chance"]))
    if len(armies) != 1 or armies[0].numbers or has_role(tags, "then", "counter"):
        return ""
    other = armies[0]
    behind = any(mark.role.startswith("attack") for mark in after)  # "um 5 inf zu schlagen"
    if {*other.roles} <= {"and", "end", "pause"} and not behind:
        raise NotClearError("which units")  # "how many inf and tanks do I need"
    if {*other.roles[-2:]} == {"have", "self"}:
        return ""  # "I have 5 inf, what do I need"
    ours, options = unit_options(tags, other, other)
    if ours:
        raise NotClearError("which side")
    holds = stops or _is_to_hold(other, after, tags)
    both = [other.units, "vs", money] if holds else [money, "vs", other.units]
    return " ".join(filter(None, [*both, *options]))


def _with_number_to_stop(tags: Sequence[Tag]) -> tuple[Sequence[Tag], bool]:
    """Return tags with the number of units in "to stop 6 inf", which is no limit, and whether there is one."""
    for index, (tag, unit) in enumerate(pairwise(tags)):
        if tag.value.startswith("stop:") and unit.table == "units":
            return [*tags[:index], replace(tag, table="number", text=tag.value), *tags[index + 1 :]], True
    return tags, False


def _need_of_number(armies: list[Army], after: list[Mark], tags: Sequence[Tag], chances: list[str]) -> Meaning:
    """Compose the question how many armies are needed against a number."""
    main = [army for army in armies if army.numbers]
    options = options_of(tags)
    stopped = [option for option in options if option.startswith("stop:")]
    if not main and len(stopped) == 1:  # "how many do I need to stop 10"
        options.remove(stopped[0])
        return Meaning(" ".join([f"/need {stopped[0].removeprefix('stop:')} vs", *options, *chances]))
    _check_asked(main, options, tags)
    other = main[0]
    holds = _is_to_hold(other, after, tags)
    ships = _list_ships_of_need(armies, other, holds)
    line = f"{other.numbers[0]} vs" if holds else str(other.numbers[0])
    line = " ".join([f"/need {line}", *ships, *without_implied(options, ships), *chances])
    if ships and leaves_ships_open(tags):
        raise NotClearError("which side", line, exchange_ships(line))  # "to beat 9 with 2 bombers"
    return Meaning(line)


def _check_asked(main: Sequence[Army], options: Sequence[str], tags: Sequence[Tag]) -> None:
    """Raise NotClearError unless there is one army, which is not that of the player who asks, and no more is said."""
    if len(main) != 1 or any(count > 1 for count in counts_of_territories(tags)):
        raise NotClearError("need against how many")  # "12 territories with 1 each" are no army
    if any(option.startswith(("stop:", "losses:", "behind:", "leave:", "reserve:")) for option in options):
        raise NotClearError("a battle beside another question")
    others_need = any(tag.who == "other" for tag in tags_of(tags, "questions"))  # "how many does he need to take me?"
    if {*main[0].roles[-2:]} == {"have", "self"} and not others_need:
        raise NotClearError("need against how many")


def _is_to_hold(other: Army, after: Sequence[Mark], tags: Sequence[Tag]) -> bool:
    """Tell whether an army attacks, and somebody wants to hold it off; `after` are the marks behind the last army."""
    asked = " ".join(tag.text for tag in tags_of(tags, "questions"))
    defenders = "need defenders" in values_of(tags, "questions")
    needed = Needed(other.label, other.roles, roles_of(after), asked, defenders, _asks_to_take(tags))
    rule = find_rule(_HOLDS, needed)
    return rule is not None and rule.make


def _list_ships_of_need(armies: Sequence[Army], other: Army, holds: bool) -> list[str]:
    """Return the options of the ships beside the army whose number is known; it attacks if the other side `holds`."""
    ours = Army([Stack(0)])
    attack, defence = (other, ours) if holds else (ours, other)
    return list_ships(armies, [ours, other], attack, defence)


class Needed(NamedTuple):
    """A question how many armies are needed: the side of its number, the roles around that, and the words that ask."""

    label: str
    before: Sequence[str]
    after: Sequence[str]
    asked: str
    defenders: bool
    takes: bool


def _asks_to_take(tags: Sequence[Tag]) -> bool:
    """Tell whether the question goes on with a verb of attack: "he has 17. How many do I need to take it?"."""
    asked = next((index for index, tag in enumerate(tags) if tag.table == "questions"), 0)
    verbs = [index for index, tag in enumerate(tags) if tag.is_role("attack", *ATTACK_LAST)]
    if not verbs or verbs[0] < asked:
        return False
    return not has_table(tags[asked : verbs[0]], "number") and not has_role(tags[verbs[0] :], "self")


DEFENCE = {"hold", "repelled", "attacked", *HOLD_LAST}
"""The roles of verbs of defence."""
_HOLDS: Sequence[Rule[Needed, bool]] = (
    Rule("um 14 abzuwehren", lambda it: not {*HOLD_LAST, "repelled"}.isdisjoint(it.after[:2]), True),
    Rule("seine 17 greifen mich an", lambda it: it.label == "other" and it.after[:1] == [FRONT], True),
    Rule("to beat my 9", lambda it: it.before[-2:] == ["attack", "self"], False),
    Rule("my number", lambda it: it.label == "self", False),
    Rule("9 attackers", lambda it: it.label == "attacker" and "attacker" not in it.before, True),
    Rule("a verb of defence", lambda it: not DEFENCE.isdisjoint((*it.before, *it.after)), True),
    Rule("how many to defend", lambda it: "defend" in it.asked or it.defenders, True),
    Rule("he has 9. How many do I need to take it?", lambda it: it.takes, False),
    Rule("he attacks", lambda it: not {"attack", FRONT}.isdisjoint(roles_behind(it.before, "other")), True),
    Rule("9 attack me", lambda it: "attack" in it.after and "self" not in it.after[: it.after.index("attack")], True),
)
"""Whether a number is that of attackers whom somebody wants to hold off: the first rule that fits counts."""
