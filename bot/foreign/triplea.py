"""Reads a map file of TripleA: what it says of units, prices, technologies, rules and the set-up, as it says it.

What that means here is for `triplea_units.py` to say. A map file is XML from anywhere: it may declare no entities, and
nothing outside it is read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from bot.errors import UserError
from bot.host_files import read_file

MOST_BYTES = 8 * 2**20
MOST_DEPTH = 100
FACES = ("6", "12")
"""The faces that a die of an edition can have."""
Options = Mapping[str, list[str]]
"""The values of the options of an attachment by their names."""


@dataclass(frozen=True)
class Attachment:
    """An attachment of a unit, a technology, a player or a place in a map file: its class without "Attachment"."""

    kind: str
    to: str
    options: Options


@dataclass(frozen=True)
class Placement:
    """Units of one kind that stand somewhere when the game begins."""

    place: str
    owner: str
    unit: str
    count: int


@dataclass(frozen=True)
class MapFile:
    """The content of a map file.

    `options` are those of all attachments of a kind to something, by both; `supports` the attachments by which units
    support others; `prices` those at which players can buy each unit. `repeats` says whether something is attached to
    each of a list.
    """

    name: str
    version: str
    faces: int
    units: tuple[str, ...]
    options: Mapping[tuple[str, str], Options]
    supports: tuple[Attachment, ...]
    repeats: bool
    prices: Mapping[str, list[float]]
    technologies: tuple[str, ...]
    properties: Mapping[str, str]
    owners: Mapping[str, str]
    placements: tuple[Placement, ...]

    def options_of(self, kind: str, to: str) -> Options:
        """Return the options of all attachments of a kind to something."""
        return self.options.get((kind, to), {})

    def has_set(self, name: str) -> bool:
        """Return whether a property is true."""
        return self.properties.get(name, "").casefold() == "true"


def read_map_file(file: Path) -> MapFile:
    """Read a map file; UserError says why it cannot be read."""
    root = _parse(file)
    if root.tag != "game" or root.find("unitList") is None:
        raise UserError(f"{file} is no map file of TripleA: it has no <game> with a <unitList>.")
    info, sides = root.find("info"), root.find("diceSides")
    about = {} if info is None else info.attrib
    faces = "6" if sides is None else sides.get("value", "")
    if faces not in FACES:
        raise UserError(
            f"The dice of this game have {faces[:9]!a} faces; those of an edition have {' or '.join(FACES)}."
        )
    attachments = list(_attachments(root))
    options: dict[tuple[str, str], dict[str, list[str]]] = {}
    for attachment in attachments:
        there = options.setdefault((attachment.kind, attachment.to), {})
        for name, values in attachment.options.items():
            there.setdefault(name, []).extend(values)
    return MapFile(
        name=about.get("name", ""),
        version=about.get("version", ""),
        faces=int(faces),
        units=tuple(dict.fromkeys(unit.get("name", "") for unit in root.iter("unit"))),
        options=options,
        supports=tuple(attachment for attachment in attachments if attachment.kind == "UnitSupport"),
        repeats=any(element.get("foreach") for element in root.iter()),
        prices=_prices(root),
        technologies=tuple(dict.fromkeys(each.get("name", "") for each in root.iter("techname"))),
        properties={each.get("name", ""): each.get("value", "") for each in root.iter("property")},
        owners={each.get("territory", ""): each.get("owner", "") for each in root.iter("territoryOwner")},
        placements=tuple(_placements(root)),
    )


def _parse(file: Path) -> ElementTree.Element:
    """Return the root of an XML file without what could make its reading endless, or read other files."""
    data = read_file(file, MOST_BYTES)
    builder, depth = ElementTree.TreeBuilder(), 0
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_DEPTH:
            raise UserError(f"{file} cannot be read: its elements are nested more than {MOST_DEPTH} deep.")
        builder.start(tag, {name: _one_line(value) for name, value in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def refuse(*_declaration: object) -> None:
        raise UserError(f"{file} cannot be read: a map file needs no entities, and this one declares some.")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise UserError(f"{file} is no XML: {error}.") from None
    root: ElementTree.Element = builder.close()
    return root


def _one_line(text: str) -> str:
    """Return a text without line breaks, and without what nobody sees."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def _attachments(root: ElementTree.Element) -> Iterator[Attachment]:
    """Yield the attachments, which older files misspell."""
    for element in (each for tag in ("attachment", "attatchment") for each in root.iter(tag)):
        kind = element.get("javaClass", "").rpartition(".")[2]
        options: dict[str, list[str]] = {}
        for option in element.iter("option"):
            options.setdefault(option.get("name", ""), []).append(option.get("value", ""))
        to = element.get("attachTo") or element.get("attatchTo") or ""
        yield Attachment(kind.removesuffix("Attachment").removesuffix("Attatchment"), to, options)


def _prices(root: ElementTree.Element) -> dict[str, list[float]]:
    """Return the prices of the units that players can buy from the beginning."""
    first = {each.get("frontier") for each in root.iter("playerProduction")}
    rules = {
        rule.get("name")
        for frontier in root.iter("productionFrontier")
        if not first or frontier.get("name") in first
        for rule in frontier.iter("frontierRules")
    }
    prices: dict[str, list[float]] = {}
    for rule in root.iter("productionRule"):
        cost, result = rule.find("cost"), rule.find("result")
        if cost is not None and result is not None and rule.get("name") in rules:
            price = number(cost.get("quantity", "")) / max(number(result.get("quantity", "1")), 1)
            known = prices.setdefault(result.get("resourceOrUnit", ""), [])
            known += [price] * (price not in known)
    return prices


def _placements(root: ElementTree.Element) -> Iterator[Placement]:
    for each in root.iter("unitPlacement"):
        place, unit, owner = (each.get(name, "") for name in ("territory", "unitType", "owner"))
        yield Placement(place, owner, unit, number(each.get("quantity", "")))


def number(text: str) -> int:
    """Return a whole number; UserError if a text is none, or has more than nine digits."""
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise UserError(f"The map file has {text[:40]!a} where a whole number is wanted.")
    return int(text)
