"""The work of workers for battles with dice, how to ask the engine for it, and estimates of its processor time."""

from collections.abc import Callable
from functools import cache
from typing import Any

from bot.errors import UserError, reason_of
from bot.games.dice.limits import Limits
from bot.languages import _, language, run_in_language
from bot.work import jobs
from bot.work.costs import PICTURE
from bot.work.engine import Arguments, Engine, Result, draws_pictures
from bot.work.jobs import Chart
from solver.dice.advice import advice
from solver.dice.battle import Battle
from solver.dice.chain import DiceChain
from solver.dice.exact import attacker_wins
from solver.dice.odds import solve
from solver.dice.questions import need_to_dict
from solver.dice.sizes import (
    ArmySide,
    Need,
    large_need_work,
    least_attackers,
    need,
    need_for_large_army,
    win_chances,
    with_armies,
    worth_going_on,
)
from solver.documents import quotient
from solver.errors import BattleError
from solver.game import Question

PREVIEW_WORK = 1_500_000
CHART = Chart("bot.games.dice.chart.draw_battle", personal=False)
TABLE = Chart("bot.games.dice.table_chart.draw_table", personal=False)
LOSSES = Chart("bot.games.dice.rounds.chart.draw_losses", personal=False)
ROLL = Chart("bot.games.dice.rounds.chart.draw_roll", personal=False)
ROUNDS = Chart("bot.games.dice.rounds.all_rounds_chart.draw_rounds", personal=False)
CHARTS = CHART, TABLE, LOSSES, ROLL, ROUNDS
Table = tuple[bytes, float | None, list[tuple[int | None, ...]]]
"""A picture, the chance in its ring, and for each number of defenders the least attackers that reach some goals."""


def odds_work(battle: Battle, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle. Equal chains have equal odds, so they are kept by the chain."""
    return solve, (battle.chain(),)


def check_size(battle: Battle, most_work: int) -> None:
    """Raise UserError if a battle is too large."""
    Limits(most_work).check_size(battle)


def is_quick(battle: Battle) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    return battle.chain().work <= PREVIEW_WORK


async def compute_on_grid(
    engine: Engine, work: Callable[[Battle, *Arguments], Result], battle: Battle, *arguments: *Arguments
) -> Result:
    """Return the answer of work that takes a grid of the battle's size; UserError if that is too large."""
    Limits(engine.most_work).check_size(battle, grid=True)
    return await engine.compute(work, battle, *arguments)


async def find_need(engine: Engine, battle: Battle, side: ArmySide, goal: float, own: int) -> Need:
    """Find how many armies of a side reach a chance; the number `own` is on the curve too."""
    work, arguments = Limits(engine.most_work).need(battle, side, goal, own)
    return await engine.compute(work, *arguments)


async def draw_table(
    engine: Engine, battle: Battle, ring: tuple[int, int] | None, title: str, goals: tuple[float, ...], behind: int
) -> Table:
    """Return the picture of all sizes up to the battle's, and the numbers on it: see `tabulate`."""
    return await compute_on_grid(engine, tabulate, battle, ring, title, goals, behind, language(), draws_pictures())


async def find_fraction(engine: Engine, battle: Battle) -> str:
    """Return the attacker's chance as "p/q"; UserError if it cannot be had."""
    try:
        Limits(engine.most_work).check_size(battle, grid=True)
    except UserError:
        raise UserError(_("Too large to show as a fraction.")) from None
    return await explain_fraction(engine, in_fractions, battle)


async def explain_fraction(engine: Engine, work: Callable[[Any], str], battle: Any) -> str:
    """Return the fraction that the work finds; UserError says why there is none."""
    try:
        return await engine.compute(work, battle)
    except BattleError as error:
        raise UserError(_("I can't show that as a fraction: {reason}.", reason=reason_of(error))) from None


def warm_up() -> None:
    """Make, once in each process and language, the tables of the common game and the fonts and shapes of a picture."""
    _draw_first(language())


@cache
def _draw_first(_language: str) -> None:
    battle = Battle(3, 2)
    jobs.draw(CHART, battle, solve(battle))


def in_fractions(battle: Battle) -> str:
    """Return the attacker's chance as "p/q"; BattleError says why it cannot be had."""
    return quotient(attacker_wins(battle))


def tabulate(
    battle: Battle,
    ring: tuple[int, int] | None,
    title: str,
    goals: tuple[float, ...],
    behind: int,
    language: str,
    drawn: bool = True,
) -> Table:
    """Return the picture of all sizes up to the battle's, the chance in the ring, and how many attackers reach goals.

    The chances themselves may be megabytes, so they stay in the worker. The language is that of the picture,
    which is empty where none is to be `drawn`; there so many attackers `behind` are counted too.
    """
    chances = win_chances(battle, battle.attackers, battle.defenders)
    png = run_in_language(language, jobs.draw, TABLE, title, chances, ring, behind) if drawn else b""
    return png, float(chances[ring]) if ring else None, least_attackers(chances, goals)


STEP = 7e-9
"""Seconds of a step, the unit of `DiceChain.work`; on a slow day."""


def solve_seconds(chain: DiceChain) -> float:
    """Estimate the seconds for the odds of a battle."""
    return STEP * chain.work


def grid_seconds(battle: Battle, *_others: object) -> float:
    """Estimate the seconds for the chances of a battle from every number of armies."""
    return STEP * battle.chain().grid_work


def need_seconds(battle: Battle, side: ArmySide, _goal: float, most: int, shown: int) -> float:
    """Estimate the seconds to find from a table how many armies are needed."""
    theirs = battle.defenders if side == "attackers" else battle.attackers
    return grid_seconds(with_armies(battle, side, min(max(4 * theirs, shown, 8), most)))


def tries_seconds(battle: Battle, side: ArmySide, *_others: object) -> float:
    """Estimate the seconds to find how many armies are needed by trying each number."""
    return STEP * large_need_work(battle, side)


def _table_seconds(battle: Battle, *_others: object) -> float:
    return PICTURE / 2 + grid_seconds(battle)


def _advice_seconds(battle: Battle) -> float:
    return 4 * grid_seconds(battle)


def _fraction_seconds(battle: Battle) -> float:
    return 10 * grid_seconds(battle)


ESTIMATES: dict[Callable[..., Any], Callable[..., float]] = {
    solve: solve_seconds,
    need: need_seconds,
    need_for_large_army: tries_seconds,
    tabulate: _table_seconds,
    worth_going_on: grid_seconds,
    advice: _advice_seconds,
    in_fractions: _fraction_seconds,
}


async def answer_odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how a battle ends, if it is not too large."""
    Limits(engine.most_work).check_size(question.battle, grid=question.details)
    return await engine.answer(question)


async def answer_on_grid(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer a question that takes a grid of the battle's size, if that is not too large."""
    Limits(engine.most_work).check_size(question.battle, grid=True)
    return await engine.answer(question)


async def answer_need(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how many armies a chance takes."""
    return need_to_dict(await find_need(engine, question.battle, *question.details))
