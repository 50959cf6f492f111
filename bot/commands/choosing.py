"""Choices of people in live battles, such as what they lose: the odds of each, the form for others, and what they say.

The argument of a button is the battle, its turn, and a text that says what is chosen, or how the choice begins.
"""

import asyncio
import json

from bot.commands.live import line_below
from bot.commands.press_checks import button_battle, check_chooser, check_presser, live_fight, sides_of, split_argument
from bot.errors import UserError
from bot.games.base import GameRoom, require
from bot.games.live import LATE, Choosing
from bot.languages import _
from bot.live.replay import room_and_battle
from bot.live.rolling import Wish
from bot.live.words import headline, live_stages
from bot.replies import Button, Form, Reply
from bot.request import Request, Services
from bot.store.records import BattleRecord
from solver.game import Fight


async def advise(request: Request, services: Services) -> Reply:
    """Show the odds of all that this person can choose now, with buttons for the best."""
    record, turn = await button_battle(request, services)
    check_presser(record, request, services.rooms)
    room, fight = await live_fight(record, services)
    choosing = require(require(room.live).choosing)
    _label, find = require(choosing.advice)
    if record.battle.ended or (turn != record.battle.turn and not is_same_throw(record, turn, services)):
        raise UserError(_(choosing.late))
    advice = await find(services.engine, fight, sorted(sides_of(record, request)))
    now = f"{record.battle.id}:{record.battle.turn}"
    buttons = [Button(label, "choose", argument=f"{now}:{text}") for label, text in advice.options]
    buttons += [Button(label, "ask choice", argument=f"{now}:{text}") for label, text in advice.others]
    return Reply(
        advice.text,
        table=advice.table,
        remarks=advice.remarks,
        note=_("battle `{battle}`", battle=record.battle.id),
        line=line_below(record.battle, services.rooms),
        buttons=tuple(buttons),
        private=True,
    )


async def ask_choice(request: Request, services: Services) -> Form:
    """Return a form for a choice that no button has."""
    record, turn = await button_battle(request, services)
    check_presser(record, request, services.rooms)
    room, fight = await live_fight(record, services)
    choosing = require(require(room.live).choosing)
    text = _text(request)
    check_chooser(record, request, choosing, choosing.side(text))
    late = choosing.advice and turn != record.battle.turn and not is_same_throw(record, turn, services)
    if late or record.battle.ended or not (room.game.choices and room.game.choices.possible(fight)):
        raise UserError(_(choosing.late))
    return Form(_(choosing.title), "choose", (choosing.field(fight, text),), request.argument)


def read_wish(record: BattleRecord, request: Request, room: GameRoom, here: Fight) -> Wish:
    """Return what a button or a form wishes; UserError if it cannot be chosen now, or not by this person."""
    choosing, text = require(room.live).choosing, _text(request)
    if choosing is None:
        raise UserError(_(LATE))
    check_chooser(record, request, choosing, choosing.side(text))
    if not (room.game.choices and room.game.choices.possible(here)):
        raise UserError(_(choosing.late))
    return Wish(choosing.read(here, text))


def _text(request: Request) -> str:
    """Return the text of a choice: the text of the button, and the text typed in the form."""
    typed = request.options.get("number", request.options.get("losses", ""))
    return f"{split_argument(request).text} {typed}".strip()


def choosing_of(record: BattleRecord, services: Services) -> Choosing | None:
    """Return the words for the choices of a battle's game; None if there are none."""
    live = room_and_battle(services.rooms, record.battle.line, record.battle.rules)[0].live
    return live.choosing if live else None


def is_same_throw(record: BattleRecord, turn: int, services: Services) -> bool:
    """Return whether there were only choices since a turn, in a game in which these do not exclude others.

    Then the choices shown at that turn are still open.
    """
    choosing = choosing_of(record, services)
    since = record.rolls[turn:] if turn > 0 else ()
    return bool(choosing and choosing.advice and since) and all("choice" in json.loads(roll.entry) for roll in since)


def is_beside(record: BattleRecord, request: Request, services: Services) -> bool:
    """Return whether a choice was made in the message of the advice, while another one shows the battle."""
    choosing = choosing_of(record, services)
    return bool(request.private and record.battle.channel and choosing and choosing.advice)


async def tell_choice(record: BattleRecord, services: Services) -> Reply:
    """Say in the message of the advice how the battle stands after a choice."""
    room, battle = room_and_battle(services.rooms, record.battle.line, record.battle.rules)
    stages = await asyncio.to_thread(live_stages, room.game, battle, record.rolls, record.battle.start)
    return Reply(_("Done: {battle}", battle=headline(require(room.live), stages)), private=True)
