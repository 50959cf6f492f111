"""Openings: the units in each place when a game of Axis & Allies begins, read from data, by the names of the places.

A file in config/openings is the opening of the edition with its name; config/openings/1942.toml says how it is written.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bot.editions import RESERVED, Edition, editions
from bot.errors import UserError
from bot.host_files import data_files, read_tables
from bot.maps.map import common_form
from bot.notation.dice_options import OPTIONS, SYNONYMS
from bot.settings import CONFIG
from solver.errors import BattleError, quoted

FOLDER = CONFIG / "openings"
OWN = Path("config", "openings")
LEAST_SOURCES, LEAST_OF_HOST = 2, 1
"""The fewest sources of an opening. A host's own may be that of a game which has only one."""
MOST_LETTERS = 40
MOST_UNITS = 99
_NAME = re.compile(r"[^\W\d_][^\W_]*([ .'’-]{1,2}[^\W_]+)*\.?")


@dataclass(frozen=True)
class Place:
    """A territory or a sea zone: whose units stand there, and which, as the defender's side of a line has them.

    `choices` has one text where the sources agree, "" where nobody stands there, and several where they differ.
    """

    name: str
    nation: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class EditionOpening:
    """The opening of an edition: its sources, its places by their names, and these by all that people type for them."""

    edition: Edition
    sources: tuple[str, ...]
    places: Mapping[str, Place]
    names: Mapping[str, str]

    def find(self, text: str) -> Place | None:
        """Return the place with a name; None if none has it."""
        name = self.names.get(name_form(text))
        return self.places[name] if name else None


def name_form(text: str) -> str:
    """Return a name without all in which people write it differently.

    Example:
        >>> name_form("Sea Zone 5") == name_form("sz 5")
        True
    """
    return re.sub(r"^sz(?=\d)", "seazone", common_form(text))


@lru_cache
def openings(folder: Path = FOLDER, own: Path = OWN) -> Mapping[str, EditionOpening]:
    """Return the openings by the keys of their editions: those of the folder, then the host's own.

    Files are read once, when somebody first needs one. UserError says what is wrong, and where.
    """
    return MappingProxyType(
        {
            file.stem: _read(file, LEAST_SOURCES if file.parent == folder else LEAST_OF_HOST)
            for file in data_files(folder, own)
        }
    )


def _read(file: Path, least: int) -> EditionOpening:
    edition = editions().get(file.stem)
    if edition is None:
        raise UserError(f"{file}: there is no edition of this name; the editions are {', '.join(editions())}.")
    try:
        return read_opening(edition, read_tables(file), least)
    except BattleError as error:
        raise UserError(f"{file}, {error.field}: {error.reason}.") from None


def read_opening(edition: Edition, document: Mapping[str, Any], least: int) -> EditionOpening:
    """Read an opening with at least `least` sources; BattleError names what is wrong."""
    sources = _sources(document, least)
    places: dict[str, Place] = {}
    names: dict[str, str] = {}

    def learn(field: str, text: str, name: str) -> None:
        if not _NAME.fullmatch(text) or len(text) > MOST_LETTERS:
            reason = (
                f"a name is 1 to {MOST_LETTERS} letters and digits, with spaces, dots, hyphens and apostrophes between"
            )
            raise BattleError(field, reason)
        form = name_form(text)
        if text.casefold() in {*RESERVED, *OPTIONS, *SYNONYMS, *edition.words}:
            raise BattleError(field, "this means something else in a battle already")
        if form in names:
            raise BattleError(field, f"{names[form]} has this name already")
        names[form] = name

    for nation, table in document.items():
        if nation in ("sources", "also"):
            continue
        for name, value in _fields(nation, table):
            learn(f"{nation}.{name}", name, name)
            places[name] = Place(name, nation, tuple(_choices(f"{nation}.{name}", value, edition)))
    for text, name in _fields("also", document.get("also", {})):
        if not isinstance(name, str) or name not in places:
            raise BattleError(f"also.{text}", f"there is no place {quoted(name)} in the tables above")
        learn(f"also.{text}", text, name)
    return EditionOpening(edition, sources, places, names)


def _sources(document: Mapping[str, Any], least: int) -> tuple[str, ...]:
    sources = document.get("sources")
    if not isinstance(sources, list) or not all(isinstance(source, str) and source for source in sources):
        raise BattleError("sources", "it must be a list of texts")
    if len(sources) < least:
        raise BattleError("sources", f"an opening needs {least} at least")
    return tuple(sources)


def _fields(field: str, table: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(table, dict):
        raise BattleError(field, f"it must be a table of names, not {quoted(table)}")
    return iter(table.items())


def _choices(field: str, value: Any, edition: Edition) -> Iterator[str]:
    """Yield the units that the sources have, each text checked and written in the edition's words."""
    choices = value if isinstance(value, list) else [value]
    if not choices or not all(isinstance(text, str) for text in choices):
        raise BattleError(field, 'give the units as a text such as "3 inf 1 arm", or a list of such texts')
    for text in choices:
        units: dict[str, int] = {}
        for count, word in re.findall(r"(\S+)\s*(\S*)", text):
            unit = edition.words.get(word)
            if not count.isdecimal() or not 1 <= int(count[:9]) <= MOST_UNITS:
                reason = f"a number from 1 to {MOST_UNITS} stands before each unit, not {quoted(count)}"
                raise BattleError(field, reason)
            if unit is None or unit in units:
                raise BattleError(field, f"{quoted(word)} is no unit of this edition, or stands there twice")
            units[unit] = int(count)
        yield " ".join(f"{count} {edition.short[unit]}" for unit, count in units.items())
