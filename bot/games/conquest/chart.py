"""The picture of a conquest: the part of the map that matters, how likely each territory falls, and the plan as arrows.

A start is an orange shape with round sides, a target a box between dark blue, if it never falls, and yellow, if it
surely does. Arrows are attacks of the plan. Other lines are borders.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import combinations
from typing import NamedTuple

import numpy as np

from bot.charts.grid import DARK_INK_ABOVE
from bot.charts.shapes import Box, Path, arrow, rounded_box, stroke
from bot.charts.sheet import Sheet, new_sheet
from bot.charts.style import APART, ATTACKER, GROUND, HEIGHT, INK, LEFT, QUIET, SMALL, WIDTH, chance_colours
from bot.charts.text import in_two_lines
from bot.charts.words import Words
from bot.games.conquest.layout import (
    GAP,
    HEAD,
    NEAR,
    Line,
    after,
    box_around,
    is_within,
    leave,
    meets,
    middle,
    place_on,
    route,
    scale,
    spread,
    unroll,
)
from bot.games.conquest.picture import Arrow, Border, Node
from bot.words.numbers import shorter_percent

RESULT, TOP, MARGIN = 92, 122, 10
"""The places of the result and of the map, and the distance of the map from the edges, in pixels."""
LINE, TOKEN, BESIDE = 30.0, 28.0, 8.0
"""The height of a line of words, and of the token with the armies; the distance from the token to the chance."""
PAD, ROUND_PAD, LOW, DOT = 9.0, 16.0, 4.0, 24.0
"""The room beside the words of a target and of a start, the room above them, and the size of a territory without."""
CORNER, ROUND = 9.0, 24.0
THIN, THICK, FAINT = 3.0, 6.0, "#62656A"
"""The radius of a target's corners and of a start's, and the lines of borders and of attacks."""
STUB = 40.0
"""The room for a line that leaves the picture."""
CROWDED = 0.6
"""Territories and what is around them are not tried with more words where they would fill more of the map."""


class Detail(IntEnum):
    """The words that have room on the picture, at the place of each territory.

    Name, armies and chance, and all numbers on arrows; the first three; the chance; its number alone; or nothing.
    """

    ALL, WORDS, CHANCE, NUMBER, NOTHING = range(5)


class Card(NamedTuple):
    """The size of a node on the picture, and its words."""

    node: Node
    size: tuple[float, float]
    name: Words | None = None
    armies: Words | None = None
    chance: Words | None = None


class Link(NamedTuple):
    """A border, or an attack if there is a number on it; `split` says whether it leaves the picture and comes back."""

    one: int
    other: int
    split: bool
    number: Words | None = None
    size: tuple[float, float] = (0.0, 0.0)


class Drawing(NamedTuple):
    """A box for each card, and for each link its parts and the box of its number, if it has a place."""

    boxes: list[Box]
    paths: list[list[Path]]
    spots: list[Box | None]

    def fits(self, links: Sequence[Link], detail: Detail) -> bool:
        """Whether no two cards touch, and all numbers have a place if all words are shown."""
        if any(one.touches(other, 2) for one, other in combinations(self.boxes, 2)):
            return False
        return detail > Detail.ALL or all(spot for spot, link in zip(self.spots, links, strict=True) if link.number)


def draw_conquest(
    title: str,
    result: str,
    caption: str,
    nodes: Sequence[Node],
    borders: Sequence[Border],
    arrows: Sequence[Arrow],
    footer: str = "",
) -> bytes:
    """Return the picture of a conquest as PNG.

    `result` is the main result in words, `caption` its name. Everything is written if it fits, as a rule with up to 13
    territories. With more, numbers on arrows give way where they have no room. From about 16 on, targets show their
    chances without garrisons, and names only beside them where they have room. If even that is too much, the chances
    lose their unit; at last, with some 50 or more, all words stand beside dots, where they have room.
    """
    sheet = new_sheet(title)
    area = _write_frame(sheet, result, caption, footer)
    places = np.array([node.place for node in nodes], float)
    shifted = unroll(places, borders)
    links = _links(sheet, borders, arrows, splits=shifted is None)
    for detail in Detail:
        cards = [_write_card(sheet, node, detail) for node in nodes]
        if detail < Detail.NOTHING and _is_crowded(cards, area):
            _erase(cards)
            continue
        drawing = _arrange(cards, links, places if shifted is None else shifted, area, detail)
        if detail == Detail.NOTHING or drawing.fits(links, detail):
            break
        _erase(cards)
    _draw_links(sheet, links, drawing)
    for card, box in zip(cards, drawing.boxes, strict=True):
        _draw_card(sheet, card, box)
    _write_numbers(sheet, links, drawing)
    _write_beside(sheet, cards, links, drawing, area)
    return sheet.png()


def _write_frame(sheet: Sheet, result: str, caption: str, footer: str) -> Box:
    """Write the result with its name, and the footer; return the room between them."""
    number = sheet.write(0, RESULT, result, 48, ATTACKER, "bold", "left")
    words = sheet.write(0, RESULT + 2, caption, align="left")
    room = WIDTH - LEFT - sheet.width(number) - APART
    if sheet.width(words) > room:
        words.set_text(in_two_lines(caption))
        words.set_y(1 - (RESULT + 8) / HEIGHT)
        sheet.fit(words, room)
    x = (WIDTH - sheet.width(number) - APART - sheet.width(words)) / 2
    number.set_x(x / WIDTH)
    words.set_x((x + sheet.width(number) + APART) / WIDTH)
    top, bottom = max(sheet.extent(words).bottom, TOP), float(HEIGHT - MARGIN)
    if footer:
        text = sheet.write_sentence(0, footer, colour=QUIET)
        box = sheet.extent(text)
        bottom = HEIGHT - MARGIN / 2 - (box.bottom - box.top)
        text.set_y(1 - (bottom + HEIGHT - MARGIN / 2) / 2 / HEIGHT)
        bottom -= MARGIN / 2
    return Box(MARGIN, top, WIDTH - MARGIN, bottom)


def _write_card(sheet: Sheet, node: Node, detail: Detail) -> Card:
    """Write the words of a node, to be put into their places later. A start keeps its words as long as possible."""
    if detail == Detail.NOTHING:
        return Card(node, (DOT, DOT))
    if node.fall is None:
        name, armies = sheet.write(0, 0, node.name, colour=GROUND), sheet.write(0, 0, str(node.armies), weight="bold")
        wide = max(sheet.width(name), _token_width(sheet, armies))
        return Card(node, (wide + 2 * ROUND_PAD, 2 * (LINE + LOW)), name, armies)
    ink = GROUND if node.fall > DARK_INK_ABOVE else INK
    words = shorter_percent(node.fall, node.chance) if detail == Detail.NUMBER else node.chance
    chance = sheet.write(0, 0, words, colour=ink, weight="bold")
    if detail > Detail.WORDS:
        return Card(node, (sheet.width(chance) + PAD, LINE + LOW), chance=chance)
    name, armies = sheet.write(0, 0, node.name, colour=ink), sheet.write(0, 0, str(node.armies), weight="bold")
    wide = max(sheet.width(name), _token_width(sheet, armies) + BESIDE + sheet.width(chance))
    return Card(node, (wide + 2 * PAD, 2 * (LINE + LOW)), name, armies, chance)


def _token_width(sheet: Sheet, armies: Words) -> float:
    return max(sheet.width(armies) + 14, TOKEN)


def _is_crowded(cards: Sequence[Card], area: Box) -> bool:
    """Whether cards fill so much of an area that it makes no sense to look for places."""
    filled = sum((card.size[0] + NEAR) * (card.size[1] + NEAR) for card in cards)
    return filled > CROWDED * (area.right - area.left) * (area.bottom - area.top)


def _erase(cards: Iterable[Card]) -> None:
    for card in cards:
        for text in (card.name, card.armies, card.chance):
            if text:
                text.set_text("")


def _links(sheet: Sheet, borders: Sequence[Border], arrows: Sequence[Arrow], splits: bool) -> list[Link]:
    """Return the borders without an attack, and the attacks, with the numbers on them."""
    split = {frozenset(border[:2]) for border in borders if border.around and splits}
    attacked = {frozenset(attack[:2]) for attack in arrows}
    links = [
        Link(border.one, border.other, frozenset(border[:2]) in split)
        for border in borders
        if frozenset(border[:2]) not in attacked
    ]
    for attack in arrows:
        number = sheet.write(0, 0, attack.armies, colour=ATTACKER, weight="bold")
        size = sheet.width(number) + BESIDE, TOKEN
        links.append(Link(attack.origin, attack.target, frozenset(attack[:2]) in split, number, size))
    return links


def _arrange(cards: Sequence[Card], links: Sequence[Link], places: Path, area: Box, detail: Detail) -> Drawing:
    """Find the places of cards, links and numbers."""
    inset = max((link.size[0] + STUB for link in links if link.split), default=0.0)
    inner = Box(area.left + inset, area.top, area.right - inset, area.bottom)
    sizes = np.array([card.size for card in cards])
    roomy = detail == Detail.ALL
    lines = [Line(link.one, link.other, link.size if roomy else (0, 0)) for link in links if not link.split]
    middles = spread(scale(places, sizes, inner), sizes, lines, inner)
    boxes = [box_around(x, y, card.size) for (x, y), card in zip(middles.tolist(), cards, strict=True)]
    drawing = Drawing(boxes, [], [])
    for link in links:
        if link.split:
            edge = 0 if places[link.one][0] < places[link.other][0] else WIDTH
            drawing.paths.append([leave(boxes[link.one], edge), leave(boxes[link.other], WIDTH - edge)[::-1]])
        else:
            drawing.paths.append([route(boxes, link.one, link.other, area)])
    _place_numbers(drawing, links, area)
    return drawing


def _place_numbers(drawing: Drawing, links: Sequence[Link], area: Box) -> None:
    """Find the places of numbers on their lines, clear of boxes and of each other."""
    taken = list(drawing.boxes)
    for place, link in enumerate(links):
        others = [path for paths in (*drawing.paths[:place], *drawing.paths[place + 1 :]) for path in paths]
        spot = place_on(drawing.paths[place][0], link.size, taken, _points(others), area) if link.number else None
        drawing.spots.append(spot)
        taken += [spot] if spot else []


def _draw_links(sheet: Sheet, links: Sequence[Link], drawing: Drawing) -> None:
    """Draw the borders, and over them the attacks."""
    for link, paths, spot in zip(links, drawing.paths, drawing.spots, strict=True):
        thick, colour = (THICK, ATTACKER) if link.number else (THIN, FAINT)
        for path in paths[:-1] if link.number else paths:
            sheet.add_shape(stroke(path, thick), colour)
        if link.number:
            sheet.add_shape(arrow(after(paths[-1], spot) if spot else paths[-1], THICK, HEAD), ATTACKER)


def _draw_card(sheet: Sheet, card: Card, box: Box) -> None:
    """Draw the shape of a node, and put its words on it."""
    fall = card.node.fall
    red, green, blue = chance_colours(np.array(fall or 0.0)).tolist()
    sheet.add_shape(
        rounded_box(box, CORNER if fall is not None else ROUND),
        ATTACKER if fall is None else f"#{red:02X}{green:02X}{blue:02X}",
    )
    x, y = middle(box)
    if card.name:
        _put(card.name, x, y - LINE / 2)
        y += LINE / 2
    if card.armies:
        token = _token_width(sheet, card.armies)
        left = x - (token + (BESIDE + sheet.width(card.chance) if card.chance else 0)) / 2
        sheet.add_shape(rounded_box(Box(left, y - TOKEN / 2, left + token, y + TOKEN / 2), TOKEN), GROUND)
        _put(card.armies, left + token / 2, y)
        x += (token + BESIDE) / 2
    if card.chance:
        _put(card.chance, x, y)


def _write_numbers(sheet: Sheet, links: Sequence[Link], drawing: Drawing) -> None:
    """Write the armies that go on their arrows, where they have a place."""
    for link, spot in zip(links, drawing.spots, strict=True):
        if link.number and spot:
            sheet.add_shape(rounded_box(spot, CORNER), GROUND)
            _put(link.number, *middle(spot))
        elif link.number:
            link.number.set_text("")


def _write_beside(sheet: Sheet, cards: Sequence[Card], links: Sequence[Link], drawing: Drawing, area: Box) -> None:
    """Write the chances, and then the names, that are on no card beside it, where they have room."""
    attacks = _points([path for link, paths in zip(links, drawing.paths, strict=True) if link.number for path in paths])
    taken = [*drawing.boxes, *(spot for spot in drawing.spots if spot)]
    places = list(zip(cards, drawing.boxes, strict=True))
    chances = [(card.node.chance, box) for card, box in places if not card.chance]
    names = [(card.node.name, box) for card, box in places if not card.name]
    for words, box in chances + names:
        text = sheet.write(0, 0, words, colour=QUIET)
        others = [other for other in taken if other != box]
        if here := _find_room(box, (sheet.width(text) + GAP, SMALL), others, attacks, area):
            sheet.add_shape(rounded_box(here, CORNER), GROUND)
            _put(text, *middle(here))
            taken.append(here)
        else:
            text.set_text("")


def _find_room(box: Box, size: tuple[float, float], taken: Sequence[Box], attacks: Path, area: Box) -> Box | None:
    """Return where a text of this size has room below, above or beside a card; None if it has none."""
    (x, y), (width, height) = middle(box), size
    down, across = (box.bottom - box.top + height) / 2 + 2, (box.right - box.left + width) / 2 + 2
    for side in ((x, y + down), (x, y - down), (x + across, y), (x - across, y)):
        here = box_around(*side, size)
        is_clear = not any(here.touches(other, GAP) for other in taken)
        if is_clear and is_within(here, area) and not meets(here, attacks, THICK):
            return here
    return None


def _points(paths: Sequence[Path]) -> Path:
    """Return the points of all these lines."""
    return np.concatenate([np.empty((0, 2)), *paths])


def _put(text: Words, x: float, y: float) -> None:
    """Move a text to its place, in pixels from the top left."""
    text.set_position((x / WIDTH, 1 - y / HEIGHT))
