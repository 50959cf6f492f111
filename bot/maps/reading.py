"""Reads maps from data, so that one more needs no code, and checks them.

A file is a map; config/maps/classic.toml says how it is written.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import dist
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bot.errors import UserError
from bot.host_files import data_files, read_tables
from bot.languages import ENGLISH, LANGUAGES
from bot.maps.map import WORDS as MAP_WORDS
from bot.maps.map import Border, Continent, Map, Names, Part, Territory, common_form
from bot.notation.asked_ends import TYPED as ASKED_ENDS
from bot.notation.dice_options import OPTIONS, QUESTION_WORDS, SYNONYMS
from bot.packs import KEY
from bot.settings import CONFIG
from solver.errors import quoted

FOLDER = CONFIG / "maps"
OWN = Path("config", "maps")
USUAL_MAP = "classic"
"""The key of the map that people mean if they name none."""
MOST_TERRITORIES = 200
MOST_NAMES = 20
"""The most other names of a territory in a language."""
MOST_LETTERS = {"name": 32, "short": 12, "source": 300}
LEAST_DISTANCE = 4
"""The least distance between two places on the picture, in percent of it."""
MOST_BONUS = 99
FIELDS = {
    "": (*LANGUAGES, "source", "borders", "around", "continents", "territories"),
    "continents": (*LANGUAGES, "bonus", "territories"),
    "territories": (*LANGUAGES, "place"),
    "names": ("name", "short", "also"),
}
WORDS = frozenset((*MAP_WORDS, *OPTIONS, *QUESTION_WORDS, *SYNONYMS)) - ASKED_ENDS
"""Words that no name may have, as they mean something else in lines."""
_KEY = re.compile(r"(?=.{2,32}$)[a-z]+(_[a-z]+)*")
_NAME = re.compile(r"[^\W\d_]+([ .'’-]{1,2}[^\W\d_]+)*\.?")


@lru_cache
def load_maps(folder: Path = FOLDER, own: Path = OWN) -> Mapping[str, Map]:
    """Load the maps by their keys: those of the folder, then the host's own, which add to them or replace them.

    Files are read once, when a map is first needed. UserError says what is wrong, and where.
    """
    return MappingProxyType({file.stem: _read(file) for file in data_files(folder, own)})


def usual_maps() -> list[Map]:
    """Return all maps, the one first that people mean if they name none."""
    return sorted(load_maps().values(), key=lambda board: board.key != USUAL_MAP)


class _WrongFieldError(Exception):
    """A field of a map is wrong; the first argument is its name, with dots, and the second one the reason."""


def _read(file: Path) -> Map:
    if not KEY.fullmatch(file.stem):
        raise UserError(f"{file}: a name is 2 to 24 small letters, digits and single hyphens between them.")
    document = read_tables(file)
    try:
        return _map(file.stem, document)
    except _WrongFieldError as error:
        field, reason = error.args
        raise UserError(f"{file}, {field}: {reason}.") from None


def _map(key: str, document: dict[str, Any]) -> Map:
    _check_fields("", document, "")
    source = document.get("source")
    _check_english("", document)
    names = {code: _name(code, document.get(code, document[ENGLISH]), MOST_LETTERS["name"]) for code in LANGUAGES}
    if not isinstance(source, str) or not 0 < len(source) <= MOST_LETTERS["source"]:
        raise _WrongFieldError("source", f"it must be a text of 1 to {MOST_LETTERS['source']} letters")
    territories = {key: _territory(key, table) for key, table in _tables(document, "territories")}
    _check_distances(territories)
    continents = {key: _continent(key, table, territories) for key, table in _tables(document, "continents")}
    _check_continents(continents, territories)
    _check_names(territories, continents)
    board = Map(key, names, source, territories, continents, _borders(document, territories))
    _check_connected(board)
    return board


def _check_fields(field: str, table: Mapping[str, Any], kind: str) -> None:
    for name in table:
        if name not in FIELDS[kind]:
            reason = f"there is no such field; the fields are {', '.join(FIELDS[kind])}"
            raise _WrongFieldError(_join(field, quoted(name)[1:-1]), reason)


def _tables(document: Mapping[str, Any], kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    tables = document.get(kind)
    if not isinstance(tables, dict) or not tables:
        raise _WrongFieldError(kind, f"there must be a table for each, such as [{kind}.siam]")
    if len(tables) > MOST_TERRITORIES:
        raise _WrongFieldError(kind, f"there are {len(tables)}, and {MOST_TERRITORIES} are the most")
    for key, table in tables.items():
        if not _KEY.fullmatch(key):
            reason = "a key is 2 to 32 small letters from a to z, with single underscores between them"
            raise _WrongFieldError(_join(kind, quoted(key)), reason)
        if not isinstance(table, dict):
            raise _WrongFieldError(_join(kind, key), f"it must be a table of fields, not {quoted(table)}")
        _check_fields(_join(kind, key), table, kind)
        yield key, table


def _names(field: str, table: Mapping[str, Any]) -> dict[str, Names]:
    """Return the names in each language; the English ones where a language is left out."""
    _check_english(field, table)
    return {code: _names_in(f"{field}.{code}", table.get(code, table[ENGLISH])) for code in LANGUAGES}


def _check_english(field: str, table: Mapping[str, Any]) -> None:
    if ENGLISH not in table:
        raise _WrongFieldError(_join(field, ENGLISH), "it is missing")


def _names_in(field: str, value: Any) -> Names:
    table = value if isinstance(value, dict) else {"name": value}
    _check_fields(field, table, "names")
    name = _name(f"{field}.name" if table is value else field, table.get("name"), MOST_LETTERS["name"])
    short, also = table.get("short", name), table.get("also", [])
    if "short" not in table and len(name) > MOST_LETTERS["short"]:
        reason = f'it is missing, and "{name}" is longer than {MOST_LETTERS["short"]} letters'
        raise _WrongFieldError(f"{field}.short", reason)
    if not isinstance(also, list) or len(also) > MOST_NAMES:
        raise _WrongFieldError(f"{field}.also", f"it must be a list of {MOST_NAMES} names at most")
    others = tuple(_name(f"{field}.also", other, MOST_LETTERS["name"]) for other in also)
    return Names(name, _name(f"{field}.short", short, MOST_LETTERS["short"]), others)


def _name(field: str, value: Any, limit: int) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= limit:
        raise _WrongFieldError(field, f"a name is a text of 1 to {limit} letters, not {quoted(value)}")
    if not _NAME.fullmatch(name := unicodedata.normalize("NFC", value)):
        reason = f"a name is letters with spaces, dots, hyphens and apostrophes between them, not {quoted(value)}"
        raise _WrongFieldError(field, reason)
    return name


def _territory(key: str, table: Mapping[str, Any]) -> Territory:
    field, at = f"territories.{key}", table.get("place")
    names = _names(field, table)
    if not isinstance(at, list) or len(at) != 2 or not all(_is_number(number, 100) for number in at):
        raise _WrongFieldError(f"{field}.place", f"it must be two numbers from 0 to 100, not {quoted(at)}")
    return Territory(key, names, (at[0], at[1]))


def _check_distances(territories: Mapping[str, Territory]) -> None:
    for first, second in combinations(territories.values(), 2):
        if dist(first.place, second.place) < LEAST_DISTANCE:
            reason = f"it is too close to the place of {first.key}; the least distance is {LEAST_DISTANCE}"
            raise _WrongFieldError(f"territories.{second.key}.place", reason)


def _continent(key: str, table: Mapping[str, Any], territories: Mapping[str, Territory]) -> Continent:
    field, bonus, keys = f"continents.{key}", table.get("bonus"), table.get("territories")
    names = _names(field, table)
    if not isinstance(bonus, int) or not _is_number(bonus, MOST_BONUS):
        reason = f"it must be a whole number from 0 to {MOST_BONUS}, not {quoted(bonus)}"
        raise _WrongFieldError(f"{field}.bonus", reason)
    if not isinstance(keys, list) or not keys:
        raise _WrongFieldError(f"{field}.territories", "it must be a list of the keys of territories")
    for territory in keys:
        _check_known(f"{field}.territories", territory, territories)
        if keys.count(territory) > 1:
            raise _WrongFieldError(f"{field}.territories", f"{territory} is written twice")
    return Continent(key, names, bonus, tuple(territory for territory in territories if territory in keys))


def _check_continents(continents: Mapping[str, Continent], territories: Mapping[str, Territory]) -> None:
    of: dict[str, str] = {}
    for key, continent in continents.items():
        for territory in continent.territories:
            if territory in of:
                reason = f"{territory} is in {of[territory]} already"
                raise _WrongFieldError(f"continents.{key}.territories", reason)
            of[territory] = key
    if lost := next((territory for territory in territories if territory not in of), ""):
        raise _WrongFieldError("continents", f"{lost} is in none of them")


def _check_names(territories: Mapping[str, Territory], continents: Mapping[str, Continent]) -> None:
    parts: dict[str, Part] = {f"territories.{key}": territory for key, territory in territories.items()}
    parts |= {f"continents.{key}": continent for key, continent in continents.items()}
    for code in LANGUAGES:
        taken: dict[str, str] = {}
        for field, name in ((field, name) for field, part in parts.items() for name in part.all_names(code)):
            if word := next((word for word in name.casefold().replace("_", " ").split() if word in WORDS), ""):
                raise _WrongFieldError(f"{field}.{code}", f'"{word}" means something else in lines')
            if (first := taken.setdefault(common_form(name), field)) != field:
                raise _WrongFieldError(f"{field}.{code}", f'"{name}" is a name of {first} already')


def _borders(document: Mapping[str, Any], territories: Mapping[str, Territory]) -> tuple[Border, ...]:
    borders: dict[frozenset[str], Border] = {}
    for field in ("borders", "around"):
        pairs = document.get(field, [])
        if not isinstance(pairs, list):
            raise _WrongFieldError(field, f'it must be a list of pairs such as ["siam", "india"], not {quoted(pairs)}')
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2:
                raise _WrongFieldError(field, f'a border is a pair such as ["siam", "india"], not {quoted(pair)}')
            for key in pair:
                _check_known(field, key, territories)
            if pair[0] == pair[1]:
                raise _WrongFieldError(field, f"{pair[0]} cannot be its own neighbour")
            if frozenset(pair) in borders:
                raise _WrongFieldError(field, f"the border of {pair[0]} and {pair[1]} is written twice")
            borders[frozenset(pair)] = Border(pair[0], pair[1], field == "around")
    return tuple(borders.values())


def _check_connected(board: Map) -> None:
    first, *_others = board.territories
    reached = board.reach([first], board.territories)
    for key in board.territories:
        if key not in reached:
            raise _WrongFieldError("borders", f"they lead nowhere from {first} to {key}")


def _check_known(field: str, key: Any, territories: Mapping[str, Territory]) -> None:
    if not isinstance(key, str) or key not in territories:
        raise _WrongFieldError(field, f"there is no territory {quoted(key)}")


def _is_number(value: Any, limit: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= limit


def _join(field: str, name: str) -> str:
    return f"{field}.{name}".strip(".")
