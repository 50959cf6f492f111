"""Composes the lines of /need: how many armies are needed to take what others have, or to hold off who attacks."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.armies import Army, gather
from bot.phrases.comparisons.plans import leaves_ships_open
from bot.phrases.dice_lines import counts_of_territories, exchange_sides, list_ships, without_implied
from bot.phrases.lines import compose_battle
from bot.phrases.meaning import Meaning, NotClearError, Rule, find_rule
from bot.phrases.options import options_of
from bot.phrases.pieces import ATTACK_LAST, FRONT, HOLD_LAST, SHIPS, Mark, Stack, pieces_of_armies, roles_of, stacks_of
from bot.phrases.tag import BATTLE, Tag, has_role, has_table, tags_of, values_of

CHANCES = {50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 98, 99}
"""The numbers that are chances in percent beside a question how many armies are needed."""


def compose_need(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question how many armies are needed."""
    tags = _name_chance(tags)
    chances = values_of(tags, "chance")
    pieces = pieces_of_armies(tags, "chance")
    stacks = stacks_of(pieces)
    if len(chances) > 1 or any(stack.vague for stack in stacks):
        raise NotClearError("need against how many")
    if any(stack.unit and stack.unit not in SHIPS for stack in stacks):
        if any(tag.value == "need" and unit.table == "units" for tag, unit in pairwise(tags)):
            raise NotClearError("which units")  # "how many inf do I need"
        meaning = _battle_of_need([tag for tag in tags if tag.table != "chance"])
        lines = [" ".join([f"/need {line}", *chances]) if line else "" for line in (meaning.line, meaning.other)]
        return Meaning(lines[0], meaning.reasons, lines[1])
    return _need_of_number(*gather(pieces), tags, chances)


def _name_chance(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Return tags in which a number behind the question, of two in all, is a chance: "how many to hold 16 at 90"."""
    numbers = [index for index, tag in enumerate(tags) if tag.table == "number"]
    asked = [index for index, tag in enumerate(tags) if tag.table == "questions"]
    if len(numbers) != BATTLE or not asked or has_table(tags, "chance"):
        return tags
    last = numbers[1]
    rest = [tag for tag in tags[last + 1 :] if not tag.means_nothing and tag.table != "sign"]
    if rest or last < asked[0] or tags[last].numbers[0] not in CHANCES or not tags[last - 1].is_role("onto", "with"):
        return tags
    named = replace(tags[last], table="chance", value=f"{tags[last].numbers[0]}%")
    return [*tags[:last], named, *tags[last + 1 :]]


def _need_of_number(armies: list[Army], after: list[Mark], tags: Sequence[Tag], chances: list[str]) -> Meaning:
    """Compose the question how many armies are needed against a number."""
    main = [army for army in armies if army.numbers]
    options = options_of(tags)
    stopped = [option for option in options if option.startswith("stop:")]
    if not main and len(stopped) == 1:  # "how many do I need to stop 10"
        options.remove(stopped[0])
        return Meaning(" ".join([f"/need {stopped[0].removeprefix('stop:')} vs", *options, *chances]))
    if len(main) != 1:
        raise NotClearError("need against how many")
    if any(option.startswith(("stop:", "losses:", "behind:", "leave:", "reserve:")) for option in options):
        raise NotClearError("a battle beside another question")
    if any(count > 1 for count in counts_of_territories(tags)):
        raise NotClearError("need against how many")  # "12 territories with 1 each" are no army
    other = main[0]
    others_need = any(tag.who == "other" for tag in tags_of(tags, "questions"))  # "how many does he need to take me?"
    if {*other.roles[-2:]} == {"have", "self"} and not others_need:
        raise NotClearError("need against how many")
    holds = _is_to_hold(other, after, tags)
    ships = _list_ships_of_need(armies, other, holds)
    line = f"{other.numbers[0]} vs" if holds else str(other.numbers[0])
    lines = [
        " ".join([f"/need {line}", *some, *without_implied(options, some), *chances])
        for some in (ships, exchange_sides(ships))
    ]
    if ships and leaves_ships_open(tags):
        raise NotClearError("which side", *lines)  # "to beat 9 with 2 bombers"
    return Meaning(lines[0])


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
    if not other.label and not holds:
        other.label = "other"
    return list_ships(armies, [ours, other], attack, defence)


def _battle_of_need(tags: Sequence[Tag]) -> Meaning:
    """Compose the battle of two armies of units, of which the first is the target in "to take 5 inf out of 9 inf"."""
    sends = [tag.is_role("send") and after.is_role("against", "onto") for tag, after in pairwise(tags)]
    tags = [tag for tag, sent in zip(tags, [*sends, False], strict=True) if not sent]
    try:
        return compose_battle(tags)
    except NotClearError as error:
        armies, _after = gather(pieces_of_armies(tags))
        roles = armies[0].roles if armies else []
        lines = [line for line in error.readings if len(armies) == 2 and line.startswith(armies[1].units)]
        if error.why != "who attacks" or not lines or roles[-1:] != ["attack"] or "other" in roles:
            raise
        return Meaning(lines[0])


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
    if not verbs or min(verbs) < asked:
        return False
    before, behind = tags[asked : verbs[0]], tags[verbs[0] :]
    return not has_table(before, "number") and not has_role(before, "other") and not has_role(behind, "self")


def _others_attack(needed: Needed) -> bool:
    """Tell whether it is another player who attacks: not "he has 9, how many do I need before I attack?"."""
    if "attack" not in needed.after or "attack" in needed.before:
        return False
    verb = needed.after.index("attack")
    return [role for role in needed.after[:verb] if role in ("self", "other")][-1:] != ["self"]


def _holds_off(needed: Needed) -> bool:
    """Tell whether a verb of defence at the end of a clause is said of a number: "um 11 mit 90% zu halten"."""
    verbs = {*HOLD_LAST, "repelled"}
    return not verbs.isdisjoint(needed.after[:2]) and needed.before.count("self") < OF_TWO_CLAUSES


OF_TWO_CLAUSES = 2
"""How often the player who asks is named where the number has a clause of its own: "how many do I need if I have 9"."""
DEFENCE = {"hold", "repelled", "attacked", *HOLD_LAST}
"""The roles of verbs of defence."""
_HOLDS: Sequence[Rule[Needed, bool]] = (
    Rule("um 14 abzuwehren", _holds_off, True),
    Rule("seine 17 greifen mich an", lambda it: it.label == "other" and it.after[:1] == [FRONT], True),
    Rule("hold from", lambda it: "from" in it.before and "attack" not in it.before, True),
    Rule("so that my 11 ...", lambda it: it.defenders and it.label == "self" and it.before[-1:] != ["self"], True),
    Rule("to beat my 9", lambda it: it.before[-2:] == ["attack", "self"], False),
    Rule("my number", lambda it: it.label == "self", False),
    Rule("9 attackers", lambda it: it.label == "attacker" and "attacker" not in it.before, True),
    Rule("a verb of defence", lambda it: not DEFENCE.isdisjoint((*it.before, *it.after)), True),
    Rule("how many to defend", lambda it: "defend" in it.asked or it.defenders, True),
    Rule("attackers behind the number", lambda it: it.after[:1] == ["attacker"], True),
    Rule("he has 9. How many do I need to take it?", lambda it: it.takes and it.label in ("other", ""), False),
    Rule("he attacks", lambda it: "attack" in it.before and "other" in it.before[: it.before.index("attack")], True),
    Rule("9 attack me", _others_attack, True),
)
"""Whether a number is that of attackers whom somebody wants to hold off: the first rule that fits counts."""
