"""The async, cached solver: worker processes, one computation per question however many ask, and limits.

Answers are kept by the battle's chain, which is the same for every way of saying the same battle; pictures, which
carry a title, by the battle itself.
"""

import asyncio
import logging
import secrets
from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, Self

from cachetools import LRUCache

from bot.errors import UserError
from bot.settings import Settings
from bot.workers import LostWorkerError, Worker, WorkerProcess, WorkerThread
from solver import Battle, BattleError, DiceChain, Odds, solve
from solver.battle import MOST_ARMIES
from solver.exact import attacker_wins
from solver.play import Round, play, ribbon

log = logging.getLogger(__name__)

MOST_CELLS = 4_000_000
MOST_ROUNDS = 2_000
PREVIEW_WORK = 500_000
PREVIEW_SECONDS = 0.05
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
        chain = battle.chain()
        self._check_size(battle)
        odds: Odds = await self._once(chain, solve, chain)
        return odds

    async def preview(self, battle: Battle) -> Odds | None:
        """The odds if they are at hand or found in a blink, for suggestions while somebody types; else None."""
        chain = battle.chain()
        if chain not in self._cache and (chain.work > PREVIEW_WORK or self._waiting >= PREVIEW_QUEUE):
            return None
        try:
            return await asyncio.wait_for(self.odds(battle), PREVIEW_SECONDS)
        except (UserError, TimeoutError):
            return None
        except Exception:
            log.exception("suggestions go without the odds of %s", battle)
            return None

    async def exact(self, battle: Battle) -> str:
        """The attacker's chance as a fraction, "p/q"."""
        self._check_size(battle)
        chain = battle.chain()
        fraction: str = await self._once(("exact", chain), in_fractions, chain)
        if not fraction:
            sizes = f"{battle.attackers} against {battle.defenders}"
            raise UserError(f"{sizes} is too large to work out as a fraction; without `exact` there are its odds.")
        return fraction

    async def picture(self, battle: Battle) -> bytes:
        """The picture of a battle's odds, as PNG."""
        odds = await self.odds(battle)
        png: bytes = await self._once(battle, draw, battle, odds)
        return png

    async def play(self, battle: Battle) -> Played:
        """The battle fought to its end with dice from the system's randomness."""
        odds = await self.odds(battle)
        if odds.rounds is None or odds.rounds > MOST_ROUNDS / 2:
            length = "for ever" if odds.rounds is None else f"about {odds.rounds:.0f} rounds"
            raise UserError(f"That battle would last {length}; `rounds:100` sets an end.")
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
        if not done.cancelled() and done.exception() is None and _size(done.result()) <= self._cache.maxsize:
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
                log.warning("a worker was lost at %s", work.__name__)
        raise UserError("The computation broke off twice. Try again in a minute.")

    def _fits(self, battle: Battle) -> bool:
        """Whether a battle is small enough to be worked out here."""
        chain = battle.chain()
        return chain.cells <= MOST_CELLS and chain.work <= self._settings.most_work * 1_000_000

    def _check_size(self, battle: Battle) -> None:
        if self._fits(battle):
            return
        if battle.chain().table_work > self._settings.most_work * 1_000_000:
            raise UserError("These dice can fall in too many ways to work out here; take fewer or smaller ones.")
        if battle.rounds is not None and self._fits(replace(battle, rounds=0)):
            rounds = _largest(lambda number: self._fits(replace(battle, rounds=number)), battle.rounds)
            raise UserError(
                f"{battle.rounds} rounds are too many to work out here; up to {rounds} are fine for that battle."
            )
        plain = replace(battle, stop=0, reserve=0, rounds=None)
        even = _largest(lambda number: self._fits(replace(plain, attackers=number, defenders=number)), MOST_ARMIES)
        attackers = _largest(lambda number: self._fits(replace(plain, attackers=number)), MOST_ARMIES)
        defenders = _largest(lambda number: self._fits(replace(plain, defenders=number)), MOST_ARMIES)
        also = f", or {attackers} against {battle.defenders}" if attackers > even else ""
        also = f", or {battle.attackers} against {defenders}" if defenders > even else also
        rules = "With these rules" if battle.rounds is None else "With these rules, but without `rounds`,"
        raise UserError(
            f"{battle.attackers} against {battle.defenders} is too large to work out here. "
            f"{rules} up to {even} against {even} are fine{also}."
        )


def _largest(fits: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` that fits, where all smaller ones do."""
    return bisect_left(range(1, most + 1), True, key=lambda number: not fits(number))


# What workers do: plain functions, so that they can be sent to another process ---------------------------


def warm() -> None:
    """Make the tables of the common game and the fonts and shapes of the first picture."""
    battle = Battle(3, 2)
    draw(battle, solve(battle))


def in_fractions(chain: DiceChain) -> str:
    """The attacker's chance as "p/q"; empty where that is too large a question."""
    try:
        chance = attacker_wins(chain)
    except BattleError:
        return ""
    return f"{chance.numerator}/{chance.denominator}"


def draw(battle: Battle, odds: Odds) -> bytes:
    """The picture of these odds."""
    from bot.charts import draw_battle

    return draw_battle(battle, odds)


def fight(battle: Battle) -> tuple[list[Round], list[float]]:
    """The battle played with dice nobody can foresee, to its end or to the longest that is shown, with its ribbon."""
    rounds = list(islice(play(battle, lambda sides: secrets.randbelow(sides) + 1), MOST_ROUNDS))
    return rounds, ribbon(battle, rounds)


def _size(answer: Odds | bytes | str) -> int:
    """About how much memory an answer takes with its key; odds with what people will have asked of them."""
    if isinstance(answer, Odds):
        return 3_500 + 2 * sum(a.nbytes for a in (answer.attackers_end, answer.defenders_end, answer.chances))
    return 1_000 + len(answer)
