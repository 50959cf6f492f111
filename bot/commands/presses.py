"""The buttons of a live battle: a press rolls on, and the dice are logged before anybody sees them."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from bot.commands.choosing import (
    button_battle,
    choosing_of,
    find,
    is_beside,
    is_same_throw,
    presser,
    read_wish,
    split_argument,
    tell_choice,
)
from bot.commands.live import frame, is_kept
from bot.commands.rights import (
    Position,
    check_going_on,
    check_keeping,
    check_presser,
    check_retreating,
    check_rolling,
    check_undoing,
    is_without_player,
    position_of,
    sides_of,
)
from bot.errors import UserError
from bot.games.base import require
from bot.games.live import LATE, Live
from bot.languages import N_, _
from bot.live import work
from bot.live.fair import MODERATOR, kinds_of, link
from bot.live.replay import room_and_battle, void_entries
from bot.live.rolling import Move, NewEntry, Press, next_dice_text, read_faces
from bot.replies import Form, FormField, Reply
from bot.request import UNNAMED, Request, Services
from bot.store.records import BattleRecord, Player, Roll, Spot
from solver.game import Fight
from solver.luck import ROUNDING

PressKind = Literal["round", "end", "retreat", "typed", "chosen", "keep", "keep always", "undo"]
"""A press rolls one round or all that are left, retreats, adds a throw that people typed, chooses something, keeps
losses as they are, perhaps to the end, or takes back the throw that was just typed.

A choice comes with the button or is typed in a form; a typed throw is of dice that people rolled at their own table.
"""

ABOUT_LOSSES = "chosen", "keep", "keep always"
"""Presses that count as long as nobody has rolled, whoever has chosen or kept something meanwhile."""
LONGEST_DICE = 2_000
CLOSED = N_("A moderator has ended this battle.")
MARKED = N_("This battle has been marked as mistyped.")
CHANGED = N_("A choice came first. Look at the battle, and press again if you still want to.")
TAKEN_BACK = N_("A roll was taken back first. Look at the battle, and press again if you still want to.")


async def ask_dice(request: Request, services: Services) -> Form:
    """Return a form for dice that people rolled on their table."""
    record, _turn = await button_battle(request, services)
    check_presser(record, request, services.rooms)
    here = await position_of(record, request.message, services)
    if here.fight.ended or record.battle.ended:
        raise UserError(_("That battle is over."))
    check_rolling(record, request, here)
    live, fight = require(here.room.live), await _before_dice(here, services)
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
    if kind in ABOUT_LOSSES and is_same_throw(record, turn, services):
        turn = fought.turn
    if fought.turn != turn or fought.ended or has_counted(record, request):
        return await _too_late(kind, record, request, services)
    here = await position_of(record, request.message, services)
    if kind in ("keep", "keep always") and not here.waits_for:
        return await frame(record, services, request.private)  # pressed twice
    move = await _move(kind, record, request, here, services)
    after = await _store(move, record, request, here, services)
    if after is None:
        newest = await find(fought.id, services)
        if kind in ABOUT_LOSSES and is_same_throw(newest, turn, services):
            return await _roll(request, services, kind)  # The other player has chosen at the same time.
        return await _too_late(kind, newest, request, services)
    if kind == "chosen" and is_beside(record, request, services):
        return await tell_choice(after, services)
    return await frame(after, services, request.private)


async def _store(
    move: Move, record: BattleRecord, request: Request, here: Position, services: Services
) -> BattleRecord | None:
    """Store what a press adds, and return the battle after it; None if somebody was quicker."""
    fought, who = record.battle, presser(record, request)
    press = press_of(who, record, request, here)
    room, battle = room_and_battle(services.rooms, fought.line, fought.rules)
    added = await work.roll_on(services.engine, room, battle, record.entries, move, press)
    rolls = hashed_rolls(fought.head, added)
    judged = _is_judged(require(room.live), battle, fought.start, (*record.rolls, *rolls))
    rolled = await services.store.battles.append(
        fought.id,
        fought.turn,
        rolls,
        at=datetime.now(UTC),
        chance=added[-1].chance if judged else None,
        judged=sum(not kinds_of(new.entry) for new in added) if judged else 0,
        ended=added[-1].ended,
        kept=await is_kept(fought.place, request, services),
        spot=Spot(request.message, request.channel, request.private),
        presser=None if who in record.players else who,
        fallen=Counter(pair for new in added for pair in new.faces),
    )
    return record.after(rolled, who, rolls) if rolled else None


def press_of(who: Player, record: BattleRecord, request: Request, here: Position) -> Press:
    """Return the parts of a person's press that the dice and the log need."""
    fought = record.battle
    return Press(
        fought.line,
        fought.seed,
        fought.id,
        fought.message or request.message,
        request.interaction,
        who.tag,
        fought.rules,
        sides_of(record, request, here),
        record.rights,
        is_without_player(record, here),
    )


async def _move(kind: PressKind, record: BattleRecord, request: Request, here: Position, services: Services) -> Move:
    """Return how the battle goes on; UserError if that is impossible now, or somebody else's decision."""
    room, fight = here.room, here.fight
    if kind == "chosen":
        return read_wish(record, request, here)
    if kind in ("keep", "keep always"):
        check_keeping(record, request, here, kind == "keep always")
    elif kind == "undo":
        check_undoing(record, request)
    elif kind == "retreat":
        check_retreating(record, request, require(room.live), here)
    elif kind in ("round", "end") and room.game.choices and (side := room.game.choices.chooser(fight)):
        choosing = require(require(room.live).choosing)
        if kind == "round" and not choosing.keep:
            raise UserError(_(choosing.first))
        check_going_on(record, request, here, choosing, side)
    else:
        check_rolling(record, request, here)
    if kind == "typed":
        return read_faces(require(room.live), request.options["dice"], await _before_dice(here, services))
    return kind


async def _before_dice(here: Position, services: Services) -> Fight:
    """Return a battle after the choices that the plan makes; UserError if people have to choose something first."""
    room, fight = here.room, here.fight
    if room.game.choices and room.game.choices.chooser(fight):
        raise UserError(_(require(require(room.live).choosing).first))
    ready: Fight = await work.before_dice(services.engine, room, fight)
    return ready


async def _too_late(kind: PressKind, record: BattleRecord, request: Request, services: Services) -> Reply:
    """Return the battle as it stands now, and why this press has rolled nothing.

    It may have rolled, in a process that ended before it had answered.
    """
    beside = kind == "chosen" and is_beside(record, request, services)
    if has_counted(record, request):
        return await (tell_choice(record, services) if beside else frame(record, services, request.private))
    choosing = choosing_of(record, services) if kind == "chosen" else None
    closed = MARKED if record.battle.mistyped else CLOSED if record.battle.ended == MODERATOR else ""
    why = closed or (choosing.late if choosing else LATE)
    turn = split_argument(request).turn
    if why == LATE and any("undo" in entry for entry in record.entries[max(turn, 0) :]):
        why = TAKEN_BACK
    elif why == LATE and is_same_throw(record, turn, services):
        why = CHANGED
    if beside:
        raise UserError(_(why))
    return await frame(record, services, request.private, _(why))


def has_counted(record: BattleRecord, request: Request) -> bool:
    """Return whether a press is in the log already: Discord may have sent it twice."""
    return request.interaction != UNNAMED and any(
        entry["interaction"] == request.interaction for entry in record.entries
    )


def _is_judged(live: Live, battle: Any, start: float | None, rolls: Sequence[Roll]) -> bool:
    """Return whether the luck of a battle counts up to now.

    It counts up to the first decision that is not in the odds: a retreat, dice that people typed, or a choice that
    changes the chance. A share is no chance to win.
    """
    if live.is_share(battle):
        return False
    before = start
    log = [json.loads(roll.entry) for roll in rolls]
    back = void_entries(log)
    for roll, entry in zip(rolls, log, strict=True):
        if roll.n in back:
            continue
        if entry.get("real") or entry.get("retreat"):
            return False
        if "choice" in entry and (before is None or roll.chance is None or abs(roll.chance - before) > ROUNDING):
            return False
        before = roll.chance
    return True


def hashed_rolls(head: str, added: list[NewEntry]) -> list[Roll]:
    """Return the new entries with their hashes, which follow the hash `head` of the last entry."""
    rolls = []
    for new in added:
        head = link(head, new.entry)
        rolls.append(Roll(new.entry["n"], json.dumps(new.entry), head, new.chance))
    return rolls
