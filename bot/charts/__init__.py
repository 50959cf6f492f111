"""The common parts of all pictures, and the pictures of no single game. All are readable on a phone, 400 pixels wide.

A picture is made where matplotlib is loaded, from a value with named parts that needs none of it.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bot.words.numbers import USUAL_DECIMALS, writing_decimals
from solver.luck import TotalLuck
from solver.progress import takes

if TYPE_CHECKING:
    from solver.chain import Chances as Law
    from solver.chain import Counts

PICTURE = 0.03
"""Seconds for a picture."""


class Chart(NamedTuple):
    """A kind of picture.

    Attributes:
        function: The dotted name of the function that draws it. Its module is only loaded where pictures are drawn, as
            loading what draws takes long.
        personal: Whether it shows what people rolled, so that it does not leave the process.
    """

    function: str
    personal: bool

    @property
    def module(self) -> str:
        """The module that draws it."""
        return self.function.rpartition(".")[0]


@takes(lambda *_parts: PICTURE)
def draw(chart: Chart, *parts: Any) -> bytes:
    """Return a picture of these parts as PNG."""
    with writing_decimals(USUAL_DECIMALS):
        png: bytes = getattr(import_module(chart.module), chart.function.rpartition(".")[2])(*parts)
    return png


PLANS = Chart("bot.charts.plans.draw_plans", personal=False)
SEVERAL = Chart("bot.charts.several.draw_several", personal=False)
NEED = Chart("bot.charts.need.draw_need", personal=False)
COURSE = Chart("bot.charts.ribbon.draw_course", personal=True)
LUCK = Chart("bot.live.luck_chart.draw_luck", personal=True)
RANKING = Chart("bot.live.ranking_chart.draw_ranking", personal=True)
FACES = Chart("bot.live.faces_chart.draw_faces", personal=True)
RESULT = Chart("bot.charts.result.draw_result", personal=False)
LOSSES = Chart("bot.charts.losses.draw_losses", personal=False)
CURVES = Chart("bot.charts.curves.draw_curves", personal=False)
CHARTS = PLANS, SEVERAL, NEED, COURSE, LUCK, RANKING, FACES, RESULT, LOSSES, CURVES
"""The pictures of no single game. Those of a game are in the `charts` of its room."""

Swings = Sequence[tuple[float, float, float, float]]
"""Each possible amount, the least first, with the chances that the attacker, the defender and nobody wins there."""


def swings_of(amounts: "Law | Counts", winners: "Counts", chances: "Law") -> Swings:
    """Return the swings of ends with these amounts, of which side 0 or 1 wins, or neither, 2."""
    import numpy as np

    distinct, place = np.unique(np.round(amounts, 2), return_inverse=True)
    parts = np.bincount(3 * place + winners, chances, 3 * len(distinct)).reshape(-1, 3)
    return [(amount, *part) for amount, part in zip(distinct.tolist(), parts.tolist(), strict=True)]


Chances = Sequence[float | None]
Side = Literal["attackers", "defenders"]


class NeedCurve(NamedTuple):
    """The armies that a side needs, or their cost.

    Attributes:
        title: The title.
        side: The side.
        counts: The increasing counts of armies, with the attackers who stay behind; or amounts of money.
        chances: The side's chance to succeed with each of them.
        goal: The chance asked for.
        answer: The least count with this chance; None if no count has it.
        here: The count that the reader has; None if there is none.
        behind: How many of the attackers stay behind.
        money: The name of the money that is counted; empty if armies are.
        succeeds: The name of the chance, other than "chance to win" and "chance to hold".
    """

    title: str
    side: Side
    counts: Sequence[int]
    chances: Sequence[float]
    goal: float
    answer: int | None
    here: int | None = None
    behind: int = 0
    money: str = ""
    succeeds: str = ""


class Curves(NamedTuple):
    """Two numbers that change with a third: a chance, and another chance or an amount.

    Attributes:
        title: The title.
        axis: The name of the third number.
        steps: Its increasing values.
        names: The names of both numbers.
        chances: The first number at each step.
        shares: The second number at each step, as a share of the `whole` if it is an amount.
        whole: The amount at the top; None if the second number is a chance.
    """

    title: str
    axis: str
    steps: Sequence[int]
    names: tuple[str, str]
    chances: Sequence[float]
    shares: Sequence[float]
    whole: int | None = None


class DrawnChances(NamedTuple):
    """A plan in the picture of several.

    Attributes:
        name: Its letter.
        titles: Its battle in ever fewer words.
        chances: The chances that the attacker succeeds, that the defender does, and that neither does.
        numbers: The first two in words.
        is_best: Whether it is among the best.
    """

    name: str
    titles: Sequence[str]
    chances: tuple[float, float, float]
    numbers: tuple[str, str]
    is_best: bool


class RankedPlayer(NamedTuple):
    """A player in a ranking by luck: the name, and the luck of all their battles."""

    name: str
    total: TotalLuck


class Course(NamedTuple):
    """The course of a live battle.

    Attributes:
        titles: Its titles, of which the picture has the first that fits.
        chances: The attacker's chance to win before the first round and after each one, None if it is unknown. A
            retreat is no roll: after it the last chance is the one before it.
        marks: The armies left after each round, "12–9"; empty if they are not written.
        ended: How a battle ended that is over, in a few words.
        won: Whether the attacker has won; None if neither has.
        names: The results of defender and attacker, other than "defender holds" and "attacker wins".
        befores: The chance just before each round, where choices may have changed it since the round before.
        is_share: Whether the numbers are shares, which are not called chances.
    """

    titles: Sequence[str]
    chances: Chances
    marks: Sequence[str] = ()
    ended: str = ""
    won: bool | None = None
    names: tuple[str, str] | None = None
    befores: Chances = ()
    is_share: bool = False


class DrawnResult(NamedTuple):
    """A battle that somebody tells the end of.

    Attributes:
        titles: Titles of the battle, of which it has the first that fits.
        verdict: How lucky the end was, in a few words.
        luck: The luck of both sides.
        mark: The end in words, with its chance.
        swings: The law of all ends, with who wins.
        marked: The amounts of the ends that are marked, the least first.
        names: The names of its ends, the left one first, or one name of the axis; its numbers have signs then.
        foot: The chances of that or worse, and of that or better.
    """

    titles: Sequence[str]
    verdict: str
    luck: str
    mark: str
    swings: Swings
    marked: Sequence[float]
    names: Sequence[str]
    foot: str
