"""The prompt of the terminal: takes commands with history and suggestions, and buttons as words to type."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Coroutine, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from bot.commands.run import run
from bot.commands.table import COMMANDS
from bot.commands.typed import TYPED
from bot.console import chosen_language, open_services, plain, press_request, request_from, show, with_file
from bot.errors import UserError
from bot.languages import N_, _, speaking
from bot.replies import ASK_ON, LINELESS, Button, Form, Reply
from bot.request import Request, Services
from bot.settings import Settings
from bot.work.engine import putting_off_pictures

WELCOME = N_("Type 12 9 for odds, /roll 12 9 to roll, /help for more; Ctrl-D to quit.")
LEAVE = {"quit", "exit", "/quit", "/exit"}


async def converse(settings: Settings) -> int:
    """Ask and answer until the person leaves."""
    async with open_services(settings) as services:
        session = PromptSession[str](
            "⚔ ",
            history=_history(settings.data / "history"),
            completer=Suggestions(services),
            complete_while_typing=True,
        )
        with speaking(await chosen_language(services)):
            print(_(WELCOME))
        offers = Offers()
        while True:
            try:
                line = (await session.prompt_async()).strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return 0
            if line.casefold() in LEAVE:
                return 0
            if line:
                await _interruptible(_turn(services, line, offers))


async def _interruptible(turn: Coroutine[Any, Any, None]) -> None:
    """Let Ctrl-C end a turn that takes too long, and not the conversation."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(turn)
    with suppress(NotImplementedError):  # Windows knows no such handlers; there Ctrl-C leaves.
        loop.add_signal_handler(signal.SIGINT, task.cancel)
    await asyncio.wait({task})
    with suppress(NotImplementedError):
        loop.remove_signal_handler(signal.SIGINT)
    if not task.cancelled():
        task.result()


async def _turn(services: Services, line: str, offers: "Offers") -> None:
    """Answer a line in the language that was chosen."""
    with speaking(await chosen_language(services)):
        try:
            request = offers.request_for(line) or with_file(offers.after(request_from(line), line), services.settings)
            with putting_off_pictures() as drawings:
                reply = await run(request, services)
                if isinstance(reply, Form):
                    reply = await run(await _form_request(reply, request), services)
            assert isinstance(reply, Reply), "no form leads to another"
            await show(reply, drawings, services)
        except UserError as error:
            print(plain(error.text))
        except (KeyboardInterrupt, EOFError):
            pass  # The form was left without an answer.
        else:
            offers.add(reply)
            if labels := [button.label for button in _of_battle(reply) if button.enabled]:
                print(plain(f"-# {' · '.join(labels)}"))


class Offers:
    """The buttons under the answers about the last battle, by the words that press them."""

    def __init__(self) -> None:
        self._battle: str | None = None
        self._buttons: dict[str, Button] = {}
        self._file = ""

    def add(self, reply: Reply) -> None:
        """Add the buttons of an answer; those of another battle go."""
        if not _of_battle(reply):
            return
        battle = reply.line or None
        if battle != self._battle:
            self._battle, self._buttons = battle, {}
        if reply.frame:
            # Offers of a live battle were meant for the moment in which it was shown.
            self._buttons = {word: button for word, button in self._buttons.items() if not button.argument}
        self._file = reply.file.text if reply.file else ""
        for button in reversed(_of_battle(reply)):  # of several buttons of one command its name presses the first
            self._buttons |= {button.label.casefold(): button, button.command: button}
            if button.label.startswith(("+1 ", "−1 ")):
                self._buttons[button.label[:2]] = button

    def after(self, request: Request, line: str) -> Request:
        """Return the request of a typed line, which may go on from the last answer."""
        return request if line.startswith("/") else replace(request, after=self._battle or "")

    def request_for(self, line: str) -> Request | None:
        """Return the request of the button with the typed label; None if no button has it."""
        button = self._buttons.get(line.casefold().replace("-", "−"))
        if button is None or not button.enabled:
            return None
        request = request_from(f"/battle {self._battle}")
        return press_request(button, replace(request, options={**request.options, "file": self._file}))


def _of_battle(reply: Reply) -> list[Button]:
    """Return the buttons about the battle of an answer; the lines of the others are typed here."""
    return [button for button in reply.buttons if button.command not in (*LINELESS, ASK_ON)]


def _history(file: Path) -> History:
    """Return the lines of earlier conversations; an empty history if the file cannot be used."""
    try:
        with file.open("a+"):
            return FileHistory(file)
    except OSError:
        return InMemoryHistory()


async def _form_request(form: Form, request: Request) -> Request:
    """Ask for the fields of a form, and return the request of the filled-in form."""
    session = PromptSession[str]()
    typed = {}
    for field in form.fields:
        hint = field.hint or "/".join(choice.value for choice in field.choices)
        hint = f" ({hint})" if hint else ""
        typed[field.option] = await session.prompt_async(f"{field.label}{hint}: ", default=field.value)
    return replace(
        press_request(Button(form.title, form.command, argument=form.argument), request), options=typed, typed=True
    )


class Suggestions(Completer):
    """The suggestions of the chat, for the terminal."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def get_completions_async(
        self, document: Document, _event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Yield commands, then battles or names with their meaning."""
        typed = document.text_before_cursor
        if typed.startswith("/"):
            for name in TYPED:
                if f"/{name}".startswith(typed):
                    yield Completion(f"/{name} ", -len(typed))
        with speaking(await chosen_language(self.services)):
            completions = await self._find_completions(typed)
        for completion in completions:
            yield completion

    async def _find_completions(self, typed: str) -> list[Completion]:
        """Return battles or names with their meaning for a typed text."""
        try:
            request = request_from(typed)
        except UserError:
            return []
        begun = [name for name, value in request.options.items() if value] or [*request.options][:1]
        option = begun[-1] if begun else ""
        if option not in ("name", "matchup", "garrisons", "topic") or not typed:
            return []
        if (find := COMMANDS[request.command].suggests.get(option)) is None:
            return []
        begin = -len(request.options[option])
        return [Completion(line, begin, display=label) for label, line in await find(request, self.services)]

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield nothing: suggestions need the database, so there are none without waiting."""
        del document, complete_event
        return ()
