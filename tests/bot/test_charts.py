"""Pictures: what they show, and that it can be read."""

import pkgutil
import re
import subprocess
import sys
from functools import lru_cache
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from PIL import Image, ImageColor

import bot
from bot.charts import CHARTS
from bot.charts.bars import MOST_BARS
from bot.charts.style import ATTACKER, DEFENDER, DRAW, GROUND, HEIGHT, WIDTH
from bot.charts.text import in_two_lines
from bot.games.dice.chart import BASE, BattleChart, _bars, battle_chart
from bot.games.dice.chart import draw_battle as draw
from bot.games.dice.words import alternative
from bot.languages import speaking
from bot.rooms import ROOMS
from solver import Battle, Odds, Pool, Ships
from solver import solve as solve_anew
from tests.catalogues import FOREIGN
from tests.helpers.bot.lines import read_battle
from tests.helpers.cases import each
from tests.helpers.extent import examples
from tests.helpers.solver.any_battle import battles

SHOWN = [
    Battle(12, 9),
    Battle(12, 9, attack_ships=Ships(3, 2, 3), defence_ships=Ships(2, 2, 2), stop=3),
    Battle(1, 1),
    Battle(5, 0),
    Battle(0, 5),
    Battle(3, 30),
    Battle(30, 3),
    Battle(100, 100),
    Battle(1999, 1999),
    Battle(1000, 1, rounds=3),
    Battle(19, 19, ties="both"),
    Battle(16, 18, rounds=5),
    Battle(2, 2, ties="neither", rounds=3),
    Battle(23, 18, stop=8),
    Battle(1000, 900, reserve=500, rounds=200),
    Battle(1000, 1),
    Battle(2, 2, Pool((2, 2), 0, (5, 1), (2, 3)), Pool((2, 2), 0, (5, 1), (2, 3)), ties="neither", stop=1),
    Battle(12, 9, Pool((8, 6, 6), 1, (1, 1), (2, 8)), Pool((8, 8), 2, (-1,), (1, 6)), ties="both", reserve=3, rounds=9),
]

MANY = Battle(100_000, 100_000)
solve = lru_cache(8)(solve_anew)


def pixels(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def squares(picture: Image.Image) -> str:
    """The twenty squares as letters: defender, attacker, or neither."""
    letters = {ATTACKER: "A", DRAW: "-", GROUND: "D"}
    names = {ImageColor.getrgb(colour): letter for colour, letter in letters.items()}
    return "".join(names[picture.getpixel((58 + 36 * index, 226))] for index in range(20))  # type: ignore[index]


@each(SHOWN)
def test_no_text_is_small_leaves_the_picture_or_touches_another(battle: Battle) -> None:
    odds = solve(battle)
    draw(battle, odds)
    chart = battle_chart(ahead=odds.unresolved > 0)
    boxes = [(text.get_text(), text.get_window_extent()) for text in chart.canvas.texts if text.get_text()]
    assert all(float(text.get_fontsize()) / 0.72 >= 26 for text in chart.canvas.texts)
    for words, box in boxes:
        assert box.x0 >= 0, words
        assert box.x1 <= WIDTH, words
        assert box.y0 >= 0, words
        assert box.y1 <= HEIGHT, words
    for (one, box), (other, next_box) in combinations(boxes, 2):
        assert not box.padded(-2).overlaps(next_box), f"{one!r} touches {other!r}"


@each(
    [
        (Battle(12, 9), "AAAAAAAAAAAAAAAADDDD"),
        (Battle(5, 14), "ADDDDDDDDDDDDDDDDDDD"),
        (Battle(12, 9, stop=4), "AAAAAAAAAAA---------"),
        (Battle(16, 18, rounds=5), "--------------------"),
        (Battle(2, 2, ties="neither", rounds=3), "AAAAAAAAA--DDDDDDDDD"),
    ]
)
def test_twenty_squares_are_twenty_battles(battle: Battle, expected: str) -> None:
    assert squares(pixels(draw(battle, solve(battle)))) == expected


def test_the_sides_differ_in_form_not_only_in_colour() -> None:
    """Attacker's bars are solid and left, defender's hollow and right."""
    picture = pixels(draw(Battle(12, 9), solve(Battle(12, 9))))
    colours = [picture.getpixel((x, BASE - 8)) for x in range(WIDTH)]
    solid = [x for x, colour in enumerate(colours) if colour == ImageColor.getrgb(ATTACKER)]
    edges = [x for x, colour in enumerate(colours) if colour == ImageColor.getrgb(DEFENDER)]
    assert max(solid) < min(edges)
    assert len(solid) > 300
    assert 0 < len(edges) < 60


def words(battle: Battle) -> set[str]:
    """The words of the picture of a battle."""
    odds = solve(battle)
    draw(battle, odds)
    return {text.get_text() for text in battle_chart(ahead=odds.unresolved > 0).canvas.texts}


def test_the_picture_says_chances_and_survivors() -> None:
    assert {"12 against 9", "21.0%", "79.0%", "20 such battles", "7 attackers left: 10.1%"} <= words(Battle(12, 9))
    assert "8 battles in 10 end between\n3 defenders and 9 attackers left" in words(Battle(12, 9))
    assert {"<0.1%", ">99.9%"} <= words(Battle(1000, 1))
    assert "144–150 attackers left: 6.1%" in words(Battle(1000, 1000))
    assert {"12 9 ties:both", "draw"} <= words(Battle(12, 9, ties="both")), "house rules are part of the title"
    assert {"attackers ahead", "defenders ahead", "attacker 3 ahead: 25.7%"} <= words(Battle(12, 9, rounds=3))
    assert {"100%", "0%", "Ends with 5 attackers left"} <= words(Battle(5, 0))
    assert "Ends with 1 defender or 1 attacker left" in words(Battle(1, 1))
    pool = Pool((2, 2), bonus=(5, 1), clamp=(2, 3))
    stuck = Battle(2, 2, pool, pool, ties="neither", stop=1)
    assert {"no winner", "If it ends, it ends with 2 defenders left"} <= words(stuck)


@each(
    [
        ("12 9 stop:4", {"56.1%", "43.9%", "0%"}),
        ("12 9 value:6", {"0%", "100%"}),
        ("12 9 value:100", {"78.9%", "7.7%", "13.4%"}),
        ("12 9 rounds:3", {"0%", "100%"}),
        ("12 9 reserve:3", {"55.8%", "44.2%", "0%"}),
    ]
)
def test_an_attack_called_off_has_its_own_part_of_the_picture(line: str, chances: set[str]) -> None:
    """Neither the defender nor the attacker has won where both have armies left."""
    battle = read_battle(line)
    assert {"attack called off", *chances} <= words(battle)
    assert alternative(battle, solve(battle)).count("called off") == ("value:6" not in line)
    bars = pixels(draw(battle, solve(battle))).crop((0, 290, WIDTH, BASE))
    colours = {colour for _, colour in bars.getcolors(9999) or []}
    assert ImageColor.getrgb(DRAW) in colours
    assert (ImageColor.getrgb(DEFENDER) in colours) is ("13.4%" in chances)


def test_the_largest_chance_has_the_largest_letters() -> None:
    for line, largest in (("20 20 stop:12", "94.9%"), ("12 9 stop:4", "56.1%")):
        words(read_battle(line))
        assert max(battle_chart(False).canvas.texts, key=lambda text: float(text.get_fontsize())).get_text() == largest
    size = {text.get_text(): float(text.get_fontsize()) for text in battle_chart(False).canvas.texts}
    assert size["43.9%"] == size["0%"], "no chance is written larger than a chance above it"


def test_a_line_breaks_before_a_short_word() -> None:
    assert in_two_lines("В 8 боях из 10: от 3 защитников до 9") == "В 8 боях из 10:\nот 3 защитников до 9"


def test_calling_off_while_ahead_is_not_drawn_as_a_win() -> None:
    """Colours tell who wins, even where the bars are told by who is ahead."""
    battle = read_battle("20 9 stop:14 rounds:4")
    bars = pixels(draw(battle, solve(battle))).crop((0, 290, WIDTH, BASE))
    colours = {colour for _, colour in bars.getcolors(9999) or []}
    assert not {ImageColor.getrgb(ATTACKER), ImageColor.getrgb(DEFENDER)} & colours
    assert ImageColor.getrgb(DRAW) in colours


def test_bars_with_more_survivors_stand_farther_out() -> None:
    bars = _bars(solve(Battle(12, 9)))
    attackers, defenders = ([bar for bar in bars if bar.low * side > 0] for side in (1, -1))
    assert max(bar.x for bar in attackers) < min(bar.x for bar in defenders)
    assert [bar.low for bar in sorted(attackers, key=lambda bar: bar.x)] == list(range(12, 0, -1))
    assert [-bar.low for bar in sorted(defenders, key=lambda bar: bar.x)] == list(range(1, 9))


def test_bars_of_a_round_limit_are_as_even_as_the_law() -> None:
    """After so many rounds only every second lead is possible; bars of three leads would hold one or two of them."""
    chances = [bar.chance for bar in _bars(solve(read_battle("1900 1900 stop:300 rounds:100")))]
    tallest = chances.index(max(chances))
    assert chances[:tallest] == sorted(chances[:tallest])
    assert chances[tallest:-1] == sorted(chances[tallest:-1], reverse=True)


@each(
    [
        ("12 9 bombers:2 stop:4", "12 with 2 bombers against 9, stop at 4"),
        ("12 9 adice:8,6,6", "12 9 adice:8,6,6"),
        (
            "12 9 adice:12,12,12 ddice:12,12 abonus:1,1,1 dbonus:2,2 arerolls:3",
            "12 against 9, house rules",
        ),
        (
            "12 9 fighters:3 bombers:2 capitals:3 dfighters:2 dbombers:2 dcapitals:2 stop:4 rounds:12",
            "12 (3 F, 2 B, 3 C) against 9 (2 F, 2 B, 2 C),\nstop at 4, 12 rounds",
        ),
    ]
)
def test_a_title_says_what_is_fought(line: str, title: str) -> None:
    battle = read_battle(line)
    draw(battle, solve(battle))
    assert title in {text.get_text() for text in battle_chart(ahead=False).canvas.texts} | {
        text.get_text() for text in battle_chart(ahead=True).canvas.texts
    }


@each(FOREIGN)
def test_no_word_of_any_language_is_cut(code: str) -> None:
    shown = Battle(12, 9, ties="both"), Battle(2, 2, ties="neither", rounds=3), Battle(12, 9, stop=4), MANY
    with speaking(code):
        for battle in shown:
            assert not [word for word in words(battle) if "…" in word], battle


def test_the_undecided_part_of_a_bar_is_grey() -> None:
    battle = Battle(2, 2, ties="neither", rounds=3)
    colours = {
        colour for _, colour in pixels(draw(battle, solve(battle))).crop((0, 290, WIDTH, BASE)).getcolors(9999) or []
    }
    assert ImageColor.getrgb(DRAW) in colours


def test_armies_in_reserve_leave_no_gap_between_bars() -> None:
    """The least number of attackers left stands beside the least number of defenders left."""
    bars = _bars(solve(Battle(30, 9, reserve=20)))
    nearest = [bar.x for bar in bars if bar.low in (-1, 21)]
    assert nearest[0] - nearest[1] == pytest.approx(bars[0].pitch)


def test_a_template_drawn_over_shows_nothing_of_the_last_picture() -> None:
    first = draw(Battle(12, 9), solve(Battle(12, 9)))
    draw(Battle(100, 100, ties="both"), solve(Battle(100, 100, ties="both")))
    assert draw(Battle(12, 9), solve(Battle(12, 9))) == first
    assert BattleChart(ahead=False).draw(Battle(12, 9), solve(Battle(12, 9))) == first


@examples(50)
@given(battles.filter(lambda battle: solve(battle).never < 1))
def test_bars_show_nearly_all_of_the_law(battle: Battle) -> None:
    odds: Odds = solve(battle)
    bars = _bars(odds)
    assert len(bars) <= MOST_BARS + 1
    assert 0.995 <= sum(bar.chance for bar in bars) + odds.never <= 1 + 1e-9
    if not odds.unresolved:
        assert all(bar.low * bar.high > 0 or bar.low == bar.high == 0 for bar in bars), "no bar spans both sides"
    for part, fate in enumerate((odds.attacker_wins, odds.beaten)):
        assert abs(sum(bar.parts[part] for bar in bars) - fate) < 0.005
    assert [bar.x for bar in bars] == sorted((bar.x for bar in bars), reverse=True)


def test_workers_are_prepared_for_every_picture() -> None:
    prepared = [chart.function for chart in (*CHARTS, *(chart for room in ROOMS for chart in room.charts))]
    sources = (Path(bot.__file__).parent).rglob("*.py")
    made = [name for source in sources for name in re.findall(r'\bChart\(\s*"([^"]+)"', source.read_text())]
    assert sorted(prepared) == sorted(made)
    for name in prepared:
        assert callable(pkgutil.resolve_name(name))


@pytest.mark.whole
def test_drawing_needs_no_pyplot_and_asking_for_odds_no_drawing() -> None:
    """Pyplot keeps every figure for ever; and a program that only solves starts without drawing or chat."""
    code = (
        "import sys, solver; assert not {'matplotlib', 'discord', 'asyncio'} & set(sys.modules);"
        "from bot.games.dice.chart import draw_battle; b = solver.Battle(12, 9); draw_battle(b, solver.solve(b));"
        "assert 'matplotlib.pyplot' not in sys.modules and 'discord' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
