"""Reads the line of a conquest: "12 siam > australia: 3 2 1 1 leave:2", to the conquest that it means."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from bot.errors import sentence_of
from bot.games.base import Claim, Reading
from bot.games.conquest.notation.garrisons import (
    Garrisons,
    boards_on,
    named_board,
    saved_boards,
    several_text,
    typed_name,
    unreadable_text,
)
from bot.games.conquest.notation.map_line import MapLine
from bot.games.conquest.notation.pieces import MOST, NAMES, Parts, Piece, is_prose, pair_items, split_line
from bot.games.conquest.notation.writing import usual_maps
from bot.games.dice.notation.reading import battle_of, line_fields
from bot.games.dice.notation.usual_game import in_usual_game, take_garrison
from bot.languages import N_, _, join_texts
from bot.maps.map import Continent, Map
from bot.maps.reading import load_maps
from bot.notation.lexer import OPTIONS, QUESTION_WORDS, ParsedOption, normal
from bot.notation.mistakes import MatchupError, WrongCommandError
from solver import BattleError
from solver.conquest.conquest import MOST_FREE, MOST_WORTH, Aim, Conquest
from solver.dice.battle import Battle

REFUSED = "exact", "all", "advice", "side", "least", "survive"
"""Words about questions that conquests do not answer."""
REFUSAL = N_("`{word}` doesn't work with territories of a map.")
MOST_NAMED = 4
"""The most territories without garrisons that an error names."""


class ConquestLine(NamedTuple):
    """What a line says beside its conquest: the start whose number it leaves out, "" if it has them all."""

    asked_start: str = ""


def claims(text: str, saved: Mapping[str, str]) -> Claim:
    """Claim lines that have a sign `>` or a colon and the name of a territory, and presets with such a line."""
    line = normal(text)
    if _is_conquest(line):
        return Claim.YES
    return Claim.YES if _preset_name(line, saved) else Claim.NO


def _is_conquest(line: str) -> bool:
    """Tell whether a normal line begins with a territory that attacks: "12 siam > ...", "12 from siam: ..."."""
    found = re.match(r"([^>]*)>(.*)", line) or re.match(r"(.*\bfrom [^:>]*):(.*)", line)
    if not found:
        return False
    starts, targets = ([run[0] for run in NAMES.finditer(part) if run[0] not in OPTIONS] for part in found.groups())
    numbered = any(map(str.isdecimal, found[1].replace(",", " ").split()))
    return bool(numbered or targets) and any(knows(name.removeprefix("from ")) for name in starts)


def knows(name: str) -> bool:
    """Tell whether some map has a territory or a continent of this name, or of one with a word more on either side."""
    words = name.split()
    return any(
        found.has(" ".join(words[first:last]))
        for found in load_maps().values()
        for first, last in ((0, len(words)), (0, len(words) - 1), (1, len(words)))
        if first < last
    )


def _preset_name(line: str, saved: Mapping[str, str]) -> str:
    """Return the first word of a line if it is a preset with a conquest; "" if it is none."""
    word = line.split()[0].rstrip(",:") if line else ""
    return word if word in saved and ">" not in line and _is_conquest(normal(saved[word])) else ""


def read(text: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    """Read a line as a conquest."""
    line = normal(text)
    try:
        if name := _preset_name(line, saved):
            return _read_line(f"{normal(saved[name])}{line.removeprefix(name)}", {}, takes, lone)
        return _read_line(line, saved, takes, lone)
    except MatchupError as error:
        error.certain = _is_conquest(line) and not is_prose(line)
        raise


def _read_line(line: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    boards = saved_boards(saved)
    named = named_board(line, boards)
    parts = split_line(re.sub(r"^\S+", lambda word: " " * len(word[0]), line) if named else line)
    _check_question(line, parts, takes)
    reader = MapLine(line, _map_of_board(line, parts, named, boards[named]) if named else _find_map(line, parts))
    presets = [named] if named else boards_on(reader.found, boards)
    board = boards[presets[0]] if len(presets) == 1 else None
    known = board.garrisons if board else {}
    starts, asked = _starts(reader, parts, lone)
    targets = _targets(reader, parts, [key for key, _armies in starts])
    rest = _rest(reader, parts)
    garrisons: dict[str, int] = {}
    for key, (_piece, count) in targets.items():
        found = known.get(key, rest) if count is None else count
        if found is not None:
            garrisons[key] = found
    if missing := [key for key in targets if key not in garrisons]:
        raise _missing_garrison(reader, targets[missing[0]][0], missing, presets, board, named)
    rules = _rules(line, parts)
    conquest, remarks = _build(reader, parts, dict(starts), garrisons, rules, asked, targets)
    used = any(count is None and key in known for key, (_piece, count) in targets.items())
    of_board = (_("Garrisons from `{preset}`.", preset=presets[0]),) if used else ()
    path = (_("The plan finds the best order by itself."),) if parts.steps > 1 else ()
    asked_words = {"chance": parts.chance} if parts.chance is not None else {}
    return Reading(conquest, (*remarks, *of_board, *path), asked=asked_words, details=ConquestLine(asked))


def _check_question(line: str, parts: Parts, takes: Collection[str]) -> None:
    """Raise WrongCommandError for words of a question that is not asked here."""
    for word in (*REFUSED, "chance"):
        if (piece := parts.words.get(word)) and (word != "chance" or word not in takes):
            reason = QUESTION_WORDS["chance"] if word == "chance" else REFUSAL
            raise WrongCommandError(line, piece.start, piece.end, _(reason, word=word))


def _find_map(line: str, parts: Parts) -> Map:
    """Return the map that a line names, else the first one that has the first territory of the line."""
    maps = {found.key: found for found in usual_maps()}
    if parts.map:
        if parts.map.text not in maps:
            reason = _(
                "There is no map `{name}`. The maps are: {maps}.", name=parts.map.text[:40], maps=", ".join(maps)
            )
            raise MatchupError(line, parts.map.start, max(parts.map.end, parts.map.start + 1), reason)
        return maps[parts.map.text]
    names = [piece.text for piece in (*parts.starts, *parts.targets) if piece.kind == "name"]
    return max(maps.values(), key=lambda found: sum(map(found.has, names)))


def _map_of_board(line: str, parts: Parts, name: str, board: Garrisons | None) -> Map:
    """Return the map of the preset with garrisons that a line begins with; the line may name no other."""
    if board is None:
        raise MatchupError(line, 0, len(name), unreadable_text(name))
    if parts.map and parts.map.text != board.map:
        reason = _("`{preset}` has garrisons of the map `{map}`.", preset=name, map=board.map)
        raise MatchupError(line, parts.map.start, max(parts.map.end, parts.map.start + 1), reason)
    return load_maps()[board.map]


def _starts(reader: MapLine, parts: Parts, lone: str) -> tuple[list[tuple[str, int]], str]:
    """Return the player's territories with their armies, and the one whose number is asked for."""
    starts: dict[str, int] = {}
    asked = ""
    for item in pair_items(parts.starts):
        piece = item.first
        if item.name is None:
            reason = _("Where do these armies start? For example `12 siam > australia: 3 2 1 1`.")
            raise MatchupError(reader.text, piece.start, piece.end, reason)
        territories = reader.find(item.name)
        if len(territories) > 1:
            reason = _("An attack starts in one territory, not in a continent.")
            raise MatchupError(reader.text, item.name.start, item.name.end, reason)
        key = territories[0].key
        if key in starts:
            raise MatchupError(reader.text, piece.start, piece.end, _("This is in the line twice."))
        if item.number is None and (not lone or asked):
            reason = _("How many armies attack from {territory}?", territory=territories[0].name)
            raise MatchupError(reader.text, item.name.start, item.name.end, reason)
        asked = asked if item.number else key
        starts[key] = reader.whole_number(item.number) if item.number else 1
    if not starts:
        reason = _("Where does the attack start? For example `12 siam > australia: 3 2 1 1`.")
        raise MatchupError(reader.text, 0, 1, reason)
    return list(starts.items()), asked


def _targets(reader: MapLine, parts: Parts, starts: Collection[str]) -> dict[str, tuple[Piece, int | None]]:
    """Return the piece and the garrison of each territory to take; None for a garrison that the line does not say."""
    found: dict[str, tuple[Piece, int | None]] = {}
    group: list[str] = []
    numbers: list[Piece] = []
    header: Piece | None = None

    def add(key: str, piece: Piece, count: int | None) -> None:
        if key in found and found[key][1] is not None:
            raise MatchupError(reader.text, piece.start, piece.end, _("This is in the line twice."))
        found[key] = piece, count

    def close() -> None:
        if numbers:
            for key, number in _by_order(reader, header, group, numbers, found, starts):
                add(key, number, reader.whole_number(number))
        numbers.clear()

    for item in pair_items(parts.targets):
        if item.name is None:
            assert item.number is not None, "an item has a name or a number"
            numbers.append(item.number)
            continue
        territories = [one.key for one in reader.find(item.name)]
        if item.header or len(territories) > 1:
            close()
            header, group = item.name, [key for key in territories if key not in starts]
            for key in group:
                add(key, item.name, None)
            numbers.extend([item.number] if item.number else [])
            continue
        if territories[0] in starts:
            reason = _("{territory} is yours already: an attack starts there.", territory=reader.name(territories[0]))
            raise MatchupError(reader.text, item.name.start, item.name.end, reason)
        add(territories[0], item.name, reader.whole_number(item.number) if item.number else None)
    close()
    if not found:
        reason = _("Which territories do you want? For example `12 siam > australia: 3 2 1 1`.")
        raise MatchupError(reader.text, len(reader.text), len(reader.text) + 1, reason)
    return found


def _by_order(
    reader: MapLine,
    header: Piece | None,
    group: list[str],
    numbers: list[Piece],
    found: Mapping[str, tuple[Piece, int | None]],
    starts: Collection[str],
) -> Iterable[tuple[str, Piece]]:
    """Match numbers without names with the territories of a continent, in the order of the map."""
    start, end = numbers[0].start, numbers[-1].end
    if header is None:
        keys = _continent_with(reader, len(numbers), starts, start, end)
    else:
        keys = [key for key in group if found[key][1] is None]
    if len(keys) != len(numbers):
        names = join_texts(", ", [reader.name(key) for key in keys])
        reason = _("Type a number for each: {territories}.", territories=names)
        raise MatchupError(reader.text, start, end, reason)
    return zip(keys, numbers, strict=True)


def _continent_with(reader: MapLine, count: int, starts: Collection[str], start: int, end: int) -> list[str]:
    """Return the territories of the only continent in reach that has so many to take."""
    ways: list[tuple[Continent, list[str]]] = []
    for continent in reader.found.continents.values():
        keys = [key for key in continent.territories if key not in starts]
        near = any(other in keys for one in starts for other in reader.found.neighbours[one])
        if len(keys) == count and near:
            ways.append((continent, keys))
    if len(ways) == 1:
        return ways[0][1]
    reason = _("Say which continent: `20 siam > australia: 3 2 1 1`.")
    if ways:
        names = join_texts(", ", [continent.name for continent, _keys in ways])
        reason = _("Say which continent: {continents}.", continents=names)
    raise MatchupError(reader.text, start, end, reason)


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
    reader: MapLine, piece: Piece, keys: list[str], presets: list[str], board: Garrisons | None, named: str
) -> MatchupError:
    """Return the error for territories whose garrisons nobody knows."""
    more = ["…"] if len(keys) > MOST_NAMED else []
    names = join_texts(", ", [*map(reader.name, keys[:MOST_NAMED]), *more])
    example = f"{named} {typed_name(keys[0])} 4".strip()
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
    error = MatchupError(reader.text, piece.start, piece.end, reason)
    error.better = f"{presets[0]} {reader.text}" if len(presets) > 1 else f"{reader.text} rest:1"
    return error


def _rules(line: str, parts: Parts) -> Battle:
    """Return the rules of the dice."""
    legs = in_usual_game(parts.dice, line_fields(parts.dice, {}))
    numbers = {side: ParsedOption(1, 0, len(line)) for side in ("attackers", "defenders")}
    fields = legs[0]
    fields.pop("behind", None)
    try:
        rules = battle_of(parts.dice, numbers | fields)
    except MatchupError as error:
        raise MatchupError(line, error.start, error.end, error.reason, "") from None
    return replace(rules, attackers=0, defenders=0)


def _build(
    reader: MapLine,
    parts: Parts,
    starts: Mapping[str, int],
    garrisons: Mapping[str, int],
    rules: Battle,
    asked: str,
    pieces: Mapping[str, tuple[Piece, int | None]],
) -> tuple[Conquest, tuple[str, ...]]:
    """Build the conquest; MatchupError points at what is wrong."""
    leave = _per_territory(reader, parts, "leave", garrisons)
    values = _per_territory(reader, parts, "value", garrisons)
    aim: Aim = "most" if MOST in parts.words else "value" if "value" in parts.words else "all"
    if MOST in parts.words and "value" in parts.words:
        word = parts.words[MOST]
        raise MatchupError(reader.text, word.start, word.end, _("Choose one aim: `most` or `value:`."))
    behind, remarks = _take_garrisons(reader, parts, starts, rules, asked)
    try:
        stays = {key: int(leave.get(key, leave.get("", 1))) for key in garrisons}
        worth = {key: values.get(key, values.get("", 1)) for key in garrisons} if aim == "value" else None
        return Conquest.of(reader.found.neighbours, behind, garrisons, stays, aim, worth, rules), remarks
    except BattleError as error:
        field, _dot, key = error.field.partition(".")
        told = pieces[key][0] if field == "targets" and key in pieces else None
        piece = told or parts.words.get({"values": "value"}.get(field, field))
        start, end = (piece.start, piece.end) if piece else (0, len(reader.text))
        raise MatchupError(reader.text, start, end, sentence_of(error)) from None


def _take_garrisons(
    reader: MapLine, parts: Parts, starts: Mapping[str, int], rules: Battle, asked: str
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Take those who must stay behind from the armies of each start, where that is asked for or usual."""
    free: dict[str, int] = {}
    remarks: list[str] = []
    for key, armies in starts.items():
        fields = line_fields(parts.dice, {})
        legs = [
            fields[0] | {"attackers": ParsedOption(armies, 0, len(reader.text)), "defenders": ParsedOption(1, 0, 0)}
        ]
        _behind, remark = (0, ()) if key == asked or rules.faces else take_garrison(reader.text, legs, "")
        free[key] = legs[0]["attackers"].value
        remarks += remark
    return free, tuple(remarks)


def _per_territory(reader: MapLine, parts: Parts, word: str, targets: Collection[str]) -> dict[str, float]:
    """Return the numbers of an option by territory; under "" the one for all others."""
    numbers: dict[str, float] = {}
    most = MOST_FREE if word == "leave" else MOST_WORTH
    for item in pair_items(parts.options.get(word, [])):
        piece = item.first
        if item.number is None:
            reason = _("Type a number before the name: `{word}:2 siam`.", word=word)
            raise MatchupError(reader.text, piece.start, piece.end, reason)
        count = float(item.number.text) if word == "value" else reader.whole_number(item.number)
        if count > most:
            reason = _("This can be up to {most}.", most=most)
            raise MatchupError(reader.text, item.number.start, item.number.end, reason)
        keys = [""] if item.name is None else [one.key for one in reader.find(item.name)]
        if len(keys) == 1 and keys[0] and keys[0] not in targets:
            reason = _("{territory} is none of the territories to take.", territory=reader.name(keys[0]))
            raise MatchupError(reader.text, piece.start, piece.end, reason)
        for key in keys:
            if key in numbers:
                raise MatchupError(reader.text, piece.start, piece.end, _("This is in the line twice."))
            if not key or key in targets:
                numbers[key] = count
    if word in parts.words and not numbers:
        where = parts.words[word]
        raise MatchupError(
            reader.text, where.start, where.end, _("`{name}:` needs {wanted}.", name=word, wanted=_("a whole number"))
        )
    return numbers
