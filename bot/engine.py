"""The async, cached solver: worker processes, one computation per question however many ask, and limits.

Answers are kept by the battle's chain, which is the same for every way of saying the same battle; pictures, which
carry a title, by the battle itself.
"""

import asyncio
import logging
import pickle
import secrets
from bisect import bisect_left
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, Self, TypeVar

from cachetools import LRUCache

from bot.errors import UserError
from bot.settings import Settings
from bot.workers import LostWorkerError, Worker, WorkerProcess, WorkerThread
from solver import Battle, BattleError, Odds, solve
from solver.axis import AxisBattle
from solver.axis_answers import armies_within, matters_within, odds_within, placements_within, survey_within
from solver.axis_matters import Change
from solver.axis_needs import Armies, Goal, Survey
from solver.axis_odds import DROPPED, AxisOdds
from solver.battle import MOST_ARMIES
from solver.documents import quotient
from solver.exact import attacker_wins, takes_all
from solver.paths import Path, PathOdds, march
from solver.placing import Placements, Placing
from solver.play import Round, play, ribbon
from solver.questions import Asked, needed, told_armies, told_changes, told_odds, told_placements
from solver.tables import MOST_NEEDED, Need, Side, least_attackers, need, need_of_many, sized, win_chances

log = logging.getLogger(__name__)

Found = TypeVar("Found")

MOST_NUMBERS = 6_000_000
MOST_ROUNDS = 2_000
LEAST_TRIED, MOST_OF_MANY = 50, 20_000
"""The fewest armies of a side that a table is made for, as less would say nothing; and where a table is too small, the
most on the other side against which each number is tried by itself."""
PREVIEW_WORK = 1_500_000
PREVIEW_SECONDS = 0.05
PREVIEW_UNITS = 12
PREVIEW_QUEUE = 8
"""Where so many questions wait already, suggestions go without odds: typing must not slow down answers."""

RESTARTING = "I am being restarted. Ask again in a minute."


class Played(NamedTuple):
    """A battle fought with real dice: its rounds, and the chance to win before the first and after each of them.

    `odds` are those before the first roll.
    """

    rounds: list[Round]
    chances: list[float]
    odds: Odds


Table = tuple[bytes, list[tuple[int | None, ...]]]
"""A picture, and for each number of defenders the least attackers that reach each of some goals."""


class Engine:
    """Solves, draws and rolls, off the event loop. Use it as an async context manager."""

    def __init__(self, settings: Settings, processes: bool = True) -> None:
        """Without processes one thread does the work: quicker to start, for a program that asks once."""
        self._settings = settings
        self._processes = processes
        self._workers: list[Worker] = []
        self._free: asyncio.Queue[Worker | None] = asyncio.Queue()
        self._cache: LRUCache[Hashable, Any] = LRUCache(settings.cache * 2**20, getsizeof=_size)
        self._computing: dict[Hashable, asyncio.Task[Any]] = {}
        self._waiting = 0
        self._leaving = False

    async def __aenter__(self) -> Self:
        """Start the workers and let each draw once: the first picture costs what a hundred others do."""
        if self._processes:
            # Many times what the largest job should take; see the setting most_work.
            longest = 30 + 0.025 * self._settings.most_work
            self._workers += [WorkerProcess(longest) for _ in range(self._settings.workers)]
            try:
                await asyncio.gather(*(self._twice(worker, warm) for worker in self._workers))
            except UserError:
                await self.__aexit__()
                raise UserError("A worker process ends as soon as it is started. Is there memory enough?") from None
        else:
            self._workers.append(WorkerThread())
        for worker in self._workers:
            self._free.put_nowait(worker)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the workers go."""
        self.give_up()
        await asyncio.gather(*self._computing.values(), return_exceptions=True)
        for worker in self._workers:
            await asyncio.to_thread(worker.close)

    def give_up(self) -> None:
        """Answer nothing more; those who wait are told to ask again."""
        self._leaving = True
        for worker in self._workers:
            worker.stop()
        for _ in range(self._waiting):
            self._free.put_nowait(None)

    async def odds(self, battle: Battle) -> Odds:
        """The odds of a battle; UserError where it is too large or too many are waiting."""
        self._check_size(battle)
        chain = battle.chain()
        try:
            odds: Odds = await self._once(chain, solve, chain)
        except BattleError as error:
            raise UserError(error.sentence) from None
        return odds

    async def armies(self, battle: AxisBattle, dropped: float = DROPPED) -> AxisOdds:
        """The odds of a battle of Axis & Allies; simulated where it is too large to work out here."""
        try:
            odds: AxisOdds = await self._once((battle, dropped), odds_within, battle, dropped, self._most)
        except BattleError as error:
            raise UserError(error.sentence) from None
        return odds

    async def matters(self, battle: AxisBattle) -> tuple[float, list[Change]]:
        """The attacker's chance to win, and that with one unit more or less; UserError where that takes too long."""
        try:
            answer: tuple[float, list[Change]] = await self._once(
                ("matters", battle), matters_within, battle, self._most
            )
        except BattleError as error:
            raise UserError(error.sentence) from None
        return answer

    async def best_armies(self, battle: AxisBattle, goal: Goal) -> Armies:
        """The parts of an army that are best for a goal; UserError where trying them takes too long."""
        return await self._parts(armies_within, battle, goal)

    async def survey(self, battle: AxisBattle, goal: Goal) -> Survey:
        """All that there is to say about the parts of an army; UserError where trying them takes too long."""
        return await self._parts(survey_within, battle, goal)

    async def _parts(self, work: Callable[[AxisBattle, Goal, int], Found], battle: AxisBattle, goal: Goal) -> Found:
        try:
            answer: Found = await self._once((work.__name__, battle, goal), work, battle, goal, self._most)
        except BattleError as error:
            raise UserError(error.sentence) from None
        return answer

    async def placements(self, placing: Placing) -> Placements:
        """The best ways to place units over territories; UserError where trying them takes too long."""
        try:
            answer: Placements = await self._once(placing, placements_within, placing, self._most)
        except BattleError as error:
            raise UserError(error.sentence) from None
        return answer

    @property
    def _most(self) -> int:
        return self._settings.most_work * 1_000_000

    async def march(self, path: Path) -> PathOdds:
        """The odds of a path; UserError as in `odds`."""
        self._check_march(path)
        odds: PathOdds = await self._once(path, march, path)
        return odds

    async def preview(self, battle: Battle | Path | AxisBattle) -> Odds | PathOdds | AxisOdds | None:
        """The odds if they are at hand or found in a blink, for suggestions while somebody types; else None."""
        known = _key(battle) in self._cache
        if not known and (self._waiting >= PREVIEW_QUEUE or not _quick(battle)):
            return None
        try:
            return await asyncio.wait_for(self._any_odds(battle), PREVIEW_SECONDS)
        except (UserError, TimeoutError):
            return None
        except Exception:
            log.exception("suggestions go without the odds of %s", battle)
            return None

    async def _any_odds(self, battle: Battle | Path | AxisBattle) -> Odds | PathOdds | AxisOdds:
        if isinstance(battle, AxisBattle):
            return await self.armies(battle)
        return await self.march(battle) if isinstance(battle, Path) else await self.odds(battle)

    async def exact(self, battle: Battle | Path) -> str:
        """The attacker's chance as a fraction, "p/q"."""
        try:
            if isinstance(battle, Path):
                self._check_march(battle)
            else:
                self._check_size(battle, grid=True)
        except UserError:
            raise UserError("That cannot be had as a fraction: it is too large for one.") from None
        try:
            fraction: str = await self._once(("exact", battle), in_fractions, battle)
        except BattleError as error:
            raise UserError(f"That cannot be had as a fraction: {error.reason}.") from None
        return fraction

    async def picture(self, battle: Battle, odds: Odds) -> bytes:
        """The picture of a battle's odds, as PNG."""
        png: bytes = await self._once(("picture", battle), draw, "draw_battle", battle, odds)
        return png

    async def drawn(self, key: Hashable, kind: str, *parts: Any) -> bytes:
        """One of the other pictures, such as "draw_table", made of these parts; kept under the key."""
        png: bytes = await self._once((kind, key), draw, kind, *parts)
        return png

    async def ask(self, work: Callable[..., Any], battle: Battle, *arguments: Hashable) -> Any:
        """The answer of a plain function to a question about the battle, one that takes a grid of its size."""
        self._check_size(battle, grid=True)
        return await self.find(work, battle, *arguments)

    async def find(self, work: Callable[..., Any], *arguments: Hashable) -> Any:
        """The answer of a plain function that never takes long."""
        return await self._once((work.__name__, *arguments), work, *arguments)

    async def need(self, battle: Battle, side: Side, goal: float, shown: int) -> Need:
        """How many of a side it takes, up to as many as can be worked out here; `shown` is on the curve too."""
        work, arguments = self._need(battle, side, goal, shown)
        found: Need = await self.find(work, *arguments)
        return found

    def _need(
        self, battle: Battle, side: Side, goal: float, shown: int
    ) -> tuple[Callable[..., Need], tuple[Hashable, ...]]:
        """The work that finds out how many it takes: from a table, or with armies too large for that one by one."""
        theirs = battle.defenders if side == "attackers" else battle.attackers
        bare = sized(battle, side, 1)
        most = _largest(lambda number: self._fits(sized(battle, side, number), grid=True), MOST_NEEDED)
        many = 2 * theirs > most and bare.chain().line and not battle.reshape
        if many and theirs > MOST_OF_MANY:
            raise UserError(f"How many are needed is worked out against up to {MOST_OF_MANY}, not against {theirs}.")
        if many:
            self._check_size(sized(battle, side, 4 * theirs))
            return need_of_many, (bare, side, goal, min(shown, 4 * theirs))
        if most < LEAST_TRIED:
            self._check_size(sized(battle, side, LEAST_TRIED), grid=True)
        return need, (bare, side, goal, most, shown)

    async def table(self, battle: Battle, ring: tuple[int, int] | None, title: str, goals: tuple[float, ...]) -> Table:
        """The picture of all sizes up to the battle's, and how many attackers reach the goals: see `tabulate`."""
        table: Table = await self.ask(tabulate, battle, ring, title, goals)
        return table

    def fits(self, battle: Battle) -> bool:
        """Whether a table up to the size of a battle can be worked out here."""
        return self._fits(battle, grid=True)

    async def document(self, asked: Asked) -> dict[str, Any]:
        """The answer to a question in a JSON document."""
        for battle in asked.battles:
            self._check_size(battle, grid=asked.grid)
        if asked.path:
            self._check_march(asked.path)
        if asked.needs:
            return needed(await self.need(*asked.needs))
        if asked.armies:
            return told_odds(asked.armies[0], await self.armies(*asked.armies))
        if asked.army:
            return told_armies(await self.best_armies(*asked.army))
        if asked.placing:
            return told_placements(asked.placing, await self.placements(asked.placing))
        if asked.matters:
            return told_changes(*await self.matters(asked.matters))
        answer: dict[str, Any] = await self._run(asked.work)
        return answer

    async def play(self, battle: Battle) -> Played:
        """The battle fought to its end with dice from the system's randomness."""
        if battle.reshape:
            raise UserError("Odds that are reshaped as a whole have no dice that could be rolled.")
        odds = await self.odds(battle)
        if odds.rounds is None or odds.rounds > MOST_ROUNDS / 2:
            length = "for ever" if odds.rounds is None else f"about {odds.rounds:.0f} rounds"
            raise UserError(f"That battle would last {length}; `rounds:100` sets an end.")
        self._check_size(battle, grid=True)
        rounds, chances = await self._run(fight, battle)
        return Played(rounds, chances, odds)

    async def _once(self, key: Hashable, work: Callable[..., Any], *arguments: Any) -> Any:
        """The kept answer, or the one being computed for somebody else, or a new one."""
        if key in self._cache:
            return self._cache[key]
        task = self._computing.get(key)
        if task is None:
            task = self._computing[key] = asyncio.create_task(self._run(work, *arguments))
            task.add_done_callback(lambda done: self._keep(key, done))
        # Shielded: one who stops waiting must not take the answer from the others.
        return await asyncio.shield(task)

    def _keep(self, key: Hashable, done: asyncio.Task[Any]) -> None:
        del self._computing[key]
        if not done.cancelled() and done.exception() is None:
            with suppress(ValueError):  # An answer larger than all the cache is not kept.
                self._cache[key] = done.result()

    async def _run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Work in the worker that is free first; where that is lost (killed, out of memory, stuck), once more."""
        if self._waiting >= self._settings.most_waiting:
            raise UserError("Too many battles are being worked out just now. Try again in a few seconds.")
        self._waiting += 1
        try:
            worker = None if self._leaving else await self._free.get()
            if worker is None:
                raise UserError(RESTARTING)
            try:
                return await self._twice(worker, work, *arguments)
            finally:
                self._free.put_nowait(worker)
        finally:
            self._waiting -= 1

    async def _twice(self, worker: Worker, work: Callable[..., Any], *arguments: Any) -> Any:
        for _ in range(2):
            try:
                return await worker.run(work, *arguments)
            except LostWorkerError:
                if self._leaving:
                    raise UserError(RESTARTING) from None
                log.warning("a worker was lost at %s", getattr(work, "__name__", work))
        raise UserError("The computation broke off twice. Try again in a minute.")

    def _check_march(self, path: Path) -> None:
        for leg in path.legs:
            self._check_size(leg, grid=True)
        if sum(leg.chain().grid_work for leg in path.legs) > self._settings.most_work * 1_000_000:
            raise UserError("This path is too large to work out here; a part of it may do.")

    def _fits(self, battle: Battle, grid: bool = False) -> bool:
        """Whether a battle is small enough to be worked out here, or a grid of its size is."""
        chain = battle.chain()
        numbers = max(chain.numbers, chain.cells * grid * (8 if chain.reshape else 3))
        work = chain.grid_work if grid else chain.work
        return numbers <= MOST_NUMBERS and work <= self._settings.most_work * 1_000_000

    def _check_size(self, battle: Battle, grid: bool = False) -> None:
        if self._fits(battle, grid):
            return
        if battle.chain().table_work > self._settings.most_work * 1_000_000:
            raise UserError("These dice can fall in too many ways to work out here; take fewer or smaller ones.")
        if battle.rounds is not None and self._fits(replace(battle, rounds=0), grid):
            rounds = _largest(lambda number: self._fits(replace(battle, rounds=number), grid), battle.rounds)
            raise UserError(
                f"{battle.rounds} rounds are too many to work out here; up to {rounds} are fine for that battle."
            )
        plain = replace(battle, stop=0, reserve=0, rounds=None)

        def most(*sides: Side) -> int:
            def fits(number: int) -> bool:
                whole = plain
                for side in sides:
                    whole = sized(whole, side, number)
                return self._fits(whole, grid)

            return _largest(fits, MOST_ARMIES)

        even, attackers, defenders = most("attackers", "defenders"), most("attackers"), most("defenders")
        also = f", or {attackers} against {battle.defenders}" if attackers > even else ""
        also = f", or {battle.attackers} against {defenders}" if defenders > even else also
        rules = "With these rules" if battle.rounds is None else "With these rules, but without `rounds`,"
        what = "too large for this question" if grid and self._fits(battle) else "too large to work out here"
        raise UserError(
            f"{battle.attackers} against {battle.defenders} is {what}. "
            f"{rules} up to {even} against {even} are fine{also}."
        )


def _key(battle: Battle | Path | AxisBattle) -> Hashable:
    """What the odds of a battle are kept by."""
    if isinstance(battle, AxisBattle):
        return battle, DROPPED
    return battle if isinstance(battle, Path) else battle.chain()


def _quick(battle: Battle | Path | AxisBattle) -> bool:
    """Whether the odds of a battle are found in a blink."""
    if isinstance(battle, AxisBattle):
        return all(
            sum(count for _, count in side.units) <= PREVIEW_UNITS for side in (battle.attacker, battle.defender)
        )
    legs = battle.legs if isinstance(battle, Path) else (battle,)
    return sum(leg.chain().work for leg in legs) <= PREVIEW_WORK


def _largest(fits: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` that fits, where all smaller ones do."""
    return bisect_left(range(1, most + 1), True, key=lambda number: not fits(number))


# What workers do: plain functions, so that they can be sent to another process ---------------------------


def warm() -> None:
    """Make the tables of the common game and the fonts and shapes of the first picture."""
    battle = Battle(3, 2)
    draw("draw_battle", battle, solve(battle))


def in_fractions(battle: Battle | Path) -> str:
    """The attacker's chance as "p/q"; BattleError says why it cannot be had."""
    chance = takes_all(battle) if isinstance(battle, Path) else attacker_wins(battle)
    return quotient(chance)


def draw(kind: str, *parts: Any) -> bytes:
    """A picture of one kind."""
    from bot import charts

    png: bytes = getattr(charts, kind)(*parts)
    return png


def tabulate(battle: Battle, ring: tuple[int, int] | None, title: str, goals: tuple[float, ...]) -> Table:
    """The picture of the chances of all sizes up to the battle's, and for 0, 1, ... defenders who reaches each goal.

    The chances themselves may be megabytes, so they stay in the worker.
    """
    chances = win_chances(battle, battle.attackers, battle.defenders)
    return draw("draw_table", title, chances, ring), least_attackers(chances, goals)


def fight(battle: Battle) -> tuple[list[Round], list[float]]:
    """The battle played with dice nobody can foresee, to its end or to the longest that is shown, with its ribbon."""
    rounds = list(islice(play(battle, lambda sides: secrets.randbelow(sides) + 1), MOST_ROUNDS))
    return rounds, ribbon(battle, rounds)


def _size(answer: object) -> int:
    """About how much memory an answer takes with its key; odds with what people will have asked of them."""
    if isinstance(answer, Odds | PathOdds):
        return 3_500 + 2 * sum(a.nbytes for a in (answer.attackers_end, answer.defenders_end, answer.chances))
    if isinstance(answer, AxisOdds):
        return 3_500 + 400 * (len(answer.attackers) + len(answer.defenders)) + 8 * answer.chances.nbytes
    if isinstance(answer, bytes | str):
        return 1_000 + len(answer)
    return 1_000 + 2 * len(pickle.dumps(answer))
