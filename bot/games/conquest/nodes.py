"""The territories, borders and attacks that the picture of a conquest shows."""

from typing import NamedTuple


class Node(NamedTuple):
    """A territory in the picture; `place` is from the left and from the top, in percent of the whole map.

    `name` has up to 12 letters. `armies` are the free armies of a start or the garrison of a target. `fall` is the
    chance that it falls, None for a start, and `chance` the same in words.
    """

    name: str
    place: tuple[float, float]
    armies: int
    fall: float | None
    chance: str


class Border(NamedTuple):
    """Two neighbours, by their numbers; `around` says whether their border goes around the edge of the map."""

    one: int
    other: int
    around: bool


class Arrow(NamedTuple):
    """An attack of the plan, with the numbers of two nodes, and the armies that go."""

    origin: int
    target: int
    armies: str
