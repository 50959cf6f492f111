"""The crew: some workers for cheap work, others for dear work, and fair turns for all who wait for them.

Cheap work never waits behind dear work. Work that seems cheap and is not is soon broken off, and starts again among the
dear work.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, NamedTuple

from bot.allowances import Allowances
from bot.costs import CHEAP, Costs
from bot.desk import away
from bot.errands import Errand, current
from bot.errors import RESTARTING, TurnedAwayError, UserError
from bot.jobs import draw, tabulate, warm
from bot.languages import _, in_language, language
from bot.rolling import advance
from bot.settings import Settings
from bot.turns import Asker, Turns, Waiting, asker, greediest
from bot.workers import LostWorkerError, TookLongerError, Worker, WorkerProcess, WorkerThread, name_of, run_for

log = logging.getLogger(__name__)

BROKEN_OFF = 0.2
"""Seconds of the processor after which work that seemed cheap is broken off."""
UNBROKEN = draw, tabulate
"""Work that is never broken off, because the drawing library does not expect that."""
UNKNOWN = 1.0
"""Seconds that work which was broken off is then expected to take."""
CHEAP_PRESS = 0.15
"""Seconds up to which rolling on a live battle is cheap: somebody has pressed a button and waits."""
NICE = 10
"""The nice value of the workers for dear work: everything else on the machine goes first."""
NOBODY = Asker("", "")
"""Stands for the asker where nobody has to share."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work, who wants it, and the seconds of the processor that it should take.

    `counts` says that they count as those of a large question.
    """

    who: Asker
    cost: float
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    counts: bool = False


class Ticket(NamedTuple):
    """The part of a waiting job that the crew needs: where it gets its worker, and the answer it is for."""

    worker: "asyncio.Future[Worker]"
    errand: Errand


@dataclass(eq=False)
class Lane:
    """Workers that do one kind of work, those of them that are free, and the turns of the jobs that wait for them."""

    workers: list[Worker]
    limit: float | None = None
    free: list[Worker] = field(default_factory=list)
    turns: Turns[Ticket] = field(default_factory=Turns)

    def hand_out(self) -> None:
        """Give free workers to those whose turn it is."""
        while self.free and len(self.turns):
            waiting = self.turns.next()
            if not waiting.job.worker.done():
                waiting.job.worker.set_result(self.free.pop())


class Crew:
    """All workers, and the rules by which jobs get them."""

    def __init__(self, settings: Settings, processes: bool) -> None:
        """Without processes one thread does all the work, the cheap and the dear."""
        self._settings = settings
        self._costs = Costs()
        self._allowances = Allowances(settings)
        self._open = 0
        self._leaving = self._only_begun = False
        if processes:
            # Many times what the largest job should take; see the setting most_work.
            longest = 30 + 0.025 * settings.most_work
            self._cheap = Lane([WorkerProcess(longest) for _ in range(settings.workers)], BROKEN_OFF)
            # These may get little of a busy machine.
            self._dear = Lane([WorkerProcess(4 * longest, NICE) for _ in range((settings.workers + 1) // 2)])
        else:
            self._cheap = self._dear = Lane([WorkerThread()])

    @property
    def workers(self) -> list[Worker]:
        """All workers."""
        return list(dict.fromkeys([*self._cheap.workers, *self._dear.workers]))

    @property
    def open(self) -> int:
        """How many jobs are being worked on, or wait for that."""
        return self._open

    @property
    def waiting_for_cheap(self) -> int:
        """How many cheap jobs wait."""
        return len(self._cheap.turns)

    async def start(self) -> None:
        """Let each worker for cheap work draw once: the first picture costs what a hundred others do.

        Those for dear work are started when there is some.
        """
        await asyncio.gather(*(self._twice(worker, None, warm) for worker in self._cheap.workers))
        for lane in {self._cheap, self._dear}:
            lane.free += lane.workers

    async def close(self) -> None:
        """Wait until nothing of the workers is left."""
        self.give_up()
        for worker in self.workers:
            await asyncio.to_thread(worker.close)

    def call_off_waiting(self) -> None:
        """Ask everybody whose work has not begun to come back; an answer that has begun gets the rest of its work."""
        self._only_begun = True
        for lane in (self._cheap, self._dear):
            for waiting in lane.turns.every():
                if self._leaving or not waiting.job.errand.begun:
                    self._refuse(lane, waiting, UserError(_(RESTARTING)))

    def give_up(self) -> None:
        """Do nothing more, and ask everybody who waits to come back."""
        self._leaving = True
        for worker in self.workers:
            worker.stop()
        self.call_off_waiting()

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of the work, once its turn has come.

        UserError where too many wait, or where the asker has used up the time for large questions.
        """
        job = Job(asker() or NOBODY, self._costs.expect(work, arguments), work, arguments)
        if job.cost <= (CHEAP_PRESS if work is advance else CHEAP):
            try:
                return await self._run(self._cheap, job)
            except TookLongerError:
                log.info("%s takes longer than expected", name_of(work))
                job = replace(job, cost=UNKNOWN)
                self._allowances.charge(job.who, BROKEN_OFF)
        if job.who is not NOBODY:
            if work is not advance:  # a battle that is being fought can always go on
                self._allowances.check(job.who, job.cost)
            job = replace(job, counts=True)
        return await self._run(self._dear, job)

    async def _run(self, lane: Lane, job: Job) -> Any:
        """Do a job in a lane."""
        async with away():
            return await self._do(lane, job)

    async def _do(self, lane: Lane, job: Job) -> Any:
        self._open += 1
        if job.counts:
            self._allowances.charge(job.who, job.cost)
        try:
            worker = await self._worker(lane, job)
        except BaseException:
            self._settle(job, 0.0)
            raise
        # Shielded: the worker is busy until its work ends, even if nobody waits for the answer any more.
        return await asyncio.shield(asyncio.create_task(self._work(lane, job, worker)))

    async def _work(self, lane: Lane, job: Job, worker: Worker) -> Any:
        """Have a worker do a job, and give it back to its lane."""
        limit = None if job.work in UNBROKEN else lane.limit
        try:
            return await self._twice(worker, limit, job.work, *job.arguments)
        finally:
            took = worker.spent
            self._settle(job, took)
            lane.turns.charge(job.who, took - job.cost)
            lane.free.append(worker)
            lane.hand_out()
            self._costs.learn(job.work, job.arguments, took)

    def _settle(self, job: Job, took: float) -> None:
        """Count a job as done, and charge what it took instead of what it should have taken."""
        self._open -= 1
        if job.counts:
            self._allowances.charge(job.who, took - job.cost)

    async def _worker(self, lane: Lane, job: Job) -> Worker:
        """A worker of the lane, once it is the turn of this job."""
        errand = current()
        if self._leaving or (self._only_begun and not errand.begun):
            raise UserError(_(RESTARTING))
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        waiting = Waiting(Ticket(turn, errand), job.cost, job.who)
        self._make_room(waiting)
        lane.turns.add(waiting)
        lane.hand_out()
        try:
            worker = await turn
        except asyncio.CancelledError:
            lane.turns.remove(waiting)
            if turn.done() and not turn.cancelled() and not turn.exception():
                lane.free.append(turn.result())
                lane.hand_out()
            raise
        errand.begun = True
        return worker

    def _make_room(self, newest: Waiting[Ticket]) -> None:
        """Where too many jobs are open, refuse one from whoever has most waiting; that may be the newest job itself."""
        lanes = list(dict.fromkeys([self._cheap, self._dear]))
        person = newest.asker.person
        own = sum(lane.turns.waiting_for(person) for lane in lanes)
        if newest.asker is not NOBODY and own >= self._settings.most_waiting_user:
            told = _("I'm still working on your other questions. Try again in a few seconds.")
            raise TurnedAwayError(told)
        if self._open <= self._settings.most_waiting:
            return
        lane_of = {waiting: lane for lane in lanes for waiting in lane.turns.every()}
        chosen = greediest([*sorted(lane_of, key=attrgetter("number")), newest])
        refusal = TurnedAwayError(_("I'm busy with too many battles right now. Try again in a few seconds."))
        if chosen is newest:
            raise refusal
        self._refuse(lane_of[chosen], chosen, refusal)

    @staticmethod
    def _refuse(lane: Lane, waiting: Waiting[Ticket], why: UserError) -> None:
        lane.turns.remove(waiting)
        if not waiting.job.worker.done():
            waiting.job.worker.set_exception(why)

    async def _twice(self, worker: Worker, limit: float | None, work: Callable[..., Any], *arguments: Any) -> Any:
        """Have a worker do the work, and once more if the worker is lost (killed, out of memory, stuck)."""
        bounded = (run_for, limit) if limit else ()
        for _attempt in range(2):
            try:
                return await worker.run(*bounded, in_language, language(), work, *arguments)
            except LostWorkerError:
                if self._leaving:
                    raise UserError(_(RESTARTING)) from None
                log.warning("a worker was lost at %s", name_of(work))
        raise UserError(_("The calculation failed twice. Try again in a minute."))
