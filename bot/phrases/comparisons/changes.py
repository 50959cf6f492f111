"""Finds the plans of a comparison where a whole battle comes first, and the rest says which units change."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise, takewhile

from bot.phrases.meaning import NotClearError
from bot.phrases.pieces import OR, Stack, pieces_of, stacks_of
from bot.phrases.tag import ENDS, NOTHING, OF_ARMIES, OF_UNITS, Tag, has_role, has_table, tag_at

PARTS = (",", ";", ":", "-", *ENDS)
"""The signs that may stand between a battle and what changes."""
MOST_CHANGES = 2
CHANGES = ("swap", "add have")
"""The roles of words that change an army."""


@dataclass
class Change:
    """The units that an army has less, and those that it has more."""

    less: Sequence[Stack]
    more: Sequence[Stack]


def plans_with_changes(tags: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans of which one or both change the first army of a battle; NotClearError if that is not said.

    "..., add a fighter or two inf?" changes it in both, "..., what if I swap an inf for a tank" in the second only.
    """
    tags = _with_battle_first(tags)
    at = _end_of_battle(tags)
    battle, rest = tags[:at], tags[at:]
    changes = _changes_of(rest)
    plans = [_change_army(battle, change) for change in changes]
    return (battle, plans[0]) if len(plans) == 1 else (plans[0], plans[1])


def _with_battle_first(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Return tags with the battle before what changes: "Should I add a tank or a bomber? It's 6 inf vs 7 inf"."""
    end = next((index for index, tag in enumerate(tags) if tag.text in ENDS), len(tags))
    changes, battle = tags[:end], list(tags[end + 1 :])
    changes = [tag for tag in changes if not tag.is_role("attack", "have")]
    if not has_table(changes, *OF_UNITS) or has_role(changes, "against", "then") or not has_role(battle, "against"):
        return tags
    while battle[-1].text in ENDS:
        battle.pop()
    return [*battle, tags[end], *changes]


def _end_of_battle(tags: Sequence[Tag]) -> int:
    """Return the index behind a battle of units at the beginning, where a pause and more units follow."""
    against = next((index for index, tag in enumerate(tags) if tag.is_role("against")), len(tags))
    army = stacks_of(pieces_of(tags[:against]))
    if not army or not all(stack.unit for stack in army):
        raise NotClearError("the second plan")
    for index in range(against + 1, len(tags)):
        parts = (tags[index].text in PARTS or tags[index].is_role(*OR)) and has_table(tags[against:index], *OF_UNITS)
        rest = tags[index:]
        whole = has_role(rest, "other") or (has_role(rest, "against") and not has_role(rest, "swap"))
        if parts and has_table(rest, *OF_UNITS) and not whole:
            return index
    raise NotClearError("the second plan")


def _changes_of(rest: Sequence[Tag]) -> Sequence[Change]:
    """Return the changes of one plan or two."""
    if not has_role(rest, *OR, *CHANGES):
        raise NotClearError("the second plan")
    parts = [list(part) for parts, part in groupby(rest, lambda tag: tag.is_role(*OR)) if not parts]
    swaps = has_role(rest, "swap")  # "swap the fighter for 2 tanks"
    instead = has_role(rest, "instead")  # "a bomber instead of a tank"
    exchanged = instead or swaps
    stacks = [*filter(None, (_units_of(part, swaps) for part in parts))]
    if swaps and not instead:
        stacks = [[stack] for stack in chain(*stacks)]
    if not 0 < len(stacks) <= MOST_CHANGES or (len(stacks) == 1 and exchanged):
        raise NotClearError("the second plan")
    if exchanged:
        return [Change(*stacks[:: -1 if instead else 1])]
    return [Change([], some) for some in stacks]


def _units_of(tags: Sequence[Tag], swaps: bool) -> Sequence[Stack]:
    """Return the units of a part; "2 more inf" are 2 inf."""
    plain = [tag for tag in tags if not tag.is_role("vague", "apart", "self", "for", "against", "onto", "with")]
    stacks = stacks_of(pieces_of(plain))
    if any(not stack.unit or (stack.vague and not swaps) for stack in stacks):
        raise NotClearError("the second plan")
    return stacks


def _change_army(battle: Sequence[Tag], change: Change) -> Sequence[Tag]:
    """Return a battle after a change of its first army."""
    end = next(index for index, tag in enumerate(battle) if tag.is_role("against"))
    army = list(battle[:end])
    for stack in change.less:
        army = _count(army, stack.unit, -stack.count)
    for stack in change.more:
        army = _count(army, stack.unit, stack.count)
    return [*army, *battle[end:]]


def _count(army: Sequence[Tag], unit: str, more: int) -> list[Tag]:
    """Return an army with so many more units of a kind."""
    pairs = pairwise([*army, NOTHING])
    place = next((index for index, (number, kind) in enumerate(pairs) if _is_count(number, kind, unit)), None)
    if place is None:
        if more < 0:
            raise NotClearError("the second plan")
        last = max((index for index, tag in enumerate(army) if tag.table in OF_ARMIES), default=-1) + 1
        return [*army[:last], _number(more), Tag("units", unit, 0, 0, text=unit), *army[last:]]
    count = army[place].numbers[0] + more
    if count < 0:
        raise NotClearError("the second plan")
    behind = tag_at(army, place + 1)
    return [*army[:place], *([_number(count), behind] if count else []), *army[place + 2 :]]


def _is_count(number: Tag, kind: Tag, unit: str) -> bool:
    return number.table == "number" and kind.table in OF_UNITS and stacks_of(pieces_of([number, kind]))[0].unit == unit


def _number(count: int) -> Tag:
    return Tag("number", str(count), 0, 0, (count,), text=str(count))


def swaps_units(tags: Sequence[Tag]) -> bool:
    """Tell whether units are named right behind a word such as "swap", so that the phrase is no plain battle."""
    at = next((index for index, tag in enumerate(tags) if tag.is_role("swap")), len(tags))
    return has_table([*takewhile(lambda tag: tag.text not in PARTS, tags[at:])], *OF_UNITS)
