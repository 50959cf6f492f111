"""Reads a phrase about territories of a map, and tells whether that is what it asks."""

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.maps.map import Continent, Map
from bot.maps.reading import USUAL_MAP, usual_maps
from bot.phrases.asking import check_words
from bot.phrases.conquest.gathering import Situation, gather
from bot.phrases.conquest.lines import NoBorderError, Plan, make_example, make_plan
from bot.phrases.conquest.names import Name, find_names, is_in
from bot.phrases.conquest.pieces import Phrase, split_phrase
from bot.phrases.conquest.unknown import find_unknown_place
from bot.phrases.meaning import NotClearError
from bot.phrases.options import options_of
from bot.phrases.pieces import SHIPS
from bot.phrases.questions import BESIDE_BATTLE
from bot.phrases.tag import Tag, has_role, has_table, values_of
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
        is_firm: Whether it stands although a battle can be read in the phrase.
        is_open: Whether it names what shall be taken, so that a question back is about a map.
        example: A line about the same territories; "" if there is none.
        other: Its line with the places, where `line` is a battle; "" elsewhere.
    """

    tags: tuple[Tag, ...]
    line: str = ""
    problem: NotClearError | None = None
    is_sure: bool = False
    is_likely: bool = False
    targets: int = 0
    is_firm: bool = False
    is_open: bool = False
    example: str = ""
    other: str = ""


def read_conquest(
    words: Words, tags: Sequence[Tag], capitals: Set[str], saved: Collection[str], command: str
) -> ConquestPhrase | None:
    """Read a phrase about a map; None if it is about none.

    Args:
        words: Its words.
        tags: Their tags as a battle has them.
        capitals: The words that begin with a capital letter.
        saved: The names of presets.
        command: The command after which it is typed.
    """
    if not may_name_places(tags):
        return None
    board, names = _find_map(words)
    if board is None:
        return None
    phrase, known = split_phrase(words, names, capitals, saved), words.order[:2]
    asked = {*values_of(phrase.tags, "questions")} - {*BESIDE_BATTLE}
    if asked - {"need", *(["need defenders"] if _is_attack(phrase) else [])}:
        return None
    if wrong := find_unknown_place(board, phrase.tags, known):
        return ConquestPhrase(phrase.tags, problem=NotClearError(wrong), is_likely=True, is_firm=True)
    if not _has_places(names):
        return None
    situation, needs = gather(phrase.pieces), command == "need" or bool(asked)
    try:
        check_words(phrase.tags)
        plan = make_plan(board, situation, needs)
        line = _with_options(plan, phrase, situation, known, needs)
    except NotClearError as error:
        return _ask_back(error, board, phrase, situation, needs)
    line = f"{line} map:{board.key}" if board.key != USUAL_MAP else line
    battle = "" if needs or command == "conquer" else _battle_of(plan, line)
    tags = _with_sides(phrase.tags, situation)
    is_sure = _is_sure(board, plan, situation, phrase.tags)
    example = "" if plan.is_complete else make_example(board, situation, needs)
    is_firm = needs and plan.is_battle and not _is_defence(phrase, situation, plan, known)
    is_likely = not plan.is_battle or is_firm or command == "conquer"
    line, other = (battle, line) if battle else (line, "")
    return ConquestPhrase(tags, line, None, is_sure, is_likely, len(plan.targets), is_firm, True, example, other)


def _battle_of(plan: Plan, line: str) -> str:
    """Return the line of a plan without its places, if it is no more than a battle; "" if it is more."""
    if not plan.is_battle or not line.startswith(plan.line()) or " value:" in line or line.endswith(" most"):
        return ""
    options = line.removeprefix(plan.line()).replace(" leave:", " behind:")
    return f"{plan.battle()}{re.sub(' map:[^ ]+', '', options)}"


def _ask_back(error: NotClearError, board: Map, phrase: Phrase, situation: Situation, needs: bool) -> ConquestPhrase:
    """Return the question back about a phrase that leaves something open."""
    starts = situation.starts
    standing = any(mention.lead in ("from", "at") for mention in situation.mentions if mention.part.key in starts)
    is_firm = isinstance(error, NoBorderError) and standing
    far = isinstance(error, NoBorderError) or error.why == "out of reach"
    return ConquestPhrase(
        _with_sides(phrase.tags, situation),
        problem=error,
        is_likely=is_firm or _is_likely(situation) or bool(error.readings),
        is_firm=is_firm,
        is_open=_is_attack(phrase),
        example="" if far else make_example(board, situation, needs),
    )


def _is_attack(phrase: Phrase) -> bool:
    """Tell whether a phrase has a verb of attack."""
    return any(piece.kind == "attack" or piece.lead == "want" for piece in phrase.pieces)


def _is_defence(phrase: Phrase, situation: Situation, plan: Plan, known: Sequence[Vocabulary]) -> bool:
    """Tell whether a phrase is about armies that hold a territory: "in Siam if 12 attack from India"."""
    held = any(piece.kind == "hold" for piece in phrase.pieces)
    denied = any(word in some.negations for tag in phrase.tags for word in tag.text.split() for some in known)
    first = situation.mentions[0]
    return held or denied or (first.part.key in plan.targets and first.lead == "at")


def may_name_places(tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase may name places of a map: it has names or unknown words, and no units."""
    units = any(tag.table == "units" and tag.value not in SHIPS for tag in tags)
    return not units and has_table(tags, "names", "unknown", "presets")


def _find_map(words: Words) -> tuple[Map | None, list[Name]]:
    """Return the map that has the most places of a phrase, the usual one if several have as many, and the places."""
    languages = [known.language for known in words.order[:2]]
    best: tuple[Map | None, list[Name]] = (None, [])
    for board in usual_maps():
        names = find_names(board, words.tokens, languages)
        if len(names) > len(best[1]):
            best = board, names
    return best


def _has_places(names: Sequence[Name]) -> bool:
    """Tell whether there are a continent, or two territories."""
    keys = {name.part.key for name in names}
    return len(keys) > 1 or any(isinstance(name.part, Continent) for name in names)


def _is_likely(situation: Situation) -> bool:
    """Tell whether a phrase names a start and a continent, or several territories to take."""
    others = {mention.part.key for mention in situation.mentions} - situation.starts
    return bool(situation.starts) and (bool(situation.continents) or len(others) > 1)


def _is_sure(board: Map, plan: Plan, situation: Situation, tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase can be about no battle, and about no path through territories in a row."""
    if len(plan.targets) < 2 or not plan.is_complete:
        return False
    if not situation.loose and all(number is not None for number in _numbers_there(situation, plan)):
        return True  # "Siam 12 attacks Indonesia 3, then New Guinea 2"
    if has_role(tags, *IN_ORDER):
        return False
    row = pairwise([*plan.starts, *plan.targets])
    return bool(situation.continents) or not all(target in board.neighbours[start] for start, target in row)


def _numbers_there(situation: Situation, plan: Plan) -> Iterator[int | None]:
    """Yield for each territory the number right beside its name; starts have no other word beside them."""
    for key in (*plan.starts, *plan.targets):
        leads = ("",) if key in plan.starts else ("", "from", "at", "want")
        numbers = (
            mention.number for mention in situation.mentions if mention.part.key == key and mention.lead in leads
        )
        yield next((number for number in numbers if number is not None), None)


def _with_sides(tags: Sequence[Tag], situation: Situation) -> tuple[Tag, ...]:
    """Return tags in which places where attacks start have a table of their own."""
    starts = situation.starts
    return tuple(replace(tag, table="starts") if tag.table == "places" and tag.value in starts else tag for tag in tags)


def _with_options(plan: Plan, phrase: Phrase, situation: Situation, known: Sequence[Vocabulary], needs: bool) -> str:
    """Return the line of a plan with its options, its aim and its chance."""
    garrisons = {id(piece.tag) for piece in phrase.pieces if piece.kind == "each"}
    tags = [tag for tag in phrase.tags if id(tag) not in garrisons]
    chances, presets = values_of(tags, "chance"), values_of(tags, "presets")
    if has_table(tags, "die"):
        raise NotClearError("which dice")
    if chances and not needs:
        raise NotClearError("a chance beside a battle")
    if len(chances) > 1:
        raise NotClearError("need against how many")
    options = [*situation.ships, *["most"] * situation.most, *_options(tags, known)]
    if len(presets) > 1:
        raise NotClearError("a preset beside a battle")
    line = " ".join([*presets, plan.line(), *options, *chances])
    return f"/need {line}" if needs else line


def _options(tags: Sequence[Tag], known: Sequence[Vocabulary]) -> Iterator[str]:
    """Yield the options; who stays behind does so in each territory, unless the phrase counts those who must."""
    if worth := [_worth(tags, index) for index, tag in enumerate(tags) if _is_value(tag)]:
        yield f"value:{', '.join(worth)}"
    for tag in tags:
        if _is_value(tag):
            continue
        counted = any(is_in(word, known, "counted") for word in tag.text.split())
        for option in options_of([tag]):
            yield option if counted else option.replace("behind:", "leave:")


def _is_value(tag: Tag) -> bool:
    """Tell whether words say what a territory is worth."""
    return tag.table == "options" and tag.value.startswith("value:")


def _worth(tags: Sequence[Tag], index: int) -> str:
    """Return a value and the territory before it, as in "Indonesia is worth 3"; NotClearError if there is none."""
    before = [tag for tag in tags[:index] if not tag.means_nothing and not tag.is_role("have")]
    place = before[-1] if before and before[-1].table in ("places", "starts") else None
    number = next(iter(options_of([tags[index]])), "").removeprefix("value:")
    if place is None or not number:
        raise NotClearError("which territory")
    return f"{number} {place.value.replace('_', ' ')}"
