"""Words and shapes on pictures look as if matplotlib drew them, which takes several times as long."""

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Text as UsualText
from matplotlib.transforms import IdentityTransform
from PIL import Image

from bot.charts.canvas import NONE, draw_shapes, new_canvas
from bot.charts.shapes import Box, Outline, Shape, arrow, box, circle, hollow_box, line, rounded_box, stroke
from bot.charts.style import ATTACKER, DEFENDER, EDGE, GROUND, HEIGHT, INK, WIDTH, rgb
from bot.charts.words import Align, Text
from tests.helpers.cases import each

Pixels = npt.NDArray[np.int_]


def figure() -> Figure:
    """An empty picture of matplotlib."""
    return Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor=GROUND)


def drawn(usual: Figure) -> Pixels:
    """The pixels of a picture of matplotlib."""
    canvas = FigureCanvasAgg(usual)
    with mpl.rc_context({"text.hinting": "no_hinting"}):
        canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int)  # type: ignore[no-untyped-call]


def ends(pixels: Pixels) -> Pixels:
    """The first row and column that are not bare, and the last ones."""
    ink = np.argwhere((pixels != np.asarray(new_canvas())).any(axis=2))
    return np.concatenate([ink.min(axis=0), ink.max(axis=0)])


def pixels_of(canvas: Image.Image) -> Pixels:
    return np.asarray(canvas).astype(int)


@each(
    [
        ("79.0%", 64, "bold", "center"),
        ("attackers left", 26, "normal", "left"),
        ("обороняющийся держится", 30, "normal", "right"),
        ("8 battles in 10 end between\n3 defenders and 9 attackers left", 28, "bold", "center"),
        ("سلام против 9", 32, "normal", "center"),
    ]
)
def test_words_stand_where_matplotlib_sets_them(words: str, pixels: float, weight: str, align: Align) -> None:
    text = Text(WIDTH / 2, HEIGHT * 0.6, words, pixels, INK, weight, align)
    text.draw(canvas := new_canvas())
    ink, box = ends(pixels_of(canvas)), text.extent()
    usual = figure()
    twin = UsualText(0.5, 0.4, words, va="center", color=INK, parse_math=False, fontsize=pixels * 0.72)
    twin.set(weight=weight, ha=align, transform=usual.transFigure, figure=usual)
    usual.texts.append(twin)
    wide = box.right - box.left
    assert np.abs(ink - ends(drawn(usual))).max() <= 2 + 0.01 * wide
    assert abs(wide - twin.get_window_extent().width) <= 2 + 0.01 * wide
    top, left, bottom, right = ink
    assert box.left - 1 <= left <= right <= box.right + 1
    accent = pixels / 6  # the box of a line is the same whatever its letters
    assert box.top - accent <= top <= bottom <= box.bottom + accent


def test_what_leaves_the_picture_is_left_out() -> None:
    for place in ((0.0, 0.0), (float(WIDTH), float(HEIGHT))):
        canvas = new_canvas()
        Text(*place, "attackers", 60).draw(canvas)
        draw_shapes(canvas, [(circle(*place, 40), ATTACKER, INK), (box(place[0] - 9, place[1], 18, 18), INK, NONE)])
        top, left, bottom, right = ends(pixels_of(canvas))
        assert (top == left == 0) == (place == (0, 0))
        assert (bottom == HEIGHT - 1) == (right == WIDTH - 1) == (place != (0, 0))


BEND = np.array([[100.0 + 4 * x, 300 + 90 * np.sin(x / 20)] for x in range(120)])


def usually(shapes: Sequence[Shape]) -> Pixels:
    """The same shapes as matplotlib draws them."""
    usual = figure()
    collection = PolyCollection([shape[0] for shape in shapes], transform=IdentityTransform(), linewidths=EDGE * 0.72)
    collection.set_facecolor([face for _outline, face, _edge in shapes])
    collection.set_edgecolor([edge for _outline, _face, edge in shapes])
    usual.add_artist(collection)
    return drawn(usual)


@each(
    [
        (3, [(circle(200.3, 100.7, 40), ATTACKER, NONE), (circle(230, 110, 15), INK, NONE)]),
        (3, [(stroke(BEND, 6), ATTACKER, NONE), (arrow(BEND + 60, 6, 24), DEFENDER, NONE)]),
        (3, [(line(10, 20, 700, 630, 4), INK, NONE), (circle(10, 20, 9)[::-1], ATTACKER, NONE)]),
        (45, [(circle(230, 110, 15), NONE, INK), (rounded_box(Box(50.5, 60.2, 300, 140), 9), GROUND, DEFENDER)]),
        (95, [([(50, 300), (200, 420), (400, 310), (400, 100), (50, 100)], ATTACKER, INK)] * 2),
    ]
)
def test_shapes_cover_what_matplotlib_covers(apart: int, shapes: Sequence[Shape]) -> None:
    draw_shapes(canvas := new_canvas(), shapes)
    ours, theirs = pixels_of(canvas), usually(shapes)
    assert np.abs(ours - theirs).max() <= apart
    bare = pixels_of(new_canvas())
    assert np.abs(ours - theirs).sum() <= 0.02 * np.abs(theirs - bare).sum()


def test_the_sides_of_boxes_are_sharp() -> None:
    shapes: list[Shape] = [(box(100.4, 300.2, 60, 80.5), ATTACKER, NONE), (hollow_box(300, 300, 50.5, 90), NONE, INK)]
    draw_shapes(canvas := new_canvas(), shapes)
    ours, theirs = pixels_of(canvas), usually(shapes)
    assert {tuple(colour) for colour in ours.reshape(-1, 3)} == {tuple(rgb(name)) for name in (GROUND, ATTACKER, INK)}
    assert np.abs(ends(ours) - ends(theirs)).max() <= 1
    assert [tuple(ours[290, x]) for x in (302, 303)] == [tuple(rgb(INK)), tuple(rgb(GROUND))]


def test_neighbours_of_one_colour_are_drawn_as_if_one_by_one() -> None:
    dots: list[Outline] = [circle(100 + 7 * place, 200, 5) for place in range(40)]
    at_once, singly = new_canvas(), new_canvas()
    draw_shapes(at_once, [(dot, ATTACKER, NONE) for dot in (*dots, dots[3][::-1])])
    for dot in dots:
        draw_shapes(singly, [(dot, ATTACKER, NONE)])
    differ = np.abs(pixels_of(at_once) - pixels_of(singly)).max(axis=2)
    assert (differ > 0).sum() < 300, "only where two rims meet"
    assert differ.max() < 80
