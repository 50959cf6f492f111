"""The terminal as a conversation: a prompt with history and suggestions, and the buttons as words to type."""

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

from bot.commands import run
from bot.commands.request import Request, Services
from bot.commands.suggest import ASKED, suggest, suggest_names, suggest_questions, suggest_raids
from bot.commands.suggest_places import suggest_places
from bot.commands.suggest_plans import suggest_battles, suggest_plans
from bot.commands.typed import TYPED
from bot.console import open_services, plain, pressed, request_from, show, spoken, with_file
from bot.errors import UserError
from bot.languages import N_, _, speaking
from bot.replies import LINELESS, Button, Form, Reply, line_of, whole
from bot.settings import Settings

WELCOME = N_("Type 12 9 for odds, /roll 12 9 to roll, /help for more; Ctrl-D to quit.")
LEAVE = {"quit", "exit", "/quit", "/exit"}


async def converse(settings: Settings) -> int:
    """Ask and answer until the person has had enough."""
    async with open_services(settings) as services:
        session = PromptSession[str](
            "⚔ ",
            history=_history(settings.data / "history"),
            completer=Suggestions(services),
            complete_while_typing=True,
        )
        with speaking(await spoken(services)):
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
    """One line and its answer, in the language that was chosen."""
    with speaking(await spoken(services)):
        await _spoken_turn(services, line, offers)


async def _spoken_turn(services: Services, line: str, offers: "Offers") -> None:
    """The same in the language of the moment."""
    try:
        request = offers.pressed(line) or with_file(request_from(line), services.settings)
        reply = await run(request, services)
        if isinstance(reply, Form):
            reply = await run(await _filled(reply, request), services)
        assert isinstance(reply, Reply), "no form leads to another"
        await show(reply, services)
    except UserError as error:
        print(plain(error.text))
    except (KeyboardInterrupt, EOFError):
        pass  # The form was left without an answer.
    else:
        offers.add(reply)
        if labels := [button.label for button in _of_battle(reply) if button.enabled]:
            print(plain(f"-# {' · '.join(labels)}"))


class Offers:
    """The buttons of the answers about the last battle, by the words that press them."""

    def __init__(self) -> None:
        self._battle: str | None = None
        self._buttons: dict[str, Button] = {}
        self._file = ""

    def add(self, reply: Reply) -> None:
        """Offer what an answer offers, beside what was offered for the same battle before."""
        if not _of_battle(reply):
            return
        battle = line_of(whole(reply))
        if battle != self._battle:
            self._battle, self._buttons = battle, {}
        # What was offered of a live battle was meant for the moment in which that was shown.
        self._buttons = {word: button for word, button in self._buttons.items() if not button.argument}
        self._file = reply.file.text if reply.file else ""
        for button in _of_battle(reply):
            self._buttons |= {button.label.casefold(): button, button.command: button}
            if button.label.startswith(("+1 ", "−1 ")):
                self._buttons[button.label[:2]] = button

    def pressed(self, line: str) -> Request | None:
        """The request of the button whose label is what was typed, if there is one."""
        button = self._buttons.get(line.casefold().replace("-", "−"))
        if button is None or not button.enabled:
            return None
        request = request_from(f"/battle {self._battle}")
        return pressed(button, replace(request, options={**request.options, "file": self._file}))


def _of_battle(reply: Reply) -> list[Button]:
    """The buttons about the battle of an answer; the lines of the others are typed here."""
    return [button for button in reply.buttons if button.command not in LINELESS]


def _history(file: Path) -> History:
    """What was typed in earlier conversations, if the file lets itself be read and written."""
    try:
        with file.open("a+"):
            return FileHistory(file)
    except OSError:
        return InMemoryHistory()


async def _filled(form: Form, request: Request) -> Request:
    """The request a form leads to, with what was typed into it."""
    session = PromptSession[str]()
    typed = {}
    for field in form.fields:
        hint = field.hint or "/".join(choice.value for choice in field.choices)
        hint = f" ({hint})" if hint else ""
        typed[field.option] = await session.prompt_async(f"{field.label}{hint}: ", default=field.value)
    return replace(
        pressed(Button(form.title, form.command, argument=form.argument), request), options=typed, typed=True
    )


class Suggestions(Completer):
    """What the chat suggests while somebody types, for the terminal."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def get_completions_async(
        self, document: Document, _event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Commands while one is being typed, then battles or names with what they mean."""
        typed = document.text_before_cursor
        if typed.startswith("/"):
            for name in TYPED:
                if f"/{name}".startswith(typed):
                    yield Completion(f"/{name} ", -len(typed))
        with speaking(await spoken(self.services)):
            found = await self._found(typed)
        for completion in found:
            yield completion

    async def _found(self, typed: str) -> list[Completion]:
        """Battles or names with what they mean, for what is typed."""
        try:
            request = request_from(typed)
        except UserError:
            return []
        begun = [name for name, value in request.options.items() if value] or [*request.options][:1]
        option = begun[-1] if begun else ""
        if option not in ("name", "matchup") or not typed:
            return []
        asked = dict.fromkeys(ASKED, suggest_questions)
        asked |= {"bombing": suggest_raids, "compare": suggest_plans, "place": suggest_places}
        asked["battle"] = suggest_battles
        find = suggest_names if option == "name" else asked.get(request.command, suggest)
        begin = -len(request.options[option])
        return [Completion(line, begin, display=label) for label, line in await find(request, self.services)]

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Suggestions need the database, so there are none without waiting."""
        del document, complete_event
        return ()
