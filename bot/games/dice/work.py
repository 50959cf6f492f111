"""The work of workers for battles with dice, and how to ask the engine for it."""

from collections.abc import Callable
from functools import cache
from typing import Any

from bot.errors import UserError, reason_of
from bot.games.dice.limits import Limits
from bot.languages import _, language, run_in_language
from bot.work import jobs
from bot.work.engine import Arguments, Engine, Result, draws_pictures
from bot.work.jobs import Chart
from solver.dice.battle import Battle
from solver.dice.exact import attacker_wins
from solver.dice.odds import solve
from solver.dice.sizes import ArmySide, Need, least_attackers, win_chances
from solver.documents import quotient
from solver.errors import BattleError

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
