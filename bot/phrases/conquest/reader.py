"""Reads a phrase about territories of a map, and tells whether that is what it asks."""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.maps.map import Continent, Map
from bot.maps.reading import USUAL_MAP, usual_maps
from bot.phrases.armies import SHIPS
from bot.phrases.conquest.gathering import OURS, Gathered, gather
from bot.phrases.conquest.lines import Plan, make_plan
from bot.phrases.conquest.names import Name, find_names
from bot.phrases.conquest.pieces import Phrase, split_phrase
from bot.phrases.doubts import check_words
from bot.phrases.meaning import NotClearError
from bot.phrases.options import options_of
from bot.phrases.questions import BESIDE_BATTLE
from bot.phrases.tag import Tag
from bot.phrases.vocabulary import Vocabulary
from bot.phrases.words import Words

IN_ORDER = ("then", "through", "attack through")
"""The roles of words that say in which order an army goes through territories."""


@dataclass
class ConquestPhrase:
    """The content of a phrase about a map.

    Attributes:
        tags: Its words.
        line: Its line of notation; "" if it leaves something open.
        problem: What it leaves open then.
        is_sure: Whether it can be nothing else.
        is_likely: Whether it names where an attack starts and what it shall take.
        targets: How many territories it names.
    """

    tags: tuple[Tag, ...]
    line: str = ""
    problem: NotClearError | None = None
    is_sure: bool = False
    is_likely: bool = False
    targets: int = 0


def read_conquest(
    words: Words, tags: Sequence[Tag], capitals: Set[str], saved: Collection[str], needs: bool
) -> ConquestPhrase | None:
    """Read a phrase about a map; None if it is about none.

    Args:
        words: Its words.
        tags: Their tags as a battle has them.
        capitals: The words that begin with a capital letter.
        saved: The names of presets.
        needs: Whether it is typed after a command that asks how many armies are needed.
    """
    if not may_name_places(tags):
        return None
    found, names = _find_map(words)
    if found is None or not _has_places(names):
        return None
    phrase = split_phrase(words, names, capitals, saved)
    told = gather(phrase.pieces)
    asked = {tag.value for tag in phrase.tags if tag.table == "questions"} - {*BESIDE_BATTLE}
    if asked - {"need"}:
        return None
    try:
        check_words(phrase.tags)
        plan = make_plan(found, told, needs or bool(asked))
        if plan.is_battle:
            return None
        line = _with_options(plan, phrase, told, words.order[:2], needs or bool(asked))
    except NotClearError as error:
        likely = _is_likely(told) or bool(error.readings)
        return ConquestPhrase(_with_sides(phrase.tags, told), problem=error, is_likely=likely)
    line = f"{line} map:{found.key}" if found.key != USUAL_MAP else line
    tags = _with_sides(phrase.tags, told)
    return ConquestPhrase(tags, line, None, _is_sure(found, plan, told, phrase.tags), True, len(plan.targets))


def may_name_places(tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase may name places of a map: it has names or unknown words, and no units."""
    units = any(tag.table == "units" and tag.value not in SHIPS for tag in tags)
    return not units and any(tag.table in ("names", "unknown", "presets") for tag in tags)


def _find_map(words: Words) -> tuple[Map | None, list[Name]]:
    """Return the map that has the most places of a phrase, the usual one if several have as many, and the places."""
    languages = [one.language for one in words.order[:2]]
    best: tuple[Map | None, list[Name]] = (None, [])
    for found in usual_maps():
        names = find_names(found, words.tokens, languages)
        if len(names) > len(best[1]):
            best = found, names
    return best


def _has_places(names: Sequence[Name]) -> bool:
    """Tell whether there are a continent, or two territories."""
    keys = {name.part.key for name in names}
    return len(keys) > 1 or any(isinstance(name.part, Continent) for name in names)


def _is_likely(told: Gathered) -> bool:
    """Tell whether a phrase names a start and a continent, or several territories to take."""
    starts = {mention.part.key for mention in told.mentions if mention.side == OURS}
    others = {mention.part.key for mention in told.mentions} - starts
    continent = any(isinstance(mention.part, Continent) for mention in told.mentions)
    return bool(starts) and (continent or len(others) > 1)


def _is_sure(found: Map, plan: Plan, told: Gathered, tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase can be about no battle, and about no path through territories in a row."""
    if len(plan.targets) < 2 or not plan.is_complete or any(tag.is_role(*IN_ORDER) for tag in tags):
        return False
    continent = any(isinstance(mention.part, Continent) for mention in told.mentions)
    row = [*plan.starts, *plan.targets]
    chain = all(other in found.neighbours[one] for one, other in pairwise(row))
    return continent or not chain


def _with_sides(tags: Sequence[Tag], told: Gathered) -> tuple[Tag, ...]:
    """Return tags in which places where attacks start have a table of their own."""
    starts = {mention.part.key for mention in told.mentions if mention.side == OURS}
    return tuple(replace(tag, table="starts") if tag.table == "places" and tag.value in starts else tag for tag in tags)


def _with_options(plan: Plan, phrase: Phrase, told: Gathered, known: Sequence[Vocabulary], needs: bool) -> str:
    """Return the line of a plan with its options, its aim and its chance."""
    garrisons = {id(piece.tag) for piece in phrase.pieces if piece.kind == "each"}
    tags = [tag for tag in phrase.tags if id(tag) not in garrisons]
    chances = [tag.value for tag in tags if tag.table == "chance"]
    if any(tag.table == "die" for tag in tags):
        raise NotClearError("which dice")
    if chances and not needs:
        raise NotClearError("a chance beside a battle")
    if len(chances) > 1:
        raise NotClearError("need against how many")
    options = list(_options(tags, known))
    presets = [tag.value for tag in tags if tag.table == "presets"]
    if len(presets) > 1:
        raise NotClearError("a preset beside a battle")
    line = " ".join([*presets, plan.line(), *told.ships, *(["most"] if told.most else []), *options, *chances])
    return f"/need {line}" if needs else line


def _options(tags: Sequence[Tag], known: Sequence[Vocabulary]) -> Iterator[str]:
    """Yield the options. Armies stay behind in each territory, unless the phrase counts those that must stay."""
    for tag in tags:
        if tag.table == "options" and tag.value.startswith("value:"):
            raise NotClearError("which territory")
        counted = any(word in one.conquest.get("counted", ()) for word in tag.text.split() for one in known)
        for option in options_of([tag]):
            yield option if counted else option.replace("behind:", "leave:")
