"""Everything that can be asked, each written once for every way of asking: (request, services) -> reply."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from bot.commands import (
    battle,
    bombing,
    compare,
    dice,
    ends,
    guide,
    history,
    live,
    luck,
    need,
    order,
    place,
    preset,
    presses,
    settings,
    table,
    transfer,
)
from bot.commands.habits import as_shown
from bot.commands.request import Request, Services, settled
from bot.commands.teaching import taught
from bot.engine import drawing
from bot.errors import UserError, reason_of
from bot.languages import _, again, speaking
from bot.replies import HELP, TURN, Form, Reply
from solver import BattleError
from solver.placing import MOST_TERRITORIES

log = logging.getLogger(__name__)

FORMS = {"ask dice", "edit", "edit plans", "edit placing", "bombing edit", "save", *settings.FORMS}
"""Commands whose answer is a form."""
ALONE = {
    *(HELP, "settings", "history list", "history export", "history end", "history forget"),
    *("preset save", "preset list", "preset change", "preset rename", "preset note", "preset delete"),
    *("preset export", "preset import"),
}
"""Commands whose answer, in a message of its own, only who asks sees."""
PERSONAL = "opponent", "player", "against", "text", "file"
"""Options with people in them, or with what somebody else wrote: the log does without."""

Command = Callable[[Request, Services], Awaitable[Reply | Form]]

COMMANDS: dict[str, Command] = {
    "battle": battle.battle,
    "compare": compare.compare,
    "roll": live.roll,
    "need": need.need,
    "table": table.table,
    "dice": dice.dice,
    "bombing": bombing.bombing,
    "order": order.order,
    "place": place.place,
    "preset save": preset.save,
    "preset list": preset.list_all,
    "preset show": preset.show,
    "preset change": preset.change,
    "preset rename": preset.rename,
    "preset note": preset.note,
    "preset delete": preset.delete,
    "preset export": transfer.export,
    "preset import": transfer.preview,
    "verify": history.verify,
    "history list": history.list_battles,
    "history open": history.open_battle,
    "history share": history.share,
    "history export": history.export,
    "history end": history.end,
    "history faces": luck.faces,
    "history forget": history.forget,
    "luck": luck.luck,
    "settings": settings.settings,
    settings.CHANGE: settings.change,
    **settings.FORMS,
    HELP: guide.show_help,
    TURN: guide.show_help,
    # The buttons of a live battle:
    "roll on": presses.roll_on,
    "roll out": presses.roll_out,
    "retreat": presses.retreat,
    "ask dice": presses.ask_dice,
    "real dice": presses.real_dice,
    # From a message's menu, and the buttons under an answer:
    "find": battle.find,
    "swap": battle.swap,
    "rulebook": battle.rulebook,
    "more": battle.more,
    "fewer": battle.fewer,
    "ends": partial(ends.all_ends, "chance"),
    "ends money": partial(ends.all_ends, "money"),
    "ends winner": partial(ends.all_ends, "winner"),
    "best attack": order.use_attack,
    "best defence": order.use_defence,
    "edit": battle.edit,
    "save": preset.ask_name,
    transfer.IMPORT: transfer.take_in,
    "bombing more": bombing.more,
    "bombing fewer": bombing.fewer,
    "bombing edit": bombing.edit,
    "plan a": battle.plan_a,
    "plan b": battle.plan_b,
    "swap plans": compare.swap_plans,
    "edit plans": compare.edit_plans,
    "place all": place.hold_all,
    "place most": place.hold_most,
    "place value": place.hold_value,
    "edit placing": place.edit_placing,
    **{f"place odds {number + 1}": partial(place.odds_of, number) for number in range(MOST_TERRITORIES)},
}


async def run(request: Request, services: Services) -> Reply | Form:
    """The command's answer, whatever happens: a sentence for mistakes, a calm line with an id for our own faults.

    What all can see is said in the language of the place, all else in that of who asks.
    """
    request = await settled(request, services)
    with speaking(_language(request)), drawing(request.habits.show != "words"):
        reply = as_shown(await _run(request, services), request.habits)
    if isinstance(reply, Form):
        return reply
    with speaking(request.reader):
        text = again(reply.text) if reply.failed else reply.text
        buttons = tuple(replace(button, label=again(button.label)) for button in reply.buttons if reply.failed)
        return replace(reply, text=text, aside=again(reply.aside), buttons=buttons or reply.buttons)


def _language(request: Request) -> str:
    """What is spoken where this was asked; a form is seen by nobody but who asks."""
    alone = request.private or request.command in FORMS
    return request.reader if alone else request.habits.language or request.here


async def _run(request: Request, services: Services) -> Reply | Form:
    try:
        return await COMMANDS[request.command](request, services)
    except UserError as error:
        return taught(error, request)
    except BattleError as error:
        # A button led to a battle that cannot be, such as one army more than the most.
        text = _("That battle doesn't work: {reason}.", reason=reason_of(error))
        return Reply(text, private=True, failed=True)
    except Exception:
        fault = secrets.token_hex(4)
        typed = {name: value for name, value in request.options.items() if not name.startswith(PERSONAL)}
        log.exception("fault %s: %s %s", fault, request.command, typed)
        text = _(
            "Something went wrong on my side, not with what you typed. Tell the host: fault `{fault}`.", fault=fault
        )
        return Reply(text, private=True, failed=True)
