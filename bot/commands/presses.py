"""The buttons of a live battle: a press rolls on, and the dice are logged before anybody sees them."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from bot.commands.choosing import (
    button_battle,
    check_chooser,
    check_presser,
    check_retreating,
    choosing_of,
    find,
    is_beside,
    is_same_throw,
    live_fight,
    presser,
    read_wish,
    sides_of,
    tell_choice,
)
from bot.commands.live import frame, is_kept
from bot.errors import UserError
from bot.games.base import GameRoom, require
from bot.games.live import LATE, Live
from bot.languages import N_, _
from bot.live import work
from bot.live.fair import MODERATOR, link
from bot.live.replay import room_and_battle
from bot.live.rolling import Move, NewEntry, Press, next_dice_text, read_faces
from bot.replies import Form, FormField, Reply
from bot.request import UNNAMED, Request, Services
from bot.store.records import BattleRecord, Roll, Spot
from solver.game import Fight
from solver.luck import ROUNDING

PressKind = Literal["round", "end", "retreat", "typed", "chosen"]
"""A press rolls one round or all that are left, retreats, adds a throw that people typed, or chooses something.

A choice comes with the button or is typed in a form; a typed throw is of dice that people rolled at their own table.
"""

LONGEST_DICE = 2_000
CLOSED = N_("A moderator has ended this battle.")


async def ask_dice(request: Request, services: Services) -> Form:
    """Return a form for dice that people rolled on their table."""
    record, _turn = await button_battle(request, services)
    check_presser(record, request, services.rooms)
    room, fight = await live_fight(record, services)
    if fight.ended or record.battle.ended:
        raise UserError(_("That battle is over."))
    live, fight = require(room.live), await _before_dice(room, fight, services)
    hint = next_dice_text(live, fight)[:100]
    field = FormField("dice", _("What you rolled, such as 6 4 1 vs 5 3"), most=LONGEST_DICE, hint=hint)
    return Form(_("Dice on your table"), "real dice", (field,), request.argument)


async def press(kind: PressKind, request: Request, services: Services) -> Reply:
    """Roll on, or choose or retreat, log that and show it; if somebody was quicker, show their roll."""
    services.presses.append(request.argument)
    try:
        return await _roll(request, services, kind)
    finally:
        services.presses.remove(request.argument)


async def _roll(request: Request, services: Services, kind: PressKind) -> Reply:
    record, turn = await button_battle(request, services)
    check_presser(record, request, services.rooms)
    fought = record.battle
    if kind == "chosen" and is_same_throw(record, turn, services):
        turn = fought.turn
    if fought.turn != turn or fought.ended:
        return await _too_late(kind, record, request, services)
    move = await _move(kind, record, request, services)
    who = presser(record, request)
    message, sides = fought.message or request.message, sides_of(record, request)
    press = Press(fought.line, fought.seed, fought.id, message, request.interaction, who.tag, fought.rules, sides)
    entries = [json.loads(roll.entry) for roll in record.rolls]
    room, battle = room_and_battle(services.rooms, fought.line, fought.rules)
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
        presser=None if who in record.players else who,
        fallen=Counter(pair for new in added for pair in new.faces),
    )
    if rolled is None:
        newest = await find(fought.id, services)
        if kind == "chosen" and is_same_throw(newest, turn, services):
            return await _roll(request, services, kind)  # The other player has chosen at the same time.
        return await _too_late(kind, newest, request, services)
    players = record.players if who in record.players else (*record.players, who)
    after = BattleRecord(rolled, players, (*record.rolls, *rolls))
    if kind == "chosen" and is_beside(record, request, services):
        return await tell_choice(after, services)
    return await frame(after, services, request.private)


async def _move(kind: PressKind, record: BattleRecord, request: Request, services: Services) -> Move:
    """Return how the battle goes on; UserError if that is impossible now, or somebody else's decision."""
    room, _battle = room_and_battle(services.rooms, record.battle.line, record.battle.rules)
    if kind in ("round", "end") and room.game.choices is None:
        return kind
    room, here = await live_fight(record, services)
    if kind == "chosen":
        return read_wish(record, request, room, here)
    if kind == "typed":
        return read_faces(require(room.live), request.options["dice"], await _before_dice(room, here, services))
    if kind == "retreat":
        check_retreating(record, request, require(room.live), here)
    elif room.game.choices and (side := room.game.choices.chooser(here)):
        choosing = require(require(room.live).choosing)
        if kind == "round" and not choosing.keep:
            raise UserError(_(choosing.first))
        check_chooser(record, request, choosing, side)
    return kind


async def _before_dice(room: GameRoom, here: Fight, services: Services) -> Fight:
    """Return a battle after the choices that the plan makes; UserError if people have to choose something first."""
    if room.game.choices and room.game.choices.chooser(here):
        raise UserError(_(require(require(room.live).choosing).first))
    ready: Fight = await work.before_dice(services.engine, room, here)
    return ready


async def _too_late(kind: PressKind, record: BattleRecord, request: Request, services: Services) -> Reply:
    """Return the battle as it stands now, and why this press has rolled nothing.

    It may have rolled, in a process that ended before it had answered.
    """
    beside = kind == "chosen" and is_beside(record, request, services)
    pressed = {json.loads(roll.entry)["interaction"] for roll in record.rolls}
    if request.interaction in pressed - {UNNAMED}:
        return await (tell_choice(record, services) if beside else frame(record, services, request.private))
    choosing = choosing_of(record, services) if kind == "chosen" else None
    why = CLOSED if record.battle.ended == MODERATOR else choosing.late if choosing else LATE
    if beside:
        raise UserError(_(why))
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
