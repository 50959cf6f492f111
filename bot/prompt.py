"""The terminal as a conversation: a prompt with history and suggestions, and the buttons as words to type."""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from bot.commands import run
from bot.commands.request import Request, Services
from bot.commands.suggest import suggest, suggest_names
from bot.console import COMMANDS, open_services, plain, request_from, show
from bot.errors import UserError
from bot.replies import Form, Reply, line_of, whole
from bot.settings import Settings

WELCOME = "Type 12 9 for odds, /roll 12 9 to roll, /help for more; Ctrl-D leaves."
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
        print(WELCOME)
        last = None
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
                last = await _turn(services, line, last) or last


async def _turn(services: Services, line: str, last: Reply | None) -> Reply | None:
    """One line and its answer; returns the answer if more can be asked about it."""
    try:
        request = _pressed(line, last) or request_from(line)
        reply = await run(request, services)
        if isinstance(reply, Form):
            reply = await run(await _filled(reply, request), services)
        assert isinstance(reply, Reply), "no form leads to another"
        show(reply, services.settings)
    except UserError as error:
        print(plain(error.text))
        return None
    except (KeyboardInterrupt, EOFError):
        return None  # The form was left without an answer.
    if not reply.buttons:
        return None
    print(plain(f"-# {' · '.join(button.label for button in reply.buttons if button.enabled)}"))
    return reply


def _pressed(line: str, last: Reply | None) -> Request | None:
    """The request of a button of the last answer, if its label is what was typed."""
    if last is None:
        return None
    words = {word: button for button in last.buttons for word in (button.label.casefold(), button.command)}
    button = words.get(line.casefold().replace("-", "−"))
    if button is None or not button.enabled:
        return None
    return replace(request_from(f"/battle {line_of(whole(last))}"), command=button.command)


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
    typed = {field.option: await session.prompt_async(f"{field.label}: ", default=field.value) for field in form.fields}
    return replace(request, command=form.command, options=typed)


class Suggestions(Completer):
    """What the chat suggests while somebody types, for the terminal."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def get_completions_async(self, document: Document, _: CompleteEvent) -> AsyncGenerator[Completion, None]:
        """Commands while one is being typed, then battles or names with what they mean."""
        typed = document.text_before_cursor
        if typed.startswith("/"):
            for name in COMMANDS:
                if f"/{name}".startswith(typed):
                    yield Completion(f"/{name} ", -len(typed))
        try:
            request = request_from(typed)
        except UserError:
            return
        option = "name" if "name" in request.options and not request.options.get("matchup") else "matchup"
        if option in request.options and typed:
            find = suggest_names if option == "name" else suggest
            written = request.options[option]
            for label, line in await find(request, self.services):
                yield Completion(line, -len(written), display=label)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Suggestions need the database, so there are none without waiting."""
        del document, complete_event
        return ()
