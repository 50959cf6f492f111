"""A live battle in words: its stages, the headline, the names of the players, and what its picture shows."""

import json
from collections.abc import Sequence
from typing import Any

from bot.games.base import Live, LiveStage
from bot.languages import _
from bot.live.replay import ReplayError, damaged_log_error, replay
from bot.names import safe_name
from bot.store.records import Player, Roll
from bot.words.numbers import exact_percent
from solver.game import Fight, Game, Throw

Stages = Sequence[LiveStage[Fight, Throw]]


def live_stages(
    game: Game, battle: Any, rolls: Sequence[Roll], start: float | None = None
) -> list[LiveStage[Fight, Throw]]:
    """Return a battle before the first throw, with its chance then, and after each entry of its log.

    UserError if the rules of the battle forbid its log.
    """
    log = [json.loads(roll.entry) for roll in rolls]
    chances = [start, *(roll.chance for roll in rolls)]
    real = [False, *(entry.get("real", False) for entry in log)]
    try:
        steps = replay(game, battle, log)
    except ReplayError as error:
        raise damaged_log_error(error) from None
    return [LiveStage(*step, *more) for step, *more in zip(steps, chances, real, strict=True)]


def players_text(players: Sequence[Player]) -> str:
    """Say who attacks whom, "Alice attacks Bob"; "" if no opponent is named."""
    named = {player.role: safe_name(player.name) for player in players}
    if "defender" not in named:
        return ""
    return _("{attacker} attacks {defender}", attacker=named["attacker"], defender=named["defender"])


def headline(live: Live, stages: Stages) -> str:
    """Say how the battle ended, or who is left and how likely the attacker is to win."""
    here, chance = stages[-1].fight, stages[-1].chance
    if here.ended is not None:
        return live.outcome(here, sum(stage.throw is not None for stage in stages))
    if chance is None:
        return live.left(here)
    first, later = live.win_texts
    if len(stages) == 1:
        return _(first, chance=exact_percent(chance))
    return f"{live.left(here)} · {_(later, chance=exact_percent(chance))}"


def ribbon(live: Live, stages: Stages) -> tuple[list[float | None], list[str]]:
    """Return the chance to win before the first round and after each, and in a few signs who is left.

    A retreat is left out: it was no dice that changed the chance.
    """
    rounds = [stages[0], *(stage for stage in stages[1:] if stage.throw and stage.fight.resting)]
    marks = [live.mark(stage.fight) for stage in rounds] if live.mark else []
    return [stage.chance for stage in rounds], marks
