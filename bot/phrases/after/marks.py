"""Tags the words of a follow-up: those that go on from an answer, such as "more" and "instead", are marks."""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache

from bot.phrases.tag import OF_UNITS, Tag
from bot.phrases.tags import Tagger
from bot.phrases.vocabulary import vocabularies
from bot.phrases.words import Words

LEADING = {
    "number": ("twice", "half"),
    "options": ("if", "down", "place 1", "place 2", "place 3", "place last"),
    "questions": ("if", "more", "fewer"),
    "bonus": ("more", "plus", "fewer", "without"),
}
"""The words of follow-ups that are part of no option and of no question about two plans or many numbers, by table."""
STRONG = ("roles then", "plain", "plain dice", "no rounds", "no bonus")
"""The marks that are part of no other words."""
WEAK = ("rather", "odds")
"""The marks of a single word that may be a question."""
PREFIX = "after "
"""How the rows of the word files begin that hold the words of follow-ups."""
MARK = "after"
"""The table of these words."""
SOLID = ("options", "outlooks", "variants", "questions", "number", "chance", *OF_UNITS)
"""The tables whose words say by themselves what they mean."""


def tags_with_marks(words: Words) -> list[Tag]:
    """Return the tags of a phrase in which the words of follow-ups have theirs, and part no others."""
    said = {place: name for start, (name, end) in _marks(words, set()) for place in range(start, end)}
    solid = [tag for tag in Tagger(words).tags() if _is_solid(tag, said)]
    taken = {place for tag in solid for place in range(tag.start, tag.end)}
    marks = dict(_marks(words, taken))
    gone = {place for place, (_name, end) in marks.items() for place in range(place, end)}
    left = [place for place in range(len(words.tokens)) if place not in gone]
    placed = [(left[tag.start], tag) for tag in Tagger(words.keep(left)).tags()]
    for place, (name, end) in marks.items():
        text = " ".join(token.text for token in words.tokens[place:end])
        placed.append((place, Tag(MARK, name, place, end, text=text)))
    return [tag for _place, tag in sorted(placed, key=lambda pair: pair[0])]


def _is_solid(tag: Tag, said: Mapping[int, str]) -> bool:
    """Tell whether words say by themselves what they mean: not "no", nor the "what if" of a second plan.

    `said` has what words of follow-ups say, by their places.
    """
    if tag.table not in SOLID or (tag.value == "0" and not tag.text.isdecimal()):
        return False
    kind = "bonus" if "bonus:" in tag.value else tag.table  # "plus 2 for the defender"
    leading = LEADING.get(kind, ()) if kind != "questions" or tag.value in ("compare", "table") else ()
    leading = (*leading, *STRONG, *(WEAK if tag.end - tag.start == 1 else ()))  # "lieber 13"
    return not any(said.get(place) in leading for place in range(tag.start, tag.end))


def _marks(words: Words, taken: Set[int]) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield the places of words of follow-ups, with what they say and where they end; the longest first."""
    texts = [token.text for token in words.tokens]
    known, longest = _phrases(tuple(some.language for some in words.order))
    place = 0
    while place < len(texts):
        for size in range(min(longest, len(texts) - place), 0, -1):
            name = known.get(" ".join(texts[place : place + size]))
            if name and taken.isdisjoint(range(place, place + size)):
                yield place, (name, place + size)
                place += size
                break
        else:
            place += 1


@lru_cache(maxsize=24)
def _phrases(languages: Sequence[str]) -> tuple[Mapping[str, str], int]:
    """Return the words of follow-ups with what they say, and how many the longest has; the first language wins."""
    every = vocabularies()
    known = {
        text: name.removeprefix(PREFIX)
        for vocabulary in [*every.values(), *(every[language] for language in reversed(languages))]
        for name, texts in vocabulary.asides.items()
        if name.startswith(PREFIX)
        for text in texts
    }
    return known, max((text.count(" ") for text in known), default=0) + 1
