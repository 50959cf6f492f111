"""Puts right what people take back: "14 sorry 15 on 13", "10 against 7, I mean 8", "not 12, 13"."""

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from bot.phrases.beside.clauses import owner_in
from bot.phrases.pieces import TIMES
from bot.phrases.tag import BATTLE, OF_UNITS, OWNERS, PARTING, Tag, has_role, has_table, leave_out, tag_at, tags_of
from bot.phrases.vocabulary import Vocabulary

AROUND = (*OWNERS, "have", "have there", "for", "men", "unit", "corrects", "here", "with")
"""The roles of words that may stand between a word of correction and what is put right."""
MEETING = ("against", "onto")
"""The roles of words that may stand before what is said anew: "12 vs 9, sorry, vs 10"."""
FIRST, LAST = "~loss:", "~last:"
"""How the options begin that say which units an army loses first, or last."""
OF_ALL = ("options", "variants", "questions")
"""The tables of words that stay where a whole battle is taken back."""

LIMITS = ("stop:", "losses:", "retreat:", "rounds:")
"""The options that say when an attack ends."""
OPPOSITE = {"{n}+": "..{n-1}", "{n+1}+": "..{n}"}
OPPOSITE |= {end: opposite for opposite, end in OPPOSITE.items()}
"""The opposites of the ends that somebody asks about."""


class Item(NamedTuple):
    """A part that can be put right: a number with its unit, a number or a unit alone, or an option with a number."""

    start: int
    end: int
    kind: str
    table: str

    @property
    def counted(self) -> bool:
        """Whether it has a number."""
        return self.table in ("number", "options")


def apply_corrections(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags without what is taken back or denied; `known` are the words of their language."""
    rest = _leave_out_denied(tags, known)
    for index in reversed(range(len(rest))):
        if index < len(rest) and _corrects(rest, index, known):
            rest = _turn_order(rest, index, known) or _correct(rest, index)
    return rest


def _items(tags: Sequence[Tag]) -> list[Item]:
    """Return what can be put right, in order."""
    items: list[Item] = []
    index = 0
    while index < len(tags):
        tag, end = tags[index], index + 1
        if tag.table == "number":
            end += tag_at(tags, end).text in TIMES
            unit = tag_at(tags, end)
            end += unit.table in OF_UNITS
            items.append(Item(index, end, unit.value if unit.table in OF_UNITS else "", tag.table))
        elif tag.table in OF_UNITS or (tag.table == "options" and len(tag.numbers) == 1):
            items.append(Item(index, end, tag.value, tag.table))
        index = end
    return items


def _corrects(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a word takes something back; "no" and "uh" do so before a number, behind a pause or each other."""
    tag, before = tags[index], tag_at(tags, index - 1)
    doubts = known.asides["hesitates"]
    led = before.table == "sign" or before.text in doubts or (before.table == "number" and tag.text in doubts)
    said = led and tag.text in known.negations | known.asides["no"] | doubts
    after = tag_at(tags, index + 1 + (tag_at(tags, index + 1).text == ","))
    return tag.is_role("corrects") or (said and after.table == "number")


def _correct(tags: Sequence[Tag], at: int) -> list[Tag]:
    """Return tags in which the word at an index has done its work."""
    items = _items(tags)
    new = next((item for item in items if item.start > at), None)
    before = [item for item in items if item.end <= at]
    if new and before and all(map(_may_precede, tags[at + 1 : new.start])):
        if _is_battle(tags[new.start :]) and _is_battle(tags[:at]):  # "12 vs 9, no, 13 vs 10"
            return leave_out(tags, [index for index in range(new.start) if tags[index].table not in OF_ALL])
        owner, behind = _owner_behind(tags, at, new)
        old = _find_replaced(tags[:at], before, new, owner)
        if old and (
            not new.kind or owner in ("", _owner_of(tags[:at], before, old))
        ):  # not "no wait, he has 3 fighters"
            quiet = len([*takewhile(_is_quiet, reversed(tags[old.end : at]))])
            return [*tags[: old.start], *_replacement(tags, old, new), *tags[old.end : at - quiet], *tags[behind:]]
    return leave_out(tags, [at])


def _owner_behind(tags: Sequence[Tag], at: int, new: Item) -> tuple[str, int]:
    """Return who owns what is said anew, "" if no word tells, and the index behind it and those words."""
    behind = new.end
    while tag_at(tags, behind).is_role(*OWNERS, "have", "for"):
        behind += 1
    owner = owner_in(tags[at:behind])
    return owner, behind if owner else new.end


def _turn_order(tags: Sequence[Tag], at: int, known: Vocabulary) -> list[Tag]:
    """Return tags in which units are lost first instead of last, or the other way round; none if that is not meant."""
    said = tag_at(tags, at + 1).text
    order = LAST if said in known.asides["last"] else FIRST if said in known.asides["first"] else ""
    place = next((place for place in reversed(range(at)) if tags[place].value.startswith((FIRST, LAST))), None)
    if not order or place is None:
        return []
    turned = replace(tags[place], value=order + tags[place].value.partition(":")[2])
    return [*tags[:place], turned, *tags[place + 1 : at], *tags[at + 2 :]]


def _is_quiet(tag: Tag) -> bool:
    return tag.means_nothing or tag.is_role(*AROUND) or tag.table == "sign"


def _may_precede(tag: Tag) -> bool:
    """Tell whether a word may stand before what is said anew: "sorry, vs 10", and not "one went to Brazil, so 18"."""
    return (_is_quiet(tag) and not tag.is_one) or tag.is_role(*MEETING)


def _is_battle(tags: Sequence[Tag]) -> bool:
    """Tell whether tags are of a whole battle: two armies, with a word such as "against" between them."""
    return any(has_role(tags[first.end : second.start], *PARTING) for first, second in pairwise(_items(tags)))


def _find_replaced(tags: Sequence[Tag], before: Sequence[Item], new: Item, owner: str) -> Item | None:
    """Return what is taken back: the nearest of the same kind, and of the same owner; None if there is none."""
    same = _of_same_kind(before, new, owner)
    owned = [item for item in same if owner and _owner_of(tags, before, item) == owner]
    return next(reversed(owned or same), None)


def _of_same_kind(before: Sequence[Item], new: Item, owner: str) -> Sequence[Item]:
    """Return what may be taken back by its kind: a number, an option, or units."""
    same = [item for item in before if item.kind == new.kind or (not new.kind + owner and item.table == "options")]
    counted = [item for item in before if item.counted and not new.kind]  # "3 tanks, no, 4", "stop at 3, sorry, 4"
    others = [item for item in before if item.kind and item.table != "options"]  # "2 tanks, I mean subs"
    return same or counted or ([] if owner else others)


def _owner_of(tags: Sequence[Tag], items: Sequence[Item], item: Item) -> str:
    """Return whose an army is, by the words right behind it or those before it; else the first is this player's."""
    behind = tags[item.end : item.end + 2]
    start = max((other.end for other in items if other.end <= item.start), default=0)
    said = owner_in(behind) if has_role(behind[:1], "for", *OWNERS) else ""
    first, second = (has_role(part, *PARTING) for part in (tags[item.end :], tags[: item.start]))
    return said or owner_in(tags[start : item.start]) or ("self" if first else "other" if second else "")


def _replacement(tags: Sequence[Tag], old: Item, new: Item) -> Sequence[Tag]:
    """Return the tags that stand in place of those taken back."""
    said = tags[new.start : new.end]
    if new.kind == old.kind or (new.kind and new.counted):
        return said
    if new.kind:  # only the unit is another
        return [*(tag for tag in tags[old.start : old.end] if tag.table not in OF_UNITS), *said]
    number, first = said[0], tags[old.start]
    value, slots = (first.value, (number.value,)) if first.table == "options" else (number.value, ())
    return [
        replace(first, numbers=number.numbers, text=number.text, value=value, slots=slots),
        *tags[old.start + 1 : old.end],
    ]


def _leave_out_denied(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out the numbers that are said not to be meant: "not 12, not 13, fourteen"; "13, no 14" corrects one."""
    denied: set[int] = set()
    for index, tag in enumerate(tags):
        led = tag_at(tags, index - 1).is_role("and")
        corrects = tag.text in known.asides["no"] and has_table(tags[:index], "number") and not led
        if tag.text in known.negations and not corrects and tag_at(tags, index + 1).table == "number":
            denied.update(range(index - led, index + 2))
    rest = leave_out(tags, denied)
    return rest if len(tags_of(rest, "number")) >= BATTLE else list(tags)


def turn_denied(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Turn the ends that a word denies: "I don't lose more than 4" is at most 4.

    Any other plan that is denied is asked about, and an end that is a condition: "if I lose more than 4, I stop".
    """
    denials, conditions = known.negations | known.asides["denials"], known.asides["conditions"]
    rest = list(tags)
    for index, tag in enumerate(tags):
        asked, limits = tag.table == "outlooks", tag.table == "options" and tag.value.startswith(LIMITS)
        place = next((at for at in reversed(range(index)) if not _stands_between(tags[at], denials, conditions)), 0)
        before = tags[place]
        if not (asked or limits) or before.text not in (denials | conditions if asked else denials):
            continue
        word, colon, end = tag.value.partition(":")
        if asked and end in OPPOSITE and before.text in denials:
            rest[place], rest[index] = before.left_out, replace(tag, value=f"{word}{colon}{OPPOSITE[end]}")
        else:
            rest[place] = before.doubted
    return rest


def _stands_between(tag: Tag, denials: Set[str], conditions: Set[str]) -> bool:
    """Tell whether a word may stand between a denial or a condition and an end: "dont i wanna lose more than 4"."""
    return _is_quiet(tag) and tag.table != "sign" and tag.text not in denials | conditions
