"""The buttons of a live battle: a press rolls on, and the dice are logged before anybody sees them."""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from bot.commands.live import GONE, frame, has_opponent, is_kept
from bot.errors import UserError
from bot.games.base import GameRoom, Live, Rooms, require
from bot.languages import N_, _
from bot.live import work
from bot.live.fair import MODERATOR, link
from bot.live.replay import battle_of
from bot.live.rolling import Move, NewEntry, Press, next_dice_text, read_faces
from bot.live.words import live_stages, players_text
from bot.replies import Form, FormField, Reply
from bot.request import UNNAMED, Request, Services
from bot.store.records import BattleRecord, Player, Roll, Spot
from solver.game import Fight
from solver.luck import ROUNDING

PressKind = Literal["round", "end", "retreat", "typed", "chosen"]
"""A press rolls one round or all that are left, retreats, adds a throw that people typed, or chooses a number."""

LONGEST_DICE, LONGEST_NUMBER = 2_000, 6
LATE = N_("That round is already rolled; the result is in the message.")
"""Answers a press under an older frame: somebody was quicker, or the newest frame had not arrived."""
CLOSED = N_("A moderator has ended this battle.")


async def roll_on(request: Request, services: Services) -> Reply:
    """Roll one round."""
    return await _press(request, services, "round")


async def roll_out(request: Request, services: Services) -> Reply:
    """Roll all rounds that are left."""
    return await _press(request, services, "end")


async def retreat(request: Request, services: Services) -> Reply:
    """Retreat with all attackers that can."""
    return await _press(request, services, "retreat")


async def real_dice(request: Request, services: Services) -> Reply:
    """Add the next throw, with dice that people rolled on their table."""
    return await _press(request, services, "typed")


async def choose(request: Request, services: Services) -> Reply:
    """Choose a number between two rolls, such as how many armies move on: that of the button, or one typed."""
    return await _press(request, services, "chosen")


async def ask_number(request: Request, services: Services) -> Form:
    """Return a form for a number that no button has."""
    record, _turn = await _button_battle(request, services)
    _check_presser(record, request, services.rooms)
    room, fight = await _live_fight(record, services)
    _check_chooser(record, request, room)
    if record.battle.ended or not (room.game.choices and room.game.choices.numbers(fight)):
        raise UserError(_(LATE))
    label = require(require(room.live).choosing).field(fight)
    return Form(_("Other number"), "choose", (FormField("number", label, most=LONGEST_NUMBER),), request.argument)


async def ask_dice(request: Request, services: Services) -> Form:
    """Return a form for dice that people rolled on their table."""
    record, _turn = await _button_battle(request, services)
    _check_presser(record, request, services.rooms)
    room, fight = await _live_fight(record, services)
    if fight.ended or record.battle.ended:
        raise UserError(_("That battle is over."))
    live, fight = require(room.live), await _before_dice(room, fight, services)
    hint = next_dice_text(live, fight)[:100]
    field = FormField("dice", _("What you rolled, such as 6 4 1 vs 5 3"), most=LONGEST_DICE, hint=hint)
    return Form(_("Dice on your table"), "real dice", (field,), request.argument)


async def _press(request: Request, services: Services, kind: PressKind) -> Reply:
    """Roll on, log the roll and show it; if somebody was quicker, show their roll."""
    services.presses.append(request.argument)
    try:
        return await _roll(request, services, kind)
    finally:
        services.presses.remove(request.argument)


async def _roll(request: Request, services: Services, kind: PressKind) -> Reply:
    record, turn = await _button_battle(request, services)
    _check_presser(record, request, services.rooms)
    fought = record.battle
    if fought.turn != turn or fought.ended:
        return await _too_late(record, request, services)
    move = await _move(kind, record, request, services)
    presser = _presser(record, request)
    message = fought.message or request.message
    decides = _may_choose(record, request)
    press = Press(fought.line, fought.seed, fought.id, message, request.interaction, presser.tag, fought.rules, decides)
    entries = [json.loads(roll.entry) for roll in record.rolls]
    battle = battle_of(services.rooms, fought.line, fought.rules)
    room = services.rooms.of(battle)
    added = await work.roll_on(services.engine, room, battle, entries, move, press)
    rolls = _hashed_rolls(fought.head, added)
    judged = _is_judged(require(room.live), battle, fought.start, (*record.rolls, *rolls))
    rolled = await services.store.battles.append(
        fought.id,
        turn,
        rolls,
        at=datetime.now(UTC),
        chance=added[-1].chance if judged else None,
        judged=sum("choice" not in new.entry for new in added) if judged else 0,
        ended=added[-1].ended,
        kept=await is_kept(fought.place, request, services),
        spot=Spot(request.message, request.channel, request.private),
        presser=None if presser in record.players else presser,
        fallen=Counter(pair for new in added for pair in new.faces),
    )
    if rolled is None:
        return await _too_late(await _find(fought.id, services), request, services)
    players = record.players if presser in record.players else (*record.players, presser)
    return await frame(BattleRecord(rolled, players, (*record.rolls, *rolls)), services, request.private)


async def _move(kind: PressKind, record: BattleRecord, request: Request, services: Services) -> Move:
    """Return how the battle goes on; UserError if that is impossible now, or somebody else's decision."""
    room = services.rooms.of(battle_of(services.rooms, record.battle.line, record.battle.rules))
    if kind in ("round", "end") and room.game.choices is None:
        return kind
    room, here = await _live_fight(record, services)
    if kind == "chosen":
        return _number_to_choose(record, request, room, here)
    if kind == "typed":
        return read_faces(require(room.live), request.options["dice"], await _before_dice(room, here, services))
    if kind == "retreat":
        _check_retreating(record, request, require(room.live), here)
    elif room.game.choices and room.game.choices.numbers(here) is not None:
        if kind == "round":
            raise UserError(_(require(require(room.live).choosing).first))
        _check_chooser(record, request, room)
    return kind


def _number_to_choose(record: BattleRecord, request: Request, room: GameRoom, here: Fight) -> int:
    """Return the number of the button or of the form; UserError if it cannot be chosen now, or not by this person."""
    _check_chooser(record, request, room)
    numbers = room.game.choices.numbers(here) if room.game.choices else None
    if numbers is None:
        raise UserError(_(LATE))
    typed = request.options.get("number", request.argument.split(":")[-1]).strip()
    number = int(typed) if typed.isdecimal() and len(typed) <= LONGEST_NUMBER else -1
    if number not in numbers:
        raise UserError(_("Type a number from {least} to {most}.", least=numbers[0], most=numbers[-1]))
    return number


async def _before_dice(room: GameRoom, here: Fight, services: Services) -> Fight:
    """Return a battle after the choices that the plan makes; UserError if people have to choose something first."""
    if room.game.choices and room.game.choices.numbers(here) is not None:
        raise UserError(_(require(require(room.live).choosing).first))
    ready: Fight = await work.before_dice(services.engine, room, here)
    return ready


async def _too_late(record: BattleRecord, request: Request, services: Services) -> Reply:
    """Return the battle as it stands now, and why this press has rolled nothing.

    It may have rolled, in a process that ended before it had answered.
    """
    pressed = {json.loads(roll.entry)["interaction"] for roll in record.rolls}
    if request.interaction in pressed - {UNNAMED}:
        return await frame(record, services, request.private)
    why = CLOSED if record.battle.ended == MODERATOR else LATE
    return await frame(record, services, request.private, _(why))


def _is_judged(live: Live, battle: Any, start: float | None, rolls: Sequence[Roll]) -> bool:
    """Return whether the luck of a battle counts up to now.

    It counts up to the first decision that is not in the odds: a retreat, dice that people typed, or a choice that
    changes the chance. A share is no chance to win.
    """
    if live.is_share(battle):
        return False
    before = start
    for roll in rolls:
        entry = json.loads(roll.entry)
        if entry.get("real") or entry.get("retreat"):
            return False
        if "choice" in entry and (before is None or roll.chance is None or abs(roll.chance - before) > ROUNDING):
            return False
        before = roll.chance
    return True


def _hashed_rolls(head: str, added: list[NewEntry]) -> list[Roll]:
    """Return the new entries with their hashes, which follow the hash `head` of the last entry."""
    rolls = []
    for new in added:
        head = link(head, new.entry)
        rolls.append(Roll(new.entry["n"], json.dumps(new.entry), head, new.chance))
    return rolls


async def _button_battle(request: Request, services: Services) -> tuple[BattleRecord, int]:
    """Return the battle of a button, and how many entries its log had when the button was shown."""
    name, turn, *_number = [*request.argument.split(":"), ""]
    record = await _find(name, services)
    if not _may_press(record, request, services):
        raise UserError(_(GONE))
    return record, int(turn) if turn.isdecimal() and len(turn) < 10 else -1


def _may_press(record: BattleRecord, request: Request, services: Services) -> bool:
    """Return whether a press counts for a battle: a changed client can send the name of any battle from anywhere.

    It counts in the battle's place, under its message, and from its players. Where we are no members, as among
    friends, the place is that of one person, and what counts is that the message shows the battle.
    """
    battle = record.battle
    if request.place == battle.place or request.user in {player.user for player in record.players}:
        return True
    personal = battle.place.startswith("user:") and battle.channel is None
    return services.store.battles.is_shown_in(request.message, battle) or (personal and request.shows == battle.id)


async def _live_fight(record: BattleRecord, services: Services) -> tuple[GameRoom, Fight]:
    """Return a battle as it stands, and the room of its game."""
    battle = battle_of(services.rooms, record.battle.line, record.battle.rules)
    room = services.rooms.of(battle)
    stages = await asyncio.to_thread(live_stages, room.game, battle, record.rolls)
    return room, stages[-1].fight


async def _find(name: str, services: Services) -> BattleRecord:
    record = await services.store.battles.find(name)
    if record is None:
        raise UserError(_(GONE))
    return record


def _check_presser(record: BattleRecord, request: Request, rooms: Rooms) -> None:
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


def _check_retreating(record: BattleRecord, request: Request, live: Live, here: Fight) -> None:
    """Raise UserError if nobody can retreat now, or somebody else decides that.

    Only the attacker can retreat, even after asking us to forget that name; once no name is left, everybody can.
    """
    fighters = {player.role: player.user for player in record.players if player.role}
    if any(fighters.values()) and request.user != fighters[here.attacking_side if has_opponent(record) else "attacker"]:
        raise UserError(_("Only the attacker can retreat."))
    if not here.resting:
        raise UserError(_("The attacker can retreat after this round."))
    if here.retreat() == here:
        raise UserError(_(live.no_retreat))


def _may_choose(record: BattleRecord, request: Request) -> bool:
    """Return whether this person may choose: if an opponent is named, only the attacker may.

    If the attacker has asked us to forget that name, everybody may who can press here, so that the battle can go on.
    """
    attacker = next(player.user for player in record.players if player.role == "attacker")
    return not has_opponent(record) or attacker in (None, request.user)


def _check_chooser(record: BattleRecord, request: Request, room: GameRoom) -> None:
    """Raise UserError unless this person may choose."""
    if not _may_choose(record, request):
        raise UserError(_(require(require(room.live).choosing).refusal))


def _presser(record: BattleRecord, request: Request) -> Player:
    """Return the person who pressed, with the tag that stands for them in this battle."""
    for player in record.players:
        if player.user == request.user:
            return player
    return Player(str(len(record.players) + 1), request.user, request.user_name, "")
