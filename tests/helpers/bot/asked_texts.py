"""Every way in which people hand a text to the bot, without Discord in between."""

import time
from asyncio import Handle
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import pytest

from bot.commands.run import run
from bot.commands.table import COMMANDS
from bot.commands.typed import TYPED, command_in
from bot.console import _meaning, _question
from bot.errors import UserError
from bot.request import Request, Services
from bot.rooms import ROOMS
from solver import BattleError
from solver.games import GAMES

LONGEST_OPTION, LONGEST_MESSAGE, LONGEST_SUGGESTION = 6_000, 4_000, 100
"""The most characters that Discord lets anybody send, and those up to which we suggest anything."""
PHRASE = 600
"""The most characters of a phrase, which takes longer to read than anything that is refused."""
BESIDE = {"name": "ukraine", "matchup": "12 9", "new": "march", "text": "x", "garrisons": ""}
"""The values of the other options of a command."""

Ask = Callable[[Services, str], Awaitable[object]]


class Way(NamedTuple):
    """A way of asking: its name, the function that asks, and the sizes of texts that are worth a try."""

    name: str
    ask: Ask
    sizes: tuple[int, ...]


def ways() -> Iterator[Way]:
    """Return all ways of asking with a text."""
    for name, command in COMMANDS.items():
        for option in command.options:
            if option.kind in ("text", "file") and not option.choices:
                yield Way(f"/{name} {option.name}", partial(_command, name, option.name), (PHRASE, LONGEST_OPTION))
        for suggested in command.suggests:
            ask = partial(_suggestions, name, suggested)
            yield Way(f"suggestions of /{name} {suggested}", ask, (LONGEST_SUGGESTION, LONGEST_OPTION))
    for name in TYPED:
        yield Way(f"a message with {name}", partial(_message, f"{name} "), (PHRASE, LONGEST_MESSAGE))
    yield Way("a message", partial(_message, ""), (PHRASE, LONGEST_MESSAGE))
    yield Way("the menu of a message", partial(_command, "find", "text"), (PHRASE, LONGEST_MESSAGE))
    yield Way("a meaning as JSON", partial(_document_of, {"question": "meaning"}), (PHRASE, LONGEST_OPTION))
    yield Way("a line as JSON", partial(_document_of, {}), (PHRASE, LONGEST_OPTION))


async def _command(name: str, option: str, services: Services, text: str) -> object:
    texts = [other.name for other in COMMANDS[name].options if other.kind == "text" and not other.choices]
    return await run(_request(name, {other: BESIDE.get(other, "") for other in texts} | {option: text}), services)


async def _suggestions(name: str, option: str, services: Services, text: str) -> object:
    return await COMMANDS[name].suggests[option](_request(name, {option: text}), services)


async def _message(before: str, services: Services, text: str) -> object:
    with suppress(UserError):
        command, options = command_in(f"{before}{text}".strip())
        return await run(_request(command, options), services)
    return None


async def _document_of(question: dict[str, Any], services: Services, text: str) -> object:
    document = question | {"text": text}
    with suppress(UserError, BattleError):
        return _meaning(document, ROOMS) or _question(document, ROOMS, GAMES)
    return None


def _request(command: str, options: dict[str, str]) -> Request:
    return Request(command, user="1", user_name="Alice", place="guild:1", options=options, manages=True)


@dataclass
class Turns:
    """The turns of the event loop: how many there were, and the processor seconds of the longest one and of all."""

    number: int = 0
    longest: float = 0.0
    total: float = 0.0

    def reset(self) -> None:
        """Forget the turns so far."""
        self.number, self.longest, self.total = 0, 0.0, 0.0


@contextmanager
def timed_turns() -> Iterator[Turns]:
    """Time the turns of the event loop inside, by the processor time of its thread."""
    turns, turn = Turns(), Handle._run

    def timed(handle: Handle) -> None:
        begun = time.thread_time()
        try:
            turn(handle)
        finally:
            took = time.thread_time() - begun
            turns.number += 1
            turns.longest, turns.total = max(turns.longest, took), turns.total + took

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Handle, "_run", timed)
        yield turns
