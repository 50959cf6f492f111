"""Reads what a phrase says of armies that stay, beside how many there are: "one of my 9 must stay home"."""

from collections.abc import Sequence
from dataclasses import replace

from bot.phrases.matching import STAYING
from bot.phrases.tag import ENDS, Tag, tags_of
from bot.phrases.vocabulary import Vocabulary


def count_whole(tags: Sequence[Tag], _known: Vocabulary) -> list[Tag]:
    """Return tags with the army of which some stay, where nothing else has its number: "one of the 9 stays home"."""
    counts = {tag.numbers for tag in tags_of(tags, "number")}
    counted: list[Tag] = []
    for tag in tags:
        whole = tag.numbers[1:] if tag.table == "options" and tag.value.startswith(STAYING) else ()
        if len(whole) == 1 and whole not in counts:
            text = str(whole[0])
            counted.append(Tag("number", text, tag.start, tag.start, whole, text=text))
        counted.append(tag)
    return counted


def doubt_staying(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let a verb of staying be a word that is not known where "one" stands beside it, and an army in its sentence."""
    doubted = list(tags)
    start = 0
    for end in (*(place for place, tag in enumerate(tags) if tag.text in ENDS), len(tags)):
        sentence = tags[start:end]
        alone = any(tag.is_one for tag in sentence)
        if alone and tags_of(sentence, "number"):
            doubted[start:end] = [_doubt(tag) if tag.text in known.asides["staying"] else tag for tag in sentence]
        start = end
    return doubted


def _doubt(tag: Tag) -> Tag:
    return tag.doubted if tag.table in ("noise", "skips") else tag


def part_limits(tags: Sequence[Tag], _known: Vocabulary) -> list[Tag]:
    """Return tags in which two numbers at one of which an attack stops are two options: "bei 4 oder bei 7 aufhören"."""
    parted: list[Tag] = []
    for tag in tags:
        first, either, second = tag.value.partition(" or ")
        if tag.table != "options" or not either:
            parted.append(tag)
            continue
        for value, slot, number in zip((first, second), tag.slots, tag.numbers, strict=True):
            parted.append(replace(tag, value=value, slots=(slot,), numbers=(number,)))
        parted.insert(-1, Tag("roles", "or", tag.end, tag.end, text="or"))
    return parted
