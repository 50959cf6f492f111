"""Presses of the buttons of live battles: which battle a button means, and who may press it."""

import asyncio
from typing import NamedTuple

from bot.commands.live import GONE, has_opponent
from bot.errors import UserError
from bot.games.base import GameRoom, Rooms
from bot.games.live import Choosing, Live
from bot.languages import _
from bot.live.replay import room_and_battle
from bot.live.words import live_stages, players_text
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
        raise UserError(_(choosing.refusals[side]))


def presser(record: BattleRecord, request: Request) -> Player:
    """Return the person who pressed, with the tag that stands for them in this battle."""
    for player in record.players:
        if player.user == request.user:
            return player
    return Player(str(len(record.players) + 1), request.user, request.user_name, "")
