"""Reads a phrase about territories of a map, and tells whether that is what it asks."""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.maps.map import Map, name_of_key
from bot.maps.reading import usual_maps
from bot.phrases.asking import check_words
from bot.phrases.conquest.gathering import OURS, Situation, gather
from bot.phrases.conquest.holding import After, OpenTurnError, split_after
from bot.phrases.conquest.lines import FarError, Plan, make_example, make_plan
from bot.phrases.conquest.names import Name, find_names, is_in
from bot.phrases.conquest.pieces import Phrase, Piece, split_phrase
from bot.phrases.conquest.standing import are_of_turn
from bot.phrases.conquest.unknown import find_unknown_place
from bot.phrases.meaning import NotClearError, Rule, refuse
from bot.phrases.options import options_of
from bot.phrases.pieces import SHIPS
from bot.phrases.questions import BESIDE_BATTLE
from bot.phrases.tag import Tag, has_role, has_table, tag_at, values_of
from bot.phrases.vocabulary import Vocabulary
from bot.phrases.words import PAUSES, Words

IN_ORDER = ("then", "through", "attack through")
"""The roles of words that say in which order an army goes through territories."""


@dataclass
class ConquestPhrase:
    """The content of a phrase about a map.

    Attributes:
        tags: Its words.
        line: Its line of notation; "" if it leaves something open.
        problem: The question that it leaves open then.
        is_sure: Whether it can be nothing else.
        is_likely: Whether it names where an attack starts and what it shall take.
        targets: How many territories it names.
        is_firm: Whether it stands although a battle can be read in the phrase.
        is_open: Whether it names what shall be taken, so that a question back is about a map.
        example: A line about the same territories; "" if there is none.
        other: Its line with the places, where `line` is a battle; "" elsewhere.
        is_turn: Whether it says what shall be after the turn, which no battle can.
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
    is_turn: bool = False


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
    board, names = _find_places(words, tags)
    if board is None:
        return None
    phrase, known = split_phrase(words, names, capitals, saved), words.languages
    asked = {*values_of(phrase.tags, "questions")} - {*BESIDE_BATTLE}
    if asked - _possible_questions(phrase):
        return None
    if wrong := find_unknown_place(board, phrase.tags, known):
        return ConquestPhrase(phrase.tags, problem=NotClearError(wrong), is_likely=True, is_firm=True)
    if not are_of_turn(names):
        return None
    needs = command == "need" or bool(asked)
    pieces, after = split_after(phrase.pieces, needs)
    situation = gather(pieces)
    tags = _with_sides(phrase.tags, situation)
    try:
        check_words(phrase.tags)
        plan = make_plan(board, situation, needs)
        line, battle = _write_lines(plan, phrase, situation, known, needs)
        _check_neighbour(plan, line, phrase.tags, known)
        after.check(board, plan, situation, line)
    except NotClearError as problem:
        return _ask_back(problem, tags, board, phrase, situation, needs, after)
    if after:
        line, battle = f"{line} {after.options(situation)}", ""
    line = f"{line} map:{board.key}"
    is_firm = _is_retaken(pieces) or _is_firm_battle(phrase, situation, plan, known, needs)
    line, other = (battle, line) if battle and command != "conquer" else (line, "")
    return ConquestPhrase(
        tags,
        line,
        is_sure=_is_sure(board, plan, situation, phrase.tags),
        is_likely=not plan.is_battle or is_firm or bool(after) or command == "conquer",
        targets=len(plan.targets),
        is_firm=is_firm,
        is_open=True,
        example=_make_example(board, situation, needs, after),
        other=other,
        is_turn=bool(after),
    )


def _check_neighbour(plan: Plan, line: str, tags: Sequence[Tag], known: Sequence[Vocabulary]) -> None:
    """Raise NotClearError if an enemy may only be a neighbour that strikes back: "India 3, China next to it has 8"."""
    neighbour = _find_neighbour(tags, known)
    armies = plan.targets.get(neighbour)
    rest = {key: garrison for key, garrison in plan.targets.items() if key != neighbour}
    if armies and rest and not plan.row:
        counter = f"{replace(plan, targets=rest).line()} counter:{armies} {name_of_key(neighbour)}"
        raise NotClearError("which targets", counter, line)


def _find_neighbour(tags: Sequence[Tag], known: Sequence[Vocabulary]) -> str:
    """Return the territory beside a word such as "next to": right before it, else the first one behind; "" if none."""
    at = next((index for index in range(len(tags)) if _is_beside(tags, index, known)), len(tags))
    before = [tag for tag in tags[:at] if tag.table in ("places", "number") or tag.text in PAUSES]
    places = [*before[-1:], *tags[at:]]
    return next((tag.value for tag in places if tag.table == "places"), "") if at < len(tags) else ""


def _is_beside(tags: Sequence[Tag], index: int, known: Sequence[Vocabulary]) -> bool:
    """Tell whether a word says that a neighbour follows: "next to", or "also" in "he also has 6 in China"."""
    beside = [tag_at(tags, index + step) for step in (-1, 1)]
    also = is_in(tags[index].text, known, "also") and any(tag.is_role("have") for tag in beside)
    return also or is_in(tags[index].text, known, "beside")


def _make_example(board: Map, situation: Situation, needs: bool, after: After) -> str:
    """Return a line with what a phrase says of a turn and of the time after it; "" if there is none."""
    line = make_example(board, situation, needs)
    return f"{line} {after.options(situation)}".strip() if line else ""


def _find_places(words: Words, tags: Sequence[Tag]) -> tuple[Map | None, Sequence[Name]]:
    """Return the map that has the most places of a phrase, and these; no map for a phrase about none."""
    units = any(tag.table == "units" and tag.value not in SHIPS for tag in tags)
    if units or not has_table(tags, "names", "unknown", "presets"):
        return None, ()
    languages = [vocabulary.language for vocabulary in words.languages]
    named = [(board, find_names(board, words.tokens, languages)) for board in usual_maps()]
    board, names = max(named, key=lambda pair: len(pair[1]))
    return (board, names) if names else (None, ())


def idle_places(words: Words, tags: Sequence[Tag]) -> str:
    """Return the places of a map that make no difference for a battle: "China" in "12 from China against 9"."""
    board, names = _find_places(words, tags)
    idle = {tag.start for tag in tags if tag.table == "names"}
    unused = (words.tokens[name.start : name.end] for name in names if board and name.start in idle)
    return " ".join(token.text for tokens in unused for token in tokens)


def _ask_back(
    problem: NotClearError,
    tags: tuple[Tag, ...],
    board: Map,
    phrase: Phrase,
    situation: Situation,
    needs: bool,
    after: After,
) -> ConquestPhrase:
    """Return the question back about a phrase that leaves something open."""
    far = isinstance(problem, FarError)
    if after and problem.why == "which start":
        problem = NotClearError(problem.why, *_with_options(problem.readings, after, situation))
    return ConquestPhrase(
        tags,
        problem=problem,
        is_likely=far or bool(after or problem.readings or (situation.starts and situation.continents)),
        is_firm=far or isinstance(problem, OpenTurnError),
        is_open=_is_attack(phrase),
        example="" if far else _make_example(board, situation, needs, after),
        is_turn=bool(after),
    )


def _with_options(lines: Sequence[str], after: After, situation: Situation) -> Iterator[str]:
    """Yield the lines of turns, each from another start, with what is said of the time after; no enemy starts one."""
    for line in lines:
        start = line.partition(" >")[0].lstrip("0123456789 ")
        if start not in map(name_of_key, after.counters):
            yield f"{line} {after.options(situation)}"


def _is_attack(phrase: Phrase) -> bool:
    """Tell whether a phrase has a verb of attack."""
    return any(piece.kind == "attack" or piece.lead == "want" for piece in phrase.pieces)


def _is_retaken(pieces: Sequence[Piece]) -> bool:
    """Tell whether a territory is taken back: "he takes India with 3, can I take it back with 12 from Siam"."""
    return any(piece.kind == "counter" for piece in pieces)


def _possible_questions(phrase: Phrase) -> Set[str]:
    """Return the questions that can be about a map: an attack may be said to be about its defenders."""
    return {"need", "need defenders"} if _is_attack(phrase) else {"need"}


def _is_firm_battle(phrase: Phrase, situation: Situation, plan: Plan, known: Sequence[Vocabulary], needs: bool) -> bool:
    """Tell whether a question how many a battle needs asks nobody to hold: "in Siam if 12 attack from India"."""
    held = any(piece.kind == "hold" for piece in phrase.pieces)
    denied = any(word in some.negations for tag in phrase.tags for word in tag.text.split() for some in known)
    first = situation.mentions[0]
    is_defence = held or denied or (first.part.key in plan.targets and first.lead == "at")
    return needs and plan.is_battle and not is_defence


def _is_sure(board: Map, plan: Plan, situation: Situation, tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase can be about no battle, and about no path through territories in a row."""
    mentions, loose = situation.mentions, situation.ours or situation.theirs
    if not loose and all(place.number is not None for place in mentions):
        starts = [place for place in mentions if place.lead and place.side == OURS]
        if len(starts) != 1:  # "Siam 12 attacks Indonesia 3, then New Guinea 2", "with 12 from Siam and 8 from China"
            return True
    row = pairwise([*plan.starts, *plan.targets])
    through = bool(situation.continents) or not all(target in board.neighbours[start] for start, target in row)
    return through and not has_role(tags, *IN_ORDER)


def _with_sides(tags: Sequence[Tag], situation: Situation) -> tuple[Tag, ...]:
    """Return tags in which places where attacks start have a table of their own."""
    starts = situation.starts
    return tuple(replace(tag, table="starts") if tag.table == "places" and tag.value in starts else tag for tag in tags)


def _write_lines(
    plan: Plan, phrase: Phrase, situation: Situation, known: Sequence[Vocabulary], needs: bool
) -> tuple[str, str]:
    """Return the line of a plan with its options, its aim and its chance; then its line as a battle without places."""
    garrisons = {id(piece.tag) for piece in phrase.pieces if piece.kind == "each"}
    tags = [tag for tag in phrase.tags if id(tag) not in garrisons]
    chances, presets = values_of(tags, "chance"), values_of(tags, "presets")
    refuse(_DOUBTS, (tags, len(chances) - needs, len(presets)))
    options = [*situation.ships, *_options(tags, known)]
    line = " ".join([*presets, plan.line(), *options, *["most"] * situation.most, *chances])
    if needs or presets or situation.most or not plan.is_battle or any("value:" in option for option in options):
        return f"/need {line}" if needs else line, ""
    numbers = map(str, (*plan.starts.values(), *plan.targets.values()))
    return line, " ".join([*numbers, *(option.replace("leave:", "behind:") for option in options)])


_DOUBTS: Sequence[Rule[tuple[list[Tag], int, int], str]] = (
    Rule("with d8", lambda it: has_table(it[0], "die"), "which dice"),
    Rule("80%", lambda it: it[1] > 0, "a chance beside a battle"),
    Rule("two presets", lambda it: it[2] > 1, "a preset beside a battle"),
    Rule("lose at most 4", lambda it: _asks_about_end(it[0]), "a number is left"),
)
"""Contents that no line of a conquest can have: in the words, by the chances that nobody asks for, by the presets."""


def _asks_about_end(tags: Sequence[Tag]) -> bool:
    """Tell whether words ask about an end, such as how many are lost, which no answer about a map tells."""
    return any(tag.numbers for tag in tags if tag.table == "outlooks")


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
