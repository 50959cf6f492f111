"""Presses of the buttons of live battles: which battle one means, who has pressed, and choices such as what to lose.

The argument of a button is the battle, its turn, and a text that says what is chosen, or how the choice begins.
"""

import asyncio
from typing import NamedTuple

from bot.commands.live import GONE, line_below
from bot.commands.rights import Position, check_chooser, check_presser, own_sides, position_of
from bot.errors import UserError
from bot.games.base import require
from bot.games.live import LATE, Choosing
from bot.languages import _
from bot.live.replay import room_and_battle
from bot.live.rolling import Wish
from bot.live.words import headline, live_stages, standing
from bot.replies import Button, Form, Reply
from bot.request import Request, Services
from bot.store.records import BattleRecord, Player


class Argument(NamedTuple):
    """The argument of a button of a live battle.

    Attributes:
        battle: The id of the battle.
        turn: How many entries its log had when the button was shown; -1 if that is no number.
        text: The choice, or its beginning; "" for other buttons.
    """

    battle: str
    turn: int
    text: str


def split_argument(request: Request) -> Argument:
    """Return the argument of a button of a live battle, even if the button is not one of ours."""
    name, turn, text = [*request.argument.split(":", 2), "", ""][:3]
    return Argument(name, int(turn) if turn.isdecimal() and len(turn) < 10 else -1, text)


async def button_battle(request: Request, services: Services) -> tuple[BattleRecord, int]:
    """Return the battle of a button, and how many entries its log had when the button was shown."""
    argument = split_argument(request)
    record = await find(argument.battle, services)
    if not may_press(record, request, services):
        raise UserError(_(GONE))
    return record, argument.turn


def may_press(record: BattleRecord, request: Request, services: Services) -> bool:
    """Return whether a press counts for a battle: a changed client can send the name of any battle from anywhere.

    It counts in the battle's place, under its message, and from its players. Where we are no members, as among
    friends, the place is that of one person, and what counts is that the message shows the battle.
    """
    battle = record.battle
    if request.place == battle.place or request.user in {player.user for player in record.players}:
        return True
    personal = battle.place.startswith("user:") and battle.channel is None
    return services.store.battles.is_shown_in(request.message, battle) or (personal and request.shows == battle.id)


async def find(name: str, services: Services) -> BattleRecord:
    """Return a stored battle; UserError if it is not stored any more."""
    record = await services.store.battles.find(name)
    if record is None:
        raise UserError(_(GONE))
    return record


def presser(record: BattleRecord, request: Request) -> Player:
    """Return the person who pressed, with the tag that stands for them in this battle."""
    for player in record.players:
        if player.user == request.user:
            return player
    return Player(str(len(record.players) + 1), request.user, request.user_name, "")


async def advise(request: Request, services: Services) -> Reply:
    """Show the odds of all that this person can choose now, with buttons for the best."""
    record, turn = await button_battle(request, services)
    check_presser(record, request, services.rooms)
    here = await position_of(record, request.message, services)
    room, fight = here.room, here.fight
    choosing = require(require(room.live).choosing)
    _label, find = require(choosing.advice)
    if record.battle.ended or (turn != record.battle.turn and not is_same_throw(record, turn, services)):
        raise UserError(_(choosing.late))
    advice = await find(services.engine, fight, sorted(own_sides(record, request, here)))
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
    here = await position_of(record, request.message, services)
    room, fight = here.room, here.fight
    choosing = require(require(room.live).choosing)
    text = _text(request)
    check_chooser(record, request, here, choosing, choosing.side(fight, text))
    late = choosing.keep and turn != record.battle.turn and not is_same_throw(record, turn, services)
    if late or record.battle.ended or not (room.game.choices and room.game.choices.choosers(fight)):
        raise UserError(_(choosing.late))
    return Form(_(choosing.title), "choose", (choosing.field(fight, text),), request.argument)


def read_wish(record: BattleRecord, request: Request, here: Position) -> Wish:
    """Return what a button or a form wishes; UserError if it cannot be chosen now, or not by this person."""
    choosing, text = require(here.room.live).choosing, _text(request)
    if choosing is None:
        raise UserError(_(LATE))
    check_chooser(record, request, here, choosing, choosing.side(here.fight, text))
    choices = here.room.game.choices
    if not (choices and choices.choosers(here.fight)):
        raise UserError(_(choosing.late))
    return Wish(choosing.read(here.fight, text))


def _text(request: Request) -> str:
    """Return the text of a choice: the text of the button, and the text typed in the form."""
    typed = request.options.get("number", request.options.get("losses", ""))
    return f"{split_argument(request).text} {typed}".strip()


def choosing_of(record: BattleRecord, services: Services) -> Choosing | None:
    """Return the words for the choices of a battle's game; None if there are none."""
    live = room_and_battle(services.rooms, record.battle.line, record.battle.rules)[0].live
    return live.choosing if live else None


def is_same_throw(record: BattleRecord, turn: int, services: Services) -> bool:
    """Return whether there were only choices since a turn, or losses kept, where these do not exclude others.

    Then the choices shown at that turn are still open.
    """
    choosing = choosing_of(record, services)
    since = record.entries[turn:] if turn > 0 else []
    return bool(choosing and choosing.keep and since) and all({"choice", "keep"} & entry.keys() for entry in since)


def is_beside(record: BattleRecord, request: Request, services: Services) -> bool:
    """Return whether a choice was made in the message of the advice, while another one shows the battle."""
    choosing = choosing_of(record, services)
    return bool(request.private and record.battle.channel and choosing and choosing.advice)


async def tell_choice(record: BattleRecord, services: Services) -> Reply:
    """Say in the message of the advice how the battle stands after a choice."""
    room, battle = room_and_battle(services.rooms, record.battle.line, record.battle.rules)
    stages = await asyncio.to_thread(live_stages, room.game, battle, record.rolls, record.battle.start)
    return Reply(_("Done: {battle}", battle=headline(require(room.live), standing(stages))), private=True)
