"""The pool of workers: gives each job one, in fair turns, with separate lanes for cheap and for dear jobs.

Cheap jobs never wait behind dear jobs. A job that seems cheap but takes long is broken off and starts again among the
dear jobs.
"""

import asyncio
import logging
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from bot.background import run_to_end
from bot.charts import CHARTS, draw
from bot.errors import RESTARTING, TurnedAwayError, UserError
from bot.games.base import Rooms
from bot.languages import LANGUAGES, _, _n, language, run_in_language
from bot.settings import Settings
from bot.work.forks import Parent
from bot.work.jobs import CHEAP, Asker, Costs, Forecast, Job, Queue, current_asker, next_to_refuse
from bot.work.limits import Quotas, leave_slot
from bot.work.workers import (
    LostWorkerError,
    TookLongerError,
    Worker,
    WorkerProcess,
    WorkerThread,
    function_name,
    run_for,
)
from solver.late import load

if TYPE_CHECKING:
    from bot.work.shared_cache import SharedCache

log = logging.getLogger(__name__)

BROKEN_OFF = 0.2
"""Processor seconds after which a job that seemed cheap is broken off."""
UNKNOWN = 1.0
"""The seconds that a broken-off job is expected to take at its second start."""
CHEAP_PRESS = 0.15
"""Seconds up to which a roll of a live battle is cheap: somebody has pressed a button and waits."""
NICE = 10
"""The nice value of the workers for dear jobs: everything else on the machine goes first."""


@dataclass(eq=False)
class Lane:
    """The workers for one kind of jobs: all of them, the free ones, and the jobs that wait for them."""

    workers: list[Worker]
    limit: float | None = None
    free: list[Worker] = field(default_factory=list)
    queue: Queue = field(default_factory=Queue)

    def hand_out(self) -> None:
        """Give the free workers to the next jobs."""
        while self.free and self.queue.jobs:
            job = self.queue.next()
            if job.worker and not job.worker.done():
                job.worker.set_result(self.free.pop())


class Pool:
    """All workers, and the rules that give them jobs."""

    def __init__(
        self,
        settings: Settings,
        rooms: Rooms,
        processes: bool,
        shared: "SharedCache | None" = None,
        parent: Parent | None = None,
    ) -> None:
        """Make the workers, forked off `parent` if there is one; without `processes` one thread does all jobs.

        What people have used is counted in `shared`.
        """
        self._settings = settings
        self._parent = parent
        self._costs = Costs()
        self._drawing_work = {draw, *(load(work) for room in rooms for work in room.drawing_work if processes)}
        """Work that is never broken off, because the drawing library does not expect that."""
        # A thread draws for the first time when a picture is wanted: until then its words can be read.
        self._warm_up = [room.warm_up for room in rooms if room.warm_up] if processes else []
        self._seconds = Quotas(settings.most_seconds_user, settings.most_seconds_server, "seconds", shared)
        self.open_jobs = 0
        """The number of jobs that run or wait."""
        self._leaving = self._only_begun = False
        if processes:
            # Many times what the largest job should take; see the setting most_work.
            longest = 30 + 0.025 * settings.most_work
            cheap, dear = settings.workers, (settings.workers + 1) // 2
            self._cheap = Lane([WorkerProcess(longest, 0, parent) for _worker in range(cheap)], BROKEN_OFF)
            # These may get little of a busy machine.
            self._dear = Lane([WorkerProcess(4 * longest, NICE, parent) for _worker in range(dear)])
        else:
            self._cheap = self._dear = Lane([WorkerThread()])

    @property
    def workers(self) -> list[Worker]:
        """All workers."""
        return list(dict.fromkeys([*self._cheap.workers, *self._dear.workers]))

    @property
    def waiting_for_cheap(self) -> int:
        """The number of cheap jobs that wait."""
        return len(self._cheap.queue)

    async def start(self) -> None:
        """Start the cheap processes and let each draw once: the first picture costs as much as a hundred others.

        The dear workers start with their first job.
        """
        workers = self._cheap.workers
        await asyncio.gather(*(self._run_with_retry(worker, None, run_all, self._warm_up) for worker in workers))
        for lane in {self._cheap, self._dear}:
            lane.free += lane.workers

    async def close(self) -> None:
        """Stop all workers and wait until they have ended."""
        self.give_up()
        for worker in self.workers:
            await asyncio.to_thread(worker.close)

    def call_off_waiting(self) -> None:
        """Refuse the jobs of all answers whose work has not begun; answers under way still get theirs."""
        self._only_begun = True
        for lane in (self._cheap, self._dear):
            for job in lane.queue.all_waiting():
                if self._leaving or not job.asker.begun:
                    self._refuse(lane, job, UserError(_(RESTARTING)))

    def give_up(self) -> None:
        """Stop all workers and refuse all waiting jobs."""
        self._leaving = True
        if self._parent:
            self._parent.stop()
        for worker in self.workers:
            worker.stop()
        self.call_off_waiting()

    async def run(self, work: Callable[..., Any], *arguments: Any, forecast: Forecast | None = None) -> Any:
        """Run a function in a worker, when its turn comes, and return its result.

        Raises:
            UserError: If too many jobs wait, or the asker has used up their quota.
        """
        job = Job(current_asker.get(Asker()), self._costs.expect(work, arguments, forecast), work, arguments, forecast)
        is_press = forecast is not None and forecast.is_press
        if job.cost <= (CHEAP_PRESS if is_press else CHEAP):
            try:
                return await self._run_in_lane(self._cheap, job)
            except TookLongerError:
                log.info("%s takes longer than expected", function_name(work))
                job.cost = UNKNOWN
                self._charge(job, BROKEN_OFF)
        if job.asker.person:
            if not is_press:  # a battle that is being fought can always go on
                self._check_quota(job)
            job.counts = True
        return await self._run_in_lane(self._dear, job)

    async def _run_in_lane(self, lane: Lane, job: Job) -> Any:
        """Run a job in a lane when its turn comes, while another question may use its slot."""
        async with leave_slot():
            self.open_jobs += 1
            if job.counts:
                self._charge(job, job.cost)
            try:
                worker = await self._wait_for_worker(lane, job)
            except BaseException:
                self._close_account(job, 0.0)
                raise
            job.asker.begun = True
            # Not broken off: the worker is busy until its work ends, even if nobody waits for the answer any more.
            return await run_to_end(self._run_in_worker(lane, job, worker))

    async def _run_in_worker(self, lane: Lane, job: Job, worker: Worker) -> Any:
        """Run a job in a worker, and put the worker back into its lane."""
        limit = None if job.work in self._drawing_work else lane.limit
        try:
            return await self._run_with_retry(worker, limit, job.work, *job.arguments)
        finally:
            took = worker.spent
            self._close_account(job, took)
            lane.queue.charge(job.asker, took - job.cost)
            lane.free.append(worker)
            lane.hand_out()
            self._costs.learn(job.work, job.arguments, took, job.forecast)

    def _close_account(self, job: Job, took: float) -> None:
        """Count a job as done, and charge the seconds it took instead of those expected."""
        self.open_jobs -= 1
        if job.counts:
            self._charge(job, took - job.cost)

    def _charge(self, job: Job, seconds: float) -> None:
        """Count seconds as used by the asker of a job; a negative number gives unused ones back."""
        self._seconds.count(job.asker.person, job.asker.place, seconds)

    def _check_quota(self, job: Job) -> None:
        """Raise TurnedAwayError, with the time to wait, if the asker has fewer seconds left than a job takes."""
        wait, alone = self._seconds.wait(job.asker.person, job.asker.place, job.cost)
        if wait:
            raise TurnedAwayError(_refusal(alone, math.ceil(wait)))

    async def _wait_for_worker(self, lane: Lane, job: Job) -> Worker:
        """Return a worker for a job: at once if one is free, else when its turn comes."""
        if self._leaving or (self._only_begun and not job.asker.begun):
            raise UserError(_(RESTARTING))
        self._make_room(job)
        if lane.free and not lane.queue.jobs:
            lane.queue.begin(job)
            return lane.free.pop()
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        job.worker = turn
        lane.queue.add(job)
        lane.hand_out()
        try:
            return await turn
        except asyncio.CancelledError:
            lane.queue.remove(job)
            if turn.done() and not turn.cancelled() and not turn.exception():
                lane.free.append(turn.result())
                lane.hand_out()
            raise

    def _make_room(self, newest: Job) -> None:
        """Refuse a job if too many are open: the newest if its asker has too many, else one of the greediest person."""
        lanes = {self._cheap, self._dear}
        lane_of = {job: lane for lane in lanes if lane.queue.jobs for job in lane.queue.all_waiting()}
        person = newest.asker.person
        own = sum(job.asker.person == person for job in lane_of)
        if person and own >= self._settings.most_waiting_user:
            raise TurnedAwayError(_("I'm still working on your other questions. Try again in a few seconds."))
        if self.open_jobs <= self._settings.most_waiting:
            return
        chosen = next_to_refuse([*sorted(lane_of, key=attrgetter("number")), newest])
        refusal = TurnedAwayError(_("I'm busy with too many battles right now. Try again in a few seconds."))
        if chosen is newest:
            raise refusal
        self._refuse(lane_of[chosen], chosen, refusal)

    @staticmethod
    def _refuse(lane: Lane, job: Job, why: UserError) -> None:
        lane.queue.remove(job)
        if job.worker and not job.worker.done():
            job.worker.set_exception(why)

    async def _run_with_retry(
        self, worker: Worker, limit: float | None, work: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Run work in a worker, and once more if the worker is lost (killed, out of memory, stuck)."""
        bounded = (run_for, limit) if limit else ()
        for _attempt in range(2):
            try:
                return await worker.run(*bounded, run_in_language, language(), work, *arguments)
            except LostWorkerError:
                if self._leaving:
                    raise UserError(_(RESTARTING)) from None
                log.warning("a worker was lost at %s", function_name(work))
        raise UserError(_("The calculation failed twice. Try again in a minute."))


def _refusal(alone: bool, seconds: int) -> str:
    """Return the refusal: to a person `alone`, or to a server as a whole."""
    if alone:
        return _n(
            "You have used up your time for large battles. Try again in a second; small battles still work.",
            "You have used up your time for large battles. Try again in {n} seconds; small battles still work.",
            seconds,
        )
    return _n(
        "This server has used up its time for large battles. Try again in a second; small battles still work.",
        "This server has used up its time for large battles. Try again in {n} seconds; small battles still work.",
        seconds,
    )


def run_all(functions: Iterable[Callable[[], None]]) -> None:
    """Call each of these functions."""
    for function in functions:
        function()


def prepare(rooms: Rooms) -> None:
    """Load what the games and their pictures need, in every language, in a process that workers are forked off."""
    for code in LANGUAGES:
        run_in_language(code, run_all, [room.warm_up for room in rooms if room.warm_up])
    for chart in (*CHARTS, *(chart for room in rooms for chart in room.charts)):
        import_module(chart.module)
