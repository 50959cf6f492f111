"""What is asked of every picture that is drawn on the sheet: that its words can be read."""

from io import BytesIO
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from PIL import Image, ImageColor

from bot.charts.shapes import Box
from bot.charts.sheet import the_sheet
from bot.charts.style import GROUND, HEIGHT, WIDTH
from bot.charts.words import Words
from bot.games.dice.chart import BASE

titles = st.text("ABCMWabcdefgimnorstw 0123456789(),:", min_size=1, max_size=52)
chances = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5, 0.8, 0.95, 0.9999999])


def written() -> list[tuple[Words, Box]]:
    """The words of the last picture, and where each stands."""
    sheet = the_sheet()
    return [(text, sheet.extent(text)) for text in sheet.canvas.texts[: sheet.text_count] if text.get_text()]


def words() -> list[str]:
    """The words of the last picture."""
    return [text.get_text() for text, _ in written()]


def check_readable() -> None:
    """No words of the last picture are small, leave it, or touch another."""
    for text, box in written():
        assert float(text.get_fontsize()) / 0.72 >= 26 - 1e-9, text
        assert box.left >= 0, text
        assert box.top >= 0, text
        assert box.right <= WIDTH, text
        assert box.bottom <= HEIGHT, text
    for (one, box), (other, next_box) in combinations(written(), 2):
        assert not box.touches(next_box, -2), f"{one.get_text()!r} touches {other.get_text()!r}"


def pixels(png: bytes) -> Image.Image:
    """A picture, and that it is one: of its size, on its opaque ground."""
    file = Image.open(BytesIO(png))
    assert file.format == "PNG"
    assert file.size == (WIDTH, HEIGHT)
    assert "transparency" not in file.info
    picture = file.convert("RGB")
    assert "#{:02X}{:02X}{:02X}".format(*at(picture, 1, 1)) == GROUND
    return picture


def at(picture: Image.Image, x: float, y: float) -> tuple[int, int, int]:
    """The colour of a pixel."""
    colour = picture.getpixel((int(x), int(y)))
    assert isinstance(colour, tuple)
    return int(colour[0]), int(colour[1]), int(colour[2])


def rgb(colour: str) -> tuple[int, int, int]:
    """A colour as a pixel has it."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


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
