"""Presses of the buttons of live battles: which battle one means, who may press, and choices such as what to lose.

The argument of a button is the battle, its turn, and a text that says what is chosen, or how the choice begins.
"""

import asyncio
import json
from typing import NamedTuple

from bot.commands.live import GONE, has_opponent, line_below
from bot.errors import UserError
from bot.games.base import GameRoom, Rooms, require
from bot.games.live import LATE, Choosing, Live
from bot.languages import _
from bot.live.replay import room_and_battle
from bot.live.rolling import Wish
from bot.live.words import headline, live_stages, players_text
from bot.replies import Button, Form, Reply
from bot.request import Request, Services
from bot.store.records import BattleRecord, Player
from solver.game import Fight, SideName


class Argument(NamedTuple):
    """What the button of a live battle says.

    Attributes:
        battle: The id of the battle.
        turn: How many entries its log had when the button was shown; -1 if that is no number.
        text: The choice, or its beginning; "" for other buttons.
    """

    battle: str
    turn: int
    text: str


def split_argument(request: Request) -> Argument:
    """Return what the button of a live battle says, be it one of ours or not."""
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


async def live_fight(record: BattleRecord, services: Services) -> tuple[GameRoom, Fight]:
    """Return a battle as it stands, and the room of its game."""
    room, battle = room_and_battle(services.rooms, record.battle.line, record.battle.rules)
    stages = await asyncio.to_thread(live_stages, room.game, battle, record.rolls)
    return room, stages[-1].fight


async def find(name: str, services: Services) -> BattleRecord:
    """Return a stored battle; UserError if it is not stored any more."""
    record = await services.store.battles.find(name)
    if record is None:
        raise UserError(_(GONE))
    return record


def check_presser(record: BattleRecord, request: Request, rooms: Rooms) -> None:
    """Raise UserError unless the presser may roll: with a named opponent only the two players may."""
    users = {player.user for player in record.players if player.role} - {None}
    if has_opponent(record) and users and request.user not in users:
        names = players_text(record.players)
        text = _(
            "Only the two players can press here: {names}. Start your own battle with `/roll {line}`.",
            names=names,
            line=request.line_for_here(rooms, record.battle.line),
        )
        raise UserError(text)


def check_retreating(record: BattleRecord, request: Request, live: Live, here: Fight) -> None:
    """Raise UserError if nobody can retreat now, or somebody else decides that.

    While we know a player's name, only the attacker can retreat; nobody can if the attacker has asked us to forget
    theirs. Once we have forgotten all names, everybody can.
    """
    fighters = {player.role: player.user for player in record.players if player.role}
    if any(fighters.values()) and request.user != fighters[here.attacking_side if has_opponent(record) else "attacker"]:
        raise UserError(_("Only the attacker can retreat."))
    if not here.resting:
        raise UserError(_("The attacker can retreat after this round."))
    if here.retreat() == here:
        raise UserError(_(live.no_retreat))


def sides_of(record: BattleRecord, request: Request) -> frozenset[SideName]:
    """Return the sides for which this person may choose: both if no opponent is named, else their own.

    Everybody who can press here may choose for a player who has asked us to forget the name, so that the battle can go
    on.
    """
    sides: tuple[SideName, ...] = ("attacker", "defender")
    users = {player.role: player.user for player in record.players if player.role}
    return frozenset(side for side in sides if not has_opponent(record) or users.get(side) in (None, request.user))


def check_chooser(record: BattleRecord, request: Request, choosing: Choosing, side: SideName) -> None:
    """Raise UserError unless this person may choose for a side."""
    if side not in sides_of(record, request):
        raise UserError(_(choosing.refusal))


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
    check_chooser(record, request, choosing, choosing.side(fight, text))
    late = choosing.advice and turn != record.battle.turn and not is_same_throw(record, turn, services)
    if late or record.battle.ended or not (room.game.choices and room.game.choices.possible(fight)):
        raise UserError(_(choosing.late))
    return Form(_(choosing.title), "choose", (choosing.field(fight, text),), request.argument)


def read_wish(record: BattleRecord, request: Request, room: GameRoom, here: Fight) -> Wish:
    """Return what a button or a form wishes; UserError if it cannot be chosen now, or not by this person."""
    choosing, text = require(room.live).choosing, _text(request)
    if choosing is None:
        raise UserError(_(LATE))
    check_chooser(record, request, choosing, choosing.side(here, text))
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
