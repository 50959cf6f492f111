"""Live battles and the engine: checks that one may begin, rolls it on, and checks its log."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from bot.errors import UserError, sentence_of
from bot.games.base import GameRoom, Rooms, require
from bot.languages import _
from bot.live.replay import check
from bot.live.rolling import Entry, Move, NewEntry, Press, advance, up_to_dice
from bot.words.numbers import honest_chance, until_over
from bot.work.engine import Engine
from bot.work.jobs import USUAL, Forecast
from solver import BattleError

log = logging.getLogger(__name__)

MOST_DICE = 1_000
"""The most dice of a throw that a frame can show one by one."""


async def start_chance(engine: Engine, room: GameRoom, battle: Any) -> float | None:
    """Return the attacker's chance in a battle that is to be rolled; None if it is only simulated or nobody can win.

    UserError if the battle has no dice, or too many, or would never end.
    """
    live, begin = require(room.live, room.refusals.get("roll", "")), require(room.game.begin)
    if live.check_plan:
        live.check_plan(engine.most_work, battle)
    try:
        fight = await asyncio.to_thread(begin, battle)  # a plan to the end may take a moment to find
        dice = sum(alike.number for side in fight.next_dice() for alike in side)
    except BattleError as error:
        raise UserError(sentence_of(error)) from None
    if dice > MOST_DICE:
        text = _("That battle would show {dice} dice at once; the limit is {most}.", dice=dice, most=MOST_DICE)
        raise UserError(text)
    if live.check_length:
        await live.check_length(engine, battle)
    if room.game.chances is None:
        return None
    if room.game.choices and (room.game.choices.due(fight) or fight.ended):
        await before_dice(engine, room, fight)  # a battle that is too large for its plan is refused here
        (chance,) = await engine.compute(room.game.chances, (fight,), engine.most_work)
        return None if chance is None else float(chance) if fight.ended else until_over(chance)
    odds = await engine.odds(battle)
    return None if odds.sampled or odds.success is None else honest_chance(odds.success, odds)


async def best_choice(engine: Engine, room: GameRoom, fight: Any) -> Any:
    """Return the best choice in a battle that waits for people; None if it cannot be had just now."""
    try:
        return await engine.compute(require(room.game.choices).best, fight, None, engine.most_work)
    except (BattleError, UserError) as error:
        log.info("people choose without the best choice: %s", error)
    except Exception:
        log.exception("people choose without the best choice")
    return None


async def after_best_choices(engine: Engine, room: GameRoom, fight: Any) -> Any:
    """Return a battle as its first dice find it; None if people choose that, or it cannot be had just now."""
    choices = room.game.choices
    if choices is None or not choices.due(fight):
        return None
    try:
        ready = await before_dice(engine, room, fight)
        return None if ready.ended or choices.due(ready) else ready
    except UserError as error:
        log.info("the battle begins without what is next: %s", error)
    except Exception:
        log.exception("the battle begins without what is next")
    return None


async def before_dice(engine: Engine, room: GameRoom, fight: Any) -> Any:
    """Return a battle after the choices that are due and leave people nothing to decide."""
    choices = room.game.choices
    if choices is None or not choices.due(fight) or choices.chooser(fight):
        return fight
    return await engine.compute_within(up_to_dice, room.game, fight)


async def roll_on(
    engine: Engine, room: GameRoom, battle: Any, log: Sequence[Entry], move: Move, press: Press
) -> list[NewEntry]:
    """Return what a press adds to the log of a live battle: see `advance`."""
    live = require(room.live)
    seconds = USUAL + 1e-4 * len(log) + (live.seconds(battle) if live.seconds else 0)
    forecast = Forecast(seconds, battle, is_press=True)
    parts = battle, room.game, live, log, move, press, engine.most_work
    added: list[NewEntry] = await engine.pool.run(advance, *parts, forecast=forecast)
    return added


async def check_log(engine: Engine, rooms: Rooms, log: Mapping[str, Any]) -> list[str]:
    """List all problems of the log of a live battle: see `check`."""
    forecast = Forecast(USUAL + 5e-4 * len(log["rolls"]))
    problems: list[str] = await engine.pool.run(check, rooms, log, engine.most_work, forecast=forecast)
    return problems
