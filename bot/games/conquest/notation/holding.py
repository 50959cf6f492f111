"""Reads what is to be held after a turn: "then fortify hold:3 indonesia counter:8 china"."""

from collections.abc import Mapping, Sequence
from typing import Literal

from bot.errors import sentence_of
from bot.games.conquest.notation.map_line import MapLine
from bot.games.conquest.notation.pieces import COUNTER, FORTIFY, HOLD, MOST, Item, Parts, pair_items
from bot.languages import N_, _, join_texts
from bot.maps.map import Map, Territory, name_of_key
from bot.notation.lexer import ParsedOption, Token
from bot.notation.mistakes import MatchupError
from solver import BattleError
from solver.conquest.conquest import Conquest
from solver.conquest.holding import FAR, HOLDING_FIELDS, Holding

_WORDS = {"aim": (MOST, "value"), "leave": ("leave",), "counter": (COUNTER,), "hold": (HOLD,)}
"""The words that may be wrong, by the field that an error names."""


def read_holding(
    reader: MapLine, parts: Parts, conquest: Conquest, garrisons: Mapping[str, int], preset: str
) -> tuple[Holding | None, tuple[str, ...]]:
    """Return what a line wants to hold after its turn, None if it wants nothing, and the remarks about it.

    Args:
        reader: The line and its map.
        parts: The parts of the line.
        conquest: The turn.
        garrisons: The garrisons of the preset that the line uses.
        preset: The name of the preset.

    Raises:
        MatchupError: If there is a mistake in the line.
    """
    words = [word for word in HOLDING_FIELDS if word in parts.words]
    if not words:
        return None, ()
    targets = [target.name for target in conquest.targets]
    least, remarks = _read_least(reader, parts, targets)
    counters, from_preset, places = _read_counters(reader, parts, garrisons)
    if not counters and (COUNTER in words or not least):
        counters = from_preset = _enemies(reader.map, conquest, garrisons)
        if not counters:
            reason = _("Who attacks then, or how many must stand? For example `counter:8 china` or `hold:3 indonesia`.")
            raise _mistake(reader, parts.words[words[0]], reason)
    if from_preset:
        armies = join_texts(", ", [f"{count} {reader.name(key)}" for key, count in from_preset.items()])
        text = N_("From `{preset}` attack {armies}: one army of each garrison stays behind.")
        remarks = (*remarks, _(text, preset=preset, armies=armies))
    try:
        return Holding.of(conquest, reader.map.neighbours, least, counters, _read_last_move(reader, parts)), remarks
    except BattleError as error:
        field, _dot, key = error.field.partition(".")
        named = (parts.words[word] for word in (*_WORDS.get(field, ()), *words) if word in parts.words)
        mistake = _mistake(reader, places.get(key) or next(named), sentence_of(error))
        mistake.certain = True  # It is all read, so no phrase.
        raise mistake from None


def _read_last_move(reader: MapLine, parts: Parts) -> bool | Literal["far"]:
    """Return whether armies may move after the attacks, and whether also to far territories."""
    word = parts.words.get(FORTIFY)
    if word is None or word.value[1] is None:
        return word is not None
    if word.value[1] != FAR:
        reason = _("`fortify` goes to a neighbour, `fortify:far` through all your territories that are connected.")
        raise _mistake(reader, word, reason)
    return FAR


def _mistake(reader: MapLine, where: ParsedOption | Token, reason: str) -> MatchupError:
    return MatchupError(reader.text, where.start, where.end, reason)


def _items(reader: MapLine, parts: Parts, word: str) -> list[Item]:
    """Return the names and numbers behind a word, perhaps with a sign between them: "indonesia=3"."""
    pieces = parts.options.get(word, [])
    for place, piece in enumerate(pieces):
        if piece.kind == "colon" and (not place or pieces[place - 1].kind != "name"):
            reason = _("I don't understand `{word}` here.", word=piece.text)
            raise MatchupError(reader.text, piece.start, piece.end, reason)
    return list(pair_items([piece for piece in pieces if piece.kind != "colon"]))


def _read_least(reader: MapLine, parts: Parts, targets: Sequence[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return how many armies must stand in which targets, and what a continent means there."""
    least: dict[str, int] = {}
    remarks: tuple[str, ...] = ()
    for item in _items(reader, parts, HOLD):
        piece = item.first
        if item.number is None:
            reason = _("Type a number before the name: `{word}:2 indonesia`.", word=HOLD)
            raise MatchupError(reader.text, piece.start, piece.end, reason)
        territories = reader.find(item.name) if item.name else ()
        keys = list(targets) if not item.name else _border(reader.map, territories, targets)
        if not keys:
            reason = _("None of the territories to take is on the border of this continent: name a territory.")
            if len(territories) == 1:
                reason = _("{territory} isn't one of the territories to take.", territory=territories[0].name)
            raise MatchupError(reader.text, piece.start, piece.end, reason)
        if len(territories) > 1:
            names = join_texts(", ", [reader.name(key) for key in keys])
            remarks = (_("In a continent you hold its border: {territories}.", territories=names),)
        for key in keys:
            if key in least:
                raise MatchupError(reader.text, piece.start, piece.end, _("This is in the line twice."))
            least[key] = reader.whole_number(item.number)
    return least, remarks


def _border(board: Map, territories: Sequence[Territory], targets: Sequence[str]) -> list[str]:
    """Return the targets of which a name means to hold: its territory, or those at the border of a continent."""
    inside = {territory.key for territory in territories}
    alone = len(territories) == 1
    return [key for key in targets if key in inside and (alone or not inside.issuperset(board.neighbours[key]))]


def _read_counters(
    reader: MapLine, parts: Parts, garrisons: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int], dict[str, Token]]:
    """Return the armies that attack after the turn, by their territories, those that a preset knows, and the names."""
    counters: dict[str, int] = {}
    places: dict[str, Token] = {}
    known: dict[str, int] = {}
    for item in _items(reader, parts, COUNTER):
        reason = _("Where do these armies attack from? For example `counter:8 china`.")
        key, name = reader.find_start(item, counters, reason)
        piece, places[key] = item.first, name
        if item.number is None:
            known[key] = garrisons.get(key, 0) - 1
        counters[key] = reader.whole_number(item.number) if item.number else known[key]
        if counters[key] < 1:
            reason = _("How many armies attack from {territory}?", territory=reader.name(key))
            better = f"{reader.text[: piece.start]}8 {name_of_key(key)}{reader.text[piece.end :]}"
            raise MatchupError(reader.text, piece.start, piece.end, reason, better=better)
    return counters, known, places


def _enemies(board: Map, conquest: Conquest, garrisons: Mapping[str, int]) -> dict[str, int]:
    """Return the armies of the neighbours that may attack after a turn: all of each garrison but one."""
    targets = {target.name for target in conquest.targets}
    ours = targets.union(dict(conquest.starts))
    return {
        key: count - 1
        for key, count in garrisons.items()
        if count > 1 and key not in ours and targets.intersection(board.neighbours[key])
    }
