"""Counts what an army has now, where a phrase tells what it had before: "I had 20, lost 6", "half of that"."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from bot.phrases.tag import BATTLE, ENDS, NOTHING, OF_UNITS, OWNERS, PARTING, Tag, has_role, has_table, tag_at, tags_of
from bot.phrases.vocabulary import Vocabulary

OF_RULES = ("options", "variants", "games", "special")
"""The tables of words that stay whatever the counts around them."""
"""The roles of words for the player who asks and the other one."""
STEPS = ("then", "through", "row", "wave", "counter", "leftover", "attack through", "afterwards", "or")
"""The roles of words by which several battles follow each other, so that no count replaces an earlier one."""
KINDS = ("losing", "adding", "now", "before")
"""What may be said of a count, by the names of its words; the first that fits counts."""
CLAUSE_ENDS = {",", ";", ":", *ENDS}
"""The signs that end a clause."""


class Count(NamedTuple):
    """A number of armies: its place, how many, what is said of it, and the first word that belongs to it."""

    place: int
    number: int
    kind: str
    start: int


@dataclass
class Tally:
    """The counts of one army, in the order in which they are told.

    Attributes:
        owner: Whose army it is.
        named: Whether a word says so.
        met: Whether a word such as "against" stands in front of it.
        counts: The counts.
    """

    owner: str
    named: bool
    met: bool
    counts: list[Count]

    @property
    def kinds(self) -> set[str]:
        """The kinds of its counts."""
        return {count.kind for count in self.counts}

    @property
    def number(self) -> int:
        """How many armies there are now; 0 if that is not clear."""
        first, last = self.counts[0], self.counts[-1]
        grows = first.kind == "" and last.kind == "now" and last.number > first.number
        if grows or not (self.named or {"before", "now"} & self.kinds or "losing" not in self.kinds):
            return 0
        return next((fold.number(self.counts) for fold in FOLDS if fold.kind in self.kinds), 0)


class Fold(NamedTuple):
    """A way to count an army: an example, the kind that must be told, and the number from the counts."""

    example: str
    kind: str
    number: Callable[[Sequence[Count]], int]


def _last(*kinds: str) -> Callable[[Sequence[Count]], int]:
    """Return what takes the last count of these kinds."""
    return lambda counts: next((count.number for count in reversed(counts) if count.kind in kinds), 0)


def _rest(counts: Sequence[Count]) -> int:
    """Return what is left of an army: its only count, without what it lost and with what it got."""
    signs = {"losing": -1, "adding": 1}
    whole = [count for count in counts if count.kind not in signs]
    return sum(count.number * signs.get(count.kind, 1) for count in counts) if len(whole) == 1 else 0


FOLDS = (
    Fold("I had 20, now 15; 3 more, so it's 21; 3 are dead, so it's 9; of my 15 are 10 left", "now", _last("now")),
    Fold("I started with 18 and lost 5; lost 4 of my 16; 4 of my 16 died", "losing", _rest),
    Fold("we both started with 15, I'm on 12", "before", _last("")),
)
"""The ways to count an army, the first that fits counts."""
PARTS: Mapping[str, Callable[[int], int]] = {"half": lambda number: number // 2, "double": lambda number: 2 * number}
"""The number that a word such as "half" makes of the one before it."""


def count_armies(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags in which each army has one count, where that makes a battle of two; else these tags."""
    tags = _count_parts(_read_states(tags, known), known)
    numbers = [place for place, tag in enumerate(tags) if tag.table == "number"]
    if len(numbers) <= BATTLE or has_table(tags, *OF_UNITS, "die", "chance") or has_role(tags, *STEPS):
        return list(tags)
    rest = _leave_out_former(tags, numbers, known)
    told = _armies(rest, known)
    changed = [army for army in told if len(army.counts) > 1]
    if len(told) != BATTLE or not changed:
        return list(tags) if len(told) != BATTLE else rest
    for army in reversed(changed):
        if army.number <= 0:
            return list(tags)
        rest = _with_count(rest, army, known)
    return rest


def _read_states(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let a number be what somebody has now where others would say when to stop: "he's down to 6", "he's at 6"."""
    rest: list[Tag] = []
    for previous, tag, following in zip([NOTHING, *tags], tags, [*tags[1:], NOTHING], strict=False):
        words = tag.text.rpartition(" ")[0]
        stated = previous.is_role(*OWNERS) and previous.text in known.asides["being"]
        if stated and tag.table == "options" and words in known.asides["now"] and len(tag.numbers) == 1:
            rest += [replace(tag.left_out, text=words, numbers=()), _renumber(tag, tag.numbers[0])]
        elif stated and tag.is_role("onto") and tag.text in known.asides["at"] and following.table == "number":
            rest.append(tag.left_out)
        else:
            rest.append(tag)
    return rest


def _count_parts(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Count the army of which a word tells how large it is: "he has half of that", "twice as many"."""
    numbers = tags_of(tags, "number")
    rest = list(tags)
    for place, tag in enumerate(tags):
        lost = _says([tag_at(tags, place - 1), tag_at(tags, place + 1)], known.asides["losing"])
        if lost and len(tag.numbers) == len(tag.slots) == BATTLE and tag.numbers[0] < tag.numbers[1]:
            rest[place] = _renumber(tag, tag.numbers[1] - tag.numbers[0])
            continue
        part = next((name for name in PARTS if tag.text in known.asides[name]), "")
        owned = len(numbers) == 1 and any(
            numbers[0].start < some.start and some.is_role(*OWNERS) for some in tags[:place]
        )
        if part and owned:
            number = PARTS[part](numbers[0].numbers[0])
            rest[place] = _renumber(tag, number)
            behind = takewhile(lambda some: some.text not in CLAUSE_ENDS, tags[place + 1 :])
            for index, some in enumerate(behind, start=place + 1):
                rest[index] = some.left_out if some.table in ("roles", "questions", "unknown") else some
            return rest
    return rest


def _renumber(tag: Tag, number: int) -> Tag:
    return replace(tag, table="number", value=str(number), numbers=(number,), text=str(number))


def _says(tags: Sequence[Tag], words: frozenset[str]) -> bool:
    """Tell whether one of these words is among tags."""
    said = f" {' '.join(tag.text for tag in tags)} "
    return any(f" {word} " in said for word in words)


def _leave_out_former(tags: Sequence[Tag], numbers: Sequence[int], known: Vocabulary) -> list[Tag]:
    """Leave out a battle as it was before: "it was 20 vs 15, now it's 14 vs 11"."""
    if len(numbers) != 2 * BATTLE or not has_role(tags[numbers[0] : numbers[1]], *PARTING):
        return list(tags)
    start = max((place + 1 for place in range(numbers[0]) if tags[place].text in ENDS), default=0)
    end = next((place for place in range(numbers[1], numbers[2]) if tags[place].text in CLAUSE_ENDS), 0)
    if not end:
        return list(tags)
    former = _says(tags[start:end], known.asides["before"]) or _says(tags[end:], known.asides["now"])
    if not former:
        return list(tags)
    between = [tag.left_out if tag.table == "options" else tag for tag in tags[end + 1 : numbers[2]]]
    return [*tags[:start], *(tag.left_out for tag in tags[start : end + 1]), *between, *tags[numbers[2] :]]


def _armies(tags: Sequence[Tag], known: Vocabulary) -> list[Tally]:
    """Return the counts of each army: another begins with another owner, or behind a word such as "against"."""
    places = [place for place, tag in enumerate(tags) if tag.table == "number"]
    armies: list[Tally] = []
    for last, (place, following) in zip([-1, *places], pairwise([*places, len(tags)]), strict=False):
        gap, behind = tags[last + 1 : place], tags[place + 1 : following]
        clause = [*takewhile(lambda tag: not _ends(tag), behind)]
        added = bool(armies) and armies[-1].counts[-1].kind == "adding"
        own = [*takewhile(lambda tag: not _ends(tag), reversed(gap[added:]))][::-1]
        around = [*own, *(clause if len(clause) < len(behind) or following == len(tags) else ())]
        kind = "adding" if _says(behind[:1], known.asides["adding"]) else _kind_of(around, known)
        if kind == "losing" and armies and armies[-1].counts[-1].kind == "":
            parts = has_role(gap[:1], "for", "from")  # "4 of my 16 died"
            if parts or _tells_rest(own, clause, known):
                armies[-1].counts[-1] = armies[-1].counts[-1]._replace(kind="losing")
                kind = "" if parts else "now"
        count = Count(place, tags[place].numbers[0], kind, place - len(own))
        owner = next((tag.value for tag in reversed(gap) if tag.is_role(*OWNERS)), "")
        same = bool(armies) and owner in ("", armies[-1].owner) and count.number == armies[-1].counts[-1].number
        if same and (any(tag.text in ENDS for tag in gap) or (owner and has_role(gap, "with"))):
            count = count._replace(kind="now")  # said again
        if armies and _continues(armies[-1], count, owner, gap):
            armies[-1].counts.append(count)
            armies[-1].owner = owner or armies[-1].owner
        else:
            assumed = "other" if armies and armies[-1].owner == "self" else "self"
            armies.append(Tally(owner or assumed, bool(owner), bool(armies) and has_role(gap, *PARTING), [count]))
        armies[-1].named |= bool(owner)
    return armies


def _kind_of(around: Sequence[Tag], known: Vocabulary) -> str:
    """Return what the words around a count say of it: "" if nothing."""
    return next((kind for kind in KINDS if _says(around, known.asides[kind])), "")


def _tells_rest(own: Sequence[Tag], clause: Sequence[Tag], known: Vocabulary) -> bool:
    """Tell whether a count is what is left, behind a word of loss: "3 are dead, so it's 9 now"."""
    lost = next((at for at, tag in enumerate(own) if _says([tag], known.asides["losing"])), len(own))
    return _says([*own[lost:], *clause[:2]], known.asides["now"])


def _ends(tag: Tag) -> bool:
    return tag.text in CLAUSE_ENDS or tag.is_role("and", *PARTING)


def _continues(army: Tally, count: Count, owner: str, gap: Sequence[Tag]) -> bool:
    """Tell whether a count is of the army before it."""
    last = army.counts[-1].kind
    left = {"losing"} <= army.kinds <= {"losing", ""} and count.kind == "now" and not has_role(gap, "against")
    again = last == "losing" or count.number == army.counts[-1].number
    left = left or (again and count.kind == "now" and owner in ("", army.owner) and not has_role(gap, "against"))
    parted = has_role(gap, *PARTING) and not left and not (last == "before" and has_role(gap, "onto"))
    ended = last == "now" and count.kind in ("", "now") and not has_role(gap[:1], "from")
    met = army.met and army.counts[0].kind != "before" and not army.named  # "12 vs 9, at least 5 left"
    return (owner in ("", army.owner) or (left and not army.named)) and not (parted or ended or met)


def _with_count(tags: Sequence[Tag], army: Tally, known: Vocabulary) -> list[Tag]:
    """Return tags in which an army has the number of now in place of its counts.

    The number stands where the first did, or the last where that is what is left: "had 20, now my 14 hit his 12".
    """
    first, last = army.counts[0], army.counts[-1]
    words = frozenset().union(*(known.asides[kind] for kind in KINDS))
    place = last if last.kind == "now" and last.start > first.place else first
    ends = (index for index in range(last.place + 1, len(tags)) if tags[index].table == "number" or _ends(tags[index]))
    end = last.place + 1 if place is last else next(ends, len(tags))
    rest = list(tags)
    for index in range(first.start, end):
        tag = tags[index]
        said = place.start <= index < place.place
        owned = (tag.is_role(*OWNERS, "have") or tag.table == "names") and index < first.place
        if index == place.place:
            rest[index] = _renumber(tag, army.number)
        elif not (owned or tag.table in OF_RULES) and not (said and not _says([tag], words)):
            rest[index] = tag.left_out
    return rest
