"""The work of workers for battles with dice, its limits, and how to ask the engine for it."""

from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from bot import charts
from bot.charts import PICTURE, Chart
from bot.errors import UserError, reason_of
from bot.games.dice.words import has_end
from bot.languages import _, compose, language, run_in_language
from bot.work.engine import Arguments, Engine, Result, draws_pictures, key_of, put_off
from solver.dice.advice import Advice, advice
from solver.dice.battle import MOST_ARMIES, Battle, grid_seconds
from solver.dice.exact import attacker_wins
from solver.dice.large_need import beyond_tables, large_need_work, need_for_large_army
from solver.dice.odds import Odds, solve
from solver.dice.questions import need_to_dict
from solver.dice.sizes import (
    MOST_NEEDED,
    ArmySide,
    Need,
    least_attackers,
    need,
    other_armies,
    win_chances,
    with_armies,
)
from solver.documents import quotient
from solver.errors import BattleError
from solver.game import Question
from solver.progress import takes

MOST_NUMBERS = 6_000_000
LEAST_TRIED = 50
"""The fewest armies of a side for which a table is made; a smaller one would say nothing."""
MOST_OF_MANY = 20_000
"""The most armies on the other side against which each number is tried by itself, where no table is large enough."""
TRYING = 4
"""The most work for trying numbers, in multiples of that of the largest battle."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of this host: battles take up to `most_work`, in the unit of `DiceChain.work`."""

    most_work: int

    def fits(self, battle: Battle, grid: bool = False) -> bool:
        """Return whether a battle, or a grid of its size, is small enough."""
        chain = battle.chain()
        numbers = max(chain.numbers, chain.cells * grid * (8 if chain.reshape else 3))
        work = chain.grid_work if grid else chain.work
        return numbers <= MOST_NUMBERS and work <= self.most_work

    def need(
        self, battle: Battle, side: ArmySide, goal: float, shown: int
    ) -> tuple[Callable[..., Need], tuple[Hashable, ...]]:
        """Return the work that finds how many armies of a side are needed; UserError if it is too large.

        It is done from a table, or with armies too large for that one by one.
        """
        theirs = other_armies(battle, side)
        bare = with_armies(battle, side, 1)
        most = largest(lambda number: self.fits(with_armies(battle, side, number), grid=True), MOST_NEEDED)
        if beyond_tables(bare, side, most):
            self._check_tries(bare, side)
            return need_for_large_army, (bare, side, goal, min(shown, 4 * theirs))
        if most < LEAST_TRIED:
            check_size(with_armies(battle, side, LEAST_TRIED), self.most_work, grid=True)
        return need, (bare, side, goal, most, shown)

    def _check_tries(self, battle: Battle, side: ArmySide) -> None:
        """Raise UserError if the other side has too many armies to try each number by itself."""
        other: ArmySide = "defenders" if side == "attackers" else "attackers"

        def fits(theirs: int) -> bool:
            against = with_armies(battle, other, theirs)
            possible = 4 * theirs <= MOST_ARMIES and self.fits(with_armies(against, side, 4 * theirs))
            return possible and theirs <= MOST_OF_MANY and large_need_work(against, side) <= TRYING * self.most_work

        if not fits(theirs := other_armies(battle, side)):
            text = _(
                "`/need` works against up to {most}, not against {number}.",
                most=largest(fits, MOST_OF_MANY),
                number=theirs,
            )
            raise UserError(text)

    def fine(self, battle: Battle, grid: bool) -> str:
        """Say how large such a battle may be."""
        plain = replace(battle, stop=0, reserve=0, rounds=None)

        def most(*sides: ArmySide) -> int:
            def fits(number: int) -> bool:
                whole = plain
                for side in sides:
                    whole = with_armies(whole, side, number)
                return self.fits(whole, grid)

            return largest(fits, MOST_ARMIES)

        even, attackers, defenders = most("attackers", "defenders"), most("attackers"), most("defenders")
        values = {"even": even, "attackers": attackers, "defenders": battle.defenders}
        if defenders > even:
            values |= {"attackers": battle.attackers, "defenders": defenders}
        if max(attackers, defenders) <= even:
            if battle.rounds is None:
                return _("With these rules the limit is {even} against {even}.", even=even)
            return _("With these rules, but without `rounds`, the limit is {even} against {even}.", even=even)
        if battle.rounds is None:
            return _(
                "With these rules the limit is {even} against {even}, or {attackers} against {defenders}.", **values
            )
        return _(
            "With these rules, but without `rounds`, the limit is {even} against {even}, or "
            "{attackers} against {defenders}.",
            **values,
        )


def largest(fits: Callable[[int], bool], limit: int) -> int:
    """Return the largest number up to `limit` that fits, if all smaller ones do."""
    return bisect_left(range(1, limit + 1), True, key=lambda number: not fits(number))


PREVIEW_WORK = 1_500_000
CHART = Chart("bot.games.dice.chart.draw_battle", personal=False)
TABLE = Chart("bot.games.dice.table_chart.draw_table", personal=False)
ROLL = Chart("bot.games.dice.rounds.chart.draw_roll", personal=False)
ROUNDS = Chart("bot.games.dice.rounds.chart.draw_rounds", personal=False)
Table = tuple[bytes, float | None, list[tuple[int | None, ...]]]
"""A picture, the chance in its ring, and for each number of defenders the least attackers that reach some goals."""


def odds_work(battle: Battle, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle. Equal chains have equal odds, so they are kept by the chain."""
    return solve, (battle.chain(),)


def check_size(battle: Battle, most_work: int, grid: bool = False) -> None:
    """Raise UserError, with the largest possible size, if a battle or a grid of its size is too large."""
    limits = Limits(most_work)
    if limits.fits(battle, grid):
        return
    if battle.chain().table_work > most_work:
        raise UserError(_("These dice can fall in too many ways. Use fewer or smaller dice."))
    if battle.rounds is not None and limits.fits(replace(battle, rounds=0), grid):
        most = largest(lambda number: limits.fits(replace(battle, rounds=number), grid), battle.rounds)
        text = _(
            "{rounds} rounds are too many; for this battle the limit is {most}.",
            rounds=battle.rounds,
            most=most,
        )
        raise UserError(text)
    sides = {"attackers": battle.attackers, "defenders": battle.defenders}
    if grid and limits.fits(battle):
        what = _("{attackers} against {defenders} is too large for this question.", **sides)
    else:
        what = _("{attackers} against {defenders} is too large for me.", **sides)
    raise UserError(compose("{what} {fine}", what=what, fine=limits.fine(battle, grid)))


def is_quick(battle: Battle) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    return battle.chain().work <= PREVIEW_WORK


def begin_answer(engine: Engine, battle: Battle, advised: bool) -> None:
    """Let one job find the odds of a small battle, its picture, and the advice on dice if the answer has it."""
    if is_quick(battle):
        keys = [key_of(solve, (battle.chain(),)), (CHART, language(), (battle, ()))]
        keys += [key_of(advice, (battle,))] * advised
        engine.begin_together(keys, solve_and_draw, battle, language(), advised)


async def compute_on_grid(
    engine: Engine, work: Callable[[Battle, *Arguments], Result], battle: Battle, *arguments: *Arguments
) -> Result:
    """Return the answer of work that takes a grid of the battle's size; UserError if that is too large."""
    check_size(battle, engine.most_work, grid=True)
    return await engine.compute(work, battle, *arguments)


async def find_need(engine: Engine, battle: Battle, side: ArmySide, goal: float, own: int) -> Need:
    """Find how many armies of a side reach a chance; the number `own` is on the curve too."""
    work, arguments = Limits(engine.most_work).need(battle, side, goal, own)
    return await engine.compute(work, *arguments)


async def draw_table(
    engine: Engine, battle: Battle, ring: tuple[int, int] | None, title: str, goals: tuple[float, ...], behind: int
) -> Table:
    """Return the picture of all sizes up to the battle's, and the numbers on it: see `tabulate`."""
    table = partial(compute_on_grid, engine, tabulate, battle, ring, title, goals, behind, language())

    async def draw() -> bytes:
        png, *_numbers = await table(True)
        return png

    drawn = draws_pictures()
    return await table(drawn and not put_off(draw))


async def find_fraction(engine: Engine, battle: Battle) -> str:
    """Return the attacker's chance as "p/q"; UserError if it cannot be had."""
    return await explain_fraction(engine, in_fractions, battle, partial(check_size, grid=True))


async def explain_fraction(
    engine: Engine, work: Callable[[Any], str], battle: Any, check: Callable[[Any, int], None]
) -> str:
    """Return the fraction that the work finds, if the battle is not too large; UserError says why there is none."""
    try:
        check(battle, engine.most_work)
    except UserError:
        raise UserError(_("Too large to show as a fraction.")) from None
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
    charts.draw(CHART, battle, solve(battle))


@takes(lambda battle, _language, advised: PICTURE + (5 if advised else 1) * grid_seconds(battle))
def solve_and_draw(battle: Battle, language: str, advised: bool) -> tuple[Odds, bytes, tuple[Advice | None, ...]]:
    """Return the odds of a battle, its picture in a language, and the advice on dice if that is wanted."""
    odds = solve(battle.chain())
    png = run_in_language(language, charts.draw, CHART, battle, odds, ()) if has_end(odds) else b""
    return odds, png, advice(battle) if advised else ()


@takes(lambda battle: 10 * grid_seconds(battle))
def in_fractions(battle: Battle) -> str:
    """Return the attacker's chance as "p/q"; BattleError says why it cannot be had."""
    return quotient(attacker_wins(battle))


@takes(lambda battle, *_others: PICTURE / 2 + grid_seconds(battle))
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
    png = run_in_language(language, charts.draw, TABLE, title, chances, ring, behind) if drawn else b""
    return png, float(chances[ring]) if ring else None, least_attackers(chances, goals)


async def answer_odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how a battle ends, if it is not too large."""
    check_size(question.battle, engine.most_work, grid=question.details.exact)
    return await engine.answer(question)


async def answer_on_grid(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer a question that takes a grid of the battle's size, if that is not too large."""
    check_size(question.battle, engine.most_work, grid=True)
    return await engine.answer(question)


async def answer_need(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how many armies a chance takes."""
    asked = question.details
    return need_to_dict(await find_need(engine, question.battle, asked.side, asked.goal, asked.own))
