"""Puts right what people take back: "14 sorry 15 on 13", "10 against 7, I mean 8", "not 12, 13"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.pieces import TIMES
from bot.phrases.tag import BATTLE, NOTHING, OF_UNITS, OWNERS, PARTING, Tag, has_role, has_table, tag_at
from bot.phrases.vocabulary import Vocabulary

"""The roles of words for the player who asks and the other one."""
AROUND = (*OWNERS, "have", "for", "men", "unit", "corrects", "here", "with")
"""The roles of words that may stand between a word of correction and what is put right."""
FIRST, LAST = "~loss:", "~last:"
"""How the options begin that say which units an army loses first, or last."""
OF_ALL = ("options", "variants", "questions")
"""The tables of words that stay where a whole battle is taken back."""


class Item(NamedTuple):
    """What can be put right: a number with its unit, a number or a unit alone, or an option with a number."""

    start: int
    end: int
    kind: str
    number: bool


def apply_corrections(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags without what is taken back or denied; `known` are the words of their language."""
    rest = _leave_out_denied(tags, known)
    for index in reversed(range(len(rest))):
        if index < len(rest) and _corrects(rest, index, known):
            rest = _correct(rest, index, known)
    return rest


def _items(tags: Sequence[Tag]) -> list[Item]:
    """Return what can be put right, in order."""
    items: list[Item] = []
    index = 0
    while index < len(tags):
        tag, end = tags[index], index + 1
        if tag.table == "number":
            while tag_at(tags, end).text in TIMES:
                end += 1
            unit = tag_at(tags, end)
            counted = unit.table in OF_UNITS
            items.append(Item(index, end + counted, unit.value if counted else "", True))
            end += counted
        elif tag.table in OF_UNITS:
            items.append(Item(index, end, tag.value, False))
        elif tag.table == "options" and len(tag.slots) == 1 and tag.numbers:
            items.append(Item(index, end, tag.value, True))
        index = end
    return items


def _corrects(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a word takes something back; a plain "no" does so only before a number in a clause of its own."""
    tag = tags[index]
    if tag.is_role("corrects") or _hesitates(tags, index, known):
        return True
    plain = tag.text in {*known.negations, *known.asides["no"]} and tag_at(tags, index - 1).table == "sign"
    after = tags[index + 1 + (tag_at(tags, index + 1).text == ",") :]
    return plain and tag_at(after, 0).table == "number" and tag_at(after, 1).table not in OF_UNITS


def _hesitates(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a number follows another behind a sound of doubt: "22, uh 23", "20 er no 19"."""
    said = {tag_at(tags, index).text, tag_at(tags, index - 1).text} & known.asides["hesitates"]
    before = [tag for tag in tags[max(index - 3, 0) : index] if tag.table != "sign" and tag.text not in said]
    no = tags[index].text in {*said, *known.asides["no"]}
    return (
        bool(said)
        and no
        and [tag.table for tag in before[-1:]] == ["number"]
        and tag_at(tags, index + 1).table == "number"
    )


def _correct(tags: Sequence[Tag], at: int, known: Vocabulary) -> list[Tag]:
    """Return tags in which the word at an index has done its work."""
    if turned := _turn_order(tags, at, known):
        return turned
    without_word = [*tags[:at], tags[at].left_out, *tags[at + 1 :]]
    items = _items(tags)
    if counted := _count_again(tags, at, items):
        return counted
    if unsure := _unsure_word(tags, at, known):
        return [tag.doubted if tag is unsure else tag for tag in tags]
    new = next((item for item in items if item.start > at), None)
    before = [item for item in items if item.end <= at]
    if new is None or not before or not all(map(_may_precede, tags[at + 1 : new.start])):
        return without_word
    if _is_battle(tags[new.start :]) and _is_battle(tags[:at]):  # "12 vs 9, no, 13 vs 10"
        return [*(tag if tag.table in OF_ALL else tag.left_out for tag in tags[:at]), *tags[new.start :]]
    owner, behind = _owner_behind(tags, at, new)
    old = _find_replaced(tags, before, new, owner)
    if old is None or (new.kind and owner not in ("", _owner_of(tags, before, old))):  # "no wait, he has 3 fighters"
        return without_word
    start = at
    while start > old.end and (_is_quiet(tags[start - 1]) or tags[start - 1].text in known.asides["no"]):
        start -= 1
    return [*tags[: old.start], *_replacement(tags, old, new), *tags[old.end : start], *tags[behind:]]


def _unsure_word(tags: Sequence[Tag], at: int, known: Vocabulary) -> Tag | None:
    """Return the words at the end that say that nothing is sure after all: "no, he has 12 and I... don't know"."""
    rest = [tag for tag in tags[at + 1 :] if tag.text not in known.asides["corrects"]]
    while rest and rest[-1].table == "sign":
        rest.pop()
    stopped = len(rest) > BATTLE and rest[-2].table == "sign"
    return rest[-1] if stopped and rest[-1].text in known.asides["unsure"] else None


def _count_again(tags: Sequence[Tag], at: int, items: Sequence[Item]) -> list[Tag]:
    """Return tags in which a number is put right by what came or went: "19 vs 15, no wait, one is gone, so 18"."""
    new = next((item for item in reversed(items) if item.start > at and item.number), None)
    between = tags[at + 1 : new.start] if new else ()
    steps = [
        int(tag.value)
        for tag, after in pairwise([*between, NOTHING])
        if tag.value.isdecimal() and tag.table in ("number", "noise") and after.table not in ("sign", "")
    ]
    if not new or len(steps) != 1 or has_table(between, *OF_UNITS, "options"):
        return []
    number = tags[new.start].numbers[0]
    old = [
        item
        for item in items
        if item.end <= at and item.number and abs(tags[item.start].numbers[0] - number) == steps[0]
    ]
    if len(old) != 1:
        return []
    return [*tags[: old[0].start], *_replacement(tags, old[0], new), *tags[old[0].end : at], *tags[new.end :]]


def _owner_behind(tags: Sequence[Tag], at: int, new: Item) -> tuple[str, int]:
    """Return who owns what is said anew, "" if no word tells, and the index behind it and those words."""
    of_owner = [*OWNERS, "have", "for"]
    behind = next((place for place in range(new.end, len(tags)) if not tags[place].is_role(*of_owner)), len(tags))
    owner = next((tag.value for tag in tags[at:behind] if tag.is_role(*OWNERS)), "")
    return owner, behind if owner else new.end


def _turn_order(tags: Sequence[Tag], at: int, known: Vocabulary) -> list[Tag]:
    """Return tags in which units are lost first instead of last, or the other way round; none if that is not meant."""
    said = tag_at(tags, at + 1).text
    order = LAST if said in known.asides["last"] else FIRST if said in known.asides["first"] else ""
    options = [place for place in range(at) if tags[place].value.startswith((FIRST, LAST))]
    if not order or not options or "," in tags[options[-1]].value:
        return []
    option = tags[options[-1]]
    turned = replace(option, value=order + option.value.partition(":")[2])
    return [*tags[: options[-1]], turned, *tags[options[-1] + 1 : at], *tags[at + 2 :]]


def _is_quiet(tag: Tag) -> bool:
    return tag.means_nothing or tag.is_role(*AROUND) or (tag.table == "sign" and tag.text != "?")


def _may_precede(tag: Tag) -> bool:
    """Tell whether a word may stand before what is said anew: "12 vs 9, sorry, vs 10"."""
    return _is_quiet(tag) or tag.is_role("against", "onto")


def _is_battle(tags: Sequence[Tag]) -> bool:
    """Tell whether tags are of a whole battle: two armies, with a word such as "against" between them."""
    armies = [item for item in _items(tags) if not _is_option(tags, item)]
    pairs = pairwise(armies)
    return any(has_role(tags[first.end : second.start], *PARTING) for first, second in pairs)


def _find_replaced(tags: Sequence[Tag], before: Sequence[Item], new: Item, owner: str) -> Item | None:
    """Return what is taken back: the nearest of the same kind, and of the same owner; None if there is none."""
    same = _of_same_kind(tags, before, new, owner)
    if not same or (_is_option(tags, new) and same[-1].kind != new.kind):
        return None
    owners = {id(item): _owner_of(tags, before, item) for item in same}
    owned = [item for item in same if owner and owners[id(item)] == owner]
    if not owned and owner == "self" and len(same) == BATTLE:
        return next((item for item in same if owners[id(item)] == ""), same[-1])
    return (owned or same)[-1]


def _of_same_kind(tags: Sequence[Tag], before: Sequence[Item], new: Item, owner: str) -> list[Item]:
    """Return what may be taken back by its kind: a number, an option, or units."""
    same = [item for item in before if item.kind == new.kind or (not new.kind and not owner and _is_option(tags, item))]
    if not same and not new.kind:  # "3 tanks, no, 4", "stop at 3, sorry, 4"
        same = [item for item in before if item.number]
    # "2 tanks, I mean fighters"
    return same or [item for item in before if item.kind and not _is_option(tags, item)]


def _is_option(tags: Sequence[Tag], item: Item) -> bool:
    return tags[item.start].table == "options"


def _owner_of(tags: Sequence[Tag], items: Sequence[Item], item: Item) -> str:
    """Return whose an army is, by the words right behind it or those before it."""
    behind = tags[item.end : item.end + 2]
    start = max((other.end for other in items if other.end <= item.start), default=0)
    words = [*(behind if has_role(behind[:1], "for", *OWNERS) else ()), *reversed(tags[start : item.start])]
    return next((tag.value for tag in words if tag.is_role(*OWNERS)), "")


def _replacement(tags: Sequence[Tag], old: Item, new: Item) -> Sequence[Tag]:
    """Return the tags that stand in place of those taken back."""
    said = tags[new.start : new.end]
    if new.kind == old.kind or (new.kind and new.number):
        return said
    if new.kind:  # only the unit is another
        return [*(tag for tag in tags[old.start : old.end] if tag.table not in OF_UNITS), *said]
    number = said[0]
    first = replace(tags[old.start], numbers=number.numbers, text=number.text)
    first = replace(first, slots=(number.value,)) if first.table == "options" else replace(first, value=number.value)
    return [first, *tags[old.start + 1 : old.end]]


def _leave_out_denied(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out the numbers that are said not to be meant: "not 12, not 13, fourteen"; "13, no 14" corrects one."""
    rest = list(tags)
    for index in reversed(range(len(rest) - 1)):
        corrects = rest[index].text in known.asides["no"] and "number" in (
            tag_at(rest, index - 1).table,
            tag_at(rest, index - 2).table,
        )
        denied = rest[index].text in known.negations and rest[index + 1].table == "number"
        behind = tag_at(rest, index - 1).table == "number" and rest[index].text not in known.asides["no"]
        if denied and behind:  # "it's 14 not 15"
            rest[index : index + 2] = [tag.left_out for tag in rest[index : index + 2]]
        elif denied and tag_at(rest, index - 1).is_role("and") and tag_at(rest, index + 2).table in ("sign", ""):
            rest[index - 1 : index + 2] = [tag.left_out for tag in rest[index - 1 : index + 2]]  # "13 and not 12"
        elif denied and not corrects:
            after = next((place for place in range(index + 2, len(rest)) if not _is_quiet(rest[place])), 0)
            if after > index + 2 and rest[after].table == "number":
                rest[index:after] = [tag.left_out for tag in rest[index:after]]
    return rest
