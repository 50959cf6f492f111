"""Answers that a killed process has left at "thinking…": another process says there that they will not come."""

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord

from bot.background import cancel
from bot.commands.live import name_of
from bot.commands.table import COMMANDS
from bot.discord_app.delivery import HOURGLASS, edit_parts
from bot.discord_app.refusals import is_refused, is_unsent
from bot.errors import UserError
from bot.languages import _
from bot.pace import at_pace
from bot.replies import Reply, ask_button
from bot.request import Request
from bot.store.open_answers import OpenAnswer

if TYPE_CHECKING:
    from bot.discord_app.delivery import Interaction
    from bot.discord_app.open_answers import AnsweringClient

log = logging.getLogger(__name__)

AFTER = 1.0
"""Seconds after "thinking…" for which an answer is not written down: most come sooner."""
AGAIN = at_pace(5.0)
"""Seconds after which it is tried again where the database had no time for it."""
LOOK_EVERY = at_pace(60.0)
"""Seconds between two looks for answers that were left."""
LONGEST = 10.0
"""Seconds after which one of them is given up until the next look."""
AT_ONCE = 10
"""The most of them that are ended at once."""
LONGEST_END = 0.5
"""Seconds in which the answers that have come are deleted at the end; the next process only looks at the others."""
ORIGINAL: Any = "@original"
"""Discord's name for the message of an answer."""


class LeftWaiting:
    """Writes down which answers of this process people wait for, and ends those of processes that were killed.

    `owner` is the number of this process, with which PostgreSQL knows that it lives. No answer waits for any of this.
    """

    def __init__(self, client: "AnsweringClient", owner: int | None) -> None:
        self._client, self._owner = client, secrets.randbits(31) if owner is None else owner
        self._notes: set[asyncio.Task[None]] = set()
        self._left: dict[int, OpenAnswer] = {}

    def note(self, interaction: "Interaction", request: Request) -> None:
        """Write down that somebody waits until the current task ends, unless that is soon."""
        work = asyncio.current_task()
        if work is None:
            return
        answer = OpenAnswer(interaction.id, self._owner, interaction.token, *words_and_line(request))
        note = asyncio.create_task(self._note_while(work, answer))
        self._notes.add(note)
        note.add_done_callback(self._notes.discard)

    async def run(self) -> None:
        """End what was left, again and again until the task is cancelled."""
        while True:
            try:
                await self.end_left()
            except Exception as error:
                # Of a trouble with the database the log has a line already.
                if not isinstance(error, UserError):
                    log.exception("answers that were left are looked for later")
            await asyncio.sleep(LOOK_EVERY)

    async def end_left(self) -> None:
        """End the answers that a killed process has left."""
        taken = await self._client.services.store.open_answers.take(self._owner)
        self._left |= {answer.id: answer for answer in taken}
        turns = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._end_in_turn(answer, turns) for answer in self._left.values()))

    async def close(self) -> None:
        """Have the answers that have come deleted."""
        if self._notes:
            await asyncio.wait(self._notes, timeout=LONGEST_END)
        await cancel(*self._notes)

    async def _note_while(self, work: asyncio.Task[Any], answer: OpenAnswer) -> None:
        if (await asyncio.wait({work}, timeout=AFTER))[0]:
            return
        while not (await self._is_written(answer) or (await asyncio.wait({work}, timeout=AGAIN))[0]):
            pass
        await asyncio.wait({work})
        with suppress(UserError):
            await self._client.services.store.open_answers.forget(answer.id)

    async def _is_written(self, answer: OpenAnswer) -> bool:
        """Write an answer down; return False if the database has no time for that now."""
        try:
            await self._client.services.store.open_answers.note(answer)
        except UserError:
            return False
        return True

    async def _end_in_turn(self, answer: OpenAnswer, turns: asyncio.Semaphore) -> None:
        """End an answer and forget it; one for which Discord or the database has no time now stays for the next look.

        One that is too old is refused by Discord.
        """
        async with turns:
            try:
                async with asyncio.timeout(LONGEST):
                    await self._end(answer)
            except Exception as error:
                ours = not is_unsent(error)
                level = logging.ERROR if ours else logging.INFO
                log.log(level, "an answer that was left cannot be ended: %s", error, exc_info=ours)
                if not (ours or is_refused(error)):
                    return
            with suppress(UserError):
                await self._client.services.store.open_answers.forget(answer.id)
                del self._left[answer.id]

    async def _end(self, answer: OpenAnswer) -> None:
        """Say that an answer does not come, where it still stands as "thinking…" or says how far it is."""
        webhook = discord.Webhook.partial(self._client.application_id or 0, answer.token, client=self._client)
        message = await webhook.fetch_message(ORIGINAL)
        if message.flags.loading or message.content.startswith(HOURGLASS):
            buttons = (ask_button(answer.line),) if answer.line else ()
            await webhook.edit_message(ORIGINAL, **edit_parts(Reply(answer.text, buttons=buttons)))
            log.info("an answer that a process before had left is ended")


def words_and_line(request: Request) -> tuple[str, str]:
    """Return what to say if an answer does not come, and the line to ask then; "" if none asks the same.

    Others may press the button, too, so it only asks questions: `/roll` again would begin a second battle.
    """
    if request.command == "roll":
        text = _(
            "I was restarted before this answer came. If the battle has begun, the button opens it. If not, ask again."
        )
        return text, f"history open {name_of(request.interaction)}"
    asks = [option.name for option in COMMANDS[request.command].options] == ["matchup", "private"]
    line = " ".join([request.command, *request.options.get("matchup", "").split()]) if asks else ""
    return _("I was restarted before this answer came. Please ask again."), line
