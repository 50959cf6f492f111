"""Says which numbers and chances of a phrase are a story or a claim beside the battle, and where "one" is an army."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import or_
from typing import NamedTuple

from bot.phrases.beside.clauses import CLAUSE_ENDS, clauses, says
from bot.phrases.beside.corrections import apply_corrections, turn_denied
from bot.phrases.beside.counts import count_armies, count_losses, count_territories, name_armies
from bot.phrases.beside.units import name_ships, read_units
from bot.phrases.pieces import SIDES
from bot.phrases.tag import (
    BATTLE,
    NOTHING,
    OF_ARMIES,
    OF_UNITS,
    PARTING,
    Tag,
    first_meaning,
    has_role,
    has_table,
    leave_out,
    tag_at,
    tags_of,
    values_of,
)
from bot.phrases.vocabulary import Vocabulary

BEFORE_ONE = ("against", "onto", "then", "through", "with", "faces", "attack")
"""The roles of words before the word for one where that is an army."""
BEHIND_ONE = ("against", "onto", "then", "and", "men", "here", "attack", "row")
"""The roles of words behind it there."""
OF_FIGHTS = (
    *PARTING,
    *("men", "unit", "send", "with", "then", "through", "row", "each", "here", "held", "or", "corrects", "losses"),
)
"""The roles of words that no clause of a story has."""
OF_QUESTIONS = ("options", "variants", "questions", "chance", "die", "special")
"""The tables of such words."""
LIKELY = range(50, 100)
"""The numbers that may be chances in percent."""
QUESTIONS = {"need", "need defenders", "compare"}
"""The questions in which a chance is what somebody wants."""


def rewrite(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags with what is taken back put right, and without stories; `known` are the words of their language."""
    tags = [*_part_limits(tags)]
    for step in (
        apply_corrections,
        turn_denied,
        read_units,
        _read_bare_chance,
        _count_ones,
        _leave_out_claims,
        count_losses,
        _leave_out_stories,
        count_armies,
        count_territories,
        name_armies,
        name_ships,
        _doubt_lookalikes,
    ):
        tags = step(tags, known)
    return tags


def _part_limits(tags: Sequence[Tag]) -> Iterator[Tag]:
    """Yield tags in which an option of two numbers is two options, "bei 4 oder bei 7 aufhören", or one of an army.

    "one of the 9 stays home, vs 6" names the army only there.
    """
    alone = len(tags_of(tags, "number")) < BATTLE
    for tag in tags:
        first, either, second = tag.value.partition(" or ")
        if alone and tag.table == "options" and tag.value in ("behind:1", "reserve:{n1}") and len(tag.numbers) > 1:
            yield tag
            tag = Tag("number", str(tag.numbers[1]), tag.end, tag.end, tag.numbers[1:], text=str(tag.numbers[1]))
        if tag.table == "options" and either:
            yield replace(tag, value=first, slots=tag.slots[:1], numbers=tag.numbers[:1])
            yield Tag("roles", "or", tag.end, tag.end, text="or")
            yield replace(tag, value=second, slots=tag.slots[1:], numbers=tag.numbers[1:])
        else:
            yield tag


def _count_ones(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Count the word for one where an army stands: "ten against one", "a lone army against 4"."""
    alone = len(tags_of(tags, "number")) < BATTLE and has_role(tags, *PARTING) and not has_table(tags, "questions")
    ones = [index for index, tag in enumerate(tags) if tag.is_one]
    men = (at for at in ones if alone and first_meaning(tags[at + 1 :]).is_role("men", *SIDES))
    places = [] if has_table(tags, "units") else [*men, *(at for at in ones if _is_army_of_one(tags, at, known))]
    return [replace(tag, table="number", numbers=(1,)) if at in places else tag for at, tag in enumerate(tags)]


def _is_army_of_one(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a word for one stands where an army does; an article only at the end of a clause."""
    before, after = tag_at(tags, index - 1), tag_at(tags, index + 1)
    if before.is_role(*BEFORE_ONE) or (before.text == "," and tag_at(tags, index - 2).table == "number"):
        article = tags[index].text in known.asides["articles"]
        return after.table in ("", "sign") or (not article and after.is_role(*BEHIND_ONE))
    return not index and after.is_role("against")


def _read_bare_chance(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let the last number behind "at" be the chance that somebody needs: "need to beat 8 at 90"."""
    places = [place for place, tag in enumerate(tags) if tag.table == "number"]
    last = places[1] if len(places) == BATTLE else 0
    at, number = tag_at(tags, last - 1), tag_at(tags, last)
    needs = "need" in values_of(tags, "questions") or says(tags, known.asides["needing"])
    ends = all(tag.means_nothing or tag.table == "sign" for tag in tags[last + 1 :])
    if not (last and needs and ends and at.text in known.asides["at_chance"] and number.numbers[0] in LIKELY):
        return list(tags)
    chance = f"{number.value}%"
    return [replace(tag, table="chance", value=chance, text=chance) if tag is number else tag for tag in tags]


def _leave_out_claims(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out a chance that somebody claims, or asks about: "he says 70% for 15 vs 12", "is 15 vs 12 over 70%"."""
    claimed = says(tags, [*known.asides["claims"], *known.asides["thresholds"]])
    if len(tags_of(tags, *OF_ARMIES)) < BATTLE or QUESTIONS & {*values_of(tags, "questions")}:
        return list(tags)
    are_claims = [tag.table == "chance" and (claimed or not any(map(str.isdigit, tag.text))) for tag in tags]
    return [tag.left_out if left else tag for tag, left in zip(tags, are_claims, strict=True)]


def _leave_out_stories(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out the numbers of a story, where a battle is left: "won 2 games, now it's 18 vs 14"."""
    rest = leave_out(tags, {*_of_things(tags, known), *_of_other_clauses(tags, known)})
    return rest if len(tags_of(rest, "number")) >= BATTLE else list(tags)


def _of_things(tags: Sequence[Tag], known: Vocabulary) -> Iterator[int]:
    """Yield the places of numbers that count no armies, with what they count: beers, years, "'85", "40th"."""
    for index, tag in enumerate(tags):
        if tag.table != "number":
            continue
        before, things = tag_at(tags, index - 1), known.asides["countables"]
        thing = next((place for place in (1, 2) if tag_at(tags, index + place).text in things), 0)
        asked = before.table == "sign" and len(tags_of(tags[:index], "number")) >= BATTLE  # "12 vs 9, 3 games"
        if thing and not asked:
            yield from range(index, index + thing + 1)
        elif before.text == "'" or before.text in known.asides["counters"]:  # "turn 6", "page 12", "'85"
            yield from (index - 1, index)
        elif tag.text.isdecimal() and tag.numbers[0] in range(1950, 2100):
            yield index


def _of_other_clauses(tags: Sequence[Tag], known: Vocabulary) -> Iterator[int]:
    """Yield the numbers of clauses that have no army, before the only battle: "dinner's at 8. 12 on 9"."""
    numbers = [place for place, tag in enumerate(tags) if tag.table == "number"]
    if len(numbers) <= BATTLE or has_table(tags, *OF_UNITS):
        return
    first, second = numbers[-2:]
    start = max((place + 1 for place in range(first) if tags[place].text in CLAUSE_ENDS), default=0)
    battle = tags[first:second]
    if not has_role(battle, *PARTING) or any(tag.text in CLAUSE_ENDS for tag in battle):
        return
    before = [tags[begin:end] for begin, end in clauses(tags[:start], CLAUSE_ENDS)]
    if start > numbers[-3] and all(_is_story(clause, known) for clause in before if has_table(clause, "number")):
        yield from numbers[:-2]


def _is_story(clause: Sequence[Tag], known: Vocabulary) -> bool:
    """Tell whether a clause with numbers has no word of a battle, and nobody in it has an army."""
    named = has_role(clause, "self", "other") or len(tags_of(clause, "number")) > 1
    rest = [tag for tag in clause if named or not tag.is_role("onto")]  # "at 8", "a las 10"
    seated = says(clause, known.asides["countables"] | known.asides["seated"])
    acts = has_role(clause, "self", "other") and not seated  # "she brought 12 up"
    if any((acts, has_role(rest, *OF_FIGHTS), has_table(clause, *OF_QUESTIONS))):
        return False
    words = [tag.text for tag in clause if tag.text[0].isalpha() and not tag.is_role("self", "other")]
    telling = known.asides["things"] | known.asides["losing"] | known.asides["recurring"]
    has = has_role([tag for tag in clause if tag.text not in known.asides["copula"]], "have", "hold")
    return bool(words) and not has and telling.isdisjoint(words)


class Numbers(NamedTuple):
    """A phrase of two numbers, their places, and the words of its language."""

    tags: Sequence[Tag]
    places: Sequence[int]
    known: Vocabulary

    def is_beside(self, step: int, kind: str) -> Sequence[bool]:
        """Tell of each number whether a word of a kind of asides stands before it (-1) or behind it (1)."""
        return [tag_at(self.tags, place + step).text in self.known.asides[kind] for place in self.places]

    @property
    def are_alone(self) -> bool:
        """Whether the phrase has no more than two numbers, and words that say whose they are."""
        quiet = (tag.means_nothing or tag.table in ("number", "sign", "unknown") for tag in self.tags)
        people = (tag.is_role("self", "other", "and") or tag.text in self.known.asides["being"] for tag in self.tags)
        return all(map(or_, quiet, people))

    @property
    def are_ages(self) -> bool:
        """Whether a word such as "am" makes both ages: "finn is 14 and I am 16"."""
        first, second = self.is_beside(-1, "being")
        other = tag_at(self.tags, self.places[1] - 1).is_role("have", "with", "onto")
        return self.are_alone and first and (second or not other)

    @property
    def are_unsure(self) -> bool:
        """Whether somebody has an army of which nothing is sure: "he has 12, 9 are mine and I... don't know"."""
        unsure = (at for at, tag in enumerate(self.tags) if tag.text in self.known.asides["unsure"])
        before = self.tags[: next(unsure, 0)]
        last = next((tag for tag in reversed(before) if tag.table != "sign"), NOTHING)
        return last.is_role("self", "other", "have") and before[-1] is not last

    @property
    def are_score(self) -> bool:
        """Whether they stand side by side as in a score."""
        between = self.tags[self.places[0] + 1 : self.places[1]]
        return len(between) == 1 and (between[0].is_role("onto") or between[0].means_nothing)


_LOOKALIKES: Mapping[str, Callable[[Numbers], bool]] = {
    "unsure": lambda it: it.are_unsure,
    "seated": lambda it: not has_role(it.tags, "other", "against", "onto", "attack", "attacked"),
    "score": lambda it: it.are_score,
    "ages": lambda it: any(it.is_beside(1, "ages")),
    "being": lambda it: it.are_ages,
}
"""Signs that two numbers are no armies, by the kind of its words: "6 of us, a table of 4", "we won 3 to 1"."""


def _doubt_lookalikes(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let a word that makes two numbers ages or a score be one that is not known: "finn is 14 and I am 16"."""
    numbers = Numbers(tags, [place for place, tag in enumerate(tags) if tag.table == "number"], known)
    of_battle = has_table(tags, *OF_UNITS, "options", "variants", "questions") or has_role(tags, "men")
    if len(numbers.places) != BATTLE or of_battle:
        return list(tags)
    kinds = [known.asides[kind] for kind, fits in _LOOKALIKES.items() if fits(numbers)]
    doubtful = next((tag for words in kinds for tag in tags if tag.text in words), None)
    return [tag.doubted if tag is doubtful else tag for tag in tags]
