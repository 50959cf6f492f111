"""A live battle in words: its stages, the headline, the names of the players, and what its picture shows."""

import json
from collections.abc import Sequence
from itertools import compress, pairwise
from typing import Any, NamedTuple

from bot.games.live import Live, LiveStage
from bot.languages import _
from bot.live.replay import ReplayError, damaged_log_error, replay, void_entries
from bot.names import safe_name
from bot.store.records import Player, Roll
from bot.words.luck import luckiest_sentence
from bot.words.numbers import exact_percent, until_over
from solver.game import Fight, Game, Throw

Stages = Sequence[LiveStage[Fight, Throw]]


def live_stages(
    game: Game, battle: Any, rolls: Sequence[Roll], start: float | None = None
) -> list[LiveStage[Fight, Throw]]:
    """Return a battle before the first throw, with its chance then, and after each entry that changed something.

    UserError if the rules of the battle forbid its log.
    """
    log = [json.loads(roll.entry) for roll in rolls]
    chances = [start, *(roll.chance for roll in rolls)]
    try:
        steps = replay(game, battle, log)
    except ReplayError as error:
        raise damaged_log_error(error) from None
    back = void_entries(log)
    of_log = ((entry.get("real", False), entry.get("choice"), entry["n"] in back) for entry in log)
    more = [(False, None, False), *of_log]
    shown = [True, *(not ("keep" in entry or entry.get("mistyped")) for entry in log)]
    stages = [LiveStage(*step, chance, *rest) for step, chance, rest in zip(steps, chances, more, strict=True)]
    if start != 1:
        stages = [
            stage if stage.chance is None or stage.fight.ended else stage._replace(chance=until_over(stage.chance))
            for stage in stages
        ]
    return list(compress(stages, shown))


def standing(stages: Stages) -> list[LiveStage[Fight, Throw]]:
    """Return the stages of a battle without those that were taken back."""
    return [stage for stage in stages if not stage.taken_back]


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
    if len(stages) == 1:
        return live.win_text(here, exact_percent(chance), True)
    left = (live.choosing and live.choosing.question(here)) or live.left(here)
    return f"{left} · {live.win_text(here, exact_percent(chance), False)}"


class Course(NamedTuple):
    """The course of a battle for its picture.

    Attributes:
        chances: The chance to win before the first round and after each.
        befores: The chance just before each round, where choices may have changed it since the round before.
        marks: In a few signs who is left after each round; empty if that takes too much room.
    """

    chances: list[float | None]
    befores: list[float | None]
    marks: list[str]


def course(live: Live, stages: Stages) -> Course:
    """Return the course of a battle."""
    rounds = live_rounds(stages)
    ends = [stages[0], *(each.end for each in rounds)]
    marks = [live.mark(stage.fight) for stage in ends] if live.mark else []
    return Course([stage.chance for stage in ends], [each.chance for each in rounds], marks)


class LiveRound(NamedTuple):
    """A round of a battle: the stages before and after its last throw, and the chance just before its dice.

    `real` is whether people typed some of its dice.
    """

    start: LiveStage[Fight, Throw]
    end: LiveStage[Fight, Throw]
    chance: float | None
    real: bool

    @property
    def luck(self) -> float | None:
        """The change of the attacker's chance by fair dice in the round; None if people typed some or it is unknown."""
        if self.real or self.chance is None or self.end.chance is None:
            return None
        return self.end.chance - self.chance


def live_rounds(stages: Stages) -> list[LiveRound]:
    """Return the rounds of a battle. A retreat is left out: it was no dice that changed the chance."""
    rounds: list[LiveRound] = []
    latest, real = stages[0].chance, False
    for before, stage in pairwise(stages):
        real |= stage.real
        if stage.throw and stage.fight.resting:
            rounds.append(LiveRound(before, stage, latest, real))
            latest, real = stage.chance, False
        elif stage.choice is not None:
            latest = stage.chance if stage.fight.resting else _after_choice(latest, before, stage)
    return rounds


def luckiest_round(live: Live, stages: Stages) -> str:
    """Say in which round the dice changed most, and for whom; "" if the battle has a single one, or none is known."""
    rounds = live_rounds(stages)
    known = [(luck, number) for number, each in enumerate(rounds, start=1) if (luck := each.luck) is not None]
    if len(rounds) < 2 or not known:
        return ""
    luck, number = max(known, key=lambda pair: abs(pair[0]))
    here = rounds[number - 1]
    return luckiest_sentence(live.round_name(here.start.fight, here.end.throw, number), luck)


def _after_choice(latest: float | None, *stages: LiveStage[Fight, Throw]) -> float | None:
    """Return the chance before a round in which a choice has changed the chance within it."""
    before, after = (stage.chance for stage in stages)
    return None if latest is None or before is None or after is None else latest + after - before


def changes(stages: Stages) -> tuple[float, float] | None:
    """Return how dice and how choices have changed the chance; None if it is unknown, or people typed dice.

    A retreat is a choice, too.
    """
    by_dice = by_choices = 0.0
    for before, stage in pairwise(stages):
        if stage.real or before.chance is None or stage.chance is None:
            return None
        if stage.throw:
            by_dice += stage.chance - before.chance
        else:
            by_choices += stage.chance - before.chance
    return by_dice, by_choices
