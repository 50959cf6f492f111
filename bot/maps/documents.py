"""JSON documents that name a map: gives them the neighbours of its territories, and each territory its key."""

from collections.abc import Mapping
from typing import Any

from bot.errors import UserError
from bot.languages import compose
from bot.maps.map import Map, Territory
from bot.maps.reading import load_maps
from solver.errors import quoted

NUMBERS = "starts", "targets", "leave", "values", "hold", "counter"
"""The fields that may have a number for each territory."""


def with_neighbours(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the neighbours of its `map` in place of the name, and with the keys of its territories.

    Territories may go by any name. The name of a continent stands for those of its territories that are not named in
    the same field: in `targets` without the starts, in `leave`, `values` and `hold` only for targets. UserError if the
    map is unknown, or something on it has no such name or is named twice.
    """
    key = document["map"]
    if not isinstance(key, str) or key not in load_maps():
        raise UserError(f"map: there is no map {quoted(key)}; the maps are {', '.join(load_maps())}.")
    if "neighbours" in document:
        raise UserError("neighbours: the map has them already; leave out one of the two.")
    board = load_maps()[key]
    whole = {name: value for name, value in document.items() if name != "map"}
    for field in NUMBERS:
        if isinstance(whole.get(field), dict):
            whole[field] = _by_key(board, field, whole)
    return {**whole, "neighbours": {key: list(near) for key, near in board.neighbours.items()}}


def _by_key(board: Map, field: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers in a field by the keys of the territories; the fields before it have keys already."""
    named: dict[str, Any] = {}
    of_continents: dict[str, Any] = {}
    for name, number in document[field].items():
        territories = _find(board, field, name)
        into = named if len(territories) == 1 else of_continents
        for territory in territories:
            if territory.key in into:
                raise UserError(f"{field}.{quoted(name)[1:-1]}: {territory.key} is named twice.")
            into[territory.key] = number
    if field != "starts" and isinstance(starts := document.get("starts"), dict):
        of_continents = {key: number for key, number in of_continents.items() if key not in starts}
    if field in ("leave", "values", "hold") and isinstance(targets := document.get("targets"), dict):
        of_continents = {key: number for key, number in of_continents.items() if key in targets}
    return of_continents | named


def _find(board: Map, field: str, name: str) -> tuple[Territory, ...]:
    try:
        return board.find(name)
    except UserError as error:
        raise UserError(compose("{field}: {reason}", field=field, reason=error.text)) from None
