"""The bars of a picture, measured in its pixels."""

import numpy as np
from PIL import Image

from bot.charts.style import WIDTH
from bot.games.dice.chart import BASE
from tests.helpers.bot.readable import at, rgb


def runs(picture: Image.Image, colour: str, row: float = BASE - 1) -> list[tuple[int, int]]:
    """Where in a row a colour begins and ends."""
    here = [at(picture, x, row) == rgb(colour) for x in range(WIDTH)]
    edges = np.flatnonzero(np.diff([False, *here, False]))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def heights(picture: Image.Image, colour: str, base: float = BASE) -> list[int]:
    """How tall the bars of a colour are, from left to right."""
    found = []
    for start, end in runs(picture, colour, base - 1):
        column = [y for y in range(300, int(base)) if at(picture, (start + end) / 2, y) == rgb(colour)]
        found.append(int(base) - min(column))
    return found
