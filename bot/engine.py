"""The async, cached solver: one computation per question however many ask it, and limits of what is worked out.

Answers are kept by the battle's chain, which is the same for every way of saying the same battle; pictures, which
carry a title, by the battle itself.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from cachetools import LRUCache

from bot.crew import Crew
from bot.desk import away
from bot.errors import TurnedAwayError, UserError, reason_of, sentence_of
from bot.jobs import Table, draw, in_fractions, tabulate
from bot.languages import _, language, number
from bot.limits import Limits, size_of
from bot.matchup import AnyBattle
from bot.replay import Rolled, check
from bot.rolling import MOST_AT_ONCE, Entry, How, Press, Step, advance
from bot.settings import Settings
from solver import Battle, BattleError, Odds, solve
from solver.axis import AxisBattle
from solver.axis_answers import (
    armies_within,
    matters_within,
    odds_within,
    placements_within,
    survey_within,
    waves_within,
)
from solver.axis_matters import Change
from solver.axis_needs import Armies, Goal, Survey
from solver.axis_odds import DROPPED, AxisOdds
from solver.axis_orders import Orders, best_orders, told_orders
from solver.bombing import Raid, RaidOdds, solve_raid
from solver.fights import begin, next_dice
from solver.paths import Path, PathOdds, march
from solver.placing import Placements, Placing
from solver.questions import Asked, needed, told_armies, told_changes, told_odds, told_placements, told_waves
from solver.tables import Need, Side
from solver.waves import Waves
from solver.waves_odds import WavesOdds

if TYPE_CHECKING:  # only a bot that has it loads it
    from bot.shared_cache import SharedCache

log = logging.getLogger(__name__)

Question = TypeVar("Question")
Found = TypeVar("Found")

MOST_DICE = 1_000
"""The most dice of a round that are still shown one by one."""
PREVIEW_WORK = 1_500_000
PREVIEW_SECONDS = 0.05
PREVIEW_UNITS, PREVIEW_WAVES = 12, 3
PREVIEW_BOMBERS = 100
PREVIEW_QUEUE = 8
"""Where so many questions wait already, suggestions go without odds: typing must not slow down answers."""
AnyOdds = Odds | PathOdds | AxisOdds | WavesOdds

_drawing = ContextVar("drawing", default=True)


@contextmanager
def drawing(wanted: bool) -> Iterator[None]:
    """Whether pictures are drawn for what is asked inside; else they are empty."""
    before = _drawing.set(wanted)
    try:
        yield
    finally:
        _drawing.reset(before)


class Engine:
    """Solves, draws and rolls, off the event loop. Use it as an async context manager.

    `found` and `not_found` count how often an answer was kept already, and how often not.
    """

    def __init__(self, settings: Settings, processes: bool = True, shared: "SharedCache | None" = None) -> None:
        """Without processes one thread does the work: quicker to start, for a program that asks once.

        What other programs have worked out already is found in `shared`.
        """
        self._settings = settings
        self.shared = shared
        self._limits = Limits(settings.most_work * 1_000_000)
        self._crew = Crew(settings, processes)
        self._cache: LRUCache[Hashable, Any] = LRUCache(settings.cache * 2**20, getsizeof=size_of)
        self._computing: dict[Hashable, asyncio.Task[Any]] = {}
        self.found = self.not_found = 0

    async def __aenter__(self) -> Self:
        """Start the workers."""
        try:
            await self._crew.start()
        except UserError:
            await self.__aexit__()
            raise UserError("A worker process ends as soon as it is started. Is there memory enough?") from None
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the workers go."""
        self.give_up()
        await asyncio.gather(*self._computing.values(), return_exceptions=True)
        await self._crew.close()

    def call_off_waiting(self) -> None:
        """Tell all whose questions nobody has begun to work on to ask again; what has begun goes on."""
        self._crew.call_off_waiting()

    def give_up(self) -> None:
        """Answer nothing more; those who wait are told to ask again."""
        self._crew.give_up()

    @property
    def waiting(self) -> int:
        """How many questions are being worked on, or wait for that."""
        return self._crew.open

    async def odds(self, battle: Battle) -> Odds:
        """The odds of a battle; UserError where it is too large or too many are waiting."""
        self._limits.check_size(battle)
        chain = battle.chain()
        odds: Odds = await self._told(chain, solve, chain)
        return odds

    async def armies(self, battle: AxisBattle, dropped: float = DROPPED) -> AxisOdds:
        """The odds of a battle of Axis & Allies; simulated where it is too large to work out here."""
        odds: AxisOdds = await self._told((battle, dropped), odds_within, battle, dropped, self._most)
        return odds

    async def waves(self, waves: Waves, dropped: float = DROPPED) -> WavesOdds:
        """The odds of several waves of Axis & Allies; UserError where that is too much work."""
        odds: WavesOdds = await self._told((waves, dropped), waves_within, waves, dropped, self._most)
        return odds

    async def matters(self, battle: AxisBattle) -> tuple[float, list[Change]]:
        """The attacker's chance to win, and that with one unit more or less; UserError where that takes too long."""
        found: tuple[float, list[Change]] = await self._told(("matters", battle), matters_within, battle, self._most)
        return found

    async def raid(self, raid: Raid) -> RaidOdds:
        """The odds of a bombing raid, none of which is large."""
        odds: RaidOdds = await self._once(raid, solve_raid, raid)
        return odds

    async def orders(self, battle: AxisBattle) -> Orders:
        """The best orders of loss of both sides; UserError where that takes too long, or there is none to choose."""
        orders: Orders = await self._told(("orders", battle), best_orders, battle, self._most)
        return orders

    async def best_armies(self, battle: AxisBattle, goal: Goal) -> Armies:
        """The parts of an army that are best for a goal; UserError where trying them takes too long."""
        armies: Armies = await self._told(("armies", battle, goal), armies_within, battle, goal, self._most)
        return armies

    async def survey(self, battle: AxisBattle, goal: Goal) -> Survey:
        """All that there is to say about the parts of an army; UserError where trying them takes too long."""
        found: Survey = await self._told(("survey", battle, goal), survey_within, battle, goal, self._most)
        return found

    async def placements(self, placing: Placing) -> Placements:
        """The best ways to place units over territories; UserError where trying them takes too long."""
        answer: Placements = await self._told(placing, placements_within, placing, self._most)
        return answer

    @property
    def _most(self) -> int:
        return self._limits.most_work

    async def march(self, path: Path) -> PathOdds:
        """The odds of a path; UserError as in `odds`."""
        self._limits.check_march(path)
        odds: PathOdds = await self._once(path, march, path)
        return odds

    async def preview(self, battle: AnyBattle) -> AnyOdds | None:
        """The odds if they are at hand or found in a blink, for suggestions while somebody types; else None."""
        return await self._in_a_blink(battle, _key(battle), _quick(battle), self.any_odds)

    async def preview_raid(self, raid: Raid) -> RaidOdds | None:
        """The same of a bombing raid."""
        return await self._in_a_blink(raid, raid, raid.bombers <= PREVIEW_BOMBERS, self.raid)

    async def _in_a_blink(
        self, asked: Question, key: Hashable, quick: bool, answer: Callable[[Question], Awaitable[Found]]
    ) -> Found | None:
        if key not in self._cache and (self._crew.waiting_for_cheap >= PREVIEW_QUEUE or not quick):
            return None
        try:
            return await asyncio.wait_for(answer(asked), PREVIEW_SECONDS)
        except (UserError, TimeoutError):
            return None
        except Exception:
            log.exception("suggestions go without the odds of %s", asked)
            return None

    async def any_odds(self, battle: AnyBattle) -> AnyOdds:
        """The odds of whatever a line can mean; UserError as in `odds`."""
        if isinstance(battle, Waves):
            return await self.waves(battle)
        if isinstance(battle, AxisBattle):
            return await self.armies(battle)
        return await self.march(battle) if isinstance(battle, Path) else await self.odds(battle)

    async def exact(self, battle: Battle | Path) -> str:
        """The attacker's chance as a fraction, "p/q"."""
        try:
            if isinstance(battle, Path):
                self._limits.check_march(battle)
            else:
                self._limits.check_size(battle, grid=True)
        except UserError:
            raise UserError(_("Too large to show as a fraction.")) from None
        try:
            fraction: str = await self._once(("exact", battle), in_fractions, battle)
        except BattleError as error:
            raise UserError(_("I can't show that as a fraction: {reason}.", reason=reason_of(error))) from None
        return fraction

    async def picture(self, battle: Battle, odds: Odds) -> bytes:
        """The picture of a battle's odds, as PNG."""
        if not _drawing.get():
            return b""
        png: bytes = await self._once(("picture", language(), battle), draw, "draw_battle", battle, odds)
        return png

    async def drawn(self, key: Hashable, kind: str, *parts: Any) -> bytes:
        """One of the other pictures, such as "draw_table", made of these parts; kept under the key."""
        if not _drawing.get():
            return b""
        png: bytes = await self._once((kind, language(), key), draw, kind, *parts)
        return png

    async def ask(self, work: Callable[..., Any], battle: Battle, *arguments: Hashable) -> Any:
        """The answer of a plain function to a question about the battle, one that takes a grid of its size."""
        self._limits.check_size(battle, grid=True)
        return await self.find(work, battle, *arguments)

    async def find(self, work: Callable[..., Any], *arguments: Hashable) -> Any:
        """The answer of a plain function that never takes long."""
        return await self._once((work.__name__, *arguments), work, *arguments)

    async def need(self, battle: Battle, side: Side, goal: float, shown: int) -> Need:
        """How many of a side it takes, up to as many as can be worked out here; `shown` is on the curve too."""
        work, arguments = self._limits.need(battle, side, goal, shown)
        found: Need = await self.find(work, *arguments)
        return found

    async def table(self, battle: Battle, *parts: Any) -> Table:
        """The picture of all sizes up to the battle's, and how many attackers reach goals: see `tabulate`."""
        table: Table = await self.ask(tabulate, battle, *parts, language(), _drawing.get())
        return table

    def fits(self, battle: Battle) -> bool:
        """Whether a table up to the size of a battle can be worked out here."""
        return self._limits.fits(battle, grid=True)

    async def document(self, asked: Asked) -> dict[str, Any]:
        """The answer to a question in a JSON document."""
        for battle in asked.battles:
            self._limits.check_size(battle, grid=asked.grid)
        if asked.path:
            self._limits.check_march(asked.path)
        if asked.needs:
            return needed(await self.need(*asked.needs))
        if asked.armies:
            return told_odds(asked.armies[0], await self.armies(*asked.armies))
        if asked.waves:
            return told_waves(asked.waves[0], await self.waves(*asked.waves))
        if asked.army:
            return told_armies(*asked.army, await self.best_armies(*asked.army))
        if asked.placing:
            return told_placements(asked.placing, await self.placements(asked.placing))
        if asked.matters:
            return told_changes(*await self.matters(asked.matters))
        if asked.orders:
            return told_orders(asked.orders, await self.orders(asked.orders))
        answer: dict[str, Any] = await self._crew.run(asked.work)
        return answer

    async def chance_to_roll(self, battle: Rolled) -> float | None:
        """The attacker's chance in a battle that is to be rolled; None where odds are only simulated, and of raids.

        UserError where nothing can be rolled, or that would never end.
        """
        legs = battle.legs if isinstance(battle, Path) else (battle,) if isinstance(battle, Battle) else ()
        for leg in legs:
            if leg.value is not None:
                self._limits.check_size(leg, grid=True)  # before a plan of that size is made here
        try:
            fight = await asyncio.to_thread(begin, battle)  # a plan to the end may take a moment to find
            dice = sum(some.number for side in next_dice(fight) for some in side)
        except BattleError as error:
            raise UserError(sentence_of(error)) from None
        if dice > MOST_DICE:
            text = _(
                "That battle would show {dice} dice at once; the limit is {most}.",
                dice=dice,
                most=MOST_DICE,
            )
            raise UserError(text)
        for leg in legs:
            odds = await self.odds(leg)
            if odds.rounds is None:
                raise UserError(_("That battle would go on forever. Add a limit such as `rounds:100`."))
            if odds.rounds > MOST_AT_ONCE / 2:
                rounds = number(odds.rounds, 0)
                told = _(
                    "That battle would last about {rounds} rounds. Add a limit such as `rounds:100`.", rounds=rounds
                )
                raise UserError(told)
            self._limits.check_size(leg, grid=True)
        if isinstance(battle, Raid):
            return None
        if isinstance(battle, Waves) and battle.look_ahead:
            raise UserError(_("I can't follow `lookahead` plans roll by roll. Leave out `lookahead`."))
        found = await self.any_odds(battle)
        if isinstance(found, Odds):
            return found.attacker_wins
        if isinstance(found, PathOdds):
            return found.takes_all
        if isinstance(found, WavesOdds):
            return found.holds(0)
        return None if found.sampled else found.wins

    async def advance(self, battle: Rolled, log: Sequence[Entry], how: How, press: Press) -> list[Step]:
        """What a press adds to the log of a live battle: see `bot.rolling`."""
        steps: list[Step] = await self._crew.run(advance, battle, log, how, press, self._most)
        return steps

    async def checked(self, log: dict[str, Any]) -> list[str]:
        """Everything that is wrong with the log of a live battle: see `bot.replay.check`."""
        wrong: list[str] = await self._crew.run(check, log, self._limits)
        return wrong

    async def _told(self, key: Hashable, work: Callable[..., Any], *arguments: Any) -> Any:
        """The same as `_once`, where the work may refuse the question with a sentence for the person who asks."""
        try:
            return await self._once(key, work, *arguments)
        except BattleError as error:
            raise UserError(sentence_of(error)) from None

    async def _once(self, key: Hashable, work: Callable[..., Any], *arguments: Any) -> Any:
        """The kept answer, or the one being computed for somebody else, or a new one."""
        if key in self._cache:
            self.found += 1
            return self._cache[key]
        self.not_found += 1
        task = self._computing.get(key)
        others = task is not None
        if task is None:
            task = self._computing[key] = asyncio.create_task(self._answer(key, work, *arguments))
            task.add_done_callback(lambda done: self._keep(key, done))
        try:
            # Shielded: one who stops waiting must not take the answer from the others.
            async with away():
                return await asyncio.shield(task)
        except TurnedAwayError:
            if not others:
                raise
        # Somebody else asked too much, which is nothing to who asks now.
        return await self._once(key, work, *arguments)

    async def _answer(self, key: Hashable, work: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of another program, or a new one."""
        if self.shared is None:
            return await self._crew.run(work, *arguments)
        return await self.shared.answer(key, partial(self._crew.run, work, *arguments))

    def _keep(self, key: Hashable, done: asyncio.Task[Any]) -> None:
        del self._computing[key]
        if not done.cancelled() and done.exception() is None:
            with suppress(ValueError):  # An answer larger than all the cache is not kept.
                self._cache[key] = done.result()


def _key(battle: AnyBattle) -> Hashable:
    """What the odds of a battle are kept by."""
    if isinstance(battle, AxisBattle | Waves):
        return battle, DROPPED
    return battle if isinstance(battle, Path) else battle.chain()


def _quick(battle: AnyBattle) -> bool:
    """Whether the odds of a battle are found in a blink."""
    if isinstance(battle, AxisBattle | Waves):
        waves = battle.battles if isinstance(battle, Waves) else (battle,)
        sides = [side for wave in waves for side in (wave.attacker, wave.defender)]
        return len(waves) <= PREVIEW_WAVES and all(
            sum(count for _, count in side.units) <= PREVIEW_UNITS for side in sides
        )
    legs = battle.legs if isinstance(battle, Path) else (battle,)
    return sum(leg.chain().work for leg in legs) <= PREVIEW_WORK
