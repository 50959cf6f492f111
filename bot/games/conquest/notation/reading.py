"""Reads the line of a conquest: "12 siam > australia: 3 2 1 1 leave:2", to the conquest that it means, or to hold."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.errors import sentence_of
from bot.games.base import Claim, Reading
from bot.games.conquest.notation.fronts import NAMELESS, has_fronts, name_fronts
from bot.games.conquest.notation.holding import read_holding
from bot.games.conquest.notation.map_line import MapLine, Targets, likeliest_map, named_map_of, read_targets
from bot.games.conquest.notation.pieces import (
    MOST,
    NAMES,
    OWN_OPTIONS,
    PLACE,
    Parts,
    is_prose,
    pair_items,
    split_line,
)
from bot.games.conquest.notation.writing import (
    DECIMALS,
    Garrisons,
    boards_of,
    boards_on,
    leading_preset,
    several_text,
    unreadable_text,
    without_preset,
)
from bot.games.dice.notation.building import in_usual_game, take_garrison
from bot.games.dice.notation.reading import battle_of
from bot.languages import N_, _, join_texts
from bot.maps.map import Map, name_of_key
from bot.maps.reading import load_maps
from bot.notation.defaults import THROW_BY_THROW, current_defaults
from bot.notation.dice_options import ASKED_WITH_BATTLE, OPTIONS, QUESTION_WORDS
from bot.notation.lexer import DICE, Fields, ParsedOption, Token, normal, put
from bot.notation.mistakes import MatchupError, WrongCommandError
from bot.notation.reading import check_length
from solver import BattleError
from solver.conquest.conquest import MOST_FREE, MOST_WORTH, Aim, Conquest
from solver.conquest.holding import HOLDING_FIELDS
from solver.dice.battle import Battle

REFUSED = *ASKED_WITH_BATTLE, "side", "least", "survive"
"""Words about questions that conquests do not answer."""
REFUSAL = N_("`{word}` doesn't work with territories of a map.")
_WORD_OF_FIELD = {option.field: word for word, option in OWN_OPTIONS.items() if option.field}
_NAME_FIRST = re.compile(r"(\w+)\s*+=\s*+(\d+)")
MOST_NAMED = 4
"""The most territories without garrisons that an error names."""


class ConquestLine(NamedTuple):
    """The part of a line that its conquest does not hold.

    Attributes:
        asked_start: The start whose number the line leaves out; "" if it has them all.
        behind: How many of the number of each start must stay behind. They are not in the conquest.
        placing: The number of new armies, of which is asked where they go; None if that is not asked.
    """

    asked_start: str = ""
    behind: int = 0
    placing: int | None = None


def claims(text: str, saved: Mapping[str, str]) -> Claim:
    """Claim lines that have a sign `>` or a colon and the name of a territory, and presets with such a line."""
    line = normal(text)
    if is_conquest(line):
        return Claim.LIKELY if is_prose(line) else Claim.YES
    return Claim.LIKELY if _preset_name(line, saved) else Claim.NO


def is_conquest(line: str) -> bool:
    """Tell whether a normal line begins with an attack: "12 siam > ...", "12 from siam: ...", "12, 8 > ..."."""
    if has_fronts(line):
        return True
    # No `>` of "retreat:air>20%", beside a unit of a table that is called like a territory.
    match = re.match(r"([^>]*)>(?! ?[\d.]+ ?%)(.*)", line) or re.match(r"(.*\bfrom [^:>]*):(.*)", line)
    if not match:
        return False
    starts, targets = ([run[0] for run in NAMES.finditer(part) if run[0] not in OPTIONS] for part in match.groups())
    numbered = any(map(str.isdecimal, match[1].replace(",", " ").split()))
    return bool(numbered or targets) and any(knows(name.removeprefix("from ")) for name in starts)


def knows(name: str) -> bool:
    """Tell whether some map has a territory or a continent of this name, or of one with a word more on either side."""
    words = name.split()
    return any(
        known.has(" ".join(words[first:last]))
        for known in load_maps().values()
        for first, last in ((0, len(words)), (0, len(words) - 1), (1, len(words)))
        if first < last
    )


def _preset_name(line: str, saved: Mapping[str, str]) -> str:
    """Return the first word of a line if it is a preset with a conquest; "" if it is none."""
    word = line.split()[0].rstrip(",:") if line else ""
    return word if word in saved and ">" not in line and is_conquest(normal(saved[word])) else ""


def read(text: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    """Read a line as a conquest, or as a turn that is to be held."""
    check_length(text)
    line = normal(text)
    if name := _preset_name(line, saved):
        return _read_line(f"{normal(saved[name])}{line.removeprefix(name)}", {}, takes, lone)
    return _read_line(line, saved, takes, lone)


def _read_line(line: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    boards = boards_of(saved)
    named = leading_preset(line, boards)
    parts = split_line(without_preset(line, named))
    _check_question(line, parts, takes)
    reader = MapLine(line, _map(line, parts, named, boards))
    presets = [named] if named else boards_on(reader.map, boards)
    board = boards[presets[0]] if len(presets) == 1 else None
    known = board.garrisons if board else {}
    starts, asked = _starts(reader, parts, lone)
    targets = read_targets(reader, parts.targets, starts)
    garrisons = _garrisons(targets, known, _rest(reader, parts))
    if missing := [key for key in targets if key not in garrisons]:
        raise _missing_garrison(reader, targets[missing[0]][0], missing, presets, board, named)
    fields = _dice_fields(line, parts)
    rules = _rules(line, fields)
    free, behind, remarks = _take_behind(line, fields, starts, asked)
    conquest = _build(reader, parts, free, garrisons, rules, targets)
    has_preset = any(count is None and key in known for key, (_piece, count) in targets.items())
    of_turn = _remarks_of_turn(reader, parts, presets[0] if has_preset else "")
    asked_words = {"chance": parts.chance} if parts.chance is not None else {}
    holding, of_holding = read_holding(reader, parts, conquest, known, presets[0] if board else "")
    details = ConquestLine(asked, behind, reader.whole_number(parts.place) if parts.place else None)
    return Reading(holding or conquest, (*remarks, *of_turn, *of_holding), asked=asked_words, details=details)


def _garrisons(targets: Targets, known: Mapping[str, int], rest: int | None) -> dict[str, int]:
    """Return how many armies hold the targets, by the line, or else a preset, or else as the `rest`."""
    sizes = {key: known.get(key, rest) if count is None else count for key, (_piece, count) in targets.items()}
    return {key: count for key, count in sizes.items() if count is not None}


def _remarks_of_turn(reader: MapLine, parts: Parts, preset: str) -> Iterator[str]:
    """Yield what is said about the garrisons that a preset gave, and about targets in an order."""
    if preset:
        yield _("Garrisons from `{preset}`.", preset=preset)
    if parts.steps > 1 and reader.map.key != NAMELESS:
        yield _("The plan finds the best order by itself.")


def _map(line: str, parts: Parts, preset: str, boards: Mapping[str, Garrisons | None]) -> Map:
    """Return the map of a line; one of its own if its territories have no names."""
    pieces = [*parts.starts, *parts.targets]
    if has_fronts(line) and not any(piece.kind == "name" for piece in pieces):
        return name_fronts(line, parts)
    return named_map_of(line, parts.map, preset, boards[preset] if preset else None) or likeliest_map(pieces)


def _check_question(line: str, parts: Parts, takes: Collection[str]) -> None:
    """Raise WrongCommandError for words of a question that is not asked here."""
    for word in (*REFUSED, "chance"):
        if (piece := parts.words.get(word)) and (word != "chance" or word not in takes):
            reason = QUESTION_WORDS["chance"] if word == "chance" else REFUSAL
            raise WrongCommandError(line, piece.start, piece.end, _(reason, word=word))
    if parts.place and PLACE not in takes:
        reason = _("`place:` is a question of its own: `/conquer 12 siam, 8 china > 9 india place:6`.")
        raise WrongCommandError(line, parts.words[PLACE].start, parts.words[PLACE].end, reason)
    held = next((parts.words[word] for word in HOLDING_FIELDS if word in parts.words), None)
    if held and parts.place:
        raise MatchupError(line, held.start, held.end, _("Ask that and `place:` one after the other."))


def _starts(reader: MapLine, parts: Parts, lone: str) -> tuple[dict[str, ParsedOption], str]:
    """Return the player's territories with their armies, and the one whose number is asked for."""
    starts: dict[str, ParsedOption] = {}
    asked = ""
    for item in pair_items(parts.starts):
        reason = _("Where do these armies start? For example `12 siam > australia: 3 2 1 1`.")
        key, name = reader.find_start(item, starts, reason)
        if item.number is None and (not lone or asked):
            reason = _("How many armies attack from {territory}?", territory=reader.name(key))
            error = MatchupError(reader.text, name.start, name.end, reason)
            error.certain = bool(asked)
            raise error
        asked = asked if item.number else key
        armies = reader.whole_number(item.number) if item.number else 1
        starts[key] = ParsedOption(armies, item.first.start, (item.number or name).end)
    if not starts:
        reason = _("Where does the attack start? For example `12 siam > australia: 3 2 1 1`.")
        raise MatchupError(reader.text, 0, 1, reason)
    return starts, asked


def _rest(reader: MapLine, parts: Parts) -> int | None:
    """Return the garrison of territories that have none in the line."""
    if "rest" not in parts.options:
        return None
    numbers = [piece for piece in parts.options["rest"] if piece.kind == "number"]
    if len(numbers) != 1 or len(parts.options["rest"]) > 1:
        word = parts.words["rest"]
        reason = _("`{name}:` needs {wanted}.", name="rest", wanted=_("a whole number"))
        raise MatchupError(reader.text, word.start, word.end, reason)
    return reader.whole_number(numbers[0])


def _missing_garrison(
    reader: MapLine, piece: Token, keys: list[str], presets: list[str], board: Garrisons | None, named: str
) -> MatchupError:
    """Return the error for territories whose garrisons nobody knows."""
    more = ["…"] if len(keys) > MOST_NAMED else []
    names = join_texts(", ", [*map(reader.name, keys[:MOST_NAMED]), *more])
    example = f"{named} {name_of_key(keys[0])} 4".strip()
    if len(presets) > 1:
        reason = several_text(presets)
    elif presets and board is None:
        reason = unreadable_text(presets[0])
    elif presets:
        reason = _(
            "`{preset}` doesn't say how many armies hold {territories}. Type the number before the name, `rest:1` for "
            "all others, or `/map {example}`.",
            preset=presets[0],
            territories=names,
            example=example,
        )
    else:
        reason = _(
            "How many armies hold {territories}? Type the number before the name, `rest:1` for all others, or save "
            "it here: `/map {example}`.",
            territories=names,
            example=example,
        )
    better = f"{presets[0]} {reader.text}" if len(presets) > 1 else f"{reader.text} rest:1"
    return MatchupError(reader.text, piece.start, piece.end, reason, better=better)


def _dice_fields(line: str, parts: Parts) -> Fields:
    """Return the options of the dice."""
    fields: Fields = {}
    for token in parts.dice:
        put(line, fields, *DICE.read_option(line, token, "attack"))
    return in_usual_game(line, [fields])[0]


def _rules(line: str, fields: Fields) -> Battle:
    """Return the rules of the dice."""
    numbers = {side: ParsedOption(1, 0, len(line)) for side in ("attackers", "defenders")}
    rules = battle_of(line, numbers | {key: field for key, field in fields.items() if key != "behind"})
    return replace(rules, attackers=0, defenders=0)


def _take_behind(
    line: str, fields: Fields, starts: Mapping[str, ParsedOption], asked: str
) -> tuple[dict[str, int], int, tuple[str, ...]]:
    """Take from each start the armies that must stay behind, where that is asked for or usual.

    Returns:
        The free armies of each start, how many stay behind in each, and the remarks about it.
    """
    free: dict[str, int] = {}
    remarks: list[str] = []
    behind = 0
    for key, armies in starts.items():
        legs = [fields | {"attackers": armies, "defenders": ParsedOption(1, 0, 0)}]
        if key == asked:
            legs[0]["attackers"] = ParsedOption(MOST_FREE, 0, 0)
        behind, remark = take_garrison(line, legs, "")
        free[key] = armies.value if key == asked else legs[0]["attackers"].value
        remarks += () if key == asked else remark
    return free, behind, tuple(remarks)


def _build(
    reader: MapLine,
    parts: Parts,
    starts: Mapping[str, int],
    garrisons: Mapping[str, int],
    rules: Battle,
    pieces: Targets,
) -> Conquest:
    """Build the conquest; MatchupError points at what is wrong."""
    leave = _per_territory(reader, parts, "leave", garrisons)
    values = _per_territory(reader, parts, "value", garrisons)
    aim: Aim = "most" if MOST in parts.words else "value" if "value" in parts.words else "all"
    if MOST in parts.words and "value" in parts.words:
        word = parts.words[MOST]
        raise MatchupError(reader.text, word.start, word.end, _("Choose one aim: `most` or `value:`."))
    try:
        stays = {key: int(leave.get(key, leave.get("", 1))) for key in garrisons}
        worth = {key: values.get(key, values.get("", 1)) for key in garrisons} if aim == "value" else None
        conquest = Conquest.of(reader.map.neighbours, starts, garrisons, stays, aim, worth, rules)
        return replace(conquest, to_the_end=current_defaults().rules < THROW_BY_THROW)
    except BattleError as error:
        field, _dot, key = error.field.partition(".")
        target = pieces[key][0] if field == "targets" and key in pieces else None
        piece = target or parts.words.get(_WORD_OF_FIELD.get(field, field))
        start, end = (piece.start, piece.end) if piece else (0, len(reader.text))
        raise MatchupError(reader.text, start, end, sentence_of(error)) from None


def _per_territory(reader: MapLine, parts: Parts, word: str, targets: Collection[str]) -> dict[str, float]:
    """Return the numbers of an option by territory; under "" the one for all others."""
    numbers: dict[str, float] = {}
    for item in pair_items(parts.options.get(word, [])):
        piece = item.first
        if item.number is None:
            reason = _("Type a number before the name: `{word}:2 indonesia`.", word=word)
            turned = _NAME_FIRST.match(reader.text, piece.start)
            end, instead = (turned.end(), f"{turned[2]} {turned[1]}") if turned else (piece.end, "")
            raise MatchupError(reader.text, piece.start, end, reason, instead)
        count = _worth(reader, item.number) if word == "value" else reader.whole_number(item.number)
        territories = [""] if item.name is None else [territory.key for territory in reader.find(item.name)]
        keys = [key for key in territories if not key or key in targets]
        if not keys:
            assert item.name, "all others are always there"
            raise MatchupError(reader.text, piece.start, piece.end, _not_wanted_text(reader, territories))
        for key in keys:
            if key in numbers:
                raise MatchupError(reader.text, piece.start, piece.end, _("This is in the line twice."))
            numbers[key] = count
    if word in parts.words and not numbers:
        where = parts.words[word]
        raise MatchupError(
            reader.text, where.start, where.end, _("`{name}:` needs {wanted}.", name=word, wanted=_("a whole number"))
        )
    return numbers


def _worth(reader: MapLine, piece: Token) -> float:
    """Return the worth of a territory."""
    behind = re.match(r"\d*,\d+", reader.text[piece.start :])
    if behind:
        first, second = behind[0].split(",")
        reason = _("Is that `{decimal}` or `{list}`?", decimal=f"{first}.{second}", list=f"{first}, {second}")
        raise MatchupError(reader.text, piece.start, piece.start + behind.end(), reason)
    if float(piece.text) > MOST_WORTH:
        raise MatchupError(reader.text, piece.start, piece.end, _("This can be up to {most}.", most=MOST_WORTH))
    if len(piece.text.partition(".")[2]) > DECIMALS:
        reason = _("This can have up to {most} decimals.", most=DECIMALS)
        raise MatchupError(reader.text, piece.start, piece.end, reason)
    return float(piece.text)


def _not_wanted_text(reader: MapLine, keys: Sequence[str]) -> str:
    """Say that a territory, or all of a continent, is not to be taken."""
    if len(keys) == 1:
        return _("{territory} isn't one of the territories to take.", territory=reader.name(keys[0]))
    continents = reader.map.continents.values()
    name = next(continent.name for continent in continents if continent.territories == tuple(keys))
    return _("No territory to take is in {continent}.", continent=name)
