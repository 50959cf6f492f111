"""Runs the command of a request: settings and language before it, mistakes and faults after it."""

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.commands.battle import NoBattleError
from bot.commands.error_help import explain
from bot.commands.fought import NoResultError
from bot.commands.table import COMMANDS
from bot.errors import UserError, reason_of
from bot.languages import _, retranslate, speaking
from bot.notation.mistakes import MatchupError
from bot.place_settings import adapt_to_place
from bot.replies import ASK, ASK_ALL, ASK_ON, HELP, LINELESS, TURN, Button, Form, Reply, text_above_table
from bot.request import Request, Services, with_place_settings
from bot.work.engine import drawing
from solver import BattleError
from solver.late import LateModule

log = logging.getLogger(__name__)

_freely = LateModule("bot.commands.freely")
answer_follow_up: Callable[[Request, Services], Awaitable[Reply | Form | None]] = LateModule(
    "bot.commands.following"
).answer_follow_up
answer_freely: Callable[[MatchupError, Request, Services], Awaitable[Reply | Form]] = _freely.answer_freely
answer_result: Callable[[NoResultError, Request, Services], Awaitable[Reply | Form]] = _freely.answer_result
find_freely: Callable[[NoBattleError, Request, Services], Awaitable[Reply | Form]] = _freely.find_freely

PERSONAL = "opponent", "player", "against", "text", "file"
"""Options with people in them, or with what somebody else wrote: the log does without."""


async def run(request: Request, services: Services) -> Reply | Form:
    """Answer a request, whatever happens: a mistake gets a sentence, a fault of ours a line with its id.

    What everybody can see is in the language of the place, all else in the language of the person who asks.
    """
    request = await with_place_settings(request, services)
    command = COMMANDS[request.command]
    here = request.place_settings
    chosen = here if command.shows_battle else here.for_person()
    alone = request.private or command.asks_form  # only the person who asks sees a form
    in_own_language = alone or ("language" in here.mine and not command.shows_battle)
    spoken = request.reader if in_own_language else here.language or request.here
    with speaking(spoken), drawing(chosen.show != "words"):
        reply = adapt_to_place(services.rooms, await _run(request, services), chosen)
    if not (command.anybody_may_press or command.live):  # it may have changed presets or settings
        services.recent.pop(request.place, None)
    if isinstance(reply, Form):
        return reply
    reply = with_more_buttons(reply, request)
    with speaking(request.reader):
        text = retranslate(reply.text) if reply.failed else reply.text
        buttons = tuple(replace(button, label=retranslate(button.label)) for button in reply.buttons if reply.failed)
        return replace(reply, text=text, aside=retranslate(reply.aside), buttons=buttons or reply.buttons)


async def _answer(request: Request, services: Services) -> Reply | Form:
    """Answer a request; a line that is no notation is read as people say it."""
    if request.after and (answer := await answer_follow_up(request, services)):
        return answer
    try:
        return await COMMANDS[request.command].run(request, services)
    except MatchupError as error:
        return await answer_freely(error, request, services)
    except NoResultError as error:
        return await answer_result(error, request, services)
    except NoBattleError as error:
        return await find_freely(error, request, services)


async def _run(request: Request, services: Services) -> Reply | Form:
    try:
        return await _answer(request, services)
    except UserError as error:
        return explain(services.rooms, error, request)
    except BattleError as error:
        # A button led to a battle that cannot be, such as one army more than the most.
        text = _("That battle doesn't work: {reason}.", reason=reason_of(error))
        return Reply(text, private=True, failed=True)
    except Exception:
        typed = {name: value for name, value in request.options.items() if not name.startswith(PERSONAL)}
        return Reply(note_fault(f"{request.command} {typed}"), private=True, failed=True)


def note_fault(where: str) -> str:
    """Log the exception that is being handled, and return the sentence about it with the id of its line in the log."""
    fault = secrets.token_hex(4)
    log.exception("fault %s: %s", fault, where)
    return _("Something went wrong on my side, not with what you typed. Tell the host: fault `{fault}`.", fault=fault)


def with_more_buttons(reply: Reply, request: Request) -> Reply:
    """Return an answer with a button that asks on about its line, and one for each topic of the help that it points to.

    A live battle has buttons of its own. Lines and screens that have a button already get no second one, and an error
    gets no other for the help.
    """
    said = "\n".join([text_above_table(reply), reply.note])
    named = dict.fromkeys(re.findall(r"`/help ([\w.:-]+)`", said))
    buttons = [button for button in reply.buttons if not (named and reply.failed and button.command == HELP)]
    shown = {
        button.argument.removeprefix("help ") for button in buttons if button.command in (ASK, ASK_ALL, HELP, TURN)
    }
    added = (Button(f"/help {topic}", HELP, argument=topic) for topic in named if topic not in shown)
    if reply.line and not (reply.failed or reply.frame or COMMANDS[request.command].private):
        last = max((place for place, button in enumerate(buttons, 1) if button.command not in LINELESS), default=0)
        buttons.insert(last, Button(_("Ask on"), ASK_ON))
    return replace(reply, buttons=(*buttons, *added))
