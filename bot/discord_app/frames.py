"""Live battles on Discord: the newest frame in its message, no faster than Discord likes, until it has arrived."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

from bot.discord_app.refusals import is_deleted, is_gone, is_hung_up, is_refused, is_unsent
from bot.errors import UserError
from bot.replies import Frame, Reply
from bot.store import Spot, Store

log = logging.getLogger(__name__)

GAP = 1.2
"""Seconds between two changes of one message."""
WAITS = (1.2, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
"""Seconds after which a frame that did not arrive is sent again."""

Way = Callable[[Reply], Awaitable[Any]]
"""How a message can be changed to show a reply."""
Ways = Callable[[], Iterable[Way]]
"""The ways that are open at this moment, the best first."""
Anew = Callable[[Reply], Awaitable[int | None]]
"""How a reply is shown in another message, of which the id comes back where Discord tells it."""


class Look:
    """How a message looks: the newest turn meant for it, the one it shows, when it may change, who is changing it.

    `newer` is set where somebody may be waiting in vain, as there is a newer frame.
    """

    def __init__(self, message: int, now: Callable[[], float]) -> None:
        self.message, self._now = message, now
        self.newest = self.shown = -1
        self.next = 0.0
        self.sending, self.newer = asyncio.Lock(), asyncio.Event()

    @property
    def must_wait(self) -> bool:
        """Whether the message cannot be changed at once."""
        return self.sending.locked() or self.next > self._now()

    def expects(self, turn: int) -> bool:
        """Whether somebody is changing the message just now, or has shown this turn or a newer one."""
        return self.sending.locked() or self.newest >= turn


class Frames:
    """The frames of all live battles that are on their way.

    `now` and `sleep` are the clock, in seconds, by which messages change no faster than they may.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store, self._now, self._sleep = store, now, sleep
        self._looks: WeakValueDictionary[int, Look] = WeakValueDictionary()
        self._leaving = False

    def look(self, message: int) -> Look:
        """How a message looks. Who makes a frame for it holds this meanwhile, so that it never comes after a newer."""
        return self._looks.setdefault(message, Look(message, self._now))

    async def show(
        self,
        reply: Reply,
        look: Look,
        ways: Ways,
        anew: Anew | None = None,
        *,
        channel: str | None = None,
        moves: bool = True,
        waits: Sequence[float] | None = None,
    ) -> bool:
        """Send a frame when its time has come, if the message has no such or newer one; False where it did not arrive.

        Where the message is gone, `anew` shows the frame in another. `channel` is where it stands, if we may write
        there by ourselves; with `moves` the battle is there from now on. What does not arrive is sent again after each
        of `waits`, or else WAITS.
        """
        assert reply.frame is not None, "only frames are shown here"
        frame, turn, arrived, there = reply.frame, reply.frame.turn, False, look.message

        async def in_another(reply: Reply) -> None:
            nonlocal there
            assert anew is not None, "only called where there is another way"
            there = await anew(reply) or 0

        if turn <= look.newest:
            return True
        look.newest = turn
        look.newer.set()
        async with look.sending:
            look.newer.clear()
            await self._sleep(look.next - self._now())
            if look.newest > turn:
                return True
            try:
                arrived = await self._sent(
                    reply, look, ways, in_another if anew else None, WAITS if waits is None else waits
                )
            finally:
                look.shown = turn if arrived else look.shown
                if look.newest == turn:
                    look.newest = look.shown  # what did not arrive is sent by the next who comes with it
                self.rest(look)
        if arrived:
            await self.arrived(frame, Spot(str(there), channel, reply.private) if there else None, moves)
        return arrived or look.newest > turn

    async def arrived(self, frame: Frame, spot: Spot | None, moves: bool = True) -> None:
        """Somebody has seen this frame, there if it is known where; with `moves` the battle is there from now on."""
        try:
            await self._store.battles.shown(*frame, spot, moves)
        except UserError:
            log.info("that frame %d of battle %s was shown could not be noted", frame.turn, frame.battle)

    def rest(self, look: Look) -> None:
        """Let some time pass before the next change of a message, and remember how it looks for so long."""
        look.next = self._now() + GAP
        asyncio.get_running_loop().call_later(GAP, _let_go, look)

    def leave(self) -> None:
        """Wait for no better times any more; what has not arrived is shown after the next start."""
        self._leaving = True
        for look in self._looks.values():
            look.newer.set()

    async def _sent(self, reply: Reply, look: Look, ways: Ways, anew: Way | None, waits: Sequence[float]) -> bool:
        """Whether the frame arrived, at the first attempt or a later one."""
        assert reply.frame is not None, "only frames are shown here"
        battle, turn = reply.frame
        for wait in (*waits, None):
            arrived = await _tried(reply, ways(), anew)
            if arrived or look.newest > turn:
                return bool(arrived)
            if arrived is False or wait is None or self._leaving:
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(look.newer.wait(), wait)
            if look.newest > turn:
                return False
        # Without waits somebody tries again later, and again, and says so once.
        level = logging.INFO if self._leaving or not waits else logging.WARNING
        log.log(level, "frame %d of battle %s did not arrive; it is shown later", turn, battle)
        return False


async def _tried(reply: Reply, ways: Iterable[Way], anew: Way | None) -> bool | None:
    """Whether the frame arrived; None where it may another time."""
    for way in ways:
        try:
            await way(reply)
        except Exception as error:
            if is_hung_up(error) or not is_unsent(error):
                raise
            log.log(logging.INFO if is_gone(error) else logging.WARNING, "a frame could not be sent: %s", error)
            if is_deleted(error):
                return await _tried(reply, [anew], None) if anew else False
            if not is_refused(error):
                return None
        else:
            return True
    return False


def _let_go(_: Look) -> None:
    """Nothing: what is to be called later with a look holds it until then."""
