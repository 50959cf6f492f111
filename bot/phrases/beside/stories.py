"""Says which numbers and chances of a phrase are a story or a claim beside the battle, and where "one" is an army."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.phrases.beside.corrections import apply_corrections
from bot.phrases.beside.units import read_units
from bot.phrases.tag import BATTLE, ENDS, NOTHING, PARTING, Tag, has_role, has_table, tag_at, tags_of, values_of
from bot.phrases.vocabulary import Vocabulary

BEFORE_ONE = ("against", "onto", "then", "through", "with", "faces", "attack")
"""The roles of words before the word for one where that is an army."""
BEHIND_ONE = ("against", "onto", "then", "and", "men", "here", "attack", "row")
"""The roles of words behind it there."""
LONGEST_ARTICLE = 2
"""The most letters of an article that is no word for one army: "a", "an"."""
YEARS = range(1950, 2100)
"""The numbers that are years where a battle has two others."""
QUESTIONS = {"need", "need defenders", "compare"}
"""The questions in which a chance is what somebody wants."""


def rewrite(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags with what is taken back put right, and without stories; `known` are the words of their language."""
    for step in (apply_corrections, read_units, _count_ones, _leave_out_claims, _leave_out_stories):
        tags = step(tags, known)
    return list(tags)


def _count_ones(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Count the word for one where an army stands: "ten against one", "12 through 3 and then one"."""
    if has_table(tags, "units"):
        return list(tags)
    return [
        replace(tag, table="number", numbers=(1,)) if _is_army_of_one(tags, index, known) else tag
        for index, tag in enumerate(tags)
    ]


def _is_army_of_one(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a word for one stands where an army does; an article only at the end of a clause."""
    tag, before, after = tags[index], tag_at(tags, index - 1), tag_at(tags, index + 1)
    if tag.table != "noise" or tag.value != "1" or len(tag.text) <= LONGEST_ARTICLE:
        return False
    last = after is NOTHING or after.table == "sign"
    follows = before.is_role(*BEFORE_ONE) or (before.text == "," and tag_at(tags, index - 2).table == "number")
    if follows:
        return last or (tag.text not in known.articles and after.is_role(*BEHIND_ONE))
    return before is NOTHING and after.is_role("against")


def _leave_out_claims(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out a chance that somebody claims: "my buddy says 70% for 15 vs 12"."""
    claimed = any(word in known.asides["claims"] for tag in tags for word in tag.text.split())
    if not has_table(tags, "chance") or not has_role(tags, *PARTING) or QUESTIONS & {*values_of(tags, "questions")}:
        return list(tags)
    named = [tag for tag in tags_of(tags, "chance") if claimed or not any(map(str.isdigit, tag.text))]
    return [tag.left_out if tag in named else tag for tag in tags]


def _leave_out_stories(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out the numbers of a story, where a battle is left: "won 2 games, now it's 18 vs 14"."""
    told = {*_of_past(tags, known), *_of_things(tags, known)}
    rest = [tag.left_out if index in told else tag for index, tag in enumerate(tags)]
    return rest if len(tags_of(rest, "number")) >= BATTLE else list(tags)


def _of_things(tags: Sequence[Tag], known: Vocabulary) -> Iterator[int]:
    """Yield the places of numbers that count no armies, with what they count: beers, years, "'85", "40th"."""
    things = known.asides["countables"]
    for index, tag in enumerate(tags):
        if tag.table != "number":
            continue
        thing = next((place for place in range(index + 1, min(index + 3, len(tags))) if tags[place].text in things), 0)
        if thing and not _is_behind_battle(tags, index):
            yield from range(index, thing + 1)
        elif tag_at(tags, index - 1).text == "'":
            yield from (index - 1, index)
        elif tag.text.isdecimal() and tag.numbers[0] in YEARS and _is_far_from_others(tags, tag):
            yield index


def _is_behind_battle(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a number is a clause of its own behind a battle: "12 vs 9, 3 games" asks for something."""
    return tag_at(tags, index - 1).table == "sign" and len(tags_of(tags[:index], "number")) >= BATTLE


def _is_far_from_others(tags: Sequence[Tag], year: Tag) -> bool:
    """Tell whether no other number of a phrase is as large as that of a year."""
    return all(tag is year or tag.numbers[0] < YEARS.start // 2 for tag in tags_of(tags, "number"))


def _of_past(tags: Sequence[Tag], known: Vocabulary) -> Iterator[int]:
    """Yield the places of a clause before the battle that tells what happened, with one number: "I lost 4 already"."""
    start = 0
    for end in range(len(tags) + 1):
        if end < len(tags) and not (tags[end].table == "sign" and tags[end].text in {",", ";", ":", *ENDS}):
            continue
        clause = tags[start:end]
        numbers = tags_of(clause, "number")
        past = any(tag.text in known.asides["past"] for tag in clause)
        if not past or len(numbers) != 1 or has_role(clause, "against", "onto") or has_table(tags[:start], "number"):
            return
        yield from (place for place in range(start, end) if tags[place].table != "sign")
        start = end + 1
