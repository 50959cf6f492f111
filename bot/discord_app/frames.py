"""Frames of live battles: shows the newest frame in its message, within Discord's rate limits, until it has arrived."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

from bot.background import wait_until_set
from bot.discord_app.refusals import is_deleted, is_gone, is_hung_up, is_refused, is_unsent
from bot.errors import UserError
from bot.pace import at_pace
from bot.replies import Frame, Reply
from bot.store.database import Store
from bot.store.records import Spot

log = logging.getLogger(__name__)

GAP = at_pace(1.2)
"""Seconds between two changes of one message."""
WAITS = tuple(map(at_pace, (1.2, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)))
"""Seconds after which a frame that did not arrive is sent again."""

Way = Callable[[Reply], Awaitable[Any]]
"""A way to send a reply: a function that edits the message."""
Ways = Callable[[], Iterable[Way]]
"""Returns the ways that work at this moment, the best first."""
Anew = Callable[[Reply], Awaitable[int | None]]
"""Sends a reply in a new message and returns its id, if Discord reports it."""


class MessageState:
    """The state of a message that shows a live battle.

    Attributes:
        message: Discord's id of the message.
        newest: The newest turn that somebody wants to show in it.
        shown: The turn that it shows; -1 if unknown.
        next: The time from which it may change again.
        sending: The lock of the task that is changing it.
        newer: Set when a newer frame arrives, so that the sender of an older one stops waiting.
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
        """Whether the message is being changed now, or shows this turn or a newer one."""
        return self.sending.locked() or self.newest >= turn


class Frames:
    """Shows the frames of all live battles; `now` and `sleep` are its clock, in seconds."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store, self._now, self._sleep = store, now, sleep
        self._states: WeakValueDictionary[int, MessageState] = WeakValueDictionary()
        self._leaving = False
        self.render_newest: Callable[[str], Awaitable[Reply | None]] | None = None
        """Renders the newest frame of a battle. Set where other processes show frames of the same battles."""

    def message_state(self, message: int) -> MessageState:
        """Return the state of a message. Hold it while a frame is made, so that no older frame follows a newer one."""
        return self._states.setdefault(message, MessageState(message, self._now))

    async def show(
        self,
        reply: Reply,
        state: MessageState,
        ways: Ways,
        anew: Anew | None = None,
        *,
        channel: str | None = None,
        moves: bool = True,
        waits: Sequence[float] | None = None,
    ) -> bool:
        """Show a frame in its message, as soon as the message may change, unless it shows this or a newer frame.

        Args:
            reply: The reply with the frame.
            state: The state of the message.
            ways: The ways to edit the message.
            anew: Sends the frame in a new message if the old one was deleted.
            channel: The channel of the message, if the bot may write there without an interaction.
            moves: Whether the battle is shown in this message from now on.
            waits: The seconds after which a frame that did not arrive is sent again; by default WAITS.

        Returns:
            Whether the message shows this frame or will show a newer one.
        """
        assert reply.frame is not None, "only frames are shown here"
        frame, turn, message = reply.frame, reply.frame.turn, state.message

        async def in_another(reply: Reply) -> None:
            nonlocal message
            assert anew is not None, "only called where there is another way"
            message = await anew(reply) or 0

        if turn <= state.newest:
            return True
        arrived = await self._send_in_turn(
            reply, state, ways, in_another if anew else None, WAITS if waits is None else waits
        )
        outdated = False
        if arrived:
            outdated = await self.mark_seen(
                frame, Spot(str(message), channel, reply.private) if message else None, moves
            )
        if outdated and state.newest == turn and self.render_newest:
            # Another process has a newer frame. If it was shown before this one arrived, this one took its place.
            # It is made when the message may change: while it waited for that, somebody could roll on.
            await self._sleep(state.next - self._now())
            newer = None
            with suppress(UserError):  # the database is away, and the frame is shown once it is back
                newer = await self.render_newest(frame.battle)
            if newer and newer.frame and newer.frame.turn > turn:
                await self.show(replace(newer, private=reply.private), state, ways, channel=channel, moves=moves)
        return arrived or state.newest > turn

    async def mark_seen(self, frame: Frame, spot: Spot | None, moves: bool = True) -> bool:
        """Note in the database that a frame was shown at `spot`; with `moves` the battle is shown there from now on.

        Returns:
            Whether the battle has a newer frame, as far as is known.
        """
        try:
            return await self._store.battles.mark_seen(*frame, spot, moves)
        except UserError:
            log.info("that frame %d of battle %s was shown could not be noted", frame.turn, frame.battle)
            return False

    def start_gap(self, state: MessageState) -> None:
        """Block changes of a message for GAP seconds, and keep its state in memory for that time."""
        state.next = self._now() + GAP
        asyncio.get_running_loop().call_later(GAP, _keep_alive, state)

    def stop_retrying(self) -> None:
        """Stop retrying; frames that have not arrived are shown after the next start."""
        self._leaving = True
        for state in self._states.values():
            state.newer.set()

    async def _send_in_turn(
        self, reply: Reply, state: MessageState, ways: Ways, anew: Way | None, waits: Sequence[float]
    ) -> bool:
        """Send a frame when the message may change, unless a newer one comes meanwhile; return whether it arrived."""
        assert reply.frame is not None, "only frames are shown here"
        turn, arrived = reply.frame.turn, False
        state.newest = turn
        state.newer.set()
        async with state.sending:
            state.newer.clear()
            await self._sleep(state.next - self._now())
            if state.newest > turn:
                return False
            try:
                arrived = await self._send_until_arrived(reply, state, ways, anew, waits)
            finally:
                state.shown = turn if arrived else state.shown
                if state.newest == turn:
                    state.newest = state.shown  # so that the next attempt with this frame sends it again
                self.start_gap(state)
        return arrived

    async def _send_until_arrived(
        self, reply: Reply, state: MessageState, ways: Ways, anew: Way | None, waits: Sequence[float]
    ) -> bool:
        """Send a frame, again after each of `waits`; return whether it arrived."""
        assert reply.frame is not None, "only frames are shown here"
        battle, turn = reply.frame
        for wait in (*waits, None):
            arrived = await _try_ways(reply, ways(), anew)
            if arrived or state.newest > turn:
                return bool(arrived)
            if arrived is False or wait is None or self._leaving:
                break
            await wait_until_set(state.newer, wait)
            if state.newest > turn:
                return False
        # Without waits the caller tries again later, and logs that once.
        level = logging.INFO if self._leaving or not waits else logging.WARNING
        log.log(level, "frame %d of battle %s did not arrive; it is shown later", turn, battle)
        return False


async def _try_ways(reply: Reply, ways: Iterable[Way], anew: Way | None) -> bool | None:
    """Try each way to show a frame; return whether it arrived, None if a later attempt may succeed."""
    for way in ways:
        try:
            await way(reply)
        except Exception as error:
            if is_hung_up(error) or not is_unsent(error):
                raise
            log.log(logging.INFO if is_gone(error) else logging.WARNING, "a frame could not be sent: %s", error)
            if is_deleted(error):
                return await _try_ways(reply, [anew], None) if anew else False
            if not is_refused(error):
                return None
        else:
            return True
    return False


def _keep_alive(_: MessageState) -> None:
    """Do nothing: a call with the state, scheduled for later, keeps it in memory until then."""
