"""The answer to `/battle 12 9` as a phone shows it: the picture in the README.

.venv/bin/python -m tests.helpers.phone      draws it anew, after the words or the picture of the answer have changed
"""

import asyncio
import io
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from matplotlib import get_data_path
from PIL import Image, ImageDraw, ImageFont

from bot.commands.run import run
from bot.console import open_services, request_from
from bot.replies import Reply, full_text
from bot.request import Services
from bot.settings import load

FILE = Path(__file__).parents[1] / "data" / "answer.png"
WIDTH, MARGIN, LINE = 780, 28, 38
GROUND, TEXT, QUIET, BUTTON, CODE = "#313338", "#F2F3F5", "#B5BAC1", "#4E5058", "#2B2D31"


def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(Path(get_data_path()) / "fonts" / "ttf" / name, size)


def phone(reply: Reply) -> Image.Image:
    """Draw a reply as a message on a phone: its words, its picture, and rows of buttons."""
    assert reply.picture is not None
    image = Image.new("RGB", (WIDTH, 1400), GROUND)
    draw = ImageDraw.Draw(image)
    draw.text((MARGIN, MARGIN), "Sandtable", TEXT, _font(28, bold=True))
    y = MARGIN + 52
    for line in full_text(reply).splitlines():
        small = line.startswith("-# ")
        y = _paragraph(draw, y, line.removeprefix("-# "), QUIET if small else TEXT, 22 if small else 27)
    with Image.open(io.BytesIO(reply.picture.png)) as chart:
        width = WIDTH - 2 * MARGIN
        shown = chart.convert("RGB").resize((width, width * chart.height // chart.width))
    image.paste(shown, (MARGIN, y + 8))
    y = _buttons(draw, y + shown.height + 28, [button.label for button in reply.buttons])
    return image.crop((0, 0, WIDTH, y + MARGIN))


def _paragraph(draw: ImageDraw.ImageDraw, y: int, line: str, colour: str, size: int) -> int:
    """Write a line of Markdown, wrapped at words; return where the next one begins."""
    x, bold, code = float(MARGIN), False, False
    for piece in re.split(r"(\*\*|`| )", line):
        bold, code = bold ^ (piece == "**"), code ^ (piece == "`")
        if piece in ("**", "`"):
            continue
        font = _font(size, bold)
        width = draw.textlength(piece, font)
        if x + width > WIDTH - MARGIN:
            x, y = float(MARGIN), y + LINE
        if code:
            draw.rectangle((x - 3, y - 2, x + width + 3, y + size + 6), CODE)
        draw.text((x, y), piece, colour, font)
        x += width
    return y + LINE


def _buttons(draw: ImageDraw.ImageDraw, y: int, labels: list[str]) -> int:
    """Draw the buttons, as many side by side as fit; return where they end."""
    font, x = _font(24), MARGIN
    for label in labels:
        width = int(draw.textlength(label, font)) + 40
        if x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + 66
        draw.rounded_rectangle((x, y, x + width, y + 56), 10, BUTTON)
        draw.text((x + 20, y + 12), label, TEXT, font)
        x += width + 12
    return y + 56


async def answered(services: Services) -> Reply:
    """Return the answer that the README shows."""
    reply = await run(request_from("/battle 12 9"), services)
    assert isinstance(reply, Reply)
    return reply


async def main() -> None:
    """Draw the picture anew."""
    with TemporaryDirectory() as folder:
        async with open_services(load(data=Path(folder))) as services:
            phone(await answered(services)).save(FILE, optimize=True)


if __name__ == "__main__":
    asyncio.run(main())
