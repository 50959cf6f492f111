"""Conquests as pictures: where territories stand, what falls how likely, and the arrows of the plan."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.charts.shapes import Box
from bot.charts.style import ATTACKER, GROUND, HEIGHT, WIDTH, chance_colours
from bot.games.conquest.chart import draw_conquest
from bot.games.conquest.picture import Arrow, Border, Node, chance_in_picture
from bot.languages import LANGUAGES, in_percent, speaking
from bot.maps.map import Map
from bot.maps.reading import load_maps
from bot.words.numbers import short_percent
from solver import conquer
from tests.helpers.bot.lines import parse
from tests.helpers.bot.readable import at, chances, check_readable, pixels, rgb, titles, words, written
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick

CLASSIC = load_maps()["classic"]
ISLANDS = load_maps(Path(__file__).parents[2] / "data" / "maps")["islands"]
CAPTION, FOOTER = "chance to take all", "numbers on arrows: armies that go, if battles end as is likeliest"


class Shown(NamedTuple):
    """What a picture is made of."""

    nodes: Sequence[Node]
    borders: Sequence[Border]
    arrows: Sequence[Arrow]


def whole(*continents: str) -> list[str]:
    """The territories of continents."""
    return [key for continent in continents for key in CLASSIC.continents[continent].territories]


def conquest(
    starts: Mapping[str, int], targets: Sequence[str], board: Map = CLASSIC, falls: Sequence[float] = ()
) -> Shown:
    """A conquest in which every target is attacked, from a start or from a target taken before."""
    keys = [*starts, *targets]
    falls = [*falls, *np.linspace(0.99, 0.05, len(targets)).tolist()][: len(targets)]
    nodes = [Node(board.territories[key].short, board.territories[key].place, starts[key], None, "") for key in starts]
    for place, (key, fall) in enumerate(zip(targets, falls, strict=True)):
        there = board.territories[key]
        nodes.append(Node(there.short, there.place, 1 + place % 4, fall, in_percent(short_percent(fall))))
    borders = [
        Border(keys.index(one), keys.index(other), far) for one, other, far in board.borders if {one, other} <= {*keys}
    ]
    arrows, taken = [], list(starts)
    for origin in taken:
        for target in board.neighbours[origin]:
            if target in targets and target not in taken:
                arrows.append(Arrow(keys.index(origin), keys.index(target), str(60 - len(taken))))
                taken.append(target)
    return Shown(nodes, borders, arrows)


def draw(shown: Shown, title: str = "Siam 20 → Australia", footer: str = FOOTER) -> Image.Image:
    return pixels(draw_conquest(title, "68.4%", CAPTION, *shown, footer))


def box_of(wanted: str) -> Box:
    """Where in the last picture a text stands that is written once."""
    (box,) = [box for text, box in written() if text.get_text() == wanted]
    return box


def middle(wanted: str) -> tuple[float, float]:
    """The middle of a text in the last picture."""
    box = box_of(wanted)
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


AUSTRALIA = {"siam": 20}, whole("australia")
SMALL = {
    "Australia": AUSTRALIA,
    "two territories": ({"siam": 5}, ["indonesia"]),
    "a line": ({"central_america": 14}, ["venezuela", "peru", "argentina"]),
    "South America": ({"central_america": 14}, whole("south_america")),
    "around the edge": (
        {"kamchatka": 15},
        ["alaska", "northwest_territory", "alberta", "japan", "mongolia", "irkutsk"],
    ),
    "two starts": ({"north_africa": 12, "east_africa": 7}, ["egypt", "congo", "south_africa", "madagascar"]),
    "Europe": ({"north_africa": 25, "middle_east": 9}, whole("europe")),
    "North America": ({"venezuela": 22, "iceland": 8}, whole("north_america")),
    "Africa": ({"brazil": 18}, whole("africa")),
}
ASIA = {"ukraine": 50}, whole("asia")
CASES = [*SMALL.values(), ASIA]
WORLD = {"brazil": 80}, [key for key in CLASSIC.territories if key != "brazil"]


@each(pick([2, 4, 5, 8], range(len(CASES))))
def test_all_words_of_a_part_of_the_map_are_written_in_place(number: int) -> None:
    case = CASES[number]
    for language in pick([list(LANGUAGES)[number % len(LANGUAGES)]], LANGUAGES):
        with speaking(language):
            shown = conquest(*case)
            draw(shown)
        check_readable()
        said = words()
        assert {"68.4%", CAPTION} <= set(said)
        for node in shown.nodes:
            assert {node.name, str(node.armies)} <= set(said)
            assert not node.chance or node.chance in said
        missing = {arrow.armies for arrow in shown.arrows}.difference(said)
        assert not missing or (case == ASIA and len(missing) <= 3)
        check_neighbours(shown)
        if case != ASIA:
            boxes = [box_of(node.name) for node in shown.nodes]
            across = max(box.right for box in boxes) - min(box.left for box in boxes)
            down = max(box.bottom for box in boxes) - min(box.top for box in boxes)
            assert across > 0.7 * WIDTH or down > 0.4 * HEIGHT, "the picture is filled"


def check_neighbours(shown: Shown) -> None:
    """In the last picture neighbours stand to each other as on the map."""
    clear = 0
    for one, other, around in shown.borders:
        (x, y), (to_x, to_y) = (shown.nodes[place].place for place in (one, other))
        (here_x, here_y), (there_x, there_y) = (middle(shown.nodes[place].name) for place in (one, other))
        if not around and abs(to_x - x) > 2 * abs(to_y - y):
            clear += 1
            assert (to_x - x) * (there_x - here_x) > 0, (shown.nodes[one], shown.nodes[other])
        if not around and abs(to_y - y) > 2 * abs(to_x - x):
            clear += 1
            assert (to_y - y) * (there_y - here_y) > 0, (shown.nodes[one], shown.nodes[other])
    assert clear


def test_a_map_of_islands_can_be_read() -> None:
    shown = conquest({"port": 14}, ["hill", "cape", "lake", "reef"], ISLANDS)
    draw(shown)
    check_readable()
    assert {"Old Port", "Four Winds", "Cape", "Lake", "Reef"} <= set(words())


def test_the_whole_world_shows_every_chance_and_the_start() -> None:
    shown = conquest(*WORLD)
    draw(shown)
    check_readable()
    said = words()
    assert sorted(word for word in said if word.endswith("%") and word != "68.4%") == sorted(
        node.chance for node in shown.nodes if node.chance
    )
    assert {"Brazil", "80"} <= set(said)


def test_twenty_territories_are_named_as_room_allows() -> None:
    shown = conquest({"north_africa": 50}, whole("europe", "asia"))
    draw(shown)
    check_readable()
    said = words()
    assert {node.chance for node in shown.nodes} - {""} <= set(said)
    assert len({node.name for node in shown.nodes} & set(said)) >= 5


def test_sixty_territories_are_dots_named_as_room_allows() -> None:
    nodes = [Node("Somewhere", (1 + 9 * (n % 11), 5 + 16 * (n // 11)), 3, 0.8 if n else None, "80%") for n in range(60)]
    draw(Shown(nodes, [Border(n, n + 1, around=False) for n in range(59)], [Arrow(0, 1, "30")]))
    check_readable()
    assert words().count("80%") < 60


regions = st.lists(st.integers(0, 10_000), min_size=1, max_size=24)


@examples(pick(10, 30))
@given(titles, st.sampled_from(list(CLASSIC.territories)), regions, st.lists(chances, max_size=24), st.booleans())
def test_every_part_of_the_map_can_be_read(
    title: str, start: str, steps: list[int], falls: list[float], foot: bool
) -> None:
    keys = [start]
    for step in steps:
        near = [other for key in keys for other in CLASSIC.neighbours[key] if other not in keys]
        keys.append(near[step % len(near)])
    shown = conquest({start: 500}, keys[1:], falls=falls)
    draw(shown, title, FOOTER if foot else "")
    check_readable()
    assert {node.chance for node in shown.nodes} - {""} <= set(words())


def test_long_words_around_the_map_are_broken() -> None:
    long = "the average number of territories taken, if all of them count the same"
    pixels(draw_conquest("Siam 20 → " + "Indonesia 3 " * 6, ">99.9%", long, *conquest(*AUSTRALIA), FOOTER))
    check_readable()
    assert any("\n" in said and said.replace("\n", " ") == long for said in words())


def edge_colours(picture: Image.Image) -> tuple[set[tuple[int, int, int]], set[tuple[int, int, int]]]:
    """What stands at the left and at the right edge of a picture, other than its ground."""
    left, right = ({at(picture, x, y) for y in range(HEIGHT)} - {rgb(GROUND)} for x in (0, WIDTH - 1))
    return left, right


def test_a_border_around_the_edge_turns_the_map() -> None:
    shown = conquest(*SMALL["around the edge"])
    assert any(border.around for border in shown.borders)
    picture = draw(shown)
    assert edge_colours(picture) == (set(), set())
    assert middle("Irkutsk")[0] < middle("Kamchatka")[0] < middle("Alaska")[0] < middle("NW Territory")[0]


def test_without_a_border_around_the_edge_the_map_is_not_turned() -> None:
    draw(conquest({"alaska": 12, "ukraine": 8}, ["alberta", "ural"]))
    assert middle("Alaska")[0] < middle("Alberta")[0] < middle("Ukraine")[0] < middle("Ural")[0]


def test_a_map_joined_on_both_sides_draws_borders_over_the_edge() -> None:
    shown = conquest({"lake": 14}, ["hill", "cape", "port", "reef"], ISLANDS)
    for side in edge_colours(draw(shown)):
        assert side
        assert rgb(ATTACKER) not in side
    attack = [arrow for arrow in shown.arrows if shown.nodes[arrow.target].name != "Old Port"]
    assert len(attack) == 3
    picture = draw(shown._replace(arrows=[*attack, Arrow(4, 3, "7")]))
    assert all(rgb(ATTACKER) in side for side in edge_colours(picture)), "the reef attacks the port"
    assert "7" in words()
    check_readable()


def colour_of(fall: float) -> object:
    """The colour of a target with this chance; a picture has few colours, so that it is not met exactly."""
    return pytest.approx(tuple(chance_colours(np.array(fall)).tolist()), abs=8)


@each(pick([0.0, 0.3, 1.0], [0.0, 0.1, 0.25, 0.3, 0.5, 0.8, 0.99, 1.0]))
def test_a_target_has_the_colour_of_its_chance_and_a_start_is_orange(fall: float) -> None:
    picture = draw(conquest({"siam": 5}, ["indonesia"], falls=[fall]))
    name, start = box_of("Indonesia"), box_of("Siam")
    assert at(picture, name.left - 4, name.top + 13) == colour_of(fall)
    assert at(picture, start.left - 4, start.top + 13) == rgb(ATTACKER)


def test_a_higher_chance_is_brighter() -> None:
    lights = []
    for fall in np.linspace(0, 1, pick(3, 5)).tolist():
        picture = draw(conquest({"siam": 5}, ["indonesia"], falls=[fall])).convert("L")
        box = box_of("Indonesia")
        lights.append(picture.getpixel((int(box.left - 4), int(box.top + 13))))
    assert lights == sorted(set(lights))  # type: ignore[type-var]


def test_every_name_stands_on_its_shape() -> None:
    shown = conquest(*ASIA)
    picture = draw(shown)
    for node in shown.nodes:
        box = box_of(node.name)
        colour = rgb(ATTACKER) if node.fall is None else colour_of(node.fall)
        for x in (box.left - 3, box.right + 3):
            assert at(picture, x, (box.top + box.bottom) / 2) == colour, node


def widest(picture: Image.Image, top: float, low: float) -> int:
    """The width of the widest run of orange in some rows."""
    wide = 0
    for row in range(int(top), int(low)):
        here = [at(picture, x, row) == rgb(ATTACKER) for x in range(WIDTH)]
        edges = np.flatnonzero(np.diff([False, *here, False]))
        wide = max(wide, *(edges[1::2] - edges[::2]).tolist(), 0)
    return wide


def test_an_arrow_points_to_the_target_with_its_armies_on_top() -> None:
    for starts, targets in (({"siam": 5}, ["indonesia"]), ({"indonesia": 5}, ["siam"])):
        picture = draw(conquest(starts, targets))
        top, low, (x, y) = box_of("Siam").bottom + 40, box_of("Indonesia").top, middle("59")
        tail_first = "siam" in starts
        assert top < y < low
        near_siam, near_indonesia = widest(picture, top, top + 24), widest(picture, low - 32, low - 8)
        head, shaft = (near_indonesia, near_siam) if tail_first else (near_siam, near_indonesia)
        assert head > 14
        assert shaft in range(4, 9)
        number = box_of("59")
        for corner in (number.left - 2, number.right + 2):
            assert at(picture, corner, y) == rgb(GROUND)
        assert x == pytest.approx(middle("Siam")[0], abs=2)


def between(picture: Image.Image, one: str, other: str) -> set[tuple[int, int, int]]:
    """The colours on the straight line between two territories, other than the ground and theirs."""
    (x, y), (to_x, to_y) = middle(one), middle(other)
    wide, to_wide = (box_of(name).right - box_of(name).left for name in (one, other))
    start, end = (
        (x + wide / 2 + 14, to_x - to_wide / 2 - 14) if x < to_x else (x - wide / 2 - 14, to_x + to_wide / 2 + 14)
    )
    places = [
        (across, y + (to_y - y) * (across - x) / (to_x - x) + 15) for across in np.linspace(start, end, 40).tolist()
    ]
    return {at(picture, *place) for place in places} - {rgb(GROUND)}


def test_a_border_is_a_quiet_line_that_an_attack_replaces() -> None:
    shown = conquest(*AUSTRALIA)
    colours = between(draw(shown), "W. Australia", "E. Australia")
    assert colours
    assert rgb(ATTACKER) not in colours
    west, east = (next(n for n, node in enumerate(shown.nodes) if node.name == f"{side}. Australia") for side in "WE")
    arrows = [arrow for arrow in shown.arrows if arrow.target != east]
    assert rgb(ATTACKER) in between(
        draw(shown._replace(arrows=[*arrows, Arrow(west, east, "7")])), "W. Australia", "E. Australia"
    )


def test_an_impossible_territory_shows_0_percent() -> None:
    for armies, told in ((1, "0%"), (2, "<1%")):
        asked = parse(f"{armies} siam > 3 indonesia, 5 new guinea").battle
        assert chance_in_picture("new_guinea", conquer(asked)) == told


def test_equal_conquests_have_identical_pictures() -> None:
    first = draw_conquest("same", "68.4%", CAPTION, *conquest(*AUSTRALIA), FOOTER)
    draw_conquest("other", "1%", CAPTION, *conquest(*SMALL["a line"]))
    assert draw_conquest("same", "68.4%", CAPTION, *conquest(*AUSTRALIA), FOOTER) == first
