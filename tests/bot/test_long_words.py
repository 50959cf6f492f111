"""Pictures in a language of far longer words and wider letters: none is small, touches another or leaves."""

import re
from collections.abc import Callable, Iterator
from gettext import NullTranslations

import numpy as np
import pytest

from bot import languages
from bot.charts import Course, NeedCurve, Swings
from bot.charts.losses import draw_losses
from bot.charts.need import draw_need
from bot.charts.plans import draw_plans
from bot.charts.ribbon import draw_course
from bot.charts.sheet import the_sheet
from bot.games.axis.chart import draw_axis, draw_raid
from bot.games.axis.swing import DrawnSwings, raid_swings
from bot.games.dice.chart import _chart, battle_chart, draw_battle
from bot.games.dice.rounds.chart import draw_roll
from bot.games.dice.table_chart import draw_table
from bot.games.dice.words import game
from bot.games.path.chart import draw_path
from bot.games.placing.chart import draw_places
from bot.languages import _, speaking
from bot.live.faces_chart import draw_faces
from bot.live.luck_chart import draw_luck
from bot.words.compared_plan import DrawnPlan
from solver import Battle, solve
from solver.luck import BattleLuck
from tests.catalogues import english_in
from tests.helpers.bot.lines import read_battle
from tests.helpers.bot.readable import check_readable, words
from tests.helpers.cases import each

CYRILLIC = str.maketrans("abegkmnoprstuxyhdilcfvw", "абегкмнопрстухужоилцфвш")


class Long(NullTranslations):
    """Every word ends in more of its last letter, but for IPC and TUV."""

    def gettext(self, message: str) -> str:
        pieces = re.split(r"(\{\w+\})", message)
        return "".join(
            piece if index % 2 else re.sub(r"[A-Za-z]+", longer, piece) for index, piece in enumerate(pieces)
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, _context: str, message: str) -> str:
        return self.gettext(message)


def longer(word: re.Match[str]) -> str:
    if word[0].isupper():
        return word[0]
    return (word[0] + word[0][-1] * round(len(word[0]) / 2)).translate(CYRILLIC)


@pytest.fixture(autouse=True)
def long(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(languages, "_catalogue", lambda chosen: Long() if chosen == "ru" else NullTranslations())
    _chart.cache_clear()
    with speaking("ru"):
        yield
    _chart.cache_clear()


SWINGS = [(float(swing), 0.005, 0.005, 0.0) for swing in range(-50, 50)]
NUMBERS = ("45.0%", "50.0%", "5.0%")
LAW = (np.array([-60.0, -1.0, 0.0, 2.0, 70.0]), np.array([[0, 0, 0, 0.3, 0.2], [0.2, 0.2, 0, 0, 0], [0, 0, 0.1, 0, 0]]))
DIE, ENDS = dict.fromkeys(range(1, 7), 1 / 6), dict.fromkeys(range(90), 0.01)
RISING = np.linspace(0, 1, 57).tolist()
RAID = [(profit, 0.01) for profit in range(-50, 50)]
PLANS = [DrawnPlan([name], (0.5, 0.4, 0.1), NUMBERS, "no", LAW) for name in "xy"]
COUNTED = {(a, d): 0.01 for a in range(10) for d in range(10)}
GIVEN = {"TUV", "holds", "attacker", "wins", "winner", "no", "held", "lost", "IPC", "nothing", "unusual"}
"""What is not said by the pictures themselves."""


def swings_of(swings: Swings) -> DrawnSwings:
    """What a picture of these swings shows."""
    return DrawnSwings(["A"], ["x"], ("wins", "holds", "no winner"), NUMBERS, (9, 10, 1), ["y"], swings, ["z"])


PRICES = NeedCurve("A", "attackers", range(3, 60), RISING, 0.8, None, money="IPC")
MADE: dict[str, Callable[[], bytes]] = {
    "axis": lambda: draw_axis(swings_of(SWINGS)),
    "bring": lambda: draw_need(PRICES._replace(succeeds=_("best chance {to_succeed}", to_succeed="wins"))),
    "faces": lambda: draw_faces("A", [1000, 1001, 998, 1003, 1010, 990]),
    "few faces": lambda: draw_faces("A", [1, 0, 0, 0, 0, 0]),
    "losses": lambda: draw_losses("A", [(0, 2, 0.4), (1, 1, 0.3), (2, 0, 0.3)]),
    "many losses": lambda: draw_losses("A", [(*cost, chance) for cost, chance in COUNTED.items()]),
    "luck": lambda: draw_luck("A", [BattleLuck(0.3, 0.2)] * 12),
    "one battle": lambda: draw_luck("A", [BattleLuck(0.3, 0.2)]),
    "need": lambda: draw_need(NeedCurve("A", "defenders", range(1, 30), np.linspace(0, 1, 29).tolist(), 0.8, 23, 20)),
    "path": lambda: draw_path("A", [("5", "5 x")] * 20, [0.99**place for place in range(20)], ENDS),
    "places": lambda: draw_places("A", "45%", "held", [(["x"], "y", 0.4, 0.3, "4%")]),
    "plans": lambda: draw_plans("A", PLANS, ("wins", "holds"), "armies"),
    "money": lambda: draw_plans("A", PLANS, ("wins", "holds"), "IPC"),
    "raid": lambda: draw_raid(swings_of(raid_swings(RAID)), 12),
    "ribbon": lambda: draw_course(Course(["A"], [0.5, 0.6, 0.1, 0.9], ["12–9"] * 4)),
    "over": lambda: draw_course(Course(["A"], [0.5, 0.6, 0.1, 1.0], ended="attacker wins", won=True)),
    "roll": lambda: draw_roll("A", [DIE] * 4),
    "wide roll": lambda: draw_roll("A", [dict.fromkeys(range(-49, 50), 0.01)]),
    "table": lambda: draw_table("A", np.linspace(0, 1, 36).reshape(6, 6), (3, 3)),
}  # fmt: skip


@each(MADE)
def test_long_words_fit_into_pictures(picture: str) -> None:
    MADE[picture]()
    check_readable()
    assert re.search("[а-я]", "".join(words())), "the picture speaks the language"
    assert set(english_in(" ".join(words()))) <= GIVEN


WHOLE = ["axis", "faces", "few faces", "losses", "many losses", "luck", "one battle", "raid", "ribbon", "over", "roll"]


@each(WHOLE)
def test_no_long_sentence_of_a_picture_is_cut(picture: str) -> None:
    MADE[picture]()
    assert not [word for word in words() if " " in word and "…" in word]


@pytest.mark.parametrize("battle", [Battle(12, 9), Battle(900, 800, rounds=9), Battle(3, 3, ties="neither", rounds=3)])
def test_long_words_fit_beside_a_battle(battle: Battle, monkeypatch: pytest.MonkeyPatch) -> None:
    odds = solve(battle)
    draw_battle(battle, odds)
    chart = battle_chart(ahead=odds.unresolved > 0)
    sheet = the_sheet()
    monkeypatch.setattr(sheet, "canvas", chart.canvas)
    monkeypatch.setattr(sheet, "text_count", len(chart.canvas.texts))
    check_readable()
    assert any(re.search("[а-я]", word) for word in words())


@each(["12 9", "12 9 stop:4", "2000 1900", "9 12 ties:both stop:2"])
def test_no_long_word_of_a_battle_is_cut(line: str) -> None:
    battle = read_battle(line)
    draw_battle(battle, solve(battle))
    said = [text.get_text() for ahead in (False, True) for text in battle_chart(ahead).canvas.texts]
    assert not [word for word in said if "…" in word]


def test_a_long_end_of_a_battle_stands_on_two_lines() -> None:
    ended = "Attack called off after 12 rounds, 106 against 105 left"
    draw_course(Course(["A"], [0.5, 0.6], ended=ended, won=False))
    check_readable()
    assert ("Attack called off after 12 rounds,\n106 against 105 left") in words()


@each(["2210", "lotr-siege", "d12"])
def test_a_long_title_keeps_the_numbers_and_the_game(pack: str) -> None:
    battle = read_battle(f"999 1000 stop:2 rounds:3 ties:both variant:{pack}")
    draw_battle(battle, solve(battle))
    (title,) = {text.get_text() for text in battle_chart(ahead=True).canvas.texts if "999" in text.get_text()}
    assert game(battle) in title.replace("\n", " ")


def test_templates_of_pictures_are_cached_by_language() -> None:
    said = [text.get_text() for text in battle_chart(ahead=False).canvas.texts]
    with speaking("en"):
        assert "defenders left" in [text.get_text() for text in battle_chart(ahead=False).canvas.texts]
    assert "defenders left" not in said
