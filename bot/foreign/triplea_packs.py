"""Writes the pack and the opening of an edition that `sandtable edition` makes from a map file of TripleA."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from textwrap import shorten, wrap
from typing import Any, NamedTuple

from bot.editions import Edition, read_edition
from bot.errors import UserError
from bot.foreign.triplea import MapFile, read_map_file
from bot.foreign.triplea_rules import read_rules, read_technologies, unread_properties
from bot.foreign.triplea_units import Units, read_units
from bot.openings import LEAST_OF_HOST, read_opening
from bot.packs import MOST_LETTERS
from solver.errors import BattleError

UNSURE = "It was read from a map file by a program; the comments in its pack say what is missing."
_WIDTH = 118


class EditionTexts(NamedTuple):
    """The texts of a pack and of an opening, the name of the edition in lines, and what could not be taken over."""

    key: str
    pack: str
    opening: str
    left_out: list[str]


def write_edition(file: str, to: str | None, opening: str | None) -> int:
    """Write the pack of an edition to a new file or standard output, perhaps its opening to another; return 0.

    What could not be taken over is in comments of the pack, and goes to standard error.
    """
    made = make_edition(read_map_file(Path(file)))
    if opening is not None and not made.opening:
        raise UserError(f"The map file makes no opening: {made.left_out[-1]}.")
    for name, text in ((to, made.pack), (opening, made.opening)):
        if name is not None:
            _write_new(Path(name), text)
    if to is None:
        print(made.pack, end="")
    hint = f"A file config/games/axis-{made.key}.toml makes it variant:{made.key}"
    print(f"{hint}, a file config/openings/{made.key}.toml its opening.", file=sys.stderr)
    print("Not taken over:", *(f"- {row}" for row in made.left_out), sep="\n", file=sys.stderr)
    return 0


def _write_new(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise UserError(f"{file} is there already, and an edition takes nothing's place. Give another name.") from None
    except OSError as error:
        raise UserError(f"The edition can't be written to {file}: {error.strerror}.") from None


def make_edition(game: MapFile) -> EditionTexts:
    """Make an edition from a map file; UserError says why that is impossible."""
    units = read_units(game)
    rules = read_rules(game, units)
    technologies = read_technologies(game, units)
    words = re.findall("[a-z0-9]+", game.name.casefold())
    words = ["map"] * (len("".join(words)) < 2) + words
    key = _cut(" ".join(words), MOST_LETTERS["name"]).replace(" ", "-")
    source = shorten(f"TripleA's map file {game.name} {game.version}".strip(), MOST_LETTERS["source"])
    table = {
        "name": _cut(game.name.strip() or key, MOST_LETTERS["name"]),
        "about": shorten(f"The units and the rules of TripleA's map {game.name}.", MOST_LETTERS["about"]),
        "source": source,
        "unsure": UNSURE,
        **rules,
        "units": units.tables,
        **({"technologies": technologies} if technologies else {}),
    }
    try:
        edition = read_edition(key, deepcopy(table), {})
    except BattleError as error:
        raise UserError(f"This game makes no edition: {error.field}: {error.reason}.") from None
    left_out = [*units.left_out, *(["what is attached to each of a list (foreach)"] if game.repeats else [])]
    opening, beside = _opening(game, units, edition, source)
    is_known = game.has_set("Choose AA Casualties") or "antiaircraft_at_random" in rules
    if any("antiaircraft" in unit for unit in units.tables.values()) and not is_known:
        left_out.append(
            "planes that AA guns hit are not chosen in this game; here the owner's order of loss says which"
        )
    if properties := unread_properties(game):
        left_out.append(f"properties of the game: {', '.join(properties)}")
    return EditionTexts(key, _pack_text(key, table, [*left_out, *beside]), opening, [*left_out, *beside])


def _cut(text: str, most: int) -> str:
    """Return the first letters of a text, at most `most`; if possible they end with a whole word."""
    return text if len(text) <= most else text[: most + 1].rpartition(" ")[0] or text[:most]


# The opening -------------------------------------------------------------------------------------------------


def _opening(game: MapFile, units: Units, edition: Edition, source: str) -> tuple[str, list[str]]:
    """Return the text of the opening, and what it leaves out: places whose names it cannot have."""
    armies: dict[str, dict[str, int]] = {place: {} for place in game.owners}
    owners = {place: {owner: True} for place, owner in game.owners.items()}
    for placement in game.placements:
        name = units.names.get(placement.unit)
        if name and placement.count > 0:
            army = armies.setdefault(placement.place, {})
            army[name] = army.get(name, 0) + placement.count
            owners.setdefault(placement.place, {})[placement.owner] = True
    document: dict[str, Any] = {"sources": [source]}
    left_out = []
    for place, army in armies.items():
        name, nation = re.sub(r"^(\d+) (.+)$", r"\2 \1", place), next(iter(owners[place])) or "Neutral"
        text = " ".join(f"{count} {edition.short[unit]}" for unit, count in army.items())
        try:
            read_opening(edition, {"sources": [source], nation: {name: text}}, LEAST_OF_HOST)
        except BattleError as error:
            left_out.append(f"the opening of {place}: {error.reason}")
            continue
        if len(owners[place]) > 1:
            left_out.append(f"the opening of {place}: that it has units of {', '.join(owners[place])}")
        document.setdefault(nation, {})[name] = text
    try:
        read_opening(edition, document, LEAST_OF_HOST)
    except BattleError as error:
        return "", [f"the opening: {error.field}: {error.reason}"]
    return "\n".join(_tables("", document)).strip() + "\n", left_out


# TOML --------------------------------------------------------------------------------------------------------


def _pack_text(key: str, table: Mapping[str, Any], left_out: Iterable[str]) -> str:
    lines = [
        f"# {table['name']}, made by `sandtable edition`. config/games/axis1942.toml explains the fields.",
        "# Casualties fall in the order of their prices; other orders are for you to write.",
        "# Not taken over:",
    ]
    for row in left_out:
        lines += wrap(" ".join(row.split()), _WIDTH, initial_indent="# - ", subsequent_indent="#   ")
    return "\n".join([*lines, *_tables(_value(key), table)]) + "\n"


def _tables(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a table and of the tables inside it; what has no table inside is a line, if it is short."""
    inside = {field: value for field, value in table.items() if isinstance(value, dict) and not _is_inline(value)}
    if len(inside) < len(table):
        yield from (["", f"[{name}]"] if name else [])
    yield from (f"{_toml_key(field)} = {_value(value)}" for field, value in table.items() if field not in inside)
    for field, value in inside.items():
        yield from _tables(f"{name}.{_toml_key(field)}".strip("."), value)


def _is_inline(value: Mapping[str, Any]) -> bool:
    return "by" in value or "name" in value


def _toml_key(text: str) -> str:
    return text if re.fullmatch("[a-z_]+", text) else _value(text)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml_key(name)} = {_value(part)}" for name, part in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    # Texts, numbers and flags are written as in JSON.
    return json.dumps(value, ensure_ascii=False)
