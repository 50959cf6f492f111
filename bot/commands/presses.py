"""The buttons of a live battle: a press rolls on, and what fell is in the log before it is shown."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from bot.commands.live import GONE, frame, is_kept, meet
from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.fair import MODERATOR, link
from bot.fight_wording import attacks, names_of, staged
from bot.languages import N_, _
from bot.replay import battle_of
from bot.replies import Field, Form, Reply
from bot.rolling import How, Press, Step, dice_words, faces_in
from bot.store.battles import Player, Record, Roll, Spot
from solver.fights import Fight

What = Literal["round", "end", "retreat", "typed"]
"""What somebody presses for: a round, all that are left, the retreat, or a throw with dice of their own."""

LONGEST_DICE = 2_000
LATE = N_("That round is already rolled; the result is in the message.")
"""The answer to a press under an older frame: somebody was quicker, or the newest frame had not arrived."""
CLOSED = N_("A moderator has ended this battle.")


async def roll_on(request: Request, services: Services) -> Reply:
    """One round more."""
    return await _press(request, services, "round")


async def roll_out(request: Request, services: Services) -> Reply:
    """All rounds that are left."""
    return await _press(request, services, "end")


async def retreat(request: Request, services: Services) -> Reply:
    """The attacker retreats with all who can."""
    return await _press(request, services, "retreat")


async def real_dice(request: Request, services: Services) -> Reply:
    """The next throw, with dice that fell on somebody's table."""
    return await _press(request, services, "typed")


async def ask_dice(request: Request, services: Services) -> Form:
    """A form for the dice that lie on somebody's table."""
    record, _turn = await _pressed(request, services)
    _check_presser(record, request)
    fight = await _standing(record)
    if fight.ended or record.battle.ended:
        raise UserError(_("That battle is over."))
    field = Field("dice", _("What you rolled, such as 6 4 1 vs 5 3"), most=LONGEST_DICE, hint=dice_words(fight)[:100])
    return Form(_("Dice on your table"), "real dice", (field,), request.argument)


async def _press(request: Request, services: Services, what: What) -> Reply:
    """Roll on, log the roll and show the log; where somebody was quicker, show what they rolled."""
    services.presses.append(request.argument)
    try:
        return await _roll(request, services, what)
    finally:
        services.presses.remove(request.argument)


async def _roll(request: Request, services: Services, what: What) -> Reply:
    record, turn = await _pressed(request, services)
    _check_presser(record, request)
    fought = record.battle
    if fought.turn != turn or fought.ended:
        return await _too_late(record, request, services)
    how = await _how(what, record, request)
    presser = _presser(record, request)
    message = fought.message or request.message
    press = Press(fought.line, fought.seed, fought.id, message, request.interaction, presser.tag, fought.rules)
    entries = [json.loads(roll.entry) for roll in record.rolls]
    steps = await services.engine.advance(battle_of(fought.line, fought.rules), entries, how, press)
    # Luck is judged up to the first decision that is not in the odds: a retreat, or dice that people typed.
    judged = not any(map(_freezes, [*entries, *(step.entry for step in steps)]))
    rolls = _sealed(fought.head, steps)
    rolled = await services.store.battles.append(
        fought.id,
        turn,
        rolls,
        at=datetime.now(UTC),
        chance=steps[-1].chance if judged else None,
        judged=len(steps) if judged else 0,
        ended=steps[-1].ended,
        kept=await is_kept(fought.place, request, services),
        spot=Spot(request.message, request.channel, request.private),
        presser=None if presser in record.players else presser,
        fallen=Counter(pair for step in steps for pair in step.faces),
    )
    if rolled is None:
        return await _too_late(await _found(fought.id, services), request, services)
    players = record.players if presser in record.players else (*record.players, presser)
    return await frame(Record(rolled, players, (*record.rolls, *rolls)), services, request.private)


async def _how(what: What, record: Record, request: Request) -> How:
    """How the battle goes on; UserError where that cannot be now, or is not for this person to say."""
    if what in ("round", "end"):
        return what
    here = await _standing(record)
    if what == "typed":
        return faces_in(request.options["dice"], here)
    _check_retreating(record, request, here)
    return "retreat"


async def _too_late(record: Record, request: Request, services: Services) -> Reply:
    """The battle as it stands now, and why this press has rolled nothing."""
    why = CLOSED if record.battle.ended == MODERATOR else LATE
    return await frame(record, services, request.private, _(why))


def _freezes(entry: Mapping[str, Any]) -> bool:
    """Whether luck is not judged from this entry of a log on."""
    return bool(entry.get("real") or entry.get("retreat"))


def _sealed(head: str, steps: list[Step]) -> list[Roll]:
    """The new entries with their places in the chain of hashes."""
    rolls = []
    for step in steps:
        head = link(head, step.entry)
        rolls.append(Roll(step.entry["n"], json.dumps(step.entry), head, step.chance))
    return rolls


async def _pressed(request: Request, services: Services) -> tuple[Record, int]:
    """The battle of a button, and after how many entries of the log it was shown."""
    name, _colon, turn = request.argument.partition(":")
    record = await _found(name, services)
    if not _belongs(record, request, services):
        raise UserError(_(GONE))
    return record, int(turn) if turn.isdecimal() and len(turn) < 10 else -1


def _belongs(record: Record, request: Request, services: Services) -> bool:
    """Whether a press counts for a battle, as a changed client can send the name of any battle from anywhere.

    It counts in the battle's place, under its message, and from its players. Where we are no members, as among
    friends, the place is that of one person, and what counts is that the message shows the battle.
    """
    battle = record.battle
    if request.place == battle.place or request.user in {player.user for player in record.players}:
        return True
    personal = battle.place.startswith("user:") and battle.channel is None
    return services.store.battles.is_shown_in(request.message, battle) or (personal and request.shows == battle.id)


async def _standing(record: Record) -> Fight:
    """Where a battle stands."""
    stages = await asyncio.to_thread(staged, battle_of(record.battle.line, record.battle.rules), record.rolls)
    return stages[-1].fight


async def _found(name: str, services: Services) -> Record:
    record = await services.store.battles.find(name)
    if record is None:
        raise UserError(_(GONE))
    return record


def _check_presser(record: Record, request: Request) -> None:
    """Raise UserError unless the presser may roll: with a named opponent only the two players may."""
    users = {player.user for player in record.players if player.role} - {None}
    if meet(record) and users and request.user not in users:
        names = names_of(record.players)
        told = _(
            "Only the two players can press here: {names}. Start your own battle with `/roll {line}`.",
            names=names,
            line=request.shown(record.battle.line),
        )
        raise UserError(told)


def _check_retreating(record: Record, request: Request, here: Fight) -> None:
    """UserError where nobody can retreat now, or somebody else decides that.

    Only the attacker can retreat, even after asking us to forget that name; once no name is left, everybody can.
    """
    fighters = {player.role: player.user for player in record.players if player.role}
    if any(fighters.values()) and request.user != fighters[attacks(here) if meet(record) else "attacker"]:
        raise UserError(_("Only the attacker can retreat."))
    if not here.resting:
        raise UserError(_("The attacker can retreat after this round."))
    if here.retreat() == here:
        raise UserError(_("Units landed from the sea can't retreat, and no others are left."))


def _presser(record: Record, request: Request) -> Player:
    """Who pressed, by the tag that stands for the person in this battle."""
    for player in record.players:
        if player.user == request.user:
            return player
    return Player(str(len(record.players) + 1), request.user, request.user_name, "")
