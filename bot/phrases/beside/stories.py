"""Says which numbers and chances of a phrase are a story or a claim beside the battle, and where "one" is an army."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.phrases.beside.corrections import apply_corrections
from bot.phrases.beside.counts import CLAUSE_ENDS, count_armies
from bot.phrases.beside.staying import count_whole, doubt_staying, part_limits
from bot.phrases.beside.units import read_units
from bot.phrases.tag import BATTLE, NOTHING, OF_UNITS, PARTING, Tag, has_role, has_table, tag_at, tags_of, values_of
from bot.phrases.vocabulary import Vocabulary

BEFORE_ONE = ("against", "onto", "then", "through", "with", "faces", "attack")
"""The roles of words before the word for one where that is an army."""
BEHIND_ONE = ("against", "onto", "then", "and", "men", "here", "attack", "row")
"""The roles of words behind it there."""
YEARS = range(1950, 2100)
"""The numbers that are years where a battle has two others."""
HIGHEST_GOALS = 9
"""The most goals of a side in a game that is talked about: "2:1 at half-time"."""
OF_FIGHTS = (
    *PARTING,
    *("men", "unit", "send", "with", "then", "through", "row", "each", "here", "held", "or", "corrects", "losses"),
)
"""The roles of words that no clause of a story has."""
AROUND_AGES = ("self", "other", "and")
"""The roles of words that may stand beside ages."""
QUESTIONS = {"need", "need defenders", "compare"}
"""The questions in which a chance is what somebody wants."""


def rewrite(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags with what is taken back put right, and without stories; `known` are the words of their language."""
    for step in (
        count_whole,
        part_limits,
        doubt_staying,
        apply_corrections,
        read_units,
        _count_ones,
        _leave_out_claims,
        _leave_out_stories,
        count_armies,
        _doubt_lookalikes,
    ):
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
    if not tag.is_one:
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
    told = {*_of_past(tags, known), *_of_things(tags, known), *_of_scores(tags), *_of_other_clauses(tags, known)}
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
        elif _is_numbered(tags, index, known):
            yield from (index - 1, index)
        elif tag.text.isdecimal() and tag.numbers[0] in YEARS and _is_far_from_others(tags, tag):
            yield index


def _is_numbered(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a number only names what stands before it: "turn 6", "page 12", "'85"."""
    before = tag_at(tags, index - 1).text
    return before == "'" or (before in known.asides["counters"] and not _is_behind_battle(tags, index - 1))


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
        if end < len(tags) and not (tags[end].table == "sign" and tags[end].text in CLAUSE_ENDS):
            continue
        clause = tags[start:end]
        numbers = tags_of(clause, "number")
        past = any(tag.text in known.asides["past"] for tag in clause)
        if not past or len(numbers) != 1 or has_role(clause, "against", "onto") or has_table(tags[:start], "number"):
            return
        yield from (place for place in range(start, end) if tags[place].table != "sign")
        start = end + 1


def _of_scores(tags: Sequence[Tag]) -> Iterator[int]:
    """Yield the places of a score before the battle: "it's 2:1 at half-time, 14 vs 9"."""
    for index, (first, mark, second) in enumerate(zip(tags, tags[1:], tags[2:], strict=False)):
        numbers = [tag.numbers[0] for tag in (first, second) if tag.table == "number"]
        if mark.text == ":" and len(numbers) == BATTLE and max(numbers) <= HIGHEST_GOALS:
            yield from range(index, index + 3)
            return


def _of_other_clauses(tags: Sequence[Tag], known: Vocabulary) -> Iterator[int]:
    """Yield the numbers of clauses that have no army, before the only battle: "dinner's at 8. 12 on 9"."""
    numbers = [place for place, tag in enumerate(tags) if tag.table == "number"]
    if len(numbers) <= BATTLE or has_table(tags, *OF_UNITS):
        return
    first, second = numbers[-2:]
    if not has_role(tags[first + 1 : second], *PARTING) or any(tag.text in CLAUSE_ENDS for tag in tags[first:second]):
        return
    start = 0
    for end in (place for place in range(first) if tags[place].text in CLAUSE_ENDS):
        clause = tags[start:end]
        if any(tag.table == "number" for tag in clause) and not _is_story(clause, known):
            return
        start = end + 1
    if not has_table(tags[start:first], "number"):
        yield from numbers[:-2]
        for place in numbers[:-2]:
            if tag_at(tags, place + 1).text in known.asides["adding"] and tag_at(tags, place - 1).table == "unknown":
                yield from (place - 1, place + 1)  # "moved 3 more"


def _is_story(clause: Sequence[Tag], known: Vocabulary) -> bool:
    """Tell whether a clause with numbers has no word of a battle, and nobody in it has an army."""
    named = has_role(clause, "self", "other") or len(tags_of(clause, "number")) > 1
    rest = [tag for tag in clause if named or not tag.is_role("onto")]  # "at 8", "a las 10"
    if has_role(rest, *OF_FIGHTS) or has_table(clause, "options", "variants", "questions", "chance", "die", "special"):
        return False
    words = [tag for tag in clause if tag.text[0].isalpha() and not tag.is_role("self", "other")]
    telling = known.asides["things"] | known.asides["losing"] | known.asides["recurring"]
    owned = any(tag.is_role("have", "hold") and tag.text not in known.asides["copula"] for tag in clause)
    return bool(words) and not owned and all(tag.text not in telling for tag in words)


def _doubt_lookalikes(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let a word that makes two numbers ages or a score be one that is not known: "finn is 14 and I am 16"."""
    numbers = [place for place, tag in enumerate(tags) if tag.table == "number"]
    if (
        len(numbers) != BATTLE
        or has_table(tags, *OF_UNITS, "options", "variants", "questions")
        or has_role(tags, "men")
    ):
        return list(tags)
    doubtful = _word_of_table(tags, known) or _word_of_score(tags, numbers, known) or _word_of_age(tags, numbers, known)
    return [tag.doubted if tag is doubtful else tag for tag in tags]


def _word_of_table(tags: Sequence[Tag], known: Vocabulary) -> Tag | None:
    """Return the word that tells that two numbers are those of people and seats: "6 of us, a table of 4"."""
    seated = not has_role(tags, "other", "against", "onto", "attack", "attacked")
    return next((tag for tag in tags if seated and tag.text in known.asides["seated"]), None)


def _word_of_score(tags: Sequence[Tag], numbers: Sequence[int], known: Vocabulary) -> Tag | None:
    """Return the word that tells that two numbers side by side are the score of another game."""
    between = tags[numbers[0] + 1]
    beside = numbers[1] - numbers[0] == 2 and (between.is_role("onto") or between.means_nothing)
    return next((tag for tag in tags if beside and tag.text in known.asides["score"]), None)


def _word_of_age(tags: Sequence[Tag], numbers: Sequence[int], known: Vocabulary) -> Tag | None:
    """Return the word that tells that two numbers are ages."""
    for place in numbers:
        if (years := tag_at(tags, place + 1)).text in known.asides["ages"]:
            return years
    first, second = (tag_at(tags, place - 1) for place in numbers)
    being = known.asides["being"]
    quiet = all(
        tag.means_nothing
        or tag.table in ("number", "sign", "unknown")
        or tag.is_role(*AROUND_AGES)
        or tag.text in being
        for tag in tags
    )
    aged = first.text in being and (second.text in being or not second.is_role("have", "with", "onto"))
    return first if quiet and aged else None
