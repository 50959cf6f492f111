"""Counts what an army has now, where a phrase tells what it had: "I had 20, lost 6", "20 vs 15, now 14 vs 11"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from bot.phrases.beside.clauses import CLAUSE_ENDS, owner_in, says
from bot.phrases.tag import (
    BATTLE,
    ENDS,
    OF_UNITS,
    OWNERS,
    PARTING,
    Tag,
    first_meaning,
    has_role,
    has_table,
    leave_out,
    tag_at,
    tags_of,
)
from bot.phrases.vocabulary import Vocabulary

OF_RULES = ("options", "variants", "games", "special")
"""The tables of words that stay whatever the counts around them."""
STEPS = ("then", "through", "row", "wave", "counter", "leftover", "attack through", "afterwards", "or")
"""The roles of words by which several battles follow each other, so that no count replaces an earlier one."""
KINDS = ("losing", "adding", "now", "before")
"""The kinds of counts, by the names of their words; the first that fits counts."""
PARTS = {"half": 0.5, "double": 2}
"""The roles of words for a part of another number."""
SIGNS = {"losing": -1, "adding": 1}
"""The effect of a count on the others of its army."""


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
    def kinds(self) -> list[str]:
        """The kinds of its counts."""
        return [count.kind for count in self.counts]

    @property
    def is_met(self) -> bool:
        """Whether it is the nameless enemy of the army before it, with all its counts: "12 vs 9, at least 5 left"."""
        return self.met and not self.named and self.counts[0].kind != "before"

    @property
    def number(self) -> int:
        """How many armies there are now; 0 if that is not clear."""
        kinds, first = self.kinds, self.counts[0]
        latest = {count.kind: count.number for count in self.counts}
        if "now" in kinds:  # "I had 20, now 15", "3 more, so it's 21", "of my 15 are 10 left"
            grows = first.kind == "" and kinds[-1] == "now" and latest["now"] > first.number
            return 0 if grows else latest["now"]
        if "losing" not in kinds:  # "we both started with 15, I'm on 12"
            return latest.get("", 0) if "before" in kinds else 0
        known = self.named or "before" in kinds
        whole = [kind for kind in kinds if kind not in SIGNS]
        return sum(count.number * SIGNS.get(count.kind, 1) for count in self.counts) if known and len(whole) == 1 else 0


NO_COUNTS = ("die", "chance", "results")
"""The tables of words beside which no number is that of an army before the battle."""


def count_armies(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags in which each army has one count, where that makes a battle of two; else these tags."""
    tags = _join_named(_count_rest(_count_parts(tags), known), known)
    if len(tags_of(tags, "number")) <= BATTLE or has_table(tags, *OF_UNITS, *NO_COUNTS) or has_role(tags, *STEPS):
        return list(tags)
    rest = _leave_out_former(tags, known)
    armies = _armies(rest, known)
    changed = [army for army in armies if len(army.counts) > 1]
    if len(armies) != BATTLE or any(army.number <= 0 for army in changed):
        return list(tags)
    for army in reversed(changed):
        rest = _with_count(rest, army, known)
    return rest


class NumberInWords(NamedTuple):
    """A number with the words around it that say something of it, in a language."""

    number: int
    words: Sequence[Tag]
    known: Vocabulary

    @property
    def is_loss(self) -> bool:
        """Whether so many are lost."""
        return says(self.words, self.known.asides["losing"])

    @property
    def is_left(self) -> bool:
        """Whether so many are left."""
        left = says(self.words, self.known.asides["now"]) or has_role(self.words, "have")
        return left and not self.is_loss

    @property
    def owner(self) -> str:
        """Whose they are; "" if no word tells."""
        return owner_in(self.words)


def count_losses(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Count two armies anew that lose some, or of which some are left: "18 against 10, I lost 5 and he 3".

    Losses before a battle of now are left out: "I lost 3 and he 5, so it's 10 against 7 now".
    """
    places = _places_of_numbers(tags)
    if len(places) != 2 * BATTLE or has_table(tags, *OF_UNITS, *NO_COUNTS) or has_role(tags, *STEPS):
        return list(tags)
    end, over = _end_of_clause(tags, places[1], places[2]), _end_of_clause(tags, places[3], len(tags))
    numbers = [NumberInWords(tags[place].numbers[0], _words_around(tags, place), known) for place in places]
    losses = [number.is_loss for number in numbers]
    if losses == [True, True, False, False] and says(tags[end:], known.asides["now"]):
        return leave_out(tags, range(end))
    parted = has_role(tags[: places[1]], *PARTING) or (numbers[0].owner and numbers[1].owner)
    if end == places[2] or not parted or losses[:3] != [False, False, True]:
        return list(tags)
    counts = _counts_now(numbers[:BATTLE], numbers[BATTLE:])
    return _with_counts(tags, range(end, over), dict(zip(places, counts, strict=False))) if counts else list(tags)


def _with_counts(tags: Sequence[Tag], story: range, counts: Mapping[int, int]) -> list[Tag]:
    """Return tags with numbers at some places, and without the words that tell how they came about."""
    rest = leave_out(tags, [at for at in story if tags[at].table not in (*OF_RULES, "questions")])
    return [_as_number(tag, counts[at]) if at in counts else tag for at, tag in enumerate(rest)]


def _places_of_numbers(tags: Sequence[Tag]) -> list[int]:
    return [place for place, tag in enumerate(tags) if tag.table == "number"]


def _end_of_clause(tags: Sequence[Tag], start: int, end: int) -> int:
    """Return the place of the first sign from one place on that ends a clause; `end` if there is none before it."""
    return next((place for place in range(start, end) if tags[place].text in CLAUSE_ENDS), end)


def _counts_now(before: Sequence[NumberInWords], after: Sequence[NumberInWords]) -> list[int]:
    """Return how many two armies have after losses, the second of which names its owner; [] if that can't be."""
    owner = after[1].owner
    first = before[0].owner or {"self": "other"}.get(before[1].owner, "self")
    pairs = [*zip(before, after if first != owner else after[::-1], strict=True)]
    counts = [later.number if later.is_left else army.number - later.number for army, later in pairs]
    fits = all(0 < count <= army.number for count, army in zip(counts, before, strict=True))
    return counts if fits and owner not in ("", after[0].owner) else []


def _as_number(tag: Tag, count: int) -> Tag:
    """Return a word as the number of an army."""
    return replace(tag, table="number", value=str(count), numbers=(count,), text=str(count))


def _words_around(tags: Sequence[Tag], place: int) -> Sequence[Tag]:
    """Return the words around a number that say something of it: those of its clause, up to the next number."""
    before = [*takewhile(lambda tag: not (_ends(tag) or tag.table == "number"), reversed(tags[:place]))]
    behind = [*takewhile(lambda tag: not (_ends(tag) or tag.table == "number"), tags[place + 1 :])]
    owner = next((at for at, tag in enumerate(behind) if tag.is_role(*OWNERS)), len(behind))
    after = tag_at(tags, place + 2)
    if owner == 0 and not owner_in(before) and (after.table in ("", "number", "sign") or after.means_nothing):
        owner = len(behind)  # "10 me 7 him now"
    return [*before[::-1], *behind[:owner]]


def name_armies(tags: Sequence[Tag], _known: Vocabulary) -> list[Tag]:
    """Put owners behind both numbers before these: "10 me 7 him, I attack"."""
    rest, places = list(tags), _places_of_numbers(tags)
    behind = {tag_at(tags, place + 1).value for place in places if tag_at(tags, place + 1).table == "roles"}
    close = len(places) == BATTLE and places[1] - places[0] in (2, 3)
    for place in places if close and behind == {*OWNERS} and not owner_in(tags[: places[0]]) else ():
        rest[place : place + 2] = [tags[place + 1], tags[place]]
    return rest


def count_territories(tags: Sequence[Tag], _known: Vocabulary) -> list[Tag]:
    """Let a number before words for a row say how many territories are named behind: "3 in a row 4 2 5 with 17"."""
    rest, places = list(tags), _places_of_numbers(tags)
    for at, place in enumerate(places):
        row, behind = tag_at(tags, place + 1).is_role("row") and tags[place].value != "1", len(places) - at - 1
        if (
            row
            and tag_at(tags, place + 2).table in ("number", "sign")
            and tags[place].numbers[0] in (behind, behind - 1)
        ):
            rest[place] = replace(tags[place], table="skips", value="count")
    return rest


def _count_parts(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Count an army that is as large as a part of the only number: "I have 14 and he has half of that"."""
    numbers = [tag.numbers[0] for tag in tags_of(tags, "number")]
    parts = {role: part * numbers[0] for role, part in PARTS.items() if len(numbers) == 1}
    counts = {role: int(part) for role, part in parts.items() if part % 1 == 0}
    return [
        _as_number(tag, counts[tag.value])
        if tag.is_role(*counts)
        and has_table(tags[:index], "number")
        and first_meaning(reversed(tags[:index])).is_role("have", *OWNERS)
        else tag
        for index, tag in enumerate(tags)
    ]


def _count_rest(tags: Sequence[Tag], known: Vocabulary) -> Sequence[Tag]:
    """Count an army that is down to a number, where words say how it began: "down to 9, started with 20"."""
    down = tuple(known.asides.get("after down", ()))
    if not has_table(tags, "number") or not says(tags, known.asides["before"]):
        return tags
    rest: list[Tag] = []
    for tag in tags:
        if tag.table == "options" and tag.text.startswith(down) and tag.slots:
            number = replace(tag, table="number", value=tag.slots[0], text=tag.slots[0])
            rest += [replace(tag.left_out, text=next(word for word in down if tag.text.startswith(word))), number]
        else:
            rest.append(tag)
    return rest


def _join_named(tags: Sequence[Tag], known: Vocabulary) -> Sequence[Tag]:
    """Put what an army named by its number has behind that: "13 vs 10, and the 10 have a bomber"."""
    numbers = [
        place
        for place, tag in enumerate(tags)
        if tag.table == "number" and tag_at(tags, place + 1).table not in OF_UNITS
    ]
    place = numbers[-1] if len(numbers) == BATTLE + 1 else 0
    same = [other for other in numbers[:-1] if tags[other].numbers == tags[place].numbers]
    named = tag_at(tags, place - 1).text in known.asides["articles"] and tag_at(tags, place + 1).is_role("have", "with")
    if len(same) != 1 or not place or not named:
        return tags
    end = next((index for index in range(place, len(tags)) if tags[index].table == "sign"), len(tags))
    behind = same[0] + 1
    joined = replace(tags[place + 1], value="with")
    return [*tags[:behind], joined, *tags[place + 2 : end], *tags[behind : place - 1], *tags[end:]]


def _leave_out_former(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out a battle as it was before: "it was 20 vs 15, now it's 14 vs 11"."""
    numbers = _places_of_numbers(tags)
    end = _end_of_clause(tags, numbers[1], numbers[2])
    start = max((place + 1 for place in range(numbers[0]) if tags[place].text in ENDS), default=0)
    former = says(tags[start:end], known.asides["before"]) or says(tags[end:], known.asides["now"])
    if (
        end == numbers[2]
        or len(numbers) != 2 * BATTLE
        or not former
        or not has_role(tags[numbers[0] : numbers[1]], *PARTING)
    ):
        return list(tags)
    between = [tag.left_out if tag.table == "options" else tag for tag in tags[end + 1 : numbers[2]]]
    return [*tags[:start], *(tag.left_out for tag in tags[start : end + 1]), *between, *tags[numbers[2] :]]


def _armies(tags: Sequence[Tag], known: Vocabulary) -> list[Tally]:
    """Return the counts of each army: another begins with another owner, or behind a word such as "against"."""
    places = _places_of_numbers(tags)
    armies = [Tally("", False, False, [Count(-1, 0, "now", 0)])]  # before the first
    for last, (place, following) in zip([-1, *places], pairwise([*places, len(tags)]), strict=False):
        gap, army = tags[last + 1 : place], armies[-1]
        owner = owner_in(gap)
        count = _count(tags, place, following, gap, army, known)
        if last >= 0 and _continues(army, count, owner, gap):
            army.counts.append(count)
            army.owner, army.named = owner or army.owner, army.named or bool(owner)
        else:
            assumed = "other" if army.owner == "self" else "self"
            armies.append(Tally(owner or assumed, bool(owner), last >= 0 and has_role(gap, *PARTING), [count]))
    return armies[1:]


def _count(
    tags: Sequence[Tag], place: int, following: int, gap: Sequence[Tag], army: Tally, known: Vocabulary
) -> Count:
    """Return the number at a place as a count: the words of its clause, or the one right behind it, say its kind."""
    behind, before = tags[place + 1 : following], army.counts[-1]
    clause = [*takewhile(lambda tag: not _ends(tag), behind)]
    own = [*takewhile(lambda tag: not _ends(tag), reversed(gap[before.kind == "adding" :]))]
    around = [*own[::-1], *(clause if len(clause) < len(behind) or following == len(tags) else ())]
    kind = next((kind for kind in KINDS if says(around, known.asides[kind])), "")
    kind = "adding" if says(behind[:1], known.asides["adding"]) else kind
    number, owner = tags[place].numbers[0], owner_in(gap)
    if kind == "losing" and before.kind == "" and has_role(gap[:1], "for", "from"):  # "4 of my 16 died"
        army.counts[-1], kind = before._replace(kind="losing"), ""
    ended = any(tag.text in ENDS for tag in gap) or (owner and has_role(gap, "with"))
    if ended and owner in ("", army.owner) and number == before.number:
        kind = "now"  # said again
    return Count(place, number, kind, place - len(own))


def _ends(tag: Tag) -> bool:
    return tag.text in CLAUSE_ENDS or tag.is_role("and", *PARTING)


def _continues(army: Tally, count: Count, owner: str, gap: Sequence[Tag]) -> bool:
    """Tell whether a count is of the army before it."""
    last, now = army.counts[-1], count.kind == "now" and not has_role(gap, "against")
    loses = now and {"losing"} <= {*army.kinds} <= {"losing", ""}
    left = loses or (now and (last.kind == "losing" or count.number == last.number))
    parted = _is_parted(last, gap) and not left
    if army.is_met or _lacks_owner(army, count, owner, gap):
        return False
    ended = last.kind == "now" and count.kind in ("", "now") and not has_role(gap[:1], "from")
    return not parted and not ended and (owner in ("", army.owner) or (loses and not army.named))


def _is_parted(last: Count, gap: Sequence[Tag]) -> bool:
    """Tell whether words between two counts part armies: in "I had 16, hit his 9" one attacks the other."""
    return has_role(gap, *PARTING) and not (last.kind == "before" and has_role(gap, "onto"))


def _lacks_owner(army: Tally, count: Count, owner: str, gap: Sequence[Tag]) -> bool:
    """Tell whether nobody says whose loss a count is: "I had 18, he had 10. Lost 5"."""
    return count.kind == "losing" and army.owner == "other" and not owner and any(tag.text in ENDS for tag in gap)


def _with_count(tags: Sequence[Tag], army: Tally, known: Vocabulary) -> list[Tag]:
    """Return tags in which an army has the number of now in place of its counts.

    The number stands where the first did, or the last where that is what is left: "had 20, now my 14 hit his 12".
    """
    first, last = army.counts[0], army.counts[-1]
    words = frozenset().union(*(known.asides[kind] for kind in KINDS))
    place = last if last.kind == "now" and last.start > first.place else first
    ends = (index for index in range(last.place + 1, len(tags)) if tags[index].table == "number" or _ends(tags[index]))
    end = last.place + 1 if place is last else next(ends, len(tags))
    own = {
        index for index in range(first.place) if tags[index].is_role(*OWNERS, "have") or tags[index].table == "names"
    }
    own |= {index for index in range(place.start, place.place) if not says([tags[index]], words)}
    own |= {index for index, tag in enumerate(tags) if tag.table in OF_RULES}
    rest = leave_out(tags, {*range(first.start, end)} - own)
    rest[place.place] = _as_number(tags[place.place], army.number)
    return rest
