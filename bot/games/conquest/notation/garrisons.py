"""The garrisons of a map that a preset holds: "map:classic 3 indonesia, 2 new guinea"."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

MAP_WORD = "map:"
"""What the line of a preset with garrisons begins with."""


class Garrisons(NamedTuple):
    """The garrisons on a map, by the keys of their territories."""

    map: str
    garrisons: Mapping[str, int]


def write_board(board: Garrisons) -> str:
    """Write the line of a preset with garrisons, in the order of the map."""
    return f"{MAP_WORD}{board.map} {write_garrisons(board.garrisons.items())}".strip()


def saved_garrisons(saved: Mapping[str, str]) -> dict[str, Garrisons]:
    """Return the presets that hold garrisons, by their names."""
    found = {}
    for name, line in saved.items():
        if line.startswith(MAP_WORD):
            key, _space, rest = line.removeprefix(MAP_WORD).partition(" ")
            pairs = (pair.partition(" ") for pair in rest.split(", ") if pair)
            found[name] = Garrisons(key, {word.replace(" ", "_"): int(count) for count, _gap, word in pairs})
    return found


def typed_name(key: str) -> str:
    """Return the name by which every language knows a territory: its key, with spaces."""
    return key.replace("_", " ")


def write_garrisons(garrisons: Iterable[tuple[str, float]]) -> str:
    """Write numbers with the names of their territories: "3 indonesia, 2 new guinea"."""
    return ", ".join(f"{plain_number(count)} {typed_name(key)}" for key, count in garrisons)


def plain_number(value: float) -> str:
    """Write a number without needless digits."""
    return f"{value:.6f}".rstrip("0").rstrip(".")
