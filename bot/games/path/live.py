"""Live battles of paths in words, as `Live` has them."""

from collections.abc import Sequence
from operator import attrgetter

from bot.games.dice import live as dice_live
from bot.games.live import LiveStage
from bot.games.path import battle
from bot.languages import N_, _
from solver.dice.fight import Round
from solver.path.fight import PathFight
from solver.path.odds import march_seconds
from solver.path.path import Path


def left_text(fight: PathFight) -> str:
    """Say who is left and where: "8 against 5 in territory 2 of 3"."""
    armies, legs = dice_live.left_text(fight.fight), len(fight.path.legs)
    return _("{armies} in territory {place} of {territories}", armies=armies, place=fight.leg + 1, territories=legs)


def outcome(fight: PathFight, _rounds: int) -> str:
    """Say how the path ended."""
    legs = len(fight.path.legs)
    if fight.ended == "won":
        return _(
            "Takes {territories} with {attackers} left",
            territories=battle.all_territories(legs),
            attackers=fight.fight.attackers,
        )
    text = (
        N_("Attack called off at territory {place} of {territories}, {left} left")
        if fight.fight.attackers
        else N_("Stopped at territory {place} of {territories}, {left} left")
    )
    return _(text, place=fight.leg + 1, territories=legs, left=dice_live.left_text(fight.fight))


def win_text(fight: PathFight, chance: str, begins: bool) -> str:
    """Say how likely the attacker takes all."""
    legs = len(fight.path.legs)
    if begins:
        return battle.takes_all_text(legs, chance)
    return _("takes all: {chance}", chance=chance) if legs > 1 else _("attacker takes it {chance}", chance=chance)


def hopes(path: Path) -> tuple[str, str]:
    """Say what the defender and the attacker hope for."""
    return _("is stopped"), _("takes all") if len(path.legs) > 1 else _("takes it")


def ending(path: Path, ended: str | None) -> str | None:
    """Say in a list how a path ended; None for the usual words."""
    if ended != "won":
        return None
    return _("all taken") if len(path.legs) > 1 else _("attacker took it")


def rows(stages: Sequence[LiveStage[PathFight, Round]]) -> tuple[str, ...]:
    """Return the table: number, dice, the territory with who is left there, and the chance to take all."""
    fights = [stage.fight for stage in stages]
    lefts = [f"{fight.leg + 1}: {dice_live.left_briefly(fight.fight)}" for fight in fights]
    return dice_live.rounds_table(stages, [fight.fight for fight in fights], lefts)


BATTLES = attrgetter("fight"), attrgetter("legs")
"""The battle with dice that is under way, and those of all legs."""
LIVE = dice_live.live_of(
    *BATTLES,
    left=left_text,
    outcome=outcome,
    rows=rows,
    win_text=win_text,
    hopes=hopes,
    ending=ending,
    seconds=march_seconds,
)
