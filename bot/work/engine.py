"""The async, cached solver: one computation per question, however many people ask it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar, TypeVarTuple

from cachetools import LRUCache

from bot.charts import Chart, draw
from bot.errors import LaterError, TurnedAwayError, UserError, sentence_of
from bot.games.base import Rooms, require
from bot.languages import language, speaking
from bot.settings import Settings
from bot.work.forks import Parent
from bot.work.jobs import size_of
from bot.work.limits import leave_slot
from bot.work.pool import Pool
from solver.errors import BattleError
from solver.game import Question
from solver.late import load

if TYPE_CHECKING:  # only a bot that has it loads it
    from bot.work.shared_cache import SharedCache

log = logging.getLogger(__name__)

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")

PREVIEW_SECONDS = 0.05
PREVIEW_QUEUE = 8
"""The number of waiting questions from which on suggestions have no odds: typing must not slow down answers."""

Drawing = Callable[[], Awaitable[bytes]]
"""Draws a picture as PNG."""

_drawing = ContextVar("drawing", default=True)
_put_off = ContextVar[list[Drawing] | None]("put off", default=None)


def draws_pictures() -> bool:
    """Return whether questions asked now get pictures."""
    return _drawing.get()


@contextmanager
def drawing(wanted: bool) -> Iterator[None]:
    """Switch pictures on or off for all questions inside; without them pictures are empty."""
    before = _drawing.set(wanted)
    try:
        yield
    finally:
        _drawing.reset(before)


@contextmanager
def putting_off_pictures() -> Iterator[list[Drawing]]:
    """Put off the pictures of the answers inside, which are empty there, and yield the list of their drawings."""
    later: list[Drawing] = []
    before = _put_off.set(later)
    try:
        yield later
    finally:
        _put_off.reset(before)


def put_off(drawing: Drawing) -> bool:
    """Put off the drawing of a picture, if pictures are put off here; tell whether they are."""
    later = _put_off.get()
    if later is None:
        return False
    later.append(partial(_draw_in_language, language(), drawing))
    return True


class Engine:
    """Works out odds and pictures off the event loop, each only once. Use it as an async context manager.

    `found` and `not_found` count how often an answer was kept already, and how often not.
    """

    def __init__(
        self,
        settings: Settings,
        rooms: Rooms,
        processes: bool = True,
        shared: "SharedCache | None" = None,
        parent: Parent | None = None,
    ) -> None:
        """Without processes one thread does the work: quicker to start, for a program that asks once.

        What other programs have worked out already is found in `shared`. Processes are forked off `parent`.
        """
        self.most_work = settings.most_work * 1_000_000
        """How much work a question may be, in the unit of `DiceChain.work`."""
        self._rooms = rooms
        self.shared = shared
        self.pool = Pool(settings, rooms, processes, shared, parent)
        self._cache: LRUCache[Hashable, Any] = LRUCache(settings.cache * 2**20, getsizeof=size_of)
        self._computing: dict[Hashable, asyncio.Future[Any]] = {}
        self.found = self.not_found = 0

    async def __aenter__(self) -> Self:
        """Start the workers."""
        try:
            await self.pool.start()
        except UserError:
            await self.__aexit__()
            raise LaterError("A worker process ends as soon as it is started. Is there memory enough?") from None
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the workers go."""
        self.pool.give_up()
        await asyncio.gather(*self._computing.values(), return_exceptions=True)
        await self.pool.close()

    async def odds(self, battle: Any, exact: bool = False) -> Any:
        """Return the odds of a battle of any game; UserError if it is too large or too many questions wait.

        `exact` leaves nothing out that is too unlikely to be seen.
        """
        solving = require(self._rooms.of(battle).solving)
        if solving.check:
            solving.check(battle, self.most_work)
        work, arguments = solving.work(battle, exact, self.most_work)
        return await self.compute_or_explain(work, *arguments)

    async def preview(self, battle: Any) -> Any:
        """Return the odds if they are kept or found while somebody types, for suggestions; else None."""
        solving = require(self._rooms.of(battle).solving)
        work, arguments = solving.work(battle, False, self.most_work)
        busy = self.pool.waiting_for_cheap >= PREVIEW_QUEUE
        if key_of(work, arguments) not in self._cache and (busy or not solving.is_quick(battle)):
            return None
        try:
            return await asyncio.wait_for(self.odds(battle), PREVIEW_SECONDS)
        except (UserError, TimeoutError):
            return None
        except Exception:
            log.exception("suggestions go without the odds of %s", battle)
            return None

    async def compute(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Return the answer of a plain function, kept or worked out by a worker."""
        result: Result = await self._share(key_of(work, arguments), load(work), *arguments)
        return result

    async def compute_or_explain(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Return the answer as `compute` does; a BattleError of the work becomes a UserError with its sentence."""
        try:
            result: Result = await self._share(key_of(work, arguments), load(work), *arguments)
        except BattleError as error:
            raise UserError(sentence_of(error)) from None
        return result

    async def compute_within(self, work: Callable[[*Arguments, int], Result], *arguments: *Arguments) -> Result:
        """Return the answer of a function whose last argument is the most work, as `compute_or_explain` does."""
        return await self.compute_or_explain(work, *arguments, self.most_work)

    async def draw(self, chart: Chart, key: Hashable | None, *parts: Any) -> bytes:
        """Return a picture as PNG, kept under the key; empty where no pictures are wanted, or where it is put off.

        Without a key it is not kept, as a person's name is on it.
        """
        if not _drawing.get():
            return b""
        run = self.pool.run if key is None else partial(self._share, (chart, language(), key))
        now: Drawing = partial(run, draw, chart, *parts)
        return b"" if put_off(now) else await now()

    async def document(self, question: Question) -> dict[str, Any]:
        """Return the answer to a question of a JSON document; UserError if it is too large."""
        room = None if question.battle is None else self._rooms.of(question.battle)
        if room and question.kind.name in room.questions:
            return await room.questions[question.kind.name](question, self)
        if question.kind.find_within:
            return await self.compute_within(Question.work_within, question)
        return await self.answer(question)

    async def answer(self, question: Question) -> dict[str, Any]:
        """Work out the answer to a question of a JSON document, without a limit of its own."""
        document: dict[str, Any] = await self.pool.run(question.work)
        return document

    async def _share(self, key: Hashable, work: Callable[..., Any], *arguments: Any) -> Any:
        """Return the kept answer, or wait for the one that is in work, or of another process, or begin a new one."""
        if key in self._cache:
            self.found += 1
            return self._cache[key]
        self.not_found += 1
        task = self._computing.get(key)
        others = task is not None
        if task is None:
            begin = partial(self.pool.run, work, *arguments)
            answer = self.shared.get_or_compute(key, begin) if self.shared else begin()
            task = self._begin(key, asyncio.create_task(answer))
        try:
            # Shielded: one who stops waiting must not take the answer from the others.
            async with leave_slot():
                return await asyncio.shield(task)
        except TurnedAwayError:
            if not others:
                raise
        # Somebody else asked too much; the person who asks now did not.
        return await self._share(key, work, *arguments)

    def begin_together(self, keys: Sequence[Hashable], work: Callable[..., Any], *arguments: Any) -> None:
        """Begin one job for several answers that are soon asked for, a picture among them; keep each under its key.

        Nothing begins if one of them is known or begun, if another program may know them, or without pictures.
        """
        known = any(key in self._cache or key in self._computing for key in keys)
        if known or self.shared or not _drawing.get() or _put_off.get() is not None:
            return
        parts = [self._begin(key, asyncio.get_running_loop().create_future()) for key in keys]
        whole = asyncio.create_task(self.pool.run(work, *arguments))
        whole.add_done_callback(lambda done: _hand_out(done, parts))

    def _begin(self, key: Hashable, answer: asyncio.Future[Any]) -> asyncio.Future[Any]:
        """Keep an answer under its key once it is there, and return it."""
        self._computing[key] = answer
        answer.add_done_callback(lambda done: self._keep(key, done))
        return answer

    def _keep(self, key: Hashable, done: asyncio.Future[Any]) -> None:
        del self._computing[key]
        if not done.cancelled() and done.exception() is None:
            with suppress(ValueError):  # An answer larger than all the cache is not kept.
                self._cache[key] = done.result()


def _hand_out(done: asyncio.Task[Any], parts: Sequence[asyncio.Future[Any]]) -> None:
    """Give each part of the answer of one job to whoever waits for it; an error of the job is one of each part."""
    for place, part in enumerate(parts):
        if done.cancelled():
            part.cancel()
        elif error := done.exception():
            part.set_exception(error)
        else:
            part.set_result(done.result()[place])


async def _draw_in_language(chosen: str, drawing: Drawing) -> bytes:
    with speaking(chosen):
        return await drawing()


def key_of(work: Callable[..., Any], arguments: tuple[Any, ...]) -> Hashable:
    """Return what the answer of some work is kept by."""
    work = load(work)
    return (f"{work.__module__}.{work.__qualname__}", *arguments)
